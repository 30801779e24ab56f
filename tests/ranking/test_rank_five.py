from __future__ import annotations

import time
from itertools import combinations

import numpy as np
import pytest

from replay.ranking import Category, Wheel, category, rank_five, rank_two, ranks_of
from schemas.cards import CARD_NAMES, codes_of
from tests.ranking.by_definition import KINDS, deals, score_five, score_two


def strength(hand: str, wheel: Wheel = Wheel.SECOND_HIGHEST) -> int:
    return int(rank_five(np.frombuffer(codes_of(hand), np.uint8)[None], wheel)[0])


@pytest.mark.parametrize("wheel", Wheel)
def test_the_order_of_hands_is_that_of_the_definition(wheel: Wheel) -> None:
    hands = deals(seed=5, hands=24_000, size=5)
    found = rank_five(np.array([list(codes_of(hand)) for hand in hands], np.uint8), wheel)
    scores = [score_five(hand, wheel is Wheel.LOWEST) for hand in hands]
    place = {score: number for number, score in enumerate(sorted(set(scores)))}
    assert np.array_equal(np.unique(found, return_inverse=True)[1], [place[score] for score in scores])
    assert np.array_equal(category(found), [kind for kind, _ in scores])
    assert {KINDS[kind] for kind, _ in scores} == set(KINDS)  # every category came up


def test_class_counts_of_all_fives_from_52_cards() -> None:
    fives = np.fromiter((card for five in combinations(range(52), 5) for card in five), np.uint8).reshape(-1, 5)
    counts = np.bincount(category(rank_five(fives, Wheel.LOWEST)), minlength=len(Category))
    assert len(fives) == 2_598_960
    assert counts[Category.STRAIGHT_FLUSH] + counts[Category.ROYAL_FLUSH] == 40
    assert counts.tolist() == [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4, 0]


def test_fives_with_the_joker_are_counted_whole() -> None:
    """270,725 fours beside the joker. Five aces 1; royals 4 x 5 of the five cards; the others by the definition."""
    fours = np.fromiter((card for four in combinations(range(52), 4) for card in four), np.uint8).reshape(-1, 4)
    fives = np.concatenate([fours, np.full((len(fours), 1), 52, np.uint8)], axis=1)
    counts = np.bincount(category(rank_five(fives, Wheel.LOWEST)), minlength=len(Category))
    assert counts.sum() == 270_725
    assert counts[Category.FIVE_ACES] == 1
    assert counts[Category.ROYAL_FLUSH] == 20
    # runs of five A-5..9-K: fours missing an end are shared by neighbours; 10-A is royal, and takes J-K of 9-K too
    runs = [{"A2345"[i] for i in range(5)}] + [set("23456789TJQKA"[s : s + 5]) for s in range(9)]
    in_a_run = {frozenset(four) for run in runs for four in combinations(sorted(run), 4)}
    straights = in_a_run | {frozenset(four) for four in combinations("TJQKA", 4)}
    royal = {frozenset(four) for four in combinations("TJQKA", 4)}
    assert counts[Category.STRAIGHT_FLUSH] == 4 * len(straights - royal)
    assert counts[Category.STRAIGHT] == (4**4 - 4) * len(straights)
    assert counts[Category.FLUSH] == 4 * (715 - len(straights))


