"""What the progressive wagers of a case add to their meters when betting has closed, as devices would report it."""

from __future__ import annotations

from collections.abc import Iterable

from replay.money.meter import WHOLE, MeterLaw
from replay.rounds import UNKNOWN, Fact, FactRow
from schemas.cases import Case


def contributions(case: Case, seq: int, offered: Iterable[tuple[str, MeterLaw | None]]) -> list[FactRow]:
    """`offered` are the side wagers by name, each with the law of its meters; the first event is number `seq`."""
    facts: list[FactRow] = []
    for wager, law in offered:
        for meter in () if law is None else law.meters:
            stands = case.meters.get(meter.name, UNKNOWN)
            for seat, at in sorted(case.seats.items()):
                if wager not in at.wagers:
                    continue
                amount = at.wagers[wager] * meter.rate // WHOLE
                stands += amount if stands != UNKNOWN else 0
                facts.append(
                    FactRow(Fact.PROGRESSIVE_IN, seq + len(facts), seat, choice=meter.name, amount=amount, taken=stands)
                )
    return facts
