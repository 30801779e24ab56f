"""`rank_one` beside `rank_best`: the same answer for the same hand, and the same refusal."""

from __future__ import annotations

import numpy as np
import pytest

from replay.ranking import Wheel, rank_best, rank_one
from replay.ranking.hands import check_hands
from schemas.cards import codes_of
from tests.ranking.by_definition import deals
from tests.ranking.dealt import deal


@pytest.mark.parametrize("wheel", Wheel)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_one_hand_as_in_a_batch(size: int, wheel: Wheel) -> None:
    rare = np.array([list(codes_of(hand)) for hand in deals(seed=size, hands=20_000, size=size)], np.uint8)
    hands = np.concatenate([deal(100_000, size, 53, seed=size), rare])
    alone = [rank_one(hand.tobytes(), wheel, joker=True) for hand in hands]
    assert np.array_equal(alone, rank_best(hands, wheel, joker=True))
    natural = hands[(hands < 52).all(axis=1)]
    alone = [rank_one(hand.tobytes(), wheel, joker=False) for hand in natural]
    assert np.array_equal(alone, rank_best(natural, wheel, joker=False))


@pytest.mark.parametrize(
    "hand", ["", "As Ks", "As Ks Qs Js", "As Ks Qs Js Ts 9s 8s 7s", "As Ks Qs Js X1", "As X2 Qs Js Ts"]
)
def test_refused_as_in_a_batch(hand: str) -> None:
    codes = codes_of(hand)
    with pytest.raises(ValueError) as batch:  # noqa: PT011 - the words are compared below
        rank_best(np.array([list(codes)], np.uint8), Wheel.LOWEST, joker=False)
    with pytest.raises(ValueError) as one:  # noqa: PT011
        rank_one(codes, Wheel.LOWEST, joker=False)
    assert str(one.value) == str(batch.value)


def test_a_card_held_twice_is_refused() -> None:
    codes = codes_of("As Ks Qs As Ts 9s 8s")
    with pytest.raises(ValueError, match="holds As twice") as batch:
        check_hands(np.array([list(codes)], np.uint8), 7)
    with pytest.raises(ValueError, match="holds As twice") as one:
        rank_one(codes, Wheel.LOWEST, joker=True)
    assert str(one.value) == str(batch.value)


def test_codes_are_bytes() -> None:
    """A list could hold -1, which Python would take for the last card of the table."""
    with pytest.raises(ValueError, match="bytes of card codes, not list"):
        rank_one([-1, 1, 2, 3, 4], Wheel.LOWEST, joker=True)  # type: ignore[arg-type]
