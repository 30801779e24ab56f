"""Check what is not checked yet: each segment once, each gaming day once it is over.

Segments of a partition go in order, as each goes on from what the one before it carried. Measuring takes a segment at a
time; judging takes many at once, because Great Expectations takes as long for ten rows as for a thousand. A result is
written when it is complete, so a killed check is simply run again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce

import duckdb
import pyarrow as pa

from ingest.lake import Lake, Segment
from ingest.quality.days import begins_us, deadline_us
from ingest.quality.expectations import Border, frames_of
from ingest.quality.findings import (
    DayOf,
    Failure,
    Frames,
    Going,
    counts_of,
    failures_of,
    finding_of,
    groups_of,
    places_of,
)
from ingest.quality.frames import NOTHING, Carried, Measured, measure, measure_day
from ingest.quality.judge import Judge, UnknownDay
from ingest.quality.limits import DAY_US, DAYS_REMEMBERED, SUITE_VERSION
from ingest.quality.results import FORMAT, Document, Results, made_from
from ingest.quality.source import connect
from schemas.findings import Finding
from schemas.quality import DayResult, SegmentResult, covers
from schemas.segments import RETIRED

BATCH = 32  # segments or days judged in one go
BATCH_ROWS = 200_000

Spans = dict[str, list[int]]
"""Of gaming days the first and last offset of the segments that hold them."""
Failed = dict[str, list[int]]
"""By check the positions of the rows that failed."""
Progress = Callable[[int, int, str], None]
"""`progress(done, total, what)`: segments and days."""
Tell = Callable[[list[Finding]], None]
"""Called with what was found before the result that says so is written: never too little; after a crash, again."""


@dataclass
class QualityReport:
    """What a call of `check_quality` did."""

    segments: int = 0
    days: list[str] = field(default_factory=list)
    failures: int = 0
    waiting: dict[str, list[str]] = field(default_factory=dict)  # days that are not over: tables that have not closed


def check_quality(
    lake: Lake,
    topic: str,
    *,
    days: Sequence[str] = (),
    wait_for_border: bool = False,
    day_border_hour: int | None = None,
    progress: Progress | None = None,
    tell: Tell | None = None,
) -> QualityReport:
    """Check every segment and every gaming day of a topic that has no result yet.

    A day is checked when all tables that opened for it have closed, or its deadline has passed by the clock of the
    partition's own events; with `wait_for_border` not before the border either (for a check that runs beside a live
    worker). `days` are checked in any case, over or not. A QualityBusy says that another process is at it.
    """
    if not lake.partitions(topic):
        return QualityReport()
    results = Results(lake, topic)
    with results.owned():
        checking = _Checking(results, results.settle(day_border_hour), progress, tell)
        return checking.run(days, wait_for_border)


@dataclass(frozen=True)
class _End:
    """Behind a segment: what its result carried on."""

    carried: Carried = NOTHING
    going: Going = field(default_factory=dict)
    spans: Spans = field(default_factory=dict)
    clock_us: int = 0
    digest: str | None = None  # of the result it comes from


class _Checking:
    """One call of `check_quality`."""

    def __init__(self, results: Results, border_hour: int, progress: Progress | None, tell: Tell | None) -> None:
        self._results = results
        self._lake, self._topic = results.lake, results.topic
        self._border_hour = border_hour
        self._progress = progress
        self._tell = tell
        self._judge = Judge()
        self._report = QualityReport()
        self._done = self._total = 0

    @cached_property
    def _database(self) -> duckdb.DuckDBPyConnection:
        return connect()

    def run(self, days: Sequence[str], wait_for_border: bool) -> QualityReport:
        there = {partition: self._with_events(partition) for partition in self._lake.partitions(self._topic)}
        there = {partition: segments for partition, segments in there.items() if segments}
        unchecked: dict[int, list[Segment]] = {}
        for partition, segments in there.items():
            checked = self._checked(partition)
            unchecked[partition] = [one for one in segments if not covers(checked, one.first, one.last)]
        self._total = sum(map(len, unchecked.values()))
        spans: dict[int, Spans] = {}
        ends: dict[int, _End] = {}
        for partition, segments in there.items():
            spans[partition] = {}
            for end in self._check_segments(partition, unchecked[partition]):
                _merge(spans[partition], end.spans)
            ends[partition] = self._end_at(partition, segments[-1].last)
            _merge(spans[partition], ends[partition].spans)
        self._check_days(there, spans, ends, days, wait_for_border)
        return self._report

    def _with_events(self, partition: int) -> list[Segment]:
        """The segments that can be checked: not those whose events were retired (ingest/retention.py)."""
        found = self._lake.segments(self._topic, partition)
        return [segment for segment in found if not (segment.path / RETIRED).exists()]

    def _checked(self, partition: int) -> list[SegmentResult]:
        return [name for name in self._results.checked(partition) if name.suite == SUITE_VERSION]

    def _end_at(self, partition: int, offset: int) -> _End:
        """What is known behind a record that ends a result (segments are merged, but never cut anew); nothing at the
        start of the record."""
        ending = [name for name in self._checked(partition) if name.last == offset]
        if not ending:
            return _End()
        said = self._results.read_carried(partition, ending[-1])
        digest = self._results.read_segment(partition, ending[-1])["digest"]
        return _End(Carried.read(said["tables"]), said["going"], said["spans"], said["clock_us"], digest)

    def _step(self, what: str) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total, what)

    def _judged(self, border: Border, measured: Sequence[Frames]) -> Iterator[Failed]:
        """What failed in each of many segments or days, judged in one go."""
        found: list[Failed] = [{} for _ in measured]
        for frame, checks in frames_of(border).items():
            parts = [frames[frame] for frames in measured]
            for name, positions in self._judge.failed(frame, checks, pa.concat_tables(parts)).items():
                start = 0
                for failed, part in zip(found, parts, strict=True):
                    failed[name] = [at - start for at in positions if start <= at < start + part.num_rows]
                    start += part.num_rows
        return iter(found)

    def _document(self, border: Border, frames: Frames, failed: Failed, day_of: DayOf, going: Going) -> Document:
        """What a segment's and a day's result have in common; `going` is brought up to the segment's end."""
        groups = groups_of(border, frames, failed)
        return {
            "border": border,
            "checks": counts_of(border, groups),
            "day_border_hour": self._border_hour,
            "failures": failures_of(groups, day_of, going),
            "format": FORMAT,
            "places": places_of(groups, day_of),
            "suite": SUITE_VERSION,
            "topic": self._topic,
        }

    def _tell_of(self, failures: Sequence[Failure], known: set[str]) -> None:
        new = [finding_of(failure) for failure in failures if failure["finding_id"] not in known]
        if self._tell is not None and new:
            self._tell(new)
        self._report.failures += len(failures)

    # --- segments -----------------------------------------------------------------------------------------------------

    def _check_segments(self, partition: int, unchecked: Sequence[Segment]) -> Iterator[_End]:
        """Check these segments, and say what is known behind each."""
        batch: list[tuple[Segment, Measured]] = []
        end = _End()
        at: int | None = None
        for position, segment in enumerate(unchecked):
            if at != segment.first - 1:
                end = self._end_at(partition, segment.first - 1)
            before = batch[-1][1].after if batch else end.carried
            batch.append((segment, measure(self._database, segment, before, self._border_hour)))
            self._step(f"partition {partition}")
            at = segment.last
            goes_on = [one.first for one in unchecked[position + 1 : position + 2]] == [at + 1]
            if not goes_on or _is_full([one.frames for _, one in batch]):
                for (held, one), failed in zip(
                    batch, self._judged("segment", [m.frames for _, m in batch]), strict=True
                ):
                    end = self._write_segment(partition, held, one, failed, end)
                    yield end
                batch = []

    def _write_segment(self, partition: int, segment: Segment, one: Measured, failed: Failed, before: _End) -> _End:
        days = one.after.days
        going = dict(before.going)

        def day_of(table_id: str, seq: int) -> str | None:
            return days[table_id].day_at(seq) if table_id in days else None

        said = self._document("segment", one.frames, failed, day_of, going)
        spans = _merge(dict(before.spans), {day: [segment.first, segment.last] for day in one.days})
        spans = dict(sorted(spans.items())[-DAYS_REMEMBERED:])
        clock_us = one.clock_us or before.clock_us
        carried = {"clock_us": clock_us, "going": going, "spans": spans, "tables": one.after.document()}
        document = {
            **said,
            "days": one.days,
            "first_offset": segment.first,
            "last_offset": segment.last,
            "made_from": [made_from(partition, [segment])],
            "partition": partition,
            "previous": before.digest,
        }
        self._tell_of(said["failures"], {began["finding_id"] for began in before.going.values()})
        name = SegmentResult(segment.first, segment.last, SUITE_VERSION)
        digest = self._results.write_segment(partition, name, document, carried)
        self._report.segments += 1
        return _End(one.after, going, spans, clock_us, digest)

    # --- days ---------------------------------------------------------------------------------------------------------

    def _check_days(
        self,
        there: dict[int, list[Segment]],
        spans: dict[int, Spans],
        ends: dict[int, _End],
        wanted: Sequence[str],
        wait_for_border: bool,
    ) -> None:
        known = {day for days in spans.values() for day in days}
        for day in wanted:
            if day not in known:
                self._look_far_back(day, spans)
        over: list[str] = []
        for day in sorted({*known, *wanted}):
            late = self._open_tables(day, spans, ends, wait_for_border)
            if late and day not in wanted:
                self._report.waiting[day] = late
            else:
                over.append(day)
        self._total += len(over)
        batch: list[_Day] = []
        for day in over:
            batch += self._measured_day(day, there, spans, ends)
            if batch and (day == over[-1] or _is_full([one.frames for one in batch])):
                for one, failed in zip(batch, self._judged("day", [one.frames for one in batch]), strict=True):
                    self._write_day(one, failed)
                batch = []
            self._step(day)

    def _look_far_back(self, day: str, spans: dict[int, Spans]) -> None:
        """A day so long ago that it is no longer carried: ask each result."""
        for partition, days in spans.items():
            for name in self._checked(partition):
                if day in self._results.read_segment(partition, name)["days"]:
                    _merge(days, {day: [name.first, name.last]})
        if not any(day in days for days in spans.values()):
            raise UnknownDay(f"nothing is recorded of the gaming day {day}; `muckraker quality` lists those there are")

    def _open_tables(
        self, day: str, spans: dict[int, Spans], ends: dict[int, _End], wait_for_border: bool
    ) -> list[str]:
        """Tables that may still have something to say about the day; none: it is over."""
        late: list[str] = []
        next_begins_us = begins_us(day, self._border_hour) + DAY_US
        for end in (ends[partition] for partition, days in spans.items() if day in days):
            for table_id, days in end.carried.days.items():
                closed = days.declared and not days.is_open
                waits = days.declared and days.is_open
                needed_us = deadline_us(day, self._border_hour) if waits else next_begins_us
                if days.day == day and end.clock_us < needed_us and not (closed and not wait_for_border):
                    late.append(table_id)
        return sorted(late)

    def _measured_day(
        self, day: str, there: dict[int, list[Segment]], spans: dict[int, Spans], ends: dict[int, _End]
    ) -> list[_Day]:
        """Nothing where it was checked as it is, or no longer can be."""
        held = [[partition, *days[day]] for partition, days in sorted(spans.items()) if day in days]
        holding = {
            partition: [one for one in there[partition] if first <= one.last and one.first <= last]
            for partition, first, last in held
        }
        for partition, first, last in held:
            if not covers([SegmentResult(one.first, one.last, 0) for one in holding[partition]], first, last):
                return []  # events of it were retired (ingest/retention.py): what was found before stands
        newest = self._results.newest_day(day)
        if newest is not None:
            known = self._results.read_day(newest)
            if known["suite"] == SUITE_VERSION and known["held"] == held:
                return []
        before = [self._end_at(partition, held[0].first - 1).carried for partition, held in holding.items()]
        after = [self._end_at(partition, held[-1].last).carried for partition, held in holding.items()]
        deadline = deadline_us(day, self._border_hour)
        overdue = {
            table_id: ends[partition].clock_us > deadline
            for partition, carried in zip(holding, after, strict=True)
            for table_id in carried.days
        }
        frames = measure_day(
            self._database,
            day,
            [segment for segments in holding.values() for segment in segments],
            reduce(Carried.and_of, before),
            reduce(Carried.and_of, after),
            overdue,
            self._border_hour,
        )
        sources = [made_from(partition, segments) for partition, segments in holding.items()]
        return [_Day(DayResult(day, 1 if newest is None else newest.version + 1), held, sources, frames)]

    def _write_day(self, one: _Day, failed: Failed) -> None:
        day = one.name.day
        said = self._document("day", one.frames, failed, lambda *_: day, {})
        self._tell_of(said["failures"], set())
        own = {"day": day, "held": one.held, "made_from": one.made_from, "version": one.name.version}
        self._results.write_day(one.name, {**said, **own})
        self._report.days.append(day)


@dataclass(frozen=True)
class _Day:
    """A gaming day on its way to its result."""

    name: DayResult
    held: list[list[int]]  # partition, first and last record of the segments that hold the day
    made_from: list[Document]
    frames: dict[str, pa.Table]


def _is_full(batch: Sequence[Frames]) -> bool:
    rows = sum(frame.num_rows for frames in batch for frame in frames.values())
    return len(batch) >= BATCH or rows >= BATCH_ROWS


def _merge(spans: Spans, more: Spans) -> Spans:
    for day, (first, last) in more.items():
        known = spans.get(day, [first, last])
        spans[day] = [min(known[0], first), max(known[1], last)]
    return spans
