"""Every place's hand, from the rack, the deal and the hands shown (rulings.md R-4, R-5, R-10, R-51).

Rounds whose rack follows the pickup procedure are done all at once; the others go to the solver, one by one. A round
with several readings has several entries: `Hands` has one entry a *reading*, and `row` says whose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.compare import compare
from replay.cards.dealing.compare import in_words as difference_in_words
from replay.cards.dealing.seen import deal_events
from replay.cards.solver.evidence import AT_ANY_TIME, ShownHand
from replay.families.split_hands.deal import Deal, starts_that_fit
from replay.families.split_hands.dealt_order import DealtOrder
from replay.families.split_hands.geometry import Masks
from replay.families.split_hands.pickup import (
    Order,
    Pickup,
    Rack,
    by_place,
    in_doubt,
    low_first,
    orders_if_one_stayed,
    orders_that_fit,
)
from replay.families.split_hands.seats import NEVER, NOT_JUDGED, Seats
from replay.families.split_hands.solver import Evidence, agrees, dealt_from, shown_differs, solve
from replay.families.split_hands.staying import Kept, kept
from replay.families.split_hands.terms import FIRST_CARDS, Terms
from replay.families.split_hands.wager_law import JudgedOn
from replay.naming import listed, names, whose
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Cards, Ints, RoundBatch, RoundFlag
from schemas.findings import CERTAIN, LIKELY, Basis
from schemas.plurals import in_words

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class ShownHands:
    """The first hand shown at each place of each round: as it was exposed, before anybody rearranged it (R-51)."""

    index: Ints  # (n, 7) into batch.shown, -1 where none
    masks: Masks  # (n, 7) the cards, as a set; 0 where none
    whole: Bools  # (n, 7) seven different cards
    set_right: Bools  # (n, 7) shown as two and five
    set_wrong: Bools  # (n, 7) shown as seven cards in two hands, but not two and five
    cards: Cards  # (n, 7, 7), meaningless where not whole

    def settings(self, row: int) -> dict[bytes, bytes]:
        """How the hands of one round were set, low hand first, by their cards in order."""
        set_right = (cards.tobytes() for cards in self.cards[row, self.whole[row] & self.set_right[row]])
        return {bytes(sorted(cards)): cards for cards in set_right}


def first_shown_alone(batch: RoundBatch, terms: Terms) -> Bools:
    """Of the hands shown those that are the cards dealt first, laid face up for a wager on them (MA-PGP §17(f))."""
    shown = batch.shown
    if not terms.judges_first_cards:
        return np.zeros(len(shown.row), bool)
    whose = (shown.place > 0) & (shown.place < terms.geometry.places) & (shown.hand == 0)
    return np.asarray(whose & (shown.count == FIRST_CARDS) & (shown.low == 0))


def _own_shown(batch: RoundBatch, terms: Terms) -> Ints:
    """The hands shown that are a place's hand."""
    shown = batch.shown
    own = (shown.place >= 0) & (shown.place < terms.geometry.places) & (shown.hand == 0)
    return np.flatnonzero(own & ~first_shown_alone(batch, terms))


def read_shown(batch: RoundBatch, terms: Terms) -> ShownHands:
    geometry = terms.geometry
    shown, shape, each = batch.shown, (len(batch), geometry.places), geometry.cards
    index = np.full(shape, -1, np.int64)
    own = _own_shown(batch, terms)
    first = own[np.lexsort((own, shown.seq[own]))][::-1]  # the last first, so that the first one stays
    index[shown.row[first], shown.place[first]] = first
    here = index >= 0
    masks = np.zeros(shape, np.uint64)
    low = np.zeros(shape, np.uint8)
    cards = np.empty((*shape, each), np.uint8)
    cards[:] = geometry.nobody
    whole = np.zeros(shape, bool)
    if len(own):
        at = index[here]
        found = geometry.masks_of(shown.cards[at])
        masks[here] = found
        low[here] = shown.low[at]
        whole[here] = (shown.count[at] == each) & (np.bitwise_count(found) == each)
        cards[whole] = shown.cards[index[whole], :each]
    return ShownHands(
        index, masks, whole, whole & (low == geometry.low), whole & (low > 0) & (low != geometry.low), cards
    )


