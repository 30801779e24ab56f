"""What a ranker refuses, and the sentence it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from replay.ranking import Wheel, all_splits, check_hands, fortune_class, house_way, premium, rank_five, rank_two
from schemas.cards import codes_of

RANKERS: list[tuple[int, Callable[[Any], object]]] = [
    (2, rank_two),
    (5, lambda cards: rank_five(cards, Wheel.LOWEST)),
    (7, lambda cards: house_way(cards, Wheel.LOWEST)),
    (7, fortune_class),
    (7, premium),
    (7, all_splits),
]
HAND = list(codes_of("As Kd Qh Jc 9s 5d 3c"))


@pytest.mark.parametrize(("size", "ranker"), RANKERS)
def test_rankers_refuse(size: int, ranker: Callable[[Any], object]) -> None:
    good = np.array([HAND[:size]], np.uint8)
    ranker(good)
    with pytest.raises(ValueError, match=rf"\(n, {size}\), not \(1, {size + 1}\)"):
        ranker(np.array([[*HAND[:size], 0]], np.uint8))
    with pytest.raises(ValueError, match=rf"not \({size},\)"):
        ranker(good[0])
    with pytest.raises(ValueError, match="dtype int64"):
        ranker(good.astype(np.int64))
    with pytest.raises(ValueError, match="not list"):
        ranker(good.tolist())
    for code, says in ((53, r"X2 \(code 53\) is not in a deck with 1 joker"), (77, "code 77 is not"), (255, "no card")):
        bad = np.concatenate([good, good])
        bad[1, 1] = code
        with pytest.raises(ValueError, match=f"hand 1, card 2: {says}"):
            ranker(bad)


def test_check_hands_names_the_card_held_twice() -> None:
    hands = np.array([HAND[:5], [*HAND[:4], HAND[1]]], np.uint8)
    check_hands(hands[:1], 5)
    with pytest.raises(ValueError, match=r"hand 1 \(As Kd Qh Jc Kd\) holds Kd twice"):
        check_hands(hands, 5)


def test_check_hands_knows_the_jokers_of_the_deck() -> None:
    jokers = np.array([list(codes_of("X1 X2 As Kd"))], np.uint8)
    check_hands(jokers, 4, jokers=2)
    with pytest.raises(ValueError, match=r"hand 0, card 2: X2 .* 1 joker$"):
        check_hands(jokers, 4)
    with pytest.raises(ValueError, match=r"card 1: X1 .* 0 jokers$"):
        check_hands(jokers, 4, jokers=0)
