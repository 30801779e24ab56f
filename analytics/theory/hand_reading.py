"""A hand read for people: what these cards are under a pack's rules, fact by fact, with the rule each rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from analytics.theory.counts import TheoryError
from replay.filing import Filing
from replay.ranking.hands import Cards
from schemas.cards import codes_of


class Fact(NamedTuple):
    key: str  # for programs
    label: str  # for people
    value: str
    cards: str = ""
    cite: str = ""


@dataclass(frozen=True)
class HandReading:
    filing: Filing
    cards: str
    facts: tuple[Fact, ...]

    def __post_init__(self) -> None:
        keys = [fact.key for fact in self.facts]
        if len(set(keys)) != len(keys):
            raise AssertionError(f"two facts of one hand have the same key: {keys}")

    def document(self) -> dict[str, Any]:
        facts = {
            fact.key: {"value": fact.value, "cards": fact.cards or None, "cite": fact.cite or None}
            for fact in self.facts
        }
        return {
            "pack": self.filing.pack.id,
            "version": self.filing.pack.data.version,
            "cards": self.cards,
            "facts": facts,
        }


def one_hand(text: str) -> Cards:
    """(1, n) the cards of a hand written as `As Kd X1`; a TheoryError names what is not a card."""
    try:
        codes = codes_of(text.replace(",", " "))
    except ValueError as error:
        raise TheoryError(str(error)) from error
    return np.frombuffer(codes, np.uint8).reshape(1, -1)


def checked_hand(text: str, game: str, sizes: Mapping[int, str], check: Callable[[Cards, int], None]) -> Cards:
    """(1, n) the cards of a hand of one of these sizes (in words), all of them cards of the game."""
    cards = one_hand(text)
    if cards.shape[1] not in sizes:
        *some, last = sizes.values()
        raise TheoryError(f"{text!r}: a {game} hand is {', '.join(some)} or {last}, not {cards.shape[1]}")
    try:
        check(cards, cards.shape[1])
    except ValueError as error:
        raise TheoryError(f"{text!r}: {str(error).removeprefix('hand 0, ').removeprefix('hand 0 ')}") from error
    return cards
