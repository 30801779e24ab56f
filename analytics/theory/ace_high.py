"""Face Up Ace-High (MA-PGP §19(d)): how often the dealer has an ace-high pai gow, and how often the player too.

Two hands of seven from one deck are C(53, 7) × C(46, 7) pairs. An ace-high pai gow is a set of seven ranks that no five
are a run of, in suits that no five share. Which suits two such hands can have together depends only on how many ranks
they share: there the suits must differ. So pairs of rank sets are counted by the ranks they share, and pairs of suits
for each number of shared ranks; nothing is drawn. With the joker in one hand, that hand is six other ranks, and the
joker must complete no run and no suit; the other hand holds a real ace. Whether ranks and suits are a pai gow is asked
of the ranker that the wager is judged by.
"""

from __future__ import annotations

import hashlib
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from analytics.theory.counts import Counts, Inputs
from analytics.theory.seven_cards import SEVENS
from analytics.theory.store import Progress, Recipe
from replay.ranking import Joker, pai_gow_high
from replay.ranking.hands import Bools, Cards
from schemas.cards import JOKER_1

METHOD_VERSION = 1
NAME = "face-up-ace-high"
BOTH, WITH_JOKER, WITHOUT_JOKER, NOBODY = "both_ace_high", "dealer_ace_high_joker", "dealer_ace_high_natural", "nothing"
_ACE = 12
_ACE_HIGH = 14
_SUITS_IN_TURN = (0, 1, 2, 3, 0, 1, 2)  # no suit more than twice: ranks alone decide
_RANKS_OF_NO_RUN = (12, 10, 8, 6, 4, 2, 1)  # A Q T 8 6 4 3: suits alone decide


def recipe() -> Recipe:
    natural, joker = _rank_sets(joker=False), _rank_sets(joker=True)
    suits, suits_beside_joker = _suits(joker=False), _suits(joker=True)
    answers = [natural, joker, suits, suits_beside_joker]
    inputs: Inputs = {
        "method": "pairs of rank sets by shared ranks, and pairs of suits",
        "method_version": METHOD_VERSION,
        "pai_gow": hashlib.sha256(b"".join(one.astype("<i8").tobytes() for one in answers)).hexdigest(),
    }

    def count(progress: Progress) -> Counts:
        others = comb(46, 7)
        both_natural = _pairs(natural, natural, suits, suits, beside=1)  # the ace is shared
        one_joker = _pairs(joker, natural, suits_beside_joker, suits, beside=0)
        with_joker = len(joker) * len(suits_beside_joker)
        without = len(natural) * len(suits)
        counted = {
            BOTH: both_natural + 2 * one_joker,
            WITH_JOKER: with_joker * others - one_joker,
            WITHOUT_JOKER: without * others - both_natural - one_joker,
        }
        counted[NOBODY] = SEVENS * others - sum(counted.values())
        progress(1, 1)
        return Counts(NAME, "ordered pairs of sevens from 52 and the joker, dealer and player", inputs, counted)

    return Recipe(NAME, inputs, count)


def _rank_sets(*, joker: bool) -> NDArray[np.int64]:
    """(n, 6) the ranks beside the ace, or the joker as one, that are an ace-high pai gow whatever the suits."""
    others = np.array(list(combinations(range(_ACE), 6)), np.int64)
    first = JOKER_1 if joker else _ACE * 4 + _SUITS_IN_TURN[0]
    cards = np.column_stack([np.full(len(others), first), others * 4 + np.array(_SUITS_IN_TURN[1:])])
    return others[_is_ace_high(cards.astype(np.uint8))]


def _suits(*, joker: bool) -> NDArray[np.int64]:
    """(n, 7), or (n, 6) beside the joker: the suits that are no flush, the ace's first where there is a real one."""
    held = 6 if joker else 7
    suits = np.stack(np.meshgrid(*[np.arange(4)] * held, indexing="ij"), axis=-1).reshape(-1, held)
    cards = np.array(_RANKS_OF_NO_RUN[-held:]) * 4 + suits
    if joker:
        cards = np.column_stack([np.full(len(cards), JOKER_1), cards])
    return suits[_is_ace_high(cards.astype(np.uint8))]


def _is_ace_high(cards: Cards) -> Bools:
    found: Bools = pai_gow_high(cards, Joker.SEMI_WILD) == _ACE_HIGH
    return found


def _pairs(
    some: NDArray[np.int64],
    others: NDArray[np.int64],
    suits_of_some: NDArray[np.int64],
    suits_of_others: NDArray[np.int64],
    *,
    beside: int,
) -> int:
    """Pairs of hands that share no card. `beside`: both hold an ace, whose suits must differ too; a real ace's suit
    comes first."""
    bits = [(np.int64(1) << ranks).sum(axis=1) for ranks in (some, others)]
    shared = np.bitwise_count(bits[0][:, None] & bits[1][None])
    rank_pairs = np.bincount(shared.ravel(), minlength=7).tolist()
    aces_of_others = suits_of_others.shape[1] - 6  # a real ace stands before the six
    aces_of_some = suits_of_some.shape[1] - 6
    total = 0
    for ranks, pairs in enumerate(rank_pairs):
        of_some = suits_of_some[:, : aces_of_some + ranks] if beside else suits_of_some[:, aces_of_some:][:, :ranks]
        of_others = suits_of_others[:, : aces_of_others + ranks]
        of_others = of_others if beside else of_others[:, aces_of_others:]
        total += pairs * _differing(of_some, of_others)
    return total


def _differing(some: NDArray[np.int64], others: NDArray[np.int64]) -> int:
    """Pairs of rows that differ in every column: the rows of each kind, against the rows that differ everywhere."""
    columns = some.shape[1]
    powers = 4 ** np.arange(columns, dtype=np.int64)
    counts = [np.bincount((rows * powers).sum(axis=1), minlength=4**columns) for rows in (some, others)]
    reached = counts[1].reshape([4] * columns).astype(object)  # whole numbers of any size
    for axis in range(columns):
        reached = reached.sum(axis=axis, keepdims=True) - reached
    return int((counts[0].astype(object) * reached.ravel()).sum())
