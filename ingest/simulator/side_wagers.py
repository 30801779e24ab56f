"""A wager beside a game's own, as an entry: its name, what may be bet, and how the simulated house decides it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ingest.simulator.played import Bet, Settled, SplitPlayed

CHIPS_CENTS = (100, 200, 300, 400, 500, 500, 500, 1000, 1000, 1500, 2500, 5000, 10_000, 20_000)


@dataclass(frozen=True)
class SideWager:
    """One side wager of a table."""

    name: str
    least_cents: int
    most_cents: int
    decide: Callable[[SplitPlayed, Bet], tuple[str, int]]
    """The outcome of a bet, and what it is paid if it wins."""
    chips: Sequence[int] = CHIPS_CENTS
    """What people like to bet, those more often that stand here more than once."""
    for_one: bool = False
    """Whether the wager is taken also where it wins."""
    choices: Sequence[str] = ()
    """What it may be placed on, where that can be several things."""
    offered: bool = True
    limits_filed: bool = True
    odds: Mapping[str, int] = field(default_factory=dict)
    """What each class of hands is paid, to 1, where that is all there is to it."""
    most_paid_cents: int = 0
    """The payout limit of one hand, 0 for none."""
    shares_the_limit: str = ""
    """The class of hands that share the limit where there are several."""

    @property
    def usual_cents(self) -> list[int]:
        """What people bet, within the limits."""
        return [cents for cents in self.chips if self.least_cents <= cents <= self.most_cents]

    def settled(self, played: SplitPlayed, bet: Bet) -> Settled:
        outcome, pays = self.decide(played, bet)
        if outcome == "win":
            return Settled(bet, outcome, paid_cents=pays, taken_cents=bet.cents if self.for_one else 0)
        return Settled(bet, outcome, taken_cents=bet.cents if outcome == "lose" else 0)


def by_odds(odds: Mapping[str, int], name: str | None, cents: int, most_cents: int = 0) -> tuple[str, int]:
    """What a wager on a class of hands comes to: odds of 0 give it back, and a class that is not in the table loses."""
    row = odds.get(name or "")
    if row is None:
        return "lose", 0
    if row == 0:
        return "push", 0
    return "win", min(row * cents, most_cents) if most_cents else row * cents
