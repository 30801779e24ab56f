"""A round of Pure 21.5 Blackjack as it was played: hands, what was done with them in turn, and the cards as dealt."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.simulator.played import Bet, Played
from ingest.simulator.voice import LAYOUT, Say


@dataclass
class Hand:
    """One hand of a seat; hands are numbered in the order they are played."""

    seat: int
    number: int
    cards: list[int]
    split: bool = False
    """Whether it was made by a split, or split itself."""
    over: bool = False
    surrendered: bool = False
    paid_even: set[str] = field(default_factory=set)
    """Who took even money on it: bettors by name, the seated player by the empty one."""

    @property
    def key(self) -> tuple[int, int]:
        return self.seat, self.number


@dataclass
class Round(Played):
    """One round of Pure 21.5 Blackjack. Place by place and hand by hand it is in `spots`; what devices say while it is
    played, cards as they are dealt among it, in `play_says`."""

    spots: dict[int, list[Hand]] = field(default_factory=dict)
    dealer: list[int] = field(default_factory=list)
    first_cards: list[tuple[int, int]] = field(default_factory=list)
    """The first two cards of everybody, as dealt: place and card."""
    play_says: list[Say] = field(default_factory=list)
    given_up: list[Hand] = field(default_factory=list)
    """Surrendered hands, in the order they were given up."""
    picked_up: list[list[int]] = field(default_factory=list)
    """The hands as they went into the rack."""
    button_card: int = 0
    short: bool = False
    """Whether what was posted did not cover everything."""
    shoe_left: int | None = None

    @property
    def every_hand(self) -> list[Hand]:
        return [hand for hands in self.spots.values() for hand in hands]

    def hand_of(self, bet: Bet) -> Hand:
        return self.spots[bet.seat][bet.hand]

    def acted(self, hand: Hand, action: str, bettor: str = "") -> None:
        said: dict[str, object] = {"seat": hand.seat, "action": action}
        if hand.number:
            said["hand"] = hand.number
        if bettor:
            said["bettor"] = bettor
        self.play_says.append(Say("player.acted", said))

    def wagered(self, bet: Bet) -> None:
        """A wager made while the hands are played."""
        self.bets.append(bet)
        self.play_says.append(Say("wager.placed", bet.where() | {"amount_cents": bet.cents}, LAYOUT))
