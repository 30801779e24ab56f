"""Where a table's chain stands: what the gate remembers of it in the newest segment."""

from __future__ import annotations

from typing import NamedTuple

from console.home import TOPIC, Home


class Head(NamedTuple):
    """What a table's next event has to say."""

    seq: int
    prevhash: str | None  # None: the event before it is missing, or in quarantine


def table_head(home: Home, table_id: str) -> Head | None:
    """None: no event of the table is on record."""
    lake = home.lake()
    found: list[Head] = []
    for partition in lake.partitions(TOPIC):
        last = lake.last(TOPIC, partition)
        if last is None:
            continue
        kept = lake.state(last)["gate"]["tables"].get(table_id)
        if kept is not None and kept["count"]:
            found.append(Head(kept["expected"], kept["last_hash"]))
    return max(found, default=None, key=lambda head: head.seq)
