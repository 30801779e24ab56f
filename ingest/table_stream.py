"""What the gate remembers of one table's stream, and that memory as JSON.

Every list here has a limit, so a table's memory is bounded however badly its devices behave. What the gate decides on
it is in ingest/gate/gate.py.
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
FORK_HEADS = 64
RECENT_ROUNDS = 8
KNOWN_SOURCES = 64
UNATTESTED_EVENTS = 1_000  # how many events may come without a good signature before that is said

KEPT_DIGITS = 24
"""Of a remembered hash, in hex: 96 bits. A duplicate, a fork and a proof are told by seq and these; finding another
event that has the same is 2^96 tries, and `last_hash`, which the chain hangs on, is kept whole."""

NEVER = 2**62  # a count no table reaches
NEVER_YET = -(2**62)  # before any log time
DISOWNED_EVENTS = 1_024


class Held(NamedTuple):
    """An event that waits for the ones before it."""

    offset: int
    timestamp_us: int
    raw: bytes
    event: Event
    hash: str
    time_us: int
    good: bool = False  # it is signed with a key in force


class Refused(NamedTuple):
    """A refused record that may have been an event of the table."""

    seq: int | None  # what it says; None: unreadable
    hash: str
    prevhash: str | None
    expected: int  # what the table was waiting for when it came
    offset: int


class Link(NamedTuple):
    """A stretch of the chain without a break (ingest/gate/links.py)."""

    first: int  # its first event's seq
    before: str  # and prevhash
    last: int = -1  # and its last event's seq and hash; open in the newest link
    last_hash: str = ""
    vouched: int = -1  # the last seq in it that a good signature of the table controller vouches for


class Missing(NamedTuple):
    """Declared missing: `first` to `last`. `last_hash` is what the event after them says the last one hashes to."""

    first: int
    last: int
    last_hash: str | None


class TableStream:
    """What the gate remembers of one table."""

    __slots__ = (
        "ahead_log_us",
        "attested_seq",
        "bad_signer",
        "chains",
        "clock_log_us",
        "clock_us",
        "count",
        "disowned",
        "disowned_count",
        "disowned_log_us",
        "endless",
        "expected",
        "flooding",
        "forks",
        "hashes",
        "held",
        "id",
        "key_entries",
        "key_head",
        "key_missed",
        "last_hash",
        "late_next",
        "links",
        "look_at",
        "lull",
        "marks",
        "missing",
        "muted",
        "origin",
        "other_clock_us",
        "overruled",
        "pace_log_us",
        "pace_skew_us",
        "refused",
        "reinstated",
        "resyncs",
        "rivals",
        "round_id",
        "round_open",
        "rounds",
        "run",
        "run_next",
        "said",
        "said_log_us",
        "skew",
        "sources",
        "strays",
        "tail_at",
        "top",
        "unsigned",
        "window_at",
    )

    def __init__(self, table_id: str) -> None:
        self.id = table_id
        self.sources: set[str] = set()  # that were found to be its own; they save a look, and need not be kept
        self.expected = 0  # the seq that may pass next
        self.last_hash: str | None = GENESIS  # of the event before it; None when that one is missing or was refused
        self.top = -1  # the highest seq recorded, held ones included
        self.hashes: dict[int, str] = {}  # of recorded events by seq, in the order they came
        self.origin: str | None = None  # the hash of seq 0, kept for good: a chain that starts over is told by it
        self.held: dict[int, list[Held]] = {}  # by seq: who will turn out to be the one is not known yet
        self.disowned: dict[str, None] = {}  # the hashes of events that waited, and whose place another one has
        self.disowned_count = 0  # of them in the current window of log time,
        self.disowned_log_us = 0  # which began here
        self.ahead_log_us = NEVER_YET  # when GATE-035 was last due
        self.resyncs = 0  # how many registered resynchronisations have been honoured
        # (seq, round) of events that came after their successors, since the stream was last in order
        self.strays: list[tuple[int, str | None]] = []
        self.missing: list[Missing] = []  # ascending
        self.refused: list[Refused] = []  # in the order they came
        self.forks: dict[str, int] = {}  # the hashes of quarantined forks, with their log records' offsets
        self.links = [Link(0, GENESIS[:KEPT_DIGITS])]  # ascending; the last one is where the table is
        self.rivals: list[Held] = []  # in quarantine: their numbers are taken by events no good signature vouches for
        self.reinstated: list[Held] = []  # rivals that prevailed,
        self.overruled: list[tuple[int, int, int]] = []  # over these: first and last seq, in records before an offset
        self.chains = 0  # how many registered new chains have begun
        self.round_id: str | None = None
        self.rounds: dict[str, int] = {}  # the newest rounds, each with the count it began at
        self.endless: str | None = None  # the round GATE-018 was said of
        # clocks
        self.clock_us: int | None = None
        self.clock_log_us = 0  # when the log received the event of that time
        self.round_open = False  # the round's end has not been said
        self.lull = False  # time went on for long in an open round, and whether the round does is not known yet
        self.other_clock_us: int | None = None  # the second opinion after a jump, until the round ends
        self.skew = SKEW_UNKNOWN
        self.pace_log_us = -1  # where the log's and the device's clock were first compared, while skew is unknown
        self.pace_skew_us = 0
        # signatures
        self.attested_seq = -1
        self.key_entries = 0  # how many entries its key history had when it was last looked at
        self.key_head: str | None = None  # the hash of what they say
        self.key_missed = False  # GATE-008 was said
        self.unsigned = False  # GATE-015 was said
        self.bad_signer: str | None = None  # whose key the last signature was of, when it was not a good one
        # runs of records that are not admitted: one finding each
        self.run = ""  # which kind
        self.run_next = -1  # the seq that would go on with it
        self.late_next = -1  # the seq that would go on a run of late events
        # limits; `count` is of the events let through or held
        self.count = 0
        self.look_at = 0  # the count at which one of the limits below has to be looked at
        self.tail_at = UNATTESTED_EVENTS  # the count at which GATE-016 is due
        self.window_at = 0  # the count at which the rate is looked at again
        self.marks: list[tuple[int, int]] = []  # its own and the log's time at the last looks, the oldest first
        self.flooding = 0  # looks to come until another surplus is another flood
        self.said = 0  # findings on records that are not admitted, in the current window of log time
        self.said_log_us = 0
        self.muted = False

    def remember(self, seq: int, digest: str) -> None:
        hashes = self.hashes
        hashes[seq] = digest
        if len(hashes) > REMEMBERED_HASHES and hashes.pop(seq - REMEMBERED_HASHES, None) is None:
            del hashes[next(iter(hashes))]  # after a leap in seq: the one that has been there longest
        if seq == 0:
            self.origin = digest

    def hash_of(self, seq: int) -> str | None:
        """The first KEPT_DIGITS of the hash of a recorded event, if it is still remembered."""
        known = self.origin if seq == 0 else self.hashes.get(seq)
        return None if known is None else known[:KEPT_DIGITS]

    def disown(self, digest: str) -> None:
        """A recorded event that is not the table's: it was never let through, and never will be."""
        self.disowned[digest[:KEPT_DIGITS]] = None
        if len(self.disowned) > DISOWNED_EVENTS:
            del self.disowned[next(iter(self.disowned))]

    def take_out(self, one: Held) -> None:
        """It waits no longer."""
        ones = self.held[one.event.seq]
        ones.remove(one)
        if not ones:
            del self.held[one.event.seq]

    def end_link(self) -> None:
        """The newest link of its chain goes on no further: what comes next does not follow, or is missing."""
        if self.last_hash is not None:
            last = self.links[-1]
            self.links[-1] = last._replace(last=self.expected - 1, last_hash=self.last_hash[:KEPT_DIGITS])
            self.last_hash = None

    def pass_by(self, seq: int, digest: str) -> None:
        """The stream goes on behind an event in its place that is too much; a copy may come late."""
        last = self.missing[-1] if self.missing else None
        if last is not None and last.last == seq - 1 and self.last_hash is None:
            self.missing[-1] = Missing(last.first, seq, digest)
        else:
            self.missing.append(Missing(seq, seq, digest))
            del self.missing[:-MISSING_RANGES]
        self.end_link()
        self.expected = seq + 1

    def missing_at(self, seq: int) -> int | None:
        """Where in `missing` the range with this seq is."""
        for index, missing in enumerate(self.missing):
            if missing.first <= seq <= missing.last:
                return index
        return None

    def proven_before(self, event: Event) -> int:
        """The lowest seq from which on every event missing before `event` is provably one of the refused records.

        Proof is the hash: `event` says what the one before it hashes to, and that one, if it can still be read, what
        the one before it hashes to in turn. What a refused record says of its own place proves nothing.
        """
        return self._proof(event)[0]

    def hangs_off_refused(self, event: Event) -> bool:
        """Whether `event` hangs, over refused records and nothing else, off the last event of the table."""
        seq, wanted = self._proof(event)
        return seq == self.expected and self.last_hash is not None and wanted == self.last_hash[:KEPT_DIGITS]

    def _proof(self, event: Event) -> tuple[int, str | None]:
        """The lowest proven seq, and the hash that the event before it has; None: it cannot be read."""
        by_hash = {refused.hash: refused for refused in self.refused}
        seq, wanted = event.seq, event.prevhash[:KEPT_DIGITS]
        while seq > self.expected:
            found = by_hash.get(wanted)
            if found is None:
                break
            seq -= 1
            if found.prevhash is None:
                return seq, None
            wanted = found.prevhash
        return seq, wanted


