"""The gate: decides, record by record, what of the log is recorded, what is a duplicate and what is quarantined.

Every log record becomes exactly one row of events.parquet, whatever it holds; the admitted events come out in order
of `seq` within their table; everything out of the ordinary is a finding. The gate is pure: it reads no clock and no
file (the keys are asked for), its state is plain JSON, and the same records give the same answers in whatever
pieces they come. It knows the envelope and the chain, and nothing of games. One table's trouble touches no other.

How a table's stream is put in order (docs/events.md, sequence):

- an event with the expected `seq` that follows from the one before it passes at once, whatever else is held;
- one with a higher `seq`, or one that does not follow, is *held* until its turn comes (one GATE-005 for the whole
  disturbance). What is held beside the chain, or far ahead of it, counts for nothing without a good signature
  (ingest/gate/waiting.py), and is GATE-035 when its place is taken;
- when 64 are held on a branch with a good signature, or the partition's log has gone on for 30 seconds by its own clock
  since the first of them came, or `finish()` says that the log has ended, the gap before it is *declared*: one
  GATE-003, the next event carries GAP_BEFORE, and a missing event that comes after that is LATE;
- a record that was refused leaves a hole too. If the next event's `prevhash` is the refused record's hash, it *was* the
  missing event, GATE-006 has said so, and the hole is explained. What a refused record claims of itself explains
  nothing, or garbage could cover up what was cut out.

What a table that misbehaves can cost is limited, in ways that follow from the records alone (ingest/gate/limits.py):
events beyond a rate, and beyond what a round can have, are quarantined with one finding for the burst; records that
are not admitted get a finding each only up to a rate; tables that nobody registered are limited in number.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Any

from pydantic import ValidationError

from ingest.chain import GENESIS
from ingest.gate.chains import Chains
from ingest.gate.clocks import (
    CLOCK_AHEAD_US,
    LAST_TIME_US,
    LOG_AHEAD_US,
    LOG_BEHIND_US,
    Within,
    against_the_log,
    jumped,
)
from ingest.gate.findings import (
    CITE_CLOCKS,
    CITE_ENVELOPE,
    CITE_KEYS,
    CITE_SEQUENCE,
    CITE_SIGNATURES,
    GateFindings,
)
from ingest.gate.limits import Limits
from ingest.gate.links import as_signed, joined, known_otherwise, link_begins, vouch
from ingest.gate.outside import Outside
from ingest.gate.prevailing import Prevailing
from ingest.gate.signatures import MUST_BE_SIGNED, Signatures
from ingest.gate.waiting import (
    DISOWNED_WINDOW_US,
    GAP_WAIT_US,
    due,
    first_us,
    follows_chain,
    is_protected,
    lowest,
    may_wait,
    next_by_chain,
    note_stray,
    over_refused,
    surplus,
    waiting,
    waiting_count,
)
from ingest.gate.words import (
    ABORTED_REASON,
    DUPLICATE,
    QUARANTINED,
    RECORDED,
    SKIPPED,
    TABLE_ID,
    RoundEvent,
    plain,
    where,
    wrong_partition,
)
from ingest.keys import Keys
from ingest.log import AbortedRecord, LogRecord, Place, TransactionMarker
from ingest.refusal import (
    INVALID,
    TOO_LONG,
    foreign_source,
    oddity,
    prevhash_in,
    refusal_of,
    seq_in,
    subject_in,
    table_id_in,
)
from ingest.table_stream import (
    HELD_EVENTS,
    KEPT_DIGITS,
    KNOWN_SOURCES,
    MISSING_RANGES,
    NEVER,
    REFUSED_RECORDS,
    REMEMBERED_HASHES,
    UNATTESTED_EVENTS,
    Held,
    Missing,
    Refused,
    TableStream,
    stream_from,
    stream_state,
)
from schemas.admitted import Admitted, AdmittedFlag
from schemas.clock import time_of
from schemas.events import MAX_EVENT_BYTES, Event, RoundClosed, TableClosed, TableOpened, event_type, parse_event
from schemas.findings import Finding

MAX_REASON_CHARS = 300

UNREGISTERED_TABLES = 4_096
"""How many tables without a key a partition remembers: whoever invents table ids must not fill the memory."""

__all__ = ["DUPLICATE", "QUARANTINED", "RECORDED", "SKIPPED", "UNREGISTERED_TABLES", "EventRow", "Gate"]

EventRow = tuple[
    int, int, str, str | None, int | None, str | None, str | None, int | None, str | None, str, str | None, bytes, bytes
]
"""offset, timestamp_us, table_id, round_id, seq, type, event_id, time_us, source, status, reason, hash, raw."""

_GAP_BEFORE = int(AdmittedFlag.GAP_BEFORE)
_CHAIN_BROKEN = int(AdmittedFlag.CHAIN_BROKEN)
_LATE = int(AdmittedFlag.LATE)
_ATTESTED = int(AdmittedFlag.ATTESTED)
_OVERRULES = int(AdmittedFlag.OVERRULES)

_admitted = partial(tuple.__new__, Admitted)  # Admitted(*…) without its Python code, for every event there is

_EPOCH_US = time_of(0).toordinal() * 86_400_000_000
_MICROSECOND = timedelta(microseconds=1)
_MINUTES = tuple(b":%02d:" % minute for minute in range(60))

ENDS_ROUND = frozenset(event_type(model) for model in (RoundClosed, TableOpened, TableClosed))

_FLOOD = "GATE-017"
_MISPLACED = "GATE-020"
_WRONG_PARTITION = "GATE-040"
_ABORTED = "GATE-041"
_NOT_OF_THE_TABLE = frozenset({_MISPLACED, _WRONG_PARTITION, _ABORTED})
"""Records that were not sent in the table's stream: its rounds and numbers are not theirs."""

