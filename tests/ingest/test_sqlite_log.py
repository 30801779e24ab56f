"""The embedded log: the contract of every log, and what only a file can do wrong."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from ingest.log import LogError, LogRecord, partition_of
from ingest.sqlite_log import FORMAT_VERSION, SqliteLog
from tests.ingest.log_contract import TOPIC, WholeBatchesContract, all_records


class TestSqliteLog(WholeBatchesContract):
    @pytest.fixture(autouse=True)
    def _path(self, tmp_path: Path) -> None:
        self.path = tmp_path / "log.db"

    def open(self) -> SqliteLog:
        return SqliteLog(self.path, partitions=2)

    def writer_code(self, batches: int, batch_records: int) -> str:
        return (
            "from ingest.sqlite_log import SqliteLog\n"
            f"log = SqliteLog({str(self.path)!r})\n"
            f"for b in range({batches}):\n"
            f"    log.append({TOPIC!r}, [(f'T-{{i % 7}}', f'{{b}} {{i}}'.encode()) for i in range({batch_records})])\n"
        )


def test_partitions_are_chosen_by_a_stable_hash() -> None:
    """Not Python's hash(), which differs from process to process. These must never change."""
    assert [partition_of(key, 16) for key in ("PG-07", "PG-08", "BAC-1", "unknown")] == [10, 4, 11, 5]


def test_the_number_of_partitions_is_fixed_when_the_log_is_made(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    SqliteLog(path, partitions=3).close()
    with pytest.raises(LogError, match=r"has 3 partitions and 2 were asked for"):
        SqliteLog(path, partitions=2)
    log = SqliteLog(path)
    assert log.partitions(TOPIC) == 3
    log.close()
    with pytest.raises(LogError, match="1 to 1024 partitions, not 0"):
        SqliteLog(tmp_path / "other.db", partitions=0)


def test_a_recorded_day_keeps_the_times_it_is_given(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db", partitions=1)
    log.append(TOPIC, [("A", b"then")], timestamp_us=1_234_567)
    assert all_records(log) == [LogRecord(0, 1_234_567, "A", b"then")]
    log.close()


def test_a_file_that_is_no_log_is_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_bytes(b"these are my notes, not a database at all\n" * 100)
    before = text.read_bytes()
    with pytest.raises(LogError, match=r"notes\.txt is not a Muckraker log"):
        SqliteLog(text)
    assert text.read_bytes() == before

    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE mine (x)")
    db.close()
    with pytest.raises(LogError, match="SQLite file but not a Muckraker log"):
        SqliteLog(other)


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    SqliteLog(path).close()
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {FORMAT_VERSION + 1}")
    db.close()
    with pytest.raises(LogError, match=rf"format {FORMAT_VERSION + 1}, and this version reads up to {FORMAT_VERSION}"):
        SqliteLog(path)


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"nowhere must exist and be writable"):
        SqliteLog(tmp_path / "nowhere" / "log.db")


def test_a_full_disk_is_a_clear_error_and_records_nothing_of_the_batch(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db")
    log.append(TOPIC, [("A", b"first")])
    pages = log._db.execute("PRAGMA page_count").fetchone()[0]
    log._db.execute(f"PRAGMA max_page_count = {pages + 2}")  # SQLite's own way to run out of space
    with pytest.raises(LogError, match=r"no space left \(database or disk is full\).*free space in .* append it again"):
        log.append(TOPIC, [("A", b"x" * 10_000)] * 50)
    assert [record.value for record in all_records(log)] == [b"first"]
    log._db.execute("PRAGMA max_page_count = 1000000")
    log.append(TOPIC, [("A", b"again")])
    assert [record.value for record in all_records(log)] == [b"first", b"again"]
    log.close()


def test_a_log_that_stays_locked_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    log = SqliteLog(path, busy_timeout_s=0.05)
    log.append(TOPIC, [("A", b"1")])
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(LogError, match="another process kept the log locked"):
        log.append(TOPIC, [("A", b"2")])
    assert len(all_records(log)) == 1  # a reader never waits
    holder.execute("ROLLBACK")
    holder.close()
    log.append(TOPIC, [("A", b"2")])
    assert len(all_records(log)) == 2
    log.close()


def test_a_first_append_that_fails_leaves_the_topic_unmade(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db")
    with pytest.raises(LogError):
        log.append(TOPIC, [("A", None)])  # type: ignore[list-item]
    log.append(TOPIC, [("A", b"1")])
    assert len(all_records(log)) == 1
    log.close()
