"""Commands that write: simulate, ingest, keys, run and demo, from good input and bad."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.console.conftest import ROOT, Call, call_process
from tests.console.screen import lines_of, tree_of
from tests.ingest.device import TableDevice


def clean_day(call: Call, out: Path, rounds: int = 20) -> list[bytes]:
    """One table's clean day in a file; its lines."""
    result = call("simulate", "--tables", "1", "--rounds", str(rounds), "--faults", "none", "--out", out)
    assert result.exit_code == 0, result.output
    return out.read_bytes().splitlines()


def count(call: Call, home: Path, sql: str) -> int:
    row: dict[str, int] = json.loads(
        call("query", f"SELECT count(*) AS n FROM {sql}", "--format", "json", "--home", home).stdout
    )
    return row["n"]


def test_from_a_file_and_straight_into_the_log_is_the_same(call: Call, tmp_path: Path) -> None:
    arguments = ["--tables", "2", "--rounds", "20", "--seed", "5", "--faults", "all", "--fault-rate", "0.1"]
    direct = call("simulate", *arguments, "--home", tmp_path / "a", "--json")
    to_file = call("simulate", *arguments, "--out", tmp_path / "day.jsonl", "--json")
    assert json.loads(direct.stdout)["events"] == json.loads(to_file.stdout)["events"]
    assert (tmp_path / "a" / "labels.jsonl").read_bytes() == (tmp_path / "day.labels.jsonl").read_bytes()
    read_in = call("ingest", "day.jsonl", "--keys", "day.keys.json", "--home", tmp_path / "b")
    assert read_in.exit_code == 0 and "Next: muckraker run" in read_in.stdout
    for home in ("a", "b"):
        assert call("run", "--home", tmp_path / home).exit_code == 0
    found = [call("findings", "--limit", "0", "--json", "--home", tmp_path / home).stdout for home in ("a", "b")]
    assert found[0] == found[1] != ""


def test_the_same_seed_and_key_give_the_same_lake(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUCKRAKER_SEAL_KEY", str(tmp_path / "seal.key"))
    trees = []
    for name in ("a", "b"):
        call("simulate", "--tables", "2", "--rounds", "12", "--home", tmp_path / name)
        call("run", "--home", tmp_path / name)
        trees.append(tree_of(tmp_path / name / "lake"))
    assert trees[0] == trees[1] != {}


def test_run_twice_has_nothing_new(call: Call, own_played: Path) -> None:
    before = tree_of(own_played / "lake")
    assert call("run", "--home", own_played).stdout == "Nothing new in the log.\n"
    assert tree_of(own_played / "lake") == before


def test_a_table_has_one_stream_only(call: Call, own_played: Path) -> None:
    result = call("simulate", "--tables", "1", "--rounds", "5", "--home", own_played)
    assert result.exit_code == 3
    assert "already has events of PG-01" in result.stderr


def test_simulate_overwrites_nothing(call: Call, tmp_path: Path) -> None:
    clean_day(call, tmp_path / "day.jsonl", 2)
    result = call("simulate", "--rounds", "2", "--out", tmp_path / "day.jsonl")
    assert result.exit_code == 2 and "is there already" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["simulate", "--faults", "nope"], "there is no fault 'nope'"),
        (["simulate", "--tables", "0"], "--tables"),
        (["simulate", "--day", "yesterday"], "--day"),
        (["ingest", "nowhere.jsonl"], "there is no such file"),
        (["ingest", "."], "is a folder"),
        (["ingest", "day.jsonl", "--keys", "day.jsonl"], "is not JSON"),
        (["ingest", "day.jsonl", "--keys", "list.json"], "64 hex digits"),
        (["ingest", "day.jsonl", "--keys", "short.json"], "64 lowercase hex digits"),
        (["keys", "add", "pg-1", "00"], "is not a table id"),
        (["keys", "add", "PG-01", "zz"], "is not an Ed25519 public key"),
        (["nope"], "No such command"),
    ],
)
def test_wrong_input_is_one_clear_sentence(call: Call, tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "day.jsonl").write_text("{not json}\n")
    (tmp_path / "list.json").write_text("[1]")
    (tmp_path / "short.json").write_text('{"PG-01": "abc"}')
    result = call(*arguments)
    assert result.exit_code == 2, result.output
    assert said in result.stderr and "Traceback" not in result.stderr


def test_keys(call: Call, tmp_path: Path) -> None:
    key = TableDevice("PG-07").public_hex
    assert call("keys", "add", "PG-07", key, "--home", tmp_path / "home").exit_code == 0
    assert lines_of(call("keys", "list", "--json", "--home", tmp_path / "home").stdout) == [
        {"table": "PG-07", "public_key": key, "from": "the start", "keys": 1}
    ]
    assert key in call("keys", "list", "--home", tmp_path / "home").stdout


