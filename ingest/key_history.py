"""A table's public keys over time: which one its controller may sign with at a place of its stream.

A history is a list of entries (add, rotate, revoke, resync, supervise) that only ever grows; each names the hash of the
one before it, so that none can be changed, dropped or put in between without it showing. An entry holds from a *place*
on, which is a `seq` of the table or a *log time*: the timestamp the log gave a record, which no device chooses. What a
key is worth for a record follows from the record's seq and timestamp and the history alone, so old records are judged
today as they were then. A file of old events is logged when it is read in: for those, only a place by seq tells which
key was right. Nothing here reads a file or a clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, get_args

import orjson
from nacl.signing import VerifyKey

from ingest.chain import GENESIS, public_key
from schemas.clock import time_of

Action = Literal["add", "rotate", "revoke", "resync", "supervise"]

FORMAT = 2  # 1 was a single key without a history
MAX_REASON_CHARS = 200
MAX_OVERLAP_US: Final = 30 * 24 * 3600 * 1_000_000
LAST_TIME_US: Final = 253_402_300_800_000_000  # the year 10000
LAST_SEQ: Final = 2**31 - 1
SHORTEST_PREFIX = 8  # hex digits by which a registered key may be named
UPGRADED = "registered before histories were kept"


class KeyHistoryError(Exception):
    """An entry makes no sense, or a history is damaged; the message names the table, the value and the way out."""


class Standing(StrEnum):
    """What a key is worth at a moment."""

    GOOD = "good"
    EARLY = "early"  # registered, and not in force yet
    RETIRED = "retired"  # another took its place
    REVOKED = "revoked"  # from then on somebody else may hold it


class Place(NamedTuple):
    """Where in a table's stream something begins: at a seq, or at a log time. Never both."""

    us: int | None = None
    seq: int | None = None

    def reached(self, timestamp_us: int, seq: int) -> bool:
        """Whether a record lies there or after it."""
        return timestamp_us >= self.us if self.us is not None else seq >= (self.seq or 0)

    def __str__(self) -> str:
        return text_of(self.us) if self.us is not None else f"seq {self.seq}"


START = Place(seq=0)


@dataclass(frozen=True)
class Entry:
    """One line of a history. It holds from `from_us` (log time) or `from_seq` on; neither: from the very start.

    A resync has both: from that log time on the table goes on with that seq, and no key.
    """

    action: Action
    public_key: str
    from_us: int | None = None
    from_seq: int | None = None
    reason: str = ""
    overlap_us: int = 0  # rotate: how long the keys before it stay good
    new_chain: bool = False  # rotate: the new controller does not know the chain it takes over
    recorded_us: int | None = None  # when the operator entered it, by the operator's clock; decides nothing
    previous: str = GENESIS

    @property
    def place(self) -> Place:
        return Place(self.from_us, self.from_seq) if self.from_us is not None or self.from_seq is not None else START

    def hash(self) -> str:
        return sha256(orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS)).hexdigest()


class TableKey(NamedTuple):
    """One key of a table, and from where to where in its stream it is good."""

    public_hex: str
    verify_key: VerifyKey
    start: Place
    ends: tuple[Place, ...]  # the first one that is reached counts
    revoked: tuple[Place, ...]
    unlimited: bool = False  # there is no record it is not good for

    def until(self) -> list[Place]:
        """Where it ceases to be good: a time, a seq, or both, whichever is reached first; nowhere if none."""
        over = (*self.ends, *self.revoked)
        times = [place.us for place in over if place.us is not None]
        seqs = [place.seq for place in over if place.seq is not None]
        return [Place(us=us) for us in sorted(times)[:1]] + [Place(seq=seq) for seq in sorted(seqs)[:1]]

    def standing(self, timestamp_us: int, seq: int) -> Standing:
        if self.unlimited:
            return Standing.GOOD
        if any(place.reached(timestamp_us, seq) for place in self.revoked):
            return Standing.REVOKED
        if not self.start.reached(timestamp_us, seq):
            return Standing.EARLY
        if any(place.reached(timestamp_us, seq) for place in self.ends):
            return Standing.RETIRED
        return Standing.GOOD


