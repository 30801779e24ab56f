"""Several partitions of a log, followed by one thread as records come.

One thread and not one for each: judging is work for the processor, which Python gives to one thread at a time, and four
threads that take it from each other did half of what one does (measured by `benchmarks.latency`).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from threading import Event as StopEvent
from time import monotonic

from ingest.lake import LakeError
from ingest.log import LogError
from ingest.pace import STOP_S, CutPace, Pace
from ingest.worker import Judge, Processed, Worker, one_by_one

POLL_S = 0.1  # how long a log that had nothing new is left alone

logger = logging.getLogger("muckraker.worker")


def follow(
    workers: Sequence[Worker], stop: StopEvent, judge: Judge = one_by_one, poll_seconds: float = POLL_S
) -> list[Processed]:
    """Go on as records come until `stop` is set, committing verdicts as they are found and the rest at the end. If one
    partition fails, so do all: what the others have taken is committed first."""
    for worker in workers:
        worker.begin()
    pace, cuts = Pace(), CutPace()
    at_work: Worker | None = None
    try:
        while not stop.is_set():
            came = False
            for at_work in workers:
                came |= at_work.take_next()
                if stop.is_set():
                    break
            at_work = None
            if pace.is_due() or _are_judging(workers):
                with pace.judging():
                    concluded = judge([worker.replay for worker in workers])
                    for worker, judged in zip(workers, concluded, strict=True):
                        worker.conclude(judged)
            wanting = [worker for worker in workers if worker.wants_cut()]
            if wanting and cuts.is_free():
                with cuts.cutting():
                    for at_work in wanting:
                        at_work.cut()
            if not came and not _are_judging(workers):
                stop.wait(poll_seconds)
    except Exception:
        _save([worker for worker in workers if worker is not at_work])
        raise
    until = monotonic() + STOP_S
    for worker in sorted(workers, key=lambda worker: worker.replay.waiting):
        worker.stop(until)
    return [worker.end() for worker in workers]


def _are_judging(workers: Sequence[Worker]) -> bool:
    """Whether rounds wait that take long to judge: between two moments of that, more is read."""
    return any(worker.replay.waiting for worker in workers)


def _save(workers: Sequence[Worker]) -> None:
    """Commit what these have taken, now that another one cannot go on."""
    until = monotonic() + STOP_S
    for worker in workers:
        try:
            worker.stop(until)
        except (LakeError, LogError) as error:  # the same disk is full: the next worker does it again
            logger.warning("an open segment was left", extra={"error": str(error)})
