"""The rules of Omaha Hi-Lo Split over columns: those of Omaha, and a low of eight or better. `LAW` is all of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from replay.citations import cite, rule
from replay.packs.ca.omaha.v1.rules import LAW as OMAHA
from replay.ranking import NO_LOW, low_ranks, omaha_low
from replay.ranking.hands import Strengths
from replay.rounds import Cards

SPLIT = cite(
    "CA",
    "Omaha Hi-Lo, Description",
    "At the showdown time, the best high hand and the best low hand will split the pot.",
)
TWO_OF_FOUR = cite(
    "CA",
    "Omaha Hi-Lo, Description",
    "player must use two of their four personal cards along with three of the common five to form a traditional poker "
    "hand high and /or low",
)
NO_LOW_NO_HALF = cite(
    "CA",
    "Omaha Hi-Lo, Description",
    "there should be no low, the entire pot is awarded to the best-exposed high hand",
)
ODD_CHIP = cite("rulings.md", "R-42", "Odd chip: in a split of high and low to high; among equals to the first seat")
DECK = cite(
    "CA",
    "Omaha Hi-Lo, Description",
    "Omaha Hi Lo Split Poker uses a standard 52-card deck, generally without the Joker.",
)


@rule(
    "CA",
    "Omaha Hi-Lo, Description",
    "The qualifier for Low is eight or better (five cards eight or lower that are not paired.)",
)
def best_low(hole: Cards, board: Cards) -> Strengths:
    """Two of the four and three of the board, ace low; `NO_LOW` where none qualifies."""
    return omaha_low(hole, board)


def in_words(hole: bytes, board: bytes) -> str:
    """What a hand is high and low, for people."""
    both = (np.frombuffer(cards, np.uint8).reshape(1, -1) for cards in (hole, board))
    low = low_ranks(int(best_low(*both)[0]))
    return f"{OMAHA.in_words(hole, board)}; low {'-'.join(map(str, low)) if low else 'none'}"


LAW = replace(
    OMAHA,
    low=best_low,
    no_low=NO_LOW,
    in_words=in_words,
    pots=replace(OMAHA.pots, best_hand=SPLIT, own_cards=TWO_OF_FOUR, no_low=NO_LOW_NO_HALF, odd_chip=ODD_CHIP),
    deck=DECK,
)
