"""A round as it was played at a simulated table, of any game: what the devices report, and what a fault changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.simulator.meters import OfMeters
from ingest.simulator.voice import Say

Setting = tuple[list[int], list[int]]
"""The low (front) and the high (back) hand, as laid out left to right."""

BANK_WAGER = "bank"
"""What a bank wins or loses in the end is reported under this name, at the bank's seat."""


@dataclass(slots=True)
class Bet:
    """One wager: `bettor` is empty for the player seated there."""

    seat: int
    wager: str
    cents: int
    bettor: str = ""
    choice: str = ""
    """What it is placed on, where that can be several things."""
    hand: int = 0
    """Which of the seat's hands it is on, where a split made several."""

    @property
    def key(self) -> tuple[int, str, str]:
        return self.seat, self.bettor, f"{self.wager} {self.hand}" if self.hand else self.wager

    def where(self) -> dict[str, object]:
        """As events name it."""
        said: dict[str, object] = {"seat": self.seat, "wager": self.wager}
        if self.choice:
            said["choice"] = self.choice
        if self.hand:
            said["hand"] = self.hand
        return said | {"bettor": self.bettor} if self.bettor else said


@dataclass(slots=True)
class Settled:
    """What happened to a wager."""

    bet: Bet
    outcome: str
    paid_cents: int = 0
    taken_cents: int = 0
    vigorish_cents: int = 0
    at_surrender: bool = False
    """Whether it was settled when the hand was given up, and not when its turn came."""


@dataclass(slots=True)
class Envy:
    """An envy bonus: to whoever bet at `seat`, for the hand of another seat."""

    seat: int
    for_seat: int
    cents: int
    bettor: str = ""
    wager: str = "fortune"


@dataclass(slots=True)
class Fee:
    """A collection fee: `seat` and `bettor` say from whom, `box` where it goes if not in the table's drop box, and
    `wager` the betting circle it is for, where each pays by itself."""

    payer: str
    seat: int
    cents: int
    before_the_deal: bool
    bettor: str = ""
    box: str = ""
    wager: str = ""
    waived: bool = False
    """Whether it was let off, and said to be."""
    given_back: bool = False
    """Whether it was given back after it was taken."""


@dataclass(slots=True)
class Bank:
    """The seat that everybody plays against, and what it has put up."""

    seat: int
    kind: str
    posted_cents: int = 0
    turn: int | None = None
    dealer_wager_cents: int = 0
    first_stack: int | None = None


@dataclass
class Played:
    """One round of any game: who bet and who banked, what was taken and paid."""

    bets: list[Bet] = field(default_factory=list)
    """What stands at the settlement, in the order it was bet."""
    wager_says: list[Say] = field(default_factory=list)
    late_says: list[Say] = field(default_factory=list)
    bank: Bank | None = None
    bank_says: list[Say] = field(default_factory=list)
    """To whom the bank was offered before somebody took it."""
    fees: list[Fee] = field(default_factory=list)
    hands: dict[int, list[int]] = field(default_factory=dict)
    """The cards of each place."""
    settled: list[Settled] = field(default_factory=list)
    envies: list[Envy] = field(default_factory=list)
    button: int | None = None
    """The seat with the action button."""
    says: list[Say] = field(default_factory=list)
    """All that is reported of the round, before anything happens to the record."""

    @property
    def seats(self) -> list[int]:
        """The seats with a wager."""
        return sorted({bet.seat for bet in self.bets})

    @property
    def posted_cents(self) -> int:
        return self.bank.posted_cents if self.bank else 0

    def at(self, seat: int) -> list[Bet]:
        return [bet for bet in self.bets if bet.seat == seat]

    def find(self, seat: int, wager: str, bettor: str = "") -> Bet | None:
        return next((bet for bet in self.bets if bet.key == (seat, bettor, wager)), None)

    def cents(self, seat: int, wager: str) -> int:
        bet = self.find(seat, wager)
        return bet.cents if bet else 0

    def moved_cents(self) -> int:
        """What the settlements used of the posted wager."""
        settled = sum(each.paid_cents + each.taken_cents for each in self.settled)
        return settled + sum(envy.cents for envy in self.envies)


@dataclass
class Coup(Played):
    """One round of baccarat: the Player hand is 0, the Banker hand 1."""

    third_cards_named: bool = False
    """Whether the shoe says which hand a third card went to, for certain."""
    shoe_left: int | None = None
    """The cards left in the shoe, where somebody counted them: at its end, or to find one missing."""

    @property
    def player(self) -> list[int]:
        return self.hands[0]

    @property
    def banker(self) -> list[int]:
        return self.hands[1]


@dataclass
class SplitPlayed(Played):
    """One round of a game with hands set in two."""

    mishaps: list[Say] = field(default_factory=list)
    """What happens between the close of betting and the deal, and has the cards shuffled again."""
    void_says: list[Say] = field(default_factory=list)
    """What is reported before all hands are called void."""
    cut: tuple[int, list[int]] | None = None
    """Who cut the cards, and to whom the cut was offered, where that is reported."""
    no_rolls: list[Say] = field(default_factory=list)
    thrown: dict[str, object] = field(default_factory=dict)
    start: int = 0
    places: list[int] = field(default_factory=list)
    """The place each card ends at, in the order they leave the shoe or the hand."""
    dealt: list[int] = field(default_factory=list)
    stub: list[int] = field(default_factory=list)
    stub_counted: bool = True
    exposed: int | None = None
    """A card of the hand played against, exposed."""
    exposed_to: tuple[int, int] | None = None
    """A player's seat and the card of the hand there that the dealer exposed."""
    voided: list[int] = field(default_factory=list)
    """Seats whose players had their hands voided for it."""
    boxed: int | None = None
    """A card found face up in the shoe."""
    boxed_aside: bool = False
    """Whether it was put in the rack and not played."""
    boxed_as: int = 0
    """Where in the deal it was found."""
    surrendered: list[int] = field(default_factory=list)
    folded: list[int] = field(default_factory=list)
    """Seats that did not raise an ante, in the order in which they folded."""
    unsaid: list[int] = field(default_factory=list)
    """Seats of which no device says whether they raised or folded."""
    left_with_four: int | None = None
    """A seat that is not dealt the cards it has a right to."""
    button_card: int | None = None
    """The card by which the action button is put down, where it is another than it should be."""
    settings: dict[int, Setting] = field(default_factory=dict)
    fouls_overlooked: set[int] = field(default_factory=set)
    classes: dict[int, str | None] = field(default_factory=dict)
    """What the cards of a seat are for the wager on them."""
    dealer_outcome: str | None = None
    """How the house dealer's own wager against a bank ended."""
    staying: list[int] = field(default_factory=list)
    """Seats whose cards lie face up for an envy bonus, or until a payout off a meter is documented, until all others
    are collected."""
    meters: OfMeters = field(default_factory=OfMeters)

    def deal_out(self, deck: list[int], places: range) -> None:
        """Puts the cards of the deck where `places` says; what is left is the stub."""
        self.dealt = deck[: len(self.places)]
        self.stub = deck[len(self.places) :]
        self.hands = {place: [] for place in places}
        for place, card in zip(self.places, self.dealt, strict=True):
            self.hands[place].append(card)
