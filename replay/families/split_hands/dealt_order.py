"""Racks filled by how the hands fared, whose order the deal tells: many rounds at once.

Against a bank the pickup procedure takes hands sooner or later as they win, stay or lose (rulings.md R-5(6)), so many
orders may fit one rack (`pickup.orders_that_fit`, one rack at a time). Where the deal was read there is one to ask of
first: every packet at the place it was dealt to. If the procedure, told how those hands fare, would have filled the
rack in just that order, the round is in order and nobody need look for another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from replay.cards.pickup.layouts import alternatives
from replay.cards.pickup.procedure import Procedure
from replay.cards.pickup.situation import HandSituation, Key
from replay.cards.pickup.words import Word
from replay.families.split_hands.deal import Deal
from replay.families.split_hands.pickup import (
    HIGH_FIRST,
    RESULTS,
    Pickup,
    Rack,
    arranged,
    compared_with_banks,
    low_first,
    stub_step,
)
from replay.families.split_hands.seats import NEVER, Seats
from replay.families.split_hands.staying import may_stay
from replay.families.split_hands.terms import Terms
from replay.rounds import UNKNOWN, Ints
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class DealtOrder:
    """Of a batch."""

    fits: Bools  # (n,) the rack lies as the procedure has it for the hands as dealt
    order: Ints  # (n, 7) the place of each packet; meaningless where it does not


def order_as_dealt(
    pickup: Pickup, seats: Seats, rack: Rack, deal: Deal, began: Ints, counts: Bools, terms: Terms
) -> DealtOrder:
    """`began` (n,) is where each deal should have begun or was said to begin, `counts` the rounds in which every place
    should have its cards."""
    fits = np.zeros(len(began), bool)
    order = np.zeros_like(pickup.order)
    asked = seats.order_by_results & rack.whole & counts & deal.read & (began != UNKNOWN)
    asked &= (seats.out_of_play_seq == NEVER).all(axis=1)
    for word, may in may_stay(seats):
        if word is not Word.ENVY_HAND or terms.law.premium is not None:
            asked &= ~may.any(axis=1)
    rows = np.flatnonzero(asked)
    if not len(rows) or pickup.geometry.absent:
        return DealtOrder(fits, order)
    geometry = pickup.geometry
    dealt = np.take_along_axis(deal.masks[rows], geometry.turn_of_place[began[rows]], axis=1)
    same = rack.masks[rows][:, :, None] == dealt[:, None, :]
    there = same.any(axis=2).all(axis=1) & same.any(axis=1).all(axis=1)
    rows, found = rows[there], same.argmax(axis=2)[there]
    if not len(rows):
        return DealtOrder(fits, order)
    at = np.arange(len(rows))
    hands = np.empty_like(rack.packets[rows])
    np.put_along_axis(hands, found[:, :, None], rack.packets[rows], axis=1)
    hands = low_first(hands, pickup.high_first[rows])
    flat = hands.reshape(-1, hands.shape[-1])
    low = terms.ranking.low(np.ascontiguousarray(flat[:, : geometry.low])).reshape(found.shape)
    high = terms.ranking.high(np.ascontiguousarray(flat[:, geometry.low :])).reshape(found.shape)
    against = seats.against[rows]
    result = terms.law.compare(low, high, low[at, against][:, None], high[at, against][:, None])
    compared = compared_with_banks(seats)[rows]
    words = {word: column if len(column) == 1 else column[rows] for word, column in pickup.words.items()}
    fitting = _laid_the_same(pickup.procedure, words, compared)
    words |= {word: compared & (result == number) for number, word in RESULTS.items()}
    button = None if pickup.button is None else pickup.button[rows]
    by_right, step, laid = arranged(pickup.procedure, geometry, words, pickup.acted[rows], button)
    fitting &= (by_right == found).all(axis=1)
    fitting &= ((laid == HIGH_FIRST) == pickup.high_first[rows]).all(axis=1)
    fitting &= (step < stub_step(pickup.procedure)).sum(axis=1) == pickup.stub_after[rows]
    fits[rows], order[rows] = fitting, found
    return DealtOrder(fits, order)


def _laid_the_same(procedure: Procedure, words: Mapping[Word, Bools], compared: Bools) -> Bools:
    """(n,) every hand that is `compared` with the bank's lies in one way, however it fares: of two readings of a rack
    none differs in that alone."""
    code = np.zeros(compared.shape, np.int64)
    for bit, column in enumerate(words.values()):
        code |= column.astype(np.int64) << bit
    found, index = np.unique(np.where(compared, code, -1), return_inverse=True)
    alike = [one < 0 or _laid_in_one_way(procedure, _spelled_out(one, words)) for one in found.tolist()]
    every: Bools = np.asarray(np.array(alike)[index.reshape(compared.shape)].all(axis=1))
    return every


def _spelled_out(code: int, words: Iterable[Word]) -> frozenset[Word]:
    return frozenset(word for bit, word in enumerate(words) if code >> bit & 1)


@lru_cache(maxsize=256)
def _laid_in_one_way(procedure: Procedure, so: frozenset[Word]) -> bool:
    place = DEALER if Word.DEALER in so else DEALER + 1
    hand = HandSituation(Key(place), (1,), so, frozenset(RESULTS.values()))
    return len({way.laid for way in alternatives(procedure, hand)}) == 1
