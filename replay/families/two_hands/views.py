"""A round for people: the hands as they were read, and the order its wagers were due to be settled in."""

from __future__ import annotations

from replay.cards.pickup.situation import HandSituation, Key, Situation
from replay.cards.reading import RackReading
from replay.cards.solver.evidence import Hand, Parts
from replay.cards.solver.layout import BANKER, PLAYER
from replay.checks.action_button import Short
from replay.families.two_hands import drawing
from replay.families.two_hands.hands import Hands
from replay.families.two_hands.readings import deal_readings, without_burned
from replay.families.two_hands.terms import Terms
from replay.game import HandView
from replay.rounds import RoundBatch
from schemas.cards import JOKER_1, NO_CARD
from schemas.money import dollars


def hands_view(hands: Hands, row: int, terms: Terms) -> list[HandView]:
    """Player and Banker; where the cards read two ways, both readings."""
    if not hands.known[row]:
        return []
    views = _both(hands, row, terms)
    for number in range(1, 1 + len(hands.others.get(row, ()))):
        views += _both(hands.with_other(number), row, terms, " (or)")
    return views


def _both(hands: Hands, row: int, terms: Terms, other: str = "") -> list[HandView]:
    views = []
    for name, cards in (("Player", hands.player[row : row + 1]), ("Banker", hands.banker[row : row + 1])):
        totals = drawing.total(cards)
        total, natural = int(totals[0]), bool(terms.drawing.natural(totals)[0])
        drew = cards[0, 2] != NO_CARD
        note = f"{total}, third card drawn" if drew else f"natural {total}" if natural else f"{total}"
        views.append(HandView(name + other, (("", bytes(cards[0, : 3 if drew else 2])),), note))
    return views


def order_view(short: Short | None, posted: int, terms: Terms) -> str:
    """How the wagers of a round are settled, in a sentence."""
    turns = f"{terms.law.turns}, clockwise from"
    if short is None:
        return f"{turns} the house dealer's left: everything that moves is covered"
    return (
        f"{turns} seat {short.button} (action button): {dollars(posted)} posted for {dollars(short.moves)} that moves"
    )


def rack_reading(batch: RoundBatch, row: int, hands: Hands, terms: Terms) -> RackReading:
    """How one round's rack was read; of two readings, by the first."""
    held: dict[Hand, Parts] = {}
    if hands.known[row]:
        for place, cards in ((PLAYER, hands.player[row]), (BANKER, hands.banker[row])):
            held[place, 0] = (("", cards[cards != NO_CARD].tobytes()),)
    _, cards_dealt, to = without_burned(
        batch.rack[row].tobytes(), batch.dealt[row].tobytes(), batch.dealt_to[row].tobytes()
    )
    deals = deal_readings(cards_dealt, to, terms.order)
    dealt = {(PLAYER, 0): deals[0].player, (BANKER, 0): deals[0].banker} if len(deals) == 1 else {}
    on_the_table = HandSituation(Key(PLAYER), (2, 3)), HandSituation(Key(BANKER), (2, 3))
    return RackReading(
        terms.pickup,
        Situation(on_the_table, terms.ring),
        held,
        frozenset(range(JOKER_1)),
        max(terms.decks, 1),
        terms.shoe,
        dealt,
        readings=1 + len(hands.others.get(row, ())),
    )
