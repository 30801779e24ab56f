"""What goes wrong with progressive meters and with what is paid from them (MA-PGP §14, §16(e), §19; FLT-SPG F, G)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ingest.simulator.faults.injection import Injection
from ingest.simulator.games.pai_gow_poker.progressive import LEAST_SEED_CENTS, pays, row_of
from ingest.simulator.meters import ALL, MeterPayout, read, set_to
from ingest.simulator.plan import TablePlan
from ingest.simulator.played import SplitPlayed

if TYPE_CHECKING:
    from ingest.simulator.games.pai_gow_poker.game import PaiGowTable
    from ingest.simulator.split_hands.metered import MeteredHands

WAGER = "progressive"
METERED = (WAGER, "insurance_progressive", "emperors_progressive")
"""Wagers with one meter."""
OF_SECTION_14 = ("14_1_dollar", "14_5_dollars")


# ---- at which tables -----------------------------------------------------------------------------------------------


def has_a_progressive(table: TablePlan) -> bool:
    """One with a meter of its own."""
    return any(_has(table, wager) for wager in METERED)


def has_one_with_a_least_seed(table: TablePlan) -> bool:
    """The texts of Massachusetts print one."""
    return _has(table, WAGER)


def _has(table: TablePlan, wager: str) -> bool:
    filed = table.filing()
    return filed.get(f"{wager}_paytable", "none") != "none" and not filed.get(f"{wager}_linked")


def has_that_of_section_14(table: TablePlan) -> bool:
    return table.filing().get("progressive_paytable") in OF_SECTION_14


def limits_a_progressive(table: TablePlan) -> bool:
    filed = table.filing()
    offers = filed.get("progressive_paytable") == "16e" and filed.get("emperors_paytable") not in (None, "none")
    return offers and bool(filed.get("maximum_payout_cents"))


# ---- what is done --------------------------------------------------------------------------------------------------


def _last_payouts(played: SplitPlayed) -> Iterator[MeterPayout]:
    """Of each meter the last of the round: whatever is done with it changes nobody else's share."""
    last = {id(one.meter): one for one in played.meters.payouts if one.settled.outcome == "win"}
    yield from (one for one in last.values() if one.settled.bet.wager in METERED)


def _done(injection: Injection, payout: MeterPayout, detail: str) -> None:
    injection.done(detail, payout.settled.bet.seat, payout.settled.bet.wager)


def contribution_wrong(injection: Injection, played: SplitPlayed, table: MeteredHands) -> None:
    if played.meters.contributions:
        one = table.rng.choice(played.meters.contributions)
        right, one.cents = one.cents, one.cents + table.rng.choice((-1, 1, 5))
        injection.done(f"{one.cents} cents went to the meter for {right}", one.bet.seat, one.bet.wager)


def contribution_missing(injection: Injection, played: SplitPlayed, table: MeteredHands) -> None:
    if played.meters.contributions:
        one = table.rng.choice(played.meters.contributions)
        played.meters.contributions = [other for other in played.meters.contributions if other is not one]
        injection.done(f"{one.cents} cents did not go to the meter", one.bet.seat, one.bet.wager)


def share_wrong(injection: Injection, played: SplitPlayed, table: MeteredHands) -> None:
    """A share of another value than the meter has."""
    for one in _last_payouts(played):
        if one.percent:
            one.settled.paid_cents = (one.stood_cents - 123_45) * one.percent // ALL
            injection.done(
                f"paid {one.settled.paid_cents} cents for {one.planned_cents}",
                one.settled.bet.seat,
                one.settled.bet.wager,
            )
            return


def share_before_earlier(injection: Injection, played: SplitPlayed, table: MeteredHands) -> None:
    """A share of what the meter stood at before an earlier winner of the round was paid from it."""
    wins = [one for one in played.meters.payouts if one.settled.bet.wager in METERED and one.comes_off]
    wins = [one for one in wins if one.meter is wins[-1].meter]
    if len(wins) >= 2 and wins[-1].percent:
        first, last = wins[0], wins[-1]
        last.settled.paid_cents = first.stood_cents * last.percent // ALL
        if last.settled.paid_cents != last.planned_cents:
            _done(injection, last, f"paid {last.settled.paid_cents} cents for {last.planned_cents}")


