"""`muckraker query`: SQL over the lake, read-only."""

from __future__ import annotations

import csv
import io
import os
import sys

import click
from rich.text import Text

from analytics.warehouse import LakeUnreadable, Warehouse, WarehouseError
from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.exits import BadInput

TABLE_ROWS = 200  # nobody reads a longer table, and laying one out takes long


@click.command(
    cls=Command,
    examples=[
        "muckraker query --views",
        'muckraker query "SELECT code, count(*) FROM findings GROUP BY code ORDER BY 2 DESC"',
        'muckraker query --format csv "SELECT * FROM fees WHERE taken_cents <> due_cents"',
    ],
)
@click.argument("sql", required=False)
@click.option("--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True)
@click.option("--views", is_flag=True, help="List the views, what a row of each is, and their columns.")
@json_option
@home_option
@color_option
@pass_settings
def query(settings: Settings, sql: str | None, form: str, views: bool) -> None:
    """Ask the warehouse in SQL (DuckDB's). `-` reads the query from standard input.

    One SELECT at a time; files cannot be read and nothing can be changed.
    """
    form = "json" if settings.as_json else form
    if views == (sql is not None):
        raise BadInput("give one query, or --views to see what can be asked")
    home = settings.home()
    settings.note_unchecked(home)
    with Warehouse(home.lake_path) as warehouse:
        if sql is None:
            _print_views(settings, warehouse, form)
            return
        try:
            answer = warehouse.query(_utf8(sys.stdin.buffer.read() if sql == "-" else os.fsencode(sql)))
        except LakeUnreadable:
            raise
        except WarehouseError as error:
            raise BadInput(str(error)) from error
    columns, rows = answer.column_names, answer.to_pylist()
    if len(set(columns)) < len(columns):
        raise BadInput(f"two columns of the answer have the same name ({', '.join(columns)}): name them apart with AS")
    if form == "json":
        settings.lines(rows)
    elif form == "csv":
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(columns)
        writer.writerows([show.text_of(row[name]) for name in columns] for row in rows)
        click.echo(text.getvalue(), nl=False)
    else:
        settings.out.print(show.rows_table(rows[:TABLE_ROWS], columns))
        more = f"; the first {TABLE_ROWS} are shown, --format csv or json gives all" if len(rows) > TABLE_ROWS else ""
        click.echo(f"{show.counted(len(rows), 'row')}{more}.")


def _utf8(query: bytes) -> str:
    """Queries are UTF-8, whatever the locale says."""
    try:
        return query.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"the query is not UTF-8: byte {error.start} is {query[error.start]:#04x}") from error


def _print_views(settings: Settings, warehouse: Warehouse, form: str) -> None:
    described = warehouse.describe()
    if form == "json":
        settings.lines(described)
        return
    for view in described:
        columns = ", ".join(f"{column['name']} {_short(column['type'])}" for column in view["columns"])
        settings.out.print(Text(view["view"], style="bold"))
        settings.out.print(show.indented(Text(view["row"])))
        settings.out.print(show.indented(Text(columns, style="dim"), below=1))


def _short(kind: str) -> str:
    return "STRUCT[]" if kind.startswith("STRUCT") else kind
