"""How seven cards fare against the dealer's eight, both set by the house way: a simulation, as in `house_way_duel`.

A round is one shuffle of the 53 cards dealt into six hands of seven and the dealer's of eight, as at a full table where
everybody stays in, and each of the six is compared with the dealer's. The outcome is how many of a player's two hands
beat the dealer's; what ante and raise come to follows from that alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from analytics.theory.counts import Counts, Inputs, Sample, digest_of
from analytics.theory.fingerprint import of_house_way
from analytics.theory.store import Progress, Recipe
from replay.ranking import Wheel, house_way, house_way_eight, rank_five, rank_two
from replay.ranking.hands import Strengths

METHOD_VERSION = 1
DEFAULT_SEED = 20_261_117
DEFAULT_ROUNDS = 500_000  # three million comparisons
BEATEN = ("neither", "one", "both")
"""Outcomes, by how many of the dealer's two hands are beaten."""
DECK, PLAYERS, SEVEN, EIGHT = 53, 6, 7, 8
BLOCK = 1 << 14

Beats = Callable[[Strengths, Strengths], npt.NDArray[np.bool_]]
"""A player's hands, the dealer's: which are beaten, as the pack's rules have it."""


def recipe(beats: Beats, wheel: Wheel, seed: int = DEFAULT_SEED, rounds: int = DEFAULT_ROUNDS) -> Recipe:
    name = f"eight-card-duel-{wheel.replace('_', '-')}"
    inputs: Inputs = {
        "method": "six hands of seven of a shuffle, each against the dealer's eight",
        "method_version": METHOD_VERSION,
        "wheel": str(wheel),
        "house_way": of_house_way(wheel),
        "beats": digest_of(beats(np.array([0, 1, 1], np.int32), np.array([1, 1, 0], np.int32)).tolist()),
        "seed": seed,
        "rounds": rounds,
    }

    def count(progress: Progress) -> Counts:
        times = np.zeros(len(BEATEN), np.int64)
        products = np.zeros((len(BEATEN), len(BEATEN)), np.int64)
        for start in range(0, rounds, BLOCK):
            block = block_outcomes(beats, wheel, seed, start // BLOCK, min(BLOCK, rounds - start))
            times += block.sum(axis=0)
            products += block.T @ block
            progress(start + len(block), rounds)
        sample = Sample(seed, rounds, tuple(tuple(row) for row in products.tolist()))
        deal = f"hands in {rounds:,} shuffles of six hands and the dealer's, all set by the house way"
        return Counts(name, deal, inputs, dict(zip(BEATEN, times.tolist(), strict=True)), sample)

    return Recipe(name, inputs, count)


def block_outcomes(beats: Beats, wheel: Wheel, seed: int, block: int, rounds: int) -> npt.NDArray[np.int64]:
    """(rounds, 3) how many of a round's six hands beat neither, one or both of the dealer's."""
    players, dealers = block_hands(seed, block, rounds)
    setting = house_way(players.reshape(-1, SEVEN), wheel)
    low = rank_two(np.ascontiguousarray(setting[:, :2])).reshape(rounds, PLAYERS)
    high = rank_five(np.ascontiguousarray(setting[:, 2:]), wheel).reshape(rounds, PLAYERS)
    against = house_way_eight(dealers, wheel)
    dealers_low = rank_two(np.ascontiguousarray(against[:, :2]))[:, None]
    dealers_high = rank_five(np.ascontiguousarray(against[:, 2:SEVEN]), wheel)[:, None]
    beaten = beats(low, dealers_low).astype(np.int64) + beats(high, dealers_high)
    return np.stack([(beaten == number).sum(axis=1) for number in range(len(BEATEN))], axis=1).astype(np.int64)


def block_hands(seed: int, block: int, rounds: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """(rounds, 6, 7) and (rounds, 8) the hands of one block's shuffles; it has a stream of its own."""
    raw = np.random.PCG64([seed, block]).random_raw(rounds * DECK).reshape(rounds, DECK)
    dealt = np.argsort(raw, axis=1).astype(np.uint8)
    players = np.ascontiguousarray(dealt[:, : PLAYERS * SEVEN]).reshape(rounds, PLAYERS, SEVEN)
    return players, np.ascontiguousarray(dealt[:, PLAYERS * SEVEN : PLAYERS * SEVEN + EIGHT])
