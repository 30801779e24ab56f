"""Supreme Pai Gow: two-card rank, foul, four-card bonus, and the house way of four cards."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from replay.ranking import (
    FOUR_SPLITS,
    Game,
    by_category_and_points,
    check_hands,
    classify,
    foul_supreme,
    house_way_four,
    rank_supreme,
    zero_points,
)
from replay.ranking.hands import Cards
from schemas.cards import CARD_NAMES, codes_of, names_of
from tests.ranking.classes_by_definition import SUPREME_BONUS, score_supreme, set_four, supreme_bonus


def one(hand: str) -> Cards:
    return np.frombuffer(codes_of(hand), np.uint8)[None]


def strength(hand: str) -> int:
    return int(rank_supreme(one(hand))[0])


def test_every_two_cards_by_definition() -> None:
    twos = list(combinations(CARD_NAMES, 2))
    cards = np.array([list(codes_of(two)) for two in twos], np.uint8)
    scores = [score_supreme(two) for two in twos]
    place = {score: number for number, score in enumerate(sorted(set(scores)))}
    found = rank_supreme(cards)
    assert np.array_equal(np.unique(found, return_inverse=True)[1], [place[score] for score in scores])
    assert np.array_equal(found, rank_supreme(cards[:, ::-1]))
    by_rank = {first: number for number, first in enumerate(sorted({score[0] for score in scores}))}
    ranks = np.unique(by_category_and_points(found), return_inverse=True)[1]
    assert np.array_equal(ranks, [by_rank[score[0]] for score in scores])


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("X1 X2", "As Ad"),
        ("As Ad", "Ks Kd"),
        ("2s 2d", "Ks Qd"),
        ("Ks Qd", "Ks Jd"),
        ("Ks Jd", "Qs Jd"),
        ("Qs Jd", "9s Kd"),
        ("9s Kd", "9s Qd"),  # nine points each; the king, §3(b)
        ("6s X1", "5s 3d"),  # "a six and a joker would have a point total of 9"
        ("4s X1", "4d 2s"),  # 3 makes seven, 6 would make nought
        ("Ks X1", "Ks 5d"),
        ("Ks 2d", "Qs 2d"),
        ("Ts Ad", "9s 2d"),  # one point each: the ten
        ("4s 5d", "X1 5c"),  # nine against eight (3 + 5)
    ],
)
def test_better_and_worse(better: str, worse: str) -> None:
    assert strength(better) > strength(worse)


def test_a_joker_ranks_as_the_card_it_was_given() -> None:
    assert strength("X1 6s") == strength("3d 6s")
    assert strength("X1 As") == strength("6d As")
    assert strength("X1 9s") == strength("X2 9d") == strength("6d 9s")
    assert strength("X1 3s") == strength("6d 3s")  # never a pair of threes


def test_foul_is_by_points_alone() -> None:
    """R-13: "10-7 low with 5-2 high is not foul", although its highest card is higher."""
    assert strength("Ts 7d") > strength("5s 2d")
    assert not foul_supreme(one("Ts 7d"), one("5s 2d"))[0]
    assert foul_supreme(one("Ts 7d"), one("4s 2d"))[0]
    assert not foul_supreme(one("7s 7d"), one("7c 7h"))[0]  # MA-SPG §12(a): "at least a pair of sevens"
    assert foul_supreme(one("7s 7d"), one("6c 6h"))[0]
    assert foul_supreme(one("X1 X2"), one("As Ad"))[0]


def test_zero_points() -> None:
    """§3(d), only for hands ranked by points: not a pair of tens, not face cards."""
    hands = ["Ts Kd", "4s 6d", "Ks Qd", "Ts Td", "As 9d", "X1 4s", "Ts Ad"]
    found = zero_points(rank_supreme(np.concatenate([one(hand) for hand in hands])))
    assert found.tolist() == [True, True, False, False, True, False, False]


@pytest.mark.slow
def test_the_bonus_of_all_fours_of_54_by_definition() -> None:
    """All C(54, 4) = 316,251, each joker tried as itself and as every 3 and 6."""
    fours = list(combinations(CARD_NAMES, 4))
    cards = np.array(list(combinations(range(54), 4)), np.uint8)
    found = classify(cards, SUPREME_BONUS, Game.SUPREME_PAI_GOW)
    expected = [supreme_bonus(four) for four in fours]
    assert [SUPREME_BONUS[place] if place >= 0 else None for place in found.tolist()] == expected
    counts = {name: expected.count(name) for name in SUPREME_BONUS}
    assert len(fours) == 316_251
    # Straights by hand. Runs A-4 .. J-A: eleven. One joker for a 3: A-2-4, 2-4-5, 4-5-6; for a 6: 3-4-5, 4-5-7, 5-7-8,
    # 7-8-9: seven runs of three, two jokers each. Both: 4-5.
    assert counts == {
        "four_aces": 1,
        "royal_flush": 4,
        "two_jokers_and_two_aces": 6,
        "four_of_a_kind": 12,
        "straight_flush": 4 * 10 + 2 * 4 * 7 + 4,
        "three_of_a_kind": 13 * 4 * (48 + 2),
        "flush": 4 * (715 - 11),
        "two_pair": 78 * 36 + 12 * 6,
        "straight": (4**4 - 4) * 11 + 2 * (4**3 - 4) * 7 + (4**2 - 4),
        "two_jokers": 1_326 - 78 - 16,  # all twos beside them, but pairs and 4-5
        "any_pair": 13 * 6 * 66 * 16 + 2 * 13 * 6 * 48,
    }


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("X1 X2 4s 5s", "straight_flush"),  # a three and a six
        ("X1 X2 4s 5d", "straight"),
        ("X1 X2 4s 6d", "two_jokers"),  # 3-4-5-6 would need a five
        ("X1 4s 5s 6s", "straight_flush"),
        ("X1 Ks Qs Js", None),  # it is no ace, and makes no flush
        ("X1 7s 8s 9s", "straight_flush"),
        ("X1 8s 9s Ts", None),
        ("X1 3s 3d 3c", "three_of_a_kind"),  # never four of a kind
        ("X1 6s 6d 9c", "any_pair"),
        ("X1 As Ad 9c", "any_pair"),
        ("Qs Ks As 2s", "flush"),  # not round the corner
        ("As 2d 3c 4h", "straight"),
        ("Js Qd Kc Ah", "straight"),
        ("X1 X2 9s 9d", "two_pair"),
    ],
)
def test_bonus(hand: str, expected: str | None) -> None:
    place = int(classify(one(hand), SUPREME_BONUS, Game.SUPREME_PAI_GOW)[0])
    assert (SUPREME_BONUS[place] if place >= 0 else None) == expected


@pytest.mark.parametrize(
    ("hand", "low", "high"),
    [
        ("Ks Kd 3c 3d", "3c 3d", "Ks Kd"),  # one in each, the higher in the high hand
        ("X1 X2 As Ad", "As Ad", "X1 X2"),
        ("9s 9d 9c 9h", "9s 9d", "9c 9h"),
        ("9s 9d 9c Kh", "9s Kh", "9c 9d"),
        ("9s 9d Kc Qh", "Kc Qh", "9s 9d"),
        ("X1 X2 Kc 2h", "Kc 2h", "X1 X2"),
        ("Ts 9d 8c Th", "8c 9d", "Ts Th"),
        ("Ks 9d 8c 2h", "Ks 2h", "9d 8c"),  # lows that are not foul: 8-2, 9-2, K-2
        ("Ks 9d 8c Ah", "Ks 9d", "8c Ah"),  # nine each way is not foul, and the king makes the higher low
    ],
)
def test_house_way(hand: str, low: str, high: str) -> None:
    setting = house_way_four(one(hand))
    assert rank_supreme(setting[:, :2])[0] == strength(low), names_of(setting[0].tolist())
    assert rank_supreme(setting[:, 2:])[0] == strength(high)


def test_house_way_by_definition() -> None:
    rng = random.Random(35)
    few = [card for card in CARD_NAMES if card[0] in "X36KQ9"]
    hands = [tuple(rng.sample(few if number % 3 == 0 else list(CARD_NAMES), 4)) for number in range(12_000)]
    setting = house_way_four(np.array([list(codes_of(hand)) for hand in hands], np.uint8))
    expected = [set_four(hand) for hand in hands]
    for low_or_high, columns in ((0, slice(0, 2)), (1, slice(2, 4))):
        wanted = np.array([list(codes_of(split[low_or_high])) for split in expected], np.uint8)
        assert np.array_equal(rank_supreme(setting[:, columns]), rank_supreme(wanted))


def test_house_way_of_all_fours_is_never_foul() -> None:
    cards = np.array(list(combinations(range(54), 4)), np.uint8)
    setting = house_way_four(cards)
    assert np.array_equal(np.sort(setting, axis=1), cards)
    assert not foul_supreme(setting[:, :2], setting[:, 2:]).any()
    assert np.array_equal(setting, house_way_four(np.random.default_rng(4).permuted(cards, axis=1)))
    assert FOUR_SPLITS.shape == (6, 4)


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\(n, 4\), not \(1, 3\)"):
        house_way_four(one("As Kd X1"))
    with pytest.raises(ValueError, match="code 54 is not a card"):
        rank_supreme(np.array([[54, 0]], np.uint8))
    with pytest.raises(ValueError, match="holds X1 twice"):
        check_hands(one("X1 X1 As Kd"), 4, jokers=2)
