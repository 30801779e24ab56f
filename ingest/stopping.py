"""A worker that is told to stop and waits for a cluster that does not answer leaves all the same.

Every wait for a cluster has an end of its own, half a minute as a rule, and those of several partitions add up. Nobody
who stops a worker waits for that: some time after the stop the wait under way is broken off, wherever it is. That is no
worse than being killed there, which harms nothing (ingest/worker.py): what was open the next worker does again.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread, current_thread, main_thread
from time import monotonic
from types import FrameType

_LOOK_S = 0.2
_AGAIN_S = 5.0  # a library may have swallowed the first one, or what is tidied up waits too

logger = logging.getLogger("muckraker.worker")


class StopOverdue(BaseException):
    """Raised where a worker that should have stopped is waiting. No Exception, so that nobody takes it for trouble."""


@contextmanager
def leaving_after(stop: Event, patience_s: float) -> Iterator[None]:
    """What runs inside is broken off with StopOverdue so long after `stop` was set, unless it has ended by then. Only
    the main thread can be interrupted; in any other this does nothing."""
    if current_thread() is not main_thread():
        yield
        return
    over = Event()
    main = main_thread().ident
    assert main is not None

    def on_alarm(_: int, __: FrameType | None) -> None:
        if not over.is_set():
            raise StopOverdue

    def watch() -> None:
        due: float | None = None
        while not over.wait(_LOOK_S):
            if stop.is_set():
                due = monotonic() + patience_s if due is None else due
                if monotonic() >= due:
                    signal.pthread_kill(main, signal.SIGALRM)
                    due = monotonic() + _AGAIN_S

    before = signal.signal(signal.SIGALRM, on_alarm)
    watcher = Thread(target=watch, name="stopping", daemon=True)
    watcher.start()
    try:
        yield
    except StopOverdue:
        logger.warning("the cluster does not answer, so what was open is left to the next worker")
    finally:
        over.set()
        watcher.join()  # so that no signal comes when nobody handles it any more
        signal.signal(signal.SIGALRM, before)
