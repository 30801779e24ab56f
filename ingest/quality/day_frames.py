"""The gaming-day border: from the segments that hold something of a day to the few rows the day suite judges.

What can only be said once a day is over: that nothing is missing from it. One partition at a time; DuckDB reads the
columns it needs straight from the segments, and a row of a frame is a table, a device or an hour.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from statistics import median

import duckdb
import pyarrow as pa

from ingest.lake import Segment
from ingest.quality.carried import Tables
from ingest.quality.days import begins_us, deadline_us
from ingest.quality.dealers import measure_dealers
from ingest.quality.limits import (
    DATE_MOST_US,
    DAY_US,
    HOUR_COUNT,
    HOUR_FACTOR,
    HOUR_US,
    ROUND_EVENTS_FACTOR,
    ROUND_EVENTS_MOST,
    ROUND_EVENTS_ROUNDS,
)
from ingest.quality.meters import SAID_OF_METERS, measure_meters
from ingest.quality.reports import measure_reports
from ingest.quality.source import SPOKEN, Row, TableEvent, dataset, rows_of, table_events, type_of
from ingest.quality.stored import (
    EVENT_COLUMNS,
    FLAG_CLOSED,
    FLAG_GAP,
    FLAG_VOIDED,
    POT,
    SETTLED,
    WAGER_CHANGED,
    WAGER_PLACED,
    WAGER_WITHDRAWN,
)
from ingest.quality.sums import measure_sums

_ENDLESS = 2**62
_MARKS_KEPT = 1_000
_LOW_HOUR = 100  # events: a table that hardly plays is no measure for an hour in which it does


def measure_day(
    con: duckdb.DuckDBPyConnection,
    day: str,
    segments: Sequence[Segment],
    before: Tables,
    after: Tables,
    clock_us: int,
    border_hour: int,
) -> dict[str, list[Row]]:
    """The frames of a day in one partition.

    `segments` hold all of the day, `before` is what was known ahead of the first of them and `after` behind the last.
    `clock_us` is how far the partition has come: a table that has not closed is only overdue behind the deadline.
    """
    tables = {
        table_id: table for table_id, table in after.items() if any(known.day == day for known in table.days.ranges)
    }
    spoken: dict[str, list[TableEvent]] = {}
    for segment in segments:
        for event in table_events(segment, (*SPOKEN, *SAID_OF_METERS)):
            if event.table_id in tables:
                spoken.setdefault(event.table_id, []).append(event)
    for events in spoken.values():
        events.sort(key=lambda event: event.seq)
    _load(con, day, segments, tables)
    gaps = _gaps(con, day, tables)
    devices, reports = measure_reports(con, tables)
    return {
        "rounds": rows_of(con, _ROUNDS),
        "wagers": rows_of(con, _WAGERS),
        "devices": devices,
        "reports": reports,
        "sequence": gaps,
        "dates": _dates(con, day, border_hour),
        "hours": _hours(con),
        "openings": _openings(con, day, tables, spoken, clock_us > deadline_us(day, border_hour)),
        "sums": measure_sums(con, day, tables, before, spoken, gaps),
        "dealers": measure_dealers(con),
        "meters": measure_meters(con, spoken, {row["table_id"]: row["holes"] for row in gaps}),
    }


def _load(con: duckdb.DuckDBPyConnection, day: str, segments: Sequence[Segment], tables: Tables) -> None:
    spans = [
        (table_id, known.from_seq, _ENDLESS if known.to_seq is None else known.to_seq)
        for table_id, table in tables.items()
        for known in table.days.ranges
        if known.day == day
    ]
    con.register(
        "spans",
        pa.table(
            {
                "table_id": pa.array([span[0] for span in spans], pa.string()),
                "from_seq": pa.array([span[1] for span in spans], pa.int64()),
                "to_seq": pa.array([span[2] for span in spans], pa.int64()),
            }
        ),
    )
    con.register("stored_events", dataset(segments, "events.parquet"))
    con.register("stored_rounds", dataset(segments, "rounds.parquet"))
    con.execute(
        f"""
        CREATE OR REPLACE TEMP VIEW recorded AS
        SELECT e.table_id, e.round_id, e.seq, e."type", e.time_us, split_part(e.source, '/', 5) AS device
        FROM (SELECT {", ".join(f'"{name}"' for name in EVENT_COLUMNS)} FROM stored_events) AS e
        JOIN spans AS s ON s.table_id = e.table_id AND e.seq BETWEEN s.from_seq AND s.to_seq
        WHERE e.status = 'recorded';

        CREATE OR REPLACE TEMP TABLE superseded AS
        SELECT table_id, round_id, max(version) AS newest
        FROM stored_rounds GROUP BY ALL HAVING count(*) > 1;

        CREATE OR REPLACE TEMP VIEW assembled AS
        SELECT r.table_id, r.round_id, r.flags, r.dealer, r.opened_us, r.closed_us, r.first_seq, r.last_seq,
            r.bank_seat, r.bank_kind, r.facts
        FROM stored_rounds AS r LEFT JOIN superseded AS o USING (table_id, round_id)
        WHERE o.newest IS NULL OR r.version = o.newest;

        CREATE OR REPLACE TEMP VIEW day_rounds AS
        SELECT a.* FROM assembled AS a
        JOIN spans AS s ON s.table_id = a.table_id AND a.first_seq BETWEEN s.from_seq AND s.to_seq;

        CREATE OR REPLACE TEMP TABLE played AS
        SELECT p.*, a.flags IS NULL AS unassembled,
            p.opened > 0 AND p.closed = 0 AND coalesce(a.flags & {FLAG_CLOSED}, 0) = 0 AS unclosed,
            coalesce((a.flags & {FLAG_GAP}) <> 0, FALSE) AS gap,
            coalesce((a.flags & {FLAG_VOIDED}) <> 0, FALSE) AS voided
        FROM (
            SELECT table_id, round_id, count(*) AS events, min(seq) AS first_seq, max(seq) AS last_seq,
                min(time_us) AS at_us,
                count(*) FILTER ("type" = '{type_of("round.opened")}') AS opened,
                count(*) FILTER ("type" = '{type_of("round.closed")}') AS closed
            FROM recorded WHERE round_id IS NOT NULL GROUP BY ALL
        ) AS p LEFT JOIN (SELECT table_id, round_id, flags FROM assembled) AS a USING (table_id, round_id);

        CREATE OR REPLACE TEMP TABLE with_wagers AS
        SELECT table_id, round_id, opened_us, first_seq, last_seq FROM day_rounds
        WHERE (flags & {FLAG_CLOSED}) <> 0 AND (flags & {FLAG_VOIDED | FLAG_GAP}) = 0
            AND len(list_filter(facts, lambda f: f.kind = {WAGER_PLACED})) > 0;
        """
    )


# A round with a hole in it is explained by the hole (the sequence check), and judged by no other.
_ROUNDS = f"""
WITH usual AS (
    SELECT table_id, median(events) AS events, count(*) AS rounds
    FROM played WHERE NOT voided AND NOT gap GROUP BY table_id
),
judged AS (
    SELECT p.*, u.events AS usual,
        CASE WHEN u.rounds >= {ROUND_EVENTS_ROUNDS} THEN CAST(floor(u.events / {ROUND_EVENTS_FACTOR}) AS BIGINT)
            ELSE 0 END AS fewest_allowed,
        CASE WHEN u.rounds >= {ROUND_EVENTS_ROUNDS}
            THEN least({ROUND_EVENTS_MOST}, CAST(ceil(u.events * {ROUND_EVENTS_FACTOR}) AS BIGINT))
            ELSE {ROUND_EVENTS_MOST} END AS most_allowed
    FROM played AS p LEFT JOIN usual AS u USING (table_id)
)
SELECT table_id, min(first_seq) AS seq, min(at_us) AS at_us, count(*) AS rounds,
    CAST(count(*) FILTER (unclosed AND NOT gap) AS BIGINT) AS unclosed,
    CAST(count(*) FILTER (closed > 0 AND unassembled) AS BIGINT) AS unassembled,
    CAST(count(*) FILTER (opened > 1) AS BIGINT) AS reused,
    coalesce(min(events) FILTER (NOT voided AND NOT gap AND closed > 0), any_value(fewest_allowed)) AS fewest,
    any_value(fewest_allowed) AS fewest_allowed, max(events) AS most, any_value(most_allowed) AS most_allowed,
    any_value(usual) AS usual,
    list([first_seq, last_seq, at_us] ORDER BY first_seq)
        FILTER (unclosed AND NOT gap)[1:{_MARKS_KEPT}] AS unclosed_marks,
    list([first_seq, last_seq, at_us] ORDER BY first_seq)
        FILTER (closed > 0 AND unassembled)[1:{_MARKS_KEPT}] AS unassembled_marks,
    list([first_seq, last_seq, at_us] ORDER BY first_seq) FILTER (opened > 1)[1:{_MARKS_KEPT}] AS reused_marks,
    list([first_seq, last_seq, at_us] ORDER BY first_seq)
        FILTER (events < fewest_allowed AND NOT voided AND NOT gap AND closed > 0)[1:{_MARKS_KEPT}] AS fewest_marks,
    list([first_seq, last_seq, at_us] ORDER BY first_seq) FILTER (events > most_allowed)[1:{_MARKS_KEPT}] AS most_marks,
    list(round_id ORDER BY first_seq) FILTER (unclosed AND NOT gap)[1:3] AS unclosed_rounds,
    list(round_id ORDER BY first_seq) FILTER (closed > 0 AND unassembled)[1:3] AS unassembled_rounds,
    list(round_id ORDER BY first_seq) FILTER (opened > 1)[1:3] AS reused_rounds,
    list(round_id ORDER BY first_seq)
        FILTER (events < fewest_allowed AND NOT voided AND NOT gap AND closed > 0)[1:3] AS fewest_rounds,
    list(round_id ORDER BY first_seq) FILTER (events > most_allowed)[1:3] AS most_rounds,
    arg_min(round_id, events) FILTER (NOT voided AND NOT gap AND closed > 0) AS fewest_round,
    arg_max(round_id, events) AS most_round
