"""The embedded event log: one SQLite file, nothing to install, durable when `append` returns.

WAL with synchronous=FULL: a batch is one transaction, so a crash keeps all of it or nothing, and readers never wait
for the writer. Each partition of each topic is a table of its own whose rowid is the offset: measured, that appends a
quarter faster than one WITHOUT ROWID table over all partitions, and reads as fast. Big pages suit records of some
hundred bytes.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from ingest.log import LogError, LogRecord, check_topic, partition_of

APPLICATION_ID = 0x4D55434B  # "MUCK": how SQLite files say whose they are
FORMAT_VERSION = 1
DEFAULT_PARTITIONS = 2
MAX_PARTITIONS = 1024
BUSY_TIMEOUT_S = 30.0

_PAGE_BYTES = 16_384
_CHECKPOINT_PAGES = 2_000  # 32 MB of write-ahead log before it is folded into the file
_as_record = partial(tuple.__new__, LogRecord)  # LogRecord._make without its Python code: a third of the time of a read


class SqliteLog:
    """An EventLog in one file. One object per thread; any number of processes may read, one writes at a time."""

    def __init__(self, path: str | Path, partitions: int | None = None, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        """Open the log at `path`, or make one with `partitions` (else 2); the number never changes after that."""
        if partitions is not None and not 1 <= partitions <= MAX_PARTITIONS:
            raise LogError(f"{path}: a log has 1 to {MAX_PARTITIONS} partitions, not {partitions}")
        self.path = Path(path)
        self._known_topics: set[str] = set()
        with self._explained("opening it"):
            self._db = sqlite3.connect(self.path, timeout=busy_timeout_s, isolation_level=None)
        try:
            with self._explained("opening it"):
                self._partitions = self._open(partitions)
        except LogError:
            self._db.close()
            raise

    def _open(self, wanted: int | None) -> int:
        application_id, version = self._identity()
        if application_id == 0 and version == 0 and not self._has_tables():
            self._create(wanted or DEFAULT_PARTITIONS)
            application_id, version = self._identity()
        if application_id != APPLICATION_ID:
            raise LogError(f"{self.path} is a SQLite file but not a Muckraker log; give another path")
        if version > FORMAT_VERSION:
            raise LogError(
                f"{self.path} is a Muckraker log of format {version}, and this version reads up to {FORMAT_VERSION}; "
                "use the newer Muckraker that wrote it"
            )
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        stored = int(self._db.execute("SELECT partitions FROM log").fetchone()[0])
        if wanted is not None and wanted != stored:
            raise LogError(
                f"{self.path} has {stored} partitions and {wanted} were asked for; the number is fixed when a log is "
                f"made: ask for {stored}, or begin a new log"
            )
        return stored

    def _identity(self) -> tuple[int, int]:
        application_id = self._db.execute("PRAGMA application_id").fetchone()[0]
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        return int(application_id), int(version)

    def _has_tables(self) -> bool:
        return self._db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None

    def _create(self, partitions: int) -> None:
        self._db.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        self._db.execute("PRAGMA journal_mode = WAL")
        with self._transaction():
            if self._has_tables():  # another process made it while this one waited
                return
            self._db.execute("CREATE TABLE log (partitions INTEGER NOT NULL)")
            self._db.execute("INSERT INTO log VALUES (?)", (partitions,))
            self._db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self._db.execute(f"PRAGMA user_version = {FORMAT_VERSION}")

    def partitions(self, topic: str) -> int:
        check_topic(topic)
        return self._partitions

    def append(self, topic: str, records: Sequence[tuple[str, bytes]], timestamp_us: int | None = None) -> None:
        """All of them or none, stamped `timestamp_us` (a recorded day may be loaded with its own times), else now."""
        check_topic(topic)
        if not records:
            return
        when = time.time_ns() // 1000 if timestamp_us is None else timestamp_us
        partition_by_key: dict[str, int] = {}
        batches: dict[int, list[tuple[str, bytes]]] = {}
        for record in records:
            key = record[0]
            partition = partition_by_key.get(key)
            if partition is None:
                partition = partition_by_key[key] = partition_of(key, self._partitions)
            batch = batches.get(partition)
            if batch is None:
                batch = batches[partition] = []
            batch.append(record)
        with self._explained("appending to it"), self._transaction():
            if not self._exists(topic):
                for partition in range(self._partitions):
                    self._db.execute(
                        f"CREATE TABLE IF NOT EXISTS {_table(topic, partition)} (record_offset INTEGER PRIMARY KEY, "
                        "timestamp_us INTEGER NOT NULL, record_key TEXT NOT NULL, value BLOB NOT NULL)"
                    )
            for partition, batch in batches.items():
                first = self._next_offset(topic, partition)
                self._db.executemany(
                    f"INSERT INTO {_table(topic, partition)} VALUES (?, ?, ?, ?)",
                    [(offset, when, key, value) for offset, (key, value) in enumerate(batch, first)],
                )

    def read(self, topic: str, partition: int, offset: int, limit: int) -> list[LogRecord]:
        self._check_partition(topic, partition)
        with self._explained("reading it"):
            if not self._exists(topic):
                return []
            rows = self._db.execute(
                f"SELECT * FROM {_table(topic, partition)} WHERE record_offset >= ? ORDER BY record_offset LIMIT ?",
                (offset, limit),
            )
            return list(map(_as_record, rows))

    def look(self, topic: str, partition: int, offset: int) -> LogRecord | None:
        found = self.read(topic, partition, offset, 1)
        return found[0] if found and found[0].offset == offset else None

    def confirm(self, topic: str) -> None:
        check_topic(topic)  # a file that is open stays the same file, whatever is put in its place

    def start(self, topic: str, partition: int) -> int:
        self._check_partition(topic, partition)
        return 0  # nothing is ever removed from it

    def high_water_mark(self, topic: str, partition: int) -> int:
        self._check_partition(topic, partition)
        with self._explained("reading it"):
            return self._next_offset(topic, partition) if self._exists(topic) else 0

    def close(self) -> None:
        self._db.close()

    def _next_offset(self, topic: str, partition: int) -> int:
        last = self._db.execute(f"SELECT max(record_offset) FROM {_table(topic, partition)}").fetchone()[0]
        return 0 if last is None else int(last) + 1

    def _exists(self, topic: str) -> bool:
        if topic in self._known_topics:
            return True
        found = self._db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (_table_name(topic, 0),)).fetchone()
        if found is not None:  # asked before this log would make them itself: they are committed
            self._known_topics.add(topic)
        return found is not None

    def _check_partition(self, topic: str, partition: int) -> None:
        check_topic(topic)
        if not 0 <= partition < self._partitions:
            raise LogError(f"{self.path}: topic {topic} has partitions 0 to {self._partitions - 1}, not {partition}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            # SQLite has rolled back by itself after some errors (a full disk among them).
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.ProgrammingError:
            raise  # a mistake in a program (a closed log, another thread), not a condition of the file
        except sqlite3.Error as error:
            raise LogError(_sentence(self.path, doing, error)) from error


def _sentence(path: Path, doing: str, error: sqlite3.Error) -> str:
    text = str(error)
    if "disk is full" in text:
        return (
            f"{path}: no space left ({text}) while {doing}; nothing of this batch was recorded: free space in "
            f"{path.parent} and append it again"
        )
    if "is not a database" in text:
        return f"{path} is not a Muckraker log ({text}); give another path"
    if "unable to open" in text:
        return f"{path}: cannot be opened ({text}); the folder {path.parent} must exist and be writable"
    if "locked" in text or "busy" in text:
        return f"{path}: another process kept the log locked while {doing} ({text}); end it, or try again"
    return f"{path}: {text}, while {doing}; check the file and its folder, nothing half-done was recorded"


def _table_name(topic: str, partition: int) -> str:
    return f"records/{topic}/{partition}"


def _table(topic: str, partition: int) -> str:
    return f'"{_table_name(topic, partition)}"'
