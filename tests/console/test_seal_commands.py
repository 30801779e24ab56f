"""The commands of the seal, as an auditor and an operator type them: verify, prove, witness."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from console.home import TOPIC, open_home
from ingest.seal.witness import Witness
from ingest.seal.witness_http import WitnessServer
from tests.console.conftest import Call
from tests.console.screen import lines_of
from tests.ingest.sealed_lake import bent


def segment_of(home: Path, position: int = 0) -> Path:
    lake = open_home(home).lake()
    found = [s.path for partition in lake.partitions(TOPIC) for s in lake.segments(TOPIC, partition)]
    return found[position]


def document(output: str) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(output)
    return said


def keys_of(call: Call, home: Path) -> list[str]:
    return call("verify", "--key", "--home", home).stdout.splitlines()


# --- verify -----------------------------------------------------------------------------------------------------------


def test_an_untouched_lake_is_intact_and_says_what_was_not_looked_at(call: Call, played: Path) -> None:
    result = call("verify", "--home", played)
    assert result.exit_code == 0 and result.stdout.startswith("Nothing was touched: 2 segments, ")
    assert "no checkpoint from elsewhere was held against it" in result.stderr
    said = document(call("verify", "--jobs", "2", "--json", "--home", played).stdout)
    assert said["intact"] and said["damages"] == [] and said["segments"] == said["checkpoints"] == 2
    assert said["records"] == sum(tree["records"] for tree in said["trees"]) > 1000
    one = call("verify", "--segment", segment_of(played), "--home", played)
    assert one.exit_code == 0 and "Nothing was touched: 1 segment," in one.stdout


@pytest.mark.parametrize("name", ["events.parquet", "findings.parquet", "state.json", "manifest.json", "seal"])
def test_a_touched_file_is_named(call: Call, own_played: Path, name: str) -> None:
    path = segment_of(own_played) / name
    data = path.read_bytes()
    path.write_bytes(bent(data, len(data) // 2, 3))
    result = call("verify", "--home", own_played)
    assert result.exit_code == 1 and f"TOUCHED {path}" in result.stdout and "restore what is named" in result.stdout
    said = document(call("verify", "--json", "--home", own_played).stdout)
    assert not said["intact"] and str(path) in {damage["file"] for damage in said["damages"]}
    assert call("verify", "--segment", path.parent, "--home", own_played).exit_code == 1
    assert call("verify", "--segment", segment_of(own_played, 1), "--home", own_played).exit_code == 0


def test_a_lake_resealed_with_another_key_is_told_by_the_filed_one(
    call: Call, own_played: Path, tmp_path: Path
) -> None:
    """Whoever replaces the key beside the lake too is found out by the line that was filed."""
    (tmp_path / "filed.vkey").write_text("\n".join(keys_of(call, own_played)))
    shutil.rmtree(own_played / "lake")
    shutil.rmtree(own_played / "seal")
    assert call("run", "--home", own_played).exit_code == 0
    assert call("verify", "--home", own_played).exit_code == 0
    result = call("verify", "--vkey", tmp_path / "filed.vkey", "--home", own_played)
    assert result.exit_code == 1 and "it is signed by" in result.stdout


def test_removed_segments_are_told_by_a_checkpoint_kept_elsewhere(call: Call, own_played: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "kept.checkpoint"
    checkpoint.write_bytes((segment_of(own_played) / "checkpoints").read_bytes())
    held = call("verify", "--checkpoint", checkpoint, "--json", "--home", own_played)
    assert held.exit_code == 0 and document(held.stdout)["held_against"] == 1
    shutil.rmtree(segment_of(own_played))
    assert call("verify", "--home", own_played).exit_code == 0
    result = call("verify", "--checkpoint", checkpoint, "--home", own_played)
    assert result.exit_code == 1 and "was rolled back: a checkpoint of" in result.stdout


def test_the_newest_checkpoints_are_written_down_and_held_against_it_later(call: Call, own_played: Path) -> None:
    written = lines_of(call("verify", "--newest", "kept", "--json", "--home", own_played).stdout)
    assert len(written) == len(list(Path("kept").iterdir())) == 2
    assert (
        call("verify", "--newest", "kept", "--home", own_played).exit_code == 0
    )  # the same again: nothing is replaced
    assert len(list(Path("kept").iterdir())) == 2
    held = document(call("verify", "--checkpoint", "kept", "--json", "--home", own_played).stdout)
    assert held["intact"] and held["held_against"] == 2
    shutil.rmtree(own_played / "lake" / TOPIC / "1")
    assert call("verify", "--home", own_played).exit_code == 0
    result = call("verify", "--checkpoint", "kept", "--home", own_played)
    assert result.exit_code == 1 and "and 0 are there" in result.stdout
    Path("bare").mkdir()
    assert call("verify", "--checkpoint", "bare", "--home", own_played).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--segment", "elsewhere"], "is not a segment of"),
        (["--vkey", "nonsense"], "neither a file nor a verifier key"),
        (["--vkey", "a+b+c"], "--vkey: "),
        (["--checkpoint", "broken"], "broken is no checkpoint: it is not a signed note"),
        (["--proof", "broken"], "is not called <record>.tlog-proof"),
        (["--proof", "absent.tlog-proof"], "does not exist"),
        (["--key", "--proof", "broken"], "one at a time"),
        (["--witness", "x"], "--witness goes with --proof"),
    ],
)
def test_wrong_input_is_one_clear_sentence(call: Call, played: Path, arguments: list[str], said: str) -> None:
    Path("broken").write_text("?")
    result = call("verify", *arguments, "--home", played)
    assert result.exit_code == 2 and said in result.stderr and not result.stdout


def test_a_home_without_a_lake_is_intact_and_one_without_a_key_is_told(
    call: Call, tmp_path: Path, own_played: Path
) -> None:
    call("init", "--home", tmp_path / "fresh")
    result = call("verify", "--home", tmp_path / "fresh")
    assert result.exit_code == 0 and "0 segments" in result.stdout
    shutil.rmtree(own_played / "seal")
    result = call("verify", "--home", own_played)
    assert result.exit_code == 3 and "without the public key nothing can be verified" in result.stderr


# --- prove ------------------------------------------------------------------------------------------------------------


def check(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", str(folder / "standalone_verifier.py"), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_round_is_proved_for_somebody_else(call: Call, played: Path, tmp_path: Path) -> None:
    result = call("prove", "PG-01/20261117-0003", "--out", tmp_path / "for-her", "--home", played)
    assert result.exit_code == 0 and "no witness has signed it" in result.stdout
    proofs = sorted((tmp_path / "for-her").glob("*.tlog-proof"))
    assert len(proofs) > 8 and not list((tmp_path / "for-her").glob("*.vkey"))
    assert "not from this folder" in (tmp_path / "for-her" / "README.txt").read_text()
    lines = [argument for line in keys_of(call, played) for argument in ("--vkey", line)]
    done = check(tmp_path / "for-her", *lines, ".")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(proofs)} of {len(proofs)} proved" in done.stdout and "PG-01: seq" in done.stdout
    assert "is complete" in done.stdout
    ours = call("verify", *(word for path in proofs for word in ("--proof", path)), "--json", "--home", played)
    assert ours.exit_code == 0 and all(line["proved"] for line in lines_of(ours.stdout))
    record = proofs[2].with_suffix("")
    record.write_bytes(record.read_bytes().replace(b"cents", b"Cents"))
    proofs[3].with_suffix("").write_bytes(b"?")
    ours = call("verify", "--proof", proofs[3], "--home", played)
    assert ours.exit_code == 1 and "NOT PROVED" in ours.stdout
    again = call("prove", "PG-01/20261117-0003", "--out", tmp_path / "for-her", "--home", played)
    assert again.exit_code == 2 and "is there already" in again.stderr


def test_one_record_and_growth_are_proved(call: Call, own_played: Path, tmp_path: Path) -> None:
    one = call("prove", "--record", "0/17", "--json", "--out", tmp_path / "one", "--home", own_played)
    assert one.exit_code == 0 and document(one.stdout)["proofs"] == 1
    checkpoint = tmp_path / "older.checkpoint"
    checkpoint.write_bytes((segment_of(own_played) / "checkpoints").read_bytes())
    grown = call("prove", "--since", checkpoint, "--out", tmp_path / "grown", "--home", own_played)
    assert grown.exit_code == 0, grown.output
    lines = [argument for line in keys_of(call, own_played) for argument in ("--vkey", line)]
    done = check(tmp_path / "grown", *lines, "--older", "older.checkpoint", "growth")
    assert done.returncode == 0, done.stdout + done.stderr
    growth = ("verify", "--proof", tmp_path / "grown" / "growth", "--home", own_played)
    ours = call(*growth, "--checkpoint", checkpoint)
    assert ours.exit_code == 0 and "that were signed for before" in ours.stdout
    assert call(*growth).exit_code == 2  # from where?
    text = (tmp_path / "grown" / "growth").read_text()
    (tmp_path / "grown" / "growth").write_text(text.replace("old ", "old 1", 1))
    assert call(*growth, "--checkpoint", checkpoint).exit_code == 2  # a checkpoint of another size


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "say what to prove"),
        (["PG-01"], "is not TABLE/ROUND"),
        (["PG-01/nowhere"], "no event of PG-01/nowhere is recorded"),
        (["--record", "x/1"], "is not PARTITION/OFFSET"),
        (["PG-01/1", "--record", "0/1"], "say what to prove"),
    ],
)
def test_what_cannot_be_proved_says_why(call: Call, played: Path, arguments: list[str], said: str) -> None:
    result = call("prove", *arguments, "--home", played)
    assert result.exit_code == 2 and said in result.stderr
    assert not list(Path().glob("proof-*"))


def test_a_refused_record_is_proved_to_have_come_and_said_to_be_refused(call: Call, played: Path) -> None:
    lake = open_home(played).lake()
    partition, offset = next(
        (partition, row["offset"])
        for partition in lake.partitions(TOPIC)
        for segment in lake.segments(TOPIC, partition)
        for row in pq.read_table(segment.path / "events.parquet", partitioning=None).to_pylist()
        if row["status"] == "quarantined"
    )
    result = call("prove", "--record", f"{partition}/{offset}", "--out", "refused", "--home", played)
    assert result.exit_code == 0 and "the gate refused this record (" in result.stderr
    lines = [argument for line in keys_of(call, played) for argument in ("--vkey", line)]
    assert check(Path("refused").absolute(), *lines, ".").returncode == 0


def test_a_record_that_is_not_there_cannot_be_proved(call: Call, played: Path) -> None:
    result = call("prove", "--record", "0/99999999", "--home", played)
    assert result.exit_code == 3 and "is not among those of the checkpoint" in result.stderr
    result = call("prove", "--record", "7/0", "--home", played)
    assert result.exit_code == 3 and "nothing is recorded there" in result.stderr


# --- witness ----------------------------------------------------------------------------------------------------------


def test_a_witness_from_its_making_to_a_proof_it_signed(call: Call, own_played: Path, tmp_path: Path) -> None:
    made = call("witness", "init", "--name", "witness.example/w1")
    assert made.exit_code == 0
    vkey = made.stdout.strip()
    Path("lake.vkeys").write_text("\n".join(keys_of(call, own_played)) + "\n")
    trusted = call("witness", "trust", "lake.vkeys")
    assert trusted.exit_code == 0 and trusted.stdout.count("is known by its key") == 2
    assert "is known already" in call("witness", "trust", "lake.vkeys").stdout
    sent = call("witness", "submit", "--to", "muckraker-witness", "--json", "--home", own_played)
    assert sent.exit_code == 0 and all(line["accepted"] for line in lines_of(sent.stdout))
    listed = lines_of(call("witness", "list", "--json").stdout)
    assert len(listed) == 2 and all(log["records"] > 100 and log["refused"] == 0 for log in listed)
    verified = document(call("verify", "--json", "--home", own_played).stdout)
    assert verified["intact"] and verified["held_against"] == 2  # what the witness signed is held against it
    proved = call("prove", "PG-01/20261117-0003", "--out", "given", "--home", own_played)
    assert "signed also by witness.example/w1" in proved.stdout
    lines = [argument for line in keys_of(call, own_played) for argument in ("--vkey", line)]
    done = check(Path("given").absolute(), *lines, "--witness", vkey, ".")
    assert done.returncode == 0 and "witness witness.example/w1 at" in done.stdout
    proof = sorted(Path("given").glob("*.tlog-proof"))[0]
    assert call("verify", "--proof", proof, "--witness", vkey, "--home", own_played).exit_code == 0
    stranger = str(Witness.make(tmp_path / "other", "witness.example/w2").verifier())
    assert call("verify", "--proof", proof, "--witness", stranger, "--home", own_played).exit_code == 1


def test_a_rewritten_lake_is_found_out_by_the_witness(call: Call, own_played: Path, tmp_path: Path) -> None:
    """The owner, with the key and everything beside the lake, records another history. Only the witness remembers."""
    call("witness", "init", "--name", "witness.example/w1")
    Path("lake.vkeys").write_text("\n".join(keys_of(call, own_played)))
    call("witness", "trust", "lake.vkeys")
    assert call("witness", "submit", "--to", "muckraker-witness", "--home", own_played).exit_code == 0
    key = (own_played / "seal" / "lake.key").read_bytes()
    other = tmp_path / "rewritten"
    simulated = call("simulate", "--tables", "4", "--rounds", "160", "--seed", "4", "--home", other)
    assert simulated.exit_code == 0
    (other / "seal").mkdir()
    (other / "seal" / "lake.key").write_bytes(key)
    (other / "seal" / "lake.key").chmod(0o600)
    assert call("run", "--home", other).exit_code == 0
    assert call("verify", "--vkey", "lake.vkeys", "--home", other).exit_code == 0  # nothing to see
    refused = call("witness", "submit", "--to", "muckraker-witness", "--home", other)
    assert refused.exit_code == 1 and "REFUSED" in refused.stdout
    listed = lines_of(call("witness", "list", "--json").stdout)
    Path("w.checkpoint").write_text(listed[0]["checkpoint"])
    result = call("verify", "--vkey", "lake.vkeys", "--checkpoint", "w.checkpoint", "--home", other)
    assert result.exit_code == 1 and ("was rewritten" in result.stdout or "was rolled back" in result.stdout)


def test_a_checkpoint_comes_to_the_witness_as_a_file(call: Call, played: Path) -> None:
    call("witness", "init", "--name", "witness.example/w1")
    refused = call("witness", "add", segment_of(played) / "checkpoints")
    assert refused.exit_code == 1 and "is not known here" in refused.stdout
    Path("lake.vkeys").write_text("\n".join(keys_of(call, played)))
    call("witness", "trust", "lake.vkeys")
    added = call("witness", "add", segment_of(played) / "checkpoints", "--json")
    assert added.exit_code == 0 and document(added.stdout)["signature"].startswith("— witness.example/w1 ")


def test_a_witness_over_http(call: Call, own_played: Path, tmp_path: Path) -> None:
    witness = Witness.make(tmp_path / "w", "witness.example/w1")
    Path("lake.vkeys").write_text("\n".join(keys_of(call, own_played)))
    call("witness", "trust", "lake.vkeys", "--witness", tmp_path / "w")
    server = WitnessServer(witness)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        options = ("--to", server.address, "--vkey", str(witness.verifier()), "--home", own_played)
        assert call("witness", "submit", *options).exit_code == 0
        assert call("witness", "submit", *options).exit_code == 0  # from where it stands
        assert call("witness", "submit", "--to", server.address, "--home", own_played).exit_code == 2  # no key
        other = Witness.make(tmp_path / "other", "witness.example/w1")
        wrong = call("witness", "submit", "--to", server.address, "--vkey", str(other.verifier()), "--home", own_played)
        assert wrong.exit_code == 1 and "its answer is not its signature" in wrong.stdout
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    gone = call("witness", "submit", *options)
    assert gone.exit_code == 3 and "cannot be reached" in gone.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["list"], 3, "there is no witness at muckraker-witness"),
        (["init", "--name", "a b"], 2, "cannot be a key's name"),
        (["trust", "nonsense"], 2, "neither a file nor a verifier key"),
        (["serve"], 3, "there is no witness"),
    ],
)
def test_a_witness_that_cannot_says_why(call: Call, arguments: list[str], code: int, said: str) -> None:
    result = call("witness", *arguments)
    assert result.exit_code == code and said in result.stderr and "a mistake in Muckraker" not in result.stderr
