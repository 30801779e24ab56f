"""Omaha: exactly two from the hand and three from the board, each way."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from replay.ranking import NO_LOW, Category, Wheel, category, check_hands, low_ranks, omaha_high, omaha_low, rank_five
from replay.ranking.hands import Cards
from schemas.cards import codes_of
from tests.ranking.by_definition import deals
from tests.ranking.classes_by_definition import best_low, score_omaha
from tests.ranking.dealt import deal


def one(hand: str) -> Cards:
    return np.frombuffer(codes_of(hand), np.uint8)[None]


def nines(seed: int, hands: int) -> tuple[list[tuple[str, ...]], Cards]:
    dealt = [hand for hand in deals(seed, hands, size=9, joker_share=0) if "X1" not in hand]
    return dealt, np.array([list(codes_of(hand)) for hand in dealt], np.uint8)


def test_high_by_definition() -> None:
    dealt, cards = nines(seed=21, hands=2_000)
    found = omaha_high(cards[:, :4], cards[:, 4:])
    scores = [score_omaha(hand[:4], hand[4:]) for hand in dealt]
    place = {score: number for number, score in enumerate(sorted(set(scores)))}
    assert np.array_equal(np.unique(found, return_inverse=True)[1], [place[score] for score in scores])
    assert np.array_equal(category(found), [kind for kind, _ in scores])
    assert len(dealt) > 1_000 and {kind for kind, _ in scores} >= set(range(Category.STRAIGHT_FLUSH + 1))


def test_high_is_the_best_of_the_sixty_fives() -> None:
    """Of hands as they are dealt, and more of them than are ranked at a time."""
    nine = deal(20_000, 9, 52)
    sixty = [[*two, *three] for two in combinations(range(4), 2) for three in combinations(range(4, 9), 3)]
    fives = [rank_five(np.ascontiguousarray(nine[:, places]), Wheel.LOWEST) for places in sixty]
    assert len(sixty) == 60 and np.array_equal(omaha_high(nine[:, :4], nine[:, 4:]), np.max(fives, axis=0))


def test_low_by_definition() -> None:
    dealt, cards = nines(seed=8, hands=4_000)
    found = omaha_low(cards[:, :4], cards[:, 4:])
    expected = [best_low(hand[:4], hand[4:]) for hand in dealt]
    assert [low_ranks(low) for low in found.tolist()] == expected
    assert 100 < sum(low == () for low in expected) < len(expected) - 100
    order = np.argsort(found, kind="stable")  # the better low is the higher number
    ranked = [expected[row] for row in order if expected[row]]
    assert ranked == sorted(ranked, reverse=True)


@pytest.mark.parametrize(
    ("hole", "board", "kind"),
    [
        ("As 2d 3c 4h", "Ks Qs Js Ts 9d", Category.HIGH_CARD),  # four of the board never play
        ("As Kd 3c 4h", "Qs Js Ts 9s 9d", Category.STRAIGHT),
        ("As Ad Ac Ah", "Ks Kd Qc 7h 2d", Category.TWO_PAIRS),  # only two of the four aces play
        ("9s 9d 4c 2h", "9c 9h Ks Qd 3c", Category.FOUR_OF_A_KIND),
        ("As Ks 4c 2h", "Qs Js Ts 3d 3c", Category.ROYAL_FLUSH),
    ],
)
def test_exactly_two_and_three(hole: str, board: str, kind: Category) -> None:
    assert category(omaha_high(one(hole), one(board)))[0] == kind


def test_the_lows_of_the_printed_list_are_in_its_order() -> None:
    """CA Omaha Hi-Lo, Value of low hand in sequence."""
    printed = ["A2345", "A2346", "A2356", "23456", "A2347", "A2357", "A2367", "A2348", "A2358", "A2368"]
    lows = []
    for ranks in printed:
        cards = [rank + suit for rank, suit in zip(ranks, "cdhsc", strict=True)]
        hole, board = " ".join([*cards[:2], "Kd", "Kh"]), " ".join([*cards[2:], "Qd", "Qh"])
        lows.append(int(omaha_low(one(hole), one(board))[0]))
    assert lows == sorted(lows, reverse=True) and len(set(lows)) == len(lows)
    assert low_ranks(lows[0]) == (5, 4, 3, 2, 1) and lows[0] == 225


def test_every_low_there_is() -> None:
    """C(8, 5) = 56 lows."""
    assert len(list(combinations(range(8), 5))) == 56
    _, cards = nines(seed=56, hands=40_000)
    assert len(set(omaha_low(cards[:, :4], cards[:, 4:]).tolist()) - {NO_LOW}) == 56


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="2 hole hands need 2 boards"):
        omaha_high(np.repeat(one("As Kd Qh Jc"), 2, axis=0), one("2s 3d 4h 5c 6s"))
    with pytest.raises(ValueError, match=r"X1 .* 0 jokers"):
        omaha_low(one("As Kd Qh X1"), one("2s 3d 4h 5c 6s"))
    with pytest.raises(ValueError, match=r"\(n, 4\), not \(1, 5\)"):
        omaha_low(one("As Kd Qh Jc Ts"), one("2s 3d 4h 5c 6s"))
    with pytest.raises(ValueError, match="holds As twice"):
        check_hands(np.hstack([one("As Kd Qh Jc"), one("2s 3d 4h 5c As")]), 9, jokers=0)
