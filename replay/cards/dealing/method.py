"""What a dealing method is: who gets cards, how many at a time, from where and which way round, as data.

A method knows neither cards nor wagers. `AtTable` is the rest: what one round adds to it (where the deal began, who
bet, who went on). `replay.cards.dealing.order` puts the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from replay.citations import Citation
from replay.rounds import UNKNOWN
from schemas.places import DEALER, Ring

ANY_NUMBER = 99


class Direction(StrEnum):
    CLOCKWISE = "clockwise"
    COUNTERCLOCKWISE = "counterclockwise"

    @property
    def other(self) -> Direction:
        return Direction.COUNTERCLOCKWISE if self is Direction.CLOCKWISE else Direction.CLOCKWISE


class Receives(StrEnum):
    """Who is dealt in (rulings.md R-4)."""

    EVERY_PLACE = "every place, wager or not, and the dealer"
    EVERY_SEAT = "every seat, wager or not; the house dealer gets no hand"
    BETTORS_AND_DEALER = "seats with a wager, and the dealer"
    BETTORS_AND_BANK = "seats with a wager, and the player-dealer; the house dealer gets no hand"
    PLAYERS = "the seats dealt in"
    NOBODY = "no place: the hands belong to nobody"


class StartRule(StrEnum):
    """Where the first card or stack goes."""

    DETERMINED = "where dice, number or button say"
    LEFT_OF_DEALER = "the first place to the dealer's left that is dealt in"
    LEFT_OF_BANK = "the first place to the player-dealer's left that is dealt in"
    LEFT_OF_BUTTON = "the first place to the button's left that is dealt in"
    NOWHERE = "no place: the hands belong to nobody"


class To(StrEnum):
    """Who gets the cards of one step, of those dealt in."""

    ALL = "all"
    PLAYERS = "players"  # all but the hand everyone plays against
    DEALER = "dealer"  # that hand alone
    STAYING = "staying"  # those who went on, or have a wager that must be decided
    BURN = "burn"
    BOARD = "board"
    PLAYER_HAND = "player_hand"  # baccarat
    BANKER_HAND = "banker_hand"
    DRAWS = "draws"  # one card each to the hands that drew, in the order they drew


class Step(NamedTuple):
    """`passes` times round, `cards` one after the other to each."""

    to: To
    cards: int
    passes: int = 1


class FirstStack(StrEnum):
    """Which stack is delivered first, and which one after it."""

    FARTHEST_LEFT = "the one farthest to the dealer's left, and on to the right"
    FARTHEST_RIGHT = "the one farthest to the dealer's right, and on to the left"


@dataclass(frozen=True)
class Stacks:
    """The cards go to stacks in a row before the dealer, which are then delivered (rulings.md R-3)."""

    first: FirstStack
    zigzag: bool = True  # left to right, then right to left; otherwise left to right every time
    banked_from_named: bool = True  # a bank names the first stack; those to its right follow, clockwise


class Instead(StrEnum):
    """What becomes of a card that may not be played."""

    KEPT = "it stays in the hand; the player may void the hand"
    NEXT_CARD = "it goes to the discards and the next card takes its place"
    FIRST_OF_STUB = "after the deal the first card left over replaces it"
    TOP_CARD_AND_BURN = "after the deal the top card replaces it, and it is the first burn card"
    NOT_PRINTED = "no text says"


@dataclass(frozen=True)
class Method:
    """One way of dealing one game."""

    id: str  # ma/pai_gow_poker:manual_shoe
    title: str
    deck: int  # cards in one deck, jokers included; 0 where the game is dealt from a shoe of several decks
    seats: int  # betting positions; 0 where the table decides
    receives: Receives
    starts: StartRule
    direction: Direction
    steps: tuple[Step, ...]
    cites: tuple[Citation, ...]
    stacks: Stacks | None = None
    boxed: Instead = Instead.NOT_PRINTED
    exposed: Instead = Instead.NOT_PRINTED
    most_boxed: int = ANY_NUMBER  # with more than so many cards boxed or exposed the deal is void
    void_if_boxed: bytes = b""  # cards which make the deal void when boxed or exposed


class Target(NamedTuple):
    """Where a card goes: a place (or one of layout's STUB, BOARD, BURNS, PLAYER, BANKER) and which of its hands."""

    place: int
    hand: int = 0


@dataclass(frozen=True)
class AtTable:
    """What one round adds to the method: everything the order of its deal depends on."""

    ring: Ring
    start: int = UNKNOWN  # where the first card or stack went, for methods whose start is determined
    bettors: tuple[int, ...] = ()  # seats dealt in, where not everybody is
    bank: int = DEALER  # the seat that banks or is player-dealer; the dealer's place where nobody does
    first_stack: int = 0  # the stack a bank named, 1 is farthest to the dealer's left; 0 none
    button: int = UNKNOWN  # the poker button
    staying: tuple[int, ...] = ()  # who went on, or has a wager that needs the whole hand
    draws: tuple[Target, ...] = ()  # later cards, in the order they were drawn


class DealProblem(ValueError):
    """A deal that cannot be laid out: something the method needs is not known, or makes no sense."""
