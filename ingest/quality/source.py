"""Reading segments for the quality frames: the columns they look at, and what tables said about themselves.

Event bytes are only looked into where a table or a device speaks of itself, a handful a day; everything else is in the
columns. The frames are the SQL files in `segment/` and `day/`, in which `$NAME` is a limit (limits.py), a number of
rounds.parquet (stored.py) or the name of a type of event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

import duckdb
import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from ingest.gate.gate import RECORDED
from ingest.lake import LakeError, Segment
from ingest.quality import stored
from ingest.quality.expectations import LIMITS, Row
from ingest.quality.limits import EVERY_DAY, EVERY_ROUND
from schemas import events


def schema_of(texts: str, numbers: str, **others: pa.DataType) -> pa.Schema:
    """Columns of text, whole numbers and others, by their names."""
    typed = [*((name, pa.string()) for name in texts.split()), *((name, pa.int64()) for name in numbers.split())]
    return pa.schema([*typed, *others.items()])


EVENT_COLUMNS = ["timestamp_us", "table_id", "round_id", "seq", "type", "time_us", "source", "status"]
ROUND_COLUMNS = [
    "table_id",
    "round_id",
    "filing",
    "opened_us",
    "first_seq",
    "last_seq",
    "decks",
    "jokers",
    "rack",
    "dealt",
    "facts",
]

_OF_TABLES = ("table.opened", "table.closed", "table.counted", "table.filled", "table.credited")
_OF_ITSELF = (*_OF_TABLES, "device.online", "device.offline", "meter.read", "meter.reset")

SPOKEN = schema_of(
    "table_id what about gaming_day box meter",
    "seq time_us inventory_cents amount_cents filled_cents box_cents value_cents",
    announced=pa.list_(pa.string()),
)
"""What a table or a device said of itself: `about` is the device that came or went, `announced` what it reports."""


def connect() -> duckdb.DuckDBPyConnection:
    """A database in memory that reads no file. One thread: lists come out in one order, and the worker has the rest."""
    closed = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    con = duckdb.connect(":memory:", config={"threads": "1", "python_enable_replacements": "false", **closed})
    con.execute("SET enable_external_access = false")
    return con


def make(con: duckdb.DuckDBPyConnection, file: str) -> None:
    """Carry out a file's statements."""
    with _reading():
        con.execute(_sql(file).substitute(_names()))


def rows_of(con: duckdb.DuckDBPyConnection, file: str, **more: object) -> pa.Table:
    """The rows of a file's query."""
    with _reading():
        return con.sql(_sql(file).substitute(_names(), **more)).to_arrow_table()


@contextmanager
def _reading() -> Iterator[None]:
    """A damaged file shows when a query comes to its middle."""
    try:
        yield
    except duckdb.InvalidInputException as error:
        if "reading the stream" not in str(error):
            raise
        raise LakeError(f"a segment cannot be read: {error}; `muckraker doctor` names the file: restore it") from error


@cache
def _sql(file: str) -> Template:
    return Template((Path(__file__).parent / f"{file}.sql").read_text(encoding="utf-8"))


@cache
def _names() -> dict[str, object]:
    lists = {name: sorted(value) for name, value in LIMITS.items() if isinstance(value, frozenset)}
    types = {"OPENED": events.NEWEST_TYPE["round.opened"], "CLOSED": events.NEWEST_TYPE["round.closed"]}
    return LIMITS | lists | {name: value for name, value in vars(stored).items() if name.isupper()} | types


def type_names() -> pa.Table:
    """The types of events devices announce: in each version what they are called, and plainly."""
    named = [(named, model.TYPE) for named, model in events.DATA_MODEL_OF.items()]
    known = [pair for pair in named if pair[1] in EVERY_ROUND | EVERY_DAY]
    return pa.table({"type": [pair[0] for pair in known], "what": [pair[1] for pair in known]})


def read(segment: Segment, file: str, columns: Sequence[str]) -> pa.Table:
    path = segment.path / file
    try:
        return pq.read_table(path, columns=list(columns), use_threads=False, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(path, error) from error


def dataset(segments: Sequence[Segment], file: str) -> ds.Dataset:
    """One file of many segments, opened but not read: DuckDB takes from it what a query needs."""
    for segment in segments:
        try:
            pq.read_metadata(segment.path / file)
        except (OSError, pa.ArrowException) as error:
            raise _unreadable(segment.path / file, error) from error
    return ds.dataset([str(segment.path / file) for segment in segments], format="parquet")


def spoken_in(segments: Iterable[Segment]) -> pa.Table:
    """What tables and devices said of themselves, as it was recorded, in order of seq."""
    rows = [row for segment in segments for row in _spoken(segment)]
    return pa.Table.from_pylist(sorted(rows, key=lambda row: (row["table_id"], row["seq"])), SPOKEN)


def _spoken(segment: Segment) -> Iterator[Row]:
    path = segment.path / "events.parquet"
    wanted_types = pa.array(sorted(named for named, model in events.DATA_MODEL_OF.items() if model.TYPE in _OF_ITSELF))
    try:
        file = pq.ParquetFile(path)
        for group in range(file.num_row_groups):
            found = file.read_row_group(group, columns=["type", "status"])
            wanted = pc.and_(pc.is_in(found["type"], wanted_types), pc.equal(found["status"], RECORDED))
            if not pc.any(wanted).as_py():
                continue  # the bytes are most of the file
            columns = ["table_id", "seq", "time_us", "type", "raw"]
            for row in file.read_row_group(group, columns=columns).filter(wanted).to_pylist():
                yield _said(row, orjson.loads(row["raw"])["data"])
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(path, error) from error


def _said(row: Row, data: dict[str, Any]) -> Row:
    what = events.plain_type(row["type"])
    signs = {"table.filled": 1, "table.credited": -1}
    sees = None if data.get("sees") is None else [events.plain_type(str(seen)) for seen in data["sees"]]
    return {
        **{name: data.get(name) for name in SPOKEN.names},
        **{name: row[name] for name in ("table_id", "seq", "time_us")},
        "what": what,
        "filled_cents": data["amount_cents"] * signs[what] if what in signs else None,
        "about": str(data["device"]).replace("_", "-") if what.startswith("device.") else None,  # as in `source`
        "announced": None
        if sees is None
        else sorted(type_ for type_ in EVERY_ROUND | EVERY_DAY if any(fnmatchcase(type_, seen) for seen in sees)),
    }


def _unreadable(path: Path, error: Exception) -> LakeError:
    return LakeError(f"{path} cannot be read: {error}; run `muckraker doctor` and restore the file")
