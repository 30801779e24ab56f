"""The key ring: which public key each table controller signs with.

One small JSON file per table, replaced atomically. Only public keys live here; the gate asks, an operator registers.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from nacl.signing import VerifyKey

from ingest.chain import public_key

_TABLE_ID = re.compile(r"[A-Z0-9][A-Z0-9-]{0,31}\Z")
_SUFFIX = ".json"


class KeyRingError(Exception):
    """A key cannot be registered or read; the message names the table, the value and the way out."""


class KeyRing:
    """The registered public keys in `folder`; a ring without a folder yet is an empty ring."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._keys: dict[str, VerifyKey] = {}

    def register(self, table_id: str, public_hex: str) -> None:
        """Make `public_hex` (64 lowercase hex digits) the key of the table, in place of any it had."""
        path = self._path(table_id)
        try:
            key = public_key(public_hex)
        except ValueError as error:
            raise KeyRingError(f"{table_id}: {error}") from error
        text = json.dumps({"public_key": public_hex, "table_id": table_id}, sort_keys=True) + "\n"
        writing = path.with_suffix(".writing")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with writing.open("w", encoding="ascii") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            writing.replace(path)
            folder_fd = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(folder_fd)
            finally:
                os.close(folder_fd)
        except OSError as error:
            raise KeyRingError(f"{table_id}: the key could not be written to {path}: {error}") from error
        self._keys[table_id] = key

    def key_for(self, table_id: str) -> VerifyKey | None:
        """The table's key, or None when none is registered. A key is read once, an absent one looked for each time."""
        key = self._keys.get(table_id)
        if key is None:
            path = self._path(table_id)
            try:
                text = path.read_text(encoding="utf-8")
            except FileNotFoundError:
                return None
            except (OSError, UnicodeDecodeError) as error:
                raise KeyRingError(f"{table_id}: its key file {path} cannot be read: {error}") from error
            key = self._keys[table_id] = public_key(self._read(table_id, path, text))
        return key

    def list(self) -> dict[str, str]:
        """Every table with its public key in hex, by table id."""
        ring: dict[str, str] = {}
        for path in sorted(self.folder.glob(f"*{_SUFFIX}")):
            table_id = path.name.removesuffix(_SUFFIX)
            ring[table_id] = self._read(table_id, path, path.read_text(encoding="utf-8"))
        return ring

    def _path(self, table_id: str) -> Path:
        if _TABLE_ID.match(table_id) is None:
            raise KeyRingError(f"{table_id!r} is not a table id: up to 32 of A-Z, 0-9 and -, such as PG-07")
        return self.folder / f"{table_id}{_SUFFIX}"

    def _read(self, table_id: str, path: Path, text: str) -> str:
        try:
            entry = json.loads(text)
            if entry["table_id"] != table_id:
                raise ValueError(f"it names table {entry['table_id']!r}")
            public_hex = entry["public_key"]
            public_key(public_hex)
        except (ValueError, KeyError, TypeError) as error:
            raise KeyRingError(f"{path} is not a key file ({error}); register the key of {table_id} again") from error
        return str(public_hex)
