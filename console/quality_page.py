"""The summary of `muckraker quality` as one page: to read on any screen, to print, to hand on.

Everything is in the file (quality_page.html is its template): no script, no picture, no font and no style sheet is
loaded. What devices and people wrote is escaped.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from console.exits import HomeTrouble
from console.show import counted
from console.times import VenueTime

FILE_NAME = "quality.html"
DAYS_IN_FULL = 7
MOST_FAILURES = 1_000
Document = dict[str, Any]

_NUMBERS = frozenset({"tables", "rounds", "rounds marked", "judged", "failed"})


def write_page(path: Path, document: Document, day: str | None, table_id: str | None, times: VenueTime) -> Path:
    """The page at `path`, or in the folder there; whole or not at all."""
    target = path / FILE_NAME if path.is_dir() else path
    writing = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        writing.write_text(page_of(document, day, table_id, times), encoding="utf-8")
        os.replace(writing, target)
    except OSError as error:
        writing.unlink(missing_ok=True)
        raise HomeTrouble(f"{target} cannot be written: {error.strerror}; name another place with --html") from error
    return target


def page_of(document: Document, day: str | None, table_id: str | None, times: VenueTime) -> str:
    of = ", ".join([*([f"gaming day {day}"] if day else []), *([f"table {table_id}"] if table_id else [])])
    days = document["days"]
    named = [str(one["gaming_day"]) for one in days if one["gaming_day"]]

    def place(row: Document) -> list[str]:
        where = f"{row['table_id']}/{row['round_id']}" if row["round_id"] else row["table_id"]
        gaming_day = f"gaming day {row['gaming_day']}" if row["gaming_day"] else ""
        return list(filter(None, [where, row["device"], gaming_day, times.at(row["happened_at"])]))

    groups: dict[str, list[Document]] = {}
    for row in document["failures"]:
        groups.setdefault(row["check"], []).append(row)

    template = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
    page = Environment(autoescape=True, trim_blocks=True, undefined=StrictUndefined).from_string(template)
    return page.render(
        document | {"checks": [] if of else document["checks"]},
        title=f"Data quality{': ' if of else ''}{of}",
        span=f"Gaming days {named[-1]} to {named[0]}"
        if len(named) > 1
        else f"Gaming day {named[0]}"
        if named
        else "No gaming day",
        tables=len({table["table_id"] for one in days for table in one["tables"]}),
        any_device=any(device["failed"] for one in days for table in one["tables"] for device in table["devices"]),
        rounds=sum(one["rounds"] for one in days),
        marked=sum(one["rounds_marked"] for one in days),
        judged=sum(one["judged"] for one in days),
        failed=sum(one["failed"] for one in days),
        groups=[*groups.values()],
        in_full=DAYS_IN_FULL,
        most=MOST_FAILURES,
        numbers=_NUMBERS,
        counted=counted,
        place=place,
        times=times,
    )
