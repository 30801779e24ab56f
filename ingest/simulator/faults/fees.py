"""What goes wrong with collection fees, in any game that takes them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Protocol

from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.visible import schedules_of
from ingest.simulator.fees import Schedule
from ingest.simulator.plan import TablePlan
from ingest.simulator.played import Bet, Fee
from ingest.simulator.voice import Say

UNFILED_CENTS = 700  # no schedule of the texts has a fee of $7


class Charged(Protocol):
    """A round with fees."""

    fees: list[Fee]
    bets: list[Bet]
    late_says: list[Say]


class Charging(Protocol):
    """A table that takes fees."""

    rng: Random
    schedule: Schedule
    table: TablePlan

    @property
    def last_seat(self) -> int: ...


def _who(seat: int, bettor: str) -> str:
    return f"seat {seat}, {bettor}" if bettor else f"seat {seat}"


def not_taken(injection: Injection, played: Charged, table: Charging) -> None:
    if played.fees:
        fee = played.fees.pop(table.rng.randrange(len(played.fees)))
        injection.done(f"{fee.cents} cents from {_who(fee.seat, fee.bettor)} not taken", fee.seat)


def wrong_tier(injection: Injection, played: Charged, table: Charging) -> None:
    table.rng.shuffle(played.fees)
    for fee in played.fees:
        bands = table.schedule.player_dealer if fee.payer == "player_dealer" else table.schedule.player
        others = sorted({dollars * 100 for _, dollars in bands} - {0, fee.cents})
        if others:
            due, fee.cents = fee.cents, table.rng.choice(others)
            injection.done(f"{fee.cents} cents taken for {due}", fee.seat)
            return


def wrong_payer(injection: Injection, played: Charged, table: Charging) -> None:
    """A fee on top of those due, from a player who owes none."""
    owing = {(fee.seat, fee.bettor) for fee in played.fees}
    if table.schedule.player:
        free = [(seat, "") for seat in range(1, table.last_seat + 1)]
        betting = {(bet.seat, bet.bettor) for bet in played.bets}
        free = [player for player in free if player not in owing | betting]
    else:
        free = sorted({(bet.seat, bet.bettor) for bet in played.bets})
    if free:
        seat, bettor = table.rng.choice(free)
        played.fees.append(Fee("player", seat, 100, table.schedule.before_the_deal, bettor))
        injection.done(f"100 cents from {_who(seat, bettor)}, who owes none", seat)


def late(injection: Injection, played: Charged, table: Charging) -> None:
    if played.fees:
        fee = table.rng.choice(played.fees)
        fee.before_the_deal = not fee.before_the_deal
        side = "before" if fee.before_the_deal else "after"
        injection.done(f"{fee.cents} cents taken {side} the first card", fee.seat)


def twice(injection: Injection, played: Charged, table: Charging) -> None:
    if played.fees:
        fee = table.rng.choice(played.fees)
        played.fees.append(replace(fee))
        injection.done(f"{fee.cents} cents from {_who(fee.seat, fee.bettor)} taken twice", fee.seat)


def wrong_box(injection: Injection, played: Charged, table: Charging) -> None:
    if played.fees:
        fee = table.rng.choice(played.fees)
        fee.box = "tip box"
        injection.done(f"{fee.cents} cents dropped in the tip box", fee.seat)


def unfiled_rate(injection: Injection, played: Charged, table: Charging) -> None:
    if played.fees:
        fee = table.rng.choice(played.fees)
        due, fee.cents = fee.cents, UNFILED_CENTS
        injection.done(f"{fee.cents} cents taken for {due}", fee.seat)


def waived(injection: Injection, played: Charged, table: Charging) -> None:
    if played.fees:
        fee = table.rng.choice(played.fees)
        fee.waived = True
        injection.done(f"{fee.cents} cents from {_who(fee.seat, fee.bettor)} let off", fee.seat)


def given_back(injection: Injection, played: Charged, table: Charging) -> None:
    if played.fees:
        fee = table.rng.choice(played.fees)
        fee.given_back = True
        injection.done(f"{fee.cents} cents given back to {_who(fee.seat, fee.bettor)}", fee.seat)


def schedule_changed(injection: Injection, played: Charged, table: Charging) -> None:
    """To another one and back, before the round is over: the next round is played as before."""
    filed = table.table.filing()
    other = next(name for name in schedules_of(table.table) if name != filed["schedule"])
    limits = {name: filed[name] for name in ("table_minimum_cents", "table_maximum_cents")}
    for schedule, each in ((other, dict.fromkeys(limits, 0)), (filed["schedule"], limits)):
        played.late_says.append(Say("table.schedule_changed", {"schedule": schedule, **each, "by": "F-17"}))
    injection.done(f"the schedule changed to {other} and back")
