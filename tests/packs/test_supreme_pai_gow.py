"""Supreme Pai Gow: the pack's cases hold, its words stand in the text, and simulated days are judged rightly."""

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
from replay.packs.ma.supreme_pai_gow.v1.rules import LAW
from schemas.cases import Case, read_cases
from tests.gaming_day import Day
from tests.packs.test_citations import misquoted

FOLDER = PACKS_FOLDER / "ma" / "supreme_pai_gow" / "v1" / "cases"
GAME = ("supreme_pai_gow",)


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
    plan = default_plan(seed=seed, tables=6, rounds=rounds, gaming_day=day, games=GAME, faults=faults)
    return Day(folder).record(plan).run()


def test_a_day_without_faults_has_no_findings(tmp_path: Path) -> None:
    """With banks and co-banks, every way of dealing and starting, and hands void for an exposed card."""
    day = played(tmp_path, 1, 120, {})
    assert day.table("findings").to_pylist() == []
    verdicts = [row["verdict"] for row in day.table("rounds").to_pylist()]
    assert len(verdicts) == 720
    assert set(verdicts) == {"verified", "void"}
    assert verdicts.count("void") < 15


def codes_found(day: Day) -> set[tuple[str, str, str]]:
    return {(row["table_id"], row["round_id"], row["code"]) for row in day.table("findings").to_pylist()}


def codes_injected(day: Day) -> set[tuple[str, str, str]]:
    return {(label.table, label.round, label.code) for label in day.labels.injected}


def test_every_fault_of_a_day_is_found_under_its_code(tmp_path: Path) -> None:
    kinds = kinds_of(GAME)
    day = played(tmp_path, 1, 200, dict.fromkeys(kinds, 1))
    found = defaultdict(set)
    for finding in day.table("findings").to_pylist():
        found[finding["table_id"], finding["round_id"]].add(finding["code"])
    labels = day.labels.injected
    assert {label.fault for label in labels} == set(kinds)
    missed = [label for label in labels if label.code not in found[label.table, label.round]]
    assert missed == []


@pytest.mark.parametrize("seed", [12, 13])
def test_faults_against_a_bank_are_what_they_are_and_nothing_else(tmp_path: Path, seed: int) -> None:
    """Hands set again go into the rack as they fared when shown; a bank's stacks may be dealt to no stacks at all; a
    wager taken back before betting closed lets nobody bank."""
    kinds = ("dealt_otherwise", "card_set_again", "bank_without_wager")
    day = played(tmp_path, seed, 300, dict.fromkeys(kinds, 12))
    assert codes_found(day) == codes_injected(day)


def test_the_button_needs_an_automated_shoe() -> None:
    pack = load_pack("ma/supreme_pai_gow")
    problem = filing_problem(file_under(pack, "1.0", {"starting": "button"}))
    assert problem is not None and "MA-SPG §11(d)" in problem
    assert filing_problem(file_under(pack, "1.0", {"starting": "button", "dealing": "automated_shoe"})) is None
