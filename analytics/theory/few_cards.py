"""Counts of the wagers that ask for less than a hand of seven: three cards, colours, and one nine-high class.

Three cards are looked at one by one, all C(53, 3) = 23,426. A colour has twenty-six cards and the joker none, so a
seven is decided by how many of it are red and how many black; one hand stands for all of a kind. A nine-high is seven
of the eight ranks up to nine, each in one of four suits.
"""

from __future__ import annotations

import hashlib
from itertools import combinations
from math import comb

import numpy as np

from analytics.theory.counts import Counts, Inputs
from analytics.theory.store import Progress, Recipe
from replay.ranking import Game, RowClasses, class_names, row_classes
from replay.ranking.hands import Cards
from schemas.cards import JOKER_1

METHOD_VERSION = 1
OF_CHOSEN_COLOR = tuple(f"{number}_of_chosen_color" for number in ("seven", "six", "five", "four"))
ONE_COLOR = "nine_high_one_color"
NINE_HIGH = "nine_high"


def three_card_bonus() -> Recipe:
    classes = RowClasses(Game.THREE_CARD_BONUS, class_names(Game.THREE_CARD_BONUS))
    threes = np.array(list(combinations(range(JOKER_1 + 1), 3)), np.uint8)
    return _counted("three-card-bonus", "sets of three cards from 52 and the joker", classes, threes, None)


def chosen_color() -> Recipe:
    """Red was chosen; black has as many cards."""
    classes = row_classes(OF_CHOSEN_COLOR)
    red, black = _of_colors(held_red=True), _of_colors(held_red=False)
    hands, ways = [], []
    for joker in (0, 1):
        for held in range(8 - joker):
            others = 7 - joker - held
            hands.append([*red[:held], *black[:others], *[JOKER_1] * joker])
            ways.append(comb(26, held) * comb(26, others))
    return _counted(
        "chosen-color", "sets of seven cards from 52 and the joker", classes, np.array(hands, np.uint8), ways
    )


def nine_high_color() -> Recipe:
    """Of the nine-highs alone: how many are of one colour."""
    ranks = np.array([each for each in combinations(range(8), 7) if 7 in each], np.int64)
    suits = np.stack(np.meshgrid(*[np.arange(4)] * 7, indexing="ij"), axis=-1).reshape(-1, 7)
    cards = (ranks[:, None, :] * 4 + suits[None]).reshape(-1, 7).astype(np.uint8)
    classes = RowClasses(Game.PAI_GOW_INSURANCE, (ONE_COLOR, NINE_HIGH))
    return _counted("nine-high-color", "sevens of different ranks up to nine", classes, cards, None)


def _counted(name: str, deal: str, classes: RowClasses, cards: Cards, ways: list[int] | None) -> Recipe:
    red = np.ones(len(cards), bool) if classes.by_chosen_color else None
    numbers = classes.of(cards, red)
    inputs: Inputs = {
        "method": "hand by hand",
        "method_version": METHOD_VERSION,
        "classes": hashlib.sha256(" ".join(classes.names).encode("ascii") + numbers.tobytes()).hexdigest(),
    }

    def count(progress: Progress) -> Counts:
        counted = dict.fromkeys(classes.names, 0)
        for number, times in zip(numbers.tolist(), ways or [1] * len(numbers), strict=True):
            counted[classes.names[number]] += times
        progress(len(numbers), len(numbers))
        return Counts(name, deal, inputs, counted)

    return Recipe(name, inputs, count)


def _of_colors(*, held_red: bool) -> list[int]:
    return [code for code in range(JOKER_1) if (code % 4 in (1, 2)) == held_red]


def with_one_color(counted: dict[str, int], nine_highs: Counts) -> dict[str, int]:
    """Insurance classes with the nine-highs parted by colour: the rows of FLT-SPG App. F."""
    both = nine_highs.outcomes[ONE_COLOR] + nine_highs.outcomes[NINE_HIGH]
    if counted[NINE_HIGH] != both:
        raise AssertionError(f"{both} nine-highs were parted by colour, and there are {counted[NINE_HIGH]}")
    return {**counted, ONE_COLOR: nine_highs.outcomes[ONE_COLOR], NINE_HIGH: nine_highs.outcomes[NINE_HIGH]}
