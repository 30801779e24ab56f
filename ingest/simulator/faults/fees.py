"""What goes wrong with collection fees, in any game that takes them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Protocol

from ingest.simulator.faults.injection import Injection
from ingest.simulator.fees import Schedule
from ingest.simulator.played import Bet, Fee


class Charged(Protocol):
    """A round with fees."""

    fees: list[Fee]
    bets: list[Bet]


class Charging(Protocol):
    """A table that takes fees."""

    rng: Random
    schedule: Schedule

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
