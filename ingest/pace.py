"""How often rounds are judged and segments are cut: soon enough for whoever waits, and not so often that it takes the
worker's time.

Judging costs some milliseconds for each way the tables are set up, however few rounds there are, and a commit costs a
dozen fsyncs. So what the last one took decides when the next one is due: judging may take a tenth of the time and
committing half of it, within the limits below. Nothing that is recorded depends on any of this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

SOONEST_S = 0.25  # how long a closed round waits for its verdict where there is time
LATEST_S = 0.5  # and where there is not
SHARE = 0.1
CUT_SPACING_S = 0.5  # the shortest time between the end of one commit and the beginning of the next
JUDGING_WAIT_S = 10.0  # how long a commit waits for rounds that take long to judge, so that others need not
STOP_S = 0.5  # how long a worker that is told to stop goes on judging what it has begun with
RECORDS_WAIT_S = 5.0  # how long records that no verdict and no finding rests on yet may wait for a commit


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


class CutPace:
    """Says when waiting verdicts are committed. After a slow commit it waits as long as that one took, so that at least
    half of the time is left for reading and judging, however slow the disk is."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._free_at = clock()

    def is_free(self) -> bool:
        """Whether something may be committed now."""
        return self._clock() >= self._free_at

    @contextmanager
    def cutting(self) -> Iterator[None]:
        """Around the commits."""
        began = self._clock()
        try:
            yield
        finally:
            now = self._clock()
            self._free_at = now + max(CUT_SPACING_S, now - began)