def not_taken_off(injection: Injection, played: SplitPlayed, table: MeteredHands) -> None:
    for one in _last_payouts(played):
        if one.comes_off:
            one.comes_off = False
            injection.done(
                f"{one.settled.paid_cents} cents not taken off the meter", one.settled.bet.seat, one.settled.bet.wager
            )
            return


def taken_off_unduly(injection: Injection, played: SplitPlayed, table: MeteredHands) -> None:
    for one in _last_payouts(played):
        if not one.comes_off and one.settled.paid_cents:
            one.comes_off = True
            injection.done(
                f"{one.settled.paid_cents} cents taken off the meter", one.settled.bet.seat, one.settled.bet.wager
            )
            return


def seed_wrong(injection: Injection, played: SplitPlayed, table: MeteredHands) -> None:
    _seeded(injection, played, lambda one: one.meter.seed_cents + 1_000_00)


def seed_too_low(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    _seeded(injection, played, lambda one: LEAST_SEED_CENTS[table.progressives[WAGER]] - 1)


def _seeded(injection: Injection, played: SplitPlayed, cents: Callable[[MeterPayout], int]) -> None:
    for one in _last_payouts(played):
        if one.percent == ALL and one.comes_off:
            one.reset_cents = cents(one)
            injection.done(
                f"set to {one.reset_cents} cents for {one.meter.seed_cents}",
                one.settled.bet.seat,
                one.settled.bet.wager,
            )
            return


def set_by_hand(injection: Injection, played: SplitPlayed, table: MeteredHands) -> None:
    for one in played.meters.contributions:
        if one.bet.wager in METERED and one.meter.cents > one.meter.seed_cents and not played.meters.payouts:
            played.meters.says.append(set_to(one.meter, one.meter.seed_cents, "floor"))
            injection.done(f"{one.meter.name} was set to its seed with nothing paid")
            return


def step(injection: Injection, played: SplitPlayed, table: MeteredHands) -> None:
    for one in played.meters.contributions:
        if one.bet.wager in METERED:
            one.beside_cents = table.rng.choice((777, -5))
            injection.done(
                f"{one.meter.name} moved by {one.beside_cents} cents that nobody reports", one.bet.seat, WAGER
            )
            return


def read_backwards(injection: Injection, played: SplitPlayed, table: MeteredHands) -> None:
    for one in played.meters.contributions:
        if one.bet.wager in METERED:
            played.meters.says.append(read(one.meter, -500))
            injection.done(f"{one.meter.name} was read 500 cents below what it stood at")
            return


def surrendered(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    """A hand that has lost, so that no money hangs on it."""
    for each in played.settled:
        seat = each.bet.seat
        mine = each.bet.wager == table.base and each.outcome == "lose" and played.cents(seat, WAGER)
        if mine and not table.is_foul(played.settings[seat]):
            each.outcome, each.at_surrender = "surrender", True
            played.surrendered.append(seat)
            injection.done("surrendered beside a progressive wager", seat, table.base)
            return


def by_another_table(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    other = next(name for name in OF_SECTION_14 if name != table.progressives[WAGER])
    for each in played.settled:
        if each.bet.wager == WAGER and each.outcome == "win":
            wrong = pays(other, row_of(other, played.hands[each.bet.seat]), each.bet.cents)
            payout = next(one for one in played.meters.payouts if one.settled is each)
            if wrong != each.paid_cents and not payout.comes_off:
                right, each.paid_cents = each.paid_cents, wrong
                injection.done(f"paid {wrong} cents for {right}", each.bet.seat, WAGER)
                return


def beyond_limit(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    for each in played.settled:
        full = table.sides[WAGER].decide(played, each.bet)[1] if each.bet.wager == WAGER else 0
        if (
            each.outcome == "win"
            and full > each.paid_cents
            and not any(one.settled is each and one.percent for one in played.meters.payouts)
        ):
            right, each.paid_cents = each.paid_cents, full
            injection.done(f"paid {full} cents for 1, the limit leaves {right}", each.bet.seat, WAGER)
            return
