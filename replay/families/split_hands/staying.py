"""Hands that stay on the table until all others are collected: for an envy bonus, or until a payout off a meter is
documented (rulings.md R-5(5)).

Which hands those are depends on their cards, so that the order of the packets in the rack is read together with them.
Each thing that may keep a hand there says by its cards which hands it keeps, and at which places it must and may.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from replay.cards.pickup.words import Word
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.terms import Side, Terms
from replay.money.meter import NO_METER
from replay.rounds import Cards

Bools = npt.NDArray[np.bool_]
STAYING = (Word.ENVY_HAND, Word.METER_PAYOUT)


@dataclass(frozen=True)
class Keeps:
    """One thing that keeps hands on the table."""

    word: Word
    holds: Callable[[Cards], Bools]  # of hands (m, cards): those of a class that stays


def premium_hands(hands: Cards, terms: Terms) -> Bools:
    """Hands (..., cards) of a class that others get envy bonuses for."""
    if terms.law.premium is None:
        return np.zeros(hands.shape[:-1], bool)
    return terms.law.premium.is_premium(hands.reshape(-1, hands.shape[-1])).reshape(hands.shape[:-1])


@lru_cache(maxsize=1024)
def what_keeps(terms: Terms) -> tuple[Keeps, ...]:
    """What may keep a hand on the table under this filing: premium hands first, then each progressive wager."""
    meters = [Keeps(Word.METER_PAYOUT, partial(_off_meter, side)) for side in terms.sides if side.meters is not None]
    return (Keeps(Word.ENVY_HAND, partial(premium_hands, terms=terms)), *meters)


def _off_meter(side: Side, hands: Cards) -> Bools:
    """Hands of a class with a payout off a meter."""
    assert side.meters is not None
    return np.asarray(side.meters.rows.meter[side.class_of[""](hands)] != NO_METER)


@dataclass(frozen=True)
class Kept:
    """One thing that keeps hands on the table, in a batch of rounds."""

    word: Word
    high: Bools  # (n, 7) by packet: of a class that stays
    must: Bools  # (n, 7) by place: such a hand stays
    may: Bools  # (n, 7) by place: such a hand may stay


def kept(packets: Cards, hands: int, seats: Seats, terms: Terms) -> tuple[Kept, ...]:
    """`packets` (n, 7, cards) of whole racks, of which the first `hands` of each are hands."""
    found = []
    real = np.arange(packets.shape[1]) < hands
    for keeps, (must, may) in zip(what_keeps(terms), kept_places(seats), strict=True):
        high = np.zeros(packets.shape[:2], bool)
        asked = np.ones(len(packets), bool) if keeps.word is Word.ENVY_HAND else may.any(axis=1)
        if asked.any():
            flat = packets[asked].reshape(-1, packets.shape[-1])
            high[asked] = keeps.holds(np.ascontiguousarray(flat)).reshape(-1, packets.shape[1])
        found.append(Kept(keeps.word, high & real, must, may))
    return tuple(found)


def kept_places(seats: Seats) -> list[tuple[Bools, Bools]]:
    """(must, may) by place, for each of `what_keeps`."""
    metered = [one for one in seats.sides if one.side.meters is not None]
    by_meters = ((seats.exposed & one.live, seats.exposed & one.played) for one in metered)
    return [(seats.must_stay, seats.may_stay), *by_meters]


def may_stay(seats: Seats) -> list[tuple[Word, Bools]]:
    """By place, where a hand may stay, and for what."""
    words = (Word.ENVY_HAND, *(Word.METER_PAYOUT for one in seats.sides if one.side.meters is not None))
    return [(word, may) for word, (_, may) in zip(words, kept_places(seats), strict=True)]


def stays(word: Word, of: Sequence[tuple[Word, bool, bool, bool]]) -> bool | None:
    """Whether a hand stays for this: of each thing that may keep it there (word, its class stays, it must, it may).
    None where the dealer may leave it there and need not, and False also where nothing asks."""
    mine = [(high, must, may) for which, high, must, may in of if which is word]
    if any(high and must for high, must, _ in mine):
        return True
    return None if any(high and may for high, _, may in mine) else False
