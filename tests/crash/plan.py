"""What the devices of the crash test play: the same events for the process that sends them and the check afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from ingest.simulator import Labels, Plan, default_plan, simulate

ROUNDS = 100_000  # more than anybody waits for
FAULT_RATE = 0.05


def devices(seed: int, day: date, first: int, tables: int) -> Plan:
    """The plan of one producer: `tables` tables of their own, numbered from `first`, with faults on purpose."""
    whole = default_plan(seed + first, first + tables, ROUNDS, {}, fault_rate=FAULT_RATE, gaming_day=day)
    mine = [
        replace(table, table_id=f"{table.table_id[:2]}-{number:02d}")
        for number, table in enumerate(whole.tables[:tables], first)
    ]
    return replace(whole, tables=mine)


def events_of(plan: Plan) -> Iterator[tuple[str, bytes]]:
    return simulate(plan, Labels())