SKEW_FINE, SKEW_UNKNOWN, SKEW_SAID = 0, 1, 2

_PLAIN = (
    "ahead_log_us",
    "attested_seq",
    "bad_signer",
    "chains",
    "clock_log_us",
    "clock_us",
    "count",
    "disowned_count",
    "disowned_log_us",
    "endless",
    "expected",
    "flooding",
    "forks",
    "key_entries",
    "key_head",
    "key_missed",
    "last_hash",
    "late_next",
    "look_at",
    "lull",
    "muted",
    "origin",
    "other_clock_us",
    "pace_log_us",
    "pace_skew_us",
    "resyncs",
    "round_id",
    "round_open",
    "rounds",
    "run",
    "run_next",
    "said",
    "said_log_us",
    "skew",
    "tail_at",
    "top",
    "unsigned",
    "window_at",
)
"""What is JSON as it stands."""


def stream_state(table: TableStream) -> dict[str, Any]:
    runs: list[list[int]] = []  # the seqs of the hashes, as [first, how many], in the order they came
    for seq in table.hashes:
        if runs and sum(runs[-1]) == seq:
            runs[-1][1] += 1
        else:
            runs.append([seq, 1])
    kept = bytes.fromhex("".join([digest[:KEPT_DIGITS] for digest in table.hashes.values()]))
    state = {name: getattr(table, name) for name in _PLAIN}
    # Lists of pairs, because a JSON object forgets the order its members came in
    state["forks"] = list(table.forks.items())
    state["rounds"] = list(table.rounds.items())
    state["hash_runs"] = runs
    state["hashes"] = b64encode(kept).decode("ascii")
    state["disowned"] = list(table.disowned)
    state["held"] = [_held_state(held) for _, waiting in sorted(table.held.items()) for held in waiting]
    state["rivals"] = [_held_state(held) for held in table.rivals]
    state["reinstated"] = [_held_state(held) for held in table.reinstated]
    state["overruled"] = [list(one) for one in table.overruled]
    state["links"] = [list(link) for link in table.links]
    state["marks"] = [list(mark) for mark in table.marks]
    state["missing"] = [list(missing) for missing in table.missing]
    state["refused"] = [list(refused) for refused in table.refused]
    state["strays"] = [list(stray) for stray in table.strays]
    return state


