"""Which card the dealer of FLT-SPG leaves over: all C(53, 8) = 886,322,710 eights, set by the house way (R-36).

As with sevens: an eight without five cards of a suit (the joker counts in every suit) is set by its ranks alone, so one
hand stands for all with the same ranks, and the rest hold five or more of exactly one suit; those of clubs are set one
by one and count four times. Which rank is left over is what the wagers ask (FLT-SPG App. E).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from analytics.theory.counts import Counts, Inputs
from analytics.theory.fingerprint import of_house_way
from analytics.theory.store import Progress, Recipe
from replay.ranking import Wheel, house_way_eight
from replay.ranking.hands import Cards
from replay.ranking.keys import every_rank_multiset
from schemas.cards import JOKER_1, RANKS

METHOD_VERSION = 1
EIGHTS = comb(53, 8)
NAMES = (*RANKS, "joker")
"""Outcomes, at the number of their rank."""

_WAYS = np.array([comb(4, held) for held in range(5)], np.int64)
_PART = 1 << 17


def recipe(wheel: Wheel = Wheel.SECOND_HIGHEST) -> Recipe:
    """FLT-SPG ranks A-2-3-4-5 second highest (rulings.md R-12)."""
    name = f"eighth-card-{wheel.replace('_', '-')}"
    inputs: Inputs = {
        "method": "eights by multiset of ranks and by suit, set by the house way",
        "method_version": METHOD_VERSION,
        "wheel": str(wheel),
        "house_way": of_house_way(wheel),
    }

    def count(progress: Progress) -> Counts:
        left_over = count_left_over(wheel, progress)
        outcomes = dict(zip(NAMES, left_over.tolist(), strict=True))
        return Counts(name, "sets of eight cards from 52 and the joker", inputs, outcomes)

    return Recipe(name, inputs, count)


def count_left_over(wheel: Wheel, progress: Progress) -> NDArray[np.int64]:
    """By rank, the joker's last: in how many eights a card of it is left over."""
    counts = np.zeros(len(NAMES), np.int64)
    multisets = every_rank_multiset(8)
    numbers, ways = _numbers(multisets), _ways_to_choose_suits(multisets)
    order = np.argsort(numbers)
    done = 0
    for suited in _eights_with_five_clubs():
        counts += 4 * np.bincount(_left_over(suited, wheel), minlength=len(counts))
        at = order[np.searchsorted(numbers, _numbers(suited), sorter=order)]
        ways -= 4 * np.bincount(at, minlength=len(ways))
        done += 4 * len(suited)
        progress(done, EIGHTS)
    if (ways < 0).any():
        raise AssertionError("more eights with five of a suit than there are eights of the same ranks")
    np.add.at(counts, _left_over(multisets, wheel), ways)
    if int(counts.sum()) != EIGHTS:
        raise AssertionError(f"{int(counts.sum())} eights were counted, and there are {EIGHTS}")
    progress(EIGHTS, EIGHTS)
    return counts


def _left_over(cards: Cards, wheel: Wheel) -> NDArray[np.int64]:
    ranks: NDArray[np.int64] = house_way_eight(cards, wheel)[:, 7].astype(np.int64) // 4
    return ranks


def _numbers(cards: Cards) -> NDArray[np.int64]:
    """One number for each multiset of ranks: how many of each, three bits a rank."""
    numbers: NDArray[np.int64] = (np.int64(1) << 3 * (cards.astype(np.int64) // 4)).sum(axis=1)
    return numbers


def _ways_to_choose_suits(multisets: Cards) -> NDArray[np.int64]:
    held = (multisets[:, :, None] // 4 == np.arange(13, dtype=np.uint8)).sum(axis=1)
    ways: NDArray[np.int64] = _WAYS[held].prod(axis=1)
    return ways


def _eights_with_five_clubs() -> Iterator[Cards]:
    """Every eight with five or more clubs, the joker counting as one, a part at a time."""
    clubs, others = range(0, JOKER_1, 4), [card for card in range(JOKER_1) if card % 4]
    for joker in ([], [JOKER_1]):
        for size in range(5 - len(joker), 9 - len(joker)):
            rest = np.array(list(combinations(others, 8 - size - len(joker))), np.uint8)
            each = max(1, _PART // len(rest))
            held = np.array([[*cards, *joker] for cards in combinations(clubs, size)], np.uint8)
            for start in range(0, len(held), each):
                some = held[start : start + each]
                yield np.concatenate([np.repeat(some, len(rest), axis=0), np.tile(rest, (len(some), 1))], axis=1)
