"""Random hands to rank."""

from __future__ import annotations

import numpy as np

from replay.ranking.hands import Cards


def deal(hands: int, size: int, deck: int, seed: int = 2011) -> Cards:
    """Random hands of different cards, each as likely: those that drew a card twice are thrown away."""
    rng = np.random.default_rng(seed)
    dealt = np.empty((0, size), np.uint8)
    while len(dealt) < hands:
        drawn = rng.integers(0, deck, (hands, size), np.uint8)
        held = np.bitwise_or.reduce(np.uint64(1) << drawn.astype(np.uint64), axis=1)
        dealt = np.concatenate([dealt, drawn[np.bitwise_count(held) == size]])
    return dealt[:hands]
