"""Rounds that cannot be judged, and racks that were not searched: what `status`, `doctor` and `reaudit` say of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from console.home import TOPIC, make_home
from replay import audit, searching
from replay.cards.solver.budget import ROUND_STEPS
from tests.console.conftest import call_command
from tests.ingest.attack_streams import attack_on, seventy_reads

RACKS = 4


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table with contradictory racks, of which there is time to search one, and a round larger than any can be."""
    monkeypatch.setattr(searching, "TABLE_STEPS", ROUND_STEPS)
    made = make_home(tmp_path / "home")
    log = made.log()
    records = [("YY-1", raw) for raw in attack_on("YY-1", RACKS)] + [("XX-1", raw) for raw in seventy_reads("XX-1")]
    log.append(TOPIC, records)
    log.close()
    assert call_command("run", "--home", made.path).exit_code == 0
    return made.path


def test_everybody_who_looks_is_told(home: Path) -> None:
    status = call_command("status", "--home", home)
    assert "1 round could not be judged: type `muckraker rounds --verdict cannot_judge`" in status.stdout
    assert json.loads(call_command("status", "--home", home, "--json").stdout)["cannot_judge"] == 1
    doctor = [json.loads(line) for line in call_command("doctor", "--home", home, "--json").stdout.splitlines()]
    (judged,) = [check for check in doctor if check["name"] == "judged"]
    assert judged["ok"] and judged["said"] == "1 round not judged, larger than a round can be (ROUND-008)"
    listed = call_command("rounds", "--home", home, "--verdict", "cannot_judge", "--json")
    assert [json.loads(line)["round_id"] for line in listed.stdout.splitlines()] == ["r1"]
    shown = call_command("round", "show", "XX-1/r1", "--home", home)
    assert shown.exit_code == 0 and "larger than a round can be" in shown.stdout and "cannot judge" in shown.stdout


def test_a_mistake_of_ours_is_a_problem_to_doctor(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError("mistake")

    made = make_home(home.parent / "other")
    log = made.log()
    log.append(TOPIC, [("YY-1", raw) for raw in attack_on("YY-1", 1)])
    log.close()
    with monkeypatch.context() as broken:
        broken.setattr(audit, "compare", fails)
        assert call_command("run", "--home", made.path).exit_code == 0
    doctor = [json.loads(line) for line in call_command("doctor", "--home", made.path, "--json").stdout.splitlines()]
    (judged,) = [check for check in doctor if check["name"] == "judged"]
    assert not judged["ok"] and "1 round could not be judged, by a mistake in Muckraker" in judged["said"]
    again = json.loads(call_command("reaudit", "--home", made.path, "--json").stdout)
    assert not again["identical"]
    assert any(one["lake"] == "cannot_judge ROUND-007" for one in again["differences"]), "it is judged now"


def test_deep_explains_what_was_left(home: Path) -> None:
    again = call_command("reaudit", "--home", home, "--json")
    assert again.exit_code == 0 and json.loads(again.stdout)["identical"], again.stdout
    found = call_command("findings", "--home", home, "--code", "ROUND-009", "--json").stdout.splitlines()
    assert len(found) == RACKS - 1
    deep = call_command("reaudit", "--home", home, "--deep", "--json")
    assert deep.exit_code == 1
    verdicts = [one for one in json.loads(deep.stdout)["differences"] if one["what"] == "verdict"]
    assert len(verdicts) == RACKS - 1
    assert all("too many contradictory racks" in one["lake"] and "not explained" not in one["now"] for one in verdicts)
