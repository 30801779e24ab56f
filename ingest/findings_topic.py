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
from kafka.errors import KafkaError

from ingest.kafka_log import explained
from ingest.kafka_settings import KafkaSettings
from schemas.admitted import Concluded
from schemas.findings import findings_table

logger = logging.getLogger("muckraker.findings")

DELIVERY_S = 60.0


class FindingsTopic:
    """A listener of the worker that publishes what was found."""

    def __init__(self, settings: KafkaSettings, topic: str, delivery_s: float = DELIVERY_S) -> None:
        self._settings = settings
        self._topic = topic
        self._delivery_s = delivery_s
        self._pending: list[Any] = []
        self.published = 0
        try:
            self._producer = KafkaProducer(**settings.client(), linger_ms=5)
        except KafkaError as error:
            raise explained(settings, topic, "connecting to it", error) from error

    def tell(self, concluded: Concluded) -> None:
        if not concluded.findings:
            return
        try:
            for document in findings_table(concluded.findings).to_pylist():
                value = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
                key = document["table_id"].encode()
                self._pending.append(self._producer.send(self._topic, value=value, key=key))
        except KafkaError as error:
            raise explained(self._settings, self._topic, "publishing findings to it", error) from error

    def settle(self) -> None:
        """Everything told is with the brokers; a LogError if it is not, and then its segment is not committed."""
        pending, self._pending = self._pending, []
        if not pending:
            return
        try:
            self._producer.flush(timeout=self._delivery_s)
            for sent in pending:
                sent.get(timeout=self._delivery_s)
        except KafkaError as error:
            raise explained(self._settings, self._topic, "publishing findings to it", error) from error
        self.published += len(pending)

    def close(self) -> None:
        """Send what is still waiting, as far as the brokers take it in time; what they do not is told again."""
        try:
            self._producer.close(timeout=self._delivery_s)
        except KafkaError as error:
            logger.warning("findings were left unpublished", extra={"error": type(error).__name__})
