"""The summary of `muckraker quality` as one page: to read on any screen, to print, to hand on.

Everything is in the file: no script, no picture, no font and no style sheet is loaded. What devices and people wrote is
escaped.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from console.exits import HomeTrouble
from console.show import counted
from console.times import VenueTime

FILE_NAME = "quality.html"
DAYS_IN_FULL = 7
MOST_FAILURES = 1_000
Document = dict[str, Any]

_STYLE = """
:root { --ink: #1c2128; --dim: #5b6570; --line: #d8dee4; --paper: #ffffff; --wash: #f5f7f9; --good: #1a7f45;
  --bad: #b3261e; --warn: #8a5a00; --info: #2457a8; }
@media (prefers-color-scheme: dark) { @media screen { :root { --ink: #e6e9ec; --dim: #9aa5b1; --line: #3a424c;
  --paper: #14181d; --wash: #1d232a; --good: #5cc98a; --bad: #ff8a80; --warn: #e0b050; --info: #8ab4f8; } } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 3rem; max-width: 68rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; line-height: 1.2; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .5rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
p { margin: .35rem 0; }
.dim { color: var(--dim); }
.verdict { font-size: 1.1rem; margin: .75rem 0 0; padding: .6rem .9rem; border-left: .35rem solid var(--good);
  background: var(--wash); }
.verdict.failed { border-left-color: var(--bad); }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .94rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--dim); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
td:first-child { white-space: nowrap; }
table.expected td:first-child { white-space: normal; }
tr.failed td:first-child { font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
.good { color: var(--good); }
code { font: .92em ui-monospace, "DejaVu Sans Mono", Menlo, monospace; overflow-wrap: anywhere; }
ol.failures { list-style: none; margin: .5rem 0; padding: 0; }
ol.failures li { margin: 0 0 .6rem; padding: .5rem .8rem; border-left: .3rem solid var(--info); background: var(--wash);
  break-inside: avoid; overflow-wrap: anywhere; }
ol.failures li.high { border-left-color: var(--bad); }
ol.failures li.medium { border-left-color: var(--warn); }
.place { font-size: .85rem; color: var(--dim); }
@media screen and (max-width: 40rem) {
  body { padding: 1rem .85rem 2rem; }
  table.wide thead { display: none; }
  table.wide, table.wide tbody, table.wide tr, table.wide td { display: block; width: 100%; }
  table.wide tr { padding: .45rem 0; border-bottom: 1px solid var(--line); }
  table.wide td { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .08rem 0;
    text-align: right; }
  table.wide td::before { content: attr(data-name); color: var(--dim); font-weight: 400; text-align: left;
    flex: none; }
  table.wide td:first-child { display: block; text-align: left; font-weight: 600; }
  table.wide td:first-child::before { content: none; }
  table.wide td.empty { display: none; }
}
@media print { body { max-width: none; padding: 0; font-size: 10.5pt; } h2 { break-after: avoid; }
  tr { break-inside: avoid; } thead { display: table-header-group; } }
@page { margin: 16mm; }
"""


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
    title = f"Data quality{': ' if of else ''}{of}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        '<p class="dim">Is the record good enough to judge by? Expectations held against what the devices on the '
        "tables reported, by Muckraker.</p>",
        _verdict(document),
        *_waiting(document["waiting"]),
        *(part for one in document["days"][:DAYS_IN_FULL] for part in _day(one)),
        '<p class="dim">Rounds marked rest on data that failed. Judged is how often data of a table or of its devices '
        "was held against an expectation.</p>",
        *_earlier(document["days"][DAYS_IN_FULL:]),
        *_failures(document["failures"], times),
        *_checks(document["checks"] if not of else []),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _verdict(document: Document) -> str:
    days, failures = document["days"], document["failures"]
    if not days:
        return '<p class="verdict failed">Nothing is checked.</p>'
    judged, rounds, marked = (sum(day[name] for day in days) for name in ("judged", "rounds", "rounds_marked"))
    span = f"{days[-1]['gaming_day']} to {days[0]['gaming_day']}" if len(days) > 1 else days[0]["gaming_day"]
    tables = len({table["table_id"] for day in days for table in day["tables"]})
    looked = f"{span}: {counted(tables, 'table')}, {counted(rounds, 'round')}, {counted(judged, 'expectation')} judged."
    if not failures:
        return f'<p class="verdict"><b class="good">Nothing failed.</b> {escape(looked)}</p>'
    return (
        f'<p class="verdict failed"><b class="bad">{counted(len(failures), "failure")}</b>, and '
        f"{marked:,} of {counted(rounds, 'round')} rest on data that failed. {escape(looked)}</p>"
    )


def _waiting(waiting: list[Document]) -> list[str]:
    return [
        f'<p class="dim">Gaming day {escape(one["gaming_day"])} is not over: {escape(", ".join(one["tables"]))} '
        "not closed yet.</p>"
        for one in waiting
    ]


def _failures(failures: list[Document], times: VenueTime) -> list[str]:
    if not failures:
        return []
    items = []
    for row in failures[:MOST_FAILURES]:
        where = f"{row['table_id']}/{row['round_id']}" if row["round_id"] else row["table_id"]
        day = f"gaming day {row['gaming_day']}" if row["gaming_day"] else ""
        place = [row["severity"], where, row["device"], day, times.at(row["happened_at"])]
        items.append(
            f'<li class="{escape(row["severity"])}"><b>{escape(row["code"])} {escape(row["title"])}</b>'
            f"<div>{escape(times.sentence(row['sentence']))}</div>"
            f'<div class="place">{" · ".join(escape(str(part)) for part in place if part)}</div></li>'
        )
    if len(failures) > MOST_FAILURES:
        items.append(f"<li>and {len(failures) - MOST_FAILURES:,} more; `muckraker quality --limit 0` lists all</li>")
    return ["<h2>What failed</h2>", '<ol class="failures">', *items, "</ol>"]


def _earlier(days: list[Document]) -> list[str]:
    """Days long ago, a line each."""
    if not days:
        return []
    names = ("gaming day", "tables", "rounds", "rounds marked", "judged", "failed")
    rows = [
        _row(
            "failed" if day["failed"] else "",
            ("gaming day", "", escape(str(day["gaming_day"] or "none"))),
            ("tables", "n", f"{len(day['tables']):,}"),
            ("rounds", "n", f"{day['rounds']:,}"),
            ("rounds marked", "n", _number(day["rounds_marked"])),
            ("judged", "n", f"{day['judged']:,}"),
            ("failed", "n", _number(day["failed"])),
        )
        for day in days
    ]
    return ["<h2>Earlier gaming days</h2>", *_table(names, rows)]


def _day(day: Document) -> list[str]:
    title = f"Gaming day {day['gaming_day']}" if day["gaming_day"] else "Of no gaming day"
    rows = [
        _row(
            "failed" if table["failed"] else "",
            ("table", "", escape(table["table_id"])),
            ("rounds", "n", f"{table['rounds']:,}"),
            ("rounds marked", "n", _number(table["rounds_marked"])),
            ("judged", "n", f"{table['judged']:,}"),
            ("failed", "n", _number(table["failed"])),
            ("devices", "", _devices(table["devices"])),
            ("failed under", "", "<br>".join(escape(code) for code in table["codes"])),
        )
        for table in day["tables"]
    ]
    return [
        f"<h2>{escape(title)}{'' if day['over'] else ' (not over yet)'}</h2>",
        *_table(("table", "rounds", "rounds marked", "judged", "failed", "devices", "failed under"), rows),
    ]


def _devices(devices: list[Document]) -> str:
    bad = [f'<span class="bad">{escape(one["device"])}</span>' for one in devices if one["failed"]]
    good = [escape(one["device"]) for one in devices if not one["failed"]]
    return ", ".join([*bad, *good])


def _checks(checks: list[Document]) -> list[str]:
    if not checks:
        return []
    rows = [
        _row(
            "failed" if check["failed"] else "",
            ("expected", "", escape(check["expected"])),
            ("name", "", f"<code>{escape(check['check'])}</code>"),
            ("finding", "", escape(check["code"])),
            ("at", "", escape(check["border"])),
            ("judged", "n", f"{check['judged']:,}"),
            ("failed", "n", _number(check["failed"])),
        )
        for check in checks
    ]
    return [
        "<h2>What was expected</h2>",
        *_table(("expected", "name", "finding", "at", "judged", "failed"), rows, "wide expected"),
        '<p class="dim">docs/quality.md says how each is measured, and what is left out.</p>',
    ]


def _number(number: int) -> str:
    return f'<span class="bad">{number:,}</span>' if number else "0"


_NUMBERS = frozenset({"tables", "rounds", "rounds marked", "judged", "failed"})


def _table(names: Iterable[str], rows: Iterable[str], kind: str = "wide") -> list[str]:
    heads = "".join(f"<th{' class=n' if name in _NUMBERS else ''}>{escape(name)}</th>" for name in names)
    return [f'<table class="{kind}">', f"<thead><tr>{heads}</tr></thead>", "<tbody>", *rows, "</tbody>", "</table>"]


def _row(kind: str, *cells: tuple[str, str, str]) -> str:
    """Cells are a name, a class and what is in them, as HTML."""
    made = "".join(
        f'<td class="{how}{"" if inner else " empty"}" data-name="{escape(name)}">{inner}</td>'
        for name, how, inner in cells
    )
    return f'<tr class="{kind}">{made}</tr>'