class KeyHistory:
    """The keys of one table. Immutable: what is added makes a new history."""

    __slots__ = ("_chains", "_resyncs", "entries", "keys", "supervisors", "table_id")

    def __init__(self, table_id: str, entries: tuple[Entry, ...] = ()) -> None:
        self.table_id = table_id
        self.entries = entries
        keys: dict[str, TableKey] = {}
        supervisors: dict[str, TableKey] = {}
        self._resyncs: list[tuple[int, int]] = []  # from which log time on, from which seq on
        for entry in entries:
            if entry.action == "resync":
                assert entry.from_us is not None and entry.from_seq is not None, "`resynced` sees to that"
                self._resyncs.append((entry.from_us, entry.from_seq))
                continue
            if entry.action == "revoke":
                of_role = keys if entry.public_key in keys else supervisors
                key = of_role[entry.public_key]
                of_role[entry.public_key] = key._replace(revoked=(*key.revoked, entry.place), unlimited=False)
                continue
            if entry.action == "supervise":
                supervisors[entry.public_key] = TableKey(
                    entry.public_key, public_key(entry.public_key), entry.place, (), (), unlimited=entry.place == START
                )
                continue
            if entry.action == "rotate":
                end = entry.place
                if end.us is not None:
                    end = Place(us=end.us + entry.overlap_us)
                for name, key in keys.items():
                    keys[name] = key._replace(ends=(*key.ends, end), unlimited=False)
            keys[entry.public_key] = TableKey(
                entry.public_key, public_key(entry.public_key), entry.place, (), (), unlimited=entry.place == START
            )
        self.keys = tuple(reversed(keys.values()))  # the newest first: it is the one most often asked for
        self.supervisors = tuple(reversed(supervisors.values()))  # whose keys are good for corrections and voids only
        self._chains = [entry.place for entry in entries if entry.new_chain]

    def good_at(self, timestamp_us: int, seq: int) -> list[TableKey]:
        """The keys a record of this log time and seq may be signed with, the newest first."""
        return [key for key in self.keys if key.standing(timestamp_us, seq) is Standing.GOOD]

    def supervisors_at(self, timestamp_us: int, seq: int) -> list[TableKey]:
        """The supervisors' keys that a correction or a void of this log time and seq may be signed with."""
        return [key for key in self.supervisors if key.standing(timestamp_us, seq) is Standing.GOOD]

    def current(self) -> TableKey | None:
        """The newest key that was never revoked."""
        return next((key for key in self.keys if not key.revoked), None)

    def chains_begun(self, timestamp_us: int, seq: int) -> int:
        """How many new chains were allowed up to this record."""
        return sum(1 for place in self._chains if place.reached(timestamp_us, seq))

    def resyncs(self, timestamp_us: int) -> list[int]:
        """The numbers that the table was ordered to go on from, up to this log time."""
        return [seq for us, seq in self._resyncs if us <= timestamp_us] if self._resyncs else []

    def head(self) -> str:
        """The hash of the newest entry: kept elsewhere, it shows later that nothing was taken off the end."""
        return self.entries[-1].hash() if self.entries else GENESIS

    def substance(self, count: int) -> str:
        """The hash of what the first entries decide: of everything but when they were entered."""
        said = [
            [entry.action, entry.public_key, *entry.place, entry.reason, entry.overlap_us, entry.new_chain]
            for entry in self.entries[:count]
        ]
        return sha256(orjson.dumps(said)).hexdigest()

    def named(self, prefix: str) -> TableKey:
        """The registered key that begins with these hex digits."""
        found = [key for key in (*self.keys, *self.supervisors) if key.public_hex.startswith(prefix)]
        if len(prefix) < SHORTEST_PREFIX:
            raise KeyHistoryError(f"{self.table_id}: name the key by at least {SHORTEST_PREFIX} of its hex digits")
        if len(found) != 1:
            known = ", ".join(f"{key.public_hex[:16]}…" for key in (*self.keys, *self.supervisors)) or "none"
            what = "no key" if not found else "more than one key"
            raise KeyHistoryError(f"{self.table_id} has {what} that begins with {prefix[:64]}; it has: {known}")
        return found[0]

    # --- new entries --------------------------------------------------------------------------------------------------

    def added(self, public_hex: str, place: Place | None, reason: str, recorded_us: int | None) -> KeyHistory:
        """The table's first key; without a place it is good for all of the table's records."""
        self._check_new(public_hex)
        if self.keys:
            held = self.keys[0].public_hex
            raise KeyHistoryError(
                f"{self.table_id} has a key already, {held[:16]}…; put another in its place with "
                f"`muckraker keys rotate {self.table_id} HEX`"
            )
        from_us, from_seq = self._checked_place(place)
        return self._with(Entry("add", public_hex, from_us, from_seq, _checked(reason), recorded_us=recorded_us))

    def supervised(self, public_hex: str, place: Place | None, reason: str, recorded_us: int | None) -> KeyHistory:
        """A supervisor's key, for corrections and voids; a table may have several. The reason says whose it is."""
        self._check_new(public_hex)
        if not reason:
            raise KeyHistoryError(f"{self.table_id}: say whose key it is (--reason 'shift supervisor, badge S-031')")
        from_us, from_seq = self._checked_place(place)
        return self._with(Entry("supervise", public_hex, from_us, from_seq, _checked(reason), recorded_us=recorded_us))

    def rotated(
        self,
        public_hex: str,
        place: Place,
        reason: str,
        recorded_us: int | None,
        overlap_us: int = 0,
        new_chain: bool = False,
    ) -> KeyHistory:
        """Another key from that place on; the ones before it stay good for the overlap."""
        self._check_new(public_hex)
        if not self.keys:
            raise KeyHistoryError(
                f"{self.table_id} has no key that could be rotated; register its first with "
                f"`muckraker keys add {self.table_id} HEX`"
            )
        from_us, from_seq = self._checked_place(place)
        if not 0 <= overlap_us <= MAX_OVERLAP_US:
            raise KeyHistoryError(f"{self.table_id}: an overlap is 0 to {MAX_OVERLAP_US // 86_400_000_000} days long")
        if overlap_us and from_us is None:
            raise KeyHistoryError(
                f"{self.table_id}: a rotation at a seq has no overlap: up to that number the old key is good, and from "
                "it on the new one"
            )
        for earlier in self.keys:
            start = earlier.start
            if start != START and (
                (from_us is not None and start.us is not None and from_us <= start.us)
                or (from_seq is not None and start.seq is not None and from_seq <= start.seq)
            ):
                raise KeyHistoryError(
                    f"{self.table_id}: a rotation at {place} does not lie after an earlier one, at {start}; the keys "
                    "of a time that is over are not changed, only revoked"
                )
        if place == START:
            raise KeyHistoryError(
                f"{self.table_id}: a rotation at seq 0 would leave the key before it nothing to sign; revoke that key"
            )
        return self._with(
            Entry("rotate", public_hex, from_us, from_seq, _checked(reason), overlap_us, new_chain, recorded_us)
        )

    def revoked(self, prefix: str, place: Place, reason: str, recorded_us: int | None) -> KeyHistory:
        """The key is worth nothing from that place on, which may lie in the past; seq 0: it never was."""
        key = self.named(prefix)
        from_us, from_seq = self._checked_place(place)
        for known in key.revoked:
            if (from_us is not None and known.us is not None and from_us >= known.us) or (
                known.seq is not None and (known.seq == 0 or (from_seq is not None and from_seq >= known.seq))
            ):
                raise KeyHistoryError(
                    f"{self.table_id}: {key.public_hex[:16]}… is revoked as of {known} already; only an earlier place "
                    "would change anything"
                )
        return self._with(Entry("revoke", key.public_hex, from_us, from_seq, _checked(reason), recorded_us=recorded_us))

    def resynced(self, from_us: int, from_seq: int, reason: str, recorded_us: int | None) -> KeyHistory:
        """From that log time on the table goes on from that number, wherever it stood."""
        self._checked_place(Place(us=from_us))
        self._checked_place(Place(seq=from_seq))
        if self._resyncs and from_us <= self._resyncs[-1][0]:
            raise KeyHistoryError(
                f"{self.table_id}: a resynchronisation at {text_of(from_us)} does not lie after an earlier one, at "
                f"{text_of(self._resyncs[-1][0])}"
            )
        if not reason:
            raise KeyHistoryError(f"{self.table_id}: say why the table is resynchronised")
        return self._with(Entry("resync", "", from_us, from_seq, _checked(reason), recorded_us=recorded_us))

    def _checked_place(self, place: Place | None) -> Place:
        if place is None:
            return Place()
        if (place.us is None) == (place.seq is None):
            raise KeyHistoryError(f"{self.table_id}: an entry holds from a time or from a seq on, one of the two")
        if place.us is not None and not 0 <= place.us < LAST_TIME_US:
            raise KeyHistoryError(f"{self.table_id}: a time lies in the years 1970 to 9999")
        if place.seq is not None and not 0 <= place.seq <= LAST_SEQ:
            raise KeyHistoryError(f"{self.table_id}: a seq is 0 to {LAST_SEQ}")
        return place

    def _check_new(self, public_hex: str) -> None:
        try:
            public_key(public_hex)
        except ValueError as error:
            raise KeyHistoryError(f"{self.table_id}: {error}") from error
        for key in (*self.keys, *self.supervisors):
            if key.public_hex == public_hex:
                raise KeyHistoryError(
                    f"{self.table_id}: {public_hex[:16]}… is in its history already; a controller that gets a new key "
                    "gets one that was never used"
                )

    def _with(self, entry: Entry) -> KeyHistory:
        chained = Entry(**{**asdict(entry), "previous": self.head()})
        return KeyHistory(self.table_id, (*self.entries, chained))

    # --- as a document ------------------------------------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        return {"format": FORMAT, "table_id": self.table_id, "history": [asdict(entry) for entry in self.entries]}


