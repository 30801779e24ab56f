"""What faults are about. A game names the subjects it has, and with them it gets the faults of the catalogue."""

from __future__ import annotations

from enum import Enum, auto


class Subject(Enum):
    """What a fault is about."""

    EVERY_GAME = auto()
    """The record: every game has one."""
    WAGERS = auto()
    """Wagers and their settlement: every game but poker has them."""
    SPLIT_HANDS = auto()
    """Hands set in two, of which all is so that is of ONE_RACK."""
    ONE_RACK = auto()
    """Hands dealt out for one round and collected in one discard rack; hands set in two are."""
    MISDEALS = auto()
    """Misdeals, boxed and exposed cards, where the rules say what becomes of them."""
    VIGORISH = auto()
    ENVY = auto()
    FEES = auto()
    """Collection fees."""
    PLAYER_DEALER = auto()
    """A player-dealer whose posted wager can run out, and the action button."""
    BANK = auto()
    """A player who banks against the house's own wager, or the house's co-bank."""
    PAYOUT_LIMIT = auto()
    """A side wager with a limit on what it is paid, shared by hands of one class."""
    STUB_COUNT = auto()
    """A stub that has to be counted every so many rounds."""
    THIRD_CARDS = auto()
    """Third cards drawn by rule."""
    SHOE = auto()
    """A shoe of several decks that lasts for many rounds."""
    BONUS_DEAL = auto()
    """Three cards and then four to whoever bet, and the wagers on three and on seven cards (MA-PGP §17)."""
    SHUFFLES = auto()
    """Shuffles, cuts and throws of the dice, where the text says how they are done."""
    IN_TURN = auto()
    """When betting is closed, whose hand is exposed first, which wager is settled first, where the text says so."""
    INSPECTIONS = auto()
    """Dice that are inspected before they are used, at tables that report it."""
    DRAWN_HANDS = auto()
    """Hands that draw towards a total: charts, doubles, splits, surrender, insurance."""
    ANTE_RAISE = auto()
    """An ante that is folded or raised, its royalty, and a dealer with a card too many."""
    PLAY_OR_FOLD = auto()
    """An ante that is played or folded, bonus bets beside it, and a player-dealer who has to qualify."""
    METERS = auto()
    """Progressive wagers and their meters."""
    VARIANTS = auto()
    """EZ and Face Up tables, several side wagers, and the wager on the number where the deal begins."""
    POKER = auto()
    """Pots that players play for against each other, a board, and rounds of betting."""
    HIGH_LOW = auto()
    """Pots that are split between the best high and the best low."""
    OWN_CARDS = auto()
    """Hands that must use so many of their own cards."""
