"""Side wagers without the wager against the dealer that they need."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from replay.checks.wagers import Titles, wagers_without_base
from replay.families.split_hands.seats import Seats
from replay.remarks import Remark
from replay.rounds import RoundBatch


def without_base(batch: RoundBatch, seats: Seats, titles: Titles, base: str) -> Iterator[Remark]:
    """WAGER-503, in order of the wagers: each rests on the section that says who may place such a wager."""
    wagers = seats.wagers
    unaccompanied = (seats.at > 0) & ~seats.base[wagers.row, seats.at]
    for one in seats.sides:
        if one.there:
            alone = np.asarray(unaccompanied & (seats.kind == one.kind))
            yield from wagers_without_base(batch, wagers, alone, base, titles, one.side.law.needs)
