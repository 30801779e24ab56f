"""Three cards each against a player-dealer: what `replay.game` asks of a family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from replay.cards.explained_racks import Explained, with_causes
from replay.cards.solver.budget import Searches
from replay.families.three_card.case_round import row_of_case
from replay.families.three_card.deal import problem_with as problem_with_dealing
from replay.families.three_card.hands import BASES, Hands, Sources, hands_of, in_columns, rebuild_round, sources_of
from replay.families.three_card.law import Law
from replay.families.three_card.odd_racks import explain_odd
from replay.families.three_card.pickup import problem_with as problem_with_pickup
from replay.families.three_card.procedure import (
    button_wrong,
    cards_in_rack_wrong,
    deal_wrong,
    shuffle_wrong,
    wagers_wrong,
)
from replay.families.three_card.seats import OTHER, PLAY, seats_of
from replay.families.three_card.settlement import settle
from replay.families.three_card.terms import Terms, problem_with, terms_of
from replay.families.three_card.views import hand_views, rack_reading, settlement_order
from replay.filing import Filing
from replay.game import Checked
from replay.lines import Lines, join_lines
from replay.money.fees import fee_lines, stakes_when_closed
from replay.remarks import Remark
from replay.rounds import RoundBatch
from schemas.findings import Basis

__all__ = ["LAW_TYPE", "check", "check_filing", "cut_rack", "rebuild_hands", "row_of_case"]

LAW_TYPE = Law


def check_filing(filing: Filing) -> str | None:
    """Why the filed options cannot stand together, in words; None if they can."""
    terms = terms_of(filing)
    return problem_with(filing) or problem_with_dealing(terms.method) or problem_with_pickup(filing.pickup, terms)


def cut_rack(filing: Filing, cards: bytes, dealt: Sequence[bytes]) -> list[int] | None:
    """All decks go into the rack and are shuffled after each round; a rack that holds several rounds is none of this
    game."""
    return None


@dataclass(frozen=True)
class Rebuilt:
    """The hands of a batch, and what they were rebuilt from."""

    sources: Sources
    hands: Hands
    remarks: list[Remark]
    answers: dict[int, Explained]


def rebuild_hands(
    batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None
) -> Rebuilt:
    searches = Searches.of_all(len(batch)) if searches is None else searches
    terms = terms_of(filing)
    sources = sources_of(batch, seats_of(batch, terms), terms)
    cards, basis, taken = in_columns(sources, doubted)
    odd = {row: rebuild_round(sources, row) for row in np.flatnonzero(~taken).tolist()}
    odd, answers = explain_odd(sources, odd, doubted, searches)
    remarks = [remark for one in odd.values() for remark in one.remarks]
    hands = replace(hands_of(sources, cards, basis, odd), all_alike=taken)
    return Rebuilt(sources, hands, remarks, answers)


def check(batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None) -> Checked:
    """All rounds of `batch` were played under `filing`."""
    terms = terms_of(filing)
    made = rebuild_hands(batch, filing, doubted, searches)
    sources, hands = made.sources, made.hands
    settled = settle(sources, hands)
    fees = _fees(sources, terms)
    short = {one.row: one for one in settled.short}
    remarks = [
        *wagers_wrong(sources),
        *shuffle_wrong(sources),
        *deal_wrong(sources, hands),
        *with_causes(cards_in_rack_wrong(sources), made.answers),
        *made.remarks,
        *button_wrong(sources, hands, settled.short, settled.seats_due),
    ]

    def basis(row: int) -> Basis:
        return BASES[int(hands.basis[row])]

    return Checked(
        join_lines([settled.lines, fees.where(~np.isin(fees.row, list(settled.alternatives)))]),
        remarks,
        settled.left_open,
        settled.no_rule,
        {
            row: [join_lines([lines, fees.where(fees.row == row)]) for lines in readings]
            for row, readings in settled.alternatives.items()
        },
        hands=lambda row: hand_views(row, sources, hands, settled.ranked),
        settlement_order=lambda row: settlement_order(row, sources, short.get(row)),
        answers={row: explained.answer for row, explained in made.answers.items()},
        settled_otherwise=frozenset(row for row, explained in made.answers.items() if not explained.settles),
        reading=lambda row: rack_reading(row, sources, hands),
        hands_from=basis,
        beyond_dispute=lambda row: bool(hands.all_alike[row]) and basis(row) is Basis.DEAL_AND_RACK,
    )


def _fees(sources: Sources, terms: Terms) -> Lines:
    """On what was wagered when the fee is taken: a play wager counts only where it can stand by then (R-41)."""
    seats, law = sources.seats, terms.law
    stakes = stakes_when_closed(seats.wagers)
    counted = np.ones(len(stakes.row), bool)
    counted[: len(seats.wagers)] = (seats.kind != OTHER) & (seats.kind != PLAY)
    if law.counts_for_fees(terms.schedule.moment):
        counted[: len(seats.wagers)] |= (seats.kind == PLAY) & ~seats.folded_first
    placed = sources.batch.bets_closed_seq.astype(np.int64)
    plays = counted[: len(seats.wagers)] & (seats.kind == PLAY)
    np.maximum.at(placed, seats.wagers.row[plays], seats.wagers.placed_seq[plays])
    return fee_lines(sources.batch, terms.schedule, stakes.where(counted), terms.drop_box, placed=placed)
