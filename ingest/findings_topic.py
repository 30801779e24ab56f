"""Findings on their way to pagers and SIEMs: a Kafka topic, one JSON document a finding, keyed by table.

Told as soon as a round is judged, before its segment is in the lake, and never too little: a segment is committed only
after everything found in it was delivered. After a crash some are told again, with the same `finding_id`: whoever
reads the topic keeps one of each. The documents are those of `muckraker findings --json` (docs/json.md).
"""

from __future__ import annotations

import logging
from typing import Any

import orjson
from kafka import KafkaProducer
from kafka.errors import KafkaError, KafkaTimeoutError, UnknownTopicOrPartitionError

from ingest.kafka_log import KafkaLog, explained
from ingest.kafka_settings import KafkaSettings
from ingest.log import LogError
from schemas.admitted import Concluded
from schemas.findings import findings_table

logger = logging.getLogger("muckraker.findings")

DELIVERY_S = 60.0
_ASK_S = 3.0


class FindingsTopic:
    """A listener of the worker that publishes what was found. Connects when it has something to say."""

    def __init__(self, settings: KafkaSettings, topic: str, delivery_s: float = DELIVERY_S) -> None:
        self._settings = settings
        self._topic = settings.topic_name(topic)
        self._logical_topic = topic
        self._delivery_s = delivery_s
        self._pending: list[Any] = []
        self._producer: KafkaProducer | None = None
        self.published = 0

    def tell(self, concluded: Concluded) -> None:
        if not concluded.findings:
            return
        try:
            producer = self._producing()
            for document in findings_table(concluded.findings).to_pylist():
                value = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
                key = document["table_id"].encode()
                self._pending.append(producer.send(self._topic, value=value, key=key))
        except KafkaError as error:
            raise self._failed(error) from error

    def settle(self) -> None:
        """Everything told is with the brokers; a LogError if it is not, and then its segment is not committed."""
        if not self._pending:
            return
        try:
            producer = self._producing()
            producer.flush(timeout=self._delivery_s)
            for sent in self._pending:
                sent.get(timeout=self._delivery_s)
        except KafkaError as error:
            raise self._failed(error) from error
        self.published += len(self._pending)
        self._pending = []

    def close(self) -> None:
        """Send what is still waiting, as far as the brokers take it in time; what they do not is told again."""
        producer, self._producer = self._producer, None
        if producer is None:
            return
        try:
            producer.close(timeout=self._settings.revoke_deadline_s)
        except KafkaError as error:
            producer._sender.force_close()  # close() stopped half-way
            logger.warning("findings were left unpublished", extra={"error": type(error).__name__})

    def _producing(self) -> KafkaProducer:
        if self._producer is None:
            self._producer = KafkaProducer(
                **self._settings.client(),
                linger_ms=5,
                max_block_ms=round(self._settings.request_timeout_s * 1000),
                delivery_timeout_ms=round(self._settings.delivery_timeout_s * 1000),
                allow_auto_create_topics=False,
                metrics_enabled=False,
            )
        return self._producer

    def _failed(self, error: KafkaError) -> LogError:
        """What was told and not delivered is told again, with its segment, by another producer: one that has failed may
        never recover."""
        producer, self._producer = self._producer, None
        self._pending = []
        if producer is not None:
            producer._sender.force_close()
        if isinstance(error, KafkaTimeoutError) and self._is_missing():
            error = UnknownTopicOrPartitionError()
        return explained(self._settings, self._topic, "publishing findings to it", error)

    def _is_missing(self) -> bool:
        """Whether the cluster says that there is no such topic; the producer says only that it has waited."""
        log = KafkaLog(self._settings.hurried(_ASK_S))
        try:
            return log.existing_partitions(self._logical_topic) is None
        except LogError:
            return False
        finally:
            log.close()
