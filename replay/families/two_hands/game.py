"""The family of two community hands, a Player and a Banker hand: its interface (see `replay.game`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replay.cards.reading import RackReading
from replay.cards.solver.budget import Searches
from replay.checks.bank_turns import bank_turns
from replay.checks.deck import deck_remarks
from replay.checks.player_dealer_wagers import late_wagers, wagers_not_offered, wagers_outside_limits
from replay.families.two_hands import views
from replay.families.two_hands.bets import UNKNOWN_KIND, Bets, Voids, bets_of, closing_seq, kinds_of, voids_of
from replay.families.two_hands.button import action_button
from replay.families.two_hands.case_round import row_of_case
from replay.families.two_hands.cutting import cut
from replay.families.two_hands.hands import Hands, basis, reconstruct
from replay.families.two_hands.law import Law
from replay.families.two_hands.limits import bounds_of
from replay.families.two_hands.pickup import problem_with
from replay.families.two_hands.settled_as import SettledAs
from replay.families.two_hands.settlement import Settlement, pay_table, settle
from replay.families.two_hands.terms import terms_of
from replay.families.two_hands.third_cards import third_cards
from replay.filing import FeeSchedule, Filing
from replay.game import Checked, HandView
from replay.lines import Lines, join_lines, same_money
from replay.money.fees import deal_begun, fee_lines, limits_problem, stakes_when_closed
from replay.money.wagers import LateEvent, Wagers, resolve_wagers
from replay.remarks import Remark
from replay.rounds import Fact, Ints, RoundBatch

__all__ = ["LAW_TYPE", "check", "check_filing", "cut_rack", "rebuild_hands", "row_of_case"]

LAW_TYPE = Law
"""What such a game asks of its pack: `LAW` in rules.py."""


def check_filing(filing: Filing) -> str | None:
    """What is wrong with the options taken together; None if nothing is."""
    filed = filing.number("table_minimum_cents"), filing.number("table_maximum_cents")
    return limits_problem(_schedule(filing), "player", *filed) or problem_with(filing.pickup)


def cut_rack(filing: Filing, cards: bytes, dealt: Sequence[bytes]) -> list[int] | None:
    """How many of the cards scanned after several rounds each of them put in."""
    terms = terms_of(filing)
    return cut(cards, dealt, terms.banker_first, terms.drawing)


@dataclass(frozen=True)
class Rebuilt:
    """The hands of a batch, and who bet on them."""

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
    return Rebuilt(voids, closed, wagers, bets, hands)


def check(batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None) -> Checked:
    """All rounds of `batch` were played under `filing`."""
    schedule, terms = _schedule(filing), terms_of(filing)
    law = terms.law
    made = rebuild_hands(batch, filing, doubted, searches)
    voids, closed, wagers, bets, hands = made.voids, made.closed, made.wagers, made.bets, made.hands
    table = pay_table(filing.pack, law)
    settled = settle(batch, table, bets, hands, terms)
    stakes = stakes_when_closed(wagers)
    stakes = stakes.where(kinds_of(batch, stakes.wager, law.kinds) != UNKNOWN_KIND)
    fees = fee_lines(batch, schedule, stakes, filing.text("drop_box"))
    lines = join_lines([settled.lines, fees])

    alternatives: dict[int, list[Lines]] = {}
    no_count = set(settled.bad_bank)
    short = {round_.row: round_ for round_ in settled.short}
    button_trouble = dict(short)
    if hands.others:
        several = np.fromiter(hands.others, np.int64, len(hands.others))
        others = []
        for number in range(1, hands.most_readings):
            others.append(settle(batch, table, bets.where(np.isin(bets.row, several)), hands.with_other(number), terms))
            no_count |= set(others[-1].bad_bank)
            # Where one reading has the button right, or needs none, nothing can be said against it.
            also_wrong = {round_.row for round_ in others[-1].short if round_.placed != round_.button}
            has_one = {row for row, readings in hands.others.items() if len(readings) >= number}
            button_trouble = {row: at for row, at in button_trouble.items() if row not in has_one or row in also_wrong}
        alternatives = _alternatives(lines, settled, others, fees, hands, no_count)
        lines = lines.where(~np.isin(lines.row, np.fromiter(alternatives, np.int64, len(alternatives))))

    # Cover runs out and there is no seat to count the button from: what each wager should come to cannot be known.
    nobody_knows = np.isin(lines.row, np.fromiter(no_count, np.int64, len(no_count)))
    lines = lines.opened((lines.kind == Fact.SETTLED) & (lines.by_reports == 0) & nobody_knows)

    def given_back(event: LateEvent) -> bool:
        return bool(voids.rounds[event.row]) or (event.row, event.seat) in voids.seats

    remarks: list[Remark] = [
        *hands.remarks,
        *deck_remarks(batch, law.deck),
        *third_cards(batch, hands, bets, voids, law.drawing),
        *late_wagers(batch, wagers, deal_begun(batch), closed, given_back, law.titles, law.late),
        *wagers_outside_limits(batch, wagers, bounds_of(filing, schedule, law), law.titles),
        *wagers_not_offered(batch, wagers, bets.kind == UNKNOWN_KIND, terms.seats, law.titles, law.offered),
        *action_button(batch, hands, button_trouble.values(), short, voids, terms),
        *bank_turns(batch, law.bank_turns),
    ]
    cannot_tell = dict(hands.why_not)
    for row in sorted(no_count):
        seat = batch.bank_seat[row]
        cannot_tell[row] = f"seat {seat} has the bank, and the table has {terms.seats} seats to count from"

    def hands_of(row: int) -> list[HandView]:
        return views.hands_view(hands, row, terms)

    def order_of(row: int) -> str:
        return views.order_view(short.get(row), int(batch.bank_posted_cents[row]), terms)

    def reading_of(row: int) -> RackReading:
        return views.rack_reading(batch, row, hands, terms)

    return Checked(
        lines,
        remarks,
        cannot_tell,
        alternatives,
        hands_of,
        settlement_order=order_of,
        answers=hands.answers,
        reading=reading_of,
        hands_from=lambda row: basis(hands, row),
    )


def _alternatives(
    lines: Lines, settled: Settlement, others: list[Settlement], fees: Lines, hands: Hands, no_count: set[int]
) -> dict[int, list[Lines]]:
    """All readings of the rounds in which they do not come to the same money."""
    found: dict[int, list[Lines]] = {}
    for row, readings in hands.others.items():
        if row in no_count:
            continue
        one = settled.lines.where(settled.lines.row == row)
        other = [each.lines.where(each.lines.row == row) for each in others[: len(readings)]]
        if not all(same_money(one, each) for each in other):
            fee = fees.where(fees.row == row)
            found[row] = [lines.where(lines.row == row), *(join_lines([each, fee]) for each in other)]
    return found


def _schedule(filing: Filing) -> FeeSchedule:
    return filing.pack.fees[filing.text("schedule")]
