"""Hands as dealt: whole batches by the order filed, and one round by whatever way its deal may have gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.method import Direction, Method, Receives, StartRule, To
from replay.families.three_card.seats import Seats
from replay.families.three_card.terms import Terms
from replay.rounds import DEALT_TO, UNKNOWN, Cards, Ints, RoundBatch
from schemas.cards import JOKER_1, NO_CARD

Bools = npt.NDArray[np.bool_]

_TO_PLACES, _TO_STUB = DEALT_TO.index(""), DEALT_TO.index("stub")
AS_FILED, OTHER_DIRECTION, NO_WAY = 0, 1, 2


def problem_with(method: Method) -> str | None:
    """Why this family cannot follow a way of dealing, in words; None if it can."""
    known = method.receives is Receives.BETTORS_AND_BANK and method.starts is StartRule.LEFT_OF_BANK
    if known and len(method.steps) == 1 and method.steps[0].to is To.ALL and method.stacks is None:
        return None
    return (
        f"the dealing {method.id} does not go round once from the player-dealer's left to those who bet and to the "
        "player-dealer: receives bettors_and_bank, starts left_of_bank, one step to all, no stacks"
    )


@dataclass(frozen=True)
class Deals:
    """The deals of a batch."""

    positions: Ints  # (n, places, cards) which of the cards dealt are whose, by the order filed
    count: Ints  # (n,) cards that the hands need
    as_filed: Bools  # (n,) so many cards were read, and every place a device saw is the one filed
    hands: Cards  # (n, places, cards) in the order dealt, where that is so; else NO_CARD


def positions_in(seats: Seats | _OneRow, method: Method, clockwise: bool) -> Ints:
    """(n, places, cards) which of the cards dealt go to each place; meaningless where it gets none."""
    ring, step = seats.terms.ring, method.steps[0]
    place = np.arange(ring.size)
    sign = 1 if ring.clockwise(1) > 1 else -1
    turn = ((sign if clockwise else -sign) * (place - seats.against[:, None]) - 1) % ring.seats
    in_turn = np.argsort(np.where(seats.dealt_in, turn, ring.size), axis=1, kind="stable")
    rank = np.empty_like(in_turn)
    np.put_along_axis(rank, in_turn, np.broadcast_to(place, in_turn.shape), axis=1)
    passes, cards = np.divmod(np.arange(seats.terms.hand), step.cards)
    round_ = seats.dealt_in.sum(axis=1)[:, None, None] * step.cards
    return np.asarray(passes * round_ + rank[:, :, None] * step.cards + cards)


def deals_of(batch: RoundBatch, seats: Seats) -> Deals:
    terms = seats.terms
    positions = positions_in(seats, terms.method, terms.method.direction is Direction.CLOCKWISE)
    count = seats.dealt_in.sum(axis=1) * terms.hand
    shape = positions.shape
    read = (batch.dealt.counts >= count) & (count > 0)
    read &= (batch.dealt.counts == count) | (batch.dealt.counts == terms.rack_size)
    wanted = seats.dealt_in & read[:, None]
    row, at = np.nonzero(wanted)
    index = batch.dealt.offsets[row][:, None] + positions[row, at]
    hands = np.full(shape, NO_CARD, np.uint8)
    cards = batch.dealt.values[index]
    hands[row, at] = cards
    places = batch.dealt_place.values[index]
    usual = (batch.dealt_to.values[index] == _TO_PLACES) & (cards < JOKER_1)
    usual &= (places == UNKNOWN) | (places == at[:, None])
    read[row[~usual.all(axis=1)]] = False
    hands[~read] = NO_CARD
    return Deals(positions, count, read, hands)


class DealtHands(NamedTuple):
    """One way in which the cards of a round went to the places."""

    by_place: Mapping[int, bytes]
    way: int = AS_FILED  # OTHER_DIRECTION: the other way round the table; NO_WAY: as a device saw, and not as filed


@dataclass(frozen=True)
class Deal:
    """The deal of one round."""

    count: int = UNKNOWN  # cards dealt to the places; UNKNOWN where nothing was read
    seen: bool = False  # a device saw where each went
    ways: tuple[DealtHands, ...] = ()  # every way it may have gone, the likeliest first
    possible: bool = True  # no card is in it more often than there are decks

    @property
    def read(self) -> bool:
        """It can be held against the rack."""
        return bool(self.ways) and self.possible

    @property
    def odd(self) -> bool:
        return bool(self.ways) and not self.possible

    def of(self, held: Mapping[int, bytes]) -> DealtHands | None:
        """The way that gives every place these cards."""
        sets = _sorted(held)
        return next((way for way in self.ways if _sorted(way.by_place) == sets), None)


def _sorted(hands: Mapping[int, bytes]) -> dict[int, bytes]:
    return {place: bytes(sorted(cards)) for place, cards in hands.items()}


def deal_of(batch: RoundBatch, row: int, seats: Seats) -> Deal:
    """By the places a device saw, else by the order of the deal, either way round the table."""
    terms, need = seats.terms, int(seats.dealt_in[row].sum()) * seats.terms.hand
    to_places = batch.dealt_to[row] == _TO_PLACES
    cards, places = batch.dealt[row][to_places].tobytes(), batch.dealt_place[row][to_places]
    if not cards:
        return Deal()
    if len(cards) == terms.rack_size:  # a shuffler that was read to the end also saw the stub go by
        cards, places = cards[:need], places[:need]
    own, possible = seats_of_row(seats, row), max(Counter(cards).values()) <= terms.decks
    filed = terms.method.direction is Direction.CLOCKWISE
    orders = [positions_in(own, terms.method, way)[0] for way in (filed, not filed)]
    at = np.flatnonzero(seats.dealt_in[row]).tolist()
    if (places != UNKNOWN).all():
        by_place: dict[int, bytes] = {}
        for card, place in zip(cards, places.tolist(), strict=True):
            by_place[place] = by_place.get(place, b"") + bytes([card])
        return Deal(len(cards), True, (DealtHands(by_place, _way_seen(orders, at, places, need)),), possible)
    if len(cards) != need or max(cards) >= JOKER_1:
        return Deal(len(cards))
    ways = [{place: bytes(cards[card] for card in order[place].tolist()) for place in at} for order in orders]
    return Deal(len(cards), False, (DealtHands(ways[0]), DealtHands(ways[1], OTHER_DIRECTION)), possible)


def _way_seen(orders: list[Ints], at: list[int], places: Ints, need: int) -> int:
    """As filed unless every place got what it is due, and in another order."""
    if len(places) != need or sorted(set(places.tolist())) != at:
        return AS_FILED
    for way, order in enumerate(orders):
        if all((places[order[place]] == place).all() for place in at):
            return way
    return NO_WAY


class _OneRow(NamedTuple):
    terms: Terms
    against: Ints
    dealt_in: Bools


def seats_of_row(seats: Seats, row: int) -> _OneRow:
    return _OneRow(seats.terms, seats.against[row : row + 1], seats.dealt_in[row : row + 1])
