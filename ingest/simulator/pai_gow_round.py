"""A round of pai gow poker at a simulated table, as it was played: what is told, and what a fault changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.simulator.house_way import Setting
from ingest.simulator.voice import Say

DEALER = 0
PLACES = 7  # the dealer and six betting positions
SEATS = range(1, PLACES)
HAND = 7
DECK = 53


@dataclass(slots=True)
class Settlement:
    """One wager's settlement; `stake_cents` is what stood on the layout."""

    seat: int
    wager: str
    stake_cents: int
    outcome: str
    paid_cents: int = 0
    taken_cents: int = 0
    vigorish_cents: int = 0
    at_surrender: bool = False
    """Whether it was settled when the hand was given up, and not when its turn came."""


@dataclass(slots=True)
class Envy:
    seat: int
    for_seat: int
    cents: int


@dataclass
class PaiGowRound:
    """One round as it was played."""

    wagers: dict[int, dict[str, int]] = field(default_factory=dict)
    """What stands at the settlement: seat, then `pai_gow` and perhaps `fortune`, in cents."""
    wager_says: list[Say] = field(default_factory=list)
    late_says: list[Say] = field(default_factory=list)
    no_rolls: list[Say] = field(default_factory=list)
    thrown: dict[str, object] = field(default_factory=dict)
    start: int = DEALER
    places: list[int] = field(default_factory=list)
    hands: dict[int, list[int]] = field(default_factory=dict)
    dealt: list[int] = field(default_factory=list)
    stub: list[int] = field(default_factory=list)
    exposed: int | None = None
    boxed: int | None = None
    """A card found face up in the shoe, and played all the same."""
    surrendered: list[int] = field(default_factory=list)
    settings: dict[int, Setting] = field(default_factory=dict)
    fouls_overlooked: set[int] = field(default_factory=set)
    classes: dict[int, str | None] = field(default_factory=dict)
    settlements: list[Settlement] = field(default_factory=list)
    envies: list[Envy] = field(default_factory=list)
    staying: list[int] = field(default_factory=list)
    """Seats whose cards lie face up for an envy bonus until all others are collected."""

    def fortune(self, seat: int) -> int:
        return self.wagers.get(seat, {}).get("fortune", 0)

    def deal_out(self, deck: list[int]) -> None:
        """Puts the cards of the deck where `places` says; what is left is the stub."""
        self.dealt = deck[: len(self.places)]
        self.stub = deck[len(self.places) :]
        self.hands = {place: [] for place in range(PLACES)}
        for place, card in zip(self.places, self.dealt, strict=True):
            self.hands[place].append(card)
