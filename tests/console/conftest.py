"""A small home that was played and checked once, and ways to call the command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from console.main import muckraker

ROOT = Path(__file__).resolve().parents[2]
Call = Callable[..., Result]
FAULTS = "wrong_payout,fee_not_taken,event_lost,event_duplicated,garbage,wager_late,card_missing"


@pytest.fixture(autouse=True)
def _no_home_of_our_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever runs the tests may have a home: it must neither be read nor written."""
    for variable in ("MUCKRAKER_HOME", "MUCKRAKER_DEBUG", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(tmp_path)


def call_command(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(muckraker, [str(argument) for argument in arguments], input=stdin)


@pytest.fixture
def call() -> Call:
    """The command in this process."""
    return call_command


def call_process(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, as a shell would start it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [sys.executable, "-m", "console.main", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        **options,
    )


@pytest.fixture(scope="session")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("played") / "home"
    for arguments in (
        ("simulate", "--tables", "4", "--rounds", "160", "--seed", "3", "--faults", FAULTS, "--fault-rate", "0.05"),
        ("run",),
    ):
        result = call_command(*arguments, "--home", home)
        assert result.exit_code == 0, result.output
    return home


@pytest.fixture
def played(_played: Path) -> Path:
    """A checked home, for tests that only read it."""
    return _played


@pytest.fixture
def own_played(_played: Path, tmp_path: Path) -> Path:
    """A checked home to break."""
    return Path(shutil.copytree(_played, tmp_path / "own"))
