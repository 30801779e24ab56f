"""`muckraker quality`: is the data good enough to judge by?"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from rich.text import Text

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
    table_option,
    zone_option,
)
from console.exits import BadInput, Exit
from console.filters import check_table, named
from console.finding_commands import TABLE_WIDTH
from console.home import TOPIC, Home
from console.pipeline import findings_topic
from console.quality_summary import summary
from ingest.quality import QualityBusy, QualityReport, UnknownDay, check_quality
from schemas.findings import Finding

DAYS_SHOWN = 7
BESIDE_NICENESS = 10
Document = dict[str, Any]


@click.command(
    cls=Command,
    examples=[
        "muckraker quality",
        "muckraker quality --day 2026-11-17 --table PG-01",
        "muckraker quality --html quality.html",
        "muckraker quality --fail --json",
        "muckraker quality --day 2026-11-17 --unfinished",
    ],
    exits={Exit.FOUND: "with --fail: data failed an expectation"},
)
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="Show only this gaming day.")
@table_option
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path),
    help="Also write it as one page to read or print, which loads nothing (in a folder: quality.html).",
)
@click.option("--no-check", is_flag=True, help="Check nothing, only show what was found before.")
@click.option("--unfinished", is_flag=True, help="Check the --day although tables have not closed.")
@click.option(
    "--day-border",
    type=click.IntRange(0, 23),
    metavar="HOUR",
    help="UTC hour at which the day of a table that announces none begins; settled by the first check [6].",
)
@click.option("--beside", is_flag=True, hidden=True, help="As a running worker starts it: in the background, politely.")
@limit_option
@click.option("--fail", is_flag=True, help="Exit 1 when data failed an expectation.")
@json_option
@zone_option
@home_option
@color_option
@pass_settings
def quality(
    settings: Settings,
    day: datetime | None,
    table_id: str | None,
    page: Path | None,
    no_check: bool,
    unfinished: bool,
    day_border: int | None,
    beside: bool,
    limit: int,
    fail: bool,
) -> None:
    """Check the segments and gaming days that are new, and sum up what the data is worth.

    A gaming day is checked once all its tables have closed, or its deadline has passed. What fails is a finding
    (QUALITY-…, docs/quality.md) and marks the rounds that rest on it; the record itself is never changed. Killed at any
    moment it may simply be run again.
    """
    wanted = None if day is None else f"{day:%Y-%m-%d}"
    if unfinished and (wanted is None or no_check):
        raise BadInput("--unfinished goes with --day, and not with --no-check: it checks that day before it is over")
    home = settings.home()
    if beside:
        os.nice(BESIDE_NICENESS)
    report = QualityReport()
    if not no_check:
        report = _check(settings, home, [wanted] if unfinished and wanted is not None else [], day_border, beside)
    settings.note_unchecked(home)
    with Warehouse(home.lake_path) as warehouse:
        if table_id is not None:
            check_table(warehouse, table_id)
        document = {**_checked(report), **summary(warehouse, wanted, table_id)}
        checked = warehouse.rows("SELECT DISTINCT gaming_day FROM quality_places WHERE day_checked ORDER BY 1 DESC")
    if page is not None:
        from console.quality_page import write_page

        click.echo(f"(the page is {write_page(page, document, wanted, table_id, settings.times)})", err=True)
    if settings.as_json:
        settings.document(document)
    else:
        _print(settings, document, _nothing_checked(wanted, [str(row["gaming_day"]) for row in checked]), limit)
    if fail and document["failures"]:
        click.get_current_context().exit(Exit.FOUND)


def check_new(settings: Settings, home: Home) -> Document:
    """Check what is new, and say what that was."""
    return _checked(_check(settings, home, [], None, beside=False))


def _check(settings: Settings, home: Home, days: list[str], day_border: int | None, beside: bool) -> QualityReport:
    topic = findings_topic(home.kafka())

    def tell(findings: list[Finding]) -> None:
        if topic is not None:
            topic.wait_for(topic.send(findings))

    try:
        with settings.bar("checking the data") as bar:
            return check_quality(
                home.lake(),
                TOPIC,
                days=days,
                day_border_hour=day_border,
                wait_for_border=beside,
                progress=lambda done, total, what: bar.show(done, total, f"checking the data, {what}"),
                tell=tell,
            )
    except QualityBusy as error:
        if not beside:
            raise
        settings.note(str(error))  # another worker of the group is at it
        return QualityReport()
    except UnknownDay as error:
        raise BadInput(str(error)) from error
    finally:
        if topic is not None:
            topic.close()


def _checked(report: QualityReport) -> Document:
    return {
        "checked": {"segments": report.segments, "days": report.days, "failures": report.failures},
        "waiting": [{"gaming_day": day, "tables": tables} for day, tables in sorted(report.waiting.items())],
    }


# --- for people -------------------------------------------------------------------------------------------------------


def _nothing_checked(wanted: str | None, days: list[str]) -> str:
    if wanted is None or not days:
        return f"Nothing is checked{f' of the gaming day {wanted}' if wanted else ''} yet."
    return f"Nothing is checked of the gaming day {wanted}; checked {'is' if len(days) == 1 else 'are'} {named(days)}."


def _print(settings: Settings, document: Document, nothing: str, limit: int) -> None:
    new = document["checked"]
    if new["segments"] or new["days"]:
        click.echo(
            f"Checked {show.counted(new['segments'], 'segment')} and {show.counted(len(new['days']), 'gaming day')} "
            f"that {'was' if new['segments'] + len(new['days']) == 1 else 'were'} new: "
            f"{show.counted(new['failures'], 'failure')}."
        )
    for waiting in document["waiting"]:
        click.echo(f"{waiting['gaming_day']} is not over: {_named(waiting['tables'])} not closed yet.")
    days = document["days"]
    if not days:
        click.echo(nothing)
        return
    for day in days[:DAYS_SHOWN]:
        _print_day(settings, day)
    if len(days) > DAYS_SHOWN:
        rest = days[DAYS_SHOWN:]
        failed = sum(day["failed"] for day in rest)
        click.echo(
            f"\n{show.counted(len(rest), 'earlier day')} with {show.counted(failed, 'failure')}: "
            f"--day shows one, {rest[-1]['gaming_day']} being the first."
        )
    failures = document["failures"]
    if failures:
        settings.out.print(Text("\nWhat failed", style="bold"))
        _print_failures(settings, failures[: limit or None])
        click.echo(show.how_many(min(len(failures), limit or len(failures)), len(failures), "failure"))
        _print_what_to_do(settings, failures)
    else:
        click.echo("\nNothing failed.")


def _named(tables: list[str]) -> str:
    some = tables if len(tables) <= 8 else [*tables[:7], f"{len(tables) - 7} others"]
    return f"{show.joined(some)} {'has' if len(tables) == 1 else 'have'}"


def _print_day(settings: Settings, day: Document) -> None:
    title = f"Gaming day {day['gaming_day']}" if day["gaming_day"] else "Of no gaming day"
    settings.out.print(Text(f"\n{title}", style="bold") + Text("" if day["over"] else ", not over yet", style="yellow"))
    made = show.table(
        ("table", "whole"),
        ("rounds", "right"),
        ("marked", "right"),
        ("judged", "right"),
        ("failed", "right"),
        "devices",
        "failed under",
    )
    for table in day["tables"]:
        made.add_row(
            table["table_id"],
            f"{table['rounds']:,}",
            f"{table['rounds_marked']:,}",
            f"{table['judged']:,}",
            Text(f"{table['failed']:,}", style="bold red" if table["failed"] else ""),
            Text(_devices(table["devices"])),
            Text(", ".join(table["codes"])),
        )
    settings.out.print(show.indented(made))
    settings.out.print(
        show.indented(
            f"{show.counted(day['judged'] - day['failed'], 'expectation')} held, {day['failed']:,} did not; "
            f"{day['rounds_marked']:,} of {show.counted(day['rounds'], 'round')} rest on data that failed."
        )
    )


def _devices(devices: list[Document]) -> str:
    failed = [device["device"] for device in devices if device["failed"]]
    if failed:
        return f"{', '.join(failed)} failed, {len(devices) - len(failed)} good"
    return f"{len(devices)} good" if devices else ""


def _print_failures(settings: Settings, failures: list[Document]) -> None:
    if settings.out.width < TABLE_WIDTH:
        for row in failures:
            head = Text.assemble((row["code"], "bold"), "  ", show.severity_text(row["severity"]), f"  {_place(row)}")
            settings.out.print(head)
            settings.out.print(show.indented(Text(settings.times.sentence(row["sentence"]))))
        return
    made = show.table(("code", "whole"), ("severity", "whole"), ("day", "whole"), "what")
    for row in failures:
        made.add_row(
            row["code"],
            show.severity_text(row["severity"]),
            str(row["gaming_day"] or ""),
            Text(settings.times.sentence(row["sentence"])),
        )
    settings.out.print(made)


def _print_what_to_do(settings: Settings, failures: list[Document]) -> None:
    made = show.table("expected", "what to do where it failed")
    for expected, what_to_do in dict.fromkeys((row["expected"], row["what_to_do"]) for row in failures):
        made.add_row(expected, what_to_do)
    settings.out.print()
    settings.out.print(made)


def _place(row: Document) -> str:
    return f"{row['table_id']} {row['device'] or ''}".strip()
