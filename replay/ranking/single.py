"""One hand, without NumPy: what `rank_best` says, for callers that hold a single hand and not a column of them.

An array of one row costs a dozen NumPy calls, each far dearer than the look-up it makes. Here the same sum of keys
(`replay.ranking.keys`) is taken in plain integers and looked up in a dictionary, which `rank_best` itself filled: there
is no second set of rules. A column of hands belongs in `rank_best`; a loop over this function is a mistake.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple, NoReturn

import numpy as np

from replay.ranking.best import rank_best
from replay.ranking.five import Wheel
from replay.ranking.hands import check_hands
from replay.ranking.keys import (
    FIVE_KEYS,
    FIVE_OF_A_SUIT,
    KEY_BITS,
    KEY_MASK,
    SEVEN_KEYS,
    SUIT_COUNTS_AT_THREE,
    card_words,
    every_rank_multiset,
    key_of,
    word_sums,
)
from schemas.cards import JOKER_1, names_of

_JOKER_BIT = 13
_SIZES = (5, 6, 7)


class _Tables(NamedTuple):
    words: list[int]  # by code, of the cards the deck has
    by_ranks: dict[int, int]  # strength by sum of keys, for what the ranks alone make
    by_suit: dict[int, int]  # strength by rank bits (deuce 0, ace 12, joker 13), for five or more of a suit


def rank_one(codes: bytes, wheel: Wheel, joker: bool) -> int:
    """Strength of the best five of five, six or seven cards; `schemas.cards.codes_of` makes the codes.

    Everything is checked, a card held twice too, and refused in the words of `rank_best` and `check_hands`.
    """
    if not isinstance(codes, bytes) or len(set(codes)) != len(codes) or len(codes) not in _SIZES:
        _refuse(codes, wheel, joker)
    words, by_ranks, by_suit = _tables(len(codes), wheel, joker)
    word = SUIT_COUNTS_AT_THREE
    try:
        for code in codes:
            word += words[code]
    except IndexError:
        _refuse(codes, wheel, joker)
    strength = by_ranks[word & KEY_MASK]
    if suited := word & FIVE_OF_A_SUIT:
        suit = (suited >> KEY_BITS).bit_length() // 4 - 1  # one suit at most: seven cards cannot hold five of two
        bits = 0
        for code in codes:
            if code % 4 == suit or code == JOKER_1:
                bits |= 1 << code // 4
        strength = max(strength, by_suit[bits])
    return strength


def _refuse(codes: bytes, wheel: Wheel, joker: bool) -> NoReturn:
    if not isinstance(codes, bytes):
        raise ValueError(f"one hand is bytes of card codes, not {type(codes).__name__}")
    hand = np.array([list(codes)], np.uint8)
    rank_best(hand, wheel, joker)
    check_hands(hand, len(codes), int(joker))
    raise AssertionError(f"{names_of(codes)}: refused by rank_one, and by neither rank_best nor check_hands")


@cache
def _tables(size: int, wheel: Wheel, joker: bool) -> _Tables:
    if not joker:
        words, by_ranks, by_suit = _tables(size, wheel, True)
        return _Tables(words[:JOKER_1], by_ranks, by_suit)
    hands = every_rank_multiset(size)  # none of them a flush
    card_word = card_words(FIVE_KEYS if size == 5 else SEVEN_KEYS, size)
    sums = key_of(word_sums(hands, card_word)).tolist()
    strength_by_sum = dict(zip(sums, rank_best(hands, wheel, joker=True).tolist(), strict=True))
    if len(strength_by_sum) != len(hands):
        raise ValueError(f"two different hands of {size} cards have the same sum of keys")
    return _Tables(card_word.tolist(), strength_by_sum, _strength_of_a_suit(size, wheel))


def _strength_of_a_suit(size: int, wheel: Wheel) -> dict[int, int]:
    """Of five cards up to `size`, of one suit or with the joker."""
    found: dict[int, int] = {}
    for held in range(5, size + 1):
        for jokers in (0, 1):
            ranks = list(combinations(range(13), held - jokers))
            clubs = np.array([[*(4 * rank for rank in hand), *[JOKER_1] * jokers] for hand in ranks], np.uint8)
            bits = [sum(1 << rank for rank in hand) | jokers << _JOKER_BIT for hand in ranks]
            found.update(zip(bits, rank_best(clubs, wheel, joker=True).tolist(), strict=True))
    return found
