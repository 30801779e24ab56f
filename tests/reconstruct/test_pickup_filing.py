"""A licensee files a pickup procedure of its own: one more YAML file in the pack, no code; and bad ones are refused."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from replay.audit import audit
from replay.cards.pickup.procedure import (
    Laid,
    Order,
    ProcedureError,
    What,
    procedure_ids,
    read_procedure,
    shipped_procedure,
)
from replay.cards.pickup.words import MEANING
from replay.filing import PackError, canonical_filing, file_under, filing_problem, folders, load_pack, pack_ids
from replay.rounds import RoundRow, batch_of
from replay.verdicts import VERDICTS
from tests.packs.pai_gow_poker_table import Played, play, rearranged, reported, row_of

# Every choice another than the standard one: the dealer's hand goes in first, then players' hands backwards with the
# high hand first, then the hands nobody bet on, and at the very end the four cards left.
HOUSE = """
id: house
title: The other way round
steps:
  - title: the dealer's hand
    whose: [dealer]
    laid: high_low
    cite: {text: MA-PGP, section: §9(k), words: "picked up in order"}
  - title: hands played, from the last place to the first
    whose: [wagered, not surrendered or live_wager]
    order: by_place_down
    laid:
      - whose: [rearranged]
        how: any_order
        cite: {text: rulings.md, section: R-51}
      - how: high_low
        cite: {text: MA-PGP, section: §9(k), words: "picked up in order"}
    cite: {text: MA-PGP, section: §9(k), words: "picked up in order"}
  - title: surrendered hands
    whose: [surrendered]
    order: as_acted
    cite: {text: MA-PGP, section: §9(k), words: "picked up in order"}
  - title: hands nobody bet on
    order: by_place_down
    cite: {text: MA-PGP, section: §9(k), words: "picked up in order"}
  - title: the four cards left
    what: stub
    cite: {text: MA-PGP, section: §9(k), words: "picked up in order"}
"""
BANKER_FIRST = """
id: house
title: Banker hand first
steps:
  - {title: Banker hand, what: banker_hand, laid: as_drawn, cite: {text: CA, section: Supreme Baccarat}}
  - {title: Player hand, what: player_hand, laid: as_drawn, cite: {text: CA, section: Supreme Baccarat}}
