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
from replay.packs.ma.pai_gow_poker.seats import Seats
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
    before the players' settled hands. A single voided hand is taken as collected when it was voided."""
    places = np.arange(PLACES)
    key = np.where(seats.exposed, _SETTLED + places, _FIRST + places)
    key = np.where(seats.surrendered & ~seats.exposed, _SURRENDERED + seats.surrendered_seq, key)
    key = np.where(seats.voided & seats.wagered, _SURRENDERED + seats.voided_seq, key)
    key[:, 0] = _DEALER
    order = np.argsort(key, axis=1, kind="stable")
    return order, (key < _SETTLED).sum(axis=1)


def voided_in_turn(seats: Seats, row: int) -> tuple[Order, int]:
    """The pickup order of one round if its voided hands were collected in their turn: no text says when they are."""
    voided = seats.voided[row] & seats.wagered[row]
    first = [place for place in range(1, PLACES) if not seats.wagered[row, place]]
    gone = seats.surrendered[row] & ~seats.exposed[row] & ~voided
    surrendered = sorted(np.flatnonzero(gone).tolist(), key=lambda place: int(seats.surrendered_seq[row, place]))
    settled = [place for place in range(1, PLACES) if seats.exposed[row, place] or voided[place]]
    return (*first, *surrendered, *settled, 0), len(first) + len(surrendered)


def stays(order: Ints, front: Ints, premium: Bools, seats: Seats) -> Bools:
    """(n, 7) packets that must have stayed on the table for an envy bonus: premium hands of exposed seats while a
    Qualifying Wager is on the table (MA-PGP §9(l)(1)(i)b,c)."""
    packet = np.arange(PLACES)
    middle = (packet >= front[:, None]) & (packet < PLACES - 1)
    return middle & premium & seats.qualifying[:, None]


def readings(order: Order, front: int, premium: Bools, can_stay: Bools) -> Iterator[Order]:
    """Every order of places that fits the premium packets of one rack; none when a premium packet lies before another.

    `can_stay` says of each place whether its hand would stay (a voided hand does not).
    """
    middle = list(order[front : PLACES - 1])
    staying = [bool(premium[packet]) for packet in range(front, PLACES - 1)]
    for kept in _kept(middle, can_stay, sum(staying)):
        last = [place for place in middle if place in kept]
        rest = [place for place in middle if place not in kept]
        # A hand that cannot stay is picked up in its turn, premium or not.
        fits = all(
            is_premium == (place in kept) or not can_stay[place]
            for place, is_premium in zip([*rest, *last], staying, strict=True)
        )
        if fits:
            yield (*order[:front], *rest, *last, 0)


def _kept(middle: list[int], can_stay: Bools, premium_packets: int) -> Iterator[tuple[int, ...]]:
    candidates = [place for place in middle if can_stay[place]]
    cannot = len(middle) - len(candidates)
    for count in range(max(premium_packets - cannot, 0), min(premium_packets, len(candidates)) + 1):
        yield from combinations(candidates, count)


def by_place(order: Ints, packets: Cards) -> Cards:
    """Packets (n, 7, 7) in rack order, put in order of places."""
    hands = np.empty_like(packets)
    np.put_along_axis(hands, order[:, :, None], packets, axis=1)
    return hands
