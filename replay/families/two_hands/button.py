"""The action button of Supreme Baccarat as it was reported: where it was last put in each round, and by which card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from replay.rounds import UNKNOWN, Cards, Fact, Ints, RoundBatch
from schemas.cards import NO_CARD


@dataclass(frozen=True)
class ActionButtons:
    """A batch's, one entry a round."""

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
