"""Supreme Pai Gow counted: the C(54, 4) = 316,251 fours by bonus class, and every deal of two fours by the house way.

Two fours are dealt in 316,251 × 230,300 = 72,832,605,300 ways. How a four is set, and how it fares, its ranks alone
say: there are 2,366 multisets of ranks, and of each two of them a deal has as many fours as there are suits to choose,
the second from the cards that the first leaves. So all deals are counted, and none is drawn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import numpy.typing as npt

from analytics.theory.counts import Counts, Inputs
from analytics.theory.house_way_duel import Compare
from analytics.theory.store import Progress, Recipe
from replay.ranking.hands import Cards, Strengths
from schemas.cards import JOKER_1, JOKER_2

METHOD_VERSION = 1
EACH = 4
FOURS = comb(54, EACH)
_BLOCK = 64
_ASKED = 37  # a rule of comparison is known by every hand against every 37th
_JOKERS = 13  # the place of jokers among the ranks

Classify = Callable[[Cards], npt.NDArray[np.uint8]]


def classes_recipe(classify: Classify, names: Sequence[str]) -> Recipe:
    """How many fours are of each class; `names` in the order of the classes' numbers."""
    inputs: Inputs = {
        "method": "every four of 54 cards",
        "method_version": METHOD_VERSION,
        "classes": hashlib.sha256(classify(every_four()).astype(np.uint8).tobytes()).hexdigest(),
        "names": ",".join(names),
    }

    def count(progress: Progress) -> Counts:
        found = np.bincount(classify(every_four()), minlength=len(names))
        progress(FOURS, FOURS)
        outcomes = {name: int(times) for name, times in zip(names, found, strict=True)}
        return Counts("supreme-four-classes", "sets of four cards from 52 and two jokers", inputs, outcomes)

    return Recipe("supreme-four-classes", inputs, count)


def every_four() -> Cards:
    return np.array(list(combinations(range(JOKER_2 + 1), EACH)), np.uint8)


def duel_recipe(
    house_way: Callable[[Cards], Cards],
    low: Callable[[Cards], Strengths],
    high: Callable[[Cards], Strengths],
    compare: Compare,
    outcomes: tuple[str, ...],
) -> Recipe:
    """How every deal of two fours ends for the first, both set by the house way."""
    held, setting = _multisets(), house_way(_of_ranks(_multisets()))
    strengths = low(np.ascontiguousarray(setting[:, :2])), high(np.ascontiguousarray(setting[:, 2:]))
    inputs: Inputs = {
        "method": "every deal of two fours, by their ranks",
        "method_version": METHOD_VERSION,
        "house_way": hashlib.sha256(b"".join(part.astype("<i4").tobytes() for part in strengths)).hexdigest(),
        "compare": hashlib.sha256(_fares(strengths, strengths, compare, _ASKED).tobytes()).hexdigest(),
        "outcomes": ",".join(outcomes),
    }

    def count(progress: Progress) -> Counts:
        found = count_duels(held, strengths, compare, len(outcomes), progress)
        deal = "deals of two fours from 52 cards and two jokers, both set by the house way"
        return Counts("supreme-house-way-duel", deal, inputs, dict(zip(outcomes, found.tolist(), strict=True)))

    return Recipe("supreme-house-way-duel", inputs, count)


def count_duels(
    held: npt.NDArray[np.int64],
    strengths: tuple[Strengths, Strengths],
    compare: Compare,
    outcomes: int,
    progress: Progress,
    copies: int = 4,
    jokers: int = 2,
) -> npt.NDArray[np.int64]:
    """(outcomes,) deals by how they end for the first. `held` (m, 14) has of each multiset how many cards of each rank,
    jokers last; the deck has so many `copies` of a rank."""
    low, high = strengths
    left = np.array([*[copies] * _JOKERS, jokers])
    ways = np.array([[comb(have, take) for take in range(EACH + 1)] for have in range(max(copies, jokers) + 1)])
    own = ways[left, held].prod(axis=1)
    found = np.zeros(outcomes, np.int64)
    for start in range(0, len(held), _BLOCK):
        block = slice(start, start + _BLOCK)
        second = np.ones((len(held[block]), len(held)), np.int64)
        for rank in range(_JOKERS + 1):
            second *= ways[np.maximum(left[rank] - held[block, rank], 0)[:, None], held[None, :, rank]]
        deals = own[block, None] * second
        result = _fares((low[block], high[block]), strengths, compare)
        found += np.array([int(deals[result == outcome].sum()) for outcome in range(outcomes)])
        progress(min(start + _BLOCK, len(held)), len(held))
    return found


def _fares(
    first: tuple[Strengths, Strengths], second: tuple[Strengths, Strengths], compare: Compare, every: int = 1
) -> npt.NDArray[np.uint8]:
    """(n, m) how each hand fares against each other one, or against some of them: each one that many places on."""
    (low, high), (other_low, other_high) = first, second
    return compare(low[:, None], high[:, None], other_low[None, ::every], other_high[None, ::every])


def _multisets() -> npt.NDArray[np.int64]:
    """(m, 14) every choice of four ranks that 54 cards have: four cards of a rank at most, two jokers."""
    chosen = combinations_with_replacement(range(_JOKERS + 1), EACH)
    held = np.array([np.bincount(ranks, minlength=_JOKERS + 1) for ranks in chosen if ranks.count(_JOKERS) <= 2])
    return held.astype(np.int64)


def _of_ranks(held: npt.NDArray[np.int64]) -> Cards:
    """One hand of each multiset."""
    hands = []
    for counts in held.tolist():
        cards = [4 * rank + suit for rank in range(_JOKERS) for suit in range(counts[rank])]
        hands.append(cards + [JOKER_1, JOKER_2][: counts[_JOKERS]])
    return np.array(hands, np.uint8)
