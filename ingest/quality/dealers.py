"""Dealers: whether one was reported at two tables at the same time.

A worker sees one partition, and a replay one round: only here do all tables of a venue come together. A partition is
measured by itself (`measure_dealers`), and then all of them at once (`at_two_tables`).
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

import duckdb

from ingest.quality.limits import DEALER_OVERLAP_US
from ingest.quality.source import Row, rows_of

_MARKS_KEPT = 1_000


def measure_dealers(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Of each table and dealer the rounds of `day_rounds` whose beginning and end are known."""
    return rows_of(
        con,
        """
        SELECT table_id, dealer, count(*) AS rounds, min(first_seq) AS seq, min(opened_us) AS at_us,
            list({'round_id': round_id, 'opened_us': opened_us, 'closed_us': closed_us,
                  'first_seq': first_seq, 'last_seq': last_seq} ORDER BY first_seq) AS dealt
        FROM day_rounds WHERE dealer <> '' AND opened_us >= 0 AND closed_us >= opened_us
        GROUP BY ALL ORDER BY table_id, dealer
        """,
    )


def at_two_tables(rows: Iterable[Row]) -> list[Row]:
    """Of each table and dealer how many rounds were dealt while the dealer also dealt one elsewhere; `rows` of all
    partitions."""
    known = list(rows)
    by_dealer: dict[str, list[Row]] = {}
    for row in known:
        by_dealer.setdefault(row["dealer"], []).append(row)
    made: list[Row] = []
    for row in known:
        here = by_dealer[row["dealer"]]
        twice = _overlaps(row, [other for other in here if other is not row]) if len(here) > 1 else {}
        bad = [one for one in row["dealt"] if one["round_id"] in twice]
        made.append(
            {
                "table_id": row["table_id"],
                "dealer": row["dealer"],
                "rounds": row["rounds"],
                "elsewhere": len(bad),
                "others": sorted({place.partition("/")[0] for places in twice.values() for place in places}),
                "first_here": bad[0]["round_id"] if bad else None,
                "first_there": min(twice[bad[0]["round_id"]]) if bad else None,
                "until_us": max((one["closed_us"] for one in bad), default=None),
                "seq": bad[0]["first_seq"] if bad else row["seq"],
                "at_us": bad[0]["opened_us"] if bad else row["at_us"],
                "marks": [[one["first_seq"], one["last_seq"], one["opened_us"]] for one in bad[:_MARKS_KEPT]],
                "elsewhere_rounds": [one["round_id"] for one in bad[:3]],
            }
        )
    return made


def _overlaps(row: Row, others: Iterable[Row]) -> dict[str, list[str]]:
    """By round: the rounds of other tables that were in play at the same time, for longer than clocks may differ."""
    found: dict[str, list[str]] = {}
    elsewhere = sorted(
        (one["opened_us"], one["closed_us"], f"{other['table_id']}/{one['round_id']}")
        for other in others
        for one in other["dealt"]
    )
    going: list[tuple[int, str, int]] = []  # rounds elsewhere that have begun, those that end first in front
    at = 0
    for one in sorted(row["dealt"], key=lambda one: (one["opened_us"], one["closed_us"])):
        while at < len(elsewhere) and elsewhere[at][0] < one["closed_us"]:
            opened, closed, place = elsewhere[at]
            heappush(going, (closed, place, opened))
            at += 1
        while going and going[0][0] <= one["opened_us"]:
            heappop(going)
        both = [
            place
            for closed, place, opened in going
            if min(closed, one["closed_us"]) - max(opened, one["opened_us"]) > DEALER_OVERLAP_US
        ]
        if both:
            found[one["round_id"]] = both
    return found
