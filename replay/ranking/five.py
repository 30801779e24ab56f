"""Five cards: how strong a pai gow poker high hand is.

A *strength* is a number: higher is better, equal is a copy hand. Its high bits are the category and under them are up
to five ranks of four bits each, 2..14 (an ace that is low in A-2-3-4-5 is 1), the most important first:

    pair of nines, A 7 4     1 | 9 14 7 4 0        category = strength >> 20

so strengths compare as MA-PGP §3(b) and then §3(e) say, and can be read back by `category` and `ranks_of`.

`strength_by_definition` is the rule as text. `rank_five` looks it up: the hand's sum of keys (`replay.ranking.keys`)
is its place in one table, and the few hands of one suit have a second table, by the thirteen bits of their ranks.
"""

from __future__ import annotations

from collections import Counter
from enum import IntEnum, StrEnum
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from replay.ranking.hands import Cards, Strengths, as_hands, known_cards
from replay.ranking.keys import (
    FIVE_KEYS,
    card_words,
    every_rank_multiset,
    key_of,
    table_by_sum,
    with_five_of_a_suit,
    word_sums,
)
from schemas.cards import JOKER_1, RANKS

CATEGORY_SHIFT = 20
ACE = 14
_JOKER_BIT = 13
_BLOCK = 1 << 15  # rows at a time: what a block needs stays in the processor's cache


class Wheel(StrEnum):
    """Where A-2-3-4-5 stands among straights and straight flushes (rulings.md R-12)."""

    SECOND_HIGHEST = "second_highest"  # MA-PGP §3(b)(3),(7): below only A-K-Q-J-10
    LOWEST = "lowest"  # MA-PGP §3(d), CA Fortune Pai Gow Poker


