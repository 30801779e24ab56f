"""Every case file of the Supreme Baccarat pack: the lines of `check` against what the case expects."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from replay.families.two_hands.game import check, check_filing, row_of_case
from replay.filing import file_under, load_pack
from replay.filing.folders import PACKS_FOLDER
from replay.game import Checked
from replay.rounds import OUTCOMES, Fact, RoundBatch, batch_of
from schemas.cases import Case, CaseError, CaseExpected, CaseSeatExpected, read_cases

FOLDER = PACKS_FOLDER / "ca" / "supreme_baccarat" / "v1" / "cases"
CASES = [(path, case) for path in sorted(FOLDER.glob("*.yaml")) for case in read_cases(path)]


def run(case: Case) -> tuple[RoundBatch, Checked]:
    filing = file_under(load_pack(case.pack), case.version, case.options)
    assert check_filing(filing) is None
    batch = batch_of([row_of_case(case, filing)])
    return batch, check(batch, filing)


def differences(batch: RoundBatch, checked: Checked, case: Case) -> list[str]:
    """What is not as the case expects, in words."""
    lines = checked.lines
    wagers: dict[tuple[int, str, str], tuple[str, int, int]] = {}
    fees: Counter[tuple[int, str]] = Counter()
    for at in range(len(lines)):
        seat, bettor, wager = int(lines.seat[at]), batch.names[lines.bettor[at]], batch.names[lines.wager[at]]
        if lines.kind[at] == Fact.COLLECTION:
            fees[seat, bettor] += int(lines.paid[at])
        else:
            wagers[seat, bettor, wager] = (OUTCOMES[lines.outcome[at]], int(lines.paid[at]), int(lines.taken[at]))
    wrong: list[str] = []

    def compare_wager(seat: int, bettor: str, name: str, wanted: CaseExpected) -> None:
        outcome, paid, taken = wagers[seat, bettor, name]
        for what, want, got in (
            ("outcome", wanted.outcome, outcome),
            ("paid", wanted.paid, paid),
            ("taken", wanted.taken, taken),
        ):
            if want is not None and want != got:
                wrong.append(f"seat {seat} {bettor} {name}: {what} {got}, not {want}")

    def compare_seat(seat: int, bettor: str, wanted: CaseSeatExpected) -> None:
        for name, expected in wanted.wagers.items():
            compare_wager(seat, bettor, name, expected)
        if wanted.fee is not None and fees[seat, bettor] != wanted.fee:
            wrong.append(f"seat {seat} {bettor}: fee {fees[seat, bettor]}, not {wanted.fee}")
        for behind, expected_behind in wanted.backline.items():
            compare_seat(seat, behind, expected_behind)

    for seat, wanted in case.expect.items():
        compare_seat(seat, "", wanted)
    found = sorted(remark.code for remark in checked.remarks)
    if found != sorted(case.findings):
        wrong.append(f"findings {found}, not {sorted(case.findings)}")
    return wrong


@pytest.mark.parametrize(("path", "case"), CASES, ids=[f"{path.stem}: {case.name}" for path, case in CASES])
def test_case(path: Path, case: Case) -> None:
    batch, checked = run(case)
    assert differences(batch, checked, case) == []
    assert not checked.left_open


def test_names_of_cases_are_told_apart() -> None:
    repeated = [name for name, count in Counter(case.name for _, case in CASES).items() if count > 1]
    assert repeated == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hands": {"player": ["As", "Kd"]}}, "hands.banker is missing"),
        ({"hands": {"player": ["As"], "banker": ["As", "Kd"]}}, "hands.player is 1 card;"),
        ({"hands": {"player": ["As", "Kd"], "banker": ["As", "Kd"], "board": ["As"]}}, "no hand 'board'"),
        ({"seats": {2: {"cards": "As Kd"}}}, "seat 2 only has wagers"),
        ({"dealer": {"cards": "As Kd"}}, "the dealer has no hand here"),
        ({"bank": {"seat": 1, "kind": "bank"}}, "bank.kind is player_dealer"),
    ],
)
def test_a_case_that_is_no_round_of_this_game_says_why(change: dict[str, object], words: str) -> None:
    said = {"name": "x", "pack": "ca/supreme_baccarat", "hands": {"player": ["9s", "Kd"], "banker": ["7c", "Th"]}}
    with pytest.raises(CaseError, match=words):
        run(Case.model_validate(said | change))
