"""Events checked without a home, line by line, as a vendor tries a device: form, envelope, sequence, chain, signatures.

The rules are the gate's, told earlier and in full: the gate says why a record is refused, and this says everything that
is wrong with it, and what would have been right. A *mistake* is what is refused, breaks the chain or does not verify; a
*remark* is what is recorded and still worth a look. However long a file is, what is remembered of it is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, NamedTuple

from nacl.signing import VerifyKey
from pydantic import ValidationError

from ingest.chain import GENESIS, event_hash, signed_part, verify
from ingest.gate.gate import Gate
from ingest.gate.signatures import MUST_BE_SIGNED
from ingest.key_history import KeyHistory, TableKey
from ingest.log import LogRecord
from ingest.mistakes import Mistake, mistakes_in
from ingest.refusal import INVALID, foreign_source, oddity, refusal_of, seq_in, table_id_in
from schemas.events import MAX_EVENT_BYTES, MAX_SEQ, Event, parse_event

REMEMBERED_TABLES = 1_024
REMEMBERED_EVENTS = 512  # of a table, as the gate remembers them
REMEMBERED_IDS = 100_000
_FROM_THE_GATE = frozenset({"GATE-007", "GATE-017", "GATE-018"})
"""What else the gate would say of the file: clock jumps, floods, rounds without end."""

Kind = Literal["mistake", "remark"]


class Problem(NamedTuple):
    """Something about a line."""

    line: int
    kind: Kind
    table: str | None
    seq: int | None
    what: Mistake


@dataclass
class _Table:
    """What is remembered of a table's chain."""

    expected: int
    hashes: dict[int, tuple[str, int]] = field(default_factory=dict)  # by seq: the hash, and the line it stands in
    other_hashes: dict[str, str] = field(
        default_factory=dict
    )  # wrong hashes of the last event, and how they come about
    unsigned_said: bool = False


class _NoKeys:
    """The gate is asked for what does not depend on keys."""

    def history_of(self, table_id: str) -> KeyHistory:
        return KeyHistory(table_id)

    latest_of = history_of

    def others(self, table_id: str) -> Iterator[tuple[str, TableKey]]:
        return iter(())


