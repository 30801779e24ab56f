"""What a pack's rules.py must give its family, and a family its packs; what is missing is named."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from replay.families.ante_raise import game as ante_raise
from replay.families.blackjack import game as blackjack
from replay.families.board import game as board
from replay.families.split_hands import game as split_hands
from replay.families.three_card import game as three_card
from replay.families.two_hands import game as two_hands
from replay.filing import PackError, folders, game_module, load_pack, pack_ids, versions_of
from replay.game import Game
from tests.filing.packs_folder import SnapLaw, first_version, later_version, write

# mypy holds their functions against the protocol
FAMILIES: list[Game] = [ante_raise, blackjack, board, split_hands, three_card, two_hands]
RULES = """
from replay.citations import rule
from tests.filing.packs_folder import SnapLaw

@rule("CA", "Snap 1", "who says it first")
def first(one, other):
    return min(one, other)

LAW = SnapLaw(first, 500)
"""


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "packs"
    monkeypatch.setattr(folders, "PACKS_FOLDER", folder)
    return folder


def test_every_shipped_pack_has_a_family_that_finds_its_law() -> None:
    for pack_id in pack_ids():
        for version in versions_of(pack_id):
            assert game_module(load_pack(pack_id, version)) in FAMILIES


def test_the_law_comes_typed(packs: Path) -> None:
    write(first_version(packs) / "rules.py", RULES)
    law = load_pack("xx/snap").law(SnapLaw)
    assert law.least_cents == 500
    assert {name: str(cite) for name, cite in load_pack("xx/snap").rule_functions.items()} == {"first": "CA Snap 1"}


def test_a_version_without_rules_has_those_it_is_based_on(packs: Path) -> None:
    write(first_version(packs) / "rules.py", RULES)
    later_version(packs)
    assert load_pack("xx/snap", "2.0").law(SnapLaw) is load_pack("xx/snap", "1.0").law(SnapLaw)


def test_a_version_with_rules_has_its_own_and_the_functions_it_does_not_replace(packs: Path) -> None:
    write(first_version(packs) / "rules.py", RULES)
    write(later_version(packs) / "rules.py", RULES.replace("def first", "def second").replace("(first, 500)", "(0, 7)"))
    pack = load_pack("xx/snap", "2.0")
    assert pack.law(SnapLaw).least_cents == 7
    assert list(pack.rule_functions) == ["first", "second"]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (None, r"pack xx/snap 1\.0 has no rules\.py; its family asks for one with LAW, a SnapLaw"),
        ("", r"pack xx/snap 1\.0: .*v1/rules\.py has no LAW; its family asks for a SnapLaw"),
        ("LAW = 5", r"is a int and not the SnapLaw its family asks for; it lacks first, least_cents"),
    ],
)
def test_a_law_that_is_missing_or_another_is_refused(packs: Path, rules: str | None, message: str) -> None:
    folder = first_version(packs)
    if rules is not None:
        write(folder / "rules.py", rules)
    with pytest.raises(PackError, match=message):
        load_pack("xx/snap").law(SnapLaw)


def test_a_family_that_does_not_exist_names_those_there_are(packs: Path) -> None:
    first_version(packs, family="solitaire")
    with pytest.raises(PackError, match=r"xx/snap 1\.0: there is no family 'solitaire' .*three_card, two_hands"):
        game_module(load_pack("xx/snap"))


def test_a_family_that_lacks_a_function_is_refused(packs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first_version(packs, family="whist")
    monkeypatch.setattr("replay.filing.games.find_spec", lambda name: name)
    monkeypatch.setitem(sys.modules, "replay.families.whist", ModuleType("replay.families.whist"))
    monkeypatch.setitem(sys.modules, "replay.families.whist.game", ModuleType("replay.families.whist.game"))
    with pytest.raises(PackError, match=r"families\.whist\.game lacks check_filing, check, cut_rack, row_of_case"):
        game_module(load_pack("xx/snap"))


def test_the_law_a_family_asks_for_is_looked_at_before_it_is_used(packs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first_version(packs)
    monkeypatch.setattr(split_hands, "LAW_TYPE", SnapLaw, raising=False)
    with pytest.raises(PackError, match=r"has no rules\.py; its family asks for one with LAW, a SnapLaw"):
        game_module(load_pack("xx/snap"))
