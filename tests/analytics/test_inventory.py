"""Table inventories from count to count: the simulator counts its chips itself, and what is done to a table shows."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from analytics.inventory import Shift, shifts
from analytics.warehouse import Warehouse
from ingest.simulator import default_plan
from tests.edited_day import edited_day
from tests.ingest.quality_streams import (
    Edit,
    Event,
    altered,
    changed,
    first_of,
    is_,
    like,
    outside,
    what_of,
    without,
)

PLAN = default_plan(seed=8, tables=16, rounds=24, gaming_day=date(2026, 11, 17))


def both(*edits: Edit) -> Edit:
    def edit(events: list[Event]) -> list[Event]:
        for one in edits:
            events = one(events)
        return events

    return edit


def more_paid(number: int, cents: int) -> Edit:
    """A report of a round says that so much more was paid on one wager than moved."""
    won = is_("wager.settled", number)
    return first_of(won, lambda event: [altered(event, paid_cents=event["data"].get("paid_cents", 0) + cents)])


def off_count(cents: int) -> Edit:
    """Both the last count and the closing find another sum."""
    count = lambda event: what_of(event) in ("table.counted", "table.closed")  # noqa: E731 - a condition with a name
    return changed(count, lambda event: altered(event, inventory_cents=event["data"]["inventory_cents"] + cents))


def before(number: int, what: str, **data: object) -> Edit:
    return first_of(
        is_("round.opened", number), lambda event: [outside(like(event, what, "controller", **data)), event]
    )


def counted_within(number: int, cents: int) -> Edit:
    return first_of(
        is_("bets.closed", number),
        lambda event: [outside(like(event, "table.counted", "controller", inventory_cents=cents)), event],
    )


def with_cash(cents: int) -> Edit:
    """Chips were sold for cash: so much less in the tray, so much more in the box."""

    def sold(event: Event) -> Event:
        data = event["data"]
        said = {"inventory_cents": data["inventory_cents"] - cents}
        if "box_cents" in data:
            said["box_cents"] = data["box_cents"] + cents
        return altered(event, **said)

    return changed(lambda event: what_of(event) in ("table.counted", "table.closed"), sold)


EDITS: dict[str, Edit] = {
    "PG-02": more_paid(3, 500),
    "PG-03": both(more_paid(3, 500), more_paid(5, 70)),
    "PG-04": off_count(-12_300),
    "PG-05": both(before(4, "table.filled", amount_cents=50_000, slip="F-9")),
    "PG-06": both(before(4, "table.filled", amount_cents=50_000), off_count(50_000)),
    "PG-07": without(is_("table.counted")),
    "PG-08": without(lambda event: what_of(event) in ("table.counted", "table.closed")),
    "SB-01": changed(
        lambda event: what_of(event) in ("table.opened", "table.counted", "table.closed"),
        lambda event: altered(event, inventory_cents=None) if "inventory_cents" in event["data"] else event,
    ),
    "SB-02": counted_within(4, 4_000_000),
    "SB-07": both(with_cash(20_000), counted_within(9, 4_000_000)),
    "SB-03": first_of(
        is_("table.closed"),
        lambda event: [altered(event, inventory_cents=event["data"]["inventory_cents"] - 100)],
    ),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Shift]]:
    day = edited_day(tmp_path_factory.mktemp("inventory"), PLAN, {**EDITS, "SB-04": with_cash(20_000)})
    by_table: dict[str, list[Shift]] = {}
    with Warehouse(day.folder / "lake") as warehouse:
        for shift in shifts(warehouse):
            by_table.setdefault(shift.table_id, []).append(shift)
    return by_table


def test_a_day_that_is_in_order_agrees_to_the_cent(made: dict[str, list[Shift]]) -> None:
    """The simulator keeps its trays itself, on its own path."""
    for table in ("PG-01", "SB-05", "SB-06"):
        (shift,) = made[table]
        assert (shift.variance_cents, shift.remarks, shift.explanations) == (0, (), ())
        assert shift.rounds > 0
        moved = shift.wagers_cents + shift.vigorish_cents + shift.envy_cents + shift.fills_cents - shift.credits_cents
        assert shift.opening_cents + moved == shift.expected_cents == shift.counted_cents


def test_a_report_that_is_not_what_moved_is_named(made: dict[str, list[Shift]]) -> None:
    (shift,) = made["PG-02"]
    assert shift.variance_cents == 500
    (only,) = shift.explanations
    assert (only.what, only.round_id, only.cents) == ("finding", "20261117-0003", 500)
    assert any(code.startswith("SETTLE-") for code in only.codes)


def test_two_rounds_together(made: dict[str, list[Shift]]) -> None:
    (shift,) = made["PG-03"]
    assert shift.variance_cents == 570
    assert sorted((one.group, one.round_id, one.cents) for one in shift.explanations) == [
        (0, "20261117-0003", 500),
        (0, "20261117-0005", 70),
    ]


def test_chips_that_are_gone_for_no_reason_on_record(made: dict[str, list[Shift]]) -> None:
    (shift,) = made["PG-04"]
    assert shift.variance_cents == -12_300
    assert all(one.what in ("void", "unverified") for one in shift.explanations)


def test_a_fill_that_never_came_and_one_that_did(made: dict[str, list[Shift]]) -> None:
    (lost,), (came,) = made["PG-05"], made["PG-06"]
    assert (lost.fills_cents, lost.variance_cents) == (50_000, -50_000)
    assert [(one.what, one.slip, one.cents) for one in lost.explanations] == [("fill", "F-9", -50_000)]
    assert (came.fills_cents, came.variance_cents) == (50_000, 0)


def test_a_table_that_is_only_closed_and_one_that_never_was(made: dict[str, list[Shift]]) -> None:
    (closed,), (never,) = made["PG-07"], made["PG-08"]
    assert (closed.ends_with, closed.variance_cents) == ("closed", 0)
    assert (never.ends_with, never.counted_cents, never.variance_cents) == (None, None, None)
    assert never.remarks == ("the chips were not counted since, so nothing can be reconciled yet",)


def test_a_table_that_never_says_what_it_holds_has_no_shift(made: dict[str, list[Shift]]) -> None:
    assert "SB-01" not in made


def test_a_count_in_the_middle_of_a_round_ends_one_shift_and_begins_another(made: dict[str, list[Shift]]) -> None:
    first, second = made["SB-02"]
    assert first.counted_cents == second.opening_cents == 4_000_000
    assert (first.variance_cents, second.variance_cents) == (0, 0)
    assert "the closing count" in first.remarks[0]
    assert "was made while round 20261117-0004 was played" in second.remarks[0]


def test_two_counts_with_nothing_between_them_that_differ(made: dict[str, list[Shift]]) -> None:
    first, second = made["SB-03"]
    assert (first.variance_cents, second.variance_cents, second.rounds) == (0, -100, 0)
    assert second.remarks == ("nothing was played between the two counts",)


def test_chips_sold_for_cash_are_in_the_box(made: dict[str, list[Shift]]) -> None:
    (shift,) = made["SB-04"]
    assert (shift.variance_cents, shift.cash_cents) == (0, 20_000)  # the fees in the box are no cash for chips


def test_chips_sold_for_cash_in_one_of_several_shifts_are_told_of_all_of_them(made: dict[str, list[Shift]]) -> None:
    table = made["SB-07"]
    assert sum(shift.variance_cents or 0 for shift in table) == -20_000
    assert all("chips for $200.00 were sold for cash" in shift.remarks[-1] for shift in table)


def test_nothing_recorded(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "nowhere") as warehouse:
        assert shifts(warehouse) == []
