"""A home that is missing, locked, damaged, newer or full: a clear sentence, exit code 3, and nothing made worse."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from console.home import TOPIC
from ingest.lake import Lake
from ingest.sqlite_log import SqliteLog
from tests.console.conftest import Call, call_process
from tests.console.screen import lines_of

READERS = (
    ["findings"],
    ["rounds"],
    ["round", "show", "PG-01/1"],
    ["query", "SELECT 1"],
    ["reaudit"],
    ["keys", "list"],
    ["run"],
)


@pytest.mark.parametrize("arguments", READERS)
def test_a_missing_home(call: Call, tmp_path: Path, arguments: list[str]) -> None:
    result = call(*arguments, "--home", tmp_path / "nowhere")
    assert result.exit_code == 3
    assert "there is no Muckraker home at" in result.stderr and "muckraker demo" in result.stderr
    assert not (tmp_path / "nowhere").exists()


def test_the_home_named_by_the_environment(call: Call, monkeypatch: pytest.MonkeyPatch, played: Path) -> None:
    monkeypatch.setenv("MUCKRAKER_HOME", str(played))
    assert call("findings").exit_code == 0
    assert call("--home", "nowhere", "findings").exit_code == 3
    assert call("findings", "--home", "nowhere").exit_code == 3


def test_an_empty_home_can_be_read(call: Call, tmp_path: Path) -> None:
    key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert call("keys", "add", "PG-01", key, "--home", tmp_path / "home").exit_code == 0
    for arguments in (["findings"], ["rounds"], ["query", "SELECT * FROM tables"], ["reaudit"], ["run"]):
        result = call(*arguments, "--home", tmp_path / "home")
        assert result.exit_code == 0, result.output


def test_a_newer_home(call: Call, own_played: Path) -> None:
    (own_played / "home.json").write_text('{"format": 99, "partitions": 2}')
    result = call("findings", "--home", own_played)
    assert result.exit_code == 3 and "format 99" in result.stderr and "newer Muckraker" in result.stderr


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "x"}', '{"format": 1}'])
def test_a_damaged_mark(call: Call, own_played: Path, text: str) -> None:
    (own_played / "home.json").write_text(text)
    result = call("findings", "--home", own_played)
    assert result.exit_code == 3 and "damaged" in result.stderr


def test_a_lost_mark_is_not_made_anew(call: Call, own_played: Path) -> None:
    (own_played / "home.json").unlink()
    for arguments in (["findings"], ["simulate"]):
        result = call(*arguments, "--home", own_played)
        assert result.exit_code == 3 and "home.json is missing" in result.stderr


def test_a_log_that_is_none(call: Call, own_played: Path) -> None:
    for path in own_played.glob("log.sqlite*"):
        path.unlink()
    (own_played / "log.sqlite").write_bytes(b"this is a letter to my aunt" * 100)
    result = call("run", "--home", own_played)
    assert result.exit_code == 3 and "not a Muckraker log" in result.stderr
    checks = {check["name"]: check for check in lines_of(call("doctor", "--home", own_played, "--json").stdout)}
    assert not checks["log"]["ok"] and "restore" in checks["log"]["way_out"]
    # Whoever reads the lake does not need the log.
    assert call("findings", "--home", own_played).exit_code == 0


def test_a_locked_lake_names_its_owner(call: Call, own_played: Path) -> None:
    lake = Lake(own_played / "lake")
    topic = lake.topics()[0]
    lake.own(topic, 0)
    try:
        result = call("run", "--home", own_played)
    finally:
        lake.release(topic, 0)
    assert result.exit_code == 3 and "owns this part of the lake" in result.stderr
    assert call("run", "--home", own_played).exit_code == 0


@pytest.mark.parametrize(
    "name", ["events.parquet", "rounds.parquet", "findings.parquet", "state.json", "manifest.json"]
)
def test_doctor_names_a_damaged_file(call: Call, own_played: Path, name: str) -> None:
    file = next(own_played.glob(f"lake/*/0/*-*/{name}"))
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    result = call("doctor", "--home", own_played, "--json")
    assert result.exit_code == 1
    lake = next(check for check in lines_of(result.stdout) if check["name"] == "lake")
    assert not lake["ok"] and file.parent.name in lake["said"] and lake["way_out"]


@pytest.mark.parametrize("name", ["rounds.parquet", "findings.parquet"])
def test_a_file_that_is_cut_off(call: Call, own_played: Path, name: str) -> None:
    file = next(own_played.glob(f"lake/*/0/*-*/{name}"))
    file.write_bytes(file.read_bytes()[:100])
    for arguments in (["findings"], ["reaudit"]):
        result = call(*arguments, "--home", own_played)
        assert result.exit_code == 3, result.output
        assert name in result.stderr and "mistake in Muckraker" not in result.stderr


@pytest.mark.parametrize("arguments", [["rounds"], ["query", "FROM rounds"]])
def test_a_page_that_cannot_be_decoded_is_no_fault_of_the_query(
    call: Call, own_played: Path, arguments: list[str]
) -> None:
    file = next(own_played.glob("lake/*/0/*-*/rounds.parquet"))
    data = bytearray(file.read_bytes())
    data[4:400] = b"x" * 396
    file.write_bytes(data)
    result = call(*arguments, "--home", own_played)
    assert result.exit_code == 3, result.output
    assert "muckraker doctor" in result.stderr and "mistake in Muckraker" not in result.stderr


def test_nothing_found_is_not_nothing_wrong(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    call("simulate", "--tables", "1", "--rounds", "3", "--home", home)
    for arguments in (["findings"], ["rounds"], ["query", "FROM tables"], ["rounds", "--json"]):
        result = call(*arguments, "--home", home)
        assert result.exit_code == 0 and "not checked yet: type `muckraker run`" in result.stderr
    call("run", "--home", home)
    assert call("findings", "--home", home).stderr == ""


def test_a_simulation_broken_off_says_what_is_left(call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("console.feed_commands.append_simulated", interrupted)
    result = call("simulate", "--home", tmp_path / "home")
    assert result.exit_code == 130
    assert "half played" in result.stderr and str(tmp_path / "home") in result.stderr


def test_a_missing_file_is_named(call: Call, own_played: Path) -> None:
    next(own_played.glob("lake/*/0/*-*/findings.parquet")).unlink()
    result = call("findings", "--home", own_played)
    assert result.exit_code == 3 and "findings.parquet is missing" in result.stderr


def test_doctor_tells_of_lag_and_keys(call: Call, own_played: Path) -> None:
    log = SqliteLog(own_played / "log.sqlite")
    log.append(TOPIC, [("PG-01", b"{}"), ("PG-77", b"{}")])
    log.close()
    (own_played / "keys" / "PG-01.json").unlink()
    result = call("doctor", "--home", own_played, "--json")
    assert result.exit_code == 1
    checks = {check["name"]: check for check in lines_of(result.stdout)}
    assert checks["lag"]["said"].startswith("2 records") and "muckraker run" in checks["lag"]["way_out"]
    assert "PG-01" in checks["keys"]["said"]


def test_reaudit_tells_what_was_altered(call: Call, own_played: Path) -> None:
    file = next(own_played.glob("lake/*/0/*-*/rounds.parquet"))
    rounds = pq.read_table(file, partitioning=None)
    verdicts = rounds["verdict"].to_pylist()
    verdicts[0] = "void"
    pq.write_table(rounds.set_column(rounds.column_names.index("verdict"), "verdict", pa.array(verdicts)), file)
    result = call("reaudit", "--home", own_played, "--json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert not document["identical"]
    assert [difference["lake"] for difference in document["differences"]] == ["void"]
    shown = call("reaudit", "--home", own_played)
    assert shown.exit_code == 1 and "1 difference from what the lake holds" in shown.stdout


def test_a_full_disk_and_the_run_repeated(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    call("simulate", "--tables", "2", "--rounds", "60", "--faults", "none", "--home", home)
    limited = call_process(
        "run", "--home", home, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, 70_000))
    )
    assert limited.returncode == 3, limited.stderr
    assert "Traceback" not in limited.stderr and "muckraker: " in limited.stderr
    assert call("run", "--home", home).exit_code == 0
    assert call("doctor", "--home", home).exit_code == 0
    assert len(lines_of(call("rounds", "--home", home, "--limit", "0", "--json").stdout)) == 60


def test_a_mistake_of_ours_is_said_to_be_ours(call: Call, monkeypatch: pytest.MonkeyPatch, played: Path) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr("console.finding_commands.Warehouse", broken)
    result = call("findings", "--home", played)
    assert result.exit_code == 3
    assert "a mistake in Muckraker: ZeroDivisionError: on purpose" in result.stderr
    monkeypatch.setenv("MUCKRAKER_DEBUG", "1")
    assert isinstance(call("findings", "--home", played).exception, ZeroDivisionError)


def test_interrupted(call: Call, monkeypatch: pytest.MonkeyPatch, played: Path) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("console.finding_commands.Warehouse", interrupted)
    result = call("findings", "--home", played)
    assert result.exit_code == 130 and "interrupted" in result.stderr
