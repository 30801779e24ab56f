"""The key ring: the key history of every table, one small JSON file each.

Only public keys live here; the gate asks, an operator registers, rotates and revokes. A file is replaced atomically,
under a lock, and only ever by a longer history. A ring that is in use notices that a file was replaced and reads it
again: a worker need not be restarted for a rotation, and since what a key is worth depends on the record's place in its
stream (ingest/key_history.py), it does not matter at which record it notices.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, time_ns
from typing import NamedTuple, Protocol

import orjson

from ingest.durable import make_folders, place_file
from ingest.key_history import KeyHistory, KeyHistoryError, Place, TableKey, history_from

_TABLE_ID = re.compile(r"[A-Z0-9][A-Z0-9-]{0,31}\Z")
_SUFFIX = ".json"
_LOCK = ".lock"

FRESH_S = (
    1.0  # how long a ring in use goes by what it has read: asking for a file's state can take half a signature's time
)


class KeyRingError(Exception):
    """A key cannot be registered or read; the message names the table, the value and the way out."""


class Keys(Protocol):
    """What the gate asks of a key ring."""

    def history_of(self, table_id: str) -> KeyHistory:
        """The table's keys; a history without entries when none is registered. A change may show a moment later."""
        ...

    def latest_of(self, table_id: str) -> KeyHistory:
        """The same as it is at this moment."""
        ...

    def others(self, table_id: str) -> Iterator[tuple[str, TableKey]]:
        """Every key of every other table, by table id."""
        ...


class _Known(NamedTuple):
    """A file as it was last read."""

    path: str
    state: tuple[int, int, int] | None  # what tells that it was replaced; None: there was no file
    history: KeyHistory
    until_s: float  # not looked at again before


class KeyRing:
    """The histories in `folder`; a ring without a folder yet is an empty ring."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._known: dict[str, _Known] = {}

    # --- reading ------------------------------------------------------------------------------------------------------

    def history_of(self, table_id: str) -> KeyHistory:
        known = self._known.get(table_id)
        if known is not None and monotonic() < known.until_s:
            return known.history
        return self.latest_of(table_id)

    def latest_of(self, table_id: str) -> KeyHistory:
        known = self._known.get(table_id)
        path = str(self._path(table_id)) if known is None else known.path
        try:
            found = os.stat(path)
        except FileNotFoundError:
            state = None
        except OSError as error:
            raise KeyRingError(f"{table_id}: its key file {path} cannot be read: {error}") from error
        else:
            state = (found.st_mtime_ns, found.st_size, found.st_ino)
        if known is not None and known.state == state:
            history = known.history
        else:
            history = KeyHistory(table_id) if state is None else self._load(table_id, Path(path))
        self._known[table_id] = _Known(path, state, history, monotonic() + FRESH_S)
        return history

    def list(self) -> dict[str, KeyHistory]:
        """Every table with its history, by table id."""
        names = sorted(path.name.removesuffix(_SUFFIX) for path in self.folder.glob(f"*{_SUFFIX}"))
        for name in names:
            if _TABLE_ID.match(name) is None:
                raise KeyRingError(
                    f"{self.folder / name}{_SUFFIX} is no table's key file: a table id is up to 32 of A-Z, 0-9 and -; "
                    "take the file away"
                )
        return {table_id: self.latest_of(table_id) for table_id in names}

    def others(self, table_id: str) -> Iterator[tuple[str, TableKey]]:
        for other, history in self.list().items():
            if other != table_id:
                for key in history.keys:
                    yield other, key

    def _load(self, table_id: str, path: Path) -> KeyHistory:
        try:
            text = path.read_bytes()
        except OSError as error:
            raise KeyRingError(f"{table_id}: its key file {path} cannot be read: {error}") from error
        try:
            return history_from(table_id, orjson.loads(text))
        except (orjson.JSONDecodeError, KeyHistoryError) as error:
            raise KeyRingError(
                f"{path} is not a key file ({error}); restore it from a backup, or, if {table_id} never signed under "
                "another key, remove it and register the key of the table again"
            ) from error

    # --- writing ------------------------------------------------------------------------------------------------------

    def register(self, table_id: str, public_hex: str, place: Place | None = None, reason: str = "") -> None:
        """Make `public_hex` (64 lowercase hex digits) the table's first key; again with the same key changes nothing.

        It is good from `place` on, and for all of the table's records if that is left out.
        """

        def add(history: KeyHistory) -> KeyHistory:
            known = history.current()
            if known is not None and known.public_hex == public_hex and place is None:
                return history
            return history.added(public_hex, place, reason, _now_us())

        self._change(table_id, add, public_hex)

    def rotate(
        self,
        table_id: str,
        public_hex: str,
        place: Place,
        overlap_us: int = 0,
        reason: str = "",
        new_chain: bool = False,
    ) -> None:
        """From that place on the table signs with `public_hex`; the key before it stays good for the overlap."""
        self._change(
            table_id,
            lambda history: history.rotated(public_hex, place, reason, _now_us(), overlap_us, new_chain),
            public_hex,
        )

    def supervise(self, table_id: str, public_hex: str, place: Place | None, reason: str) -> None:
        """A supervisor may sign corrections and voids of the table with `public_hex`; `reason` says who that is."""
        self._change(table_id, lambda history: history.supervised(public_hex, place, reason, _now_us()), public_hex)

    def revoke(self, table_id: str, prefix: str, place: Place, reason: str) -> TableKey:
        """The table's key that begins with `prefix` is worth nothing from that place on."""
        self._change(table_id, lambda history: history.revoked(prefix, place, reason, _now_us()))
        return self.latest_of(table_id).named(prefix)

    def resync(self, table_id: str, from_us: int, from_seq: int, reason: str) -> None:
        """From that log time on the table goes on from that number, wherever it stood."""
        self._change(table_id, lambda history: history.resynced(from_us, from_seq, reason, _now_us()))

    def _change(self, table_id: str, change: Callable[[KeyHistory], KeyHistory], new_hex: str | None = None) -> None:
        path = self._path(table_id)
        try:
            with self._locked():
                before = self.latest_of(table_id)
                after = change(before)
                if new_hex is not None:
                    for other, key in self.others(table_id):
                        if key.public_hex == new_hex:
                            raise KeyHistoryError(
                                f"{table_id}: {new_hex[:16]}… is a key of {other}; a key that two tables sign with "
                                "says nothing about either"
                            )
                if after is not before:
                    self._known.pop(table_id, None)
                    text = orjson.dumps(after.document(), option=orjson.OPT_INDENT_2) + b"\n"
                    place_file(path, text, replace=True)
        except KeyHistoryError as error:
            raise KeyRingError(str(error)) from error
        except OSError as error:
            raise KeyRingError(f"{table_id}: the key could not be written to {path}: {error}") from error

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One writer at a time: two that read the same history would each drop the other's entry."""
        make_folders(self.folder)
        lock_fd = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(lock_fd, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock_fd)

    def _path(self, table_id: str) -> Path:
        if _TABLE_ID.match(table_id) is None:
            raise KeyRingError(f"{table_id!r} is not a table id: up to 32 of A-Z, 0-9 and -, such as PG-07")
        return self.folder / f"{table_id}{_SUFFIX}"


def _now_us() -> int:
    return time_ns() // 1000
