"""The slow Supreme Pai Gow of FLT-SPG, tried by hand: what it is held against must be right itself."""

from __future__ import annotations

import pytest

from tests.packs.flt_slow import (
    EIGHTH_CARD,
    EMPERORS,
    EMPERORS_PROGRESSIVE,
    ENVY_DOLLARS,
    INSURANCE,
    INSURANCE_PROGRESSIVE,
    ROYALTY,
    SEVEN_CARD_BONUS,
    Filed,
    Hand,
    Place,
    best_odds,
    forms,
    needs_seven,
    pai_gow,
    set_dealer,
    settle,
)

# Leaves out the two of clubs: kings in front (three pairs), nines and fours behind.
KINGS_IN_FRONT = "Ks Kd 9c 9d 4h 4s 3c 2c"
# A pair of threes behind, ace and king in front, the two left out.
THREES_BEHIND = "Ad Kc 3h 3s Jc 8d 7h 2s"


def hand(cards: str) -> Hand:
    return tuple(cards.split())


def place(low: str, high: str, **wagers: int) -> Place:
    return Place(wagers, hand(low) + hand(high), hand(low), hand(high))


def test_what_is_printed_where() -> None:
    """A few cells at the edges of each table, as the eye finds them."""
    assert len(ROYALTY) == 5 and ROYALTY["PT-FLT-AR-02"] == {
        "five_aces": "50",
        "royal_flush": "25",
        "straight_flush": "15",
        "four_of_a_kind": "5",
    }
    assert [INSURANCE[f"PT-FLT-EC-PGI-0{number}"]["9"] for number in range(1, 6)] == ["400", "250", "100", "100", "100"]
    assert [INSURANCE[f"PT-FLT-EC-PGI-0{number}"]["14"] for number in range(1, 6)] == ["2", "2", "1", "3", "3"]
    assert EMPERORS["PT-FLT-EC-ET-01"]["three_pair"] == "push" and "three_pair" not in EMPERORS["PT-FLT-EC-ET-02"]
    assert EMPERORS["PT-FLT-EC-ET-06"]["seven_joker"] == "500" and EMPERORS["PT-FLT-EC-ET-06"]["royal_flush"] == "110"
    assert ENVY_DOLLARS["PT-FLT-EC-ET-05"]["royal_flush"] == "55"
    assert ENVY_DOLLARS["PT-FLT-EC-ET-08"]["seven_natural"] == "1000"
    assert "seven_natural" not in SEVEN_CARD_BONUS["PT-FLT-7CB-04"]
    assert SEVEN_CARD_BONUS["PT-FLT-7CB-12"]["four_of_a_kind"] == "25"
    assert "two_pair" not in SEVEN_CARD_BONUS["PT-FLT-7CB-07"]
    assert len(EIGHTH_CARD) == 5
    assert INSURANCE_PROGRESSIVE["PT-BJS-EC-PGI-03"]["9"] == "250"
    assert "royal_and_ace_king" not in EMPERORS_PROGRESSIVE["PT-BJS-EC-ET-03"]
    assert EMPERORS_PROGRESSIVE["PT-BJS-EC-ET-03"]["seven_joker"] == "100%"


@pytest.mark.parametrize(
    ("low", "high", "ante", "raised"),
    [
        ("As Ac", "Td Th 5c 5d 7s", ("win", 1000, 0), ("win", 4000, 0)),  # aces over kings, tens and fives over nines
        ("As Ac", "8d 8h 7c 7d 2s", ("win", 1000, 0), ("push", 0, 0)),  # eights and sevens behind nines and fours
        ("Kh Kc", "Td Th 5c 5d 7s", ("win", 1000, 0), ("push", 0, 0)),  # the kings tie: not beaten, and the tens win
        ("Kh Kc", "Ac Ad Qc 5d 7s", ("lose", 0, 1000), ("lose", 0, 4000)),  # a copy in front, beaten behind
        ("Ah Qc", "8c 8d 5c 5d 7s", ("lose", 0, 1000), ("lose", 0, 4000)),
        ("As Ac", "Kh Qc Td 8s 2d", ("lose", 0, 1000), ("lose", 0, 4000)),  # foul, though the aces beat the kings
    ],
)
def test_ante_and_raise(low: str, high: str, ante: tuple[str, int, int], raised: tuple[str, int, int]) -> None:
    settled = settle(Filed(), {1: place(low, high, ante=1000, **{"raise": 4000})}, hand(KINGS_IN_FRONT))
    assert settled.lines == {(1, "ante"): ante, (1, "raise"): raised}


