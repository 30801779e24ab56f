"""One hand of poker as it was played at a simulated table, and what is reported of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.simulator.board.betting import Chips
from ingest.simulator.board.pots import Award, SidePot
from ingest.simulator.played import Played


@dataclass
class PokerPlayed(Played):
    """One hand."""

    dealer: int = 0
    """Where the dealer button lies."""
    chips: Chips = field(default_factory=lambda: Chips([], {}))
    dealt: list[int] = field(default_factory=list)
    """The hole cards in the order dealt."""
    board: list[int] = field(default_factory=list)
    burns: list[int] = field(default_factory=list)
    stub: list[int] = field(default_factory=list)
    pots: list[SidePot] = field(default_factory=list)
    back: dict[int, int] = field(default_factory=dict)
    awards: list[Award] = field(default_factory=list)
    winners_last: list[int] = field(default_factory=list)
    """Whose hands go into the rack last: those that were pushed a pot."""
    flop_before_the_last: bool = False
    """Whether the flop was turned before the last action that precedes it."""
    exposed: tuple[int, int] | None = None
    """Seat and hole card that the dealer exposed: exchanged after the deal for the top card, and the first burn."""
    boxed: int | None = None
    """A card found face up in the deal, which the next one replaces."""
    reported_streets: set[str] = field(default_factory=set)
    """Those whose cards have been said to be turned."""

    @property
    def at_showdown(self) -> bool:
        return len(self.chips.left) > 1
