"""The command starts at once: a module is imported when its command is used, and the first page of help needs none."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import click
import pytest

from console.main import COMMANDS, SECTIONS, muckraker
from tests.console.conftest import ROOT

HEAVY = {"duckdb", "numpy", "pyarrow", "pydantic", "replay", "schemas.cards", "schemas.events", "schemas.findings"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_first_page_says_of_a_command_what_the_command_says_of_itself(name: str) -> None:
    command = muckraker.get_command(click.Context(muckraker), name)
    assert command is not None
    assert command.name == name
    assert command.get_short_help_str(100) == COMMANDS[name][1]


def test_every_command_is_on_the_first_page_once() -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(COMMANDS)


@pytest.mark.parametrize("arguments", [["--help"], ["version"], ["keys", "--help"]], ids=" ".join)
def test_help_does_not_wait_for_what_it_does_not_need(arguments: list[str]) -> None:
    code = (
        "import sys, json\nfrom console.main import muckraker\n"
        f"muckraker({arguments!r}, standalone_mode=False)\n"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules} | set(sys.modules))), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert not HEAVY & set(json.loads(done.stderr))
