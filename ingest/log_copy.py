"""Copying the embedded log: only what the copy has not got yet, while devices and workers go on.

A log is only ever appended to, so a copy is brought up to date by the records behind its last one, in transactions: a
copy that was killed half-way is a shorter log, and the next call goes on from there. Before that the copy's last record
of each partition is held against the log's: a copy of another log is refused, never mixed with this one.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from ingest.log import LogError
from ingest.sqlite_log import SqliteLog

CHUNK_RECORDS = 20_000
_TABLE = re.compile(r"records/([a-z][a-z0-9_-]{0,63})/(\d+)\Z")

Marks = dict[str, dict[int, int]]
"""By topic and partition: the offset the next record will get."""


def copy_log(source: Path, copy: Path, partitions: int, copied: Callable[[int], None] | None = None) -> Marks:
    """Bring `copy` up to what `source` holds now; its high-water marks. `copied(records)` is told of each piece."""
    if not source.exists():
        raise LogError(f"{source} is not there: there is no log to copy")
    for path in (source, copy):
        SqliteLog(path, partitions).close()  # it is a log, of this format and so many partitions, or becomes one
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as db:
            db.execute("PRAGMA synchronous = FULL")
            db.execute("ATTACH ? AS source", (str(source),))
            names = [str(row[0]) for row in db.execute("SELECT name FROM source.sqlite_master WHERE type = 'table'")]
            marks: Marks = {}
            for name in sorted(names):
                match = _TABLE.match(name)
                if match is not None:
                    mark = _copy_table(db, name, source, copy, copied)
                    marks.setdefault(match[1], {})[int(match[2])] = mark
            _refuse_others(db, set(names), source, copy)
            db.execute("DETACH source")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise LogError(f"{source} could not be copied to {copy}: {error}; see to the disk, then run again") from error
    return marks


def check_log(path: Path, partitions: int) -> Marks:
    """The marks of a log that is whole; a LogError says what is wrong with it."""
    SqliteLog(path, partitions).close()
    marks: Marks = {}
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            problem = str(db.execute("PRAGMA integrity_check(1)").fetchone()[0])
            if problem != "ok":
                raise LogError(f"{path} is damaged: {problem}")
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
                match = _TABLE.match(name)
                if match is not None:
                    first, last, count = db.execute(
                        f'SELECT min(record_offset), max(record_offset), count(*) FROM "{name}"'
                    ).fetchone()
                    mark = 0 if last is None else int(last) + 1
                    if count and last - first + 1 != count:
                        raise LogError(f"{path}: {name} has {count} records where {first} to {last} should be")
                    marks.setdefault(match[1], {})[int(match[2])] = mark
    except sqlite3.Error as error:
        raise LogError(f"{path} is damaged: {error}") from error
    return marks


def _copy_table(
    db: sqlite3.Connection, name: str, source: Path, copy: Path, copied: Callable[[int], None] | None
) -> int:
    (definition,) = db.execute("SELECT sql FROM source.sqlite_master WHERE name = ?", (name,)).fetchone()
    if db.execute("SELECT 1 FROM main.sqlite_master WHERE name = ?", (name,)).fetchone() is None:
        db.execute(definition)
    end = _mark(db, "source", name)
    at = _mark(db, "main", name)
    if at > end or (at and _record(db, "main", name, at - 1) != _record(db, "source", name, at - 1)):
        raise LogError(
            f"{copy} is a copy of another log than {source}: their {name} differ at record {min(at, end) - 1}; give "
            "another place for the copy"
        )
    begun = at
    while at < end:
        upto = min(at + CHUNK_RECORDS, end)
        db.execute(
            f'INSERT INTO main."{name}" SELECT * FROM source."{name}" WHERE record_offset >= ? AND record_offset < ?',
            (at, upto),
        )
        if copied is not None:
            copied(upto - at)
        at = upto
    found = int(db.execute(f'SELECT count(*) FROM main."{name}" WHERE record_offset >= ?', (begun,)).fetchone()[0])
    if found != end - begun:
        raise LogError(f"{copy}: {found} records of {name} were copied where {source} has {end - begun}; copy it anew")
    return end


def _refuse_others(db: sqlite3.Connection, names: set[str], source: Path, copy: Path) -> None:
    for (name,) in db.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'"):
        if _TABLE.match(name) and name not in names and _mark(db, "main", name):
            raise LogError(f"{copy} is a copy of another log than {source}: it has {name}; give another place")


def _mark(db: sqlite3.Connection, schema: str, name: str) -> int:
    last = db.execute(f'SELECT max(record_offset) FROM {schema}."{name}"').fetchone()[0]
    return 0 if last is None else int(last) + 1


def _record(db: sqlite3.Connection, schema: str, name: str, offset: int) -> tuple[object, ...] | None:
    row: tuple[object, ...] | None = db.execute(
        f'SELECT timestamp_us, record_key, value FROM {schema}."{name}" WHERE record_offset = ?', (offset,)
    ).fetchone()
    return row
