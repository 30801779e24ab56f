"""Hands as dealt, round by round: by the places a device saw, else by the order of the deal.

How many cards a place got follows from who raised; where so many cards were dealt that it cannot have gone so, every
way of giving whole hands that comes to the number is tried, and rack and hands shown say which it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from replay.cards.dealing.method import AtTable, Method, Target
from replay.cards.dealing.order import shape_of, targets_of, turns_of
from replay.families.ante_raise.seats import Seats
from replay.families.ante_raise.terms import Terms
from replay.rounds import DEALT_TO, UNKNOWN, RoundBatch
from schemas.places import DEALER

TO_PLACES = DEALT_TO.index("")
Sizes = tuple[int, ...]  # how many cards each place has, the dealer's first
AS_FILED, OTHER_DIRECTION, NO_WAY = 0, 1, 2


class Hands(NamedTuple):
    """One way in which the cards went to the places."""

    by_place: Mapping[int, bytes]
    way: int = AS_FILED  # OTHER_DIRECTION: the other way round the table; NO_WAY: as a device saw, and not as filed


@dataclass(frozen=True)
class Deal:
    """The deal of one round."""

    read: bool  # so many cards were read as a deal has, none twice
    odd: bool  # so many cards were read, and they are not as many different cards of the deck
    count: int  # cards dealt to the places; UNKNOWN where nothing says
    seen: bool  # a device saw where each went
    ways: tuple[Hands, ...]  # every way it may have gone, the likeliest first

    def of(self, held: Mapping[int, bytes]) -> Hands | None:
        """The way that gives every place these cards."""
        sets = {place: bytes(sorted(cards)) for place, cards in held.items()}
        return next((way for way in self.ways if _sorted(way.by_place) == sets), None)


NOT_READ = Deal(False, False, UNKNOWN, False, ())


def _sorted(hands: Mapping[int, bytes]) -> dict[int, bytes]:
    return {place: bytes(sorted(cards)) for place, cards in hands.items()}


def read_deal(batch: RoundBatch, row: int, seats: Seats, terms: Terms) -> Deal:
    due = tuple(seats.sizes[row].tolist())
    stub = int(batch.stub_count[row])
    by_stub = terms.deck_size - stub if stub != UNKNOWN else UNKNOWN
    cards, places = batch.dealt[row], batch.dealt_place[row]
    to_places = batch.dealt_to[row] == TO_PLACES
    cards, places = cards[to_places].tobytes(), places[to_places]
    if not cards:
        return Deal(False, False, by_stub, False, ())
    apart = len(set(cards)) == len(cards) and max(cards) < terms.deck_size
    if len(cards) == terms.deck_size:  # a shoe that was read to the end also saw the stub go by
        count = by_stub if by_stub != UNKNOWN else sum(due)
        cards, places = cards[:count], places[:count]
    if (places != UNKNOWN).all():
        hands: dict[int, bytes] = {}
        for card, place in zip(cards, places.tolist(), strict=True):
            hands[place] = hands.get(place, b"") + bytes([card])
        return Deal(apart, not apart, len(cards), True, (Hands(hands, _way_seen(due, tuple(places.tolist()), terms)),))
    every = sizes_of(due, len(cards), terms)
    ways = [_by_order(cards, sizes, way, terms) for sizes in every for way in (AS_FILED, OTHER_DIRECTION)]
    return Deal(apart and bool(ways), not apart and bool(ways), len(cards), False, tuple(ways))


def _by_order(cards: bytes, sizes: Sizes, way: int, terms: Terms) -> Hands:
    dealt = shape_of(targets_dealt(terms.method, terms, sizes, way)).gather(np.frombuffer(cards, np.uint8))
    return Hands({target.place: hand.tobytes() for target, hand in dealt.items()}, way)


def _way_seen(due: Sizes, places: tuple[int, ...], terms: Terms) -> int:
    """As filed unless every place got what it is due, and in another order."""
    got = tuple(places.count(place) for place in range(terms.places))
    for way in (AS_FILED, OTHER_DIRECTION):
        if got != due or tuple(target.place for target in targets_dealt(terms.method, terms, due, way)) == places:
            return way
    return NO_WAY


@lru_cache(maxsize=4096)
def targets_dealt(method: Method, terms: Terms, sizes: Sizes, way: int) -> tuple[Target, ...]:
    """Where each card goes when the places get so many."""
    seats = tuple(place for place, size in enumerate(sizes) if size and place != DEALER)
    whole = tuple(place for place in seats if sizes[place] == terms.law.cards.whole)
    if way == AS_FILED:
        return targets_of(method, AtTable(terms.ring, bettors=seats, staying=whole))
    turns = [place for place in turns_of(method, AtTable(terms.ring, bettors=seats)) if place != DEALER]
    other = dict(zip(turns, reversed(turns), strict=True)) | {DEALER: DEALER}
    mirrored = AtTable(terms.ring, bettors=seats, staying=tuple(other[place] for place in whole))
    return tuple(Target(other[target.place]) for target in targets_of(method, mirrored))


@lru_cache(maxsize=4096)
def sizes_of(due: Sizes, count: int, terms: Terms) -> Sequence[Sizes]:
    """The sizes of hands that come to so many cards: those due if they do, else every way of giving whole hands, those
    that differ from what is due at the fewest places first."""
    if count in (UNKNOWN, sum(due)):
        return (due,)
    cards = terms.law.cards
    seats = [place for place, size in enumerate(due) if size and place != DEALER]
    more, left = divmod(count - due[DEALER] - cards.first * len(seats), cards.whole - cards.first)
    if left or not 0 <= more <= len(seats):
        return ()
    found = []
    for whole in combinations(seats, more):
        sizes = [cards.whole if place in whole else cards.first if place in seats else 0 for place in range(len(due))]
        sizes[DEALER] = due[DEALER]
        found.append(tuple(sizes))
    return tuple(sorted(found, key=lambda sizes: sum(one != other for one, other in zip(sizes, due, strict=True))))
