"""The worker: takes one partition of the log through the gate and the replay into the lake, each record once.

It is handed the replay as an object and never imports it. Its position lives in the lake: a worker starts behind the
last committed segment with the state kept in it, so whatever happens in between is only ever repeated.

One segment, step by step:

1. read records from the log, behind the last committed one; the log is only ever read;
2. judge each in the gate; feed what it admits to the replay, in order of seq within a table;
3. at the cut, close the replay's books: the rounds, its findings and its state as they are after the last record;
4. commit events, rounds, findings and both states to the lake, as one segment (numbered steps in ingest/lake.py);
5. go on with the next record.

Where a segment is cut depends on the records alone: after `segment_records` of them, or before a record whose log
timestamp lies in another span of `segment_span_us` than the segment's first, once it has 1,000. `drain` also cuts
at the end of the log as it stood when it was called.

What can go wrong, and what then:

- *Killed, or the power fails, at any of 1 to 4.* Nothing was committed. The next worker reads the same records from the
  same state and writes the same bytes.
- *Killed while the segment is written.* A `.writing-` folder stays behind; the next owner of the partition removes it.
- *Killed between 4 and 5.* The segment is there; the next worker goes on behind it.
- *The disk is full.* LakeError; the half-written folder is removed, the log and earlier segments are untouched, and the
  same worker, or another, may simply run again.
- *The log fails.* LogError; nothing of the open segment is committed; run again.
- *The replay raises.* Nothing of the open segment is committed and the error goes to the caller: a mistake in the
  replay must never become a hole in the record. Run again with it mended.
- *Two workers for one partition.* The second gets a LakeError that names the first one's process.
- *The last segment's state.json is damaged.* LakeError naming it; no work is done on top of it.
- *An event is missing near the end of the log.* `drain` declares the gap (GATE-003) when the log has nothing more;
  should the event come after all, it is admitted LATE. `follow` goes on waiting.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event as StopEvent
from types import TracebackType
from typing import Any, NamedTuple, Protocol

import pyarrow as pa
from nacl.signing import VerifyKey

from ingest.gate import Gate
from ingest.lake import Lake, LakeError, SegmentContent, events_table, round_rows_of
from ingest.log import EventLog, LogRecord
from schemas.admitted import Admitted, History, ReplayCut
from schemas.findings import findings_table

SEGMENT_RECORDS = 50_000
SEGMENT_SPAN_US = 5_000_000
SPAN_CUT_RECORDS = 1_000  # a quiet partition is not cut into crumbs
READ_RECORDS = 2_000
STATE_FORMAT = 1

ProgressCallback = Callable[[int, int, int], None]
"""`progress(records_done, records_total, rounds)`, since the call of drain or follow began."""


class Replay(Protocol):
    """What the worker asks of the replay. A pure function of what it is fed: same events, same answers."""

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from the state of an earlier cut; {} at the very start. Called once, before anything is fed."""
        ...

    def feed(self, admitted: Admitted, /) -> None:
        """Take the next event: in order of seq within its table, LATE ones apart."""
        ...

    def cut(self, history: History) -> ReplayCut:
        """The segment ends here."""
        ...


class Processed(NamedTuple):
    """What a call of drain or follow did."""

    records: int
    segments: int
    rounds: int
    findings: int
    held: int  # events still waiting for missing ones


