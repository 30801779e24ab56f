"""The twenty-one ways to set seven cards: two low, five high."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from replay.ranking.hands import Cards, as_hands

SPLITS: NDArray[np.intp] = np.array(
    [[*low, *(place for place in range(7) if place not in low)] for low in combinations(range(7), 2)]
)
"""(21, 7) places in the seven: the first two are the low hand, the other five the high hand."""


def all_splits(cards: Cards) -> tuple[Cards, Cards]:
    """Low hands (n, 21, 2) and high hands (n, 21, 5) of each seven, in the order of `SPLITS`."""
    set_cards = as_hands(cards, 7)[:, SPLITS]
    return set_cards[:, :, :2], set_cards[:, :, 2:]
