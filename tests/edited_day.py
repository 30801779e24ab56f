"""A simulated day with what its tables say edited, chain and signatures made good, taken through the pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ingest.simulator import Plan, table_keys
from tests.gaming_day import Day
from tests.ingest.quality_streams import Edit, streams_of, told_again


def edited_day(folder: Path, plan: Plan, edits: Mapping[str, Edit]) -> Day:
    """The lake of the day; tables without an edit say what they say."""
    day = Day(folder)
    for table_id, public in table_keys(plan).items():
        day.keys.register(table_id, public)
    for table_id, events in streams_of(plan).items():
        said = edits[table_id](events) if table_id in edits else events
        day.append([(table_id, raw) for raw in told_again(plan, table_id, said)])
    return day.run()
