"""Findings on their way to pagers and SIEMs: a Kafka topic, one JSON document a finding, keyed by table.

Told as soon as a round is judged, before its segment is in the lake, and never too little: a segment is committed only
after everything found in it was delivered. The workers of a process share the connection, and each answers for what it
told itself: when the connection fails, every segment whose findings went by it is done again. After a crash or a
failure some are told again, with the same `finding_id`: whoever reads the topic keeps one of each. The documents are
those of `muckraker findings --json` (docs/json.md).
"""

from __future__ import annotations

import logging
from contextlib import suppress
from math import inf
from threading import Event as StopEvent
from time import monotonic
from typing import Any, NamedTuple

import orjson
from kafka import KafkaProducer
from kafka.errors import KafkaError, KafkaTimeoutError, UnknownTopicOrPartitionError

from ingest.kafka.log import KafkaLog, explained
from ingest.kafka.settings import KafkaSettings
from ingest.log import LogError
from schemas.admitted import Concluded
from schemas.findings import Finding, findings_table

logger = logging.getLogger("muckraker.findings")

DELIVERY_S = 60.0
_ASK_S = 3.0
_BLOCK_S = 1.0  # how long the producer itself may wait, before it is asked again
_LOOK_S = 0.2  # how often a delivery that waits looks whether the worker is to stop


class Sent(NamedTuple):
    """A finding on its way, and by whom."""

    producer: KafkaProducer
    future: Any


class FindingsTopic:
    """The connection that the listeners of a process share. Connects when one of them has something to say."""

    def __init__(self, settings: KafkaSettings, topic: str, stop: StopEvent | None = None) -> None:
        self._settings = settings
        self._stop = stop or StopEvent()
        self._left_at: float | None = None
        self._topic = settings.topic_name(topic)
        self._logical_topic = topic
        self._producer: KafkaProducer | None = None
        self.published = 0

    def listener(self) -> _FindingsOfOne:
        """For one worker, and no other: its segments wait for what it told."""
        return _FindingsOfOne(self)

    def send(self, findings: list[Finding]) -> list[Sent]:
        """Hand these to the producer."""
        sent: list[Sent] = []
        producer = None
        give_up_at = monotonic() + self._settings.request_timeout_s
        try:
            producer = self._producing()
            for document in findings_table(findings).to_pylist():
                value = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
                sent.append(Sent(producer, self._sent(producer, document["table_id"].encode(), value, give_up_at)))
        except KafkaError as error:
            raise self._failed(error, producer) from error
        return sent

    def wait_for(self, sent: list[Sent]) -> None:
        """Return when all of these are with the brokers; a LogError if they are not in time."""
        give_up_at = monotonic() + DELIVERY_S
        for producer, future in sent:
            try:
                while not future.is_done:
                    if monotonic() >= min(give_up_at, self._leave_by()):
                        raise KafkaTimeoutError("findings were not delivered in time")
                    with suppress(KafkaTimeoutError):
                        future.get(timeout=_LOOK_S)
                future.get(timeout=0)
            except KafkaError as error:
                raise self._failed(error, producer) from error
        self.published += len(sent)

    def close(self) -> None:
        """Send what is still waiting, as far as the brokers take it in time; what they do not is told again."""
        producer, self._producer = self._producer, None
        if producer is None:
            return
        try:
            patience_s = min(self._settings.revoke_deadline_s, self._leave_by() - monotonic())
            producer.close(timeout=max(0.0, patience_s))
        except KafkaError as error:
            producer._sender.force_close()  # close() stopped half-way
            logger.warning("findings were left unpublished", extra={"error": type(error).__name__})

    def _leave_by(self) -> float:
        """When a worker that is told to stop waits no longer for a cluster that is away."""
        if self._left_at is None and self._stop.is_set():
            self._left_at = monotonic() + self._settings.revoke_deadline_s
        return inf if self._left_at is None else self._left_at

    def _sent(self, producer: KafkaProducer, key: bytes, value: bytes, give_up_at: float) -> Any:
        """A future. Waits for what the producer must know of the topic, and for room, but not beyond a stop."""
        while True:
            try:
                return producer.send(self._topic, value=value, key=key)
            except KafkaTimeoutError:
                if monotonic() >= min(give_up_at, self._leave_by()):
                    raise

    def _producing(self) -> KafkaProducer:
        if self._producer is None:
            if monotonic() >= self._leave_by():
                raise KafkaTimeoutError("findings were not delivered in time")
            self._producer = KafkaProducer(
                **self._settings.client(),
                linger_ms=5,
                max_block_ms=round(min(_BLOCK_S, self._settings.request_timeout_s) * 1000),
                delivery_timeout_ms=round(self._settings.delivery_timeout_s * 1000),
                allow_auto_create_topics=False,
                metrics_enabled=False,
            )
        return self._producer

    def _failed(self, error: KafkaError, producer: KafkaProducer | None) -> LogError:
        """What was told and not delivered is told again, with its segment, by another producer: one that has failed may
        never recover. What others told by it fails with it."""
        if producer is not None:
            producer._sender.force_close()
            if producer is self._producer:
                self._producer = None
        if isinstance(error, KafkaTimeoutError) and not self._stop.is_set() and self._is_missing():
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


class _FindingsOfOne:
    """A listener of one worker: what it told and is not delivered yet."""

    def __init__(self, topic: FindingsTopic) -> None:
        self._topic = topic
        self._sent: list[Sent] = []

    def tell(self, concluded: Concluded) -> None:
        if concluded.findings:
            self._sent += self._topic.send(concluded.findings)

    def settle(self) -> None:
        """Everything told is with the brokers; a LogError if it is not, and then its segment is not committed."""
        self._topic.wait_for(self._sent)
        self._sent = []
