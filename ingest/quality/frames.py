"""The frames: from the columns of segments to the few rows the expectations are held against.

At a segment's border everything that can be said of a slice of a table's stream without waiting for its day to end;
what reaches over the edge is `Carried`, a few rows that the next segment goes on from. At a gaming day's border what
can only be said once the day is over: that nothing is missing from it. Each frame is a query, in `segment/` and `day/`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import duckdb
import orjson
import pyarrow as pa

from ingest.lake import Segment
from ingest.quality.days import TableDays, begins_us, deadline_us
from ingest.quality.expectations import Row, frames_of
from ingest.quality.limits import DAY_US, HOUR_US, WAGER_FACTOR, WAGER_MOST_CENTS
from ingest.quality.source import (
    EVENT_COLUMNS,
    ROUND_COLUMNS,
    dataset,
    make,
    read,
    rows_of,
    schema_of,
    spoken_in,
    type_names,
)
from schemas.places import MAX_SEAT

_ENDLESS = 2**62
_LIST = pa.list_(pa.int64())


_CARRIED = {
    "tables": schema_of(
        "table_id controller",
        "last_seq last_us last_logged_us rounds minute minute_events log_mark_us clock_mark_us",
    ),
    "devices": schema_of(
        "table_id device",
        "online_seq offline_seq first_rounds last_rounds heard_rounds",
        announced=pa.list_(pa.string()),
    ),
    "tail": schema_of(
        "table_id device about", "seq time_us rounds clock_us table_us", off=pa.bool_(), skews=_LIST, lags=_LIST
    ),
    "papers": schema_of("table_id box", "seq time_us inventory_cents filled_cents box_cents rounds"),
}
_SPANS = schema_of("table_id", "from_seq to_seq", is_first=pa.bool_(), is_last=pa.bool_(), still_open=pa.bool_())


@dataclass(frozen=True)
class Carried:
    """What is known of a partition's tables behind a segment."""

    days: dict[str, TableDays]
    rows: dict[str, pa.Table]  # by _CARRIED

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Carried:
        days = {table_id: TableDays.read(said) for table_id, said in document["days"].items()}
        return cls(days, {name: pa.table(document[name], schema=schema) for name, schema in _CARRIED.items()})

    def document(self) -> dict[str, Any]:
        days = {table_id: asdict(known) for table_id, known in self.days.items()}
        return {"days": days, **{name: rows.to_pydict() for name, rows in self.rows.items()}}

    def and_of(self, other: Carried) -> Carried:
        """With the tables of another partition."""
        rows = {name: pa.concat_tables([rows, other.rows[name]]) for name, rows in self.rows.items()}
        return Carried({**self.days, **other.days}, rows)


NOTHING = Carried({}, {name: schema.empty_table() for name, schema in _CARRIED.items()})


@dataclass(frozen=True)
class Measured:
    """What a segment came to."""

    frames: dict[str, pa.Table]
    days: list[str]  # gaming days it holds something of
    clock_us: int | None  # the middle of its events' times: how far the partition has come
    after: Carried


