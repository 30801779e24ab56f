"""The house way of FLT-SPG: how the dealer's eight cards must be set (rulings.md R-36).

"of the eight ways to leave one card out, set each seven by R-34; take the one with the highest low hand, then the
highest high hand, then leaving out the lowest card." The joker is an ace, and the higher of an ace and the joker: when
it makes no difference which of them is left out, the ace is. Between equal ranks the lower code (clubs first) is left
out; compare a dealer's setting with this one by strength, not by card.
"""

from __future__ import annotations

import numpy as np

from replay.ranking.five import Wheel, rank_five
from replay.ranking.hands import Cards, as_hands
from replay.ranking.house_way import house_way
from replay.ranking.two import rank_two

_BLOCK = 1 << 13
_KEPT = np.array([[place for place in range(8) if place != left_out] for left_out in range(8)])


def house_way_eight(cards: Cards, wheel: Wheel = Wheel.SECOND_HIGHEST) -> Cards:
    """Each (n, 8) hand as the house way sets it: the same cards, two low, five high and then the eighth card. FLT-SPG
    ranks A-2-3-4-5 second highest (rulings.md R-12)."""
    hands = as_hands(cards, 8)
    setting = np.empty_like(hands, order="C")
    for start in range(0, len(hands), _BLOCK):
        block = np.sort(hands[start : start + _BLOCK], axis=1)  # lowest first, so the first of equals leaves it out
        sevens = house_way(block[:, _KEPT].reshape(-1, 7), wheel)
        low = rank_two(sevens[:, :2]).astype(np.int64)
        high = rank_five(sevens[:, 2:], wheel)
        left_out = (low << 24 | high).reshape(-1, 8).argmax(axis=1)
        rows = np.arange(len(block))
        setting[start : start + _BLOCK, :7] = sevens.reshape(-1, 8, 7)[rows, left_out]
        setting[start : start + _BLOCK, 7] = block[rows, left_out]
    return setting
