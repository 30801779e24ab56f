"""What a table remembers of its progressive meters: what each stood at, and what was said of them between rounds.

A meter is said to stand at a value by a contribution or a payout (`meter_cents`, after it), by a reading and by being
set; where a step says none, it moved by its amount. What is known of one meter is a list (JSON has no other), never
changed once it is made: its name, what it stands at, the seq of the event that this is known from, and 1 where that was
a payout off it. A step between rounds is one too: its kind, its seq, the meter, the value, and who set it. Meters run
over days: only events that are missing make what is known of them unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from replay.rounds import UNKNOWN, Fact, FactRow
from schemas import events as ev
from schemas.events import Event

Meter = list[Any]
Step = list[Any]
METERS = "meters"  # what a round's context rests on
MOST_METERS = 64  # a table remembers, the ones not heard of for longest go first: nobody has more
MOST_STEPS = 64  # between two rounds; of more only what the meter stood at after the first ones is kept
_IN, _OUT, _READ, _RESET = (
    int(kind) for kind in (Fact.PROGRESSIVE_IN, Fact.PROGRESSIVE_OUT, Fact.METER, Fact.METER_RESET)
)
_OF_METERS = frozenset((_IN, _OUT, _READ, _RESET))


class Knows(Protocol):
    """The part of a table's or a round's context that is about this."""

    meters: list[Meter]
    meter_steps: list[Step]
    rests: dict[str, list[int]]


def said_between(context: Knows, event: Event) -> None:
    """A meter was read or set, and the event names no round. A reading of what the meter stands at is no step."""
    data, seq = event.data, event.seq
    if isinstance(data, ev.MeterRead):
        step = [_READ, seq, data.meter, data.value_cents, ""]
    elif isinstance(data, ev.MeterReset):
        step = [_RESET, seq, data.meter, data.value_cents, data.by or ""]
    else:
        raise TypeError(f"{event.type} says nothing of a meter")
    stands = {name: value for name, value, *_ in _after(context.meters, map(_fact_of, context.meter_steps))}
    if step[0] == _READ and stands.get(data.meter) == data.value_cents:
        return
    context.meter_steps = [*context.meter_steps, step]
    if len(context.meter_steps) > MOST_STEPS:
        first, *rest = context.meter_steps
        context.meters, context.meter_steps = _after(context.meters, [_fact_of(first)]), rest
    context.rests = {**context.rests, METERS: [context.rests.get(METERS, [seq])[0], seq]}


def not_known(context: Knows) -> None:
    """Events are missing: a meter may have moved by any sum in one of them."""
    context.meters, context.meter_steps = [], []
    if METERS in context.rests:
        context.rests = {name: at for name, at in context.rests.items() if name != METERS}


def facts(context: Knows) -> list[FactRow]:
    """What each meter stood at when the round began, as the round before left it, and what was said of it since."""
    stood = [
        FactRow(Fact.METER_STOOD, seq, choice=name, amount=value, code=paid)
        for name, value, seq, paid in context.meters
    ]
    return [*stood, *map(_fact_of, context.meter_steps)]


def after(context: Knows, of_round: Sequence[FactRow]) -> list[Meter]:
    """What each meter stands at after a round that began with this context and has these facts, those of the context
    among them."""
    steps = [fact for fact in of_round if fact.kind in _OF_METERS]
    return _after(context.meters, sorted(steps, key=_seq_of)) if steps else context.meters


def _fact_of(step: Step) -> FactRow:
    kind, seq, meter, value, by = step
    return FactRow(kind, seq, choice=meter, amount=value, wager=by)


def _seq_of(fact: FactRow) -> int:
    return fact.seq


def _after(meters: Sequence[Meter], steps: Iterable[FactRow]) -> list[Meter]:
    stands = {meter[0]: meter for meter in meters}
    for fact in steps:
        value = _value_after(fact, stands.get(fact.choice))
        stands.pop(fact.choice, None)
        if value is not None:
            stands[fact.choice] = [fact.choice, value, fact.seq, int(fact.kind == _OUT and fact.other == 1)]
    newest = sorted(stands.values(), key=lambda meter: int(meter[2]))[-MOST_METERS:]
    return sorted(newest)


def _value_after(fact: FactRow, before: Meter | None) -> int | None:
    """What the meter stands at after this step; None where neither it nor what was known before says."""
    if fact.kind in (_READ, _RESET):
        return fact.amount
    if fact.taken != UNKNOWN:
        return fact.taken
    if before is None:
        return None
    moved = fact.amount if fact.kind == _IN else -fact.amount if fact.other else 0
    return max(int(before[1]) + moved, 0)
