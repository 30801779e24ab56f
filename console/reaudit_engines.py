"""Where a re-audit runs: in this process, in a pool of processes here, or on a Ray cluster.

An engine runs one function over a list of segments and yields the answers in the order of the list, whoever finishes
first, so that every engine gives the same report byte for byte. Of the segments no more than a few for each processor
are under way at a time, and no answer waits for more than those: a lake of years costs no more memory than one of days.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

from console.exits import HomeTrouble

Answer = TypeVar("Answer")
AHEAD = 4
"""Segments under way for each processor: enough that none waits for a slow neighbour, few enough to hold in memory."""
MOST_LOSSES = 3
"""How often work is given out again after the process that had it was lost, before that is an error."""


class EngineTrouble(HomeTrouble):
    """The engine cannot run or lost its workers; nothing of the lake was touched."""


class Engine(Protocol):
    """Runs `work` over segments."""

    @property
    def processes(self) -> int:
        """How many segments are worked on at a time."""
        ...

    def answers(self, work: Callable[[Path], Answer], segments: Sequence[Path]) -> Iterator[Answer]:
        """`work` of every segment, in the order given; an error of `work` is raised where its answer would be."""
        ...


class InThisProcess:
    """One segment after another, here."""

    processes = 1

    def answers(self, work: Callable[[Path], Answer], segments: Sequence[Path]) -> Iterator[Answer]:
        yield from map(work, segments)


class ProcessPool:
    """So many processes of this machine. One that is lost (killed for want of memory, say) is replaced."""

    def __init__(self, processes: int) -> None:
        self.processes = processes

    def answers(self, work: Callable[[Path], Answer], segments: Sequence[Path]) -> Iterator[Answer]:
        waiting = deque(segments)
        given: deque[tuple[Path, Future[Answer]]] = deque()
        pool, losses = self._pool(), 0
        try:
            while waiting or given:
                try:
                    while waiting and len(given) < self.processes * AHEAD:
                        given.append((waiting[0], pool.submit(work, waiting[0])))
                        waiting.popleft()
                    answer = given[0][1].result()
                except BrokenProcessPool as error:
                    losses += 1
                    if losses > MOST_LOSSES:
                        segment = given[0][0] if given else waiting[0]
                        raise EngineTrouble(
                            f"{segment}: the process auditing it was lost {losses} times (killed from outside, or no "
                            "memory left?); ask for fewer --jobs, or for less at a time (--table, --day)"
                        ) from error
                    pool.shutdown(wait=False, cancel_futures=True)
                    pool = self._pool()
                    waiting.extendleft(segment for segment, _ in reversed(given))
                    given.clear()
                    continue
                given.popleft()
                losses = 0
                yield answer
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _pool(self) -> ProcessPoolExecutor:
        # Not forked: pyarrow has threads running by now.
        return ProcessPoolExecutor(self.processes, multiprocessing.get_context("spawn"))


@contextmanager
def local_engine(jobs: int, segments: int) -> Iterator[Engine]:
    """This machine alone; more processes than segments or processors would only wait."""
    processes = min(jobs, segments, os.cpu_count() or 1)
    yield ProcessPool(processes) if processes > 1 else InThisProcess()


def engine_named(
    name: str, jobs: int | None, address: str | None, lake: Path, segments: Sequence[Path]
) -> AbstractContextManager[Engine]:
    """The engine that was asked for, ready to run while the context lasts."""
    if name == "local" or not segments:  # nothing to do is done here
        return local_engine(jobs or 1, len(segments))
    from console.reaudit_ray import ray_engine

    return ray_engine(jobs, address, lake, segments)
