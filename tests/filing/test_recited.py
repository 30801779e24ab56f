"""A pack based on one of another text cites the law it takes over from its own text, all of it, in its cites.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from replay.citations import cite
from replay.filing import PackError, folders, load_pack
from tests.filing.packs_folder import CitedLaw, first_version, write

RULES = """
from replay.citations import cite, rule
from tests.filing.packs_folder import CitedLaw, CitedWords, Snapped

@rule("CA", "Snap 1", "who says it first")
def first(one, other):
    return min(one, other)

LAW = CitedLaw(
    CitedWords(cite("CA", "Snap 2", "wins"), {"dealt": cite("CA", "Snap 3", "each")}),
    (Snapped("jack", cite("CA", "Snap 4", "a jack")), Snapped("ten", cite("rulings.md", "R-1", "a ten"))),
    "CA Snap 5",
    500,
)
"""
SAID: dict[str, Any] = {
    "text": "FLT-SPG",
    "win": {"section": "2", "words": "has won"},
    "by_way": {"dealt": {"section": "3"}},
    "law": {"cards": {"jack": {"cite": {"section": "4"}}}, "section": "FLT-SPG 5"},
    "rules": {"first": {"section": "1", "words": "the first"}},
}


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "packs"
    monkeypatch.setattr(folders, "PACKS_FOLDER", folder)
    write(first_version(folder) / "rules.py", RULES)
    return folder


def based(packs: Path, said: dict[str, Any]) -> None:
    folder = packs / "yy" / "snap" / "v1"
    base = {"pack": "xx/snap", "version": "1.0"}
    write(folder / "pack.yaml", {"id": "yy/snap", "version": "1.0", "based_on": base, "effective_from": "2021-01-01"})
    write(folder / "cites.yaml", said)


def test_the_law_is_the_same_and_cited_anew(packs: Path) -> None:
    based(packs, SAID)
    law, before = (load_pack(f"{state}/snap").law(CitedLaw) for state in ("yy", "xx"))
    assert law.cites.win == cite("FLT-SPG", "2", "has won")
    assert law.cites.by_way == {"dealt": cite("FLT-SPG", "3")}
    assert [card.cite for card in law.cards] == [cite("FLT-SPG", "4"), cite("rulings.md", "R-1", "a ten")]
    assert (law.section, law.least_cents) == ("FLT-SPG 5", 500)
    assert before.cites.win == cite("CA", "Snap 2", "wins")
    assert load_pack("yy/snap").rule_functions == {"first": cite("FLT-SPG", "1", "the first")}
    assert load_pack("yy/snap").law(CitedLaw) is law, "made once"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"win": None}, r"cites\.yaml is of FLT-SPG, and says nothing of cites\.win \(CA Snap 2\)"),
        ({"by_way": {}}, r"says nothing of cites\.by_way\.dealt \(CA Snap 3\)"),
        ({"law": {"section": "FLT-SPG 5"}}, r"says nothing of cards\.jack\.cite \(CA Snap 4\)"),
        ({"law": {"cards": SAID["law"]["cards"]}}, r"says nothing of section \(CA Snap 5\)"),
        ({"lose": {"section": "9"}}, r"cites\.yaml: cites\.lose is nothing the law has; it has: win, by_way"),
        ({"law": {**SAID["law"], "cards": {"king": {}}}}, r"cards\.king is nothing the law has; it has: jack, ten"),
        ({"win": "FLT-SPG 2"}, r"cites\.win is 'FLT-SPG 2', and not what each of its members rests on"),
        ({"win": {"words": "has won"}}, r"cites\.yaml: cites\.win: section"),
        ({"text": "FLT"}, r"cites\.yaml: text 'FLT' is not a rule text"),
    ],
)
def test_what_is_left_out_or_astray_is_named(packs: Path, changes: dict[str, Any], message: str) -> None:
    based(packs, {name: value for name, value in {**SAID, **changes}.items() if value is not None})
    with pytest.raises(PackError, match=message):
        load_pack("yy/snap").law(CitedLaw)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({}, r"is of FLT-SPG, and says nothing of rules\.first, which quotes CA Snap 1"),
        ({**SAID["rules"], "last": {"section": "9"}}, r"rules\.last is no rule; there are: first"),
    ],
)
def test_so_are_rules(packs: Path, rules: dict[str, Any], message: str) -> None:
    based(packs, {**SAID, "rules": rules})
    with pytest.raises(PackError, match=message):
        assert load_pack("yy/snap").rule_functions


def test_one_with_rules_of_its_own_cites_them_itself(packs: Path) -> None:
    based(packs, {"text": "FLT-SPG"})
    write(packs / "yy" / "snap" / "v1" / "rules.py", RULES)
    assert load_pack("yy/snap").law(CitedLaw).cites.win == cite("CA", "Snap 2", "wins")
