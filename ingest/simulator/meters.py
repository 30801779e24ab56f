"""Progressive meters of simulated tables: what is said of them, and what they stand at when it is said.

A meter that several tables feed moves between the events of each, so nothing of a meter is worked out before it is
spoken: an event says what it says at its own moment (`Say.as_spoken`). MA-PGP §14(e) to (g), §16(e)(2), (3); R-25,
R-46.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.simulator.voice import PROGRESSIVE, Say

if TYPE_CHECKING:
    from ingest.simulator.played import Bet, Settled

NOT_SET = -1
ALL = 100


@dataclass
class Meter:
    """One meter, of one table or of several."""

    name: str
    rate: int
    """What it gets of a wager, in hundredths of a percent."""
    seed_cents: int
    cents: int = NOT_SET

    def part_of(self, wager_cents: int) -> int:
        """Rounded down to the cent (R-46)."""
        return wager_cents * self.rate // 10_000


@dataclass
class Contribution:
    """What a wager adds to a meter."""

    bet: Bet
    meter: Meter
    cents: int
    beside_cents: int = 0
    """What the meter moves by at the same time, though nobody says so."""


@dataclass
class MeterPayout:
    """A progressive wager won: a share of a meter, or a sum that comes off it or does not."""

    settled: Settled
    meter: Meter
    percent: int
    """Of the meter; 0 where it is a sum."""
    comes_off: bool
    planned_cents: int = 0
    """The share as the meter stood when the round was worked out; it is paid as it stands at its turn."""
    stood_cents: int = 0
    """What the meter stood at then, at its turn."""
    reset_cents: int | None = None
    """What the meter is set to once all of it was paid, where that is not its seed."""
    said: Say | None = None


@dataclass
class OfMeters:
    """What a round does to meters."""

    contributions: list[Contribution] = field(default_factory=list)
    payouts: list[MeterPayout] = field(default_factory=list)
    says: list[Say] = field(default_factory=list)
    """What else is said of them during the round, once the wagers have been counted."""


def contributed(one: Contribution) -> Say:
    meter = one.meter
    said: dict[str, object] = {"meter": meter.name, "seat": one.bet.seat, "amount_cents": one.cents}

    def now() -> None:
        meter.cents += one.cents + one.beside_cents
        said["meter_cents"] = meter.cents

    return Say("progressive.contributed", said, PROGRESSIVE, as_spoken=now)


def plan_shares(payouts: Sequence[MeterPayout], contributions: Sequence[Contribution]) -> None:
    """What the shares come to if no other table moves the meters meanwhile, each in its turn."""
    meters = [one.meter for one in contributions] + [one.meter for one in payouts]
    stands = {id(meter): meter.cents for meter in meters}
    for fed in contributions:
        stands[id(fed.meter)] += fed.cents
    for one in payouts:
        at = id(one.meter)
        one.stood_cents = stands[at]
        if one.percent:
            one.planned_cents = one.settled.paid_cents = stands[at] * one.percent // ALL
        if one.comes_off:
            stands[at] = one.meter.seed_cents if one.percent == ALL else stands[at] - one.settled.paid_cents


def paid_from(payout: MeterPayout, settlement: Say) -> list[Say]:
    """What the meter pays, the settlement, and the meter being set to its seed once all of it was paid. The meter comes
    first: what it stands at when it pays is what is settled, whatever other tables add a moment later."""
    each, meter = payout.settled, payout.meter
    said: dict[str, object] = {"meter": meter.name, "seat": each.bet.seat, "from_meter": payout.comes_off}

    def now() -> None:
        if payout.percent and each.paid_cents == payout.planned_cents:
            each.paid_cents = payout.planned_cents = meter.cents * payout.percent // ALL
        if payout.comes_off:
            meter.cents = max(meter.cents - each.paid_cents, 0)
        said.update(amount_cents=each.paid_cents, meter_cents=meter.cents)

    def then() -> None:
        if payout.percent:
            settlement.data["paid_cents"] = each.paid_cents

    payout.said = Say("progressive.paid", said, PROGRESSIVE, as_spoken=now)
    settlement.as_spoken = then
    says = [payout.said, settlement]
    if payout.comes_off and payout.percent == ALL:
        says.append(set_to(meter, meter.seed_cents if payout.reset_cents is None else payout.reset_cents))
    return says


def set_to(meter: Meter, cents: int, by: str | None = None) -> Say:
    said: dict[str, object] = {"meter": meter.name, "value_cents": cents}
    if by is not None:
        said["by"] = by

    def now() -> None:
        meter.cents = cents

    return Say("meter.reset", said, PROGRESSIVE, as_spoken=now)


def read(meter: Meter, change_cents: int = 0) -> Say:
    """`change_cents`: by how much it has moved just before, though nobody says so."""
    said: dict[str, object] = {"meter": meter.name}

    def now() -> None:
        meter.cents += change_cents
        said["value_cents"] = meter.cents

    return Say("meter.read", said, PROGRESSIVE, as_spoken=now)
