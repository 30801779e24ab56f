"""`muckraker keys`: a key's life as an operator enters it, and what the audit then makes of the table's signatures."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from nacl.signing import SigningKey

from ingest.chain import event_hash, public_hex
from tests.console.conftest import ROOT, Call
from tests.console.screen import lines_of
from tests.ingest.device import TableDevice

OTHER = SigningKey(bytes(range(32)))


def finding_codes(call: Call, home: Path) -> list[str]:
    found = lines_of(call("findings", "--code", "GATE", "--limit", "0", "--json", "--home", home).stdout)
    return sorted(row["code"] for row in found)


def played(call: Call, home: Path, said: list[bytes]) -> None:
    (home.parent / "day.jsonl").write_bytes(b"\n".join(said) + b"\n")
    assert call("ingest", home.parent / "day.jsonl", "--home", home).exit_code == 0
    assert call("run", "--home", home).exit_code == 0


def rotated_at_18() -> tuple[TableDevice, list[bytes]]:
    """Two rounds (18 events) under the first key, two under another."""
    device = TableDevice("PG-07")
    first = device.key
    said = device.rounds(2)
    device.key = OTHER
    said += device.rounds(2)
    device.key = first
    return device, said


def test_a_file_of_old_events_is_judged_by_the_key_of_each_event_s_place(call: Call, tmp_path: Path) -> None:
    device, said = rotated_at_18()
    home = tmp_path / "home"
    assert call("keys", "add", "PG-07", device.public_hex, "--home", home).exit_code == 0
    result = call("keys", "rotate", "pg-07", public_hex(OTHER), "--at-seq", "18", "--reason", "yearly", "--home", home)
    assert result.exit_code == 0 and "from seq 18 on" in result.stdout, result.output
    played(call, home, said)
    assert finding_codes(call, home) == []
    attested = call("query", "SELECT count(*) AS n FROM rounds WHERE attested", "--format", "json", "--home", home)
    assert json.loads(attested.stdout) == {"n": 4}


def test_the_old_key_after_its_time_and_a_revoked_one_are_named(call: Call, tmp_path: Path) -> None:
    device = TableDevice("PG-07")
    home = tmp_path / "home"
    call("keys", "add", "PG-07", device.public_hex, "--home", home)
    call("keys", "rotate", "PG-07", public_hex(OTHER), "--at-seq", "18", "--home", home)
    said = device.rounds(4)
    played(call, home, said)
    assert finding_codes(call, home) == ["GATE-013"]

    stolen = tmp_path / "stolen"
    call("keys", "add", "PG-07", device.public_hex, "--home", stolen)
    revoked = call(
        "keys", "revoke", "PG-07", device.public_hex[:8], "--at-seq", "18", "--reason", "stolen", "--home", stolen
    )
    assert revoked.exit_code == 0 and "PG-07 has no key now" in revoked.stdout, revoked.output
    played(call, stolen, said)
    assert finding_codes(call, stolen) == ["GATE-012"]


def test_list_and_history(call: Call, tmp_path: Path) -> None:
    device = TableDevice("PG-07")
    home = tmp_path / "home"
    call("keys", "add", "PG-07", device.public_hex, "--reason", "opened", "--home", home)
    call(
        "keys", "rotate", "PG-07", public_hex(OTHER),
        "--at", "2026-11-17 21:00", "--overlap", "10m", "--new-chain", "--reason", "new controller", "--home", home,
    )  # fmt: skip
    call(
        "keys",
        "revoke",
        "PG-07",
        device.public_hex[:12],
        "--at",
        "2026-11-17T20:00:30Z",
        "--reason",
        "lost",
        "--home",
        home,
    )
    history = lines_of(call("keys", "history", "--json", "--home", home).stdout)
    assert [(row["action"], row["public_key"], row["from"], row["reason"]) for row in history] == [
        ("add", device.public_hex, "the start", "opened"),
        ("rotate", public_hex(OTHER), "2026-11-17 21:00:00Z", "new controller"),
        ("revoke", device.public_hex, "2026-11-17 20:00:30Z", "lost"),
    ]
    assert (history[1]["overlap_s"], history[1]["new_chain"]) == (600, True)
    # The first key would have been good for ten minutes after the rotation, and was revoked an hour before it.
    assert [row["until"] for row in history] == ["2026-11-17 20:00:30Z", None, None]
    assert lines_of(call("keys", "history", "pg-07", "--json", "--home", home).stdout) == history
    shown = call("keys", "history", "PG-07", "--home", home).stdout
    assert "new controller" in shown and "2026-11-17 21:00:00Z" in shown
    assert lines_of(call("keys", "list", "--json", "--home", home).stdout) == [
        {"table": "PG-07", "public_key": public_hex(OTHER), "from": "2026-11-17 21:00:00Z", "keys": 2}
    ]


def test_head_is_right_where_the_newest_segments_have_no_state(call: Call, tmp_path: Path) -> None:
    """A worker that follows writes its state once a minute, and many segments in between."""
    device = TableDevice("PG-07")
    home = tmp_path / "home"
    call("keys", "add", "PG-07", device.public_hex, "--home", home)
    said = [*device.rounds(2), device.say("device.offline", device="shoe")]
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(said))
    call("ingest", "day.jsonl", "--home", home)
    command = [sys.executable, "-m", "console.main", "run", "--follow", "--home", str(home)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as worker:
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                head = call("keys", "head", "PG-07", "--json", "--home", home)
                if head.exit_code == 0 and json.loads(head.stdout)["seq"] == 19:
                    break
                time.sleep(0.2)
        finally:
            worker.kill()  # as it falls: with no state of the last records
    assert json.loads(head.stdout) == {
        "table": "PG-07",
        "seq": 19,
        "prevhash": event_hash(said[-1]),
        "attested_seq": 17,
    }
    shown = call("keys", "head", "PG-07", "--home", home).stdout
    assert "No good signature stands on the events from seq 18 on yet" in shown


def test_head_is_where_a_new_controller_goes_on(call: Call, tmp_path: Path) -> None:
    device = TableDevice("PG-07")
    home = tmp_path / "home"
    call("keys", "add", "PG-07", device.public_hex, "--home", home)
    said = device.rounds(2)
    played(call, home, said)
    head: dict[str, Any] = json.loads(call("keys", "head", "PG-07", "--json", "--home", home).stdout)
    assert head == {"table": "PG-07", "seq": 18, "prevhash": event_hash(said[-1]), "attested_seq": 17}
    replacement = TableDevice("PG-07", seed=7)
    replacement.seq, replacement.prevhash, replacement.round_number = head["seq"], head["prevhash"], 2
    replacement.time = device.time
    played(call, home, replacement.rounds(1))
    assert finding_codes(call, home) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["add", "PG-07", "00" * 32], "no key anybody can sign with"),
        (["add", "PG-07", "OTHER"], "has a key already"),
        (["rotate", "PG-99", "OTHER"], "register its first with `muckraker keys add PG-99 HEX`"),
        (["rotate", "PG-07", "OTHER", "--at", "2026-11-17 21:00", "--at-seq", "5"], "give one of them"),
        (["rotate", "PG-07", "OTHER", "--overlap", "soon"], "not a span of time such as 90s"),
        (["rotate", "PG-07", "OTHER", "--overlap", "31d"], "0 to 30 days"),
        (["rotate", "PG-07", "OTHER", "--at-seq", "-1"], "--at-seq"),
        (["revoke", "PG-07", "0123", "--reason", "x"], "at least 8 of its hex digits"),
        (["revoke", "PG-07", "01234567", "--reason", "x"], "has no key that begins with 01234567"),
        (["revoke", "PG-07", "01234567"], "--reason"),
        (["history", "PG-99"], "PG-99 has no keys; those of PG-07 are registered"),
        (["head", "PG-99"], "no event of PG-99 is recorded"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else None,
)
def test_what_cannot_be_is_one_clear_sentence(call: Call, tmp_path: Path, arguments: list[str], said: str) -> None:
    home = tmp_path / "home"
    call("keys", "add", "PG-07", TableDevice("PG-07").public_hex, "--home", home)
    before = (home / "keys" / "PG-07.json").read_bytes()
    given = [public_hex(OTHER) if argument == "OTHER" else argument for argument in arguments]
    result = call("keys", *given, "--home", home)
    assert result.exit_code == 2, result.output
    assert said in " ".join(result.stderr.split()) and "Traceback" not in result.stderr
    assert (home / "keys" / "PG-07.json").read_bytes() == before


def test_a_table_that_somebody_leapt_away_with_its_key_is_resynchronised(call: Call, tmp_path: Path) -> None:
    device = TableDevice("PG-07")
    home = tmp_path / "home"
    call("keys", "add", "PG-07", device.public_hex, "--home", home)
    said = device.rounds(2)
    thief = TableDevice("PG-07")
    thief.seq, thief.prevhash = 2**31 - 1, "ab" * 32
    played(call, home, [*said, thief.say("table.heartbeat")])
    head = call("keys", "head", "PG-07", "--home", home).stdout
    assert "has no number left" in head and "keys resync PG-07 --to-seq N" in head
    assert json.loads(call("keys", "head", "PG-07", "--json", "--home", home).stdout)["seq"] is None
    order = ("keys", "resync", "PG-07", "--to-seq", "18", "--at", "2026-01-01 00:00", "--home", home)
    assert call(*order).exit_code == 2, "a reason is needed"
    result = call(*order, "--reason", "stolen key")
    assert result.exit_code == 0, result.output
    assert result.stdout == "PG-07 goes on from seq 18, with what is logged from 2026-01-01 00:00:00Z on.\n"
    assert call(*order, "--reason", "again").exit_code == 2, "not after the one before it"
    more = device.rounds(2)
    played(call, home, more)
    assert finding_codes(call, home).count("GATE-036") == 1
    head = call("keys", "head", "PG-07", "--home", home).stdout
    assert head == f"PG-07 goes on with seq 36 and prevhash {event_hash(more[-1])}\n"
    history = lines_of(call("keys", "history", "PG-07", "--json", "--home", home).stdout)
    assert [(row["action"], row["goes_on_from_seq"], row["reason"]) for row in history] == [
        ("add", None, ""),
        ("resync", 18, "stolen key"),
    ]
    assert "resync to seq 18" in " ".join(call("keys", "history", "PG-07", "--home", home).stdout.split())


def test_a_forged_event_changes_nothing_about_where_a_table_goes_on(call: Call, tmp_path: Path) -> None:
    device = TableDevice("PG-07")
    home = tmp_path / "home"
    call("keys", "add", "PG-07", device.public_hex, "--home", home)
    said = device.rounds(2)
    forger = TableDevice("PG-07", signs=False)
    forger.seq = 2**31 - 1
    near = TableDevice("PG-07", signs=False)
    near.seq = 30
    played(call, home, [*said, forger.say("device.online", device="rack"), near.say("device.online", device="rack")])
    head = call("keys", "head", "PG-07", "--home", home).stdout
    assert head == f"PG-07 goes on with seq 18 and prevhash {event_hash(said[-1])}\n"
    assert finding_codes(call, home) == ["GATE-035"]
