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
    table_option,
)
from console.exits import BadInput, Exit
from console.round_commands import check_table
from schemas.findings import CATALOGUE, Severity

TABLE_WIDTH = 110  # on a narrower page the sentences are written under their headings
_WORST_FIRST = "CASE severity WHEN 'high' THEN 0 WHEN 'medium' THEN 1 WHEN 'low' THEN 2 ELSE 3 END"
_COLUMNS = (
    "finding_id, code, title, severity, table_id, round_id, round_version, gaming_day, dealer, seat, bettor, wager, "
    "expected_cents, actual_cents, difference_cents, sentence, citation, confidence, happened_at, evidence, seq"
)


@click.command(
    cls=Command,
    examples=[
        "muckraker findings --severity high",
        "muckraker findings --table PG-01 --code SETTLE-101 --json",
        "muckraker findings --day 2026-11-17 --fail --limit 0",
    ],
    exits={Exit.FOUND: "with --fail: there are findings"},
)
@click.option("--code", help="Only this code, such as SETTLE-101, or this group, such as FEE.")
@table_option
@click.option("--round", "round_id", help="Only this round.")
@click.option(
    "--severity", type=click.Choice([str(severity) for severity in Severity]), help="Only findings of this severity."
)
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="Only this gaming day.")
@limit_option
@click.option("--all-versions", is_flag=True, help="Also findings about older versions of a round.")
@click.option("--fail", is_flag=True, help="Exit 1 when there are findings.")
@json_option
@home_option
@color_option
@pass_settings
def findings(
    settings: Settings,
    code: str | None,
    table_id: str | None,
    round_id: str | None,
    severity: str | None,
    day: datetime | None,
    limit: int,
    all_versions: bool,
    fail: bool,
) -> None:
    """List findings, the most severe first: code, where, the sentence, the money.

    The difference is signed from the patron's side: -$5.00 is a patron who has $5.00 too little, +$5.00 one who has
    $5.00 too much (of a fee or vigorish: +$1.00 is $1.00 that was not taken). docs/findings.md explains every code.
    """
    conditions, parameters = ["TRUE"], []
    if code is not None:
        code = _known_code(code.upper())
        conditions.append("(code = ? OR code LIKE ? || '-%')")
        parameters += [code, code]
    for column, value in (("table_id", table_id), ("round_id", round_id), ("severity", severity)):
        if value is not None:
            conditions.append(f"{column} = ?")
            parameters.append(value)
    if day is not None:
        conditions.append("coalesce(gaming_day, CAST(happened_at AS DATE)) = CAST(? AS DATE)")
        parameters.append(f"{day:%Y-%m-%d}")
    view = "finding_versions" if all_versions else "findings"
    where = " AND ".join(conditions)
    home = settings.home()
    settings.note_unchecked(home)
    with Warehouse(home.lake_path) as warehouse:
        _check_place(warehouse, table_id, round_id)
        number = int(warehouse.rows(f"SELECT count(*) AS n FROM {view} WHERE {where}", parameters)[0]["n"])
        rows = warehouse.rows(
            f"SELECT {_COLUMNS}{', superseded' if all_versions else ''} FROM {view} WHERE {where} "
            f"ORDER BY {_WORST_FIRST}, table_id, seq, code, seat, sentence LIMIT {limit or 'ALL'}",
            parameters,
        )
    if settings.as_json:
        settings.lines(rows)
    else:
        _print(settings, rows, number)
    if fail and number:
        click.get_current_context().exit(Exit.FOUND)


def _known_code(code: str) -> str:
    if code in CATALOGUE or any(known.startswith(code + "-") for known in CATALOGUE):
        return code
    group = code.partition("-")[0]
    near = [known for known in CATALOGUE if known.startswith(group + "-")]
    there = near or list(dict.fromkeys(known.partition("-")[0] for known in CATALOGUE))
    raise BadInput(f"there is no finding {code}; there are{'' if near else ' the groups'}: {', '.join(there)}")


def _check_place(warehouse: Warehouse, table_id: str | None, round_id: str | None) -> None:
    """A table or round nobody ever heard of is a slip of the pen, not a clean one."""
    if table_id is not None:
        check_table(warehouse, table_id)
    if round_id is not None and not warehouse.rows("SELECT 1 FROM records WHERE round_id = ? LIMIT 1", [round_id]):
        raise BadInput(f"nothing is recorded of a round {round_id}; `muckraker rounds` lists those there are")


def _print(settings: Settings, rows: list[dict[str, Any]], number: int) -> None:
    if not rows:
        click.echo("No findings.")
        return
    (_print_table if settings.out.width >= TABLE_WIDTH else _print_paragraphs)(settings, rows)
    click.echo(show.how_many(len(rows), number, "finding"))


def _print_table(settings: Settings, rows: list[dict[str, Any]]) -> None:
    made = show.table(("code", "whole"), ("severity", "whole"), ("where", "whole"), "what", ("difference", "right"))
    for row in rows:
        made.add_row(
            row["code"], show.severity_text(row["severity"]), place_of(row), Text(sentence_of(row)), _difference(row)
        )
    settings.out.print(made)


def _print_paragraphs(settings: Settings, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        head = Text.assemble((row["code"], "bold"), "  ", show.severity_text(row["severity"]), "  ", place_of(row))
        head.append(f"  {_difference(row)}")
        settings.out.print(head)
        settings.out.print(show.indented(Text(sentence_of(row))))


def _difference(row: dict[str, Any]) -> str:
    return show.signed(row["difference_cents"]) if row["difference_cents"] else ""


def place_of(row: dict[str, Any]) -> str:
    return f"{row['table_id']}/{row['round_id']}" if row["round_id"] else str(row["table_id"])


def sentence_of(row: dict[str, Any]) -> str:
    """The sentence without the table and round it begins with, which have a column of their own."""
    sentence = str(row["sentence"])
    for start in (f"{row['table_id']} round {row['round_id']}", str(row["table_id"])):
        if sentence.startswith(start):
            return sentence[len(start) :].lstrip(" ,:")
    return sentence