FROM judged GROUP BY table_id ORDER BY table_id
"""

_KEY = "{{'seat': {0}.seat, 'bettor': {0}.bettor, 'wager': {0}.wager, 'choice': {0}.choice, 'hand': {0}.hand}}"


def _bad_rounds(what: str) -> str:
    """Columns for a count per round that should be nothing: how many in all and in how many rounds, marks and names."""
    return f"""
    CAST(sum({what}) AS BIGINT) AS {what},
    CAST(count(*) FILTER ({what} > 0) AS BIGINT) AS {what}_in,
    list([first_seq, last_seq, opened_us] ORDER BY first_seq) FILTER ({what} > 0)[1:{_MARKS_KEPT}] AS {what}_marks,
    list(round_id ORDER BY first_seq) FILTER ({what} > 0)[1:3] AS {what}_rounds"""


_WAGERS = f"""
WITH live AS (
    SELECT table_id, round_id, opened_us, first_seq, last_seq,
        list_distinct(list_transform(
            list_filter(facts, lambda w: w.kind IN ({WAGER_PLACED}, {WAGER_CHANGED})
                AND len(list_filter(facts, lambda x: x.kind = {WAGER_WITHDRAWN} AND x.seq > w.seq
                    AND {_KEY.format("x")} = {_KEY.format("w")})) = 0),
            lambda w: {_KEY.format("w")})) AS wagers,
        list_transform(list_filter(facts, lambda p: p.kind IN ({WAGER_PLACED}, {WAGER_CHANGED})),
            lambda p: {_KEY.format("p")}) AS placed,
        list_transform(list_filter(facts, lambda s: s.kind = {SETTLED}), lambda s: {_KEY.format("s")}) AS settled
    FROM day_rounds
    WHERE (flags & {FLAG_CLOSED}) <> 0 AND (flags & {FLAG_VOIDED | FLAG_GAP}) = 0
        AND len(list_filter(facts, lambda p: p.kind = {POT})) = 0
),
counted AS (
    SELECT table_id, round_id, opened_us, first_seq, last_seq, len(wagers) AS wagers, len(settled) AS settlements,
        len(list_filter(wagers, lambda w: NOT list_contains(settled, w))) AS unsettled,
        len(list_filter(settled, lambda s: NOT list_contains(placed, s))) AS unplaced
    FROM live
)
SELECT table_id, min(first_seq) AS seq, min(opened_us) AS at_us,
    CAST(sum(wagers) AS BIGINT) AS wagers, CAST(sum(settlements) AS BIGINT) AS settlements,
    {_bad_rounds("unsettled")},
    {_bad_rounds("unplaced")}
