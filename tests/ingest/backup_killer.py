"""Kills a backup, then a restore, before all they do to the disk: `python -m tests.ingest.backup_killer DAY WORK`.

DAY holds a home as it was (`old`) and as it is (`new`). After each killed backup the folder must restore to one of the
two, and after each killed restore there must be no home; run again, both must come to the end. Prints how often the
backup was killed and restored as old and as new, and how often the restore was killed.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from ingest.backup import back_up, restore
from ingest.lake import Lake
from tests.ingest.killing import killed_at, ready_to_kill

CHANGES = frozenset({"open", "os.mkdir", "os.rename", "os.rmdir"})
PARTITIONS = 1


def lake_in(home: Path) -> Lake:
    return Lake(home / "lake")


def save(home: Path, folder: Path) -> None:
    back_up(home, lake_in(home), PARTITIONS, folder)


def bring_back(folder: Path, home: Path) -> None:
    restore(folder, home, lake_in)


def contents(home: Path) -> dict[str, bytes]:
    """Every file but the log's, whose bytes depend on how it was written, and locks."""
    return {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and not path.name.startswith(("log.sqlite", ".lock")) and ".compacting" not in path.parts
    }


def main(day: Path, work: Path) -> None:
    ready_to_kill()
    work.mkdir()
    was, is_now = contents(day / "old"), contents(day / "new")
    assert was != is_now
    save(day / "old", work / "first")
    folder, home = work / "folder", work / "home"
    kills = old = new = restores = 0
    for step in range(1, 2_000):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(work / "first", folder)
        if not killed_at(step, folder, lambda: save(day / "new", folder), CHANGES):
            break
        kills += 1
        restore(folder, home, lake_in)
        found = contents(home)
        assert found in (was, is_now), f"backup killed at step {step}"
        old += found == was
        new += found == is_now
        shutil.rmtree(home)
        save(day / "new", folder)
        if step % 5 == 0:
            restore(folder, home, lake_in)
            assert contents(home) == is_now, f"after the backup killed at step {step}"
            shutil.rmtree(home)
    for step in range(1, 2_000, 3):
        if not killed_at(step, work, lambda: bring_back(folder, home), CHANGES):
            break
        restores += 1
        assert not home.exists(), f"restore killed at step {step}"
    shutil.rmtree(home)
    restore(folder, home, lake_in)
    assert contents(home) == is_now
    assert [path.name for path in work.iterdir() if path.name.startswith(".")] == []
    print(kills, old, new, restores)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
