"""docs/adding-a-game.md, followed with a game that is made up (tests/packs/made_up): law and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from replay.audit import audit_or_raise
from replay.case_run import check_case
from replay.filing import folders, load_pack, pack_ids
from replay.rounds import batch_of
from replay.verdicts import VERDICTS
from schemas.cases import read_cases
from schemas.findings import Verdict
from tests.replay.tape import Tape, rounds

MADE_UP = Path(__file__).parent / "made_up"
PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
GAME = "xx/high_two"


@pytest.fixture(autouse=True)
def _only_this_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "PACKS_FOLDER", MADE_UP)


def played(paid_cents: int) -> tuple[Verdict, list[str]]:
    """A round at seat 3, $10 on the Player hand, 9 against 7."""
    tape = Tape("HT-01")
    tape.opens(GAME)
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    tape.say("bank.accepted", seat=2, kind="player_dealer", posted_cents=50_000)
    tape.say("wager.placed", seat=3, wager="player", amount_cents=1_000)
    tape.say("bets.closed")
    tape.say("cards.dealt", cards=["9s", "7c", "Kd", "Th"])
    tape.say("wager.settled", seat=3, wager="player", outcome="win", paid_cents=paid_cents)
    tape.say("discard.read", mode="inserted", cards=["9s", "Kd", "7c", "Th"])
    tape.say("round.closed")
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


def test_the_page_names_files_that_are_there() -> None:
    root = PAGE.parents[1]
    named = re.findall(r"`((?:replay|ingest|tests|docs|schemas)/[\w./-]+)`", PAGE.read_text(encoding="utf-8"))
    assert len(named) > 10
    assert [name for name in named if not (root / name).exists()] == []
