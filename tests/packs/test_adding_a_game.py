"""docs/adding-a-game.md, followed with a game that is made up (tests/packs/made_up): law and nothing else."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from replay.audit import audit_or_raise
from replay.case_run import check_case
from replay.filing import file_under, filing_problem, folders, load_pack, pack_ids
from replay.rounds import batch_of
from replay.verdicts import VERDICTS
from schemas.cases import read_cases
from schemas.findings import Verdict
from tests.replay.tape import Tape, rounds

MADE_UP = Path(__file__).parent / "made_up"
PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
GAME = "xx/high_two"
TWO = """def two(*totals: Points) -> Bools:
    return ~never(*totals)


"""


@pytest.fixture(autouse=True)
def _only_this_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "PACKS_FOLDER", MADE_UP)


def played(paid_cents: int) -> tuple[Verdict, list[str]]:
    """A round at seat 3, $10 on the hand on the right, 9 against 7."""
    tape = a_table()
    tape.say("cards.dealt", cards=["9s", "7c", "Kd", "Th"])
    tape.say("wager.settled", seat=3, wager="right", outcome="win", paid_cents=paid_cents)
    tape.say("discard.read", mode="inserted", cards=["9s", "Kd", "7c", "Th"])
    tape.say("round.closed")
    return judged(tape)


def a_table() -> Tape:
    tape = Tape("HT-01")
    tape.opens(GAME)
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    tape.say("bank.accepted", seat=2, kind="player_dealer", posted_cents=50_000)
    tape.say("wager.placed", seat=3, wager="right", amount_cents=1_000)
    tape.say("bets.closed")
    return tape


def judged(tape: Tape) -> tuple[Verdict, list[str]]:
    audited = audit_or_raise(batch_of(rounds(tape)))
    return VERDICTS[audited.verdicts[0]], [finding.code for finding in audited.findings]


def test_it_loads_and_is_under_a_hundred_lines() -> None:
    assert pack_ids() == [GAME]
    pack = load_pack(GAME)
    files = [path for path in pack.folder.rglob("*") if path.suffix in (".py", ".yaml")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < 100


def test_its_case_holds() -> None:
    (path,) = load_pack(GAME).cases.values()
    assert [check_case(case) for case in read_cases(path)] == [[]]


def test_a_round_is_audited() -> None:
    assert played(paid_cents=2_000) == (Verdict.VERIFIED, [])
    assert played(paid_cents=1_000) == (Verdict.DIFFERS, ["SETTLE-101"])


def test_table_limits_are_held_against_each_wager_of_the_law_that_is_no_bonus() -> None:
    assert filing_problem(file_under(load_pack(GAME), "1.0", {"table_minimum_cents": 500})) is None
    problem = filing_problem(file_under(load_pack(GAME), "1.0", {"table_minimum_cents": 100}))
    assert problem == (
        "a table minimum of $1.00 is outside the $5.00 to $100.00 that schedule free prints; "
        "file one within it, or 0 for the printed limit"
    )


@pytest.mark.parametrize("drawing", ["Drawing(never, two, always, never,", "Drawing(never, never, always, two,"])
def test_a_dealing_without_third_cards_does_only_for_a_law_that_draws_none(
    drawing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert filing_problem(file_under(load_pack(GAME), "1.0", {})) is None
    shutil.copytree(MADE_UP, tmp_path / "packs")
    monkeypatch.setattr(folders, "PACKS_FOLDER", tmp_path / "packs")
    rules = tmp_path / "packs" / GAME / "v1" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    for was, now in (("Drawing(never, never, always, never,", drawing), ("LAW = ", f"{TWO}LAW = ")):
        assert was in text
        text = text.replace(was, now)
    rules.write_text(text, encoding="utf-8")
    says = "the dealing xx/high_two:shoe has no step `to: draws`, and hands draw third cards by the rules"
    assert filing_problem(file_under(load_pack(GAME), "1.0", {})) == says


def test_a_third_card_nobody_may_draw_is_found() -> None:
    tape = a_table()
    tape.say("cards.dealt", cards=["9s", "7c", "Kd", "Th", "2c"])
    tape.say("wager.settled", seat=3, wager="right", outcome="win", paid_cents=2_000)
    tape.say("discard.read", mode="inserted", cards=["9s", "Kd", "2c", "7c", "Th"])
    tape.say("round.closed")
    assert "DEAL-303" in judged(tape)[1]


def test_the_page_names_files_that_are_there() -> None:
    root = PAGE.parents[1]
    named = re.findall(r"`((?:replay|ingest|tests|docs|schemas)/[\w./-]+)`", PAGE.read_text(encoding="utf-8"))
    assert len(named) > 10
    assert [name for name in named if not (root / name).exists()] == []
