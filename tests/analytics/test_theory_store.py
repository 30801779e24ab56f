"""Counts on disk: the shipped ones are what counting gives, and no stale, damaged or doctored file is believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from analytics.theory import CountsStore, cache_folder, theory_of
from analytics.theory import fingerprint as fingerprints
from analytics.theory.baccarat_totals import Bools, Drawing, Points
from analytics.theory.baccarat_totals import recipe as totals_recipe
from analytics.theory.ca_supreme_baccarat import DRAWING, recipe
from analytics.theory.counts import Counts, digest_of, read_counts, write_counts
from analytics.theory.shipped import MADE_BY, recipes
from analytics.theory.store import SHIPPED_FOLDER, Progress, Recipe, no_progress
from replay.filing import Filing, Paytable, file_under, load_pack
from replay.ranking import RoyalMatch, Wheel, fortune_class, house_way
from replay.ranking.hands import Cards

NOWHERE = Path("nowhere")


def counting(times: list[str], of: Recipe | None = None) -> Recipe:
    """A recipe that writes down each time it is used."""
    inner = of or recipe(1)

    def count(progress: Progress) -> Counts:
        times.append(inner.name)
        return inner.count(progress)

    return replace(inner, count=count)


# --- shipped ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("made", recipes(), ids=lambda made: made.name)
def test_shipped_counts_are_what_counting_gives(made: Recipe) -> None:
    shipped = read_counts(SHIPPED_FOLDER / f"{made.name}.json", made.inputs)
    assert shipped == made.count(no_progress)


def test_nothing_else_is_shipped_and_each_file_says_how_it_was_made() -> None:
    assert {path.name for path in SHIPPED_FOLDER.iterdir()} == {f"{made.name}.json" for made in recipes()}
    for path in SHIPPED_FOLDER.iterdir():
        assert json.loads(path.read_text(encoding="utf-8"))["made_by"] == MADE_BY


def test_no_filing_waits_for_a_count() -> None:
    """Whatever is filed, what it needs is shipped."""
    pack = load_pack("ma/pai_gow_poker")
    times: list[str] = []
    store = CountsStore(None, progress=lambda done, of: times.append("counted"))
    for royal_match in pack.data.options["royal_match"].choices or []:
        theory_of(file_under(pack, "1.0", {"royal_match": royal_match}), "fortune", store)
    for wheel in pack.data.options["wheel"].choices or []:
        theory_of(file_under(pack, "1.0", {"wheel": wheel}), "pai_gow", store)
    for decks in range(1, 9):
        theory_of(file_under(load_pack("ca/supreme_baccarat"), "1.0", {"decks": decks}), "tie", store)
    assert times == [] and store.notes == []


# --- kept ------------------------------------------------------------------------------------------------------------


def test_what_is_counted_is_kept_and_not_counted_again(tmp_path: Path) -> None:
    times: list[str] = []
    made = counting(times)
    for _ in range(2):
        store = CountsStore(tmp_path / "deep" / "theory", shipped=NOWHERE)
        counts = store.get(made)
        assert store.notes == []
    assert times == [made.name]
    assert counts == recipe(1).count(no_progress)
    (kept,) = (tmp_path / "deep" / "theory").iterdir()
    assert digest_of(dict(made.inputs))[:16] in kept.name


def test_without_a_folder_nothing_is_kept() -> None:
    times: list[str] = []
    store = CountsStore(None, shipped=NOWHERE)
    assert store.get(counting(times)) == store.get(counting(times))
    assert len(times) == 2


def _cut(text: str) -> str:
    return text[: len(text) // 2]


def _edit(change: Callable[[dict[str, Any]], None]) -> Callable[[str], str]:
    def edited(text: str) -> str:
        said = json.loads(text)
        change(said)
        return json.dumps(said)

    return edited


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_cut, "is damaged (JSONDecodeError"),
        (lambda _: "", "is damaged"),
        (lambda _: "[1, 2]", "is damaged (TypeError"),
        (lambda _: '"\\ud800"', "is damaged"),
        (_edit(lambda said: said["outcomes"].update({"0-0": said["outcomes"]["0-0"] + 1})), "does not say what it was"),
        (_edit(lambda said: said["outcomes"].update({"0-0": 0.5})), "0.5 is not a count"),
        (_edit(lambda said: said["outcomes"].update({"0-0": -1})), "-1 is not a count"),
        (_edit(lambda said: said.update(total=1)), "does not say what it was"),
        (_edit(lambda said: said.update(digest="0" * 64)), "does not say what it was"),
        (_edit(lambda said: said.update(format=99)), "has format 99, not 1"),
        (_edit(lambda said: said.pop("inputs")), "is damaged (KeyError"),
        (_edit(lambda said: said["inputs"].update(decks=2)), "does not say what it was"),
    ],
)
def test_a_damaged_file_is_counted_anew(tmp_path: Path, damage: Callable[[str], str], said: str) -> None:
    times: list[str] = []
    made = counting(times)
    good = CountsStore(tmp_path, shipped=NOWHERE).get(made)
    (kept,) = tmp_path.iterdir()
    kept.write_text(damage(kept.read_text(encoding="utf-8")), encoding="utf-8")
    store = CountsStore(tmp_path, shipped=NOWHERE)
    assert store.get(made) == good
    assert len(times) == 2
    assert any(said in note and kept.name in note and "is not used" in note for note in store.notes), store.notes
    assert CountsStore(tmp_path, shipped=NOWHERE).get(made) == good
    assert len(times) == 2  # the damaged file was replaced


def test_a_file_of_other_inputs_is_not_read(tmp_path: Path) -> None:
    """Whole, and of the right name, but counted from two decks."""
    write_counts(tmp_path / f"{recipe(1).name}.json", recipe(2).count(no_progress), "a test")
    store = CountsStore(None, shipped=tmp_path)
    assert store.get(recipe(1)) == recipe(1).count(no_progress)
    assert "was counted with another decks; it is not used" in store.notes[0]


def test_bytes_that_are_no_text_are_damage(tmp_path: Path) -> None:
    (tmp_path / f"{recipe(1).name}.json").write_bytes(b"\xff\xfe\x00")
    store = CountsStore(None, shipped=tmp_path)
    assert store.get(recipe(1)) == recipe(1).count(no_progress)
    assert "is damaged (UnicodeDecodeError" in store.notes[0]


def test_counting_anew_says_whether_it_agrees(tmp_path: Path) -> None:
    store = CountsStore(tmp_path, recompute=True)
    store.get(recipe(1))
    assert store.notes == [f"{recipe(1).name}: counted anew, and the same as stored"]
    assert list(tmp_path.iterdir()) == []


def test_counting_anew_finds_a_doctored_file(tmp_path: Path) -> None:
    """Counts moved from one outcome to another, and the digest made to fit: only a new count shows it."""
    true = recipe(1).count(no_progress)
    moved = {**true.outcomes, "9-0": true.outcomes["9-0"] + 1, "0-9": true.outcomes["0-9"] - 1}
    write_counts(tmp_path / f"{true.name}.json", replace(true, outcomes=moved), "a forger")
    store = CountsStore(None, shipped=tmp_path, recompute=True)
    assert store.get(recipe(1)) == true
    assert store.notes == [f"{true.name}: counted anew, and NOT as stored; the new count stands"]


def test_a_folder_that_cannot_be_written_is_said_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    store = CountsStore(tmp_path / "file" / "theory", shipped=NOWHERE)
    assert store.get(recipe(1)) == recipe(1).count(no_progress)
    assert any("cannot be written" in note for note in store.notes)


def test_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "muckraker" / "theory"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home" / ".cache" / "muckraker" / "theory"


# --- what a change changes -------------------------------------------------------------------------------------------


def with_odds(filing: Filing, paytable: str, hand: str, odds: int) -> Filing:
    table = filing.pack.paytables[paytable]
    rows = [row.model_copy(update={"odds": odds}) if row.hand == hand else row for row in table.rows]
    changed: Paytable = table.model_copy(update={"rows": rows})
    pack = replace(filing.pack, paytables={**filing.pack.paytables, paytable: changed})
    return replace(filing, pack=pack)


def test_a_changed_pay_table_cannot_meet_an_old_figure(tmp_path: Path) -> None:
    filing = file_under(load_pack("ma/pai_gow_poker"), "1.0", {})
    store = CountsStore(tmp_path)
    before = theory_of(filing, "fortune", store)
    after = theory_of(with_odds(filing, "fortune-a", "full_house", 6), "fortune", store)
    assert after.expected - before.expected == before.counts.probability("full_house")
    assert after.digest != before.digest
    assert after.counts.digest == before.counts.digest
    tie = file_under(load_pack("ca/supreme_baccarat"), "1.0", {})
    nine = theory_of(with_odds(tie, "tie", "tie", 9), "tie", store)
    assert f"{float(nine.house_edge):.2%}" == "4.84%"  # published: a tie that pays nine


def test_the_digest_follows_every_input() -> None:
    pack, store = load_pack("ma/pai_gow_poker"), CountsStore(None)
    digests = [
        theory_of(file_under(pack, "1.0", options), "fortune", store, stake).digest
        for options, stake in (
            ({}, None),
            ({"fortune_paytable": "B"}, None),
            ({"royal_match": "ace_king_natural"}, None),
            ({}, 600),
        )
    ]
    assert len(set(digests)) == len(digests)
    again = theory_of(file_under(pack, "1.0", {"wheel": "lowest"}), "fortune", store)
    assert again.digest == digests[0]  # the wheel has no part in the Fortune wager


def test_another_drawing_rule_is_another_input() -> None:
    def stands_on_five(player: Points, banker: Points) -> Bools:
        draws: Bools = DRAWING.player_draws(player, banker) & (player != 5)
        return draws

    other = Drawing(DRAWING.values, stands_on_five, DRAWING.banker_draws, DRAWING.no_third)
    assert totals_recipe("supreme-baccarat", other, 1).inputs["drawing"] != recipe(1).inputs["drawing"]


def test_another_ranking_is_another_input(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprints.of_fortune_classes(RoyalMatch.KING_QUEEN), fingerprints.of_house_way(Wheel.LOWEST)
    assert fingerprints.of_fortune_classes(RoyalMatch.ACE_KING) != before[0]
    assert fingerprints.of_house_way(Wheel.SECOND_HIGHEST) != before[1]

    def one_class_moved(cards: Cards, royal_match: RoyalMatch) -> npt.NDArray[np.uint8]:
        classes = fortune_class(cards, royal_match)
        classes[classes.argmin()] += 1
        return classes

    def one_hand_moved(cards: Cards, wheel: Wheel) -> Cards:
        setting = house_way(cards, wheel)
        setting[100] = setting[100][::-1]
        return setting

    monkeypatch.setattr(fingerprints, "fortune_class", one_class_moved)
    monkeypatch.setattr(fingerprints, "house_way", one_hand_moved)
    assert fingerprints.of_fortune_classes.__wrapped__(RoyalMatch.KING_QUEEN) != before[0]  # past its cache
    assert fingerprints.of_house_way.__wrapped__(Wheel.LOWEST) != before[1]
