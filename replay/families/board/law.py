"""What poker with a board takes from its pack: a `Law`, which the pack's rules.py has under that name.

Every rule and number of the game is in here, with what it rests on; the family knows none by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from replay.citations import Citation
from replay.money.pot import PotCites
from replay.ranking.hands import Strengths
from replay.rounds import Cards

Rank = Callable[[Cards, Cards], Strengths]
"""Strength of each hand, higher is better: hole cards (n, hole) and boards (n, 5)."""


@dataclass(frozen=True)
class BettingLaw:
    """How a round of betting goes, and by which rule it does."""

    most_raises: int
    turn: Citation  # who begins, and that the others follow in turn
    later_turn: Citation  # the same after the flop
    full_bet: Citation  # what a bet or a raise is, and what one short of that is
    call: Citation
    raises: Citation
    checked_out_of_turn: Citation
    not_reopened: Citation  # a short all-in does not open the betting again
    blind: Citation  # how much a blind is
    additional_blind: Citation
    straddle: Citation
    short_blind: Citation
    not_in_play: Citation  # a folded hand is dead


@dataclass(frozen=True)
class BoardLaw:
    """What becomes of cards turned too early, by the street, and of too many of them."""

    early: tuple[Citation, Citation, Citation]  # flop, fourth card, fifth card
    too_many: Citation


@dataclass(frozen=True)
class DealLaw:
    """What becomes of hole cards that are boxed, exposed, too many or too few."""

    boxed: Citation
    exposed: Citation
    count: Citation


@dataclass(frozen=True, eq=False)
class Law:
    hole: int  # cards each player is dealt
    high: Rank
    low: Rank | None  # where the pot is split between high and low
    no_low: int  # what `low` says where none qualifies
    with_other_cards: Rank | None  # as `high`, were a hand not bound to so many of its own cards
    in_words: Callable[[bytes, bytes], str]  # what a hand is with its board, for people
    betting: BettingLaw
    board: BoardLaw
    deal: DealLaw
    pots: PotCites
    pickup: Citation
    deal_and_rack_agree: Citation
    deck: Citation
    showdown: Citation
    fee: Citation | None = None  # that the pots pay a fee; None where no schedule is printed
