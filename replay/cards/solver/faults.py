"""What can go wrong between a table and the reading of its discard rack, how often, and under which code it is filed.

`RATES` is the one place where it is said how likely each fault is. Nobody publishes such figures: they are working
assumptions in orders of magnitude, a round at a time, each with its reason, and what rests on them is tested (the
confidence of explanations on labelled simulations: tests/reconstruct/test_confidence.py). A fault that could have
happened in several ways has its rate divided by the number of ways, so that a precise explanation pays for its
precision.
"""

from __future__ import annotations

import math
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class FaultKind(StrEnum):
    """One thing that went wrong with a rack, or with the reading of it, or of the deal it is held against."""

    SWAPPED = "swapped"  # two hands picked up in each other's place
    OUT_OF_PLACE = "out_of_place"  # one packet went in earlier or later than the procedure says
    PARTS_REVERSED = "parts_reversed"  # a hand's parts laid the wrong way round
    MISSING = "missing"  # cards that should lie in the rack are not in its reading
    DUPLICATE = "duplicate"  # a card more often than the deck holds it, added or in another's place
    FOREIGN = "foreign"  # a card the deck does not have
    OTHER_DECK = "other_deck"  # a card with another deck's mark
    STUB_SHORT = "stub_short"  # the stub, or part of it, was not put in
    MIXED = "mixed"  # another round's cards among them
    MISREAD = "misread"  # the reader took one card for another, or could not read it
    READ_TWICE = "read_twice"  # the reader counted one card twice
    DEALT_MISREAD = "dealt_misread"  # the shoe's or shuffler's reader took a card that was dealt for another


class Fault(NamedTuple):
    kind: FaultKind
    places: tuple[int, ...] = ()  # whose hands: places of the ring, or what else lies in a rack (layout.STUB ...)
    cards: tuple[int, ...] = ()  # as read: the ones too many or read wrong
    instead: tuple[int, ...] = ()  # as they should be: the ones not there
    at: int = -1  # where in the rack as read, -1 where it concerns whole packets


class Rate(NamedTuple):
    a_round: float
    why: str


RATES: dict[FaultKind, Rate] = {
    FaultKind.SWAPPED: Rate(1e-3, "the commonest slip of a hand: two hands collected in the wrong turn"),
    FaultKind.OUT_OF_PLACE: Rate(3e-4, "a hand forgotten, or taken early; it shows, so it is rarer than a swap"),
    FaultKind.PARTS_REVERSED: Rate(5e-4, "the parts of one hand scooped up from the other side"),
    FaultKind.MISSING: Rate(2e-4, "a card dropped or held out, or one that the reader passed over; seldom both"),
    FaultKind.DUPLICATE: Rate(1e-4, "as a misread: a card brought in must not pass for a worn one by its rarity"),
    FaultKind.FOREIGN: Rate(2e-5, "the same, with a card the deck does not have: a second joker"),
    FaultKind.OTHER_DECK: Rate(1e-4, "two decks alternate on one table, and one card strays"),
    FaultKind.STUB_SHORT: Rate(2e-4, "the stub set aside to be counted and left there, or part of it in the shoe"),
    FaultKind.MIXED: Rate(5e-5, "the rack not emptied before the next round's cards go in"),
    FaultKind.MISREAD: Rate(1e-4, "one rank or suit taken for another on a worn card, of some fifty read"),
    FaultKind.READ_TWICE: Rate(2e-5, "a card that stuck in front of the reader: its twin must not pass for that"),
    FaultKind.DEALT_MISREAD: Rate(1e-4, "the same reader in another device, with the same worn card before it"),
}

TORN_PACKET = 1e-2
"""Of the times another round's cards lie among these: they are not whole packets. Cards stay in a rack as they were put
in, hand by hand, so a run that tears one needs a second mishap."""

