"""The family of poker with a board: its interface (see `replay.game`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from replay.cards.solver.budget import Searches
from replay.families.board import views
from replay.families.board.case_round import row_of_case
from replay.families.board.fees import pot_fees
from replay.families.board.hands import Hands
from replay.families.board.law import Law
from replay.families.board.odd_racks import Explained, explain_odd_racks
from replay.families.board.pickup import problem_with
from replay.families.board.procedure import procedure_remarks
from replay.families.board.rounds_read import read_rounds
from replay.families.board.settlement import pot_lines, pots_of_rounds
from replay.families.board.terms import blinds_problem, terms_of
from replay.filing import Filing
from replay.game import Checked
from replay.lines import join_lines
from replay.rounds import RoundBatch, RoundFlag
from schemas.findings import Basis

__all__ = ["LAW_TYPE", "check", "check_filing", "cut_rack", "row_of_case"]

LAW_TYPE = Law


def check_filing(filing: Filing) -> str | None:
    """What is wrong with the options taken together; None if nothing is."""
    return problem_with(filing.pickup) or blinds_problem(filing)


def cut_rack(filing: Filing, cards: bytes, dealt: Sequence[bytes]) -> list[int] | None:
    """One deck is in the rack whole after every round: several scanned together are cut deck by deck."""
    size = filing.pack.deck.size
    return [size] * len(dealt) if len(cards) == size * len(dealt) else None


def check(batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None) -> Checked:
    """All rounds of `batch` were played under `filing`."""
    terms = terms_of(filing)
    searches = Searches.of_all(len(batch)) if searches is None else searches
    void = batch.has(RoundFlag.VOIDED).tolist()
    hands = Hands(batch, read_rounds(batch, terms), terms)
    explained = Explained() if not any(read.odd for read in hands.read) else explain_odd_racks(hands, searches)
    lines, several = pot_lines(batch, hands, void)
    fees = pot_fees(batch, filing, hands)
    alternatives = {
        row: [join_lines([one, fees.where(fees.row == row)]) for one in readings] for row, readings in several.items()
    }
    if alternatives:
        fees = fees.where(~np.isin(fees.row, list(alternatives)))
    remarks = [remark for remark in explained.remarks if not void[remark.row]]
    return Checked(
        join_lines([lines, fees]),
        [*remarks, *procedure_remarks(batch, hands, void)],
        {row: why for row in range(len(batch)) if not void[row] and (why := _left_open(hands, row))},
        alternatives=alternatives,
        hands=lambda row: views.hands_view(hands, row),
        settlement_order=lambda row: views.order_view(hands, row),
        answers=explained.answers,
        settled_otherwise=frozenset(explained.settled_otherwise),
        reading=lambda row: views.rack_reading(hands, row, filing) if hands.read[row].reported.hand.seats else None,
        hands_from=lambda row: _basis(hands, row),
        also_shown=lambda row, place: place in hands.read[row].reported.shown,
        beyond_dispute=lambda row: True,
        pots=pots_of_rounds(hands, void),
    )


def _left_open(hands: Hands, row: int) -> str:
    read = hands.read[row]
    return read.why_not or read.reported.hand.unsure


def _basis(hands: Hands, row: int) -> Basis:
    return hands.read[row].basis
