"""`muckraker validate`: are these events right? For whoever builds a device; it needs no home and changes nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from console import show
from console.command import Command, Settings, color_option, json_option, pass_settings
from console.exits import BadInput, Exit
from console.protocol_remarks import ProtocolRemarks
from ingest.chain import public_key
from ingest.jsonl import InputError, Line, lines_in
from ingest.validation import Problem, Validation

STDIN = Path("-")
_BAR_STEP = 1_000


class _Keys(click.ParamType[Any]):
    name = "TABLE=HEX"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        table, equals, public_hex = str(value).partition("=")
        if not equals:
            self.fail(f"{value!r} is not TABLE=HEX, such as PG-07=5c1f… with 64 hex digits", param, ctx)
        try:
            return table.upper(), public_key(public_hex)
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.command(
    cls=Command,
    examples=[
        "muckraker validate day.jsonl",
        "muckraker validate day.jsonl --key PG-07=5c1f…64 hex digits…a9",
        "my-emulator | muckraker validate - --json",
    ],
    exits={Exit.FOUND: "there are mistakes (with --strict: or remarks)"},
)
@click.argument("files", nargs=-1, required=True, metavar="FILE ...", type=click.Path(path_type=Path))
@click.option("--key", "keys", multiple=True, type=_Keys(), help="A table's public key: check its signatures, too.")
@click.option("--limit", type=click.IntRange(0), default=100, show_default=True, help="Show at most so many; 0 is all.")
@click.option("--strict", is_flag=True, help="Remarks count, too.")
@json_option
@color_option
@pass_settings
def validate(settings: Settings, files: tuple[Path, ...], keys: tuple[Any, ...], limit: int, strict: bool) -> None:
    """Check events before they are sent: one a line, or a single one (`-` is standard input).

    Each mistake is named with its line, its member and, where there is one, the nearest right word: form, envelope,
    sequence, hash chain, signatures. A remark is recorded all the same: names that the filed rule pack does not have,
    things said in an order in which they cannot be checked.
    """
    check = Validation(dict(keys))
    protocol = ProtocolRemarks()
    events = mistakes = remarks = shown = 0
    with settings.bar("checking") as bar:
        for file, line in _lines(files):
            event, problems = check.check(line.number, line.value)
            if event is not None:
                events += 1
                problems += [
                    Problem(line.number, "remark", event.tableid, event.seq, what) for what in protocol.of(event)
                ]
            for problem in problems:
                mistakes += problem.kind == "mistake"
                remarks += problem.kind == "remark"
                if not limit or shown < limit:
                    shown += 1
                    _say(settings, file, problem)
            if events % _BAR_STEP == 0:
                bar.show(events, None)
    _sum_up(settings, events, mistakes, remarks, shown)
    if mistakes or (strict and remarks):
        click.get_current_context().exit(Exit.FOUND)


def _lines(files: tuple[Path, ...]) -> Iterator[tuple[str, Line]]:
    for file in files:
        name = "-" if file == STDIN else str(file)
        if file == STDIN:
            yield from ((name, line) for line in lines_in(sys.stdin.buffer, "standard input"))
            continue
        if not file.is_file():
            raise BadInput(f"{file}: there is no such file" if not file.exists() else f"{file} is not a file")
        try:
            with file.open("rb") as stream:
                yield from ((name, line) for line in lines_in(stream, name))
        except OSError as error:
            raise InputError(f"{file} cannot be read: {error.strerror or error}") from error


def _say(settings: Settings, file: str, problem: Problem) -> None:
    if settings.as_json:
        settings.lines(
            [
                {
                    "file": file,
                    "line": problem.line,
                    "kind": problem.kind,
                    "table": problem.table,
                    "seq": problem.seq,
                    "member": problem.what.member or None,
                    "text": problem.what.text,
                    "nearest": problem.what.nearest,
                }
            ]
        )
        return
    place = "" if problem.table is None else f" {problem.table}"
    if problem.seq is not None:
        place += f" seq {problem.seq}"
    remark = "" if problem.kind == "mistake" else " remark:"
    click.echo(f"{file}:{problem.line}:{place + ':' if place else ''}{remark} {problem.what}")


def _sum_up(settings: Settings, events: int, mistakes: int, remarks: int, shown: int) -> None:
    said = f"{show.counted(events, 'event')}, {show.counted(mistakes, 'mistake')}"
    if remarks:
        said += f", {show.counted(remarks, 'remark')}"
    left = mistakes + remarks - shown
    if left:
        said += f" ({left:,} not shown: --limit 0)"
    click.echo(said, err=settings.as_json)
