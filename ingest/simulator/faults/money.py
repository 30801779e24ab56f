"""What goes wrong with wagers and their settlement, in any game: limits, the close of betting, what is paid and taken.

A fault does nothing where it would change nothing, or where somebody else's settlement would change with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from ingest.simulator.faults.injection import Injection
from ingest.simulator.played import BANK_WAGER, Bet, Played, Settled
from ingest.simulator.voice import LAYOUT, Say

if TYPE_CHECKING:
    from ingest.simulator.table import Table


def over_limit(injection: Injection, played: Played, table: Table) -> None:
    bet = table.any_bet(played)
    lowest, highest = table.limits(bet.wager)
    if table.rng.random() < 0.3 and lowest > 100:
        bet.cents = table.rng.randrange(100, lowest, 100)
    else:
        bet.cents = highest + 100 * table.rng.randrange(1, table.most_over)
    played.wager_says.append(Say("wager.changed", bet.where() | {"amount_cents": bet.cents}, LAYOUT))
    injection.done(f"{bet.cents} cents; the limits are {lowest} to {highest}", bet.seat, bet.wager)


def late(injection: Injection, played: Played, table: Table) -> None:
    """A wager is made, raised or taken back after the close; which, the game says."""
    table.bet_late(injection, played)


def of(played: Played, *outcomes: str, wager: str | None = None) -> list[Settled]:
    """The wagers settled in one of these ways; not what a bank has won or lost in the end."""
    return [
        each
        for each in played.settled
        if each.outcome in outcomes and wager in (None, each.bet.wager) and each.bet.wager != BANK_WAGER
    ]


def wrong_payout(injection: Injection, played: Played, table: Table) -> None:
    won = of(played, "win")
    room = table.room_cents(played)
    if not won or room is None:
        return
    settled = table.likeliest_wrong(won)
    right = settled.paid_cents
    tries = table.payout_errors(right, settled.bet.cents)
    wrong = [cents for cents in tries if 0 < cents <= right + room and cents != right]
    if wrong:
        settled.paid_cents = table.rng.choice(wrong)
        injection.done(f"paid {settled.paid_cents} cents for {right}", settled.bet.seat, settled.bet.wager)


def wrong_outcome(injection: Injection, played: Played, table: Table) -> None:
    room = table.room_cents(played)
    if room is None:
        return
    settled = table.rng.choice([each for each in of(played, "win", "lose", "push") if each.bet in played.bets])
    stake, right = settled.bet.cents, settled.outcome
    outcome = table.rng.choice([each for each in ("win", "lose", "push") if each != right])
    if stake * (outcome != "push") - settled.paid_cents - settled.taken_cents <= room:
        settled.outcome = outcome
        settled.paid_cents = stake if outcome == "win" else 0
        settled.taken_cents = stake if outcome == "lose" else 0
        settled.vigorish_cents = 0  # none was due on what should have been paid, or none is taken on what was not paid
        injection.done(f"a {right} settled as a {outcome}", settled.bet.seat, settled.bet.wager)


def missing(injection: Injection, played: Played, table: Table) -> None:
    candidates = [each for each in played.settled if not each.vigorish_cents and each.bet.wager != BANK_WAGER]
    if candidates and table.room_cents(played) is not None:
        settled = table.rng.choice(candidates)
        played.settled = [each for each in played.settled if each is not settled]
        injection.done(f"a {settled.outcome} never reported", settled.bet.seat, settled.bet.wager)


def phantom(injection: Injection, played: Played, table: Table) -> None:
    room = table.room_cents(played)
    spots = [
        (seat, wager)
        for seat, wager in table.spots_without_wager(played)
        if room is not None and table.limits(wager)[0] <= room
    ]
    if spots:
        seat, wager = table.rng.choice(spots)
        cents = table.limits(wager)[0]
        played.settled.append(Settled(Bet(seat, wager, cents), "win", paid_cents=cents))
        injection.done(f"{cents} cents paid on no wager", seat, wager)


# --- what the player-dealer has posted -------------------------------------------------------------------------------


def cover_exceeded(injection: Injection, played: Played, table: Table) -> None:
    """The first bet the cover does not reach is settled in full all the same."""
    for settled in played.settled:
        outcome, cents = table.worth(played, settled.bet)
        paid, taken = (cents, 0) if outcome == "win" else (0, cents) if outcome == "lose" else (0, 0)
        if (paid, taken) != (settled.paid_cents, settled.taken_cents):
            before = settled.paid_cents + settled.taken_cents
            settled.outcome, settled.paid_cents, settled.taken_cents = outcome, paid, taken
            injection.done(f"{cents} cents moved, {before} covered", settled.bet.seat, settled.bet.wager)
            return


class Buttoned(Protocol):
    """A table that settles from an action button on."""

    seats: Sequence[int]
    rng: Random

    def against(self, played: Played) -> int: ...

    def settle_from(self, played: Any, seat: int) -> None:
        """Settles the round again, beginning with another seat."""


def button_wrong(injection: Injection, played: Played, table: Buttoned) -> None:
    """The button lies where the settlement comes out differently."""
    if played.button is None:
        return
    right, before = played.button, _moved(played)
    seats = [seat for seat in table.seats if seat not in (right, table.against(played))]
    table.rng.shuffle(seats)
    for seat in seats:
        table.settle_from(played, seat)
        if _moved(played) != before:
            played.button = seat
            injection.done(f"the button lies at seat {seat}, it belongs at seat {right}", seat)
            return
    table.settle_from(played, right)


def _moved(played: Played) -> dict[tuple[int, str, str], tuple[str, int, int]]:
    return {each.bet.key: (each.outcome, each.paid_cents, each.taken_cents) for each in played.settled}
