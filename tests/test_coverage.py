"""docs/coverage.md: no section of a text is passed over, and what is named to cover and to show it is there.

The rule texts lie beside the repository where the project is developed; in a clone without them the lists are still
held against what they name.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from replay.citations import Citation
from replay.coverage.cited import root, sections_named
from replay.coverage.entries import CoverageError, Listed, read_list
from replay.coverage.marks import is_below, marks_in
from replay.coverage.page import against_the_text, problems
from replay.coverage.shown import exists, shown

SUPREME = ["ma/supreme_pai_gow"]


def test_the_lists_hold() -> None:
    assert problems(root()) == []


MADE_UP = """\
12. How it ends

- (a) First.
 - (1) In one way; and
 - (2) In another:
 - (i) the one;
 - (ii) the other.
- (g) More.
- (h) And more.
- (i) A letter, for it is not indented.
 - (1) Of which the table is

Hand Type\tPayout Odds
Four aces\t1000 to 1
Two pair\t7to 1
"""


def test_the_sections_of_a_text_are_read_by_its_marks() -> None:
    marks = marks_in("MA-SPG", MADE_UP.replace("12.", "1."))
    assert [mark.name for mark in marks] == [
        *("§1", "§1(a)", "§1(a)(1)", "§1(a)(2)", "§1(a)(2)(i)", "§1(a)(2)(ii)", "§1(g)", "§1(h)", "§1(i)", "§1(i)(1)"),
        *("§1(i)(1), Four aces", "§1(i)(1), Two pair"),
    ]
    assert marks[-1].words == "Two pair 7to 1"


def test_a_section_left_out_of_a_list_is_noticed() -> None:
    listed = Listed.model_validate({"text": "MA-SPG", "title": "", "sections": {"§1": {"says": "words"}}})
    assert against_the_text(listed, ["§1"]) == []
    assert against_the_text(listed, ["§1", "§1(a)"]) == ["MA-SPG §1(a) is printed in the text and not on its list"]
    assert against_the_text(listed, []) == ["MA-SPG §1 is on the list and not printed in the text"]


@pytest.mark.parametrize(
    ("text", "section", "named"),
    [
        ("MA-SPG", "§12(h), (i)", ["§12(h)", "§12(i)"]),
        ("MA-PGP", "§9(g)(1)(v), (2)(iii), (3)", ["§9(g)(1)(v)", "§9(g)(2)(iii)", "§9(g)(3)"]),
        ("MA-PGP", "§9(g)(1)(iii),(iv)", ["§9(g)(1)(iii)", "§9(g)(1)(iv)"]),
        ("MA-PGP", "§9(l), §9(l)(1)(i)b", ["§9(l)", "§9(l)(1)(i)b"]),
        ("MA-PGP", "§16(b) Paytable A", ["§16(b)"]),
        ("MA-PGP", "§8a(c), §14.A(g)", ["§8a(c)", "§14.A(g)"]),
        ("MA-PGP", "§10 second (a)(5)", ["§10 second (a)(5)"]),
        ("NJ-SPG", "19:46-1.18(g)2, 3", ["19:46-1.18(g)2", "19:46-1.18(g)3"]),
        ("NJ-SPG", "19:47-34.3(a)1i", ["19:47-34.3(a)1i"]),
    ],
)
def test_what_a_citation_names(text: str, section: str, named: list[str]) -> None:
    assert sections_named(Citation(text=text, section=section), frozenset(named)) == named
    assert sections_named(Citation(text=text, section=section), frozenset()) == [f"?{one}" for one in named]


@pytest.mark.parametrize(
    ("section", "name", "below"),
    [
        *(("§8", "§8", True), ("§8", "§8(c)", True), ("§8", "§8a(c)", False), ("§1", "§10(a)", False)),
        *(("§1", "§1 Bank", True), ("§9(l)(1)(i)", "§9(l)(1)(i)a", True), ("§14(a)", "§14(a), Four aces", True)),
        *(("34.3(c)1", "34.3(c)10", False), ("34.3(c)", "34.3(c)10", True), ("34.3(a)1", "34.3(a)1i", True)),
    ],
)
def test_what_is_a_part_of_a_section(section: str, name: str, below: bool) -> None:
    assert is_below(name, section) is below


@pytest.mark.parametrize(
    ("name", "is_there"),
    [
        *(("DEAL-304", True), ("DEAL-999", False), ("option banking", True), ("option bonking", False)),
        *(("checks.misdeal", True), ("checks.misdeel", False), ("rules:compare", True), ("rules:compore", False)),
    ],
)
def test_what_is_said_to_cover_a_section_must_be_there(name: str, is_there: bool) -> None:
    assert exists(name, SUPREME) is is_there


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "Four aces on $50 are paid $50,000, which is the limit",
            "Four aces on $50 are paid $50,000, which is the limit",
        ),
        ("Four aces on $50 are paid nothing", None),
        ("test_what_a_citation_names", "what a citation names"),
        ("test_coverage.py::test_what_a_citation_names", "what a citation names"),
        ("test_what_nobody_wrote", None),
        ("test_supreme_pai_gow_irregular.py::test_irregularity[(f) one card face up]", "(f) one card face up"),
        ("test_supreme_pai_gow_irregular.py::test_irregularity[(z) snow]", None),
        ("fault wrong_payout", "wrong payout (SETTLE-101)"),
        ("fault wrong_weather", None),
        ("clean day", "a simulated day without faults"),
    ],
)
def test_what_is_said_to_show_it_must_be_there(name: str, words: str | None) -> None:
    found = shown(name, SUPREME)
    assert (found and found.words) == words
    assert found is None or (root() / found.path).is_file()


def test_an_entry_gives_one_answer(tmp_path: Path) -> None:
    path = tmp_path / "list.yaml"
    path.write_text(
        "{text: MA-SPG, title: T, sections: {§1: {says: a, none: heading, by: [DEAL-304]}}}", encoding="utf-8"
    )
    with pytest.raises(CoverageError, match="more than one of"):
        read_list(path)
    path.write_text("{text: MA-SPG, title: T, sections: {§1: {says: a, as: §2}}}", encoding="utf-8")
    with pytest.raises(CoverageError, match=r"§1 is as §2, which the list does not have"):
        read_list(path)


CALIFORNIA = """\
Black Jack House collections

Bet\tCollection
\\$10 to \\$100\t\\$1.00

Double Hand Poker House collections

NO-LIMIT TEXAS HOLD'EM COLLECTION FEES

RULES FOR DOUBLE HAND POKER

METHOD OF PLAY

DOUBLE HAND POKER is played with a standard 52 card deck.

METHOD OF PLAY

- * Players make a bet

RULES

1. The Garden City has no interest.
- 36. A Player has a FOUL hand if:
 - (a) The two-card front hand is stronger, or

- (d) The Player does not protect his hand.
"""


def test_the_californian_text_is_read_by_its_headings() -> None:
    """A heading counts only behind the one that is printed before it."""
    marks = marks_in("CA", CALIFORNIA)
    assert [mark.name for mark in marks] == [
        *("Black Jack House collections", "Double Hand Poker House collections"),
        *("No-Limit Texas Hold'em Collection Fees", "Rules for Double Hand Poker"),
        *("Double Hand Poker, Game Description", "Double Hand Poker, Method of Play"),
        *("Double Hand Poker 1", "Double Hand Poker 36", "Double Hand Poker 36(a)", "Double Hand Poker 36(d)"),
    ]
    assert marks[0].words == "Black Jack House collections Bet Collection $10 to $100 $1.00"
    assert not any(mark.row for mark in marks)
