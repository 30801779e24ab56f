from __future__ import annotations

import random

import numpy as np
import pytest

from replay.ranking import SPLITS, Wheel, all_splits, foul
from schemas.cards import codes_of
from tests.ranking.by_definition import deals, is_foul


def cards(hand: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.frombuffer(codes_of(hand), np.uint8)[None]


@pytest.mark.parametrize(
    ("low", "high", "fouled"),
    [
        # MA-PGP §9(a): sevens in front need "at least a pair of sevens and the three remaining cards"
        ("7s 7d", "7c 7h 4d 3s 2c", False),
        ("7s 7d", "6c 6h Ad Ks Qc", True),
        ("7s 7d", "8c 8h 4d 3s 2c", False),
        ("7s 7d", "Ac Kh Qd Js 9c", True),
        ("7s 7d", "3c 3h 2d 2s 4c", False),  # two pairs are a higher category
        # no pair: card by card over the two cards both have (rulings.md R-13)
        ("As Kd", "Ac Kh 4d 3s 2c", False),
        ("As Kd", "Ac Qh Jd Ts 8c", True),
        ("As Kd", "Kc Qh Jd 9s 8c", True),
        ("Ks Qd", "Ac 7h 5d 3s 2c", False),
        ("As 2d", "2c 2h 5d 4s 3c", False),
        # the joker is an ace in front, and what it completes behind
        ("X1 As", "Kc Kh 4d 3s 2c", True),
        ("X1 As", "Ac Ah 4d 3s 2c", False),
        ("X1 Kd", "Ks Qh Jd 9s 8c", True),
        ("As Ad", "X1 9h 8d 7s 5c", False),
        ("As Ad", "X1 Kh 8d 7s 5c", True),
        ("As Ad", "X1 Ah 8d 7s 5c", False),
    ],
)
def test_foul(low: str, high: str, fouled: bool) -> None:
    assert foul(cards(low), cards(high), Wheel.LOWEST).tolist() == [fouled]


@pytest.mark.parametrize("wheel", Wheel)
def test_foul_by_definition(wheel: Wheel) -> None:
    sevens = deals(seed=9, hands=6_000, size=7)
    rng = random.Random(9)
    splits = [(hand[:2], hand[2:]) for hand in (tuple(rng.sample(seven, 7)) for seven in sevens)]
    low = np.array([list(codes_of(front)) for front, _ in splits], np.uint8)
    high = np.array([list(codes_of(back)) for _, back in splits], np.uint8)
    expected = [is_foul(front, back, wheel is Wheel.LOWEST) for front, back in splits]
    assert foul(low, high, wheel).tolist() == expected
    assert 200 < sum(expected) < 5_800  # both answers came up


def test_all_splits_are_the_21_ways() -> None:
    hand = cards("As Kd Qh Jc 9s 5d X1")
    low, high = all_splits(hand)
    assert SPLITS.shape == (21, 7) and low.shape == (1, 21, 2) and high.shape == (1, 21, 5)
    assert len({frozenset(two) for two in low[0].tolist()}) == 21
    for two, five in zip(low[0].tolist(), high[0].tolist(), strict=True):
        assert sorted(two + five) == sorted(hand[0].tolist())
