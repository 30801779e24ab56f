"""Silence: devices that say nothing while their table plays, and open tables that say nothing at all.

Works on `told` and `carried`, the tables that segment_frames.py makes of a segment. A device's silence is counted in
rounds and by the table's clock, never by its own.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa

from ingest.quality.carried import Device, Tables
from ingest.quality.limits import SILENT_US, TABLE_SILENT_US
from ingest.quality.source import Row, TableEvent, announced_device, plain_type, rows_of


def measure_silence(
    con: duckdb.DuckDBPyConnection, tables: Tables, spoken: dict[str, list[TableEvent]], here: set[str]
) -> list[Row]:
    """Of each device its longest silence while the table played."""
    before: list[Row] = []
    notes: list[Row] = []
    for table_id, events in spoken.items():
        table = tables[table_id]
        for event in events:
            if event.what not in ("device.online", "device.offline"):
                continue
            device = table.devices.setdefault(announced_device(event), Device())
            if event.what == "device.online":
                sees = event.data.get("sees")
                device.sees = None if sees is None else sorted({plain_type(str(seen)) for seen in sees})
                device.online_seq = event.seq
            else:
                device.offline_seq = event.seq
            notes.append(
                {
                    "table_id": table_id,
                    "device": announced_device(event),
                    "seq": event.seq,
                    "off": event.what == "device.offline",
                }
            )
    for table_id in sorted(here):
        before += [
            {
                "table_id": table_id,
                "device": name,
                "seq": device.last_seq,
                "rounds": device.last_rounds,
                "clock_us": device.last_clock_us,
                "off": device.is_offline and device.offline_seq <= tables[table_id].last_seq,
            }
            for name, device in tables[table_id].devices.items()
            if device.last_seq >= 0
        ]
    con.register("notes", pa.Table.from_pylist(notes, _NOTES_SCHEMA))
    con.register("heard_before", pa.Table.from_pylist(before, _BEFORE_SCHEMA))
    made: list[Row] = []
    for row in rows_of(con, _GAPS):
        table = tables[row["table_id"]]
        device = table.devices.setdefault(row["device"], Device())
        if row["heard"]:
            if device.first_rounds is None:
                device.first_rounds = row["first_rounds"]
            device.heard_rounds += row["heard"]
            device.last_rounds = row["last_rounds"]
        if row["last_seq"] is not None:
            device.last_seq, device.last_clock_us = row["last_seq"], row["last_clock_us"]
            device.last_rounds = max(device.last_rounds, row["last_rounds"])
        allowed = device.silent_rounds_allowed()
        if allowed is not None and row["gap_rounds"] is not None:
            made.append(
                {
                    "table_id": row["table_id"],
                    "device": row["device"],
                    "silent_rounds": row["gap_rounds"] if (row["gap_us"] or 0) >= SILENT_US else 0,
                    "allowed_rounds": allowed,
                    "seq": row["gap_seq"],
                    "at_us": row["gap_clock_us"] or 0,
                    "marks": [[row["gap_seq"] + 1, max(row["gap_end"] - 1, row["gap_seq"] + 1)]],
                }
            )
    return made


_NOTES_SCHEMA = pa.schema(
    [("table_id", pa.string()), ("device", pa.string()), ("seq", pa.int64()), ("off", pa.bool_())]
)
_BEFORE_SCHEMA = pa.schema(
    [
        ("table_id", pa.string()),
        ("device", pa.string()),
        ("seq", pa.int64()),
        ("rounds", pa.int64()),
        ("clock_us", pa.int64()),
        ("off", pa.bool_()),
    ]
)

# Steps from one time a device was heard to the next; the last step ends where the segment does. A step that begins with
# `device.offline` is no silence: it was announced.
_GAPS = f"""
WITH said AS (
    SELECT table_id, device, seq, rounds, clock_us, FALSE AS off, 1 AS source FROM told
    UNION ALL
    SELECT n.table_id, n.device, n.seq, t.rounds, t.clock_us, n.off, 2
    FROM notes AS n JOIN told AS t USING (table_id, seq)
    UNION ALL
    SELECT table_id, device, seq, rounds, clock_us, off, 0 FROM heard_before
),
ends AS (
    SELECT table_id, max(seq) + 1 AS seq, max(rounds) AS rounds, arg_max(clock_us, seq) AS clock_us
    FROM told GROUP BY table_id
),
stops AS (
    SELECT * FROM said
    UNION ALL
    SELECT d.table_id, d.device, e.seq, e.rounds, e.clock_us, FALSE, 3
    FROM (SELECT DISTINCT table_id, device FROM said) AS d JOIN ends AS e USING (table_id)
),
steps AS (
    SELECT table_id, device, source, rounds, seq, clock_us, off,
        lag(seq) OVER steps_of AS from_seq,
        lag(clock_us) OVER steps_of AS from_us,
        rounds - lag(rounds) OVER steps_of AS gap_rounds,
        clock_us - lag(clock_us) OVER steps_of AS gap_us,
        coalesce(lag(off) OVER steps_of, FALSE) AS from_off
    FROM stops WINDOW steps_of AS (PARTITION BY table_id, device ORDER BY seq, source)
),
ranked AS (
    SELECT *, CASE WHEN from_off THEN NULL
        WHEN gap_us >= {SILENT_US} THEN 1000000000 + gap_rounds ELSE gap_rounds END AS weight
    FROM steps
)
SELECT r.table_id, r.device,
    count(DISTINCT r.rounds) FILTER (r.source IN (1, 2) AND r.rounds > coalesce(b.rounds, -1)) AS heard,
    min(r.rounds) FILTER (r.source IN (1, 2)) AS first_rounds,
    max(r.rounds) FILTER (r.source IN (1, 2)) AS last_rounds,
    max(r.seq) FILTER (r.source IN (1, 2)) AS last_seq,
    max(r.clock_us) FILTER (r.source IN (1, 2)) AS last_clock_us,
    arg_max(r.gap_rounds, weight) AS gap_rounds, arg_max(r.gap_us, weight) AS gap_us,
    arg_max(r.from_seq, weight) AS gap_seq, arg_max(r.from_us, weight) AS gap_clock_us,
    arg_max(r.seq, weight) AS gap_end
