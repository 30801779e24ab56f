"""Whoever asks how things are gets an answer within seconds, also while the cluster is down, out of reach, or hangs."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import Result

from console.home import Home
from ingest.dev_broker import Cluster
from ingest.kafka.reach import NotReachable, check_reachable, within
from ingest.kafka.settings import KafkaSettings
from tests.kafka_home import append, lake_records, made_home, muckraker_here, played, settings_file

MOST_S = 5.0


@contextmanager
def silent_server() -> Iterator[str]:
    """Takes connections and says nothing."""
    taken: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def take() -> None:
            while True:
                try:
                    taken.append(server.accept()[0])
                except OSError:
                    return

        threading.Thread(target=take, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
    for connection in taken:
        connection.close()


def nobodys_address() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"127.0.0.1:{server.getsockname()[1]}"


def point_at(home: Home, bootstrap: str) -> None:
    path = home.path / "kafka.toml"
    path.write_text(re.sub(r"bootstrap_servers = \[.*\]", f'bootstrap_servers = ["{bootstrap}"]', path.read_text()))


def waited_for_a_processor_s() -> float:
    """How long this thread was ready to go on while others had the processors."""
    counted = Path("/proc/thread-self/schedstat")  # not every kernel counts it
    return int(counted.read_text().split()[1]) / 1e9 if counted.is_file() else 0.0


def timed(*arguments: str | Path) -> tuple[Result, float]:
    """What a command said, and how long it took, on a machine that has nothing else to do."""
    began, waited_s = time.monotonic(), waited_for_a_processor_s()
    done = muckraker_here(*arguments)
    return done, time.monotonic() - began - (waited_for_a_processor_s() - waited_s)


def check_answers(home: Home, *reasons: str) -> None:
    recorded = lake_records(home)
    assert recorded > 0
    done, seconds = timed("status", "--home", home.path, "--json")
    assert done.exit_code == 1, done.output
    assert seconds < MOST_S, f"status took {seconds:.1f} s"
    said = json.loads(done.stdout)
    assert all(reason in said["log_problem"] for reason in reasons), said["log_problem"]
    assert said["lag"] is None and said["records"] == recorded and said["rounds"] > 0, "what the lake has is told"
    shown, seconds = timed("status", "--home", home.path)
    assert seconds < MOST_S, f"status took {seconds:.1f} s"
    assert "The log cannot be asked: " in shown.stdout and "What follows is what the lake has." in shown.stdout

    done, seconds = timed("doctor", "--home", home.path, "--json")
    assert done.exit_code == 1
    assert seconds < MOST_S, f"doctor took {seconds:.1f} s"
    checks = {check["name"]: check for check in map(json.loads, done.stdout.splitlines())}
    assert not checks["brokers"]["ok"] and all(reason in checks["brokers"]["said"] for reason in reasons)
    assert not checks["log"]["ok"] and "cannot be asked" in checks["log"]["said"]
    assert checks["lake"]["ok"] and checks["views"]["ok"], "the rest is looked at"
    assert "lag" not in checks

    done, seconds = timed("findings", "--home", home.path)  # a reader does not wait for it either
    assert done.exit_code == 0 and seconds < MOST_S, f"findings took {seconds:.1f} s"


@pytest.mark.slow
def test_status_and_doctor_answer_within_seconds_whatever_the_brokers_do(tmp_path: Path) -> None:
    with Cluster(tmp_path / "cluster") as cluster:
        home = made_home(tmp_path / "home", settings_file(tmp_path, cluster.bootstrap), 2)
        append(home, played(home, tables=2, rounds=6))
        assert muckraker_here("run", "--home", home.path).exit_code == 0
        assert muckraker_here("status", "--home", home.path).exit_code == 0  # and imports are done
        muckraker_here("doctor", "--home", home.path)

        cluster.suspend(1)
        try:
            check_answers(home, "cannot be reached within 1.5 s", "takes connections and does not answer")
        finally:
            cluster.resume(1)
        assert muckraker_here("status", "--home", home.path).exit_code == 0
        cluster.kill(1)
        check_answers(home, "cannot be reached", "Connection refused")

    point_at(home, nobodys_address())
    check_answers(home, "cannot be reached", "Connection refused")
    with silent_server() as address:
        point_at(home, address)
        check_answers(home, "cannot be reached", f"{address} takes connections and does not answer")


def test_one_server_that_answers_is_enough(kafka: str) -> None:
    with silent_server() as silent:
        began = time.monotonic()
        check_reachable(KafkaSettings(bootstrap_servers=(silent, nobodys_address(), kafka)), 30.0)
        assert time.monotonic() - began < 20.0, "it does not wait for the others"
        with pytest.raises(NotReachable, match="does not answer") as refusal:
            check_reachable(KafkaSettings(bootstrap_servers=(silent, nobodys_address())), 0.5)
    assert "Connection refused" in str(refusal.value)


def test_a_question_that_takes_too_long_is_left_to_itself() -> None:
    assert within(5.0, lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        within(5.0, lambda: 1 // 0)
    release = threading.Event()
    began = time.monotonic()
    with pytest.raises(NotReachable, match=r"did not answer everything within 0\.2 s"):
        within(0.2, release.wait)
    assert time.monotonic() - began < 20.0  # and not until somebody releases it
    release.set()
