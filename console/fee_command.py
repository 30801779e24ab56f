"""`muckraker fees`: was every collection fee taken, at the right rate, and is it in the box?"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

import click
from rich.text import Text

from analytics.fees.shifts import BoxShift
from analytics.fees.sums import BY, Fees, Period, Sums, days_there_are, fees_of, flat_row
from analytics.warehouse import Warehouse, committed_segments
from console import show
from console.command import (
    Command,
    Settings,
    color_option,
    home_option,
    json_option,
    limit_option,
    pass_settings,
    table_option,
    zone_option,
)
from console.csv_out import csv_option, print_csv
from console.exits import BadInput, Exit
from console.filters import check_table, named
from console.home import Home


def _groups(context: click.Context, parameter: click.Parameter, said: str) -> tuple[str, ...]:
    chosen = tuple(dict.fromkeys(part.strip() for part in said.split(",") if part.strip()))
    unknown = [one for one in chosen if one not in BY]
    if unknown or not chosen:
        raise click.BadParameter(f"{unknown[0] if unknown else said!r} is none of {', '.join(BY)}")
    return tuple(one for one in BY if one in chosen)


@click.command(
    cls=Command,
    examples=[
        "muckraker fees --month 2026-11",
        "muckraker fees --month 2026-11 --by table,dealer,shift,schedule --csv > fees.csv",
        "muckraker fees --day 2026-11-17 --boxes",
        "muckraker fees --month 2026-11 --fail --json",
    ],
    exits={Exit.FOUND: "with --fail: fees differ from what was due, or a box from what was reported"},
    notes={
        "Shifts": "A shift goes from one count of a table's drop box (table.counted) to the next, and belongs to the "
        "gaming day of its last round: `2026-11-17 1`. A box is not counted by dealer or schedule: such groups have no "
        "counted sum."
    },
)
@click.option("--month", type=click.DateTime(["%Y-%m"]), help="Only the gaming days of this month, as 2026-11.")
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="Only this gaming day.")
@click.option(
    "--by",
    default="table",
    show_default=True,
    callback=_groups,
    metavar="WHAT",
    help="Sums by table, dealer, shift, schedule, or several of them with commas between.",
)
@table_option
@click.option("--boxes", is_flag=True, help="Each drop box from count to count, and the rounds behind a difference.")
@limit_option
@click.option("--fail", is_flag=True, help="Exit 1 when a fee, or a box, is not as it should be.")
@csv_option
@json_option
@zone_option
@home_option
@color_option
@pass_settings
def fees(
    settings: Settings,
    month: datetime | None,
    day: datetime | None,
    by: tuple[str, ...],
    table_id: str | None,
    boxes: bool,
    limit: int,
    fail: bool,
    as_csv: bool,
) -> None:
    """Add up collection fees: due, taken, differing, counted.

    Due is what the filed schedules ask for; taken is what was reported dropped, less what was given back; differing are
    the rounds with a finding about fees; counted is what was in the drop boxes. The rounds themselves are listed by
    --boxes, and by muckraker findings.
    """
    if as_csv and settings.as_json:
        raise BadInput("--csv and --json are two forms of the same: give one")
    if month is not None and day is not None:
        raise BadInput("--month and --day are two stretches of time: give one")
    home = settings.home()
    settings.note_unchecked(home)
    period = _period(month, day)
    made = fees_of(committed_segments(home.lake_path), period, by, home.path / "cache" / "fees", table_id)
    empty = "" if made.sums else _nothing(home, made, period, table_id)
    rows = [asdict(one) for one in made.shifts] if boxes else [asdict(one) for one in made.sums]
    if as_csv:
        flat = [_flat_shift(one) for one in made.shifts] if boxes else [flat_row(one, by) for one in made.sums]
        print_csv(flat)
    elif settings.as_json:
        settings.lines(rows)
    elif made.sums:
        shown = len(made.shifts if boxes else made.sums) if limit == 0 else limit
        _print_boxes(settings, made.shifts[:shown]) if boxes else _print_sums(settings, made.sums[:shown], by)
        more = len(made.shifts if boxes else made.sums) - shown
        if more > 0:
            click.echo(f"… and {more:,} more: --limit 0 or --csv has them all")
        click.echo(_summed_up(made))
    if empty:
        click.echo(empty, err=settings.as_json or as_csv)
    if fail and _anything_wrong(made):
        click.get_current_context().exit(Exit.FOUND)


def _period(month: datetime | None, day: datetime | None) -> Period:
    if month is not None:
        return Period(month.date(), date(month.year, month.month, monthrange(month.year, month.month)[1]))
    return Period() if day is None else Period(day.date(), day.date())


def _nothing(home: Home, made: Fees, period: Period, table_id: str | None) -> str:
    there = days_there_are(committed_segments(home.lake_path))
    if there is None:
        return "No round is recorded yet, so there are no collection fees: `muckraker run` checks what is in the log."
    if table_id is not None:
        with Warehouse(home.lake_path) as warehouse:
            check_table(warehouse, table_id)
    of = f" of table {table_id}" if table_id else ""
    when = "" if period.first is None else f" from {period.first} to {period.last}"
    if period.first is not None and period.first == period.last:
        when = f" on {period.first}"
    if made.tables:
        return f"No collection fee{of} is due or was taken{when}; there are fees of {named(made.tables)}."
    return f"No collection fee{of} is due or was taken{when}; rounds are recorded from {there[0]} to {there[1]}."


def _anything_wrong(made: Fees) -> bool:
    return any(one.differing or one.difference_cents for one in made.sums) or any(
        shift.variance_cents for shift in made.shifts
    )


# --- in words --------------------------------------------------------------------------------------------------------


def _print_sums(settings: Settings, sums: list[Sums], by: tuple[str, ...]) -> None:
    counts = not {"dealer", "schedule"} & set(by)
    sure = any(one.unsure for one in sums)
    rounds = len(by) < 3  # of more, the columns have no room on a usual terminal
    columns: list[tuple[str, str]] = [("rounds", "right")] * rounds
    columns += [("due", "right"), ("taken", "right"), ("differ", "right")]
    columns += [("unsure", "right")] * sure + [("counted", "right")] * counts
    made = show.table(*((name, "whole") for name in by), *columns)
    for one in sums:
        cells: list[Text | str] = [Text(show.harmless(getattr(one, name) or "none")) for name in by]
        cells += [f"{one.rounds:,}"] * rounds + [show.money(one.due_cents), _taken(one)]
        cells.append(Text(f"{one.differing:,}", style="bold red" if one.differing else ""))
        cells += [f"{one.unsure:,}"] * sure + [_counted(one)] * counts
        made.add_row(*cells)
    settings.out.print(made)


def _taken(one: Sums) -> Text:
    return Text(show.money(one.taken_cents), style="bold red" if one.difference_cents else "")


def _counted(one: Sums) -> Text:
    if one.counted_cents is None:
        return Text("not yet", style="yellow")
    return Text(show.money(one.counted_cents), style="bold red" if one.variance_cents else "")


def _print_boxes(settings: Settings, shifts: list[BoxShift]) -> None:
    for shift in shifts:
        head = Text.assemble((f"{shift.table_id} {show.harmless(shift.box)}", "bold"), f"  {shift.name}  ")
        if shift.counted_cents is None:
            head.append("not counted yet", style="yellow")
        elif shift.variance_cents:
            more = "more" if shift.variance_cents > 0 else "less"
            head.append(f"{show.money(abs(shift.variance_cents))} {more} than was reported", style="bold red")
        else:
            head.append("holds what was reported", style="green")
        settings.out.print(head)
        sums = f"due {show.money(shift.due_cents)}, reported {show.money(shift.taken_cents)}"
        if shift.counted_cents is not None:
            sums += f", counted {show.money(shift.counted_cents)}"
            sums += f" at {settings.times.at(shift.counted_at)}" if shift.counted_at else ""
        settings.out.print(show.indented(Text(f"{sums}; {show.counted(shift.rounds, 'round')}.")))
        for line in _in_words(shift):
            settings.out.print(show.indented(Text(line)))


def _in_words(shift: BoxShift) -> list[str]:
    """The rounds behind a difference, a sentence each."""
    said = []
    for one in shift.differing:
        codes = f" ({', '.join(one.codes)})" if one.codes else ""
        said.append(
            f"Round {shift.table_id}/{one.round_id}{codes}: due {show.money(one.due_cents)}, reported "
            f"{show.money(one.taken_cents)}"
            + (", which would explain the count if the fee was taken as it was due." if one.explains else ".")
        )
    return said


def _flat_shift(shift: BoxShift) -> dict[str, Any]:
    """One row of a spreadsheet: the rounds in words."""
    return {**asdict(shift), "differing": " ".join(_in_words(shift))}


def _summed_up(made: Fees) -> str:
    due, taken = (sum(getattr(one, name) for one in made.sums) for name in ("due_cents", "taken_cents"))
    rounds, differing = (sum(getattr(one, name) for one in made.sums) for name in ("rounds", "differing"))
    said = f"{show.counted(rounds, 'round')}: due {show.money(due)}, taken {show.money(taken)}"
    said += f" ({show.signed(taken - due)}); {differing:,} differ"
    counted = [shift for shift in made.shifts if shift.counted_cents is not None]
    off = sum(1 for shift in counted if shift.variance_cents)
    waiting = len(made.shifts) - len(counted)
    said += f"\n{show.counted(len(counted), 'count')} of drop boxes: {len(counted) - off} as reported, {off} not"
    return f"{said}; {show.counted(waiting, 'shift')} not counted yet" if waiting else said
