"""Supreme Pai Gow: which options can be filed together."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ingest.simulator import default_plan
from replay.filing import file_under, filing_problem, load_pack
from tests.gaming_day import Day

GAME = ("ma/supreme_pai_gow",)


def played(folder: Path, seed: int, rounds: int, faults: dict[str, int]) -> Day:
    day = date(2026, 11, 17)
    plan = default_plan(seed=seed, tables=6, rounds=rounds, gaming_day=day, games=GAME, faults=faults)
    return Day(folder).record(plan).run()


def codes_found(day: Day) -> set[tuple[str, str, str]]:
    return {(row["table_id"], row["round_id"], row["code"]) for row in day.table("findings").to_pylist()}


def codes_injected(day: Day) -> set[tuple[str, str, str]]:
    return {(label.table, label.round, label.code) for label in day.labels.injected}


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