FROM counted GROUP BY table_id ORDER BY table_id
"""


# --- sequence, hours, openings ----------------------------------------------------------------------------------------


def _gaps(con: duckdb.DuckDBPyConnection, day: str, tables: Tables) -> list[Row]:
    """Of each table how many numbers of the day's stretch of its sequence no recorded event has."""
    made: list[Row] = []
    holes: dict[str, list[list[int]]] = {}
    before_us: dict[tuple[str, int], int] = {}
    for row in rows_of(
        con,
        """
        SELECT table_id, seq + 1 AS lowest, next - 1 AS highest, time_us
        FROM (SELECT table_id, seq, time_us, lead(seq) OVER (PARTITION BY table_id ORDER BY seq) AS next FROM recorded)
        WHERE next > seq + 1 ORDER BY ALL
        """,
    ):
        holes.setdefault(row["table_id"], []).append([row["lowest"], row["highest"]])
        before_us[row["table_id"], row["lowest"]] = row["time_us"]
    for row in rows_of(
        con,
        "SELECT table_id, min(seq) AS lowest, max(seq) AS highest, arg_min(time_us, seq) AS at_us "
        "FROM recorded GROUP BY table_id ORDER BY table_id",
    ):
        ranges = tables[row["table_id"]].days.ranges
        within = [known for known in ranges if known.day == day]
        outside = holes.get(row["table_id"], [])
        found: list[list[int]] = []
        for at, known in enumerate(within):
            end = row["highest"] if known.to_seq is None else known.to_seq
            # Ahead of the first day of a table anything may have been.
            start = row["lowest"] if at == 0 and known is ranges[0] else known.from_seq
            found += [
                [max(lowest, start), min(highest, end)]
                for lowest, highest in [*outside, *_edges(row, start, end)]
                if max(lowest, start) <= min(highest, end)
            ]
        found.sort()
        made.append(
            {
                "table_id": row["table_id"],
                "first_seq": row["lowest"],
                "last_seq": row["highest"],
                "missing": sum(highest - lowest + 1 for lowest, highest in found),
                "holes": found,
                "seq": row["lowest"],
                "at_us": row["at_us"],
                "marks": [
                    [max(lowest - 1, 0), highest + 1, before_us.get((row["table_id"], lowest), row["at_us"])]
                    for lowest, highest in found[:_MARKS_KEPT]
                ],
            }
        )
    return made


