"""`--csv`: an answer as a spreadsheet reads it, one heading line and a line a row."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import click

from console import show

csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values, for a spreadsheet.")


def print_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """Nothing at all where there are no rows; money in cents, times in UTC."""
    if not rows:
        return
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow(["" if value is None else show.text_of(value) for value in row.values()])
    click.echo(page.getvalue(), nl=False)
