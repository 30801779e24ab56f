"""The rules of Omaha over columns: those of Hold'em, but that exactly two of four own cards count. LAW has them all."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from replay.citations import cite, rule
from replay.packs.ca.holdem.v1.rules import LAW as HOLDEM
from replay.ranking import Wheel, omaha_high, rank_five, strength_in_words
from replay.ranking.hands import Strengths
from replay.rounds import Cards

HOLE = 4
BEST_HAND = cite(
    "CA",
    "Omaha, Description",
    "Using exactly two of their personal four cards and three of the five communal cards, the active player with the "
    "best high hand is awarded the pot.",
)
TWO_OF_FOUR = cite(
    "CA",
    "Omaha, Description",
    "players MUST use exactly two cards of their four, along with three of the common cards exposed on the table",
)
DECK = cite("CA", "Omaha, Description", "Standard 52-card deck is used.")


@rule(
    "CA",
    "Omaha, Description",
    "players MUST use exactly two cards of their four, along with three of the common cards exposed on the table in "
    "order to form their five-carded poker hand",
)
def best_hand(hole: Cards, board: Cards) -> Strengths:
    """Two of the four and three of the board; the printed list of hands omits the straight, a slip (R-21)."""
    return omaha_high(hole, board)


def with_any_cards(hole: Cards, board: Cards) -> Strengths:
    """What a hand would be if it might use as many of its own cards as it likes: the best five of all nine."""
    nine = np.concatenate([hole, board], axis=1)
    fives = [rank_five(nine[:, list(five)], Wheel.LOWEST) for five in combinations(range(9), 5)]
    best: Strengths = np.max(fives, axis=0)
    return best


def in_words(hole: bytes, board: bytes) -> str:
    """What a hand is, for people."""
    both = (np.frombuffer(cards, np.uint8).reshape(1, -1) for cards in (hole, board))
    return strength_in_words(int(best_hand(*both)[0]))


LAW = replace(
    HOLDEM,
    hole=HOLE,
    high=best_hand,
    with_other_cards=with_any_cards,
    in_words=in_words,
    pots=replace(HOLDEM.pots, best_hand=BEST_HAND, own_cards=TWO_OF_FOUR),
    deck=DECK,
)
