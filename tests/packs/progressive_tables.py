"""Simulated tables with progressive wagers, for tests: the usual ones, and two that feed one meter."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from ingest.simulator import Equipment, Plan, TablePlan
from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.games.pai_gow_poker.usual_progressives import WITH_PROGRESSIVES
from ingest.simulator.options import spelled_out

PACK = "ma/pai_gow_poker"
GAMING_DAY = date(2026, 11, 17)


def usual_plan(seed: int, rounds: int, faults: Mapping[str, int] | None = None, lucky_rate: float = 0.0) -> Plan:
    """One table for each way of offering progressive wagers."""
    tables = []
    for number, (options, fitted) in enumerate(WITH_PROGRESSIVES, 1):
        table_id = f"PG-{number:02d}"
        tables.append(TablePlan(table_id, PACK, spelled_out(options.at_table(table_id)), fitted))
    return Plan(seed, GAMING_DAY, tuple(tables), rounds, dict(faults or {}), lucky_rate=lucky_rate)


def linked_plan(seed: int, rounds: int, lucky_rate: float) -> Plan:
    """Two tables that feed one meter."""
    options = PaiGowOptions(
        progressive_paytable="14_5_dollars", progressive_meter="pgp-floor", progressive_linked=True, decks=2
    )
    tables = tuple(TablePlan(table_id, PACK, spelled_out(options), Equipment()) for table_id in ("PG-01", "PG-02"))
    return Plan(seed, GAMING_DAY, tables, rounds, lucky_rate=lucky_rate)
