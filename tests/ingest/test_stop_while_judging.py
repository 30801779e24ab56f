"""While contradictory racks are judged a worker reads on, commits what others wait for, and obeys a stop."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread

import pyarrow.parquet as pq
import pytest

from ingest.following import follow
from ingest.keys import KeyRing
from ingest.lake import Lake
from ingest.log import partition_of
from ingest.sqlite_log import SqliteLog
from ingest.worker import Processed, Worker
from replay.cards.solver.budget import ROUND_STEPS
from replay.stream import Replay
from replay.warm_up import warm_up
from tests.ingest.attack_streams import RACKS, attack_on
from tests.ingest.device import TableDevice

TOPIC = "events"
PARTITIONS = 2


def table_in(partition: int) -> str:
    return next(f"PG-{n:02d}" for n in range(99) if partition_of(f"PG-{n:02d}", PARTITIONS) == partition)


@pytest.fixture
def log(tmp_path: Path) -> SqliteLog:
    return SqliteLog(tmp_path / "log.sqlite", partitions=PARTITIONS)


def worker_on(tmp_path: Path, partition: int) -> Worker:
    own = SqliteLog(tmp_path / "log.sqlite", partitions=PARTITIONS)
    return Worker(own, Lake(tmp_path / "lake"), TOPIC, partition, KeyRing(tmp_path / "keys"), Replay)


def rounds_in(lake: Path) -> list[dict[str, object]]:
    paths = sorted(lake.glob(f"{TOPIC}/*/*-*/rounds.parquet"))
    return [row for path in paths for row in pq.read_table(path, partitioning=None).to_pylist()]


def test_a_stop_is_obeyed_while_judging(tmp_path: Path, log: SqliteLog) -> None:
    warm_up()
    table_id = table_in(0)
    log.append(TOPIC, [(table_id, raw) for raw in attack_on(table_id)], 1)
    stop, done = Event(), []

    def work() -> None:
        with worker_on(tmp_path, 0) as worker:
            done.extend(follow([worker], stop))

    thread = Thread(target=work)
    thread.start()
    time.sleep(1.0)
    stop.set()
    began = time.process_time()  # of this process: others on the machine do not count
    thread.join(60)
    took = time.process_time() - began
    assert not thread.is_alive() and isinstance(done[0], Processed)
    assert took < 3, "what is under way, a moment more of judging and one search"
    with worker_on(tmp_path, 0) as worker:
        worker.drain()
    rounds = rounds_in(tmp_path / "lake")
    assert len(rounds) == RACKS, "each once, whoever judged it"
    explained = [row for row in rounds if "not explained" not in str(row["reason"])]
    assert 3 <= len(explained) <= 20, ROUND_STEPS


def test_another_table_of_the_partition_is_not_kept_waiting_for_all_of_it(tmp_path: Path, log: SqliteLog) -> None:
    """The table after the attack in the same partition: its rounds are in the lake while the attacker's are not yet."""
    warm_up()
    victim = TableDevice(table_in(1))
    attacked = table_in(0)
    log.append(TOPIC, [(attacked, raw) for raw in attack_on(attacked)], 1)
    log.append(TOPIC, [(victim.table_id, raw) for raw in victim.rounds(5)], 2)
    stop = Event()

    def work() -> None:
        with ExitStack() as around:
            follow([around.enter_context(worker_on(tmp_path, partition)) for partition in range(PARTITIONS)], stop)

    thread = Thread(target=work)
    thread.start()
    deadline = time.monotonic() + 60
    seen: list[dict[str, object]] = []
    while time.monotonic() < deadline and len(seen) < 5:
        seen = [row for row in rounds_in(tmp_path / "lake") if row["table_id"] == victim.table_id]
        time.sleep(0.1)
    stop.set()
    thread.join(60)
    assert len(seen) == 5
