"""Cards: how one is written, and the small number that stands for it in columns.

A card is two characters, rank then suit (`As`, `Td`, `9h`); jokers are `X1` and `X2`. In arrays a card is one
byte, its *code*: ``rank * 4 + suit`` with ranks 2..A as 0..12 and suits clubs, diamonds, hearts, spades as 0..3;
the jokers follow at 52 and 53. `NO_CARD` fills the places of an array where no card is known.

A shoe of several decks holds the same code several times: a reader sees the face, never which deck it came from.
Where a device does know (backs of two colours), the event names the deck beside the cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER_1 = 52
JOKER_2 = 53
NO_CARD = 255

CARD_NAMES: tuple[str, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), "X1", "X2")
CARD_CODES: dict[str, int] = {name: code for code, name in enumerate(CARD_NAMES)}
_KNOWN = frozenset(CARD_NAMES)


def _known_card(name: str) -> str:
    if name not in _KNOWN:
        raise ValueError(f"{name!r} is not a card: rank (2-9 T J Q K A) then suit (c d h s), or joker X1, X2")
    return name


CARD_PATTERN = "^([2-9TJQKA][cdhs]|X[12])$"
_DESCRIPTION = "A card: rank then suit (As, Td), or a joker (X1, X2)"

Card = Annotated[str, StringConstraints(pattern=CARD_PATTERN), Field(description=_DESCRIPTION)]
"""A card in an event: checked by pattern, for a day of events holds millions."""

WrittenCard = Annotated[
    str,
    AfterValidator(_known_card),
    WithJsonSchema({"type": "string", "pattern": CARD_PATTERN, "description": _DESCRIPTION}),
]
"""A card in a text that people write, with an error for people."""


def code_of(name: str) -> int:
    """The code of a card; a ValueError names what is not one."""
    return CARD_CODES[_known_card(name)]


def codes_of(cards: str | Iterable[str]) -> bytes:
    """Codes of a hand written as `As Kd X1` or given as names."""
    names = cards.split() if isinstance(cards, str) else cards
    return bytes(code_of(name) for name in names)


def name_of(code: int) -> str:
    return CARD_NAMES[code] if code < len(CARD_NAMES) else "??"


def names_of(codes: Iterable[int]) -> str:
    """Codes as people write a hand: `As Kd X1`."""
    return " ".join(name_of(code) for code in codes)


@dataclass(frozen=True)
class Deck:
    """What a full shoe or deck must hold: so many decks of 52, each with so many jokers."""

    decks: int = 1
    jokers: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.decks <= 8:
            raise ValueError(f"a shoe holds one to eight decks, not {self.decks}")
        if not 0 <= self.jokers <= 2:
            raise ValueError(f"a deck has no, one or two jokers, not {self.jokers}")

    @property
    def size(self) -> int:
        return self.decks * (52 + self.jokers)

    def copies_of(self, code: int) -> int:
        """How many of this card the full deck holds (none of a joker it is played without)."""
        return self.decks if code < 52 + self.jokers else 0

    def codes(self) -> bytes:
        """Every card of the full deck, in code order, deck by deck."""
        return bytes(range(52 + self.jokers)) * self.decks
