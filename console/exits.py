"""How the command ends: exit codes, and errors that are one clear sentence."""

from __future__ import annotations

from enum import IntEnum
from typing import IO, Any

import click


class Exit(IntEnum):
    """What the shell is told. `FOUND` is no failure: the command worked, and found what it looks for."""

    FINE = 0
    FOUND = 1
    USAGE = 2
    HOME = 3
    INTERRUPTED = 130


EXIT_MEANINGS: dict[Exit, str] = {
    Exit.FINE: "fine",
    Exit.FOUND: (
        "it worked, and found what it looks for (findings --fail, rules diff --fail, case run, reaudit, verify, doctor)"
    ),
    Exit.USAGE: "wrong usage or input",
    Exit.HOME: "the home or the disk: missing, locked, full or damaged (or Muckraker itself, and it says so)",
    Exit.INTERRUPTED: "interrupted",
}


class Trouble(click.ClickException):
    """An error for people: one sentence on standard error, no traceback."""

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"muckraker: {self.message}", file=file, err=file is None)


class BadInput(Trouble):
    """What was given cannot be used."""

    exit_code = Exit.USAGE


class HomeTrouble(Trouble):
    """The home or the disk is missing, locked, full or damaged."""

    exit_code = Exit.HOME
