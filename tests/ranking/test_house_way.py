from __future__ import annotations

import time

import numpy as np
import pytest

from replay.ranking import HOUSE_WAY_RULES, Wheel, foul, house_way, house_way_rule, rank_five, rank_two
from schemas.cards import CARD_NAMES, codes_of, names_of
from tests.ranking.by_definition import deals, set_house_way


def codes(hands: list[tuple[str, ...]]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.array([list(codes_of(hand)) for hand in hands], np.uint8)


# rule, hand, its front; the back is the rest
ROWS = [
    ("no pair", "As Kd Jh 9c 7s 5d 3c", "Kd Jh"),
    ("no pair", "X1 Kd Jh 9c 7s 5d 3c", "Kd Jh"),
    ("one pair", "9s 9d Ah Kc 7d 5s 2c", "Ah Kc"),
    ("one pair", "X1 As Kc Jd 8h 5s 3c", "Kc Jd"),  # joker and ace are a pair of aces
    ("one pair", "9s 9d X1 Kc 7d 4s 2c", "X1 Kc"),
    # two pairs: aces, kings, queens
    ("two pairs, split", "As Ad 3c 3d Kh Qs 9c", "3c 3d"),
    ("two pairs, split", "X1 Ad 3c 3d Kh Qs 9c", "3c 3d"),
    ("two pairs, split", "Ks Kd 3c 3d Ah 8s 9c", "3c 3d"),
    ("two pairs, split", "Qs Qd 2c 2d Ah Ks 9c", "2c 2d"),
    ("two pairs, split", "Qs Qd Jc Jd X1 Ks 8c", "Jc Jd"),
    # jacks, tens, nines: an ace or joker
    ("two pairs, both behind", "Js Jd 2c 2d Ah 8s 5c", "Ah 8s"),
    ("two pairs, both behind", "Js Jd 2c 2d X1 8s 5c", "X1 8s"),
    ("two pairs, split", "Js Jd 2c 2d Kh 8s 5c", "2c 2d"),
    ("two pairs, both behind", "Ts Td 9c 9d Ah 4s 3c", "Ah 4s"),
    ("two pairs, split", "Ts Td 9c 9d Kh Qs 3c", "9c 9d"),
    ("two pairs, both behind", "9s 9d 2c 2d Ah 7s 5c", "Ah 7s"),
    ("two pairs, both behind", "9s 9d 2c 2d X1 7s 5c", "X1 7s"),
    ("two pairs, split", "9s 9d 2c 2d Kh 7s 5c", "2c 2d"),
    # eights, sevens, sixes: a king or higher
    ("two pairs, both behind", "8s 8d 2c 2d Kh 7s 4c", "Kh 7s"),
    ("two pairs, both behind", "8s 8d 2c 2d Ah 7s 4c", "Ah 7s"),
    ("two pairs, both behind", "8s 8d 2c 2d X1 7s 4c", "X1 7s"),
    ("two pairs, split", "8s 8d 2c 2d Qh 7s 4c", "2c 2d"),
    ("two pairs, both behind", "7s 7d 6c 6d Kh 9s 4c", "Kh 9s"),
    ("two pairs, split", "7s 7d 6c 6d Qh Js 4c", "6c 6d"),
    ("two pairs, both behind", "6s 6d 2c 2d Kh 9s 4c", "Kh 9s"),
    ("two pairs, split", "6s 6d 2c 2d Qh 9s 4c", "2c 2d"),
    # fives, fours, threes: a queen or higher
    ("two pairs, both behind", "5s 5d 2c 2d Qh 8s 7c", "Qh 8s"),
    ("two pairs, both behind", "5s 5d 2c 2d X1 8s 7c", "X1 8s"),
    ("two pairs, split", "5s 5d 2c 2d Jh 8s 7c", "2c 2d"),
    ("two pairs, both behind", "4s 4d 3c 3d Qh Js 7c", "Qh Js"),
    ("two pairs, split", "4s 4d 3c 3d Jh Ts 7c", "3c 3d"),
    ("two pairs, both behind", "3s 3d 2c 2d Qh 8s 7c", "Qh 8s"),
    ("two pairs, split", "3s 3d 2c 2d Jh 8s 7c", "2c 2d"),
    # a straight or flush with two pairs: two pairs strategy
    ("two pairs, split", "9s 9d 8c 8d 7h 6s 5c", "8c 8d"),
    ("two pairs, both behind", "Js Jd 9s 9d As 7s 4s", "As 7s"),
    ("two pairs, split", "As X1 Ks Qs Js 5d 5c", "5d 5c"),
    ("three pairs", "As Ad Kc Kd 3h 3s 9c", "As Ad"),
    ("three pairs", "4s 4d 3c 3d 2h 2s Ac", "4s 4d"),
    ("three pairs", "X1 Ad Kc Kd Qh Qs Jc", "X1 Ad"),  # and a straight
    ("three aces", "As Ad Ac Kd 9h 7s 3c", "As Kd"),
    ("three aces", "X1 Ad Ac Kd 9h 7s 3c", "Ad Kd"),
    ("three of a kind", "Ks Kd Kc Ad 9h 7s 3c", "Ad 9h"),
    ("three of a kind", "2s 2d 2c X1 Kh 9s 7c", "X1 Kh"),
    ("three of a kind, two sets", "Ks Kd Kc 9d 9h 9s 3c", "Ks Kd"),
    ("three of a kind, two sets", "X1 As Ac 9d 9h 9s 3c", "X1 As"),
    ("five aces", "X1 As Ad Ac Ah Kd Qc", "As Ad"),
    ("five aces", "X1 As Ad Ac Ah Kd Kc", "As Ad"),
    ("complete hand with no pair", "9s 8d 7c 6h 5s Ad Kc", "Ad Kc"),
    ("complete hand with no pair", "Ts 9s 8d 7c 6h 5s 2d", "Ts 2d"),
    ("complete hand with no pair", "As Ks Js 9s 7s 5s 3s", "As Ks"),
    ("complete hand with no pair", "8s 7s 6s 5s 4s 3d Kd", "Kd 8s"),  # the straight leaves the higher front
    ("complete hand with no pair", "As Ks Qs Js Ts 9s 2d", "As 2d"),  # so is a royal broken
    ("complete hand with no pair", "X1 9h 5h 3h 2h Kd Qc", "Kd Qc"),
    ("complete hand with no pair", "X1 9h 8d 6c 5h Kd Qc", "Kd Qc"),
    ("complete hand with one pair", "9s 8d 7c 6h 5s Ad Ac", "Ad Ac"),
    ("complete hand with one pair", "9s 9d 8d 7c 6h 5s 2c", "9s 2c"),
    ("complete hand with one pair", "As Qs 9s 6s 3s 3d Kd", "Kd 3d"),
    ("complete hand with one pair", "X1 Ad Kc Qs Jh 9d 2c", "Ad 2c"),  # K-Q-J-joker-9
    ("complete hand with three of a kind", "9s 9d 9c 8d 7c 6h 5s", "9s 9d"),
    ("complete hand with three of a kind", "Ks Kd Kc 9c 7c 4c 2c", "Ks Kd"),
    ("complete hand with three of a kind", "Ks Kd Kc Qc Js Th X1", "Ks Kd"),
    ("complete hand with three of a kind", "As Ad Ac Kc Qs Jh Td", "As Ad"),
    ("complete hand with three of a kind", "As Ad X1 Kc Qs Jh 9d", "As Ad"),
    ("complete hand with three aces, leaving no pair", "As Ad X1 Kc Qs Jh 5d", "As 5d"),
    ("complete hand with three aces, leaving no pair", "As Ad X1 Ks 9s 4s 6h", "Ad 6h"),
    ("A-A-A-joker with a complete hand", "As Ad Ac X1 Kc Qs Jh", "As Ad"),
    ("A-A-A-joker with a complete hand", "As Ad Ac X1 9c 7c 2c", "As Ad"),
    # four of a kind: J-A split, 7-10 unless an ace or joker goes in front, 2-6 kept
    ("four of a kind split", "As Ad Ac X1 9c 5s 2h", "As Ad"),
    ("four of a kind split", "Ks Kd Kc Kh Ac 5s 2h", "Ks Kd"),
    ("four of a kind split", "Js Jd Jc Jh Ad 5s 3c", "Js Jd"),
    ("four of a kind kept together", "Ts Td Tc Th Ad 5s 3c", "Ad 5s"),
    ("four of a kind kept together", "Ts Td Tc Th X1 5s 3c", "X1 5s"),
    ("four of a kind split", "Ts Td Tc Th Kd Qs 3c", "Ts Td"),
    ("four of a kind kept together", "7s 7d 7c 7h Ad 5s 3c", "Ad 5s"),
    ("four of a kind split", "7s 7d 7c 7h Kd Qs 3c", "7s 7d"),
    ("four of a kind kept together", "6s 6d 6c 6h Kd 5s 3c", "Kd 5s"),
    ("four of a kind kept together", "2s 2d 2c 2h 5d 4s 3c", "5d 4s"),
    ("four of a kind with another pair", "9s 9d 9c 9h 3d 3c As", "3d 3c"),
    ("four of a kind with another pair", "As Ad Ac X1 3d 3c Ks", "3d 3c"),
    ("four of a kind with another pair", "2s 2d 2c 2h Kd Kc Ks", "Kd Kc"),
    ("four of a kind with another pair", "9s 9d 9c 9h Ad X1 3c", "Ad X1"),
    ("full house", "Ks Kd Kc 3d 3h As 9c", "3d 3h"),
    ("full house", "Ks Kd Kc 3d 3h 9s 9c", "9s 9c"),
    ("full house", "2s 2d 2c Ad X1 9s 8c", "Ad X1"),
    ("full house", "As Ad Ac 3d 3h Ks 9c", "3d 3h"),
    ("full house", "As Ad X1 Kc Kd Qs Jh", "Kc Kd"),  # also three aces and a straight
    ("full house", "Kc Kd Ks Ad X1 Qs Jh", "Ad X1"),
]


@pytest.mark.parametrize("wheel", Wheel)
@pytest.mark.parametrize(("rule", "hand", "front"), ROWS)
def test_a_row_of_the_table(rule: str, hand: str, front: str, wheel: Wheel) -> None:
    cards = codes([tuple(hand.split())])
    setting = house_way(cards, wheel)
    back = [card for card in hand.split() if card not in front.split()]
    expected = codes([(*front.split(), *back)])
    assert HOUSE_WAY_RULES[int(house_way_rule(cards)[0])].name == rule
    assert rank_two(setting[:, :2]) == rank_two(expected[:, :2]), names_of(setting[0].tolist())
    assert rank_five(setting[:, 2:], wheel) == rank_five(expected[:, 2:], wheel), names_of(setting[0].tolist())


def test_every_rule_has_a_row_here() -> None:
    assert {rule for rule, _, _ in ROWS} == {rule.name for rule in HOUSE_WAY_RULES}


@pytest.mark.parametrize("wheel", Wheel)
def test_house_way_by_definition(wheel: Wheel) -> None:
    hands = deals(seed=34 if wheel is Wheel.LOWEST else 50, hands=6_000, size=7, joker_share=0.35)
    setting = house_way(codes(hands), wheel)
    expected = codes(
        [(*front, *back) for front, back in (set_house_way(hand, wheel is Wheel.LOWEST) for hand in hands)]
    )
    wrong = (rank_two(setting[:, :2]) != rank_two(expected[:, :2])) | (
        rank_five(setting[:, 2:], wheel) != rank_five(expected[:, 2:], wheel)
    )
    assert not wrong.any(), [
        names_of(row) for row in (setting[wrong.argmax()].tolist(), expected[wrong.argmax()].tolist())
    ]
    assert set(house_way_rule(codes(hands)).tolist()) == set(range(len(HOUSE_WAY_RULES)))


@pytest.mark.parametrize("wheel", Wheel)
def test_never_foul_and_the_same_cards(wheel: Wheel) -> None:
    hands = codes(deals(seed=13, hands=20_000, size=7))
    dealt = np.random.default_rng(13).permuted(np.tile(np.arange(53, dtype=np.uint8), (100_000, 1)), axis=1)[:, :7]
    sevens = np.concatenate([hands, dealt])
    setting = house_way(sevens, wheel)
    assert np.array_equal(np.sort(setting, axis=1), np.sort(sevens, axis=1))
    assert not foul(np.ascontiguousarray(setting[:, :2]), np.ascontiguousarray(setting[:, 2:]), wheel).any()


def test_the_order_dealt_does_not_matter() -> None:
    hands = codes(deals(seed=3, hands=5_000, size=7))
    shuffled = np.random.default_rng(3).permuted(hands, axis=1)
    assert np.array_equal(house_way(hands, Wheel.LOWEST), house_way(shuffled, Wheel.LOWEST))


def test_what_no_deck_can_deal_is_an_error() -> None:
    five_kings = np.array([[*codes_of("Ks Kd Kc Kh"), CARD_NAMES.index("Ks"), *codes_of("3d 2c")]], np.uint8)
    with pytest.raises(ValueError, match="not seven cards of one deck"):
        house_way(five_kings, Wheel.LOWEST)


def test_sixty_thousand_sevens_a_second() -> None:
    """A floor for a busy core, far below what an idle one does."""
    sevens = np.random.default_rng(0).permuted(np.tile(np.arange(53, dtype=np.uint8), (60_000, 1)), axis=1)[:, :7]
    house_way(sevens[:1], Wheel.LOWEST)
    started = time.perf_counter()
    house_way(sevens, Wheel.LOWEST)
    assert time.perf_counter() - started < 1
