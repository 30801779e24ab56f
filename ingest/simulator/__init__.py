"""Simulated table devices, with their own idea of right and wrong.

`simulate(plan)` gives the events of whole tables as their devices would send them, clean or with faults put in on
purpose and labelled. Payouts, house ways, third cards, banks, cover and fees are worked out here, in plain Python and
from the rule texts; nothing is taken from the replay, so that a clean simulated day the replay verifies speaks for
both. The same plan gives the same bytes.

A round is played first and reported afterwards: `played` is the value and `table` the day around it. `card_table` and
`shoe_table` bring the cards, `betting` and `line_betting` the wagers, `split_hands` is a family of games, `player_bank`
and `player_dealer` say who is played against, and `faults` changes a round between two of its steps. A game is a folder
of `games`, whose module `game` registers it by name (`registry`); every folder there is found here, and listed nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import merge
from importlib import import_module
from pkgutil import iter_modules

from ingest.chain import public_hex
from ingest.simulator import games
from ingest.simulator.faults.catalogue import kinds_of
from ingest.simulator.faults.fault_kind import FaultKind
from ingest.simulator.faults.queue import FaultQueue, fault_queues
from ingest.simulator.labels import Label, Labels
from ingest.simulator.meters import Meter
from ingest.simulator.options import Equipment
from ingest.simulator.plan import USUAL_GAMES, Plan, TablePlan, default_plan
from ingest.simulator.registry import game_called, game_names
from ingest.simulator.voice import private_key

__all__ = [
    "CATALOGUE",
    "USUAL_GAMES",
    "Equipment",
    "FaultKind",
    "Label",
    "Labels",
    "Plan",
    "TablePlan",
    "default_plan",
    "game_called",
    "game_names",
    "kinds_of",
    "simulate",
    "table_keys",
]

for _game in iter_modules(games.__path__):
    import_module(f"{games.__name__}.{_game.name}.game")

CATALOGUE = {name: kind for name, kind in kinds_of(USUAL_GAMES).items() if not kind.outlasts_the_day}
"""What the tables of a plan can show that does not name its games."""


def simulate(plan: Plan, labels: Labels | None = None) -> Iterator[tuple[str, bytes]]:
    """The events of all tables as (table id, bytes), in the order of time over all of them.

    Labels of injected faults are added to `labels` as the simulation runs.
    """
    collected = Labels() if labels is None else labels
    queues = fault_queues(plan)
    meters: dict[str, Meter] = {}
    streams = [
        _numbered(index, table, plan, queues[table.table_id], collected, meters)
        for index, table in enumerate(plan.tables)
    ]
    ids = [table.table_id for table in plan.tables]
    for _, index, _, said in merge(*streams):
        yield ids[index], said if isinstance(said, bytes) else said()


def _numbered(
    index: int, table: TablePlan, plan: Plan, queue: FaultQueue, labels: Labels, meters: dict[str, Meter]
) -> Iterator[tuple[int, int, int, bytes | Callable[[], bytes]]]:
    """A table's records with its number and theirs, so that no two compare equal."""
    played = game_called(table.game).table(plan, table, queue, labels)
    played.share_meters(meters)
    for number, (time_us, said) in enumerate(played.records()):
        yield time_us, index, number, said


def table_keys(plan: Plan) -> dict[str, str]:
    """Each table controller's public key, as 64 hex digits."""
    return {table.table_id: public_hex(private_key(plan.seed, table.table_id)) for table in plan.tables}
