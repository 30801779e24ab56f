"""All 154,143,080 sevens of 53 cards, one by one, against the published counts."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from replay.ranking import FORTUNE_CLASS_NAMES, Category, Game, Wheel, category, classify, rank_best
from tests.ranking.dealt import deal

DECK = 53
FORTUNE = FORTUNE_CLASS_NAMES[:11]  # without three pair, which only Paytable C pays

# The usual seven-card poker counts of 52 cards, and B. Alspach's of pai gow poker, 53 cards.
WITHOUT_JOKER = {
    Category.FIVE_ACES: 0,
    Category.ROYAL_FLUSH: 4_324,
    Category.STRAIGHT_FLUSH: 37_260,
    Category.FOUR_OF_A_KIND: 224_848,
    Category.FULL_HOUSE: 3_473_184,
    Category.FLUSH: 4_047_644,
    Category.STRAIGHT: 6_180_020,
    Category.THREE_OF_A_KIND: 6_461_620,
    Category.TWO_PAIRS: 31_433_400,
    Category.PAIR: 58_627_800,
    Category.HIGH_CARD: 23_294_460,
}
WITH_JOKER_DECK = {
    Category.FIVE_ACES: 1_128,
    Category.FOUR_OF_A_KIND: 307_472,
    Category.FULL_HOUSE: 4_188_528,
    Category.FLUSH: 6_172_088,
    Category.STRAIGHT: 11_236_028,
    Category.THREE_OF_A_KIND: 7_470_676,
    Category.TWO_PAIRS: 35_553_816,
    Category.PAIR: 64_221_960,
    Category.HIGH_CARD: 24_780_420,
}
STRAIGHT_FLUSHES_AND_ROYALS = 210_964
FORTUNE_PAY_ORDER = [32, 72, 196, 1_128, 26_020, 184_644, 307_472, 4_188_528, 6_172_088, 7_672_500, 11_034_204]


def test_a_million_sevens_are_shared_out_as_every_seven_is() -> None:
    """The short form: within five standard deviations of the published counts."""
    sevens = deal(1_000_000, 7, DECK)
    kinds = np.bincount(category(rank_best(sevens, Wheel.LOWEST, joker=True)), minlength=len(Category))
    paid = np.bincount(classify(sevens, FORTUNE, Game.PAI_GOW_POKER) + 1, minlength=len(FORTUNE) + 1)[1:]
    published = [(int(kinds[kind]), count) for kind, count in WITH_JOKER_DECK.items()]
    for found, count in [*published, *zip(paid.tolist(), FORTUNE_PAY_ORDER, strict=True)]:
        share = count / comb(53, 7)
        expected = len(sevens) * share
        assert abs(found - expected) <= 5 * max(1.0, (expected * (1 - share)) ** 0.5), (found, expected)


@pytest.mark.exhaustive
def test_every_seven_is_counted() -> None:
    fives = np.fromiter((card for five in combinations(range(DECK), 5) for card in five), np.uint8).reshape(-1, 5)
    kinds = np.zeros((2, len(Category)), np.int64)  # without and with the joker in hand
    paid = np.zeros(len(FORTUNE) + 1, np.int64)
    for lowest, second in combinations(range(DECK - 5), 2):
        above = fives[len(fives) - comb(DECK - 1 - second, 5) :]  # in order, so the fives above `second` are the last
        sevens = np.empty((len(above), 7), np.uint8)
        sevens[:, 0], sevens[:, 1], sevens[:, 2:] = lowest, second, above
        kind = category(rank_best(sevens, Wheel.LOWEST, joker=True)) + len(Category) * (above[:, 4] == DECK - 1)
        kinds += np.bincount(kind, minlength=kinds.size).reshape(kinds.shape)
        paid += np.bincount(classify(sevens, FORTUNE, Game.PAI_GOW_POKER) + 1, minlength=len(paid))
    natural, every = kinds[0], kinds.sum(axis=0)
    assert natural.sum() == comb(52, 7) == 133_784_560
    assert every.sum() == comb(53, 7) == 154_143_080
    assert {kind: int(natural[kind]) for kind in Category} == WITHOUT_JOKER
    assert {kind: int(every[kind]) for kind in WITH_JOKER_DECK} == WITH_JOKER_DECK
    assert every[Category.STRAIGHT_FLUSH] + every[Category.ROYAL_FLUSH] == STRAIGHT_FLUSHES_AND_ROYALS
    assert paid[1:].tolist() == FORTUNE_PAY_ORDER
