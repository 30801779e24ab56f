"""Simulated table devices, with their own idea of right and wrong.

`simulate(plan)` gives the events of whole tables as their devices would send them, clean or with faults put in on
purpose and labelled. Payouts, house ways, third cards, banks, cover and fees are worked out here, in plain Python and
from the rule texts; nothing is taken from the replay, so that a clean simulated day the replay verifies speaks for
both. The same plan gives the same bytes.

A round is played first and reported afterwards: `played` is the value, `table` the day around it, `card_table`,
`betting`, `split_hands` and `player_bank` are parts of a table, and `pai_gow_poker`, `supreme_pai_gow`,
`fortune_pai_gow` and `baccarat` are the games. `faults` changes a round between two of its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import merge

from ingest.chain import public_hex
from ingest.simulator.baccarat import BaccaratTable
from ingest.simulator.faults.catalogue import CATALOGUE, FaultKind, kinds_of
from ingest.simulator.faults.queue import FaultQueue, fault_queues
from ingest.simulator.filings import default_plan
from ingest.simulator.fortune_pai_gow import FortuneTable
from ingest.simulator.labels import Label, Labels
from ingest.simulator.options import Equipment
from ingest.simulator.pai_gow_poker import PaiGowTable
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.supreme_pai_gow import SupremeTable
from ingest.simulator.table import Table
from ingest.simulator.voice import private_key

GAMES: dict[str, Callable[[Plan, TablePlan, FaultQueue, Labels], Table]] = {
    "pai_gow_poker": PaiGowTable,
    "supreme_baccarat": BaccaratTable,
    "supreme_pai_gow": SupremeTable,
    "fortune_pai_gow": FortuneTable,
}

__all__ = [
    "CATALOGUE",
    "Equipment",
    "FaultKind",
    "Label",
    "Labels",
    "Plan",
    "TablePlan",
    "default_plan",
    "kinds_of",
    "simulate",
    "table_keys",
]


def simulate(plan: Plan, labels: Labels | None = None) -> Iterator[tuple[str, bytes]]:
    """The events of all tables as (table id, bytes), in the order of time over all of them.

    Labels of injected faults are added to `labels` as the simulation runs.
    """
    collected = Labels() if labels is None else labels
    queues = fault_queues(plan)
    streams = [
        _numbered(index, table, plan, queues[table.table_id], collected) for index, table in enumerate(plan.tables)
    ]
    ids = [table.table_id for table in plan.tables]
    for _, index, _, raw in merge(*streams):
        yield ids[index], raw


def _numbered(
    index: int, table: TablePlan, plan: Plan, queue: FaultQueue, labels: Labels
) -> Iterator[tuple[int, int, int, bytes]]:
    """A table's records with its number and theirs, so that no two compare equal."""
    for number, (time_us, raw) in enumerate(GAMES[table.game](plan, table, queue, labels).records()):
        yield time_us, index, number, raw


def table_keys(plan: Plan) -> dict[str, str]:
    """Each table controller's public key, as 64 hex digits."""
    return {table.table_id: public_hex(private_key(plan.seed, table.table_id)) for table in plan.tables}
