"""Results of the data-quality checks as they lie in a lake: how the files are called, which count, what they say.

    <lake>/<topic>/quality/<partition>/<first offset>-<last offset>.json   a segment's
    <lake>/<topic>/quality/days/<date>.json                                a gaming day's

A number before `.json` is the version: of the suites for a segment, of the result for a day; the first has none.
Whoever writes or reads results goes by this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import pyarrow as pa

FOLDER = "quality"
DAYS = "days"

_RESULT = re.compile(r"(\d{20})-(\d{20})(?:\.(\d+))?\.json\Z")
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:\.(\d+))?\.json\Z")


class SegmentResult(NamedTuple):
    """A segment's result: of the records `first` to `last`, by this version of the suites."""

    first: int
    last: int
    suite: int

    @property
    def file(self) -> str:
        return f"{self.first:020d}-{self.last:020d}{_version(self.suite)}.json"


class DayResult(NamedTuple):
    """A gaming day's result; a day that is checked again gets the next version."""

    day: str
    version: int

    @property
    def file(self) -> str:
        return f"{self.day}{_version(self.version)}.json"


def _version(number: int) -> str:
    return "" if number == 1 else f".{number}"


def segment_results(names: Iterable[str]) -> list[SegmentResult]:
    """The segments' results among the names of a folder, in order."""
    found = map(_RESULT.match, names)
    return sorted(SegmentResult(int(m[1]), int(m[2]), int(m[3] or 1)) for m in found if m is not None)


def day_results(names: Iterable[str]) -> list[DayResult]:
    """The days' results among the names of a folder, in order."""
    found = map(_DAY.match, names)
    return sorted(DayResult(m[1], int(m[2] or 1)) for m in found if m is not None)


def standing(results: Iterable[SegmentResult]) -> set[SegmentResult]:
    """The results that count: for every record the one by the newest suites.

    Segments are merged by compaction, so a result may be of a segment that is no longer there; it counts until a newer
    or a bigger one has all its records.
    """
    counted: set[SegmentResult] = set()
    covered: list[tuple[int, int]] = []
    for result in sorted(results, key=lambda one: (-one.suite, one.first - one.last, one.first)):
        if not _within(result, covered):
            counted.add(result)
            covered = _joined([*covered, (result.first, result.last)])
    return counted


def covers(results: Iterable[SegmentResult], first: int, last: int) -> bool:
    """Whether these results together have all the records from `first` to `last`."""
    return _within(SegmentResult(first, last, 0), _joined([(one.first, one.last) for one in results]))


def _within(result: SegmentResult, covered: list[tuple[int, int]]) -> bool:
    return any(first <= result.first and result.last <= last for first, last in covered)


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    made: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if made and first <= made[-1][1] + 1:
            made[-1] = (made[-1][0], max(made[-1][1], last))
        else:
            made.append((first, last))
    return made


FAILURES_SCHEMA = pa.schema(
    [
        ("finding_id", pa.string()),
        ("code", pa.string()),
        ("severity", pa.string()),
        ("check", pa.string()),
        ("table_id", pa.string()),
        ("round_id", pa.string()),
        ("device", pa.string()),
        ("gaming_day", pa.string()),
        ("value", pa.float64()),
        ("limit", pa.float64()),
        ("expected_cents", pa.int64()),
        ("actual_cents", pa.int64()),
        ("sentence", pa.string()),
        ("citation", pa.string()),
        ("at_us", pa.int64()),
        ("seq", pa.int64()),
        ("marks", pa.list_(pa.list_(pa.int64()))),  # stretches of the table's seq that rest on what failed
    ]
)
"""What a result says of each row that failed."""

CHECKS_SCHEMA = pa.schema(
    [
        ("border", pa.string()),  # segment or day
        ("partition", pa.int64()),  # of a segment's
        ("first_offset", pa.int64()),
        ("last_offset", pa.int64()),
        ("gaming_day", pa.string()),  # of a day's
        ("suite", pa.int64()),
        ("check", pa.string()),
        ("code", pa.string()),
        ("judged", pa.int64()),
        ("failed", pa.int64()),
    ]
)
"""What a result says of each of its expectations."""

PLACES_SCHEMA = pa.schema(
    [
        ("border", pa.string()),
        ("gaming_day", pa.string()),
        ("table_id", pa.string()),
        ("device", pa.string()),
        ("judged", pa.int64()),
        ("failed", pa.int64()),
    ]
)
"""What a result says of each table and device it held an expectation against."""
