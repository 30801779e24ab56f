"""The log in Kafka: the contract of every log, against a real broker, and what only a cluster can do wrong."""

from __future__ import annotations

import pytest

from ingest.kafka.log import KafkaLog
from ingest.kafka.settings import KafkaSettings
from tests.ingest.log_contract import TOPIC, EventLogContract
from tests.kafka_cluster import unique_topic


def settings_for(bootstrap: str, **more: object) -> KafkaSettings:
    return KafkaSettings.model_validate({"bootstrap_servers": bootstrap.split(","), **more})


class TestKafkaLog(EventLogContract):
    @pytest.fixture(autouse=True)
    def _broker(self, kafka: str) -> None:
        self.bootstrap = kafka
        self.suffix = unique_topic("t")

    def topic(self, name: str = TOPIC) -> str:
        return f"{name}-{self.suffix}"

    def open(self) -> KafkaLog:
        return KafkaLog(settings_for(self.bootstrap), partitions=2)

    def writer_code(self, batches: int, batch_records: int) -> str:
        return (
            "from ingest.kafka.log import KafkaLog\n"
            "from ingest.kafka.settings import KafkaSettings\n"
            f"log = KafkaLog(KafkaSettings(bootstrap_servers=({self.bootstrap!r},)), partitions=2)\n"
            f"for b in range({batches}):\n"
            f"    log.append({self.topic()!r}, [(f'T-{{i % 7}}', f'{{b}} {{i}}'.encode()) "
            f"for i in range({batch_records})])\n"
        )