def measure(con: duckdb.DuckDBPyConnection, segment: Segment, before: Carried, border_hour: int) -> Measured:
    """Measure the next segment of a partition."""
    spoken = spoken_in([segment])
    rounds = read(segment, "rounds.parquet", ROUND_COLUMNS)
    given = {"segment_events": read(segment, "events.parquet", EVENT_COLUMNS), "segment_rounds": rounds}
    given |= {"spoken": spoken, "tail": before.rows["tail"], "tables_before": before.rows["tables"]}
    given |= {"devices_before": before.rows["devices"], "papers_before": before.rows["papers"]}
    given |= {"filings": _filings(rounds), "days_before": _days_before(before.days, border_hour)}
    _register(con, given)
    for name in ("of_segment", "timeline", "devices", "clock_hours"):
        make(con, f"segment/{name}")
    frames = {name: rows_of(con, f"segment/{name}") for name in frames_of("segment")}
    con.register("rates", frames["rates"])
    rows = {"tables": rows_of(con, "segment/known_behind"), "devices": con.table("devices_now").to_arrow_table()}
    rows |= {"tail": rows_of(con, "segment/tail"), "papers": rows_of(con, "segment/papers")}
    last_seq = dict(zip(*(before.rows["tables"][name].to_pylist() for name in ("table_id", "last_seq")), strict=True))
    days = {table_id: TableDays.read(asdict(known)) for table_id, known in before.days.items()}
    for here in rows_of(con, "segment/advance", border_us=border_hour * HOUR_US).to_pylist():
        table_id = here["table_id"]
        said = [one for one in spoken.to_pylist() if one["table_id"] == table_id]
        new = [one for one in said if one["seq"] > last_seq.get(table_id, -1)]
        days.setdefault(table_id, TableDays()).advance(here, new)
    touched = {
        known.day
        for one in rows_of(con, "segment/seen").to_pylist()
        for known in days.get(one["table_id"], TableDays()).ranges
        if known.has_some(one["lowest"], one["highest"])
    }
    (clock_us,) = con.sql("SELECT median(time_us)::BIGINT FROM of_segment").fetchall()[0]
    after = Carried(days, {name: rows[name].select(schema.names).cast(schema) for name, schema in _CARRIED.items()})
    return Measured(frames, sorted(touched), clock_us, after)


def measure_day(
    con: duckdb.DuckDBPyConnection,
    day: str,
    segments: Sequence[Segment],
    before: Carried,
    after: Carried,
    overdue: Mapping[str, bool],
    border_hour: int,
) -> dict[str, pa.Table]:
    """The frames of a day.

    `segments` hold all of the day, `before` is what was known ahead of the first of them in each partition and `after`
    behind the last. `overdue` says which tables' partitions have come past the day's deadline.
    """
    spans = [
        {
            "table_id": table_id,
            "from_seq": known.from_seq,
            "to_seq": _ENDLESS if known.to_seq is None else known.to_seq,
            "is_first": known is days.ranges[0],
            "is_last": known.to_seq is None,
            "still_open": days.day == day and not overdue[table_id],
        }
        for table_id, days in after.days.items()
        for known in days.ranges
        if known.day == day
    ]
    given = {"stored_events": dataset(segments, "events.parquet"), "stored_rounds": dataset(segments, "rounds.parquet")}
    given |= {"spoken": spoken_in(segments), "type_names": type_names(), "spans": pa.Table.from_pylist(spans, _SPANS)}
    given |= {"tables": after.rows["tables"], "devices": after.rows["devices"]}
    given |= {"tables_before": before.rows["tables"], "papers": before.rows["papers"]}
    _register(con, given)
    make(con, "day/views")
    middle_us = begins_us(day, border_hour) + DAY_US // 2
    return {name: rows_of(con, f"day/{name}", day=day, middle_us=middle_us) for name in frames_of("day")}


def _register(con: duckdb.DuckDBPyConnection, given: Mapping[str, object]) -> None:
    for name, rows in given.items():
        con.register(name, rows)


def _days_before(days: Mapping[str, TableDays], border_hour: int) -> pa.Table:
    rows: list[Row] = [
        {
            "table_id": table_id,
            "is_open": known.is_open,
            "deadline_us": deadline_us(known.day, border_hour) if known.declared and known.day else None,
        }
        for table_id, known in days.items()
    ]
    return pa.Table.from_pylist(rows, schema_of("table_id", "deadline_us", is_open=pa.bool_()))


def _filings(rounds: pa.Table) -> pa.Table:
    """The most a wager can be, and the last seat, by the options filed."""
    rows: list[Row] = []
    for filing in rounds["filing"].unique().to_pylist():
        options: dict[str, Any] = (orjson.loads(filing) if filing else {}).get("options", {})
        maxima = [value for name, value in options.items() if name.endswith("_maximum_cents")]
        highest = max((most for most in maxima if isinstance(most, int)), default=0)
        seats = options.get("seats")
        rows.append(
            {
                "filing": filing,
                "wager_most": highest * WAGER_FACTOR if highest > 0 else WAGER_MOST_CENTS,
                "seat_most": seats if isinstance(seats, int) and not isinstance(seats, bool) else MAX_SEAT,
            }
        )
    return pa.Table.from_pylist(rows, schema_of("filing", "wager_most seat_most"))