def shown_again(batch: RoundBatch, shown: ShownHands, terms: Terms) -> list[Remark]:
    """RACK-323 of a hand that was shown again with cards that cannot be the same seven (rulings.md R-51): otherwise a
    later one is the hand as it was rearranged, and says nothing."""
    all_shown, geometry = batch.shown, terms.geometry
    own = _own_shown(batch, terms)
    first = shown.index[all_shown.row[own], all_shown.place[own]]
    later = own[first != own]
    together = np.bitwise_count(
        geometry.masks_of(all_shown.cards[later]) | geometry.masks_of(all_shown.cards[first[first != own]])
    )
    remarks = []
    for at in later[together > geometry.cards].tolist():
        row, place = int(all_shown.row[at]), int(all_shown.place[at])
        before = int(shown.index[row, place])
        was, now = (names(all_shown.cards[one, : all_shown.count[one]].tolist()) for one in (before, at))
        remarks.append(
            Remark(
                row,
                "RACK-323",
                f"{whose(place)} was shown as {was}, and then again as {now}, which cannot be the same "
                f"{in_words(geometry.cards)} cards",
                terms.law.cites.pickup,
                seat=place or None,
                evidence=(int(all_shown.seq[before]), int(all_shown.seq[at])),
                basis=Basis.SHOWN,
            )
        )
    return remarks


@dataclass(frozen=True)
class Hands:
    """One entry a reading, in order of rounds for the first readings, further readings after them."""

    row: Ints  # (m,) whose reading it is
    cards: Cards  # (m, 7, 7) by place; the low two first where `set_known`
    known: Bools  # (m, 7)
    set_known: Bools  # (m, 7) the setting is known
    set_wrong: Bools  # (m, 7) set in two hands of the wrong size
    readings: dict[int, list[int]]  # rounds with more than one reading → their entries
    start: Ints  # (n,) where the deal began, by the cards; UNKNOWN if they do not say
    disputed: Bools  # (n, 7) shown in another setting than the rack has
    shown: Cards  # (n, 7, 7) as shown, meaningless where not
    shown_set: Bools  # (n, 7) shown in two hands of two and five
    remarks: list[Remark]


