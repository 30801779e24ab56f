"""What operators ask: status, doctor on a cluster, metrics and log lines of a worker that is running."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaAdminClient, TopicPartition
from prometheus_client.parser import text_string_to_metric_families

from tests.console.conftest import ROOT, Call, call_process
from tests.kafka_cluster import unique_topic

PATIENCE_S = 60.0
PLAN = ("--tables", "4", "--rounds", "40", "--seed", "5", "--faults", "none")


@contextmanager
def following(home: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`muckraker run --follow` in a process of its own, and the address of its metrics."""
    command = [sys.executable, "-m", "console.main", "run", "--follow", "--home", str(home), "--metrics", "0", *options]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert process.stderr is not None
    try:
        first = process.stderr.readline()
        found = re.fullmatch(r"\(metrics at (http://127\.0\.0\.1:\d+/metrics)\)\n", first)
        assert found is not None, first + process.stderr.read()
        yield process, found[1]
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()  # type: ignore[union-attr]
        process.stderr.close()


def scraped(address: str) -> dict[str, float]:
    """Every metric, summed over its labels."""
    with urllib.request.urlopen(address, timeout=10) as answer:
        text = answer.read().decode()
    sums: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            sums[sample.name] = sums.get(sample.name, 0.0) + sample.value
    return sums


def until(address: str, reached: Callable[[dict[str, float]], bool]) -> dict[str, float]:
    end = time.monotonic() + PATIENCE_S
    while not reached(found := scraped(address)):
        assert time.monotonic() < end, found
        time.sleep(0.1)
    return found


def stopped(process: subprocess.Popen[str]) -> tuple[str, str]:
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, said
    return said


def status_of(call: Call, home: Path) -> dict[str, Any]:
    result = call("status", "--home", home, "--json")
    assert result.exit_code == 0, json.loads(result.stdout)["log_problem"]
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def test_status_agrees_with_the_warehouse(call: Call, played: Path) -> None:
    said = status_of(call, played)
    query = "SELECT count(*) AS records, count(*) FILTER (WHERE status = 'quarantined') AS quarantined FROM records"
    asked = json.loads(call("query", query, "--home", played, "--json").stdout)
    assert {name: said[name] for name in asked} == asked and said["quarantined"] > 0
    assert said["lag"] == 0 and said["workers"] == [] and said["keys"] == {"tables": 4, "tables_without": []}
    assert said["bytes"] == sum(
        path.stat().st_size
        for path in (played / "lake").rglob("*")
        if path.is_file() and path.parent.parent.name.isdigit() and path.name not in ("manifest.json", "seal")
    )
    text = call("status", "--home", played).stdout
    assert "0 records not in the lake yet" in text and "No worker is running" in text


def test_there_is_one_number_of_findings(call: Call, own_played: Path) -> None:
    """Also when data quality has something to say and a round has two versions: what stands is what is listed."""

    def numbers() -> tuple[int, int, int]:
        listed = call("findings", "--home", own_played, "--limit", "0", "--json").stdout.splitlines()
        shown = call("findings", "--home", own_played, "--limit", "3").stdout.splitlines()[-1]
        assert shown == f"3 of {len(listed):,} findings; --limit 0 shows all."
        asked = json.loads(
            call("query", "SELECT sum(findings) AS n FROM tables", "--home", own_played, "--json").stdout
        )
        return len(listed), status_of(call, own_played)["findings"], int(asked["n"])

    assert len(set(numbers())) == 1
    before = numbers()[0]
    assert call("quality", "--home", own_played).exit_code == 0
    assert len(set(numbers())) == 1 and numbers()[0] > before
    said = status_of(call, own_played)
    assert said["findings_written"] == sum(one["findings_written"] for one in said["partitions"]) == before
    sql = "SELECT count(*) AS n FROM finding_versions WHERE NOT regexp_matches(code, '^(GATE|FILING|QUALITY|DEALER)')"
    asked = json.loads(call("query", sql, "--home", own_played, "--json").stdout)
    again = call("reaudit", "--home", own_played).stdout
    assert f"all {asked['n']} findings about them" in again and "Every version of a round counts here" in again
    text = call("status", "--home", own_played).stdout
    assert f"160 rounds and {numbers()[0]} findings that stand" in text


