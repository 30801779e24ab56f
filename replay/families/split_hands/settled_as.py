"""The solver's readings as hands that can be settled, and the reported settlements as a witness of which one is true.

Two hands picked up in swapped order leave no trace in the cards; but where one of them won and the other lost, the
wagers were settled otherwise than the hands give as they lie. Only the solver is told so: what a wager should come to
is never worked out from what was reported of it (`replay.game`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from replay.cards.solver.evidence import HOLE, Denied, Objections, Reading
from replay.compare.denied import denied_by
from replay.families.split_hands.geometry import Geometry
from replay.families.split_hands.hands import Hands, Sources
from replay.families.split_hands.judged import FirstDealt, first_dealt
from replay.families.split_hands.seats import seats_of
from replay.families.split_hands.settlement import settle
from replay.families.split_hands.terms import Terms
from replay.rounds import UNKNOWN, Cards, Fact

Bools = npt.NDArray[np.bool_]

_AT_ONCE = 256  # readings settled together: what a batch costs beside its rounds is paid once for so many


def entry_of(reading: Reading, geometry: Geometry) -> tuple[Cards, Bools, Bools]:
    """One reading as an entry of `Hands`: cards, known, set_known."""
    cards = np.empty((geometry.places, geometry.cards), np.uint8)
    cards[:] = geometry.nobody
    known, set_known = np.zeros(geometry.places, bool), np.zeros(geometry.places, bool)
    for (place, _), parts in reading.hands.items():
        held = b"".join(part for _, part in parts)
        if len(held) == len(set(held)) == geometry.cards and HOLE not in held and max(held) < geometry.deck_size:
            cards[place] = np.frombuffer(held, np.uint8)
            known[place] = True
            set_known[place] = len(parts) > 1
    return cards, known, set_known


def set_as_shown(sources: Sources, row: int, cards: Cards, known: Bools, set_known: Bools, set_wrong: Bools) -> None:
    """Where the rack does not show a setting, the one shown counts, as in rounds with nothing odd."""
    shown = sources.shown
    same = shown.whole[row] & known & (shown.masks[row] == sources.terms.geometry.masks_of(cards))
    taken = same & shown.set_right[row] & ~set_known
    cards[taken] = shown.cards[row][taken]
    set_known |= taken
    set_wrong |= same & shown.set_wrong[row]


class SettledAs:
    """`replay.cards.solver.evidence.HoldAgainst` of one round."""

    def __init__(self, sources: Sources, terms: Terms, row: int) -> None:
        self._sources, self._terms, self._row = sources, terms, row
        facts = sources.batch.facts
        reports = (facts.row == row) & ((facts.kind == Fact.SETTLED) | (facts.kind == Fact.ENVY))
        self.reported = tuple(facts.seq[reports].tolist())  # the events
        self._seats = len(set(facts.seat[reports].tolist()))
        self._known: dict[object, Objections] = {}

    def __call__(self, readings: Sequence[Reading]) -> Sequence[Objections]:
        if not self.reported:
            return [Objections()] * len(readings)
        keys = [reading.key for reading in readings]
        new = {key: reading for key, reading in zip(keys, readings, strict=True) if key not in self._known}
        waiting = list(new.items())
        for at in range(0, len(waiting), _AT_ONCE):
            some = waiting[at : at + _AT_ONCE]
            found = self._settled([reading for _, reading in some])
            self._known.update(zip((key for key, _ in some), found, strict=True))
        return [self._known[key] for key in keys]

    def _settled(self, readings: Sequence[Reading]) -> Sequence[Objections]:
        """The reports each reading denies: the round settled once for each of them."""
        count, sources, geometry = len(readings), self._sources, self._terms.geometry
        shape = (count, geometry.places)
        cards = np.empty((*shape, geometry.cards), np.uint8)
        known, set_known, set_wrong = (np.zeros(shape, bool) for _ in range(3))
        for at, reading in enumerate(readings):
            cards[at], known[at], set_known[at] = entry_of(reading, geometry)
            set_as_shown(sources, self._row, cards[at], known[at], set_known[at], set_wrong[at])
        copies = sources.batch.take(np.full(count, self._row))
        seats = seats_of(copies, self._terms)
        button = np.full(count, sources.button_due[self._row])
        if seats.house_sets.all():  # that hand counts as the house way sets it, however it lies
            set_known[:, seats.against[0]] = False
        hands = Hands(
            np.arange(count),
            cards,
            known,
            set_known,
            set_wrong,
            {},
            np.full(count, UNKNOWN),
            np.zeros(shape, bool),
            np.broadcast_to(sources.shown.cards[self._row], cards.shape),
            np.broadcast_to(sources.shown.set_right[self._row], shape),
            [],
        )
        denied = denied_by(copies, settle(copies, seats, hands, self._terms, button, self._first(count)).lines)
        return [self._objections(one) for one in denied]

    def _first(self, count: int) -> FirstDealt | None:
        """The cards dealt first, for so many copies of the round, where the deal began where it should have."""
        sources = self._sources
        first = first_dealt(sources.deal, sources.presumed, sources.counts, self._terms)
        return None if first is None else first.taken(np.full(count, self._row))

    def _objections(self, denied: Sequence[Denied]) -> Objections:
        """Of wagers taken that a foul nobody saw may explain nobody is said to have settled them wrong; beside others
        that were, they are weighed as one misjudged more, else by how seldom such fouls are set."""
        wrong = tuple(one for one in denied if not one.foul_share)
        if wrong:
            return Objections(wrong, misjudged=len({one.place for one in denied}), among=self._seats)
        return Objections(share=math.prod(one.foul_share for one in denied))
