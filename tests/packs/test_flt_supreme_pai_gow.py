"""The commission-free Supreme Pai Gow, settled beside a slow one that reads the text sentence by sentence."""

from __future__ import annotations

import random
from typing import Any

import pytest

from replay.case_run import settle_case
from replay.filing import PackError, load_pack
from schemas.cases import Case
from tests.packs.flt_rounds import DECK, OWN_CARDS, PACK, PROGRESSIVES, dollars, good_cards, wagers_of
from tests.packs.flt_slow import EIGHTH_CARD, Filed, Place, needs_seven, set_dealer, settle

GROUPS = ("ante_royalty", "insurance", "emperors", "seven_card_bonus", "eighth_card")


def options_of(rng: random.Random) -> dict[str, Any]:
    """Every pay table, and limits now and then."""
    filed = load_pack(PACK).data.options
    tables = {name: rng.choice(option.choices or []) for name, option in filed.items() if name.endswith("_paytable")}
    chosen: dict[str, Any] = {**tables, "raise_multiples": rng.choice(("whole", "any"))}
    for name in PROGRESSIVES:
        if chosen[f"{name}_paytable"] != "none":
            chosen[f"{name}_unit_cents"] = rng.choice((100, 500, 2500))
            chosen[f"{name}_seed_cents"] = rng.randrange(50_000, 500_000)
            chosen[f"{name}_rate_bp"] = rng.choice((1, 1500, 2333, 9999))
    for group in GROUPS:
        if rng.random() < 0.3:
            chosen[f"{group}_aggregate_cents"] = rng.choice((777, 5000, 40_001))
            chosen[f"{group}_aggregate_per"] = rng.choice(("hand", "round"))
    return chosen


def filed_by(options: dict[str, Any]) -> Filed:
    names = (*OWN_CARDS, "eighth_card", *PROGRESSIVES)
    tables = {name: options.get(f"{name}_paytable", "none").replace("none", "") for name in names}
    units = {name: options[f"{name}_unit_cents"] for name in PROGRESSIVES if f"{name}_unit_cents" in options}
    rates = {name: options[f"{name}_rate_bp"] for name in PROGRESSIVES if f"{name}_rate_bp" in options}
    most = {group: options[f"{group}_aggregate_cents"] for group in GROUPS if f"{group}_aggregate_cents" in options}
    per = {group: options[f"{group}_aggregate_per"] for group in most}
    return Filed(
        royalty=options["ante_royalty_paytable"],
        **tables,
        unit_cents=units,
        rate_bp=rates,
        most_cents=most,
        most_per=per,
    )


