"""Outputs that are not UTF-8: nothing fails, what is printed can be read, and JSON stays JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.console.conftest import ROOT

OUTPUTS = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "LANG=C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "cp437": {"PYTHONIOENCODING": "cp437"},
}
PAGES = (
    ["findings"],
    ["rounds", "--limit", "3"],
    ["round", "show", "PG-01/20261117-0001", "--events", "--explain"],
    ["rules", "show", "ma/pai_gow_poker"],
    ["keys", "--help"],
    ["query", "SELECT 'a ♥ 誰' AS sign"],
    ["doctor"],
)


def printed(output: str, *arguments: str | Path) -> bytes:
    result = subprocess.run(
        [sys.executable, "-m", "console.main", *map(str, arguments)],
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), **OUTPUTS[output]},
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("arguments", PAGES, ids=" ".join)
@pytest.mark.parametrize("output", ["ascii", "latin-1"])
def test_every_page_is_printed(played: Path, output: str, arguments: list[str]) -> None:
    home: list[str | Path] = [] if arguments[0] in ("rules", "keys") else ["--home", played]
    text = printed(output, *arguments, *home).decode(output)
    assert text.strip() and "\ufffd" not in text


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_round_can_be_read(played: Path, output: str) -> None:
    text = printed(output, "round", "show", "PG-01/20261117-0001", "--home", played).decode("cp437", "replace")
    for heading in ("Wagers", "Discard rack, bottom card first", "Ledger of the round", "MA-PGP "):
        assert heading in text
    lines = text.splitlines()
    top = next(at for at, line in enumerate(lines) if "stub 1" in line)
    assert len(lines[top]) == len(lines[top + 1]) == len(lines[top + 2]), "the drawn rack keeps its shape"


@pytest.mark.parametrize("output", OUTPUTS)
def test_json_says_the_same(played: Path, output: str) -> None:
    asked = ("query", "SELECT 'a ♥ 誰 \U0001f0a1' AS sign", "--json", "--home", played)
    assert json.loads(printed(output, *asked)) == {"sign": "a ♥ 誰 \U0001f0a1"}


@pytest.mark.parametrize(
    "arguments",
    [
        [b"query", b"SELECT '\xff'"],
        [b"findings", b"--table", b"\xff"],
        [b"findings", b"--dealer", b"\xff"],
        [b"findings", b"--round", b"\xff"],
        [b"rounds", b"--at", b"\xff"],
        [b"round", b"show", b"PG-01/\xff"],
        [b"round", b"show", b"\xff/1"],
        [b"time-zone", b"\xff"],
        [b"keys", b"history", b"\xff"],
    ],
)
def test_bytes_that_are_no_text_are_refused_in_a_sentence(played: Path, arguments: list[bytes]) -> None:
    result = subprocess.run(
        [sys.executable.encode(), b"-m", b"console.main", *arguments, b"--home", os.fsencode(played)],
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert result.returncode == 2, result.stderr
    assert b"a mistake in Muckraker" not in result.stderr and result.stdout == b""
