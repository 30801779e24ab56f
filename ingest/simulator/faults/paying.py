"""What goes wrong with vigorish, envy bonuses and pay tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.money import of
from ingest.simulator.played import Envy, Settled, SplitPlayed
from ingest.simulator.side_wagers import SideWager
from ingest.simulator.vigorish import vigorish_cents

if TYPE_CHECKING:
    from ingest.simulator.split_hands.seven_cards import SevenCardTable
    from ingest.simulator.split_hands.table import SplitHandsTable


def no_vigorish(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    won = [each for each in of(played, "win", wager=table.base) if each.vigorish_cents]
    if won:
        settlement = table.rng.choice(won)
        due, settlement.vigorish_cents = settlement.vigorish_cents, 0
        injection.done(f"{due} cents not taken", settlement.bet.seat, table.base)


def wrong_vigorish(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    won = [each for each in of(played, "win", wager=table.base) if each.vigorish_cents]
    if won:
        settlement = table.rng.choice(won)
        due = settlement.vigorish_cents
        other = "exact" if table.vigorish_rounding == "up_to_quarter" else "up_to_quarter"
        tries = [due + 25, due - 25, 2 * due, vigorish_cents(settlement.bet.cents, other)]
        settlement.vigorish_cents = table.rng.choice([cents for cents in tries if cents > 0 and cents != due])
        injection.done(f"{settlement.vigorish_cents} cents taken for {due}", settlement.bet.seat, table.base)


def undue_vigorish(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    spared = of(played, "push", "lose", wager=table.base) + [
        each for side in table.sides for each in of(played, "win", wager=side)
    ]
    if spared:
        settlement = table.rng.choice(spared)
        settlement.vigorish_cents = vigorish_cents(settlement.bet.cents, table.vigorish_rounding)
        detail = f"{settlement.vigorish_cents} cents taken on a {settlement.outcome}"
        injection.done(detail, settlement.bet.seat, settlement.bet.wager)


def envy_missed(injection: Injection, played: SplitPlayed, table: SevenCardTable) -> None:
    if played.envies:
        envy = table.rng.choice(played.envies)
        if table.room_cents(played) is None:
            return
        played.envies.remove(envy)
        injection.done(f"{envy.cents} cents for the hand of seat {envy.for_seat} not paid", envy.seat, table.envy_side)


def envy_wrong(injection: Injection, played: SplitPlayed, table: SevenCardTable) -> None:
    if played.envies:
        envy = table.rng.choice(played.envies)
        due = envy.cents
        rows = set(table.envy_cents.values())
        wrong = table.rng.choice(sorted(rows - {due}))
        if wrong - due > (table.room_cents(played) or 0):
            return
        envy.cents = wrong
        injection.done(f"{envy.cents} cents for {due}", envy.seat, table.envy_side)


def envy_not_due(injection: Injection, played: SplitPlayed, table: SevenCardTable) -> None:
    """To somebody without a qualifying wager, for one's own hand, or for a hand that is none."""
    seats = played.seats
    due = {(envy.seat, envy.for_seat) for envy in played.envies}
    undue = [(seat, for_seat) for seat in seats for for_seat in seats if (seat, for_seat) not in due]
    likely = [(seat, for_seat) for seat, for_seat in undue if for_seat in played.staying] or undue
    if likely:
        seat, for_seat = table.rng.choice(likely)
        cents = table.rng.choice(sorted(table.envy_cents.values())[:3])
        if cents > (table.room_cents(played) or 0):
            return
        played.envies.append(Envy(seat, for_seat, cents, wager=table.envy_side))
        injection.done(f"{cents} cents paid for the hand of seat {for_seat}", seat, table.envy_side)


def _won_by_class(played: SplitPlayed, table: SplitHandsTable) -> list[tuple[SideWager, Settled]]:
    """The side wagers won that are paid by the class of the hand, up to a limit."""
    limited = [side for side in table.sides.values() if side.odds and side.most_paid_cents]
    return [(side, settled) for side in limited for settled in of(played, "win", wager=side.name)]


def wrong_row(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    won = _won_by_class(played, table)
    if won:
        side, settlement = table.rng.choice(won)
        right = settlement.paid_cents
        others = [odds * settlement.bet.cents for odds in side.odds.values()]
        settlement.paid_cents = table.rng.choice(
            [cents for cents in others if cents != right and cents <= side.most_paid_cents]
        )
        injection.done(f"paid {settlement.paid_cents} cents by another row for {right}", settlement.bet.seat, side.name)


def cap_ignored(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    for side, settlement in _won_by_class(played, table):
        name = played.classes[settlement.bet.seat] or ""
        full = side.odds[name] * settlement.bet.cents
        if full > settlement.paid_cents and name != side.shares_the_limit:
            right, settlement.paid_cents = settlement.paid_cents, full
            injection.done(f"paid {full} cents at the odds, the limit is {right}", settlement.bet.seat, side.name)
            return


def royal_share_wrong(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """One of two royal flushes that share the limit is paid as if it were alone."""
    sharing = [
        (side, settled)
        for side, settled in _won_by_class(played, table)
        if played.classes[settled.bet.seat] == side.shares_the_limit
    ]
    if len(sharing) >= 2:
        side, settlement = table.rng.choice(sharing)
        alone = min(side.odds[side.shares_the_limit] * settlement.bet.cents, side.most_paid_cents)
        if alone != settlement.paid_cents:
            right, settlement.paid_cents = settlement.paid_cents, alone
            injection.done(f"paid {alone} cents, its share is {right}", settlement.bet.seat, side.name)
