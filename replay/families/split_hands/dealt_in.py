"""Which places were dealt a hand, where that depends on who bet. Rounds alike in this are audited together.

The method filed says who gets cards: every place, or whoever has a wager and the dealer (MA-PGP §17(d), (e)). What a
device saw, and how many cards were dealt, may say that others did.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.method import Receives
from replay.cards.dealing.seen import deal_events
from replay.checks.misdeal import boxed_cards
from replay.families.split_hands.deal import AS_FILED, Deal, as_delivered, read_deals, starts_that_fit
from replay.families.split_hands.pickup import pickup_of, read_racks
from replay.families.split_hands.seats import seats_of
from replay.families.split_hands.terms import Terms, terms_of
from replay.filing import Filing
from replay.money.wagers import resolve_wagers
from replay.naming import listed, place_name
from replay.remarks import Remark
from replay.rounds import DEALT_TO, UNKNOWN, Ints, RoundBatch
from schemas.findings import CERTAIN, LIKELY, Basis
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]

_TO_PLACES = DEALT_TO.index("")


def alike(batch: RoundBatch, filing: Filing) -> Iterator[tuple[Ints, tuple[int, ...]]]:
    """The rounds of a batch in which the same places were left out of the deal, and which places those are."""
    terms = terms_of(filing)
    if not _depends_on_who_bet(terms):
        yield np.arange(len(batch)), ()
        return
    left_out = ~_dealt_in(batch, filing, terms)
    groups = left_out @ (1 << np.arange(terms.geometry.places)[::-1])  # places as the bits of a number
    for number in np.unique(groups).tolist():
        rows = np.flatnonzero(groups == number)
        yield rows, tuple(np.flatnonzero(left_out[rows[0]]).tolist())


def terms_dealt(batch: RoundBatch, filing: Filing) -> Terms:
    """The terms of rounds in which the same places were dealt a hand."""
    groups = list(alike(batch, filing))
    if len(groups) > 1:
        raise ValueError(f"the rounds are not alike: hands were dealt to {len(groups)} different sets of places")
    return terms_of(filing, *(left_out for _, left_out in groups))


def _depends_on_who_bet(terms: Terms) -> bool:
    return any(method.receives is Receives.BETTORS_AND_DEALER for method in terms.methods)


def bettors_and_dealer(batch: RoundBatch, terms: Terms) -> Bools:
    """(n, 7) the places with a wager against the dealer when the cards were dealt, the dealer's own, and a bank's."""
    places = terms.geometry.places
    found = np.zeros((len(batch), places), bool)
    found[:, DEALER] = True
    wagers = resolve_wagers(batch)
    base = batch.name_id(terms.law.base.name)
    first_card = batch.first_card_seq[wagers.row]
    there = (wagers.amount_on_time > 0) | (first_card == UNKNOWN) | (wagers.placed_seq < first_card)
    there &= (wagers.wager == base) & (wagers.seat > 0) & (wagers.seat < places)
    found[wagers.row[there], wagers.seat[there]] = True
    for late in wagers.late_events:
        if late.wager == base and late.amount_before > 0 and 0 < late.seat < places:
            found[late.row, late.seat] = True
    banked = np.flatnonzero((batch.bank_seat > 0) & (batch.bank_seat < places))
    found[banked, batch.bank_seat[banked]] = True
    return found


def _dealt_in(batch: RoundBatch, filing: Filing, terms: Terms) -> Bools:
    """(n, 7) the places that were dealt a hand."""
    geometry, count = terms.geometry, _cards_dealt(batch)
    saw, got = _seen(batch, geometry.places)
    if terms.to_bettors_only:
        return _dealt_in_by_wagers(batch, filing, terms)
    found = np.ones((len(batch), geometry.places), bool)
    fewer = np.where(saw, ~got.all(axis=1), (count > 0) & (count < geometry.dealt))
    if fewer.any():
        found[fewer] = _dealt_in_by_wagers(batch.take(np.flatnonzero(fewer)), filing, terms)
    return found


def _dealt_in_by_wagers(batch: RoundBatch, filing: Filing, terms: Terms) -> Bools:
    """(n, 7) the same, of rounds in which it depends on who bet."""
    geometry = terms.geometry
    bettors = bettors_and_dealer(batch, terms)
    found = bettors.copy() if terms.to_bettors_only else np.ones_like(bettors)
    saw, got = _seen(batch, geometry.places)
    if terms.to_bettors_only:
        found |= got & saw[:, None]
    else:
        fewer = saw & (got == bettors).all(axis=1)
        found[fewer] = bettors[fewer]
    count, each = _cards_dealt(batch), geometry.cards
    hands, due = count // each, found.sum(axis=1)
    asked = ~saw & (count > 0) & (batch.rack.counts == geometry.deck_size)
    if terms.to_bettors_only:
        more = (count % each == 0) & (hands > due) & (count < geometry.deck_size)
        asked &= more | (count == geometry.deck_size)
    else:
        asked &= (count % each == 0) & (hands < geometry.hands) & (hands == bettors.sum(axis=1))
    for row in np.flatnonzero(asked).tolist():
        one = batch.take(np.array([row]))
        fitting = [places for places in _candidates(bettors[row], int(hands[row]), terms) if _fits(one, filing, places)]
        if len(fitting) == 1:
            found[row] = np.isin(np.arange(geometry.places), fitting[0])
    return found


def _candidates(bettors: Bools, hands: int, terms: Terms) -> Iterator[tuple[int, ...]]:
    """Sets of places that so many hands may have been dealt to; where a shoe read every card, of any number."""
    own = tuple(np.flatnonzero(bettors).tolist())
    others = np.flatnonzero(~bettors).tolist()
    read_to_the_end = terms.to_bettors_only and hands == terms.geometry.deck_size // terms.geometry.cards
    sizes = range(len(others) + 1) if read_to_the_end else [hands - len(own)]
    for size in sizes:
        for more in combinations(others, size):
            yield tuple(sorted((*own, *more)))


def _fits(one: RoundBatch, filing: Filing, places: tuple[int, ...]) -> bool:
    """Whether the deal of one round, to these places, gives each of them the hand that lies in the rack for it."""
    left_out = tuple(place for place in range(terms_of(filing).geometry.places) if place not in places)
    terms = terms_of(filing, left_out)
    seats = seats_of(one, terms)
    pickup = pickup_of(seats, filing.pickup, terms.geometry)
    rack, deal = read_racks(one.rack, pickup), read_deals(one, terms, seats.against)
    racked = np.empty_like(rack.masks)
    np.put_along_axis(racked, pickup.order, rack.masks, axis=1)
    deal = as_delivered(deal, racked, rack.whole, np.full(1, UNKNOWN), terms)
    fits = starts_that_fit(deal.masks, racked, terms.geometry).any(axis=1)
    return bool((fits & rack.whole & deal.read)[0])


def _seen(batch: RoundBatch, places: int) -> tuple[Bools, Bools]:
    """(n,) rounds in which a device saw where every card went, and (n, 7) the places they went to."""
    rows, place = batch.dealt.rows, batch.dealt_place.values
    to_places = batch.dealt_to.values == _TO_PLACES
    rows, place = rows[to_places], place[to_places]
    known = (place >= 0) & (place < places)
    saw = np.bincount(rows, minlength=len(batch)) > 0
    saw[rows[~known]] = False
    got = np.zeros((len(batch), places), bool)
    got[rows[known], place[known]] = True
    return saw, got


def _cards_dealt(batch: RoundBatch) -> Ints:
    """(n,) cards dealt to places, without those found face up and set aside."""
    count = np.bincount(batch.dealt.rows[batch.dealt_to.values == _TO_PLACES], minlength=len(batch))
    return np.where(count > 0, count - boxed_cards(batch), 0)


def dealt_to_others(batch: RoundBatch, deal: Deal, all_void: Bools, terms: Terms) -> Iterator[Remark]:
    """DEAL-312: a place was dealt a hand that gets none, or none that gets one; where the cards were dealt by another
    method altogether, that is said instead (DEAL-310)."""
    if not _depends_on_who_bet(terms):
        return
    geometry = terms.geometry
    due = bettors_and_dealer(batch, terms) if terms.to_bettors_only else np.ones((len(batch), geometry.places), bool)
    dealt = np.isin(np.arange(geometry.places), geometry.dealt_in)
    wrong = (dealt != due).any(axis=1) & ~all_void & ~((deal.way != AS_FILED) & deal.read)
    hands = _cards_dealt(batch) // geometry.cards
    more = (_cards_dealt(batch) % geometry.cards == 0) & (hands > geometry.hands) & ~deal.read & ~all_void
    left = batch.stub_count.astype(np.int64)
    by_stub = (left != UNKNOWN) & (left < geometry.stub) & ((geometry.stub - left) % geometry.cards == 0)
    more |= by_stub & ~all_void
    if not terms.to_bettors_only:
        more[:] = False
    for row in np.flatnonzero(wrong | more).tolist():
        got = np.flatnonzero(dealt & ~due[row]).tolist()
        without = np.flatnonzero(~dealt & due[row]).tolist()
        if got:
            what = (
                f"a hand was dealt to {listed([place_name(place) for place in got])}, where nobody had placed a wager"
            )
        elif without:
            what = f"no hand was dealt to {listed([place_name(place) for place in without])}"
        else:
            what = "more hands were dealt than places have a wager"
        yield Remark(
            row,
            "DEAL-312",
            f"{what}; the round was played on",
            terms.law.cites.delivery[terms.dealing],
            seat=got[0] if len(got) == 1 else None,
            evidence=tuple(sorted({*deal_events(batch, row), int(batch.stub_seq[row])} - {UNKNOWN})),
            confidence=CERTAIN if got or without else LIKELY,
            basis=Basis.COMPARED,
        )
