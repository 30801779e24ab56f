"""How many of the C(53, 7) = 154,143,080 sevens form which classes: one count from which every pay table follows.

What is counted is the *set* of classes a seven forms: "flush" and "three pair" and so on, all those `replay.ranking`
knows at once. A pay table pays the first of its rows that is in the set, so its counts are sums over these sets, exact
and whatever rows it has in whatever order. The counting itself is that of `seven_cards`: by multisets of ranks, and
hand by hand for the sevens with five of a suit.

Classes by colour are not in it, for suits are taken as alike: see `colors`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from analytics.theory.counts import Counts, Inputs
from analytics.theory.fingerprint import probes
from analytics.theory.seven_cards import SEVENS, per_multiset, sevens_with_five_clubs, ways_to_choose_suits
from analytics.theory.store import Progress, Recipe
from replay.ranking import CLASS_LISTS, NOTHING, Game
from replay.ranking.hands import Cards
from replay.ranking.keys import every_rank_multiset

METHOD_VERSION = 1
Kind = TypeVar("Kind", np.uint8, np.int64)
_BLOCK = 1 << 15
_AND = " + "


def recipe(game: Game) -> Recipe:
    name = f"{game.replace('_', '-')}-classes"
    inputs: Inputs = {
        "method": "sets of classes, by multiset of ranks and by suit",
        "method_version": METHOD_VERSION,
        "classes": _fingerprint(game),
    }

    def count(progress: Progress) -> Counts:
        return Counts(name, "sets of seven cards from 52 and the joker", inputs, count_sets(game, progress))

    return Recipe(name, inputs, count)


def by_rows(counts: Counts, rows: Sequence[str]) -> dict[str, int]:
    """Sevens paid by each of these rows, and by none of them."""
    found = dict.fromkeys((*rows, NOTHING), 0)
    for formed, count in counts.outcomes.items():
        there = set(formed.split(_AND))
        found[next((row for row in rows if row in there), NOTHING)] += count
    return found


def count_sets(game: Game, progress: Progress) -> dict[str, int]:
    """Sevens by the classes they form, the names joined by " + "; the rarest set last."""
    multisets = every_rank_multiset(7)
    ways = ways_to_choose_suits(multisets)
    counted: dict[int, int] = {}

    def add(masks: NDArray[np.int64], each: NDArray[np.int64]) -> None:
        there, place = np.unique(masks, return_inverse=True)
        sums = np.zeros(len(there), np.int64)
        np.add.at(sums, place, each)
        for mask, count in zip(there.tolist(), sums.tolist(), strict=True):
            counted[mask] = counted.get(mask, 0) + count

    parts = sevens_with_five_clubs()
    done, of = 0, sum(map(len, parts)) + len(multisets)
    for suited in parts:
        ways -= 4 * per_multiset(suited, multisets)
        for block in _blocks(suited):
            add(sets_formed(block, game), np.full(len(block), 4, np.int64))
            done += len(block)
            progress(done, of)
    if (ways < 0).any():
        raise AssertionError("more sevens with five of a suit than there are sevens of the same ranks")
    for start, block in enumerate(_blocks(multisets)):
        add(sets_formed(block, game), ways[start * _BLOCK : start * _BLOCK + len(block)])
    progress(of, of)
    if sum(counted.values()) != SEVENS:
        raise AssertionError(f"{sum(counted.values())} sevens were counted, and there are {SEVENS}")
    by_count = sorted(((count, _in_words(mask, game)) for mask, count in counted.items() if count), reverse=True)
    return {words: count for count, words in by_count}


def sets_formed(cards: Cards, game: Game) -> NDArray[np.int64]:
    """(n,) the classes each hand forms, a bit for each."""
    classes = CLASS_LISTS[game]
    masks = np.zeros(len(cards), np.int64)
    for block, found in zip(_blocks(cards), _blocks(masks), strict=True):
        hands = classes.look(block)
        for bit, name in enumerate(_names(game)):
            each = classes.chosen([name])[0]
            found |= each.formed(hands).astype(np.int64) << bit  # a view: `masks` is filled
    return masks


@cache
def _names(game: Game) -> tuple[str, ...]:
    return tuple(each.name for each in CLASS_LISTS[game].classes if each.colour is None)


def _in_words(mask: int, game: Game) -> str:
    return _AND.join(name for bit, name in enumerate(_names(game)) if mask >> bit & 1) or NOTHING


def _blocks(rows: NDArray[Kind]) -> Iterator[NDArray[Kind]]:
    for start in range(0, len(rows), _BLOCK):
        yield rows[start : start + _BLOCK]


@cache
def _fingerprint(game: Game) -> str:
    """Of what the classes answer, and of what they are called."""
    digest = hashlib.sha256(_AND.join(_names(game)).encode("ascii"))
    digest.update(sets_formed(probes(), game).astype("<i8").tobytes())
    return digest.hexdigest()
