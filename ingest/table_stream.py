"""What the gate remembers of one table's stream, and that memory as JSON.

Every list here has a limit, so a table's memory is bounded however badly its devices behave. What the gate decides on
it is in ingest/gate.py.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any, NamedTuple

from ingest.chain import GENESIS, event_hash
from schemas.clock import microseconds
from schemas.events import Event, parse_event

HELD_EVENTS = 64  # a device that is further behind than this has lost the event, not delayed it
REMEMBERED_HASHES = 512  # how far back a duplicate, a fork or a late event can be told
MISSING_RANGES = 256
REFUSED_RECORDS = 64


class Held(NamedTuple):
    """An event that waits for the ones before it."""

    offset: int
    raw: bytes
    event: Event
    hash: str
    time_us: int


class Refused(NamedTuple):
    """A refused record that may be the event at `seq` (None: unreadable)."""

    seq: int | None
    hash: str
    expected: int  # what the table was waiting for when it came


class Missing(NamedTuple):
    """Declared missing: `first` to `last`. `last_hash` is what the event after them says the last one hashes to."""

    first: int
    last: int
    last_hash: str | None


class TableStream:
    """What the gate remembers of one table."""

    __slots__ = (
        "attested_seq",
        "clock_us",
        "expected",
        "hashes",
        "held",
        "id",
        "key_missed",
        "last_hash",
        "late_next",
        "missing",
        "old_next",
        "origin",
        "other_clock_us",
        "refused",
        "round_id",
        "strays",
        "top",
    )

    def __init__(self, table_id: str) -> None:
        self.id = table_id
        self.expected = 0  # the seq that may pass next
        self.last_hash: str | None = GENESIS  # of the event before it; None when that one is missing or was refused
        self.top = -1  # the highest seq recorded, held ones included
        self.hashes: dict[int, str] = {}  # of recorded events by seq, in the order they came
        self.origin: str | None = None  # the hash of seq 0, kept for good: a chain that starts over is a fork
        self.held: dict[int, Held] = {}
        # (seq, round) of events that came after their successors, since the stream was last in order
        self.strays: list[tuple[int, str | None]] = []
        self.missing: list[Missing] = []  # ascending
        self.refused: list[Refused] = []  # in the order they came
        self.round_id: str | None = None
        self.clock_us: int | None = None
        self.other_clock_us: int | None = None  # the second opinion after a jump, until the round ends
        self.attested_seq = -1
        self.key_missed = False  # GATE-008 was said
        self.late_next = -1  # the seq that would go on a run of late events
        self.old_next = -1  # the seq that would go on a run of events older than the window

    def remember(self, seq: int, digest: str) -> None:
        hashes = self.hashes
        hashes[seq] = digest
        if len(hashes) > REMEMBERED_HASHES and hashes.pop(seq - REMEMBERED_HASHES, None) is None:
            del hashes[next(iter(hashes))]  # after a leap in seq: the one that has been there longest
        if seq == 0:
            self.origin = digest

    def hash_of(self, seq: int) -> str | None:
        """The hash of a recorded event, if it is still remembered."""
        return self.origin if seq == 0 else self.hashes.get(seq)

    def missing_at(self, seq: int) -> int | None:
        """Where in `missing` the range with this seq is."""
        for index, missing in enumerate(self.missing):
            if missing.first <= seq <= missing.last:
                return index
        return None

    def refused_seqs(self) -> set[int]:
        return {refused.seq for refused in self.refused if refused.seq is not None and refused.seq >= self.expected}


def stream_state(table: TableStream) -> dict[str, Any]:
    runs: list[list[int]] = []  # the seqs of the hashes, as [first, how many], in the order they came
    for seq in table.hashes:
        if runs and sum(runs[-1]) == seq:
            runs[-1][1] += 1
        else:
            runs.append([seq, 1])
    return {
        "attested_seq": table.attested_seq,
        "clock_us": table.clock_us,
        "expected": table.expected,
        "hash_runs": runs,
        "hashes": b64encode(bytes.fromhex("".join(table.hashes.values()))).decode("ascii"),
        "held": [[held.offset, held.raw.decode("utf-8")] for _, held in sorted(table.held.items())],
        "key_missed": table.key_missed,
        "last_hash": table.last_hash,
        "late_next": table.late_next,
        "missing": [list(missing) for missing in table.missing],
        "old_next": table.old_next,
        "origin": table.origin,
        "other_clock_us": table.other_clock_us,
        "refused": [list(refused) for refused in table.refused],
        "round_id": table.round_id,
        "strays": [list(stray) for stray in table.strays],
        "top": table.top,
    }


def stream_from(table_id: str, kept: dict[str, Any]) -> TableStream:
    table = TableStream(table_id)
    table.attested_seq = kept["attested_seq"]
    table.clock_us = kept["clock_us"]
    table.expected = kept["expected"]
    digits = b64decode(kept["hashes"]).hex()
    seqs = [seq for first, count in kept["hash_runs"] for seq in range(first, first + count)]
    table.hashes = {seq: digits[64 * place : 64 * place + 64] for place, seq in enumerate(seqs)}
    table.held = {held.event.seq: held for held in (_held_from(offset, text) for offset, text in kept["held"])}
    table.key_missed = kept["key_missed"]
    table.last_hash = kept["last_hash"]
    table.late_next = kept["late_next"]
    table.missing = [Missing(*missing) for missing in kept["missing"]]
    table.old_next = kept["old_next"]
    table.origin = kept["origin"]
    table.other_clock_us = kept["other_clock_us"]
    table.refused = [Refused(*refused) for refused in kept["refused"]]
    table.round_id = kept["round_id"]
    table.strays = [(seq, round_id) for seq, round_id in kept["strays"]]
    table.top = kept["top"]
    return table


def _held_from(offset: int, text: str) -> Held:
    raw = text.encode("utf-8")
    event = parse_event(raw)
    return Held(offset, raw, event, event_hash(raw), microseconds(event.time))
