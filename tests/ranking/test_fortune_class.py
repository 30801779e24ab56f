from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from replay.ranking import FORTUNE_CLASS_NAMES, FortuneClass, RoyalMatch, fortune_class, premium
from schemas.cards import codes_of
from tests.ranking.by_definition import ORDER, PAY_ORDER, best_paying, deals


def classes(hands: list[tuple[str, ...]], royal_match: RoyalMatch = RoyalMatch.KING_QUEEN) -> list[str]:
    cards = np.array([list(codes_of(hand)) for hand in hands], np.uint8)
    return [FORTUNE_CLASS_NAMES[number] for number in fortune_class(cards, royal_match)]


def class_of(hand: str, royal_match: RoyalMatch = RoyalMatch.KING_QUEEN) -> str:
    return classes([tuple(hand.split())], royal_match)[0]


def test_names_are_the_printed_order() -> None:
    assert FORTUNE_CLASS_NAMES == PAY_ORDER
    assert fortune_class(np.empty((0, 7), np.uint8)).shape == (0,)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("8s 9s Ts Js Qs Ks As", "seven_card_straight_flush_natural"),
        ("As 2s 3s 4s 5s 6s 7s", "seven_card_straight_flush_natural"),
        ("Ks As 2s 3s 4s 5s 6s", "straight_flush"),  # not round the corner
        ("8s 9s X1 Js Qs Ks As", "seven_card_straight_flush_joker"),
        ("X1 2s 3s 4s 5s 6s 7s", "seven_card_straight_flush_joker"),
        ("As 2s 3s 4s 5s 6s X1", "seven_card_straight_flush_joker"),
        ("As 2s 3s X1 5s 6s 7d", "straight_flush"),
        ("X1 As Ad Ac Ah Kd Kc", "five_aces"),
        ("As Ks Qs Js Ts 9s 2d", "royal_flush"),
        ("X1 Ks Qs Js Ts 9s 2d", "royal_flush"),
        ("X1 As Ks Qs Js 9s 2d", "royal_flush"),
        ("As 2s 3s 4s 5s Kd Kc", "straight_flush"),
        ("X1 As Ad Ac 9h 5d 2c", "four_of_a_kind"),
        ("9s 9d 9c 9h X1 As 2d", "four_of_a_kind"),
        ("9s 9d 9c X1 As 5h 2d", "full_house"),
        ("As Ad X1 Ks Kd 5h 2d", "full_house"),
        ("9s 9d 9c 4s 4d 4h 2d", "full_house"),
        ("X1 Ks 9s 5s 2s 7d 8c", "flush"),
        ("As Ad X1 Ks 9d 5h 2d", "three_of_a_kind"),
        ("9s 9d 9c 8s 7d 6h 5c", "three_of_a_kind"),  # pays more than the straight
        ("9s 8d 7c 6h 5s Kd Kc", "straight"),
        ("9s 8d X1 6h 5s Kd Kc", "straight"),
        ("9s 9d 8c 8h 7s 6d 5c", "straight"),
        ("As Ad Ks Kd 9c 9h 2s", "three_pair"),
        ("X1 Ad Ks Kd 9c 9h 2s", "three_pair"),  # joker and ace
        ("X1 Ad Ks Kd Qc Qh Js", "straight"),
        ("As Ad Ks Kd 9c 8h 2s", "nothing"),
        ("X1 Kd Js 9d 7c 5h 3s", "nothing"),
    ],
)
def test_class(hand: str, expected: str) -> None:
    assert class_of(hand) == expected


@pytest.mark.parametrize(
    ("hand", "king_queen", "ace_king"),
    [
        ("As Ks Qs Js Ts Kd Qd", True, False),
        ("As Ks Qs Js Ts Ad Kd", False, True),
        ("As Ks Qs Js Ts Kd Qh", False, False),  # not suited
        ("X1 Ks Qs Js Ts Kd Qd", True, False),
        ("As X1 Qs Js Ts Kd Qd", True, False),
        ("As X1 Qs Js Ts Ad Kd", False, True),
        ("As Ks Qs Js Ts X1 Kd", False, False),  # the added two must be natural
        ("As Ks Qs Js Ts Kd X1", False, False),
        ("As Ks Qs Js Ts Qd Jd", False, False),
    ],
)
def test_royal_match(hand: str, king_queen: bool, ace_king: bool) -> None:
    for option, matched in ((RoyalMatch.KING_QUEEN, king_queen), (RoyalMatch.ACE_KING, ace_king)):
        assert class_of(hand, option) == ("royal_flush_royal_match" if matched else "royal_flush")


@pytest.mark.slow
def test_classes_by_definition() -> None:
    hands = deals(seed=16, hands=4_000, size=7)
    assert classes(hands) == [best_paying(hand) for hand in hands]


@pytest.mark.parametrize(("option", "added"), [(RoyalMatch.KING_QUEEN, "KQ"), (RoyalMatch.ACE_KING, "AK")])
def test_royal_flushes_by_definition(option: RoyalMatch, added: str) -> None:
    """Every royal of spades, with each card or the joker, with every two of the high cards of two other suits."""
    others = [rank + suit for rank in "AKQ" for suit in "dh"] + ["9s", "8s", "2c"]
    royals = [tuple(rank + "s" for rank in "AKQJT")]
    royals += [tuple("X1" if rank == out else rank + "s" for rank in "AKQJT") for out in "AKQJT"]
    hands = [(*royal, *two) for royal in royals for two in combinations(others, 2)]
    assert classes(hands, option) == [best_paying(hand, added) for hand in hands]


def test_every_seven_of_one_suit() -> None:
    """C(13, 7) natural, 8 of them in a row; C(13, 6) with the joker, 49 of them (4 suits: 32 and 196 of the deck)."""
    natural = classes([tuple(rank + "h" for rank in ranks) for ranks in combinations(ORDER, 7)])
    joker = classes([(*(rank + "h" for rank in ranks), "X1") for ranks in combinations(ORDER, 6)])
    assert natural.count("seven_card_straight_flush_natural") == 8
    assert joker.count("seven_card_straight_flush_joker") == 49
    assert set(natural + joker) <= set(PAY_ORDER[:9])


def test_premium_is_four_of_a_kind_or_better() -> None:
    hands = deals(seed=29, hands=5_000, size=7)
    cards = np.array([list(codes_of(hand)) for hand in hands], np.uint8)
    found = premium(cards)
    assert np.array_equal(found, fortune_class(cards) <= FortuneClass.FOUR_OF_A_KIND)
    assert 0 < found.sum() < len(hands)
