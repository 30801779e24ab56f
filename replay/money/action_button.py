"""The action button: whose wagers are settled first where the player-dealer's posted wager may not cover all of them.

California puts it down in one of two ways (rulings.md R-30, R-45): by the value of a card, counted seat by seat from
the player-dealer's left or from the house dealer's, the player-dealer never counted; or, where piles are dealt, at the
seat that got the first pile or at the one after it. Here too is where the devices say it was put.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from replay.citations import rule
from replay.rounds import UNKNOWN, Cards, Fact, Ints, RoundBatch
from schemas.cards import NO_CARD
from schemas.places import Numbering, Ring

# ---- where it belongs ----------------------------------------------------------------------------------------------


@rule("rulings.md", "R-30", "the player-dealer is never counted, also when the count goes round again")
def counted_button(value: Ints, player_dealer: Ints, ring: Ring) -> Ints:
    """The seat with the action button, counted clockwise from the player-dealer's left by the value of a card (ace 1,
    king 13): Pure 21.5, Supreme Baccarat."""
    return _clockwise(player_dealer, (value - 1) % (ring.seats - 1) + 1, ring)


@rule("CA", "Three Card Poker, Round of Play 8", "starting with the player to the left of the house dealer")
def counted_button_from_house(value: Ints, player_dealer: Ints, ring: Ring) -> Ints:
    """The same counted from the *house* dealer's left, where seat 1 is (rulings.md R-38): Three Card Poker."""
    seat: Ints = (value - 1) % (ring.seats - 1) + 1
    return np.asarray(seat + (seat >= player_dealer))


@rule("rulings.md", "R-45", "Double Hand's button is on the seat that got the first pile; Fortune's one seat clockwise")
def button_of_piles(first_pile: Ints, ring: Ring, one_on: bool) -> Ints:
    """The seat with the action button where piles are dealt: that of the first pile, or (`one_on`) the next one."""
    return _clockwise(first_pile, int(one_on), ring)


def _clockwise(seat: Ints, steps: Ints | int, ring: Ring) -> Ints:
    """So many seats further clockwise."""
    clockwise = 1 if ring.numbering is Numbering.CLOCKWISE else -1
    reached: Ints = (seat - 1 + clockwise * steps) % ring.seats + 1
    return reached


# ---- where it was put ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ActionButtons:
    """Where the action button was last put in each round of a batch, and by which card."""

    seat: Ints  # UNKNOWN where none was reported
    seq: Ints  # the event that says so
    card: Cards  # the card that decided it, NO_CARD where none was named


class ActionButton(NamedTuple):
    """One round's."""

    seat: int
    seq: int
    card: int

    @staticmethod
    def of(batch: RoundBatch, row: int) -> ActionButton:
        placed = action_buttons(batch)
        return ActionButton(int(placed.seat[row]), int(placed.seq[row]), int(placed.card[row]))


def action_buttons(batch: RoundBatch) -> ActionButtons:
    facts = batch.facts.of(Fact.BUTTON)
    action = facts.choice == batch.name_id("action")
    seat, seq = np.full(len(batch), UNKNOWN, dtype=np.int64), np.full(len(batch), UNKNOWN, dtype=np.int64)
    card = np.full(len(batch), NO_CARD, dtype=np.uint8)
    row = facts.row[action]  # facts are in order, and the last one stays
    seat[row], seq[row], card[row] = facts.seat[action], facts.seq[action], facts.card[action]
    return ActionButtons(seat, seq, card)