class Validation:
    """Checks one line after the other; `keys` are the public keys of tables whose signatures can be checked."""

    def __init__(self, keys: Mapping[str, VerifyKey]) -> None:
        self._keys = keys
        self._tables: dict[str, _Table] = {}
        self._ids: dict[str, int] = {}
        self._gate = Gate(_NoKeys())
        self._records = 0

    def check(self, line: int, raw: bytes) -> tuple[Event | None, list[Problem]]:
        """The event, if it is one, and what there is to say of the line."""
        event, wrong = _parsed(raw)
        table_id = table_id_in(raw) if event is None else event.tableid
        seq = seq_in(raw) if event is None else event.seq
        remarks: list[Mistake] = []
        if event is not None:
            foreign = foreign_source(event.source, event.tableid)
            if foreign is not None:
                device = event.source.rsplit("/", 1)[1]
                wrong.append(Mistake("source", foreign, f"/tables/{event.tableid}/devices/{device}"))
            self._check_id(line, event, wrong)
        if table_id is not None and seq is not None:
            table = self._table(table_id)
            self._check_place(table, line, raw, event, seq, wrong, remarks)
            if event is not None:
                self._check_signature(table, raw, event, wrong, remarks)
        if event is not None:
            remarks += self._from_the_gate(event, raw)
        said = [Problem(line, "mistake", table_id, seq, what) for what in wrong]
        return event, said + [Problem(line, "remark", table_id, seq, what) for what in remarks]

    def _table(self, table_id: str) -> _Table | None:
        return self._tables.get(table_id) or self._remembered(table_id)

    def _remembered(self, table_id: str) -> _Table:
        table = self._tables[table_id] = _Table(expected=-1)
        if len(self._tables) > REMEMBERED_TABLES:
            del self._tables[next(iter(self._tables))]
        return table

    def _check_id(self, line: int, event: Event, wrong: list[Mistake]) -> None:
        first = self._ids.setdefault(event.id, line)
        if len(self._ids) > REMEMBERED_IDS:
            del self._ids[next(iter(self._ids))]
        if first != line:
            known = self._tables.get(event.tableid)
            if known is None or known.hashes.get(event.seq, ("", 0))[1] != first:  # else it is the same event again
                wrong.append(Mistake("id", f"{event.id} is the id of line {first}, too; each event has one of its own"))

    # --- sequence and chain -------------------------------------------------------------------------------------------

    def _check_place(
        self,
        table: _Table | None,
        line: int,
        raw: bytes,
        event: Event | None,
        seq: int,
        wrong: list[Mistake],
        remarks: list[Mistake],
    ) -> None:
        assert table is not None
        digest = event_hash(raw)
        known = table.hashes.get(seq)
        if known is not None:
            if known[0] == digest:
                remarks.append(Mistake("", f"the same event as in line {known[1]}; the first counts"))
            else:
                wrong.append(Mistake("seq", f"{seq} is the number of the event in line {known[1]} already"))
            return
        if table.expected < 0:
            if seq and (event is None or event.prevhash != GENESIS):
                said = f"the table's first event in the file has seq {seq}, so its prevhash cannot be checked"
                remarks.append(Mistake("prevhash", said))
        elif seq > table.expected:
            missing = str(table.expected) if seq == table.expected + 1 else f"{table.expected} to {seq - 1}"
            said = f"{seq}, where the table's next number is {table.expected}: {missing} is missing, or comes later"
            wrong.append(Mistake("seq", said))
        elif seq < table.expected:
            remarks.append(Mistake("seq", f"{seq} comes after {table.expected - 1}; say things in order"))
        if event is not None:
            self._check_prevhash(table, event, wrong)
        table.hashes[seq] = (digest, line)
        if len(table.hashes) > REMEMBERED_EVENTS:
            del table.hashes[next(iter(table.hashes))]
        if seq >= table.expected:
            table.expected = seq + 1
            table.other_hashes = _other_hashes(raw)
            if seq == MAX_SEQ:
                remarks.append(Mistake("seq", f"{MAX_SEQ} is the last number there is"))

    def _check_prevhash(self, table: _Table, event: Event, wrong: list[Mistake]) -> None:
        before = (GENESIS, 0) if event.seq == 0 else table.hashes.get(event.seq - 1)
        if before is None or before[0] == event.prevhash:
            return
        right = before[0]
        if event.seq == 0:
            wrong.append(Mistake("prevhash", "the table's first event has 64 zeros", right))
            return
        how = table.other_hashes.get(event.prevhash) if event.seq == table.expected else None
        text = f"{event.prevhash} is not the hash of seq {event.seq - 1} (line {before[1]})"
        if how is not None:
            text += f" but {how}"
        elif event.prevhash == GENESIS:
            text += "; zeros are for the table's first event only"
        wrong.append(Mistake("prevhash", text, right))

    # --- signatures ---------------------------------------------------------------------------------------------------

    def _check_signature(
        self, table: _Table | None, raw: bytes, event: Event, wrong: list[Mistake], remarks: list[Mistake]
    ) -> None:
        assert table is not None
        key = self._keys.get(event.tableid)
        if event.sig is None:
            if event.type in MUST_BE_SIGNED and (key is not None or not table.unsigned_said):
                table.unsigned_said = True
                said = Mistake("sig", "missing: the table controller signs this event; unsigned it attests nothing")
                (wrong if key is not None else remarks).append(said)
        elif signed_part(raw) is None:
            form = 'not the last member, written ,"sig":"128 hex digits"} without blanks, so it cannot be checked'
            wrong.append(Mistake("sig", form))
        elif key is not None and not verify(raw, key):
            wrong.append(Mistake("sig", f"does not verify under the key given for {event.tableid}"))

    def _from_the_gate(self, event: Event, raw: bytes) -> list[Mistake]:
        self._gate.admit(LogRecord(self._records, 0, event.tableid, raw))
        self._records += 1
        self._gate.take_rows()
        said = [finding for finding in self._gate.take_findings() if finding.code in _FROM_THE_GATE]
        return [
            Mistake("time" if finding.code == "GATE-007" else "", _without_place(finding.sentence)) for finding in said
        ]


def _parsed(raw: bytes) -> tuple[Event | None, list[Mistake]]:
    """The event, or every reason why it is none."""
    if len(raw) > MAX_EVENT_BYTES:
        return None, [Mistake("", f"the event is {len(raw):,} bytes long; it may have {MAX_EVENT_BYTES:,}")]
    try:
        event = parse_event(raw)
    except ValidationError as error:
        refusal = refusal_of(raw, error)
        return None, mistakes_in(error) if refusal.code == INVALID else [Mistake("", refusal.reason)]
    members = len(event.model_fields_set) + len(event.data.model_fields_set)
    odd = oddity(raw, members, event.time)
    return (event, []) if odd is None else (None, [Mistake("", odd.reason)])


def _other_hashes(raw: bytes) -> dict[str, str]:
    """Hashes of an event that people take for its hash."""
    found = {
        sha256(raw + b"\n").hexdigest(): "of its bytes with the newline",
        sha256(raw + b"\r\n").hexdigest(): "of its bytes with the line's end",
    }
    unsigned = signed_part(raw)
    if unsigned is not None:
        found[sha256(unsigned).hexdigest()] = "of its bytes without the signature"
    return found


def _without_place(sentence: str) -> str:
    """A finding's sentence without the place before it, which the line says already."""
    return sentence.partition(": ")[2].removesuffix(".")
