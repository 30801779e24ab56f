"""The simulator's house way, row by row of the CA Fortune Pai Gow Poker table, with R-34 and R-50."""

from __future__ import annotations

from random import Random

import pytest

from ingest.simulator.house_way import house_way
from ingest.simulator.poker import five_key, is_foul, two_key
from schemas.cards import codes_of, names_of


@pytest.mark.parametrize(
    ("hand", "front"),
    [
        # No pairs: second and third highest in front
        ("Ks Qd 9c 8h 6s 4d 2c", "Qd 9c"),
        ("X1 Kd 9c 8h 6s 4d 2c", "Kd 9c"),
        # One pair: the pair behind, the highest two others in front
        ("9s 9d Kc 8h 6s 4d 2c", "Kc 8h"),
        ("As X1 Kc 8h 6s 4d 2c", "Kc 8h"),
        # Two pairs, by the larger
        ("Qs Qd 3c 3h As 7d 5c", "3c 3h"),
        ("Js Jd 3c 3h As 7d 5c", "As 7d"),
        ("Js Jd 3c 3h X1 7d 5c", "X1 7d"),
        ("Js Jd 3c 3h Ks 7d 5c", "3c 3h"),
        ("9s 9d 3c 3h Ks 7d 5c", "3c 3h"),
        ("8s 8d 3c 3h Ks 9d 5c", "Ks 9d"),
        ("6s 6d 3c 3h Qs 9d 7c", "3c 3h"),
        ("5s 5d 3c 3h Qs 9d 7c", "Qs 9d"),
        ("5s 5d 3c 3h Js 9d 7c", "3c 3h"),
        # Three pairs: the highest in front
        ("Ks Kd 9c 9h 4s 4d 2c", "Ks Kd"),
        # Three of a kind
        ("As Ad Ac Kh 9s 7d 4c", "As Kh"),
        ("Ks Kd Kc Ah 9s 7d 4c", "Ah 9s"),
        ("2s 2d 2c Ah Ks 9d 7c", "Ah Ks"),
        # Two sets: a pair of the higher in front
        ("Ks Kd Kc 9h 9s 9d 4c", "Ks Kd"),
        # Five aces
        ("As Ad Ac Ah X1 9d 4c", "As Ad"),
        ("As Ad Ac Ah X1 Kd Kc", "As Ad"),
        # Full house: the pair in front, the higher of two
        ("Ks Kd Kc 9h 9s 7d 4c", "9h 9s"),
        ("4s 4d 4c 9h 9s 7d 7c", "9h 9s"),
        ("As Ad X1 Kh Ks Qd Jc", "Kh Ks"),  # also with three aces and a straight
        # Four of a kind
        ("Js Jd Jc Jh 9s 7d 4c", "Js Jd"),
        ("9s 9d 9c 9h Ks 7d 4c", "9s 9d"),
        ("9s 9d 9c 9h As 7d 4c", "As 7d"),
        ("9s 9d 9c 9h X1 7d 4c", "X1 7d"),
        ("6s 6d 6c 6h 9s 7d 4c", "9s 7d"),
        ("Js Jd Jc Jh 9s 9d 4c", "9s 9d"),
        ("Js Jd Jc Jh 9s 9d 9c", "9s 9d"),
        ("As Ad Ac X1 9s 7d 4c", "As Ad"),
        ("As Ad Ac X1 Ks Qd Jc", "As Ad"),  # A-A-A-joker with a complete hand: aces in front
        # Straight or flush with no pair: the two highest that remain
        ("Ks Qd Jc Th 9s 4d 2c", "4d 2c"),
        ("Ks Qd Jc Th 9s 8d 2c", "Ks 2c"),  # the lower straight leaves the king
        ("Ks Qs 9s 7s 4s 3s Ad", "Ad Ks"),  # of six spades the king goes in front
        # With one pair: the pair in front when the complete hand leaves it
        ("Ks Qd Jc Th 9s 4d 4c", "4d 4c"),
        # With two pairs: two pairs strategy
        ("9s 9d 8c 8h 7s 6d 5c", "8c 8h"),
        # With three of a kind: a pair in front, the complete hand behind
        ("9s 9d 9c Th Js Qd Kc", "9s 9d"),
        ("As Ad X1 Kh Qs Jd 4c", "As 4c"),  # three aces; the straight leaves no pair
        ("As Ad X1 Kh Qs Jd Tc", "As Ad"),
    ],
)
def test_front(hand: str, front: str) -> None:
    low, high = house_way(list(codes_of(hand)), "second_highest")
    assert two_key(low) == two_key(list(codes_of(front))), f"{names_of(low)} in front, {names_of(high)} behind"


def test_never_foul_and_independent_of_the_order_of_the_cards() -> None:
    rng = Random(3)
    for _ in range(4000):
        hand = rng.sample(range(53), 7)
        for wheel in ("second_highest", "lowest"):
            low, high = house_way(hand, wheel)
            assert sorted(low + high) == sorted(hand) and len(low) == 2
            keys = two_key(low), five_key(high, wheel)
            assert not is_foul(*keys)
            other_low, other_high = house_way(rng.sample(hand, 7), wheel)
            assert (two_key(other_low), five_key(other_high, wheel)) == keys
