"""The player-dealer of a California game: who it is, and how far what was posted reaches (R-28, R-44)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from ingest.simulator.voice import Say

if TYPE_CHECKING:
    from ingest.simulator.faults.injection import Injection

MOST_TURNS = 2  # "after every two hands the player/dealer position is rotated in a clockwise fashion"


@dataclass
class Turns:
    """Who is player-dealer, for which hand running, and who bet in the hand before."""

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
