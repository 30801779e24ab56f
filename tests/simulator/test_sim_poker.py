"""The simulator's own reading of poker hands, against hand-worked hands and against trying every card for the joker."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from ingest.simulator.paytables import FORTUNE_ODDS
from ingest.simulator.poker import (
    ACE,
    COMPLETE,
    FIVE_ACES,
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
    JOKER,
    PAIR,
    QUADS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIRS,
    five_key,
    fortune_class,
    is_foul,
    two_key,
)
from schemas.cards import codes_of


def key(hand: str, wheel: str = "second_highest") -> tuple[int, ...]:
    return five_key(list(codes_of(hand)), wheel)


@pytest.mark.parametrize(
    ("hand", "category"),
    [
        ("As Ad Ac Ah X1", FIVE_ACES),
        ("As Ks Qs Js Ts", ROYAL),
        ("As Ks X1 Js Ts", ROYAL),
        ("9s Ks Qs Js X1", STRAIGHT_FLUSH),
        ("As 2s 3s X1 5s", STRAIGHT_FLUSH),
        ("9s 9d 9c 9h X1", QUADS),
        ("As Ad Ac X1 2h", QUADS),
        ("As X1 Kd Kc Kh", FULL_HOUSE),
        ("2s 9s X1 Ts Ks", FLUSH),
        ("9s Kd Qs Js X1", STRAIGHT),
        ("As X1 Ad 4c 5c", TRIPS),
        ("As X1 4d 4c 5c", TWO_PAIRS),
        ("As X1 4d 9c 5c", PAIR),
        ("Ks X1 4d 9c 5c", PAIR - 1),
    ],
)
def test_category(hand: str, category: int) -> None:
    assert key(hand)[0] == category


def test_wheel_is_second_highest_or_lowest() -> None:
    ace_high, wheel, king_high, six_high = "As Kd Qs Js Ts", "As 2d 3s 4s 5s", "Ks Qd Js Ts 9s", "6s 5d 4s 3s 2s"
    assert key(ace_high) > key(wheel) > key(king_high) > key(six_high)  # MA-PGP §3(b)(7)
    assert key(ace_high, "lowest") > key(king_high, "lowest") > key(six_high, "lowest") > key(wheel, "lowest")  # §3(d)


def test_joker_completes_the_better_straight() -> None:
    # 2-3-4-5 and the joker: A-2-3-4-5 where that is second highest, else 6-5-4-3-2
    assert key("X1 2d 3s 4s 5s") == key("As 2d 3s 4s 5s")
    assert key("X1 2d 3s 4s 5s", "lowest") == key("6s 2d 3s 4s 5s", "lowest")


def test_joker_in_a_flush_is_the_highest_card_not_there() -> None:
    assert key("As Ks X1 9s 2s") == key("As Ks Qs 9s 2s")


def by_trying_every_card(hand: list[int], wheel: str) -> tuple[int, ...]:
    """MA-PGP §3(a),(c): the joker as any ace, or as any card at all if that completes a straight or a flush."""
    others = [card for card in hand if card != JOKER]
    if sum(card >> 2 == ACE for card in others) == 4:
        return (FIVE_ACES,)
    best: tuple[int, ...] = ()
    for card in range(52):
        if card in others:
            continue
        tried = five_key([*others, card], wheel)
        if card >> 2 == ACE or tried[0] in COMPLETE:
            best = max(best, tried)
    return best


def test_joker_against_every_card_it_could_be() -> None:
    rng = Random(11)
    for number in range(4000):
        if number % 2:
            hand = [*rng.sample(range(52), 4), JOKER]
        else:  # close together, so that straights and flushes come up
            low = rng.randrange(9)
            ranks = rng.sample([low, low + 1, low + 2, low + 3, low + 4, ACE], 4)
            suit = rng.randrange(4)
            hand = [*{rank * 4 + (suit if rng.random() < 0.8 else 0) for rank in ranks}, JOKER]
            if len(hand) != 5:
                continue
        for wheel in ("second_highest", "lowest"):
            assert five_key(hand, wheel) == by_trying_every_card(hand, wheel)


@pytest.mark.parametrize(
    ("low", "high", "foul"),
    [
        ("7s 7d", "7c 7h 9s 4d 2c", False),  # MA-PGP §9(a): "at least a pair of sevens"
        ("7s 7d", "6c 6h 9s 4d 2c", True),
        ("7s 7d", "6c 6h 2s 2d 9c", False),
        ("As Kd", "Ac Qh 9s 4d 2c", True),
        ("As Kd", "Ac Kh 9s 4d 2c", False),  # equal over the cards both have
        ("X1 2d", "Ks Kc 9s 4d 3c", False),
        ("X1 Ad", "Ks Kc 9s 9d 3c", False),
        ("X1 Ad", "Ks Kc 9s 4d 3c", True),
    ],
)
def test_foul(low: str, high: str, foul: bool) -> None:
    assert is_foul(two_key(list(codes_of(low))), key(high)) is foul


@pytest.mark.parametrize(
    ("hand", "royal_match", "expected"),
    [
        ("4s 5s 6s 7s 8s 9s Ts", "king_queen", "seven_card_straight_flush"),
        ("As 2s 3s 4s 5s 6s 7s", "king_queen", "seven_card_straight_flush"),
        ("4s 5s X1 7s 8s 9s Ts", "king_queen", "seven_card_straight_flush_with_joker"),
        ("8s 9s X1 Js Qs Ks As", "king_queen", "seven_card_straight_flush_with_joker"),
        ("As Ks Qs Js Ts Kd Qd", "king_queen", "royal_flush_and_royal_match"),
        ("As X1 Qs Js Ts Kd Qd", "king_queen", "royal_flush_and_royal_match"),
        ("As Ks Qs Js Ts Kd Qh", "king_queen", "royal_flush"),
        ("As Ks Qs Js Ts Kd Qd", "ace_king_natural", "royal_flush"),
        ("As Ks Qs Js Ts Ad Kd", "ace_king_natural", "royal_flush_and_royal_match"),
        ("As Ks Qs Js Ts X1 Kd", "ace_king_natural", "royal_flush"),
        ("As Ad Ac Ah X1 2d 3d", "king_queen", "five_aces"),
        ("As Ad Ac Ks Qs Js X1", "king_queen", "royal_flush"),  # and four aces, which pay less
        ("As Ad Ac X1 9s 4d 3c", "king_queen", "four_of_a_kind"),
        ("As X1 Kd Kc Kh 3s 4s", "king_queen", "full_house"),
        ("9s 9d 9c 4d 4c 4h 2s", "king_queen", "full_house"),
        ("2s 9s Ts Ks X1 3d 4d", "king_queen", "flush"),
        ("4s 4d 4c 5s 6d 7c 8h", "king_queen", "three_of_a_kind"),  # pays 3, the straight 2
        ("9s Kd Qs Js X1 2d 3d", "king_queen", "straight"),
        ("As X1 Kd Kc 9h 9s 4s", "king_queen", "three_pair"),
        ("As X1 2d 2c 3h 3s 4s", "king_queen", "straight"),
        ("As Kd 9d 8c 6h 4s 2s", "king_queen", None),
    ],
)
def test_fortune_class(hand: str, royal_match: str, expected: str | None) -> None:
    assert fortune_class(list(codes_of(hand)), royal_match) == expected


_CLASS_OF = {
    FIVE_ACES: "five_aces",
    ROYAL: "royal_flush",
    STRAIGHT_FLUSH: "straight_flush",
    QUADS: "four_of_a_kind",
    FULL_HOUSE: "full_house",
    FLUSH: "flush",
    TRIPS: "three_of_a_kind",
    STRAIGHT: "straight",
}


def test_fortune_class_against_all_five_card_hands_in_it() -> None:
    odds = FORTUNE_ODDS["A"]
    rng = Random(12)
    seven_card = {"seven_card_straight_flush", "royal_flush_and_royal_match", "seven_card_straight_flush_with_joker"}
    for _ in range(3000):
        hand = rng.sample(range(53), 7)
        made = {_CLASS_OF.get(five_key(five, "lowest")[0]) for five in combinations(hand, 5)} - {None}
        best = max(made, key=lambda name: odds[name or ""], default=None)
        found = fortune_class(hand, "king_queen")
        if found not in seven_card and found != "three_pair":
            assert found == best
        elif found == "three_pair":
            assert best is None


def test_high_cards_compare_card_by_card() -> None:
    assert key("As Kd 9s 5s 3d")[0] == HIGH_CARD
    assert key("As Kd 9s 5s 3d") > key("Ad Ks 9d 5d 2s")
    assert key("As Kd 9s 5s 3d") == key("Ad Kc 9c 5d 3c")
