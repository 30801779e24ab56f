"""The gate: decides, record by record, what of the log is recorded, what is a duplicate and what is quarantined.

Every log record becomes exactly one row of events.parquet, whatever it holds; the admitted events come out in order
of `seq` within their table; everything out of the ordinary is a finding. The gate is pure: it reads no clock and no
file (the keys are asked for), its state is plain JSON, and the same records give the same answers in whatever
pieces they come. It knows the envelope and the chain, and nothing of games. One table's trouble touches no other.

How a table's stream is put in order (docs/events.md, sequence):

- an event with the expected `seq` passes at once;
- one with a higher `seq` is *held*, 64 at most, until the missing ones come (one GATE-005 for the whole disturbance);
- when 64 are held, or `finish()` says that nothing more is coming, the gap is *declared*: one GATE-003, the next event
  carries GAP_BEFORE, and a missing event that comes after that is admitted LATE;
- a record that was refused leaves a hole too, but one that is explained: GATE-006 was said, so GATE-003 is not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from nacl.signing import VerifyKey
from pydantic import ValidationError

from ingest.chain import GENESIS, signed_part, verify
from ingest.log import LogRecord
from ingest.refusal import seq_in, subject_in, table_id_in, why
from ingest.table_stream import (
    HELD_EVENTS,
    MISSING_RANGES,
    REFUSED_RECORDS,
    REMEMBERED_HASHES,
    Held,
    Missing,
    Refused,
    TableStream,
    stream_from,
    stream_state,
)
from schemas.admitted import Admitted, AdmittedFlag
from schemas.clock import microseconds
from schemas.events import MAX_EVENT_BYTES, Event, parse_event
from schemas.findings import Finding

CLOCK_BACK_US = 5_000_000
CLOCK_AHEAD_US = 30 * 60 * 1_000_000
MAX_REASON_CHARS = 300

RECORDED = "recorded"
DUPLICATE = "duplicate"
QUARANTINED = "quarantined"

CITE_ENVELOPE = "docs/events.md, envelope"
CITE_SEQUENCE = "docs/events.md, sequence"
CITE_CHAIN = "docs/events.md, chain"
CITE_SIGNATURES = "docs/events.md, signatures"
CITE_CLOCKS = "docs/events.md, clocks"

EventRow = tuple[
    int, int, str, str | None, int | None, str | None, str | None, int | None, str | None, str, str | None, bytes, bytes
]
"""offset, timestamp_us, table_id, round_id, seq, type, event_id, time_us, source, status, reason, hash, raw."""

_GAP_BEFORE = int(AdmittedFlag.GAP_BEFORE)
_CHAIN_BROKEN = int(AdmittedFlag.CHAIN_BROKEN)
_LATE = int(AdmittedFlag.LATE)
_BAD_SIGNATURE = int(AdmittedFlag.BAD_SIGNATURE)
_ATTESTED = int(AdmittedFlag.ATTESTED)

_admitted = partial(tuple.__new__, Admitted)  # Admitted(*…) without its Python code, for every event there is

_TABLE_ID = re.compile(r"[A-Z0-9][A-Z0-9-]{0,31}\Z")


class Gate:
    """Admits log records one at a time; see the module's text for what it does with each.

    `admit` and `finish` return the events that may now go to the replay. Rows and findings gather until `take_rows`
    and `take_findings` are called at the end of a segment.
    """

    def __init__(self, keys: Callable[[str], VerifyKey | None]) -> None:
        self._keys = keys
        self._tables: dict[str, TableStream] = {}
        self._rows: list[EventRow] = []
        self._findings: list[Finding] = []

    # --- in and out ---------------------------------------------------------------------------------------------------

    def admit(self, record: LogRecord) -> Sequence[Admitted]:
        """Judge the next record of the partition's log; the events this lets through, in table order."""
        offset, timestamp_us, key, raw = record
        if len(raw) > MAX_EVENT_BYTES:
            return self._refuse(record, f"the record is {len(raw)} bytes long; an event has {MAX_EVENT_BYTES} at most")
        try:
            event = parse_event(raw)
        except ValidationError as error:
            return self._refuse(record, why(error))
        said = event.__dict__  # it is asked a dozen things, and a pydantic attribute takes twice a dict value's time
        table_id: str = said["tableid"]
        if key != table_id:
            return self._refuse(
                record, f"tableid: the event names {table_id}, and its log record has the key {key[:60]!r}"
            )
        table = self._tables.get(table_id)
        if table is None:
            table = self._tables[table_id] = TableStream(table_id)

        digest = sha256(raw).digest()
        hashed = digest.hex()
        time_us = microseconds(said["time"])
        seq: int = said["seq"]
        status, reason = RECORDED, None
        released: Sequence[Admitted]
        if seq == table.expected and not table.held:  # the ordinary case, and the only one that has to be fast
            released = (self._pass(table, offset, raw, event, hashed, time_us),)
        else:
            known = table.held[seq].hash if seq in table.held else table.hash_of(seq)
            if known is not None:
                released = ()
                status, reason = self._known_already(table, offset, event, time_us, same=known == hashed)
            elif seq >= table.expected:
                released = self._hold(table, Held(offset, raw, event, hashed, time_us))
            else:
                index = table.missing_at(seq)
                if index is None:
                    released = ()
                    status, reason = self._too_old(table, event, time_us)
                else:
                    released = (self._late(table, index, Held(offset, raw, event, hashed, time_us)),)
        self._rows.append(
            (
                offset,
                timestamp_us,
                table_id,
                said["subject"],
                seq,
                said["type"],
                said["id"],
                time_us,
                said["source"],
                status,
                reason,
                digest,
                raw,
            )
        )
        return released

    def finish(self) -> list[Admitted]:
        """Nothing more is coming for now: declare every gap that held events still wait for, and let them through."""
        released: list[Admitted] = []
        for table_id in sorted(self._tables):
            table = self._tables[table_id]
            while table.held:
                self._declare_gap(table)
                self._release_ready(table, released)
        return released

    def take_rows(self) -> list[EventRow]:
        """The rows since they were last taken, one for each record admitted."""
        rows, self._rows = self._rows, []
        return rows

    def take_findings(self) -> list[Finding]:
        """The findings since they were last taken."""
        findings, self._findings = self._findings, []
        return findings

    def held_seqs(self, table_id: str) -> frozenset[int]:
        """The recorded events of a table that still wait for the ones before them."""
        table = self._tables.get(table_id)
        return frozenset() if table is None else frozenset(table.held)

    def held_count(self) -> int:
        """How many events wait, over all tables."""
        return sum(len(table.held) for table in self._tables.values())

    def top_seqs(self) -> dict[str, int]:
        """The highest seq ever recorded of each table."""
        return {table.id: table.top for table in self._tables.values() if table.top >= 0}

    def attested_seq(self, table_id: str) -> int | None:
        """The seq of the table's last event with a good signature; everything after it is unattested."""
        table = self._tables.get(table_id)
        return None if table is None or table.attested_seq < 0 else table.attested_seq

    # --- state --------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything the gate must remember between segments, as JSON. Rows and findings are taken first."""
        assert not self._rows and not self._findings, "take the rows and findings before the state"
        return {"tables": {table_id: stream_state(table) for table_id, table in self._tables.items()}}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state()`; {} is the very start."""
        assert not self._rows and not self._findings, "a gate is restored before it admits anything"
        self._tables = {table_id: stream_from(table_id, kept) for table_id, kept in state.get("tables", {}).items()}

    # --- in order -----------------------------------------------------------------------------------------------------

    def _pass(self, table: TableStream, offset: int, raw: bytes, event: Event, hashed: str, time_us: int) -> Admitted:
        """Let through the event the table waits for."""
        said = event.__dict__
        seq: int = said["seq"]
        flags = 0
        last_hash = table.last_hash
        if said["prevhash"] != last_hash:
            if last_hash is None:
                flags = _GAP_BEFORE
            else:
                flags = _CHAIN_BROKEN
                self._chain_broken(table, event, time_us)
        table.last_hash = hashed
        table.expected = seq + 1
        if seq > table.top:
            table.top = seq
        table.remember(seq, hashed)
        round_id: str | None = said["subject"]
        clock_us = table.clock_us
        same_round = True
        if round_id is not None and round_id != table.round_id:
            same_round = False
            table.round_id = round_id
        if (
            clock_us is not None
            and not clock_us <= time_us <= clock_us + CLOCK_AHEAD_US  # the ordinary case, before the whole rule
            and not _follows(time_us, clock_us, same_round)
        ):
            self._clock_disagrees(table, event, time_us, same_round)
        elif table.other_clock_us is not None:
            self._two_clocks(table, time_us, same_round)
        table.clock_us = time_us
        if said["sig"] is not None:
            flags |= self._signature(table, raw, event, time_us)
        return _admitted((offset, raw, event, flags))

    def _chain_broken(self, table: TableStream, event: Event, time_us: int) -> None:
        before = f"seq {event.seq - 1}" if event.seq else "the start of the chain"
        self._find(
            "GATE-002",
            table,
            event,
            time_us,
            f"its prevhash {event.prevhash[:12]}… is not the hash of {before}, {(table.last_hash or '')[:12]}…: one of "
            "the two was changed, or replaced, after it was made",
            CITE_CHAIN,
            evidence=(event.seq - 1, event.seq) if event.seq else (event.seq,),
        )

    def _clock_disagrees(self, table: TableStream, event: Event, time_us: int, same_round: bool) -> None:
        clock_us, other_us = table.clock_us, table.other_clock_us
        assert clock_us is not None
        if other_us is not None and _follows(time_us, other_us, same_round):
            self._two_clocks(table, time_us, same_round)
            return  # it goes on from the clock before the jump
        table.other_clock_us = clock_us
        by_s = (time_us - clock_us) / 1_000_000
        step = f"{-by_s:,.1f} s before" if by_s < 0 else f"{by_s / 60:,.1f} minutes after"
        where = "" if by_s < 0 else " in the same round"
        self._find(
            "GATE-007",
            table,
            event,
            time_us,
            f"its time is {step} that of the event before it{where}: a device clock jumped",
            CITE_CLOCKS,
            evidence=(event.seq - 1, event.seq),
        )

    def _two_clocks(self, table: TableStream, time_us: int, same_round: bool) -> None:
        """After a jump: which of the two clocks does this event go on from? The one left stays the second opinion.

        Two devices whose clocks differ alternate like this, and that is one jump, not hundreds. It ends with the round,
        or the old clock would hide a later jump.
        """
        clock_us, other_us = table.clock_us, table.other_clock_us
        assert clock_us is not None and other_us is not None
        if not same_round:
            table.other_clock_us = None
        elif abs(time_us - other_us) < abs(time_us - clock_us):
            table.other_clock_us = clock_us

    def _signature(self, table: TableStream, raw: bytes, event: Event, time_us: int) -> int:
        key = self._keys(table.id)
        if key is None:
            if not table.key_missed:
                table.key_missed = True
                self._find(
                    "GATE-008",
                    table,
                    event,
                    time_us,
                    "the event is signed, but no key is registered for the table, so nothing it says can be attested; "
                    "register the table controller's public key",
                    CITE_SIGNATURES,
                )
            return 0
        if verify(raw, key):
            table.attested_seq = max(table.attested_seq, event.seq)
            return _ATTESTED
        if signed_part(raw) is None:
            what = "its sig is not the last member of the event, so it cannot be checked and counts as wrong"
        else:
            what = "its signature does not verify under the key registered for the table"
        self._find("GATE-001", table, event, time_us, what, CITE_SIGNATURES)
        return _BAD_SIGNATURE

    # --- out of order -------------------------------------------------------------------------------------------------

    def _hold(self, table: TableStream, arrived: Held) -> list[Admitted]:
        event = arrived.event
        seq = event.seq
        if seq + 1 in table.held and len(table.strays) < HELD_EVENTS:
            table.strays.append((seq, event.subject))
        if seq > table.top:
            table.top = seq
        table.held[seq] = arrived
        if table.refused:
            self._place_refused(table, event)
        released: list[Admitted] = []
        self._release_ready(table, released)
        while len(table.held) >= HELD_EVENTS:
            self._declare_gap(table)
            self._release_ready(table, released)
        return released

    def _release_ready(self, table: TableStream, released: list[Admitted]) -> None:
        """Let through the held events that now follow, over refused records too, and say so when order is restored."""
        held = table.held
        while held:
            ready = held.pop(table.expected, None)
            if ready is None:
                lowest = min(held)
                hole = lowest - table.expected
                if hole > len(table.refused) or not table.refused_seqs().issuperset(range(table.expected, lowest)):
                    break
                self._skip_to(table, held[lowest].event)
                continue
            released.append(self._pass(table, ready.offset, ready.raw, ready.event, ready.hash, ready.time_us))
        if table.strays and (not held or min(held) - table.expected > HELD_EVENTS):
            self._put_in_order(table)

    def _put_in_order(self, table: TableStream) -> None:
        strays = sorted(seq for seq, _ in table.strays)
        round_id = dict(table.strays)[strays[0]] or table.round_id
        table.strays = []
        what = "1 event" if len(strays) == 1 else f"{len(strays)} events"
        self._findings.append(
            Finding(
                code="GATE-005",
                table_id=table.id,
                round_id=round_id,
                sentence=f"{_where(table.id, round_id, strays[0])}: {what} (seq {_ranges(strays)}) arrived after later "
                "ones of the table and went back into place.",
                citation=CITE_SEQUENCE,
                at_us=table.clock_us or 0,
                seq=strays[0],
                evidence=tuple(strays),
            )
        )

    def _skip_to(self, table: TableStream, event: Event) -> None:
        """Go past missing or refused events to `event`, the next one there is."""
        table.missing.append(Missing(table.expected, event.seq - 1, event.prevhash))
        del table.missing[:-MISSING_RANGES]
        table.expected = event.seq
        table.last_hash = None
        table.refused = [refused for refused in table.refused if refused.seq is None or refused.seq >= event.seq]

    def _declare_gap(self, table: TableStream) -> None:
        """Give up waiting for what is missing before the lowest held event."""
        lowest = min(table.held)
        after = table.held[lowest]
        event = after.event
        refused = table.refused_seqs()
        lost = _holes(table.expected, lowest - 1, refused)
        count = lowest - table.expected - sum(1 for seq in refused if seq < lowest)
        first = table.expected
        before = f"after seq {first - 1}" if first else "at the start of the table's stream"
        if table.round_id is not None:
            before += f" in round {table.round_id}"
        following = f"before seq {lowest}" + (f" in round {event.subject}" if event.subject else "")
        what = "1 event is missing" if count == 1 else f"{count:,} events are missing"
        self._findings.append(
            Finding(
                code="GATE-003",
                table_id=table.id,
                round_id=event.subject or table.round_id,
                sentence=f"{_where(table.id, event.subject or table.round_id, lost[0][0])}: {what} (seq "
                f"{_range_text(lost)}), {before} and {following}.",
                citation=CITE_SEQUENCE,
                at_us=after.time_us,
                seq=lost[0][0],
                evidence=(first - 1, lowest) if first else (lowest,),
            )
        )
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
        flags = _LATE
        before = table.hash_of(seq - 1) if seq else GENESIS
        if seq == hole.last and hole.last_hash is not None and hole.last_hash != arrived.hash:
            flags |= _CHAIN_BROKEN
            self._find(
                "GATE-002",
                table,
                event,
                arrived.time_us,
                f"it arrived late and its hash {arrived.hash[:12]}… is not the prevhash {hole.last_hash[:12]}… of seq "
                f"{seq + 1}: it is not the event that stood there",
                CITE_CHAIN,
                evidence=(seq, seq + 1),
            )
        elif before is not None and before != event.prevhash:
            flags |= _CHAIN_BROKEN
            self._find(
                "GATE-002",
                table,
                event,
                arrived.time_us,
                f"it arrived late and its prevhash {event.prevhash[:12]}… is not the hash of the event before it, "
                f"{before[:12]}…",
                CITE_CHAIN,
                evidence=(seq - 1, seq) if seq else (seq,),
            )
        if seq != table.late_next:  # one finding for a run of them
            self._find(
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
        if event.sig is not None:
            flags |= self._signature(table, arrived.raw, event, arrived.time_us)
        return Admitted(arrived.offset, arrived.raw, event, flags)

    # --- not admitted -------------------------------------------------------------------------------------------------

    def _known_already(
        self, table: TableStream, offset: int, event: Event, time_us: int, same: bool
    ) -> tuple[str, str]:
        if same:
            if event.seq != table.old_next:  # a file sent again is one disturbance, not thousands
                what = f"the same event arrived again (log record {offset}); the first counts"
                self._find("GATE-004", table, event, time_us, what, CITE_SEQUENCE)
            table.old_next = event.seq + 1
            return DUPLICATE, "the same event is recorded already"
        self._find(
            "GATE-009",
            table,
            event,
            time_us,
            f"another event with this sequence number arrived (log record {offset}, {event.type.split('.', 1)[1]}); "
            "the first counts and this one is in quarantine",
            CITE_CHAIN,
        )
        return QUARANTINED, "another event with this seq is recorded already"

    def _too_old(self, table: TableStream, event: Event, time_us: int) -> tuple[str, str]:
        seq = event.seq
        if seq != table.old_next:
            self._find(
                "GATE-004",
                table,
                event,
                time_us,
                f"it is older than the window: the table is at seq {table.expected - 1} and the last "
                f"{REMEMBERED_HASHES} events are remembered, so it is a duplicate, or can no longer be told from "
                "one; it and those that directly follow it are in quarantine",
                CITE_SEQUENCE,
            )
        table.old_next = seq + 1
        return QUARANTINED, f"older than the window of {REMEMBERED_HASHES} events"

    def _refuse(self, record: LogRecord, reason: str) -> Sequence[Admitted]:
        """Quarantine a record that is no valid event, and note which place in the chain it may have had."""
        offset, timestamp_us, key, raw = record
        reason = reason[:MAX_REASON_CHARS]
        digest = sha256(raw).digest()
        seq, round_id = seq_in(raw), subject_in(raw)
        self._rows.append(
            (offset, timestamp_us, key, round_id, seq, None, None, None, None, QUARANTINED, reason, digest, raw)
        )
        released: list[Admitted] = []
        at_us = timestamp_us
        place = offset if seq is None else seq  # a record of no table is ordered by its place in the log
        table = self._table_refused_for(key, raw)
        if table is not None:
            if table.clock_us is not None:
                at_us = table.clock_us
            if round_id is None:
                round_id = table.round_id
            if seq is None:
                unplaced = sum(1 for other in table.refused if other.seq is None and other.expected == table.expected)
                place = table.expected + unplaced
            if seq is None or seq >= table.expected:
                table.refused.append(Refused(seq, digest.hex(), table.expected))
                del table.refused[:-REFUSED_RECORDS]
        self._findings.append(
            Finding(
                code="GATE-006",
                table_id=key,
                round_id=round_id,
                sentence=f"{_where(key, round_id, seq)}: log record {offset} is not a valid event and is in "
                f"quarantine: {reason}.",
                citation=CITE_ENVELOPE,
                at_us=at_us,
                seq=place,
                evidence=() if seq is None else (seq,),
            )
        )
        if table is not None and table.held:
            self._place_refused(table, table.held[min(table.held)].event)
            self._release_ready(table, released)
        return released

    def _table_refused_for(self, key: str, raw: bytes) -> TableStream | None:
        """The table a refused record belongs to; none when its key is no table's, or its bytes name another."""
        if _TABLE_ID.match(key) is None or table_id_in(raw) not in (None, key):
            return None
        return self._tables.setdefault(key, TableStream(key))

    def _place_refused(self, table: TableStream, event: Event) -> None:
        """If a refused record hashes to this event's prevhash, that record was the event before it.

        Refused records that came directly before that one, and whose seq cannot be read either, are taken for the
        events before it in turn, as far as the table is waiting for any.
        """
        for index in range(len(table.refused) - 1, -1, -1):
            if table.refused[index].hash == event.prevhash:
                break
        else:
            return
        seq = event.seq - 1
        while seq >= table.expected and index >= 0:
            refused = table.refused[index]
            table.refused[index] = refused._replace(seq=seq)
            seq -= 1
            index -= 1
            if index >= 0 and (table.refused[index].seq is not None or table.refused[index].expected != table.expected):
                break

    def _find(
        self,
        code: str,
        table: TableStream,
        event: Event,
        at_us: int,
        what: str,
        citation: str,
        evidence: tuple[int, ...] | None = None,
    ) -> None:
        round_id = event.subject or table.round_id
        self._findings.append(
            Finding(
                code=code,
                table_id=table.id,
                round_id=round_id,
                sentence=f"{_where(table.id, round_id, event.seq)}: {what}.",
                citation=citation,
                at_us=at_us,
                seq=event.seq,
                evidence=(event.seq,) if evidence is None else evidence,
            )
        )


def _follows(time_us: int, clock_us: int, same_round: bool) -> bool:
    """Whether an event of this time may follow one of that: hours may pass between rounds, not within one."""
    return time_us >= clock_us - CLOCK_BACK_US and not (same_round and time_us > clock_us + CLOCK_AHEAD_US)


# --- words ------------------------------------------------------------------------------------------------------------


def _where(table_id: str, round_id: str | None, seq: int | None) -> str:
    text = table_id[:60] if round_id is None else f"{table_id[:60]} round {round_id}"
    return text if seq is None else f"{text}, seq {seq}"


def _ranges(seqs: Sequence[int]) -> str:
    """`5, 7 to 9` of ascending numbers."""
    ranges: list[tuple[int, int]] = []
    for seq in seqs:
        if ranges and ranges[-1][1] == seq - 1:
            ranges[-1] = (ranges[-1][0], seq)
        else:
            ranges.append((seq, seq))
    return _range_text(ranges)


def _range_text(ranges: Iterable[tuple[int, int]]) -> str:
    return ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in ranges)


def _holes(first: int, last: int, filled: set[int]) -> list[tuple[int, int]]:
    """The ranges of first..last left by the filled numbers."""
    holes: list[tuple[int, int]] = []
    start = first
    for seq in sorted(filled):
        if seq < first or seq > last:
            continue
        if seq > start:
            holes.append((start, seq - 1))
        start = seq + 1
    if start <= last:
        holes.append((start, last))
    return holes
