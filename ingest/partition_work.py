"""The one who works on committed segments of a partition: compaction or retention, and never two at a time.

A worker that commits new segments goes on meanwhile; what works here leaves the newest ones alone. The partition's
folder `.compacting` is locked, and is where things are made that are then moved into their place; what a killed one
left in it is removed by the next.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from types import TracebackType
from typing import Self

from ingest.durable import make_folders
from ingest.lake import COMPACTING, Lake, LakeError, Segment
from ingest.seal.verify import verify_segment

KEEP_NEWEST = 2
"""So many segments are left alone however old they are: a worker goes on from the last one."""


class PartitionBusy(LakeError):
    """Another process works on the partition's committed segments."""


class PartitionWork:
    """Holds the lock of a partition's work; use it as a context manager."""

    def __init__(self, lake: Lake, topic: str, partition: int) -> None:
        self._lake = lake
        self._topic = topic
        self._partition = partition
        self._folder = lake.root / topic / str(partition)
        self._work = self._folder / COMPACTING
        self._lock = -1

    def __enter__(self) -> Self:
        try:
            make_folders(self._work)
            self._lock = os.open(self._work / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise LakeError(f"{self._work}: cannot be written: {error.strerror}; make it writable") from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for leftover in self._work.iterdir():
                if leftover.is_dir():
                    shutil.rmtree(leftover)
                elif leftover.name != "lock":
                    leftover.unlink()
        except BlockingIOError:
            os.close(self._lock)
            raise PartitionBusy(f"{self._folder}: another compaction is at work there; let it finish") from None
        except OSError as error:
            os.close(self._lock)
            raise LakeError(f"{self._work}: {error}; see to the disk, then run again") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._lock)

    def _settled(self) -> list[Segment]:
        """The segments that may be worked on, oldest first: not the newest ones, and none that a worker which starts
        would read its records from."""
        found = self._lake.segments(self._topic, self._partition)
        needed = len(found)
        while needed and self._lake.manifest(found[needed - 1])["state_offset"] is None:
            needed -= 1
        return found[: min(needed, len(found) - KEEP_NEWEST)] if len(found) > KEEP_NEWEST else []

    def _before(self, segment: Segment) -> Segment | None:
        found = self._lake.segments(self._topic, self._partition)
        at = found.index(segment)
        return found[at - 1] if at else None

    def _verify(self, segment: Segment, previous: Segment | None) -> None:
        """A LakeError where anything is wrong: what is damaged is neither sealed anew nor made the only copy."""
        keys = self._lake.keys()
        found = verify_segment(self._lake, keys, self._topic, self._partition, segment, previous)
        if found.damages:
            raise LakeError(
                f"{found.damages[0]}; nothing was done from there on: type `muckraker verify`, restore what it names "
                "from a backup, then run again"
            )
