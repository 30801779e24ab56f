"""A lake goes on only where the log has the lake's own last record."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from kafka import KafkaAdminClient

from console.home import TOPIC, Home, open_home
from ingest.kafka.log import KafkaLog
from ingest.lake import LakeError
from ingest.simulator import default_plan, simulate
from ingest.sqlite_log import SqliteLog
from tests.ingest.device import TableDevice
from tests.ingest.house import House
from tests.ingest.log_contract import TOPIC as EVENTS
from tests.kafka_home import (
    WorkerProcess,
    append,
    cluster_of,
    eventually,
    lake_files,
    lake_records,
    made_home,
    muckraker_here,
    played,
    recorded_values,
    settings_file,
)


def recorded(house: House, table_id: str, rounds: int) -> None:
    device = TableDevice(table_id)
    house.keys.register(table_id, device.public_hex)
    house.append([(table_id, raw) for raw in device.rounds(rounds)])


def test_an_embedded_log_made_anew_is_refused_although_it_is_longer(tmp_path: Path) -> None:
    house = House(tmp_path)
    recorded(house, "PG-01", 3)
    house.drain()
    before = house.tree()
    house.log.close()
    for path in tmp_path.glob("log.db*"):
        path.unlink()
    house.log = SqliteLog(tmp_path / "log.db", partitions=1)
    recorded(house, "PG-02", 30)
    with pytest.raises(LakeError, match="the log's record at offset 26 is not the one that the lake has there"):
        house.drain()
    assert house.tree() == before
    house.log.close()


@pytest.mark.parametrize(("column", "value"), [("value", b"{}"), ("timestamp_us", 1), ("record_key", "PG-99")])
def test_the_last_record_is_held_against_the_lakes_in_every_part(tmp_path: Path, column: str, value: object) -> None:
    house = House(tmp_path)
    recorded(house, "PG-01", 3)
    house.drain()
    assert house.drain().records == 0
    with sqlite3.connect(tmp_path / "log.db") as db:
        db.execute(f'UPDATE "records/{EVENTS}/0" SET {column} = ? WHERE record_offset = 26', (value,))
    with pytest.raises(LakeError, match="offset 26 is not the one that the lake has there"):
        house.drain()
    house.log.close()


# --- on a real broker -------------------------------------------------------------------------------------------------


def other_events(tables: int, rounds: int) -> list[tuple[str, bytes]]:
    return list(simulate(default_plan(6, tables, rounds, {})))


def made_anew(home: Home, records: list[tuple[str, bytes]]) -> None:
    """Delete the topic of events, make it again under the same name, and append these."""
    cluster = cluster_of(home)
    name = cluster.topic_name(TOPIC)
    admin = KafkaAdminClient(bootstrap_servers=list(cluster.bootstrap_servers))
    try:
        admin.delete_topics([name])
        eventually(lambda: name not in admin.list_topics(), "it is deleted")
    finally:
        admin.close()
    log = KafkaLog(cluster)
    try:
        log.create_topic(TOPIC, home.partitions)
        log.append(TOPIC, records)
    finally:
        log.close()


def test_a_topic_made_anew_with_more_records_is_refused(kafka: str, tmp_path: Path) -> None:
    home = made_home(tmp_path / "home", settings_file(tmp_path, kafka), 2)
    events = played(home, tables=4, rounds=8)
    append(home, events)
    assert muckraker_here("run", "--home", home.path).exit_code == 0
    before = lake_files(home)
    made_anew(home, other_events(4, 30))

    lines = tmp_path / "events.jsonl"
    lines.write_bytes(events[0][1] + b"\n")
    for command in (("run",), ("run", "--follow"), ("ingest", str(lines))):
        done = muckraker_here(*command, "--home", home.path)
        assert done.exit_code == 3, done.output
        assert "is not the topic that this home was made on: it was deleted and made anew" in done.output
    asked = muckraker_here("status", "--home", home.path)
    assert asked.exit_code == 1 and "deleted and made anew" in asked.output
    looked = muckraker_here("doctor", "--home", home.path)
    assert looked.exit_code == 1 and "deleted and made anew" in " ".join(looked.output.split())

    mark = home.path / "home.json"  # a home that does not know its topic's id has the records to go by
    said = json.loads(mark.read_text())
    del said["topic_id"]
    with mark.open("r+") as file:
        file.write(json.dumps(said))
        file.truncate()
    assert open_home(home.path).id == home.id, "the same file, and so the same home"
    for command in (("run",), ("take-over",)):
        done = muckraker_here(*command, "--home", home.path)
        assert done.exit_code == 3, done.output
        assert "is not the one that the lake has there" in done.output
    assert muckraker_here("run", "--follow", "--home", home.path).exit_code == 3  # the group went with its topic
    assert lake_files(home) == before


def test_a_topic_made_anew_under_a_worker_that_runs_ends_it(kafka: str, tmp_path: Path) -> None:
    home = made_home(tmp_path / "home", settings_file(tmp_path, kafka), 1)
    append(home, played(home, tables=2, rounds=10))
    worker = WorkerProcess(home, "--segment-records", "50")
    try:
        eventually(lambda: lake_records(home) >= 150, "it works")
        worker.hang()  # or it would notice that the topic was shorter for a moment
        made_anew(home, others := other_events(2, 60))
        worker.go_on()
        eventually(lambda: not worker.running, "it ends")
        assert "deleted and made anew" in worker.said(), worker.said()
        known = {raw for _, raw in others}
        assert not any(known & set(raws) for raws in recorded_values(home).values()), "nothing of the other is recorded"
    finally:
        worker.end()
