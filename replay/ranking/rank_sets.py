"""The ranks of a hand, found by one sum: one folded table a hand size, shared by whatever the ranks alone decide.

The ranks that six or seven cards hold, whatever their order and suits, are one of 24,570 or 67,600 *rank sets* (with
the joker as a rank of its own). Strengths, classes and the like are first found for the one hand that stands for each
of them (`every_rank_multiset`), which is never a flush. A hand's sum of keys (`replay.ranking.keys`) leads to the
*place* of its rank set in a folded table (`replay.ranking.folding`), and `by_place` puts values at those places. Only
the hands with five of a suit must be looked at once more: `RankSetBlock.suit_bits` are the ranks of that suit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from replay.ranking.folding import Folding, fold
from replay.ranking.hands import Cards, known_cards
from replay.ranking.keys import (
    SEVEN_KEYS,
    Words,
    card_words,
    every_rank_multiset,
    key_of,
    suit_held_five_times,
    with_five_of_a_suit,
    word_sums,
)
from schemas.cards import JOKER_1, names_of

_BLOCK = 1 << 15  # rows at a time: what a block needs stays in the processor's cache
_NO_SET = -1
_JOKER_BIT = 13
_BITS_A_SUIT = 16  # fourteen are used


@dataclass(frozen=True)
class RankSetBlock:
    """Some consecutive hands: where they stand, their cards, their rank sets, and which of them hold five of a suit."""

    rows: slice
    cards: Cards
    places: Words  # of their rank sets, in a table made by `by_place`
    suited: NDArray[np.intp]  # places in this block; four of a suit and the joker are five
    suited_words: Words  # the words of those

    def look_up(self, table: NDArray[np.int32]) -> NDArray[np.int32]:
        """What a table made by `by_place` has for each hand. Five of a rank, which no deck can deal, are an error
        unless their sum is that of another hand."""
        found = table.take(self.places, mode="clip")
        if found.min() == _NO_SET:
            hand = self.cards[found.argmin()].tolist()
            raise ValueError(f"{names_of(hand)} are not {len(hand)} cards of one deck")
        return found

    @cached_property
    def numbers(self) -> NDArray[np.int32]:
        """Each hand's rank set, as its row in `every_rank_multiset`."""
        return self.look_up(_number_by_place(self.cards.shape[1]))

    @property
    def suit_bits(self) -> Words:
        """For the suited hands, the rank bits (deuce 0, ace 12, joker 13) of the suit they hold five of."""
        every_suit = word_sums(self.cards[self.suited], _bits_of_every_suit(), start=0)
        every_suit >>= _BITS_A_SUIT * suit_held_five_times(self.suited_words)
        every_suit &= (1 << _BITS_A_SUIT) - 1
        return every_suit


def rank_set_blocks(cards: Cards) -> Iterator[RankSetBlock]:
    """The (n, 6) or (n, 7) hands, a block at a time."""
    words, folding = _words(cards.shape[1]), _folding(cards.shape[1])
    for start in range(0, len(cards), _BLOCK):
        block = cards[start : start + _BLOCK]
        word = word_sums(block, words)
        suited = with_five_of_a_suit(word)
        rows = slice(start, start + len(block))
        yield RankSetBlock(rows, block, folding.places(key_of(word)), suited, word[suited])


def by_place(size: int, values: NDArray[np.int32]) -> NDArray[np.int32]:
    """A table for `RankSetBlock.look_up`, from a value (none negative) for each hand of `every_rank_multiset`."""
    folding = _folding(size)
    table = np.full(folding.size, _NO_SET, np.int32)
    table[folding.places(_sums(every_rank_multiset(size)))] = values
    return table


def suit_bits(cards: Cards) -> NDArray[np.int64]:
    """Rank bits (deuce 0, ace 12, joker 13) of the suit that most of each hand's cards have."""
    known_cards(cards)
    of_suit = np.stack([(cards % 4 == suit) & (cards < JOKER_1) for suit in range(4)])  # (4, n, size)
    suit = of_suit.sum(axis=2).argmax(axis=0)
    counted = of_suit[suit, np.arange(len(cards))] | (cards == JOKER_1)
    bits: NDArray[np.int64] = np.where(counted, 1 << (cards // 4).astype(np.int64), 0).sum(axis=1)
    return bits  # the joker, 52 // 4, is bit 13


@cache
def _words(size: int) -> Words:
    return card_words(SEVEN_KEYS, size)


def _sums(hands: Cards) -> Words:
    return key_of(word_sums(hands, _words(hands.shape[1])))


@cache
def _folding(size: int) -> Folding:
    """Of the sums of every rank set, and of five of a rank, so that these have places too, and empty ones."""
    sums = _sums(every_rank_multiset(size))
    return fold(np.concatenate([sums, np.setdiff1d(_sums(_five_of_a_rank(size)), sums)]))


def _five_of_a_rank(size: int) -> Cards:
    hands = []
    for joker in ([], [JOKER_1]):
        for others in combinations_with_replacement(range(0, JOKER_1, 4), size - 5 - len(joker)):
            hands += [[rank] * 5 + [*others, *joker] for rank in range(0, JOKER_1, 4)]
    return np.array(hands, np.uint8)


@cache
def _number_by_place(size: int) -> NDArray[np.int32]:
    return by_place(size, np.arange(len(every_rank_multiset(size)), dtype=np.int32))


@cache
def _bits_of_every_suit() -> Words:
    """For each code, the bit of its rank in the sixteen bits of its suit; the joker's bit in all four. Their sum holds
    the ranks of every suit: a card is there once, so nothing carries."""
    bits = [1 << suit * _BITS_A_SUIT + rank for rank in range(_JOKER_BIT) for suit in range(4)]
    joker = sum(1 << suit * _BITS_A_SUIT + _JOKER_BIT for suit in range(4))
    return np.array([*bits, joker], np.int64)
