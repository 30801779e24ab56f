"""How often one seven beats another when both are set by the house way: a simulation, for play decides.

There are 8 × 10¹⁵ deals of two sevens, too many to count. A round here is one shuffle of the 53 cards dealt into seven
hands, as at the table, each set by the house way, and each compared as the player's with each other as the dealer's: 42
comparisons. All have the same distribution as the dealer's hand and a seat's, so their mean is unbiased; and since each
two hands meet both ways round, the luck of the cards cancels and what is left is the house's advantage.

The draw is a function of the seed alone: PCG64's raw 64-bit numbers, whose stream NumPy promises to keep, put 53 cards
in order (two equal numbers in one shuffle, 53²/2⁶⁵ likely, would only keep the order of two cards).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analytics.theory.counts import Counts, Inputs, Sample, digest_of
from analytics.theory.fingerprint import of_hands_that, of_house_way
from analytics.theory.store import Progress, Recipe
from replay.money.results import TIES
from replay.ranking import Wheel, house_way, rank_five, rank_two
from replay.ranking.hands import Cards, Strengths

METHOD_VERSION = 1
DEFAULT_SEED = 20_261_117
DEFAULT_ROUNDS = 500_000  # 3.5 million hands, 21 million comparisons
DECK, HANDS, CARDS_EACH = 53, 7, 7
BLOCK = 1 << 14
_PLAYER, _DEALER = (
    np.array(places) for places in zip(*((p, d) for p in range(7) for d in range(7) if p != d), strict=True)
)

Compare = Callable[[Strengths, Strengths, Strengths, Strengths], npt.NDArray[np.uint8]]
"""Low, high, dealer's low, dealer's high → number of the outcome, as the pack's rules have it."""


@dataclass(frozen=True)
class AllPush:
    """Hands of the dealer's at which every wager against it goes back."""

    name: str  # what the way of playing is called, in names of counts
    holds: Callable[[Cards], npt.NDArray[np.bool_]]


def recipe(
    compare: Compare,
    outcomes: tuple[str, ...],
    wheel: Wheel,
    all_push: AllPush | None = None,
    *,
    seed: int = DEFAULT_SEED,
    rounds: int = DEFAULT_ROUNDS,
) -> Recipe:
    if rounds < 2:
        raise ValueError(f"a standard error needs two rounds or more, not {rounds}")
    name = f"house-way-duel-{wheel}" + (f"-{all_push.name}" if all_push else "")
    inputs: Inputs = {
        "method": "seven hands of a shuffle, each against each",
        "method_version": METHOD_VERSION,
        "wheel": str(wheel),
        "house_way": of_house_way(wheel),
        "compare": digest_of(compare(*_orders()).tolist()),
        "outcomes": ",".join(outcomes),
        "seed": seed,
        "rounds": rounds,
        **({"all_push": of_hands_that(all_push.holds)} if all_push else {}),
    }

    def count(progress: Progress) -> Counts:
        times = np.zeros(len(outcomes), np.int64)
        products = np.zeros((len(outcomes), len(outcomes)), np.int64)
        for start in range(0, rounds, BLOCK):
            size = min(BLOCK, rounds - start)
            block = block_outcomes(compare, wheel, seed, start // BLOCK, size, len(outcomes), all_push)
            times += block.sum(axis=0)
            products += block.T @ block
            progress(start + len(block), rounds)
        sample = Sample(seed, rounds, tuple(tuple(row) for row in products.tolist()))
        deal = f"comparisons in {rounds:,} shuffles of seven hands, both sides set by the house way"
        return Counts(name, deal, inputs, dict(zip(outcomes, times.tolist(), strict=True)), sample)

    return Recipe(name, inputs, count)


def block_outcomes(
    compare: Compare,
    wheel: Wheel,
    seed: int,
    block: int,
    rounds: int,
    outcomes: int,
    all_push: AllPush | None = None,
) -> npt.NDArray[np.int64]:
    """(rounds, outcomes) how many of a round's 42 comparisons end in each outcome. A block has a stream of its own, so
    that it can be drawn again by itself."""
    raw = np.random.PCG64([seed, block]).random_raw(rounds * DECK).reshape(rounds, DECK)
    dealt = np.argsort(raw, axis=1)[:, : HANDS * CARDS_EACH].astype(np.uint8).reshape(-1, CARDS_EACH)
    setting = house_way(dealt, wheel)
    low = rank_two(np.ascontiguousarray(setting[:, :2])).reshape(rounds, HANDS)
    high = rank_five(np.ascontiguousarray(setting[:, 2:]), wheel).reshape(rounds, HANDS)
    result = compare(low[:, _PLAYER], high[:, _PLAYER], low[:, _DEALER], high[:, _DEALER])
    if all_push:
        result = np.where(all_push.holds(dealt).reshape(rounds, HANDS)[:, _DEALER], TIES, result)
    return np.stack([(result == outcome).sum(axis=1) for outcome in range(outcomes)], axis=1).astype(np.int64)


def _orders() -> tuple[Strengths, Strengths, Strengths, Strengths]:
    """Every order two low and two high hands can stand in, no hand foul: what a rule of comparison can be asked."""
    low, high, dealer_low, dealer_high = (
        axis.ravel().astype(np.int32) for axis in np.meshgrid(*[np.arange(2)] * 4, indexing="ij")
    )
    return low, high + 2, dealer_low, dealer_high + 2