def test_a_folded_hand_loses_its_ante_and_gets_no_royalty() -> None:
    folded = Place({"ante": 1000}, hand("7c 7d 7h 7s"))
    assert settle(Filed(), {1: folded}, hand(KINGS_IN_FRONT)).lines == {(1, "ante"): ("lose", 0, 1000)}


def test_a_folded_hand_with_seven_cards_is_paid_for_them_all_the_same() -> None:
    folded = Place({"ante": 1000, "emperors": 500, "eighth_2_or_4": 500}, hand("7c 7d 7h 7s Ac Jd 2h"))
    filed = Filed(emperors="PT-FLT-EC-ET-01", eighth_card="PT-FLT-D8C1-01")
    settled = settle(filed, {2: folded, 4: Place({"ante": 1000}, hand("Ts 5d 9h 6c"))}, hand(KINGS_IN_FRONT))
    assert settled.lines == {
        (2, "ante"): ("lose", 0, 1000),
        (2, "emperors"): ("win", 10_000, 0),  # 20 × 5.00
        (2, "eighth_2_or_4"): ("win", 500, 0),  # the two of clubs
        (4, "ante"): ("lose", 0, 1000),
    }


@pytest.mark.parametrize(
    ("low", "high", "royalty"),
    [
        ("7c 7d", "7h 7s Ac Jd 2h", 5000),  # sevens in front of sevens: equal so far, no foul, and it loses
        ("7c 7d", "6h 6s Ac Jd 7h", 0),  # a pair of sevens in front of one of sixes: foul, and three of a kind only
        ("7c 7d", "7h Ks Ac Jd 7s", 5000),
        ("7c 7d", "Kh Qs Ac Jd 7s", 0),
        ("As Ac", "9s 8s 7s 6s Kd", 0),
        ("X1 5s", "9s 8s 7s 6s 2c", 15_000),  # 9-8-7-6-5 of spades
        ("X1 Ac", "9s 8s 7s 6s Kc", 15_000),  # a foul that holds 9-8-7-6 of spades and the joker
    ],
)
def test_the_royalty_is_paid_whatever_becomes_of_the_hand(low: str, high: str, royalty: int) -> None:
    lines = settle(Filed(), {1: place(low, high, ante=1000, **{"raise": 1000})}, hand("Ah Ad Qc Qd 5h 5d 3c 2c")).lines
    assert (lines[1, "ante"], lines[1, "raise"]) == (("lose", 0, 1000), ("lose", 0, 1000))
    assert lines.get((1, "ante_royalty"), ("win", 0, 0)) == ("win", royalty, 0)


