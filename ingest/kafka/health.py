"""What operators ask of a Kafka cluster: is it there, is its clock right, who works in the group?"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from kafka import KafkaAdminClient, TopicPartition
from kafka.errors import (
    CoordinatorNotAvailableError,
    IllegalGenerationError,
    KafkaError,
    NoError,
    RebalanceInProgressError,
    UnknownMemberIdError,
)
from kafka.structs import OffsetAndMetadata

from ingest.kafka.settings import KafkaSettings
from ingest.kafka.topics import patiently
from ingest.kafka.trouble import explained, outright_refusal
from ingest.log import LogError


class GroupHasMembers(LogError):
    """Something that can only be done to a group while nobody is in it."""


@dataclass(frozen=True)
class Member:
    """A worker in the consumer group, as the cluster knows it."""

    client_id: str
    host: str
    partitions: tuple[int, ...]


def has_fast_checksums() -> bool:
    """Whether kafka-python has the crc32c package: without it, it is thirty times slower."""
    return find_spec("crc32c") is not None


class ClusterHealth:
    """Asks a cluster; use as a context manager. A LogError says what cannot be asked, and why."""

    def __init__(self, settings: KafkaSettings, topic: str) -> None:
        """`topic` is for messages: what the cluster is asked about concerns all of it."""
        self._settings = settings
        self._topic = settings.topic_name(topic)
        with self._explained("connecting to it"):
            refusal = outright_refusal(settings)
            if refusal is not None:
                raise refusal
            self._admin = KafkaAdminClient(**settings.client())

    def __enter__(self) -> ClusterHealth:
        return self

    def __exit__(self, *_: object) -> None:
        self._admin.close()

    def brokers(self) -> list[str]:
        """The brokers that are up, by number and address."""
        with self._explained("asking for its brokers"):
            described: dict[str, Any] = self._admin.describe_cluster()
        return [
            f"{broker['broker_id']} ({broker['host']}:{broker['port']})"
            for broker in described["brokers"]
            if not broker.get("is_fenced")
        ]

    def clock_ahead_s(self) -> float:
        """By how much the clock of the cluster's controller is ahead of ours: it says what time it has. Never less
        than the half of what the answer took is known of it, and that much is taken off."""
        with self._explained("asking for its clock"):
            asked = time.time()
            described: dict[str, Any] = self._admin.describe_metadata_quorum()
            answered = time.time()
        partition = described["topics"][0]["partitions"][0]
        leader = next(voter for voter in partition["current_voters"] if voter["replica_id"] == partition["leader_id"])
        said = float(leader["last_fetch_timestamp"]) / 1000
        return said - answered if said > answered else min(0.0, said - asked)

    def members(self) -> list[Member]:
        """The workers of our group."""
        group = self._settings.group_id
        with self._explained(f"asking who is in the group {group}"):
            try:
                described: dict[str, Any] = self._admin.describe_groups([group])[group]
            except CoordinatorNotAvailableError:  # a cluster that has had no group yet
                return []
        return sorted(map(_member, described["members"]), key=lambda member: (member.partitions, member.client_id))

    def committed(self, topic: str, partitions: Iterable[int]) -> dict[int, OffsetAndMetadata]:
        """What our group has committed for these partitions of a topic: an offset of -1 where it has nothing."""
        group, name = self._settings.group_id, self._settings.topic_name(topic)
        wanted = [TopicPartition(name, partition) for partition in partitions]
        with self._explained(f"asking whose the group {group} is"):
            found = patiently(self._settings, lambda: self._admin.list_group_offsets({group: wanted}))[group]
        return {at.partition: committed for at, committed in found.items()}

    def register(self, topic: str, offsets: Mapping[int, OffsetAndMetadata]) -> None:
        """Commit these for our group; a GroupHasMembers where only its members may."""
        group, name = self._settings.group_id, self._settings.topic_name(topic)
        commits = {TopicPartition(name, partition): offset for partition, offset in offsets.items()}

        def commit() -> None:
            for error in self._admin.alter_group_offsets(group, commits).values():
                if error in (UnknownMemberIdError, IllegalGenerationError, RebalanceInProgressError):
                    raise GroupHasMembers(f"the group {group} has members")
                if error is not NoError:
                    raise error()

        with self._explained(f"registering a home for the group {group}"):
            patiently(self._settings, commit)

    @contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        try:
            yield
        except (KafkaError, OSError) as error:
            raise explained(self._settings, self._topic, doing, error) from error


def _member(described: dict[str, Any]) -> Member:
    assignment = described.get("member_assignment") or {}
    topics = assignment.get("assigned_partitions", []) if isinstance(assignment, dict) else []
    partitions = sorted(number for topic in topics for number in topic["partitions"])
    return Member(described["client_id"], described["client_host"].lstrip("/"), tuple(partitions))
