"""The house way of Supreme Pai Gow: how the dealer's or bank's four cards must be set (rulings.md R-35).

* Two pairs: one in each hand, the higher in the high hand. Four of a kind are two pairs, and so are jokers and a pair.
* One pair or three of a kind: a pair in the high hand, the other two low.
* No pair: the split with the highest low hand that is not foul; if equal, the highest high hand; both by MA-SPG §3(a),
  then §3(b).

Where cards of equal rank can change places several settings are equally the house way: compare a dealer's setting with
this one by strength (`rank_supreme`), not by card.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from replay.ranking.hands import Cards, as_hands
from replay.ranking.supreme import fouls_supreme, is_pair, rank_supreme

FOUR_SPLITS: NDArray[np.intp] = np.array(
    [[*low, *(place for place in range(4) if place not in low)] for low in combinations(range(4), 2)]
)
"""(6, 4) places in the four: the first two are the low hand, the other two the high hand."""

_BLOCK = 1 << 15


def house_way_four(cards: Cards) -> Cards:
    """Each (n, 4) hand as the house way sets it: the same cards, two low and then two high, each highest code first."""
    hands = as_hands(cards, 4, jokers=2)
    setting = np.empty_like(hands, order="C")
    for start in range(0, len(hands), _BLOCK):
        block = np.sort(hands[start : start + _BLOCK], axis=1)[:, ::-1]
        splits = block[:, FOUR_SPLITS]
        low = rank_supreme(splits[:, :, :2].reshape(-1, 2)).reshape(-1, len(FOUR_SPLITS))
        high = rank_supreme(splits[:, :, 2:].reshape(-1, 2)).reshape(-1, len(FOUR_SPLITS))
        allowed = ~fouls_supreme(low, high)
        pair_in_high = allowed & is_pair(high)
        two_pairs = pair_in_high & is_pair(low)
        for narrower in (pair_in_high, two_pairs):  # the rule of the more pairs goes before the other
            allowed = np.where(narrower.any(axis=1, keepdims=True), narrower, allowed)
        low_then_high = np.where(allowed, low.astype(np.int64) << 16 | high, -1)
        setting[start : start + _BLOCK] = np.take_along_axis(block, FOUR_SPLITS[low_then_high.argmax(axis=1)], axis=1)
    return setting
