"""Side wagers and the wager against the dealer that they need, or that needs them; and when they are settled."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from replay.checks.surrender import surrendered_though_barred
from replay.checks.turns import (
    closed_too_late,
    collected_after_paying,
    dealer_not_first,
    envy_paid_too_early,
    settled_before_the_base,
    settled_beside_more_cards,
    settled_beside_the_deal,
    settled_out_of_order,
)
from replay.checks.wagers import Titles, wagers_missing, wagers_without_base
from replay.families.split_hands.law import Dealing
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.side_seats import BASE
from replay.families.split_hands.terms import Terms
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Ints, RoundBatch

Bools = npt.NDArray[np.bool_]


def without_base(batch: RoundBatch, seats: Seats, titles: Titles, base: str) -> Iterator[Remark]:
    """WAGER-503, in order of the wagers: each rests on the section that says who may place such a wager."""
    wagers = seats.wagers
    unaccompanied = (seats.at > 0) & ~seats.base[wagers.row, seats.at]
    for one in seats.sides:
        if one.there:
            alone = np.asarray(unaccompanied & (seats.kind == one.kind))
            yield from wagers_without_base(batch, wagers, alone, base, titles, one.side.law.needs)


def mandatory_missing(batch: RoundBatch, seats: Seats, titles: Titles) -> Iterator[Remark]:
    """WAGER-507, where a side wager is filed as mandatory."""
    wagers = seats.wagers
    for one in seats.sides:
        if one.side.mandatory:
            lacking = (seats.kind == BASE) & (seats.at > 0) & ~one.played[wagers.row, seats.at]
            yield from wagers_missing(batch, wagers, lacking, one.side.name, titles, one.side.law.needs)


def though_barred(batch: RoundBatch, seats: Seats, base: str) -> Iterator[Remark]:
    """WAGER-505, where a side wager bars a surrender: of each hand once."""
    told = np.zeros_like(seats.barred)
    for one in seats.sides:
        bars = one.side.law.bars_surrender
        if bars is not None and one.there:
            barring = one.played & seats.barred & ~told
            told |= barring
            yield from surrendered_though_barred(
                batch, seats.refused_seq, barring, seats.all_void, base, one.side.law.title, bars
            )


def out_of_turn(batch: RoundBatch, seats: Seats, terms: Terms) -> Iterator[Remark]:
    """SETTLE-107 and HOUSE-404, where the text says what comes first."""
    yield from _sides_out_of_turn(batch, seats, terms)
    cites, base = terms.law.cites, terms.law.base
    dealer_first = terms.variant.dealer_first or cites.dealer_first
    if dealer_first is not None:
        yield from dealer_not_first(batch, seats.against, _not_asked(batch, seats), dealer_first)
    if cites.in_turn is not None:
        yield from settled_out_of_order(batch, base.name, base.title, _not_asked(batch, seats), cites.in_turn)
    if cites.bets_closed_first is not None:
        yield from closed_too_late(batch, cites.bets_closed_first[terms.dealing])


def _not_asked(batch: RoundBatch, seats: Seats) -> Bools:
    """Of void rounds, and of those somebody banked: there all hands are exposed before a winner is paid."""
    return np.asarray(seats.all_void | (batch.bank_seat > 0))


def _sides_out_of_turn(batch: RoundBatch, seats: Seats, terms: Terms) -> Iterator[Remark]:
    base, not_asked = terms.law.base, _not_asked(batch, seats)
    sides_first = any(side.law.before_base is not None for side in terms.sides)
    for one in seats.sides:
        law = one.side.law
        if not one.there:
            continue
        if law.after_base is not None and not sides_first:
            yield from settled_before_the_base(
                batch, law.name, law.title, base.name, base.title, not_asked, law.after_base
            )
        if law.envy is not None and law.envy.after_all is not None:
            yield from envy_paid_too_early(batch, law.name, law.title, seats.all_void, law.envy.after_all)
        if law.settled_before_the_deal is not None:
            dealt = _first_card_at_a_place(batch, terms)
            yield from settled_beside_the_deal(
                batch, law.name, law.title, dealt, seats.all_void, law.settled_before_the_deal
            )
        if law.settled_before_more_cards is not None:
            yield from settled_beside_more_cards(
                batch, law.name, law.title, seats.all_void, law.settled_before_more_cards
            )
        if law.losing_first is not None:
            yield from collected_after_paying(batch, law.name, law.title, seats.all_void, law.losing_first)


def _first_card_at_a_place(batch: RoundBatch, terms: Terms) -> Ints:
    """(n,) the first event that shows cards delivered, UNKNOWN where none does. Stacks dealt from the hand lie before
    the dealer until the place is known (MA-PGP §8a(e)): of these only a hand exposed shows it."""
    first = np.full(len(batch), np.iinfo(np.int64).max)
    np.minimum.at(first, batch.shown.row, batch.shown.seq)
    if terms.dealing is not Dealing.HAND:
        read = batch.first_card_seq != UNKNOWN
        first[read] = np.minimum(first[read], batch.first_card_seq[read])
    return np.where(first == np.iinfo(np.int64).max, UNKNOWN, first)