# Reports that no fault of the rack explains. They are costs like the others, so that a reading that contradicts a
# witness can still be the best one, and says which witness it contradicts.
CARD_SWITCHED = Rate(1e-5, "a card changed hands between deal and rack: the finding that matters, and rare")
HANDS_EXCHANGED = Rate(3e-6, "two whole hands changed places after the deal, or were delivered to each other's place")
SHOWN_WRONG = Rate(1e-3, "one card of a hand shown entered or seen wrong")
SHOWN_ELSEWHERE = Rate(1e-5, "a hand shown under another place's number")
SETTING_SHOWN_WRONG = Rate(1e-3, "a hand shown in another setting than it was played in")
BEGUN_ELSEWHERE = Rate(1e-4, "the deal begun at another place than announced, and played on")
SETTLED_WRONG = Rate(1e-3, "a hand misjudged, and all its wagers settled so: a dealer's commonest slip, as a swap is")
SEVERAL_SETTLED_WRONG = (
    0.03  # of these: the dealer's own hand misread, payments exchanged, one slip leading to the next
)
BUTTON_CARD_WRONG = Rate(1e-3, "the card that decided the action button entered wrong, or a wrong card gone by")
MARK_MISREAD = Rate(1e-5, "a deck's mark taken for another's")

# How hands that keep their setting in the rack are laid out, where the cards alone must tell how they were cut.
SET_THE_HOUSE_WAY = 0.8  # of players: what the dealer advises, and what most would do anyway
SET_FOUL = 3e-3  # of players
SET_THREE_AND_FOUR = 3e-4  # of players: foul by the count of cards, which the order of a rack never shows
HOUSE_WAY_BROKEN = 1e-3  # of dealers
NOT_LEFT_FOR_ENVY = 1e-3  # of hands that had to stay on the table for an envy bonus
THIRD_CARD_WRONG = 3e-4  # of rounds in which third cards are drawn by rule

ONE_MORE_FAULT = 9.0
"""What is not in these tables, or takes one fault more than was looked for, is taken to be less likely than the
cheapest explanation by this (in natural logarithms: one in 8,000): slips come in pairs more often than by chance, and a
second one has many ways to look like the first alone."""

A_FAULT = 13.0
"""What a fault costs on average, in the right place."""

UNEXPLORED_COST_A_WITNESS = -math.log(0.05)
"""And to look right to a hand dealt or shown besides, this much less."""

UNEXPLORED_COST_A_REPORT = -math.log(0.5)
"""Or to a wager's reported outcome: of two it has, more or less, one."""

CODES: dict[FaultKind, str] = {
    FaultKind.SWAPPED: "RACK-324",
    FaultKind.OUT_OF_PLACE: "RACK-325",
    FaultKind.PARTS_REVERSED: "RACK-326",
    FaultKind.MISSING: "CARD-311",
    FaultKind.DUPLICATE: "CARD-312",
    FaultKind.FOREIGN: "CARD-313",
    FaultKind.OTHER_DECK: "CARD-318",
    FaultKind.STUB_SHORT: "RACK-327",
    FaultKind.MIXED: "RACK-328",
    FaultKind.MISREAD: "RACK-329",
    FaultKind.READ_TWICE: "RACK-329",
    FaultKind.DEALT_MISREAD: "DEAL-311",
}
"""The finding each kind is filed under. A misread card and a card read twice are the same thing to an investigator, a
device to be looked at; a card gone and a card not read look alike in any one rack and share CARD-311."""


@lru_cache(maxsize=256)
def cost_of_settling_wrong(hands: int, among: int) -> float:
    """What it costs that the dealer misjudged so many hands, of so many that were settled. More than one is hardly
    dearer than two, for one slip may settle a whole table wrong: hands misjudged in one round are not independent."""
    if hands == 0:
        return 0.0
    rate = SETTLED_WRONG.a_round * (1.0 if hands == 1 else SEVERAL_SETTLED_WRONG)
    return math.log(math.comb(max(among, hands), hands)) - math.log(rate)


def cost_of(kind: FaultKind, ways: float = 1.0) -> float:
    """The cost of one such fault that could have happened in so many ways: minus the logarithm of its probability."""
    return math.log(ways) - math.log(RATES[kind].a_round)
