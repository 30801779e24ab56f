"""Transactions in the log of events: nobody should write so, and one who does stops nothing and hides nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from confluent_kafka import Producer
from kafka import KafkaProducer

from console.home import TOPIC, Home
from ingest.gate.gate import QUARANTINED, RECORDED, SKIPPED
from ingest.kafka.log import KafkaLog
from ingest.log import AbortedRecord, TransactionMarker, partition_of
from tests.kafka_cluster import unique_topic
from tests.kafka_home import (
    WorkerProcess,
    append,
    cluster_of,
    eventually,
    lake_records,
    made_home,
    muckraker_here,
    played,
    same_record,
    second_home,
    settings_file,
)

Events = list[tuple[str, bytes]]


def in_transaction(home: Home, events: Events, commit: bool) -> int:
    """Write these in one transaction, as kafka-python does; how many offsets the markers that end it take."""
    cluster = cluster_of(home)
    producer = KafkaProducer(bootstrap_servers=list(cluster.bootstrap_servers), transactional_id=unique_topic("tx"))
    partitions = {partition_of(key, home.partitions) for key, _ in events}
    try:
        producer.init_transactions()
        producer.begin_transaction()
        for key, raw in events:
            producer.send(cluster.topic_name(TOPIC), raw, key.encode(), partition=partition_of(key, home.partitions))
        producer.flush()
        if commit:
            producer.commit_transaction()
        else:
            producer.abort_transaction()
    finally:
        producer.close()
    return len(partitions)


def in_librdkafkas_transaction(home: Home, events: Events, commit: bool) -> int:
    """The same by another client."""
    cluster = cluster_of(home)
    producer = Producer({"bootstrap.servers": cluster.bootstrap, "transactional.id": unique_topic("tx")})
    producer.init_transactions(30)
    producer.begin_transaction()
    for key, raw in events:
        producer.produce(cluster.topic_name(TOPIC), raw, key, partition_of(key, home.partitions))
    producer.flush(30)
    if commit:
        producer.commit_transaction(30)
    else:
        producer.abort_transaction(30)
    return len({partition_of(key, home.partitions) for key, _ in events})


def rows(home: Home) -> pa.Table:
    return pa.concat_tables(
        pq.read_table(segment.path / "events.parquet", partitioning=None)
        for partition in range(home.partitions)
        for segment in home.lake().segments(TOPIC, partition)
    )


def written(home: Home) -> tuple[Events, Events, int]:
    """A log of plain records and of transactions, committed and aborted: what counts, what was taken back, markers."""
    events = played(home, tables=4, rounds=12)
    quarter = len(events) // 4
    append(home, events[:quarter])
    taken_back = events[:quarter:3]
    markers = in_transaction(home, taken_back, commit=False)
    markers += in_transaction(home, events[quarter : 2 * quarter], commit=True)
    append(home, events[2 * quarter : 3 * quarter])
    markers += in_librdkafkas_transaction(home, events[:10], commit=False)
    taken_back = taken_back + events[:10]
    markers += in_librdkafkas_transaction(home, events[3 * quarter :], commit=True)
    return events, taken_back, markers


def check(home: Home, events: Events, taken_back: Events, markers: int) -> None:
    found = rows(home)
    assert found.num_rows == lake_records(home) == len(events) + len(taken_back) + markers
    by_status: dict[str, list[tuple[str, bytes]]] = {}
    for table_id, status, raw in zip(*(found[name].to_pylist() for name in ("table_id", "status", "raw")), strict=True):
        by_status.setdefault(status, []).append((table_id, raw))
    assert sorted(by_status[RECORDED]) == sorted(events)
    assert sorted(by_status[QUARANTINED]) == sorted(taken_back), "kept with their bytes, and never admitted"
    assert by_status[SKIPPED] == [("", b"")] * markers
    verified = muckraker_here("verify", "--home", home.path)
    assert verified.exit_code == 0, verified.output
    listing = muckraker_here("findings", "--home", home.path, "--code", "GATE-041")
    assert "taken back by whoever wrote it" in listing.output


def test_an_aborted_transaction_stops_neither_a_run_nor_a_group(kafka: str, tmp_path: Path) -> None:
    home = made_home(tmp_path / "home", settings_file(tmp_path, kafka), 2)
    events, taken_back, markers = written(home)
    follower = WorkerProcess(home, "--segment-records", "100")
    try:
        eventually(lambda: lake_records(home) > len(events) + len(taken_back) + markers - 2 * 100, "the group reads on")
        assert follower.stop() == 0, follower.said()
    finally:
        follower.end()
    done = muckraker_here("run", "--home", home.path)
    assert done.exit_code == 0, done.output
    check(home, events, taken_back, markers)

    by_run = second_home(tmp_path / "by-run", home)
    assert muckraker_here("run", "--home", by_run.path, "--segment-records", "100").exit_code == 0
    check(by_run, events, taken_back, markers)
    assert same_record(by_run, home), "every reader sees the same"

    log = KafkaLog(cluster_of(home))
    try:
        for partition in range(2):
            whole = log.read(TOPIC, partition, 0, 100_000)
            assert [record.offset for record in whole] == list(range(len(whole)))
            kinds = {type(record) for record in whole}
            assert {AbortedRecord, TransactionMarker} <= kinds
            for at in (0, 1, len(whole) // 2, len(whole) - 1):
                again = log.read(TOPIC, partition, at, 1)
                assert [(type(record), record) for record in again] == [(type(whole[at]), whole[at])]
    finally:
        log.close()


def test_what_is_in_an_open_transaction_is_read_when_it_is_known_how_it_ended(kafka: str, tmp_path: Path) -> None:
    home = made_home(tmp_path / "home", settings_file(tmp_path, kafka), 1)
    events = played(home, tables=2, rounds=6)
    half = len(events) // 2
    append(home, events[:half])
    cluster = cluster_of(home)
    producer = KafkaProducer(bootstrap_servers=list(cluster.bootstrap_servers), transactional_id=unique_topic("tx"))
    try:
        producer.init_transactions()
        producer.begin_transaction()
        producer.send(cluster.topic_name(TOPIC), events[0][1], events[0][0].encode(), partition=0)
        producer.flush()
        append(home, events[half:])
        began = time.monotonic()
        done = muckraker_here("run", "--home", home.path)
        assert done.exit_code == 0, done.output
        assert time.monotonic() - began < 45  # the transaction would be given up after 60
        assert lake_records(home) == half, "what lies behind an open transaction waits"
        producer.abort_transaction()
    finally:
        producer.close()
    assert muckraker_here("run", "--home", home.path).exit_code == 0
    assert lake_records(home) == len(events) + 2