class Category(IntEnum):
    """MA-PGP §3(b), lowest first. The seven-card hands above five aces belong to bonus wagers (`ranking.seven`)."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIRS = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9
    FIVE_ACES = 10


COMPLETE = (Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
"""What the house way and MA-PGP §3(c) treat alike: the hands a joker may complete."""


RANK_LETTERS = {**{number: RANKS[number - 2] for number in range(2, 15)}, 1: "A"}


def rank_five(cards: Cards, wheel: Wheel) -> Strengths:
    """Strength of each (n, 5) high hand under MA-PGP §3 (and CA Fortune Pai Gow Poker, with `Wheel.LOWEST`)."""
    hands = as_hands(cards, 5)
    words = five_words()
    by_ranks = strength_by_ranks(wheel)
    strengths = np.empty(len(hands), np.int32)
    for start in range(0, len(hands), _BLOCK):
        block = hands[start : start + _BLOCK]
        word = word_sums(block, words)
        strength = by_ranks[key_of(word)]
        suited = with_five_of_a_suit(word)
        if suited.size:
            strength[suited] = strength_of_suited(wheel)[rank_bits(block[suited])]
        strengths[start : start + _BLOCK] = strength
    return strengths


def category(strength: Strengths) -> NDArray[np.int32]:
    """`Category` of each strength, of two cards or five."""
    return strength >> CATEGORY_SHIFT


def ranks_of(strength: int) -> tuple[int, ...]:
    """The ranks a strength compares by, most important first: (9, 14, 7, 4) for nines with A-7-4."""
    return tuple(rank for shift in (16, 12, 8, 4, 0) if (rank := strength >> shift & 15))


def strength_in_words(strength: int) -> str:
    """`pair K-9-7-4`, `straight A-5-4-3-2`, `high card A-Q`: the category, and the ranks it compares by."""
    kind = Category(strength >> 20).name.lower().replace("_", " ")
    return f"{kind} {'-'.join(RANK_LETTERS[rank] for rank in ranks_of(strength))}"


def pack(kind: Category, ranks: list[int]) -> int:
    """A strength from its category and ranks."""
    strength = int(kind) << CATEGORY_SHIFT
    for place, rank in enumerate(ranks):
        strength |= rank << 16 - 4 * place
    return strength


def rank_bits(cards: Cards) -> NDArray[np.uint16]:
    """The ranks held as bits, deuce in bit 0 and ace in bit 12; the joker is bit 13."""
    bits = np.array([1 << code // 4 for code in range(JOKER_1 + 1)], np.uint16)
    held: NDArray[np.uint16] = np.bitwise_or.reduce(bits[known_cards(cards)], axis=1)
    return held


# ---- the rule as text ------------------------------------------------------------------------------------------------


def strength_by_definition(ranks: list[int], *, joker: bool, suited: bool, wheel: Wheel) -> int:
    """Strength of five cards given as ranks 2..14 (four when the fifth is the joker) and whether they are of one suit.

    The joker is an ace (MA-PGP §3(a)) or any card that completes a straight, flush, straight flush or royal flush
    (§3(c)), whichever makes the best hand. In a flush it is the highest card not already there (rulings.md R-11, R-46),
    which is also why it may only be a card the flush does not hold.
    """
    if not joker:
        return _without_joker(ranks, suited, wheel)
    if suited:
        return max(_without_joker([*ranks, rank], True, wheel) for rank in range(2, ACE + 1) if rank not in ranks)
    completing = [rank for rank in range(2, ACE) if _run([*ranks, rank], wheel)]
    return max(_without_joker([*ranks, rank], False, wheel) for rank in (ACE, *completing))


def _without_joker(ranks: list[int], suited: bool, wheel: Wheel) -> int:
    """MA-PGP §3(b), category by category; ranks that come more often count first, then the higher (§3(e))."""
    in_order = sorted(Counter(ranks).items(), key=lambda held: (held[1], held[0]), reverse=True)
    grouped = [rank for rank, _ in in_order]
    run = _run(ranks, wheel)
    match [count for _, count in in_order], run, suited:
        case [5], _, _:
            return pack(Category.FIVE_ACES, grouped)
        case _, [14, 13, *_], True:
            return pack(Category.ROYAL_FLUSH, run)
        case _, [_, *_], True:
            return pack(Category.STRAIGHT_FLUSH, run)
        case [4, 1], _, _:
            return pack(Category.FOUR_OF_A_KIND, grouped)
        case [3, 2], _, _:
            return pack(Category.FULL_HOUSE, grouped)
        case _, _, True:
            return pack(Category.FLUSH, grouped)
        case _, [_, *_], _:
            return pack(Category.STRAIGHT, run)
        case [3, 1, 1], _, _:
            return pack(Category.THREE_OF_A_KIND, grouped)
        case [2, 2, 1], _, _:
            return pack(Category.TWO_PAIRS, grouped)
        case [2, 1, 1, 1], _, _:
            return pack(Category.PAIR, grouped)
        case [1, 1, 1, 1, 1], _, _:
            return pack(Category.HIGH_CARD, grouped)
    raise ValueError(f"ranks {ranks} are not five cards of one deck")


def _run(ranks: list[int], wheel: Wheel) -> list[int]:
    """The ranks of five in a row, highest first; empty if they are not. With the wheel second highest its ace stays 14:
    A-5-4-3-2 is then above K-Q-J-10-9 and below A-K-Q-J-10 of itself. With the wheel lowest its ace is 1."""
    high_first = sorted(ranks, reverse=True)
    if high_first == [14, 5, 4, 3, 2]:
        return high_first if wheel is Wheel.SECOND_HIGHEST else [5, 4, 3, 2, 1]
    return high_first if high_first == list(range(high_first[0], high_first[0] - 5, -1)) else []


# ---- its tables ------------------------------------------------------------------------------------------------------


@cache
def five_words() -> NDArray[np.int64]:
    """Card words whose sum names the ranks of five cards."""
    return card_words(FIVE_KEYS, 5)


@cache
def strength_by_ranks(wheel: Wheel) -> Strengths:
    """Strength by sum of keys, for hands not of one suit; -1 where no hand has that sum."""
    hands = every_rank_multiset(5)
    strengths = np.empty(len(hands), np.int32)
    for row, codes in enumerate(hands.tolist()):
        ranks = [code // 4 + 2 for code in codes if code != JOKER_1]
        strengths[row] = strength_by_definition(ranks, joker=JOKER_1 in codes, suited=False, wheel=wheel)
    return table_by_sum(hands, five_words(), strengths, absent=-1)


@cache
def strength_of_suited(wheel: Wheel) -> Strengths:
    """Strength by `rank_bits`, for five cards of one suit or four and the joker; -1 elsewhere."""
    table = np.full(2 << _JOKER_BIT, -1, np.int32)
    for joker in (False, True):
        for ranks in combinations(range(2, ACE + 1), 4 if joker else 5):
            bits = sum(1 << rank - 2 for rank in ranks) + (joker << _JOKER_BIT)
            table[bits] = strength_by_definition(list(ranks), joker=joker, suited=True, wheel=wheel)
    return table
