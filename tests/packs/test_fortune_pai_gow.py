"""Fortune Pai Gow: which options can be filed together."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ingest.simulator import default_plan
from replay.filing import file_under, filing_problem, load_pack
from tests.gaming_day import Day

GAME = ("ca/fortune_pai_gow",)


def played(folder: Path, seed: int, rounds: int, faults: dict[str, int]) -> Day:
    day = date(2026, 11, 17)
    plan = default_plan(seed=seed, tables=5, rounds=rounds, gaming_day=day, games=GAME, faults=faults)
    return Day(folder).record(plan).run()


def codes_found(day: Day) -> set[tuple[str, str, str]]:
    return {(row["table_id"], row["round_id"], row["code"]) for row in day.table("findings").to_pylist()}


def codes_injected(day: Day) -> set[tuple[str, str, str]]:
    return {(label.table, label.round, label.code) for label in day.labels.injected}


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
