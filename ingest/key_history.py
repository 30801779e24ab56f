"""A table's public keys over time: which one its controller may sign with at a moment of the log.

A history is a list of entries (add, rotate, revoke) that only ever grows; each names the hash of the one before it, so
that none can be changed, dropped or put in between without it showing. Times are *log time*: the timestamp the log gave
a record, which no device chooses. What a key is worth for a record follows from the record's timestamp and the
history alone, so old records are judged today as they were then. Nothing here reads a file or a clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple

import orjson
from nacl.signing import VerifyKey

from ingest.chain import GENESIS, public_key
from schemas.clock import time_of

Action = Literal["add", "rotate", "revoke"]

FORMAT = 2  # 1 was a single key without a history
MAX_REASON_CHARS = 200
MAX_OVERLAP_US: Final = 30 * 24 * 3600 * 1_000_000
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


@dataclass(frozen=True)
class Entry:
    """One line of a history."""

    action: Action
    public_key: str
    from_us: int | None  # log time it holds from; None: from the table's first record
    reason: str = ""
    overlap_us: int = 0  # rotate: how long the keys before it stay good
    new_chain: bool = False  # rotate: the new controller does not know the chain it takes over
    recorded_us: int | None = None  # when the operator entered it, by the operator's clock; decides nothing
    previous: str = GENESIS

    def hash(self) -> str:
        return sha256(orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS)).hexdigest()


class TableKey(NamedTuple):
    """One key of a table, and its time."""

    public_hex: str
    verify_key: VerifyKey
    from_us: int | None
    until_us: int | None
    revoked_us: int | None

    def standing(self, timestamp_us: int) -> Standing:
        if self.revoked_us is not None and timestamp_us >= self.revoked_us:
            return Standing.REVOKED
        if self.from_us is not None and timestamp_us < self.from_us:
            return Standing.EARLY
        if self.until_us is not None and timestamp_us >= self.until_us:
            return Standing.RETIRED
        return Standing.GOOD


class KeyHistory:
    """The keys of one table. Immutable: what is added makes a new history."""

    __slots__ = ("_chains_us", "entries", "keys", "table_id")

    def __init__(self, table_id: str, entries: tuple[Entry, ...] = ()) -> None:
        self.table_id = table_id
        self.entries = entries
        keys: dict[str, TableKey] = {}
        for entry in entries:
            if entry.action == "revoke":
                keys[entry.public_key] = keys[entry.public_key]._replace(revoked_us=entry.from_us)
                continue
            if entry.action == "rotate":
                assert entry.from_us is not None, "a rotation has a time"
                until_us = entry.from_us + entry.overlap_us
                for name, key in keys.items():
                    if key.until_us is None or key.until_us > until_us:
                        keys[name] = key._replace(until_us=until_us)
            keys[entry.public_key] = TableKey(
                entry.public_key, public_key(entry.public_key), entry.from_us, None, revoked_us=None
            )
        self.keys = tuple(reversed(keys.values()))  # the newest first: it is the one most often asked for
        self._chains_us = [entry.from_us for entry in entries if entry.new_chain and entry.from_us is not None]

    def good_at(self, timestamp_us: int) -> list[TableKey]:
        """The keys a record of this log time may be signed with, the newest first."""
        return [key for key in self.keys if key.standing(timestamp_us) is Standing.GOOD]

    def current(self) -> TableKey | None:
        """The newest key that was never revoked."""
        return next((key for key in self.keys if key.revoked_us is None), None)

    def chains_begun(self, timestamp_us: int) -> int:
        """How many new chains were allowed up to this log time."""
        return sum(1 for from_us in self._chains_us if from_us <= timestamp_us)

    def head(self) -> str:
        """The hash of the newest entry: kept elsewhere, it shows later that nothing was taken off the end."""
        return self.entries[-1].hash() if self.entries else GENESIS

    def named(self, prefix: str) -> TableKey:
        """The registered key that begins with these hex digits."""
        found = [key for key in self.keys if key.public_hex.startswith(prefix)]
        if len(prefix) < SHORTEST_PREFIX:
            raise KeyHistoryError(f"{self.table_id}: name the key by at least {SHORTEST_PREFIX} of its hex digits")
        if len(found) != 1:
            known = ", ".join(f"{key.public_hex[:16]}…" for key in self.keys) or "none"
            what = "no key" if not found else "more than one key"
            raise KeyHistoryError(f"{self.table_id} has {what} that begins with {prefix[:64]}; it has: {known}")
        return found[0]

    # --- new entries --------------------------------------------------------------------------------------------------

    def added(self, public_hex: str, from_us: int | None, reason: str, recorded_us: int | None) -> KeyHistory:
        """The table's first key."""
        self._check_new(public_hex)
        if self.entries:
            held = self.keys[0].public_hex
            raise KeyHistoryError(
                f"{self.table_id} has a key already, {held[:16]}…; put another in its place with "
                f"`muckraker keys rotate {self.table_id} HEX`"
            )
        return self._with(Entry("add", public_hex, from_us, _checked(reason), recorded_us=recorded_us))

    def rotated(
        self,
        public_hex: str,
        from_us: int,
        reason: str,
        recorded_us: int | None,
        overlap_us: int = 0,
        new_chain: bool = False,
    ) -> KeyHistory:
        """Another key from that log time on; the ones before it stay good for the overlap."""
        self._check_new(public_hex)
        if not self.entries:
            raise KeyHistoryError(
                f"{self.table_id} has no key that could be rotated; register its first with "
                f"`muckraker keys add {self.table_id} HEX`"
            )
        if not 0 <= overlap_us <= MAX_OVERLAP_US:
            raise KeyHistoryError(f"{self.table_id}: an overlap is 0 to {MAX_OVERLAP_US // 86_400_000_000} days long")
        newest = self.keys[0]
        if newest.from_us is not None and from_us <= newest.from_us:
            raise KeyHistoryError(
                f"{self.table_id}: a rotation at {text_of(from_us)} does not lie after the last one, at "
                f"{text_of(newest.from_us)}; the keys of a time that is over are not changed, only revoked"
            )
        return self._with(Entry("rotate", public_hex, from_us, _checked(reason), overlap_us, new_chain, recorded_us))

    def revoked(self, prefix: str, as_of_us: int, reason: str, recorded_us: int | None) -> KeyHistory:
        """The key is worth nothing from that log time on, which may lie in the past."""
        key = self.named(prefix)
        if key.revoked_us is not None and as_of_us >= key.revoked_us:
            raise KeyHistoryError(
                f"{self.table_id}: {key.public_hex[:16]}… is revoked as of {text_of(key.revoked_us)} already; only an "
                "earlier time would change anything"
            )
        return self._with(Entry("revoke", key.public_hex, as_of_us, _checked(reason), recorded_us=recorded_us))

    def _check_new(self, public_hex: str) -> None:
        try:
            public_key(public_hex)
        except ValueError as error:
            raise KeyHistoryError(f"{self.table_id}: {error}") from error
        for key in self.keys:
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
    if entry.action == "add":
        return history.added(entry.public_key, entry.from_us, entry.reason, entry.recorded_us)
    if entry.from_us is None:
        raise ValueError(f"a {entry.action} has no time")
    if entry.action == "revoke":
        return history.revoked(entry.public_key, entry.from_us, entry.reason, entry.recorded_us)
    return history.rotated(
        entry.public_key, entry.from_us, entry.reason, entry.recorded_us, entry.overlap_us, entry.new_chain
    )


_MEMBERS: dict[str, tuple[type, ...]] = {
    "action": (str,),
    "public_key": (str,),
    "from_us": (int, type(None)),
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
    if said["action"] not in ("add", "rotate", "revoke"):
        raise ValueError(f"entry {number}: {said['action'][:60]!r} is not add, rotate or revoke")
    return Entry(**said)


def _checked(reason: str) -> str:
    if len(reason) > MAX_REASON_CHARS or any(ord(character) < 32 for character in reason):
        raise KeyHistoryError(f"a reason is one line of at most {MAX_REASON_CHARS} characters")
    return reason


def text_of(us: int) -> str:
    """A log time for people."""
    return time_of(us).isoformat(sep=" ", timespec="seconds").replace("+00:00", "Z")