def stream_from(table_id: str, kept: dict[str, Any]) -> TableStream:
    table = TableStream(table_id)
    for name in _PLAIN:
        setattr(table, name, kept[name])
    table.forks = dict(kept["forks"])
    table.rounds = dict(kept["rounds"])
    digits = b64decode(kept["hashes"]).hex()
    seqs = [seq for first, count in kept["hash_runs"] for seq in range(first, first + count)]
    table.hashes = {seq: digits[KEPT_DIGITS * at : KEPT_DIGITS * (at + 1)] for at, seq in enumerate(seqs)}
    table.disowned = dict.fromkeys(kept["disowned"])
    for waiting in kept["held"]:
        held = _held_from(*waiting)
        table.held.setdefault(held.event.seq, []).append(held)
    table.rivals = [_held_from(*one) for one in kept["rivals"]]
    table.reinstated = [_held_from(*one) for one in kept["reinstated"]]
    table.overruled = [(first, last, offset) for first, last, offset in kept["overruled"]]
    table.links = [Link(*link) for link in kept["links"]]
    table.marks = [(time_us, log_us) for time_us, log_us in kept["marks"]]
    table.missing = [Missing(*missing) for missing in kept["missing"]]
    table.refused = [Refused(*refused) for refused in kept["refused"]]
    table.strays = [(seq, round_id) for seq, round_id in kept["strays"]]
    return table


def _held_state(held: Held) -> list[Any]:
    return [held.offset, held.timestamp_us, held.raw.decode("utf-8"), held.good]


def _held_from(offset: int, timestamp_us: int, text: str, good: bool) -> Held:
    raw = text.encode("utf-8")
    event = parse_event(raw)
    return Held(offset, timestamp_us, raw, event, event_hash(raw), microseconds(event.time), good)
