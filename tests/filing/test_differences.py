"""`muckraker rules diff`: what one version has otherwise than another, each thing once, with its citation."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from replay.cards.pickup.procedure import procedure_ids
from replay.filing import Difference, PackError, differences, folders, load_pack
from tests.console.conftest import call_command
from tests.filing.packs_folder import (
    CITE,
    HANDS,
    METHOD,
    OTHER,
    PAYTABLE,
    STUB,
    first_version,
    later_version,
    option,
    shipped_packs,
    write,
)

ROOT = Path(__file__).parents[2]
SCHEDULE: dict[str, Any] = {
    "id": "own",
    "title": "Fees",
    "cite": CITE,
    "moment": "before_deal",
    "moment_cite": CITE,
    "limits": {"main": ["$5", "$100"]},
    "limits_cite": CITE,
    "parts": [
        {"payer": "player", "basis": "own_wagers", "cite": CITE, "bands": [{"floor": "$5", "fee": "$1"}]},
    ],
}
RULES = """
from replay.citations import cite, rule
from tests.filing.packs_folder import SnapLaw

@rule("CA", "Snap 1", "who says it first")
def first(one, other):
    return min(one, other)

@rule("CA", "Snap 2", "who says it last")
def last(one, other):
    return max(one, other)

LAW = SnapLaw(cite("CA", "Snap 1"), 500)
"""


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "packs"
    monkeypatch.setattr(folders, "PACKS_FOLDER", folder)
    first = first_version(folder)
    write(first / "fees" / "own.yaml", SCHEDULE)
    write(first / "rules.py", RULES)
    return folder


def found() -> list[Difference]:
    return differences(load_pack("xx/snap", "1.0"), load_pack("xx/snap", "2.0"))


def short() -> list[tuple[str, str, str | None, str | None]]:
    return [(one.kind, one.name, one.before, one.after) for one in found()]


def test_a_version_that_only_says_when_differs_in_nothing(packs: Path) -> None:
    later_version(packs)
    assert found() == []


def test_fields_wagers_and_options(packs: Path) -> None:
    later_version(
        packs,
        deck={"decks": 2, "jokers": 0, "cite": OTHER},
        wagers={"side": {"title": "Side", "requires": "main", "cite": CITE}},
        options={"decks": option(2, OTHER, minimum=1, maximum=3), "least_cents": option(500, minimum=100, maximum=900)},
        without=["options.speed"],
    )
    assert short() == [
        ("pack", "deck", "decks 1, jokers 0 each", "decks 2, jokers 0 each"),
        ("wager", "side", "Side", "Side, needs main"),
        ("option", "decks", "A choice: 1 to 2; by default 1", "A choice: 1 to 3; by default 2"),
        ("option", "speed", "A choice: slow | fast; by default slow", None),
        ("option", "least_cents", None, "A choice: $1.00 to $9.00; by default $5.00"),
    ]
    decks = next(one for one in found() if one.name == "decks")
    assert (str(decks.cite_before), str(decks.cite_after)) == ("rulings.md R-37", "rulings.md R-38")


def test_choices_that_cannot_stand_together(packs: Path) -> None:
    fast = {"all_of": {"speed": ["fast"], "decks": {"other_than": [2]}}, "way_out": "file decks: 2", "cite": CITE}
    later_version(packs, conflicts=[fast])
    assert short() == [("conflict", "speed: fast, and decks: anything but 2", None, "file decks: 2")]


@pytest.mark.parametrize(
    ("all_of", "says"),
    [
        ({"pace": ["fast"]}, "there is no option pace; there are: decks, speed"),
        ({"speed": ["quick"]}, "option speed: 'quick' is none of slow, fast"),
        ({"decks": {"other_than": [3]}}, "option decks: 3 is not between 1 and 2"),
    ],
)
def test_a_conflict_of_choices_that_do_not_exist_does_not_load(packs: Path, all_of: dict[str, Any], says: str) -> None:
    later_version(packs, conflicts=[{"all_of": all_of, "way_out": "file otherwise", "cite": CITE}])
    with pytest.raises(PackError, match=says):
        found()


def test_a_citation_alone_is_a_difference(packs: Path) -> None:
    later_version(packs, wagers={"side": {"title": "Side", "cite": OTHER}})
    (only,) = found()
    assert (only.before, only.after, str(only.cite_after)) == ("Side", "Side", "rulings.md R-38")


def test_rows_of_pay_tables(packs: Path) -> None:
    rows = [{"hand": "pair", "odds": [7, 2]}, {"hand": "flush", "odds": "push"}]
    write(later_version(packs) / "paytables" / "side-a.yaml", {**PAYTABLE, "rows": rows})
    assert short() == [
        ("pay table", "side-a, pair", "3 to 1", "7 to 2"),
        ("pay table", "side-a, straight", "10 to 1, envy $5.00", None),
        ("pay table", "side-a, flush", None, "a push"),
    ]


def test_limits_bands_and_moments_of_fees(packs: Path) -> None:
    part = {**SCHEDULE["parts"][0], "bands": [{"floor": "$5", "fee": "$2"}, {"floor": "$50", "fee": "$3"}]}
    changed = {**SCHEDULE, "moment": "after_first_card", "limits": {"main": ["$10", "$100"]}, "parts": [part]}
    write(later_version(packs) / "fees" / "own.yaml", changed)
    assert short() == [
        ("fees", "own, taken", "before deal", "after first card"),
        ("fees", "own, main wager", "$5.00 to $100.00", "$10.00 to $100.00"),
        ("fees", "own, player on the own wagers, from $5.00", "$1.00", "$2.00"),
        ("fees", "own, player on the own wagers, from $50.00", None, "$3.00"),
    ]


def test_dealing_methods_and_steps_of_the_pickup(packs: Path) -> None:
    folder = later_version(packs, pickup=[STUB, {**HANDS, "order": "by_place_down"}], without=["dealing.hand"])
    write(folder / "dealing.yaml", {"shoe": {**METHOD, "direction": "clockwise"}})
    said = [(one.kind, one.name) for one in found()]
    assert said == [
        ("dealing", "hand"),
        ("dealing", "shoe"),
        ("pickup", "standard, step 1"),
        ("pickup", "standard, step 2"),
    ]
    turned = found()[1]
    assert "; counterclockwise;" in str(turned.before) and "; clockwise;" in str(turned.after)
    gone, added = short()[2:]
    assert gone[2:] == ("every hand: places in ascending order; cards in any order", None)
    assert added[2:] == (None, "every hand: places in descending order; cards in any order")


def test_rules_by_citation_and_by_code_and_the_law_they_make(packs: Path) -> None:
    code = RULES.replace("min(one, other)", "one or other").replace('"Snap 2"', '"Snap 3"').replace("500", "700")
    write(later_version(packs) / "rules.py", code.replace('cite("CA", "Snap 1")', 'cite("CA", "Snap 3")'))
    assert short() == [
        ("rule", "first", "as in xx/snap 1.0", "as in xx/snap 2.0"),
        ("rule", "last", "as in xx/snap 1.0", "as in xx/snap 2.0"),
        ("law", "first", "CA Snap 1", "CA Snap 3"),
        ("law", "least_cents", "500", "700"),
    ]
    assert (str(found()[1].cite_before), str(found()[1].cite_after)) == ("CA Snap 2", "CA Snap 3")


def test_rules_copied_word_for_word_are_no_difference(packs: Path) -> None:
    write(later_version(packs) / "rules.py", RULES)
    assert found() == []


def test_the_command(packs: Path) -> None:
    write(later_version(packs) / "paytables" / "side-a.yaml", {**PAYTABLE, "rows": [{"hand": "pair", "odds": 4}]})
    said = call_command("rules", "diff", "xx/snap", "1.0", "2.0")
    assert said.exit_code == 0, said.output
    for text in ("xx/snap 2.0, in force from 2027-01-01, based on xx/snap 1.0", "side-a, pair", "- 3 to 1", "+ 4 to 1"):
        assert text in said.stdout
    assert "rulings.md R-37: “and table limits”" in said.stdout and "2 differences." in said.stdout
    assert call_command("rules", "diff", "xx/snap", "1.0", "2.0", "--fail").exit_code == 1
    assert call_command("rules", "diff", "xx/snap", "1.0", "1.0", "--fail").exit_code == 0
    unknown = call_command("rules", "diff", "xx/snap", "1.0", "9.0")
    assert unknown.exit_code == 2 and "has no version 9.0; it has: 1.0, 2.0" in unknown.stderr


def test_as_json_it_has_the_members_the_page_names(packs: Path) -> None:
    later_version(packs, without=["wagers.side"])
    (line,) = call_command("rules", "diff", "xx/snap", "1.0", "2.0", "--json").stdout.splitlines()
    document = json.loads(line)
    (row,) = re.findall(r"^\| `rules diff` \|.*$", (ROOT / "docs" / "json.md").read_text(encoding="utf-8"), re.M)
    assert list(document) == re.findall("`(.*?)`", row)[1:]
    assert document["after"] is None and document["cite_before"]["section"] == "R-37"


def test_versions_are_listed_and_shown(packs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    later_version(packs, title="Snap anew")
    first_version(packs, effective_to="2026-12-31")
    listed = call_command("rules", "list").stdout
    assert "from 2020-01-01 to 2026-12-31" in listed and "from 2027-01-01" in listed
    shown = call_command("rules", "show", "xx/snap", "--version", "1.0").stdout
    assert (
        shown.startswith("xx/snap 1.0: Snap\n") and "other versions: 2.0 (muckraker rules diff xx/snap 2.0 1.0" in shown
    )
    assert call_command("rules", "show", "xx/snap").stdout.startswith("xx/snap 2.0: Snap anew\n")
    refused = call_command("rules", "show", procedure_ids()[0], "--version", "1.0")
    assert refused.exit_code == 2 and "has no versions" in refused.stderr


def test_the_example_of_the_page_on_versions_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "PACKS_FOLDER", shipped_packs(tmp_path / "packs"))
    example = (ROOT / "docs" / "versions.md").read_text(encoding="utf-8").split("```yaml\n")[1].split("```")[0]
    said = yaml.safe_load(example)
    write(tmp_path / "packs" / said["id"] / "v2" / "pack.yaml", example)
    names = [one.name for one in differences(load_pack(said["id"], "1.0"), load_pack(said["id"], "2.0"))]
    assert names[:2] == ["vigorish_rounding", "royal_match"] and names[2] == "fortune-d"
