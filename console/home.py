"""The home: the folder that holds one installation's log, keys and lake.

`home.json` (format and what was settled at creation), `log.sqlite`, `keys/`, `lake/`, and `labels.jsonl` beside them
when the devices were simulated: what was done wrong on purpose, read by people, tests and the demo's last lines only.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from console.exits import HomeTrouble
from ingest.sqlite_log import DEFAULT_PARTITIONS, SqliteLog

if TYPE_CHECKING:  # imported where they are used: every command has a home, and `--help` needs no Arrow
    from ingest.keys import KeyRing
    from ingest.lake import Lake

FORMAT = 1
TOPIC = "muckraker-events"
DEFAULT_HOME = Path("muckraker-home")
DEMO_HOME = DEFAULT_HOME / "demo"
MARK = "home.json"
_PARTS = ("log.sqlite", "keys", "lake")


@dataclass(frozen=True)
class Home:
    """A home that exists, in a format this version knows."""

    path: Path
    partitions: int
    demo: bool = False

    @property
    def log_path(self) -> Path:
        return self.path / "log.sqlite"

    @property
    def lake_path(self) -> Path:
        return self.path / "lake"

    @property
    def labels_path(self) -> Path:
        return self.path / "labels.jsonl"

    def log(self) -> SqliteLog:
        return SqliteLog(self.log_path, self.partitions)

    def keys(self) -> KeyRing:
        from ingest.keys import KeyRing

        return KeyRing(self.path / "keys")

    def lake(self) -> Lake:
        from ingest.lake import Lake

        return Lake(self.lake_path)


def is_home(path: Path) -> bool:
    return (path / MARK).is_file()


def open_home(path: Path) -> Home:
    """The home at `path`; a HomeTrouble says what is wrong with it and what to type."""
    if not is_home(path):
        if any((path / part).exists() for part in _PARTS):
            raise HomeTrouble(f"{path} is a damaged home: {MARK} is missing; restore it from a backup")
        raise HomeTrouble(
            f"there is no Muckraker home at {path}; type `muckraker demo` or `muckraker simulate` to make one, "
            "or name another with --home or MUCKRAKER_HOME"
        )
    mark = path / MARK
    try:
        said = orjson.loads(mark.read_bytes())
        found = int(said["format"])
        if found > FORMAT:
            raise HomeTrouble(
                f"{path} is a home of format {found}, and this version reads up to {FORMAT}; "
                "use the newer Muckraker that made it"
            )
        return Home(path, int(said["partitions"]), bool(said.get("demo", False)))
    except OSError as error:
        raise HomeTrouble(f"{mark} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise HomeTrouble(f"{mark} is damaged ({error}); restore it from a backup") from error


def make_home(path: Path, *, partitions: int = DEFAULT_PARTITIONS, demo: bool = False) -> Home:
    """The home at `path`, made if there is none."""
    if is_home(path) or any((path / part).exists() for part in _PARTS):
        return open_home(path)
    said = {"demo": demo, "format": FORMAT, "partitions": partitions}
    writing = path / f".{MARK}.writing"
    try:
        path.mkdir(parents=True, exist_ok=True)
        with writing.open("wb") as file:
            file.write(
                orjson.dumps(said, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
            )
            file.flush()
            os.fsync(file.fileno())
        writing.replace(path / MARK)
    except OSError as error:
        raise HomeTrouble(f"no home can be made at {path}: {error.strerror}") from error
    return Home(path, partitions, demo)
