"""Which process of this machine writes a partition of the lake at the moment, without disturbing it.

A worker holds a lock on its partition's lock file. To try the lock would get in the way of a worker that begins just
then, so the system's own list of locks is read; where there is none (not Linux), or the worker is on another machine,
nobody can tell.
"""

from __future__ import annotations

import os
from pathlib import Path

from ingest.lake import LOCK, Lake

_LOCKS = Path("/proc/locks")


def owners(lake: Lake, topic: str) -> dict[int, int]:
    """The partitions of the topic that a process of this machine has, and its number."""
    held = _held()
    found: dict[int, int] = {}
    for partition in lake.partitions(topic):
        try:
            file = os.stat(lake.root / topic / str(partition) / LOCK)
        except FileNotFoundError:
            continue
        process = held.get((os.major(file.st_dev), os.minor(file.st_dev), file.st_ino))
        if process is not None:
            found[partition] = process
    return found


def _held() -> dict[tuple[int, int, int], int]:
    """Device and number of every locked file, and the process that locked it."""
    try:
        text = _LOCKS.read_text(encoding="ascii")
    except OSError:
        return {}
    held: dict[tuple[int, int, int], int] = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 6 and words[1] == "FLOCK" and words[3] == "WRITE":
            major, minor, inode = words[5].split(":")
            held[int(major, 16), int(minor, 16), int(inode)] = int(words[4])
    return held
