"""How things are shown: JSON for programs, tables and cards for people, progress on standard error.

Nothing here decides what to say. Data goes to standard output and everything else to standard error, so that
`--json` output is never mixed with anything.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import IO, Any, cast

import orjson
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Column, Table
from rich.text import Text

from schemas.plurals import counted as counted

PIPE_WIDTH = 160  # of tables that do not go to a terminal, unless COLUMNS says otherwise
SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
RED_SUITS = "dh"
# By their words, and cards and dollars imported where they are shown: the schemas bring pydantic and Arrow along, and
# `--help` should not wait for them.
SEVERITY_STYLES = {"high": "bold red", "medium": "yellow", "low": "cyan", "info": "dim"}
VERDICT_STYLES = {"verified": "green", "differs": "bold red", "void": "dim"}
VERDICT_STYLES |= {"cannot_tell": "yellow", "cannot_judge": "magenta"}


class _Console(Console):
    def on_broken_pipe(self) -> None:
        self.quiet = True
        forget_stdout()
        raise SystemExit(0)


def forget_stdout() -> None:
    """`muckraker findings | head` is no failure: the reader has what it wanted, and the rest goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Trimmed:
    """A file that gets no blanks at the ends of lines: tables are padded, and a pipe or a file need not be."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        return self._file.write(re.sub(r" +$", "", text, flags=re.MULTILINE))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def stdout(no_color: bool) -> Console:
    """The console data is printed on. rich itself respects NO_COLOR and a standard output that is no terminal."""
    # Markup stays off everywhere: what devices and people wrote must not turn into styles.
    terminal = sys.stdout.isatty()
    return _Console(
        file=None if terminal else cast("IO[str]", _Trimmed(sys.stdout)),
        no_color=no_color or None,
        highlight=False,
        markup=False,
        emoji=False,
        width=None if terminal or "COLUMNS" in os.environ else PIPE_WIDTH,
    )


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


GUTTER = 2  # blanks between two columns: one of padding and one that the box draws as a rule
WORD = 30  # a longer word may be broken


class FittedTable(Table):
    """A table that never breaks a word or drops a column: where it is too wide, it becomes a list of records."""

    def __init__(self) -> None:
        super().__init__(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
        self._whole: set[int] = set()

    def add(self, heading: str, *, right: bool = False, whole: bool = False) -> None:
        """A column; the cells of a whole one are never wrapped, and nothing is ever cut off."""
        if whole:
            self._whole.add(len(self.columns))
        self.add_column(heading, justify="right" if right else "left", overflow="fold", vertical="top")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        least, natural = self._widths()
        gutters = GUTTER * max(len(natural) - 1, 0)
        room = options.max_width
        fits = sum(least) + gutters <= room
        return Measurement(min(sum(least) + gutters, room), min(sum(natural) + gutters, room) if fits else room)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        least, natural = self._widths()
        spare = options.max_width - sum(least) - GUTTER * max(len(least) - 1, 0)
        if spare < 0:
            yield from self._records()
            return
        widths = list(least)
        # Who wants least is served first, so that one long column cannot starve the others.
        waiting = sorted(range(len(widths)), key=lambda at: natural[at] - least[at])
        for position, at in enumerate(waiting):
            given = min(natural[at] - least[at], spare // (len(waiting) - position))
            widths[at] += given
            spare -= given
        for column, width in zip(self.columns, widths, strict=True):
            column.width = width
        yield from super().__rich_console__(console, options)

    def _widths(self) -> tuple[list[int], list[int]]:
        """Of each column the least width that breaks no word, and the width that wraps nothing."""
        least, natural = [], []
        for at, column in enumerate(self.columns):
            heading = _text(column.header).plain
            lines = [line for cell in column.cells for line in _text(cell).plain.split("\n")]
            longest = max(map(cell_len, lines), default=0)
            kept = longest if at in self._whole else max((_longest_word(line) for line in lines), default=0)
            least.append(max(kept, _longest_word(heading)))
            natural.append(max(longest, cell_len(heading)))
        return least, natural

    def _records(self) -> RenderResult:
        names = [_text(column.header).plain for column in self.columns]
        margin = max((cell_len(name) for name in names), default=0) + 2
        rows = list(zip(*(column.cells for column in self.columns), strict=True))
        if not rows:
            yield Text("columns: " + ", ".join(names))
        for position, row in enumerate(rows):
            if position:
                yield Text("")
            record = Table.grid(Column(width=margin, no_wrap=True, style="dim"), Column(overflow="fold"))
            for name, cell in zip(names, row, strict=True):
                if _text(cell).plain.strip():  # nothing said, nothing shown
                    record.add_row(name, cell)
            yield record


def _longest_word(line: str) -> int:
    return min(max(map(cell_len, line.split(" "))), WORD)


def _text(cell: RenderableType) -> Text:
    return cell if isinstance(cell, Text) else Text(str(cell))


def table(*columns: str | tuple[str, str]) -> Table:
    """A table with these headings; a pair is a heading and `right` or `whole` (neither is ever wrapped)."""
    made = FittedTable()
    for column in columns:
        heading, how = column if isinstance(column, tuple) else (column, "")
        made.add(heading, right=how == "right", whole=bool(how))
    return made


def rows_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> Table:
    """An answer as it came: one column a name, numbers to the right."""
    made = FittedTable()
    for name in columns:
        numeric = any(isinstance(row[name], int | float | Decimal) and not isinstance(row[name], bool) for row in rows)
        instants = any(isinstance(row[name], date) for row in rows)
        made.add(name, right=numeric, whole=numeric or instants)
    for row in rows:
        made.add_row(*(Text(harmless(text_of(row[name]))) for name in columns))
    return made


def harmless(text: str) -> str:
    """Without what a terminal would obey: the record keeps whatever somebody sent, escape codes too."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode("ascii") for each in text
    )


