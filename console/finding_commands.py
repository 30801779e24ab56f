"""`muckraker findings`: what was found, as a list."""

from __future__ import annotations

from datetime import datetime
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
    zone_option,
)
from console.exits import BadInput, Exit
from console.filters import (
    SEVERITY_RANK,
    TIMES_HELP,
    Filter,
    Filters,
    asked_for,
    filters_for,
    named,
    nothing,
    place_options,
    sort_option,
)
from console.times import VenueTime, When
from schemas.findings import CATALOGUE, Severity

TABLE_WIDTH = 110  # on a narrower page the sentences are written under their headings
_MONEY = "abs(coalesce(difference_cents, 0)) DESC"
_ORDERS = {
    "worst": f"{SEVERITY_RANK}, {_MONEY}, happened_at NULLS LAST",
    "money": f"{_MONEY}, {SEVERITY_RANK}, happened_at NULLS LAST",
    "time": "happened_at NULLS LAST",
}
_COLUMNS = (
    "finding_id, code, title, severity, table_id, round_id, round_version, gaming_day, dealer, seat, bettor, wager, "
    "expected_cents, actual_cents, difference_cents, sentence, citation, confidence, basis, happened_at, evidence, "
    "seq, contested"
)


@click.command(
    cls=Command,
    examples=[
        "muckraker findings --severity high",
        "muckraker findings --table PG-01 --from 21:00 --to 23:30",
        "muckraker findings --dealer D-124 --sort money",
        "muckraker findings --table PG-01 --code SETTLE-101 --json",
        "muckraker findings --day 2026-11-17 --fail --limit 0",
    ],
    exits={Exit.FOUND: "with --fail: there are findings"},
    notes={"Times": TIMES_HELP},
)
@click.option("--code", help="Only this code, such as SETTLE-101, or this group, such as FEE.")
@place_options
@click.option("--round", "round_id", help="Only this round.")
@click.option(
    "--severity", type=click.Choice([str(severity) for severity in Severity]), help="Only findings of this severity."
)
@sort_option(
    "worst: by severity, then by the money, then by time; money: the biggest difference first; time: in the order "
    "things happened."
)
@limit_option
@click.option("--all-versions", is_flag=True, help="Also findings about versions of a round that do not stand.")
@click.option("--fail", is_flag=True, help="Exit 1 when there are findings.")
@json_option
@zone_option
@home_option
@color_option
@pass_settings
def findings(
    settings: Settings,
    code: str | None,
    table_id: str | None,
    day: datetime | None,
    moment: When | None,
    since: When | None,
    until: When | None,
    dealer: str | None,
    seat: int | None,
    round_id: str | None,
    severity: str | None,
    sort: str,
    limit: int,
    all_versions: bool,
    fail: bool,
) -> None:
    """List findings, the worst first: code, where, the sentence, the money.

    Worst first is by severity, then by the money at stake, then by time. Those that stand are listed: about the
    version of a round that stands or about the record itself, what `muckraker quality` found included.

    The difference is signed from the patron's side: -$5.00 is a patron who has $5.00 too little, +$5.00 one who has
    $5.00 too much (of a fee or vigorish: +$1.00 is $1.00 that was not taken). docs/findings.md explains every code.
    """
    asked = asked_for(table_id, round_id, day, moment, since, until, dealer, seat)
    own = []
    if code is not None:
        code = _known_code(code.upper())
        own.append(_under(f"--code {code}", f"under {code}", "code = ? OR code LIKE ? || '-%'", (code, code), "code"))
    if severity is not None:
        words = f"of severity {severity}"
        own.append(_under(f"--severity {severity}", words, "severity = ?", (severity,), "severity"))
    view = "finding_versions" if all_versions else "findings"
    home = settings.home()
    settings.note_unchecked(home)
    with Warehouse(home.lake_path) as warehouse:
        scope = filters_for(settings, warehouse, asked)
        every = scope + own
        where, parameters = every.where("findings")
        number = every.count(warehouse, "findings", view)
        rows = warehouse.rows(
            f"SELECT {_COLUMNS}{', superseded, unattested' if all_versions else ''} FROM {view} WHERE {where} "
            f"ORDER BY {_ORDERS[sort]}, table_id, seq, code, seat, sentence LIMIT {limit or 'ALL'}",
            parameters,
        )
        empty = "" if rows else nothing(warehouse, scope, own, "findings", view)
    if not rows:
        click.echo(empty, err=settings.as_json)
    elif settings.as_json:
        settings.lines(rows)
    else:
        _print(settings, rows, number)
    if fail and number:
        click.get_current_context().exit(Exit.FOUND)


def _under(option: str, words: str, sql: str, parameters: tuple[object, ...], column: str) -> Filter:
    """A filter of findings, which says what there is instead."""

    def nearest(warehouse: Warehouse, scope: Filters) -> str:
        where, own = scope.where("findings")
        rows = warehouse.rows(
            f"SELECT {column} AS word, count(*) AS n FROM findings WHERE {where} GROUP BY ALL ORDER BY 1", own
        )
        there = named([f"{row['word']} ({row['n']:,})" for row in rows])
        return f"There are, {words.rsplit(' ', 1)[0]} {there}." if rows else ""

    return Filter(option, words, "TRUE", sql, (), parameters, nearest)


def _known_code(code: str) -> str:
    if code in CATALOGUE or any(known.startswith(code + "-") for known in CATALOGUE):
        return code
    group = code.partition("-")[0]
    near = [known for known in CATALOGUE if known.startswith(group + "-")]
    there = near or list(dict.fromkeys(known.partition("-")[0] for known in CATALOGUE))
    raise BadInput(f"there is no finding {code}; there are{'' if near else ' the groups'}: {', '.join(there)}")


def _print(settings: Settings, rows: list[dict[str, Any]], number: int) -> None:
    (_print_table if settings.out.width >= TABLE_WIDTH else _print_paragraphs)(settings, rows)
    click.echo(show.how_many(len(rows), number, "finding"))


def _print_table(settings: Settings, rows: list[dict[str, Any]]) -> None:
    made = show.table(("code", "whole"), ("severity", "whole"), ("where", "whole"), "what", ("difference", "right"))
    for row in rows:
        made.add_row(
            row["code"],
            show.severity_text(row["severity"]),
            place_of(row),
            Text(sentence_of(row, settings.times)),
            _difference(row),
        )
    settings.out.print(made)


def _print_paragraphs(settings: Settings, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        head = Text.assemble((row["code"], "bold"), "  ", show.severity_text(row["severity"]), "  ", place_of(row))
        head.append(f"  {_difference(row)}")
        settings.out.print(head)
        settings.out.print(show.indented(Text(sentence_of(row, settings.times))))


def _difference(row: dict[str, Any]) -> str:
    return show.signed(row["difference_cents"]) if row["difference_cents"] else ""


def place_of(row: dict[str, Any]) -> str:
    return f"{row['table_id']}/{row['round_id']}" if row["round_id"] else str(row["table_id"])


def sentence_of(row: dict[str, Any], times: VenueTime) -> str:
    """The sentence without the table and round it begins with, which have a column of their own."""
    sentence = show.cards_in(times.sentence(str(row["sentence"])))
    if row["contested"]:
        sentence += " An unsigned correction says otherwise."
    for start in (f"{row['table_id']} round {row['round_id']}", str(row["table_id"])):
        if sentence.startswith(start):
            return sentence[len(start) :].lstrip(" ,:")
    return sentence