def test_standard_input(call: Call, tmp_path: Path) -> None:
    lines = clean_day(call, tmp_path / "day.jsonl", 2)
    result = call("ingest", "-", "--json", "--home", tmp_path / "home", stdin=b"\n".join([*lines, b"", b""]))
    assert json.loads(result.stdout)["appended"] == len(lines)


def changed(raw: bytes, **members: Any) -> bytes:
    return json.dumps({**json.loads(raw), **members}, separators=(",", ":")).encode()


def test_bad_records_are_quarantined_with_a_reason_and_disturb_nothing(call: Call, tmp_path: Path) -> None:
    good = clean_day(call, tmp_path / "day.jsonl")
    device = TableDevice("BAD-01")
    wager = {"seat": 1, "wager": "pai_gow"}
    bad = {
        "truncated": device.say("round.opened", "r1")[:80],
        "wrong JSON": b'{"tableid":"BAD-01" "seq":1}',
        "no object": b'["tableid", "BAD-01"]',
        "unknown type": device.say("round.exploded", "r1"),
        "no such card": device.say("discard.read", "r1", mode="scan", cards=["As", "1x"]),
        "negative amount": device.say("wager.placed", "r1", **wager, amount_cents=-500),
        "float amount": device.say("wager.placed", "r1", **wager, amount_cents=25.5),
        "unknown member": device.say("bets.closed", "r1", colour="red"),
        "no round": device.say("bets.closed"),
        "not UTF-8": b'{"tableid":"BAD-01","seq":9,"x":"\xff"}',
    }
    mixed = good[:40] + list(bad.values()) + good[40:]
    (tmp_path / "mixed.jsonl").write_bytes(b"\n".join(mixed) + b"\n")
    home = tmp_path / "home"
    taken = call("ingest", "mixed.jsonl", "--keys", "day.keys.json", "--home", home, "--json")
    assert json.loads(taken.stdout)["appended"] == len(mixed)
    assert call("run", "--home", home).exit_code == 0

    refused = lines_of(
        call(
            "query", "SELECT reason, raw FROM quarantine ORDER BY log_offset", "--format", "json", "--home", home
        ).stdout
    )
    assert len(refused) == len(bad)
    assert all(row["reason"] for row in refused)
    reasons = " | ".join(row["reason"] for row in refused)
    for named in ("1x", "-500", "colour", "round.exploded"):
        assert named in reasons
    assert count(call, home, "rounds WHERE verdict IN ('verified', 'void')") == count(call, home, "rounds") == 20
    found = lines_of(call("findings", "--limit", "0", "--json", "--home", home).stdout)
    codes = [row["code"] for row in found]
    assert (codes.count("GATE-006"), codes.count("GATE-026")) == (len(bad) - 1, 1), "one is not UTF-8"
    assert {row["table_id"] for row in found} <= {"BAD-01", "unknown"}
    assert set(codes) <= {"GATE-006", "GATE-008", "GATE-026"}


@pytest.mark.parametrize(
    ("opened", "named"),
    [
        ({"pack": "ma/nope", "version": "1.0"}, "ma/nope"),
        ({"pack": "ma/pai_gow_poker", "version": "9.9"}, "9.9"),
        ({"pack": "ma/pai_gow_poker", "version": "1.0", "options": {"wheel": "sideways"}}, "sideways"),
        ({"pack": "ma/pai_gow_poker", "version": "1.0", "options": {"nope": 1}}, "nope"),
    ],
)
def test_a_table_under_no_usable_filing_is_recorded_and_said_so(
    call: Call, tmp_path: Path, opened: dict[str, Any], named: str
) -> None:
    device = TableDevice("PG-09")
    events = [
        device.say("table.opened", gaming_day="2026-11-01", **opened),
        device.say("round.opened", "r1"),
        device.say("wager.placed", "r1", seat=1, wager="pai_gow", amount_cents=2500),
        device.say("round.closed", "r1"),
    ]
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(events))
    home = tmp_path / "home"
    call("keys", "add", "PG-09", device.public_hex, "--home", home)
    call("ingest", "day.jsonl", "--home", home)
    assert call("run", "--home", home).exit_code == 0
    found = lines_of(call("findings", "--json", "--home", home).stdout)
    assert [row["code"] for row in found] == ["FILING-001"]
    assert named in found[0]["sentence"]
    shown = call("round", "show", "PG-09/r1", "--home", home)
    assert shown.exit_code == 0 and "cannot tell" in shown.stdout
    assert json.loads(call("reaudit", "--json", "--home", home).stdout)["identical"]