FROM ranked AS r LEFT JOIN heard_before AS b ON b.table_id = r.table_id AND b.device = r.device
GROUP BY r.table_id, r.device ORDER BY r.table_id, r.device
"""


def measure_silent_tables(con: duckdb.DuckDBPyConnection, tables: Tables, here: set[str]) -> list[Row]:
    """Of each open table the longest time nothing at all was heard of it."""
    made = rows_of(
        con,
        """
        SELECT table_id, '' AS device, arg_max(seq, gap_us) AS seq, arg_max(time_us, gap_us) AS at_us,
            max(gap_us) AS silent_us,
            [[arg_max(seq, gap_us), arg_max(seq, gap_us) + 1]] AS marks
        FROM (
            -- one event whose clock jumped, here or on either side, is no silence
            SELECT table_id, seq, table_us AS time_us,
                least(one_after_us, two_after_us) - greatest(table_us, one_before_us) AS gap_us
            FROM told WHERE is_open
            UNION ALL
            SELECT * FROM (
                SELECT c.table_id, c.last_seq, c.last_us, least(t.table_us, t.one_after_us) - c.last_us
                FROM carried AS c JOIN told AS t USING (table_id)
                WHERE c.is_open
                QUALIFY row_number() OVER (PARTITION BY table_id ORDER BY t.seq) = 1
            )
        ) WHERE gap_us IS NOT NULL
        GROUP BY table_id ORDER BY table_id
        """,
    )
    # By the log: a table that is open and has not been heard at all for a while, as others were.
    (logged,) = rows_of(con, "SELECT max(timestamp_us) AS now_us FROM segment_events")
    for table_id, table in tables.items():
        if table_id not in here and table.days.is_open and logged["now_us"] is not None and table.last_us is not None:
            silent_us = logged["now_us"] - table.last_logged_us
            if silent_us > TABLE_SILENT_US // 3:  # a heartbeat is overdue
                made.append(
                    {
                        "table_id": table_id,
                        "device": "",
                        "seq": table.last_seq,
                        "at_us": table.last_us,
                        "silent_us": silent_us,
                        "marks": [[table.last_seq, table.last_seq]],
                    }
                )
    return made
