"""The commission-free Supreme Pai Gow, settled beside a slow one that reads the text sentence by sentence."""

from __future__ import annotations

import random
from typing import Any

import pytest

from replay.case_run import settle_case
from replay.filing import PackError, load_pack
from schemas.cases import Case
from tests.packs.flt_rounds import DECK, PACK, dollars, good_cards, wagers_of
from tests.packs.flt_slow import Filed, Place, needs_seven, settle

GROUPS = ("ante_royalty", "insurance", "emperors", "seven_card_bonus", "eighth_card")


def options_of(rng: random.Random) -> dict[str, Any]:
    """Every pay table, and limits now and then."""
    filed = load_pack(PACK).data.options
    tables = {name: rng.choice(option.choices or []) for name, option in filed.items() if name.endswith("_paytable")}
    chosen: dict[str, Any] = {name: table for name, table in tables.items() if "progressive" not in name}
    for group in GROUPS:
        if rng.random() < 0.3:
            chosen[f"{group}_aggregate_cents"] = rng.choice((777, 5000, 40_001))
            chosen[f"{group}_aggregate_per"] = rng.choice(("hand", "round"))
    return chosen


def filed_by(options: dict[str, Any]) -> Filed:
    names = ("insurance", "emperors", "seven_card_bonus", "eighth_card")
    tables = {name: options[f"{name}_paytable"].replace("none", "") for name in names}
    most = {group: options[f"{group}_aggregate_cents"] for group in GROUPS if f"{group}_aggregate_cents" in options}
    per = {group: options[f"{group}_aggregate_per"] for group in most}
    return Filed(royalty=options["ante_royalty_paytable"], **tables, most_cents=most, most_per=per)


@pytest.mark.parametrize("seed", range(120))
def test_a_round_comes_to_what_the_slow_game_gives(seed: int) -> None:
    rng = random.Random(seed)
    options = options_of(rng)
    left, places, seats = list(DECK), dict[int, Place](), dict[int, dict[str, Any]]()
    for seat in sorted(rng.sample(range(1, 7), rng.randint(1, 5))):
        wagers = wagers_of(rng, options)
        cards = tuple(good_cards(rng, left, 7 if needs_seven(wagers) else 4))
        at: dict[str, Any] = {"wagers": {name: dollars(cents) for name, cents in wagers.items()}}
        if "raise" in wagers:
            places[seat] = Place(wagers, cards, cards[:2], cards[2:])
            at |= {"low": list(cards[:2]), "high": list(cards[2:])}
        else:
            places[seat] = Place(wagers, cards)
            at |= {"cards": list(cards), "acted": "fold"}
        seats[seat] = at
    eight = tuple(good_cards(rng, left, 8))
    case = Case.model_validate(
        {"name": str(seed), "pack": PACK, "options": options, "seats": seats, "dealer": {"cards": list(eight)}}
    )
    should = settle(filed_by(options), places, eight)
    made = settle_case(case)
    assert made["cannot_tell"] is None
    assert [finding["sentence"] for finding in made["findings"]] == []
    got = {
        (line["seat"], line["wager"]): (
            line["expected"]["outcomes"][0],
            line["expected"]["paid_cents"],
            line["expected"]["taken_cents"],
        )
        for line in made["lines"]
        if line["kind"] == "wager"
    }
    nothing = {key: line for key, line in got.items() if line == ("no_action", 0, 0)}
    assert all(wager == "ante_royalty" for _, wager in nothing)
    assert {key: line for key, line in got.items() if key not in nothing} == should.lines
    envy = {
        (line["seat"], line["for_seat"]): line["expected"]["paid_cents"]
        for line in made["lines"]
        if line["kind"] == "envy"
    }
    assert envy == should.envy


def test_limits_the_wrong_way_round_are_no_filing() -> None:
    case = Case.model_validate(
        {
            "name": "limits",
            "pack": PACK,
            "options": {"table_minimum_cents": 5000, "table_maximum_cents": 1000},
        }
    )
    with pytest.raises(PackError, match="table_minimum_cents"):
        settle_case(case)
