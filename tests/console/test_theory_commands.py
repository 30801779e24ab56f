"""`muckraker theory` and `muckraker rank`: what they print, in both forms, and what they say to a slip of the pen."""

from __future__ import annotations

import json
import re
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from analytics.theory.ca_supreme_baccarat import recipe
from analytics.theory.counts import Counts
from analytics.theory.store import no_progress
from console import theory_commands
from console.command import Group
from console.home import make_home
from tests.console.conftest import ROOT


@click.group(cls=Group)
def command() -> None:
    """The two commands alone."""


command.add_command(theory_commands.theory)
command.add_command(theory_commands.rank)


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "muckraker" / "theory"


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def document(*arguments: str) -> dict[str, Any]:
    result = call(*arguments, "--json")
    assert result.exit_code == 0, result.output
    said: dict[str, Any] = json.loads(result.stdout)
    return said


# --- theory ----------------------------------------------------------------------------------------------------------


def test_every_wager_in_one_table() -> None:
    result = call("theory", "ma/pai_gow_poker")
    assert result.exit_code == 0 and result.stderr == ""
    assert "92.2344%" in result.stdout and "exact" in result.stdout
    assert "simulation" in result.stdout and "±" in result.stdout
    assert "4.6342¢ for each other exposed hand, exactly: 0.9268% of the stake" in result.stdout
    assert "by the house way" in result.stdout
    baccarat = call("theory", "ca/supreme_baccarat").stdout
    for figure in ("1.2351%", "1.4581%", "14.3596%", "8.3636%"):
        assert figure in baccarat


def test_one_wager_with_its_distribution() -> None:
    shown = call("theory", "ma/pai_gow_poker", "--wager", "fortune", "--option", "fortune_paytable=C").stdout
    assert "154,143,080 sets of seven cards" in shown
    assert "307,472" in shown and "push" in shown and "lost" in shown
    assert "fortune_paytable: C" in shown
    simulated = call("theory", "ma/pai_gow_poker", "--wager", "pai_gow", "--stake", "$12").stdout
    assert "seed 20261117, 500,000 rounds" in simulated and "0.9375" in simulated and "$12.00" in simulated


def test_json_is_exact() -> None:
    said = document("theory", "ca/supreme_baccarat", "--wager", "banker")
    assert said["deals"] == 4_998_398_275_503_360
    assert sum(outcome["count"] for outcome in said["outcomes"]) == said["deals"]
    edge = -sum(Fraction(outcome["net"]["fraction"]) * outcome["count"] for outcome in said["outcomes"]) / said["deals"]
    assert Fraction(said["house_edge"]["fraction"]) == edge
    assert said["method"] == "enumeration" and said["standard_error"] is None and said["seed"] is None
    simulated = document("theory", "ma/pai_gow_poker", "--wager", "pai_gow")
    assert simulated["method"] == "simulation" and simulated["seed"] and simulated["rounds"] == 500_000
    assert 0 < simulated["standard_error"] < 1e-4
    assert all(outcome["standard_error"] > 0 for outcome in simulated["outcomes"])


def test_json_of_all_wagers_is_a_line_each() -> None:
    lines = call("theory", "ca/supreme_baccarat", "--option", "decks=6", "--json").stdout.splitlines()
    said = [json.loads(line) for line in lines]
    assert [one["wager"] for one in said] == ["player", "banker", "tie", "total_shot"]
    assert {one["options"]["decks"] for one in said} == {6}


def test_a_wager_that_is_not_offered_is_left_out() -> None:
    result = call("theory", "ma/pai_gow_poker", "--option", "fortune_paytable=none", "--json")
    assert [json.loads(line)["wager"] for line in result.stdout.splitlines()] == ["pai_gow"]


def test_recompute_says_that_it_agrees() -> None:
    result = call("theory", "ca/supreme_baccarat", "--wager", "tie", "--recompute")
    assert result.stderr == "(supreme-baccarat-totals-8-decks: counted anew, and the same as stored)\n"
    assert "14.3596%" in result.stdout


@pytest.mark.parametrize("with_home", [True, False])
def test_counts_are_kept_in_the_home_or_else_in_the_users_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path, with_home: bool
) -> None:
    def other_game(decks: int) -> Any:
        made = recipe(decks)
        inputs = {**made.inputs, "drawing": "another"}

        def count(_: object) -> Counts:
            true = made.count(no_progress)
            return Counts(true.name, true.deal, inputs, true.outcomes)

        return type(made)(made.name, inputs, count)

    monkeypatch.setattr("analytics.theory.ca_supreme_baccarat.recipe", other_game)
    home = tmp_path / "home"
    if with_home:
        make_home(home)
    result = call("theory", "ca/supreme_baccarat", "--wager", "tie", "--home", home)
    assert "was counted with another drawing; it is not used" in result.stderr
    assert "14.3596%" in result.stdout
    (kept,) = (home / "theory" if with_home else cache).iterdir()
    assert kept.name.startswith("supreme-baccarat-totals-8-decks-")
    assert home.exists() == with_home