def test_status_of_what_is_not_checked_yet(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert call("simulate", *PLAN, "--home", home).exit_code == 0
    said = status_of(call, home)
    assert said["lag"] > 500 and said["records"] == said["segments"] == 0
    assert all(one["last_segment"] is None for one in said["partitions"])


def test_status_says_since_when_a_round_is_open(call: Call, tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "day.jsonl"
    plan = ("--tables", "1", "--rounds", "3", "--faults", "none")
    assert call("simulate", *plan, "--out", file).exit_code == 0
    lines = file.read_text().splitlines()
    rounds = [json.loads(line) for line in lines]
    closing = max(at for at, said in enumerate(rounds) if said["type"] == "muckraker.round.closed.v1")
    file.write_text("\n".join(lines[:closing]) + "\n")
    assert call("init", "--home", home).exit_code == 0
    assert call("ingest", file, "--keys", tmp_path / "day.keys.json", "--home", home).exit_code == 0
    assert call("run", "--home", home).exit_code == 0
    (left,) = status_of(call, home)["open_rounds"]
    assert (left["table"], left["round"]) == (rounds[closing]["tableid"], rounds[closing]["subject"])
    text = call("status", "--home", home).stdout
    assert f"1 round is open and not judged yet: {left['table']}/{left['round']} since 2026-11-17 " in text
    file.write_text("\n".join(lines[closing:]) + "\n")
    assert call("ingest", file, "--home", home).exit_code == 0
    assert call("run", "--home", home).exit_code == 0
    assert status_of(call, home)["open_rounds"] == [] and " open" not in call("status", "--home", home).stdout


def test_status_shows_a_log_that_cannot_be_asked_and_what_the_lake_holds(own_played: Path) -> None:
    (own_played / "kafka.toml").write_text(
        'bootstrap_servers = ["127.0.0.1:1"]\nrequest_timeout_s = 1.0\nconnect_timeout_s = 1.0\n'
    )
    result = call_process("status", "--home", own_played, "--json")
    assert result.returncode == 1, result.stderr
    said = json.loads(result.stdout)
    assert "127.0.0.1:1" in said["log_problem"] and said["lag"] is None and said["rounds"] == 160


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--metrics", "9464"], "give --follow with it"),
        (["--follow", "--metrics", "somewhere"], "is no address for metrics"),
    ],
)
def test_metrics_that_cannot_be_served_are_refused(call: Call, played: Path, options: list[str], message: str) -> None:
    result = call("run", *options, "--home", played)
    assert result.exit_code == 2 and message in result.output


@pytest.mark.slow
def test_a_worker_on_the_embedded_log_is_watched_and_not_disturbed(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert call("simulate", *PLAN, "--home", home).exit_code == 0
    events = status_of(call, home)["lag"]
    options = ("--segment-records", "100", "--log-format", "json")
    with following(home, *options) as (process, address):
        found = until(address, lambda metrics: metrics.get("muckraker_position_offset") == events)
        assert found["muckraker_log_end_offset"] == events and found["muckraker_partitions"] == 2
        found = until(address, lambda metrics: metrics.get("muckraker_records_total", 0) == events)
        assert found["muckraker_rounds_total"] == 40
        said = status_of(call, home)
        assert [worker["process"] for worker in said["workers"]] == [process.pid]
        assert said["workers"][0]["partitions"] == [0, 1]
        found = scraped(address)
        assert said["records"] == found["muckraker_records_total"] == events
        assert found["muckraker_lag_records"] == said["lag"] == 0
        _, lines = stopped(process)
    logged = [json.loads(line) for line in lines.splitlines()]
    assert [line["segment"] for line in logged if line["message"] == "a segment is in the lake"]
    assert {line["level"] for line in logged} == {"info"}
    assert status_of(call, home)["workers"] == []


@pytest.mark.slow
def test_a_worker_on_a_cluster_is_watched_and_the_cluster_examined(call: Call, tmp_path: Path, kafka: str) -> None:
    home, settings = tmp_path / "home", tmp_path / "kafka.toml"
    prefix = unique_topic("ops")
    settings.write_text(f'bootstrap_servers = ["{kafka}"]\ntopic_prefix = "{prefix}-"\ngroup_id = "{prefix}"\n')
    assert call("init", "--kafka", settings, "--partitions", "3", "--home", home).exit_code == 0
    assert call("simulate", *PLAN, "--home", home).exit_code == 0
    events = status_of(call, home)["lag"]
    with following(home, "--segment-records", "100") as (process, address):
        found = until(address, lambda metrics: metrics.get("muckraker_position_offset") == events)
        assert found["muckraker_partitions"] == 3
        until(address, lambda metrics: metrics.get("muckraker_rounds_total", 0) == 40)
        found = scraped(address)
        assert found["muckraker_verdict_latency_seconds_count"] == 40
        said = status_of(call, home)
        assert {"process": process.pid, "client": None, "host": None, "partitions": [0, 1, 2]} in said["workers"]
        (member,) = [worker for worker in said["workers"] if worker["process"] is None]
        assert member["partitions"] == [0, 1, 2] and member["host"] == "127.0.0.1"
        assert said["lag"] == events - said["records"]

        result = call("doctor", "--home", home, "--json")
        assert result.exit_code == 1
        checks = {check["name"]: check for check in map(json.loads, result.stdout.splitlines())}
        assert "1 worker in the group" in checks["brokers"]["said"]
        assert checks["clock"]["ok"] and checks["checksums"]["ok"] and checks["unread records"]["ok"]
        assert checks["findings topic"]["ok"] and prefix in checks["findings topic"]["said"]
        assert "1 copy is kept" in checks["events topic"]["said"]  # the tests' broker is alone
        stopped(process)

    shutil.rmtree(home / "lake")  # as if nothing had been read, and then some of it were deleted
    admin = KafkaAdminClient(bootstrap_servers=kafka)
    admin.delete_topics([f"{prefix}-muckraker-findings"])
    admin.delete_records({TopicPartition(f"{prefix}-muckraker-events", 2): 10})
    admin.close()
    result = call("doctor", "--home", home, "--json")
    checks = {check["name"]: check for check in map(json.loads, result.stdout.splitlines())}
    assert not checks["findings topic"]["ok"] and "is not there" in checks["findings topic"]["said"]
    assert "deleted before they were recorded: 10 of partition 2" in checks["unread records"]["said"]
