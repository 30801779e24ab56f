"""Clock skew: how far each device's clock is off, from the table's other clocks and from the log's.

Works on `told` and `carried`, the tables that segment_frames.py makes of a segment.
"""

from __future__ import annotations

from statistics import median

import duckdb

from ingest.quality.carried import Device, Tables
from ingest.quality.limits import (
    HOUR_US,
    LOG_LIVE_SHARE,
    LOG_LIVE_US,
    SKEW_EVENTS,
    SKEW_MOST_US,
    SKEW_REMEMBERED,
)
from ingest.quality.source import Row, rows_of


def measure_clocks(con: duckdb.DuckDBPyConnection, tables: Tables) -> list[Row]:
    """Of each device and hour how far its clock is off: from the table's, and from the log's where that is a clock.

    Order is by seq, so a device's event must lie between the controller's events before and after it; what it lies
    outside is at least how far its clock is off. A log is a clock where it moved on as the table did; one that was fed
    from a file says nothing about clocks.
    """
    rows = rows_of(
        con,
        f"""
        WITH measured AS (
            SELECT t.table_id, t.device, t.seq, t.time_us, t.clock_us // {HOUR_US} AS hour,
                CASE
                    WHEN t.by_controller THEN NULL
                    WHEN t.time_us > t.after_us THEN t.time_us - t.after_us
                    WHEN t.time_us < t.before_us THEN t.time_us - t.before_us
                    WHEN t.before_us IS NOT NULL OR t.after_us IS NOT NULL THEN 0
                END AS skew_us,
                CASE
                    WHEN t.timestamp_us - c.log_mark_us >= {LOG_LIVE_US}
                        AND t.timestamp_us - c.log_mark_us >= {LOG_LIVE_SHARE} * (t.clock_us - c.clock_mark_us)
                    THEN t.time_us - t.timestamp_us
                END AS lag_us
            FROM told AS t JOIN marks AS c USING (table_id)
            WHERE t.clock_us IS NOT NULL
        )
        SELECT table_id, device, hour, min(seq) AS first_seq, max(seq) AS last_seq, min(time_us) AS at_us,
            count(skew_us) AS skews, CAST(median(skew_us) AS BIGINT) AS skew_us,
            list(skew_us ORDER BY seq DESC) FILTER (skew_us IS NOT NULL)[1:{SKEW_REMEMBERED}] AS last_skews,
            count(lag_us) AS lags, CAST(quantile_cont(lag_us, 0.9) AS BIGINT) AS lag_us,
            list(lag_us ORDER BY seq DESC) FILTER (lag_us IS NOT NULL)[1:{SKEW_REMEMBERED}] AS last_lags
        FROM measured GROUP BY ALL ORDER BY table_id, hour, device
        """.replace("marks AS c", f"({_MARKS}) AS c"),
    )
    made: list[Row] = []
    for row in rows:
        device = tables[row["table_id"]].devices.setdefault(row["device"], Device())
        device.skews_us = [*device.skews_us, *reversed(row["last_skews"] or [])][-SKEW_REMEMBERED:]
        device.lags_us = [*device.lags_us, *reversed(row["last_lags"] or [])][-SKEW_REMEMBERED:]
        skew = row["skew_us"] if row["skews"] >= SKEW_EVENTS else _middle(device.skews_us)
        lag = row["lag_us"] if row["lags"] >= SKEW_EVENTS else _promptest(device.lags_us)
        made.append(
            {
                "table_id": row["table_id"],
                "device": row["device"],
                "hour": row["hour"],
                "skew_us": skew,
                "lag_us": lag,
                "seq": row["first_seq"],
                "at_us": row["at_us"],
                "marks": [[row["first_seq"], row["last_seq"]]],
            }
        )
    _blame(made, tables)
    return [row for row in made if row["skew_us"] is not None or row["lag_us"] is not None]


# Where the log and the table stood some while ago: what was carried, or the first event of the segment.
_MARKS = """
    SELECT table_id,
        coalesce(any_value(c.log_mark_us), arg_min(t.timestamp_us, t.seq)) AS log_mark_us,
        coalesce(any_value(c.clock_mark_us), arg_min(t.clock_us, t.seq)) AS clock_mark_us
    FROM told AS t JOIN carried AS c USING (table_id)
    WHERE t.clock_us IS NOT NULL
    GROUP BY table_id
"""


def _middle(values: list[int]) -> int | None:
    return int(median(values)) if len(values) >= SKEW_EVENTS else None


def _promptest(values: list[int]) -> int | None:
    """The second largest of a few: that of an event that was logged promptly, and not a lone jump."""
    return sorted(values)[-2] if len(values) >= SKEW_EVENTS else None


def _blame(rows: list[Row], tables: Tables) -> None:
    """Where every other device of a table differs from the controller the same way, it is the controller's clock."""
    by_hour: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        by_hour.setdefault((row["table_id"], row["hour"]), []).append(row)
    for (table_id, _), heard in by_hour.items():
        others = [row for row in heard if row["skew_us"] is not None]
        controller = next((row for row in heard if row["device"] == tables[table_id].controller), None)
        if controller is None or len(others) < 2:
            continue
        skews = [row["skew_us"] for row in others]
        if min(skews) > SKEW_MOST_US or max(skews) < -SKEW_MOST_US:
            controller["skew_us"] = -int(median(skews))
            for row in others:
                row["skew_us"] = None
