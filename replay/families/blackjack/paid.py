"""The pay tables of one pack: what a wager comes to by each result that two hands can have."""

from __future__ import annotations

from dataclasses import dataclass

from replay.citations import Citation
from replay.families.blackjack.law import EVEN_MONEY, INSURED_NATURAL, Law
from replay.filing import Pack
from replay.rounds import OUTCOME_CODE
from schemas.events import Outcome

WIN, LOSE, PUSH = OUTCOME_CODE[Outcome.WIN], OUTCOME_CODE[Outcome.LOSE], OUTCOME_CODE[Outcome.PUSH]


@dataclass(frozen=True)
class Paid:
    """One thing a wager may come to by its pay table."""

    outcome: int
    pays: int  # numerator of the odds
    per: int  # denominator
    cite: Citation


@dataclass(frozen=True)
class PayTables:
    """The rows of the pay tables of one pack, by wager and result."""

    rows: dict[tuple[int, str], Paid]

    def of(self, kind: int, result: str) -> Paid:
        return self.rows[kind, result]


def pay_tables(pack: Pack, law: Law) -> PayTables:
    rows = {}
    known = {*law.results, EVEN_MONEY, INSURED_NATURAL}
    for number, kind in enumerate(law.wagers):
        table = pack.paytables[kind.name]
        for row in table.rows:
            if row.hand not in known:
                raise ValueError(
                    f"pay table {kind.name}: no result {row.hand!r}; there are: {', '.join(sorted(known))}"
                )
            outcome = PUSH if row.odds == "push" else WIN
            rows[number, row.hand] = Paid(outcome, *row.pays(), table.cite_of(row))
        for name, (_, citation) in law.lost.items():
            rows[number, name] = Paid(LOSE, 0, 1, citation)
        rows[number, NOT_WON] = Paid(LOSE, 0, 1, table.cite)
    return PayTables(rows)


NOT_WON = "not won"
