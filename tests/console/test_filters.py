"""`rounds` and `findings` narrowed down and put in order, held against a slow reading of the whole lists; and what an
empty answer says."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.console.conftest import Call
from tests.console.screen import lines_of

RANK = {"high": 0, "medium": 1, "low": 2, "info": 3, None: 9}


def rows(call: Call, home: Path, *arguments: str) -> list[dict[str, Any]]:
    result = call(*arguments, "--home", home, "--limit", "0", "--json")
    assert result.exit_code == 0, result.output
    return lines_of(result.stdout)


def test_findings_come_worst_first(call: Call, played: Path) -> None:
    found = rows(call, played, "findings")
    assert found == sorted(
        found, key=lambda row: (RANK[row["severity"]], -abs(row["difference_cents"] or 0), row["happened_at"])
    )
    assert len({row["severity"] for row in found}) > 1 and len({row["difference_cents"] for row in found}) > 2
    money = rows(call, played, "findings", "--sort", "money")
    amounts = [abs(row["difference_cents"] or 0) for row in money]
    assert amounts == sorted(amounts, reverse=True)
    times = [row["happened_at"] for row in rows(call, played, "findings", "--sort", "time")]
    assert times == sorted(times)


def test_rounds_come_worst_first(call: Call, played: Path) -> None:
    """By the worst finding of each, then by the money of all of them, counted from the list of findings."""
    severity: dict[tuple[str, str], int] = {}
    money: dict[tuple[str, str], int] = {}
    for row in rows(call, played, "findings"):
        place = row["table_id"], row["round_id"]
        severity[place] = min(severity.get(place, 9), RANK[row["severity"]])
        money[place] = money.get(place, 0) + abs(row["difference_cents"] or 0)
    found = rows(call, played, "rounds")
    places = [(row["table_id"], row["round_id"]) for row in found]
    for row, place in zip(found, places, strict=True):
        assert (RANK[row["severity"]], row["money_cents"] or 0) == (severity.get(place, 9), money.get(place, 0))

    def key(at: int) -> tuple[int, int, str]:
        row = found[at]
        rank = severity.get(places[at], 8 if row["verdict"].startswith("cannot") else 9)
        return rank, -money.get(places[at], 0), row["opened_at"]

    assert list(range(len(found))) == sorted(range(len(found)), key=key)
    by_money = [row["money_cents"] or 0 for row in rows(call, played, "rounds", "--sort", "money")]
    assert by_money == sorted(by_money, reverse=True) and by_money[0] > 0
    opened = [row["opened_at"] for row in rows(call, played, "rounds", "--sort", "time")]
    assert opened == sorted(opened)


def test_a_stretch_of_time(call: Call, played: Path) -> None:
    every = rows(call, played, "rounds")
    first = min(datetime.fromisoformat(row["opened_at"]) for row in every)
    since, until = first + timedelta(minutes=7), first + timedelta(minutes=15)
    asked = ("--from", f"{since:%Y-%m-%d %H:%M:%S}", "--to", f"{until:%Y-%m-%d %H:%M:%S}")
    since, until = since.replace(microsecond=0), until.replace(microsecond=0)
    played_then = [
        row
        for row in every
        if datetime.fromisoformat(row["closed_at"]) >= since and datetime.fromisoformat(row["opened_at"]) < until
    ]
    assert 0 < len(played_then) < len(every)
    assert rows(call, played, "rounds", *asked) == played_then
    places = {(row["table_id"], row["round_id"]) for row in played_then}
    found = rows(call, played, "findings", *asked)
    assert found == [row for row in rows(call, played, "findings") if (row["table_id"], row["round_id"]) in places]
    # Without days, and only one end given, it is the same stretch of the last day there is.
    clocks = ("--from", f"{since:%H:%M:%S}", "--to", f"{until:%H:%M:%S}")
    assert rows(call, played, "rounds", *clocks) == played_then
    before = rows(call, played, "rounds", "--to", f"{since:%H:%M:%S}")
    after = rows(call, played, "rounds", "--from", f"{since:%H:%M:%S}")
    assert len(before) + len(after) - len(every) == len([row for row in before if row in after])


def test_a_dealer_and_a_seat(call: Call, played: Path) -> None:
    every = rows(call, played, "rounds")
    dealer = every[0]["dealer"]
    assert rows(call, played, "rounds", "--dealer", dealer.lower()) == [row for row in every if row["dealer"] == dealer]
    found = rows(call, played, "findings")
    assert rows(call, played, "findings", "--dealer", dealer) == [row for row in found if row["dealer"] == dealer]
    seat = next(row["seat"] for row in found if row["seat"])
    assert rows(call, played, "findings", "--seat", str(seat)) == [row for row in found if row["seat"] == seat]
    at_seat = {(row["table_id"], row["round_id"]) for row in rows(call, played, "rounds", "--seat", str(seat))}
    for row in every[:25]:
        place = row["table_id"], row["round_id"]
        report = json.loads(call("round", "show", "/".join(place), "--json", "--home", played).stdout)
        seats = {one["seat"] for name in ("wagers", "actions", "lines") for one in report[name]}
        bank = report["bank"] is not None and report["bank"]["seat"] == seat
        assert (place in at_seat) >= (seat in seats or bank), place
    assert 0 < len(at_seat) < len(every)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rounds", "--day", "2026-11-16"], "No rounds: nothing is recorded for 2026-11-16; there is 2026-11-17.\n"),
        (
            ["findings", "--day", "2027-01-01"],
            "No findings: nothing is recorded for 2027-01-01; there is 2026-11-17.\n",
        ),
        (
            ["rounds", "--table", "PG-01", "--at", "2026-11-17 09:15"],
            "No rounds: nothing of table PG-01 was in play at 2026-11-17 09:15 UTC; nearest, PG-01/20261117-0001 "
            "began at 2026-11-17 10:",
        ),
        (["rounds", "--from", "2027-01-01"], "nothing was in play from 2027-01-01 00:00 UTC; nearest, "),
        (
            ["findings", "--table", "PG-01", "--seat", "9"],
            "nothing of table PG-01 concerns seat 9; bets were made at seats",
        ),
        (
            ["findings", "--code", "VIG-601"],
            "No findings under VIG-601: 160 rounds looked at. There are, under CARD-311 (",
        ),
        (["findings", "--severity", "low"], "There are, of severity high ("),
        (
            ["rounds", "--verdict", "void", "--table", "SB-01"],
            "No rounds with the verdict void among 40 rounds (table SB-01).",
        ),
        (
            ["rounds", "--verdict", "void", "--table", "SB-01"],
            "Without --verdict void there are 40. The verdicts there are: ",
        ),
        (["rounds", "--marked"], "No data is checked yet: type `muckraker quality`."),
        (["quality", "--no-check", "--day", "2026-11-16"], "Nothing is checked of the gaming day 2026-11-16 yet.\n"),
    ],
)
def test_an_empty_answer_says_what_was_looked_at_and_what_there_is(
    call: Call, played: Path, arguments: list[str], said: str
) -> None:
    result = call(*arguments, "--home", played)
    assert result.exit_code == 0, result.output
    assert said in result.stdout
    if arguments[0] != "quality":
        as_json = call(*arguments, "--home", played, "--json")
        assert as_json.stdout == "" and said in as_json.stderr


def test_a_dealer_who_dealt_elsewhere(call: Call, played: Path) -> None:
    dealers: dict[str, set[str]] = {}
    for row in rows(call, played, "rounds"):
        dealers.setdefault(row["table_id"], set()).add(row["dealer"])
    elsewhere = min(dealers["SB-02"] - dealers["PG-01"])
    said = call("findings", "--table", "PG-01", "--dealer", elsewhere, "--home", played).stdout
    assert said.startswith(f"No findings: dealer {elsewhere} dealt no round of table PG-01; the dealers there were ")
    assert all(dealer in said for dealer in dealers["PG-01"])
