"""`muckraker meters` and `muckraker inventory` as people type them."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ingest.simulator import default_plan
from tests.console.conftest import Call, call_command
from tests.ingest.quality_streams import (
    Edit,
    Event,
    altered,
    is_,
    like,
    outside,
    round_of,
    streams_of,
    told_again,
    what_of,
)

PLAN = default_plan(seed=8, tables=2, rounds=12, gaming_day=date(2026, 11, 17))
ROOT = Path(__file__).resolve().parents[2]


def metered(events: list[Event]) -> list[Event]:
    """Twenty-one cents a round; in round 3 a cent goes missing, before round 5 a hand sets it to its seed unpaid."""
    made: list[Event] = []
    stands = 2_000_000
    for event in events:
        if is_("round.opened")(event) and round_of(event) == 5:
            stands = 1_000_000
            reset = like(event, "meter.reset", "controller", meter="pgp-1", value_cents=stands, by="S-031")
            made.append(outside(reset))
        if is_("round.closed")(event):
            stands += 20 if round_of(event) == 3 else 21
            said: dict[str, Any] = {"meter": "pgp-1", "seat": 1, "amount_cents": 21, "meter_cents": stands}
            made.append(like(event, "progressive.contributed", **said))
        made.append(event)
    return made


def short(events: list[Event]) -> list[Event]:
    """A hundred dollars fewer at the end of the day."""
    counts = ("table.counted", "table.closed")
    return [
        altered(event, inventory_cents=event["data"]["inventory_cents"] - 10_000) if what_of(event) in counts else event
        for event in events
    ]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("meters")
    edits: dict[str, Edit] = {"PG-01": metered, "SB-01": short}
    said = [raw for table, events in streams_of(PLAN).items() for raw in told_again(PLAN, table, edits[table](events))]
    (folder / "day.jsonl").write_bytes(b"\n".join(said) + b"\n")
    home = folder / "home"
    for arguments in (("init",), ("ingest", folder / "day.jsonl"), ("run",)):
        result = call_command(*arguments, "--home", home)
        assert result.exit_code == 0, result.output
    return home


def documented(command: str) -> set[str]:
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| `{command}` \| .*? \| (.*?) \|$", page, re.MULTILINE)
    return set(re.findall("`(.*?)`", row))


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_meter_is_accounted_for(call: Call, home: Path) -> None:
    result = call("meters", "--home", home)
    assert result.exit_code == 0, result.output
    assert "meter pgp-1  2 steps not explained, -$10,000.84 in all" in result.stdout
    text = " ".join(result.stdout.split())
    assert "PG-01/20261117-0003: $0.01 is missing. A contribution (event" in text
    assert "PG-01: $10,000.83 is missing. A reset by S-031 (event" in text
    assert call("meters", "--home", home, "--fail").exit_code == 1


def test_the_sums_of_a_meter_add_up(call: Call, home: Path) -> None:
    (account,) = lines(call("meters", "--home", home, "--json").stdout)
    assert set(account) == documented("meters")
    moved = (
        account["contributed_cents"] - account["paid_cents"] + account["funded_cents"] + account["unexplained_cents"]
    )
    assert account["opening_cents"] + moved == account["closing_cents"]
    rows = list(csv.DictReader(io.StringIO(call("meters", "--home", home, "--csv").stdout)))
    *sums, closing = (int(row["cents"]) for row in rows)
    assert (rows[0]["what"], rows[-1]["what"], sum(sums)) == ("opening", "closing", closing)


def test_a_meter_nobody_knows_and_a_time_when_nothing_was_said(call: Call, home: Path, played: Path) -> None:
    unknown = call("meters", "--meter", "pgp-2", "--home", home)
    assert (unknown.exit_code, "nothing is recorded of a meter pgp-2; there are: pgp-1" in unknown.stderr) == (2, True)
    before = call("meters", "--to", "2026-11-01", "--home", home)
    assert before.stdout.startswith(
        "Nothing is recorded of a progressive meter between these times; there are events of"
    )
    assert call("meters", "--home", played).stdout == "No event speaks of a progressive meter.\n"
    assert call("meters", "--json", "--csv", "--home", home).exit_code == 2


def test_chips_that_are_not_there(call: Call, home: Path) -> None:
    result = call("inventory", "--home", home)
    assert result.exit_code == 0, result.output
    assert "$100.00 less than there should be" in result.stdout
    assert "2 shifts: 1 agree, 1 do not" in result.stdout
    assert call("inventory", "--fail", "--home", home).exit_code == 1
    assert call("inventory", "--fail", "--table", "PG-01", "--home", home).exit_code == 0
    shifts = lines(call("inventory", "--home", home, "--json").stdout)
    assert all(set(shift) == documented("inventory") for shift in shifts)
    rows = list(csv.DictReader(io.StringIO(call("inventory", "--home", home, "--csv").stdout)))
    assert [(row["table_id"], row["variance_cents"]) for row in rows] == [("PG-01", "0"), ("SB-01", "-10000")]


def test_a_day_without_a_shift(call: Call, home: Path, tmp_path: Path) -> None:
    assert call("inventory", "--day", "2025-01-01", "--home", home).stdout == (
        "No shift is recorded for 2025-01-01; there are shifts of 2026-11-17.\n"
    )
    call("init", "--home", tmp_path / "empty")
    assert call("inventory", "--home", tmp_path / "empty").stdout.startswith(
        "No count of a table inventory is recorded"
    )
    assert call("inventory", "--table", "PG-99", "--home", home).exit_code == 2
