"""`muckraker simulate`: which games are played, and what an option that cannot be followed is answered with."""

from __future__ import annotations

import json
from pathlib import Path

from tests.console.conftest import Call


def opened(path: Path) -> dict[str, str]:
    """Each table's pack, as its device names it."""
    events = [json.loads(line) for line in path.read_bytes().splitlines()]
    return {event["tableid"]: event["data"]["pack"] for event in events if event["type"].endswith("table.opened.v1")}


def test_the_games_named_take_turns_at_the_tables(call: Call, tmp_path: Path) -> None:
    out = tmp_path / "day.jsonl"
    games = "ma/supreme_pai_gow, ca/fortune_pai_gow"
    result = call("simulate", "--games", games, "--tables", "3", "--rounds", "6", "--faults", "none", "--out", out)
    assert result.exit_code == 0, result.output
    assert opened(out) == {"SG-01": "ma/supreme_pai_gow", "FP-01": "ca/fortune_pai_gow", "SG-02": "ma/supreme_pai_gow"}


def test_without_the_option_it_is_the_usual_games(call: Call, tmp_path: Path) -> None:
    out = tmp_path / "day.jsonl"
    assert call("simulate", "--tables", "2", "--rounds", "2", "--faults", "none", "--out", out).exit_code == 0
    assert opened(out) == {"PG-01": "ma/pai_gow_poker", "SB-01": "ca/supreme_baccarat"}


def test_a_day_of_the_games_named_is_audited_without_a_finding(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    arguments = ("--games", "fortune_pai_gow", "--tables", "1", "--rounds", "20", "--faults", "none", "--home", home)
    assert call("simulate", *arguments).exit_code == 0
    assert call("run", "--home", home).exit_code == 0
    rows = call("query", "SELECT DISTINCT pack, verdict FROM rounds", "--format", "json", "--home", home).stdout
    assert [json.loads(line) for line in rows.splitlines()] == [{"pack": "ca/fortune_pai_gow", "verdict": "verified"}]


def test_a_game_that_is_not_there_is_named_with_those_there_are(call: Call, tmp_path: Path) -> None:
    for wrong in ("ma/whist", "ma/pai_gow_poker,ma/whist"):
        result = call("simulate", "--games", wrong, "--out", tmp_path / "day.jsonl")
        assert result.exit_code == 2
        assert "'ma/whist' is not a game that can be simulated" in result.stderr
        assert "those are: ca/" in result.stderr
    assert "--games names none" in call("simulate", "--games", ",").stderr
    assert list(tmp_path.iterdir()) == []


def test_each_game_named_gets_a_table(call: Call, tmp_path: Path) -> None:
    games = "ma/pai_gow_poker,ca/supreme_baccarat"
    result = call("simulate", "--games", games, "--tables", "1", "--out", tmp_path / "day.jsonl")
    assert result.exit_code == 2
    assert "--games names 2 games, and --tables is 1" in result.stderr


def test_faults_are_those_of_the_games_named(call: Call, tmp_path: Path) -> None:
    out = tmp_path / "day.jsonl"
    result = call("simulate", "--faults", "bank_twice", "--out", out)
    assert result.exit_code == 2
    assert "there is no fault 'bank_twice' at ma/pai_gow_poker, ca/supreme_baccarat" in result.stderr
    arguments = ("--games", "ma/supreme_pai_gow", "--tables", "1", "--rounds", "200", "--fault-rate", "0.005")
    assert call("simulate", *arguments, "--faults", "bank_twice", "--out", out).exit_code == 0
    labels = (tmp_path / "day.labels.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["fault"] for line in labels] == ["bank_twice"]
