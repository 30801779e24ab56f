"""Numbers for the ranks of a hand: one big table a hand size, shared by whatever the ranks alone decide.

The ranks that six or seven cards hold, whatever their order and suits, are one of 24,570 or 67,600 *rank sets* (with
the joker as a rank of its own). A hand's sum of keys (`replay.ranking.keys`) leads to the number of its rank set, and
strengths, classes and the like are small tables by that number: the rank set's own hand (`every_rank_multiset`),
which is never a flush, stands for all of them. Only the hands with five of a suit must be looked at card by card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from replay.ranking.hands import Cards
from replay.ranking.keys import (
    SEVEN_KEYS,
    Words,
    card_words,
    every_rank_multiset,
    key_of,
    table_by_sum,
    with_five_of_a_suit,
    word_sums,
)
from schemas.cards import JOKER_1, names_of

_BLOCK = 1 << 15  # rows at a time: what a block needs stays in the processor's cache
_NO_SET = -1


@dataclass(frozen=True)
class RankSetBlock:
    """Some consecutive hands: where they stand, their cards, their rank sets, and which of them hold five of a suit."""

    rows: slice
    cards: Cards
    numbers: NDArray[np.int32]
    suited: NDArray[np.intp]  # places in this block; four of a suit and the joker are five


def rank_set_blocks(cards: Cards) -> Iterator[RankSetBlock]:
    """The (n, 6) or (n, 7) hands, a block at a time. Five of a rank, which no deck can deal, are an error."""
    size = cards.shape[1]
    words, table = _words(size), _number_by_sum(size)
    for start in range(0, len(cards), _BLOCK):
        block = cards[start : start + _BLOCK]
        word = word_sums(block, words)
        numbers = table.take(key_of(word), mode="clip")
        if numbers.min() == _NO_SET:
            raise ValueError(f"{names_of(block[numbers.argmin()].tolist())} are not {size} cards of one deck")
        yield RankSetBlock(slice(start, start + len(block)), block, numbers, with_five_of_a_suit(word))


def suit_bits(cards: Cards) -> NDArray[np.int64]:
    """Rank bits (deuce 0, ace 12, joker 13) of the suit that most of each hand's cards have."""
    of_suit = np.stack([(cards % 4 == suit) & (cards < JOKER_1) for suit in range(4)])  # (4, n, size)
    suit = of_suit.sum(axis=2).argmax(axis=0)
    counted = of_suit[suit, np.arange(len(cards))] | (cards == JOKER_1)
    bits: NDArray[np.int64] = np.where(counted, 1 << (cards // 4).astype(np.int64), 0).sum(axis=1)
    return bits  # the joker, 52 // 4, is bit 13


@cache
def _words(size: int) -> Words:
    return card_words(SEVEN_KEYS, size)


@cache
def _number_by_sum(size: int) -> NDArray[np.int32]:
    hands = every_rank_multiset(size)
    return table_by_sum(hands, _words(size), np.arange(len(hands), dtype=np.int32), absent=_NO_SET)
