"""How a segment's content becomes bytes, always the same ones: Parquet, JSON, and what the manifest counts."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest.gate.gate import RECORDED
from schemas.findings import Verdict

CANNOT_JUDGE = str(Verdict.CANNOT_JUDGE)
NOT_JUDGED = ("ROUND-007", "ROUND-008")  # each round that cannot be judged has one of them
_PLAIN_COLUMNS = frozenset({"hash", "raw", "event_id", "offset", "timestamp_us", "time_us", "seq"})
_DELTA_COLUMNS = frozenset({"offset", "timestamp_us", "time_us", "seq"})


def parquet_bytes(table: pa.Table) -> bytes:
    """A table as Parquet bytes: the same table gives the same bytes."""
    names = table.column_names
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        compression="zstd",
        compression_level=1,
        row_group_size=65_536,
        version="2.6",
        use_dictionary=[name for name in names if name not in _PLAIN_COLUMNS],
        column_encoding={
            name: "DELTA_BINARY_PACKED"
            for name in names
            if name in _DELTA_COLUMNS and pa.types.is_integer(table.schema.field(name).type)
        },
        write_statistics=[name for name in names if name not in ("hash", "raw")],
    )
    return bytes(sink.getvalue())


def json_bytes(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def counts_of(events: pa.Table, findings: pa.Table, rounds: pa.Table) -> dict[str, int]:
    statuses = events["status"].value_counts().to_pylist()
    return {
        CANNOT_JUDGE: int(pc.sum(pc.is_in(findings["code"], pa.array(NOT_JUDGED))).as_py() or 0),
        "findings": findings.num_rows,
        "records": events.num_rows,
        "rounds": rounds.num_rows,
        **{str(entry["values"]): entry["counts"] for entry in statuses},
    }


def merged_index(indexes: Sequence[dict[str, list[int | None]]]) -> dict[str, list[int | None]]:
    """The tables of several manifests, oldest first, as one."""
    merged: dict[str, list[int | None]] = {}
    for index in indexes:
        for table_id, (lowest, highest, top) in index.items():
            before = merged.get(table_id, [None, None, None])
            lows = [seq for seq in (before[0], lowest) if seq is not None]
            highs = [seq for seq in (before[1], highest) if seq is not None]
            merged[table_id] = [min(lows, default=None), max(highs, default=None), top]
    return merged


def table_index(events: pa.Table, top_seqs: dict[str, int]) -> dict[str, list[int | None]]:
    recorded = events.select(["table_id", "seq"]).filter(pc.equal(events["status"], RECORDED))  # not the events' bytes
    spans = recorded.group_by("table_id", use_threads=False).aggregate([("seq", "min"), ("seq", "max")])
    index: dict[str, list[int | None]] = {table_id: [None, None, top] for table_id, top in top_seqs.items()}
    for row in spans.to_pylist():
        index[row["table_id"]] = [row["seq_min"], row["seq_max"], top_seqs[row["table_id"]]]
    return index