def test_a_correction_is_shown_with_its_author_and_reason(call: Call, tmp_path: Path) -> None:
    device = TableDevice("PG-09")
    events = [
        device.say("table.opened", gaming_day="2026-11-01", pack="ma/pai_gow_poker", version="1.0"),
        device.say("round.opened", "r1"),
        device.say("wager.placed", "r1", seat=1, wager="pai_gow", amount_cents=2500),
        device.say("round.voided", "r1", reason="misdeal"),
        device.say("wager.settled", "r1", seat=1, wager="pai_gow", outcome="void"),
        device.say("round.closed", "r1"),
        device.say("round.corrected", "r1", corrects_seq=4, reason="chips misread", by="S-031"),
        device.say("table.heartbeat"),
    ]
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(events))
    home = tmp_path / "home"
    call("keys", "add", "PG-09", device.public_hex, "--home", home)
    call("ingest", "day.jsonl", "--home", home)
    assert call("run", "--home", home).exit_code == 0
    shown = call("round", "show", "pg-09/r1", "--home", home).stdout
    assert "Correction (event 6): event 4 was taken back by S-031: chips misread" in shown
    assert "This is version 3 of 3" in shown
    assert "1 void: attested\n" in shown
    assert "2 void: unattested; event 6: S-031 corrected event 4, “chips misread”" in shown
    assert "3 void: attested, stands" in shown, "the heartbeat's signature vouches for the correction"
    assert "ROUND-005" not in shown
    assert "all hands declared void: misdeal (event 3)" in shown
    assert "not filed, so the pack's default: ace high optional; dealing manual shoe; decks 1;" in shown
    assert "not offered: ace high, banking, dynasty, emperors," in shown and "emperors minimum" not in shown
    first = call("round", "show", "PG-09/r1", "--version", "1", "--home", home).stdout
    assert "Correction" not in first and "This is version 1 of 3" in first


def test_versions_of_a_round_say_what_money_was_found_wrong_in_each(call: Call, tmp_path: Path) -> None:
    device = TableDevice("PG-09")
    events = [
        device.say("table.opened", gaming_day="2026-11-01", pack="ma/pai_gow_poker", version="1.0"),
        device.say("round.opened", "r1"),
        device.say("wager.settled", "r1", seat=2, wager="pai_gow", outcome="win", paid_cents=2500),
        device.say("round.closed", "r1"),
        device.say("round.corrected", "r1", corrects_seq=2, reason="another table's chips", by="S-031"),
    ]
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(events))
    home = tmp_path / "home"
    call("keys", "add", "PG-09", device.public_hex, "--home", home)
    call("ingest", "day.jsonl", "--home", home)
    assert call("run", "--home", home).exit_code == 0
    shown = call("round", "show", "PG-09/r1", "--home", home)
    assert shown.exit_code == 0, shown.stderr
    assert "This is version 1 of 2" in shown.stdout
    assert "SETTLE-104 (+$25.00)" in shown.stdout
    versions = json.loads(call("round", "show", "PG-09/r1", "--json", "--home", home).stdout)["versions"]
    assert [version["difference_cents"] for version in versions] == [2500, 0]


def test_what_devices_write_is_never_markup(call: Call, tmp_path: Path) -> None:
    device = TableDevice("PG-09")
    dealer = "[red]Ann[/red] [link"
    events = [
        device.say("table.opened", gaming_day="2026-11-01", pack="ma/pai_gow_poker", version="1.0", dealer=dealer),
        device.say("round.opened", "r1"),
        device.say("round.closed", "r1"),
    ]
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(events))
    call("ingest", "day.jsonl", "--home", tmp_path / "home")
    call("run", "--home", tmp_path / "home")
    assert dealer in call("round", "show", "PG-09/r1", "--home", tmp_path / "home").stdout
    assert dealer in call("rounds", "--home", tmp_path / "home").stdout


