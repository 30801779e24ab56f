"""Supreme Pai Gow hands, pay table, limit and bank of the simulator, against examples worked by hand from MA-SPG."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from ingest.simulator.dealing import cards_to, stacks_from
from ingest.simulator.games.supreme_pai_gow.bonus import bonus_class, bonus_payouts
from ingest.simulator.games.supreme_pai_gow.hands import better_hands, full_key, house_way, is_foul, rank_key
from ingest.simulator.split_hands.player_bank import bank_result
from schemas.cards import CARD_NAMES, codes_of
from tests.ranking.classes_by_definition import score_supreme, set_four, supreme_bonus


def cards(text: str) -> list[int]:
    return list(codes_of(text))


def test_hands_from_the_highest_to_the_lowest() -> None:
    order = ["X1 X2", "As Ad", "Ks Kd", "Ts Td", "2s 2d", "Ks Qd", "Ks Jd", "Qs Jd", "Ks 9d", "7s 2d", "X1 6s",
             "Ks 8d", "X1 2d", "6c 2s", "5d 3s", "9d 5s", "Ks As", "Ts As", "Ks Td"]  # fmt: skip
    for higher, lower in combinations(order, 2):
        if (higher, lower) == ("X1 2d", "6c 2s"):
            assert full_key(cards(higher)) == full_key(cards(lower))  # the joker is a six there
        else:
            assert full_key(cards(higher)) > full_key(cards(lower)), (higher, lower)


@pytest.mark.parametrize(
    ("hand", "points"),
    [("2s 5d", 7), ("5s 9d", 4), ("6s X1", 9), ("As X2", 7), ("Ks X1", 6), ("4s X1", 7), ("7s X1", 3), ("3s X1", 9)],
)
def test_points(hand: str, points: int) -> None:
    assert rank_key(cards(hand)) == (0, points)


def test_a_low_hand_of_ten_and_seven_under_five_and_two_is_no_foul() -> None:
    assert not is_foul((cards("Ts 7d"), cards("5s 2d")))  # points alone
    assert is_foul((cards("7s 7d"), cards("Ks Qd")))
    assert not is_foul((cards("7s 7d"), cards("7c 7h")))
    assert is_foul((cards("7s"), cards("Ks Qd 2d")))


def test_comparing_with_the_dealer() -> None:
    dealer = (cards("9s Ts"), cards("4s 4d"))
    assert better_hands((cards("9d Ks"), cards("5s 5d")), dealer) == 2  # nine with a king
    assert better_hands((cards("9d Td"), cards("5s 5d")), dealer) == 1  # equal is the dealer's
    assert better_hands((cards("9d 8d"), cards("3s 3d")), dealer) == 0
    nothing = (cards("Ts As"), cards("4s 4d"))
    assert better_hands((cards("Ks Td"), cards("5s 5d")), (cards("4c 6c"), cards("4s 4d"))) == 1  # §3(d): no points
    assert better_hands((cards("Ks 2d"), cards("5s 5d")), nothing) == 2


@pytest.mark.parametrize(
    ("hand", "low", "high"),
    [
        ("As Ad Ks Kd", "Ks Kd", "As Ad"),
        ("X1 X2 As Ad", "As Ad", "X1 X2"),
        ("7s 7d 7c Kd", "7? Kd", "7 7"),
        ("2s 2d Ks Qd", "Ks Qd", "2s 2d"),
        ("9s Ks 2d 6c", "6c 2d", "9s Ks"),  # eight under nine; nine under eight would be foul
        ("X1 X2 4s 9d", "4s 9d", "X1 X2"),
    ],
)
def test_house_way(hand: str, low: str, high: str) -> None:
    ours = house_way(cards(hand))
    if "?" in low:
        assert rank_key(ours[1]) == rank_key(cards("7s 7d")) and cards("Kd")[0] in ours[0]
    else:
        assert (set(ours[0]), set(ours[1])) == (set(cards(low)), set(cards(high)))


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("As Ad Ac Ah", "four_aces"),
        ("As Ks Qs Js", "royal_flush"),
        ("X1 X2 As Ad", "two_jokers_and_two_aces"),
        ("7s 7d 7c 7h", "four_of_a_kind"),
        ("4s 5s 6s 7s", "straight_flush"),
        ("As 2s X1 4s", "straight_flush"),  # the joker is the 3 of spades
        ("X1 X2 4s 5s", "straight_flush"),  # 3 and 6
        ("7s 7d 7c X1", "three_of_a_kind"),
        ("As 9s 4s 2s", "flush"),
        ("X1 9s 4s 2s", None),  # a joker completes no flush, and 3 or 6 no straight here
        ("X1 X2 9s 9d", "two_pair"),
        ("Ks Kd 2s 2d", "two_pair"),
        ("Js Qd Ks Ad", "straight"),
        ("As 2d 3s 4d", "straight"),
        ("Qd Ks Ad 2s", None),  # not round the corner
        ("X1 X2 4s 5d", "straight"),
        ("X1 X2 9s 4d", "two_jokers"),
        ("X1 9s 9d 4d", "any_pair"),
        ("X1 Ks Qs Js", None),  # never an ace
        ("X1 3s 4d 5d", "straight"),  # 3-4-5-6
        ("X1 6s 4d 5d", "straight"),  # the joker is the 3
        ("X1 7s 8d 9d", "straight"),
    ],
)
def test_bonus_classes(hand: str, name: str | None) -> None:
    assert bonus_class(cards(hand)) == name


def test_bonus_payouts() -> None:
    assert bonus_payouts({1: 500, 3: 200}, {1: "flush", 3: None}, 100) == {1: 4000, 3: 0}  # 8 to 1
    assert bonus_payouts({1: 10_000}, {1: "four_aces"}, 100) == {
        1: 5_000_000
    }  # 1000 to 1 on $100, the limit is $50,000
    assert bonus_payouts({1: 10_000}, {1: "four_aces"}, 6_000) == {1: 6_000_000}  # 1000 to 1 on the least wager of $60
    # two royal flushes on $50 and $40: $25,000 and $20,000, together within the limit
    assert bonus_payouts({2: 5000, 5: 4000}, {2: "royal_flush", 5: "royal_flush"}, 100) == {2: 2_500_000, 5: 2_000_000}
    # on $200 and $100: $50,000 in the proportion of two to one, the odd cent to the first seat
    shared = bonus_payouts({2: 20_000, 5: 10_000}, {2: "royal_flush", 5: "royal_flush"}, 100)
    assert shared == {2: 3_333_334, 5: 1_666_666}


def test_the_centre_of_the_table() -> None:
    assert bank_result(20_000, 5_000, False) == ("win", 15_000)
    assert bank_result(20_001, 5_000, True) == ("win", 7_500)  # the odd cent is the casino's
    assert bank_result(5_000, 20_001, True) == ("lose", 7_500)
    assert bank_result(5_000, 20_000, False) == ("lose", 15_000)
    assert bank_result(700, 700, True) == ("push", 0)


def test_stacks_follow_the_one_the_bank_names() -> None:
    # Started at place 3: clockwise is 3, 2, 1, 0, 6, 5, 4. The sixth stack goes to 3, the seventh to 2, the first to 1.
    clockwise = [3, 2, 1, 0, 6, 5, 4]
    assert stacks_from(6, clockwise) == [1, 0, 6, 5, 4, 3, 2]
    assert stacks_from(1, clockwise) == clockwise
    dealt = cards_to("hand", 2, clockwise, stacks_from(6, clockwise))
    assert dealt == [1, 0, 6, 5, 4, 3, 2, 2, 3, 4, 5, 6, 0, 1]


def test_every_two_cards_stand_where_the_definition_puts_them() -> None:
    twos = list(combinations(CARD_NAMES, 2))
    defined, ours = [score_supreme(two) for two in twos], [full_key(list(codes_of(two))) for two in twos]
    place = {score: number for number, score in enumerate(sorted(set(defined)))}
    mine = {key: number for number, key in enumerate(sorted(set(ours)))}
    assert [place[score] for score in defined] == [mine[key] for key in ours]


def test_bonus_and_house_way_are_those_of_the_definition() -> None:
    rng = Random(35)
    for _ in range(5_000):
        hand = tuple(rng.sample(CARD_NAMES, 4))
        ours = house_way(list(codes_of(hand)))
        assert bonus_class(list(codes_of(hand))) == supreme_bonus(hand), hand
        assert [full_key(part) for part in ours] == [full_key(list(codes_of(part))) for part in set_four(hand)], hand
