"""Meters reconciled over tables and days, beside a clerk who writes down every step with pencil and paper."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from analytics.meters import CLOCKS_APART, accounts, in_order
from analytics.warehouse import Warehouse
from ingest.simulator import default_plan
from tests.edited_day import edited_day
from tests.ingest.quality_streams import Edit, Event, is_, like, outside, round_of, streams_of, time_of

PLAN = default_plan(seed=8, tables=4, rounds=16, gaming_day=date(2026, 11, 17))
SEED, FIRST = 1_000_000, 1_234_500


def metered(
    meter: str, by_time: dict[datetime, int], skimmed_in: int | None = None, jackpot_in: int | None = None
) -> Edit:
    """A dollar goes to the meter at the end of each round. `by_time` is what the meter stands at then, over all tables:
    what one table did to it between two moments is what the other one sees."""

    def edit(events: list[Event]) -> list[Event]:
        made: list[Event] = []
        for event in events:
            if is_("table.opened")(event) and meter == "local":
                made += [event, outside(like(event, "meter.read", "controller", meter=meter, value_cents=FIRST))]
                continue
            if is_("round.closed")(event):
                stands = by_time[time_of(event)]
                off = 40 if round_of(event) == skimmed_in else 0
                said: dict[str, Any] = {"meter": meter, "seat": 1, "amount_cents": 100}
                made.append(like(event, "progressive.contributed", **said, meter_cents=stands - off))
                if round_of(event) == jackpot_in:
                    paid: dict[str, Any] = {"meter": meter, "seat": 2, "amount_cents": stands - off, "from_meter": True}
                    made.append(like(event, "progressive.paid", **paid, meter_cents=0))
                    made.append(outside(like(event, "meter.reset", "controller", meter=meter, value_cents=SEED)))
            made.append(event)
        return made

    return edit


def fed_before_it_was_set(events: list[Event]) -> list[Event]:
    """A dollar goes to the meter `late` in each round. In the second all of it is paid, and another dollar comes in
    before it is set to its seed, as from a table that plays on."""
    made: list[Event] = []
    stands = FIRST
    for event in events:
        if is_("round.closed")(event):
            said: dict[str, Any] = {"meter": "late", "seat": 1, "amount_cents": 100}
            stands += 100
            made.append(like(event, "progressive.contributed", **said, meter_cents=stands))
            if round_of(event) == 2:
                paid: dict[str, Any] = {"meter": "late", "seat": 2, "amount_cents": stands, "from_meter": True}
                made.append(like(event, "progressive.paid", **paid, meter_cents=0))
                made.append(like(event, "progressive.contributed", **said, meter_cents=100))
                made.append(outside(like(event, "meter.reset", "controller", meter="late", value_cents=SEED)))
                stands = SEED
        made.append(event)
    return made


class Values(dict[datetime, int]):
    """What the meter stands at after each contribution, in the order of time, however the tables ask."""

    def __init__(self, first: int, times: list[datetime], taken: dict[datetime, int], jackpot: datetime | None) -> None:
        super().__init__()
        stands = first
        for at in sorted(times):
            stands += 100 - taken.get(at, 0)
            self[at] = stands + taken.get(at, 0)
            if at == jackpot:
                stands = SEED


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    streams = streams_of(PLAN)

    def ends(table: str) -> dict[int, datetime]:
        return {round_of(event): time_of(event) for event in streams[table] if is_("round.closed")(event)}

    linked = [*ends("PG-01").values(), *ends("SB-01").values()]
    local = ends("PG-02")
    edits = {
        "PG-01": metered("linked", Values(FIRST, linked, {}, None)),
        "SB-01": metered("linked", Values(FIRST, linked, {}, None)),
        "PG-02": metered("local", Values(FIRST, list(local.values()), {local[2]: 40}, local[3]), 2, 3),
        "SB-02": fed_before_it_was_set,
    }
    return edited_day(tmp_path_factory.mktemp("meters"), PLAN, edits).folder / "lake"


def is_linked_end(event: Event) -> bool:
    return is_("round.closed")(event) and "/PG-02/" not in event["source"] and "/SB-02/" not in event["source"]


def test_a_linked_meter_is_one_meter(lake: Path) -> None:
    with Warehouse(lake) as warehouse:
        (account,) = accounts(warehouse, "linked")
    assert account.unexplained == ()
    assert [share.table_id for share in account.tables] == ["PG-01", "SB-01"]
    number = sum(share.contributions for share in account.tables)
    assert account.opening_cents == FIRST  # before the first contribution, which says what it came to
    assert account.closing_cents == FIRST + 100 * number
    assert number == sum(1 for said in streams_of(PLAN).values() for event in said if is_linked_end(event))
    assert account.contributed_cents == 100 * number


def test_skimmed_cents_are_found_with_size_and_moment_and_a_jackpot_is_explained(lake: Path) -> None:
    with Warehouse(lake) as warehouse:
        (account,) = accounts(warehouse, "local")
    (step,) = account.unexplained
    assert (step.cents, step.step, step.round_id, step.table_id) == (-40, "contributed", "20261117-0002", "PG-02")
    (share,) = account.tables
    assert (share.payouts, share.paid_cents) == (1, FIRST + 300 - 40)
    assert account.funded_cents == SEED
    assert account.opening_cents == FIRST
    sums = account.contributed_cents - account.paid_cents + account.funded_cents + account.unexplained_cents
    assert FIRST + sums == account.closing_cents


def test_what_comes_in_between_a_jackpot_and_the_seed_leaves_nothing_unexplained(lake: Path) -> None:
    with Warehouse(lake) as warehouse:
        (account,) = accounts(warehouse, "late")
    assert account.unexplained == ()
    assert account.funded_cents == SEED - 100  # the dollar was on the meter when the house brought it to its seed
    sums = account.contributed_cents - account.paid_cents + account.funded_cents
    assert FIRST + sums == account.closing_cents


def test_a_stretch_of_time_has_an_opening_and_a_closing_of_its_own(lake: Path) -> None:
    with Warehouse(lake) as warehouse:
        (whole,) = accounts(warehouse, "local")
        assert whole.unexplained[0].happened_at is not None
        (after,) = accounts(warehouse, "local", since=whole.unexplained[0].happened_at + timedelta(seconds=1))
        assert after.unexplained == ()
        assert after.closing_cents == whole.closing_cents
        assert accounts(warehouse, "local", until=datetime(2000, 1, 1)) == []


def test_no_meter_at_all(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "nowhere") as warehouse:
        assert accounts(warehouse) == []


# --- the order of several tables -------------------------------------------------------------------------------------


def clerk(seed: int, apart: timedelta) -> tuple[dict[str, list[dict[str, Any]]], list[int]]:
    """Three tables whose clocks are off feed one meter; and the order in which it took the steps, by their values."""
    rng = random.Random(seed)
    off = {table: apart * rng.random() / 2 for table in "ABC"}
    now, stands = datetime(2026, 11, 17, 10, tzinfo=UTC), 50_000
    by_table: dict[str, list[dict[str, Any]]] = {table: [] for table in "ABC"}
    order = []
    for number in range(60):
        now += timedelta(seconds=rng.randrange(1, 20))
        table = rng.choice("ABC")
        moved = rng.choice([21, 135, -500])
        stands += moved
        by_table[table].append(
            {
                "table_id": table,
                "seq": number,
                "happened_at": now + off[table],
                "step": "paid" if moved < 0 else "contributed",
                "moved_cents": moved,
                "said_cents": stands,
            }
        )
        order.append(number)
    return {table: rows for table, rows in by_table.items() if rows}, order


@pytest.mark.parametrize("seed", range(12))
def test_clocks_that_are_off_do_not_make_steps_unexplained(seed: int) -> None:
    by_table, order = clerk(seed, CLOCKS_APART)
    first = min((rows[0] for rows in by_table.values()), key=lambda row: row["happened_at"])
    made = in_order(by_table)
    if first["seq"] == 0:  # else nothing says what the meter stood at before the first one
        assert [row["seq"] for row in made] == order
    assert sorted(row["seq"] for row in made) == order
    for table, rows in by_table.items():
        assert [row for row in made if row["table_id"] == table] == rows
