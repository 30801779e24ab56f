"""Fortune Pai Gow: the pack's cases hold, its words stand in the text, and simulated days are judged rightly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path

import pytest

from ingest.simulator import default_plan
from ingest.simulator.faults.catalogue import kinds_of
from replay.case_run import check_case
from replay.citations import Citation
from replay.filing import file_under, filing_problem, load_pack
from replay.filing.folders import PACKS_FOLDER
from replay.packs.ca.fortune_pai_gow.v1.rules import LAW
from schemas.cases import Case, read_cases
from tests.gaming_day import Day
from tests.packs.test_citations import misquoted

FOLDER = PACKS_FOLDER / "ca" / "fortune_pai_gow" / "v1" / "cases"
GAME = ("fortune_pai_gow",)


def cases() -> Iterator[object]:
    for path in sorted(FOLDER.glob("*.yaml")):
        for case in read_cases(path):
            yield pytest.param(case, id=f"{path.stem}: {case.name}")


@pytest.mark.parametrize("case", list(cases()))
def test_case(case: Case) -> None:
    assert check_case(case) == []


def cited(value: object) -> Iterator[Citation]:
    if isinstance(value, Citation):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from cited(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from cited(getattr(value, field.name))


def test_the_words_of_the_law_stand_in_the_text() -> None:
    words = list(cited(LAW))
    assert len(words) > 40
    assert all(citation.words for citation in words)
    assert misquoted(words) == []


def played(folder: Path, seed: int, rounds: int, faults: dict[str, int]) -> Day:
    day = date(2026, 11, 17)
    plan = default_plan(seed=seed, tables=5, rounds=rounds, gaming_day=day, games=GAME, faults=faults)
    return Day(folder).record(plan).run()


def test_a_day_without_faults_has_no_findings(tmp_path: Path) -> None:
    """All five schedules, backline bettors, and posted wagers that do not reach."""
    day = played(tmp_path, 1, 120, {})
    assert day.table("findings").to_pylist() == []
    assert {row["verdict"] for row in day.table("rounds").to_pylist()} == {"verified"}


def codes_found(day: Day) -> set[tuple[str, str, str]]:
    return {(row["table_id"], row["round_id"], row["code"]) for row in day.table("findings").to_pylist()}


def codes_injected(day: Day) -> set[tuple[str, str, str]]:
    return {(label.table, label.round, label.code) for label in day.labels.injected}


def test_every_fault_of_a_day_is_found_under_its_code(tmp_path: Path) -> None:
    kinds = kinds_of(GAME)
    day = played(tmp_path, 2, 200, dict.fromkeys(kinds, 1))
    found = defaultdict(set)
    for finding in day.table("findings").to_pylist():
        found[finding["table_id"], finding["round_id"]].add(finding["code"])
    labels = day.labels.injected
    assert {label.fault for label in labels} == set(kinds)
    missed = [label for label in labels if label.code not in found[label.table, label.round]]
    assert missed == []


@pytest.mark.parametrize("seed", [11, 12])
def test_a_wrong_button_and_a_hand_set_again_are_that_and_nothing_else(tmp_path: Path, seed: int) -> None:
    """Where cover runs out every bet may come to less than its odds: no sum is impossible, and no second finding."""
    day = played(tmp_path, seed, 300, {"button_wrong": 8, "card_set_again": 8})
    assert codes_found(day) == codes_injected(day)


def test_table_limits_must_be_within_the_schedule() -> None:
    pack = load_pack("ca/fortune_pai_gow")
    problem = filing_problem(file_under(pack, "1.0", {"schedule": "own_2", "table_maximum_cents": 300_000}))
    assert problem is not None and "$2,000" in problem
    assert filing_problem(file_under(pack, "1.0", {"schedule": "own_1", "table_maximum_cents": 300_000})) is None
