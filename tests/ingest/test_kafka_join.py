"""A mistake of the Kafka library that would leave a worker idle for good, and what is done about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from kafka import KafkaConsumer
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor

from console.home import TOPIC
from ingest.kafka.group import take_up_join
from ingest.kafka.log import consumer_of
from tests.kafka_home import cluster_of, eventually, made_home, settings_file


@pytest.fixture
def member(kafka: str, tmp_path: Path) -> Iterator[KafkaConsumer]:
    """A consumer in a group of its own that has its partitions."""
    cluster = cluster_of(made_home(tmp_path / "home", settings_file(tmp_path, kafka), 2))
    consumer = consumer_of(
        cluster,
        group_id=cluster.group_id,
        partition_assignment_strategy=(CooperativeStickyAssignor,),
        auto_offset_reset="earliest",
        enable_auto_commit=False,
    )
    consumer.subscribe([cluster.topic_name(TOPIC)])

    def has_both() -> bool:
        take_up_join(consumer)  # on a busy machine the first join may end between two polls, too
        consumer.poll(timeout_ms=100)
        return len(consumer.assignment()) == 2

    eventually(has_both, "it has its partitions")
    yield consumer
    consumer.close(autocommit=False)


def test_a_join_that_ended_between_two_polls_is_taken_up(member: KafkaConsumer) -> None:
    coordinator = member._coordinator
    coordinator._assignment_snapshot = {}  # as if what it knew of the topic had changed
    member.poll(timeout_ms=0)  # begins to join, and does not wait
    eventually(lambda: coordinator._join_task is not None and coordinator._join_task.is_done, "it has joined")
    member.poll(timeout_ms=200)
    assert coordinator.rejoining and not coordinator._heartbeat_enabled, "mended in the library: take_up_join may go"

    def in_the_group() -> bool:
        take_up_join(member)
        member.poll(timeout_ms=100)
        return not coordinator.rejoining

    eventually(in_the_group, "it is in the group again")
    assert coordinator._heartbeat_enabled and len(member.assignment()) == 2
