"""What goes wrong with what a bank gets or makes up at the end of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.faults.injection import Injection
from ingest.simulator.played import BANK_WAGER, Settled, SplitPlayed

if TYPE_CHECKING:
    from ingest.simulator.split_hands.table import SplitHandsTable


def _bank_line(played: SplitPlayed, outcome: str, co_banked: bool | None = None) -> Settled | None:
    if played.bank is None or co_banked not in (None, played.bank.kind == "co_bank"):
        return None
    lines = [each for each in played.settled if each.bet.wager == BANK_WAGER and each.outcome == outcome]
    return lines[0] if lines else None


def no_surplus_vigorish(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    line = _bank_line(played, "win")
    if line and line.vigorish_cents:
        due, line.vigorish_cents = line.vigorish_cents, 0
        injection.done(f"{due} cents on the bank's surplus not taken", line.bet.seat, BANK_WAGER)


def surplus_not_halved(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """A co-bank gets all of the surplus; the vigorish is what is due on its half."""
    line = _bank_line(played, "win", co_banked=True)
    if line:
        right, line.paid_cents = line.paid_cents, 2 * line.paid_cents
        injection.done(f"{line.paid_cents} cents of surplus for {right}", line.bet.seat, BANK_WAGER)


def shortfall_not_halved(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    line = _bank_line(played, "lose", co_banked=True)
    if line and line.taken_cents:
        right = line.taken_cents
        line.taken_cents = table.rng.choice((2 * right, right - 50 if right > 50 else right + 50))
        injection.done(f"{line.taken_cents} cents of the shortfall for {right}", line.bet.seat, BANK_WAGER)


def bank_paid_wrong(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    line = _bank_line(played, "win") or _bank_line(played, "lose")
    if line and line.paid_cents + line.taken_cents > 500:
        step = table.rng.choice((-500, 500))
        line.paid_cents += step * (line.outcome == "win")
        line.taken_cents += step * (line.outcome == "lose")
        injection.done(f"the centre of the table is {abs(step)} cents out", line.bet.seat, BANK_WAGER)
