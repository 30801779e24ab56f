"""The segment border: from one segment's columns to the few rows the segment suite judges.

Everything that can be said of a slice of a table's stream without waiting for its day to end: values out of range,
rates, clocks, silence, refused records. DuckDB does the counting, a row is a table or a device, and what reaches over
the segment's edge is in `carried`. `measure` changes the tables it is given: they are as they stand after the segment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import duckdb
import orjson
import pyarrow as pa

from ingest.lake import Segment
from ingest.quality.carried import Reading, Table, Tables
from ingest.quality.clocks import measure_clocks
from ingest.quality.days import Stretch, advance, deadline_us
from ingest.quality.limits import (
    CARDS_MOST,
    DAY_US,
    FEE_MOST_CENTS,
    HOUR_US,
    MINUTE_US,
    PAID_MOST_CENTS,
    REFUSED_FEW,
    REFUSED_SHARE,
    TRAY_MOST_CENTS,
    WAGER_FACTOR,
    WAGER_MOST_CENTS,
)
from ingest.quality.silence import measure_silence, measure_silent_tables
from ingest.quality.source import (
    Row,
    TableEvent,
    rows_of,
    segment_events,
    segment_rounds,
    table_events,
    type_of,
)
from ingest.quality.stored import (
    COLLECTION,
    ENVY,
    PROGRESSIVE_OUT,
    SETTLED,
    VIGORISH,
    WAGER_CHANGED,
    WAGER_PLACED,
)
from schemas.places import MAX_SEAT

_OPENED, _CLOSED = type_of("round.opened"), type_of("round.closed")
_TRAY_MEMBERS = ("inventory_cents", "amount_cents", "box_cents")


@dataclass
class Measured:
    """What a segment came to."""

    frames: dict[str, list[Row]]
    days: list[str]  # gaming days it holds something of
    clock_us: int | None  # the middle of its events' times: how far the partition has come


def measure(con: duckdb.DuckDBPyConnection, segment: Segment, tables: Tables, border_hour: int) -> Measured:
    """Measure the next segment of a partition, and bring `tables` up to its end."""
    _load(con, segment)
    seen = rows_of(con, _SEEN)
    for row in seen:
        tables.setdefault(row["table_id"], Table())
    spoken: dict[str, list[TableEvent]] = {}
    for event in sorted(table_events(segment), key=lambda event: event.seq):
        spoken.setdefault(event.table_id, []).append(event)
    _tell(con, seen, tables, spoken, border_hour)
    here = {str(row["table_id"]) for row in rows_of(con, "SELECT DISTINCT table_id FROM told")}
    frames = {
        "values": _values(con, spoken),
        "rates": _rates(con, tables),
        "refused": _refused(con),
        "clocks": measure_clocks(con, tables),
        "silence": measure_silence(con, tables, spoken, here),
        "tables": measure_silent_tables(con, tables, here),
    }
    days = _go_on(con, seen, tables, spoken, border_hour)
    (clock,) = rows_of(con, "SELECT CAST(median(time_us) AS BIGINT) AS clock_us FROM heard")
    return Measured(frames, days, clock["clock_us"])


# --- loading ----------------------------------------------------------------------------------------------------------

_SEEN = """
SELECT table_id,
    min(seq) AS lowest, max(seq) AS highest, arg_min(time_us, seq) AS first_us, arg_max(time_us, seq) AS last_us,
    max(timestamp_us) AS last_logged_us