def test_follow_checks_what_comes_and_stops_when_told(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    call("simulate", "--tables", "2", "--rounds", "40", "--faults", "none", "--home", home)
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "console.main",
            "run",
            "--follow",
            "--segment-records",
            "200",
            "--json",
            "--home",
            str(home),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + 40
        while not list(home.glob("lake/*/*/*-*/manifest.json")) and time.monotonic() < deadline:
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 0, err
    assert json.loads(out)["segments"] >= 1
    assert call("run", "--home", home).exit_code == 0
    assert count(call, home, "rounds") == 40


def test_the_demo_scores_itself_and_starts_again_cleanly(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUCKRAKER_SEAL_KEY", str(tmp_path / "seal.key"))  # else each has one of its own
    first = call("demo", "--rounds", "240", "--json")
    assert first.exit_code == 0, first.output
    summary = json.loads(first.stdout)
    assert summary["rounds"] == 240 and len(summary["tables"]) == 8
    assert summary["faults_injected"] >= 30
    assert summary["faults_found"] == summary["faults_injected"], summary["faults_missed"]
    assert summary["flagged_without_fault"] == []
    assert summary["money_check"]["agrees"] and summary["money_check"]["rounds"]["ledger"] > 10
    lake = tree_of(tmp_path / "muckraker-home" / "demo" / "lake")
    again = call("demo", "--rounds", "240")
    assert again.exit_code == 0
    assert tree_of(tmp_path / "muckraker-home" / "demo" / "lake") == lake
    for said in (
        "A gaming day at 8 tables",
        "Money at stake",
        "agree to the cent",
        "For example",
        "Faults planted",
        "muckraker round show",
    ):
        assert said in again.stdout
    # What it suggests works as printed.
    suggested = [line.split()[1:] for line in again.stdout.splitlines() if line.startswith("  muckraker round show")]
    assert call(*suggested[0]).exit_code == 0
    kept = call("demo", "--keep", "--json")
    assert {**json.loads(kept.stdout), "seconds": 0, "run": None} == {**summary, "seconds": 0, "run": None}


def test_the_demo_again_with_its_own_home_named(call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MUCKRAKER_HOME", str(tmp_path / "day"))
    for _ in range(2):
        assert call("demo", "--rounds", "8").exit_code == 0
        monkeypatch.setenv("MUCKRAKER_HOME", str(tmp_path / "day" / "demo"))
    assert not (tmp_path / "day" / "demo" / "demo").exists()


def test_the_demo_never_touches_another_home(call: Call, own_played: Path, tmp_path: Path) -> None:
    before = tree_of(own_played)
    for arguments in (["demo"], ["demo", "--keep"]):
        result = call(*arguments, "--home", own_played)
        assert result.exit_code == 2 and "not a demo's home" in result.stderr
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"meow")
    assert call("demo", "--home", tmp_path / "photos").exit_code == 2
    assert (tmp_path / "photos" / "cat.jpg").exists()
    assert tree_of(own_played) == before


def test_a_process_ends_with_the_code_and_the_sentence(tmp_path: Path) -> None:
    missing = call_process("findings", cwd=tmp_path)
    assert missing.returncode == 3
    assert "there is no Muckraker home" in missing.stderr and "muckraker demo" in missing.stderr
    assert call_process("findings", "--nope", cwd=tmp_path).returncode == 2
    assert call_process("version", cwd=tmp_path).returncode == 0
    assert not (tmp_path / "muckraker-home").exists()


def test_a_late_event_makes_a_new_version_and_the_old_one_stays(call: Call, tmp_path: Path) -> None:
    lines = clean_day(call, tmp_path / "day.jsonl")
    at = next(number for number, line in enumerate(lines) if b"wager.settled" in line and number > len(lines) // 2)
    late = json.loads(lines[at])
    place = f"{late['tableid']}/{late['subject']}"
    home = tmp_path / "home"
    (tmp_path / "first.jsonl").write_bytes(b"\n".join(lines[:at] + lines[at + 1 :]))
    (tmp_path / "late.jsonl").write_bytes(lines[at])
    call("ingest", "first.jsonl", "--keys", "day.keys.json", "--home", home)
    assert call("run", "--home", home).exit_code == 0
    before = json.loads(call("round", "show", place, "--json", "--home", home).stdout)
    assert (before["version"], before["verdict"]) == (1, "cannot_tell")

    call("ingest", "late.jsonl", "--home", home)
    assert call("run", "--home", home).exit_code == 0
    after = json.loads(call("round", "show", place, "--json", "--home", home).stdout)
    assert (after["version"], after["verdict"]) == (2, "verified")
    old = json.loads(call("round", "show", place, "--version", "1", "--json", "--home", home).stdout)
    assert (old["version"], old["verdict"]) == (1, "cannot_tell")
    shown = call("round", "show", place, "--home", home).stdout
    assert "This is version 2 of 2:" in shown
    assert "1 cannot tell: unattested" in shown and "2 verified: attested, stands" in shown
    assert count(call, home, "rounds") == 20 and count(call, home, "round_versions") == 21
    codes = {row["code"] for row in lines_of(call("findings", "--json", "--home", home).stdout)}
    assert codes == {"GATE-003", "GATE-005"}
    assert json.loads(call("reaudit", "--json", "--home", home).stdout)["identical"]
    assert call("doctor", "--home", home).exit_code == 0


def test_a_file_taken_twice_changes_no_round(call: Call, tmp_path: Path) -> None:
    lines = clean_day(call, tmp_path / "day.jsonl", 6)
    home = tmp_path / "home"
    for _ in range(2):
        call("ingest", "day.jsonl", "--keys", "day.keys.json", "--home", home)
        assert call("run", "--home", home).exit_code == 0
    assert count(call, home, "records WHERE status = 'duplicate'") == len(lines)
    assert count(call, home, "round_versions") == 6
    assert count(call, home, "findings WHERE code <> 'GATE-004'") == 0