# --- rank ------------------------------------------------------------------------------------------------------------


def facts_of(pack_id: str, cards: str, *arguments: str) -> dict[str, Any]:
    facts: dict[str, Any] = document("rank", pack_id, cards, *arguments)["facts"]
    return facts


def test_a_seven() -> None:
    shown = call("rank", "ma/pai_gow_poker", "As Ad X1 Ks Kd 5h 2d").stdout
    for text in ("full house A-K", "pays 5 to 1", "House way, low", "pair K", "three of a kind A-5-2", "R-34"):
        assert text in shown, text
    said = facts_of("ma/pai_gow_poker", "As Ad X1 Ks Kd 5h 2d")
    assert said["fortune"]["value"] == "full house: pays 5 to 1"
    assert sorted(said["house_way_low"]["cards"].split()) == ["Kd", "Ks"]
    assert said["house_way_rule"]["cite"] == "rulings.md R-34, R-50"


@pytest.mark.parametrize(
    ("cards", "options", "key", "value"),
    [
        ("X1 Kd", [], "low", "high card A-K"),
        ("X1 Ad", [], "low", "pair A"),
        ("X1 9h 8h 7h 6h", [], "high", "straight flush T-9-8-7-6"),
        ("As 2d 3c 4h 5s", [], "high", "straight A-5-4-3-2"),
        ("As 2d 3c 4h 5s", ["wheel=lowest"], "high", "straight 5-4-3-2-A"),
        ("As, Ks, Qs, Js, Ts, Kd, Qd", [], "fortune", "royal flush royal match: pays 2,000 to 1"),
        ("As Ks Qs Js Ts Kd Qd", ["royal_match=ace_king_natural"], "fortune", "royal flush: pays 150 to 1"),
        ("As Ad Ks Kd 9c 9h 2s", [], "fortune", "three pair: loses"),
        ("As Ad Ks Kd 9c 9h 2s", ["fortune_paytable=C"], "fortune", "three pair: push"),
        ("9s 8d 7c 6h 5s Kd Kc", [], "best_five", "straight 9-8-7-6-5"),
    ],
)
def test_pai_gow_hands(cards: str, options: list[str], key: str, value: str) -> None:
    stated = [text for option in options for text in ("--option", option)]
    assert facts_of("ma/pai_gow_poker", cards, *stated)[key]["value"] == value


def test_without_a_fortune_wager_nothing_is_said_of_it() -> None:
    said = facts_of("ma/pai_gow_poker", "9s 8d 7c 6h 5s Kd Kc", "--option", "fortune_paytable=none")
    assert "fortune" not in said and "best_five" in said


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("9s 5d Kh / 7c Td", {"player_hand": "4", "banker_hand": "7", "player": "loses", "banker": "wins 1 to 1"}),
        ("9s Td / 7c Td", {"player_hand": "9, a natural", "player": "wins 1 to 1", "banker": "loses"}),
        ("4s 4d / 9c Td", {"banker_hand": "9, a natural", "total_shot": "wins 20 to 1"}),
        ("9s Td / 9c Td", {"total_shot": "wins 40 to 1", "tie": "wins 8 to 1", "player": "push", "banker": "push"}),
        ("Ks 5d Ah / Tc 6d", {"tie": "wins 8 to 1", "total_shot": "loses"}),
        ("Ks 5d Kh / Tc 6d", {"tie": "loses", "banker": "wins 1 to 2"}),
    ],
)
def test_baccarat_hands(cards: str, expected: dict[str, str]) -> None:
    facts = facts_of("ca/supreme_baccarat", cards)
    assert {key: facts[key]["value"] for key in expected} == expected
    assert facts["third_cards"]["value"] == "as the rules say"


def test_a_third_card_against_the_rules_is_said() -> None:
    facts = facts_of("ca/supreme_baccarat", "9s 5d / 7c Td")
    assert facts["third_cards"]["value"].startswith("wrong: Player had 4 and stood")


