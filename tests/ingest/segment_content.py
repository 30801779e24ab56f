"""Segments with any records at all."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from ingest.gate.gate import RECORDED
from ingest.lake import EVENTS_SCHEMA, SegmentContent
from schemas.findings import findings_table

TOPIC = "events"


def content(first: int = 0) -> SegmentContent:
    row = (first, 1, "PG-01", "r", first, "t", "id", 1, "/s", RECORDED, None, bytes(32), b"{}")
    events = pa.Table.from_arrays(
        [pa.array([value], field.type) for value, field in zip(row, EVENTS_SCHEMA, strict=True)], schema=EVENTS_SCHEMA
    )
    return SegmentContent(first, first, events, pa.table({"round_id": ["r"]}), findings_table([]), {}, {"PG-01": first})


def many(first: int, count: int) -> SegmentContent:
    parts = [content(number) for number in range(first, first + count)]
    events = pa.concat_tables([part.events for part in parts]).combine_chunks()
    return replace(parts[0], last=first + count - 1, events=events, top_seqs={"PG-01": first + count - 1})
