"""Simulated days at tables with the progressive wagers of MA-PGP §14, §14.A, §16(e) and §19, each with its own meters.

The simulator has its own idea of right and wrong, and says of each fault under which code it must be found.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from ingest.simulator.faults.catalogue import KINDS
from ingest.simulator.faults.subjects import Subject
from tests.gaming_day import Day
from tests.packs.progressive_tables import usual_plan
from tests.replay import slow_ledger

OWN_FAULTS = tuple(name for name, kind in KINDS.items() if kind.subject is Subject.METERS)
RICH = 0.2
"""How many rounds have a hand with a share of a meter: left to chance, no day would."""


def assert_clean(day: Day) -> None:
    assert day.table("findings").column("sentence").to_pylist() == []
    played = day.table("rounds").to_pylist()
    verdicts = Counter(row["verdict"] for row in played)
    assert set(verdicts) <= {"verified", "void"}
    assert verdicts["verified"] > 0.95 * len(played)
    assert slow_ledger.check(played, []) == 0


def test_a_clean_day_is_verified_to_the_last_round(tmp_path: Path) -> None:
    day = Day(tmp_path).record(usual_plan(1, 45, lucky_rate=RICH)).run()
    assert_clean(day)
    outcomes: dict[str, set[str]] = defaultdict(set)
    for row in day.table("rounds").to_pylist():
        for line in row["lines"]:
            outcomes[line["wager"]].add(line["outcome"])
    assert {"win", "lose"} <= outcomes["progressive"] & outcomes["fortune_progressive"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_longer_clean_days_too(seed: int, tmp_path: Path) -> None:
    assert_clean(Day(tmp_path).record(usual_plan(seed, 400, lucky_rate=0.05)).run())


def assert_found(day: Day) -> None:
    labels = day.labels.injected
    assert {label.fault for label in labels} == set(OWN_FAULTS)
    done: dict[tuple[str, str], set[str]] = defaultdict(set)
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for label in labels:
        done[label.table, label.round].add(label.code)
    findings = day.table("findings").to_pylist()
    for finding in findings:
        found[finding["table_id"], finding["round_id"]].add(finding["code"])
    assert [label for label in labels if label.code not in found[label.table, label.round]] == []
    assert [one["sentence"] for one in findings if one["code"] not in done[one["table_id"], one["round_id"]]] == []
    assert slow_ledger.check(day.table("rounds").to_pylist(), findings) > 2


def test_every_fault_is_found_under_its_code_and_nothing_else_is(tmp_path: Path) -> None:
    assert len(OWN_FAULTS) >= 14
    assert_found(Day(tmp_path).record(usual_plan(5, 80, dict.fromkeys(OWN_FAULTS, 1))).run())


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", [6, 7, 8])
def test_every_fault_is_found_on_other_days_too(seed: int, tmp_path: Path) -> None:
    assert_found(Day(tmp_path).record(usual_plan(seed, 300, dict.fromkeys(OWN_FAULTS, 3))).run())