def history_from(table_id: str, document: object) -> KeyHistory:
    """The history a file holds, of this format or the one before; a KeyHistoryError says what is wrong with it."""
    try:
        if not isinstance(document, Mapping):
            raise ValueError("it is not a JSON object")
        if document.get("table_id") != table_id:
            raise ValueError(f"it names table {str(document.get('table_id'))[:60]!r}")
        if "public_key" in document:  # format 1
            return KeyHistory(table_id).added(str(document["public_key"]), None, UPGRADED, None)
        if document.get("format") != FORMAT:
            raise ValueError(f"it has format {str(document.get('format'))[:20]!r}, and this version reads {FORMAT}")
        history = KeyHistory(table_id)
        written = document.get("history")
        if not isinstance(written, list) or not written:
            raise ValueError("it has no entries")
        for number, said in enumerate(written):
            entry = _entry(said, number)
            if entry.previous != history.head():
                raise ValueError(f"entry {number} does not follow from the one before it: the history was edited")
            grown = _entered(history, entry)
            if grown.entries[-1] != entry:
                raise ValueError(f"entry {number} says what no entry of its kind says")
            history = grown
    except (ValueError, KeyHistoryError) as error:
        raise KeyHistoryError(f"{table_id}: its key history is damaged: {error}") from error
    return history


