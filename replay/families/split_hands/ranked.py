"""How strong the hands of a batch are, and the hand everyone plays against."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.families.split_hands.hands import Hands
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.terms import Terms
from replay.rounds import Cards
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Strengths = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Ranked:
    """Strengths of a batch of hands, an entry a reading."""

    low: Strengths  # (m, 7) as set
    high: Strengths
    house: Cards  # (m, 7) the cards of the hand everyone plays against, by the house way
    against_low: Strengths  # (m,) of that hand as it counts: by the house way, but a bank's as the bank set it
    against_high: Strengths
    against_known: Bools  # (m,)
    dealer: Bytes  # (m,) against a bank: how the dealer's own hand fares, by the house way


def strengths(hands: Cards, terms: Terms) -> tuple[Strengths, Strengths]:
    """Of hands (..., cards) as set, the low one's cards first: the strengths of the low and of the high hand."""
    flat, low, of = hands.reshape(-1, hands.shape[-1]), terms.geometry.low, hands.shape[:-1]
    return (
        terms.ranking.low(np.ascontiguousarray(flat[:, :low])).reshape(of),
        terms.ranking.high(np.ascontiguousarray(flat[:, low:])).reshape(of),
    )


def rank(hands: Hands, seats: Seats, terms: Terms) -> Ranked:
    cards = hands.cards
    low, high = strengths(cards, terms)
    of, against = np.arange(len(cards)), seats.against[hands.row]
    house = terms.ranking.house_way(cards[of, against])
    against_low, against_high = strengths(house, terms)
    known, dealer = hands.known[of, against].copy(), np.zeros(len(cards), np.uint8)
    if seats.banked.any():
        # A bank sets its own hand, and a foul one is reset (rulings.md R-13); a co-bank's the dealer sets.
        sets_itself = ~seats.house_sets[hands.row]
        wrong = terms.law.fouled(low[of, against], high[of, against]) | hands.set_wrong[of, against]
        as_set = sets_itself & hands.set_known[of, against] & ~wrong
        against_low = np.where(as_set, low[of, against], against_low)
        against_high = np.where(as_set, high[of, against], against_high)
        seen = hands.set_known[of, against] | hands.set_wrong[of, against]
        known &= ~sets_itself | (seen & ~hands.disputed[hands.row, against])
    if terms.law.bank is not None and seats.banked.any():
        own = strengths(terms.ranking.house_way(cards[:, DEALER].copy()), terms)
        dealer = terms.law.compare(*own, against_low, against_high)
    return Ranked(low, high, house, against_low, against_high, known, dealer)
