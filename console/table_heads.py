"""Where a table's chain stands: what the gate knows of it behind the last record in the lake."""

from __future__ import annotations

from typing import NamedTuple

from console.home import TOPIC, Home
from ingest.gate.gate import Gate
from ingest.log import Place, partition_of


class Head(NamedTuple):
    """What a table's next event has to say."""

    seq: int
    prevhash: str | None  # None: the event before it is missing, or in quarantine
    attested_seq: int | None  # the last event with a good signature; None: there is none


def table_head(home: Home, table_id: str) -> Head | None:
    """None: no event of the table is on record."""
    lake, partition = home.lake(), partition_of(table_id, home.partitions)
    behind, state = lake.newest_state(TOPIC, partition) or (-1, {"gate": {}})
    gate = Gate(home.keys(), Place(partition, home.partitions))
    gate.restore(state["gate"])
    for records, ends in lake.records_behind(TOPIC, partition, behind):  # not every segment has a state
        for record in records:
            gate.admit(record)
            if record.offset in ends:
                gate.finish()
        gate.take_rows()
    ahead = gate.tables_ahead().get(table_id)
    if ahead is None or not gate.is_recorded(table_id):
        return None
    return Head(*ahead, gate.attested_seq(table_id))