@dataclass(frozen=True)
class Sources:
    """What a batch's hands are rebuilt from."""

    terms: Terms
    batch: RoundBatch
    seats: Seats
    pickup: Pickup
    dealt_order: DealtOrder
    rack: Rack
    deal: Deal
    shown: ShownHands
    presumed: Ints  # (n,) where each deal should have begun or was said to begin; UNKNOWN
    button_due: Ints  # (n,) where the action button belongs; UNKNOWN
    counts: Bools  # (n,) rack and deal give seven cards to every place (not after a misdeal)

    def confidence(self, row: int) -> float:
        return LIKELY if self.batch.flags[row] & RoundFlag.RACK_UNSURE else CERTAIN

    def basis(self, row: int, hands: Hands) -> Basis:
        """What gave the hands of a round, as they were reconstructed."""
        held, known = self.terms.geometry.masks_of(hands.cards[row]), hands.known[row]
        racked = bool(self.rack.whole[row]) and bool(np.isin(held[known], self.rack.masks[row]).all())
        start = int(hands.start[row]) if hands.start[row] != UNKNOWN else int(self.presumed[row])
        dealt = bool(self.deal.read[row] & self.counts[row]) and start != UNKNOWN
        if dealt:
            went = np.array(dealt_from(self.deal.masks[row].tolist(), start, self.terms.geometry), np.uint64)
            hand = self.terms.geometry.dealt_in
            dealt = bool((went[hand] == held[hand]).all())
        if racked and self.deal.read[row]:
            return Basis.DEAL_AND_RACK if dealt else Basis.COMPARED
        if racked or dealt:
            return Basis.RACK if racked else Basis.DEAL
        return Basis.SHOWN if self.shown.masks[row].any() else Basis.REPORTS

    def all_agree(self, row: int, hands: Hands) -> bool:
        """Whether deal, rack and hands shown give every hand that plays the same cards, set the same way."""
        if self.basis(row, hands) is not Basis.DEAL_AND_RACK or hands.start[row] != self.presumed[row]:
            return False
        if row in hands.readings or any(remark.row == row for remark in hands.remarks):
            return False
        plays = self.seats.exposed[row].copy()
        plays[int(self.seats.against[row])] = True
        plays[0] |= bool(self.seats.dealer_stake[row] > 0)
        set_alike = hands.set_known[row] & hands.shown_set[row] & ~hands.disputed[row]
        return all(set_alike[place] and self.also_shown(row, place, hands) for place in np.flatnonzero(plays).tolist())

    def also_shown(self, row: int, place: int, hands: Hands) -> bool:
        """Whether all cards of a hand were shown, and are those it was reconstructed with."""
        held = self.terms.geometry.masks_of(hands.cards[row, place])
        return bool(self.shown.whole[row, place] and hands.known[row, place] and self.shown.masks[row, place] == held)


