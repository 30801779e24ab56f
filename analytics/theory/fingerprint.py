"""Fingerprints of the rules a count rests on: what the rankers answer, not how they are written.

A fingerprint is the digest of a ranker's answers to a fixed set of sevens: one for every multiset of ranks (all that
decides a hand without five cards of a suit), and one or more for every set of ranks five or more of which share a suit.
So a change of a ranking table changes it, and a comment or a faster method does not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from replay.ranking import RoyalMatch, Wheel, fortune_class, house_way, rank_five, rank_two
from replay.ranking.hands import Cards
from replay.ranking.keys import every_rank_multiset
from schemas.cards import JOKER_1, RANKS, codes_of

_FILL = codes_of("Ac Kc Kd Qd")  # beside hearts: makes a royal match, a pair or nothing, by what the hearts are


@cache
def of_fortune_classes(royal_match: RoyalMatch) -> str:
    return _digest(fortune_class(probes(), royal_match))


@cache
def of_house_way(wheel: Wheel) -> str:
    """Also of the two rankers that compare what it sets."""
    setting = house_way(probes(), wheel)
    low, high = np.ascontiguousarray(setting[:, :2]), np.ascontiguousarray(setting[:, 2:])
    return _digest(rank_two(low), rank_five(high, wheel))


def of_hands_that(holds: Callable[[Cards], NDArray[np.bool_]]) -> str:
    return _digest(holds(probes()).astype(np.int32))


@cache
def probes() -> Cards:
    """(n, 7) the sevens that are asked about."""
    hearts = [4 * rank + 2 for rank in range(len(RANKS))]
    suited = []
    for joker in ([], [JOKER_1]):
        for size in range(5 - len(joker), 8 - len(joker)):
            for held in combinations(hearts, size):
                missing = 7 - size - len(joker)
                suited += [[*held, *joker, *fill] for fill in combinations(_FILL, missing)]
    return np.concatenate([every_rank_multiset(7), np.array(suited, np.uint8)])


def _digest(*answers: NDArray[np.uint8] | NDArray[np.int32]) -> str:
    digest = hashlib.sha256()
    for answer in answers:
        digest.update(np.ascontiguousarray(answer, dtype="<i4").tobytes())
    return digest.hexdigest()
