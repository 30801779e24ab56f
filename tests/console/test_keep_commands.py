"""The commands that keep a home: compact, retain, backup, restore."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from console.home import TOPIC, open_home
from tests.console.conftest import Call
from tests.console.screen import tree_of


def document(output: str) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(output)
    return said


@pytest.fixture
def cut(call: Call, own_played: Path) -> Path:
    """The played home in many small segments."""
    shutil.rmtree(own_played / "lake")
    assert call("run", "--segment-records", "200", "--home", own_played).exit_code == 0
    return own_played


def segments(home: Path) -> int:
    lake = open_home(home).lake()
    return sum(len(lake.segments(TOPIC, partition)) for partition in lake.partitions(TOPIC))


def test_compact_merges_and_then_removes(call: Call, cut: Path) -> None:
    many, findings = segments(cut), call("findings", "--limit", "0", "--json", "--home", cut).stdout
    assert many > 10
    planned = document(call("compact", "--behind-hours", "0", "--dry-run", "--json", "--home", cut).stdout)
    assert planned["dry_run"] and len(planned["merged"]) == 2 and segments(cut) == many
    done = call("compact", "--behind-hours", "0", "--home", cut)
    assert done.exit_code == 0 and "segments became 2:" in done.stdout and "kept for readers" in done.stdout
    assert segments(cut) < many / 2
    gone = document(call("compact", "--behind-hours", "0", "--grace-hours", "0", "--json", "--home", cut).stdout)
    assert gone["merged"] == [] and gone["removed"] > 5 and gone["freed_bytes"] > 0
    assert call("verify", "--home", cut).exit_code == 0
    assert call("findings", "--limit", "0", "--json", "--home", cut).stdout == findings
    assert "Nothing to merge." in call("compact", "--home", cut).stdout


def test_retain_moves_events_and_brings_them_back(call: Call, cut: Path, tmp_path: Path) -> None:
    before, findings = tree_of(cut / "lake"), call("findings", "--limit", "0", "--json", "--home", cut).stdout
    assert "Nothing is older than 30 days" in call("retain", "--older-than", "30", "--dry-run", "--home", cut).stdout
    lake = open_home(cut).lake()
    old = [s for partition in (0, 1) for s in lake.segments(TOPIC, partition)[:-2]]
    for arguments, said in (
        (["--older-than", "1", "--remove", "--to", "x"], "say where the events go"),
        (["--older-than", "1"], "say where the events go"),
        ([], "say --older-than DAYS, or --bring-back FOLDER"),
        (["--older-than", "0.5", "--remove"], "--older-than"),
    ):
        wrong = call("retain", *arguments, "--home", cut)
        assert wrong.exit_code == 2 and said in wrong.stderr
    with pytest.MonkeyPatch.context() as later:  # as if it were the day after tomorrow
        now = time.time()
        later.setattr("console.retain_command.time.time", lambda: now + 2 * 86_400)
        planned = document(call("retain", "--older-than", "1", "--dry-run", "--json", "--home", cut).stdout)
        done = call("retain", "--older-than", "1", "--to", tmp_path / "archive", "--why", "filed 7.2", "--home", cut)
    assert planned["segments"] == len(old) and planned["archive"] is None
    assert done.exit_code == 0 and f"{len(old)} segments with" in done.stdout and "moved to" in done.stdout
    verified = call("verify", "--home", cut)
    assert verified.exit_code == 0 and f"Of {len(old)} segments the" in verified.stdout
    assert call("findings", "--limit", "0", "--json", "--home", cut).stdout == findings
    assert call("reaudit", "--home", cut).exit_code == 0
    refused = call("prove", "--record", "0/3", "--home", cut)
    assert refused.exit_code == 3 and "filed 7.2" in refused.stderr
    back = document(call("retain", "--bring-back", tmp_path / "archive", "--json", "--home", cut).stdout)
    assert (back["segments"], back["absent"]) == (len(old), 0)
    after = tree_of(cut / "lake")
    assert {name: digest for name, digest in after.items() if not name.endswith("/.compacting/lock")} == before


def test_a_home_is_backed_up_and_restored(call: Call, own_played: Path, tmp_path: Path) -> None:
    first = call("backup", tmp_path / "backup", "--home", own_played)
    assert first.exit_code == 0 and first.stdout.startswith("Backup 1 of ")
    again = document(call("backup", tmp_path / "backup", "--json", "--home", own_played).stdout)
    assert (again["number"], again["segments_copied"], again["bytes_copied"]) == (2, 0, 0)
    restored = call("restore", tmp_path / "backup", tmp_path / "new")
    assert restored.exit_code == 0 and "verified seals and all" in restored.stdout
    assert tree_of(tmp_path / "new" / "lake") == tree_of(own_played / "lake")
    assert call("run", "--home", tmp_path / "new").stdout == "Nothing new in the log.\n"
    assert call("verify", "--home", tmp_path / "new").exit_code == 0
    over = call("restore", tmp_path / "backup", tmp_path / "new")
    assert over.exit_code == 3 and "nothing is restored over it" in over.stderr
    nowhere = call("restore", tmp_path / "nothing", tmp_path / "other")
    assert nowhere.exit_code == 3 and "is not a backup" in nowhere.stderr and not (tmp_path / "other").exists()
    inside = call("backup", own_played / "backup", "--home", own_played)
    assert inside.exit_code == 3 and "is inside the home" in inside.stderr


def test_a_key_kept_outside_the_home_is_said_not_to_be_in_the_backup(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUCKRAKER_SEAL_KEY", str(tmp_path / "elsewhere" / "lake.key"))
    call("simulate", "--tables", "1", "--rounds", "4", "--home", tmp_path / "home")
    assert call("run", "--home", tmp_path / "home").exit_code == 0
    assert not (tmp_path / "home" / "seal").exists()
    saved = call("backup", tmp_path / "backup", "--home", tmp_path / "home")
    assert saved.exit_code == 0 and "keep a copy of it yourself" in saved.stdout
    assert call("restore", tmp_path / "backup", tmp_path / "new").exit_code == 0
    monkeypatch.delenv("MUCKRAKER_SEAL_KEY")
    without = call("restore", tmp_path / "backup", tmp_path / "other")
    assert without.exit_code == 0 and "but for the seals, whose public key is not in the backup" in without.stdout
