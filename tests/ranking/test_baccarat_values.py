from __future__ import annotations

import numpy as np
import pytest

from replay.ranking import button_value, totals, values
from schemas.cards import NO_CARD, codes_of


def codes(cards: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.frombuffer(codes_of(cards), np.uint8)


def test_card_values() -> None:
    assert values(codes("As 2d 3h 4c 5s 6d 7h 8c 9s Td Jh Qc Ks")).tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]


def test_button_values() -> None:
    assert button_value(codes("As 2d 9h Tc Js Qd Kh")).tolist() == [1, 2, 9, 10, 11, 12, 13]


def test_totals_ignore_the_tens() -> None:
    hands = ["8s 9d", "9s 6d", "Ks Qd", "9s 9d 9h", "As 2d 7h", "Ts 5d 5h", "As As As"]
    rows = [[*codes_of(hand), NO_CARD][:3] for hand in hands]
    assert totals(np.array(rows, np.uint8)).tolist() == [7, 5, 0, 7, 0, 0, 3]


@pytest.mark.parametrize(
    ("row", "says"),
    [([NO_CARD, 3, 4], "no card"), ([3, NO_CARD, NO_CARD], "no card"), ([1, 2, 52], "X1"), ([1, 2, 99], "code 99")],
)
def test_a_hand_is_two_or_three_cards(row: list[int], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        totals(np.array([row], np.uint8))


def test_bad_input() -> None:
    with pytest.raises(ValueError, match=r"\(n, 3\)"):
        totals(np.zeros((4, 2), np.uint8))
    with pytest.raises(ValueError, match="uint8"):
        values(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="X2"):
        button_value(codes("X2"))
