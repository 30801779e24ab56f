"""Cases on the command line: settle, case run, and cases that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.console.conftest import ROOT, Call
from tests.console.screen import lines_of

CASE = """\
name: Both hands win; five percent of $25 is $1.25
pack: ma/pai_gow_poker
seats:
  3: {wagers: {pai_gow: $25}, low: Ks Kd, high: As Ad 9c 5h 2d}
dealer: {low: Kc Jd, high: Qs Qh 9h 7c 4s}
expect:
  3: {pai_gow: {outcome: win, paid: $25, vigorish: $1.25}}   # 25.00 × 0.05
"""


@pytest.fixture
def case(tmp_path: Path) -> Path:
    path = tmp_path / "case.yaml"
    path.write_text(CASE)
    return path


def test_what_should_this_round_have_paid(call: Call, case: Path) -> None:
    result = call("settle", case)
    assert result.exit_code == 0, result.output
    assert "win, paid $25.00, vigorish $1.25" in result.stdout
    assert "MA-PGP §9(g)(3), §16(a): “A licensee" in result.stdout
    document = json.loads(call("settle", case, "--json").stdout)
    (line,) = document["lines"]
    assert line["expected"] == {"outcomes": ["win"], "paid_cents": 2500, "taken_cents": 0, "vigorish_cents": 125}


@pytest.mark.parametrize(
    ("pack", "base", "acted"), [("ma/pai_gow_poker", "pai_gow", "surrender"), ("flt/supreme_pai_gow", "ante", "fold")]
)
def test_cards_that_a_case_leaves_out_are_not_made_up(call: Call, case: Path, pack: str, base: str, acted: str) -> None:
    """Seat 4 gave its hand up, and nobody says what it was."""
    seats = f"  4: {{wagers: {{{base}: $25}}, acted: {acted}}}\n"
    dealer = "dealer: {cards: Kc Jd Qs Qh 9h 7c 4s" + (" 2c}\n" if acted == "fold" else "}\n")
    case.write_text(f"name: Given up\npack: {pack}\nseats:\n{seats}{dealer}")
    hands = json.loads(call("settle", case, "--json").stdout)["hands"]
    assert [hand["place"] for hand in hands if not hand["parts"]] == ["seat 4"]
    assert hands[-1]["note"] == f"{acted}; cards not given"


def test_a_case_that_holds(call: Call, case: Path) -> None:
    result = call("case", "run", case)
    assert result.exit_code == 0
    assert result.stdout.endswith("1 case, 1 hold, 0 do not.\n")


def test_a_case_that_does_not(call: Call, case: Path) -> None:
    case.write_text(CASE.replace("paid: $25,", "paid: $30,"))
    result = call("case", "run", case)
    assert result.exit_code == 1
    assert "paid $25.00, the case expects $30.00" in result.stdout
    (line,) = lines_of(call("case", "run", case, "--json").stdout)
    assert not line["holds"] and line["differences"]


def test_folders_of_cases(call: Call, case: Path, tmp_path: Path) -> None:
    (tmp_path / "more" / "cases").mkdir(parents=True)
    (tmp_path / "more" / "cases" / "two.yaml").write_text(CASE + "---\n" + CASE)
    (tmp_path / "more" / "pack.yaml").write_text("not: a case")
    assert call("case", "run", tmp_path / "more").stdout.endswith("2 cases, 2 hold, 0 do not.\n")
    assert call("case", "run", case, tmp_path / "more").stdout.endswith("3 cases, 3 hold, 0 do not.\n")


def test_shipped_cases_run(call: Call) -> None:
    results = lines_of(
        call(
            "case",
            "run",
            ROOT / "replay" / "packs" / "ma" / "pai_gow_poker" / "v1" / "cases" / "vigorish.yaml",
            "--json",
        ).stdout
    )
    assert results and all(result["holds"] for result in results)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no case"),
        ("a: [1", "is not YAML"),
        (CASE.replace("name: ", "nom: "), "name is missing"),
        (CASE.replace("ma/pai_gow_poker", "ma/nope"), "there is no pack 'ma/nope'"),
        (CASE.replace("Ks Kd", "Ks Zz"), "'Zz' is not a card"),
        (CASE.replace("$25}", "-25}"), "pai_gow"),
        (CASE.replace("$25}", "25.5}"), "never as a float"),
        (CASE + "options: {wheel: sideways}\n", "sideways"),
        (CASE + "options: {nope: 1}\n", "has no option 'nope'"),
    ],
)
def test_a_broken_case_is_named(call: Call, case: Path, text: str, said: str) -> None:
    case.write_text(text)
    for command in (["settle"], ["case", "run"]):
        result = call(*command, case)
        assert result.exit_code == 2, result.output
        assert "case.yaml" in result.stderr and said in result.stderr
        assert "Traceback" not in result.stderr


def test_a_case_nobody_has(call: Call, tmp_path: Path) -> None:
    assert "cannot be read" in call("settle", "nowhere.yaml").stderr
    (tmp_path / "empty").mkdir()
    assert "holds no .yaml file" in call("case", "run", "empty").stderr
