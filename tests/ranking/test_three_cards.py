"""Three cards, with and without the joker; six cards of several decks."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from replay.ranking import Game, ThreeCategory, Wheel, category, classify, queen_high, rank_best, rank_three
from replay.ranking.five import Category
from replay.ranking.hands import Cards
from schemas.cards import CARD_NAMES, codes_of, names_of
from tests.ranking.classes_by_definition import class_of_six, score_three

PAIR_PLUS = ["royal_flush", "straight_flush", "three_of_a_kind", "straight", "flush", "pair"]
BONUS = ["straight_flush_natural", "three_of_a_kind", "straight_flush", "straight", "flush", "pair"]
SIX = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind"]


def one(hand: str) -> Cards:
    return np.frombuffer(codes_of(hand), np.uint8)[None]


def strength(hand: str, joker: bool = True) -> int:
    return int(rank_three(one(hand), joker)[0])


def every_three(deck: int) -> Cards:
    return np.array(list(combinations(range(deck), 3)), np.uint8)


def test_every_three_of_53_cards_by_definition() -> None:
    threes = list(combinations(CARD_NAMES[:53], 3))
    found = rank_three(every_three(53), joker=True)
    scores = [score_three(three) for three in threes]
    place = {score: number for number, score in enumerate(sorted(set(scores)))}
    assert np.array_equal(np.unique(found, return_inverse=True)[1], [place[score] for score in scores])
    assert np.array_equal(category(found), [kind for kind, _ in scores])


def test_the_order_dealt_does_not_matter() -> None:
    threes = every_three(53)
    for order in ([0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]):
        assert np.array_equal(rank_three(threes[:, order], joker=True), rank_three(threes, joker=True))


def test_the_published_counts_of_three_card_poker() -> None:
    """48 / 52 / 720 / 1,096 / 3,744 / 16,440 of 22,100; four of the straight flushes are A-K-Q."""
    threes = every_three(52)
    counts = np.bincount(category(rank_three(threes, joker=False)), minlength=len(ThreeCategory))
    assert len(threes) == 22_100
    assert counts[::-1].tolist() == [48, 52, 720, 1_096, 3_744, 16_440]
    places = classify(threes, PAIR_PLUS, Game.THREE_CARD_POKER)
    assert [int((places == place).sum()) for place in range(6)] == [4, 44, 52, 720, 1_096, 3_744]


def test_the_three_card_bonus_of_all_threes_of_53() -> None:
    """By hand. The joker with two of a suit is a straight flush for 25 pairs of ranks (13 neighbours with A-2 and A-K,
    12 two apart with A-3 and A-Q), with two of two suits a straight for the same 25, with two of a suit else a flush,
    with two aces three of a kind; else a pair with an ace, or beside a natural pair."""
    places = classify(every_three(53), BONUS, Game.THREE_CARD_BONUS)
    near = 13 + 12
    assert [int((places == place).sum()) for place in range(6)] == [
        48,
        52 + 6,
        4 * near,
        720 + 12 * near,
        1_096 + 4 * (78 - near),
        3_744 + (12 * 6) + 12 * (12 - 4),  # pairs but aces; an ace with one of the 8 ranks it makes no straight with
    ]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4s 3s 2s", "As 2s 3s"),  # A-2-3 is the lowest, R-20
        ("2s 2d 2c", "As Kd Qc"),
        ("2d 3c 4s", "As Ks Js"),  # a straight over a flush
        ("As Ah 2c", "Ks Kh Ac"),
        ("X1 As Ad", "Ks Kh Kd"),
        ("X1 Ks Qd", "Ks Qd Jc"),  # A-K-Q
        ("X1 9s 4s", "As Kd Kc"),
    ],
)
def test_better_and_worse(better: str, worse: str) -> None:
    assert strength(better) > strength(worse)


def test_a_joker_pairs_with_an_ace_only() -> None:
    assert strength("X1 9s 9d") == strength("Ac 9s 9d")
    assert strength("X1 9s 4d") == strength("Ac 9s 4d")
    assert strength("X1 As 9d") == strength("Ac As 9d")


def test_queen_high_qualifies() -> None:
    hands = np.concatenate([one("Qs 3d 2c"), one("Js Td 8c"), one("As 5d 4c"), one("2s 2d 3c")])
    assert queen_high(rank_three(hands, joker=False)).tolist() == [True, False, True, True]


def test_refused_without_a_joker() -> None:
    with pytest.raises(ValueError, match=r"X1 .* is not in a deck with 0 jokers"):
        strength("X1 As Kd", joker=False)
    with pytest.raises(ValueError, match=r"X1 .* is not in this game, which has no joker"):
        classify(one("X1 As Kd"), PAIR_PLUS, Game.THREE_CARD_POKER)


def test_alike_cards_of_several_decks() -> None:
    """CA deals Three Card Poker from up to six decks."""
    hands = ["As As As", "As As Ks", "As As Kd"]
    found = [PAIR_PLUS[int(classify(one(hand), PAIR_PLUS, Game.THREE_CARD_POKER)[0])] for hand in hands]
    assert found == ["three_of_a_kind", "flush", "pair"]


def test_six_card_bonus_of_one_deck_is_the_best_five_of_six() -> None:
    dealt = np.random.default_rng(6).permuted(np.tile(np.arange(52, dtype=np.uint8), (150_000, 1)), axis=1)[:, :6]
    kinds = category(rank_best(dealt, Wheel.LOWEST, joker=False))
    place_of = {
        Category.ROYAL_FLUSH: 0,
        Category.STRAIGHT_FLUSH: 1,
        Category.FOUR_OF_A_KIND: 2,
        Category.FULL_HOUSE: 3,
        Category.FLUSH: 4,
        Category.STRAIGHT: 5,
        Category.THREE_OF_A_KIND: 6,
    }
    expected = [place_of.get(Category(kind), -1) for kind in kinds.tolist()]
    assert classify(dealt, SIX, Game.SIX_CARD_BONUS).tolist() == expected


def test_six_card_bonus_of_several_decks_by_definition() -> None:
    rng = random.Random(41)
    hands = []
    for number in range(6_000):
        ranks = rng.sample("23456789TJQKA", 2 + number % 9) if number % 3 else "TJQKA"
        suits = rng.sample("cdhs", 1 + number % 2) if number % 5 else "cdhs"
        deck = [rank + suit for rank in ranks for suit in suits] * 6
        hands.append(tuple(rng.sample(deck, 6)))
    found = classify(np.array([list(codes_of(hand)) for hand in hands], np.uint8), SIX, Game.SIX_CARD_BONUS)
    expected = [class_of_six(hand) for hand in hands]
    assert [SIX[place] if place >= 0 else None for place in found.tolist()] == expected
    assert {*SIX, None} == set(expected)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("Ks Kd Kc Kh Kd 2c", "four_of_a_kind"),  # five alike count as four, R-41
        ("Ks Ks Ks Ks Ks Ks", "four_of_a_kind"),
        ("Ks Ks Qs 9s 4s 2c", "flush"),
        ("Ks Ks Ks 9s 9s 2c", "full_house"),
    ],
)
def test_six_alike(hand: str, expected: str) -> None:
    assert SIX[int(classify(one(hand), SIX, Game.SIX_CARD_BONUS)[0])] == expected, names_of(one(hand)[0].tolist())