@pytest.mark.parametrize(
    ("better", "worse", "wheel"),
    [
        ("X1 As Ad Ac Ah", "As Ks Qs Js Ts", Wheel.SECOND_HIGHEST),  # five aces over a royal, §3(b)(1)
        ("As 2s 3s 4s 5s", "Ks Qs Js Ts 9s", Wheel.SECOND_HIGHEST),  # §3(b)(3)
        ("As Ks Qs Js Ts", "Ad 2d 3d 4d 5d", Wheel.SECOND_HIGHEST),
        ("6s 5s 4s 3s 2s", "Ad 2d 3d 4d 5d", Wheel.LOWEST),  # §3(d)
        ("As 2s 3s 4s 5d", "Ks Qs Js Ts 9d", Wheel.SECOND_HIGHEST),  # §3(b)(7)
        ("As Ks Qs Js Td", "Ad 2d 3d 4d 5s", Wheel.SECOND_HIGHEST),
        ("6s 5s 4s 3s 2d", "Ad 2d 3d 4d 5s", Wheel.LOWEST),
        ("X1 5s 4s 3s 2d", "Kd Qd Jd Td 9s", Wheel.SECOND_HIGHEST),  # the joker is the ace of the better straight
        ("X1 Ks Qs 9s 3s", "Ad Kd Qd 9d 2d", Wheel.LOWEST),  # an ace in the flush
        ("X1 As Ks 9s 3s", "Ad Kd Jd Td 8d", Wheel.LOWEST),  # then the queen: the highest not there, R-46
        ("As Ks Qs Ts 2s", "X1 Ad Kd 9d 3d", Wheel.LOWEST),
        ("X1 As Ad Kc Kd", "Qs Qd Qc Ah Ad", Wheel.LOWEST),  # a full house of aces
    ],
)
def test_better_and_worse(better: str, worse: str, wheel: Wheel) -> None:
    assert strength(better, wheel) > strength(worse, wheel)


@pytest.mark.parametrize(
    ("one", "other", "wheel"),
    [
        ("As Kd 9c 5h 2d", "Ad Ks 9h 5c 2c", Wheel.LOWEST),
        ("X1 As Ks 9s 3s", "Ad Kd Qd 9d 3d", Wheel.LOWEST),
        ("X1 5s 4s 3s 2d", "6d 5d 4h 3h 2h", Wheel.LOWEST),  # with the wheel lowest the joker is a six
        ("X1 5s 4s 3s 2d", "Ad 5d 4h 3h 2h", Wheel.SECOND_HIGHEST),
        ("X1 9s 9d 7c 4h", "Ac 9h 9c 7d 4s", Wheel.LOWEST),  # never a third nine
        ("X1 Kd Qs Js 9d", "Ks Qd Jc Th 9c", Wheel.LOWEST),  # a ten inside the straight
    ],
)
def test_copy_hands(one: str, other: str, wheel: Wheel) -> None:
    assert strength(one, wheel) == strength(other, wheel)


def test_a_strength_can_be_read_back() -> None:
    assert ranks_of(strength("9s 9d Ah 7c 4s")) == (9, 14, 7, 4)
    assert ranks_of(strength("As 2d 3h 4c 5s", Wheel.LOWEST)) == (5, 4, 3, 2, 1)
    assert ranks_of(strength("As 2d 3h 4c 5s")) == (14, 5, 4, 3, 2)
    assert strength("9s 9d Ah 7c 4s") >> 20 == Category.PAIR


def test_every_two_cards() -> None:
    names = [name for name in CARD_NAMES if name != "X2"]
    twos = list(combinations(names, 2))
    found = rank_two(np.array([list(codes_of(two)) for two in twos], np.uint8))
    scores = [score_two(two) for two in twos]
    place = {score: number for number, score in enumerate(sorted(set(scores)))}
    assert np.array_equal(np.unique(found, return_inverse=True)[1], [place[score] for score in scores])


def test_no_hands_are_no_trouble() -> None:
    assert rank_five(np.empty((0, 5), np.uint8), Wheel.LOWEST).shape == (0,)
    assert rank_two(np.empty((0, 2), np.uint8)).shape == (0,)


def test_two_million_fives_a_second() -> None:
    """A floor for a busy core, far below what an idle one does."""
    fives = np.random.default_rng(0).permuted(np.tile(np.arange(53, dtype=np.uint8), (20_000, 1)), axis=1)[:, :5]
    fives = np.ascontiguousarray(np.tile(fives, (20, 1)))
    rank_five(fives[:1], Wheel.LOWEST)
    best = np.inf
    for _ in range(3):
        started = time.perf_counter()
        rank_five(fives, Wheel.LOWEST)
        best = min(best, time.perf_counter() - started)
    assert len(fives) / best > 2_000_000
