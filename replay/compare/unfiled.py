"""Movements that no line can expect: pots and progressive meters at a table that has no rule filed for them."""

from __future__ import annotations

import numpy as np

from replay.citations import cite
from replay.compare.compared import Compared
from replay.money.ledger import differences, other_sides, person, who_is_out
from replay.remarks import Remark
from replay.rounds import Fact, RoundBatch
from schemas.findings import Basis
from schemas.money import dollars

_FILED = cite("rulings.md", "How the rule texts are read", "the choice is an option of the rule pack")


def compare_unfiled(batch: RoundBatch, compared: Compared) -> None:
    facts = batch.facts.of(Fact.POT, Fact.PROGRESSIVE_IN, Fact.PROGRESSIVE_OUT)
    for at in np.flatnonzero(facts.amount > 0).tolist():
        row, seat, bettor = int(facts.row[at]), int(facts.seat[at]), batch.names[facts.bettor[at]]
        kind, amount = Fact(int(facts.kind[at])), int(facts.amount[at])
        sides = other_sides(batch, kind, row, seat, bettor, batch.names[facts.choice[at]])
        accounts = differences((*sides, amount))
        short = dict(accounts).get(person(batch, row, seat, bettor), 0)
        compared.remarks.append(
            Remark(
                row,
                "SETTLE-106",
                f"{dollars(amount)} moved from {sides[0]} to {sides[1]}, for which this table has no rule filed: "
                f"{who_is_out(short)}",
                _FILED,
                seat or None,
                bettor or None,
                None,
                0,
                amount,
                short,
                (int(facts.seq[at]),),
                basis=Basis.REPORTS,
                accounts=accounts,
            )
        )
