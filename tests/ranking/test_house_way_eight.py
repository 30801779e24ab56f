"""The dealer's eight cards of FLT-SPG (rulings.md R-36)."""

from __future__ import annotations

import numpy as np
import pytest

from replay.ranking import Wheel, check_hands, foul, house_way_eight, rank_five, rank_two
from replay.ranking.hands import Cards
from schemas.cards import codes_of, name_of, names_of
from tests.ranking.by_definition import deals, score_five, score_two, value
from tests.ranking.classes_by_definition import set_eight


def one(hand: str) -> Cards:
    return np.frombuffer(codes_of(hand), np.uint8)[None]


@pytest.mark.parametrize("wheel", Wheel)
def test_by_definition(wheel: Wheel) -> None:
    hands = deals(seed=36, hands=300, size=8)
    setting = house_way_eight(np.array([list(codes_of(hand)) for hand in hands], np.uint8), wheel)
    for hand, row in zip(hands, setting.tolist(), strict=True):
        low, high, eighth = (tuple(names_of(part).split()) for part in (row[:2], row[2:7], row[7:]))
        lowest = wheel is Wheel.LOWEST
        found = (score_two(low), score_five(high, lowest), value(eighth[0]))
        assert found == set_eight(hand, lowest), hand


@pytest.mark.parametrize(
    ("hand", "low", "high", "eighth"),
    [
        # pairs of kings, nines and fours, and a two and a three: three pairs put the kings in front
        ("Ks Kd 9c 9d 4h 4s 3c 2d", "Ks Kd", "9c 9d 4h 4s 3c", "2d"),
        # no pair: leaving out the ace would lower the back, leaving out any other no front but K-Q
        ("As Kd Qh Tc 8s 6d 4c 2h", "Kd Qh", "As Tc 8s 6d 4c", "2h"),
        # a straight with a card to spare: the highest two others in front
        ("9s 8d 7c 6h 5s Kd Qc 2h", "Kd Qc", "9s 8d 7c 6h 5s", "2h"),
        # five aces: a pair of aces in front
        ("X1 As Ad Ac Ah Kd Qc 2h", "As Ad", "X1 Ac Ah Kd Qc", "2h"),
    ],
)
def test_a_hand(hand: str, low: str, high: str, eighth: str) -> None:
    setting = house_way_eight(one(hand))
    assert rank_two(setting[:, :2]) == rank_two(one(low)), names_of(setting[0].tolist())
    assert rank_five(setting[:, 2:7], Wheel.SECOND_HIGHEST) == rank_five(one(high), Wheel.SECOND_HIGHEST)
    assert name_of(int(setting[0, 7])) == eighth


def test_never_foul_and_the_same_cards() -> None:
    cards = np.random.default_rng(8).permuted(np.tile(np.arange(53, dtype=np.uint8), (20_000, 1)), axis=1)[:, :8]
    setting = house_way_eight(cards)
    assert np.array_equal(np.sort(setting, axis=1), np.sort(cards, axis=1))
    assert not foul(setting[:, :2], setting[:, 2:7], Wheel.SECOND_HIGHEST).any()
    assert np.array_equal(setting, house_way_eight(np.random.default_rng(9).permuted(cards, axis=1)))


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\(n, 8\), not \(1, 7\)"):
        house_way_eight(one("As Kd Qh Tc 8s 6d 4c"))
    with pytest.raises(ValueError, match=r"card 8: X2 .* 1 joker$"):
        house_way_eight(one("As Kd Qh Tc 8s 6d 4c X2"))
    with pytest.raises(ValueError, match="holds As twice"):
        check_hands(one("As Kd Qh Tc 8s 6d 4c As"), 8)
    assert house_way_eight(np.empty((0, 8), np.uint8)).shape == (0, 8)
