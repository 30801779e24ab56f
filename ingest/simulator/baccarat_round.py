"""A round of Supreme Baccarat at a simulated table, as it was played: what is told, and what a fault changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.simulator.played import Bet, Fee, Settled
from ingest.simulator.voice import Say


@dataclass
class BaccaratRound:
    """One round as it was played."""

    bank_says: list[Say] = field(default_factory=list)
    turn_said: int = 0
    """The turn the player-dealer is announced for."""
    posted_cents: int = 0
    bets: list[Bet] = field(default_factory=list)
    """What stands at the settlement, in the order it was bet."""
    wager_says: list[Say] = field(default_factory=list)
    late_says: list[Say] = field(default_factory=list)
    fees: list[Fee] = field(default_factory=list)
    player: list[int] = field(default_factory=list)
    banker: list[int] = field(default_factory=list)
    third_cards_named: bool = False
    """Whether the shoe says which hand a third card went to, for certain."""
    shoe_left: int | None = None
    """The cards left in the shoe, where somebody counted them: at its end, or to find one missing."""
    button: int | None = None
    """The seat with the action button, where the posted wager does not cover everything that moves."""
    settled: list[Settled] = field(default_factory=list)

    def moved_cents(self) -> int:
        """What the settlements used of the posted wager."""
        return sum(each.paid_cents + each.taken_cents for each in self.settled)
