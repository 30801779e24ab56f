"""Vigorish due beside vigorish taken. It is due on what should have been paid; how much, the filing says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from replay.citations import cite
from replay.compare.compared import Compared
from replay.compare.matching import Match, match_reports, shared
from replay.compare.settlements import Settlements
from replay.game import Checked
from replay.keys import coded
from replay.money.ledger import HOUSE, differences, person, who_is_out
from replay.remarks import Remark
from replay.rounds import Fact, Facts, Ints, RoundBatch
from schemas.findings import Basis
from schemas.money import dollars

_NO_VIGORISH = cite("rulings.md", "R-23", "5% of the amount won")


@dataclass(frozen=True)
class Vigorish:
    """Vigorish on the wagers of a batch, an entry per wager, and the reports of it."""

    facts: Facts
    due: Ints
    taken: Ints
    match: Match  # of the wagers that owe any
    number: Ints  # which number a wager has in `match`, -1 none

    def seqs(self, wager: int) -> tuple[int, ...]:
        """The events that report what was taken on this one."""
        number = int(self.number[wager])
        return tuple(self.facts.seq[self.match.reports(number)].tolist()) if number >= 0 else ()


def compare_vigorish(batch: RoundBatch, checked: Checked, settled: Settlements, compared: Compared) -> Vigorish:
    """Vigorish on these wagers; what it comes to is entered in `compared`."""
    facts, lines = batch.facts.of(Fact.VIGORISH), settled.lines
    due, taken = np.zeros(len(lines), dtype=np.int64), np.zeros(len(lines), dtype=np.int64)
    owing = np.flatnonzero(lines.vigorish == 1) if checked.vigorish is not None else np.zeros(0, dtype=np.int64)
    owed = lines.where(owing)
    match = match_reports(
        *coded((owed.row, facts.row), (owed.seat, facts.seat), (owed.wager, facts.wager), (owed.bettor, facts.bettor))
    )
    if checked.vigorish is not None and len(owing):
        due[owing] = checked.vigorish(settled.expected_paid[owing])
        taken[owing] = shared(match, facts.amount, due[owing])
        unruled = [at for at in np.flatnonzero(lines.open == 1).tolist() if lines.ways_of(at).anything]
        due[unruled] = taken[unruled]
    compared.expected_vigorish[settled.at] = due
    compared.reported_vigorish[settled.at] = taken
    compared.agrees[settled.at] &= due == taken
    number = np.full(len(lines), -1, dtype=np.int64)
    number[owing] = np.arange(len(owing))
    return Vigorish(facts, due, taken, match, number)


def taken_where_none_is_owed(batch: RoundBatch, vigorish: Vigorish) -> Iterator[Remark]:
    facts = vigorish.facts
    for at in vigorish.match.lonely.tolist():
        amount, row, seat = int(facts.amount[at]), int(facts.row[at]), int(facts.seat[at])
        if not amount:
            continue  # nothing moved
        bettor = batch.names[facts.bettor[at]]
        yield Remark(
            row,
            "VIG-603",
            f"{dollars(amount)} vigorish taken on a wager that owes none: {who_is_out(-amount)}",
            _NO_VIGORISH,
            seat,
            bettor or None,
            batch.names[facts.wager[at]],
            0,
            amount,
            -amount,
            (int(facts.seq[at]),),
            basis=Basis.REPORTS,
            accounts=differences((person(batch, row, seat, bettor), HOUSE, amount)),
        )


def vigorish_remarks(
    batch: RoundBatch, checked: Checked, settled: Settlements, vigorish: Vigorish, compared: Compared
) -> Iterator[Remark]:
    """Vigorish of another amount than is due on wagers that were settled right."""
    right = settled.fine | settled.foul_unseen
    for at in np.flatnonzero(right & (vigorish.due != vigorish.taken)).tolist():
        yield _remark(batch, checked, settled, at, vigorish, compared.sums(int(settled.at[at])).due_paid)


def _remark(
    batch: RoundBatch, checked: Checked, settled: Settlements, at: int, vigorish: Vigorish, won_cents: int
) -> Remark:
    lines = settled.lines
    due, taken = int(vigorish.due[at]), int(vigorish.taken[at])
    row, seat, bettor = int(lines.row[at]), int(lines.seat[at]), batch.names[lines.bettor[at]]
    citation = checked.vigorish_cite or _NO_VIGORISH
    won = dollars(won_cents)
    sentence = (
        f"no vigorish taken on {won} won; {citation} asks for {dollars(due)}"
        if taken == 0
        else f"{dollars(taken)} vigorish taken; {citation} asks for {dollars(due)} on {won} won"
    )
    bits = int(lines.possible[at])
    by_reports = bool(lines.by_reports[at] or lines.open[at] or bits & (bits - 1))  # or the report says that it won
    return Remark(
        row,
        "VIG-601" if taken == 0 else "VIG-603" if due == 0 else "VIG-602",
        f"{sentence}: {who_is_out(due - taken)}",
        citation,
        seat,
        bettor or None,
        batch.names[lines.wager[at]],
        due,
        taken,
        due - taken,
        vigorish.seqs(at) or (int(batch.last_seq[row]),),
        basis=Basis.REPORTS if by_reports else Basis.HANDS,
        accounts=differences((person(batch, row, seat, bettor), HOUSE, taken - due)),
    )
