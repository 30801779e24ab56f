"""The player-dealer of a California game: who it is, and how far what was posted reaches (R-28, R-44)."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from ingest.simulator.played import Bet, Played, Settled
from ingest.simulator.voice import Say

if TYPE_CHECKING:
    from ingest.simulator.faults.injection import Injection

FEWEST_PLAYERS = 3
MOST_TURNS = 2  # "after every two hands the player/dealer position is rotated in a clockwise fashion"


@dataclass
class Turns:
    """Who is player-dealer, for how many hands in a row, and who bet in the hand before."""

    seat: int = 0
    turn: int = 0
    bet_before: frozenset[int] = frozenset()
    announced: int = 0
    """The turn it is announced as."""

    def choose(self, rng: Random, injection: Injection, present: set[int], seats: Sequence[int]) -> list[Say]:
        """Two hands running at most, then offered clockwise to seats that bet in the hand before; what is said of it.

        `seats` are all of the table, clockwise.
        """
        says = self._chosen(rng, injection, present, seats)
        if injection.label is None or injection.label.fault != "bank_thrice":
            self.announced = self.turn
        return says

    def may_leave(self, seat: int, present: AbstractSet[int]) -> bool:
        """Never the one who banks, nor the last who may bank next."""
        stay = present - {seat, self.seat}
        return seat != self.seat and len(present) > FEWEST_PLAYERS and bool(stay & self.bet_before)

    def round_over(self, played: Played) -> None:
        self.bet_before = frozenset(bet.seat for bet in played.bets if not bet.bettor)

    def _chosen(self, rng: Random, injection: Injection, present: set[int], seats: Sequence[int]) -> list[Say]:
        if not self.seat:
            self.seat, self.turn = rng.choice(sorted(present)), 1
            return [Say("bank.offered", {"seat": self.seat})]
        if injection.kind == "bank_thrice" and self.turn == MOST_TURNS:
            self.turn += 1
            self.announced = rng.choice((1, 3))
            injection.done(f"a third hand running, announced as turn {self.announced}", self.seat)
            return []
        says: list[Say] = []
        if self.turn < MOST_TURNS:
            if injection.kind == "bank_thrice" or rng.random() < 0.85:
                self.turn += 1
                return []
            says += [Say("bank.offered", {"seat": self.seat}), Say("bank.declined", {"seat": self.seat})]
        at = seats.index(self.seat)
        clockwise = [*seats[at + 1 :], *seats[:at]]
        eligible = [seat for seat in clockwise if seat in present and seat in self.bet_before]
        for seat in eligible:
            says.append(Say("bank.offered", {"seat": seat}))
            if seat == eligible[-1] or rng.random() < 0.7:
                self.seat, self.turn = seat, 1
                return says
            says.append(Say("bank.declined", {"seat": seat}))
        raise AssertionError(f"nobody may bank after seat {self.seat}, although somebody has to have bet")


class Cover:
    """What is left of the posted wager, used up bet by bet by wins and losses alike (R-28, R-39)."""

    def __init__(self, posted_cents: int) -> None:
        self.left = posted_cents

    def use(self, cents: int) -> int:
        """As much of it as is still covered."""
        used = min(cents, self.left)
        self.left -= used
        return used


def posted_for(rng: Random, exposure_cents: int, least_cents: int) -> int:
    """What a player-dealer posts: sometimes less than may be won or lost, sometimes more."""
    share = rng.choice((0.35, 0.6, 1.0, 1.0, 1.5, 2.0, 3.0))
    step = 500 if rng.random() < 0.9 else 25
    return max(least_cents, int(exposure_cents * share) // step * step)


def settled_by_cover(bet: Bet, outcome: str, cents: int, cover: Cover) -> Settled:
    """A bet settled as far as what is left of the posted wager covers it: `cents` is what would move in full."""
    used = cover.use(cents)
    if outcome != "push" and used == 0:
        outcome = "no_action"
    return Settled(bet, outcome, *((used, 0) if outcome == "win" else (0, used)))
