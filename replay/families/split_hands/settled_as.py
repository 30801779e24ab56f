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
from replay.compare.denied import Denials
from replay.families.split_hands.first_cards import first_dealt
from replay.families.split_hands.hands import Hands, Sources
from replay.families.split_hands.seats import seats_of
from replay.families.split_hands.settlement import settle
from replay.families.split_hands.terms import Terms
from replay.rounds import UNKNOWN, Cards, Fact, Ints

Bools = npt.NDArray[np.bool_]

_AT_ONCE = 256  # readings settled together: what a batch costs beside its rounds is paid once for so many


def entries_of(readings: Sequence[Reading], sources: Sources, rows: Ints) -> tuple[Cards, Bools, Bools, Bools]:
    """Readings of these rounds as entries of `Hands`: cards, known, set_known, set_wrong. Where the rack does not show
    a setting, the one shown counts, as in rounds with nothing odd."""
    geometry, shown = sources.terms.geometry, sources.shown
    unknown = bytes([HOLE]) * geometry.cards
    there: list[bytes] = []
    is_set: list[bool] = []
    for reading in readings:
        parts, by_place = reading.hands, reading.by_place
        for place in range(geometry.places):
            held = by_place.get(place, unknown)
            there.append(held if len(held) == geometry.cards else unknown)
            is_set.append(len(parts.get((place, 0), ())) > 1)
    shape = (len(readings), geometry.places)
    cards = np.frombuffer(b"".join(there), np.uint8).reshape(*shape, geometry.cards).copy()
    apart = (np.diff(np.sort(cards, axis=2), axis=2) > 0).all(axis=2)
    known = np.asarray(apart & (cards < geometry.deck_size).all(axis=2))
    cards[~known] = geometry.nobody
    set_known = np.asarray(np.array(is_set).reshape(shape) & known)
    same = shown.whole[rows] & known & (shown.masks[rows] == geometry.masks_of(cards))
    taken = same & shown.set_right[rows] & ~set_known
    cards[taken] = shown.cards[rows][taken]
    return cards, known, set_known | taken, same & shown.set_wrong[rows]


def shown_set_otherwise(sources: Sources, rows: Ints, cards: Cards, set_known: Bools) -> Bools:
    """Hands that were shown with the same cards in another setting: either may be how they were set."""
    shown, geometry = sources.shown, sources.terms.geometry
    same = shown.whole[rows] & shown.set_right[rows] & set_known & (shown.masks[rows] == geometry.masks_of(cards))
    low = np.s_[..., : geometry.low]
    return np.asarray(same & (geometry.masks_of(cards[low]) != geometry.masks_of(shown.cards[rows][low])))


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
        settle_together([(self, readings)])
        return [self._known[reading.key] for reading in readings]

    def unknown(self, readings: Sequence[Reading]) -> list[tuple[object, Reading]]:
        """Of these readings those that were not settled yet, each once."""
        if not self.reported:
            return []
        keyed = {reading.key: reading for reading in reversed(readings)}
        return [(key, reading) for key, reading in keyed.items() if key not in self._known]

    def learn(self, key: object, denied: Sequence[Denied]) -> None:
        """Of wagers taken that a foul nobody saw may explain nobody is said to have settled them wrong; beside others
        that were, they are weighed as one misjudged more, else by how seldom such fouls are set."""
        wrong = tuple(one for one in denied if not one.foul_share)
        if wrong:
            self._known[key] = Objections(wrong, misjudged=len({one.place for one in denied}), among=self._seats)
        else:
            self._known[key] = Objections(share=math.prod(one.foul_share for one in denied))

    @property
    def round(self) -> tuple[Sources, int]:
        return self._sources, self._row


def settle_together(asked: Sequence[tuple[SettledAs, Sequence[Reading]]]) -> None:
    """Settle the rounds of one batch by each of these readings, and tell each which reports it denies."""
    waiting = [(reports, key, reading) for reports, readings in asked for key, reading in reports.unknown(readings)]
    for at in range(0, len(waiting), _AT_ONCE):
        some = waiting[at : at + _AT_ONCE]
        sources, _ = some[0][0].round
        denied = _denied(sources, [reports.round[1] for reports, _, _ in some], [reading for _, _, reading in some])
        for (reports, key, _), one in zip(some, denied, strict=True):
            reports.learn(key, one)


def _denied(sources: Sources, rows: Sequence[int], readings: Sequence[Reading]) -> Sequence[Sequence[Denied]]:
    """The reports each reading denies: its round settled once for each of them."""
    count, row = len(readings), np.array(rows)
    cards, known, set_known, set_wrong = entries_of(readings, sources, row)
    disputed = shown_set_otherwise(sources, row, cards, known & set_known)
    copies = sources.batch.take(row)
    seats = seats_of(copies, sources.terms)
    sets = np.flatnonzero(seats.house_sets)
    set_known[sets, seats.against[sets]] = False  # that hand counts as the house way sets it, however it lies
    hands = Hands(
        np.arange(count),
        cards,
        known,
        set_known,
        set_wrong,
        {},
        np.full(count, UNKNOWN),
        disputed,
        sources.shown.cards[row],
        sources.shown.set_right[row],
        [],
    )
    first = first_dealt(sources, None, sources.presumed, ~sources.counts)
    first = None if first is None else first.taken(row)
    denials = Denials(copies, settle(copies, seats, hands, sources.terms, sources.button_due[row], first).lines)
    return [denials.of(at) for at in range(count)]
