"""The discard rack drawn as a strip: a bracket round every hand, faults marked where they lie.

Bottom card first, as the cards went in. Packets flow over as many lines as the width asks for; one too wide for the
page is broken between cards. The marks are signs and not colours only, so that the strip reads on paper as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from console import show

FAULT = "bold red"
_SIGN = "▲"
_PART = "┊"  # between the parts of a hand
_GAP = 1  # blanks between two brackets


@dataclass(frozen=True)
class _Cell:
    """A card, or the sign between two parts, with the blank before it."""

    text: Text
    fault: bool = False


@dataclass(frozen=True)
class _Box:
    """One packet, or a piece of one that is too wide."""

    label: str
    cells: tuple[_Cell, ...]
    wrong: bool  # the label is marked too

    @property
    def inner(self) -> int:
        return max(sum(cell.text.cell_len for cell in self.cells), cell_len(self.label))

    @property
    def width(self) -> int:
        return self.inner + 2

    def lines(self) -> tuple[Text, Text, Text]:
        style = FAULT if self.wrong else ""
        top = Text.assemble("┌", (self.label, style), "─" * (self.inner - cell_len(self.label)), "┐")
        cards, bottom = Text("│"), Text("└")
        for cell in self.cells:
            cards.append_text(cell.text)
            width = cell.text.cell_len
            if cell.fault:
                bottom.append("─" * (width - 1))
                bottom.append(_SIGN, style=FAULT)
            else:
                bottom.append("─" * width)
        rest = self.inner - sum(cell.text.cell_len for cell in self.cells)
        cards.append(" " * rest + "│")
        bottom.append("─" * rest + "┘")
        return top, cards, bottom


class RackStrip:
    """The `strip` of a round's report, as wide as the page allows."""

    def __init__(self, strip: list[dict[str, Any]]) -> None:
        self._strip = strip

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [box.width for packet in self._strip for box in _boxes(packet, options.max_width)]
        total = sum(widths) + _GAP * max(len(widths) - 1, 0)
        return Measurement(min(max(widths, default=0), options.max_width), min(total, options.max_width))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        row: list[_Box] = []
        used = 0
        for packet in self._strip:
            for box in _boxes(packet, options.max_width):
                if row and used + _GAP + box.width > options.max_width:
                    yield from _draw(row)
                    row, used = [], 0
                used += box.width + (_GAP if row else 0)
                row.append(box)
        if row:
            yield from _draw(row)


def _draw(row: list[_Box]) -> Iterator[Text]:
    for lines in zip(*(box.lines() for box in row), strict=True):
        yield Text(" " * _GAP).join(lines)


def _boxes(packet: dict[str, Any], width: int) -> Iterator[_Box]:
    """The packet, in as many pieces as the width asks for."""
    marked = {mark["card"] for mark in packet["marks"]}
    cells: list[_Cell] = []
    at = packet["from"]
    for number, part in enumerate(packet["parts"]):
        if number:
            cells.append(_Cell(Text(f" {_PART}", style="dim")))
        for name in part["cards"].split():
            blank = " " if cells else ""
            cells.append(_Cell(Text.assemble(blank, show.cards_text(name)), at in marked))
            at += 1
    whose = packet["whose"] or "not told apart"
    last = at - 1
    where = f" {packet['from']}" + (f"–{last}" if last > packet["from"] else "") if cells else ""
    missing = f" without {_plain(packet['missing'])}" if packet["missing"] else ""
    label = f"{whose}{where}{missing}"
    wrong = bool(packet["missing"])
    piece: list[_Cell] = []
    room = width - 2
    first = True
    for cell in cells:
        if piece and sum(one.text.cell_len for one in piece) + cell.text.cell_len > room:
            yield _Box(label if first else "…", tuple(piece), wrong and first)
            piece, first = [], False
            cell = _Cell(cell.text[1:], cell.fault)  # no blank before the first card
        piece.append(cell)
    yield _Box(label[:room] if first else "…", tuple(piece), wrong and first)


def _plain(names: str) -> str:
    return show.cards_text(names).plain


def marks_of(strip: list[dict[str, Any]]) -> list[Text]:
    """What the signs under the cards mean, one line for neighbours that the same is said of."""
    said = []
    for packet in strip:
        for why, marks in groupby(packet["marks"], key=lambda mark: mark["why"]):
            cards = list(marks)
            first, last = cards[0]["card"], cards[-1]["card"]
            where = f"card {first}" if first == last else f"cards {first}–{last}"
            names = show.cards_text(" ".join(card["is"] for card in cards))
            said.append(Text.assemble((f"{_SIGN} {where}, ", FAULT), names, (f": {show.cards_in(why)}", FAULT)))
    return said
