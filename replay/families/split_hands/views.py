"""One round for people: whose hand was what, and in which order wagers were settled."""

from __future__ import annotations

from replay.cards.reading import RackReading
from replay.cards.solver.evidence import Hand, Parts, ShownHand
from replay.families.split_hands.deal import AS_FILED, NO_WAY, method_filed, ways_dealt
from replay.families.split_hands.hands import Hands, Sources
from replay.families.split_hands.pickup import situation_of
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.settlement import Ranked, describe_class
from replay.families.split_hands.terms import Terms
from replay.game import HandView
from replay.packs.ma.pai_gow_poker.v1.rules import DECK_SIZE, PLACES, fouled
from replay.ranking.five import Category, ranks_of
from replay.ranking.seven import FortuneClass
from replay.rounds import UNKNOWN, Fact
from schemas.cards import RANKS

_WORDS = {**{number: RANKS[number - 2] for number in range(2, 15)}, 1: "A"}


def strength_in_words(strength: int) -> str:
    """`pair K-9-7-4`, `straight A-5-4-3-2`, `high card A-Q`: the category, and the ranks it compares by."""
    kind = Category(strength >> 20).name.lower().replace("_", " ")
    return f"{kind} {'-'.join(_WORDS[rank] for rank in ranks_of(strength))}"


def hand_views(row: int, seats: Seats, hands: Hands, ranked: Ranked) -> list[HandView]:
    """The hands of one round, dealer first; of several readings, the first."""
    views = []
    readings = len(hands.readings.get(row, [row]))
    for place in range(PLACES):
        if not hands.known[row, place] or (place and not seats.wagered[row, place]):
            continue
        cards = bytes(hands.cards[row, place].tolist())
        notes = []
        if hands.set_known[row, place] and (place == 0 or seats.exposed[row, place]):
            low, high = int(ranked.low[row, place]), int(ranked.high[row, place])
            parts: tuple[tuple[str, bytes], ...] = (("low", cards[:2]), ("high", cards[2:]))
            notes.append(f"{strength_in_words(low)} low, {strength_in_words(high)} high")
            if bool(fouled(ranked.low[row, place], ranked.high[row, place])):
                notes.append("foul")
        else:
            parts = (("", cards),)
            if hands.set_wrong[row, place]:
                notes.append("set in hands of the wrong size")
        if place == 0:
            if hands.set_known[row, 0] and (low, high) != (int(ranked.dealer_low[row]), int(ranked.dealer_high[row])):
                notes.append("not set the house way")
        else:
            if seats.surrendered[row, place]:
                notes.append("surrendered")
            if seats.voided[row, place]:
                notes.append("voided")
            if int(ranked.hand_class[row, place]) != FortuneClass.NOTHING:
                notes.append(f"seven cards: {describe_class(int(ranked.hand_class[row, place]))}")
        if readings > 1:
            notes.append(f"one of {readings} readings")
        views.append(HandView("dealer" if place == 0 else f"seat {place}", parts, "; ".join(notes)))
    return views


def rack_reading(row: int, sources: Sources, hands: Hands, start: int, terms: Terms) -> RackReading:
    """How one round's rack was read; of several readings, by the first. `start` is where its deal began."""
    seats, pickup, deal, shown = sources.seats, sources.pickup, sources.deal, sources.shown
    held: dict[Hand, Parts] = {}
    seen: dict[Hand, ShownHand] = {}
    for place in range(PLACES):
        if hands.known[row, place]:
            cards = hands.cards[row, place].tobytes()
            is_set = bool(hands.set_known[row, place]) and not pickup.unset[row, place]
            is_set &= place == 0 or bool(seats.exposed[row, place])
            held[place, 0] = (("low", cards[:2]), ("high", cards[2:])) if is_set else (("", cards),)
        if shown.set_right[row, place]:
            seen[place, 0] = ShownHand(shown.cards[row, place].tobytes(), 2)
    dealt: dict[Hand, bytes] = {}
    delivered = ""
    if deal.read[row] and sources.counts[row] and start != UNKNOWN:
        dealt = {(place, 0): deal.turns[row, (start - place) % PLACES].tobytes() for place in range(PLACES)}
        if deal.way[row] == NO_WAY:
            delivered = "in no order there is a method for"
        elif deal.way[row] != AS_FILED:
            delivered = ways_dealt(terms.dealing)[deal.way[row]].words
    facts = sources.batch.facts.of(Fact.BOXED, Fact.EXPOSED)
    told = {int(card): int(kind) for of, card, kind in zip(facts.row, facts.card, facts.kind, strict=True) if of == row}
    return RackReading(
        pickup.procedure,
        situation_of(pickup, seats, row),
        held,
        frozenset(range(DECK_SIZE)),
        1,
        method_filed(terms.dealing),
        dealt,
        start,
        delivered,
        seen,
        {card: "found face up" if kind == Fact.BOXED else "exposed" for card, kind in told.items()},
        len(hands.readings.get(row, [row])),
    )


def settlement_order(seats: Seats, row: int, terms: Terms) -> str:
    """MA-PGP §9(f), §15(d)(1): from the dealer's right, counterclockwise."""
    places = [str(place) for place in range(1, PLACES) if seats.exposed[row, place]]
    order = f"seats {', '.join(places)} in turn" if places else "no hand exposed"
    if seats.envy[row].any() and terms.fortune is not None:
        order += ", each seat's pai gow poker wager and then its Fortune wager; envy bonuses after the last seat"
    return order
