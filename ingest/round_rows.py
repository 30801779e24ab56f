"""The recorded events of one round, out of a table of events or a segment's file."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest.gate.words import RECORDED, RoundEvent
from ingest.segments import EVENTS, LakeError, Segment
from schemas.segments import RETIRED


def round_rows_of(events: pa.Table, table_id: str, round_id: str) -> list[RoundEvent]:
    """The recorded events of a round among these, in order of seq."""
    wanted = pc.and_(
        pc.and_(pc.equal(events["table_id"], table_id), pc.equal(events["round_id"], round_id)),
        pc.equal(events["status"], RECORDED),
    )
    return sorted(_round_events(events.select(["seq", "offset", "raw"]).filter(wanted)))


def round_rows_in(segment: Segment, table_id: str, round_id: str, before_offset: int) -> list[RoundEvent]:
    """The same out of a segment, of the records before an offset; none where its events were retired."""
    path = segment.path / EVENTS
    if not path.exists() and (segment.path / RETIRED).exists():
        return []
    try:
        rows = pq.read_table(
            path,
            columns=["seq", "offset", "raw"],
            filters=[
                ("table_id", "=", table_id),
                ("round_id", "=", round_id),
                ("status", "=", RECORDED),
                ("offset", "<", before_offset),
            ],
            use_threads=False,
            partitioning=None,  # the folder names are not columns
        )
    except (OSError, pa.ArrowException) as error:
        raise LakeError(f"{path} cannot be read: {error}; run the lake's check and restore the file") from error
    return _round_events(rows)


def _round_events(rows: pa.Table) -> list[RoundEvent]:
    return list(zip(*(rows[name].to_pylist() for name in ("seq", "offset", "raw")), strict=True))