def test_one_baccarat_hand_alone() -> None:
    assert facts_of("ca/supreme_baccarat", "9s 5d 8c")["total"]["value"] == "2"
    assert facts_of("ca/supreme_baccarat", "9s 9s 9s")["total"]["value"] == "7"  # eight decks


# --- slips -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["theory", "ma/nope"], "there is no pack 'ma/nope'; there are:"),
        (["theory", "ma/pai_gow_poker", "--wager", "nope"], "no wager 'nope'; it has: pai_gow, fortune"),
        (["theory", "ma/pai_gow_poker", "--option", "nope=1"], "has no option 'nope'"),
        (["theory", "ma/pai_gow_poker", "--option", "wheel"], "--option 'wheel' is not NAME=VALUE"),
        (["theory", "ma/pai_gow_poker", "--option", "wheel=round"], "'round' is none of second_highest, lowest"),
        (["theory", "ca/supreme_baccarat", "--option", "decks=9"], "9 is not between 1 and 8"),
        (["theory", "ca/supreme_baccarat", "--option", "decks=six"], "'six' is not a whole number"),
        (["theory", "ma/pai_gow_poker", "--option", "starting=button"], "needs dealing: automated_shoe"),
        (["theory", "ma/pai_gow_poker", "--stake", "lots"], "--stake: 'lots' is not an amount of money"),
        (["theory", "ma/pai_gow_poker", "--stake", "0"], "between one cent and"),
        (["rank", "ma/pai_gow_poker", "As Kd Qc"], "two cards (low), five (high) or seven (as dealt), not 3"),
        (["rank", "ma/pai_gow_poker", ""], "not 0"),
        (["rank", "ma/pai_gow_poker", "As 1d"], "'1d' is not a card"),
        (["rank", "ma/pai_gow_poker", "As As"], "holds As twice"),
        (["rank", "ma/pai_gow_poker", "As X2"], "X2 (code 53) is not in a deck with 1 joker"),
        (["rank", "ca/supreme_baccarat", "As X1"], "X1 is a joker, and Supreme Baccarat is played without"),
        (["rank", "ca/supreme_baccarat", "As 2d 3c 4d"], "two or three cards, not 4; write both hands as"),
        (["rank", "ca/supreme_baccarat", "As 2d / 3c 4d / 5d"], "with one / between them"),
        (
            ["rank", "ca/supreme_baccarat", "As As / 3c 4d", "--option", "decks=1"],
            "As comes 2 times, and the shoe has 1",
        ),
    ],
)
def test_a_slip_of_the_pen_is_one_clear_sentence(arguments: list[str], said: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert result.stderr.startswith("muckraker: ") and result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize("name", ["theory", "rank"])
def test_help_has_an_example_and_exit_codes(name: str) -> None:
    result = call(name, "--help")
    assert f"muckraker {name}" in result.stdout.split("Examples:")[1]
    assert "Exit codes:" in result.stdout


# --- docs/theory.md --------------------------------------------------------------------------------------------------

CHAPTER = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8")


def words_of(text: str) -> list[str]:
    return text.replace("─", " ").split()


@pytest.mark.parametrize(
    ("typed", "printed"), re.findall(r"^\$ muckraker (.*)\n((?:(?!```).*\n)*)", CHAPTER, re.MULTILINE)
)
def test_the_chapter_prints_what_the_command_prints(monkeypatch: pytest.MonkeyPatch, typed: str, printed: str) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert words_of(call(*shlex.split(typed)).stdout) == words_of(printed)


def test_the_tables_of_the_chapter() -> None:
    rows = [re.findall(r"[^| ]+", line) for line in CHAPTER.splitlines() if re.match(r"\| [A-D1-8] \|", line)]
    assert [row[0] for row in rows] == [*"ABCD", *"12345678", *"123456"]
    for name, *cells in rows[:4]:
        said = document("theory", "ma/pai_gow_poker", "--wager", "fortune", "--option", f"fortune_paytable={name}")
        envy = said["envy"]
        assert cells == [
            f"{said['return']['value']:.4%}",
            f"{said['house_edge']['value']:.4%}",
            f"{said['standard_deviation']:.4f}",
            f"{envy['cents_per_other_hand']['value']:.4f}¢",
            f"{envy['of_the_stake']['value']:.4%}",
        ]
    games = ["ca/supreme_baccarat"] * 8 + ["ca/three_card_poker_6_card_bonus"] * 6
    for game, (decks, *cells) in zip(games, rows[4:], strict=True):
        lines = call("theory", game, "--option", f"decks={decks}", "--json").stdout.splitlines()
        assert cells == [f"{json.loads(line)['house_edge']['value']:.4%}" for line in lines]
