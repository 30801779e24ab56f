"""Everything known of one rack before it is explained, as plain values: no game, no columns, no events.

Places are those of `layout`. Cards are codes; NO_CARD in a rack is a card the reader saw and could not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple, Protocol

from replay.cards.solver.layout import Layout
from replay.rounds import NO_DECK

IN_PLAY, AT_ANY_TIME = -1, -2  # `RackEvidence.collected`: after it was settled; nobody knows when (rulings.md R-58)
HOLE = 254  # stands for a card nothing names: it may be any card

Hand = tuple[int, int]  # place, and which of its hands
Parts = tuple[tuple[str, bytes], ...]  # ("low", cards), ("high", cards); one part "" where the rack does not tell them


class ShownHand(NamedTuple):
    cards: bytes
    low: int = 0  # the first so many are the low hand; 0 where the setting was not shown
    seq: int = -1


@lru_cache(maxsize=1 << 14)  # the same few hands are in thousands of readings
def in_order(cards: bytes) -> bytes:
    """The same cards in the order of their codes: alike for the same hand however it lies."""
    return bytes(sorted(cards))


@dataclass(frozen=True)
class Reading:
    """Whose hands lay in the rack, by one explanation of it."""

    layout: Layout  # the procedure's slots, as they should have been filled
    hands: dict[Hand, Parts]

    def cards(self, place: int, hand: int = 0) -> bytes:
        return self._held.get((place, hand), b"")

    @cached_property
    def by_place(self) -> dict[int, bytes]:
        """Each place's hand; of several the first."""
        return {place: self.cards(place) for place, _ in self.hands}

    @cached_property
    def _held(self) -> dict[Hand, bytes]:
        return {hand: b"".join([cards for _, cards in parts]) for hand, parts in self.hands.items()}

    @cached_property
    def key(self) -> tuple[tuple[Hand, tuple[tuple[str, bytes], ...]], ...]:
        """The same for two readings that give everybody the same cards in the same setting."""
        return tuple(
            [
                (hand, tuple([(part, in_order(cards)) for part, cards in parts]))
                for hand, parts in sorted(self.hands.items())
            ]
        )


class Look(NamedTuple):
    """What a game says of one reading."""

    weight: float = 0.0  # the logarithm of how much likelier the cards are to lie like this, were it true, than anyhow
    breaks: str = ""  # the rule that somebody at the table would have broken
    usual: float = 0.0  # the weight that a true reading of as many hands has on average


class Weigh(Protocol):
    """What a game knows of how its hands look: they are set and not shuffled, third cards are drawn by rule, premium
    hands are left on the table. What is unlikely has a low weight; what the rules forbid says so as well."""

    def __call__(self, readings: Sequence[Reading]) -> Sequence[Look]: ...


class Denied(NamedTuple):
    """A wager that was settled otherwise than a reading's hands give."""

    place: int
    seq: tuple[int, ...] = ()
    foul_share: float = 0.0  # of players, so many set a foul that nobody would have seen here and that explains it


class Objections(NamedTuple):
    """What the reports of the round's wagers have against one reading of its hands."""

    denied: tuple[Denied, ...] = ()
    share: float = 1.0  # of all cards that those nothing names may be, so many deny no more than that
    misjudged: int = 0  # so many hands the dealer must have misjudged to settle like this; 0: one at each place denied
    among: int = 1  # of so many that were settled
    button: tuple[Denied, ...] = ()  # an action button put down by another card, or elsewhere, than by this reading
    unweighed: bool = False  # the sums could not be held against it: nothing sure rests on what was reported


class HoldAgainst(Protocol):
    """A game that knows what wagers come to."""

    def __call__(self, readings: Sequence[Reading]) -> Sequence[Objections]: ...


def nothing_reported(readings: Sequence[Reading]) -> Sequence[Objections]:
    """No settlement was reported."""
    return [Objections()] * len(readings)


def indifferent(readings: Sequence[Reading]) -> Sequence[Look]:
    """A game that knows nothing."""
    return [Look()] * len(readings)


def exchangeable(collected: Mapping[int, int], one: int, other: int) -> bool:
    """Whether these places' hands may have been picked up in each other's turn: not if one of them was collected
    before the other was played (rulings.md R-60)."""
    steps = collected.get(one, IN_PLAY), collected.get(other, IN_PLAY)
    return steps[0] == steps[1] or AT_ANY_TIME in steps


@dataclass(frozen=True)
class RackEvidence:
    rack: bytes
    layouts: tuple[Layout, ...]  # every way the procedure may have filled it, likeliest first
    deck: frozenset[int]  # the codes a card of this game may have
    expected: bytes | None = None  # exactly the cards that must lie in it; None where only the deal could say
    marks: bytes = b""  # the deck each card is of, as long as the rack; empty where the reader cannot tell
    own_mark: int = -1  # the deck in play, -1 where any may be
    dealt: Mapping[int, bytes] = field(default_factory=dict)  # place → its cards; empty where the deal was not read
    shown: Mapping[int, ShownHand] = field(default_factory=dict)
    settled: tuple[int, ...] = ()  # the events that report wagers settled
    collected: Mapping[int, int] = field(default_factory=dict)  # places whose hands went in before play → in which step
    rack_seq: tuple[int, ...] = ()
    dealt_seq: tuple[int, ...] = ()
    expected_by_deal: bool = False  # what must lie in it is what was dealt, and the reader of that may have seen wrong

    @cached_property
    def expected_count(self) -> Counter[int] | None:
        return None if self.expected is None else Counter(self.expected)

    @cached_property
    def one_deck(self) -> bool:
        """The whole deck must lie in the rack, every card once: so it does in any other round."""
        return self.expected is not None and sorted(self.expected) == sorted(self.deck)

    @cached_property
    def dealt_sorted(self) -> dict[int, bytes]:
        return {place: bytes(sorted(cards)) for place, cards in self.dealt.items()}

    def can_be_dealt(self, dealt: Mapping[int, bytes]) -> bool:
        """Whether the cards that must lie in the rack can have been dealt like this."""
        if self.expected_count is None or self.expected_by_deal:
            return True
        return not Counter(b"".join(dealt.values())) - self.expected_count

    @cached_property
    def dealt_as_read(self) -> bool:
        """Whether the deal can have been as it was read."""
        return self.can_be_dealt(self.dealt)

    def strange_mark(self, at: int) -> bool:
        """The card read there bears another deck's mark."""
        return bool(self.marks) and self.own_mark >= 0 and self.marks[at] not in (self.own_mark, NO_DECK)
