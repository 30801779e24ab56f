"""The best five of five, six and seven cards, with and without the joker."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from replay.ranking import Category, Wheel, category, check_hands, rank_best, rank_five
from schemas.cards import codes_of
from tests.ranking.by_definition import KINDS, deals
from tests.ranking.classes_by_definition import best_of


def strength(hand: str, wheel: Wheel = Wheel.SECOND_HIGHEST, joker: bool = True) -> int:
    return int(rank_best(np.frombuffer(codes_of(hand), np.uint8)[None], wheel, joker)[0])


@pytest.mark.parametrize("wheel", Wheel)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_order_by_definition(size: int, wheel: Wheel) -> None:
    hands = deals(seed=size, hands=4_000 if size < 7 else 1_200, size=size)
    found = rank_best(np.array([list(codes_of(hand)) for hand in hands], np.uint8), wheel, joker=True)
    scores = [best_of(hand, wheel is Wheel.LOWEST) for hand in hands]
    place = {score: number for number, score in enumerate(sorted(set(scores)))}
    assert np.array_equal(np.unique(found, return_inverse=True)[1], [place[score] for score in scores])
    assert np.array_equal(category(found), [kind for kind, _ in scores])
    assert {KINDS[kind] for kind, _ in scores} >= set(KINDS) - {"high card"}


@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_strength_is_that_of_one_of_the_fives(size: int) -> None:
    """Without the joker the same tables answer, and the answer is the highest five, never another number."""
    dealt = np.random.default_rng(size).permuted(np.tile(np.arange(52, dtype=np.uint8), (20_000, 1)), axis=1)[:, :size]
    fives = [rank_five(np.ascontiguousarray(dealt[:, list(places)]), Wheel.LOWEST) for places in _fives(size)]
    assert np.array_equal(rank_best(dealt, Wheel.LOWEST, joker=False), np.max(fives, axis=0))


def _fives(size: int) -> list[tuple[int, ...]]:
    return list(combinations(range(size), 5))


@pytest.mark.slow
def test_six_cards_are_counted_whole() -> None:
    """All C(52, 6) = 20,358,520, the published counts of six-card poker hands."""
    fives = np.fromiter((card for five in combinations(range(52), 5) for card in five), np.uint8).reshape(-1, 5)
    counts = np.zeros(len(Category), np.int64)
    for lowest in range(47):
        above = fives[fives[:, 0] > lowest]
        sixes = np.concatenate([np.full((len(above), 1), lowest, np.uint8), above], axis=1)
        counts += np.bincount(category(rank_best(sixes, Wheel.LOWEST, joker=False)), minlength=len(Category))
    assert counts.tolist() == [
        *(6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_656, 188, 0)
    ]


def test_four_aces_with_the_joker_and_a_flush() -> None:
    assert strength("As Ad Ac X1 Ks 9s 4s") >> 20 == Category.FOUR_OF_A_KIND
    assert strength("As Ad X1 Ks 9s 4s 2c") >> 20 == Category.FLUSH


def test_the_place_of_the_wheel() -> None:
    wheel_and_more = "Ah 2d 3c 4s 5h 6d Kc"
    assert strength(wheel_and_more, Wheel.SECOND_HIGHEST) == strength("Ah 2d 3c 4s 5h", Wheel.SECOND_HIGHEST)
    assert strength(wheel_and_more, Wheel.LOWEST) == strength("6d 2d 3c 4s 5h", Wheel.LOWEST)


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match=r"hand 0, card 1: X1 \(code 52\) is not in a deck with 0 jokers"):
        strength("X1 As Kd Qh Jc 9s 5d", joker=False)
    with pytest.raises(ValueError, match=r"5, 6 or 7 cards, .* not \(1, 8\)"):
        strength("As Kd Qh Jc 9s 5d 3c 2c")
    with pytest.raises(ValueError, match=r"not \(7,\)"):
        rank_best(np.arange(7, dtype=np.uint8), Wheel.LOWEST, joker=True)
    with pytest.raises(ValueError, match="dtype int64"):
        rank_best(np.arange(7)[None], Wheel.LOWEST, joker=True)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not 7 cards of one deck"):
        strength("Ks Kd Kc Kh Ks 3d 2c")
    with pytest.raises(ValueError, match="holds Kd twice"):
        check_hands(np.frombuffer(codes_of("Ks Kd Kc Kd Qs 3d 2c"), np.uint8)[None], 7)


def test_no_hands_are_no_trouble() -> None:
    for size in (5, 6, 7):
        assert rank_best(np.empty((0, size), np.uint8), Wheel.LOWEST, joker=True).shape == (0,)
