"""The topics in a Kafka cluster: made with the settings an audit needs, and checked for them afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID

from kafka import KafkaAdminClient
from kafka import errors as kafka_errors
from kafka.admin import ConfigResource, ConfigResourceType

from ingest.kafka.settings import KafkaSettings
from schemas.plurals import counted

MAX_PARTITIONS = 1024
MAX_RECORD_BYTES = (1 << 20) + 4_096  # a line of 1 MiB, the longest that is recorded; the gate refuses far shorter ones
_SAFE_COPIES = 3
_NEWS_S = 0.1
_AGAIN_S = 0.1  # before a question is put again to a cluster that hung up on us

TOPIC_CONFIG = {
    # The brokers' clock, not the device's: who makes an event must not choose when it was recorded.
    "message.timestamp.type": "LogAppendTime",
    # Kept for good. Kafka's default deletes after a week, and what is deleted before it was read is gone.
    "retention.ms": "-1",
    "retention.bytes": "-1",
    "cleanup.policy": "delete",  # that is: not compacted, which would keep one event a table
    # A broker that lacks records may not lead: better no answer than a log with a part missing.
    "unclean.leader.election.enable": "false",
    "max.message.bytes": str(MAX_RECORD_BYTES + 65_536),
}


class FoundTopic(NamedTuple):
    """A topic of the cluster. A topic that was deleted and made anew has the same name, and another id."""

    partitions: int
    id: str | None  # None where the brokers are too old to say


class Topics:
    """Topics by their names, over an admin client.

    Unlike a producer or a consumer, kafka-python's admin client asks once, of one broker: if that one is being killed,
    or the cable pulled, the question fails though the next broker could answer it. Here it is put again, for as long as
    the settings let a request take.
    """

    def __init__(self, admin: KafkaAdminClient, settings: KafkaSettings) -> None:
        self._admin = admin
        self._settings = settings

    def find(self, topic: str) -> FoundTopic | None:
        """The topic as the cluster has it; None when there is no such topic."""
        described = self._described(topic)
        if described is None:
            return None
        topic_id = described.get("topic_id")
        return FoundTopic(len(described["partitions"]), str(UUID(str(topic_id))) if topic_id else None)

    def create(self, topic: str, partitions: int, replication: int | None) -> FoundTopic | None:
        """Make the topic unless it is there, and wait until every partition has a leader; what it is then. None where
        no broker admits to having it even then."""
        if self._described(topic) is None:
            config = dict(TOPIC_CONFIG)
            if replication is not None:
                config["min.insync.replicas"] = str(max(1, replication - 1))
            options = {"num_partitions": partitions, "replication_factor": replication or -1, "configs": config}
            with suppress(kafka_errors.TopicAlreadyExistsError):  # another process was faster
                self._patiently(lambda: self._admin.create_topics({topic: options}))
        end = time.monotonic() + self._settings.request_timeout_s
        self._admin.wait_for_topics([topic], timeout_ms=round(self._settings.request_timeout_s * 1000))
        while (found := self.find(topic)) is None and time.monotonic() < end:
            time.sleep(_NEWS_S)  # another broker was asked, which has not heard of it yet
        return found

    def problems(self, topic: str) -> list[str]:
        """What about the topic's settings could lose, reorder or re-date events."""
        described = self._described(topic)
        if described is None:
            return [f"topic {topic} is not there; create it (docs/kafka.md)"]
        found = []
        resource = ConfigResource(ConfigResourceType.TOPIC, topic)
        found_config = self._patiently(lambda: self._admin.describe_configs([resource], config_filter="all"))
        config = found_config["topic"][topic]
        values = {name: str(entry["value"]) for name, entry in config.items()}
        for name, wanted in TOPIC_CONFIG.items():
            value = values.get(name, "")
            enough = int(value) >= int(wanted) if name == "max.message.bytes" else value == wanted
            if not enough:
                found.append(f"topic {topic}: {name} is {value or 'not known'}; set it to {wanted}")
        copies = min(len(partition["replica_nodes"]) for partition in described["partitions"])
        in_step = int(values.get("min.insync.replicas", "1"))
        if copies < _SAFE_COPIES:
            kept = f"{counted(copies, 'copy', 'copies')} {'is' if copies == 1 else 'are'} kept"
            found.append(f"topic {topic}: {kept}; {_SAFE_COPIES} survive the loss of a broker")
        elif in_step < 2:
            found.append(
                f"topic {topic}: min.insync.replicas is {in_step}; set it to 2, or a single copy counts as safe"
            )
        if in_step >= copies > 1:
            found.append(
                f"topic {topic}: min.insync.replicas is {in_step} of {copies} copies: one broker down stops all writing"
            )
        behind = [
            str(partition["partition_index"])
            for partition in described["partitions"]
            if len(partition["isr_nodes"]) < len(partition["replica_nodes"])
        ]
        if behind:
            found.append(f"topic {topic}: copies of partition {', '.join(behind)} are behind; is a broker down?")
        return found

    def _described(self, topic: str) -> dict[str, Any] | None:
        described: dict[str, Any] = self._patiently(lambda: self._admin.describe_topics([topic]))[0]
        error = kafka_errors.for_code(described["error_code"])
        if error is kafka_errors.UnknownTopicOrPartitionError:
            return None
        if error is not kafka_errors.NoError:
            raise error()
        return described

    def _patiently(self, ask: Callable[[], Any]) -> Any:
        return patiently(self._settings, ask)


def patiently(settings: KafkaSettings, ask: Callable[[], Any]) -> Any:
    """What `ask` answers, asked again while there is time and what it meets may pass."""
    end = time.monotonic() + settings.request_timeout_s
    while True:
        try:
            return ask()
        except kafka_errors.KafkaError as error:
            if not error.retriable or time.monotonic() + _AGAIN_S >= end:
                raise
            time.sleep(_AGAIN_S)
