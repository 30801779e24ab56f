"""A pickup procedure carried out: from hands on the table to cards in the rack.

The forward direction, walked as a dealer would: at each step whatever it takes of what still lies on the table, in
order. It shares nothing with the search of `replay.cards.solver.readings` but the procedure's own words, so that rack
and reading can be held against each other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from replay.cards.pickup.procedure import LOW_CARDS, Laid, Order, PickupStep, Procedure, ProcedureError
from replay.cards.pickup.situation import HandSituation, Key, Situation
from replay.cards.pickup.words import Word


def pick_up(
    procedure: Procedure,
    situation: Situation,
    hands: Mapping[Key, bytes],
    came_true: Mapping[Key, Collection[Word]],
    button: int = 0,
) -> bytes:
    """The rack after these hands were picked up: each given with its low hand first, then the high one, then an eighth
    card. `came_true` says which of the open words turned out to be so. A hand that may go in at any time goes in when
    its step comes."""
    on_table = {hand.key: hand for hand in situation.hands}
    rack = b""
    for step in procedure.steps:
        now = []
        for hand in on_table.values():
            true = hand.true.union(came_true.get(hand.key, ()))
            if step.takes(hand.key.place, true):
                now.append((_turn(step, hand, situation, button), hand, step.laid_for(true)))
        for _, hand, laid in sorted(now, key=lambda one: one[0]):
            cards = hands.get(hand.key, b"")
            if len(cards) not in hand.counts:
                raise ValueError(f"hand {hand.key} has {len(cards)} cards; the situation allows {hand.counts}")
            rack += cards[LOW_CARDS:] + cards[:LOW_CARDS] if laid is Laid.HIGH_LOW else cards
            del on_table[hand.key]
    if on_table:
        left = ", ".join(map(str, on_table))
        raise ProcedureError(f"procedure {procedure.id}: no step picked up {left}")
    return rack


def _turn(step: PickupStep, hand: HandSituation, situation: Situation, button: int) -> tuple[int, int, int]:
    """When a hand's turn comes within a step."""
    place, number = hand.key
    match step.order:
        case Order.AS_ACTED:
            return hand.acted, place, number
        case Order.FROM_BUTTON:
            steps = 0
            while situation.ring.clockwise(button, steps) != place:
                steps += 1
            return steps, 0, number
        case Order.BY_PLACE_DOWN:
            return -place, 0, number
        case Order.BY_PLACE | Order.ANY_TIME:
            return place, 0, number
