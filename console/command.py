"""The frame every command stands in: options they share, help with examples and exit codes, errors in one sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from console import show
from console.encoding import ascii_json, is_utf8
from console.exits import EXIT_MEANINGS, BadInput, Exit, HomeTrouble
from console.home import DEFAULT_HOME, DEMO_HOME, Home, is_home, make_home, open_home
from console.times import VenueTime, zone_named

HOME_VARIABLE = "MUCKRAKER_HOME"
ZONE_VARIABLE = "MUCKRAKER_TIME_ZONE"
DEBUG_VARIABLE = "MUCKRAKER_DEBUG"
MOST_ROWS = 1_000_000_000
LAG_PATIENCE_S = 3.0  # whoever reads the lake does not wait longer than that for a cluster that is out of reach
Decorated = TypeVar("Decorated", bound=Callable[..., Any])


@dataclass
class Settings:
    """What the shared options said."""

    named_home: Path | None = None
    named_zone: str | None = None
    no_color: bool = False
    as_json: bool = False

    @cached_property
    def out(self) -> Console:
        return show.stdout(self.no_color)

    @property
    def home_path(self) -> Path:
        """Named by --home, else by MUCKRAKER_HOME, else the default."""
        if self.named_home is not None:
            return self.named_home
        return Path(os.environ.get(HOME_VARIABLE) or DEFAULT_HOME)

    @property
    def home_is_named(self) -> bool:
        return self.named_home is not None or bool(os.environ.get(HOME_VARIABLE))

    def home(self) -> Home:
        """The home to read. Where none was named or made, the demo's serves, so that what the demo suggests works."""
        if self._reads_demo:
            self.note(f"reading the demo's home, {DEMO_HOME}")
        return open_home(self._read_path)

    @property
    def _reads_demo(self) -> bool:
        return not self.home_is_named and not is_home(self.home_path) and is_home(DEMO_HOME)

    @property
    def _read_path(self) -> Path:
        return DEMO_HOME if self._reads_demo else self.home_path

    @cached_property
    def times(self) -> VenueTime:
        """In which time zone times are shown and read: by --time-zone, else by the environment, else the home's."""
        named = self.named_zone or os.environ.get(ZONE_VARIABLE)
        if named:
            return VenueTime(zone_named(named))
        if not is_home(self._read_path):
            return VenueTime()
        home = open_home(self._read_path)
        try:
            return VenueTime(zone_named(home.time_zone))
        except BadInput as error:
            raise HomeTrouble(f"{home.path} is filed in a zone this machine does not know: {error.message}") from error

    def home_to_write(self) -> Home:
        return make_home(self.home_path)

    def note_unchecked(self, home: Home) -> None:
        """Nothing found must not be mistaken for nothing wrong: say what is recorded and not checked yet."""
        from console.pipeline import lag
        from ingest.lake import LakeError
        from ingest.log import LogError

        try:
            waiting = lag(home, LAG_PATIENCE_S)
        except (LogError, LakeError):
            return  # `doctor` looks into the log; whoever reads the lake need not be able to open it
        if waiting > 0:
            self.note(f"{show.counted(waiting, 'record')} of the log not checked yet: type `muckraker run`")

    def note(self, text: str) -> None:
        """A remark beside the data, on standard error."""
        click.echo(f"({text})", err=True)

    # --- what a command has to say ------------------------------------------------------------------------------------

    def document(self, value: object) -> None:
        click.echo(self._json(show.json_document(value)))

    def lines(self, values: Iterable[object]) -> None:
        for value in values:
            click.echo(self._json(show.json_line(value)))

    def _json(self, text: str) -> str:
        return text if is_utf8(sys.stdout.encoding) else ascii_json(text)

    def bar(self, what: str) -> Any:
        return show.progress_bar(what, self.no_color)


pass_settings = click.make_pass_decorator(Settings, ensure=True)


