"""One round for people: whose hand was what, and in which order wagers were settled."""

from __future__ import annotations

import numpy as np

from replay.cards.reading import RackReading
from replay.cards.solver.evidence import Hand, Parts
from replay.checks.action_button import Short
from replay.families.three_card.deal import AS_FILED, NO_WAY, OTHER_DIRECTION
from replay.families.three_card.hands import Hands, Sources
from replay.families.three_card.pickup import situation_of
from replay.families.three_card.settlement import Chosen, Ranked, cards_judged
from replay.game import HandView
from replay.rounds import UNKNOWN
from schemas.money import dollars

_DELIVERED = {AS_FILED: "", OTHER_DIRECTION: "the other way round", NO_WAY: "in no order there is a method for"}


def hand_views(row: int, sources: Sources, hands: Hands, ranked: Ranked) -> list[HandView]:
    """The hands of one round, the player-dealer's first; of several readings, the first."""
    seats, law, views = sources.seats, sources.terms.law, []
    against = int(seats.against[row])
    places = [place for place in sources.places(row) if hands.known[row, place]]
    for place in sorted(places, key=lambda place: (place != against, place)):
        notes = [law.in_words(int(ranked.strength[row, place]))]
        if place == against:
            notes.append("player-dealer" if ranked.qualifies[row] else "player-dealer, does not qualify")
        else:
            notes.append("folded" if seats.folded[row, place] else "played")
        notes += ["voided"] if seats.voided[row, place] else []
        notes += _classes(row, place, sources, hands, ranked)
        several = hands.readings.get(row, ())
        notes += [f"one of {len(several)} readings"] if len(several) > 1 else []
        views.append(HandView(f"seat {place}", (("", hands.cards[row, place].tobytes()),), "; ".join(notes)))
    return views


def _classes(row: int, place: int, sources: Sources, hands: Hands, ranked: Ranked) -> list[str]:
    """What the cards are by the pay tables of the bonus bets made on them."""
    seats, found = sources.seats, []
    mine = np.flatnonzero((seats.wagers.row == row) & (seats.at == place))
    for number, side in enumerate(sources.terms.sides):
        bets = mine[seats.kind[mine] == number + 2]
        on_both = side.on_both_hands and not ranked.against_known[row]
        if not len(bets) or on_both or place == seats.against[row]:
            continue
        chosen = Chosen(seats, hands, ranked, bets[:1], np.array([row]))
        hand_class = int(side.classes.of(cards_judged(chosen, side))[0])
        if hand_class != side.nothing:
            found.append(f"{side.law.title}: {side.class_in_words(hand_class)}")
    return found


def rack_reading(row: int, sources: Sources, hands: Hands) -> RackReading:
    """How one round's rack was read; of several readings, by the first."""
    terms, deal, places = sources.terms, sources.deal(row), sources.places(row)
    held: dict[Hand, Parts] = {
        (place, 0): (("", hands.cards[row, place].tobytes()),) for place in places if hands.known[row, place]
    }
    went = None
    if deal.read:
        went = deal.of({place: b"".join(cards for _, cards in parts) for (place, _), parts in held.items()})
        went = went or deal.ways[0]
    return RackReading(
        terms.pickup,
        situation_of(sources.seats, row, int(sources.followed[row])),
        held,
        frozenset(terms.deck),
        terms.decks,
        terms.method,
        {} if went is None else {(place, 0): cards for place, cards in went.by_place.items()},
        delivered="" if went is None else _DELIVERED[went.way],
        shown={(place, 0): seen for place, seen in sources.shown(row).items()},
        readings=max(len(hands.readings.get(row, ())), 1),
    )


def settlement_order(row: int, sources: Sources, short: Short | None) -> str:
    """In which order the wagers were taken in turn, and from where on."""
    law, posted = sources.terms.law, int(sources.batch.bank_posted_cents[row])
    begin = int(sources.followed[row])
    where = f"from seat {begin} on, clockwise" if begin else "clockwise from the action button"
    said = f"what folded hands lost first, then {where}, {law.settlement_order}"
    if short is None:
        return said if posted == UNKNOWN else f"{said}; the {dollars(posted)} posted covers everything that moves"
    return f"{said}; {dollars(short.moves)} moves, and {dollars(posted)} is posted"
