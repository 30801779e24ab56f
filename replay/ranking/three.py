"""Three cards: strength in the order of CA Three Card Poker, with or without the joker of pai gow poker.

Straight flush > three of a kind > straight > flush > pair > high card, A-2-3 the lowest straight (rulings.md R-20).
The first three cards of MA-PGP's three-card bonus (§18(b)) are ranked the same way, the joker semi-wild as in §3(c):
an ace, or the card that completes a straight, flush or straight flush.

A strength has the layout of `replay.ranking.five` (category, then ranks of four bits), but its own categories. CA
deals from up to six decks, so a card may be held twice: two or three alike of one suit are a flush too, if not three
of a kind.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache

import numpy as np

from replay.ranking.five import ACE, CATEGORY_SHIFT, RANK_LETTERS, ranks_of
from replay.ranking.hands import Bools, Cards, Strengths, as_hands
from schemas.cards import JOKER_1

_CODES = JOKER_1 + 1


class ThreeCategory(IntEnum):
    """CA Three Card Poker, Ranking of Hands 2, lowest first. A-K-Q of a suit is the highest straight flush."""

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5


ROYAL = int(ThreeCategory.STRAIGHT_FLUSH) << CATEGORY_SHIFT | 14 << 16 | 13 << 12 | 12 << 8
"""Strength of A-K-Q of one suit: "royal flush" of the Pair Plus (rulings.md R-20)."""


def rank_three(cards: Cards, joker: bool) -> Strengths:
    """Strength of each (n, 3) hand. `joker` says whether the deck has one. `category` gives its `ThreeCategory`."""
    hands = as_hands(cards, 3, jokers=int(joker))
    place = hands[:, 0].astype(np.intp)
    for column in (1, 2):
        place *= _CODES
        place += hands[:, column]
    return _strength_by_codes().take(place)


def queen_high(strength: Strengths) -> Bools:
    """Where a player-dealer's three cards qualify: "a minimum of queen-high" (CA Three Card Poker, round of play 5)."""
    return strength >= 12 << 16


def three_in_words(strength: int) -> str:
    """`pair K-9`, `straight 3-2-A`, `high card Q-9-4`: the category, and the ranks it compares by."""
    kind = ThreeCategory(strength >> CATEGORY_SHIFT).name.lower().replace("_", " ")
    return f"{kind} {'-'.join(RANK_LETTERS[rank] for rank in ranks_of(strength))}"


def _by_definition(ranks: list[int], suited: bool) -> int:
    """Three ranks 2..14 and whether they are of one suit."""
    high_first = sorted(ranks, reverse=True)
    in_a_row = high_first[0] - 1 == high_first[1] == high_first[2] + 1
    run = [3, 2, 1] if high_first == [ACE, 3, 2] else high_first if in_a_row else []
    pair = next((rank for rank in high_first if high_first.count(rank) == 2), None)
    if run and suited:
        return _pack(ThreeCategory.STRAIGHT_FLUSH, run)
    if high_first.count(high_first[0]) == 3:
        return _pack(ThreeCategory.THREE_OF_A_KIND, high_first[:1])
    if run:
        return _pack(ThreeCategory.STRAIGHT, run)
    if suited:
        return _pack(ThreeCategory.FLUSH, high_first)
    if pair:
        return _pack(ThreeCategory.PAIR, [pair, *(rank for rank in high_first if rank != pair)])
    return _pack(ThreeCategory.HIGH_CARD, high_first)


def _with_joker(ranks: list[int], suited: bool) -> int:
    """Two ranks and the joker: an ace of no suit, or what completes a straight, flush or straight flush. In a flush
    it is the highest card not already there (rulings.md R-46)."""
    completing = (ThreeCategory.STRAIGHT, ThreeCategory.FLUSH, ThreeCategory.STRAIGHT_FLUSH)
    tries = [_by_definition([*ranks, rank], suited) for rank in range(2, ACE + 1) if rank not in ranks]
    completed = [one for one in tries if one >> CATEGORY_SHIFT in completing]
    return max([_by_definition([*ranks, ACE], False), *completed])


def _pack(kind: ThreeCategory, ranks: list[int]) -> int:
    strength = int(kind) << CATEGORY_SHIFT
    for place, rank in enumerate(ranks):
        strength |= rank << 16 - 4 * place
    return strength


@cache
def _strength_by_codes() -> Strengths:
    """By the three codes as digits to base 53; 0 with more than one joker, which no deck here holds."""
    by_ranks = np.zeros((2, 14, 14, 14), np.int32)  # suited, then three ranks from the deuce; the joker is the last
    for suited in (False, True):
        for one in range(13):
            for two in range(13):
                with_joker = _with_joker([one + 2, two + 2], suited)
                by_ranks[int(suited), 13, one, two] = by_ranks[int(suited), one, 13, two] = with_joker
                by_ranks[int(suited), one, two, 13] = with_joker
                for three in range(13):
                    by_ranks[int(suited), one, two, three] = _by_definition([one + 2, two + 2, three + 2], suited)
    code = np.arange(_CODES)
    rank, suit = code // 4, code % 4
    of_suit = (suit[:, None] == np.arange(4)) | (code == JOKER_1)[:, None]  # (53, 4): the joker is of every suit
    suited_together = (of_suit[:, None, None] & of_suit[None, :, None] & of_suit[None, None, :]).any(axis=3)
    by_codes: Strengths = by_ranks[
        suited_together.astype(np.intp), rank[:, None, None], rank[None, :, None], rank[None, None, :]
    ]
    return by_codes.ravel()
