"""The best five of five, six or seven cards, as a strength of `replay.ranking.five`.

With the joker of pai gow poker (MA-PGP §3, CA Fortune Pai Gow Poker) or without one (hold'em, CA 6 Card Bonus). The
joker of another game is another card: see `replay.ranking.joker`.

What the ranks alone make is looked up by their sum (`replay.ranking.rank_sets`), what five or more cards of one suit
make, by the bits of that suit's ranks; the better of the two is the answer. Three aces and the joker beside three cards
of a suit are both four of a kind and a flush, so neither table can be left out.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np

from replay.ranking.five import Wheel, rank_five
from replay.ranking.hands import Cards, Strengths, as_hands
from replay.ranking.keys import every_rank_multiset
from replay.ranking.rank_sets import by_place, rank_set_blocks
from schemas.cards import JOKER_1

_JOKER_BIT = 13
_SIZES = (5, 6, 7)


def rank_best(cards: Cards, wheel: Wheel, joker: bool) -> Strengths:
    """Strength of the best five cards of each (n, 5), (n, 6) or (n, 7) hand. `joker` says whether the deck has one.

    Without the joker and with `Wheel.LOWEST` this is the usual order of poker hands ("traditional rankings", CA
    Hold'em).
    """
    size = cards.shape[1] if isinstance(cards, np.ndarray) and cards.ndim == 2 else 7
    if size not in _SIZES:
        raise ValueError(f"the best five are of 5, 6 or 7 cards, an array of shape (n, 5..7), not {cards.shape}")
    hands = as_hands(cards, size, jokers=int(joker))
    if size == 5:
        return rank_five(hands, wheel)
    by_ranks, by_suit = _best_by_ranks(size, wheel), _best_of_a_suit(wheel)
    strengths = np.empty(len(hands), np.int32)
    for block in rank_set_blocks(hands):
        strength = block.look_up(by_ranks)
        if block.suited.size:
            suited = by_suit.take(block.suit_bits, mode="clip")
            strength[block.suited] = np.maximum(strength[block.suited], suited)
        strengths[block.rows] = strength
    return strengths


@cache
def _best_by_ranks(size: int, wheel: Wheel) -> Strengths:
    """By the place of the rank set: the best five of the hand that stands for it, which is never a flush."""
    return by_place(size, _best_five(every_rank_multiset(size), wheel))


@cache
def _best_of_a_suit(wheel: Wheel) -> Strengths:
    """By `RankSetBlock.suit_bits`, five to seven cards in all: the best five of them; -1 elsewhere."""
    table = np.full(2 << _JOKER_BIT, -1, np.int32)
    for size in _SIZES:
        for joker in (0, 1):
            held = list(combinations(range(13), size - joker))
            clubs = np.array([[*(4 * rank for rank in ranks), *[JOKER_1] * joker] for ranks in held], np.uint8)
            bits = [sum(1 << rank for rank in ranks) + (joker << _JOKER_BIT) for ranks in held]
            table[bits] = _best_five(clubs, wheel)
    return table


def _best_five(hands: Cards, wheel: Wheel) -> Strengths:
    """By definition: every five of the hand."""
    best = np.full(len(hands), -1, np.int32)
    for places in combinations(range(hands.shape[1]), 5):
        np.maximum(best, rank_five(hands[:, places], wheel), out=best)
    return best
