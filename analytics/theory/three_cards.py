"""Counts of Three Card Poker, from one to six decks: three cards, six cards of two hands, and one hand against another.

Of several decks a card may be held more than once. Hands are looked at as cards alike or not, each in as many ways as
the decks hold those cards: with n decks a card held m times is held in C(n, m) ways. So one walk over all sets of six
cards, with repetition C(57, 6) = 36,288,252 of them, serves any number of decks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import numpy.typing as npt

from analytics.theory.counts import Counts, Inputs
from analytics.theory.store import Progress, Recipe
from replay.ranking import CLASS_LISTS, NO_CLASS, Game, RowClasses, class_names
from replay.ranking.hands import Bools, Cards, Strengths
from schemas.cards import JOKER_1

METHOD_VERSION = 1
NOTHING = "nothing"
FOLDED, NOT_QUALIFIED, WINS, TIES, LOSES = "folded", "not_qualified", "wins", "ties", "loses"
_THREE, _SIX = 3, 6
Ranker = Callable[[Cards], Strengths]


@cache
def _sets(size: int) -> Cards:
    """All sets of so many cards, with repetition, each in order."""
    return np.array(list(combinations_with_replacement(range(JOKER_1), size)), np.uint8)


def _alike(cards: Cards) -> npt.NDArray[np.int64]:
    """Which cards of each set are as the one before them, as bits."""
    bits = 1 << np.arange(cards.shape[1] - 1)
    found: npt.NDArray[np.int64] = ((cards[:, 1:] == cards[:, :-1]) * bits).sum(axis=1)
    return found


def _ways(alike: int, size: int, decks: int) -> int:
    """In how many ways so many decks hold a set whose cards are alike like this."""
    found, held = 1, 1
    for place in range(size - 1):
        if alike >> place & 1:
            held += 1
        else:
            found, held = found * comb(decks, held), 1
    return found * comb(decks, held)


def _deal(size: int, decks: int) -> str:
    return f"sets of {'three' if size == _THREE else 'six'} cards from {52 * decks}"


def _decks(decks: int) -> str:
    return f"{decks}-deck{'s' if decks > 1 else ''}"


# ---- classes of three and of six cards -------------------------------------------------------------------------------


def three_cards(decks: int) -> Recipe:
    return _classes("three-card-poker", Game.THREE_CARD_POKER, _THREE, decks)


def six_cards(decks: int) -> Recipe:
    return _classes("six-card-bonus", Game.SIX_CARD_BONUS, _SIX, decks)


def _classes(name: str, game: Game, size: int, decks: int) -> Recipe:
    named = f"{name}-{_decks(decks)}"
    sample = RowClasses(game, class_names(game)).of(_sets(_THREE) if size == _THREE else _some_sixes())
    inputs: Inputs = {
        "method": "hand by hand",
        "method_version": METHOD_VERSION,
        "decks": decks,
        "classes": hashlib.sha256(" ".join(class_names(game)).encode("ascii") + sample.tobytes()).hexdigest(),
    }

    def count(progress: Progress) -> Counts:
        found = _counted(game, size, progress)
        ways = np.array([_ways(alike, size, decks) for alike in range(1 << size - 1)], dtype=object)
        each = (found.astype(object) * ways).sum(axis=1)
        outcomes = dict(zip((*class_names(game), NOTHING), map(int, each), strict=True))
        if sum(outcomes.values()) != comb(JOKER_1 * decks, size):
            raise AssertionError(f"{named}: {sum(outcomes.values())} hands were counted")
        return Counts(named, _deal(size, decks), inputs, outcomes)

    return Recipe(named, inputs, count)


def _some_sixes() -> Cards:
    """Hands by which a class that is formed otherwise shows: three cards beside each of the sets of three."""
    threes = _sets(_THREE)
    return np.concatenate([threes, threes[::-1]], axis=1)


_COUNTED: dict[tuple[Game, int], npt.NDArray[np.int64]] = {}


def _counted(game: Game, size: int, progress: Progress) -> npt.NDArray[np.int64]:
    """How many sets are of each class, nothing last, and alike like this; counted once for any number of decks."""
    if (game, size) not in _COUNTED:
        names = class_names(game)
        found = np.zeros((len(names) + 1, 1 << size - 1), np.int64)
        parts = _parts(size)
        for done, cards in enumerate(parts):
            places = CLASS_LISTS[game].classify(cards, names)
            of = np.where(places == NO_CLASS, len(names), places).astype(np.int64)
            code = of * found.shape[1] + _alike(cards)
            found += np.bincount(code, minlength=found.size).reshape(found.shape)
            progress(done + 1, len(parts))
        _COUNTED[game, size] = found
    return _COUNTED[game, size]


def _parts(size: int) -> list[Cards] | _Sixes:
    return [_sets(_THREE)] if size == _THREE else _Sixes()


class _Sixes:
    """All sets of six, the two lowest cards at a time."""

    def __len__(self) -> int:
        return JOKER_1 * (JOKER_1 + 1) // 2

    def __iter__(self) -> Iterator[Cards]:
        rest = _sets(4)
        begins = np.searchsorted(rest[:, 0], np.arange(JOKER_1))
        for low in range(JOKER_1):
            for second in range(low, JOKER_1):
                others = rest[begins[second] :]
                cards = np.empty((len(others), _SIX), np.uint8)
                cards[:, 0], cards[:, 1], cards[:, 2:] = low, second, others
                yield cards


# ---- one hand against another ----------------------------------------------------------------------------------------


def against_the_player_dealer(
    strength: Ranker,
    qualifies: Callable[[Strengths], Bools],
    beats: Callable[[Strengths, Strengths], Bools],
    decks: int,
    folding: bool,
) -> Recipe:
    """What an ante comes to, or (not `folding`) a play wager on the hands that are played: those whose ante and play
    together lose less than the ante alone."""
    name = f"three-card-{'ante' if folding else 'play'}-{_decks(decks)}"
    threes = _sets(_THREE)
    of_threes = strength(threes)
    inputs: Inputs = {
        "method": "hand against hand",
        "method_version": METHOD_VERSION,
        "decks": decks,
        "ranking": hashlib.sha256(of_threes.tobytes() + qualifies(of_threes).tobytes()).hexdigest(),
        "ties": hashlib.sha256(beats(of_threes, of_threes[::-1]).tobytes()).hexdigest(),
    }

    def count(progress: Progress) -> Counts:
        met = meetings(strength, qualifies, beats, decks, progress, _but_for_suits(decks))
        outcomes = dict.fromkeys((FOLDED, NOT_QUALIFIED, WINS, TIES, LOSES), 0)
        for ways, (not_qualified, wins, ties, loses) in met:
            both = not_qualified + 2 * wins - 2 * loses
            if both <= -(not_qualified + wins + ties + loses):
                outcomes[FOLDED] += ways * (not_qualified + wins + ties + loses)
                continue
            for outcome, number in zip(
                (NOT_QUALIFIED, WINS, TIES, LOSES), (not_qualified, wins, ties, loses), strict=True
            ):
                outcomes[outcome] += ways * number
        if not folding:
            del outcomes[FOLDED]
        return Counts(name, f"a hand of three and the player-dealer's, of {52 * decks} cards", inputs, outcomes)

    return Recipe(name, inputs, count)


def meetings(
    strength: Ranker,
    qualifies: Callable[[Strengths], Bools],
    beats: Callable[[Strengths, Strengths], Bools],
    decks: int,
    progress: Progress,
    hands: Mapping[tuple[int, ...], int],
) -> list[tuple[int, tuple[int, int, int, int]]]:
    """For each hand in how many ways it is dealt, as given, and how often it then meets a player-dealer who does not
    qualify, loses to it, ties it and beats it."""
    others = _sets(_THREE)
    against = strength(others)
    qualified, alike = qualifies(against), _alike(others)
    held = np.stack([(others == others[:, [at]]).sum(axis=1) for at in range(_THREE)], axis=1)
    first_of_run = np.stack([~(alike >> at - 1 & 1).astype(bool) if at else alike >= 0 for at in range(_THREE)], axis=1)
    choose = np.array([[comb(left, many) for many in range(_THREE + 1)] for left in range(decks + 1)], np.int64)
    found = []
    for done, (hand, ways) in enumerate(hands.items()):
        left = np.full(JOKER_1, decks, np.int64)
        np.subtract.at(left, list(hand), 1)
        each = np.where(first_of_run, choose[left[others], held], 1).prod(axis=1)
        own = strength(np.array([hand], np.uint8))
        better, worse = beats(own, against), beats(against, own)
        sums = (~qualified, qualified & better, qualified & ~better & ~worse, qualified & worse)
        not_qualified, wins, ties, loses = (int(each[mask].sum()) for mask in sums)
        found.append((ways, (not_qualified, wins, ties, loses)))
        progress(done + 1, len(hands))
    return found


def _but_for_suits(decks: int) -> dict[tuple[int, ...], int]:
    """Every hand with its suits renamed as they come, and in how many ways it is dealt."""
    found: dict[tuple[int, ...], int] = {}
    for cards, alike in zip(_sets(_THREE).tolist(), _alike(_sets(_THREE)).tolist(), strict=True):
        ways = _ways(alike, _THREE, decks)
        if not ways:
            continue
        names: dict[int, int] = {}
        hand = tuple(card // 4 * 4 + names.setdefault(card % 4, len(names)) for card in cards)
        found[hand] = found.get(hand, 0) + ways
    return found
