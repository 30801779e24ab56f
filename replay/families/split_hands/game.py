"""Hands set as a low and a high hand: what `replay.game` asks of a family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replay.cards.solver.budget import Searches
from replay.checks.misdeal import misdealt
from replay.checks.start import Starts, starts_of
from replay.families.split_hands.case_round import row_of_case
from replay.families.split_hands.deal import as_delivered, read_deals
from replay.families.split_hands.hands import Bools, Hands, Sources, read_shown, rebuild, shown_again
from replay.families.split_hands.law import Dealing, Law
from replay.families.split_hands.odd_deals import OddDeals, explain_deals, with_decks
from replay.families.split_hands.odd_racks import Explained, explain_odd, not_told_otherwise, with_causes, with_doubt
from replay.families.split_hands.pickup import pickup_of, racked_by_place, read_racks
from replay.families.split_hands.pickup import problem_with as problem_with_pickup
from replay.families.split_hands.procedure import (
    cards_in_rack_wrong,
    deal_wrong,
    equipment_wrong,
    start_wrong,
    wagers_wrong,
)
from replay.families.split_hands.seats import Seats, seats_of
from replay.families.split_hands.settlement import settle
from replay.families.split_hands.terms import problem_with, terms_of
from replay.families.split_hands.views import hand_views, rack_reading, settlement_order
from replay.filing import Filing
from replay.game import Checked
from replay.rounds import UNKNOWN, RoundBatch
from schemas.events import StartMethod

__all__ = ["LAW_TYPE", "check", "check_filing", "cut_rack", "rebuild_hands", "row_of_case"]


LAW_TYPE = Law


def check_filing(filing: Filing) -> str | None:
    """Why the filed options cannot stand together, in words; None if they can."""
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
    wrong_deal: Bools  # (n,)
    hands: Hands
    answers: dict[int, Explained]
    odd_deals: OddDeals


def rebuild_hands(
    batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None
) -> Rebuilt:
    searches = Searches.of_all(len(batch)) if searches is None else searches
    terms = terms_of(filing)
    seats = seats_of(batch, terms)
    pickup = pickup_of(seats, filing.pickup, terms.geometry)
    rack, deal, shown = (
        read_racks(batch.rack, pickup),
        read_deals(batch, terms, seats.against),
        read_shown(batch, terms.geometry),
    )
    start = terms.law.start
    filed = StartMethod(terms.starting)
    starts = starts_of(batch, filed, start.of_number, start.next_button, terms.geometry.places, seats.against)
    wrong_deal = misdealt(batch, deal.hand_counts, terms.geometry.cards, terms.geometry.stub) & ~seats.all_void
    counts = ~wrong_deal & ~seats.all_void & ~_bank_not_offered(batch, seats)
    racked = racked_by_place(rack, pickup)
    began = np.where(deal.seen_start != UNKNOWN, deal.seen_start, starts.presumed)
    odd_deals = explain_deals(batch, deal, rack, racked, began, counts, terms)
    by_named = seats.banked & (terms.dealing is Dealing.HAND)  # any rotation of stacks is in order there
    deal = as_delivered(odd_deals.deal, racked, counts & rack.whole & ~by_named, terms)
    sources = Sources(terms, batch, seats, pickup, rack, deal, shown, began, counts)
    hands, answers = explain_odd(sources, rebuild(sources), terms, odd_deals.twice_in_deck, doubted, searches)
    return Rebuilt(sources, starts, wrong_deal, hands, answers, odd_deals)


def check(batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None) -> Checked:
    terms = terms_of(filing)
    made = rebuild_hands(batch, filing, doubted, searches)
    hands, answers, starts, wrong_deal = made.hands, made.answers, made.starts, made.wrong_deal
    seats, rack, deal = made.sources.seats, made.sources.rack, made.sources.deal
    settled = settle(batch, seats, hands, terms)
    dealt_from = np.where(hands.start != UNKNOWN, hands.start, made.sources.presumed)
    cards_wrong = cards_in_rack_wrong(batch, seats, rack, deal, dealt_from, wrong_deal, terms)
    remarks = [
        *wagers_wrong(batch, seats, terms),
        *with_doubt(start_wrong(batch, seats, starts, hands.start, terms), answers, made.sources.presumed),
        *deal_wrong(batch, seats, deal, wrong_deal, hands, terms),
        *with_causes(with_decks(cards_wrong, made.odd_deals.twice_in_deck), answers),
        *not_told_otherwise(made.odd_deals.remarks, answers),
        *hands.remarks,
        *shown_again(batch, made.sources.shown, terms),
        *settled.remarks,
        *equipment_wrong(batch, terms),
    ]
    cannot_tell = settled.needs
    for row in np.flatnonzero(_bank_not_offered(batch, seats) & ~seats.all_void).tolist():
        cannot_tell[row] = f"seat {batch.bank_seat[row]} banked the round, and the filing offers no bank"
    return Checked(
        settled.lines,
        remarks,
        cannot_tell,
        settled.alternatives,
        hands=lambda row: hand_views(row, seats, hands, settled.ranked, terms),
        vigorish=terms.vigorish,
        vigorish_cite=terms.law.cites.vigorish,
        settlement_order=lambda row: settlement_order(seats, row, terms),
        answers={row: explained.answer for row, explained in answers.items()},
        settled_otherwise=frozenset(row for row, explained in answers.items() if not explained.settles),
        reading=lambda row: rack_reading(row, made.sources, hands, int(dealt_from[row]), terms),
        hands_from=lambda row: made.sources.basis(row, hands),
        also_shown=lambda row, place: made.sources.also_shown(row, place, hands),
    )


def _bank_not_offered(batch: RoundBatch, seats: Seats) -> Bools:
    return np.asarray((batch.bank_seat > 0) & ~seats.banked)
