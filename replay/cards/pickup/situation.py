"""What wagers, actions and devices say of the hands of one round, before anybody has looked at the rack.

A game makes a `Situation` of a round: for each hand which words are so, and which are *open*: they depend on the cards
(whether it wins, whether it stays for an envy bonus) or were never reported. A word that is neither is not so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from replay.cards.pickup.words import Word
from replay.rounds import UNKNOWN
from schemas.places import Ring

NOTHING: frozenset[Word] = frozenset()


class Key(NamedTuple):
    """Whose hand: its place (or STUB, BOARD ... of `replay.cards.solver.layout`), and which of the place's hands."""

    place: int
    hand: int = 0


@dataclass(frozen=True)
class HandSituation:
    """One hand, or the stub, the board, the burns."""

    key: Key
    counts: tuple[int, ...]  # how many cards it may have; one number where that is known
    true: frozenset[Word] = NOTHING
    open: frozenset[Word] = NOTHING
    acted: int = UNKNOWN  # when it was surrendered or folded (any rising number)

    def __post_init__(self) -> None:
        if not self.counts or min(self.counts) < 0:
            raise ValueError(f"hand {self.key}: counts {self.counts} is no list of possible numbers of cards")
        both = self.true & self.open
        if both:
            raise ValueError(f"hand {self.key}: {', '.join(sorted(both))} cannot be both so and open")

    def allows(self, known: Mapping[Word, bool]) -> bool:
        """Whether what the cards tell agrees with what is known of the hand without them."""
        return all(is_so == (word in self.true) for word, is_so in known.items() if word not in self.open)


@dataclass(frozen=True)
class Situation:
    """The hands of one round."""

    hands: tuple[HandSituation, ...]
    ring: Ring
    buttons: tuple[int, ...] = ()  # where the action button may be; one place where that is known

    def __post_init__(self) -> None:
        keys = [hand.key for hand in self.hands]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        if twice:
            raise ValueError(f"hand {twice[0]} is in the situation twice")


class Held(NamedTuple):
    """The cards of one hand as far as they are known: low hand first where the setting is."""

    cards: bytes
    set_known: bool = False  # the parts are in their places: low two, high, eighth


class HandFacts(Protocol):
    """What a game can tell of the words once it sees hands. Called with some of the round's hands or all: a word left
    out is one it cannot tell (yet), or that is of no interest; one that is told must agree with what is known of the
    hand already. None: such hands cannot be (a third card drawn against the rules)."""

    def __call__(self, hands: Mapping[Key, Held], button: int) -> Mapping[Key, Mapping[Word, bool]] | None: ...


def nothing_to_tell(hands: Mapping[Key, Held], button: int) -> Mapping[Key, Mapping[Word, bool]] | None:
    """The facts of a game in which no card says where a hand goes."""
    return {}