_REFUSED_AS = {
    _FLOOD: "is of one table too many",
    _MISPLACED: "belongs to another table",
    _WRONG_PARTITION: "is in the wrong partition of the log",
    _ABORTED: "was taken back by whoever wrote it",
}

_NOTHING: Sequence[Admitted] = ()


class Gate:
    """Admits log records one at a time; see the module's text for what it does with each.

    `admit` and `finish` return the events that may now go to the replay. Rows and findings gather until `take_rows`
    and `take_findings` are called at the end of a segment.
    """

    def __init__(self, keys: Keys, place: Place | None = None) -> None:
        """`place` is the partition whose records it judges; without one, every table's records may come."""
        self._place = place
        self._signatures = Signatures(keys)
        self._findings = GateFindings()
        self._limits = Limits(self._findings, self._signatures)
        self._outside = Outside(self._findings, self._signatures)
        self._chains = Chains(self._findings, self._signatures)
        self._tables: dict[str, TableStream] = {}
        self._nobody = TableStream("")  # keeps count of the findings on records of no table
        self._unregistered = 0
        self._due_us = NEVER  # the log time at which something has waited long enough for what is missing before it
        self._rows: list[EventRow] = []
        self._prevailing = Prevailing(self._findings, self._signatures)

    # --- in and out ---------------------------------------------------------------------------------------------------

    def admit(self, record: LogRecord) -> Sequence[Admitted]:
        """Judge the next record of the partition's log; the events this lets through, in table order."""
        if record.timestamp_us >= self._due_us:
            return [*self._waited_enough(record.timestamp_us), *self._judge(record)]
        return self._judge(record)

    def _judge(self, record: LogRecord) -> Sequence[Admitted]:
        if record.__class__ is not LogRecord:
            return self._not_sent(record)
        offset, timestamp_us, key, raw = record
        reason: str | None
        if not raw:
            return self._refuse(LogRecord(offset, timestamp_us, key, b""), "the record is empty")
        if len(raw) > MAX_EVENT_BYTES:
            reason = f"the record is {len(raw)} bytes long; an event has {MAX_EVENT_BYTES} at most"
            return self._refuse(record, reason, TOO_LONG)
        try:
            event = parse_event(raw)
        except ValidationError as error:
            refusal = refusal_of(raw, error)
            return self._refuse(record, refusal.reason, refusal.code)
        said = event.__dict__  # it is asked a dozen things, and a pydantic attribute takes twice a dict value's time
        time, round_id, sig = said["time"], said["subject"], said["sig"]
        # Is a member said twice? In JSON without escapes there are as many colons as members and colons within texts.
        # If there are as many as the members that were read and two more, and some text has two (`:43:` stands nowhere
        # else), no room is left for another member. All else is looked at closely, which takes longer.
        if (
            raw.count(b":") != len(event.__pydantic_fields_set__) + len(said["data"].__pydantic_fields_set__) + 2
            or (raw.find(minute := _MINUTES[time.minute], 120, 240) < 0 and raw.find(minute) < 0)  # mostly there
            or raw.find(b"\\") >= 0
            or not raw.isascii()
        ):
            odd = oddity(raw, len(event.__pydantic_fields_set__) + len(said["data"].__pydantic_fields_set__), time)
            if odd is not None:
                return self._refuse(record, odd.reason, odd.code)
        table_id: str = said["tableid"]
        if key != table_id:
            return self._misplaced(record, table_id)
        table = self._tables.get(table_id)
        if table is None:
            if (reason := wrong_partition(self._place, key)) is not None:
                return self._refuse(record, reason, _WRONG_PARTITION)
            table = self._new_table(table_id)
            if table is None:
                reason = f"{UNREGISTERED_TABLES:,} tables without a key are remembered already; register its key"
                return self._refuse(record, reason, _FLOOD)
        time_us = (
            (  # `microseconds`, in half the time
                time.toordinal() * 86_400 + time.hour * 3_600 + time.minute * 60 + time.second
            )
            * 1_000_000
            + time.microsecond
            - _EPOCH_US
        )
        offset_of_zone = time.utcoffset()
        if offset_of_zone:
            time_us -= offset_of_zone // _MICROSECOND
        in_step = -LOG_BEHIND_US <= time_us - timestamp_us <= LOG_AHEAD_US
        if not in_step and not 0 <= time_us < LAST_TIME_US:
            return self._refuse(record, f"time: {time.isoformat()} lies outside the years 1970 to 9999 (UTC)")
        source: str = said["source"]
        if source not in table.sources and not self._is_source(table, source):
            return self._refuse(record, f"source: {foreign_source(source, table_id)}")

        digest = sha256(raw).digest()
        hashed = digest.hex()
        seq: int = said["seq"]
        status = RECORDED
        reason = None
        released: Sequence[Admitted]
        if (
            seq == table.expected
            and not table.held
            and (said["prevhash"] == table.last_hash or table.last_hash is None)
        ):
            count = table.count
            if (
                count < table.look_at
                or (reason := self._limits.surplus(table, Held(offset, timestamp_us, raw, event, hashed, time_us)))
                is None
            ):
                table.count = count + 1
                if (  # the ordinary case, and the only one that has to be fast: `_pass` would find nothing to look at
                    said["prevhash"] == table.last_hash
                    and sig is None
                    and in_step
                    and not table.skew
                    and round_id == table.round_id
                    and table.other_clock_us is None
                    and 0 <= time_us - table.clock_us <= CLOCK_AHEAD_US
                    and said["type"] not in MUST_BE_SIGNED
                ):
                    table.last_hash = hashed
                    table.expected = seq + 1
                    table.clock_us, table.clock_log_us = time_us, timestamp_us
                    if seq > table.top:
                        table.top = seq
                    hashes = table.hashes
                    hashes[seq] = hashed
                    if len(hashes) > REMEMBERED_HASHES and hashes.pop(seq - REMEMBERED_HASHES, None) is None:
                        table.remember(seq, hashed)
                    released = (_admitted((offset, raw, event, 0, None)),)
                else:
                    released = (self._pass(table, offset, timestamp_us, raw, event, hashed, time_us, in_step),)
                    if table.overruled:
                        released = (*self._prevailing.take(), *released)
            else:
                released, status = _NOTHING, QUARANTINED
                table.pass_by(seq, hashed)
        else:
            released, status, reason = self._out_of_order(
                table, Held(offset, timestamp_us, raw, event, hashed, time_us)
            )
        self._rows.append(
            (
                offset,
                timestamp_us,
                table_id,
                round_id,
                seq,
                said["type"],
                said["id"],
                time_us,
                source,
                status,
                reason,
                digest,
                raw,
            )
        )
        return released

    def _waited_enough(self, now_us: int) -> list[Admitted]:
        """Declare the gaps that events have waited for long enough, by the clock of the log, which goes on at `now_us`.
        What may not pass then, without a good signature, is looked at again later."""
        released: list[Admitted] = []
        self._due_us = NEVER
        for table_id in sorted(self._tables):
            table = self._tables[table_id]
            if table.held and first_us(table) + GAP_WAIT_US <= now_us:
                self._let_go(table, released)
            if table.held:
                due_us = first_us(table) + GAP_WAIT_US
                self._due_us = min(self._due_us, due_us if due_us > now_us else now_us + GAP_WAIT_US)
        return released

    def finish(self) -> list[Admitted]:
        """The log has ended for now: declare every gap that held events still wait for, and let them through."""
        released: list[Admitted] = []
        for table_id in sorted(self._tables):
            table = self._tables[table_id]
            if table.held:
                self._let_go(table, released)
        return released

    def take_rows(self) -> list[EventRow]:
        """The rows since they were last taken, one for each record admitted."""
        rows, self._rows = self._rows, []
        return rows

    def take_findings(self) -> list[Finding]:
        """The findings since they were last taken."""
        return self._findings.take()

    def round_rows(self, table_id: str, round_id: str) -> list[RoundEvent]:
        """The recorded events of a round among the rows that were not taken yet."""
        return [
            (row[4], row[0], row[12])
            for row in self._rows
            if row[3] == round_id and row[2] == table_id and row[9] == RECORDED and row[4] is not None
        ]

    def let_through(self, table_id: str, raw: bytes) -> bool:
        """Whether a recorded event of the table was given to the replay: it does not wait, nor has another its place.
        (Of the events that lost their place the last 1,024 are remembered.)"""
        table = self._tables.get(table_id)
        if table is None or not (table.held or table.disowned):
            return True
        digest = sha256(raw).hexdigest()
        return digest[:KEPT_DIGITS] not in table.disowned and all(held.hash != digest for held in waiting(table))

    def as_signed(self, table_id: str, round_id: str, found: list[RoundEvent]) -> list[RoundEvent]:
        """The recorded events of a round, with those that a signed chain overruled replaced by what it says instead."""
        table = self._tables.get(table_id)
        return found if table is None else as_signed(table, round_id, found)

    def table_count(self) -> int:
        """How many tables were ever heard of here."""
        return len(self._tables)

    def held_count(self) -> int:
        """How many events wait, over all tables."""
        return sum(waiting_count(table) for table in list(self._tables.values()))  # asked for by other threads, too

    def top_seqs(self) -> dict[str, int]:
        """The highest seq ever recorded of each table."""
        return {table.id: table.top for table in self._tables.values() if table.top >= 0}

    def tables_ahead(self) -> dict[str, tuple[int, str | None]]:
        """With which seq and prevhash each table goes on; no hash: the event before it is not on record."""
        return {table.id: (table.expected, table.last_hash) for table in self._tables.values()}

    def is_recorded(self, table_id: str) -> bool:
        """Whether any event of the table was ever let through or waits."""
        table = self._tables.get(table_id)
        return table is not None and table.count > 0

    def attested_seq(self, table_id: str) -> int | None:
        """The seq of the table's last event with a good signature; everything after it is unattested."""
        table = self._tables.get(table_id)
        return None if table is None or table.attested_seq < 0 else table.attested_seq

    # --- state --------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything the gate must remember between segments, as JSON. Rows and findings are taken first."""
        assert not self._rows and not self._findings, "take the rows and findings before the state"
        nobody = self._nobody
        return {
            "due_us": self._due_us,
            "nobody": [nobody.said, nobody.said_log_us, nobody.muted],
            "tables": {table_id: stream_state(table) for table_id, table in self._tables.items()},
            "unregistered": self._unregistered,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state()`; {} is the very start."""
        assert not self._rows and not self._findings, "a gate is restored before it admits anything"
        self._tables = {table_id: stream_from(table_id, kept) for table_id, kept in state.get("tables", {}).items()}
        self._unregistered = state.get("unregistered", 0)
        self._due_us = state.get("due_us", NEVER)
        nobody = self._nobody = TableStream("")
        nobody.said, nobody.said_log_us, nobody.muted = state.get("nobody", (0, 0, False))

    def _is_source(self, table: TableStream, source: str) -> bool:
        """Whether a source that the table has not been heard from before is a device of the table."""
        if foreign_source(source, table.id) is not None:
            return False
        if len(table.sources) < KNOWN_SOURCES:
            table.sources.add(source)
        return True

    def _new_table(self, table_id: str) -> TableStream | None:
        """A table that is heard of for the first time; None when there is no room for one that nobody registered."""
        table = TableStream(table_id)
        if not self._signatures.history_of(table).keys:
            if self._unregistered >= UNREGISTERED_TABLES:
                return None
            self._unregistered += 1
        self._tables[table_id] = table
        return table

    # --- in order -----------------------------------------------------------------------------------------------------

    def _pass(
        self,
        table: TableStream,
        offset: int,
        timestamp_us: int,
        raw: bytes,
        event: Event,
        hashed: str,
        time_us: int,
        in_step: bool,
    ) -> Admitted:
        """Let through the event the table waits for; `in_step`: its time is known to agree with the log's."""
        said = event.__dict__
        seq: int = said["seq"]
        flags = 0
        vouches: tuple[int, int] | None = None
        if said["prevhash"] != table.last_hash:
            flags = self._chains.does_not_follow(table, raw, event, timestamp_us, time_us)
            table.end_link()
            link_begins(table, seq, said["prevhash"])
        table.last_hash = hashed
        table.expected = seq + 1
        if seq > table.top:
            table.top = seq
        table.remember(seq, hashed)
        round_id: str | None = said["subject"]
        entered = round_id is not None and round_id != table.round_id
        if entered:
            assert round_id is not None
            self._limits.enter_round(table, round_id)
        if entered or not table.round_open:
            within = Within.NO_ROUND
        else:
            within = Within.BESIDE_ROUND if round_id is None else Within.ROUND
        jump, what = jumped(table, time_us, timestamp_us, within)
        if what is not None:
            self._findings.on("GATE-007", table, event, time_us, what, CITE_CLOCKS, evidence=(seq - 1, seq))
        if said["type"] in ENDS_ROUND:
            table.round_open = False
        if (table.skew or not in_step) and not jump:
            skewed = against_the_log(table, time_us, timestamp_us)  # a lone wrong time is a jump, and said already
            if skewed is not None:
                self._findings.on(skewed[0], table, event, time_us, skewed[1], CITE_CLOCKS)
        table.clock_us, table.clock_log_us = time_us, timestamp_us
        if said["sig"] is not None or entered:
            self._signatures.forget_resyncs(table, timestamp_us, seq)
        if said["sig"] is not None:
            signed = self._signature(table, raw, event, timestamp_us, time_us)
            flags |= signed
            if signed == _ATTESTED:
                vouches = self._prevailing.vouched(table, event, time_us, offset)
            elif signed & _ATTESTED:  # a supervisor's
                vouches = (seq, seq)
        elif said["type"] in MUST_BE_SIGNED:
            judged = self._signatures.unsigned(table)
            if judged.code is not None:
                self._findings.on(judged.code, table, event, time_us, judged.what, CITE_SIGNATURES)
        return _admitted((offset, raw, event, flags, vouches))

    def _signature(self, table: TableStream, raw: bytes, event: Event, timestamp_us: int, time_us: int) -> int:
        rewritten = self._signatures.rewritten(table)
        if rewritten is not None:
            self._findings.on("GATE-029", table, event, time_us, rewritten, CITE_KEYS)
        judged = self._signatures.judge(table, raw, timestamp_us, event)
        if judged.flag == _ATTESTED:
            if event.seq > table.attested_seq:
                table.attested_seq = event.seq
            table.tail_at = table.count + UNATTESTED_EVENTS
            self._limits.set_look_at(table)
        elif judged.code is not None:
            self._findings.on(judged.code, table, event, time_us, judged.what, CITE_SIGNATURES)
        return judged.flag

    # --- out of order -------------------------------------------------------------------------------------------------

    def _out_of_order(self, table: TableStream, arrived: Held) -> tuple[Sequence[Admitted], str, str | None]:
        """What becomes of an event that is not simply the next one."""
        seq = arrived.event.seq
        digest = arrived.hash[:KEPT_DIGITS]
        known = table.hash_of(seq)
        is_next = seq == table.expected and follows_chain(table, arrived)
        if (
            known == digest
            or any(held.hash == arrived.hash for held in table.held.get(seq, ()))
            or (digest in table.disowned and not is_next)
        ):
            return _NOTHING, *self._outside.known(table, arrived, same=True)
        released: list[Admitted] = []
        if not is_next and self._chains.resynchronised(table, arrived):
            self._disown_waiting(table)
            known, is_next = None, True
        if known is not None:
            if self._prevailing.takes_over(table, arrived):
                offset, timestamp_us, raw, event, _, time_us, _ = arrived
                flags = _OVERRULES | self._signature(table, raw, event, timestamp_us, time_us)
                released += [*self._prevailing.take(), Admitted(offset, raw, event, flags, vouch(table, seq))]
                self._settle(table, released)
                return released, RECORDED, None
            return _NOTHING, *self._outside.known(table, arrived, same=False)
        if seq >= table.expected and not is_next:
            return self._wait(table, arrived)
        index = None
        if seq < table.expected:
            index = table.missing_at(seq)
            if index is None:
                return _NOTHING, *self._outside.too_old(table, arrived)
            if known_otherwise(table, arrived):
                return _NOTHING, *self._outside.not_the_missing(table, arrived)
        if table.count >= table.look_at:
            reason = self._limits.surplus(table, arrived)
            if reason is not None:
                if is_next:
                    table.pass_by(seq, arrived.hash)
                return _NOTHING, QUARANTINED, reason
        if index is not None:
            table.count += 1
            return (self._late(table, index, arrived),), RECORDED, None
        note_stray(table, arrived)
        table.disowned.pop(digest, None)
        self._let(table, arrived, released)
        self._settle(table, released)
        return released, RECORDED, None

    def _wait(self, table: TableStream, arrived: Held) -> tuple[Sequence[Admitted], str, str | None]:
        """An event that is not next, by its number or by the chain: does it wait for its turn?"""
        event = arrived.event
        seq = event.seq
        released: list[Admitted] = []
        if event.sig is not None and self._signatures.is_good(table, arrived.raw, arrived.timestamp_us, seq):
            arrived = arrived._replace(good=True)
        rivals = [held for held in table.held.get(seq, ()) if held.event.prevhash == event.prevhash]
        if any(held.good or not arrived.good for held in rivals):
            return _NOTHING, *self._outside.known(table, arrived, same=False)
        if not arrived.good:
            reason = may_wait(table, arrived)
            if reason is not None:
                self._remember_refused(table, arrived.raw, arrived.hash, seq, arrived.offset)
                self._outside.not_on_the_chain(table, arrived)
                return _NOTHING, QUARANTINED, reason
        elif event.prevhash == GENESIS and self._chains.begins_anew(
            table, arrived.raw, event, arrived.timestamp_us, arrived.time_us
        ):
            self._let_go(table, released)  # nothing that waits will be followed by what it waits for
            self._disown_waiting(table)
            if seq > table.expected:
                self._skip_to(table, event)
            table.end_link()
        note_stray(table, arrived)
        if seq > table.top:
            table.top = seq
        table.held.setdefault(seq, []).append(arrived)
        self._due_us = min(self._due_us, arrived.timestamp_us + GAP_WAIT_US)
        self._settle(table, released)
        return released, RECORDED, None

    def _let_go(self, table: TableStream, released: list[Admitted]) -> None:
        """Nothing more is coming: let through what may be, with what is missing before it declared."""
        while (first := due(table, nothing_more=True)) is not None:
            self._let_through(table, first, released)

    def _settle(self, table: TableStream, released: list[Admitted]) -> None:
        """Let through what can be now, and send away what is too much."""
        self._release_ready(table, released)
        full = waiting_count(table) >= HELD_EVENTS
        signed = any(one.good for ones in table.held.values() for one in ones)
        if not full and not signed:
            return
        if signed or not is_protected(table):  # otherwise nothing can be due
            while (first := due(table)) is not None:
                self._let_through(table, first, released)
        while (one := surplus(table)) is not None:
            table.take_out(one)
            self._disown(table, one)

    def _let_through(self, table: TableStream, first: Held, released: list[Admitted]) -> None:
        """Wait no longer for what is missing before `first`: let through what waits up to it, in order."""
        while any(held is first for held in table.held.get(first.event.seq, ())):
            one = first if min(table.held) == first.event.seq else lowest(table)
            assert one is not None
            self._declare_gap(table, one)
            self._take(table, one, released)
            self._release_ready(table, released)

    def _release_ready(self, table: TableStream, released: list[Admitted]) -> None:
        """Let through the held events that now follow, over refused records too, and say so when order is restored."""
        held = table.held
        while held:
            ready = next_by_chain(table)
            if ready is None and table.refused:
                ready = over_refused(table)
                if ready is not None:
                    self._skip_to(table, ready.event)
            if ready is None:
                break
            self._take(table, ready, released)
        if table.strays and (not held or min(held) - table.expected > HELD_EVENTS):
            self._findings.put_in_order(table)

    def _take(self, table: TableStream, one: Held, released: list[Admitted]) -> None:
        """Let a held event through."""
        table.take_out(one)
        self._let(table, one, released)

    def _let(self, table: TableStream, one: Held, released: list[Admitted]) -> None:
        """Let an event through; whatever else waits under its number has lost its place."""
        offset, timestamp_us, raw, event, hashed, time_us, _ = one
        table.count += 1
        passed = self._pass(table, offset, timestamp_us, raw, event, hashed, time_us, in_step=False)
        released += self._prevailing.take()
        released.append(passed)
        for rival in table.held.pop(event.seq, []):
            self._disown(table, rival, one)

    def _disown_waiting(self, table: TableStream, below: int | None = None) -> None:
        for seq in sorted(table.held):
            if below is None or seq < below:
                for held in table.held.pop(seq):
                    self._disown(table, held)

    def _disown(self, table: TableStream, one: Held, winner: Held | None = None) -> None:
        """A recorded event that waited for its turn never gets one."""
        table.disown(one.hash)
        since_us = one.timestamp_us - table.disowned_log_us
        if not 0 <= since_us < DISOWNED_WINDOW_US:
            table.disowned_count, table.disowned_log_us = 0, one.timestamp_us
        table.disowned_count += 1
        self._remember_refused(table, one.raw, one.hash, one.event.seq, one.offset)
        if winner is not None and winner.event.prevhash == one.event.prevhash:
            self._outside.lost_to(table, one, winner)
        else:
            self._outside.not_on_the_chain(table, one)

    def _skip_to(self, table: TableStream, event: Event) -> None:
        """Go past missing or refused events to `event`, the next one there is."""
        table.missing.append(Missing(table.expected, event.seq - 1, event.prevhash))
        del table.missing[:-MISSING_RANGES]
        table.end_link()
        table.expected = event.seq
        self._disown_waiting(table, below=event.seq)

    def _declare_gap(self, table: TableStream, after: Held) -> None:
        """Give up waiting for what is missing before `after`, the lowest that waits."""
        event = after.event
        first = table.expected
        last = table.proven_before(event) - 1  # those after it are in quarantine, refused
        if last >= first:
            self._findings.missing(table, first, last, after)
        if event.seq > first:
            self._skip_to(table, event)

    def _late(self, table: TableStream, index: int, arrived: Held) -> Admitted:
        """Admit an event whose absence was declared, or whose place a refused record left empty."""
        event = arrived.event
        seq = event.seq
        hole = table.missing.pop(index)
        if seq < hole.last:
            table.missing.insert(index, Missing(seq + 1, hole.last, hole.last_hash))
        if seq > hole.first:
            table.missing.insert(index, Missing(hole.first, seq - 1, event.prevhash))
        del table.missing[:-MISSING_RANGES]
        flags = _LATE | self._chains.late(table, hole, arrived)
        if seq != table.late_next:  # one finding for a run of them
            self._findings.on(
                "GATE-005",
                table,
                event,
                arrived.time_us,
                f"it arrived late, when the table was at seq {table.expected - 1}; it and those that directly "
                "follow it are recorded and their rounds replayed again",
                CITE_SEQUENCE,
            )
        table.late_next = seq + 1
        table.remember(seq, arrived.hash)
        signed = 0
        if event.sig is not None:
            signed = self._signature(table, arrived.raw, event, arrived.timestamp_us, arrived.time_us)
            flags |= signed
        vouches = None if flags & _CHAIN_BROKEN else joined(table, arrived, signed == _ATTESTED)
        if vouches is None and signed & _ATTESTED:
            vouches = (seq, seq)
        return Admitted(arrived.offset, arrived.raw, event, flags, vouches)

    def _misplaced(self, record: LogRecord, table_id: str) -> Sequence[Admitted]:
        """A valid event in the stream of another table than it names."""
        reason = f"tableid: the event names {table_id}, and its log record has the key {record.key[:60]!r}"
        return self._refuse(record, reason, _MISPLACED)

    def _not_sent(self, record: LogRecord) -> Sequence[Admitted]:
        """An offset at which the log has no record of a device. It has a row of its own, so that none is missing."""
        if isinstance(record, TransactionMarker):
            reason = "the log's own mark: a transaction ends here"
            empty = sha256(b"").digest()
            self._rows.append((*record[:2], "", None, None, None, None, None, None, SKIPPED, reason, empty, b""))
            return _NOTHING
        assert isinstance(record, AbortedRecord)
        return self._refuse(record, ABORTED_REASON, _ABORTED)

    def _refuse(self, record: LogRecord, reason: str, code: str = INVALID) -> Sequence[Admitted]:
        """Quarantine a record that is no valid event of the table, and note what place in the chain it may have had."""
        offset, timestamp_us, key, raw = record
        if code != _ABORTED and key not in self._tables and (belongs := wrong_partition(self._place, key)) is not None:
            code, reason = _WRONG_PARTITION, belongs
        reason = reason[:MAX_REASON_CHARS]
        digest = sha256(raw).digest()
        seq, round_id = seq_in(raw), subject_in(raw)
        self._rows.append(
            (offset, timestamp_us, key, round_id, seq, None, None, None, None, QUARANTINED, reason, digest, raw)
        )
        at_us = timestamp_us
        place = offset if seq is None else seq  # a record of no table is ordered by its place in the log
        table = None if code in (_WRONG_PARTITION, _ABORTED) else self._table_refused_for(key, raw)
        if code in _NOT_OF_THE_TABLE:
            seq = round_id = None
            place = offset
        elif table is not None:
            if table.clock_us is not None:
                at_us = table.clock_us
            if round_id is None:
                round_id = table.round_id
            if seq is None:
                unplaced = sum(1 for other in table.refused if other.seq is None and other.expected == table.expected)
                place = table.expected + unplaced
            self._remember_refused(table, raw, digest.hex(), seq, offset)
        named = plain(key)
        if self._findings.may_say(table or self._nobody, named, round_id, at_us, place, timestamp_us):
            what = _REFUSED_AS.get(code, "is not a valid event")
            self._findings.add(
                Finding(
                    code=code,
                    table_id=named,
                    round_id=round_id,
                    sentence=f"{where(named, round_id, seq)}: log record {offset} {what} and is in quarantine: "
                    f"{reason}.",
                    citation=CITE_ENVELOPE,
                    at_us=at_us,
                    seq=place,
                    evidence=() if seq is None else (seq,),
                )
            )
        released: list[Admitted] = []
        if table is not None and table.held:
            self._settle(table, released)
        return released

    def _remember_refused(self, table: TableStream, raw: bytes, hashed: str, seq: int | None, offset: int) -> None:
        before = prevhash_in(raw)
        table.refused.append(
            Refused(seq, hashed[:KEPT_DIGITS], None if before is None else before[:KEPT_DIGITS], table.expected, offset)
        )
        del table.refused[:-REFUSED_RECORDS]

    def _table_refused_for(self, key: str, raw: bytes) -> TableStream | None:
        """The table a refused record belongs to; none when its key is no table's, or its bytes name another."""
        if TABLE_ID.match(key) is None or table_id_in(raw) not in (None, key):
            return None
        return self._tables.get(key) or self._new_table(key)
