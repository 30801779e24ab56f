"""What was not done as the rules say: the checks of `replay.checks`, put to this family's rounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.seen import deal_events
from replay.checks.deck import deck_remarks
from replay.checks.hand_sizes import sizes_wrong
from replay.checks.meters import StepLaw, step_remarks
from replay.checks.misdeal import FEW_HANDS
from replay.checks.rack import cards_wrong, unread
from replay.checks.raises import Multiples, folded_and_raised, raises_out_of_turn, wrong_raises
from replay.checks.wagers import (
    Bound,
    Bounds,
    at_stake,
    given_back_by_a_void,
    late_wagers,
    wagers_not_offered,
    wagers_outside_limits,
    wagers_without_base,
)
from replay.families.ante_raise.deal import NO_WAY, OTHER_DIRECTION
from replay.families.ante_raise.hands import Hands, Sources
from replay.families.ante_raise.in_order import InOrder
from replay.families.ante_raise.seats import ANTE, OTHER, RAISE, dealer_shown_seq, side_kind
from replay.families.ante_raise.terms import Terms
from replay.naming import set_of
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Ints, RoundFlag
from schemas.findings import LIKELY, Basis
from schemas.plurals import counted

Bools = npt.NDArray[np.bool_]


def wagers_wrong(sources: Sources, plain: InOrder) -> list[Remark]:
    batch, seats, terms = sources.batch, sources.seats, sources.terms
    law, wagers, titles = terms.law, seats.wagers, terms.law.titles
    never, closed = np.full(len(batch), UNKNOWN), batch.bets_closed_seq.astype(np.int64)
    alone = (seats.at > 0) & ~seats.ante[wagers.row, seats.at]
    remarks = [
        *late_wagers(batch, wagers, never, closed, given_back_by_a_void(batch), titles, law.late),
        *wagers_outside_limits(batch, wagers, _bounds(terms), titles),
        *wagers_not_offered(batch, wagers, seats.kind == OTHER, terms.ring.seats, titles, law.offered),
        *wagers_without_base(batch, wagers, alone & (seats.kind == RAISE), law.ante, titles, law.raised.moment),
    ]
    for number, side in enumerate(terms.sides):
        mine = alone & (seats.kind == side_kind(number))
        remarks += wagers_without_base(batch, wagers, mine, law.ante, titles, side.law.needs)
    return [*remarks, *_raises_wrong(sources, plain)]


def _bounds(terms: Terms) -> dict[str, Bounds]:
    """The limits of the wagers that are offered."""
    filed = {terms.law.ante: (terms.table_limits_cents, terms.law.cites.table_limits)}
    filed |= {side.name: (side.limits_cents, side.law.limits) for side in terms.sides}
    return {
        name: Bounds(*(Bound(cents, "filed for this table", citation) for cents in limits))
        for name, (limits, citation) in filed.items()
    }


def _raises_wrong(sources: Sources, plain: InOrder) -> list[Remark]:
    batch, seats, terms = sources.batch, sources.seats, sources.terms
    wagers, law = seats.wagers, terms.law.raised
    raises = np.flatnonzero((seats.kind == RAISE) & (seats.at > 0) & seats.ante[wagers.row, seats.at])
    raises = raises[~seats.all_void[wagers.row[raises]]]
    antes = np.flatnonzero((seats.kind == ANTE) & (seats.at > 0))
    ante = np.zeros((len(batch), terms.places), np.int64)
    ante[wagers.row[antes], seats.at[antes]] = wagers.amount[antes]
    over, when = _raising_over(sources, plain)
    raised_seq = np.where(seats.raise_stands & ~seats.all_void[:, None], seats.raised_seq, np.iinfo(np.int64).max)
    multiples = Multiples(law.least, law.most, terms.whole_multiples, law.multiple)
    return [
        *wrong_raises(batch, wagers, raises, ante[wagers.row[raises], seats.at[raises]], multiples),
        *raises_out_of_turn(batch, wagers, raises, _too_early(sources, raises), over, when, law.moment),
        *folded_and_raised(batch, seats.folded_seq, raised_seq, law.name, law.moment),
    ]


def _too_early(sources: Sources, raises: Ints) -> Bools:
    """Of these raises, those placed before betting closed or the first card was dealt. A device that says all cards at
    once says them after the fact."""
    batch, seats, cards = sources.batch, sources.seats, sources.terms.law.cards
    row, seq = seats.wagers.row[raises], seats.wagers.placed_seq[raises]
    dealt_first = cards.first * seats.dealt_in.sum(axis=1) + cards.dealer
    first, closed = batch.first_card_seq.astype(np.int64), batch.bets_closed_seq.astype(np.int64)
    first = np.where(batch.first_card_count <= dealt_first, first, UNKNOWN)
    return np.asarray(((closed[row] != UNKNOWN) & (seq < closed[row])) | ((first[row] != UNKNOWN) & (seq < first[row])))


def _raising_over(sources: Sources, plain: InOrder) -> tuple[Ints, npt.NDArray[np.object_]]:
    """(n,) from which event on nobody may raise, UNKNOWN where nothing says: the dealer's hand is shown, or the last of
    the cards are dealt, which those who raise get afterwards; and what had happened then."""
    batch, terms = sources.batch, sources.terms
    shown = dealer_shown_seq(batch)
    over, when = shown.copy(), np.full(len(batch), "the dealer's hand was shown", object)
    due = sources.seats.sizes.sum(axis=1)
    more = (sources.seats.sizes == terms.law.cards.whole).any(axis=1)
    whole = plain.dealt.copy()
    for row in np.flatnonzero(~plain.rows).tolist():
        deal = sources.deals[row]
        whole[row] = deal.read and deal.count == due[row]
    last = batch.last_card_seq.astype(np.int64)
    dealt = whole & more & (last != UNKNOWN) & (last > batch.first_card_seq)
    earlier = dealt & ((over == UNKNOWN) | (last < over))
    over[earlier], when[earlier] = last[earlier], "the last cards were dealt"
    return over, when


def meters_wrong(sources: Sources) -> list[Remark]:
    """METER-101, -102 and -108 to -110: what is said of the meters themselves."""
    laws = [side.meters for side in sources.terms.sides if side.meters is not None]
    return [
        remark
        for law in laws
        for remark in step_remarks(
            sources.batch, law.meters, StepLaw(law.least_seed_cents, law.seed, moves=law.contribution)
        )
    ]


def deal_wrong(sources: Sources, hands: Hands, in_order: Bools) -> list[Remark]:
    batch, seats, terms = sources.batch, sources.seats, sources.terms
    cites, cards, remarks = terms.law.cites, terms.law.cards, list[Remark]()
    live = ~seats.all_void
    held = np.where(live[:, None], hands.count[: len(batch)], 0)
    seen = np.zeros_like(held)
    for row in np.flatnonzero(live & ~in_order).tolist():
        deal = sources.deals[row]
        if deal.seen:
            seen[row] = [len(deal.ways[0].by_place.get(place, b"")) for place in range(terms.places)]
        elif deal.count != UNKNOWN and deal.count != sum(sources.due(row)) and not sources.sizes(row):
            said = f"{counted(deal.count, 'card')} were dealt instead of {sum(sources.due(row))}, and the round was "
            said += f"played on; {at_stake(seats.wagers, row)}"
            remarks.append(
                Remark(row, "DEAL-301", said, cites.more_cards, evidence=deal_events(batch, row), basis=Basis.DEAL)
            )
        remarks += _delivered_otherwise(sources, hands, row)
    held = np.where(seats.of_either_size, 0, np.where(seen > 0, seen, held))
    return [
        *remarks,
        *sizes_wrong(batch, held, seats.sizes, (cards.first, cards.whole), cites.more_cards, cites.dealt),
    ]


def _delivered_otherwise(sources: Sources, hands: Hands, row: int) -> list[Remark]:
    """DEAL-305, -310."""
    deal = sources.deals[row]
    if not deal.read:
        return []
    if deal.seen:
        way, by = deal.ways[0].way, "as a device saw them go"
    else:
        counts = enumerate(hands.count[row].tolist())
        went = deal.of({place: hands.cards[row, place, :count].tobytes() for place, count in counts if count})
        way, by = (0 if went is None else went.way), "as the rack gives every place exactly its hand"
    if way not in (OTHER_DIRECTION, NO_WAY):
        return []
    stake = at_stake(sources.seats.wagers, row)
    round_ = "the other way round the table" if way == OTHER_DIRECTION else "not to the places in the order filed"
    bettors = int(np.count_nonzero(sources.seats.sizes[row, 1:]))
    as_exchanged = way == OTHER_DIRECTION and not deal.seen and bettors <= FEW_HANDS
    or_exchanged = ", or two hands changed places after the deal" if as_exchanged else ""
    return [
        Remark(
            row,
            "DEAL-305" if way == OTHER_DIRECTION else "DEAL-310",
            f"the cards were dealt {round_} ({sources.terms.method.title}), {by}{or_exchanged}: "
            f"the round was played on; {stake}",
            sources.terms.law.cites.delivery,
            evidence=deal_events(sources.batch, row),
            confidence=LIKELY if way == NO_WAY or as_exchanged else 1.0,
            basis=Basis.DEAL if deal.seen else Basis.COMPARED,
        )
    ]


def cards_in_rack_wrong(sources: Sources, in_order: Bools) -> list[Remark]:
    """CARD-311, -312, -313 for racks that are not the deck; RACK-322 where neither rack nor deal was read; CARD-314 to
    -316 for what the deck's earlier rounds have against it."""
    batch, seats, terms = sources.batch, sources.seats, sources.terms
    cites = terms.law.cites
    counted_right = batch.stub_count == terms.deck_size - seats.sizes.sum(axis=1)
    remarks = deck_remarks(batch, cites.one_deck, counted_right)
    for row in np.flatnonzero(~seats.all_void & ~in_order).tolist():
        if batch.rack.counts[row]:
            if not sources.whole(row):
                remarks += cards_wrong(batch, row, _dealt_sets(sources, row), terms.deck_size, cites.one_deck)
        elif not batch.dealt.counts[row] and seats.wagered[row].any() and not batch.flags[row] & RoundFlag.RACK_UNCUT:
            remarks.append(unread(row, at_stake(seats.wagers, row), cites.pickup))
    return remarks


def _dealt_sets(sources: Sources, row: int) -> Sequence[int]:
    """The set of cards dealt to each place, nothing where the deal was not read."""
    deal = sources.deals[row]
    if not deal.read:
        return []
    return [set_of(deal.ways[0].by_place.get(place, b"")) for place in range(sources.terms.places)]
