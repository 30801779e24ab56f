"""`muckraker fees` as people type it."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from pathlib import Path

import pytest

from ingest.simulator import default_plan, kinds_of
from tests.console.conftest import Call, call_command
from tests.gaming_day import Day

GAMES = ("ca/supreme_baccarat", "ca/fortune_pai_gow")
DAY = date(2026, 11, 17)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("fees") / "home"
    assert call_command("init", "--home", home).exit_code == 0
    faults = dict.fromkeys((kind for kind in kinds_of(GAMES) if kind.startswith("fee")), 2)
    Day(home).record(default_plan(3, 4, 60, faults, gaming_day=DAY, games=GAMES))
    assert call_command("run", "--home", home).exit_code == 0
    return home


def test_a_line_for_each_table_that_fits_the_terminal(call: Call, home: Path) -> None:
    page = call("fees", "--month", "2026-11", "--home", home).stdout.splitlines()
    assert page[0].split() == ["table", "rounds", "due", "taken", "differ", "counted"]
    assert [line.split()[0] for line in page[2:-2]] == ["FP-01", "FP-02", "SB-01", "SB-02"]
    assert page[-2].startswith("240 rounds: due $") and page[-1].startswith("4 counts of drop boxes: 4 as reported")
    every = call("fees", "--by", "table,dealer,shift,schedule", "--home", home).stdout.splitlines()
    assert max(map(len, [*page, *every])) <= 100
    assert every[0].split() == ["table", "dealer", "shift", "schedule", "due", "taken", "differ"]


def test_each_box_with_the_rounds_behind_a_difference(call: Call, home: Path) -> None:
    page = call("fees", "--day", "2026-11-17", "--boxes", "--home", home).stdout
    assert "SB-01 table  2026-11-17 1  holds what was reported" in page
    assert "tip box  2026-11-17 1  not counted yet" in page
    assert "(FEE-906): due $" in page


def test_data_for_programs_and_spreadsheets(call: Call, home: Path) -> None:
    lines = [json.loads(line) for line in call("fees", "--by", "shift", "--json", "--home", home).stdout.splitlines()]
    assert [(line["shift"], line["table"]) for line in lines] == [("2026-11-17 1", None)]
    assert lines[0]["variance_cents"] == 0 < lines[0]["counted_cents"]
    rows = list(csv.DictReader(io.StringIO(call("fees", "--by", "schedule", "--csv", "--home", home).stdout)))
    assert set(rows[0]) >= {"schedule", "due_cents", "taken_cents"} and "dealer" not in rows[0]
    assert sum(int(row["due_cents"]) for row in rows) == lines[0]["due_cents"]
    boxes = list(csv.DictReader(io.StringIO(call("fees", "--boxes", "--csv", "--home", home).stdout)))
    assert any("FEE-9" in row["differing"] for row in boxes)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--month", "2026-12"), 0, "from 2026-12-01 to 2026-12-31; rounds are recorded from 2026-11-17 to 2026-11-17"),
        (("--day", "2026-11-18"), 0, "due or was taken on 2026-11-18; rounds are recorded"),
        (("--table", "SB-99"), 2, "nothing is recorded of table SB-99"),
        (("--table", "SB-01", "--day", "2026-11-18"), 0, "No collection fee of table SB-01 is due or was taken on"),
        (("--month", "2026"), 2, "does not match the format '%Y-%m'"),
        (("--by", "tabel"), 2, "'tabel' is none of table, dealer, shift, schedule"),
        (("--by", ","), 2, "',' is none of table, dealer"),
        (("--csv", "--json"), 2, "give one"),
        (("--month", "2026-11", "--day", "2026-11-17"), 2, "give one"),
        (("--fail",), 1, "differ"),
        (("--fail", "--day", "2026-11-18"), 0, "No collection fee"),
        (("--limit", "1"), 0, "… and 3 more: --limit 0 or --csv has them all"),
    ],
)
def test_what_is_asked_for_and_is_not_there(
    call: Call, home: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    result = call("fees", *arguments, "--home", home)
    assert result.exit_code == code
    assert said in result.output


def test_a_home_in_which_nothing_was_checked(call: Call, tmp_path: Path) -> None:
    call("init", "--home", tmp_path / "home")
    result = call("fees", "--home", tmp_path / "home")
    assert result.exit_code == 0
    assert "No round is recorded yet, so there are no collection fees" in result.output
    assert call("fees", "--json", "--home", tmp_path / "home").stdout == ""
