"""One round for people: whose hand was what, and in which order wagers were settled."""

from __future__ import annotations

from replay.cards.reading import RackReading
from replay.cards.solver.evidence import Hand, Parts, ShownHand
from replay.families.split_hands.deal import AS_FILED, NO_WAY, method_filed, ways_dealt
from replay.families.split_hands.hands import Hands, Sources
from replay.families.split_hands.pickup import situation_of
from replay.families.split_hands.ranked import Ranked
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.terms import Side, Terms
from replay.families.split_hands.wager_law import NO_CHOICE, JudgedOn
from replay.game import HandView
from replay.rounds import UNKNOWN, Fact
from schemas.plurals import in_words


def hand_views(row: int, seats: Seats, hands: Hands, ranked: Ranked, terms: Terms) -> list[HandView]:
    """The hands of one round, dealer first; of several readings, the first."""
    views, law, set_low = [], terms.law, terms.geometry.low
    readings, against = len(hands.readings.get(row, [row])), int(seats.against[row])
    for place in terms.geometry.hand_places:
        if not hands.known[row, place] or (place and not seats.wagered[row, place] and place != against):
            continue
        cards = bytes(hands.cards[row, place].tolist())
        notes = []
        if hands.set_known[row, place] and (place in (0, against) or seats.exposed[row, place]):
            low, high = int(ranked.low[row, place]), int(ranked.high[row, place])
            parts: tuple[tuple[str, bytes], ...] = (("low", cards[:set_low]), ("high", cards[set_low:]))
            notes.append(f"{law.in_words(low)} low, {law.in_words(high)} high")
            if bool(law.fouled(ranked.low[row, place], ranked.high[row, place])):
                notes.append("foul")
        else:
            parts = (("", cards),)
            if hands.set_wrong[row, place]:
                notes.append("set in hands of the wrong size")
        if place == against:
            due = int(ranked.against_low[row]), int(ranked.against_high[row])
            if hands.set_known[row, place] and (low, high) != due:
                notes.append("not set the house way")
            pushes = terms.variant.pushes
            if pushes is not None and pushes.holds(hands.cards[row, place][None, :].copy())[0]:
                notes.append(pushes.called)
            if place:
                notes.append("the player-dealer" if seats.player_dealt[row] else "the bank")
        elif place:
            if seats.surrendered[row, place]:
                notes.append("surrendered")
            if seats.voided[row, place]:
                notes.append("voided")
            notes += _classes(row, place, seats, hands, terms)
        if readings > 1:
            notes.append(f"one of {readings} readings")
        views.append(HandView("dealer" if place == 0 else f"seat {place}", parts, "; ".join(notes)))
    return views


def _classes(row: int, place: int, seats: Seats, hands: Hands, terms: Terms) -> list[str]:
    """What the cards are for the side wagers that are judged on them: for the first one there is whoever placed it, for
    the others where the place has one."""
    cards, found = hands.cards[row, place][None, :].copy(), []
    own = [one.side for one in seats.sides if _on_cards_alone(one.side)]
    for one in seats.sides:
        side = one.side
        if side not in own:
            continue
        first = side is own[0]
        number = int(side.class_of[""](cards)[0]) if first or one.live[row, place] else side.nothing
        if number != side.nothing:
            what = f"{in_words(terms.geometry.cards)} cards" if first else side.law.title
            found.append(f"{what}: {side.class_in_words(number)}")
    return found


def _on_cards_alone(side: Side) -> bool:
    return side.law.judged_on is JudgedOn.OWN_CARDS and side.law.choices == NO_CHOICE


def rack_reading(row: int, sources: Sources, hands: Hands, start: int, terms: Terms) -> RackReading:
    """How one round's rack was read; of several readings, by the first. `start` is where its deal began."""
    seats, pickup, deal, shown = sources.seats, sources.pickup, sources.deal, sources.shown
    geometry, set_low = terms.geometry, terms.geometry.low
    held: dict[Hand, Parts] = {}
    seen: dict[Hand, ShownHand] = {}
    for place in geometry.hand_places:
        if hands.known[row, place]:
            cards = hands.cards[row, place].tobytes()
            is_set = bool(hands.set_known[row, place]) and not pickup.unset[row, place]
            is_set &= place in (0, int(seats.against[row])) or bool(seats.exposed[row, place])
            held[place, 0] = (("low", cards[:set_low]), ("high", cards[set_low:])) if is_set else (("", cards),)
        if shown.set_right[row, place]:
            seen[place, 0] = ShownHand(shown.cards[row, place].tobytes(), set_low)
    dealt: dict[Hand, bytes] = {}
    delivered = ""
    if deal.read[row] and sources.counts[row] and start != UNKNOWN:
        dealt = {
            (place, 0): deal.turns[row, geometry.turn_of_place[start, place]].tobytes()
            for place in geometry.hand_places
        }
        if deal.way[row] == NO_WAY:
            delivered = "in no order there is a method for"
        elif deal.way[row] != AS_FILED:
            delivered = ways_dealt(terms)[deal.way[row]].words
    facts = sources.batch.facts.of(Fact.BOXED, Fact.EXPOSED)
    marks = {
        int(card): int(kind) for of, card, kind in zip(facts.row, facts.card, facts.kind, strict=True) if of == row
    }
    return RackReading(
        pickup.procedure,
        situation_of(pickup, seats, row),
        held,
        frozenset(geometry.deck),
        1,
        method_filed(terms),
        dealt,
        start,
        delivered,
        seen,
        {card: "found face up" if kind == Fact.BOXED else "exposed" for card, kind in marks.items()},
        len(hands.readings.get(row, [row])),
    )


def settlement_order(seats: Seats, row: int, terms: Terms) -> str:
    """MA-PGP §9(f), §15(d)(1): from the dealer's right, counterclockwise."""
    places = [str(place) for place in range(1, terms.geometry.places) if seats.exposed[row, place]]
    order = f"seats {', '.join(places)} in turn" if places else "no hand exposed"
    order = f"seat {places[0]}" if len(places) == 1 else order
    if terms.law.player_dealer is not None:
        return f"from the action button clockwise, {terms.law.settlement_order}"
    if seats.envy[row].any():
        order += f", {terms.law.settlement_order}"
    return order
