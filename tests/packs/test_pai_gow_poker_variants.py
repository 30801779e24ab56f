"""Simulated days at EZ and Face Up tables, and at one with Emperor's Treasure and the wager on the number.

The simulator has its own idea of right and wrong, and says of each fault under which code it must be found.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from ingest.simulator import Plan, TablePlan, game_called, kinds_of
from ingest.simulator.faults.catalogue import KINDS
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.options import spelled_out
from tests.gaming_day import NEXT_EVENING_US, Day
from tests.replay import slow_ledger

PACK = "ma/pai_gow_poker"
OWN_FAULTS = tuple(name for name, kind in KINDS.items() if kind.subject is Subject.VARIANTS)
WAGERS = {"fortune", "emperors", "insurance", "queens_dragon", "dynasty", "protection", "red_black", "ace_high", "rng"}


def plan_of(seed: int, rounds: int, faults: Mapping[str, int] | None = None) -> Plan:
    usual = game_called(PACK).usual()
    filings = [(options, fitted) for options, fitted in usual if needs_a_day_of_its_own(spelled_out(options))]
    numbered = enumerate(filings, 1)
    tables = [TablePlan(f"PG-{number}", PACK, spelled_out(options), fitted) for number, (options, fitted) in numbered]
    assert {table.options["variant"] for table in tables} == {"standard", "ez", "face_up"}
    return Plan(seed, date(2026, 11, 17), tuple(tables), rounds, dict(faults or {}))


def needs_a_day_of_its_own(options: Mapping[str, object]) -> bool:
    """Not tables with a bank, with the deal of §17 or with a progressive wager: those have days of their own."""
    elsewhere = ("banking", "three_card_bonus", "seven_card_bonus_paytable", "progressive_paytable")
    return all(options[name] == "none" for name in (*elsewhere, "fortune_progressive")) and not (
        options["variant"] == "standard" and options["emperors_paytable"] == "none"
    )


def assert_clean(day: Day, rounds: int) -> None:
    assert day.table("findings").column("sentence").to_pylist() == []
    played = day.table("rounds").to_pylist()
    verdicts = Counter(row["verdict"] for row in played)
    assert set(verdicts) <= {"verified", "void"} and verdicts.total() == rounds
    assert verdicts["verified"] > 0.95 * rounds
    assert slow_ledger.check(played, []) == 0


def test_a_clean_day_is_verified_to_the_last_round(tmp_path: Path) -> None:
    day = Day(tmp_path).record(plan_of(1, 80)).run()
    assert_clean(day, 240)
    lines = [line for row in day.table("rounds").to_pylist() for line in row["lines"]]
    outcomes: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        outcomes[line["wager"]].add(line["outcome"])
    assert {wager for wager in outcomes if {"win", "lose"} <= outcomes[wager]} >= WAGERS - {"queens_dragon"}


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", [2, 3, 4, 5, 6])
def test_longer_clean_days_too(seed: int, tmp_path: Path) -> None:
    assert_clean(Day(tmp_path).record(plan_of(seed, 400)).run(), 1200)


def assert_found(day: Day, kinds: Mapping[str, int]) -> None:
    labels = day.labels.injected
    assert {label.fault for label in labels} == set(kinds)
    done: dict[tuple[str, str], set[str]] = defaultdict(set)
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for label in labels:
        done[label.table, label.round].add(label.code)
    findings = day.table("findings").to_pylist()
    for finding in findings:
        found[finding["table_id"], finding["round_id"]].add(finding["code"])
    assert [label for label in labels if label.code not in found[label.table, label.round]] == []
    assert [one["sentence"] for one in findings if one["code"] not in done[one["table_id"], one["round_id"]]] == []
    assert slow_ledger.check(day.table("rounds").to_pylist(), findings) > 5


def faults(each: int, own: int) -> dict[str, int]:
    """Those of the game's usual tables that these can show too, and their own."""
    tables = plan_of(0, 1).tables
    usual = [name for name, kind in kinds_of((PACK,)).items() if any(kind.fits(table) for table in tables)]
    return {**dict.fromkeys(usual, each), **dict.fromkeys(OWN_FAULTS, own)}


def test_every_fault_is_found_under_its_code_and_nothing_else_is(tmp_path: Path) -> None:
    assert len(OWN_FAULTS) == 8
    kinds = faults(1, 1)
    assert_found(Day(tmp_path).record(plan_of(5, 330, kinds), NEXT_EVENING_US).run(), kinds)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", [6, 7, 8])
def test_every_fault_is_found_on_other_days_too(seed: int, tmp_path: Path) -> None:
    kinds = faults(2, 3)
    assert_found(Day(tmp_path).record(plan_of(seed, 400, kinds), NEXT_EVENING_US).run(), kinds)
