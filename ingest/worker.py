"""The worker: takes one partition of the log through the gate and the replay into the lake, each record once.

It is handed the replay as an object and never imports it. Its position lives in the lake: a worker starts behind the
last committed segment with the state kept in it, so whatever happens in between is only ever repeated.

One segment, step by step:

1. read records from the log, behind the last committed one; the log is only ever read;
2. judge each in the gate; feed what it admits to the replay, in order of seq within a table; every so often have the
   replay judge the rounds that closed, so that whoever listens hears of them at once;
3. at the cut, close the replay's books: the rounds, its findings and its state as they are after the last record;
4. commit events, rounds and findings to the lake, as one segment (numbered steps in ingest/lake.py), and once a minute
   or every 50,000 records the gate's and the replay's state too: each table's is 35 KB, and a segment is a second's;
5. go on with the next record.

A worker that starts takes the newest state in the lake and the records behind it from there: gate and replay are pure,
so that makes the state the last segment left.

Where a segment is cut makes no difference to what is recorded: rounds, findings, the tree's leaves and every proof are
the same for any cuts. So segments are cut when somebody waits: `follow` cuts as soon as a verdict or a finding is there
(`ingest/pace.py` says how often at most), five seconds after a record that none rests on yet, after `segment_records`
in any case, and when it is told to stop. `drain` cuts after `segment_records` and at the end of the log.

What can go wrong, and what then:

- *Killed, or the power fails, at any of 1 to 4.* Nothing was committed. The next worker reads the same records from the
  same state and writes the same bytes.
- *Killed while the segment is written.* A `.writing-` folder stays behind; the next owner of the partition removes it.
- *Killed between 4 and 5.* The segment is there; the next worker goes on behind it.
- *The disk is full.* LakeError; the half-written folder is removed, the log and earlier segments are untouched, and the
  same worker, or another, may simply run again.
- *The log fails.* LogError; nothing of the open segment is committed; run again.
- *The replay raises.* A mistake in judging costs one round and never gets here (replay/containment.py). Whatever does
  (no memory, a lake that cannot be read) goes to the caller, and nothing of the open segment is committed.
- *Judging takes long.* The replay gives back control after a moment (`waiting`), and in between the log is read, other
  rounds are judged and a stop is obeyed; a segment is cut when all its rounds are judged.
- *Two workers for one partition.* The second gets a LakeError that names the first one's process.
- *The last segment's state.json is damaged.* LakeError naming it; no work is done on top of it.
- *The partition is given to another worker.* `cut`, then `close`; what could not be cut in time the other does again.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from types import TracebackType
from typing import Any, NamedTuple, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from ingest.gate.gate import Gate
from ingest.keys import Keys
from ingest.lake import Lake, LakeError, Segment, SegmentContent, events_table
from ingest.log import EventLog, LogRecord, Place
from ingest.pace import JUDGING_WAIT_S, RECORDS_WAIT_S, Pace
from ingest.right_log import check_log
from ingest.round_history import RoundHistory
from schemas.admitted import Admitted, Concluded, History, ReplayCut
from schemas.events import RoundClosed, event_type
from schemas.findings import Finding, findings_table

SEGMENT_RECORDS = 50_000
READ_RECORDS = 2_000
SLOW_COMMIT_S = 1.0
STATE_EVERY_S = 60.0
STATE_EVERY_RECORDS = 50_000  # two seconds' work for whoever starts from there
STATE_FORMAT = 3
_ROUND_CLOSED = event_type(RoundClosed)

logger = logging.getLogger("muckraker.worker")

ProgressCallback = Callable[[int, int, int], None]
"""`progress(records_done, records_total, rounds)`, since the call of drain or follow began."""


class Listener(Protocol):
    """Somebody who wants to know at once: a topic for pagers, a gauge."""

    def tell(self, concluded: Concluded) -> None:
        """Rounds just judged and findings just made, before their segment is committed. After a crash the same are told
        again: `Finding.id` names each."""
        ...

    def settle(self) -> None:
        """Return when everything told is safe; called before each commit, so that nothing is ever told too little."""
        ...


class Observer(Protocol):
    """Somebody who counts: `/metrics`. Nothing waits for it, and it must not fail."""

    def judged(self, concluded: Concluded, closed_us: Sequence[int]) -> None:
        """Rounds were judged just now. `closed_us` are the log timestamps of the records that closed rounds."""
        ...

    def committed(
        self, partition: int, segment: Segment, manifest: dict[str, Any], seconds: float, closed_us: Sequence[int]
    ) -> None:
        """A segment is in the lake; writing it took `seconds`. `closed_us` are the log timestamps of its records that
        closed rounds: everybody can read those rounds' verdicts from now on."""
        ...


