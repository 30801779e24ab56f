"""Progressive meters: whether each moved by what was reported to have come in and gone out.

A meter is said to stand at a value by a contribution or a payout (`meter_cents`, after it), by a reading and by being
set. From one statement to the next it must have moved by the contributions and payouts in between. What several tables
name is one meter fed by all of them, whose order is not known: it is left out (`of_one_table`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import duckdb

from ingest.quality.source import Row, TableEvent, rows_of
from ingest.quality.stored import PROGRESSIVE_IN, PROGRESSIVE_OUT, UNSAID

SAID_OF_METERS = ("meter.read", "meter.reset")


class _Step(NamedTuple):
    """Something that was said of a meter."""

    seq: int
    at_us: int
    moved_cents: int
    after_cents: int | None  # what it is said to stand at afterwards
    is_set: bool = False


def measure_meters(
    con: duckdb.DuckDBPyConnection, spoken: dict[str, list[TableEvent]], holes: dict[str, list[list[int]]]
) -> list[Row]:
    """Of each table and meter the statement that is farthest off, by `day_rounds` and what was said between rounds."""
    steps: dict[tuple[str, str], list[_Step]] = {}
    for row in rows_of(
        con,
        f"""
        SELECT table_id, opened_us, fact.seq AS seq, fact.choice AS meter, fact.taken AS after,
            CASE WHEN fact.kind = {PROGRESSIVE_IN} THEN fact.amount
                WHEN fact.other = 1 THEN -fact.amount ELSE 0 END AS moved
        FROM (
            SELECT table_id, opened_us, unnest(facts) AS fact FROM day_rounds
            WHERE len(list_filter(facts, lambda f: f.kind IN ({PROGRESSIVE_IN}, {PROGRESSIVE_OUT}))) > 0
        ) WHERE fact.kind IN ({PROGRESSIVE_IN}, {PROGRESSIVE_OUT})
        """,
    ):
        after = None if row["after"] == UNSAID else int(row["after"])
        step = _Step(row["seq"], row["opened_us"], int(row["moved"]), after)
        steps.setdefault((row["table_id"], row["meter"]), []).append(step)
    for table_id, events in spoken.items():
        for event in events:
            if event.what in SAID_OF_METERS:
                step = _Step(event.seq, event.time_us, 0, int(event.data["value_cents"]), event.what == "meter.reset")
                steps.setdefault((table_id, str(event.data["meter"])), []).append(step)
    return [
        _farthest_off(table_id, meter, sorted(said), holes.get(table_id, []))
        for (table_id, meter), said in sorted(steps.items())
    ]


def _farthest_off(table_id: str, meter: str, steps: Sequence[_Step], holes: list[list[int]]) -> Row:
    row: Row = {
        "table_id": table_id,
        "meter": meter,
        "expected_cents": None,
        "reported_cents": None,
        "from_seq": steps[0].seq,
        "seq": steps[0].seq,
        "at_us": steps[0].at_us,
        "marks": [],
    }
    since: int | None = None  # the statement before
    stands = 0
    for step in steps:
        stands += step.moved_cents
        if step.after_cents is None:
            continue
        whole = since is not None and not any(low < step.seq and high > since for low, high in holes)
        if whole and not step.is_set:
            off = abs(step.after_cents - stands)
            if row["expected_cents"] is None or off > abs(row["reported_cents"] - row["expected_cents"]):
                row |= {
                    "expected_cents": stands,
                    "reported_cents": step.after_cents,
                    "from_seq": since,
                    "seq": step.seq,
                    "at_us": step.at_us,
                }
            if off:
                row["marks"].append([since, step.seq])
        since, stands = step.seq, step.after_cents
    return row


def of_one_table(rows: Iterable[Row]) -> list[Row]:
    """Without the meters that several tables name; `rows` of all partitions."""
    known = list(rows)
    tables = Counter(row["meter"] for row in known)
    return [row for row in known if tables[row["meter"]] == 1]
