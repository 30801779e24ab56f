"""A cluster that goes away altogether, under workers that run, stop, and wait for it."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Event, Timer

import pytest

from ingest.dev_broker import Cluster
from ingest.findings_topic import FindingsTopic
from ingest.kafka.log import KafkaLog
from ingest.kafka.settings import KafkaSettings
from ingest.log import LogError
from schemas.admitted import Concluded
from schemas.findings import Finding
from tests.kafka_home import (
    WorkerProcess,
    append,
    cluster_of,
    eventually,
    lake_records,
    made_home,
    muckraker_here,
    owners,
    played,
    recorded_values,
    settings_file,
)


@pytest.mark.slow
def test_workers_outlive_their_cluster_and_can_be_stopped_without_it(tmp_path: Path) -> None:
    with Cluster(tmp_path / "cluster") as cluster:
        home = made_home(
            tmp_path / "home",
            settings_file(tmp_path, cluster.bootstrap, connect_timeout_s=4.0, request_timeout_s=3.0),
            2,
        )
        events = played(home, tables=4, rounds=30)
        half = len(events) // 2
        append(home, events[:half])
        stays, leaves = (WorkerProcess(home, "--segment-records", "200") for _ in range(2))
        try:
            eventually(lambda: sorted(owners(home).values()) == sorted([stays.pid, leaves.pid]), "each has its share")
            eventually(lambda: lake_records(home) > half - 2 * 200, "they work")
            cluster.kill(1)
            time.sleep(6)  # longer than a session and a request may take
            assert stays.running and leaves.running, stays.said() + leaves.said()

            began = time.monotonic()
            assert leaves.stop() == 0, leaves.said()
            assert time.monotonic() - began < 30, leaves.said()

            began = time.monotonic()
            read = muckraker_here("findings", "--home", home.path)  # needs no cluster, and does not wait for it
            assert read.exit_code == 0, read.output
            assert time.monotonic() - began < 15
            drain = muckraker_here("run", "--home", home.path)
            assert drain.exit_code == 3
            assert "no answer in time" in drain.output and "start the brokers" in drain.output
            log = KafkaLog(cluster_of(home))
            with pytest.raises(LogError, match="no answer in time"):
                log.append("muckraker-events", events[half:])
            log.close()

            cluster.start(1)
            cluster.wait_ready()
            append(home, events[half:])
            eventually(
                lambda: lake_records(home) > len(events) - 2 * 200, "the one that waited goes on, with all of it"
            )
            eventually(lambda: set(owners(home).values()) == {stays.pid}, "the one that left is no member any more")
            assert stays.stop() == 0, stays.said()
        finally:
            stays.end()
            leaves.end()
        assert muckraker_here("run", "--home", home.path).exit_code == 0
        recorded = recorded_values(home)
        for table_id in {table_id for table_id, _ in events}:
            assert recorded[table_id] == [raw for table, raw in events if table == table_id]


@pytest.mark.slow
def test_a_worker_that_stops_does_not_wait_for_its_findings_to_be_published(tmp_path: Path) -> None:
    with Cluster(tmp_path / "cluster") as cluster:
        settings = KafkaSettings(
            bootstrap_servers=tuple(cluster.bootstrap.split(",")),
            connect_timeout_s=4.0,
            request_timeout_s=3.0,
            delivery_timeout_s=100.0,
            revoke_deadline_s=2.0,
        )
        log = KafkaLog(settings)
        log.create_topic("findings", 1)
        log.close()
        stop = Event()
        topic = FindingsTopic(settings, "findings", stop)
        finding = Finding("SETTLE-101", "T1", "R1", "Paid $1 instead of $25.", "§ 9", at_us=0, seq=1)
        try:
            listener = topic.listener()
            listener.tell(Concluded(None, [finding]))
            listener.settle()
            assert topic.published == 1
            cluster.kill(1)
            listener.tell(Concluded(None, [finding]))
            stop_order = Timer(1.0, stop.set)
            stop_order.start()
            began = time.monotonic()
            with pytest.raises(LogError, match="publishing findings"):
                listener.settle()
            assert 2 < time.monotonic() - began < 20  # the second before it is told, and what it may still take
            stop_order.join()
        finally:
            topic.close()


@pytest.mark.slow
@pytest.mark.parametrize("trouble", ["dead", "hung"])
def test_waits_for_a_cluster_that_is_away_do_not_add_up_when_a_worker_is_stopped(tmp_path: Path, trouble: str) -> None:
    """With the time a request may take that is filed unless somebody files another, one for each partition."""
    with Cluster(tmp_path / "cluster") as cluster:
        home = made_home(tmp_path / "home", settings_file(tmp_path, cluster.bootstrap, request_timeout_s=30.0), 6)
        events = played(home, tables=12, rounds=60)
        worker = WorkerProcess(home)
        try:
            eventually(lambda: len(owners(home)) == 6, "it has all partitions")
            append(home, events)
            eventually(lambda: lake_records(home) > 0, "it works")
            cluster.suspend(1) if trouble == "hung" else cluster.kill(1)
            time.sleep(3)
            began = time.monotonic()
            assert worker.stop() == 0, worker.said()
            assert time.monotonic() - began < 25, worker.said()  # 6 s, and what a busy machine takes; one wait is 30
        finally:
            worker.end()
            if trouble == "hung":
                cluster.resume(1)


@pytest.mark.slow
def test_a_worker_that_still_looks_for_its_cluster_can_be_stopped(tmp_path: Path) -> None:
    with Cluster(tmp_path / "cluster") as cluster:
        home = made_home(tmp_path / "home", settings_file(tmp_path, cluster.bootstrap, request_timeout_s=60.0), 2)
        cluster.suspend(1)
        worker = WorkerProcess(home)
        try:
            time.sleep(6)  # it has started, and nobody answers
            began = time.monotonic()
            assert worker.stop() == 0, worker.said()
            assert time.monotonic() - began < 25, worker.said()
        finally:
            worker.end()
            cluster.resume(1)


@pytest.mark.slow
def test_a_segment_is_not_committed_when_its_findings_were_lost_with_another_ones(tmp_path: Path) -> None:
    """The partitions of a process publish by one producer. When it fails for one of them, so it has for the others."""
    with Cluster(tmp_path / "cluster") as cluster:
        settings = KafkaSettings(
            bootstrap_servers=tuple(cluster.bootstrap.split(",")),
            connect_timeout_s=20.0,
            request_timeout_s=2.0,
            delivery_timeout_s=4.0,
        )
        log = KafkaLog(settings)
        log.create_topic("findings", 1)
        topic = FindingsTopic(settings, "findings")
        one, other = topic.listener(), topic.listener()

        def finding(table_id: str) -> Concluded:
            return Concluded(None, [Finding("SETTLE-101", table_id, "R1", "Paid $1.", "§ 9", at_us=0, seq=1)])

        try:
            one.tell(finding("T0"))
            one.settle()
            cluster.kill(1)
            one.tell(finding("T1"))
            other.tell(finding("T2"))
            with pytest.raises(LogError, match="publishing findings"):
                one.settle()
            cluster.start(1)
            cluster.wait_ready()
            again = topic.listener()  # whoever does the first one's segment again
            again.tell(finding("T1"))
            with pytest.raises(LogError, match="publishing findings"):
                other.settle()
            again.settle()  # which goes by another producer, and does not fail with the old one
            published = {record.key for record in log.read("findings", 0, 0, 100)}
            assert {"T0", "T1"} <= published
        finally:
            topic.close()
            log.close()


@pytest.mark.slow
def test_a_question_about_topics_is_put_again_when_the_cable_is_pulled_under_it(tmp_path: Path) -> None:
    with Cluster(tmp_path / "cluster", listeners=("RELAYED",)) as cluster:
        servers = tuple(cluster.bootstrap_of("RELAYED").split(","))
        log = KafkaLog(KafkaSettings(bootstrap_servers=servers, connect_timeout_s=4.0, request_timeout_s=6.0))
        cable = cluster.relays[1]
        try:
            log.create_topic("first", 2)
            log.create_topic("second", 3)
            log.create_topic("third", 1)
        finally:
            log.close()
        log = KafkaLog(KafkaSettings(bootstrap_servers=servers, connect_timeout_s=4.0, request_timeout_s=6.0))
        mended = Timer(1.5, cable.mend)
        try:
            assert log.partitions("first") == 2
            cable.cut()
            mended.start()
            assert log.partitions("second") == 3
            cable.cut()
            began = time.monotonic()
            with pytest.raises(LogError, match="no answer in time"):
                log.partitions("third")
            assert 5 < time.monotonic() - began < 30  # it waited as long as the settings say, and no longer
        finally:
            mended.cancel()
            cable.mend()
            log.close()