def rebuild(sources: Sources) -> Hands:
    seats, rack, deal, shown, presumed = sources.seats, sources.rack, sources.deal, sources.shown, sources.presumed
    terms, geometry, rows = sources.terms, sources.terms.geometry, len(presumed)
    known_order = sources.dealt_order.fits
    order = np.where(known_order[:, None], sources.dealt_order.order, sources.pickup.order)
    usable = sources.counts & rack.whole
    deal_read = deal.read & sources.counts
    keeping = kept(rack.packets, geometry.hands, seats, terms)
    is_premium, metered = keeping[0].high, keeping[1:]
    masks = np.empty_like(rack.masks)
    np.put_along_axis(masks, order, rack.masks, axis=1)
    fits = starts_that_fit(deal.masks, masks, geometry)
    disagrees = ((shown.masks & ~masks) != 0).any(axis=1) | (deal_read & ~fits.any(axis=1))
    doubt = np.asarray((seats.out_of_play_seq != NEVER).any(axis=1))
    for one in keeping:
        doubt |= in_doubt(sources.pickup, one)
    doubt |= seats.order_by_results & ~known_order
    odd = usable & (doubt | disagrees)

    plain = usable & deal_read & ~odd
    as_presumed = (presumed != UNKNOWN) & fits[np.arange(rows), presumed]
    start = np.where(plain, np.where(as_presumed, presumed, fits.argmax(axis=1)), UNKNOWN)

    orders: list[Order] = []
    of: list[int] = []
    several: dict[int, list[int]] = {}
    remarks: list[Remark] = []
    lost = ~usable
    doubted = np.zeros((rows, geometry.places), bool)
    simple = (
        odd & (is_premium.sum(axis=1) == 1) & ~seats.order_by_results & (seats.out_of_play_seq == NEVER).all(axis=1)
    )
    for one in metered:  # another hand may have stayed as well
        simple &= ~(one.high.any(axis=1) & one.may.any(axis=1))
    for row, found in _one_stayed(sources, is_premium, deal_read, np.flatnonzero(simple)):
        odd[row] = False
        order[row] = found[0]
        if deal_read[row]:
            start[row] = presumed[row]
        if len(found) > 1:
            first = rows + len(orders)
            several[row] = [row, *range(first, first + len(found) - 1)]
            orders += found[1:]
            of += [row] * (len(found) - 1)
    for row in np.flatnonzero(odd).tolist():
        turns = deal.masks[row].tolist() if deal_read[row] else None
        solved = solve(_evidence(sources, keeping, tuple(order[row].tolist()), turns, row))
        remarks += solved.remarks
        start[row] = solved.start
        doubted[row, solved.doubted] = True
        if not solved.orders:
            lost[row] = True
            continue
        order[row] = solved.orders[0]
        if len(solved.orders) > 1:
            first = rows + len(orders)
            several[row] = [row, *range(first, first + len(solved.orders) - 1)]
            orders += solved.orders[1:]
            of += [row] * (len(solved.orders) - 1)
    start = np.where(deal.seen_start != UNKNOWN, deal.seen_start, start)

    row_of = np.concatenate([np.arange(rows), np.array(of, np.int64)])
    if orders:
        order = np.concatenate([order, np.array(orders, np.int64)])
    cards = by_place(order, rack.packets[row_of] if orders else rack.packets, sources.pickup.high_first[row_of])
    known = ~doubted[row_of]
    known[:, geometry.left_out] = False
    set_known = (~sources.pickup.unset[row_of] | _left_as_set(sources, cards, row_of)) & known
    if lost.any():
        began = np.where(start != UNKNOWN, start, presumed)
        began = _start_by_hands_shown(sources, np.flatnonzero(lost & deal_read), began)
        start = np.where(lost & deal_read & (began != presumed), began, start)
        _without_rack(sources, np.flatnonzero(lost), deal_read & (began != UNKNOWN), began, cards, known, set_known)
    set_wrong = np.zeros_like(known)
    disputed = np.zeros((rows, geometry.places), bool)
    if (shown.index >= 0).any():
        same = shown.whole[row_of] & known & (shown.masks[row_of] == geometry.masks_of(cards))
        set_as_shown = same & shown.set_right[row_of]
        otherwise = (set_as_shown & set_known)[:rows] & _low_differs(sources, cards[:rows])
        disputed = otherwise
        remarks += _set_otherwise(sources, cards[:rows], otherwise)
        remarks += _shown_beside_deal(sources, cards, known, set_known, lost)
        taken = set_as_shown & ~set_known
        cards[taken] = shown.cards[row_of][taken]
        set_wrong = same & shown.set_wrong[row_of]
        set_known |= taken
    return Hands(
        row_of,
        cards,
        known,
        set_known,
        set_wrong,
        dict(sorted(several.items())),
        start,
        disputed,
        shown.cards,
        shown.set_right,
        remarks,
    )


def _left_as_set(sources: Sources, cards: Cards, row_of: Ints) -> Bools:
    """Hands that may have been laid out anew for a bonus wager, but only where that wins, and these do not."""
    terms, seats = sources.terms, sources.seats
    if not terms.law.resets_winners_only:
        return np.zeros(cards.shape[:-1], bool)
    return np.asarray((seats.rearranged & ~seats.surrendered)[row_of] & wins_nothing(cards, terms))


def wins_nothing(cards: Cards, terms: Terms) -> Bools:
    """Hands (..., cards) that no side wager judged on them is paid for."""
    flat = cards.reshape(-1, cards.shape[-1])
    nothing = np.ones(len(flat), bool)
    for side in terms.sides:
        if side.law.judged_on is JudgedOn.OWN_CARDS:
            for class_of in side.class_of.values():
                nothing &= class_of(flat) == side.nothing
    return nothing.reshape(cards.shape[:-1])


