"""Massachusetts Pai Gow Poker: what `replay.game` asks of a pack."""

from __future__ import annotations

import numpy as np

from replay.filing import Filing
from replay.game import Checked
from replay.packs.ma.pai_gow_poker import rules
from replay.packs.ma.pai_gow_poker.case_round import row_of_case
from replay.packs.ma.pai_gow_poker.deal import read_deals
from replay.packs.ma.pai_gow_poker.hands import Sources, read_shown, rebuild
from replay.packs.ma.pai_gow_poker.pickup import read_racks
from replay.packs.ma.pai_gow_poker.procedure import (
    card_remarks,
    deal_remarks,
    equipment_remarks,
    misdealt,
    start_remarks,
    starts_of,
    wager_remarks,
)
from replay.packs.ma.pai_gow_poker.seats import seats_of
from replay.packs.ma.pai_gow_poker.settlement import settle
from replay.packs.ma.pai_gow_poker.terms import problem_with, terms_of
from replay.packs.ma.pai_gow_poker.views import hand_views, settlement_order
from replay.rounds import UNKNOWN, RoundBatch

__all__ = ["check", "check_filing", "row_of_case"]


def check_filing(filing: Filing) -> str | None:
    """Why the filed options cannot stand together, in words; None if they can."""
    return problem_with(filing)


def check(batch: RoundBatch, filing: Filing) -> Checked:
    terms = terms_of(filing)
    seats = seats_of(batch, terms)
    rack, deal, shown = read_racks(batch.rack), read_deals(batch, terms.dealing), read_shown(batch)
    starts = starts_of(batch, terms)
    wrong_deal = misdealt(batch, deal, seats)
    banked = batch.bank_seat > 0
    counts = ~wrong_deal & ~seats.all_void & ~banked
    began = np.where(deal.seen_start != UNKNOWN, deal.seen_start, starts.presumed)
    hands = rebuild(Sources(batch, seats, rack, deal, shown, began, counts))
    settled = settle(batch, seats, hands, terms)
    remarks = [
        *wager_remarks(batch, seats, terms),
        *start_remarks(batch, seats, starts, hands.start),
        *deal_remarks(batch, seats, deal, wrong_deal, terms),
        *card_remarks(batch, seats, rack, deal, np.where(hands.start != UNKNOWN, hands.start, began), wrong_deal),
        *hands.remarks,
        *settled.remarks,
        *equipment_remarks(batch, terms),
    ]
    cannot_tell = settled.needs
    for row in np.flatnonzero(banked & ~seats.all_void).tolist():
        cannot_tell[row] = f"seat {batch.bank_seat[row]} banked the round, and the filing offers no bank"
    return Checked(
        settled.lines,
        remarks,
        cannot_tell,
        settled.alternatives,
        hands=lambda row: hand_views(row, seats, hands, settled.ranked),
        vigorish=lambda won: rules.vigorish(won, terms.vigorish_rounding),
        vigorish_cite=rules.VIGORISH,
        settlement_order=lambda row: settlement_order(seats, row, terms),
    )
