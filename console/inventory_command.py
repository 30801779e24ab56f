"""`muckraker inventory`: does each count of a table's chips agree with what was reported to have moved?"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

import click
from rich.text import Text

from analytics.inventory import Explanation, Shift, shifts
from analytics.warehouse import Warehouse
from console import show
from console.command import (
    Command,
    Settings,
    color_option,
    home_option,
    json_option,
    pass_settings,
    table_option,
    zone_option,
)
from console.csv_out import csv_option, print_csv
from console.exits import BadInput, Exit
from console.filters import check_table, named

_SUMS = (
    ("fills_cents", "fills"),
    ("credits_cents", "credits"),
    ("wagers_cents", "wagers won less lost"),
    ("vigorish_cents", "vigorish"),
    ("envy_cents", "envy bonuses"),
    ("meter_shares_cents", "paid from a meter instead"),
    ("cash_cents", "chips sold for cash"),
)
_TAKEN = frozenset({"credits_cents", "cash_cents"})


@click.command(
    cls=Command,
    examples=[
        "muckraker inventory",
        "muckraker inventory --table PG-01",
        "muckraker inventory --day 2026-11-17 --csv > shifts.csv",
        "muckraker inventory --fail --json",
    ],
    exits={Exit.FOUND: "with --fail: a count does not agree"},
)
@table_option
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="Only this gaming day.")
@click.option("--fail", is_flag=True, help="Exit 1 when a count does not agree.")
@csv_option
@json_option
@zone_option
@home_option
@color_option
@pass_settings
def inventory(settings: Settings, table_id: str | None, day: datetime | None, fail: bool, as_csv: bool) -> None:
    """Reconcile every table's chips, count by count, and name the rounds that could explain a variance.

    Opening count, fills, credits, what the house won and lost, vigorish, closing count. A shift runs from one count to
    the next. Where a count does not agree, the rounds are named that could explain it:
    whose reports differ from what the rules give by just that sum, alone or two together; if there are none, void
    rounds and rounds that could not be verified, with the money that was bet on them. A count that does not agree is no
    proof against anybody: docs/inventory.md says what can be behind it.
    """
    if as_csv and settings.as_json:
        raise BadInput("--csv and --json are two forms of the same: give one")
    home = settings.home()
    settings.note_unchecked(home)
    with Warehouse(home.lake_path) as warehouse:
        if table_id is not None:
            check_table(warehouse, table_id)
        made = shifts(warehouse, table_id, None if day is None else day.date())
        empty = "" if made else _nothing(warehouse, table_id, day)
    if as_csv:
        print_csv([_flat(shift) for shift in made])
    elif settings.as_json:
        settings.lines([_document(shift) for shift in made])
    else:
        for shift in made:
            _print(settings, shift)
        if made:
            click.echo(_summed_up(made))
    if empty:
        click.echo(empty, err=settings.as_json or as_csv)
    if fail and any(shift.variance_cents for shift in made):
        click.get_current_context().exit(Exit.FOUND)


def _nothing(warehouse: Warehouse, table_id: str | None, day: datetime | None) -> str:
    of = f" of table {table_id}" if table_id else ""
    counted = warehouse.rows("SELECT DISTINCT table_id FROM tray_counts WHERE inventory_cents IS NOT NULL ORDER BY 1")
    tables = [str(row["table_id"]) for row in counted]
    if not tables:
        return "No count of a table inventory is recorded: table.opened, table.counted and table.closed say none."
    if table_id is not None and table_id not in tables:
        return f"No count of the inventory{of} is recorded; there are counts of {named(tables)}."
    if day is not None:
        days = sorted({str(shift.gaming_day) for shift in shifts(warehouse, table_id) if shift.gaming_day is not None})
        return f"No shift{of} is recorded for {day:%Y-%m-%d}; there are shifts of {named(days) if days else 'no day'}."
    return f"Only one count{of} is recorded, and nothing was played since: there is no shift to reconcile."


def _document(shift: Shift) -> dict[str, Any]:
    return {
        **asdict(shift),
        "remarks": list(shift.remarks),
        "explanations": [asdict(one) for one in shift.explanations],
    }


def _flat(shift: Shift) -> dict[str, Any]:
    """One row of a spreadsheet: what explains it in words."""
    row = _document(shift)
    row["remarks"] = "; ".join(shift.remarks)
    row["explanations"] = "; ".join(_in_words(shift.explanations, shift.table_id))
    return row


def _print(settings: Settings, shift: Shift) -> None:
    times = settings.times
    until = "now" if shift.to_at is None else times.at(shift.to_at)
    head = Text.assemble((shift.table_id, "bold"), f"  {times.at(shift.from_at)} to {until}  ")
    if shift.counted_cents is None:
        head.append("not counted yet", style="yellow")
    elif shift.variance_cents:
        more = "more" if shift.variance_cents > 0 else "less"
        head.append(f"{show.money(abs(shift.variance_cents))} {more} than there should be", style="bold red")
    else:
        head.append("agrees", style="green")
    settings.out.print(head)
    made = show.table("", ("", "right"))
    made.show_header = False
    made.add_row("opening count", show.money(shift.opening_cents))
    for name, words in _SUMS:
        cents = getattr(shift, name)
        if cents:
            made.add_row(words, show.signed(-cents if name in _TAKEN else cents))
    made.add_row("should be there", show.money(shift.expected_cents))
    if shift.counted_cents is not None:
        made.add_row("counted", show.money(shift.counted_cents))
    settings.out.print(show.indented(made))
    for line in (*shift.remarks, *_in_words(shift.explanations, shift.table_id)):
        settings.out.print(show.indented(Text(f"{line[0].upper()}{line[1:]}.")))


def _in_words(explanations: tuple[Explanation, ...], table_id: str) -> list[str]:
    """What could explain a variance, a sentence each."""
    groups: dict[int, list[Explanation]] = {}
    for one in explanations:
        groups.setdefault(one.group, []).append(one)
    said = []
    for together in groups.values():
        first = together[0]
        if first.what in ("fill", "credit"):
            slip = f" {first.slip}" if first.slip else ""
            was = "never reached the table" if first.what == "fill" else "never left it"
            said.append(
                f"could be explained by {first.what}{slip} of {show.money(abs(first.cents))}, if its chips {was}"
            )
        elif first.what == "finding":
            named_ = show.joined([_round(one, table_id) for one in together])
            both = " together" if len(together) > 1 else ""
            said.append(f"could be explained by {named_}{both}, if what was reported there is not what moved")
        else:
            why = "was voided" if first.what == "void" else "could not be verified"
            said.append(f"{_round(first, table_id)} {why}, with {show.money(first.cents)} bet on it")
    return said


def _round(one: Explanation, table_id: str) -> str:
    codes = f" ({', '.join(one.codes)})" if one.codes else ""
    return f"round {table_id}/{one.round_id}{codes}"


def _summed_up(made: list[Shift]) -> str:
    off = [shift for shift in made if shift.variance_cents]
    waiting = sum(1 for shift in made if shift.counted_cents is None)
    said = f"{show.counted(len(made), 'shift')}: {len(made) - len(off) - waiting} agree, {len(off)} do not"
    return f"{said}, {waiting} not counted yet" if waiting else said
