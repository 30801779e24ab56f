"""A dealer at two tables: the sweep held against every pair of rounds, looked at one by one."""

from __future__ import annotations

from random import Random
from typing import Any

from ingest.quality.dealers import at_two_tables
from ingest.quality.limits import DEALER_OVERLAP_US, SECOND_US

Row = dict[str, Any]


def shifts(rng: Random) -> list[Row]:
    """Tables at which a few dealers deal rounds of any length at any time, one after the other or not."""
    rows = []
    for table in range(rng.randrange(1, 5)):
        for dealer in range(rng.randrange(1, 4)):
            dealt = []
            for number in range(rng.randrange(1, 6)):
                opened = rng.randrange(0, 300) * SECOND_US
                dealt.append(
                    {
                        "round_id": f"{dealer}-{number}",
                        "opened_us": opened,
                        "closed_us": opened + rng.randrange(0, 90) * SECOND_US,
                        "first_seq": 100 * dealer + 10 * number,
                        "last_seq": 100 * dealer + 10 * number + 9,
                    }
                )
            rows.append(
                {"table_id": f"T-{table}", "dealer": f"D-{dealer}", "rounds": len(dealt), "seq": 0, "at_us": 0}
                | {"dealt": dealt}
            )
    return rows


def test_every_overlap_is_found_and_no_other() -> None:
    rng = Random(970)
    seen = [0, 0]
    for _ in range(400):
        rows = shifts(rng)
        for row, found in zip(rows, at_two_tables(rows), strict=True):
            expected = {
                one["round_id"]
                for one in row["dealt"]
                for other in rows
                if other["dealer"] == row["dealer"] and other["table_id"] != row["table_id"]
                for two in other["dealt"]
                if min(one["closed_us"], two["closed_us"]) - max(one["opened_us"], two["opened_us"]) > DEALER_OVERLAP_US
            }
            assert found["elsewhere"] == len(expected)
            assert [mark[0] for mark in found["marks"]] == [
                one["first_seq"] for one in row["dealt"] if one["round_id"] in expected
            ]
            seen[bool(expected)] += 1
    assert min(seen) > 100
