"""`muckraker meters`: every cent of a progressive meter, over all tables that feed it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click
from rich.text import Text

from analytics.meters import MeterAccount, Unexplained, accounts
from analytics.warehouse import Warehouse
from console import show
from console.command import (
    Command,
    Settings,
    color_option,
    home_option,
    json_option,
    limit_option,
    pass_settings,
    zone_option,
)
from console.csv_out import csv_option, print_csv
from console.exits import BadInput, Exit
from console.filters import TIMES_HELP, named, stretch_asked_for, stretch_options
from console.times import When

_STEPS = {"contributed": "a contribution", "paid": "a payout", "read": "a reading", "reset": "a reset"}


@click.command(
    cls=Command,
    examples=[
        "muckraker meters",
        "muckraker meters --meter pgp-1 --from 2026-11-17 --to 2026-11-17",
        "muckraker meters --csv > meters.csv",
        "muckraker meters --fail --json",
    ],
    exits={Exit.FOUND: "with --fail: a meter moved in a way that no event explains"},
    notes={"Times": TIMES_HELP},
)
@click.option("--meter", help="Only this meter, as events name it.")
@stretch_options
@limit_option
@click.option("--fail", is_flag=True, help="Exit 1 when a step of a meter is not explained.")
@csv_option
@json_option
@zone_option
@home_option
@color_option
@pass_settings
def meters(
    settings: Settings,
    meter: str | None,
    since: When | None,
    until: When | None,
    limit: int,
    fail: bool,
    as_csv: bool,
) -> None:
    """Account for every cent of each progressive meter, over all tables that feed it.

    From its first value to its last: contributions and payouts by table, what the house put in as its seed, and the
    steps that no event explains, with size and moment. A meter that several tables name is one meter, fed by all of
    them. The rows of --csv go from its opening to its closing value; those between add up to the difference.
    """
    if as_csv and settings.as_json:
        raise BadInput("--csv and --json are two forms of the same: give one")
    home = settings.home()
    settings.note_unchecked(home)
    with Warehouse(home.lake_path) as warehouse:
        start, end = stretch_asked_for(settings, warehouse, since, until)
        made = accounts(warehouse, meter, start, end)
        empty = "" if made else _nothing(warehouse, meter)
    if as_csv:
        print_csv([row for account in made for row in _flat(account)])
    elif settings.as_json:
        settings.lines([_document(account) for account in made])
    else:
        for account in made:
            _print(settings, account, limit)
    if empty:
        click.echo(empty, err=settings.as_json or as_csv)
    if fail and any(account.unexplained for account in made):
        click.get_current_context().exit(Exit.FOUND)


def _nothing(warehouse: Warehouse, meter: str | None) -> str:
    known = [str(row["meter"]) for row in warehouse.rows("SELECT DISTINCT meter FROM meter_steps ORDER BY 1")]
    if not known:
        return "No event speaks of a progressive meter."
    if meter is not None and meter not in known:
        raise BadInput(f"nothing is recorded of a meter {meter}; there are: {named(known, meter)}")
    of = f"meter {meter}" if meter is not None else "a progressive meter"
    return f"Nothing is recorded of {of} between these times; there are events of {named(known)} at other times."


def _document(account: MeterAccount) -> dict[str, Any]:
    return {
        **asdict(account),
        "tables": [asdict(share) for share in account.tables],
        "unexplained": [asdict(one) for one in account.unexplained],
        "missing_events": list(account.missing_events),
    }


def _flat(account: MeterAccount) -> list[dict[str, Any]]:
    """The meter's sums, and each of its unexplained steps, as rows of one spreadsheet."""
    steps = [
        ("opening", account.opening_at, account.opening_cents),
        *(("contributed at " + share.table_id, None, share.contributed_cents) for share in account.tables),
        *(("paid at " + share.table_id, None, -share.paid_cents) for share in account.tables),
        ("funded by the house", None, account.funded_cents),
    ]
    rows = [_line(account.meter, what, at, cents) for what, at, cents in steps]
    for one in account.unexplained:
        row = _line(account.meter, "unexplained", one.happened_at, one.cents)
        rows.append({**row, "table_id": one.table_id, "round_id": one.round_id, "seq": one.seq})
    return [*rows, _line(account.meter, "closing", account.closing_at, account.closing_cents)]


def _line(meter: str, what: str, at: object, cents: int | None) -> dict[str, Any]:
    return {
        "meter": meter,
        "what": what,
        "at": at,
        "cents": cents,
        "table_id": None,
        "round_id": None,
        "seq": None,
    }


def _print(settings: Settings, account: MeterAccount, limit: int) -> None:
    times = settings.times
    head = Text.assemble((f"meter {account.meter}", "bold"), "  ")
    if account.opening_cents is None:
        head.append("nobody said what it stands at", style="yellow")
    elif account.unexplained:
        number = show.counted(len(account.unexplained), "step")
        head.append(f"{number} not explained, {show.signed(account.unexplained_cents)} in all", style="bold red")
    else:
        head.append("every cent is explained", style="green")
    settings.out.print(head)
    if account.opening_cents is not None:
        made = show.table("", ("", "right"))
        made.show_header = False
        opened = "" if account.opening_at is None else f", {times.at(account.opening_at)}"
        made.add_row(f"stood at first{opened}", show.money(account.opening_cents))
        for share in account.tables:
            if share.contributions:
                made.add_row(
                    f"{show.counted(share.contributions, 'contribution')} at {share.table_id}",
                    show.signed(share.contributed_cents),
                )
            if share.payouts:
                made.add_row(
                    f"{show.counted(share.payouts, 'payout')} at {share.table_id}", show.signed(-share.paid_cents)
                )
        if account.funded_cents:
            made.add_row("put in by the house, as its seed", show.signed(account.funded_cents))
        if account.unexplained:
            made.add_row("not explained", show.signed(account.unexplained_cents))
        closed = "" if account.closing_at is None else f", {times.at(account.closing_at)}"
        made.add_row(f"stood at last{closed}", show.money(account.closing_cents))
        settings.out.print(show.indented(made))
    for one in account.unexplained[: limit or None]:
        settings.out.print(show.indented(Text(_sentence(settings, one))))
    if limit and len(account.unexplained) > limit:
        click.echo(show.how_many(limit, len(account.unexplained), "step"))
    for line in _remarks(account):
        settings.out.print(show.indented(Text(line)))


def _sentence(settings: Settings, one: Unexplained) -> str:
    at = "" if one.happened_at is None else f"{settings.times.at(one.happened_at)}, "
    where = f"{one.table_id}/{one.round_id}" if one.round_id else one.table_id
    amount = show.money(abs(one.cents))
    gone = "is missing" if one.cents < 0 else "appeared"
    by = f" by {one.set_by}" if one.set_by else ""
    return (
        f"{at}{where}: {amount} {gone}. {_STEPS[one.step].capitalize()}{by} (event {one.seq}) leaves the meter at "
        f"{show.money(one.said_cents)}; by event {one.since_seq} of {one.since_table_id} and what came in and went out "
        f"since it should be {show.money(one.said_cents - one.cents)}."
    )


def _remarks(account: MeterAccount) -> list[str]:
    said = []
    if account.before_opening:
        number = show.counted(account.before_opening, "step")
        said.append(f"{number} came before anybody said what the meter stood at.")
    if account.missing_events:
        tables = show.joined(account.missing_events)
        said.append(f"Events of {tables} are missing in between: what is not explained may be among them.")
    return said
