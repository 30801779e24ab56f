"""Movements that no line can expect: pots and progressive meters at a table that has no rule filed for them."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from replay.citations import cite
from replay.compare.compared import Compared
from replay.money.ledger import POT, comes_off, differences, meter, meter_sides, person, who_is_out
from replay.remarks import Remark
from replay.rounds import Fact, RoundBatch
from schemas.findings import Basis
from schemas.money import dollars

_FILED = cite("rulings.md", "How the rule texts are read", "the choice is an option of the rule pack")


def compare_unfiled(batch: RoundBatch, filed_meters: Collection[str], for_pots: bool, compared: Compared) -> None:
    facts = batch.facts.of(Fact.POT, Fact.PROGRESSIVE_IN, Fact.PROGRESSIVE_OUT)
    of_pots = facts.kind == Fact.POT
    filed = np.isin(facts.choice, [batch.name_id(name) for name in filed_meters]) & ~of_pots
    if for_pots:
        filed |= of_pots
    for at in np.flatnonzero((facts.amount > 0) & ~filed).tolist():
        row, seat, bettor = int(facts.row[at]), int(facts.seat[at]), batch.names[facts.bettor[at]]
        kind, amount = Fact(int(facts.kind[at])), int(facts.amount[at])
        if kind is Fact.POT:
            who = person(batch, row, seat, bettor)
            accounts = differences((POT, who, amount))
            short = dict(accounts).get(who, 0)
            said = f"{dollars(amount)} moved from {POT} to {who}, for which this table has no rule filed: "
            said += who_is_out(short)
        else:  # what the player was paid is settled, or not, as a wager
            name, short = batch.names[facts.choice[at]], 0
            accounts = differences((*meter_sides(kind, name), comes_off(facts, at)))
            what = "contribution to" if kind is Fact.PROGRESSIVE_IN else "payout from"
            said = f"a {what} {meter(name)} of {dollars(amount)} was reported, for which this table has no rule filed"
        compared.remarks.append(
            Remark(
                row,
                "SETTLE-106",
                said,
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
