"""The classes of one pay table, in numbers: its rows as printed, and what falls through."""

from __future__ import annotations

import numpy as np
import pytest

from replay.ranking import Game, Joker
from replay.ranking.hands import Cards
from replay.ranking.row_classes import RowClasses, row_classes
from schemas.cards import codes_of
from tests.ranking.by_definition import deals

COLORS = tuple(f"{number}_of_chosen_color" for number in ("seven", "six", "five", "four"))


def one(hand: str) -> Cards:
    return np.frombuffer(codes_of(hand), np.uint8)[None]


def test_a_hand_without_a_row_of_its_own_is_paid_for_the_next_it_forms() -> None:
    """FLT-SPG App. D: 7CB-01 pays a seven-card straight flush, 7CB-04 the straight flush in it."""
    hand = one("9s 8s 7s 6s 5s 4s 3s")
    first = row_classes(("seven_card_straight_flush_natural", "straight_flush", "flush"))
    fourth = row_classes(("straight_flush", "flush"))
    assert first.names[first.of(hand)[0]] == "seven_card_straight_flush_natural"
    assert fourth.names[fourth.of(hand)[0]] == "straight_flush"
    pair = one("9s 9d 7s 6d 2s 4c 3h")
    assert fourth.names[fourth.of(pair)[0]] == "nothing"


def test_the_order_is_the_order_they_pay_in() -> None:
    both = one("9s 9d 9c 8s 7d 6h 5c")
    assert row_classes(("three_of_a_kind", "straight")).of(both).tolist() == [0]
    assert row_classes(("straight", "three_of_a_kind")).of(both).tolist() == [0]


@pytest.mark.parametrize(
    ("hand", "red", "name"),
    [
        ("9h 8h 7h 6d 5d 3d 2h", True, "seven_of_chosen_color"),
        ("9h 8h 7h 6d 5d 3d X1", True, "six_of_chosen_color"),  # the joker has no colour, R-46
        ("9h 8h 7h 6d 5d 3d X1", False, "nothing"),
        ("9h 8h 7h 6d 5c 3s 2s", True, "four_of_chosen_color"),
        ("9h 8h 7h 6d 5c 3s 2s", False, "nothing"),
        ("9h 8h 7h X1 5c 3s 2s", True, "nothing"),  # three and three
        ("9h 8h 7h X1 5c 3s 2s", False, "nothing"),
        ("9h 8h 6c 7c 5c 3s 2s", False, "five_of_chosen_color"),
    ],
)
def test_colors(hand: str, red: bool, name: str) -> None:
    classes = row_classes(COLORS)
    assert classes.names[classes.of(one(hand), np.array([red]))[0]] == name


def test_colors_by_counting() -> None:
    hands = deals(seed=5, hands=3_000, size=7)
    cards = np.array([list(codes_of(hand)) for hand in hands], np.uint8)
    red = np.arange(len(hands)) % 2 == 0
    found = row_classes(COLORS).of(cards, red)
    for hand, chose_red, number in zip(hands, red.tolist(), found.tolist(), strict=True):
        held = sum(card[1] in ("dh" if chose_red else "cs") for card in hand if card != "X1")
        assert number == (7 - held if held >= 4 else 4)


def test_the_joker_of_insurance() -> None:
    hand = one("X1 9s 8d 6c 5h Kd Qc")  # a seven fills the straight, but not for insurance
    rows = ("queen_high", "king_high", "ace_high")
    assert row_classes(rows, Joker.ACE_ONLY).of(hand).tolist() == [2]
    assert row_classes(rows).of(hand).tolist() == [3]
    assert row_classes(rows, Joker.ACE_ONLY).joker is Joker.ACE_ONLY


def test_what_is_no_class_is_named() -> None:
    with pytest.raises(ValueError, match="'six_pair' is no class of pai_gow_poker; there are five_aces"):
        row_classes(("six_pair",))
    with pytest.raises(ValueError, match="'joker' is no class"):
        row_classes(("joker",))
    RowClasses(Game.EIGHTH_CARD, ("joker",))
    with pytest.raises(ValueError, match="semi_wild or ace_only, not three_or_six"):
        row_classes(("flush",), Joker.THREE_OR_SIX)
    with pytest.raises(ValueError, match="say which hands chose red"):
        row_classes(COLORS).of(one("9h 8h 6c 7c 5c 3s 2s"))
