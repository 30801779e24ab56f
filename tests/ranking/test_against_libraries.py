"""The rankers beside libraries written by other people: the same hands tie, and the same hand of two wins.

phevaluator ranks five to seven cards and Omaha; pokerkit has three cards (Rhode Island hold'em ranks them as rulings.md
R-20 does) and the eight-or-better low. Neither knows a joker, and to both A-2-3-4-5 is the lowest straight.
"""

from __future__ import annotations

from itertools import combinations, starmap

import numpy as np
import pytest
from numpy.typing import NDArray
from phevaluator import (  # type: ignore[import-untyped]
    evaluate_5cards,
    evaluate_6cards,
    evaluate_7cards,
    evaluate_omaha_cards,
)
from pokerkit import EightOrBetterLookup, OmahaEightOrBetterLowHand, RhodeIslandHoldemLookup

from replay.ranking.best import rank_best
from replay.ranking.five import Wheel, rank_five
from replay.ranking.hands import Cards
from replay.ranking.omaha import NO_LOW, omaha_high, omaha_low
from replay.ranking.three import rank_three
from schemas.cards import CARD_NAMES, RANKS, names_of
from tests.ranking.dealt import deal

MILLION = 1_000_000
Ints = NDArray[np.int64]


def of_two_suits(cards: Cards) -> Cards:
    """Hands dealt from 26 cards, as clubs and diamonds: flushes and straight flushes are no longer rare."""
    return cards // 2 * 4 + cards % 2


def assert_same_order(cards: Cards, ours: NDArray[np.integer], theirs: Ints, better: int) -> None:
    """Sorted by our strength, theirs must rise (better = 1) or fall (-1) with it, and tie exactly where ours ties."""
    ours, theirs = ours.astype(np.int64), better * theirs
    met, row = np.unique(ours << 32 | theirs - theirs.min(), return_index=True)
    by_ours, by_theirs = np.diff(met >> 32), np.diff(met & 0xFFFFFFFF)
    wrong = np.flatnonzero((by_ours <= 0) | (by_theirs <= 0))
    if wrong.size:
        one, other = (names_of(cards[row[at]].tolist()) for at in (wrong[0], wrong[0] + 1))
        difference = int(by_ours[wrong[0]]), int(by_theirs[wrong[0]])
        pytest.fail(f"{other} is above {one} by {difference[0]} for us and by {difference[1]} for them")


def of_phevaluator(evaluate: object, cards: Cards) -> Ints:
    """1 is the best hand. phevaluator numbers cards as `schemas.cards` does."""
    assert callable(evaluate)
    return np.fromiter(starmap(evaluate, cards.tolist()), np.int64, len(cards))


NO_LOW_THERE = 1_000  # behind every low: pokerkit has no entry for a hand without one


def written(codes: list[int]) -> str:
    return "".join(CARD_NAMES[code] for code in codes)


def low_of_ranks() -> NDArray[np.int16]:
    """pokerkit's place of five different ranks among the lows, 0 the best, by their thirteen bits."""
    lookup = EightOrBetterLookup()
    table = np.full(1 << len(RANKS), NO_LOW_THERE, np.int16)
    for ranks in combinations(range(len(RANKS)), 5):
        cards = "".join(RANKS[rank] + suit for rank, suit in zip(ranks, "cdhsc", strict=True))
        if lookup.has_entry(cards):
            table[sum(1 << rank for rank in ranks)] = lookup.get_entry(cards).index
    return table


def best_of_sixty(hands: Cards, place: NDArray[np.int16]) -> Ints:
    """The lowest place of two of the last four cards and three of the first five."""
    bits = (1 << (hands // 4).astype(np.int16)).T.copy()
    best = np.full(len(hands), NO_LOW_THERE, np.int16)
    for pair in combinations(range(5, 9), 2):
        for three in combinations(range(5), 3):
            np.minimum(best, place[np.bitwise_or.reduce(bits[[*pair, *three]])], out=best)
    return best.astype(np.int64)


def test_order_is_compared_both_ways() -> None:
    """The comparison itself: a tie that only one side sees, either way, and a wrong winner are all found."""
    cards = np.array([[0], [1], [2]], np.uint8)
    for ours, theirs in (([1, 2, 3], [9, 9, 7]), ([1, 1, 3], [9, 8, 7]), ([1, 2, 3], [8, 9, 7])):
        with pytest.raises(pytest.fail.Exception, match="is above"):
            assert_same_order(cards, np.array(ours), np.array(theirs), better=-1)
    assert_same_order(cards, np.array([1, 1, 3]), np.array([9, 9, 7]), better=-1)


def test_all_fives() -> None:
    fives = np.fromiter((card for five in combinations(range(52), 5) for card in five), np.uint8).reshape(-1, 5)
    theirs = of_phevaluator(evaluate_5cards, fives)
    assert len(fives) == 2_598_960 and len(np.unique(theirs)) == 7_462
    assert_same_order(fives, rank_five(fives, Wheel.LOWEST), theirs, better=-1)


@pytest.mark.parametrize(("size", "evaluate"), [(6, evaluate_6cards), (7, evaluate_7cards)])
def test_a_million_sixes_and_sevens(size: int, evaluate: object) -> None:
    hands = np.concatenate([deal(MILLION, size, 52, seed=67), of_two_suits(deal(MILLION // 4, size, 26, seed=76))])
    theirs = of_phevaluator(evaluate, hands)
    assert_same_order(hands, rank_best(hands, Wheel.LOWEST, joker=False), theirs, better=-1)


def test_a_million_omaha_highs() -> None:
    hands = np.concatenate([deal(MILLION, 9, 52, seed=45), of_two_suits(deal(MILLION // 4, 9, 26, seed=54))])
    board, hole = hands[:, :5], hands[:, 5:]
    theirs = of_phevaluator(evaluate_omaha_cards, hands)
    assert_same_order(hands, omaha_high(hole, board), theirs, better=-1)


def test_all_threes() -> None:
    threes = np.array(list(combinations(range(52), 3)), np.uint8)
    lookup = RhodeIslandHoldemLookup()
    theirs = np.array([lookup.get_entry(written(three)).index for three in threes.tolist()])
    assert len(threes) == 22_100 and len(np.unique(theirs)) == 741
    assert_same_order(threes, rank_three(threes, joker=False), theirs, better=1)


def test_a_million_eight_or_better_lows() -> None:
    """pokerkit says what each five ranks are worth; the sixty fives of an Omaha hand are tried out here."""
    hands = np.concatenate(
        [deal(MILLION, 9, 52, seed=8), deal(MILLION // 4, 9, 36, seed=88)]
    )  # deuce to ten: many lows
    ours = omaha_low(hands[:, 5:], hands[:, :5])
    theirs = best_of_sixty(hands, low_of_ranks())
    assert np.array_equal(ours == NO_LOW, theirs == NO_LOW_THERE)
    assert_same_order(hands, ours, theirs, better=-1)
    assert len(np.unique(ours)) == 57  # the 56 lows and none


def test_thousands_of_eight_or_better_lows_by_its_own_search() -> None:
    hands = deal(4_000, 9, 40, seed=888)
    found = [
        OmahaEightOrBetterLowHand.from_game_or_none(written(hand[5:]), written(hand[:5])) for hand in hands.tolist()
    ]
    theirs = np.array([NO_LOW_THERE if low is None else low.entry.index for low in found])
    assert_same_order(hands, omaha_low(hands[:, 5:], hands[:, :5]), theirs, better=-1)
