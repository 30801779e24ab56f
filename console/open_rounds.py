"""Rounds under way, from the newest state in the lake and what was recorded since."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from console.home import TOPIC
from ingest.gate.words import RECORDED
from ingest.lake import Lake, LakeError
from ingest.segments import EVENTS
from replay.assembling.left_open import EventHead, OpenRounds
from schemas.clock import time_of

_COLUMNS = ["table_id", "round_id", "type", "time_us"]


def open_rounds(lake: Lake) -> list[dict[str, Any]] | None:
    """Every round that was opened and is not over, the longest open first; None where the lake cannot be read, which
    `doctor` names."""
    found = []
    try:
        for partition in lake.partitions(TOPIC):
            found += _of_partition(lake, partition)
    except (LakeError, OSError, pa.ArrowException):
        return None
    found.sort(key=lambda one: (one["opened_at"], one["table"]))
    return found


def _of_partition(lake: Lake, partition: int) -> list[dict[str, Any]]:
    known = lake.newest_state(TOPIC, partition)
    behind, state = (-1, {}) if known is None else known
    rounds = OpenRounds(state.get("replay", {}))
    for segment in lake.segments(TOPIC, partition):
        if segment.last > behind:
            columns = ["offset", "status", *_COLUMNS]
            rows = pq.read_table(segment.path / EVENTS, columns=columns)
            rows = rows.filter(pc.and_(pc.equal(rows["status"], RECORDED), pc.greater(rows["offset"], behind)))
            rounds.follow(map(EventHead, *(rows[name].to_pylist() for name in _COLUMNS)))
    return [{"table": table, "round": round_id, "opened_at": time_of(since_us)} for table, round_id, since_us in rounds]
