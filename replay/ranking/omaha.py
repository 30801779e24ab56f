"""Omaha: exactly two of a player's four cards and three of the five on the board, high and eight-or-better low.

"Using exactly two of their personal four cards and three of the five communal cards" (CA Omaha Poker). Hi-lo: "They
may use a different set of two cards to form each hand"; the low is "five cards eight or lower that are not paired",
ace low, straights and flushes no matter (CA Omaha Hi-Lo Split Poker, whose first low is A-2-3-4-5; rulings.md R-21).
The printed list of high hands omits the straight, a slip: the usual order (R-21). There is no joker.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from replay.ranking.five import Wheel, five_words, strength_by_ranks, strength_of_suited
from replay.ranking.hands import Cards, Strengths, as_hands
from replay.ranking.keys import key_of
from schemas.cards import JOKER_1

_BLOCK = 1 << 14
_PAIRS = list(combinations(range(4), 2))
_TRIPLES = list(combinations(range(5), 3))
_LOW_RANKS = 8  # ace, 2 .. 8: bits 0 .. 7
NO_LOW = 0


def omaha_high(hole: Cards, board: Cards) -> Strengths:
    """Strength (`replay.ranking.five`, A-2-3-4-5 the lowest straight) of the best of the sixty fives of each (n, 4)
    hole and (n, 5) board."""
    holes, boards = _holes_and_boards(hole, board)
    best = np.empty(len(holes), np.int32)
    for start in range(0, len(holes), _BLOCK):
        rows = slice(start, start + _BLOCK)
        best[rows] = _best_of_sixty(holes[rows], boards[rows])
    return best


def _best_of_sixty(holes: Cards, boards: Cards) -> Strengths:
    """What ranks alone make, for all sixty; then flushes, where the hole has two and the board three of one suit. Five
    of a suit make more than their ranks alone, so it does no harm to have looked those up as well."""
    best = _highest(holes, boards, key_of(five_words()), strength_by_ranks(Wheel.LOWEST))
    for suit in range(4):
        flush = np.flatnonzero(((holes % 4 == suit).sum(axis=1) >= 2) & ((boards % 4 == suit).sum(axis=1) >= 3))
        if flush.size:
            suited = _highest(holes[flush], boards[flush], _bits_of_suit(suit), strength_of_suited(Wheel.LOWEST))
            best[flush] = np.maximum(best[flush], suited)
    return best


def _highest(holes: Cards, boards: Cards, values: NDArray[np.int64], table: Strengths) -> Strengths:
    """The highest that any of the sixty fives looks up by the sum of its cards' values. That sum is one of the six of
    two cards and one of the ten of three: sixteen sums are made, and not sixty."""
    of_hole, of_board = values[holes.T], values[boards.T]
    twos = [of_hole[one] + of_hole[two] for one, two in _PAIRS]
    threes = [of_board[one] + of_board[two] + of_board[three] for one, two, three in _TRIPLES]
    highest = np.full(len(holes), -1, np.int32)
    five, found = np.empty(len(holes), np.int64), np.empty(len(holes), np.int32)
    for two, three in product(twos, threes):
        np.add(two, three, out=five)
        np.take(table, five, out=found, mode="clip")
        np.maximum(highest, found, out=highest)
    return highest


@cache
def _bits_of_suit(suit: int) -> NDArray[np.int64]:
    """For each code, the bit of its rank if it is of this suit, otherwise nothing: fewer than five bits are no flush,
    and `strength_of_suited` has -1 for them."""
    return np.array([1 << code // 4 if code % 4 == suit else 0 for code in range(JOKER_1)], np.int64)


def omaha_low(hole: Cards, board: Cards) -> Strengths:
    """How good the best low of each hand is, higher is better: 225 for A-2-3-4-5 down to 8 for 8-7-6-5-4; `NO_LOW` (0)
    where no five unpaired cards eight or lower can be made. `low_ranks` reads it back."""
    holes, boards = _holes_and_boards(hole, board)
    return _low_by_ranks()[_low_bits(holes), _low_bits(boards)]


def low_ranks(low: int) -> tuple[int, ...]:
    """The five ranks of a low, highest first, ace 1; none for `NO_LOW`."""
    bits = 256 - low if low != NO_LOW else 0
    return tuple(place + 1 for place in range(_LOW_RANKS - 1, -1, -1) if bits >> place & 1)


def _holes_and_boards(hole: Cards, board: Cards) -> tuple[Cards, Cards]:
    holes, boards = as_hands(hole, 4, jokers=0), as_hands(board, 5, jokers=0)
    if len(holes) != len(boards):
        raise ValueError(f"{len(holes)} hole hands need {len(holes)} boards, a row each, not {len(boards)}")
    return holes, boards


def _low_bits(cards: Cards) -> NDArray[np.uint8]:
    bit_of_rank = [1 << rank - 1 if rank <= _LOW_RANKS else 0 for rank in (*range(2, 14), 1)]  # deuce first, ace last
    bits = np.array(bit_of_rank, np.uint8).repeat(4)
    held: NDArray[np.uint8] = np.bitwise_or.reduce(bits[cards], axis=1)
    return held


@cache
def _low_by_ranks() -> Strengths:
    """By the low ranks of the hole and of the board. A low compares by its highest card, then the next: as the number
    its bits make, the lower the better."""
    subsets = {size: [sum(1 << rank for rank in ranks) for ranks in combinations(range(8), size)] for size in (2, 3)}
    table = np.zeros((256, 256), np.int32)
    held = np.arange(256)
    for two in subsets[2]:
        for three in subsets[3]:
            if not two & three:
                forms = np.ix_(held & two == two, held & three == three)
                table[forms] = np.maximum(table[forms], 256 - (two | three))
    return table
