"""The reported settlements as a witness of whose hand lay where (`replay.cards.solver.evidence.HoldAgainst`).

Only the solver is told: what a wager should come to is never worked out from what was reported of it (`replay.game`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from replay.cards.solver.evidence import Denied, Objections, Reading
from replay.cards.solver.layout import STUB
from replay.compare.denied import Denials
from replay.families.three_card.hands import Sources, cards_in_columns, hands_in, sources_of
from replay.families.three_card.seats import seats_of
from replay.families.three_card.settlement import settle
from replay.rounds import Fact
from schemas.cards import JOKER_1

_AT_ONCE = 256  # readings settled together


def held_in(reading: Reading) -> dict[int, bytes]:
    """The hands of a reading of the solver's."""
    return {place: b"".join(held for _, held in parts) for (place, _), parts in reading.hands.items() if place != STUB}


class SettledAs:
    """The reports of one round."""

    def __init__(self, sources: Sources, row: int) -> None:
        self._sources, self._row = sources, row
        facts = sources.batch.facts
        reports = (facts.row == row) & (facts.kind == Fact.SETTLED)
        self.reported = tuple(facts.seq[reports].tolist())  # the events
        self._seats = len(set(facts.seat[reports].tolist()))
        self._card = int(sources.placed.card[row])
        self._button_seq = int(sources.placed.seq[row])
        if self._card < JOKER_1:
            self.reported += (self._button_seq,)
        self._known: dict[object, Objections] = {}

    def __call__(self, readings: Sequence[Reading]) -> Sequence[Objections]:
        if not self.reported:
            return [Objections()] * len(readings)
        waiting = list({one.key: one for one in reversed(readings) if one.key not in self._known}.items())
        for at in range(0, len(waiting), _AT_ONCE):
            some = waiting[at : at + _AT_ONCE]
            for (key, one), denied in zip(some, self._denied([one for _, one in some]), strict=True):
                self._known[key] = self._objections(denied, held_in(one))
        return [self._known[one.key] for one in readings]

    def _objections(self, denied: Sequence[Denied], held: dict[int, bytes]) -> Objections:
        """The card that decided the action button is a witness of the player-dealer's hand (rulings.md R-30)."""
        found = Objections(tuple(denied), misjudged=len({one.place for one in denied}), among=self._seats)
        against = int(self._sources.seats.against[self._row])
        cards = held.get(against, b"")
        if self._card < JOKER_1 and len(cards) == self._sources.terms.hand and self._card not in cards:
            return found._replace(button=(Denied(against, (self._button_seq,)),))
        return found

    def _denied(self, readings: Sequence[Reading]) -> list[list[Denied]]:
        terms, count = self._sources.terms, len(readings)
        copies = self._sources.batch.take(np.full(count, self._row))
        sources = sources_of(copies, seats_of(copies, terms), terms)
        cards = np.stack([cards_in_columns(held_in(one), terms) for one in readings])
        hands = hands_in(sources, np.arange(count), cards, np.zeros(count, np.uint8), {})
        denials = Denials(copies, settle(sources, hands).lines)
        return [denials.of(at) for at in range(count)]