def _one_stayed(sources: Sources, is_premium: Bools, deal_read: Bools, rows: Ints) -> Iterator[tuple[int, list[Order]]]:
    """Of these rounds, all with one premium packet and no hand out of play, those that are in order: the readings that
    agree with the hands shown and, where the deal was read, with the deal from where it should have begun."""
    if not len(rows):
        return
    shown, deal, presumed = sources.shown, sources.deal, sources.presumed[rows]
    orders, fit = orders_if_one_stayed(sources.pickup, sources.seats, is_premium, rows)
    masks = np.empty(orders.shape, np.uint64)
    np.put_along_axis(masks, orders, np.broadcast_to(sources.rack.masks[rows][:, None], orders.shape), axis=2)
    fit = fit & ((shown.masks[rows][:, None] & ~masks) == 0).all(axis=2)
    dealt = np.take_along_axis(deal.masks[rows], sources.terms.geometry.turn_of_place[np.maximum(presumed, 0)], axis=1)
    as_dealt = (dealt[:, None] == masks).all(axis=2) & (presumed != UNKNOWN)[:, None]
    fit &= as_dealt | ~deal_read[rows][:, None]
    for at in np.flatnonzero(fit.any(axis=1)).tolist():
        # A hand that stayed and was the last anyway lies where it would have lain: one reading, not two.
        yield int(rows[at]), list(dict.fromkeys(tuple(order) for order in orders[at, fit[at]].tolist()))


def _evidence(sources: Sources, keeping: Sequence[Kept], order: Order, turns: list[int] | None, row: int) -> Evidence:
    shown, packets = sources.shown, sources.rack.packets[row]
    rack = sources.batch.rack[row].tobytes()
    set_as = shown.settings(row)
    candidates = orders_that_fit(sources.pickup, sources.seats, keeping, packets, rack, row, set_as, sources.terms)
    places = np.flatnonzero(shown.masks[row]).tolist()

    def as_judged() -> list[Order]:
        if (sources.seats.judged[row] == NOT_JUDGED).all():
            return []
        how = sources.pickup, sources.seats, keeping, packets, rack, row, set_as, sources.terms
        return orders_that_fit(*how, as_judged=True)

    return Evidence(
        sources.terms,
        row,
        sources.rack.masks[row].tolist(),
        order,
        candidates,
        as_judged,
        turns,
        int(sources.presumed[row]),
        {place: int(shown.masks[row, place]) for place in places},
        {place: int(sources.batch.shown.seq[shown.index[row, place]]) for place in places},
        deal_events(sources.batch, row) if turns is not None else (),
        sources.confidence(row),
        collected_before_play(sources, row),
        sources.seats.envy_law(row) or sources.terms.envy,
    )


def collected_before_play(sources: Sources, row: int) -> dict[int, int]:
    """The places whose hands the procedure has collected before others were played, with no wager or surrendered, by
    step (rulings.md R-60); of hands out of play in another way nobody knows when (R-58)."""
    seats, step = sources.seats, sources.pickup.step[row].tolist()
    played = seats.exposed[row].copy()
    played[int(seats.against[row])] |= bool(played.any())
    played[0] |= bool(seats.dealer_stake[row] > 0)
    first = min((step[place] for place in np.flatnonzero(played).tolist()), default=max(step) + 1)
    collected = {place: step[place] for place in np.flatnonzero(~played).tolist() if step[place] < first}
    out_of_play = np.flatnonzero(seats.out_of_play_seq[row] != NEVER).tolist()
    return {**collected, **dict.fromkeys(out_of_play, AT_ANY_TIME)}


def _start_by_hands_shown(sources: Sources, rows: Ints, began: Ints) -> Ints:
    """`began`, but where the hands shown fit the deal from another place, and from no third one, that place."""
    shown, deal, places = sources.shown, sources.deal, sources.terms.geometry
    found = began.copy()
    for row in rows[(shown.masks[rows] != 0).any(axis=1)].tolist():
        turns = deal.masks[row].tolist()
        seen = {place: int(shown.masks[row, place]) for place in np.flatnonzero(shown.masks[row]).tolist()}
        starts = [start for start in places.hand_places if agrees(dealt_from(turns, start, places), seen)]
        telling = len(starts) == 1 and bool(shown.whole[row].any()) and deal.seen_start[row] == UNKNOWN
        if telling and int(began[row]) not in starts:
            found[row] = starts[0]
    return found


