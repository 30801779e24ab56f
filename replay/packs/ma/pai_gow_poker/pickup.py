"""The pickup procedure: which place the packets of seven in the rack belong to (rulings.md R-4, R-5).

After the stub of four come seven packets: places without a wager 1..6, surrendered hands as surrendered, the players'
hands 1..6 as settled, the hands that stay on the table for an envy bonus 1..6, and the dealer's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from replay.packs.ma.pai_gow_poker.rules import CARDS_EACH, DECK_SIZE, PLACES, STUB
from replay.packs.ma.pai_gow_poker.seats import NEVER, Seats
from replay.rounds import Cards, Ints, Ragged
from schemas.cards import JOKER_1

Bools = npt.NDArray[np.bool_]
Masks = npt.NDArray[np.uint64]  # a set of cards, a bit a card

Order = tuple[int, ...]  # the place of each packet

_FIRST, _SURRENDERED, _SETTLED, _DEALER = (group << 40 for group in range(4))
_WHOLE_DECK = np.uint64((1 << DECK_SIZE) - 1)


def masks_of(cards: Cards) -> Masks:
    """The set of cards along the last axis; a code that is no card of the deck adds none."""
    found: Masks = np.bitwise_or.reduce(_BIT[cards], axis=-1)
    return found


_BIT: Masks = np.zeros(256, np.uint64)
_BIT[: JOKER_1 + 1] = np.uint64(1) << np.arange(JOKER_1 + 1, dtype=np.uint64)


@dataclass(frozen=True)
class Rack:
    """The racks of a batch: where they are the whole deck, the packets."""

    count: Ints  # (n,) cards read
    whole: Bools  # (n,) exactly the deck
    packets: Cards  # (n, 7, 7), meaningless where not whole
    masks: Masks  # (n, 7)


def read_racks(rack: Ragged) -> Rack:
    count = rack.counts
    rows = len(count)
    full = np.flatnonzero(count == DECK_SIZE)
    cards = np.empty((rows, DECK_SIZE), np.uint8)
    cards[:] = np.arange(DECK_SIZE, dtype=np.uint8)
    if len(full) == rows:
        cards = rack.values.reshape(rows, DECK_SIZE)
    elif len(full):
        cards[full] = rack.values[rack.offsets[full][:, None] + np.arange(DECK_SIZE)]
    packets = cards[:, STUB:].reshape(rows, PLACES, CARDS_EACH)
    masks = masks_of(packets)
    deck = np.bitwise_or.reduce(masks, axis=1) | masks_of(cards[:, :STUB])
    whole = (count == DECK_SIZE) & (deck == _WHOLE_DECK)
    if not whole.all():  # keep rankers away from racks that hold no hands
        packets = packets.copy()
        packets[~whole] = np.arange(PLACES * CARDS_EACH, dtype=np.uint8).reshape(PLACES, CARDS_EACH)
    return Rack(count, whole, packets, masks)


def pickup_order(seats: Seats) -> tuple[Ints, Ints]:
    """(n, 7) the place of each packet when nothing stays on the table for an envy bonus, and (n,) how many packets come
    before the players' settled hands. A hand adrift is taken as collected when it went out of play."""
    places = np.arange(PLACES)
    key = np.where(seats.exposed, _SETTLED + places, _FIRST + places)
    key = np.where(seats.surrendered & ~seats.exposed, _SURRENDERED + seats.surrendered_seq, key)
    key = np.where(seats.adrift_seq != NEVER, _SURRENDERED + seats.adrift_seq, key)
    key[:, 0] = _DEALER
    order = np.argsort(key, axis=1, kind="stable")
    return order, (key < _SETTLED).sum(axis=1)


def orders_with_adrift(order: Order, front: int, adrift: Bools) -> list[tuple[Order, int]]:
    """Every pickup order of one round by when its hands adrift were collected, each with how many packets come before
    the settled hands: no text says when they are, so it may be at any moment. `order` itself is the first."""
    found = {order: front}
    orders = [tuple(place for place in order[:-1] if not adrift[place])]
    for place in np.flatnonzero(adrift).tolist():
        orders = [(*some[:at], place, *some[at:]) for some in orders for at in range(len(some) + 1)]
    settled = set(order[front:-1])
    for some in orders:
        ahead = next((at for at, place in enumerate(some) if place in settled), len(some))
        found.setdefault((*some, order[-1]), ahead)
    return list(found.items())


def out_of_turn(front: Ints, premium: Bools, seats: Seats) -> Bools:
    """(n,) rounds in which a premium hand stayed on the table behind others, or may have."""
    packet = np.arange(PLACES)
    middle = (packet >= front[:, None]) & (packet < PLACES - 1)
    staying = middle & premium
    some = staying.sum(axis=1) % np.maximum(PLACES - 1 - front, 1) != 0  # some stayed, and not all
    in_question = ~seats.qualifying_on_time & seats.may_stay.any(axis=1) & staying.any(axis=1)
    return np.asarray((some & seats.qualifying_on_time) | in_question)


def readings(order: Order, front: int, premium: Bools, must_stay: Bools, may_stay: Bools) -> Iterator[Order]:
    """Every order of places that fits the premium packets of one rack; none when the packet of a hand that had to stay
    lies before others. `must_stay` and `may_stay` say it of each place, should its hand be premium."""
    middle = order[front : PLACES - 1]
    is_premium = [bool(premium[packet]) for packet in range(front, PLACES - 1)]
    can = [place for place in middle if may_stay[place]]
    for count in range(min(len(can), sum(is_premium)) + 1):
        for kept in combinations(can, count):
            rest = [place for place in middle if place not in kept]
            stayed = all(is_premium[len(rest) :])
            if stayed and not any(must_stay[place] and high for place, high in zip(rest, is_premium, strict=False)):
                yield (*order[:front], *rest, *kept, 0)


def by_place(order: Ints, packets: Cards) -> Cards:
    """Packets (n, 7, 7) in rack order, put in order of places."""
    hands = np.empty_like(packets)
    np.put_along_axis(hands, order[:, :, None], packets, axis=1)
    return hands
