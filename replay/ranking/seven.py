"""Seven cards: the best-paying class of a Fortune bonus wager, however the hand was set.

"All (7) seven cards qualify for all bonuses" (MA-PGP §3(l)(6)). The classes are in the printed order of the tables of
MA-PGP §16(b) and CA FPG-02, which is the order they pay in: three of a kind (3 to 1) before the straight (2 to 1),
although a straight outranks it (rulings.md R-16).

What the ranks alone make is looked up by the sum of keys (`replay.ranking.keys`); what five or more cards of one suit
make, by the thirteen bits of that suit's ranks. The better of the two is the class; a royal flush is then looked at
once more for the royal match.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from replay.ranking.five import ACE, Category, Wheel, category, rank_five
from replay.ranking.hands import Bools, Cards, as_hands, known_cards
from replay.ranking.keys import (
    SEVEN_KEYS,
    card_words,
    every_rank_multiset,
    key_of,
    table_by_sum,
    with_five_of_a_suit,
    word_sums,
)
from replay.ranking.splits import all_splits
from schemas.cards import JOKER_1, RANKS

_JOKER_BIT = 13
_BLOCK = 1 << 15


class RoyalMatch(StrEnum):
    """Which two suited cards beside a royal flush make the royal match (MA-PGP §3(f)(2), rulings.md R-17)."""

    KING_QUEEN = "king_queen"  # (i), the default; CA and MA-PGP §3(l) print this one
    ACE_KING = "ace_king"  # (ii), "without a joker (natural)"


class FortuneClass(IntEnum):
    """MA-PGP §16(b), as printed: the best-paying first, so the lower number is the better class."""

    SEVEN_CARD_STRAIGHT_FLUSH_NATURAL = 0
    ROYAL_FLUSH_ROYAL_MATCH = 1
    SEVEN_CARD_STRAIGHT_FLUSH_JOKER = 2
    FIVE_ACES = 3
    ROYAL_FLUSH = 4
    STRAIGHT_FLUSH = 5
    FOUR_OF_A_KIND = 6
    FULL_HOUSE = 7
    FLUSH = 8
    THREE_OF_A_KIND = 9
    STRAIGHT = 10
    THREE_PAIR = 11  # Paytable C only (a push); elsewhere it is nothing
    NOTHING = 12


FORTUNE_CLASS_NAMES: tuple[str, ...] = tuple(member.name.lower() for member in FortuneClass)
"""Names as the pay tables spell them, at the number of their class."""

_CLASS_OF_CATEGORY = {
    Category.FIVE_ACES: FortuneClass.FIVE_ACES,
    Category.ROYAL_FLUSH: FortuneClass.ROYAL_FLUSH,
    Category.STRAIGHT_FLUSH: FortuneClass.STRAIGHT_FLUSH,
    Category.FOUR_OF_A_KIND: FortuneClass.FOUR_OF_A_KIND,
    Category.FULL_HOUSE: FortuneClass.FULL_HOUSE,
    Category.FLUSH: FortuneClass.FLUSH,
    Category.THREE_OF_A_KIND: FortuneClass.THREE_OF_A_KIND,
    Category.STRAIGHT: FortuneClass.STRAIGHT,
    Category.TWO_PAIRS: FortuneClass.NOTHING,
    Category.PAIR: FortuneClass.NOTHING,
    Category.HIGH_CARD: FortuneClass.NOTHING,
}
_ADDED_RANKS = {RoyalMatch.KING_QUEEN: "KQ", RoyalMatch.ACE_KING: "AK"}


def fortune_class(cards: Cards, royal_match: RoyalMatch = RoyalMatch.KING_QUEEN) -> NDArray[np.uint8]:
    """`FortuneClass` of each (n, 7) hand, the best-paying it can form from all its cards (rulings.md R-16)."""
    hands = as_hands(cards, 7)
    words, by_ranks = seven_words(), _class_by_ranks()
    classes = np.empty(len(hands), np.uint8)
    for start in range(0, len(hands), _BLOCK):
        block = hands[start : start + _BLOCK]
        word = word_sums(block, words)
        found = by_ranks[key_of(word)]
        suited = with_five_of_a_suit(word)
        if suited.size:
            found[suited] = np.minimum(found[suited], _class_by_suit(block[suited]))
            royal = np.flatnonzero(found == FortuneClass.ROYAL_FLUSH)
            if royal.size:
                matched = royal[_has_royal_match(block[royal], royal_match)]
                found[matched] = FortuneClass.ROYAL_FLUSH_ROYAL_MATCH
        classes[start : start + _BLOCK] = found
    return classes


def premium(cards: Cards) -> Bools:
    """Where the seven cards are a "premium qualifying poker hand", four of a kind or higher: the hands that give the
    other players an envy bonus (MA-PGP §1)."""
    return fortune_class(cards) <= FortuneClass.FOUR_OF_A_KIND


@cache
def seven_words() -> NDArray[np.int64]:
    """Card words whose sum names the ranks of seven cards."""
    return card_words(SEVEN_KEYS, 7)


def _has_royal_match(cards: Cards, royal_match: RoyalMatch) -> Bools:
    """Where two of the seven are the added cards, of one suit and natural, and the other five a royal flush, with or
    without the joker (MA-PGP §3(f)(2), rulings.md R-17). The added suit is any: "of a same suit"."""
    matched = np.zeros(len(cards), bool)
    for suit in range(4):
        added = [RANKS.index(rank) * 4 + suit for rank in _ADDED_RANKS[royal_match]]
        others = ~np.isin(cards, added)
        rows = np.flatnonzero(others.sum(axis=1) == 5)
        fives = cards[rows][others[rows]].reshape(-1, 5)
        matched[rows] |= category(rank_five(fives, Wheel.LOWEST)) == Category.ROYAL_FLUSH
    return matched


@cache
def _class_by_ranks() -> NDArray[np.uint8]:
    """Class by sum of keys, from ranks alone: the best of the twenty-one fives of a hand without a flush. It says
    "nothing" for sums that no hand has."""
    hands = every_rank_multiset(7)
    _, fives = all_splits(hands)
    categories = category(rank_five(fives.reshape(-1, 5), Wheel.LOWEST)).reshape(-1, 21)
    classes = np.array([_CLASS_OF_CATEGORY[kind] for kind in Category], np.uint8)[categories].min(axis=1)
    pairs = (rank_counts(hands) == 2).sum(axis=1)
    classes[(pairs == 3) & (classes == FortuneClass.NOTHING)] = FortuneClass.THREE_PAIR
    return table_by_sum(hands, seven_words(), classes, absent=FortuneClass.NOTHING)


def rank_counts(cards: Cards) -> NDArray[np.uint8]:
    """(n, 13) how many of each rank, deuce first; the joker is an ace (MA-PGP §3(a))."""
    ranks = np.minimum(known_cards(cards) // 4, ACE - 2)
    counts: NDArray[np.uint8] = (ranks[:, :, None] == np.arange(13, dtype=np.uint8)).sum(axis=1, dtype=np.uint8)
    return counts


def _class_by_suit(cards: Cards) -> NDArray[np.uint8]:
    """Class of the suit that five or more of the cards have, for hands that hold one."""
    of_suit = np.stack([(cards % 4 == suit) & (cards != JOKER_1) for suit in range(4)])  # (4, n, 7)
    suit = of_suit.sum(axis=2).argmax(axis=0)  # only one suit can hold four or more of seven
    counted = of_suit[suit, np.arange(len(cards))] | (cards == JOKER_1)
    bits: NDArray[np.int64] = np.where(counted, 1 << (cards // 4).astype(np.int64), 0).sum(
        axis=1
    )  # the joker, 52 // 4, is bit 13
    return _class_by_suit_bits()[bits]


@cache
def _class_by_suit_bits() -> NDArray[np.uint8]:
    """Class by the bits of a suit's ranks (deuce 0, ace 12, joker 13), five to seven cards in all."""
    table = np.full(2 << _JOKER_BIT, FortuneClass.NOTHING, np.uint8)
    for bits in range(2 << _JOKER_BIT):
        joker, ranks = bits >> _JOKER_BIT, bits & (1 << _JOKER_BIT) - 1
        if 5 <= ranks.bit_count() + joker <= 7:
            table[bits] = _suited_by_definition(ranks, joker)
    return table


def _runs(length: int) -> list[int]:
    """Rank bits of so many in a row, highest first; the last starts with the ace (MA-PGP §3(a))."""
    with_low_ace = [(1 << length) - 1 << low for low in range(14 - length, -1, -1)]  # bit 0: the ace below the deuce
    return [run >> 1 | (run & 1) << 12 for run in with_low_ace]


def _suited_by_definition(ranks: int, joker: int) -> FortuneClass:
    """A run is there when no more than the joker is missing from it."""

    def holds(run: int) -> bool:
        return (run & ~ranks).bit_count() <= joker

    royal, *lower = _runs(5)
    if any(holds(run) for run in _runs(7)):
        return FortuneClass.SEVEN_CARD_STRAIGHT_FLUSH_JOKER if joker else FortuneClass.SEVEN_CARD_STRAIGHT_FLUSH_NATURAL
    if holds(royal):
        return FortuneClass.ROYAL_FLUSH
    if any(holds(run) for run in lower):
        return FortuneClass.STRAIGHT_FLUSH
    return FortuneClass.FLUSH
