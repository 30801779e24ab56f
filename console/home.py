"""The home: the folder that holds one installation's log, keys and lake.

`home.json` (format and what was settled at creation), `log.sqlite` (or `kafka.toml`, where the log is a Kafka cluster),
`keys/`, `lake/`, `seal/` (the key the lake is sealed with, unless MUCKRAKER_SEAL_KEY names another place, and what
witnesses signed), and `labels.jsonl` beside them when the devices were simulated: what was done wrong on purpose, read
by people, tests and the demo's last lines only.

A home has an identity: a random `id` in home.json. On a Kafka cluster it says whose the consumer group is, so that a
restored or copied home does not take tables from the one that is at work (ingest/kafka/owner.py). home.json also says
its own inode number and when the file was made. A folder that is moved or mounted elsewhere keeps both; a copy of the
file was made later, and so cannot pass for the home it was copied from.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from console.exits import HomeTrouble
from ingest.file_birth import birth_ns
from ingest.sqlite_log import DEFAULT_PARTITIONS, SqliteLog

if TYPE_CHECKING:  # imported where they are used: every command has a home, and `--help` needs no Arrow
    from ingest.kafka.settings import KafkaSettings
    from ingest.kafka.topics import FoundTopic
    from ingest.keys import KeyRing
    from ingest.lake import Lake
    from ingest.log import EventLog

FORMAT = 2
TOPIC = "muckraker-events"
FINDINGS_TOPIC = "muckraker-findings"
DEFAULT_HOME = Path("muckraker-home")
DEMO_HOME = DEFAULT_HOME / "demo"
MARK = "home.json"
SEAL_KEY_VARIABLE = "MUCKRAKER_SEAL_KEY"
_PARTS = ("log.sqlite", "keys", "lake", "seal")


@dataclass(frozen=True)
class Home:
    """A home that exists, in a format this version knows."""

    path: Path
    partitions: int
    demo: bool = False
    time_zone: str = "UTC"
    """The venue's, as the time zone database names it: for what people read and write. The record is in UTC."""
    id: str | None = None  # None: a copy has none of its own, and homes of format 1 had none
    copy_of: str | None = None  # the id of the home that this one was copied or restored from, until it takes over
    topic_id: str | None = None  # what the cluster calls the topic this home was made on

    @property
    def log_path(self) -> Path:
        return self.path / "log.sqlite"

    @property
    def lake_path(self) -> Path:
        return self.path / "lake"

    @property
    def seal_path(self) -> Path:
        return self.path / "seal"

    @property
    def seal_key_path(self) -> Path:
        """The private key that seals the lake: the same for every worker of the home."""
        return Path(os.environ.get(SEAL_KEY_VARIABLE) or self.seal_path / "lake.key")

    @property
    def labels_path(self) -> Path:
        return self.path / "labels.jsonl"

    def kafka(self) -> KafkaSettings | None:
        """How to reach the cluster that holds the log; None where the log is embedded."""
        from ingest.kafka.settings import FILE_NAME, FILE_VARIABLE

        if not os.environ.get(FILE_VARIABLE) and not (self.path / FILE_NAME).exists():
            return None
        from ingest.kafka.settings import find_settings

        return find_settings(self.path)

    def log(self, patience_s: float | None = None) -> EventLog:
        """The log: the cluster's where the home has one, else the embedded one, made if there is none.

        A cluster that is out of reach is waited for as long as its settings say, or for `patience_s`; then it is an
        error at once if no broker answers in that time.
        """
        cluster = self.kafka()
        if cluster is None:
            return SqliteLog(self.log_path, self.partitions)
        from ingest.kafka.log import KafkaLog

        if patience_s is not None:
            from ingest.kafka.reach import check_reachable

            check_reachable(cluster, patience_s)
            cluster = cluster.hurried(patience_s)
        return KafkaLog(cluster, expected=self.expected_topics())

    def expected_topics(self) -> dict[str, FoundTopic]:
        """What the cluster's topic of events must be, if it is this home's."""
        from ingest.kafka.topics import FoundTopic

        return {TOPIC: FoundTopic(self.partitions, self.topic_id)}

    def has_log(self) -> bool:
        return self.log_path.exists() or self.kafka() is not None

    @property
    def log_name(self) -> str:
        """The log in words."""
        cluster = self.kafka()
        return str(self.log_path) if cluster is None else f"the cluster at {cluster.bootstrap}"

    def keys(self) -> KeyRing:
        from ingest.keys import KeyRing

        return KeyRing(self.path / "keys")

    def lake(self) -> Lake:
        from ingest.lake import Lake

        return Lake(self.lake_path, self.seal_key_path)


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
        said, file = _read_mark(mark)
        found = int(said["format"])
        if found > FORMAT:
            raise HomeTrouble(
                f"{path} is a home of format {found}, and this version reads up to {FORMAT}; "
                "use the newer Muckraker that made it"
            )
        own, copy_of = _identity(said, file)
        return Home(
            path,
            int(said["partitions"]),
            bool(said.get("demo", False)),
            str(said.get("time_zone", "UTC")),
            own,
            copy_of,
            said.get("topic_id"),
        )
    except OSError as error:
        raise HomeTrouble(f"{mark} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise HomeTrouble(f"{mark} is damaged ({error}); restore it from a backup") from error


def make_home(
    path: Path,
    *,
    partitions: int = DEFAULT_PARTITIONS,
    demo: bool = False,
    time_zone: str = "UTC",
    topic_id: str | None = None,
) -> Home:
    """The home at `path`, made if there is none."""
    if is_home(path) or any((path / part).exists() for part in _PARTS):
        return open_home(path)
    said = {"demo": demo, "id": _new_id(), "partitions": partitions, "time_zone": time_zone, "topic_id": topic_id}
    try:
        path.mkdir(parents=True, exist_ok=True)
        _write_mark(path, said)
    except OSError as error:
        raise HomeTrouble(f"no home can be made at {path}: {error.strerror}") from error
    return open_home(path)


def file_time_zone(home: Home, time_zone: str) -> None:
    """The venue's time zone from now on; nothing that is recorded changes."""
    _change_mark(home, {"time_zone": time_zone})


def give_identity(home: Home, topic_id: str | None) -> Home:
    """The same home with an identity of its own, made on the topic of this id."""
    _change_mark(home, {"id": home.id or _new_id(), "copy_of": None, "topic_id": topic_id})
    return open_home(home.path)


def mark_as_copy(path: Path) -> None:
    """Take from a home that was made from a backup the identity of the home it is a backup of."""
    said, _ = _read_mark(path / MARK)
    _write_mark(path, {**said, "id": None, "copy_of": said.get("id") or said.get("copy_of")})


class _File(NamedTuple):
    """Which file it is, whatever it is called."""

    inode: int
    born_ns: int | None


def _file_of(descriptor: int) -> _File:
    return _File(os.fstat(descriptor).st_ino, birth_ns(descriptor))


def _identity(said: dict[str, Any], file: _File) -> tuple[str | None, str | None]:
    """The id of the home whose home.json says this, and that of the home it is a copy of."""
    own, copy_of = said.get("id"), said.get("copy_of")
    born = said.get("born_ns")
    same = said.get("inode") == file.inode and (born == file.born_ns or None in (born, file.born_ns))
    return (None, own) if own is not None and not same else (own, copy_of)


def _new_id() -> str:
    return secrets.token_hex(8)


def _change_mark(home: Home, members: dict[str, Any]) -> None:
    try:
        said, file = _read_mark(home.path / MARK)
        own, copy_of = _identity(said, file)  # a copy does not become the original by being written anew
        _write_mark(home.path, {**said, "id": own, "copy_of": copy_of, **members})
    except OSError as error:
        raise HomeTrouble(f"{home.path / MARK} cannot be written: {error.strerror}") from error


def _read_mark(path: Path) -> tuple[dict[str, Any], _File]:
    """What home.json says, and which file it was that was read."""
    with path.open("rb") as file:
        return orjson.loads(file.read()), _file_of(file.fileno())


def _write_mark(path: Path, said: dict[str, Any]) -> None:
    writing = path / f".{MARK}.writing"
    with writing.open("wb") as file:
        made = _file_of(file.fileno())
        said = {**said, "format": FORMAT, "inode": made.inode, "born_ns": made.born_ns}
        file.write(
            orjson.dumps(
                {name: value for name, value in said.items() if value is not None},
                option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE,
            )
        )
        file.flush()
        os.fsync(file.fileno())
    writing.replace(path / MARK)
