"""Additive keys: the sum of a hand's keys names its ranks, whatever their order.

Each rank has a number such that no two different hands of five (`FIVE_KEYS`) or seven (`SEVEN_KEYS`) cards, with at
most four of a rank, have the same sum. A ranker then looks a hand up in one table, by one sum. The joker is a rank of
its own, with a key above every sum without it, so sums with and without it never meet.

SEVEN_KEYS were searched for exactly seven cards; the six beside a joker are verified by counting, and so are six cards
and the five beside a joker, for which they serve too (FIVE_KEYS: five, and the four beside a joker). None of it is
taken on trust: `table_by_sum` and `replay.ranking.folding` count, and fail if two of the hands they are given meet.

In the same word, above the key, four bits per suit count the cards of that suit (the joker counts in all four),
starting at three: at five cards of a suit the count reaches eight, so one mask finds the flushes.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations_with_replacement
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from replay.ranking.hands import Cards, known_cards
from schemas.cards import JOKER_1

# Greedy: each key is the least that keeps all sums of so many cards apart.
FIVE_KEYS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
SEVEN_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)

# The word of a hand: its key below, the counts of its suits above.
KEY_BITS = 24
KEY_MASK = (1 << KEY_BITS) - 1
SUIT_COUNTS_AT_THREE = 0x3333 << KEY_BITS
FIVE_OF_A_SUIT = 0x8888 << KEY_BITS

Words = NDArray[np.int64]
Value = TypeVar("Value", np.int32, np.uint8)


def card_words(keys: tuple[int, ...], size: int) -> Words:
    """For each code 0..52, the rank key and the suit count of that card, for hands of this size."""
    highest_sum = 4 * keys[-1] + (size - 4) * keys[-2]
    suits = [1 << KEY_BITS + 4 * suit for suit in range(4)]
    words = [key + suit for key in keys for suit in suits] + [highest_sum + 1 + sum(suits)]
    return np.array(words, np.int64)


def word_sums(cards: Cards, words: Words, start: int = SUIT_COUNTS_AT_THREE) -> Words:
    """The word of each hand: a sum over its cards, column by column.

    A code that has no word is refused (past the last word, the last would be taken): "clip" is only what lets NumPy
    write into `word` without a copy in between.
    """
    known_cards(cards, len(words) - JOKER_1)
    total = np.full(len(cards), start, np.int64)
    word = np.empty_like(total)
    for column in cards.T:
        np.take(words, column, out=word, mode="clip")
        total += word
    return total


def key_of(word: Words) -> Words:
    return word & KEY_MASK


def with_five_of_a_suit(word: Words) -> NDArray[np.intp]:
    """The rows that hold five or more cards of one suit, counting the joker."""
    return np.flatnonzero(word & FIVE_OF_A_SUIT)


def suit_held_five_times(word: Words) -> Words:
    """That suit, 0..3, for words that have one. The mark of suit n is 16 to the power of n, with 4 n bits below it."""
    mark = (word & FIVE_OF_A_SUIT) >> KEY_BITS + 3
    suit: Words = np.bitwise_count(mark - 1).astype(np.int64) // 4
    return suit


@cache
def every_rank_multiset(size: int) -> Cards:
    """One hand for every multiset of ranks, without and with the joker; highest card first and never a flush.

    Suits go round c, d, h, s from card to card: four of a rank get four suits, and seven cards no more than two of one.
    """
    hands = []
    for jokers in (0, 1):
        cards = size - jokers
        every = chain.from_iterable(combinations_with_replacement(range(12, -1, -1), cards))
        ranks = np.fromiter(every, np.uint8).reshape(-1, cards)
        ranks = ranks[(ranks[:, :-4] != ranks[:, 4:]).all(axis=1)]
        suited = ranks * 4 + np.arange(cards, dtype=np.uint8) % 4
        hands.append(np.pad(suited, ((0, 0), (jokers, 0)), constant_values=JOKER_1))
    return np.concatenate(hands)


def table_by_sum(hands: Cards, words: Words, values: NDArray[Value], absent: int) -> NDArray[Value]:
    """A table with each hand's value at its key; `absent` where no hand has that sum."""
    keys = key_of(word_sums(hands, words))
    if len(np.unique(keys)) != len(keys):
        raise ValueError("two different hands have the same sum of keys")
    table = np.full(int(keys.max()) + 1, absent, values.dtype)
    table[keys] = values
    return table
