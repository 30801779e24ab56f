"""Supreme Pai Gow: two-card hands with two jokers (MA-SPG §3, NJ-SPG 34.3), and whether a setting is foul.

A pair (jokers, aces, kings .. twos) beats non-matching face cards (K-Q, K-J, Q-J), which beat points (§3(a)). A joker
is `Joker.THREE_OR_SIX`: it pairs only with the other joker, and else is the 3 or the 6 that makes more points.

A strength is higher for the better hand. Its low eight bits are the cards, highest first (king 13 .. ace 1; §3(b),
rulings.md R-14), which decide between a player and the dealer when §3(a) does not; `by_category_and_points` takes them
off, for §3(b) is not for a player's own two hands (R-13).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from replay.ranking.hands import Bools, Cards, Strengths, as_hands
from schemas.cards import JOKER_1, JOKER_2

_CARD_BITS = 8
_ZERO_POINTS = 1  # points 0..9 are 1..10 in §3(a)'s order, then Q-J, K-J, K-Q, then pairs of twos .. aces and jokers
_FACES = {(12, 11): 11, (13, 11): 12, (13, 12): 13}
_PAIR = 14
_FIGURES = {1: "A", 10: "T", 11: "J", 12: "Q", 13: "K", **{figure: str(figure) for figure in range(2, 10)}}
_RANK_NAMES = (
    *[
        "twos",
        "threes",
        "fours",
        "fives",
        "sixes",
        "sevens",
        "eights",
        "nines",
        "tens",
        "jacks",
        "queens",
        "kings",
        "aces",
    ],
)


def rank_supreme(cards: Cards) -> Strengths:
    """Strength of each (n, 2) hand, low or high. Equal strengths are a tie, which the dealer or bank wins (§3(b))."""
    hands = as_hands(cards, 2, jokers=2)
    return _strength_of_two()[hands[:, 0], hands[:, 1]]


def by_category_and_points(strength: Strengths) -> Strengths:
    """The part of a strength that MA-SPG §3(a) decides."""
    return strength >> _CARD_BITS


def foul_supreme(low: Cards, high: Cards) -> Bools:
    """Where the high hand is not "equal to or higher in rank than" the low one, by §3(a) alone (MA-SPG §12(a),
    rulings.md R-13): 10-7 low with 5-2 high is not foul."""
    return fouls_supreme(rank_supreme(low), rank_supreme(high))


def fouls_supreme(low: Strengths, high: Strengths) -> Bools:
    """`foul_supreme`, from strengths."""
    return by_category_and_points(low) > by_category_and_points(high)


def zero_points(strength: Strengths) -> Bools:
    """Where a hand is ranked by points and has none: a player's low hand that the dealer beats whatever it holds
    (MA-SPG §3(d); not pairs or face cards, rulings.md R-14)."""
    pointless: Bools = by_category_and_points(strength) == _ZERO_POINTS
    return pointless


def is_pair(strength: Strengths) -> Bools:
    paired: Bools = by_category_and_points(strength) >= _PAIR
    return paired


def supreme_in_words(strength: int) -> str:
    """`pair of kings`, `pair of jokers`, `K-Q`, `7 points (K-7)`."""
    category, high, low = strength >> _CARD_BITS, strength >> 4 & 15, strength & 15
    if category > _PAIR + 12:
        return "pair of jokers"
    if category >= _PAIR:
        return f"pair of {_RANK_NAMES[category - _PAIR]}"
    cards = f"{_FIGURES[high]}-{_FIGURES[low]}"
    return cards if category > _ZERO_POINTS + 9 else f"{category - _ZERO_POINTS} points ({cards})"


@cache
def _strength_of_two() -> Strengths:
    return np.array(
        [[_by_definition(one, other) for other in range(JOKER_2 + 1)] for one in range(JOKER_2 + 1)], np.int32
    )


def _by_definition(one: int, other: int) -> int:
    """Two codes. Figures are the ranks of §3(b): ace 1, 2 .. 10, jack 11, queen 12, king 13."""
    if one >= JOKER_1 and other >= JOKER_1:
        return _PAIR + 13 << _CARD_BITS
    if one >= JOKER_1 or other >= JOKER_1:
        figure = _figure(min(one, other))
        joker = max((3, 6), key=lambda value: (value + _points(figure)) % 10)
        return _by_points(figure, joker)
    figures = (max(_figure(one), _figure(other)), min(_figure(one), _figure(other)))
    if figures[0] == figures[1]:
        return _PAIR + one // 4 << _CARD_BITS  # deuce 0 .. ace 12, as in card codes
    if figures in _FACES:
        return _FACES[figures] << _CARD_BITS | figures[0] << 4 | figures[1]
    return _by_points(*figures)


def _by_points(one: int, other: int) -> int:
    points = (_points(one) + _points(other)) % 10
    return _ZERO_POINTS + points << _CARD_BITS | max(one, other) << 4 | min(one, other)


def _figure(code: int) -> int:
    return 1 if code // 4 == 12 else code // 4 + 2


def _points(figure: int) -> int:
    return figure if figure < 10 else 0
