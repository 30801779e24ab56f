"""Sums that must agree: chip trays and drop boxes beside what was reported to have moved.

Between two readings of a tray (`inventory_cents` of table.opened, counted, closed) it changes by fills, credits and
what the house won and lost. Where a player-dealer stands against the players, or a pot is played for, the tray is not
touched. A drop box holds the collections dropped in it, and beyond those the cash that chips were sold for, which left
the tray. Nothing is compared where chips of a round may be the house's or a banking player's (bank and co-bank,
progressive meters), where events are missing, or where what came before is not known.
"""

from __future__ import annotations

from dataclasses import dataclass

import duckdb
import pyarrow as pa

from ingest.quality.carried import Table, Tables
from ingest.quality.source import Row, TableEvent, rows_of
from ingest.quality.stored import (
    BANK_PLAYER_DEALER,
    COLLECTION,
    ENVY,
    NO_BANK,
    POT,
    PROGRESSIVE_IN,
    PROGRESSIVE_OUT,
    SETTLED,
    VIGORISH,
)

_START = -1  # of a table: before its first event


@dataclass(frozen=True)
class _Interval:
    """Between two readings of a tray, or two counts of a box."""

    table_id: str
    box: str | None
    from_seq: int
    to_seq: int
    from_cents: int
    to_cents: int
    moved_cents: int
    at_us: int


def measure_sums(
    con: duckdb.DuckDBPyConnection,
    day: str,
    tables: Tables,
    before: Tables,
    spoken: dict[str, list[TableEvent]],
    gaps: list[Row],
) -> list[Row]:
    """A row for each reading and count of the day that can be worked out."""
    holes = {row["table_id"]: row["holes"] for row in gaps}
    trays: list[_Interval] = []
    boxes: list[_Interval] = []
    unknown_cash: set[str] = set()
    for table_id, table in tables.items():
        events = spoken.get(table_id, [])
        known = before.get(table_id)
        trays += [reading for reading in _readings(table_id, known, events) if _in_day(table, day, reading.to_seq)]
        for count, sure in _counts(table_id, known, events):
            if _in_day(table, day, count.to_seq):
                if sure:
                    boxes.append(count)
                else:
                    unknown_cash.add(table_id)
    moved = _moved(con, [*trays, *boxes])
    made: list[Row] = []
    cash: dict[str, int] = {}
    for count in boxes:
        if _broken(count, holes) or moved[count][2]:
            unknown_cash.add(count.table_id)
            continue
        collected = moved[count][1]
        cash[count.table_id] = cash.get(count.table_id, 0) + max(count.to_cents - collected, 0)
        made.append(_row(count, f"box {count.box}", collected, None))
    by_table: dict[str, list[_Interval]] = {}
    for reading in trays:
        by_table.setdefault(reading.table_id, []).append(reading)
    for table_id, readings in by_table.items():
        if table_id in unknown_cash:
            continue
        if cash.get(table_id):
            readings = [_whole(readings)]  # when in the day chips were sold, nobody says
        for reading in readings:
            chips = _sum([moved[part] for part in by_table[table_id] if _within(part, reading)])
            if not _broken(reading, holes) and not chips[2]:
                expected = reading.from_cents + reading.moved_cents + chips[0] - cash.get(table_id, 0)
                made.append(_row(reading, "tray", None, expected))
    return sorted(made, key=lambda row: (row["table_id"], row["seq"], row["what"]))


def _row(one: _Interval, what: str, least_cents: int | None, expected_cents: int | None) -> Row:
    return {
        "table_id": one.table_id,
        "what": what,
        "reported_cents": one.to_cents,
        "least_cents": least_cents,
        "expected_cents": expected_cents,
        "from_seq": one.from_seq,
        "seq": one.to_seq,
        "at_us": one.at_us,
        "marks": [[max(one.from_seq, 0), one.to_seq]],
    }


def _in_day(table: Table, day: str, seq: int) -> bool:
    return any(
        known.day == day and known.from_seq <= seq and (known.to_seq is None or seq <= known.to_seq)
        for known in table.days.ranges
    )


def _readings(table_id: str, known: Table | None, events: list[TableEvent]) -> list[_Interval]:
    """From each reading of the tray to the next. The first has to be known to be one without rounds since."""
    made: list[_Interval] = []
    seq, cents, moved = None, 0, 0
    if known is not None and known.reading is not None and known.reading.rounds == 0:
        seq, cents, moved = known.reading.seq, known.reading.cents, known.reading.moved_cents
    for event in events:
        if event.what in ("table.filled", "table.credited"):
            moved += int(event.data["amount_cents"]) * (1 if event.what == "table.filled" else -1)
        said = event.data.get("inventory_cents")
        if said is None:
            continue
        if seq is not None:
            made.append(_Interval(table_id, None, seq, event.seq, cents, int(said), moved, event.time_us))
        seq, cents, moved = event.seq, int(said), 0
    return made