@dataclass(frozen=True)
class PartitionStatus:
    """How one partition stands in the process that has it, for `/metrics` and logs."""

    partition: int
    position: int  # the next record
    committed: int  # the first record that is not in the lake
    end: int | None  # where the log ended when it was last heard of
    segments: int
    rounds: int
    findings: int
    held: int
    waiting_s: float  # how long the oldest record not judged yet has been in the log
    problem: str | None = None  # why it is held back at the moment


class Replay(Protocol):
    """What the worker asks of the replay. A pure function of what it is fed: same events, same answers."""

    def restore(self, state: dict[str, Any], history: History, /) -> None:
        """Go on from the state of an earlier cut; {} at the very start. Called once, before anything is fed. `history`
        may be asked whenever something is fed."""
        ...

    def feed(self, admitted: Admitted, /) -> None:
        """Take the next event: in order of seq within its table, LATE ones apart."""
        ...

    def advance(self) -> Concluded | None:
        """Judge the rounds that closed since the last call; None when nothing is new."""
        ...

    @property
    def waiting(self) -> int:
        """How many rounds `advance` left for its next call, because each of them takes long; `cut` judges them all."""
        ...

    def cut(self) -> ReplayCut:
        """The segment ends here: all of it, what `advance` gave out before included."""
        ...

    def state(self) -> dict[str, Any]:
        """Everything it must remember behind a cut, as JSON; keys are strings."""
        ...


Judge = Callable[[Sequence[Any]], Sequence[Concluded | None]]
"""As `advance` of each of these replays, all of the same kind; it may judge their rounds in one batch."""


