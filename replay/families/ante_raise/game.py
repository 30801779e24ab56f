"""Ante, raise or fold, and two hands against the dealer's: what `replay.game` asks of a family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from replay.cards.explained_racks import Explained, with_causes
from replay.cards.solver.budget import Searches
from replay.families.ante_raise.case_round import row_of_case
from replay.families.ante_raise.hands import Hands, Round, Sources, all_shown, hands_of, rebuild_round, sources_of
from replay.families.ante_raise.in_order import InOrder, in_order, nothing_in_order
from replay.families.ante_raise.law import Law
from replay.families.ante_raise.odd_racks import explain_odd
from replay.families.ante_raise.pickup import problem_with as problem_with_pickup
from replay.families.ante_raise.procedure import cards_in_rack_wrong, deal_wrong, meters_wrong, wagers_wrong
from replay.families.ante_raise.seats import seats_of
from replay.families.ante_raise.settlement import settle
from replay.families.ante_raise.terms import problem_with, terms_of
from replay.families.ante_raise.views import hand_views, rack_reading, settlement_order
from replay.filing import Filing
from replay.game import Checked
from replay.remarks import Remark
from replay.rounds import RoundBatch
from schemas.findings import Basis

__all__ = ["LAW_TYPE", "check", "check_filing", "cut_rack", "rebuild_hands", "row_of_case"]

LAW_TYPE = Law


def check_filing(filing: Filing) -> str | None:
    """Why the filed options cannot stand together, in words; None if they can."""
    return problem_with(filing) or problem_with_pickup(filing.pickup, terms_of(filing))


def cut_rack(filing: Filing, cards: bytes, dealt: Sequence[bytes]) -> list[int] | None:
    """The whole deck goes into the rack and is shuffled after each round; a rack that holds several rounds is none of
    this game."""
    return None


@dataclass(frozen=True)
class Rebuilt:
    """The hands of a batch, and what they were rebuilt from."""

    sources: Sources
    plain: InOrder
    rounds: Mapping[int, Round]  # that are not in order
    hands: Hands
    remarks: list[Remark]
    answers: dict[int, Explained]

    def all_agree(self, row: int) -> bool:
        """Whether every witness saw the same hands."""
        return bool(self.plain.dealt[row]) and all_shown(self.sources, self.hands, row)

    def basis(self, row: int) -> Basis:
        """What gave the hands of a round."""
        if row in self.rounds:
            return self.rounds[row].basis
        return Basis.DEAL_AND_RACK if self.plain.dealt[row] else Basis.RACK


def rebuild_hands(
    batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None
) -> Rebuilt:
    searches = Searches.of_all(len(batch)) if searches is None else searches
    terms = terms_of(filing)
    seats = seats_of(batch, terms)
    plain = nothing_in_order(batch, terms) if doubted else in_order(batch, seats, filing.pickup, terms)
    rows = np.flatnonzero(~plain.rows)
    sources = sources_of(batch, seats, filing.pickup, terms, rows)
    one_by_one = {row: rebuild_round(sources, row) for row in rows.tolist()}
    rounds, answers = explain_odd(sources, one_by_one, doubted, searches)
    others, remarks = hands_of(sources, [one.readings for one in rounds.values()], rows.tolist())
    hands, said = plain.hands.with_rounds(rows, others), [said for one in rounds.values() for said in one.remarks]
    return Rebuilt(sources, plain, rounds, hands, [*said, *remarks], answers)


def check(batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None) -> Checked:
    """All rounds of `batch` were played under `filing`."""
    terms = terms_of(filing)
    made = rebuild_hands(batch, filing, doubted, searches)
    sources, hands = made.sources, made.hands
    settled = settle(batch, sources.seats, hands, terms)
    remarks = [
        *wagers_wrong(sources, made.plain),
        *deal_wrong(sources, hands, made.plain.rows),
        *with_causes(cards_in_rack_wrong(sources, made.plain.rows), made.answers),
        *made.remarks,
        *settled.remarks,
        *meters_wrong(sources),
    ]
    return Checked(
        settled.lines,
        remarks,
        settled.left_open,
        settled.no_rule,
        settled.alternatives,
        hands=lambda row: hand_views(row, sources, hands, settled.dealers, settled.fared),
        settlement_order=lambda row: settlement_order(row, sources),
        answers={row: explained.answer for row, explained in made.answers.items()},
        settled_otherwise=frozenset(row for row, explained in made.answers.items() if not explained.settles),
        reading=lambda row: rack_reading(row, sources, hands),
        hands_from=made.basis,
        beyond_dispute=made.all_agree,
        also_shown=lambda row, place: bool(hands.shown_set[row, place]),
        meters=[meter.name for meter in terms_of(filing).meters],
    )
