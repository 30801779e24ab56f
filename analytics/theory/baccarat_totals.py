"""How often baccarat hands end in each pair of totals, counted over every ordered six cards of a full shoe.

Six cards are enough for any round: two each, and at most one more each. A round that needs fewer leaves the others in
the shoe, where they are counted all the same, so every round is one of the same N × (N−1) × … × (N−5) ordered sixes.
Only the points of a card matter, so a six is one of 10⁶ sequences of points and stands for as many sixes as the shoe
has cards for. Who draws is asked of the pack's own rules, handed in as `Drawing`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import prod

import numpy as np
import numpy.typing as npt

from analytics.theory.counts import Counts, Inputs, digest_of
from analytics.theory.store import Progress, Recipe

METHOD_VERSION = 1
SIX = 6
TOTALS = 10
Points = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Drawing:
    """The rules of a baccarat game, as its pack has them."""

    values: Points  # points of each card of one deck
    player_draws: Callable[[Points, Points], Bools]  # from both first two totals
    banker_draws: Callable[[Points, Points, Points], Bools]  # and the points of the Player's third card
    no_third: int  # what stands for a third card not drawn

    @property
    def digest(self) -> str:
        """Of the card values and of what the rules answer to every question they can be asked."""
        player, banker, third = np.meshgrid(*[np.arange(TOTALS, dtype=np.uint8)] * 3, indexing="ij")
        none = np.full_like(third, self.no_third)
        return digest_of(
            {
                "values": self.values.tolist(),
                "player_draws": self.player_draws(player[:, :, 0], banker[:, :, 0]).astype(int).tolist(),
                "banker_draws": self.banker_draws(player, banker, third).astype(int).tolist(),
                "banker_draws_when_player_stands": self.banker_draws(player, banker, none).astype(int).tolist(),
            }
        )


def name_of(player: int, banker: int) -> str:
    return f"{player}-{banker}"


def recipe(game: str, drawing: Drawing, decks: int) -> Recipe:
    name = f"{game}-totals-{decks}-deck{'s' * (decks > 1)}"
    inputs: Inputs = {
        "method": "ordered sixes by points",
        "method_version": METHOD_VERSION,
        "decks": decks,
        "drawing": drawing.digest,
    }

    def count(progress: Progress) -> Counts:
        found = count_totals(drawing, decks)
        progress(1, 1)
        outcomes = {name_of(*at): int(found[at]) for at in np.ndindex(TOTALS, TOTALS)}
        return Counts(name, f"ordered sixes of {len(drawing.values) * decks} cards", inputs, outcomes)

    return Recipe(name, inputs, count)


def count_totals(drawing: Drawing, decks: int) -> npt.NDArray[np.int64]:
    """(10, 10) ordered sixes by Player total and Banker total. All fit an int64: eight decks have 5.0e15."""
    six = _sequences()
    sixes = _sixes_of(np.bincount(drawing.values, minlength=TOTALS).astype(np.int64) * decks)
    player, banker = (six[0] + six[1]) % 10, (six[2] + six[3]) % 10
    player_draws = drawing.player_draws(player, banker)
    third = np.where(player_draws, six[4], drawing.no_third).astype(np.uint8)
    banker_draws = drawing.banker_draws(player, banker, third)
    bankers_third = np.where(player_draws, six[5], six[4])  # the next card of the shoe
    player = (player + np.where(player_draws, six[4], 0)) % 10
    banker = (banker + np.where(banker_draws, bankers_third, 0)) % 10
    counts = np.zeros((TOTALS, TOTALS), np.int64)
    np.add.at(counts, (player, banker), sixes)
    cards = len(drawing.values) * decks
    every = prod(range(cards - SIX + 1, cards + 1))
    if int(counts.sum()) != every:
        raise AssertionError(f"{int(counts.sum())} ordered sixes of {decks} decks were counted, and there are {every}")
    return counts


@cache
def _sequences() -> Points:
    """(6, 10⁶) every sequence of points: first two of the Player, first two of the Banker, and two more."""
    number = np.arange(TOTALS**SIX)
    return np.stack([(number // TOTALS**place % TOTALS).astype(np.uint8) for place in range(SIX)])


def _sixes_of(cards: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How many ordered sixes have each sequence of points, where `cards[p]` cards are worth p."""
    six = _sequences()
    sixes = np.ones(six.shape[1], np.int64)
    for place, points in enumerate(six):
        gone = (six[:place] == points).sum(axis=0)
        sixes *= np.maximum(cards[points] - gone, 0)
    return sixes
