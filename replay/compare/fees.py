"""Collection fees due beside those reported: who paid what, when, and into which box.

Which report is about which fee is found here, over columns; a round where anything does not fit is gone through fee by
fee in `fee_remarks.py`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np

from replay.compare.compared import Compared
from replay.compare.fee_remarks import RoundFees
from replay.compare.matching import Match, match_reports
from replay.game import Checked
from replay.keys import coded
from replay.lines import Lines
from replay.money.people import people_of
from replay.rounds import PAYER_CODE, Array, Fact, Facts, Ints, RoundBatch
from schemas.events import Payer


def compare_fees(batch: RoundBatch, checked: Checked, compared: Compared) -> None:
    lines = checked.lines
    facts = _reported(batch, Fact.COLLECTION)
    let_off = _reported(batch, Fact.WAIVED, Fact.REFUNDED)
    chosen = np.flatnonzero(lines.kind == Fact.COLLECTION)
    due = lines.where(chosen)
    facts = _with_wagers(due, facts)
    slots, match = _matched(due, facts)
    if len(match.lonely):
        facts = _with_wagers(due, _to_the_area_charged(batch, due, facts, match.lonely))
        slots, match = _matched(due, facts)
    if len(let_off):
        let_off = _to_the_area_charged(batch, due, let_off, np.arange(len(let_off)))
    count = match.right - match.left
    taken = match.sums(facts.amount)
    first = match.order[np.minimum(match.left, max(len(facts) - 1, 0))] if len(facts) else np.zeros(len(due), np.int64)
    ok = (count == 1) & (taken == due.paid)
    if len(facts):
        ok &= (facts.choice[first] == due.choice) & _in_time(due, facts.seq[first])
    troubled = set(due.row[~ok].tolist()) | set(facts.row[match.lonely].tolist()) | set(let_off.row.tolist())
    compared.reported[chosen] = count
    compared.reported_paid[chosen] = taken
    compared.agrees[chosen] = ok
    by_row: dict[int, tuple[list[int], list[int], list[int]]] = defaultdict(lambda: ([], [], []))
    if troubled:
        for which, rows in enumerate((due.row, facts.row, let_off.row)):
            for at in np.flatnonzero(np.isin(rows, list(troubled))).tolist():
                by_row[int(rows[at])][which].append(at)
    for row in sorted(by_row):
        owed, got, off = by_row[row]
        fees = RoundFees(batch, row, due, facts, let_off, slots, checked.fee_rates, checked.fee_moment)
        compared.remarks.extend(fees.remarks(owed, got, off))


def _reported(batch: RoundBatch, *kinds: Fact) -> Facts:
    """What was reported of fees: reports of nothing left out, a player-dealer's without a seat put to the seat that
    banks."""
    facts = batch.facts.of(*kinds)
    facts = facts.where(facts.amount > 0)
    unseated = (facts.seat == 0) & (facts.code == PAYER_CODE[Payer.PLAYER_DEALER]) & (batch.bank_seat[facts.row] > 0)
    return replace(facts, seat=np.where(unseated, batch.bank_seat[facts.row], facts.seat).astype(facts.seat.dtype))


def _matched(due: Lines, facts: Facts) -> tuple[tuple[Ints, Ints], Match]:
    """Which fee each report is about: fees and reports with the same slot go together."""
    slots = _slots(due, facts, *coded(*_payers(due, facts), (due.wager, facts.wager)))
    return slots, match_reports(*slots)


def _slots(due: Lines, facts: Facts, owed: Ints, paid: Ints) -> tuple[Ints, Ints]:
    """Slots where one payer may owe several fees that no report tells apart (squares of one game): those of the same
    sum go together, and what is left in the order it was reported."""
    unique, counts = np.unique(owed, return_counts=True)
    if not (counts > 1).any():
        return owed, paid
    owed, paid, free = owed.astype(np.int64), paid.astype(np.int64), int(max(owed.max(), paid.max(initial=0))) + 1
    for key in unique[counts > 1].tolist():
        lines, reports = np.flatnonzero(owed == key).tolist(), np.flatnonzero(paid == key).tolist()
        waiting = []
        for line in lines:
            owed[line] = free
            fitting = next((one for one in reports if facts.amount[one] == due.paid[line]), None)
            if fitting is None:
                waiting.append(free)
            else:
                paid[fitting] = free
                reports.remove(fitting)
            free += 1
        for slot, report in zip(waiting, reports, strict=False):
            paid[report] = slot
        for report in reports[len(waiting) :]:  # one too many: again for a fee of the same sum, or the last one
            same = next((one for one in lines if due.paid[one] == facts.amount[report]), lines[-1])
            paid[report] = owed[same]
    return owed, paid


def _payers(due: Lines, facts: Facts) -> tuple[tuple[Array, Array], ...]:
    return (due.row, facts.row), (due.payer, facts.code), (due.seat, facts.seat), (due.bettor, facts.bettor)


def _with_wagers(due: Lines, facts: Facts) -> Facts:
    """The fees taken, each with the wager it was taken for: as it was said where several of one payer's wagers pay by
    themselves; else the only one that does, or none where all pay together, whatever was said."""
    owed, paid = coded(*_payers(due, facts))
    order = np.argsort(owed, kind="stable")
    left, right = (np.searchsorted(owed[order], paid, side=side) for side in ("left", "right"))
    only = np.flatnonzero(right - left == 1)
    wager = facts.wager.copy()
    wager[only] = due.wager[order[left[only]]]
    for at in np.flatnonzero((right - left > 1) & (wager == 0)).tolist():  # nobody said for which
        owing = due.wager[order[left[at] : right[at]]]
        taken = wager[paid == paid[at]]
        open_ = owing[~np.isin(owing, taken)]
        wager[at] = open_[0] if len(open_) else owing[0] if len(set(owing.tolist())) == 1 else 0
    return replace(facts, wager=wager)


def _to_the_area_charged(batch: RoundBatch, due: Lines, facts: Facts, lonely: Ints) -> Facts:
    """A player who bets in several areas may pay its fee at any of them (rulings.md R-52): these reports put to the one
    that is charged."""
    people = people_of(batch)
    charged = {
        (row, person): (seat, bettor)
        for row, person, seat, bettor, payer in zip(
            due.row.tolist(),
            people.number(due.row, due.seat, due.bettor).tolist(),
            due.seat.tolist(),
            due.bettor.tolist(),
            due.payer.tolist(),
            strict=True,
        )
        if payer == PAYER_CODE[Payer.PLAYER]
    }
    seats, bettors = facts.seat.copy(), facts.bettor.copy()
    person = people.number(facts.row, facts.seat, facts.bettor)
    for fact in lonely[facts.code[lonely] == PAYER_CODE[Payer.PLAYER]].tolist():
        here = int(seats[fact]), int(bettors[fact])
        seats[fact], bettors[fact] = charged.get((int(facts.row[fact]), int(person[fact])), here)
    return replace(facts, seat=seats, bettor=bettors)


def _in_time(due: Lines, seq: Ints) -> Array:
    in_time = ((due.earliest < 0) | (seq > due.earliest)) & ((due.latest < 0) | (seq < due.latest))
    return np.asarray(in_time & (seq >= due.stands))
