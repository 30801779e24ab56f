"""Hands as dealt: from the order the cards left the shoe or the hand, by the dealing method (rulings.md R-2, R-3).

The cards are first put in *turns*: turn 0 is the hand that went to the starting position, turn 1 the next one
clockwise. Places are numbered counterclockwise, so with the start at place s, turn t is place (s - t) mod 7. Methods,
and the ways a deal may have gone instead, are `replay.cards.dealing`'.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.by_hand import deal_out
from replay.cards.dealing.delivery import (
    AS_FILED as FILED,
)
from replay.cards.dealing.delivery import (
    OTHER_DIRECTION,
    OTHER_METHOD,
    Way,
    find_ways,
    places_of_turns,
    ways_of,
)
from replay.cards.dealing.method import AtTable, Direction, FirstStack, Method
from replay.cards.dealing.order import turn_index
from replay.families.split_hands.geometry import Geometry, Masks
from replay.families.split_hands.terms import Terms
from replay.rounds import DEALT_TO, UNKNOWN, Cards, Fact, Ints, RoundBatch
from schemas.cards import NO_CARD

Bools = npt.NDArray[np.bool_]

_TO_PLACES = DEALT_TO.index("")
AS_FILED = 0  # index into `ways_dealt`
EVERY_KIND = (FILED, OTHER_DIRECTION, OTHER_METHOD)
NO_WAY = -2  # a device saw where the cards went, and no way of dealing gives that


def method_filed(terms: Terms) -> Method:
    return terms.methods[0]


def ways_dealt(terms: Terms) -> tuple[Way, ...]:
    """The method filed, and the ways a deal may have gone instead."""
    return _ways_dealt(terms.methods, terms.geometry.hands)


@cache
def _ways_dealt(methods: tuple[Method, ...], hands: int) -> tuple[Way, ...]:
    return ways_of(methods[0], methods[1:], hands)


def cards_of_turn(terms: Terms) -> npt.NDArray[np.int64]:
    """(turns, cards) which of the cards dealt belong to each turn, clockwise from where the deal began."""
    index = turn_index(method_filed(terms), terms.geometry.hands)
    if method_filed(terms).direction is Direction.CLOCKWISE:
        return index
    return index[-np.arange(len(index)) % len(index)]


def _from_named(terms: Terms, first_stack: Ints) -> npt.NDArray[np.int64]:
    """(m, turns, cards) the same where a bank named the first of the stacks; the others follow from left to right and
    are delivered clockwise (rulings.md R-3)."""
    method = method_filed(terms)
    assert method.stacks is not None
    index = turn_index(method, terms.geometry.hands)
    by_stack = index if method.stacks.first is FirstStack.FARTHEST_LEFT else index[::-1]
    return by_stack[(np.maximum(first_stack, 1)[:, None] - 1 + np.arange(len(index))) % len(index)]


@dataclass(frozen=True)
class Deal:
    """The deals of a batch."""

    geometry: Geometry
    read: Bools  # (n,) all 49 cards were read, none twice
    turns: Cards  # (n, 7, 7) hands by turn, meaningless where not read
    masks: Masks  # (n, 7) by turn
    seen_start: Ints  # (n,) where a device saw the first card go; UNKNOWN if none did
    hand_counts: Ints  # (n, 7) cards a device saw go to each place; UNKNOWN where it did not see all of them
    cards: Cards  # (n, 49) in the order dealt, meaningless where not read
    way: Ints  # (n,) into `ways_dealt`: AS_FILED unless something says otherwise; NO_WAY
    odd: Bools  # (n,) all 49 cards were read, and they are not 49 different cards of the deck

    def hands(self, start: Ints) -> Cards:
        """(n, 7, 7) hands by place if each deal began at this place."""
        return np.take_along_axis(self.turns, self.geometry.turn_of_place[start][:, :, None], axis=1)


def read_deals(batch: RoundBatch, terms: Terms, against: Ints) -> Deal:
    """`against` (n,) is the place whose hand everyone plays against."""
    rows, geometry = len(batch), terms.geometry
    places_dealt, each, dealt = geometry.places, geometry.cards, geometry.dealt
    hands = geometry.hands
    values, rounds = batch.dealt.values, batch.dealt.rows
    places = batch.dealt_place.values
    boxed = _boxed(batch, values, rounds, terms)
    keep = (batch.dealt_to.values == _TO_PLACES) & ~boxed
    size = np.full(rows, geometry.deck_size) - np.bincount(rounds[boxed], minlength=rows)
    if not keep.all():
        values, rounds, places = values[keep], rounds[keep], places[keep]
    count = np.bincount(rounds, minlength=rows)
    offset = np.cumsum(count) - count
    # A shoe that was read to the end also saw the stub go by.
    full = np.flatnonzero((count == dealt) | (count == size))
    cards = np.empty((rows, dealt), np.uint8)
    cards[:] = np.arange(dealt, dtype=np.uint8)
    cards[full] = values[offset[full][:, None] + np.arange(dealt)]
    turns = cards[:, cards_of_turn(terms)]
    if method_filed(terms).stacks is not None:
        banked = np.flatnonzero(against > 0)
        named = _from_named(terms, batch.first_stack[banked].astype(np.int64))
        turns[banked] = np.take_along_axis(cards[banked][:, None, :], named, axis=2)
    read = np.zeros(rows, bool)
    read[full] = True
    seen_start = np.full(rows, UNKNOWN, np.int64)
    hand_counts = np.full((rows, places_dealt), UNKNOWN, np.int64)
    way = np.full(rows, AS_FILED, np.int64)
    if (places >= 0).any():
        seen = places[offset[full][:, None] + np.arange(dealt)]
        in_ring = np.isin(seen, geometry.dealt_in)
        seen_start[full] = np.where(in_ring[:, 0], seen[:, 0], UNKNOWN)
        full, seen = full[in_ring.all(axis=1)], seen[in_ring.all(axis=1)]
        hand_counts[full] = (seen[:, :, None] == np.arange(places_dealt)).sum(axis=1)
        # Where a device saw the cards' places, they say more than the order does.
        hand_counts[np.ix_(full, geometry.left_out)] = UNKNOWN
        even = (hand_counts[np.ix_(full, geometry.dealt_in)] == each).all(axis=1)
        by_place = np.take_along_axis(cards[full], np.argsort(seen, axis=1, kind="stable"), axis=1)
        first = np.where(seen_start[full] != UNKNOWN, seen_start[full], geometry.hand_places[0])
        in_turn = by_place.reshape(-1, hands, each)[
            np.arange(len(full))[:, None], geometry.number_of[geometry.place_of_turn[first]]
        ]
        turns[full[even]] = in_turn[even]
        way[full[even]] = _ways_seen(seen[even], terms)
    turns = geometry.with_nobody(turns)
    masks = geometry.turn_masks(turns)
    apart = np.bitwise_count(np.bitwise_or.reduce(masks, axis=1)) == dealt
    return Deal(geometry, read & apart, turns, masks, seen_start, hand_counts, cards, way, read & ~apart)


def _ways_seen(seen: Ints, terms: Terms) -> Ints:
    """(m,) the way that gives every card the place a device saw it go to, from the place the first one went to."""
    found = np.full(len(seen), NO_WAY, np.int64)
    geometry = terms.geometry
    places, ring = geometry.hand_places, geometry.ring
    for number, way in reversed(list(enumerate(ways_dealt(terms)))):
        turn_of_card = np.empty(way.index.size, np.int64)
        turn_of_card[way.index.reshape(-1)] = np.repeat(np.arange(len(way.index)), way.index.shape[1])
        expected = places_of_turns(places, ring, way.direction)[:, turn_of_card]
        found[(seen == expected[geometry.number_of[seen[:, 0]]]).all(axis=1)] = number
    return found


def as_delivered(
    deal: Deal, racked: Masks, usable: Bools, presumed: Ints, terms: Terms, kinds: tuple[int, ...] = EVERY_KIND
) -> Deal:
    """The deal as it must have been delivered, where that is not as filed: `racked` (n, 7) are the hands by place,
    `presumed` (n,) where it should have begun. Only a way of dealing (of these kinds) that gives every place its hand
    is taken, and none is looked for where the filed one does."""
    asked = np.flatnonzero(usable & deal.read & (deal.hand_counts[:, -1] == UNKNOWN))
    asked = asked[~starts_that_fit(deal.masks[asked], racked[asked], terms.geometry).any(axis=1)]
    if not len(asked):
        return deal
    geometry, ways = terms.geometry, ways_dealt(terms)
    tried = [number for number, way in enumerate(ways) if way.kind in kinds]
    places, ring = geometry.hand_places, geometry.ring
    found, start = find_ways(
        deal.cards[asked],
        racked[np.ix_(asked, geometry.dealt_in)],
        [ways[number] for number in tried],
        places,
        ring,
        geometry.masks_of,
        presumed[asked],
    )
    found = np.where(found == UNKNOWN, UNKNOWN, np.array(tried)[found])
    otherwise = found > AS_FILED
    rows, found, start = asked[otherwise], found[otherwise], start[otherwise]
    turns, way = deal.turns.copy(), deal.way.copy()
    way[rows] = found
    for row, number, first in zip(rows.tolist(), found.tolist(), start.tolist(), strict=True):
        went = places_of_turns(places, ring, ways[number].direction)[geometry.number_of[first]]
        turns[row, geometry.turn_of_place[first, went]] = deal.cards[row, ways[number].index]
    return replace(deal, turns=turns, masks=geometry.turn_masks(turns), way=way)


def delivered_from_named(deal: Deal, racked: Masks, usable: Bools, presumed: Ints, terms: Terms) -> Deal:
    """The same of stacks that a bank named the first of: those that went round the other way, and cards that were dealt
    to no stacks at all."""
    deal = _named_other_way(deal, racked, usable, terms)
    return as_delivered(deal, racked, usable, presumed, terms, (OTHER_METHOD,))


def _named_other_way(deal: Deal, racked: Masks, usable: Bools, terms: Terms) -> Deal:
    kinds = [way.kind for way in ways_dealt(terms)]
    asked = np.flatnonzero(usable & deal.read & (deal.hand_counts[:, -1] == UNKNOWN))
    asked = asked[~starts_that_fit(deal.masks[asked], racked[asked], terms.geometry).any(axis=1)]
    if not len(asked) or OTHER_DIRECTION not in kinds:
        return deal
    hands = terms.geometry.hands
    turns, way = deal.turns.copy(), deal.way.copy()
    turns[asked, :hands] = deal.turns[asked][:, -np.arange(hands) % hands]
    other = replace(deal, turns=turns, masks=terms.geometry.turn_masks(turns), way=way)
    fits = np.zeros(len(way), bool)
    fits[asked] = starts_that_fit(other.masks[asked], racked[asked], terms.geometry).any(axis=1)
    way[fits] = kinds.index(OTHER_DIRECTION)
    turns[~fits] = deal.turns[~fits]
    return replace(other, turns=turns, masks=terms.geometry.turn_masks(turns))


def _boxed(batch: RoundBatch, values: Cards, rounds: Ints, terms: Terms) -> Bools:
    """Cards found face up that the method has set aside (MA-PGP §11(f)), though the shoe may have read them."""
    facts = batch.facts.of(Fact.BOXED)
    gone = np.zeros(len(values), bool)
    first, *others = terms.geometry.hand_places  # wherever it began, the same cards are set aside
    table = AtTable(terms.geometry.ring, start=first, bettors=tuple(others))
    for row in np.unique(facts.row[facts.card != NO_CARD]).tolist():
        cards = batch.dealt[row]
        if len(cards) > terms.geometry.dealt:
            named = facts.card[(facts.row == row) & (facts.card != NO_CARD)].tolist()
            dead = deal_out(method_filed(terms), table, cards.tolist(), boxed=named).dead
            gone |= (rounds == row) & np.isin(values, dead)
    return gone


def starts_that_fit(dealt: Masks, held: Masks, geometry: Geometry) -> Bools:
    """(n, 7) the starting places from which the deal, `dealt` (n, 7) by turn, gives every place the hand it has in
    `held` (n, 7)."""
    return np.stack([(dealt[:, of_place] == held).all(axis=1) for of_place in geometry.turn_of_place], axis=1)
