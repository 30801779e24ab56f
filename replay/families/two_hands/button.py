"""The action button of a round held against the cards: by which card it goes, and how surely that is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from replay.checks.action_button import Seen, Short, button_held_against_cards, button_not_where_it_belongs
from replay.families.two_hands.hands import Hands, basis, card_events, confidence
from replay.families.two_hands.terms import Terms
from replay.money.bets import Voids
from replay.remarks import Remark
from replay.rounds import RoundBatch
from schemas.cards import name_of


def action_button(
    batch: RoundBatch, hands: Hands, wrong: Iterable[Short], short: Iterable[Short], voids: Voids, terms: Terms
) -> Iterator[Remark]:
    """BUTTON-802 and BUTTON-805. `wrong` are the rounds in which cover runs out and no reading of the cards has the
    button right; `short` those in which it runs out by the first."""
    law = terms.law.button

    def seen(row: int) -> Seen:
        return Seen(card_events(batch, row), confidence(hands, row), basis(hands, row))

    def why(row: int) -> str:
        card = int(hands.banker[row, 0])
        return f"{law.card} card {name_of(card)} {law.counts(card)}"

    yield from button_not_where_it_belongs(batch, wrong, why, seen, law.cite)
    rows = np.flatnonzero(hands.known & ~voids.rounds)
    deciding = [hands.banker[:, 0], *(hands.with_other(n).banker[:, 0] for n in range(1, hands.most_readings))]
    yield from button_held_against_cards(
        batch, rows, deciding, {round_.row for round_ in short}, terms.seats, seen, law
    )
