"""Which card goes where: a dealing method and one table give the target of every card, in the order dealt.

Deals of the same *shape* (the same targets) share one permutation from the order dealt to hands, applied to a whole
batch by one gather. Later cards that depend on the cards themselves (third cards, hits) come in as `AtTable.draws`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.method import (
    AtTable,
    DealProblem,
    Direction,
    FirstStack,
    Method,
    Receives,
    StartRule,
    Target,
    To,
)
from replay.cards.solver.layout import BANKER, BOARD, BURNS, PLAYER
from replay.rounds import Cards, Ints
from schemas.places import DEALER, Ring

_COMMUNITY = {To.BURN: BURNS, To.BOARD: BOARD, To.PLAYER_HAND: PLAYER, To.BANKER_HAND: BANKER}


def around(ring: Ring, first: int, direction: Direction, places: Iterable[int]) -> tuple[int, ...]:
    """These places in order round the table from `first`, which comes first if it is one of them."""
    wanted = frozenset(places)
    step = 1 if direction is Direction.CLOCKWISE else -1
    return tuple(place for steps in range(ring.size) if (place := ring.clockwise(first, step * steps)) in wanted)


def dealt_in(method: Method, table: AtTable) -> frozenset[int]:
    """The places that get cards."""
    seats = range(1, table.ring.size)
    match method.receives:
        case Receives.EVERY_PLACE:
            return frozenset((DEALER, *seats))
        case Receives.EVERY_SEAT:
            return frozenset(seats)
        case Receives.BETTORS_AND_DEALER:
            banking = () if table.bank == DEALER else (table.bank,)
            return frozenset((DEALER, *table.bettors, *banking))
        case Receives.BETTORS_AND_BANK:
            if table.bank == DEALER:
                raise DealProblem(f"{method.id} is dealt round from the player-dealer, and no seat is said to be that")
            return frozenset((table.bank, *table.bettors))
        case Receives.PLAYERS:
            return frozenset(table.bettors)
        case Receives.NOBODY:
            return frozenset()


def turns_of(method: Method, table: AtTable) -> tuple[int, ...]:
    """The places in the order cards or stacks are delivered to them."""
    places = dealt_in(method, table)
    strange = sorted(place for place in places if not 0 <= place < table.ring.size)
    if strange:
        raise DealProblem(f"{method.id}: there is no place {strange[0]} at a table of {table.ring.seats} seats")
    match method.starts:
        case StartRule.NOWHERE:
            return ()
        case StartRule.DETERMINED:
            if table.start not in places:
                raise DealProblem(f"{method.id}: the deal cannot begin at place {table.start}, which gets no cards")
            return around(table.ring, table.start, direction_of(method, table), places)
        case StartRule.LEFT_OF_DEALER:
            anchor = DEALER
        case StartRule.LEFT_OF_BANK:
            anchor = table.bank
        case StartRule.LEFT_OF_BUTTON:
            anchor = table.button
            if not 0 <= anchor < table.ring.size:
                raise DealProblem(f"{method.id}: nobody said where the button is")
    return around(table.ring, table.ring.clockwise(anchor), method.direction, places)


def direction_of(method: Method, table: AtTable) -> Direction:
    """Stacks a bank names are delivered clockwise whatever the method does without one (rulings.md R-3)."""
    banked = method.stacks is not None and method.stacks.banked_from_named and table.bank != DEALER
    return Direction.CLOCKWISE if banked else method.direction


def stack_order(method: Method, table: AtTable, count: int) -> tuple[int, ...]:
    """Which stack (0 is farthest left) each turn gets."""
    assert method.stacks is not None
    if table.bank != DEALER and method.stacks.banked_from_named:
        if not 1 <= table.first_stack <= count:
            raise DealProblem(
                f"{method.id}: seat {table.bank} banks and names the first of {count} stacks, and it is said to be "
                f"{table.first_stack or 'none'}"
            )
        return tuple((table.first_stack - 1 + turn) % count for turn in range(count))
    if method.stacks.first is FirstStack.FARTHEST_LEFT:
        return tuple(range(count))
    return tuple(reversed(range(count)))


@lru_cache(maxsize=4096)
def targets_of(method: Method, table: AtTable) -> tuple[Target, ...]:
    """Where each card of the deal goes, in the order dealt."""
    turns = turns_of(method, table)
    if method.stacks is not None:
        return _by_stacks(method, table, turns)
    against = DEALER if method.receives is Receives.BETTORS_AND_DEALER else table.bank
    targets: list[Target] = []
    for step in method.steps:
        match step.to:
            case To.DRAWS:
                targets += table.draws
                continue
            case To.BURN | To.BOARD | To.PLAYER_HAND | To.BANKER_HAND:
                targets += [Target(_COMMUNITY[step.to])] * (step.cards * step.passes)
                continue
            case To.ALL:
                places = turns
            case To.PLAYERS:
                places = tuple(place for place in turns if place != against)
            case To.DEALER:
                places = (against,)
            case To.STAYING:
                places = tuple(place for place in turns if place in table.staying)
        for _ in range(step.passes):
            targets += [Target(place) for place in places for _ in range(step.cards)]
    return tuple(targets)


def _by_stacks(method: Method, table: AtTable, turns: tuple[int, ...]) -> tuple[Target, ...]:
    assert method.stacks is not None
    (step,) = method.steps
    place_of_stack = dict(zip(stack_order(method, table, len(turns)), turns, strict=True))
    targets = []
    for number in range(step.passes):
        backwards = method.stacks.zigzag and number % 2 == 1
        row = range(len(turns) - 1, -1, -1) if backwards else range(len(turns))
        targets += [Target(place_of_stack[stack]) for stack in row]
    return tuple(targets)


@dataclass(frozen=True)
class Shape:
    """One permutation for all deals alike: `order` sorts the cards by hand, `hands` says which slice is whose."""

    order: Ints  # (k,) index into the cards as dealt
    hands: dict[Target, slice]

    def gather(self, cards: Cards) -> dict[Target, Cards]:
        """Hands (n, cards of the hand) of deals (n, k), each in the order its cards were dealt."""
        if cards.shape[-1] != len(self.order):
            raise DealProblem(f"{len(self.order)} cards are dealt in this shape, not {cards.shape[-1]}")
        sorted_cards = cards[..., self.order]
        return {target: sorted_cards[..., where] for target, where in self.hands.items()}


@lru_cache(maxsize=4096)
def shape_of(targets: tuple[Target, ...]) -> Shape:
    keys = sorted(set(targets))
    number = {target: position for position, target in enumerate(keys)}
    which = np.array([number[target] for target in targets], dtype=np.int64)
    order = np.argsort(which, kind="stable")
    ends = np.cumsum(np.bincount(which, minlength=len(keys))) if len(targets) else np.zeros(0, np.int64)
    starts = [0, *ends[:-1].tolist()]
    hands = {key: slice(start, end) for key, start, end in zip(keys, starts, ends.tolist(), strict=True)}
    return Shape(order, hands)


def turn_index(method: Method, hands: int = 0) -> npt.NDArray[np.int64]:
    """(turns, cards each) which of the cards dealt belong to each turn, for a method that deals every place the same
    and is not banked: the start then only decides which place turn 0 is. `hands` is how many are dealt, 0: to every
    place there is."""
    ring = Ring(method.seats)
    start = DEALER if method.receives is Receives.EVERY_PLACE else 1
    if hands:  # whose they are makes no difference
        method, start = replace(method, receives=Receives.PLAYERS, starts=StartRule.DETERMINED), 0
    table = AtTable(ring, start=start, bettors=tuple(range(hands)))
    targets = targets_of(method, table)
    position: dict[int, list[int]] = {place: [] for place in turns_of(method, table)}
    for at, target in enumerate(targets):
        position[target.place].append(at)
    return np.array(list(position.values()), dtype=np.int64)
