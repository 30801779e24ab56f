"""BUTTON-802 and BUTTON-805: an action button that is not where it belongs, or was put down by the wrong card.

Where it belongs is worked out by the family (`replay.money.action_button` has the ways); the words for that, and by
which hands it is known, come from there as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from replay.citations import Citation
from replay.money.action_button import ActionButton, action_buttons
from replay.remarks import Remark
from replay.rounds import Array, Cards, Ints, RoundBatch
from schemas.cards import JOKER_1, name_of
from schemas.findings import LIKELY, Basis
from schemas.money import dollars


class Short(NamedTuple):
    """A round in which the posted wager does not cover everything that moves."""

    row: int
    moves: int  # what would move with full cover
    button: int  # the seat the action button belongs at
    placed: int  # the seat it was put at, -1 if it was not seen
    seq: int  # the event that put it there, -1


class Seen(NamedTuple):
    """By what it is known where the button of a round belongs."""

    evidence: tuple[int, ...]
    confidence: float
    basis: Basis


@dataclass(frozen=True)
class ButtonByCard:
    """What a pack says of an action button that a card decides."""

    seat: Callable[[Cards, Ints, int], Ints]  # where these cards put it: cards, player-dealers' seats, number of seats
    value: Callable[[Cards], Array]  # how many seats each card counts
    card: str  # which card that is: `the Banker hand's first`
    from_where: str  # `the player-dealer's left`
    cite: Citation  # that a button is used
    card_cite: Citation  # and by which card

    def counts(self, card: int) -> str:
        """`counts 4 from the player-dealer's left`."""
        return f"counts {self.value(np.array([card], dtype=np.uint8))[0]} from {self.from_where}"


def button_not_where_it_belongs(
    batch: RoundBatch, short: Iterable[Short], why: Callable[[int], str], seen: Callable[[int], Seen], cite: Citation
) -> Iterator[Remark]:
    """BUTTON-802: cover ran out, and the action button was not put where it belongs; `why` says of a round why it
    belongs there: `the first pile went to seat 3`."""
    for round_ in short:
        if round_.placed == round_.button:
            continue
        row, by = round_.row, seen(round_.row)
        unseen = round_.placed < 0
        where = "no action button was reported" if unseen else f"the action button was put at seat {round_.placed}"
        posted, moves = dollars(int(batch.bank_posted_cents[row])), dollars(round_.moves)
        yield Remark(
            row,
            "BUTTON-802",
            f"the {posted} posted by the player-dealer in seat {batch.bank_seat[row]} does not cover the {moves} that "
            f"moves, and {where}: {why(row)}, to seat {round_.button}",
            cite,
            evidence=_with(by.evidence, round_.seq, int(batch.bank_seq[row])),
            confidence=min(by.confidence, LIKELY) if unseen else by.confidence,
            basis=by.basis,
        )


def button_held_against_cards(
    batch: RoundBatch,
    rows: Ints,
    deciding: Sequence[Cards],
    remarked: Collection[int],
    seats: int,
    seen: Callable[[int], Seen],
    law: ButtonByCard,
) -> Iterator[Remark]:
    """BUTTON-805: by the card it names, another card decided the action button of these rounds than the one that does.
    And BUTTON-802: its seat does not follow from that card, though the cover went far enough for no wager to depend on
    it (of the rounds `told`, in which it does, `button_not_where_it_belongs` tells). `deciding` has the card that
    decides it in every round of the batch, once for each way the cards may be read: where one of these has it right,
    nothing can be said against it."""
    placed = action_buttons(batch)
    rows = rows[placed.card[rows] < JOKER_1]
    if not len(rows):
        return
    by_another = np.ones(len(rows), dtype=bool)
    for cards in deciding:
        by_another &= placed.card[rows] != cards[rows]
    bank = batch.bank_seat[rows]
    seated = (bank >= 1) & (bank <= seats)
    due = np.where(seated, law.seat(placed.card[rows], np.where(seated, bank, 1), seats), placed.seat[rows])
    needless = ~np.isin(rows, np.fromiter(remarked, np.int64, len(remarked)))
    for at in np.flatnonzero(by_another).tolist():
        row = int(rows[at])
        sentence = (
            f"the action button was put down by {name_of(int(placed.card[row]))}; the card that decides it, "
            f"{law.card}, is {name_of(int(deciding[0][row]))}"
        )
        yield _about_button(batch, row, "BUTTON-805", sentence, seen(row), law.card_cite)
    for at in np.flatnonzero((due != placed.seat[rows]) & needless & ~by_another).tolist():
        row, card = int(rows[at]), int(placed.card[rows[at]])
        sentence = (
            f"the action button was put at seat {placed.seat[row]} by {name_of(card)}, which {law.counts(card)}, to "
            f"seat {due[at]}; the posted money covers everything that moves, so no wager depends on it"
        )
        yield _about_button(batch, row, "BUTTON-802", sentence, seen(row), law.card_cite)


def _about_button(batch: RoundBatch, row: int, code: str, sentence: str, by: Seen, cite: Citation) -> Remark:
    evidence = _with(by.evidence, ActionButton.of(batch, row).seq)
    return Remark(row, code, sentence, cite, evidence=evidence, confidence=by.confidence, basis=by.basis)


def _with(evidence: tuple[int, ...], *seqs: int) -> tuple[int, ...]:
    return tuple(sorted({*evidence, *(seq for seq in seqs if seq >= 0)}))