def _set(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def callback(context: click.Context, _: click.Parameter, value: Any) -> None:
        if value:
            setattr(context.ensure_object(Settings), name, value)

    return callback


def home_option(command: Decorated) -> Decorated:
    return click.option(
        "--home",
        type=click.Path(path_type=Path),
        expose_value=False,
        callback=_set("named_home"),
        help=f"The home folder [${HOME_VARIABLE}, default {DEFAULT_HOME}].",
    )(command)


def zone_option(command: Decorated) -> Decorated:
    """Of commands that show or read times."""
    return click.option(
        "--time-zone",
        "zone",
        metavar="ZONE",
        expose_value=False,
        callback=_set("named_zone"),
        help=f"Show and read times in this zone, as America/Los_Angeles [${ZONE_VARIABLE}, default the venue's].",
    )(command)


def color_option(command: Decorated) -> Decorated:
    return click.option(
        "--no-color", is_flag=True, expose_value=False, callback=_set("no_color"), help="No colours (so does NO_COLOR)."
    )(command)


def _upper(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    return value.upper() if value else None  # table ids have no small letters


def table_option(command: Decorated) -> Decorated:
    return click.option("--table", "table_id", callback=_upper, help="Only this table.")(command)


def limit_option(command: Decorated) -> Decorated:
    return click.option(
        "--limit",
        type=click.IntRange(0, MOST_ROWS),
        default=50,
        show_default=True,
        help="At most so many; 0 is all.",
    )(command)


def json_option(command: Decorated) -> Decorated:
    return click.option(
        "--json",
        is_flag=True,
        expose_value=False,
        callback=_set("as_json"),
        help="JSON, for programs (a list: one line each).",
    )(command)


class Command(click.Command):
    """A command whose help ends with examples and exit codes, and which takes the shared options."""

    def __init__(
        self,
        *args: Any,
        examples: Sequence[str] = (),
        exits: Mapping[Exit, str] | None = None,
        notes: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.notes = notes or {}
        self.examples = examples
        self.exits = exits or {}

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, text in self.notes.items():
            with formatter.section(heading):
                formatter.write_text(text)
        format_examples(self.examples, formatter)
        meanings = {
            Exit.FINE: "fine",
            **self.exits,
            Exit.USAGE: EXIT_MEANINGS[Exit.USAGE],
            Exit.HOME: EXIT_MEANINGS[Exit.HOME],
        }
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), meaning) for code, meaning in sorted(meanings.items())])


def format_examples(examples: Sequence[str], formatter: click.HelpFormatter) -> None:
    if examples:
        with formatter.section("Examples"), formatter.indentation():
            for example in examples:
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


class Group(click.Group):
    """Commands under a common first word."""

    command_class = Command

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; what goes wrong comes out as one sentence and the exit code that fits."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            show.forget_stdout()
            ctx.exit(Exit.FINE)
        except KeyboardInterrupt:
            click.echo("muckraker: interrupted; what was finished is kept, and it can be run again", err=True)
            ctx.exit(Exit.INTERRUPTED)
        except Exception as error:
            if os.environ.get(DEBUG_VARIABLE):
                raise
            raise explained(error) from error


def explained(error: Exception) -> click.ClickException:
    """The error as a sentence for people."""
    # Imported when something has gone wrong, and not by every `--help`: these take most of a second.
    import duckdb

    from analytics.warehouse import QueryRefused, WarehouseError
    from ingest.backup import BackupError
    from ingest.jsonl import InputError
    from ingest.keys import KeyRingError
    from ingest.lake import LakeError
    from ingest.log import LogError
    from ingest.quality import QualityError
    from ingest.seal.note import NoteError
    from ingest.seal.signer import SealKeyError
    from ingest.seal.witness import WitnessError
    from replay.filing import PackError
    from schemas.cases import CaseError

    match error:
        case QueryRefused() | PackError() | CaseError() | InputError() | NoteError():
            return BadInput(str(error))
        case (
            BackupError()
            | LogError()
            | LakeError()
            | KeyRingError()
            | QualityError()
            | WarehouseError()
            | SealKeyError()
            | WitnessError()
        ):
            return HomeTrouble(str(error))
        case MemoryError() | duckdb.OutOfMemoryException():
            return HomeTrouble("there is not enough memory; ask for less at a time (--table, --day, --limit)")
        case OSError():
            where = f"{error.filename}: " if error.filename else ""
            return HomeTrouble(f"{where}{error.strerror or error}")
        case _:
            return HomeTrouble(
                f"a mistake in Muckraker: {type(error).__name__}: {error}; please report it "
                f"({DEBUG_VARIABLE}=1 shows where it happened)"
            )
