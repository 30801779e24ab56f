"""What must hold of every pack: its cases, its quotations, and simulated days of its game.

A day is played at tables of one game alone. The simulator has its own idea of right and wrong, and says of each fault
under which code it must be found.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ingest.simulator import default_plan, kinds_of
from replay.case_run import cases_under, check_case
from replay.filing import load_pack, pack_ids, versions_of
from replay.filing.law import law_of_any_kind, rules_module
from schemas.cases import Case, read_cases
from tests.gaming_day import NEXT_EVENING_US, Day
from tests.packs.quotations import citations_in, citations_of, misquoted
from tests.replay import slow_ledger

PACKS = pack_ids()
GAMING_DAY = date(2026, 11, 17)
TABLES, ROUNDS = 6, 80

# Of the clean day: each round's verdict, and what every wager, envy bonus and fee should come to. Who means to alter
# results puts the new digest here and says in the commit which results are different, and by which rule.
DIGESTS = {
    "ca/fortune_pai_gow": "539e83edd6c8f5fa",
    "ca/holdem": "4f624a855d548c52",
    "ca/omaha": "ec79295472c427a8",
    "ca/omaha_hi_lo": "47a802b4cbf4bb24",
    "ca/pure_21_5_blackjack": "b23768058e0a9fca",
    "ca/supreme_baccarat": "7e9341b9de222019",
    "ca/three_card_poker_6_card_bonus": "a6d785c1a4c015f2",
    "flt/supreme_pai_gow": "35a101c0ea7c6286",
    "ma/pai_gow_poker": "3d343540b4bd5ebd",
    "ma/supreme_pai_gow": "0772963ce7778a63",
    "nj/supreme_pai_gow": "d15ae7396d12775e",
}


def cases() -> Iterator[object]:
    """Of every version of every pack, those it has from the one it is based on as well."""
    for pack_id in PACKS:
        for version in versions_of(pack_id):
            for path, case in cases_under(load_pack(pack_id, version)):
                yield pytest.param(case, id=f"{pack_id} {version} {path.stem}: {case.name}")


@pytest.mark.parametrize("case", list(cases()))
def test_case(case: Case) -> None:
    assert check_case(case) == []


@pytest.mark.parametrize("pack_id", PACKS)
def test_the_pack_has_cases_of_its_own_with_different_names(pack_id: str) -> None:
    pack = load_pack(pack_id)
    files = [path for path in pack.cases.values() if path.is_relative_to(pack.folder)]
    own = [case for path in files for case in read_cases(path)]
    assert len(own) >= 20
    assert {case.pack for case in own} == {pack_id}
    assert [name for name, count in Counter(case.name for case in own).items() if count > 1] == []


@pytest.mark.parametrize("pack_id", PACKS)
def test_every_citation_of_its_data_stands_in_the_text(pack_id: str) -> None:
    cited = citations_of(load_pack(pack_id))
    assert len(cited) > 20
    assert misquoted(cited) == []


@pytest.mark.parametrize("pack_id", PACKS)
def test_every_citation_of_its_law_stands_in_the_text(pack_id: str) -> None:
    """Those that its family uses, those of its functions, and whatever else its rules.py holds."""
    pack = load_pack(pack_id)
    law = list(citations_in(law_of_any_kind(pack.rules[0], pack.cites)))
    assert len(law) > 10
    assert [str(citation) for citation in law if not citation.words] == []
    rules = pack.rule_functions
    assert rules
    assert [name for name, rule in rules.items() if rule.text != "rulings.md" and not rule.words] == []
    named = [pair for path in pack.rules for pair in vars(rules_module(path)).items()]
    constants = [one for name, value in named if not name.startswith("__") for one in citations_in(value)]
    assert misquoted([*law, *rules.values(), *constants]) == []


@pytest.fixture(scope="module", params=PACKS)
def clean(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Day]:
    plan = default_plan(1, TABLES, ROUNDS, gaming_day=GAMING_DAY, games=(request.param,))
    return request.param, Day(tmp_path_factory.mktemp("clean")).record(plan).run()


@pytest.fixture(scope="module", params=PACKS)
def faulty(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Day]:
    return request.param, faulty_day(request.param, 2, tmp_path_factory.mktemp("faulty"))


def faulty_day(pack_id: str, seed: int, folder: Path) -> Day:
    """With two of every fault its tables can show."""
    games = (pack_id,)
    faults = dict.fromkeys(kinds_of(games), 2)
    plan = default_plan(seed, TABLES, 150, faults, gaming_day=GAMING_DAY, games=games)
    return Day(folder).record(plan, NEXT_EVENING_US).run()


def test_a_clean_day_is_verified_to_the_last_round(clean: tuple[str, Day]) -> None:
    _, day = clean
    assert day.table("findings").column("sentence").to_pylist() == []
    verdicts = Counter(day.table("rounds").column("verdict").to_pylist())
    assert set(verdicts) <= {"verified", "void"}
    assert verdicts.total() == TABLES * ROUNDS
    assert verdicts["verified"] > 0.95 * TABLES * ROUNDS


def test_a_clean_day_comes_to_what_it_came_to(clean: tuple[str, Day]) -> None:
    pack_id, day = clean
    assert digest_of(day.table("rounds").to_pylist()) == DIGESTS[pack_id]


def digest_of(rounds: list[dict[str, Any]]) -> str:
    members = ("kind", "seat", "bettor", "wager", "payer", "for_seat", "outcome", "paid_cents", "taken_cents")
    results = sorted(
        (
            row["table_id"],
            row["round_id"],
            row["verdict"],
            str([[line[name] for name in (*members, "vigorish_cents")] for line in row["lines"]]),
        )
        for row in rounds
    )
    return hashlib.sha256(repr(results).encode()).hexdigest()[:16]


def assert_faults_and_nothing_else_are_found(day: Day, pack_id: str) -> None:
    labels = day.labels.injected
    assert {label.fault for label in labels} == set(kinds_of((pack_id,)))
    done: dict[tuple[str, str], set[str]] = defaultdict(set)
    for label in labels:
        done[label.table, label.round].add(label.code)
    findings = day.table("findings").to_pylist()
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for finding in findings:
        found[finding["table_id"], finding["round_id"]].add(finding["code"])
    assert [label for label in labels if label.code not in found[label.table, label.round]] == []
    assert [
        finding["sentence"]
        for finding in findings
        if finding["code"] not in done[finding["table_id"], finding["round_id"]]
    ] == []


def test_every_fault_is_found_under_its_code_and_nothing_else_is(faulty: tuple[str, Day]) -> None:
    pack_id, day = faulty
    assert_faults_and_nothing_else_are_found(day, pack_id)


@pytest.mark.parametrize("seed", [1, 4, 5])
@pytest.mark.parametrize("pack_id", PACKS)
@pytest.mark.exhaustive
def test_every_fault_is_found_on_other_days_too(pack_id: str, seed: int, tmp_path: Path) -> None:
    assert_faults_and_nothing_else_are_found(faulty_day(pack_id, seed, tmp_path), pack_id)


def test_the_ledger_of_a_clean_day_is_out_by_nothing(clean: tuple[str, Day]) -> None:
    _, day = clean
    assert slow_ledger.check(day.table("rounds").to_pylist(), []) == 0


@pytest.mark.parametrize("pack_id", PACKS)
@pytest.mark.exhaustive
def test_ten_thousand_clean_rounds_are_verified_and_the_ledger_is_out_by_nothing(pack_id: str, tmp_path: Path) -> None:
    plan = default_plan(7, 32, 330, gaming_day=GAMING_DAY, games=(pack_id,))
    day = Day(tmp_path).record(plan).run()
    rounds = day.table("rounds").to_pylist()
    verdicts = Counter(row["verdict"] for row in rounds)
    assert day.table("findings").column("sentence").to_pylist() == []
    assert set(verdicts) <= {"verified", "void"} and verdicts.total() == 32 * 330
    assert verdicts["verified"] >= 10_000
    assert slow_ledger.check(rounds, []) == 0


def test_findings_add_up_to_what_the_ledger_is_out_by(faulty: tuple[str, Day]) -> None:
    _, day = faulty
    assert slow_ledger.check(day.table("rounds").to_pylist(), day.table("findings").to_pylist()) > 10