@pytest.mark.parametrize(
    ("cards", "emperors", "bonus", "bonus_without_sevens"),
    [
        ("9s 8s 7s 6s 5s 4s 3s", 5000, 5000, 30),  # 7CB-04 has no row for seven: it is a straight flush there
        ("As 2s 3s 4s 5s 6s 7s", 5000, 5000, 30),
        ("As Ks Qs Js Ts 9s 8s", 5000, 5000, 150),
        ("X1 8s 7s 6s 5s 4s 3s", 750, 1000, 30),
        ("As Ks Qs Js Ts Ah Kh", 1000, 150, 150),
        ("X1 Kh Qh Jh Th As Ks", 1000, 150, 150),  # the joker may be in the royal flush
        ("X1 Ks Ah Kh Qh Jh Th", 100, 150, 150),  # and not beside it
        ("As Qs Js Ts 9d X1 Kd", 100, 150, 150),
        ("9s 8s 7s 6s 5s Ah Kh", 50, 25, 30),
        ("Ac Ad Ah As X1 2c 3d", 250, 500, 500),
        ("X1 As Ad Ac Kh Jd 9c", 20, 15, 15),  # three aces and the joker
        ("Ac Ad Kh Ks Kc 7d 2h", 5, 2, 2),
        ("Ac Jc 8c 5c 2c 2d 2h", 4, 1, 1),  # a flush pays more than its three deuces
        ("9s 8d 7c 6h 5s 5d 5c", 3, 1, 1),  # three of a kind pays more than the straight
        ("9s 8d 7c 6h 5s 2d 2c", 2, 1, 1),
        ("Ac Ad Kh Ks 7c 7d 2h", 0, 1, 1),  # three pair push
        ("Ac Ad Kh Ks 7c 6d 2h", None, 1, 1),
        ("Ac Ad Kh Qs 7c 6d 2h", None, None, None),
    ],
)
def test_what_seven_cards_are_paid(
    cards: str, emperors: int | None, bonus: int | None, bonus_without_sevens: int | None
) -> None:
    formed = forms(hand(cards))
    assert best_odds(EMPERORS["PT-FLT-EC-ET-01"], formed) == emperors
    assert best_odds(SEVEN_CARD_BONUS["PT-FLT-7CB-01"], formed) == bonus
    assert best_odds(SEVEN_CARD_BONUS["PT-FLT-7CB-04"], formed) == bonus_without_sevens


@pytest.mark.parametrize(
    ("cards", "high"),
    [
        ("9c 8d 7h 5s 4c 3d 2h", 9),
        ("9c 8d 7h 6s 4c 3d 2h", 9),
        ("9c 8d 7h 6s 5c 3d 2h", None),  # a straight
        ("9c 8c 7c 5c 4c 3d 2h", None),  # a flush
        ("Ac Kd Jh 9s 7c 5d 3h", 14),
        ("X1 Kd Jh 9s 7c 5d 3h", 14),
        ("X1 Kd 9h 8s 7c 5d 2h", 14),  # the joker is an ace and fills no other straight
        ("X1 Kc 9c 8c 7c 4d 2h", 14),  # nor a flush
        ("X1 Kd Qh Js Tc 5d 3h", None),  # but it is the ace of A-K-Q-J-10
        ("X1 2d 3h 4s 5c 9d Kh", None),
        ("X1 Ad Jh 9s 7c 5d 3h", None),  # a pair of aces
    ],
)
def test_pai_gow(cards: str, high: int | None) -> None:
    assert pai_gow(hand(cards)) == high


@pytest.mark.parametrize(
    ("cards", "low", "eighth"),
    [
        (KINGS_IN_FRONT, {"K"}, "2c"),
        (THREES_BEHIND, {"A", "K"}, "2s"),
        ("As Kd Qh Tc 8s 6d 4c 2h", {"K", "Q"}, "2h"),  # no pair: the second and third highest in front
        ("Kc Kd 4h 4s 9c 8d 6h 2c", {"4"}, "2c"),
        ("9s 9d 8c 8d Ah Qs 5c 2h", {"8"}, "Ah"),  # without the ace the eights go in front, and A-Q is lower
        ("Ac Ad X1 Kc Kd Kh Qs Qd", {"A"}, "A"),  # any ace or the joker would do: the joker is the higher card
        ("X1 Kd Qh Tc 8s 6d 4c 2h", {"K", "Q"}, "2h"),
    ],
)
def test_what_the_dealer_leaves_out(cards: str, low: set[str], eighth: str) -> None:
    setting = set_dealer(hand(cards))
    assert {card[0] for card in setting.low} <= low | {"X"}
    assert setting.eighth.startswith(eighth)
    assert sorted((*setting.low, *setting.high, setting.eighth)) == sorted(hand(cards))


def test_who_is_dealt_seven() -> None:
    assert needs_seven({"ante": 1, "raise": 1})
    assert needs_seven({"ante": 1, "insurance_progressive": 1})
    assert not needs_seven({"ante": 1, "eighth_field": 1})