class Worker:
    """Owns one partition from its making until `close`; use it as a context manager."""

    def __init__(
        self,
        log: EventLog,
        lake: Lake,
        topic: str,
        partition: int,
        keys: Callable[[str], VerifyKey | None],
        replay_factory: Callable[[], Replay],
        segment_records: int | None = None,
        segment_span_us: int | None = None,
        progress: ProgressCallback | None = None,
        read_records: int = READ_RECORDS,
    ) -> None:
        """`segment_records` and `segment_span_us` are settled when a lake is first used: leave them out afterwards."""
        for name, value in (("segment_records", segment_records), ("segment_span_us", segment_span_us)):
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, not {value}")
        self._log = log
        self._lake = lake
        self._topic = topic
        self._partition = partition
        self._keys = keys
        self._replay_factory = replay_factory
        self._progress = progress
        self._read_records = read_records
        self._position = 0  # the next record's offset
        self._in_segment = 0  # how many records before it are not committed yet
        self._span = 0  # the span of time the open segment began in
        self._pieces: list[pa.Table] = []  # the open segment's events so far
        self._started = 0
        self._segments = self._rounds = self._findings = 0
        self._broken_off = False
        log.high_water_mark(topic, partition)  # a partition that does not exist is an error before anything is made
        lake.own(topic, partition)
        try:
            settings = lake.settle(
                topic,
                partition,
                {"segment_records": segment_records, "segment_span_us": segment_span_us},
                {"segment_records": SEGMENT_RECORDS, "segment_span_us": SEGMENT_SPAN_US},
            )
            self._segment_records = settings["segment_records"]
            self._segment_span_us = settings["segment_span_us"]
            self._restore()
        except BaseException:
            lake.release(topic, partition)
            raise

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the partition up. What was not committed will be done again by the next worker."""
        self._lake.release(self._topic, self._partition)

    def drain(self) -> Processed:
        """Process to the end of the log as it is now, and commit all of it, the last segment however short."""
        self._begin()
        target = self._log.high_water_mark(self._topic, self._partition)
        with _collector_paused():
            self._drain_to(target)
        return self._end()

    def _drain_to(self, target: int) -> None:
        while self._position < target:
            # The last record's cut is left to the end of the drain, which may have a gap to declare first.
            self._take(self._read(min(self._read_records, target - self._position)), uncut=target - 1)
            self._report(target)
        if self._in_segment:
            if self._log.high_water_mark(self._topic, self._partition) == target:
                for admitted in self._gate.finish():
                    self._replay.feed(admitted)
            self._commit(self._in_segment)
            self._in_segment = 0
            self._report(target)

    def follow(self, stop: StopEvent, poll_seconds: float = 0.5) -> Processed:
        """Go on as records come until `stop` is set. Cuts by the records only: the open segment at the end is left."""
        self._begin()
        while not stop.is_set():
            records = self._read(self._read_records)
            self._take(records)
            if records:
                self._report(self._log.high_water_mark(self._topic, self._partition))
            else:
                stop.wait(poll_seconds)
        return self._end()

    # --- one record ---------------------------------------------------------------------------------------------------

    def _read(self, limit: int) -> list[LogRecord]:
        records = self._log.read(self._topic, self._partition, self._position, limit)
        if records and records[0].offset != self._position:
            raise LakeError(
                f"{self._topic}/{self._partition}: the lake goes on at offset {self._position}, but the log's next "
                f"record is {records[0].offset}: this is another log than the lake's, or records were removed from it"
            )
        return records

    def _take(self, records: list[LogRecord], uncut: int | None = None) -> None:
        """Judge and replay these records, committing wherever they end a segment, but not after the record `uncut`."""
        span_us, most = self._segment_span_us, self._segment_records
        admit, feed = self._gate.admit, self._replay.feed
        taken = self._in_segment
        for record in records:
            if taken >= SPAN_CUT_RECORDS and record.timestamp_us // span_us != self._span:
                self._commit(taken)
                taken = 0
            if taken == 0:
                self._span = record.timestamp_us // span_us
            for admitted in admit(record):
                feed(admitted)
            taken += 1
            if taken >= most and record.offset != uncut:
                self._commit(taken)
                taken = 0
        self._in_segment = taken
        if records:
            self._position = records[-1].offset + 1
            self._pieces.append(events_table(self._gate.take_rows()))

    # --- one segment --------------------------------------------------------------------------------------------------

    def _commit(self, records: int) -> None:
        """End the segment of the so many records taken since the last one."""
        # Rows become columns a few thousand at a time, while the processor still has them at hand (a quarter of a
        # drain's time, measured). In one piece again, so that how the log was read does not show in the files.
        events = pa.concat_tables([*self._pieces, events_table(self._gate.take_rows())]).combine_chunks()
        self._pieces = []
        assert events.num_rows == records, "the gate owes one row for each record"
        first, last = events["offset"][0].as_py(), events["offset"][-1].as_py()
        cut = self._replay.cut(self._history(first, events))
        findings = self._gate.take_findings() + cut.findings
        self._lake.commit(
            self._topic,
            self._partition,
            SegmentContent(
                first=first,
                last=last,
                events=events,
                rounds=cut.rounds,
                findings=findings_table(findings),
                state={"format": STATE_FORMAT, "gate": self._gate.state(), "replay": cut.state},
                top_seqs=self._gate.top_seqs(),
            ),
        )
        self._segments += 1
        self._rounds += cut.rounds.num_rows
        self._findings += len(findings)
        if not gc.isenabled():
            gc.collect(0)

    def _history(self, first: int, events: pa.Table) -> History:
        """The replay's way back to rounds it has closed: earlier segments, and `events` of the one being cut."""

        def history(table_id: str, round_id: str) -> list[bytes]:
            here = round_rows_of(events, table_id, round_id)
            near_seq = here[0][0] if here else None
            earlier = self._lake.round_rows(self._topic, self._partition, table_id, round_id, first, near_seq)
            held = self._gate.held_seqs(table_id)
            return [raw for seq, raw in sorted(earlier + here) if seq not in held]

        return history

    def _restore(self) -> None:
        """Stand behind the last committed segment, with the state it left."""
        last = self._lake.last(self._topic, self._partition)
        state: dict[str, Any] = {} if last is None else self._lake.state(last)
        if last is not None and state.get("format") != STATE_FORMAT:
            raise LakeError(
                f"{last.path / 'state.json'} has format {state.get('format')!r}, and this version reads "
                f"{STATE_FORMAT}; use the Muckraker that wrote it"
            )
        self._gate = Gate(self._keys)
        self._gate.restore(state.get("gate", {}))
        self._replay = self._replay_factory()
        self._replay.restore(state.get("replay", {}))
        self._position = 0 if last is None else last.last + 1
        self._in_segment = 0
        self._pieces = []

    def _begin(self) -> None:
        if self._in_segment or self._broken_off:  # what was in memory is not in the lake: do it again from there
            self._restore()
        end = self._log.high_water_mark(self._topic, self._partition)
        if end < self._position:
            raise LakeError(
                f"{self._topic}/{self._partition}: the lake has the records up to {self._position - 1}, but the log "
                f"ends at {end - 1}: this is another log than the lake's; give the lake's own, or begin a new lake"
            )
        self._broken_off = True  # until `_end` is reached
        self._started = self._position
        self._segments = self._rounds = self._findings = 0

    def _end(self) -> Processed:
        self._broken_off = False
        records = self._position - self._in_segment - self._started
        return Processed(records, self._segments, self._rounds, self._findings, self._gate.held_count())

    def _report(self, end: int) -> None:
        if self._progress is not None:
            self._progress(self._position - self._started, end - self._started, self._rounds)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Events and rows make no cycles; measured, the collector's walks over them cost a fifth of a drain's time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
