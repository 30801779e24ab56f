"""A dealer at two tables: the frame held against every pair of rounds, looked at one by one."""

from __future__ import annotations

from random import Random
from typing import Any

import pyarrow as pa

from ingest.quality.limits import DAY_US, DEALER_OVERLAP_US, SECOND_US, SLOT_US
from ingest.quality.source import connect, rows_of

Row = dict[str, Any]


def shifts(rng: Random) -> list[Row]:
    """Rounds that a few dealers deal at a few tables, of any length at any time, one after the other or not."""
    start = rng.choice((0, SLOT_US - 100 * SECOND_US, DAY_US - 100 * SECOND_US))
    rows: list[Row] = []
    for table in range(rng.randrange(1, 5)):
        for dealer in range(rng.randrange(1, 4)):
            for number in range(rng.randrange(1, 6)):
                opened = start + rng.randrange(0, 300) * SECOND_US
                rows.append(
                    {
                        "table_id": f"T-{table}",
                        "dealer": f"D-{dealer}",
                        "round_id": f"{dealer}-{number}",
                        "opened_us": opened,
                        "closed_us": opened + rng.choice((90, 4_000)) * rng.randrange(0, SECOND_US),
                        "first_seq": 100 * dealer + 10 * number,
                        "last_seq": 100 * dealer + 10 * number + 9,
                    }
                )
    return rows


def test_every_overlap_is_found_and_no_other() -> None:
    rng = Random(970)
    seen = [0, 0]
    con = connect()
    for _ in range(300):
        rounds = shifts(rng)
        con.register("day_rounds", pa.Table.from_pylist(rounds))
        found = {(row["table_id"], row["round_id"]): row for row in rows_of(con, "day/dealers").to_pylist()}
        assert len(found) == len(rounds)
        for one in rounds:
            twice = {
                f"{two['table_id']}/{two['round_id']}"
                for two in rounds
                if two["dealer"] == one["dealer"] and two["table_id"] != one["table_id"]
                if min(one["closed_us"], two["closed_us"]) - max(one["opened_us"], two["opened_us"]) > DEALER_OVERLAP_US
            }
            row = found[one["table_id"], one["round_id"]]
            assert (row["elsewhere"], row["there"]) == (int(bool(twice)), min(twice, default=None))
            assert {place.partition("/")[0] for place in twice} <= set(row["others"].split(" and "))
            assert row["marks"] == [[one["first_seq"], one["last_seq"]]]
            seen[bool(twice)] += 1
    assert min(seen) > 1_000


def test_rounds_without_a_known_dealer_beginning_or_end_are_left_out() -> None:
    whole = {"table_id": "T-1", "dealer": "D", "round_id": "1", "opened_us": 0, "closed_us": 60 * SECOND_US}
    whole |= {"first_seq": 0, "last_seq": 9}
    con = connect()
    for missing in ({"dealer": ""}, {"opened_us": -1}, {"closed_us": -1}):
        con.register("day_rounds", pa.Table.from_pylist([whole, {**whole, "table_id": "T-2", **missing}]))
        assert [(row["table_id"], row["elsewhere"]) for row in rows_of(con, "day/dealers").to_pylist()] == [("T-1", 0)]
