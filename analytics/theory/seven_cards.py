"""How many of the C(53, 7) = 154,143,080 sevens are of each Fortune class, counted without looking at each.

A seven without five cards of a suit (the joker counts in every suit) is what its ranks make it, so one hand stands for
all with the same ranks: there are 67,600 such multisets, each with its number of ways to choose suits. A seven with
five or more of a suit has only one such suit, and the suits are alike, so the 1.6 million of clubs stand for four times
as many; they are classed one by one. Every seven is counted once: the sum is checked against C(53, 7).

`benchmarks/enumerate_seven.py` looks at each of the 154 million and gets the same counts.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from analytics.theory.counts import Counts, Inputs
from analytics.theory.fingerprint import of_fortune_classes
from analytics.theory.store import Progress, Recipe
from replay.ranking import FORTUNE_CLASS_NAMES, RoyalMatch, fortune_class
from replay.ranking.hands import Cards
from replay.ranking.keys import every_rank_multiset, key_of, word_sums
from replay.ranking.seven import seven_words
from schemas.cards import JOKER_1

METHOD_VERSION = 1
SEVENS = comb(53, 7)
_WAYS = np.array([comb(4, held) for held in range(5)], np.int64)


def recipe(royal_match: RoyalMatch) -> Recipe:
    name = f"fortune-classes-{royal_match}"
    inputs: Inputs = {
        "method": "sevens by multiset of ranks and by suit",
        "method_version": METHOD_VERSION,
        "royal_match": str(royal_match),
        "fortune_classes": of_fortune_classes(royal_match),
    }

    def count(progress: Progress) -> Counts:
        counts = count_classes(royal_match)
        progress(SEVENS, SEVENS)
        return Counts(name, "sets of seven cards from 52 and the joker", inputs, counts)

    return Recipe(name, inputs, count)


def count_classes(royal_match: RoyalMatch) -> dict[str, int]:
    """Sevens of each class, best-paying first."""
    multisets = every_rank_multiset(7)
    ways = ways_to_choose_suits(multisets)
    counts = np.zeros(len(FORTUNE_CLASS_NAMES), np.int64)
    for suited in sevens_with_five_clubs():
        counts += 4 * np.bincount(fortune_class(suited, royal_match), minlength=len(counts))
        ways -= 4 * per_multiset(suited, multisets)
    if (ways < 0).any():
        raise AssertionError("more sevens with five of a suit than there are sevens of the same ranks")
    np.add.at(counts, fortune_class(multisets, royal_match), ways)
    if int(counts.sum()) != SEVENS:
        raise AssertionError(f"{int(counts.sum())} sevens were counted, and there are {SEVENS}")
    return {name: int(count) for name, count in zip(FORTUNE_CLASS_NAMES, counts, strict=True)}


def ways_to_choose_suits(multisets: Cards) -> NDArray[np.int64]:
    """How many sevens have the ranks of each hand, the joker being the joker."""
    held = (multisets[:, :, None] // 4 == np.arange(13, dtype=np.uint8)).sum(axis=1)
    ways: NDArray[np.int64] = _WAYS[held].prod(axis=1)
    return ways


def sevens_with_five_clubs() -> list[Cards]:
    """Every seven with five or more clubs, the joker counting as one; in parts of one shape."""
    clubs, others = np.arange(0, 52, 4), [card for card in range(52) if card % 4]
    parts = []
    for joker in ([], [JOKER_1]):
        for size in range(5 - len(joker), 8 - len(joker)):
            held = np.array([[*cards, *joker] for cards in combinations(clubs.tolist(), size)], np.uint8)
            rest = np.array(list(combinations(others, 7 - size - len(joker))), np.uint8)
            parts.append(np.concatenate([np.repeat(held, len(rest), axis=0), np.tile(rest, (len(held), 1))], axis=1))
    return parts


def per_multiset(sevens: Cards, multisets: Cards) -> NDArray[np.int64]:
    """How many of the sevens have the ranks of each multiset."""
    words = seven_words()
    keys = key_of(word_sums(multisets, words))
    order = np.argsort(keys)
    at = order[np.searchsorted(keys, key_of(word_sums(sevens, words)), sorter=order)]
    found: NDArray[np.int64] = np.bincount(at, minlength=len(multisets))
    return found
