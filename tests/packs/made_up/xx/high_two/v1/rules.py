"""The law of High Two, a game that is made up: nobody draws, and the higher total wins."""

from __future__ import annotations

import numpy as np

from replay.checks.action_button import ButtonByCard
from replay.checks.bank_turns import BankTurns
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import cite
from replay.families.two_hands.law import Bools, Drawing, Law, Points, WagerKind
from replay.rounds import Cards, Ints

WORDS = cite("rulings.md", "R-37", "and table limits")


def never(*totals: Points) -> Bools:
    return np.zeros(totals[0].shape, bool)


def always(two: Points) -> Bools:
    return ~never(two)


def left_of_the_bank(card: Cards, bank_seat: Ints, seats: int) -> Ints:
    return np.asarray(bank_seat % seats + 1, np.int64)


LAW = Law(
    drawing=Drawing(never, never, always, never, WORDS, WORDS, WORDS, lambda two, third: WORDS, WORDS),
    results={"player_higher": np.greater, "banker_higher": np.less, "alike": np.equal},
    wagers=(WagerKind("right", "Right", turn=0), WagerKind("left", "Left", turn=0)),
    turns="seat by seat",
    late=LateWagers(closed=WORDS, closed_when="betting had closed", deal_begun=WORDS),
    offered=WagersOffered(no_such_wager=WORDS, no_such_seat=WORDS, own_bank=WORDS),
    bank_turns=BankTurns(2, running_cite=WORDS, wagered_before_cite=WORDS),
    button=ButtonByCard(left_of_the_bank, never, "no card", "the player-dealer's left", WORDS, WORDS),
    cover=WORDS,
    table_limits=WORDS,
    lowest_bonus=WORDS,
    pickup=WORDS,
    deal_and_rack_agree=WORDS,
    deck=WORDS,
)
