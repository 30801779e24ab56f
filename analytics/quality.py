"""Results of the data-quality checks as tables: what was expected, what failed, and which stretches of a table's record
rest on what failed.

They come from the JSON files beside the segments (schemas/quality.py says which count). Knows nothing of the checks
themselves, nor of how they are made.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from schemas.quality import (
    CHECKS_SCHEMA,
    DAYS,
    FAILURES_SCHEMA,
    FOLDER,
    PLACES_SCHEMA,
    day_results,
    segment_results,
    standing,
)

Document = dict[str, Any]

STEPS_SCHEMA = pa.schema(
    [
        ("table_id", pa.string()),
        ("from_seq", pa.int64()),
        ("known", pa.list_(pa.struct([("code", pa.string()), ("last_seq", pa.int64())]))),
    ]
)
"""From this event of the table on, until the next row: for each code how far its last stretch so far reaches.

A round whose last event is in the row rests on failed data of the codes whose stretch reaches its first event. So one
look at one row (an ASOF join) is enough, however many stretches there are.
"""


class ResultUnreadable(Exception):
    """A result cannot be read; the message names the file and the way out."""


@dataclass(frozen=True)
class QualityTables:
    """Everything the results that count have to say."""

    checks: pa.Table
    places: pa.Table
    failures: pa.Table
    steps: pa.Table


def read_quality(lake: Path) -> QualityTables:
    checks: list[Document] = []
    places: list[Document] = []
    failures: list[Document] = []
    for result in _standing_results(lake):
        where = {name: result.get(name) for name in ("border", "partition", "first_offset", "last_offset", "suite")}
        where["gaming_day"] = result.get("day")
        checks += [{**where, "check": name, **said} for name, said in sorted(result["checks"].items())]
        places += [{"border": result["border"], **place} for place in result["places"]]
        failures += [one | {name: _as_float(one[name]) for name in ("value", "limit")} for one in result["failures"]]
    return QualityTables(
        pa.Table.from_pylist(checks, CHECKS_SCHEMA),
        pa.Table.from_pylist(places, PLACES_SCHEMA),
        pa.Table.from_pylist(failures, FAILURES_SCHEMA),
        pa.Table.from_pylist(steps_of(failures), STEPS_SCHEMA),
    )


def steps_of(failures: list[Document]) -> list[Document]:
    """The marks of all failures as STEPS_SCHEMA has them."""
    by_table: dict[str, list[tuple[int, int, str]]] = {}
    for failure in failures:
        stretches = by_table.setdefault(failure["table_id"], [])
        stretches += [(int(first), int(last), failure["code"]) for first, last in failure["marks"]]
    made: list[Document] = []
    for table_id, stretches in sorted(by_table.items()):
        reach: dict[str, int] = {}
        table_steps: dict[int, Document] = {}
        for first, last, code in sorted(stretches):
            reach[code] = max(last, reach.get(code, last))
            table_steps[first] = {
                "table_id": table_id,
                "from_seq": first,
                "known": [{"code": known, "last_seq": seq} for known, seq in sorted(reach.items())],
            }
        made += table_steps.values()
    return made


def _standing_results(lake: Path) -> Iterator[Document]:
    """Of every segment and gaming day the result that counts."""
    for topic in sorted(_listed(lake)):
        root = lake / topic / FOLDER
        for partition in sorted(name for name in _listed(root) if name.isdecimal()):
            names = standing(segment_results(_listed(root / partition)))
            yield from (_read(root / partition / name.file) for name in sorted(names))
        newest = {name.day: name for name in day_results(_listed(root / DAYS))}  # in order, so the last one stays
        yield from (_read(root / DAYS / newest[day].file) for day in sorted(newest))


def _as_float(value: int | float | None) -> float | None:
    """Arrow refuses whole numbers that no float is equal to, such as the microseconds until the year 9999."""
    return None if value is None else float(value)


def _listed(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _read(path: Path) -> Document:
    try:
        document = orjson.loads(path.read_bytes())
        if not {"border", "checks", "places", "failures"} <= set(document):
            raise ValueError("it is no result of a quality check")
    except (OSError, ValueError, TypeError) as error:
        raise ResultUnreadable(
            f"{path} cannot be read: {error}; remove it and type `muckraker quality`, which makes it again"
        ) from error
    return dict(document)