"""


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shipped packs in a folder where a licensee may add files."""
    folder = tmp_path / "packs"
    shutil.copytree(folders.PACKS_FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__", "cases"))
    monkeypatch.setattr(folders, "PACKS_FOLDER", folder)
    return folder


def file_procedure(packs: Path, pack: str, text: str, name: str = "house") -> None:
    folder = packs / pack / "v1" / "pickups"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def house_rack(played: Played, rng: random.Random) -> list[str]:
    """The rack of HOUSE, filled by hand."""
    low, high = played.settings[0]
    rack = [*high, *low]
    going = [seat for seat in played.bets if not played.bets[seat].surrenders or played.bets[seat].fortune]
    for seat in sorted(going, reverse=True):
        low, high = played.settings[seat]
        rack += rng.sample([*low, *high], 7) if rearranged(played, seat, False) else [*high, *low]
    for seat in played.surrender_order:
        if not played.bets[seat].fortune:
            rack += played.hands[seat]
    for seat in range(6, 0, -1):
        if seat not in played.bets:
            rack += played.hands[seat]
    return rack + played.rack[:4]


def house_rows() -> list[RoundRow]:
    said = canonical_filing("ma/pai_gow_poker", "1.0", {"pickup": "house", "fortune_minimum_cents": 100})
    rng = random.Random(5)
    rows = []
    for number in range(60):
        played = play(rng, rich=number % 2 == 1, foul_share=0.0)
        standard, played.rack = played.rack, house_rack(played, rng)
        assert played.rack != standard
        rows.append(reported(row_of(played, deal_read=number % 3 == 0, filing=said), played))
    return rows


def test_a_filed_procedure_needs_no_code(packs: Path) -> None:
    file_procedure(packs, "ma/pai_gow_poker", HOUSE)
    made = audit(batch_of(house_rows()))
    assert [finding.sentence for finding in made.findings] == []
    assert {str(VERDICTS[verdict]) for verdict in made.verdicts} == {"verified"}


def test_a_filed_procedure_for_baccarat(packs: Path) -> None:
    file_procedure(packs, "ca/supreme_baccarat", BANKER_FIRST)
    filed = file_under(load_pack("ca/supreme_baccarat"), "1.0", {"pickup": "house"})
    assert filing_problem(filed) is None
    assert filed.pickup.title == "Banker hand first"


def test_a_name_nobody_filed_says_which_there_are(packs: Path) -> None:
    file_procedure(packs, "ma/pai_gow_poker", HOUSE)
    with pytest.raises(PackError, match=r"option pickup: 'hosue' is none of standard, house; .*pickups/NAME\.yaml"):
        file_under(load_pack("ma/pai_gow_poker"), "1.0", {"pickup": "hosue"})


@pytest.mark.parametrize(
    ("pack", "text", "says"),
    [
        ("ma/pai_gow_poker", HOUSE.rpartition("  - title: the four cards left")[0], "never puts the four cards left"),
        ("ma/pai_gow_poker", HOUSE.replace("by_place_down", "from_button"), "goes round from the action button"),
        ("ma/pai_gow_poker", HOUSE.replace("what: stub", "what: board"), "never puts the four cards left"),
        ("ma/pai_gow_poker", HOUSE.replace("laid: high_low", "laid: low_high_eighth"), "has an eighth card"),
        ("ca/supreme_baccarat", HOUSE, "baccarat has two hands to pick up"),
        ("ca/supreme_baccarat", BANKER_FIRST.replace("as_drawn", "any_order"), "does not say laid: as_drawn"),
    ],
)
def test_a_procedure_that_does_not_suit_the_game_is_refused(packs: Path, pack: str, text: str, says: str) -> None:
    file_procedure(packs, pack, text)
    problem = filing_problem(file_under(load_pack(pack), "1.0", {"pickup": "house"}))
    assert problem is not None
    assert problem.startswith("pickup procedure house ")
    assert says in problem


def step(number: int, **change: Any) -> Callable[[dict[str, Any]], None]:
    def apply(document: dict[str, Any]) -> None:
        document["steps"][number - 1].update(change)

    return apply


def without(number: int, field: str) -> Callable[[dict[str, Any]], None]:
    def apply(document: dict[str, Any]) -> None:
        del document["steps"][number - 1][field]

    return apply


def ends_early(document: dict[str, Any]) -> None:
    del document["steps"][3]


def twice(document: dict[str, Any]) -> None:
    document["steps"].append(document["steps"][-1])


def never(document: dict[str, Any]) -> None:
    document["steps"].insert(1, {**document["steps"][0], "title": "once more"})


def renamed(document: dict[str, Any]) -> None:
    document["id"] = "home"


SURRENDERED = r"step 3 \('surrendered hands'\)"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (step(3, whose=["surendered"]), SURRENDERED + r", whose\.1: 'surendered' is no word .*words are: dealer"),
        (step(3, whose=["not surendered or wins"]), SURRENDERED + r".*'surendered' in 'not surendered or wins' is no"),
        (step(3, whose="surrendered"), SURRENDERED + r", whose: must be a list in \[brackets\], not 'surrendered'"),
        (step(3, whose=[7]), SURRENDERED + r", whose\.1: 7 is no condition"),
        (step(3, order="by_seat"), SURRENDERED + r", order: .*'by_place'.*not 'by_seat'"),
        (step(3, laid="sideways"), SURRENDERED + r", laid: .*'low_high'.*not 'sideways'"),
        (step(3, what="shoe"), SURRENDERED + r", what: .*'stub'.*not 'shoe'"),
        (step(3, colour="red"), SURRENDERED + r", colour: there is no such field"),
        (step(3, cite={"text": "XX-1", "section": "1"}), SURRENDERED + r" cites 'XX-1', which is no rule text"),
        (without(3, "cite"), SURRENDERED + r", cite: is missing"),
        (without(3, "title"), r"step 3, title: is missing"),
        (step(2, laid=[{"how": "any_order", "whose": ["rearanged"], "cite": {"text": "CA", "section": "1"}}]),
         r"step 2 \('hands played.*'\), laid\.1\.whose\.1: 'rearanged' is no word"),
        (step(2, laid=[{"how": "any_order", "whose": ["rearranged"], "cite": {"text": "CA", "section": "1"}}]),
         r"step 2 \('hands played.*'\): the last rule of laid must be without whose"),
        (step(5, whose=["dealer"]), r"step 5 \('the four cards left'\): stub is nobody's"),
        (step(5, what="hands", order="any_time"), r"the last step \('the four cards left'\) cannot be any_time"),
        (ends_early, r"no step picks up a hand that is: none of the words; end with a step that takes every hand left"),
        (twice, r"stub is picked up at two steps"),
        (never, r"step 2 \('once more'\) never takes a hand"),
        (renamed, r" calls itself 'home'; the file name is the id"),
    ],
)  # fmt: skip
def test_a_bad_procedure_is_refused_by_file_step_and_word(
    packs: Path, change: Callable[[dict[str, Any]], None], says: str
) -> None:
    document = yaml.safe_load(HOUSE)
    change(document)
    file_procedure(packs, "ma/pai_gow_poker", yaml.safe_dump(document, allow_unicode=True))
    with pytest.raises(PackError, match=r"house\.yaml.*" + says):
        load_pack("ma/pai_gow_poker")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "it is empty; a procedure has id, title and steps"),
        ("[1, 2]", r"it is \[1, 2\]; a procedure has"),
        ("steps: [", "is not YAML"),
        ("id: house\ntitle: none\nsteps: []", "steps: must not be empty"),
        ("id: house\ntitle: none\nsteps: 3", r"steps: must be a list"),
        ("id: house\ntitle: none\nsteps: [3]", r"step 1: .*not 3"),
    ],
)
def test_a_file_that_is_no_procedure_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProcedureError, match=says):
        read_procedure(path)