def _edges(row: Row, start: int, end: int) -> list[list[int]]:
    """What is missing ahead of the first and behind the last event there is."""
    return [[start, row["lowest"] - 1], [row["highest"] + 1, end]]


def _hours(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Full hours of each table beside the middle one of its day; nothing for a table that played too few."""
    rows = rows_of(
        con,
        f"""
        WITH days AS (
            SELECT table_id, arg_min(time_us, seq) AS first_us, arg_max(time_us, seq) AS last_us
            FROM recorded GROUP BY table_id
        )
        SELECT e.table_id, e.time_us // {HOUR_US} AS hour, count(*) AS events, min(e.seq) AS seq, max(e.seq) AS last_seq
        FROM recorded AS e JOIN days AS d USING (table_id)
        WHERE e.time_us // {HOUR_US} * {HOUR_US} >= d.first_us AND (e.time_us // {HOUR_US} + 1) * {HOUR_US} <= d.last_us
        GROUP BY ALL ORDER BY table_id, hour
        """,
    )
    by_table: dict[str, list[Row]] = {}
    for row in rows:
        by_table.setdefault(row["table_id"], []).append(row)
    made: list[Row] = []
    for table_id, hours in by_table.items():
        if len(hours) < HOUR_COUNT:
            continue
        usual = median(row["events"] for row in hours)
        made += [
            {
                "table_id": table_id,
                "events": row["events"],
                "allowed": ceil(HOUR_FACTOR * max(usual, _LOW_HOUR)),
                "usual": usual,
                "at_us": row["hour"] * HOUR_US,
                "seq": row["seq"],
                "marks": [[row["seq"], row["last_seq"]]],
            }
            for row in hours
        ]
    return made


def _dates(con: duckdb.DuckDBPyConnection, day: str, border_hour: int) -> list[Row]:
    """Of each device how many events of the day are dated as if they were of another."""
    middle_us = begins_us(day, border_hour) + DAY_US // 2
    outside = f"abs(time_us - {middle_us}) > {DATE_MOST_US}"
    return rows_of(
        con,
        f"""
        SELECT table_id, device, '{day}' AS day, count(*) AS events, count(*) FILTER ({outside}) AS outside,
            coalesce(min(seq) FILTER ({outside}), min(seq)) AS seq,
            coalesce(arg_min(time_us, seq) FILTER ({outside}), arg_min(time_us, seq)) AS at_us,
            list([seq, seq] ORDER BY seq) FILTER ({outside})[1:{_MARKS_KEPT}] AS marks
        FROM recorded GROUP BY ALL ORDER BY table_id, device
        """,
    )


def _openings(
    con: duckdb.DuckDBPyConnection, day: str, tables: Tables, spoken: dict[str, list[TableEvent]], overdue: bool
) -> list[Row]:
    """Of each table that played: whether it opened for the day and closed it again."""
    made: list[Row] = []
    for row in rows_of(
        con,
        "SELECT table_id, count(*) AS rounds, min(first_seq) AS seq, max(last_seq) AS last_seq, min(at_us) AS at_us "
        "FROM played GROUP BY table_id ORDER BY table_id",
    ):
        days = tables[row["table_id"]].days
        within = [
            event
            for event in spoken.get(row["table_id"], [])
            if any(
                known.day == day and known.from_seq <= event.seq and (known.to_seq is None or event.seq <= known.to_seq)
                for known in days.ranges
            )
        ]
        opened = [event.seq for event in within if event.what == "table.opened"]
        closed = [event.seq for event in within if event.what == "table.closed"]
        going_on = not overdue and days.day == day
        made.append(
            {
                "table_id": row["table_id"],
                "rounds": row["rounds"],
                "opened": len(opened),
                "unclosed": int(bool(opened) and max(closed, default=-1) < max(opened) and not going_on),
                "seq": row["seq"],
                "at_us": row["at_us"],
                "marks": [[row["seq"], row["last_seq"]]],
            }
        )
    return made