def one_by_one(replays: Sequence[Replay]) -> list[Concluded | None]:
    """The Judge that any kind of replay has."""
    return [replay.advance() for replay in replays]


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
        keys: Keys,
        replay_factory: Callable[[], Replay],
        segment_records: int | None = None,
        progress: ProgressCallback | None = None,
        read_records: int = READ_RECORDS,
        listener: Listener | None = None,
        observer: Observer | None = None,
    ) -> None:
        """The size of a segment is settled when a lake is first used: leave it out afterwards."""
        if segment_records is not None and segment_records < 1:
            raise ValueError(f"segment_records must be at least 1, not {segment_records}")
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
        self._open_since = 0.0  # when the first of them was taken, by the monotonic clock
        self._verdicts_wait = False  # whether a verdict or a finding is not committed yet
        self._state_since = 0.0  # when a state was last committed, and
        self._stateless = 0  # how many records were since
        self._listener = listener
        self._observer = observer
        self._closed_us: list[int] = []  # log time of rounds' closings since the rounds were last judged
        self._uncommitted_us: list[int] = []  # and since the last commit
        self._gate_findings: list[Finding] = []  # of the open segment
        self._announced = 0  # how many of them the listener has heard of
        self._pace = Pace()
        self._unjudged_us = 0  # log time of the oldest record taken since
        self._pieces: list[pa.Table] = []  # the open segment's events so far
        self._ends: list[int] = []  # its records behind which the log was taken to have ended
        self._started = 0
        self._segments = self._rounds = self._findings = 0
        self._broken_off = False
        log.high_water_mark(topic, partition)  # a partition that does not exist is an error before anything is made
        lake.own(topic, partition)
        try:
            wanted, default = {"segment_records": segment_records}, {"segment_records": SEGMENT_RECORDS}
            self._segment_records = lake.settle(topic, partition, wanted, default)["segment_records"]
            self._restore()
            self._started = self._position
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
        self.begin()
        target = self._log.high_water_mark(self._topic, self._partition)
        with _collector_paused():
            self._drain_to(target)
        return self.end()

    def _drain_to(self, target: int) -> None:
        while self._position < target:
            # The last record's cut is left to the end of the drain, which may have a gap to declare first.
            self._take(self._read(min(self._read_records, target - self._position)), uncut=target - 1)
            if self._listener is not None or self._observer is not None:
                self._advance_when_due()
            self._report(target)
        if self._in_segment:
            if self._log.high_water_mark(self._topic, self._partition) == target and self._gate.held_count():
                self._end_log(target - 1)
            self.cut(last=True)
            self._report(target)

    # --- fed by somebody who reads the log for several workers --------------------------------------------------------

    @property
    def position(self) -> int:
        """The offset of the next record it takes."""
        return self._position

    @property
    def committed(self) -> int:
        """The offset of the first record that is not in the lake yet."""
        return self._position - self._in_segment

    @property
    def counted(self) -> Processed:
        """What was done since it was made, or since drain or follow was called."""
        records = self._position - self._in_segment - self._started
        return Processed(records, self._segments, self._rounds, self._findings, self._gate.held_count())

    def status(self, end: int | None, now_s: float) -> PartitionStatus:
        """How the partition stands, for whoever asks from another thread."""
        done = self.counted
        return PartitionStatus(
            self._partition,
            self._position,
            self._position - self._in_segment,
            end,
            done.segments,
            done.rounds,
            done.findings,
            done.held,
            self.waiting_s(now_s),
        )

    def waiting_s(self, now_s: float) -> float:
        """How long the oldest record whose verdict may still be out has been in the log, at the time `now_s`."""
        return max(0.0, now_s - self._unjudged_us / 1_000_000) if self._unjudged_us else 0.0

    def take(self, records: list[LogRecord]) -> None:
        """Take these records, the next ones of the partition. After an error the worker is of no further use: another
        one goes on from the lake."""
        self._check_next(records)
        self._broken_off = True
        with _collector_paused():
            self._take(records)

    def take_next(self) -> bool:
        """Take what the log has next, up to a few thousand records; whether there was anything."""
        records = self._read(self._read_records)
        if records:
            self.take(records)
            self._report(self._log.high_water_mark(self._topic, self._partition))
        return bool(records)

    def check_log(self) -> None:
        """A LakeError if the log has not what the lake goes on with: it is another one, or old records were removed."""
        check_log(self._log, self._lake, self._topic, self._partition)

    def wants_cut(self) -> bool:
        """Whether something waits to be committed: a verdict, a finding, or a record that has waited long enough."""
        if not self._in_segment:
            return False
        waited_s = monotonic() - self._open_since
        if self._replay.waiting:  # a cut would have to judge them all, and everybody else would wait for that
            return waited_s >= JUDGING_WAIT_S
        return self._verdicts_wait or waited_s >= RECORDS_WAIT_S

    def cut(self, last: bool = False) -> None:
        """Commit what was taken since the last commit, if anything; the `last` cut spares the next worker some work."""
        if self._in_segment:
            self._commit(self._in_segment, with_state=last)
            self._in_segment = 0

    def stop(self, until: float) -> None:
        """Commit what is open, if the rounds in it can be judged by then; else the next worker does them again."""
        if not self._replay.waiting:
            self.advance()
        while self._replay.waiting and monotonic() < until:
            self.advance()
        if self._replay.waiting:
            logger.warning(
                "stopped while judging: the open segment is left to the next worker",
                extra={"partition": self._partition, "rounds": self._replay.waiting},
            )
            return
        self.cut(last=True)

    def advance(self) -> None:
        """Have the rounds that closed judged now, as many as a moment allows, and tell whoever listens."""
        self.conclude(self._replay.advance())

    @property
    def replay(self) -> Replay:
        """For whoever judges the rounds of several workers together; `conclude` is then given what came of it."""
        return self._replay

    def conclude(self, concluded: Concluded | None) -> None:
        """Tell whoever listens what the replay just said."""
        self._unjudged_us = 0
        self._gate_findings += self._gate.take_findings()
        self._tell(concluded)

    def _advance_when_due(self) -> None:
        if self._pace.is_due() or self._replay.waiting:
            with self._pace.judging():
                self.advance()

    def _tell(self, last: Concluded | None) -> None:
        fresh, self._announced = self._gate_findings[self._announced :], len(self._gate_findings)
        if last is None and not fresh:
            return
        self._verdicts_wait = True
        rounds, findings = last if last is not None else (None, [])
        concluded = Concluded(rounds, fresh + findings)
        if self._listener is not None:
            self._listener.tell(concluded)
        if self._observer is not None:
            closed_us, self._closed_us = self._closed_us, []
            self._observer.judged(concluded, closed_us)

    # --- one record ---------------------------------------------------------------------------------------------------

    def _read(self, limit: int) -> list[LogRecord]:
        records = self._log.read(self._topic, self._partition, self._position, limit)
        self._check_next(records)
        return records

    def _check_next(self, records: list[LogRecord]) -> None:
        if not records:
            return
        if records[0].offset != self._position:
            raise LakeError(
                f"{self._topic}/{self._partition}: the lake goes on at offset {self._position}, but the log's next "
                f"record is {records[0].offset}: this is another log than the lake's, or records were removed from it"
            )
        if records[-1].offset - self._position != len(records) - 1:
            hole = next(at for at, record in enumerate(records, self._position) if record.offset != at)
            raise LakeError(
                f"{self._topic}/{self._partition}: the log has no record at offset {hole}, and records after it: it "
                "was compacted, or records were removed from it; bring them back, or begin a new lake"
            )

    def _take(self, records: list[LogRecord], uncut: int | None = None) -> None:
        """Judge and replay these records, committing wherever they end a segment, but not after the record `uncut`."""
        most = self._segment_records
        admit, feed = self._gate.admit, self._replay.feed
        taken = self._in_segment
        if records and not self._unjudged_us:
            self._unjudged_us = records[0].timestamp_us
        for record in records:
            if taken == 0:
                self._open_since = monotonic()
            for admitted in admit(record):
                feed(admitted)
            taken += 1
            if taken >= most and record.offset != uncut:
                self._commit(taken)
                taken = 0
        self._in_segment = taken
        if records:
            self._position = records[-1].offset + 1
            self._pieces.append(self._events())

    def _events(self) -> pa.Table:
        """The gate's rows since the last call, in columns."""
        events = events_table(self._gate.take_rows())
        if self._observer is not None:
            closed_us = events["timestamp_us"].filter(pc.equal(events["type"], _ROUND_CLOSED)).to_pylist()
            self._closed_us += closed_us
            self._uncommitted_us += closed_us
        return events

    # --- one segment --------------------------------------------------------------------------------------------------

    def _end_log(self, last: int) -> None:
        """The log is taken to end with this record: nothing waits any longer for what is missing before it."""
        for admitted in self._gate.finish():
            self._replay.feed(admitted)
        self._ends.append(last)

    def _commit(self, records: int, with_state: bool = False) -> None:
        """End the segment of the so many records taken since the last one."""
        # Rows become columns a few thousand at a time, while the processor still has them at hand (a quarter of a
        # drain's time, measured). In one piece again, so that how the log was read does not show in the files.
        events = pa.concat_tables([*self._pieces, self._events()]).combine_chunks()
        self._pieces = [events]
        assert events.num_rows == records, "the gate owes one row for each record"
        first, last = events["offset"][0].as_py(), events["offset"][-1].as_py()
        cut = self._replay.cut()
        self._pieces = []
        gate_findings = self._gate_findings + self._gate.take_findings()
        findings = gate_findings + cut.findings
        self._gate_findings = gate_findings
        self._tell(cut.last)
        if self._listener is not None:
            self._listener.settle()
        self._log.confirm(self._topic)
        began = monotonic()
        with_state = (
            with_state or self._stateless + records >= STATE_EVERY_RECORDS or began - self._state_since >= STATE_EVERY_S
        )
        segment = self._lake.commit(
            self._topic,
            self._partition,
            SegmentContent(
                first=first,
                last=last,
                events=events,
                rounds=cut.rounds,
                findings=findings_table(findings),
                state=self._state() if with_state else None,
                top_seqs=self._gate.top_seqs(),
                ends=tuple(self._ends),
            ),
        )
        self._ends = []
        self._stateless += records
        if with_state:
            self._stateless, self._state_since = 0, began
        seconds = monotonic() - began
        self._gate_findings, self._announced = [], 0
        self._verdicts_wait = False
        self._segments += 1
        self._rounds += cut.rounds.num_rows
        self._findings += len(findings)
        if self._observer is not None:
            closed_us, self._uncommitted_us = self._uncommitted_us, []
            self._observer.committed(self._partition, segment, self._lake.manifest(segment), seconds, closed_us)
        if seconds > SLOW_COMMIT_S:
            logger.warning(
                "the disk is slow: verdicts are recorded later than they are found",
                extra={"partition": self._partition, "seconds": round(seconds, 3)},
            )
        logger.info(
            "a segment is in the lake",
            extra={
                "partition": self._partition,
                "segment": segment.path.name,
                "rounds": cut.rounds.num_rows,
                "findings": len(findings),
                "seconds": round(seconds, 3),
            },
        )
        if not gc.isenabled():
            gc.collect(0)

    def _state(self) -> dict[str, Any]:
        return {"format": STATE_FORMAT, "gate": self._gate.state(), "replay": self._replay.state()}

    def _restore(self) -> None:
        """Stand behind the last committed segment, as whoever committed it did."""
        place = (self._topic, self._partition)
        last = self._lake.last(*place)
        known = self._lake.newest_state(*place)
        behind, state = (-1, {}) if known is None else known
        if known is not None and state.get("format") != STATE_FORMAT:
            raise LakeError(
                f"{self._topic}/{self._partition}: the state in the lake has format {state.get('format')!r}, and this "
                f"version reads {STATE_FORMAT}; use the Muckraker that wrote it"
            )
        self._gate = Gate(self._keys, Place(self._partition, self._log.partitions(self._topic)))
        self._gate.restore(state.get("gate", {}))
        self._replay = self._replay_factory()
        history = RoundHistory(self._lake, self._topic, self._partition, self._gate, lambda: self._pieces)
        self._replay.restore(state.get("replay", {}), history)
        self._pieces, self._ends = [], []
        if last is not None and last.last > behind:
            history.committed_before = behind + 1
            self._take_again(behind)
            history.committed_before = None
        # A lake that is begun late begins where the log does: what tables said before is then a gap, and is said to be.
        self._position = self._log.start(*place) if last is None else last.last + 1
        self._in_segment = 0
        self._pieces, self._ends = [], []
        self._stateless, self._state_since = self._position - behind - 1, monotonic()
        self._closed_us, self._uncommitted_us = [], []
        self._verdicts_wait = False
        self._gate_findings, self._announced = [], 0

    def _take_again(self, behind: int) -> None:
        """Bring gate and replay from the state behind this record to the lake's end; what comes of it is recorded."""
        for records, ends in self._lake.records_behind(self._topic, self._partition, behind):
            for record in records:
                for admitted in self._gate.admit(record):
                    self._replay.feed(admitted)
                if record.offset in ends:
                    self._end_log(record.offset)
            self._pieces.append(events_table(self._gate.take_rows()))
        self._gate.take_findings()
        self._replay.cut()

    def begin(self) -> None:
        """Be ready to take records, from where the lake ends."""
        if self._in_segment or self._broken_off:  # what was in memory is not in the lake: do it again from there
            self._restore()
        self.check_log()
        self._broken_off = True  # until `end` is reached
        self._started = self._position
        self._segments = self._rounds = self._findings = 0

    def end(self) -> Processed:
        """What was done since it began, all of it committed."""
        self._broken_off = False
        return self.counted

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
