"""Checks of tables where a player deals: wagers, turns at the bank and the action button, with `replay.checks`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from replay.cards.dealing.seen import deal_events
from replay.checks.action_button import Seen, Short, button_not_where_it_belongs
from replay.checks.bank_turns import bank_turns
from replay.checks.wagers import (
    Bound,
    Bounds,
    late_wagers,
    wagers_not_offered,
    wagers_outside_limits,
)
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.side_checks import without_base
from replay.families.split_hands.terms import Terms
from replay.filing import FeeSchedule, Filing
from replay.money.action_button import action_buttons, button_of_piles
from replay.money.fees import deal_begun, limits
from replay.money.wagers import LateEvent
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Ints, RoundBatch
from schemas.findings import CERTAIN, LIKELY, Basis


def button_due(seats: Seats, start: Ints, terms: Terms) -> Ints:
    """(n,) the seat left of the one that got the first pile; the player-dealer is passed over (rulings.md R-30)."""
    due = button_of_piles(np.where(start > 0, start, 1), terms.geometry.ring, True)
    due = np.where(due == seats.against, button_of_piles(due, terms.geometry.ring, True), due)
    return np.where(start > 0, due, UNKNOWN)


def button_followed(batch: RoundBatch, due: Ints) -> Ints:
    """(n,) the seat the dealer went round from: where the button was put, else where it belongs."""
    placed = action_buttons(batch).seat
    return np.where(placed > 0, placed, np.maximum(due, 1))


def schedule_of(filing: Filing) -> FeeSchedule:
    return filing.pack.fees[filing.text("schedule")]


def wagers_wrong(batch: RoundBatch, seats: Seats, terms: Terms, filing: Filing) -> list[Remark]:
    law = terms.law.player_dealer
    assert law is not None, "asked only where a player deals"
    wagers, count = seats.wagers, terms.geometry.ring.seats
    titles = terms.law.titles

    def given_back(event: LateEvent) -> bool:
        in_table = 0 <= event.seat < terms.geometry.places
        return bool(seats.all_void[event.row]) or (in_table and bool(seats.voided[event.row, event.seat]))

    begun, closed = deal_begun(batch), batch.bets_closed_seq.astype(np.int64)
    return [
        *late_wagers(batch, wagers, begun, closed, given_back, titles, terms.law.late),
        *wagers_outside_limits(batch, wagers, _bounds(filing, terms), titles),
        *wagers_not_offered(batch, wagers, seats.unoffered, count, titles, terms.law.offered),
        *without_base(batch, seats, titles, terms.law.base.name),
        *bank_turns(batch, law.bank_turns),
    ]


def _bounds(filing: Filing, terms: Terms) -> dict[str, Bounds]:
    law, schedule = terms.law.player_dealer, schedule_of(filing)
    assert law is not None, "asked only where a player deals"
    filed = filing.number("table_minimum_cents"), filing.number("table_maximum_cents")
    found = {}
    sides = ((wager.name, (0, 0)) for wager in terms.law.sides)
    for name, (least, most) in ((terms.law.base.name, filed), *sides):
        if name not in schedule.limits:
            continue
        printed = schedule.limits[name]
        bounds = [
            Bound(cents, f"schedule {schedule.id}", schedule.limits_cite)
            if cents in printed
            else Bound(cents, f"filed for this table under schedule {schedule.id}", law.table_limits)
            for cents in limits(schedule, name, least, most)
        ]
        found[name] = Bounds(bounds[0], bounds[1])
    return found


def button_wrong(
    batch: RoundBatch, short: Sequence[Short], started: Ints, several: Collection[int], terms: Terms
) -> list[Remark]:
    """BUTTON-802. `started` is where each deal began; of rounds with `several` readings nothing is said."""
    law = terms.law.player_dealer
    assert law is not None, "asked only where a player deals"

    def why(row: int) -> str:
        return f"the first pile went to seat {started[row]}, and the button goes to the next player on the left"

    def seen(row: int) -> Seen:
        events = deal_events(batch, row)
        return Seen(events, CERTAIN if events else LIKELY, Basis.COMPARED if events else Basis.REPORTS)

    sure = [one for one in short if one.row not in several and one.button != UNKNOWN]
    return list(button_not_where_it_belongs(batch, sure, why, seen, law.button))