def _entered(history: KeyHistory, entry: Entry) -> KeyHistory:
    """The history with the entry made anew, so that a file can hold nothing that a command would have refused."""
    unplaced = entry.from_us is None and entry.from_seq is None
    place = Place(entry.from_us, entry.from_seq)
    if entry.action == "resync":
        if entry.from_us is None or entry.from_seq is None:
            raise ValueError("a resync has a log time and a seq")
        return history.resynced(entry.from_us, entry.from_seq, entry.reason, entry.recorded_us)
    if entry.action == "supervise":
        return history.supervised(entry.public_key, None if unplaced else place, entry.reason, entry.recorded_us)
    if entry.action == "add":
        return history.added(entry.public_key, None if unplaced else place, entry.reason, entry.recorded_us)
    if unplaced:
        raise ValueError(f"a {entry.action} has no place")
    if entry.action == "revoke":
        return history.revoked(entry.public_key, place, entry.reason, entry.recorded_us)
    return history.rotated(entry.public_key, place, entry.reason, entry.recorded_us, entry.overlap_us, entry.new_chain)


_MEMBERS: dict[str, tuple[type, ...]] = {
    "action": (str,),
    "public_key": (str,),
    "from_us": (int, type(None)),
    "from_seq": (int, type(None)),
    "reason": (str,),
    "overlap_us": (int,),
    "new_chain": (bool,),
    "recorded_us": (int, type(None)),
    "previous": (str,),
}


def _entry(said: object, number: int) -> Entry:
    if not isinstance(said, dict) or said.keys() != _MEMBERS.keys():
        raise ValueError(f"entry {number} does not have the members {', '.join(_MEMBERS)}")
    for name, kinds in _MEMBERS.items():
        if type(said[name]) not in kinds:
            raise ValueError(f"entry {number}: {name} is {str(said[name])[:60]!r}")
    if said["action"] not in get_args(Action):
        raise ValueError(f"entry {number}: {said['action'][:60]!r} is not {', '.join(get_args(Action))}")
    return Entry(**said)


def _checked(reason: str) -> str:
    if len(reason) > MAX_REASON_CHARS or any(ord(character) < 32 for character in reason):
        raise KeyHistoryError(f"a reason is one line of at most {MAX_REASON_CHARS} characters")
    return reason


def text_of(us: int) -> str:
    """A log time for people."""
    return time_of(us).isoformat(sep=" ", timespec="seconds").replace("+00:00", "Z")
