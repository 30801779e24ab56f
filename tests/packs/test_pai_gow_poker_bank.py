"""MA-PGP §10: who may bank, in which order the bank is offered, and simulated days at tables that offer it.

The simulator has its own idea of right and wrong, and says of each fault under which code it must be found.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest

from ingest.simulator import Plan, TablePlan, game_called
from ingest.simulator.faults.catalogue import KINDS
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.options import spelled_out
from replay.audit import audit_or_raise
from replay.case_run import filing_of_case
from replay.filing import canonical_filing, game_module
from replay.rounds import Fact, FactRow, RoundFlag, RoundRow, batch_of
from schemas.cases import Case
from tests.gaming_day import NEXT_EVENING_US, Day
from tests.replay import slow_ledger

PACK = "ma/pai_gow_poker"
OWN_FAULTS = tuple(name for name, kind in KINDS.items() if kind.subject is Subject.BANK)


# ---- rule by rule ----------------------------------------------------------------------------------------------------


def banked(kind: str = "bank", low: str = "9c 9h", high: str = "Ac Ah 8c 5h 2c") -> Case:
    """Seat 2 banks against seat 1; nobody's hand is foul, and the co-bank's is set as the house way has it."""
    return Case.model_validate(
        {
            "name": "a bank",
            "pack": PACK,
            "options": {"banking": "bank_and_co_bank", "fortune_paytable": "none"},
            "bank": {"seat": 2, "kind": kind},
            "seats": {
                1: {"wagers": {"pai_gow": "$40"}, "low": "Td 8d", "high": "Qs Qd 7c 4d 3s"},
                2: {"low": low, "high": high},
            },
            "dealer": {"cards": "Kc Jd 9s 7h 6s 4c 2d"},
        }
    )


Change = Callable[[RoundRow], None]


def nothing(row: RoundRow) -> None:
    pass


def with_fixed(**columns: int) -> Change:
    return lambda row: row.fixed.update(columns)


def with_facts(*facts: FactRow) -> Change:
    def change(row: RoundRow) -> None:
        row.facts = [*row.facts, *facts]

    return change


def offers(*seats: int, may: tuple[int, ...] = (), before: int = 0) -> Change:
    """To whom the bank is offered, who might take it, and who was asked first the round before (0: nobody)."""
    asked = [FactRow(Fact.BANK_OFFERED, number, seat) for number, seat in enumerate(seats, 1)]
    last = FactRow(Fact.FIRST_OFFERED, 1, before, wager="bank")
    return with_facts(*asked, *(FactRow(Fact.MAY_BANK, 1, seat) for seat in may), last)


def codes(case: Case, change: Change) -> list[str]:
    """What is found, apart from that a case reports no settlement."""
    filing = filing_of_case(case)
    row = game_module(filing.pack).row_of_case(case, filing)
    row.fixed["flags"] |= int(RoundFlag.CLOSED)
    row.fixed["flags"] &= ~int(RoundFlag.CONTEXT_UNKNOWN)
    row.named["filing"] = canonical_filing(case.pack, case.version, case.options)
    change(row)
    findings = audit_or_raise(batch_of([row])).findings
    return sorted({finding.code for finding in findings if finding.code not in ("SETTLE-103", "VIG-601")})


@pytest.mark.parametrize(
    ("case", "change", "found"),
    [
        pytest.param(banked(), with_fixed(bank_run=1, bank_wagered_before=1), [], id="a bank in order"),
        pytest.param(
            banked(),
            with_fixed(bank_run=1, bank_wagered_before=1, deck_age_s=10, since_previous_s=60),
            ["BANK-804"],
            id="§10(b) at the start of the game",
        ),
        pytest.param(
            banked(),
            with_fixed(bank_run=1, bank_wagered_before=1, deck_age_s=61, since_previous_s=60),
            [],
            id="§10(b) in the second round",
        ),
        pytest.param(banked(), with_fixed(bank_run=2, bank_wagered_before=1), ["BANK-803"], id="§10(c) twice running"),
        pytest.param(banked(), offers(1, 2), [], id="§10(c) from the dealer's right"),
        pytest.param(banked(), offers(2, may=(1, 2)), ["BANK-806"], id="§10(c) one passed over"),
        pytest.param(banked(), offers(2, may=(1, 2), before=1), [], id="§10(c) the next one"),
        pytest.param(banked(), offers(1, 5, 2), ["BANK-806"], id="§10(c) offered crosswise"),
        pytest.param(banked(), offers(4, 5), ["BANK-806"], id="§10(c) taken by one who was not asked"),
        pytest.param(
            banked(), with_fixed(bank_run=1, bank_wagered_before=0), ["BANK-804"], id="§10(d)(1) without a wager before"
        ),
        pytest.param(banked(), with_fixed(bank_posted_cents=3999), ["BANK-804"], id="§10(d)(2) a cent short"),
        pytest.param(banked(), with_fixed(bank_posted_cents=4000), [], id="§10(d)(2) enough"),
        pytest.param(banked("co_bank"), nothing, [], id="§10(e) the co-bank's hand as the house sets it"),
        pytest.param(banked("co_bank", "Ac 9c", "Ah 9h 8c 5h 2c"), nothing, ["HOUSE-402"], id="§10(e) otherwise"),
        pytest.param(
            banked("co_bank"), with_fixed(dealer_wager_cents=2500), ["BANK-807"], id="§10(e) the dealer beside it"
        ),
        pytest.param(banked(), nothing, [], id="§11(j) a bank set right"),
        pytest.param(banked(low="Ac Ah", high="9c 9h 8c 5h 2c"), nothing, ["HOUSE-402"], id="§11(j) foul, not reset"),
    ],
)
def test_bank(case: Case, change: Change, found: list[str]) -> None:
    assert codes(case, change) == found


# ---- simulated days --------------------------------------------------------------------------------------------------


def plan_of(seed: int, rounds: int, faults: Mapping[str, int] | None = None) -> Plan:
    usual = [(spelled_out(options), fitted) for options, fitted in game_called(PACK).usual()]
    filings = [(options, fitted) for options, fitted in usual if options["banking"] != "none"]
    tables = [TablePlan(f"PG-{number}", PACK, options, fitted) for number, (options, fitted) in enumerate(filings, 1)]
    assert {table.options["banking"] for table in tables} == {"bank", "bank_and_co_bank"}
    return Plan(seed, date(2026, 11, 17), tuple(tables), rounds, dict(faults or {}))


def assert_clean(day: Day) -> None:
    assert day.table("findings").column("sentence").to_pylist() == []
    played = day.table("rounds").to_pylist()
    verdicts = Counter(row["verdict"] for row in played)
    assert set(verdicts) <= {"verified", "void"}
    assert verdicts["verified"] > 0.95 * len(played)
    assert slow_ledger.check(played, []) == 0


def test_a_clean_day_is_verified_to_the_last_round(tmp_path: Path) -> None:
    day = Day(tmp_path).record(plan_of(1, 50)).run()
    assert_clean(day)
    banks = {
        line["outcome"] for row in day.table("rounds").to_pylist() for line in row["lines"] if line["wager"] == "bank"
    }
    assert {"win", "lose"} <= banks


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_longer_clean_days_too(seed: int, tmp_path: Path) -> None:
    assert_clean(Day(tmp_path).record(plan_of(seed, 400)).run())


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
    assert slow_ledger.check(day.table("rounds").to_pylist(), findings) > 0


def test_every_fault_is_found_under_its_code_and_nothing_else_is(tmp_path: Path) -> None:
    assert len(OWN_FAULTS) >= 11
    assert_found(Day(tmp_path).record(plan_of(5, 110, dict.fromkeys(OWN_FAULTS, 1)), NEXT_EVENING_US).run())


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", [6, 7, 8])
def test_every_fault_is_found_on_other_days_too(seed: int, tmp_path: Path) -> None:
    assert_found(Day(tmp_path).record(plan_of(seed, 300, dict.fromkeys(OWN_FAULTS, 3)), NEXT_EVENING_US).run())
