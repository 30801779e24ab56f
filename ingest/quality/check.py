"""Check what is not checked yet: each segment once, each gaming day once it is over.

Segments of a partition go in order, as each result goes on from what the one before it carried. Measuring takes a
segment at a time; judging takes many at once, because Great Expectations takes as long for ten rows as for a thousand.
A result is written when it is complete, so a killed check is simply run again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import duckdb

from ingest.lake import Lake, Segment
from ingest.quality.carried import Tables, state_of, tables_from
from ingest.quality.day_frames import measure_day
from ingest.quality.days import begins_us, deadline_us
from ingest.quality.dealers import at_two_tables
from ingest.quality.failures import Going, day_of, failure_of, finding_of, segment_failures
from ingest.quality.judge import Judge, UnknownDay
from ingest.quality.limits import DAY_US, DAYS_REMEMBERED, SUITE_VERSION
from ingest.quality.meters import of_one_table
from ingest.quality.places import judged, places_of
from ingest.quality.results import FORMAT, Document, Results, made_from
from ingest.quality.segment_frames import Measured, measure
from ingest.quality.source import Row, connect
from ingest.quality.suites import BY_NAME, Border, frames_of
from schemas.findings import Finding
from schemas.quality import DayResult, SegmentResult, covers
from schemas.segments import RETIRED

BATCH_SEGMENTS = 32
BATCH_DAYS = 32

Outcome = dict[str, tuple[int, list[int]]]
"""By check: how many rows were judged, and the positions of those that failed."""

Progress = Callable[[int, int, str], None]
"""`progress(done, total, what)`: segments and days."""
Tell = Callable[[list[Finding]], None]
"""Told what was found before the result that says so is written, so never too little; after a crash perhaps again."""


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
        border_hour = results.settle(day_border_hour)
        return _Checking(results, border_hour, progress, tell).run(days, wait_for_border)


@dataclass
class _Carried:
    """What is known behind a segment."""

    tables: Tables
    going: Going
    spans: dict[str, list[int]]  # of the last gaming days: first and last offset of the segments that hold them
    clock_us: int
    digest: str | None  # of the result it comes from

    def document(self) -> Document:
        return {"clock_us": self.clock_us, "going": self.going, "spans": self.spans, "tables": state_of(self.tables)}


@dataclass(frozen=True)
class _Day:
    """A gaming day on its way to its result."""

    name: DayResult
    held: list[list[int]]  # partition, first and last record of the segments that hold the day
    made_from: list[Document]
    frames: dict[str, list[Row]]


class _Checking:
    """One call of `check_quality`."""

    def __init__(self, results: Results, border_hour: int, progress: Progress | None, tell: Tell | None) -> None:
        self._results = results
        self._lake = results.lake
        self._topic = results.topic
        self._border_hour = border_hour
        self._progress = progress
        self._tell = tell
        self._judge = Judge()
        self._con: duckdb.DuckDBPyConnection | None = None
        self._report = QualityReport()
        self._done = self._total = 0

    def run(self, days: Sequence[str], wait_for_border: bool) -> QualityReport:
        partitions = self._lake.partitions(self._topic)
        there = {partition: self._with_events(partition) for partition in partitions}
        unchecked = {}
        for partition, segments in there.items():
            checked = self._checked(partition)
            unchecked[partition] = [one for one in segments if not covers(checked, one.first, one.last)]
        self._total = sum(map(len, unchecked.values()))
        try:
            spans: dict[int, dict[str, list[int]]] = {}
            for partition, segments in there.items():
                if segments:
                    spans[partition] = self._segments(partition, segments, unchecked[partition])
            self._days(there, spans, days, wait_for_border)
        finally:
            if self._con is not None:
                self._con.close()
        return self._report

    def _with_events(self, partition: int) -> list[Segment]:
        """The segments that can be checked: not those whose events were retired (ingest/retention.py)."""
        found = self._lake.segments(self._topic, partition)
        return [segment for segment in found if not (segment.path / RETIRED).exists()]

    def _checked(self, partition: int) -> list[SegmentResult]:
        return [name for name in self._results.checked(partition) if name.suite == SUITE_VERSION]

    @property
    def _database(self) -> duckdb.DuckDBPyConnection:
        if self._con is None:
            self._con = connect()
        return self._con

    def _step(self, what: str) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total, what)

    # --- segments -----------------------------------------------------------------------------------------------------

    def _segments(self, partition: int, segments: list[Segment], unchecked: list[Segment]) -> dict[str, list[int]]:
        """Check the partition's segments that are not; where each of its gaming days lies."""
        waiting = {segment.first for segment in unchecked}
        spans: dict[str, list[int]] = {}
        before: _Carried | None = None
        batch: list[Segment] = []
        for position, segment in enumerate(segments):
            if segment.first not in waiting:
                before = None
                continue
            batch.append(segment)
            following = segments[position + 1].first if position + 1 < len(segments) else None
            if len(batch) < BATCH_SEGMENTS and following in waiting:
                continue
            if before is None:
                before = self._carried_before(partition, batch[0])
            before = self._check_batch(partition, batch, before)
            _merge(spans, before.spans)
            batch = []
        if before is None:
            before = self._carried_behind(partition, segments[-1])
        _merge(spans, before.spans)
        return spans

    def _carried_before(self, partition: int, segment: Segment) -> _Carried:
        """What was known ahead of a segment: nothing, at the start of the record."""
        return self._carried_at(partition, segment.first - 1) or _Carried({}, {}, {}, 0, None)

    def _carried_behind(self, partition: int, segment: Segment) -> _Carried:
        carried = self._carried_at(partition, segment.last)
        assert carried is not None, "every segment was checked before its days are"
        return carried

    def _carried_at(self, partition: int, offset: int) -> _Carried | None:
        """What is known behind a record that ends a result: segments are merged, but never cut anew."""
        ending = [name for name in self._checked(partition) if name.last == offset]
        return self._read(partition, ending[-1]) if ending else None

    def _read(self, partition: int, name: SegmentResult) -> _Carried:
        digest = self._results.read_segment(partition, name)["digest"]
        said = self._results.read_carried(partition, name)
        return _Carried(tables_from(said["tables"]), said["going"], said["spans"], said["clock_us"], digest)

    def _check_batch(self, partition: int, batch: list[Segment], before: _Carried) -> _Carried:
        """Measure each, judge all, write each."""
        tables = before.tables
        measured: list[tuple[Measured, Tables]] = []
        for segment in batch:
            measured.append(
                (measure(self._database, segment, tables, self._border_hour), tables_from(state_of(tables)))
            )
            self._step(f"partition {partition}")
        found = self._judge_all("segment", [one.frames for one, _ in measured])
        carried = before
        for segment, (one, after), outcome in zip(batch, measured, found, strict=True):
            carried = self._write(partition, segment, one, after, outcome, carried)
        return carried

    def _judge_all(self, border: Border, measured: Sequence[dict[str, list[Row]]]) -> list[Outcome]:
        """Each segment or day by itself, all of them in one go."""
        found: list[Outcome] = [{} for _ in measured]
        for frame, checks in frames_of(border).items():
            parts = [frames[frame] for frames in measured]
            failed = self._judge.failed(frame, checks, [row for part in parts for row in part])
            for name, positions in failed.items():
                start = 0
                for outcome, part in zip(found, parts, strict=True):
                    here = [at - start for at in positions if start <= at < start + len(part)]
                    outcome[name] = (judged(BY_NAME[name], part), here)
                    start += len(part)
        return found

    def _write(
        self,
        partition: int,
        segment: Segment,
        one: Measured,
        after: Tables,
        outcome: Outcome,
        before: _Carried,
    ) -> _Carried:
        going: Going = dict(before.going)
        failures = [
            failure
            for frame, checks in frames_of("segment").items()
            for check in checks
            for failure in segment_failures(check, one.frames[frame], outcome[check.name][1], going, after)
        ]
        spans = {day: list(span) for day, span in before.spans.items()}
        _merge(spans, {day: [segment.first, segment.last] for day in one.days})
        spans = dict(sorted(spans.items())[-DAYS_REMEMBERED:])
        carried = _Carried(after, going, spans, one.clock_us or before.clock_us, None)
        document: Document = {
            "border": "segment",
            "checks": _counts("segment", outcome),
            "day_border_hour": self._border_hour,
            "days": one.days,
            "failures": failures,
            "first_offset": segment.first,
            "format": FORMAT,
            "last_offset": segment.last,
            "made_from": [made_from(partition, [segment])],
            "partition": partition,
            "places": places_of(
                frames_of("segment"),
                one.frames,
                {name: positions for name, (_, positions) in outcome.items()},
                lambda row: day_of(after, row),
            ),
            "previous": before.digest,
            "suite": SUITE_VERSION,
            "topic": self._topic,
        }
        name = SegmentResult(segment.first, segment.last, SUITE_VERSION)
        self._tell_of(failures, {began["finding_id"] for began in before.going.values()})
        carried.digest = self._results.write_segment(partition, name, document, carried.document())
        self._report.segments += 1
        self._report.failures += len(failures)
        return carried

    def _tell_of(self, failures: list[Document], known: set[str]) -> None:
        new = [finding_of(failure) for failure in failures if failure["finding_id"] not in known]
        if self._tell is not None and new:
            self._tell(new)

    # --- days ---------------------------------------------------------------------------------------------------------

    def _days(
        self,
        there: dict[int, list[Segment]],
        spans: dict[int, dict[str, list[int]]],
        wanted: Sequence[str],
        wait_for_border: bool,
    ) -> None:
        ends = {partition: self._carried_behind(partition, there[partition][-1]) for partition in spans}
        known = sorted({day for days in spans.values() for day in days})
        for day in wanted:
            if day not in known:
                self._look_far_back(day, there, spans)
        over: list[str] = []
        for day in sorted({*known, *wanted}):
            late = self._open_tables(day, spans, ends, wait_for_border)
            if day in wanted or not late:
                over.append(day)
            else:
                self._report.waiting[day] = late
        self._total += len(over)
        batch: list[_Day] = []
        for day in over:
            measured = self._measure_day(day, there, spans, ends)
            batch += [] if measured is None else [measured]
            if len(batch) == BATCH_DAYS or day == over[-1]:
                for one, outcome in zip(batch, self._judge_all("day", [one.frames for one in batch]), strict=True):
                    self._write_day(one, outcome)
                batch = []
            self._step(day)

    def _look_far_back(self, day: str, there: dict[int, list[Segment]], spans: dict[int, dict[str, list[int]]]) -> None:
        """A day so long ago that it is no longer carried: ask each result."""
        for partition, segments in there.items():
            for name in self._checked(partition) if segments else ():
                if day in self._results.read_segment(partition, name)["days"]:
                    _merge(spans[partition], {day: [name.first, name.last]})
        if not any(day in days for days in spans.values()):
            raise UnknownDay(f"nothing is recorded of the gaming day {day}; `muckraker quality` lists those there are")

    def _open_tables(
        self,
        day: str,
        spans: dict[int, dict[str, list[int]]],
        ends: dict[int, _Carried],
        wait_for_border: bool,
    ) -> list[str]:
        """Tables that may still have something to say about the day; none: it is over."""
        late: list[str] = []
        next_begins_us = begins_us(day, self._border_hour) + DAY_US
        for partition, days in spans.items():
            if day not in days:
                continue
            end = ends[partition]
            for table_id, table in end.tables.items():
                if table.days.day != day:
                    continue
                closed = table.days.declared and not table.days.is_open
                needed_us = next_begins_us if closed else deadline_us(day, self._border_hour)
                if not table.days.declared:
                    needed_us = next_begins_us
                if end.clock_us < needed_us and not (closed and not wait_for_border):
                    late.append(table_id)
        return sorted(late)

    def _measure_day(
        self,
        day: str,
        there: dict[int, list[Segment]],
        spans: dict[int, dict[str, list[int]]],
        ends: dict[int, _Carried],
    ) -> _Day | None:
        """None where it was checked as it is, or no longer can be."""
        holding = {
            partition: [
                segment
                for segment in there[partition]
                if days[day][0] <= segment.last and segment.first <= days[day][1]
            ]
            for partition, days in spans.items()
            if day in days
        }
        whole = all(
            covers([SegmentResult(one.first, one.last, 0) for one in holding[partition]], *spans[partition][day])
            for partition in holding
        )
        if not whole:
            return None  # events of it were retired (ingest/retention.py): what was found before stands
        held = [[partition, *days[day]] for partition, days in sorted(spans.items()) if day in days]
        newest = self._results.newest_day(day)
        if newest is not None:
            known = self._results.read_day(newest)
            if known["suite"] == SUITE_VERSION and known["held"] == held:
                return None
        frames: dict[str, list[Row]] = {frame: [] for frame in frames_of("day")}
        for partition, segments in holding.items():
            if not segments:
                continue
            before = self._carried_before(partition, segments[0]).tables
            after = self._carried_behind(partition, segments[-1]).tables
            clock_us = ends[partition].clock_us
            measured = measure_day(self._database, day, segments, before, after, clock_us, self._border_hour)
            for frame, rows in measured.items():
                frames[frame] += rows
        frames["meters"] = of_one_table(frames["meters"])
        frames["dealers"] = at_two_tables(frames["dealers"])
        sources = [made_from(partition, segments) for partition, segments in holding.items() if segments]
        return _Day(DayResult(day, 1 if newest is None else newest.version + 1), held, sources, frames)

    def _write_day(self, one: _Day, outcome: Outcome) -> None:
        day = one.name.day
        failures = [
            failure_of(check, one.frames[frame][position], day)
            for frame, checks in frames_of("day").items()
            for check in checks
            for position in outcome[check.name][1]
        ]
        self._tell_of(failures, set())
        self._results.write_day(
            one.name,
            {
                "border": "day",
                "checks": _counts("day", outcome),
                "day": day,
                "day_border_hour": self._border_hour,
                "failures": failures,
                "format": FORMAT,
                "held": one.held,
                "made_from": one.made_from,
                "places": places_of(
                    frames_of("day"),
                    one.frames,
                    {check: positions for check, (_, positions) in outcome.items()},
                    lambda _: day,
                ),
                "suite": SUITE_VERSION,
                "topic": self._topic,
                "version": one.name.version,
            },
        )
        self._report.days.append(day)
        self._report.failures += len(failures)


def _counts(border: Border, outcome: Outcome) -> Document:
    return {
        check.name: {"code": check.code, "failed": len(outcome[check.name][1]), "judged": outcome[check.name][0]}
        for checks in frames_of(border).values()
        for check in checks
    }


def _merge(spans: dict[str, list[int]], more: dict[str, list[int]]) -> None:
    for day, (first, last) in more.items():
        known = spans.setdefault(day, [first, last])
        spans[day] = [min(known[0], first), max(known[1], last)]
