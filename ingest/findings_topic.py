"""Findings on their way to pagers and SIEMs: a Kafka topic, one JSON document a finding, keyed by table.

Told as soon as a round is judged, before its segment is in the lake, and never too little: a segment is committed only
after everything found in it was delivered. After a crash some are told again, with the same `finding_id`: whoever
reads the topic keeps one of each. The documents are those of `muckraker findings --json` (docs/json.md).
"""

from __future__ import annotations

import logging
from contextlib import suppress
from math import inf
from threading import Event as StopEvent
from time import monotonic
from typing import Any

import orjson
from kafka import KafkaProducer
from kafka.errors import KafkaError, KafkaTimeoutError, UnknownTopicOrPartitionError

from ingest.kafka.log import KafkaLog, explained
from ingest.kafka.settings import KafkaSettings
from ingest.log import LogError
from schemas.admitted import Concluded
from schemas.findings import findings_table

logger = logging.getLogger("muckraker.findings")

DELIVERY_S = 60.0
_ASK_S = 3.0
_LOOK_S = 0.2  # how often a delivery that waits looks whether the worker is to stop


class FindingsTopic:
    """A listener of the worker that publishes what was found. Connects when it has something to say."""

    def __init__(self, settings: KafkaSettings, topic: str, stop: StopEvent | None = None) -> None:
        self._settings = settings
        self._stop = stop or StopEvent()
        self._left_at: float | None = None
        self._topic = settings.topic_name(topic)
        self._logical_topic = topic
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
        give_up_at = monotonic() + DELIVERY_S
        try:
            for sent in self._pending:
                while not sent.is_done:
                    if monotonic() >= min(give_up_at, self._leave_by()):
                        raise KafkaTimeoutError("findings were not delivered in time")
                    with suppress(KafkaTimeoutError):
                        sent.get(timeout=_LOOK_S)
                sent.get(timeout=0)
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

    def _leave_by(self) -> float:
        """When a worker that is told to stop waits no longer for a cluster that is away."""
        if self._left_at is None and self._stop.is_set():
            self._left_at = monotonic() + self._settings.revoke_deadline_s
        return inf if self._left_at is None else self._left_at

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
