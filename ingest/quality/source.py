"""Reading segments for the quality suites: the columns they look at, and what tables said about themselves.

Event bytes are only looked into where a table or a device speaks of itself, a handful a day; everything else is told by
the columns. Knows the lake's files, and nothing of checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from ingest.gate.gate import RECORDED
from ingest.lake import LakeError, Segment
from ingest.quality.stored import EVENT_COLUMNS, ROUND_COLUMNS
from schemas import events

Row = dict[str, Any]

SPOKEN = (
    "table.opened",
    "table.closed",
    "table.counted",
    "table.filled",
    "table.credited",
    "device.online",
    "device.offline",
)


def type_of(what: str) -> str:
    """`round.opened` as events name it, in the newest version."""
    return events.NEWEST_TYPE[what]


def types_of(whats: Iterable[str]) -> list[str]:
    """All of these as events name them, in every version."""
    wanted = set(whats)
    return sorted(named for named, model in events.DATA_MODEL_OF.items() if model.TYPE in wanted)


def plain_type(named: str) -> str:
    """`round.opened` for it and for `muckraker.round.opened.v1`: devices announce either, in whatever version."""
    return events.plain_type(named)


@dataclass(frozen=True)
class TableEvent:
    """Something a table or a device said of itself."""

    table_id: str
    seq: int
    time_us: int
    what: str
    device: str  # that said it
    data: Row


def connect() -> duckdb.DuckDBPyConnection:
    """A database in memory that reads no file. One thread: lists come out in one order, and the worker has the rest."""
    con = duckdb.connect(
        ":memory:",
        config={
            "threads": "1",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "python_enable_replacements": "false",
        },
    )
    con.execute("SET enable_external_access = false")
    return con


def rows_of(con: duckdb.DuckDBPyConnection, sql: str) -> list[Row]:
    rows: list[Row] = con.sql(sql).to_arrow_table().to_pylist()
    return rows


def segment_events(segment: Segment) -> pa.Table:
    return _read(segment.path / "events.parquet", EVENT_COLUMNS)


def segment_rounds(segment: Segment) -> pa.Table:
    return _read(segment.path / "rounds.parquet", ROUND_COLUMNS)


def dataset(segments: Sequence[Segment], file: str) -> ds.Dataset:
    """One file of many segments, opened but not read: DuckDB takes from it what a query needs."""
    return ds.dataset([str(segment.path / file) for segment in segments], format="parquet")


def table_events(segment: Segment, types: Sequence[str] = SPOKEN) -> Iterator[TableEvent]:
    """What tables and devices said of themselves in the segment, as it was recorded, in the order of the log."""
    path = segment.path / "events.parquet"
    named = pa.array(types_of(types))
    try:
        file = pq.ParquetFile(path)
        for group in range(file.num_row_groups):
            found = file.read_row_group(group, columns=["type", "status"])
            wanted = pc.and_(pc.is_in(found["type"], named), pc.equal(found["status"], RECORDED))
            if not pc.any(wanted).as_py():
                continue  # the bytes are most of the file
            columns = ["table_id", "seq", "time_us", "type", "source", "raw"]
            for row in file.read_row_group(group, columns=columns).filter(wanted).to_pylist():
                yield TableEvent(
                    row["table_id"],
                    row["seq"],
                    row["time_us"],
                    plain_type(row["type"]),
                    device_of(row["source"]),
                    orjson.loads(row["raw"])["data"],
                )
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(path, error) from error


def device_of(source: str) -> str:
    """`discard-rack` of `/tables/PG-07/devices/discard-rack`."""
    return source.rpartition("/")[2]


def announced_device(event: TableEvent) -> str:
    """Which device a `device.online` or `device.offline` speaks of, spelled as in `source`."""
    return str(event.data["device"]).replace("_", "-")


def _read(path: Path, columns: Sequence[str]) -> pa.Table:
    try:
        return pq.read_table(path, columns=list(columns), use_threads=False, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> LakeError:
    return LakeError(f"{path} cannot be read: {error}; run `muckraker doctor` and restore the file")
