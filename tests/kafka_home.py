"""A home on a real broker for one test: topics nobody else uses, simulated tables, and workers as processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from click.testing import CliRunner, Result

from console.home import FINDINGS_TOPIC, TOPIC, Home, open_home
from console.main import muckraker
from ingest.kafka.log import KafkaLog
from ingest.kafka.settings import KafkaSettings
from ingest.lake import LOCK
from ingest.simulator import Labels, Plan, default_plan, simulate, table_keys
from tests.kafka_cluster import unique_topic
from tests.lake_content import content_of, differences, wrong_checkpoints

ROOT = Path(__file__).resolve().parents[1]
WAIT_S = 90.0
QUICK = {"session_timeout_s": 4.0, "request_timeout_s": 10.0, "revoke_deadline_s": 1.0}


def muckraker_here(*arguments: str | Path) -> Result:
    """The command in this process."""
    return CliRunner().invoke(muckraker, [str(argument) for argument in arguments])


def settings_file(folder: Path, bootstrap: str, **members: object) -> Path:
    """A kafka.toml with a topic prefix and a group of its own."""
    own = {"topic_prefix": f"{unique_topic('home')}.", "group_id": unique_topic("group"), **QUICK, **members}
    path = folder / f"{own['group_id']}.toml"
    lines = [f"bootstrap_servers = {json.dumps(bootstrap.split(','))}"]
    path.write_text("\n".join([*lines, *(f"{name} = {json.dumps(value)}" for name, value in own.items())]) + "\n")
    return path


def made_home(path: Path, settings: Path, partitions: int) -> Home:
    done = muckraker_here("init", "--home", path, "--kafka", settings, "--partitions", str(partitions))
    assert done.exit_code == 0, done.output
    return open_home(path)


def second_home(path: Path, like: Home) -> Home:
    """Another home over the same topics, with the same keys and a group of its own: it must come to the same bytes."""
    settings = path.with_suffix(".toml")
    group = cluster_of(like).group_id
    settings.write_text((like.path / "kafka.toml").read_text().replace(f'"{group}"', f'"{unique_topic("group")}"'))
    home = made_home(path, settings, like.partitions)
    for part in ("keys", "seal"):
        shutil.copytree(like.path / part, path / part, dirs_exist_ok=True)
    return home


def cluster_of(home: Home) -> KafkaSettings:
    settings = home.kafka()
    assert settings is not None
    return settings


def played(home: Home, tables: int, rounds: int, seed: int = 5) -> list[tuple[str, bytes]]:
    """What simulated devices say, with faults on purpose, and their keys registered; nothing is appended yet."""
    plan: Plan = default_plan(seed, tables, rounds, {}, fault_rate=0.1)
    for table_id, public in table_keys(plan).items():
        home.keys().register(table_id, public)
    return list(simulate(plan, Labels()))


def append(home: Home, records: list[tuple[str, bytes]]) -> None:
    log = KafkaLog(cluster_of(home))
    try:
        log.append(TOPIC, records)
    finally:
        log.close()


class WorkerProcess:
    """`muckraker run --follow` in a process of its own."""

    def __init__(self, home: Home, *options: str) -> None:
        command = [sys.executable, "-m", "console.main", "run", "--follow", "--home", str(home.path), *options]
        self._log = home.path.parent / f"worker-{time.monotonic_ns()}.log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, "PYTHONPATH": str(ROOT)}
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def said(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    def hang(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """In order; how it ended."""
        self._process.terminate()
        return self._process.wait(WAIT_S)

    def end(self) -> None:
        if self.running:
            self.go_on()
            self.kill()


def owners(home: Home) -> dict[int, int]:
    """Which process has which partition in hand, by what their locks say."""
    found = {}
    for partition in range(home.partitions):
        lock = home.lake_path / TOPIC / str(partition) / LOCK
        if lock.is_file() and (said := lock.read_text().strip()):
            found[partition] = int(said)
    return found


def lock_written(home: Home, partition: int) -> int:
    """When the partition's owner took it."""
    return (home.lake_path / TOPIC / str(partition) / LOCK).stat().st_mtime_ns


def eventually(holds: Callable[[], bool], what: str, seconds: float = WAIT_S) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"{what}: not within {seconds:.0f} s"
        time.sleep(0.05)


def lake_records(home: Home) -> int:
    lake = home.lake()
    return sum(lake.position(TOPIC, partition) for partition in range(home.partitions))


def lake_files(home: Home) -> dict[str, str]:
    """Every file of the lake with the hash of its bytes."""
    return {
        str(path.relative_to(home.lake_path)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(home.lake_path.rglob("*"))
        if path.is_file() and path.name != LOCK
    }


def same_record(one: Home, other: Home) -> bool:
    """Whether two lakes say the same, however they were cut; every checkpoint is held against the records."""
    contents = [content_of(home.lake(), TOPIC) for home in (one, other)]
    for home, content in zip((one, other), contents, strict=True):
        assert wrong_checkpoints(home.lake(), TOPIC, content) == []
    found = list(differences(*contents))
    assert found == [], found
    return True


def recorded_values(home: Home) -> dict[str, list[bytes]]:
    """By table: what the lake has recorded, in order of the log."""
    found: dict[str, list[bytes]] = {}
    for partition in range(home.partitions):
        for segment in home.lake().segments(TOPIC, partition):
            rows = pq.read_table(segment.path / "events.parquet", columns=["table_id", "raw"], partitioning=None)
            for table_id, raw in zip(rows["table_id"].to_pylist(), rows["raw"].to_pylist(), strict=True):
                found.setdefault(table_id, []).append(raw)
    return found


def recorded_findings(home: Home) -> list[dict[str, Any]]:
    return [
        row
        for path in sorted(home.lake_path.rglob("findings.parquet"))
        for row in pq.read_table(path, partitioning=None).to_pylist()
    ]


def published_findings(home: Home) -> list[tuple[str, dict[str, Any]]]:
    """Everything in the findings topic: key and document."""
    log = KafkaLog(cluster_of(home))
    try:
        return [
            (record.key, json.loads(record.value))
            for partition in range(log.partitions(FINDINGS_TOPIC))
            for record in log.read(FINDINGS_TOPIC, partition, 0, 1_000_000)
        ]
    finally:
        log.close()
