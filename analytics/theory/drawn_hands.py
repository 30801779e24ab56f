"""How hands that draw towards a total fare against the player-dealer's: a simulation, for players who all play one way.

What a hand comes to depends on what its player chooses, so the theory is that of one way to play, which is said: hit
what must be hit and stand on what must stand, and in between hit soft 17 or less, hard 12 to 16 against a seven or more
that is up, and hard 12 against a two or three; no split, no surrender, no insurance. Doubles are a wager of their own:
made on two cards of hard 9, 10 or 11, which is what the hands of that simulation begin with.

A round is the first of a full shoe, one hand against the player-dealer's. Totals, charts and results are the pack's
own, handed in as `Rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analytics.theory.counts import Counts, Inputs, Sample, digest_of
from analytics.theory.store import Progress, Recipe
from replay.ranking.blackjack import NATURAL_HALVES, Totals

METHOD_VERSION = 1
DEFAULT_SEED = 20_261_117
DEFAULT_ROUNDS = 100_000
BLOCK = 1 << 15
ENOUGH = 24  # cards of a shoe for one hand and the player-dealer's: none of a million rounds needed more than 15
DECK, ACE_RANK = 52, 12
DOUBLED = (9, 10, 11)
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Hand:
    """Hands while they are drawn, one entry each."""

    hard: Numbers  # aces counted one
    ace: Bools
    cards: Numbers
    eights: Numbers

    def at(self, which: Bools | Numbers) -> Hand:
        """Those of these, or at these positions."""
        return Hand(self.hard[which], self.ace[which], self.cards[which], self.eights[which])

    def with_card(self, value: Numbers, takes: Bools) -> Hand:
        return Hand(
            self.hard + np.where(takes, value, 0),
            self.ace | (takes & (value == 1)),
            self.cards + takes,
            self.eights + (takes & (value == 8)),
        )

    @property
    def totals(self) -> Totals:
        soft = self.ace & (self.hard <= 11)
        total = self.hard + np.where(soft, 10, 0)
        natural = soft & (total == 21) & (self.cards == 2)
        halves = np.where(natural, NATURAL_HALVES, np.minimum(2 * total, 255)).astype(np.uint8)
        return Totals(halves, soft & ~natural, natural, halves > NATURAL_HALVES)

    @property
    def three_eights(self) -> Bools:
        return np.asarray((self.eights == 3) & (self.cards == 3))


@dataclass(frozen=True)
class Rules:
    """The rules of a game, as its pack has them."""

    results: Mapping[str, Callable[[Hand, Hand], Bools]]  # every result two hands can have
    must_hit: Callable[[Totals], Bools]  # players
    must_stand: Callable[[Totals], Bools]
    dealer_hits: Callable[[Totals], Bools]

    @property
    def digest(self) -> str:
        """Of what the rules answer to every total they can be asked about."""
        every = _every_total()
        pairs = [
            np.repeat(np.arange(len(every.hard)), len(every.hard)),
            np.tile(np.arange(len(every.hard)), len(every.hard)),
        ]
        one, other = (every.at(which) for which in pairs)
        return digest_of(
            {
                "results": {name: digest_of(of(one, other).astype(int).tolist()) for name, of in self.results.items()},
                "charts": [
                    of(every.totals).astype(int).tolist() for of in (self.must_hit, self.must_stand, self.dealer_hits)
                ],
            }
        )


def _every_total() -> Hand:
    """A hand of each hard total, with and without an ace, of two cards and of three, and 8-8-8."""
    hard, ace, cards = (column.reshape(-1) for column in np.meshgrid(np.arange(2, 31), [False, True], [2, 3]))
    eights = np.where((hard == 24) & (cards == 3), 3, 0)
    return Hand(hard.astype(np.int64), ace.astype(bool), cards.astype(np.int64), eights.astype(np.int64))


def recipe(
    game: str, rules: Rules, decks: int, doubled: bool, seed: int = DEFAULT_SEED, rounds: int = DEFAULT_ROUNDS
) -> Recipe:
    name = f"{game}-{'doubled' if doubled else 'hands'}-{decks}-deck{'s' * (decks > 1)}"
    inputs: Inputs = {
        "method": "one hand against the player-dealer's, of a full shoe",
        "method_version": METHOD_VERSION,
        "decks": decks,
        "doubled": int(doubled),
        "rules": rules.digest,
        "seed": seed,
        "rounds": rounds,
    }

    def count(progress: Progress) -> Counts:
        times = np.zeros(len(rules.results), np.int64)
        done = block = 0
        while done < rounds:
            found = block_results(rules, decks, doubled, seed, block)[: rounds - done]
            times += np.bincount(found, minlength=len(times))
            done, block = done + len(found), block + 1
            progress(done, rounds)
        products = tuple(tuple(int(times[a]) if a == b else 0 for b in range(len(times))) for a in range(len(times)))
        beginning = " that begin with hard 9, 10 or 11 and are doubled" if doubled else ""
        deal = f"hands{beginning} against the player-dealer's, each the first of {decks * DECK} cards"
        return Counts(
            name, deal, inputs, dict(zip(rules.results, times.tolist(), strict=True)), Sample(seed, rounds, products)
        )

    return Recipe(name, inputs, count)


def block_results(rules: Rules, decks: int, doubled: bool, seed: int, block: int) -> Numbers:
    """The number of the result of each hand of one block of rounds; it has a stream of its own."""
    values = block_values(decks, seed, block)
    player, dealer = _first_two(values[:, 0], values[:, 2]), _first_two(values[:, 1], values[:, 3])
    if doubled:
        kept = ~player.ace & np.isin(player.hard, DOUBLED) & ~dealer.totals.natural
        values = values[kept]
        player, dealer = player.at(kept), dealer.at(kept)
    up, at = values[:, 1], np.full(len(values), 4)
    rows = np.arange(len(values))
    open_ = ~dealer.totals.natural & ~player.totals.natural
    while open_.any():
        hits = open_ & (np.full(len(values), True) if doubled else _hits(rules, player, up))
        player = player.with_card(values[rows, np.minimum(at, ENOUGH - 1)], hits)
        at, open_ = at + hits, hits & (not doubled)
    drawing = np.full(len(values), True)
    while drawing.any():
        drawing = drawing & rules.dealer_hits(dealer.totals)
        dealer = dealer.with_card(values[rows, np.minimum(at, ENOUGH - 1)], drawing)
        at = at + drawing
    if (at > ENOUGH).any():
        raise AssertionError(f"a round needed more than {ENOUGH} cards")
    found = np.full(len(values), -1, np.int64)
    for number, holds in enumerate(rules.results.values()):
        found[holds(player, dealer)] = number
    if (found < 0).any():
        raise AssertionError("a round came to no result")
    return found


def _first_two(one: Numbers, other: Numbers) -> Hand:
    empty = np.zeros(len(one), np.int64)
    everybody = np.full(len(one), True)
    return Hand(empty, empty > 0, empty, empty).with_card(one, everybody).with_card(other, everybody)


def _hits(rules: Rules, player: Hand, up: Numbers) -> Bools:
    """The way to play that the module's first lines tell."""
    totals = player.totals
    points = totals.halves.astype(np.int64) // 2
    strong = (up >= 7) | (up == 1)
    hard = np.where(strong, points <= 16, (points <= 11) | ((points == 12) & (up <= 3)))
    likes = np.where(totals.soft, points <= 17, hard)
    return np.asarray((rules.must_hit(totals) | likes) & ~rules.must_stand(totals) & ~totals.bust)


def block_values(decks: int, seed: int, block: int) -> Numbers:
    """(BLOCK, ENOUGH) the values of the first cards of so many shuffled shoes; an ace is 1."""
    generator = np.random.Generator(np.random.PCG64([seed, decks, block]))
    cards = generator.integers(0, DECK * decks, size=(BLOCK, ENOUGH))
    for at in range(1, ENOUGH):  # a card that has been drawn is drawn again
        again = np.arange(BLOCK)
        while len(again):
            again = again[(cards[again, :at] == cards[again, at : at + 1]).any(axis=1)]
            cards[again, at] = generator.integers(0, DECK * decks, size=len(again))
    return _value(cards % DECK)


def _value(cards: npt.NDArray[np.int64]) -> Numbers:
    rank = cards // 4
    return np.where(rank == ACE_RANK, 1, np.minimum(rank + 2, 10))
