"""Tables whose racks, one after the other, contradict the pickup procedure filed for them.

Where a house keeps another order than it filed, every rack of the table is contradictory, and to search each of them
for slips of the hand would find slips that nobody made. So it is remembered of each table how its racks fare. When
several in a row contradict the procedure, so that slips are no explanation, the table is recognised (RACK-331): its
contradictory racks are not searched any more until its racks fit again. Of the racks that were searched it is known
whether another order fits all of them (`replay.cards.pickup.other_orders`), and the finding says which.

It follows from the rounds of a table and their order alone. What a round is told with is kept among its facts
(`Fact.ODD_RACKS`), so that judging it again comes to the same without knowing the rounds before it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from replay.audit import check_and_compare
from replay.cards.pickup.other_orders import other_orders
from replay.cards.solver.answers import Answer, Contradiction, Status
from replay.cards.solver.budget import Searches
from replay.cards.solver.hypotheses import IN_ANOTHER_ORDER
from replay.conclude import standing_of
from replay.containment import each_contained, log_contained
from replay.filing import Filing
from replay.filing.filed import PICKUP_OPTION
from replay.filing.games import filing_problem
from replay.remarks import WHERE_HANDS_LIE
from replay.rounds import Fact, FactRow, RoundRow, batch_of

AGAINST, FITS = 2, 1  # a rack that contradicts the procedure counts as much as two that fit it
RECOGNISED = 5 * AGAINST  # so many in a row, or more with others between them
MOST = 2 * RECOGNISED  # never more, so that a table whose racks fit again is soon an ordinary one
_WATCHED = 3  # after so many, those that are not searched, for the table's allowance is used up, count as well
_SEVERAL = 2  # so many hands settled otherwise than they lie: rather the order of the rack than the dealer
_NO_IDEA = 0.5  # a likeliest explanation less sure than this explains nothing


def contradicts_procedure(answer: Answer) -> bool:
    """Whether the search of one rack says that its order is not the one filed, or finds nothing that explains it."""
    if answer.status is not Status.CONTRADICTORY:
        return False
    if not answer.explanations or answer.bound_hit:
        return True
    best = answer.explanations[0]
    settled_wrong = {against.place for against in best.against if against.what is Contradiction.SETTLED}
    slips = any(fault.kind in IN_ANOTHER_ORDER for fault in best.faults)
    return slips or len(best.faults) > 1 or len(settled_wrong) >= _SEVERAL or best.confidence < _NO_IDEA


@dataclass
class _Table:
    score: int = 0
    racks: int = 0  # that contradict, since the first one
    since: str = ""  # the round of that one
    recognised: bool = False
    orders: list[str] | None = None  # that fit all of those looked at; None before the first


class OddTables:
    """How the racks of each table fare."""

    def __init__(self) -> None:
        self._tables: dict[str, _Table] = {}

    def restore(self, state: dict[str, Any]) -> None:
        self._tables = {table_id: _Table(*kept) for table_id, kept in state.items()}

    def state(self) -> dict[str, Any]:
        return {
            table_id: [one.score, one.racks, one.since, one.recognised, one.orders]
            for table_id, one in sorted(self._tables.items())
        }

    def recognised(self, table_id: str) -> bool:
        return table_id in self._tables and self._tables[table_id].recognised

    def fits(self, table_id: str) -> None:
        """The next rack of this table does not contradict its procedure."""
        table = self._tables.get(table_id)
        if table is not None:
            table.score -= FITS
            if table.score <= 0:
                del self._tables[table_id]

    def contradicts(self, row: RoundRow) -> None:
        """The rack of this round does, as the search of it says."""
        table = self._count(row)
        if not table.recognised:
            fitting = orders_that_fit(row)
            table.orders = fitting if table.orders is None else [one for one in table.orders if one in fitting]
        table.recognised |= table.score >= RECOGNISED

    def not_searched(self, row: RoundRow) -> None:
        """The rack of this round contradicts the other reports, and the allowance of its table is used up."""
        table = self._tables.get(row.named["table_id"])
        if table is not None and table.racks >= _WATCHED:
            self._count(row)
            table.recognised |= table.score >= RECOGNISED

    def fact_about(self, row: RoundRow) -> FactRow:
        """What is said with a round of a table that was recognised; its rack is contradictory and is not searched."""
        table = self._count(row)
        order = table.orders[0] if table.orders else ""
        return FactRow(Fact.ODD_RACKS, row.fixed["last_seq"], choice=table.since, wager=order, amount=table.racks)

    def _count(self, row: RoundRow) -> _Table:
        table = self._tables.setdefault(row.named["table_id"], _Table(since=row.named["round_id"]))
        table.score = min(table.score + AGAINST, MOST)
        table.racks += 1
        return table


def orders_that_fit(row: RoundRow) -> list[str]:
    """The other orders of pickup, in words, by which the rack of this round contradicts nothing."""

    def culprit(one: RoundRow, error: Exception) -> list[str]:
        log_contained("other orders could not be tried", one.named["table_id"], one.named["round_id"], error)
        return []

    (found,) = each_contained([row], lambda rows: _orders_that_fit(rows[0]), culprit)
    return found


def _orders_that_fit(row: RoundRow) -> list[str]:
    batch = batch_of([row])
    (filing, _), *_ = standing_of(batch).filings
    words = [value for value in filing.options.values() if isinstance(value, str)]
    batch = batch.mentioning([*filing.pack.data.wagers, *words])
    fitting = []
    for said, procedure in other_orders(filing.pickup, filing.pack.pickups):
        kept = Filing(
            replace(filing.pack, pickups={procedure.id: procedure}), {**filing.options, PICKUP_OPTION: procedure.id}
        )
        if filing_problem(kept) is not None:
            continue
        searches = Searches([False])
        audited = check_and_compare(batch, kept, np.zeros(1, np.int64), searches, doubted=False)
        remarked = any(remark.subject in WHERE_HANDS_LIE for remark in audited.checked.remarks)
        open_or_odd = searches.left_out or audited.checked.left_open or remarked
        if not open_or_odd and not audited.compared.denied.any():
            fitting.append(said)
    return fitting