def indented(content: RenderableType, by: int = 2, above: int = 0, below: int = 0) -> Padding:
    """Moved to the right, with blank lines above or below, and without blanks up to the right margin."""
    return Padding(content, (above, 0, below, by), expand=False)


def cards_text(names: str) -> Text:
    """`As Td X1` as A♠ 10♦ Joker, red suits red."""
    from schemas.cards import CARD_NAMES

    text = Text()
    for position, name in enumerate(names.split()):
        if position:
            text.append(" ")
        if name in CARD_NAMES and name[1] in SUIT_SIGNS:
            text.append(_card(name), style="red" if name[1] in RED_SUITS else "")
        else:
            text.append(_JOKERS.get(name, name), style="magenta")
    return text


_JOKERS = {"X1": "Joker", "X2": "Joker2"}
_CARD = re.compile(r"(?<![\w.$/-])(?:[2-9TJQKA][cdhs]|X[12])(?![\w-])")
_RANKS = re.compile(r"(?<![\w/])(?:[2-9TJQKA]-)*T(?:-[2-9TJQKA])*(?![\w/])")


def cards_in(sentence: str) -> str:
    """A sentence of the record, which writes `As Td X1`, with the cards as tables show them: A♠ 10♦ Joker."""
    return _CARD.sub(lambda found: _JOKERS.get(found[0]) or _card(found[0]), sentence)


def ranks_in(hand: str) -> str:
    """What a hand is, `pair T-5-3-2`, with tens as people write them."""
    return _RANKS.sub(lambda found: found[0].replace("T", "10"), cards_in(hand))


def _card(name: str) -> str:
    return name[0].replace("T", "10") + SUIT_SIGNS[name[1]]


def share(part: float) -> str:
    """`97%`, `99.8%`, `over 99.9%`: as findings say it."""
    from schemas.findings import share as said

    return said(part)


def verdict_text(verdict: str) -> Text:
    return Text(verdict.replace("_", " "), style=VERDICT_STYLES[verdict])


def severity_text(severity: str) -> Text:
    return Text(severity, style=SEVERITY_STYLES[severity])


def money(cents: int | None) -> str:
    from schemas.money import dollars

    return "" if cents is None else dollars(cents)


def signed(cents: int) -> str:
    return f"+{money(cents)}" if cents > 0 else money(cents)


def how_many(shown: int, there: int, one: str) -> str:
    """`3 of 40 rounds; --limit 0 shows all.`"""
    return f"{shown:,} of {counted(there, one)}; --limit 0 shows all." if shown < there else f"{counted(there, one)}."


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
