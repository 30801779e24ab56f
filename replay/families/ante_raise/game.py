"""Ante, raise or fold, and two hands against the dealer's: what `replay.game` asks of a family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from replay.cards.solver.budget import Searches
from replay.families.ante_raise.case_round import row_of_case
from replay.families.ante_raise.hands import Hands, Round, Sources, hands_of, rebuild_round, sources_of
from replay.families.ante_raise.law import Law
from replay.families.ante_raise.odd_racks import Explained, explain_odd, with_causes
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
    rounds: Sequence[Round]
    hands: Hands
    remarks: list[Remark]
    answers: dict[int, Explained]


def rebuild_hands(
    batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None
) -> Rebuilt:
    searches = Searches.of_all(len(batch)) if searches is None else searches
    terms = terms_of(filing)
    sources = sources_of(batch, seats_of(batch, terms), filing.pickup, terms)
    rounds, answers = explain_odd(
        sources, [rebuild_round(sources, row) for row in range(len(batch))], doubted, searches
    )
    hands, remarks = hands_of(sources, [one.readings for one in rounds], range(len(batch)))
    return Rebuilt(sources, rounds, hands, [*(said for one in rounds for said in one.remarks), *remarks], answers)


def check(batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None) -> Checked:
    """All rounds of `batch` were played under `filing`."""
    terms = terms_of(filing)
    made = rebuild_hands(batch, filing, doubted, searches)
    sources, hands, rounds = made.sources, made.hands, made.rounds
    settled = settle(batch, sources.seats, hands, terms)
    remarks = [
        *wagers_wrong(sources),
        *deal_wrong(sources, hands),
        *with_causes(cards_in_rack_wrong(sources), made.answers),
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
        hands_from=lambda row: rounds[row].basis,
        also_shown=lambda row, place: bool(hands.shown_set[row, place]),
        meters=[meter.name for meter in terms_of(filing).meters],
    )