def test_progressives_are_paid_in_turn_and_by_the_unit() -> None:
    filed = Filed(
        insurance_progressive="PT-BJS-EC-PGI-01",
        emperors_progressive="PT-BJS-EC-ET-01",
        unit_cents={"insurance_progressive": 500, "emperors_progressive": 500},
    )
    places = {
        1: Place({"ante": 1000, "insurance_progressive": 500}, hand("9c 8d 7h 5s 4c 3d 2h")),  # 10% of the meter
        2: Place({"ante": 1000, "insurance_progressive": 500}, hand("9d 8h 7d 5h 4h 3h 2d")),  # all of it: one colour
        3: Place({"ante": 1000, "insurance_progressive": 500}, hand("Qs 9s 8c 6c 5d 4d 2s")),  # $7 × 5
        4: Place({"ante": 1000, "insurance_progressive": 500}, hand("Ks 9h 8s 6h 5c 4s 2c")),  # king high: nothing
        5: Place({"ante": 1000, "emperors_progressive": 500}, hand("Ac Kc Qc Jc Tc Ad Kd")),  # 50%
        6: Place({"ante": 1000, "emperors_progressive": 500}, hand("Ts Th 7s 7c 7s 3s Js")),  # full house, $5 × 5
    }
    meters = {"insurance_progressive": 1_000_005, "emperors_progressive": 200_000}
    seeds = {"insurance_progressive": 100_000, "emperors_progressive": 50_000}
    settled = settle(filed, places, hand("As Kh Qh 6s 6d 3c Qd Jh"), meters, seeds)
    assert [settled.lines[seat, "insurance_progressive"] for seat in (1, 2, 3, 4)] == [
        ("win", 100_000, 500),
        ("win", 900_005, 500),
        ("win", 3500, 500),
        ("lose", 0, 500),
    ]
    assert settled.lines[5, "emperors_progressive"] == ("win", 100_000, 500)
    assert settled.lines[6, "emperors_progressive"] == ("win", 2500, 500)
    assert settled.meters == {"insurance_progressive": 100_000, "emperors_progressive": 100_000}


def test_envy_is_for_the_hands_of_others() -> None:
    filed = Filed(emperors="PT-FLT-EC-ET-05")
    places = {
        1: Place({"ante": 1000, "emperors": 500}, hand("7c 7d 7h 7s Ac Jd 2h")),
        2: Place({"ante": 1000, "emperors": 400}, hand("Ts 5d 9h 6c 2s Kh Qd")),
        3: place("Kd 3h", "6h 5h 4h 3s 2c", ante=1000, emperors=500, **{"raise": 1000}),
        4: place("Kd 3d", "8h 8c 8d 8s 2d", ante=1000, **{"raise": 1000}),  # no bonus wager, and it counts
        5: Place({"ante": 1000}, hand("9s 9d 9h 9c")),  # four cards, folded: it does not
    }
    assert settle(filed, places, hand(THREES_BEHIND)).envy == {(1, 4): 600, (3, 1): 600, (3, 4): 600}


def test_a_maximum_aggregate_is_shared() -> None:
    filed = Filed(most_cents={"ante_royalty": 10_000}, most_per={"ante_royalty": "round"})
    places = {
        3: place("Kd 3d", "8h 8c 8d 8s 2d", ante=2000, **{"raise": 2000}),  # 5 × 20.00
        5: place("Jd 3h", "9h 9c 9d 9s 2h", ante=1000, **{"raise": 1000}),  # 5 × 10.00
    }
    lines = settle(filed, places, hand(THREES_BEHIND)).lines
    assert (lines[3, "ante_royalty"], lines[5, "ante_royalty"]) == (("win", 6667, 0), ("win", 3333, 0))
    by_hand = Filed(most_cents={"ante_royalty": 7000}, most_per={"ante_royalty": "hand"})
    lines = settle(by_hand, places, hand(THREES_BEHIND)).lines
    assert (lines[3, "ante_royalty"], lines[5, "ante_royalty"]) == (("win", 7000, 0), ("win", 5000, 0))
