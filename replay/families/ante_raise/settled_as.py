"""The reported settlements as a witness of whose hand lay where (`replay.cards.solver.evidence.HoldAgainst`).

Only the solver is told: what a wager should come to is never worked out from what was reported of it (`replay.game`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from replay.cards.pickup.situation import Held
from replay.cards.solver.evidence import Denied, Objections, Reading
from replay.cards.solver.layout import STUB
from replay.compare.denied import Denials
from replay.families.ante_raise.hands import Sources, hands_of
from replay.families.ante_raise.seats import seats_of
from replay.families.ante_raise.settlement import settle
from replay.families.ante_raise.terms import Terms
from replay.rounds import Fact

_AT_ONCE = 256  # readings settled together


def held_in(reading: Reading, terms: Terms) -> dict[int, Held]:
    """The hands of a reading of the solver's that are hands: different cards of the deck."""
    found = {}
    for (place, _), parts in reading.hands.items():
        cards = b"".join(held for _, held in parts)
        if place != STUB and len(set(cards)) == len(cards) and max(cards, default=terms.deck_size) < terms.deck_size:
            found[place] = Held(cards, len(parts) > 1)
    return found


class SettledAs:
    """The reports of one round."""

    def __init__(self, sources: Sources, row: int) -> None:
        self._sources, self._row = sources, row
        facts = sources.batch.facts
        reports = (facts.row == row) & ((facts.kind == Fact.SETTLED) | (facts.kind == Fact.ENVY))
        self.reported = tuple(facts.seq[reports].tolist())  # the events
        self._seats = len(set(facts.seat[reports].tolist()))
        self._known: dict[object, Objections] = {}

    def __call__(self, readings: Sequence[Reading]) -> Sequence[Objections]:
        if not self.reported:
            return [Objections()] * len(readings)
        new = {one.key: one for one in reversed(readings) if one.key not in self._known}
        waiting = list(new.items())
        for at in range(0, len(waiting), _AT_ONCE):
            some = waiting[at : at + _AT_ONCE]
            for (key, _), denied in zip(some, self._denied([one for _, one in some]), strict=True):
                self._known[key] = self._objections(denied)
        return [self._known[one.key] for one in readings]

    def _objections(self, denied: Sequence[Denied]) -> Objections:
        """Of wagers taken that a foul nobody saw may explain nobody is said to have settled them wrong."""
        wrong = tuple(one for one in denied if not one.foul_share)
        if wrong:
            return Objections(wrong, misjudged=len({one.place for one in denied}), among=self._seats)
        return Objections(share=math.prod(one.foul_share for one in denied))

    def _denied(self, readings: Sequence[Reading]) -> list[list[Denied]]:
        sources, count = self._sources, len(readings)
        copies = sources.batch.take(np.full(count, self._row))
        copied = replace(
            sources,
            batch=copies,
            seats=seats_of(copies, sources.terms),
            deals=[sources.deals[self._row]] * count,
            shown=[sources.shown[self._row]] * count,
        )
        hands, _ = hands_of(copied, [[held_in(one, sources.terms)] for one in readings], range(count))
        denials = Denials(copies, settle(copies, copied.seats, hands, sources.terms).lines)
        return [denials.of(at) for at in range(count)]
