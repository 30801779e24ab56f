"""How things are shown: JSON for programs, tables and cards for people, progress on standard error.

Nothing here decides what to say. Data goes to standard output and everything else to standard error, so that
`--json` output is never mixed with anything.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import orjson
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from schemas.cards import CARD_NAMES
from schemas.findings import Severity, Verdict
from schemas.money import dollars

PIPE_WIDTH = 160  # of tables that do not go to a terminal, unless COLUMNS says otherwise
SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
RED_SUITS = "dh"
SEVERITY_STYLES = {Severity.HIGH: "bold red", Severity.MEDIUM: "yellow", Severity.LOW: "cyan", Severity.INFO: "dim"}
VERDICT_STYLES = {
    Verdict.VERIFIED: "green",
    Verdict.DIFFERS: "bold red",
    Verdict.VOID: "dim",
    Verdict.CANNOT_TELL: "yellow",
}


class _Console(Console):
    def on_broken_pipe(self) -> None:
        self.quiet = True
        forget_stdout()
        raise SystemExit(0)


def forget_stdout() -> None:
    """`muckraker findings | head` is no failure: the reader has what it wanted, and the rest goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def stdout(no_color: bool) -> Console:
    """The console data is printed on. rich itself respects NO_COLOR and a standard output that is no terminal."""
    # Markup stays off everywhere: what devices and people wrote must not turn into styles.
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return _Console(no_color=no_color or None, highlight=False, markup=False, emoji=False, width=width)


def stderr(no_color: bool) -> Console:
    return Console(stderr=True, no_color=no_color or None, highlight=False, markup=False, emoji=False)


# --- JSON ------------------------------------------------------------------------------------------------------------


def _plain(value: object) -> object:
    if isinstance(value, Decimal):  # DuckDB's sums of whole numbers
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    raise TypeError(f"{type(value).__name__} has no JSON form")


_JSON = orjson.OPT_NAIVE_UTC | orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS


def json_document(value: object) -> str:
    return orjson.dumps(value, default=_plain, option=_JSON | orjson.OPT_INDENT_2).decode()


def json_line(value: object) -> str:
    return orjson.dumps(value, default=_plain, option=_JSON).decode()


def text_of(value: object) -> str:
    """A value of a query's answer, for a table or CSV."""
    if value is None:
        return ""
    if isinstance(value, Decimal | bytes):
        return str(_plain(value))
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, list | dict):
        return json_line(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


# --- tables and texts ------------------------------------------------------------------------------------------------


def table(*columns: str | tuple[str, str], title: str | None = None) -> Table:
    """A table with these headings; a pair is a heading and `right`."""
    made = Table(
        box=SIMPLE_HEAD, title=title, title_justify="left", title_style="bold", pad_edge=False, show_edge=False
    )
    for column in columns:
        if isinstance(column, tuple):
            made.add_column(column[0], justify="right", no_wrap=True)
        else:
            made.add_column(column, overflow="fold")  # nothing is ever cut off
    return made


def rows_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> Table:
    """An answer as it came: one column a name, numbers to the right."""
    made = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in columns:
        numeric = any(isinstance(row[name], int | float | Decimal) and not isinstance(row[name], bool) for row in rows)
        instants = any(isinstance(row[name], date) for row in rows)
        made.add_column(name, justify="right" if numeric else "left", overflow="fold", no_wrap=instants)
    for row in rows:
        made.add_row(*(Text(text_of(row[name])) for name in columns))
    return made


def indented(content: RenderableType, by: int = 2, above: int = 0, below: int = 0) -> Padding:
    """Moved to the right, with blank lines above or below, and without blanks up to the right margin."""
    return Padding(content, (above, 0, below, by), expand=False)


def cards_text(names: str) -> Text:
    """`As Td X1` as A♠ T♦ X1, red suits red."""
    text = Text()
    for position, name in enumerate(names.split()):
        if position:
            text.append(" ")
        if name in CARD_NAMES and name[1] in SUIT_SIGNS:
            text.append(name[0] + SUIT_SIGNS[name[1]], style="red" if name[1] in RED_SUITS else "")
        else:
            text.append({"X1": "Jkr", "X2": "Jkr2"}.get(name, name), style="magenta")
    return text


def verdict_text(verdict: str) -> Text:
    return Text(verdict.replace("_", " "), style=VERDICT_STYLES[Verdict(verdict)])


def severity_text(severity: str) -> Text:
    return Text(severity, style=SEVERITY_STYLES[Severity(severity)])


def money(cents: int | None) -> str:
    return "" if cents is None else dollars(cents)


def signed(cents: int) -> str:
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def clock(at: datetime | date | str | None) -> str:
    """When, to the second, in UTC."""
    if at is None:
        return "unknown"
    if isinstance(at, str):
        at = datetime.fromisoformat(at)
    return f"{at:%Y-%m-%d %H:%M:%S} UTC" if isinstance(at, datetime) else at.isoformat()


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 round`, `3,000 rounds`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


# --- progress --------------------------------------------------------------------------------------------------------


class Bar:
    """A progress bar, or nothing when standard error is no terminal."""

    def __init__(self, progress: Progress | None, what: str) -> None:
        self._progress = progress
        self._task = progress.add_task(what, total=None) if progress is not None else None

    def show(self, done: int, total: int | None, what: str | None = None) -> None:
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=done, total=total)
            if what is not None:
                self._progress.update(self._task, description=what)


@contextmanager
def progress_bar(what: str, no_color: bool, quiet: bool = False) -> Iterator[Bar]:
    console = stderr(no_color)
    if quiet or not console.is_terminal:
        yield Bar(None, what)
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield Bar(progress, what)


def joined(words: Iterable[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    listed = list(words)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} {last} {listed[-1]}" if listed else "none"
