"""One round for people: whose hand was what, and in which order wagers were settled."""

from __future__ import annotations

from replay.cards.pickup.procedure import LOW_CARDS
from replay.cards.reading import RackReading
from replay.cards.solver.evidence import Hand, Parts, ShownHand
from replay.families.ante_raise.deal import AS_FILED, NO_WAY, OTHER_DIRECTION
from replay.families.ante_raise.fared import Dealers, Fared, strengths
from replay.families.ante_raise.hands import Hands, Sources
from replay.families.ante_raise.pickup import situation_of
from replay.game import HandView
from schemas.places import DEALER

_DELIVERED = {AS_FILED: "", OTHER_DIRECTION: "the other way round", NO_WAY: "in no order there is a method for"}


def hand_views(row: int, sources: Sources, hands: Hands, dealers: Dealers, fared: Fared) -> list[HandView]:
    """The hands of one round, dealer first; of several readings, the first."""
    seats, law, views = sources.seats, sources.terms.law, []
    for place in range(sources.terms.places):
        count = int(hands.count[row, place])
        if not count:
            continue
        cards = hands.cards[row, place, :count].tobytes()
        notes = []
        parts: tuple[tuple[str, bytes], ...] = (("", cards),)
        if hands.set_known[row, place]:
            parts = _parts(cards, law.cards.whole)
            low, high = strengths(hands.cards[row, place][None, :], sources.terms)
            notes.append(f"{law.in_words(int(low[0]))} low, {law.in_words(int(high[0]))} high")
        if place == DEALER and dealers.known[row]:
            house = dealers.house[row].tobytes()
            if hands.set_known[row, place] and house[-1] // 4 != cards[-1] // 4:
                notes.append("not set the house way")
        elif place != DEALER:
            notes.append("raised" if seats.raised[row, place] else "folded")
            notes += ["foul"] if fared.foul[row, place] else []
            notes += ["voided"] if seats.voided[row, place] else []
            notes += _classes(row, place, sources, hands)
        if len(hands.readings.get(row, ())) > 1:
            notes.append(f"one of {len(hands.readings[row])} readings")
        views.append(HandView("dealer" if place == DEALER else f"seat {place}", parts, "; ".join(notes)))
    return views


def _parts(cards: bytes, whole: int) -> tuple[tuple[str, bytes], ...]:
    parts = (("low", cards[:LOW_CARDS]), ("high", cards[LOW_CARDS:whole]))
    return (*parts, ("eighth", cards[whole:])) if len(cards) > whole else parts


def _classes(row: int, place: int, sources: Sources, hands: Hands) -> list[str]:
    """What the cards are by the pay tables that are judged on them."""
    whole = sources.terms.law.cards.whole
    if hands.count[row, place] != whole:
        return []
    cards, found = hands.cards[row, place, :whole][None, :].copy(), []
    asked = [(sources.terms.law.royalty.title, sources.terms.royalty)] if sources.seats.raised[row, place] else []
    for side, there in zip(sources.terms.sides, sources.seats.of_side, strict=True):
        if side.on_own_cards and there[row, place]:
            asked.append((side.law.title, side.paid))
    for title, paid in asked:
        number = int(paid.classes.of(cards)[0])
        if number != paid.nothing:
            found.append(f"{title}: {paid.class_in_words(number)}")
    return found


def rack_reading(row: int, sources: Sources, hands: Hands) -> RackReading:
    """How one round's rack was read; of several readings, by the first."""
    terms, deal = sources.terms, sources.deals[row]
    held: dict[Hand, Parts] = {}
    for place in range(terms.places):
        cards = hands.cards[row, place, : int(hands.count[row, place])].tobytes()
        if cards:
            is_set = bool(hands.set_known[row, place]) and not sources.seats.rearranged[row, place]
            held[place, 0] = _parts(cards, terms.law.cards.whole) if is_set else (("", cards),)
    went = None
    if deal.read:
        went = deal.of({place: b"".join(cards for _, cards in parts) for (place, _), parts in held.items()})
        went = went or deal.ways[0]
    sizes = next(iter(sources.sizes(row)), sources.due(row))
    known = tuple(int(count) or size for count, size in zip(hands.count[row].tolist(), sizes, strict=True))
    return RackReading(
        sources.procedure,
        situation_of(sources.seats, row, known),
        held,
        frozenset(terms.deck),
        1,
        terms.method,
        {} if went is None else {(place, 0): cards for place, cards in went.by_place.items()},
        delivered="" if went is None else _DELIVERED[went.way],
        shown={(place, 0): ShownHand(seen.cards, seen.low) for place, seen in sources.shown[row].items()},
        readings=max(len(hands.readings.get(row, ())), 1),
    )


def settlement_order(row: int, sources: Sources) -> str:
    places = [str(place) for place in range(1, sources.terms.places) if sources.seats.dealt_in[row, place]]
    return f"seats {', '.join(places)} in turn, {sources.terms.law.settlement_order}" if places else "nobody played"
