"""Supreme Pai Gow of both states, settled beside a slow one that reads the text sentence by sentence."""

from __future__ import annotations

import random
from typing import Any

import pytest

from replay.case_run import settle_case
from schemas.cards import CARD_CODES
from schemas.cases import Case
from tests.packs.supreme_slow import Place, bonus_hand, house_way, is_foul, outcome, rank, settle

DECK = tuple(CARD_CODES)
PACKS = ("ma/supreme_pai_gow", "nj/supreme_pai_gow")


def dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"


def four(rng: random.Random, left: list[str]) -> tuple[str, ...]:
    """Cards from the deck that is left, often of a suit or of few ranks, so that high hands are not rare."""
    kind = rng.random()
    wanted = list(left)
    if kind < 0.2:
        suit = rng.choice("cdhs")
        wanted = [card for card in left if card in (f"{rank}{suit}" for rank in "JQKA")]
    elif kind < 0.5:
        start = rng.randrange(11)
        wanted = [card for card in left if card[0] in "A23456789TJQKA"[start : start + 4] or card[0] == "X"]
    elif kind < 0.7:
        ranks = rng.sample("23456789TJQKA", 2)
        wanted = [card for card in left if card[0] in ranks or card[0] == "X"]
    taken = rng.sample(wanted, min(4, len(wanted)))
    taken += rng.sample([card for card in left if card not in taken], 4 - len(taken))
    for card in taken:
        left.remove(card)
    return tuple(taken)


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("seed", range(100))
def test_a_round_comes_to_what_the_slow_game_gives(pack: str, seed: int) -> None:
    compare_a_round(pack, seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("hundred", range(30))
def test_thousands_of_rounds_come_to_what_the_slow_game_gives(pack: str, hundred: int) -> None:
    for seed in range(1000 + 100 * hundred, 1100 + 100 * hundred):
        compare_a_round(pack, seed)


def compare_a_round(pack: str, seed: int) -> None:
    rng = random.Random(seed)
    to_quarters, least = rng.random() < 0.5, rng.choice((100, 6000))
    rounding = "up_to_quarter" if to_quarters else "exact"
    options = {"vigorish_rounding": rounding, "bonus_minimum_cents": least, "bonus_maximum_cents": 100_000}
    left, places, seats = list(DECK), dict[int, Place](), dict[int, dict[str, Any]]()
    for seat in sorted(rng.sample(range(1, 7), rng.randint(1, 6))):
        cards = four(rng, left)
        bonus = rng.choice((0, least, 10_000, 17_777))
        place = Place(rng.choice((1000, 1234, 2550, 100_000)), bonus, cards[:2], cards[2:], rng.random() < 0.1)
        wagers = {"supreme_pai_gow": dollars(place.wager)} | ({"bonus": dollars(bonus)} if bonus else {})
        if place.surrendered:
            seats[seat] = {"wagers": wagers, "cards": list(cards), "acted": "surrender"}
        else:
            seats[seat] = {"wagers": wagers, "low": list(cards[:2]), "high": list(cards[2:])}
        places[seat] = place
    dealers = four(rng, left)
    low, high = house_way(dealers)
    case = Case.model_validate(
        {
            "name": str(seed),
            "pack": pack,
            "options": options,
            "seats": seats,
            "dealer": {"low": list(low), "high": list(high)},
        }
    )
    made = settle_case(case)
    assert made["cannot_tell"] is None
    assert [finding["sentence"] for finding in made["findings"]] == []
    lines = {}
    for line in made["lines"]:
        due = line["expected"]
        sums = (due["paid_cents"], due["taken_cents"], due["vigorish_cents"])
        lines[line["seat"], line["wager"]] = (due["outcomes"][0], *sums)
    assert lines == settle(places, dealers, to_quarters, least)


# ---- the slow game itself --------------------------------------------------------------------------------------------


def hand(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@pytest.mark.parametrize(
    ("cards", "ranks"),
    [
        ("X1 X2", (2, 15)),
        ("As Ad", (2, 14)),
        ("Ks Qd", (1, 3)),
        ("X1 6d", (0, 9)),
        ("2s 5d", (0, 7)),
        ("5s 9d", (0, 4)),
    ],
)
def test_the_examples_of_the_text(cards: str, ranks: tuple[int, int]) -> None:
    assert rank(hand(cards)) == ranks


@pytest.mark.parametrize(
    ("cards", "named"),
    [
        ("As Ad Ac Ah", "four aces"),
        ("As Ks Qs Js", "royal flush"),
        ("X1 X2 As Ad", "two jokers and two aces"),
        ("X1 4s 5s 7s", "straight flush"),
        ("X1 X2 4s 5d", "straight"),
        ("As 2s X1 4s", "straight flush"),
        ("Ks As 2s 3s", "flush"),
        ("X1 9s Ts Qs", None),
        ("X1 X2 8s 8d", "two pair"),
        ("X1 9s 9d 8d", "any other pair"),
    ],
)
def test_bonus_hands(cards: str, named: str | None) -> None:
    assert bonus_hand(hand(cards)) == named


def test_a_low_hand_of_no_points_and_a_foul() -> None:
    assert outcome(hand("Ts Jd"), hand("As Ad"), hand("Td 2c"), hand("Ks Kd")) == "push"
    assert is_foul(hand("As Ad"), hand("Ks Kd")) and not is_foul(hand("Ts 7d"), hand("5s 2d"))
    assert outcome(hand("As Ad"), hand("Ks Kd"), hand("2s 2d"), hand("3s 3d")) == "lose"
    assert house_way(hand("9s 9d 4c 4h")) == (hand("4c 4h"), hand("9s 9d"))
