"""How often rounds are judged: soon enough for whoever waits, and not so often that it takes the worker's time.

Judging costs some milliseconds for each way the tables are set up, however few rounds there are. So what the last
judgement took decides when the next one is due: it may take a share of the time, within the limits below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

SOONEST_S = 0.25  # how long a closed round waits for its verdict where there is time
LATEST_S = 0.5  # and where there is not
SHARE = 0.1


class Pace:
    """Says when the next judgement is due."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._due = clock() + SOONEST_S

    def is_due(self) -> bool:
        return self._clock() >= self._due

    @contextmanager
    def judging(self) -> Iterator[None]:
        """Around a judgement."""
        began = self._clock()
        yield
        now = self._clock()
        self._due = now + min(LATEST_S, max(SOONEST_S, (now - began) / SHARE))
