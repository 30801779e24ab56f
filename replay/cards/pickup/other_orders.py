"""Other orders of pickup that a table may really keep: those filed beside its own, and the usual ones.

Where every rack of a table contradicts the procedure filed, this is what is tried. An order is the one filed with one
thing or two done otherwise: round the other way, the high hand before the low, the last hand first, the cards left over
at the other end, or the Banker hand before the Player hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from replay.cards.pickup.procedure import Laid, LaidRule, Order, PickupStep, Procedure, What
from replay.cards.pickup.words import Word, parse_clause

_Steps = tuple[PickupStep, ...]


class OtherOrder(NamedTuple):
    said: str  # in words: how it differs from the one filed
    procedure: Procedure


def other_orders(filed: Procedure, beside: Mapping[str, Procedure]) -> Iterator[OtherOrder]:
    """Those filed beside it, by name; then the usual ones, with one thing done otherwise before two."""
    for name, procedure in beside.items():
        if procedure != filed:
            yield OtherOrder(f"procedure {name!r} of the pack", procedure)
    known = [filed.steps]
    for count in (1, 2):
        for chosen in combinations(_OTHERWISE.items(), count):
            steps = filed.steps
            for _, change in chosen:
                steps = change(steps)
            if steps not in known:
                known.append(steps)
                said = " and ".join(words for words, _ in chosen)
                # Not validated: an idle step does no harm here.
                yield OtherOrder(said, filed.model_copy(update={"id": f"{filed.id}: {said}", "steps": steps}))


_TURNED = {Order.BY_PLACE: Order.BY_PLACE_DOWN, Order.BY_PLACE_DOWN: Order.BY_PLACE}
_OTHERWISE_LAID = {Laid.LOW_HIGH: Laid.HIGH_LOW, Laid.HIGH_LOW: Laid.LOW_HIGH}


def _other_way_round(steps: _Steps) -> _Steps:
    return tuple(step.model_copy(update={"order": _TURNED.get(step.order, step.order)}) for step in steps)


def _other_hand_first(steps: _Steps) -> _Steps:
    return tuple(step.model_copy(update={"laid": _laid_otherwise(step.laid)}) for step in steps)


def _laid_otherwise(laid: Laid | tuple[LaidRule, ...]) -> Laid | tuple[LaidRule, ...]:
    if isinstance(laid, Laid):
        return _OTHERWISE_LAID.get(laid, laid)
    return tuple(rule.model_copy(update={"how": _OTHERWISE_LAID.get(rule.how, rule.how)}) for rule in laid)


def _last_hand_first(steps: _Steps) -> _Steps:
    """The hand the others are settled against goes in before theirs."""
    last = steps[-1]
    if last.what is not What.HANDS or last.whose:
        return steps
    first = last.model_copy(update={"whose": (parse_clause(Word.AGAINST),)})
    at = next(number for number, step in enumerate(steps) if step.what is What.HANDS)
    return (*steps[:at], first, *steps[at:])


def _left_over_at_other_end(steps: _Steps) -> _Steps:
    stub = [step for step in steps if step.what is What.STUB]
    others = tuple(step for step in steps if step.what is not What.STUB)
    if not stub:
        return steps
    return (*others, *stub) if steps[0] in stub else (*stub, *others)


def _banker_and_player(steps: _Steps) -> _Steps:
    both = {What.PLAYER_HAND, What.BANKER_HAND}
    hands = [step for step in steps if step.what in both]
    in_turn = iter(reversed(hands))
    return tuple(next(in_turn) if step.what in both else step for step in steps)


_OTHERWISE: dict[str, Callable[[_Steps], _Steps]] = {
    "round the table the other way": _other_way_round,
    "the high hand of each place before the low, or the low before the high where that is filed": _other_hand_first,
    "the hand everyone played against first": _last_hand_first,
    "the cards left over at the other end": _left_over_at_other_end,
    "the Player and the Banker hand in each other's turn": _banker_and_player,
}
