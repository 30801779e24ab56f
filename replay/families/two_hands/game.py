"""The family of two community hands, a Player and a Banker hand: its interface (see `replay.game`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replay.cards.reading import RackReading
from replay.cards.solver.budget import Searches
from replay.checks.bank_turns import bank_turns
from replay.checks.deck import deck_remarks
from replay.checks.wagers import late_wagers, wagers_not_offered, wagers_outside_limits
from replay.families.two_hands import views
from replay.families.two_hands.button import action_button
from replay.families.two_hands.case_round import row_of_case
from replay.families.two_hands.cutting import cut
from replay.families.two_hands.every_reading import Settlements, alternatives, settle_every_reading
from replay.families.two_hands.hands import Hands, basis, reconstruct
from replay.families.two_hands.law import Law
from replay.families.two_hands.limits import bounds_of, table_limits_problem
from replay.families.two_hands.pickup import problem_with
from replay.families.two_hands.settled_as import SettledAs
from replay.families.two_hands.terms import Terms, terms_of
from replay.families.two_hands.third_cards import third_cards
from replay.filing import FeeSchedule, Filing
from replay.game import Checked, HandView
from replay.lines import Lines, join_lines
from replay.money.bets import UNKNOWN_KIND, Bets, Voids, bets_of, closing_seq, kinds_of, voids_of
from replay.money.fees import deal_begun, fee_lines, stakes_when_closed
from replay.money.wagers import LateEvent, Wagers, resolve_wagers
from replay.remarks import Remark
from replay.rounds import Fact, Ints, RoundBatch
from schemas.findings import Basis

__all__ = ["LAW_TYPE", "check", "check_filing", "cut_rack", "rebuild_hands", "row_of_case"]

LAW_TYPE = Law
"""What such a game asks of its pack: `LAW` in rules.py."""


def check_filing(filing: Filing) -> str | None:
    """What is wrong with the options taken together; None if nothing is."""
    terms = terms_of(filing)
    limits = table_limits_problem(filing, _schedule(filing), terms.law)
    return limits or terms.dealing_problem or problem_with(filing.pickup)


def cut_rack(filing: Filing, cards: bytes, dealt: Sequence[bytes]) -> list[int] | None:
    """How many of the cards scanned after several rounds each of them put in."""
    terms = terms_of(filing)
    return cut(cards, dealt, terms.banker_first, terms.drawing)


@dataclass(frozen=True)
class Rebuilt:
    """The hands of a batch, and who bet on them."""

    terms: Terms
    voids: Voids
    closed: Ints  # (n,) when betting closed
    wagers: Wagers
    bets: Bets
    hands: Hands


def rebuild_hands(
    batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None
) -> Rebuilt:
    terms = terms_of(filing)
    searches = Searches.of_all(len(batch)) if searches is None else searches
    voids = voids_of(batch)
    closed = closing_seq(batch)
    wagers = resolve_wagers(batch, closing_seq=closed)
    bets = bets_of(batch, wagers, voids, terms.law.kinds)
    wagered = np.zeros(len(batch), dtype=bool)
    wagered[bets.row] = True
    reports = SettledAs(batch, bets, terms)
    hands = reconstruct(batch, wagered, voids.rounds, terms, reports.of, searches, doubted)
    return Rebuilt(terms, voids, closed, wagers, bets, hands)


def check(batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None) -> Checked:
    """All rounds of `batch` were played under `filing`."""
    made = rebuild_hands(batch, filing, doubted, searches)
    terms, hands = made.terms, made.hands
    settled = settle_every_reading(batch, made.bets, hands, terms)
    fees = _fees(batch, filing, made)
    lines = join_lines([settled.first.lines, fees])
    by_reading = alternatives(lines, settled, fees, hands)
    if by_reading:
        lines = lines.where(~np.isin(lines.row, list(by_reading)))
    # Cover runs out and there is no seat to count the button from: what each wager should come to cannot be known.
    nobody_knows = (lines.kind == Fact.SETTLED) & (lines.by_reports == 0) & np.isin(lines.row, list(settled.bad_bank))
    short = {round_.row: round_ for round_ in settled.first.short}

    def hands_of(row: int) -> list[HandView]:
        return views.hands_view(hands, row, terms)

    def order_of(row: int) -> str:
        return views.order_view(short.get(row), int(batch.bank_posted_cents[row]), terms)

    def reading_of(row: int) -> RackReading:
        return views.rack_reading(batch, row, hands, terms)

    return Checked(
        lines.opened(nobody_knows) if settled.bad_bank else lines,
        _remarks(batch, filing, made, settled),
        {row: why for row, why in hands.why_not.items() if row not in settled.bad_bank},
        {row: _nowhere_to_count_from(batch, row, terms) for row in sorted(settled.bad_bank)},
        by_reading,
        hands_of,
        settlement_order=order_of,
        answers=hands.answers,
        reading=reading_of,
        hands_from=lambda row: basis(hands, row),
        beyond_dispute=lambda row: row not in hands.answers and basis(hands, row) is Basis.DEAL_AND_RACK,
    )


def _fees(batch: RoundBatch, filing: Filing, made: Rebuilt) -> Lines:
    stakes = stakes_when_closed(made.wagers)
    offered = kinds_of(batch, stakes.wager, made.terms.law.kinds) != UNKNOWN_KIND
    return fee_lines(batch, _schedule(filing), stakes.where(offered), filing.text("drop_box"))


def _remarks(batch: RoundBatch, filing: Filing, made: Rebuilt, settled: Settlements) -> list[Remark]:
    terms, voids, wagers, bets, hands = made.terms, made.voids, made.wagers, made.bets, made.hands
    law = terms.law

    def given_back(event: LateEvent) -> bool:
        return bool(voids.rounds[event.row]) or (event.row, event.seat) in voids.seats

    return [
        *hands.remarks,
        *deck_remarks(batch, law.deck),
        *third_cards(batch, hands, bets, voids, law.drawing),
        *late_wagers(batch, wagers, deal_begun(batch), made.closed, given_back, law.titles, law.late),
        *wagers_outside_limits(batch, wagers, bounds_of(filing, _schedule(filing), law), law.titles),
        *wagers_not_offered(batch, wagers, bets.kind == UNKNOWN_KIND, terms.seats, law.titles, law.offered),
        *action_button(batch, hands, settled.button_wrong, settled.first.short, voids, terms),
        *bank_turns(batch, law.bank_turns),
    ]


def _nowhere_to_count_from(batch: RoundBatch, row: int, terms: Terms) -> str:
    return f"seat {batch.bank_seat[row]} has the bank, and the table has {terms.seats} seats to count from"


def _schedule(filing: Filing) -> FeeSchedule:
    return filing.pack.fees[filing.text("schedule")]
