"""What goes wrong at a Supreme Baccarat table: each fault changes a round at the stage where it would have happened.

A fault looks for an opportunity in the round as it is, and does nothing where it would change nothing, or where the
table's devices could not show it. A bank held too long is done where the bank is chosen, in baccarat.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from ingest.simulator import fee_faults
from ingest.simulator.baccarat_round import BaccaratRound
from ingest.simulator.baccarat_rules import (
    banker_draws,
    fees_due,
    player_draws,
    result_of,
    total,
)
from ingest.simulator.faults import Injection
from ingest.simulator.played import Bet, Settled
from ingest.simulator.voice import LAYOUT, Say

if TYPE_CHECKING:
    from ingest.simulator.baccarat import BaccaratTable

Change = Callable[[Injection, BaccaratRound, "BaccaratTable"], None]


class Stage(Enum):
    """Points of a round at which something can go wrong."""

    WAGERS = auto()
    FEES = auto()
    DEALT = auto()
    COUNTED = auto()
    LATE = auto()
    SETTLED = auto()


def inject(stage: Stage, injection: Injection, played: BaccaratRound, table: BaccaratTable) -> None:
    """Does the fault asked of the round, if this is its stage and the round gives it an opportunity."""
    if injection.wanted and injection.kind in _CHANGES:
        at, change = _CHANGES[injection.kind]
        if at is stage:
            change(injection, played, table)


def _said(bet: Bet, cents: int | None = None) -> dict[str, object]:
    said: dict[str, object] = {"seat": bet.seat, "wager": bet.wager}
    if bet.bettor:
        said["bettor"] = bet.bettor
    if cents is not None:
        said["amount_cents"] = cents
    return said


# --- wagers ----------------------------------------------------------------------------------------------------------


def _over_limit(injection: Injection, played: BaccaratRound, table: BaccaratTable) -> None:
    bet = table.rng.choice(played.bets)
    lowest, highest = table.limits(bet.wager)
    if table.rng.random() < 0.3 and lowest > 100:
        bet.cents = table.rng.randrange(100, lowest, 100)
    else:
        bet.cents = highest + 100 * table.rng.randrange(1, 100)
    played.wager_says.append(Say("wager.changed", _said(bet, bet.cents), LAYOUT))
    injection.done(f"{bet.cents} cents; the limits are {lowest} to {highest}", bet.seat, bet.wager)


def _late(injection: Injection, played: BaccaratRound, table: BaccaratTable) -> None:
    """A bet is raised, made or taken back after the deal began.

    Only where no fee turns on it, and never a seat's only bet: whether a late bet counts for fees or for the next bank
    is not what is being tried.
    """
    rng = table.rng
    bet = rng.choice(played.bets)
    of_bettor = [other for other in played.bets if (other.seat, other.bettor) == (bet.seat, bet.bettor)]
    lowest, highest = table.limits(bet.wager)
    bets = list(played.bets)
    choice = rng.random()
    if choice < 0.35 and len(of_bettor) > 1:
        bets.remove(bet)
        say = Say("wager.withdrawn", _said(bet), LAYOUT)
        changed, detail = bet, f"{bet.cents} cents withdrawn after the close"
    elif choice < 0.6 and all(other.wager != "tie" for other in of_bettor):
        changed = Bet(bet.seat, "tie", table.limits("tie")[0], bet.bettor)
        bets.append(changed)
        say = Say("wager.placed", _said(changed, changed.cents), LAYOUT)
        detail = f"{changed.cents} cents placed after the close"
    else:
        changed = replace(bet, cents=min(highest, max(lowest, bet.cents) + 100 * rng.randrange(1, 20)))
        bets[bets.index(bet)] = changed
        say = Say("wager.changed", _said(changed, changed.cents), LAYOUT)
        detail = f"raised from {bet.cents} to {changed.cents} cents after the close"
        if changed.cents == bet.cents:
            return
    if fees_due(table.schedule, bets, table.bank.seat) == fees_due(table.schedule, played.bets, table.bank.seat):
        played.bets = bets
        played.late_says.append(say)
        injection.done(detail, changed.seat, changed.wager)


# --- cards -----------------------------------------------------------------------------------------------------------


def _third_card(injection: Injection, played: BaccaratRound, table: BaccaratTable) -> None:
    """One of the two hands draws when it has to stand, or stands when it has to draw."""
    for card in (*played.banker[2:], *played.player[2:]):
        table.put_back(card)
    del played.player[2:], played.banker[2:]
    natural = total(played.player) >= 8 or total(played.banker) >= 8
    wrong = None if natural else table.rng.choice(("player", "banker"))
    if player_draws(played.player, played.banker) != (wrong == "player"):
        played.player.append(table.draw())
    if banker_draws(played.player, played.banker) != (wrong == "banker"):
        played.banker.append(table.draw())
    if wrong:
        played.third_cards_named = True
        drew = len(played.player if wrong == "player" else played.banker) == 3
        injection.done(f"the {wrong} hand {'draws' if drew else 'stands'} against the rules")


def _shoe_short(injection: Injection, played: BaccaratRound, table: BaccaratTable) -> None:
    left = table.count_short(injection)
    if left is not None:
        played.shoe_left = left
        injection.done(f"{left} cards are left in the shoe, and should be {left + 1}")


# --- settlement ------------------------------------------------------------------------------------------------------


def _fully_covered(played: BaccaratRound) -> bool:
    """Away from the limit of the cover, so that one bet got wrong does not move the others."""
    return played.button is None


def _wrong_payout(injection: Injection, played: BaccaratRound, table: BaccaratTable) -> None:
    won = [each for each in played.settled if each.outcome == "win"]
    if not won or not _fully_covered(played):
        return
    settled = table.rng.choice(won)
    right = settled.paid_cents
    room = played.posted_cents - played.moved_cents()
    tries = [right + settled.bet.cents, right + 500, right - 100, right // 2]
    wrong = [cents for cents in tries if 0 < cents <= right + room and cents != right]
    if wrong:
        settled.paid_cents = table.rng.choice(wrong)
        injection.done(f"paid {settled.paid_cents} cents for {right}", settled.bet.seat, settled.bet.wager)


def _wrong_outcome(injection: Injection, played: BaccaratRound, table: BaccaratTable) -> None:
    if not _fully_covered(played):
        return
    index = table.rng.randrange(len(played.settled))
    right = played.settled[index]
    stake = right.bet.cents
    outcome = table.rng.choice([each for each in ("win", "lose", "push") if each != right.outcome])
    paid, taken = (stake, 0) if outcome == "win" else (0, stake) if outcome == "lose" else (0, 0)
    if played.moved_cents() - right.paid_cents - right.taken_cents + paid + taken <= played.posted_cents:
        played.settled[index] = Settled(right.bet, outcome, paid, taken)
        injection.done(f"a {right.outcome} settled as a {outcome}", right.bet.seat, right.bet.wager)


def _missing(injection: Injection, played: BaccaratRound, table: BaccaratTable) -> None:
    if _fully_covered(played):
        settled = played.settled.pop(table.rng.randrange(len(played.settled)))
        injection.done(f"a {settled.outcome} never reported", settled.bet.seat, settled.bet.wager)


def _phantom(injection: Injection, played: BaccaratRound, table: BaccaratTable) -> None:
    placed = {(bet.seat, bet.wager) for bet in played.bets}
    wager = table.rng.choice(("player", "banker", "tie"))
    seats = [
        seat for seat in range(1, table.options.seats + 1) if seat != table.bank.seat and (seat, wager) not in placed
    ]
    cents = table.limits(wager)[0]
    if seats and _fully_covered(played) and played.moved_cents() + cents <= played.posted_cents:
        seat = table.rng.choice(seats)
        played.settled.append(Settled(Bet(seat, wager, cents), "win", paid_cents=cents))
        injection.done(f"{cents} cents paid on no wager", seat, wager)


def _cover_exceeded(injection: Injection, played: BaccaratRound, table: BaccaratTable) -> None:
    """The first bet the cover does not reach is settled in full all the same."""
    for settled in played.settled:
        outcome, pays = result_of(settled.bet, played.player, played.banker)
        paid, taken = (pays, 0) if outcome == "win" else (0, settled.bet.cents) if outcome == "lose" else (0, 0)
        if (paid, taken) != (settled.paid_cents, settled.taken_cents):
            before = settled.paid_cents + settled.taken_cents
            settled.outcome, settled.paid_cents, settled.taken_cents = outcome, paid, taken
            detail = f"{paid + taken} cents moved, {before} covered"
            injection.done(detail, settled.bet.seat, settled.bet.wager)
            return


def _button_wrong(injection: Injection, played: BaccaratRound, table: BaccaratTable) -> None:
    """The button lies where the settlement comes out differently."""
    if played.button is None:
        return
    right_button, right = played.button, _moved(played)
    seats = [seat for seat in range(1, table.options.seats + 1) if seat not in (right_button, table.bank.seat)]
    table.rng.shuffle(seats)
    for seat in seats:
        table.settle_from(played, seat)
        if _moved(played) != right:
            played.button = seat
            injection.done(f"the button lies at seat {seat}, it belongs at seat {right_button}", seat)
            return
    table.settle_from(played, right_button)


def _moved(played: BaccaratRound) -> dict[tuple[int, str, str], tuple[str, int, int]]:
    return {
        (each.bet.seat, each.bet.bettor, each.bet.wager): (each.outcome, each.paid_cents, each.taken_cents)
        for each in played.settled
    }


_CHANGES: dict[str, tuple[Stage, Change]] = {
    "wager_over_limit": (Stage.WAGERS, _over_limit),
    "fee_not_taken": (Stage.FEES, fee_faults.not_taken),
    "fee_wrong_tier": (Stage.FEES, fee_faults.wrong_tier),
    "fee_wrong_payer": (Stage.FEES, fee_faults.wrong_payer),
    "fee_late": (Stage.FEES, fee_faults.late),
    "fee_twice": (Stage.FEES, fee_faults.twice),
    "fee_wrong_box": (Stage.FEES, fee_faults.wrong_box),
    "third_card_wrong": (Stage.DEALT, _third_card),
    "shoe_short": (Stage.COUNTED, _shoe_short),
    "wager_late": (Stage.LATE, _late),
    "wrong_payout": (Stage.SETTLED, _wrong_payout),
    "wrong_outcome": (Stage.SETTLED, _wrong_outcome),
    "settlement_missing": (Stage.SETTLED, _missing),
    "phantom_settlement": (Stage.SETTLED, _phantom),
    "cover_exceeded": (Stage.SETTLED, _cover_exceeded),
    "button_wrong": (Stage.SETTLED, _button_wrong),
}