FROM heard GROUP BY table_id ORDER BY table_id
"""


def _load(con: duckdb.DuckDBPyConnection, segment: Segment) -> None:
    con.register("segment_events", segment_events(segment))
    con.register("segment_rounds", segment_rounds(segment))
    con.execute(
        """
        CREATE OR REPLACE TEMP TABLE heard AS
        SELECT table_id, seq, "type", time_us, timestamp_us, split_part(source, '/', 5) AS device
        FROM segment_events WHERE status = 'recorded'
        """
    )


def _tell(
    con: duckdb.DuckDBPyConnection,
    seen: list[Row],
    tables: Tables,
    spoken: dict[str, list[TableEvent]],
    border_hour: int,
) -> None:
    """`told`: the segment's events in the order of their tables, each with how far the table had come by then.

    Events that come late, behind others that were in an earlier segment, are left out: their place is not here.
    """
    for row in rows_of(
        con,
        f"""
        SELECT table_id, arg_max(device, said) AS controller FROM (
            SELECT table_id, device, count(*) AS said FROM heard WHERE "type" = '{_OPENED}' GROUP BY ALL ORDER BY ALL
        ) GROUP BY table_id
        """,
    ):
        tables[row["table_id"]].controller = row["controller"]
    known = [(row["table_id"], tables[row["table_id"]]) for row in seen]
    con.register(
        "carried",
        pa.table(
            {
                "table_id": pa.array([table_id for table_id, _ in known], pa.string()),
                "controller": pa.array([table.controller for _, table in known], pa.string()),
                "controller_us": pa.array([table.controller_us for _, table in known], pa.int64()),
                "clock_us": pa.array([table.clock_us for _, table in known], pa.int64()),
                "rounds": pa.array([table.rounds for _, table in known], pa.int64()),
                "last_seq": pa.array([table.last_seq for _, table in known], pa.int64()),
                "last_us": pa.array([table.last_us for _, table in known], pa.int64()),
                "is_open": pa.array([table.days.is_open for _, table in known], pa.bool_()),
                "log_mark_us": pa.array(
                    [table.log_mark[0] if table.log_mark else None for _, table in known], pa.int64()
                ),
                "clock_mark_us": pa.array(
                    [table.log_mark[1] if table.log_mark else None for _, table in known], pa.int64()
                ),
                "deadline_us": pa.array(
                    [
                        deadline_us(table.days.day, border_hour) if table.days.declared and table.days.day else None
                        for _, table in known
                    ],
                    pa.int64(),
                ),
            }
        ),
    )
    changes = [
        (event.table_id, event.seq, event.what == "table.opened")
        for events in spoken.values()
        for event in events
        if event.what in ("table.opened", "table.closed")
    ]
    con.register(
        "changes",
        pa.table(
            {
                "table_id": pa.array([change[0] for change in changes], pa.string()),
                "seq": pa.array([change[1] for change in changes], pa.int64()),
                "is_open": pa.array([change[2] for change in changes], pa.bool_()),
            }
        ),
    )
    con.execute(f"CREATE OR REPLACE TEMP TABLE told AS {_TOLD}")


# The controller's clock rules the table. A lone jump of it is smoothed away (the middle of three), and another device's
# event happened between the controller's before and after it, whatever its own clock says.
_TOLD = f"""
WITH placed AS (
    SELECT h.*, c.rounds AS rounds_before, c.clock_us AS clock_before, c.controller_us, c.last_us AS before_segment_us,
        c.is_open AS open_before, s.is_open AS turns, h.device = c.controller AS by_controller
    FROM heard AS h
    JOIN carried AS c USING (table_id)
    LEFT JOIN changes AS s USING (table_id, seq)
    WHERE h.seq > c.last_seq
),
neighbours AS (
    SELECT *, coalesce(lag(time_us) OVER by_device, controller_us, time_us) AS last_us,
        coalesce(lead(time_us) OVER by_device, greatest(time_us, lag(time_us) OVER by_device)) AS next_us
    FROM placed
    WINDOW by_device AS (PARTITION BY table_id, by_controller ORDER BY seq)
),
ruled AS (
    SELECT *, CASE WHEN by_controller
        THEN greatest(least(last_us, next_us), least(greatest(last_us, next_us), time_us)) END AS ruler_us
    FROM neighbours
),
ordered AS (
    SELECT table_id, seq, "type", time_us, timestamp_us, device, by_controller, ruler_us, before_segment_us,
        rounds_before + count(*) FILTER ("type" = '{_OPENED}') OVER so_far AS rounds,
        coalesce(
            last_value(CASE WHEN "type" IN ('{_OPENED}', '{_CLOSED}') THEN time_us END IGNORE NULLS) OVER so_far,
            clock_before
        ) AS clock_us,
        coalesce(last_value(ruler_us IGNORE NULLS) OVER earlier, controller_us) AS before_us,
        first_value(ruler_us IGNORE NULLS) OVER later AS after_us,
        coalesce(last_value(turns IGNORE NULLS) OVER so_far, open_before) AS is_open
    FROM ruled
    WINDOW
        so_far AS (PARTITION BY table_id ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
        earlier AS (PARTITION BY table_id ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
        later AS (PARTITION BY table_id ORDER BY seq ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
),
timed AS (
    SELECT *, coalesce(ruler_us, greatest(least(time_us, after_us), before_us)) AS table_us FROM ordered
)
SELECT *,
    coalesce(lag(table_us) OVER in_order, before_segment_us) AS one_before_us,
    lead(table_us) OVER in_order AS one_after_us,
    lead(table_us, 2) OVER in_order AS two_after_us
FROM timed
WINDOW in_order AS (PARTITION BY table_id ORDER BY seq)
"""


# --- values -----------------------------------------------------------------------------------------------------------


def _values(con: duckdb.DuckDBPyConnection, spoken: dict[str, list[TableEvent]]) -> list[Row]:
    """Of each table and measure the value that comes nearest to its limit, or goes farthest beyond it."""
    filings = [str(row["filing"]) for row in rows_of(con, "SELECT DISTINCT filing FROM segment_rounds ORDER BY filing")]
    limits = [_filed_limits(filing) for filing in filings]
    con.register(
        "filings",
        pa.table(
            {
                "filing": pa.array(filings, pa.string()),
                "wager_most": pa.array([limit[0] for limit in limits], pa.int64()),
                "seat_most": pa.array([limit[1] for limit in limits], pa.int64()),
            }
        ),
    )
    rows = rows_of(con, _VALUES)
    for table_id, events in sorted(spoken.items()):
        told = [
            (event, int(event.data[member]))
            for event in events
            for member in _TRAY_MEMBERS
            if event.data.get(member) is not None
        ]
        if told:
            event, most = max(told, key=lambda pair: pair[1])
            beyond = [[one.seq, one.seq] for one, cents in told if cents > TRAY_MOST_CENTS]
            rows.append(
                {
                    "table_id": table_id,
                    "measure": "tray",
                    "value": most,
                    "ceiling": TRAY_MOST_CENTS,
                    "round_id": None,
                    "seq": event.seq,
                    "at_us": event.time_us,
                    "marks": beyond,
                }
            )
    return rows


_VALUES = f"""
WITH facts AS (
    SELECT table_id, round_id, filing, first_seq, last_seq, opened_us, unnest(facts) AS fact FROM segment_rounds
),
stakes AS (
    SELECT table_id, first_seq, fact.seat AS seat, fact.wager AS wager, fact.bettor AS bettor, fact.choice AS choice,
        fact.hand AS hand, max(fact.amount) AS stake
    FROM facts WHERE fact.kind IN ({WAGER_PLACED}, {WAGER_CHANGED}) GROUP BY ALL
),
measured AS (
    SELECT table_id, round_id, first_seq, last_seq, opened_us,
        CASE
            WHEN fact.kind IN ({WAGER_PLACED}, {WAGER_CHANGED}) THEN 'wager'
            WHEN fact.kind IN ({SETTLED}, {ENVY}, {PROGRESSIVE_OUT}) THEN 'payment'
            WHEN fact.kind IN ({COLLECTION}, {VIGORISH}) THEN 'fee'
        END AS measure,
        fact.amount AS value,
        CASE
            WHEN fact.kind IN ({WAGER_PLACED}, {WAGER_CHANGED}) THEN wager_most
            WHEN fact.kind IN ({SETTLED}, {ENVY}, {PROGRESSIVE_OUT}) THEN {PAID_MOST_CENTS}
            ELSE {FEE_MOST_CENTS}
        END AS ceiling
    FROM facts JOIN filings USING (filing)
    UNION ALL
    SELECT table_id, round_id, first_seq, last_seq, opened_us, 'taken', fact.taken, stake
    FROM facts JOIN stakes AS w USING (table_id, first_seq)
    WHERE fact.kind = {SETTLED} AND fact.taken > 0 AND w.seat = fact.seat AND w.wager = fact.wager
        AND w.bettor = fact.bettor AND w.choice = fact.choice AND w.hand = fact.hand
    UNION ALL
    SELECT table_id, round_id, first_seq, last_seq, opened_us, 'seat', fact.seat, seat_most
    FROM facts JOIN filings USING (filing)
    WHERE fact.kind IN ({WAGER_PLACED}, {WAGER_CHANGED}, {SETTLED})
    UNION ALL
    SELECT table_id, round_id, first_seq, last_seq, opened_us, 'rack', len(rack),
        CASE WHEN decks > 0 THEN decks::BIGINT * (52 + greatest(jokers, 0)) ELSE {CARDS_MOST} END
    FROM segment_rounds
    UNION ALL
    SELECT table_id, round_id, first_seq, last_seq, opened_us, 'dealt', len(dealt),
        CASE WHEN decks > 0 THEN decks::BIGINT * (52 + greatest(jokers, 0)) ELSE {CARDS_MOST} END
    FROM segment_rounds
)
SELECT table_id, measure,
    arg_max(value, value - ceiling) AS value,
    arg_max(ceiling, value - ceiling) AS ceiling,
    arg_max(round_id, value - ceiling) AS round_id,
    arg_max(first_seq, value - ceiling) AS seq,
    arg_max(opened_us, value - ceiling) AS at_us,
    coalesce(list([first_seq, last_seq] ORDER BY first_seq) FILTER (value > ceiling), []) AS marks
FROM measured WHERE measure IS NOT NULL AND ceiling IS NOT NULL
GROUP BY ALL ORDER BY ALL
"""


def _filed_limits(filing: str) -> tuple[int, int]:
    """The most a wager can be, and the last seat, by the options filed."""
    options: dict[str, Any] = (orjson.loads(filing) if filing else {}).get("options", {})
    highest = [
        value
        for name, value in options.items()
        if name.endswith("_maximum_cents") and isinstance(value, int) and value > 0
    ]
    seats = options.get("seats")
    return (
        max(highest) * WAGER_FACTOR if highest else WAGER_MOST_CENTS,
        seats if isinstance(seats, int) and not isinstance(seats, bool) else MAX_SEAT,
    )


# --- rates and refusals -----------------------------------------------------------------------------------------------


def _rates(con: duckdb.DuckDBPyConnection, tables: Tables) -> list[Row]:
    """Of each table its busiest minute. The minute the last segment ended in goes on in this one."""
    minutes = rows_of(
        con,
        f"""
        SELECT table_id, coalesce(time_us, timestamp_us) // {MINUTE_US} AS minute, count(*) AS events,
            min(seq) AS first_seq, max(seq) AS last_seq
        FROM segment_events GROUP BY ALL ORDER BY table_id, minute
        """,
    )
    busiest: dict[str, Row] = {}
    for row in minutes:
        table = tables.get(row["table_id"])
        events = int(row["events"])
        if table is not None:
            if table.minute[0] == row["minute"]:
                events += table.minute[1]
            if row["minute"] >= table.minute[0]:
                table.minute = [row["minute"], events]
        if row["table_id"] not in busiest or events > busiest[row["table_id"]]["events"]:
            busiest[row["table_id"]] = {
                "table_id": row["table_id"],
                "events": events,
                "seq": row["first_seq"] or 0,
                "at_us": row["minute"] * MINUTE_US,
                "marks": [] if row["first_seq"] is None else [[row["first_seq"], row["last_seq"]]],
            }
    return list(busiest.values())


def _refused(con: duckdb.DuckDBPyConnection) -> list[Row]:
    return rows_of(
        con,
        f"""
        SELECT table_id,
            count(*) FILTER (status = 'quarantined') AS refused,
            greatest({REFUSED_FEW}, CAST(floor(count(*) * {REFUSED_SHARE}) AS BIGINT)) AS allowed,
            count(*) AS records,
            coalesce(min(seq), 0) AS seq,
            min(coalesce(time_us, timestamp_us)) AS at_us,
            CASE WHEN min(seq) IS NULL THEN [] ELSE [[min(seq), max(seq)]] END AS marks
        FROM segment_events GROUP BY table_id ORDER BY table_id
        """,
    )


# --- going on ---------------------------------------------------------------------------------------------------------


def _go_on(
    con: duckdb.DuckDBPyConnection,
    seen: list[Row],
    tables: Tables,
    spoken: dict[str, list[TableEvent]],
    border_hour: int,
) -> list[str]:
    """Bring the tables up to the segment's end; the gaming days it touches."""
    stretches: dict[str, list[Stretch]] = {}
    border_us = border_hour * HOUR_US
    for row in rows_of(
        con,
        f"""
        SELECT table_id, CAST(make_timestamp((time_us - {border_us}) // {DAY_US} * {DAY_US}) AS DATE) AS day,
            min(seq) AS lowest, max(seq) AS highest
        FROM told GROUP BY ALL ORDER BY ALL
        """,
    ):
        stretches.setdefault(row["table_id"], []).append(Stretch(row["day"].isoformat(), row["lowest"], row["highest"]))
    ends = {
        row["table_id"]: row
        for row in rows_of(
            con,
            """
            SELECT table_id, min(seq) AS first_seq, arg_min(time_us, seq) AS first_us,
                max(seq) AS last_seq, arg_max(table_us, seq) AS last_us,
                max(rounds) AS rounds, arg_max(clock_us, seq) AS clock_us,
                arg_max(ruler_us, seq) FILTER (by_controller) AS controller_us,
                1 + max(seq) FILTER (time_us < deadline_us) AS overdue_seq,
                max(time_us) >= any_value(deadline_us) AS overdue,
                arg_min(timestamp_us, seq) FILTER (told.clock_us IS NOT NULL) AS log_mark_us,
                arg_min(told.clock_us, seq) FILTER (told.clock_us IS NOT NULL) AS clock_mark_us
            FROM told JOIN (SELECT table_id, deadline_us FROM carried) USING (table_id)
            GROUP BY table_id
            """,
        )
    }
    rounds_at = _rounds_at(con, spoken)
    touched: set[str] = set()
    for row in seen:
        table = tables[row["table_id"]]
        end = ends.get(row["table_id"])
        table.last_logged_us = max(table.last_logged_us, row["last_logged_us"])
        if end is not None:
            overdue = None
            if end["overdue"]:
                overdue = end["first_seq"] if end["overdue_seq"] is None else end["overdue_seq"]
                overdue = overdue if overdue <= end["last_seq"] else None
            events = [event for event in spoken.get(row["table_id"], []) if event.seq > table.last_seq]
            advance(
                table.days,
                stretches[row["table_id"]],
                events,
                (end["first_seq"], end["first_us"]),
                overdue,
                border_hour,
            )
            _read_tray(table, events, rounds_at.get(row["table_id"], {}), end["rounds"])
            table.rounds, table.clock_us = end["rounds"], end["clock_us"]
            table.controller_us = table.controller_us if end["controller_us"] is None else end["controller_us"]
            table.last_seq, table.last_us = end["last_seq"], end["last_us"]
            if end["log_mark_us"] is not None and (
                table.log_mark is None or end["log_mark_us"] - table.log_mark[0] > HOUR_US
            ):
                table.log_mark = [end["log_mark_us"], end["clock_mark_us"]]
        touched.update(table.days.touched(row["lowest"], row["highest"]))
    return sorted(touched)


def _read_tray(table: Table, events: list[TableEvent], rounds_at: dict[int, int], rounds_now: int) -> None:
    """The tray's last reading, and how many rounds were opened since it and since each box was counted.

    `table.rounds` still is what it was before the segment.
    """
    reading_at = table.rounds - (table.reading.rounds if table.reading else 0)
    boxes_at = {box: table.rounds - rounds for box, rounds in table.boxes.items()}
    for event in events:
        if table.reading is not None and event.what == "table.filled":
            table.reading.moved_cents += int(event.data["amount_cents"])
        elif table.reading is not None and event.what == "table.credited":
            table.reading.moved_cents -= int(event.data["amount_cents"])
        if event.data.get("inventory_cents") is not None:
            table.reading = Reading(event.seq, int(event.data["inventory_cents"]))
            reading_at = rounds_at[event.seq]
        if event.what == "table.counted" and event.data.get("box") is not None:
            boxes_at[str(event.data["box"])] = rounds_at[event.seq]
    if table.reading is not None:
        table.reading.rounds = rounds_now - reading_at
    table.boxes = {box: rounds_now - rounds for box, rounds in boxes_at.items()}


def _rounds_at(con: duckdb.DuckDBPyConnection, spoken: dict[str, list[TableEvent]]) -> dict[str, dict[int, int]]:
    """How many rounds each table had opened when it said something of itself."""
    pairs = [(table_id, event.seq) for table_id, events in spoken.items() for event in events]
    con.register(
        "spoken",
        pa.table(
            {
                "table_id": pa.array([pair[0] for pair in pairs], pa.string()),
                "seq": pa.array([pair[1] for pair in pairs], pa.int64()),
            }
        ),
    )
    at: dict[str, dict[int, int]] = {}
    for row in rows_of(con, "SELECT table_id, seq, rounds FROM told JOIN spoken USING (table_id, seq)"):
        at.setdefault(row["table_id"], {})[row["seq"]] = row["rounds"]
    return at
