"""A backup is a home: it can be made again from it at any time, whatever happened to the backup or to the home."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from console.home import TOPIC
from ingest.backup import BackedUp, BackupError, back_up, restore
from ingest.compaction import Compaction
from ingest.log import LogError
from ingest.log_copy import check_log, copy_log
from ingest.simulator import default_plan, simulate, table_keys
from ingest.sqlite_log import SqliteLog
from tests.gaming_day import Day
from tests.ingest.backup_killer import contents, lake_in

ROOT = Path(__file__).resolve().parents[2]
PLAN = default_plan(seed=5, tables=3, rounds=24, gaming_day=date(2026, 11, 17))


@pytest.fixture(scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home half-way through a day (`old`) and at its end (`new`); sixty more records wait in its log."""
    records = list(simulate(PLAN))
    folder = tmp_path_factory.mktemp("backup")
    day = Day(folder / "old", partitions=1)
    day.folder.mkdir()
    (day.folder / "home.json").write_text('{"format": 1, "partitions": 1}')
    for table_id, public in table_keys(PLAN).items():
        day.keys.register(table_id, public)
    day.append(records[: len(records) // 2])
    day.run(segment_records=100)
    shutil.copytree(day.folder, folder / "new")
    now = Day(folder / "new", partitions=1)
    now.append(records[len(records) // 2 : -60])
    now.run(segment_records=100)
    now.append(records[-60:])
    return folder


@pytest.fixture
def made(_made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(_made, tmp_path / "made"))


def save(home: Path, folder: Path) -> BackedUp:
    return back_up(home, lake_in(home), 1, folder)


def log_records(home: Path) -> list[tuple[int, int, str, bytes]]:
    log = SqliteLog(home / "log.sqlite", 1)
    try:
        return [tuple(record) for record in log.read(TOPIC, 0, 0, 10**6)]  # type: ignore[misc]
    finally:
        log.close()


def test_a_home_comes_back_as_it_was_and_goes_on(made: Path, tmp_path: Path) -> None:
    home, folder, again = made / "new", tmp_path / "backup", tmp_path / "again"
    said = save(home, folder)
    assert said.segments == said.segments_copied > 5 and said.records_copied == len(log_records(home))
    restored = restore(folder, again, lake_in)
    assert contents(again) == contents(home) and log_records(again) == log_records(home)
    assert restored.seal_checked and restored.positions == {TOPIC: {0: lake_in(home).position(TOPIC, 0)}}
    assert [(path.stat().st_mode & 0o777) for path in (again / "seal" / "lake.key", folder / "files")] == [0o600, 0o700]
    for one in (home, again):
        Day(one, partitions=1).run(segment_records=100)
    assert contents(again) == contents(home)  # the sixty records that waited, to the byte
    assert lake_in(again).check() == []


def test_only_what_is_new_is_copied(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    first = save(made / "old", folder)
    inodes = {path: path.stat().st_ino for path in folder.rglob("*.parquet")}
    second = save(made / "new", folder)
    assert second.number == 2 and second.segments > second.segments_copied > 0
    assert second.segments_copied == second.segments - first.segments
    assert all(path.stat().st_ino == inode for path, inode in inodes.items())
    third = save(made / "new", folder)
    assert (third.segments_copied, third.files_copied, third.bytes_copied, third.records_copied) == (0, 0, 0, 0)
    restore(folder, tmp_path / "again", lake_in)
    assert contents(tmp_path / "again") == contents(made / "new")


def test_a_backup_follows_compaction(made: Path, tmp_path: Path) -> None:
    home, folder = made / "new", tmp_path / "backup"
    save(home, folder)
    with Compaction(lake_in(home), TOPIC, 0) as compaction:
        for run in compaction.runs(behind_hours=0):
            compaction.merge(run)
        small = len(lake_in(home).replaced(TOPIC, 0))
        saved = save(home, folder)  # beside the old ones still, as in the hours of grace
        assert saved.segments_copied == 1 and small > 5
        compaction.remove_replaced(grace_hours=0)
    save(home, folder)
    assert len(os.listdir(folder / "lake" / TOPIC / "0")) == saved.segments
    restore(folder, tmp_path / "again", lake_in)
    assert contents(tmp_path / "again") == contents(home)


def test_a_home_that_lost_segments_does_not_take_the_backup_with_it(made: Path, tmp_path: Path) -> None:
    home, folder = made / "new", tmp_path / "backup"
    save(home, folder)
    whole = contents(home)
    shutil.rmtree(lake_in(home).segments(TOPIC, 0)[-1].path)
    with pytest.raises(BackupError, match="the home lost it, or this is the backup of another one"):
        save(home, folder)
    restore(folder, tmp_path / "again", lake_in)
    assert contents(tmp_path / "again") == whole


def test_the_backup_of_another_home_is_refused(made: Path, tmp_path: Path) -> None:
    folder, other = tmp_path / "backup", tmp_path / "other"
    save(made / "old", folder)
    shutil.copytree(made / "old", other, ignore=shutil.ignore_patterns("lake", "seal"))
    Day(other, partitions=1).run(segment_records=100)  # the same records under another seal
    with pytest.raises(BackupError, match="is not the manifest that"):
        save(other, folder)
    log = SqliteLog(tmp_path / "x.sqlite", 1)
    log.append(TOPIC, [("T", b"x")] * 3)
    log.close()
    with pytest.raises(LogError, match="another log"):
        copy_log(tmp_path / "x.sqlite", folder / "log.sqlite", 1)


def test_a_damaged_file_of_the_home_is_named_and_not_copied(made: Path, tmp_path: Path) -> None:
    home, folder = made / "new", tmp_path / "backup"
    save(made / "old", folder)
    victim = lake_in(home).segments(TOPIC, 0)[-1].path / "rounds.parquet"
    data = victim.read_bytes()
    victim.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(BackupError, match=r"rounds\.parquet is not the file its manifest names"):
        save(home, folder)
    restore(folder, tmp_path / "again", lake_in)
    assert contents(tmp_path / "again") == contents(made / "old")
    victim.unlink()
    with pytest.raises(BackupError, match=r"rounds\.parquet is missing"):
        save(home, folder)
    victim.write_bytes(data)
    save(home, folder)


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x20
    path.write_bytes(data)


def _segment_file(name: str) -> Callable[[Path], None]:
    return lambda folder: _flip(lake_in(folder).segments(TOPIC, 0)[1].path / name)


def _forged_manifest(folder: Path) -> None:
    path = lake_in(folder).segments(TOPIC, 0)[1].path / "manifest.json"
    path.write_bytes(
        path.read_bytes().replace(b'"quarantined":', b'"Quarantined":').replace(b'"rounds":', b'"rounds" :')
    )


def _stored_file(folder: Path) -> None:
    _flip(max((folder / "files").iterdir(), key=lambda path: path.stat().st_size))


def _shorter_log(folder: Path) -> None:
    import sqlite3

    with sqlite3.connect(folder / "log.sqlite") as db:
        db.execute(f'DELETE FROM "records/{TOPIC}/0" WHERE record_offset > 100')
    db.close()


def _log_of_garbage(folder: Path) -> None:
    data = bytearray((folder / "log.sqlite").read_bytes())
    data[len(data) // 2 : len(data) // 2 + 20_000] = bytes(20_000)
    (folder / "log.sqlite").write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_segment_file("events.parquet"), "is not the file its manifest names"),
        (_segment_file("state.json"), "is not the file its manifest names"),
        (_segment_file("seal"), "the backup is damaged: .*seal"),
        (_forged_manifest, r"the backup is damaged: .*manifest\.json"),
        (lambda folder: shutil.rmtree(lake_in(folder).segments(TOPIC, 0)[1].path), "No such file|cannot be read"),
        (_stored_file, "is damaged: it is not"),
        (lambda folder: shutil.rmtree(folder / "files"), "No such file"),
        (_shorter_log, "is shorter than it was backed up"),
        (_log_of_garbage, "is damaged"),
        (lambda folder: (folder / "backup.json").write_text("{}"), r"backup\.json is damaged"),
        (lambda folder: (folder / "backup.json").unlink(), "is not a backup"),
        (lambda folder: (folder / "backup.json").write_text('{"format": 9}'), "has format 9, and this version reads 1"),
    ],
)
def test_a_damaged_backup_restores_nothing(
    made: Path, tmp_path: Path, damage: Callable[[Path], object], message: str
) -> None:
    folder, again = tmp_path / "backup", tmp_path / "again"
    save(made / "new", folder)
    damage(folder)
    with pytest.raises((BackupError, LogError, Exception), match=message) as caught:
        restore(folder, again, lake_in)
    assert type(caught.value).__name__ in ("BackupError", "LogError", "LakeError")
    assert not again.exists() and not list(tmp_path.glob(".*"))


def test_nothing_is_restored_over_anything(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    save(made / "new", folder)
    with pytest.raises(BackupError, match="is there and not empty"):
        restore(folder, made / "old", lake_in)
    (tmp_path / "file").touch()
    with pytest.raises(BackupError, match="is there and not empty"):
        restore(folder, tmp_path / "file", lake_in)
    (tmp_path / "empty").mkdir()
    restore(folder, tmp_path / "empty", lake_in)
    assert contents(tmp_path / "empty") == contents(made / "new")


def test_a_path_out_of_the_home_is_refused(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    save(made / "new", folder)
    said = json.loads((folder / "backup.json").read_bytes())
    said["files"]["../outside"] = next(iter(said["files"].values()))
    (folder / "backup.json").write_text(json.dumps(said))
    with pytest.raises(BackupError, match="outside"):
        restore(folder, tmp_path / "again", lake_in)
    assert not (tmp_path / "outside").exists()


def test_folders_that_cannot_be_backups_are_refused(made: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="is inside the home"):
        save(made / "new", made / "new" / "backup")
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "dog.jpg").touch()
    with pytest.raises(BackupError, match="neither empty nor a backup"):
        save(made / "new", tmp_path / "photos")


def test_a_home_without_a_lake_or_log_can_be_backed_up(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "home.json").write_text('{"format": 1, "partitions": 1}')
    save(tmp_path / "home", tmp_path / "backup")
    restored = restore(tmp_path / "backup", tmp_path / "again", lake_in)
    assert restored.segments == 0 and contents(tmp_path / "again") == contents(tmp_path / "home")


def test_a_log_on_kafka_leaves_its_positions(made: Path, tmp_path: Path) -> None:
    home = made / "new"
    for path in home.glob("log.sqlite*"):
        path.unlink()
    (home / "kafka.toml").write_text('bootstrap = "127.0.0.1:1"\n')
    done = back_up(home, lake_in(home), None, tmp_path / "backup")
    restored = restore(tmp_path / "backup", tmp_path / "again", lake_in)
    assert restored.log == "kafka" and restored.positions == done.positions == {
        TOPIC: {0: lake_in(home).position(TOPIC, 0)}
    }
    assert contents(tmp_path / "again") == contents(home)
    with pytest.raises(BackupError, match="another kind of log"):
        back_up(home, lake_in(home), 1, tmp_path / "backup")


def test_the_log_is_copied_while_devices_write(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite", 2)
    log.append(TOPIC, [(f"T-{n}", b"%d" % n) for n in range(100)])
    first = copy_log(tmp_path / "log.sqlite", tmp_path / "copy.sqlite", 2)
    log.append(TOPIC, [(f"T-{n}", b"%d" % n) for n in range(100, 150)])
    copied: list[int] = []
    second = copy_log(tmp_path / "log.sqlite", tmp_path / "copy.sqlite", 2, copied.append)
    assert sum(first[TOPIC].values()) == 100 and sum(second[TOPIC].values()) == 150 and sum(copied) == 50
    assert check_log(tmp_path / "copy.sqlite", 2) == second
    copy = SqliteLog(tmp_path / "copy.sqlite", 2)
    for partition in (0, 1):
        assert copy.read(TOPIC, partition, 0, 999) == log.read(TOPIC, partition, 0, 999)
    copy.close()
    log.close()
    with pytest.raises(LogError, match="is not there"):
        copy_log(tmp_path / "none.sqlite", tmp_path / "copy.sqlite", 2)


@pytest.mark.slow
def test_killed_anywhere_a_backup_restores_and_a_restore_leaves_nothing(tmp_path: Path) -> None:
    """Between the two homes compaction has run, so that the backup has segments to add and others to remove."""
    plan = default_plan(seed=5, tables=1, rounds=8, gaming_day=date(2026, 11, 17))
    records = list(simulate(plan))
    old, new = tmp_path / "made" / "old", tmp_path / "made" / "new"
    old.mkdir(parents=True)
    day = Day(old, partitions=1)
    for table_id, public in table_keys(plan).items():
        day.keys.register(table_id, public)
    day.append(records[:120])
    day.run(segment_records=40)
    shutil.copytree(old, new)
    day = Day(new, partitions=1)
    day.append(records[120:])
    day.run(segment_records=40)
    with Compaction(lake_in(new), TOPIC, 0) as compaction:
        for run in compaction.runs(target_records=80, behind_hours=0):
            compaction.merge(run)
        assert compaction.remove_replaced(grace_hours=0).removed >= 2
    done = subprocess.run(
        [sys.executable, "-m", "tests.ingest.backup_killer", str(tmp_path / "made"), str(tmp_path / "work")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    kills, as_old, as_new, restores = map(int, done.stdout.split())
    assert kills >= 20 and as_old >= 15 and as_new >= 1 and restores >= 10, done.stdout