@pytest.mark.parametrize("seed", range(150))
def test_a_round_comes_to_what_the_slow_game_gives(seed: int) -> None:
    compare_a_round(seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize("hundred", range(100))
def test_ten_thousand_rounds_of_any_filing_come_to_what_the_slow_game_gives(hundred: int) -> None:
    for seed in range(1000 + 100 * hundred, 1100 + 100 * hundred):
        compare_a_round(seed)


def compare_a_round(seed: int) -> None:
    rng = random.Random(seed)
    options = options_of(rng)
    left, places, seats = list(DECK), dict[int, Place](), dict[int, dict[str, Any]]()
    for seat in sorted(rng.sample(range(1, 7), rng.randint(1, 6))):
        wagers = wagers_of(rng, options)
        cards = tuple(good_cards(rng, left, 7 if needs_seven(wagers) else 4))
        at: dict[str, Any] = {"wagers": spelled(wagers)}
        if "raise" in wagers:
            places[seat] = Place(wagers, cards, cards[:2], cards[2:])
            at |= {"low": list(cards[:2]), "high": list(cards[2:])}
        else:
            places[seat] = Place(wagers, cards)
            at |= {"cards": list(cards), "acted": "fold"}
        seats[seat] = at
    eight = tuple(good_cards(rng, left, 8))
    stand = {name: rng.randrange(100_000, 3_000_000) for name in PROGRESSIVES if f"{name}_rate_bp" in options}
    seeds = {name: options[f"{name}_seed_cents"] for name in stand}
    should = settle(filed_by(options), places, eight, stand, seeds)
    case = Case.model_validate(
        {
            "name": str(seed),
            "pack": PACK,
            "options": options,
            "seats": seats,
            "dealer": {"cards": list(eight)},
            "meters": {name: dollars(cents) for name, cents in stand.items()},
        }
    )
    made = settle_case(case)
    assert made["cannot_tell"] is None
    assert [finding["sentence"] for finding in made["findings"]] == []
    assert lines_of(made) == should.lines
    assert envy_of(made) == should.envy
    for name in stand:
        assert moved(made, "contribution", name) == should.fed[name]
        assert moved(made, "meter_payout", name) == should.paid_off.get(name, 0)


def moved(made: dict[str, Any], kind: str, meter: str) -> int:
    of_meter = [line for line in made["lines"] if line["kind"] == kind and line["meter"] == meter]
    return sum(line["expected"]["paid_cents"] for line in of_meter)


HANDS = {
    "seven in a row of a suit": "9s 8s 7s 6s 5s 4s 3s",
    "seven in a row of a suit, the joker one of them": "9s 8s X1 6s 5s 4s 3s",
    "a royal flush, and ace and king of a suit": "Ah Kh Qh Jh Th As Ks",
    "a royal flush, and the joker and a king": "Ah Kh Qh Jh Th X1 Ks",
    "five aces": "As Ad Ac Ah X1 9d 2c",
    "a royal flush": "Ah Kh Qh Jh Th 4c 2d",
    "a straight flush": "9h 8h 7h 6h 5h Kc 2d",
    "ace to five of a suit": "Ah 2h 3h 4h 5h Kc 9d",
    "four of a kind": "9s 9d 9c 9h Kc 4d 2s",
    "a full house": "9s 9d 9c Kh Kc 4d 2s",
    "a flush": "Kh Jh 9h 6h 3h 4c 2d",
    "three of a kind": "9s 9d 9c Kh Jc 4d 2s",
    "three of a kind and a straight": "9s 9d 9c 8h 7c 6d 5s",
    "a straight": "9h 8c 7d 6s 5h Kc 2d",
    "three pairs": "9s 9d 7c 7h 4c 4d 2s",
    "two pairs": "9s 9d 7c 7h 4c 3d Ks",
    "one pair": "9s 9d 7c 6h 4c 3d Ks",
    "nine high": "9s 8c 7h 5s 4d 3c 2h",
    "nine high of one colour": "9h 8d 7h 5d 4h 3d 2h",
    "ten high": "Ts 8c 7h 5s 4d 3c 2h",
    "jack high": "Js 8c 7h 5s 4d 3c 2h",
    "queen high": "Qs 8c 7h 5s 4d 3c 2h",
    "king high": "Ks 8c 7h 5s 4d 3c 2h",
    "ace high": "As 9c 8h 7s 4d 3c 2h",
    "the joker that would be a straight were it not an ace": "X1 9c 8h 7s 6d 3c 2h",
}


@pytest.mark.parametrize("held", HANDS)
def test_each_row_of_each_table_pays_as_printed(held: str) -> None:
    """Raised, so that the royalty is reckoned too, with every wager on seven cards, by one table after the other; and
    the envy bonus of somebody who folded."""
    cards = tuple(HANDS[held].split())
    rng, left = random.Random(held), [card for card in DECK if card not in cards]
    others, eight = tuple(good_cards(rng, left, 7)), tuple(good_cards(rng, left, 8))
    filed = load_pack(PACK).data.options
    wagers = {"ante": 2500, "raise": 2500, "insurance": 500, "emperors": 500, "seven_card_bonus": 500}
    wagers |= dict.fromkeys(PROGRESSIVES, 200)
    envious = {"ante": 2500, "emperors": 500}
    at = {
        3: {"wagers": spelled(wagers), "low": cards[:2], "high": cards[2:]},
        4: {"wagers": spelled(envious), "acted": "fold", "cards": others},
    }
    places = {3: Place(wagers, cards, cards[:2], cards[2:]), 4: Place(envious, others)}
    names = ("ante_royalty", *OWN_CARDS, *PROGRESSIVES)
    tables = {name: [one for one in filed[f"{name}_paytable"].choices or [] if one != "none"] for name in names}
    meter = {f"{name}_{of}": cents for name in PROGRESSIVES for of, cents in METERED.items()}
    for number in range(max(map(len, tables.values()))):
        options = {f"{name}_paytable": some[number % len(some)] for name, some in tables.items()} | meter
        case = Case.model_validate(
            {
                "name": held,
                "pack": PACK,
                "options": options,
                "seats": at,
                "dealer": {"cards": list(eight)},
                "meters": dict.fromkeys(PROGRESSIVES, "$12,345.67"),
            }
        )
        stand, seeds = dict.fromkeys(PROGRESSIVES, 1_234_567), dict.fromkeys(PROGRESSIVES, METERED["seed_cents"])
        should = settle(filed_by({**options, "eighth_card_paytable": "none"}), places, eight, stand, seeds)
        made = settle_case(case)
        assert lines_of(made) == should.lines, options
        assert envy_of(made) == should.envy, options


METERED = {"seed_cents": 100_000, "rate_bp": 2000, "unit_cents": 200}


def spelled(wagers: dict[str, int]) -> dict[str, str]:
    return {name: dollars(cents) for name, cents in wagers.items()}


def envy_of(made: dict[str, Any]) -> dict[tuple[int, int], int]:
    return {
        (line["seat"], line["for_seat"]): line["expected"]["paid_cents"]
        for line in made["lines"]
        if line["kind"] == "envy"
    }


def lines_of(made: dict[str, Any]) -> dict[tuple[int, str], tuple[str, int, int]]:
    """Of the wagers, and of the royalties that are due."""
    lines = [line for line in made["lines"] if line["kind"] == "wager"]
    sums = {
        (line["seat"], line["wager"]): (
            line["expected"]["outcomes"][0],
            line["expected"]["paid_cents"],
            line["expected"]["taken_cents"],
        )
        for line in lines
    }
    nothing = [key for key, line in sums.items() if line == ("no_action", 0, 0)]
    assert all(wager == "ante_royalty" for _, wager in nothing)
    return {key: line for key, line in sums.items() if key not in nothing}


@pytest.mark.parametrize("rank", "23456789TJQKAX")
def test_each_card_left_over_pays_as_printed(rank: str) -> None:
    """Dealers' hands that leave out a card of each rank, by every table."""
    rng = random.Random(rank)
    eight = next(cards for cards in iter(lambda: tuple(rng.sample(DECK, 8)), ()) if set_dealer(cards).eighth[0] == rank)
    for table in load_pack(PACK).data.options["eighth_card_paytable"].choices or []:
        if table == "none":
            continue
        wagers = dict.fromkeys(("ante", *EIGHTH_CARD[table]), 500)
        at = {"wagers": spelled(wagers), "acted": "fold"}
        options = {"eighth_card_paytable": table, "table_minimum_cents": 500}
        case = Case.model_validate(
            {"name": rank, "pack": PACK, "options": options, "seats": {3: at}, "dealer": {"cards": list(eight)}}
        )
        should = settle(Filed(eighth_card=table), {3: Place(wagers, ())}, eight)
        assert lines_of(settle_case(case)) == should.lines, table


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