def _without_rack(
    sources: Sources, rows: Ints, by_deal: Bools, began: Ints, cards: Cards, known: Bools, set_known: Bools
) -> None:
    """Hands of the rounds whose rack gives none: as dealt (`by_deal`), else as shown."""
    shown, geometry = sources.shown, sources.terms.geometry
    set_known[rows] = False
    known[rows] = False
    cards[rows] = geometry.nobody
    from_deal = rows[by_deal[rows]]
    if len(from_deal):
        cards[from_deal] = sources.deal.hands(np.maximum(began, 0))[from_deal]
        known[np.ix_(from_deal, geometry.dealt_in)] = True
        # A hand that lies in the rack as one packet after all still shows its setting there.
        for packet in range(geometry.hands):
            alike = geometry.masks_of(cards[from_deal]) == sources.rack.masks[from_deal, packet][:, None]
            which, place = np.nonzero(alike & (sources.rack.whole & sources.counts)[from_deal][:, None])
            row = from_deal[which]
            cards[row, place] = low_first(sources.rack.packets[row, packet], sources.pickup.high_first[row, place])
            set_known[row, place] = ~sources.pickup.unset[row, place]
    which, place = np.nonzero(shown.whole[rows] & ~known[rows])
    at = (rows[which], place)
    cards[at] = shown.cards[at]
    known[at] = True


def _low_differs(sources: Sources, cards: Cards) -> Bools:
    """(n, 7) the low hand has other cards than the one shown."""
    geometry = sources.terms.geometry
    low = np.s_[:, :, : geometry.low]
    return np.asarray(geometry.masks_of(cards[low]) != geometry.masks_of(sources.shown.cards[low]))


def _set_otherwise(sources: Sources, cards: Cards, otherwise: Bools) -> list[Remark]:
    """DEAL-307 where a hand lies in the rack in another setting than it was shown in."""
    shown, low, seats = sources.shown, sources.terms.geometry.low, sources.seats
    remarks = []
    for row, place in np.argwhere(otherwise).tolist():
        against = place == seats.against[row]
        if place and not against and not seats.exposed[row, place]:
            continue
        by_house = not place or (against and bool(seats.house_sets[row]))
        held = cards[row, place].tobytes()
        moved = compare(
            None,
            {(place, 0): (("low", held[:low]), ("high", held[low:]))},
            {(place, 0): ShownHand(shown.cards[row, place].tobytes(), low)},
        )
        remarks.append(
            Remark(
                row,
                moved[0].code,
                f"{listed([difference_in_words(one) for one in moved])}; "
                + ("it counts as the house way sets it" if by_house else "either may be how it was set"),
                sources.terms.law.cites.pickup,
                seat=place or None,
                evidence=(int(sources.batch.shown.seq[shown.index[row, place]]),),
                confidence=min(sources.confidence(row), LIKELY),
                basis=Basis.COMPARED,
            )
        )
    return remarks


def _shown_beside_deal(sources: Sources, cards: Cards, known: Bools, set_known: Bools, lost: Bools) -> list[Remark]:
    """RACK-323 where the deal stands in for the rack and a hand was shown with other cards: which of the two it was
    nothing decides, so it is not known."""
    shown, rows = sources.shown, np.flatnonzero(lost & ~sources.seats.all_void)
    held = sources.terms.geometry.masks_of(cards[rows])
    remarks = []
    for index, place in np.argwhere(known[rows] & ((shown.masks[rows] & ~held) != 0)).tolist():
        row = int(rows[index])
        seq = int(sources.batch.shown.seq[shown.index[row, place]])
        differing = int(shown.masks[row, place])
        remarks.append(
            shown_differs(sources.terms, row, place, differing, int(held[index, place]), seq, sources.confidence(row))
        )
        known[row, place] = set_known[row, place] = False
    return remarks
