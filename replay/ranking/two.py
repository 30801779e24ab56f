"""Two cards: how strong a low hand is, and whether a high hand may stand behind it."""

from __future__ import annotations

from functools import cache

import numpy as np

from replay.ranking.five import ACE, Category, Wheel, pack, rank_five
from replay.ranking.hands import Bools, Cards, Strengths, as_hands
from schemas.cards import JOKER_1


def rank_two(cards: Cards) -> Strengths:
    """Strength of each (n, 2) low hand, in the layout of `replay.ranking.five`.

    A pair beats no pair (MA-PGP §3(b)(10)), then the higher card, then the other (§3(e)). The joker is an ace and
    nothing else (§3(a), rulings.md R-11): a straight or flush needs five cards.
    """
    hands = as_hands(cards, 2)
    return _strength_of_two()[hands[:, 0], hands[:, 1]]


def foul(low: Cards, high: Cards, wheel: Wheel) -> Bools:
    """Where the high hand is not "equal to or higher in rank than" the low one (MA-PGP §9(a), rulings.md R-13)."""
    return fouls(rank_two(low), rank_five(high, wheel))


def fouls(low: Strengths, high: Strengths) -> Bools:
    """`foul`, from strengths.

    The hands compare by category, then card by card over the cards both have. A low hand's strength is zero where it
    has no card, so where the high hand is equal so far its further cards can only put it above: one comparison does.
    """
    return low > high


@cache
def _strength_of_two() -> Strengths:
    ranks = [code // 4 + 2 for code in range(JOKER_1)] + [ACE]
    return np.array([[_by_definition(one, other) for other in ranks] for one in ranks], np.int32)


def _by_definition(one: int, other: int) -> int:
    if one == other:
        return pack(Category.PAIR, [one])
    return pack(Category.HIGH_CARD, [max(one, other), min(one, other)])
