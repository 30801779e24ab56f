"""Workers in a group: they share the tables, take over from each other, and publish what they find."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kafka import KafkaAdminClient

from console.home import FINDINGS_TOPIC, TOPIC, Home, open_home
from console.pipeline import group_owner
from ingest.kafka import group as kafka_group
from ingest.kafka.group import GroupWorker
from ingest.kafka.log import KafkaLog
from ingest.lake import Lake, LakeError
from ingest.log import LogError
from ingest.worker import Listener, Worker
from replay.stream import Replay
from tests.kafka_cluster import unique_topic
from tests.kafka_home import (
    WorkerProcess,
    append,
    cluster_of,
    eventually,
    lake_records,
    lock_written,
    made_home,
    muckraker_here,
    owners,
    played,
    published_findings,
    recorded_findings,
    recorded_values,
    same_record,
    second_home,
    settings_file,
)

Starter = Callable[..., WorkerProcess]
CUT = ("--segment-records", "300")


@pytest.fixture
def start() -> Iterator[Starter]:
    started: list[WorkerProcess] = []

    def begin(home: Home, *options: str) -> WorkerProcess:
        started.append(WorkerProcess(home, *CUT, *options))
        return started[-1]

    yield begin
    for worker in started:
        worker.end()


@pytest.mark.slow
def test_workers_share_the_tables_and_one_takes_over_where_another_stopped(
    kafka: str, tmp_path: Path, start: Starter
) -> None:
    home = made_home(tmp_path / "home", settings_file(tmp_path, kafka), 4)
    events = played(home, tables=8, rounds=25)
    third = len(events) // 3

    append(home, events[:third])
    one = start(home)
    eventually(lambda: set(owners(home).values()) == {one.pid} and len(owners(home)) == 4, "one worker has all")
    taken_at = {partition: lock_written(home, partition) for partition in range(4)}
    two = start(home)
    eventually(lambda: sorted(owners(home).values()) == sorted([one.pid, two.pid] * 2), "two workers have two each")
    stayed = [partition for partition, pid in owners(home).items() if pid == one.pid]
    assert {partition: lock_written(home, partition) for partition in stayed} == {
        partition: taken_at[partition] for partition in stayed
    }, "what does not move is not let go of"

    beside = muckraker_here("run", "--home", home.path, "--json")  # not in the way of those who are at it
    assert beside.exit_code == 0, beside.output
    assert json.loads(beside.stdout)["partitions_elsewhere"] == 4
    assert json.loads(beside.stdout)["records"] == 0

    two.hang()
    append(home, events[third : 2 * third])
    eventually(lambda: set(owners(home).values()) == {one.pid}, "the tables of a worker that hangs are taken over")
    two.go_on()
    eventually(lambda: sorted(owners(home).values()) == sorted([one.pid, two.pid] * 2), "it comes back for its share")
    assert two.running and one.running

    append(home, events[2 * third :])
    two.kill()
    eventually(lambda: set(owners(home).values()) == {one.pid}, "the tables of a worker that died are taken over")
    eventually(lambda: lake_records(home) == len(events), "everything is in the lake while nothing more comes")
    assert one.stop() == 0, one.said()
    recorded = recorded_values(home)
    for table_id in {table_id for table_id, _ in events}:
        assert recorded[table_id] == [raw for table, raw in events if table == table_id]

    undisturbed = second_home(tmp_path / "undisturbed", home)
    assert muckraker_here("run", "--home", undisturbed.path, *CUT).exit_code == 0
    assert same_record(undisturbed, home)

    found = recorded_findings(home)
    published = published_findings(home)
    assert len(found) > 10
    assert {document["finding_id"] for _, document in published} == {finding["finding_id"] for finding in found}
    assert all(key == document["table_id"] for key, document in published)
    by_id = {finding["finding_id"]: finding for finding in found}
    for _, document in published:
        finding = by_id[document["finding_id"]]
        assert {name: finding[name] for name in ("code", "table_id", "round_id", "sentence")} == {
            name: document[name] for name in ("code", "table_id", "round_id", "sentence")
        }


@pytest.fixture
def group(kafka: str, tmp_path: Path) -> Iterator[InProcess]:
    running = InProcess(made_home(tmp_path / "home", settings_file(tmp_path, kafka), 2))
    yield running
    running.end()


class InProcess:
    """A group worker in a thread of this process, whose makings a test can spoil."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.lake = home.lake()
        self.spoil: Callable[[int], None] = lambda partition: None
        self.failed: list[Exception] = []
        self._log = KafkaLog(cluster_of(home))
        owner = group_owner(home, cluster_of(home), self.lake)
        self.worker = GroupWorker(cluster_of(home), TOPIC, self.lake, self._make, owner)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def end(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._log.close()

    @property
    def problems(self) -> dict[int, str | None]:
        return {status.partition: status.problem for status in self.worker.status()}

    def _make(self, partition: int, listener: Listener | None) -> Worker:
        self.spoil(partition)
        return Worker(
            self._log, self.lake, TOPIC, partition, self.home.keys(), Replay, segment_records=100, listener=listener
        )

    def _run(self) -> None:
        try:
            self.worker.run(self._stop)
        except (LakeError, LogError, AssertionError) as error:
            self.failed.append(error)


def test_what_is_wrong_with_one_partition_holds_back_that_one_only(
    group: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_group, "HELD_BACK_S", 1.0)
    append(group.home, played(group.home, tables=6, rounds=10))
    damaged = threading.Event()
    damaged.set()

    def spoil(partition: int) -> None:
        if partition == 0 and damaged.is_set():
            raise LakeError("state.json of partition 0 is damaged")

    group.spoil = spoil
    group.begin()
    eventually(lambda: group.lake.position(TOPIC, 1) > 0 and len(group.problems) == 2, "the other one goes on")
    assert group.problems == {0: "state.json of partition 0 is damaged", 1: None}
    assert group.lake.position(TOPIC, 0) == 0
    damaged.clear()
    eventually(lambda: group.lake.position(TOPIC, 0) > 0, "it goes on when it is mended")
    assert group.problems == {0: None, 1: None}
    assert group.failed == []


def test_what_is_wrong_with_all_of_them_ends_the_process(group: InProcess) -> None:
    def spoil(partition: int) -> None:
        raise LakeError(f"the disk is full, says partition {partition}")

    group.spoil = spoil
    group.begin()
    eventually(lambda: bool(group.failed), "the worker ends")
    assert "the disk is full" in str(group.failed[0])


def test_a_disk_that_is_full_is_what_is_said_when_it_ends_the_process(
    group: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is committed of a segment that was broken off, so nothing else goes wrong with it on the way out."""

    def commit(*_: object) -> None:
        raise LakeError("there is no room on the disk")

    monkeypatch.setattr(Lake, "commit", commit)
    append(group.home, played(group.home, tables=4, rounds=2))
    group.begin()
    eventually(lambda: bool(group.failed), "the worker ends")
    assert [str(error) for error in group.failed] == ["there is no room on the disk"]


def test_a_lake_that_is_ahead_of_the_log_is_another_logs(group: InProcess, tmp_path: Path) -> None:
    events = played(group.home, tables=6, rounds=10)
    append(group.home, events)
    assert muckraker_here("run", "--home", group.home.path, "--segment-records", "100").exit_code == 0
    cluster = cluster_of(group.home)
    other = settings_file(tmp_path, cluster.bootstrap)
    made_home(tmp_path / "other", other, 2)
    (group.home.path / "kafka.toml").write_bytes(other.read_bytes())
    mixed_up = InProcess(group.home)
    try:
        mixed_up.begin()
        eventually(lambda: bool(mixed_up.failed), "the worker ends")
    finally:
        mixed_up.end()
    assert "this home has records already" in str(mixed_up.failed[0]), "nobody has registered this home there"


def test_a_topic_that_has_grown_is_refused_because_its_tables_have_moved(kafka: str, tmp_path: Path) -> None:
    home = made_home(tmp_path / "home", settings_file(tmp_path, kafka), 2)
    name = cluster_of(home).topic_name(TOPIC)
    admin = KafkaAdminClient(bootstrap_servers=kafka)
    try:
        admin.create_partitions({name: 3})
    finally:
        admin.close()
    for command in (("run",), ("run", "--follow")):
        done = muckraker_here(*command, "--home", home.path)
        assert done.exit_code == 3
        assert "has 3 partitions and 2 were asked for" in done.output


def test_a_second_home_takes_the_partitions_the_topic_has(kafka: str, tmp_path: Path) -> None:
    settings = settings_file(tmp_path, kafka)
    made_home(tmp_path / "one", settings, 3)
    done = muckraker_here("init", "--home", tmp_path / "two", "--kafka", settings)
    assert done.exit_code == 0, done.output
    assert "3 partitions" in done.output
    assert cluster_of(open_home(tmp_path / "two")).group_id == cluster_of(open_home(tmp_path / "one")).group_id
    refused = muckraker_here("init", "--home", tmp_path / "three", "--kafka", settings, "--partitions", "4")
    assert refused.exit_code == 2
    assert "has 3 partitions already, and 4 were asked for" in refused.output
    assert not (tmp_path / "three").exists()


def test_homes_that_name_no_group_each_get_all_the_tables(kafka: str, tmp_path: Path) -> None:
    settings = tmp_path / "kafka.toml"
    settings.write_text(f'bootstrap_servers = ["{kafka}"]\ntopic_prefix = "{unique_topic("shared")}."\n')
    one, two = (cluster_of(made_home(tmp_path / name, settings, 2)) for name in ("one", "two"))
    assert one.group_id != two.group_id
    assert one.group_id.startswith("muckraker-")
    assert one.model_copy(update={"group_id": two.group_id}) == two


def test_settings_that_cannot_be_copied_leave_neither_topics_nor_a_home(kafka: str, tmp_path: Path) -> None:
    settings = tmp_path / "kafka.toml"
    settings.write_text(
        f'bootstrap_servers = ["{kafka}"]\ntopic_prefix = "{unique_topic("never")}."\nsecurity_protocol = "SSL"\n'
        'ca_file = "ca.pem"\n'
    )
    done = muckraker_here("init", "--home", tmp_path / "home", "--kafka", settings)
    assert done.exit_code == 2
    assert "names files relative to its own folder" in done.output
    assert not (tmp_path / "home").exists()


def test_no_segment_is_committed_before_its_findings_are_published(kafka: str, tmp_path: Path) -> None:
    home = made_home(tmp_path / "home", settings_file(tmp_path, kafka, request_timeout_s=3.0), 1)
    append(home, played(home, tables=2, rounds=20))
    name = cluster_of(home).topic_name(FINDINGS_TOPIC)
    admin = KafkaAdminClient(bootstrap_servers=kafka)
    try:
        admin.delete_topics([name])
        done = muckraker_here("run", "--home", home.path)
        assert done.exit_code == 3
        assert f"topic {name}: there is no such topic, while publishing findings to it; create it" in done.output
        assert lake_records(home) == 0
    finally:
        admin.close()
    log = KafkaLog(cluster_of(home))
    log.create_topic(FINDINGS_TOPIC, 1)
    log.close()
    assert muckraker_here("run", "--home", home.path).exit_code == 0
    assert len(published_findings(home)) == len(recorded_findings(home)) > 0