def test_a_slip_in_a_packs_own_procedure_is_named_too(packs: Path) -> None:
    path = packs / "ma" / "pai_gow_poker" / "v1" / "pack.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("whose: [surrendered, not live_wager]", "whose: [surrendered, not alive]"), "utf-8")
    with pytest.raises(PackError, match=r"pack\.yaml, pickup: step 5 \('surrendered hands.*'\), whose\.2: 'alive'"):
        load_pack("ma/pai_gow_poker")


def test_every_game_of_the_texts_has_a_procedure() -> None:
    packs = {pack for pack in pack_ids() if load_pack(pack).pickups["standard"].steps}
    games = {"ca-double_hand_poker"}
    games |= {"ca-black_jack"}
    assert packs == {"ma/pai_gow_poker", "ma/supreme_pai_gow", "ca/supreme_baccarat", "ca/fortune_pai_gow"} | {
        "nj/supreme_pai_gow",
        "flt/supreme_pai_gow",
        "ca/pure_21_5_blackjack",
        "ca/holdem",
        "ca/omaha",
        "ca/omaha_hi_lo",
        "ca/three_card_poker_6_card_bonus",
    }
    assert set(procedure_ids()) == games


def test_a_word_that_was_renamed_is_refused_by_its_new_name(packs: Path) -> None:
    path = packs / "ma" / "pai_gow_poker" / "v1" / "pack.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("whose: [out_of_play]", "whose: [adrift]"), "utf-8")
    with pytest.raises(PackError, match=r"'adrift' is now called out_of_play: write that"):
        load_pack("ma/pai_gow_poker")


def test_the_field_laid_is_read_by_its_former_name_as_well(tmp_path: Path) -> None:
    """A house may have filed its procedure before the field was renamed: it is to read as it did."""
    path = tmp_path / "house.yaml"
    path.write_text(HOUSE, encoding="utf-8")
    now = read_procedure(path)
    assert "laid:" in HOUSE
    path.write_text(HOUSE.replace("laid:", "lie:"), encoding="utf-8")
    assert read_procedure(path) == now
    path.write_text(HOUSE.replace("    laid: high_low", "    laid: high_low\n    lie: low_high"), encoding="utf-8")
    with pytest.raises(ProcedureError, match=r"step 1 .*lie is the former name of laid: give one of the two, laid"):
        read_procedure(path)


def test_an_unknown_procedure_names_the_ones_there_are() -> None:
    with pytest.raises(ProcedureError, match=r"no pickup procedure 'ca-snap'.*ca-black_jack"):
        shipped_procedure("ca-snap")


def test_the_document_is_what_the_code_does(tmp_path: Path) -> None:
    """docs/pickup.md names every word and choice, and its example loads."""
    document = (Path(__file__).parents[2] / "docs" / "pickup.md").read_text(encoding="utf-8")
    for word, meaning in MEANING.items():
        assert f"| `{word}` | {meaning} |" in document
    for choice in (*What, *Order, *Laid, *procedure_ids()):
        assert f"`{choice}`" in document
    path = tmp_path / "house.yaml"
    path.write_text(document.split("```yaml")[1].split("```")[0], encoding="utf-8")
    assert len(read_procedure(path).steps) == 4
