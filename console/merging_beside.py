"""Merging beside a worker that runs on: small segments become bigger ones, by a process of its own, at low priority.

The worker never waits for it. The process is `muckraker compact --beside`; it goes on until its standard input is
closed, so it ends with the worker, also with one that was killed. Where several workers share a lake each has one, and
a partition that one of them is at is passed over by the others.
"""

from __future__ import annotations

import logging
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from console.home import Home
from ingest.compaction import TIER_GRACE_HOURS, Compaction
from ingest.lake import Lake
from ingest.partition_work import PartitionBusy

EVERY_S = 5.0
AGAIN_S = 30.0
NICE = 10
_STOP_S = 5.0  # a merge that is killed is begun anew by the next one

logger = logging.getLogger("muckraker.merging")


@contextmanager
def merging_beside(home: Home, stop: Event) -> Iterator[None]:
    """As long as this lasts, and until `stop` is set, small segments are merged soon after they were written."""
    thread = Thread(target=_keep_merging, args=(home, stop), name="merging", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _keep_merging(home: Home, stop: Event) -> None:
    command = [sys.executable, "-m", "console.main", "compact", "--beside", "--home", str(home.path)]
    while not stop.wait(EVERY_S):
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        ) as process:
            assert process.stdin is not None and process.stderr is not None
            while process.poll() is None and not stop.wait(0.2):
                pass
            process.stdin.close()
            try:
                process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
            words = process.stderr.read().decode("utf-8", "replace").strip().splitlines()
        if not stop.is_set():
            logger.warning("small segments were not merged", extra={"error": words[-1] if words else ""})
            stop.wait(AGAIN_S)


def merge_until_closed(lake: Lake) -> None:
    """Merge what is small, all the time, until standard input is closed."""
    os.nice(NICE)
    while not _is_closed(EVERY_S):
        merge_small(lake, lambda: _is_closed(0.0))


def merge_small(lake: Lake, stop: Callable[[], bool] = lambda: False) -> int:
    """Merge the small segments there are and remove those replaced a while ago; how many merges that took."""
    merges = 0
    for topic in lake.topics():
        for partition in lake.partitions(topic):
            if stop():
                return merges
            if not lake.segments(topic, partition):
                continue
            try:
                with Compaction(lake, topic, partition) as compaction:
                    while not stop() and (run := compaction.next_tier()):
                        compaction.merge(run)
                        merges += 1
                    compaction.remove_replaced(TIER_GRACE_HOURS)
            except PartitionBusy:
                continue
    return merges


def _is_closed(wait_s: float) -> bool:
    """Whether whoever started this has closed its standard input, or is gone."""
    ready, _, _ = select.select([sys.stdin], [], [], wait_s)
    return bool(ready) and not os.read(sys.stdin.fileno(), 1)
