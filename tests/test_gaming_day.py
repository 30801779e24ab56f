"""Whole simulated days: a clean one is verified to the last round; with faults, each is found and nothing else is.

The simulator works out payouts, fees and house ways on its own path, so a mistake here or there shows as a round that
is not verified.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from ingest.simulator import CATALOGUE, default_plan
from tests.gaming_day import Day

DAY = date(2026, 11, 17)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (2, 3))])
def test_a_clean_day_is_verified_to_the_last_round(seed: int, tmp_path: Path) -> None:
    day = Day(tmp_path).record(default_plan(seed=seed, tables=13, rounds=150, gaming_day=DAY)).run()
    assert day.table("findings").column("sentence").to_pylist() == []
    rounds = day.table("rounds")
    verdicts = Counter(rounds.column("verdict").to_pylist())
    assert set(verdicts) <= {"verified", "void"}
    assert verdicts["verified"] > 0.9 * rounds.num_rows
    assert rounds.num_rows == 13 * 150
    assert [failure["sentence"] for failure in day.quality_failures()] == []


@pytest.mark.parametrize("seed", [11, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (12, 13, 14))])
def test_every_fault_is_found_under_its_code_and_nothing_else_is(seed: int, tmp_path: Path) -> None:
    faults = dict.fromkeys(CATALOGUE, 2)
    plan = default_plan(seed=seed, tables=13, rounds=150, gaming_day=DAY, faults=faults)
    day = Day(tmp_path).record(plan).run()
    assert len(day.labels.injected) >= 0.9 * sum(faults.values())
    assert {label.fault for label in day.labels.injected} == set(CATALOGUE)
    injected = {(label.table, label.round, label.code) for label in day.labels.injected}
    findings = day.table("findings").to_pylist()
    found = {(finding["table_id"], finding["round_id"], finding["code"]) for finding in findings}
    sentences = {(f["table_id"], f["round_id"], f["code"]): f["sentence"] for f in findings}
    missed = {(*key, label.fault, label.detail) for label in day.labels.injected
              if (key := (label.table, label.round, label.code)) not in found}  # fmt: skip
    assert missed == set()
    assert [sentences[key] for key in sorted(found - injected)] == []
    assert_only_faults_of_the_record_fail(day)


def assert_only_faults_of_the_record_fail(day: Day) -> None:
    """Whatever a dealer did wrong, the data is good; but for what was not reported, or never arrived."""
    by_fault: dict[str, set[str]] = {}
    for label in day.labels.injected:
        by_fault.setdefault(label.fault, set()).add(label.table)
    failed: dict[str, set[str]] = {}
    for failure in day.quality_failures():
        failed.setdefault(failure["check"], set()).add(failure["table_id"])
    assert set(failed) == {"wagers_settled", "settlements_placed", "sequence_whole"}
    assert failed["wagers_settled"] == by_fault["settlement_missing"]
    assert failed["settlements_placed"] == by_fault["phantom_settlement"]
    assert by_fault["event_lost"] <= failed["sequence_whole"] <= by_fault["event_lost"] | by_fault["garbage"]
