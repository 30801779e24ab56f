"""Pay table classes: which of the classes a rule pack lists a hand belongs to.

A pack says *which* classes pay and in *which* order; the answer for a hand is the first of them it can form from all
its cards, so the order is the pay order (rulings.md R-16: the best-paying class; in tables with a share of a meter
the printed order). The classes themselves, each with the text that defines it, are in the lists of the games:

    seven_classes     pai gow poker and FLT-SPG, the joker semi-wild; and insurance, the joker an ace only
    three_classes     MA-PGP's three-card bonus, and the Pair Plus
    six_classes       6 Card Bonus
    supreme_bonus     four cards and two jokers
    outcome_classes   the eighth card, Face Up ace-high, baccarat, 21.5
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from replay.ranking.hand_class import NO_CLASS, ClassList, Places
from replay.ranking.hands import Cards
from replay.ranking.outcome_classes import BACCARAT, EIGHTH_CARD, FACE_UP_ACE_HIGH, PURE_21_5
from replay.ranking.seven_classes import PAI_GOW_INSURANCE, PAI_GOW_POKER
from replay.ranking.six_classes import SIX_CARD_BONUS
from replay.ranking.supreme_bonus import SUPREME_PAI_GOW
from replay.ranking.three_classes import THREE_CARD_BONUS, THREE_CARD_POKER

__all__ = ["CLASS_LISTS", "NO_CLASS", "Game", "check_cards", "class_names", "classify"]


class Game(StrEnum):
    """Whose cards they are: how many, which jokers, and what a joker may be (`replay.ranking.joker`)."""

    PAI_GOW_POKER = "pai_gow_poker"
    PAI_GOW_INSURANCE = "pai_gow_insurance"
    FACE_UP_ACE_HIGH = "face_up_ace_high"
    THREE_CARD_BONUS = "three_card_bonus"
    THREE_CARD_POKER = "three_card_poker"
    SIX_CARD_BONUS = "six_card_bonus"
    SUPREME_PAI_GOW = "supreme_pai_gow"
    EIGHTH_CARD = "eighth_card"
    BACCARAT = "baccarat"
    PURE_21_5 = "pure_21_5"


CLASS_LISTS: dict[Game, ClassList[Any]] = {
    Game.PAI_GOW_POKER: PAI_GOW_POKER,
    Game.PAI_GOW_INSURANCE: PAI_GOW_INSURANCE,
    Game.FACE_UP_ACE_HIGH: FACE_UP_ACE_HIGH,
    Game.THREE_CARD_BONUS: THREE_CARD_BONUS,
    Game.THREE_CARD_POKER: THREE_CARD_POKER,
    Game.SIX_CARD_BONUS: SIX_CARD_BONUS,
    Game.SUPREME_PAI_GOW: SUPREME_PAI_GOW,
    Game.EIGHTH_CARD: EIGHTH_CARD,
    Game.BACCARAT: BACCARAT,
    Game.PURE_21_5: PURE_21_5,
}


def classify(cards: Cards, class_names: Sequence[str], game: Game) -> Places:
    """For each hand, the place in `class_names` of the first class it can form; -1 (`NO_CLASS`) where it forms none."""
    return CLASS_LISTS[game].classify(cards, class_names)


def class_names(game: Game) -> tuple[str, ...]:
    """Every class a pay table of this game may name."""
    return CLASS_LISTS[game].names


def check_cards(cards: Cards, game: Game) -> None:
    """ValueError for the first hand that this game's cards cannot have dealt: a wrong number of cards, a joker it
    does not have, a card held more often than its decks hold it. Call it where cards enter; `classify` checks all but
    the last."""
    CLASS_LISTS[game].check_cards(cards)
