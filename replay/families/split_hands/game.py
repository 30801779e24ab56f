"""Hands set as a low and a high hand: what `replay.game` asks of a family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replay.cards.solver.budget import Searches
from replay.checks.misdeal import misdealt
from replay.checks.start import Starts, at_dealers_left, starts_of
from replay.families.split_hands import player_dealer
from replay.families.split_hands.bank_line import bank_unusable
from replay.families.split_hands.case_round import row_of_case
from replay.families.split_hands.deal import AS_FILED, as_delivered, delivered_from_named, read_deals
from replay.families.split_hands.dealt_in import alike, terms_dealt
from replay.families.split_hands.dealt_order import order_as_dealt
from replay.families.split_hands.first_cards import first_dealt
from replay.families.split_hands.hands import Bools, Hands, Sources, read_shown, rebuild, shown_again
from replay.families.split_hands.law import Dealing, Law
from replay.families.split_hands.odd_deals import OddDeals, explain_deals, with_decks
from replay.families.split_hands.odd_racks import (
    Explained,
    explain_odd,
    not_explained_otherwise,
    with_causes,
    with_doubt,
)
from replay.families.split_hands.pickup import pickup_of, racked_by_place, read_racks
from replay.families.split_hands.pickup import problem_with as problem_with_pickup
from replay.families.split_hands.procedure import (
    cards_in_rack_wrong,
    deal_wrong,
    equipment_wrong,
    meters_wrong,
    start_wrong,
    wagers_wrong,
)
from replay.families.split_hands.seats import Seats, seats_of
from replay.families.split_hands.settlement import Settled, settle
from replay.families.split_hands.terms import Terms, problem_with, terms_of
from replay.families.split_hands.views import hand_views, rack_reading, settlement_order
from replay.filing import Filing
from replay.game import Checked, checked_together
from replay.lines import Lines, join_lines
from replay.money.fees import fee_lines, limits_problem, stakes_when_closed
from replay.rounds import UNKNOWN, RoundBatch
from schemas.events import StartMethod
from schemas.places import DEALER

__all__ = ["LAW_TYPE", "check", "check_filing", "cut_rack", "rebuild_hands", "row_of_case"]


LAW_TYPE = Law


def check_filing(filing: Filing) -> str | None:
    """Why the filed options cannot stand together, in words; None if they can."""
    if "schedule" in filing.options:
        filed = filing.number("table_minimum_cents"), filing.number("table_maximum_cents")
        base = terms_of(filing).law.base.name
        problem = limits_problem(player_dealer.schedule_of(filing), base, *filed)
        if problem is not None:
            return problem
    return problem_with(filing) or problem_with_pickup(filing.pickup, terms_of(filing))


def cut_rack(filing: Filing, cards: bytes, dealt: Sequence[bytes]) -> list[int] | None:
    """MA-PGP §2(b)(5): "The cards from one deck only shall be placed in the discard rack at any given time", and they
    are shuffled after each round; a rack that holds several rounds is none of this game."""
    return None


@dataclass(frozen=True)
class Rebuilt:
    """The hands of a batch, and what they were rebuilt from."""

    sources: Sources
    starts: Starts
    mistaken: Bools  # (n,) places got other numbers of cards
    wrong_deal: Bools  # (n,) and the round was not voided
    hands: Hands
    answers: dict[int, Explained]
    odd_deals: OddDeals


def rebuild_hands(
    batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None
) -> Rebuilt:
    """The hands of rounds in which the same places were dealt one."""
    searches = Searches.of_all(len(batch)) if searches is None else searches
    return _rebuilt(batch, filing, terms_dealt(batch, filing), doubted, searches)


def _rebuilt(batch: RoundBatch, filing: Filing, terms: Terms, doubted: bool, searches: Searches) -> Rebuilt:
    seats = seats_of(batch, terms)
    starts = _starts(batch, seats, terms)
    due = np.full(len(batch), UNKNOWN)
    if terms.law.player_dealer is not None:
        due = player_dealer.button_due(seats, starts.presumed, terms)
    button = player_dealer.button_followed(batch, due) if terms.law.player_dealer is not None else None
    pickup = pickup_of(seats, filing.pickup, terms.geometry, button)
    rack, deal, shown = (
        read_racks(batch.rack, pickup),
        read_deals(batch, terms, seats.against),
        read_shown(batch, terms),
    )
    mistaken = misdealt(
        batch,
        deal.hand_counts,
        terms.geometry.cards,
        terms.geometry.stub,
        len(terms.geometry.absent) if terms.to_bettors_only else 0,
    )
    wrong_deal = mistaken & ~seats.all_void
    counts = ~wrong_deal & ~seats.all_void & ~bank_unusable(batch, seats)
    began = np.where(deal.seen_start != UNKNOWN, deal.seen_start, starts.presumed)
    dealt_order = order_as_dealt(pickup, seats, rack, deal, began, counts, terms)
    known, known_order = dealt_order.fits, dealt_order.order
    racked = racked_by_place(rack, pickup, seats, batch.rack, known, known_order, shown.masks, shown.settings, terms)
    odd_deals = explain_deals(batch, deal, rack, racked, began, counts, terms)
    by_named = seats.banked & (terms.dealing is Dealing.HAND)  # any rotation of stacks is in order there
    deal = as_delivered(odd_deals.deal, racked, counts & rack.whole & ~by_named, began, terms)
    deal = delivered_from_named(deal, racked, counts & rack.whole & by_named, began, terms)
    sources = Sources(terms, batch, seats, pickup, dealt_order, rack, deal, shown, began, due, counts)
    hands, answers = explain_odd(sources, rebuild(sources), terms, odd_deals.twice_in_deck, doubted, searches)
    return Rebuilt(sources, starts, mistaken, wrong_deal, hands, answers, odd_deals)


def _starts(batch: RoundBatch, seats: Seats, terms: Terms) -> Starts:
    start, geometry = terms.law.start, terms.geometry
    if terms.begins_left_of_dealer:
        to_the_left = (geometry.ring.clockwise(DEALER, step) for step in range(1, geometry.places + 1))
        return at_dealers_left(len(batch), next(place for place in to_the_left if place in geometry.hand_places))
    filed = StartMethod(terms.starting)
    return starts_of(batch, filed, start.of_number, start.next_button, geometry.places, seats.against)


def check(batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None) -> Checked:
    """Rounds in which other places were dealt a hand are checked apart."""
    searches = Searches.of_all(len(batch)) if searches is None else searches
    groups = [(rows, terms_of(filing, left_out)) for rows, left_out in alike(batch, filing)]
    if len(groups) < 2:
        terms = next((terms for _, terms in groups), terms_of(filing))
        return _check(batch, filing, terms, doubted, searches)
    parts = [_check(batch.take(rows), filing, terms, doubted, searches.take(rows.tolist())) for rows, terms in groups]
    return checked_together(parts, [rows for rows, _ in groups])


def _check(batch: RoundBatch, filing: Filing, terms: Terms, doubted: bool, searches: Searches) -> Checked:
    made = _rebuilt(batch, filing, terms, doubted, searches)
    hands, answers, starts, wrong_deal = made.hands, made.answers, made.starts, made.wrong_deal
    seats, rack, deal = made.sources.seats, made.sources.rack, made.sources.deal
    dealt_from = np.where(hands.start != UNKNOWN, hands.start, made.sources.presumed)
    began = hands.start  # a deal by another method begins wherever that one does
    if terms.begins_left_of_dealer:
        began = np.where(deal.way == AS_FILED, began, UNKNOWN)
    due = made.sources.button_due
    if terms.law.player_dealer is not None:
        due = player_dealer.button_due(seats, dealt_from, terms)
    first = first_dealt(made.sources, hands, dealt_from, made.mistaken)
    settled = settle(batch, seats, hands, terms, due, first)
    cards_wrong = cards_in_rack_wrong(batch, seats, rack, deal, dealt_from, wrong_deal, terms)
    remarks = [
        *wagers_wrong(batch, seats, terms, filing),
        *with_doubt(start_wrong(batch, seats, starts, began, terms), answers, made.sources.presumed),
        *deal_wrong(batch, seats, deal, wrong_deal, hands, terms),
        *with_causes(with_decks(cards_wrong, made.odd_deals.twice_in_deck), answers),
        *not_explained_otherwise(made.odd_deals.remarks, answers),
        *hands.remarks,
        *shown_again(batch, made.sources.shown, terms),
        *settled.remarks,
        *(first.remarks if first is not None else ()),
        *equipment_wrong(batch, terms),
        *meters_wrong(batch, terms),
    ]
    lines, alternatives = settled.lines, settled.alternatives
    if terms.law.player_dealer is not None:
        remarks += player_dealer.button_wrong(batch, settled.short, dealt_from, alternatives, terms)
        lines, alternatives = _with_fees(batch, seats, settled, filing, terms)
    left_open, no_rule = settled.left_open, settled.no_rule
    for row in np.flatnonzero(bank_unusable(batch, seats) & ~seats.all_void).tolist():
        left_open.pop(row, None)  # whatever the hands were
        no_rule[row] = "the filing offers no bank as it was reported, or the reports name two seats as the bank"
    if terms.law.player_dealer is not None:
        for row in np.flatnonzero(~seats.banked & seats.wagered.any(axis=1) & ~seats.all_void).tolist():
            left_open[row] = "nobody is said to be player-dealer, so that nothing tells which hand the others beat"
    return Checked(
        lines,
        remarks,
        left_open,
        no_rule,
        alternatives,
        hands=lambda row: hand_views(row, seats, hands, settled.ranked, terms),
        vigorish=terms.vigorish if terms.takes_vigorish else None,
        vigorish_cite=terms.law.cites.vigorish,
        settlement_order=lambda row: settlement_order(seats, row, terms),
        answers={row: explained.answer for row, explained in answers.items()},
        settled_otherwise=frozenset(row for row, explained in answers.items() if not explained.settles),
        reading=lambda row: rack_reading(row, made.sources, hands, int(dealt_from[row]), terms),
        hands_from=lambda row: made.sources.basis(row, hands),
        also_shown=lambda row, place: made.sources.also_shown(row, place, hands),
        beyond_dispute=lambda row: row not in answers and made.sources.all_agree(row, hands),
        meters=[meter.name for meter in terms.meters],
    )


def _with_fees(
    batch: RoundBatch, seats: Seats, settled: Settled, filing: Filing, terms: Terms
) -> tuple[Lines, dict[int, list[Lines]]]:
    """The lines of each reading with the fees, which are the same in all of them."""
    stakes = stakes_when_closed(seats.wagers)
    base = terms.law.base.name
    names = (base, *(wager.name for wager in terms.law.sides))
    stakes = stakes.where(np.isin(stakes.wager, [batch.name_id(name) for name in names]))
    schedule = player_dealer.schedule_of(filing)
    fees = fee_lines(batch, schedule, stakes, filing.text("drop_box"), (base,))
    several = settled.alternatives
    alone = fees.where(~np.isin(fees.row, np.fromiter(several, np.int64, len(several))))
    with_fees = {
        row: [join_lines([each, fees.where(fees.row == row)]) for each in readings] for row, readings in several.items()
    }
    return join_lines([settled.lines, alone]), with_fees