def _counts(table_id: str, known: Table | None, events: list[TableEvent]) -> list[tuple[_Interval, bool]]:
    """From each count of a drop box to the next, and whether all the rounds in between are at hand."""
    made: list[tuple[_Interval, bool]] = []
    since: dict[str, int] = {}
    for event in events:
        box, cents = event.data.get("box"), event.data.get("box_cents")
        if event.what != "table.counted" or box is None or cents is None:
            continue
        sure = box in since or known is None or known.rounds == 0 or known.boxes.get(box) == 0
        from_seq = since.get(box, _START)
        made.append((_Interval(table_id, str(box), from_seq, event.seq, 0, int(cents), 0, event.time_us), sure))
        since[str(box)] = event.seq
    return made


def _moved(con: duckdb.DuckDBPyConnection, intervals: list[_Interval]) -> dict[_Interval, tuple[int, int, int]]:
    """Of each interval: what the house won, what was dropped in the box, and in how many rounds that cannot be told."""
    con.register(
        "intervals",
        pa.table(
            {
                "number": pa.array(range(len(intervals)), pa.int64()),
                "table_id": pa.array([one.table_id for one in intervals], pa.string()),
                "box": pa.array([one.box for one in intervals], pa.string()),
                "from_seq": pa.array([one.from_seq for one in intervals], pa.int64()),
                "to_seq": pa.array([one.to_seq for one in intervals], pa.int64()),
            }
        ),
    )
    by_number = dict.fromkeys(range(len(intervals)), (0, 0, 0))
    for row in rows_of(con, _MOVED):
        by_number[row["number"]] = (int(row["won"]), int(row["dropped"]), int(row["unsure"]))
    return {one: by_number[number] for number, one in enumerate(intervals)}


_MOVED = f"""
WITH facts AS (
    SELECT table_id, bank_seat, bank_kind, unnest(facts) AS fact,
        len(list_filter(facts, lambda p: p.kind = {POT})) > 0 AS pots
    FROM assembled
    WHERE table_id IN (SELECT table_id FROM intervals)
),
chips AS (
    SELECT table_id, fact.seq AS seq, fact.choice AS box,
        CASE WHEN pots OR bank_kind = {BANK_PLAYER_DEALER} THEN 0
            WHEN fact.kind = {SETTLED} THEN fact.taken - fact.amount
            WHEN fact.kind = {VIGORISH} THEN fact.amount
            WHEN fact.kind = {ENVY} THEN -fact.amount
            ELSE 0
        END AS won,
        CASE WHEN fact.kind = {COLLECTION} THEN fact.amount ELSE 0 END AS dropped,
        CASE WHEN fact.kind IN ({PROGRESSIVE_IN}, {PROGRESSIVE_OUT})
            OR (bank_seat <> {NO_BANK} AND bank_kind <> {BANK_PLAYER_DEALER} AND fact.kind = {SETTLED}) THEN 1 ELSE 0
        END AS unsure
    FROM facts
    UNION ALL
    -- a round that was never put together: what was settled in it is not known
    SELECT table_id, first_seq, '', 0, 0, 1 FROM played WHERE unassembled
)
SELECT i.number,
    coalesce(sum(c.won), 0) AS won,
    coalesce(sum(c.dropped) FILTER (c.box = i.box), 0) AS dropped,
    coalesce(sum(c.unsure) FILTER (i.box IS NULL), 0) AS unsure
FROM intervals AS i
LEFT JOIN chips AS c ON c.table_id = i.table_id AND c.seq > i.from_seq AND c.seq < i.to_seq
GROUP BY i.number
"""


def _broken(one: _Interval, holes: dict[str, list[list[int]]]) -> bool:
    """Whether events are missing in between."""
    return any(lowest < one.to_seq and highest > one.from_seq for lowest, highest in holes.get(one.table_id, []))


def _whole(readings: list[_Interval]) -> _Interval:
    """From the first reading to the last."""
    first, last = readings[0], readings[-1]
    return _Interval(
        first.table_id,
        None,
        first.from_seq,
        last.to_seq,
        first.from_cents,
        last.to_cents,
        sum(one.moved_cents for one in readings),
        last.at_us,
    )


def _within(part: _Interval, whole: _Interval) -> bool:
    return whole.from_seq <= part.from_seq and part.to_seq <= whole.to_seq


def _sum(parts: list[tuple[int, int, int]]) -> tuple[int, int, int]:
    return (sum(part[0] for part in parts), sum(part[1] for part in parts), sum(part[2] for part in parts))
