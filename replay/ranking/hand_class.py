"""What a class of hands is: a name that a pay table may use, the text that defines it, and a test over many hands.

A class list knows the cards of one game (how many, which jokers) and its classes. *Which* classes pay, and in which
order, a rule pack says: `ClassList.classify` answers with the first of the names it is given that a hand can form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from replay.ranking.hands import Bools, Cards
from replay.ranking.joker import Joker
from schemas.cards import JOKER_1, NO_CARD, name_of, names_of

View = TypeVar("View")
Places = NDArray[np.int16]
NO_CLASS = -1
_BLOCK = 1 << 15


@dataclass(frozen=True)
class HandClass(Generic[View]):
    name: str
    cite: str
    text: str
    formed: Callable[[View], Bools]  # (n,)
    colour: Callable[[Cards], Bools] | None = None  # what the colours must be besides, where they matter


@dataclass(frozen=True)
class ClassList(Generic[View]):
    """The classes of one game. `look` prepares a block of hands for their tests."""

    size: int
    classes: tuple[HandClass[View], ...]
    look: Callable[[Cards], View]
    jokers: int = 0
    joker: Joker | None = None  # what a joker may be
    decks: int = 1  # so often may a hand hold the same card
    may_lack: tuple[int, ...] = ()  # places that may be NO_CARD

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.classes)

    def classify(self, cards: Cards, names: Sequence[str]) -> Places:
        """For each hand, the place in `names` of the first class it can form; -1 for none."""
        chosen = self.chosen(names)
        hands = self.check_shape(cards)
        places = np.empty(len(hands), np.int16)
        for start in range(0, len(hands), _BLOCK):
            block = hands[start : start + _BLOCK]
            places[start : start + _BLOCK] = first_formed(block, self.look(block), chosen)
        return places

    def chosen(self, names: Sequence[str]) -> tuple[HandClass[View], ...]:
        """The classes of these names; a ValueError for an unknown name or one given twice."""
        by_name = {each.name: each for each in self.classes}
        for name in names:
            if name not in by_name:
                raise ValueError(f"{name!r} is no class of this game; there are {', '.join(by_name)}")
            if list(names).count(name) > 1:
                raise ValueError(f"class {name!r} is listed twice; a pay table has each class once")
        return tuple(by_name[name] for name in names)

    def check_shape(self, cards: Cards) -> Cards:
        """The same array, once it is known to be (n, size) codes of this game's cards. Cheap, and always done."""
        if not isinstance(cards, np.ndarray) or cards.dtype != np.uint8:
            found = f"dtype {cards.dtype}" if isinstance(cards, np.ndarray) else type(cards).__name__
            raise ValueError(f"hands are a uint8 array of card codes, not {found}")
        if cards.ndim != 2 or cards.shape[1] != self.size:
            raise ValueError(f"hands of {self.size} cards are an array of shape (n, {self.size}), not {cards.shape}")
        if cards.size and cards.max() >= JOKER_1 + self.jokers:
            lacking = np.zeros(self.size, bool)
            lacking[list(self.may_lack)] = True
            for row, place in np.argwhere((cards >= JOKER_1 + self.jokers) & ~((cards == NO_CARD) & lacking)).tolist():
                raise ValueError(f"hand {row}, card {place + 1}: {self._why_not(int(cards[row, place]))}")
        return cards

    def check_cards(self, cards: Cards) -> None:
        """ValueError for the first hand that this game's cards cannot have dealt: also a card held too often."""
        in_order = np.sort(self.check_shape(cards), axis=1)
        if self.size <= self.decks:
            return
        alike = (in_order[:, self.decks :] == in_order[:, : -self.decks]) & (in_order[:, self.decks :] != NO_CARD)
        for row, place in np.argwhere(alike).tolist():
            card = name_of(int(in_order[row, place]))
            times = "twice; one deck has one" if self.decks == 1 else f"more than {self.decks} times"
            raise ValueError(f"hand {row} ({names_of(cards[row].tolist())}) holds {card} {times}")

    def _why_not(self, code: int) -> str:
        if code == NO_CARD:
            return f"no card (code {NO_CARD}) where one is needed"
        if code > JOKER_1 + 1:
            return f"code {code} is not a card"
        held = f"{self.jokers} joker{'' if self.jokers == 1 else 's'}" if self.jokers else "no joker"
        return f"{name_of(code)} (code {code}) is not in this game, which has {held}"


def first_formed(cards: Cards, view: View, classes: Sequence[HandClass[View]]) -> Places:
    """For each hand the place of the first of these classes that it forms."""
    places = np.full(len(cards), NO_CLASS, np.int16)
    for place in range(len(classes) - 1, -1, -1):
        each = classes[place]
        formed = each.formed(view)
        places[formed if each.colour is None else formed & each.colour(cards)] = place
    return places
