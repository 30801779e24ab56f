"""Progressive meters reconciled over all tables that feed them, from an opening to a closing value, cent by cent.

The steps of one table are in its own order; those of several tables are put in the order of their clocks, which may be
off from each other: where the next step by the clock does not go on from what the meter stood at, one of another table
within the tolerance that does goes first. Whatever then remains is a step that nobody explains, with its size and its
moment. Knows the views; prints nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from analytics.warehouse import Warehouse

CLOCKS_APART = timedelta(minutes=2)  # as far as clocks that are set right can be (GATE-010)
Row = dict[str, Any]


@dataclass(frozen=True)
class Unexplained:
    """The meter stood elsewhere than what came before gives."""

    cents: int  # more (or less) than there should be
    stood_cents: int  # before this step
    said_cents: int
    step: str  # contributed, paid, read, reset
    table_id: str
    round_id: str | None
    seq: int
    happened_at: datetime | None
    since_table_id: str  # the statement before it
    since_seq: int
    set_by: str | None = None


@dataclass(frozen=True)
class TableShare:
    """What one table put into a meter and paid from it."""

    table_id: str
    contributions: int
    contributed_cents: int
    payouts: int
    paid_cents: int


@dataclass(frozen=True)
class MeterAccount:
    """One meter from its opening value to its closing value: opening + contributed - paid + funded + unexplained."""

    meter: str
    opening_cents: int | None  # None: nobody said what it stood at
    opening_at: datetime | None
    contributed_cents: int
    paid_cents: int
    funded_cents: int  # by the house, to bring it to its seed once it was paid
    resets: int
    readings: int
    unexplained_cents: int
    closing_cents: int | None
    closing_at: datetime | None
    tables: tuple[TableShare, ...]
    unexplained: tuple[Unexplained, ...]
    before_opening: int = 0  # steps before anybody said what the meter stood at
    missing_events: tuple[str, ...] = field(default=())  # tables of which events are missing in between


def accounts(
    warehouse: Warehouse, meter: str | None = None, since: datetime | None = None, until: datetime | None = None
) -> list[MeterAccount]:
    """Every meter, or this one, between these times (in UTC, without saying so)."""
    conditions, parameters = ["TRUE"], []
    for sql, value in (("meter = ?", meter), ("happened_at >= ?", since), ("happened_at < ?", until)):
        if value is not None:
            conditions.append(sql)
            parameters.append(value)
    by_meter: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in warehouse.rows(
        f"SELECT * FROM meter_steps WHERE {' AND '.join(conditions)} ORDER BY meter, table_id, seq", parameters
    ):
        by_meter[row["meter"]][row["table_id"]].append(row)
    return [_account(warehouse, name, by_meter[name]) for name in sorted(by_meter)]


def _account(warehouse: Warehouse, meter: str, by_table: dict[str, list[Row]]) -> MeterAccount:
    opening: Row | None = None
    opening_cents: int | None = None
    stands: int | None = None
    last: Row | None = None  # the last statement
    funded = resets = readings = before_opening = 0
    after_payout = False
    emptied = False  # all of it was paid, and nobody has set it since; other tables may have fed it meanwhile
    unexplained: list[Unexplained] = []
    tables: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for step in in_order(by_table):
        said = None if step["said_cents"] is None else int(step["said_cents"])
        readings += step["step"] == "read"
        resets += step["step"] == "reset"
        if stands is None:  # what moved it before anybody said what it stood at is in that value
            if said is None:
                before_opening += 1
                continue
            opening, last, stands = step, step, said - int(step["moved_cents"] or 0)
            opening_cents = stands
        assert last is not None, "what a meter stands at was said by somebody"
        before, moved = stands, int(step["moved_cents"] or 0)
        _count(tables[step["table_id"]], step)
        off = 0 if said is None else said - before - moved
        to_its_seed = step["step"] == "reset" and (after_payout or emptied or before == 0)
        if off and (to_its_seed or _paid_out(step, before, said)):
            funded, off = funded + off, 0
        if off and said is not None:
            unexplained.append(_unexplained(step, last, off, before, said))
        stands = before + moved if said is None else said
        if step["step"] != "read":
            after_payout = step["step"] == "paid" and moved < 0
        if step["step"] in ("paid", "reset"):
            emptied = after_payout and stands == 0
        if said is not None:
            last = step
    end = last
    for rows in by_table.values():
        end = max((end, rows[-1]), key=_at) if end is not None and stands is not None else end
    shares = tuple(TableShare(name, *tables[name]) for name in sorted(tables) if any(tables[name]))
    return MeterAccount(
        meter,
        opening_cents,
        None if opening is None else opening["happened_at"],
        sum(share.contributed_cents for share in shares),
        sum(share.paid_cents for share in shares),
        funded,
        resets,
        readings,
        sum(one.cents for one in unexplained),
        stands,
        None if end is None else end["happened_at"],
        shares,
        tuple(unexplained),
        before_opening,
        tuple(name for name, rows in sorted(by_table.items()) if _missing(warehouse, name, rows)),
    )


def _count(share: list[int], step: Row) -> None:
    if step["step"] == "contributed":
        share[0] += 1
        share[1] += int(step["moved_cents"])
    elif step["step"] == "paid" and step["moved_cents"]:
        share[2] += 1
        share[3] -= int(step["moved_cents"])


def _paid_out(step: Row, before: int, said: int | None) -> bool:
    """All of the meter was paid, and it went on from its seed in the same step."""
    return step["step"] == "paid" and bool(said) and before + int(step["moved_cents"]) == 0


def _unexplained(step: Row, last: Row, off: int, stood: int, said: int) -> Unexplained:
    return Unexplained(
        off,
        stood,
        said,
        str(step["step"]),
        str(step["table_id"]),
        step["round_id"],
        int(step["seq"]),
        step["happened_at"],
        str(last["table_id"]),
        int(last["seq"]),
        step["set_by"],
    )


def in_order(by_table: dict[str, list[Row]]) -> list[Row]:
    """The steps of all tables in the order the meter took them, as far as clocks and values tell."""
    if len(by_table) == 1:
        return next(iter(by_table.values()))
    at = dict.fromkeys(by_table, 0)
    stands: int | None = None
    ordered: list[Row] = []
    while True:
        heads = sorted((by_table[name][at[name]] for name in by_table if at[name] < len(by_table[name])), key=_at)
        if not heads:
            return ordered
        step = heads[0]
        if stands is not None and not _goes_on(step, stands):
            step = next((other for other in heads[1:] if _goes_before(other, step, stands)), step)
        at[step["table_id"]] += 1
        ordered.append(step)
        if step["said_cents"] is not None:
            stands = int(step["said_cents"])
        elif stands is not None:
            stands += int(step["moved_cents"] or 0)


def _goes_on(step: Row, stands: int) -> bool:
    """Whether this step begins where the meter stands."""
    if step["said_cents"] is None:
        return True
    if step["step"] == "reset":
        return stands == 0
    return int(step["said_cents"]) - int(step["moved_cents"]) == stands or _paid_out(step, stands, step["said_cents"])


def _goes_before(other: Row, step: Row, stands: int) -> bool:
    """Whether a step that is later by its table's clock may have been the earlier one, and says that it was."""
    if other["said_cents"] is None or step["happened_at"] is None or other["happened_at"] is None:
        return False
    return bool(other["happened_at"] <= step["happened_at"] + CLOCKS_APART) and _goes_on(other, stands)


def _at(step: Row) -> tuple[datetime, str, int]:
    return step["happened_at"] or datetime.max, str(step["table_id"]), int(step["seq"])


def _missing(warehouse: Warehouse, table_id: str, rows: Sequence[Row]) -> bool:
    """Whether events of the table are missing between its first and its last step."""
    first, last = int(rows[0]["seq"]), int(rows[-1]["seq"])
    found = warehouse.rows(
        "SELECT count(DISTINCT seq) AS n FROM records "
        "WHERE table_id = ? AND status = 'recorded' AND seq BETWEEN ? AND ?",
        [table_id, first, last],
    )
    return int(found[0]["n"]) < last - first + 1
