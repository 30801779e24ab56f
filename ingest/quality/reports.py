"""What devices announced beside what they reported: over the day, and round by round.

A device says in `device.online` which event types it reports. Where several have the same task they may share it. One
that went offline, and said so, is excused; one that came back is held to it from then on.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from math import ceil
from typing import NamedTuple

import duckdb

from ingest.quality.carried import Device, Table, Tables
from ingest.quality.limits import (
    EVERY_DAY,
    EVERY_ROUND,
    HEARD_ROUNDS,
    HEARD_SHARE,
    LONG_DAY_ROUNDS,
    WITHOUT_FAIL,
)
from ingest.quality.source import Row, plain_type, rows_of, types_of

_MARKS_KEPT = 1_000


class _Round(NamedTuple):
    first_seq: int
    last_seq: int
    opened_us: int
    round_id: str


class _Heard(NamedTuple):
    """What was heard at one table on the day."""

    rounds: list[_Round]  # closed, with wagers, neither voided nor with events missing
    in_rounds: dict[tuple[str, str], set[int]]  # by device and type: first events of the rounds it was reported in
    at_all: dict[tuple[str, str], int]  # by device and type: how often


def measure_reports(con: duckdb.DuckDBPyConnection, tables: Tables) -> tuple[list[Row], list[Row]]:
    """From `recorded` and `with_wagers`: for each type that devices of a table announced in how many rounds, or how
    often, it was heard; and for what is said without fail the rounds in which it was not."""
    wanted = ", ".join(f"'{named}'" for named in types_of(EVERY_ROUND | EVERY_DAY))
    heard = {table_id: _Heard([], {}, {}) for table_id in tables}
    for row in rows_of(con, "SELECT table_id, first_seq, last_seq, opened_us, round_id FROM with_wagers ORDER BY ALL"):
        heard[row["table_id"]].rounds.append(
            _Round(row["first_seq"], row["last_seq"], row["opened_us"], row["round_id"])
        )
    for row in rows_of(
        con,
        f"""
        SELECT e.table_id, e.device, e."type", list(DISTINCT w.first_seq) AS rounds
        FROM recorded AS e JOIN with_wagers AS w ON e.table_id = w.table_id
            AND e.round_id = split_part(w.round_id, '#', 1)  -- what a round is called whose id was used before
            AND e.seq BETWEEN w.first_seq AND w.last_seq
        WHERE e."type" IN ({wanted}) GROUP BY ALL
        """,
    ):
        heard[row["table_id"]].in_rounds[row["device"], plain_type(row["type"])] = set(row["rounds"])
    for row in rows_of(
        con,
        f'SELECT table_id, device, "type", count(*) AS events FROM recorded WHERE "type" IN ({wanted}) GROUP BY ALL',
    ):
        heard[row["table_id"]].at_all[row["device"], plain_type(row["type"])] = int(row["events"])
    devices: list[Row] = []
    reports: list[Row] = []
    for table_id, table in sorted(tables.items()):
        announced = {
            name: device for name, device in table.devices.items() if device.sees is not None and not device.is_offline
        }
        for what in sorted(EVERY_ROUND | EVERY_DAY):
            who = sorted(name for name, device in announced.items() if _sees(device, what))
            if who:
                over_day, by_round = _held(table, what, who, announced, heard[table_id])
                devices += [{"table_id": table_id, **row} for row in over_day]
                reports += [{"table_id": table_id, **row} for row in by_round]
    return devices, reports


def _held(
    table: Table, what: str, who: list[str], announced: dict[str, Device], heard: _Heard
) -> tuple[list[Row], list[Row]]:
    since = max(announced[name].online_seq for name in who)
    rounds = [one for one in heard.rounds if one.first_seq > since]
    if not rounds:
        return [], []
    place: Row = {"what": what, "rounds": len(rounds), "seq": rounds[0].first_seq, "at_us": rounds[0].opened_us}
    marks = {"marks": [[rounds[0].first_seq, table.last_seq]]}
    over_day: list[Row] = []
    by_round: list[Row] = []
    reported = set().union(*(heard.in_rounds.get((name, what), set()) for name in who))
    missing = [one for one in rounds if one.first_seq not in reported]
    together = ", ".join(who)
    if what in EVERY_ROUND and len(rounds) >= HEARD_ROUNDS:
        least = ceil(HEARD_SHARE * len(rounds))
        number = len(rounds) - len(missing)
        over_day.append({**place, **marks, "device": together, "heard": number, "least": least})
        if number < least:
            missing = []  # it is hardly heard at all: that has just been said
    if what in WITHOUT_FAIL:
        by_round.append(
            {
                **place,
                "device": together,
                "missing": len(missing),
                "missing_rounds": [one.round_id for one in missing[:3]],
                "missing_marks": [[one.first_seq, one.last_seq, one.opened_us] for one in missing[:_MARKS_KEPT]],
            }
        )
    if len(rounds) >= LONG_DAY_ROUNDS and (what in EVERY_DAY or len(who) > 1):
        over_day += [
            {**place, **marks, "device": name, "heard": heard.at_all.get((name, what), 0), "least": 1} for name in who
        ]
    return over_day, by_round


def _sees(device: Device, what: str) -> bool:
    return any(fnmatchcase(what, pattern) for pattern in device.sees or ())
