"""The event log in a Kafka cluster: the same port as the embedded one, for many tables, many writers and many workers.

A record's key is its table, and `partition_of` chooses the partition, so that a table is one ordered stream here as in
SQLite. Written by an idempotent producer and acknowledged by all replicas in step; read by offset, without a consumer
group, because the position is the lake's business. Threads: one object each, as with SqliteLog.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from kafka import KafkaAdminClient, KafkaProducer, TopicPartition
from kafka import errors as kafka_errors
from kafka.errors import KafkaError

from ingest.kafka.reader import Reader, consumer_of, log_records
from ingest.kafka.settings import KafkaSettings
from ingest.kafka.topics import MAX_PARTITIONS, MAX_RECORD_BYTES, FoundTopic, Topics
from ingest.kafka.trouble import explained, outright_refusal, quieten_kafka_python
from ingest.log import AppendError, LogError, LogRecord, WrongLog, check_topic, partition_of
from schemas.plurals import counted

__all__ = ["FoundTopic", "KafkaLog", "consumer_of", "explained", "log_records"]

_BATCH_BYTES = 768 * 1024  # under the 1 MiB that a topic takes where nobody set anything
_RECORD_OVERHEAD_BYTES = 40  # more than the lengths and deltas beside a key and a value ever take
_LINGER_MS = 1_000  # a batch leaves when it is flushed; see _append_round

quieten_kafka_python()


class KafkaLog:
    """An EventLog in a Kafka cluster. Connects when first needed; every wait has an end, named in the settings."""

    def __init__(
        self, settings: KafkaSettings, partitions: int | None = None, expected: Mapping[str, FoundTopic] | None = None
    ) -> None:
        """With `partitions`, a topic that is not there is made with so many when it is first appended to, and one that
        has another number is an error. Without, topics must be there. `expected` says of topics that must be there what
        they were: one that has grown since is an error, because its tables have moved, and so is one that was made
        anew, because what was read of it before is not in it."""
        if partitions is not None and not 1 <= partitions <= MAX_PARTITIONS:
            raise LogError(f"a topic has 1 to {MAX_PARTITIONS} partitions, not {partitions}")
        self.settings = settings
        self._wanted = partitions
        self._expected = {settings.topic_name(topic): found for topic, found in (expected or {}).items()}
        self._found: dict[str, FoundTopic] = {}
        self._admin: KafkaAdminClient | None = None
        self._producer: KafkaProducer | None = None
        self._reader: Reader | None = None
        self._closed = False

    # --- the port -------------------------------------------------------------------------------------------------

    def partitions(self, topic: str) -> int:
        topic = self._named(topic)
        return self._count(topic) or self._must_be_wanted(topic)

    def append(self, topic: str, records: Sequence[tuple[str, bytes]]) -> None:
        topic = self._named(topic)
        if not records:
            return
        for key, value in records:
            if not isinstance(value, bytes):
                raise LogError(f"topic {topic}: the value of a record of {key} is no bytes; nothing was appended")
            if len(value) > MAX_RECORD_BYTES:
                raise LogError(
                    f"topic {topic}: a record of {key} has {len(value)} bytes and a topic takes {MAX_RECORD_BYTES}; "
                    "nothing was appended"
                )
        count = self._count(topic)
        if count is None:
            count = self._create(topic, self._must_be_wanted(topic), None)
        queues = _by_partition(records, count)
        acknowledged = 0
        try:
            while queues:
                acknowledged += self._append_round(topic, queues)
        except _RoundFailed as failure:
            self._drop_producer()
            acknowledged += failure.acknowledged
            trouble = explained(self.settings, topic, "appending to it", failure.error)
            raise AppendError(
                f"{trouble}; {acknowledged} of {counted(len(records), 'record')} acknowledged: append all again",
                acknowledged,
            ) from failure.error
        except BaseException:
            self._drop_producer()  # nothing of this call may follow later, among the records of another
            raise

    def read(self, topic: str, partition: int, offset: int, limit: int) -> list[LogRecord]:
        topic = self._named(topic)
        if not self._exists(topic, partition) or limit <= 0:
            return []
        if offset < 0:
            raise LogError(f"topic {topic}, partition {partition}: offsets begin at 0, and {offset} was to be read")
        with self._explained(topic, f"reading partition {partition} from offset {offset}"):
            return self._reading().read(TopicPartition(topic, partition), offset, limit)

    def look(self, topic: str, partition: int, offset: int) -> LogRecord | None:
        topic = self._named(topic)
        if not self._exists(topic, partition):
            return None
        with self._explained(topic, f"looking at partition {partition}, offset {offset}"):
            return self._reading().look(TopicPartition(topic, partition), offset)

    def confirm(self, topic: str) -> None:
        """Fetches name a topic, and kafka-python would read on in one that was deleted and made anew meanwhile."""
        topic = self._named(topic)
        before = self._found.pop(topic, None)
        if self._count(topic) is None or before is None:
            return
        now = self._found[topic]
        if None not in (before.id, now.id) and before.id != now.id:
            raise _made_anew(self.settings, topic, now.id, before.id)
        if before.partitions != now.partitions:
            raise _other_number(self.settings, topic, now.partitions, before.partitions)

    def start(self, topic: str, partition: int) -> int:
        topic = self._named(topic)
        if not self._exists(topic, partition):
            return 0
        with self._explained(topic, f"asking where partition {partition} begins"):
            return self._reading().start(TopicPartition(topic, partition))

    def high_water_mark(self, topic: str, partition: int) -> int:
        topic = self._named(topic)
        if not self._exists(topic, partition):
            return 0
        with self._explained(topic, f"asking where partition {partition} ends"):
            return self._reading().end(TopicPartition(topic, partition))

    def close(self) -> None:
        """Leave the cluster. Every append was durable when it returned, so there is nothing to wait for."""
        self._closed = True
        self._drop_producer()
        if self._reader is not None:
            self._reader.close()
        if self._admin is not None:
            self._admin.close()
        self._reader = self._admin = None

    # --- topics ---------------------------------------------------------------------------------------------------

    def create_topic(self, topic: str, partitions: int, replication: int | None = None) -> int:
        """Make the topic, unless it is there with that many partitions; its number of partitions.

        `replication` defaults to the settings' replication_factor, and that to the cluster's default.
        """
        return self._create(self._named(topic), partitions, replication)

    def _create(self, topic: str, partitions: int, replication: int | None) -> int:
        with self._explained(topic, "creating it"):
            self._found.pop(topic, None)
            found = self._topics().create(topic, partitions, replication or self.settings.replication_factor)
        if found is None:
            raise LogError(f"Kafka at {self.settings.bootstrap}: topic {topic} is not there right after its creation")
        if found.partitions != partitions:
            raise _other_number(self.settings, topic, found.partitions, partitions)
        self._found[topic] = found
        return partitions

    def existing_partitions(self, topic: str) -> int | None:
        """How many partitions the topic has; None when there is no such topic."""
        return self._count(self._named(topic))

    def topic_id(self, topic: str) -> str | None:
        """What the cluster calls this very topic, as long as it is not deleted; None where the brokers cannot say."""
        topic = self._named(topic)
        if self._count(topic) is None:
            return None
        return self._found[topic].id

    def topic_problems(self, topic: str) -> list[str]:
        """How the topic's settings fall short of what an audit needs, a sentence each; for `muckraker doctor`."""
        topic = self._named(topic)
        with self._explained(topic, "reading its settings"):
            return self._topics().problems(topic)

    def forget(self, topic: str, partition: int) -> None:
        """Stop fetching a partition ahead: another process reads it now."""
        if self._reader is not None:
            self._reader.forget(TopicPartition(self._named(topic), partition))

    def _named(self, topic: str) -> str:
        """What the topic is called in the cluster."""
        check_topic(topic)
        return self.settings.topic_name(topic)

    def _count(self, topic: str) -> int | None:
        """How many partitions the topic has; None when there is no such topic."""
        self._open()
        if topic not in self._found:
            with self._explained(topic, "asking for its partitions"):
                found = self._topics().find(topic)
            if found is None:
                return None
            expected = self._expected.get(topic)
            wanted = self._wanted if expected is None else expected.partitions
            if wanted is not None and found.partitions != wanted:
                raise _other_number(self.settings, topic, found.partitions, wanted)
            if expected is not None and None not in (expected.id, found.id) and expected.id != found.id:
                raise _made_anew(self.settings, topic, found.id, expected.id)
            self._found[topic] = found
        return self._found[topic].partitions

    def _must_be_wanted(self, topic: str) -> int:
        if self._wanted is None:
            missing = kafka_errors.UnknownTopicOrPartitionError()
            raise WrongLog(str(explained(self.settings, topic, "asking for its partitions", missing)))
        return self._wanted

    def _exists(self, topic: str, partition: int) -> bool:
        count = self._count(topic)
        if count is not None and partition >= count:
            self._found.pop(topic)  # it may have grown since: then that is what is wrong
            count = self._count(topic)
        last = (count or self._must_be_wanted(topic)) - 1
        if not 0 <= partition <= last:
            raise LogError(
                f"Kafka at {self.settings.bootstrap}: topic {topic} has partitions 0 to {last}, not {partition}"
            )
        return count is not None

    # --- writing --------------------------------------------------------------------------------------------------

    def _append_round(self, topic: str, queues: dict[int, Iterator[list[tuple[bytes, bytes]]]]) -> int:
        """Send one batch for each partition and wait for all; how many records were acknowledged.

        Never two batches of a partition at once: if the first of two failed for good and the second did not, a table's
        events would have a hole that closes later, out of order. A batch is recorded whole or not at all.
        """
        producer = self._producing(topic)
        sent: list[Any] = []
        try:
            for partition, batches in list(queues.items()):
                batch = next(batches, None)
                if batch is None:
                    del queues[partition]
                    continue
                for key, value in batch:
                    sent.append(producer.send(topic, value=value, key=key, partition=partition))
            producer.flush(timeout=self.settings.delivery_timeout_s + 5)
        except (KafkaError, ValueError) as error:  # ValueError: the partition went away, with the topic
            raise _RoundFailed(error, sum(future.succeeded() for future in sent)) from error
        failed = next((future for future in sent if not future.succeeded()), None)
        if failed is not None:
            raise _RoundFailed(failed.exception, sum(future.succeeded() for future in sent))
        return len(sent)

    def _producing(self, topic: str) -> KafkaProducer:
        self._open()
        if self._producer is None:
            settings = self.settings
            with self._explained(topic, "connecting to it"):
                self._producer = KafkaProducer(
                    **settings.client(),
                    acks="all",
                    enable_idempotence=True,
                    max_in_flight_requests_per_connection=5,  # the most that idempotence allows; over many partitions
                    batch_size=_BATCH_BYTES,
                    linger_ms=_LINGER_MS,
                    max_request_size=MAX_RECORD_BYTES + (1 << 20),
                    max_block_ms=round(settings.request_timeout_s * 1000),
                    delivery_timeout_ms=round(settings.delivery_timeout_s * 1000),
                    allow_auto_create_topics=False,
                    metrics_enabled=False,
                )
        return self._producer

    def _drop_producer(self) -> None:
        """End the producer at once; what it still holds is not sent."""
        producer, self._producer = self._producer, None
        if producer is None:
            return
        try:
            producer.close(timeout=0)
        except kafka_errors.KafkaTimeoutError:
            # With records still waiting, close() stops half-way: end its thread, which fails them.
            producer._sender.force_close()

    # --- connections ----------------------------------------------------------------------------------------------

    def _reading(self) -> Reader:
        self._open()
        if self._reader is None:
            self._reader = Reader(self.settings)
        return self._reader

    def _topics(self) -> Topics:
        self._open()
        if self._admin is None:
            refusal = outright_refusal(self.settings)
            if refusal is not None:
                raise refusal
            self._admin = KafkaAdminClient(**self.settings.client())
        return Topics(self._admin, self.settings)

    def _open(self) -> None:
        if self._closed:
            raise LogError(f"the log at {self.settings.bootstrap} was closed; open another")

    @contextmanager
    def _explained(self, topic: str, doing: str) -> Iterator[None]:
        try:
            yield
        except (KafkaError, OSError) as error:
            raise explained(self.settings, topic, doing, error) from error


class _RoundFailed(Exception):
    def __init__(self, error: Exception, acknowledged: int) -> None:
        super().__init__(str(error))
        self.error = error
        self.acknowledged = acknowledged


def _other_number(settings: KafkaSettings, topic: str, found: int, wanted: int) -> WrongLog:
    return WrongLog(
        f"Kafka at {settings.bootstrap}: topic {topic} has {found} partitions and {wanted} were asked for; the number "
        f"is fixed when a topic is made, or tables would move between partitions: ask for {found}, or begin a new topic"
    )


def _made_anew(settings: KafkaSettings, topic: str, found: str | None, wanted: str | None) -> WrongLog:
    return WrongLog(
        f"Kafka at {settings.bootstrap}: topic {topic} is not the topic that this home was made on: it was deleted and "
        f"made anew, or this is another cluster (its id is {found}, and was {wanted}). What was read of the old one is "
        "not in it: correct kafka.toml, or make a new home. If it is a mirror, with the same records at the same "
        "offsets, type `muckraker take-over`"
    )


def _by_partition(
    records: Iterable[tuple[str, bytes]], partitions: int
) -> dict[int, Iterator[list[tuple[bytes, bytes]]]]:
    """Each partition's records in the order given, in batches that Kafka takes whole."""
    encoded: dict[str, tuple[bytes, Callable[[tuple[bytes, bytes]], None]]] = {}
    of_partition: dict[int, list[tuple[bytes, bytes]]] = {}
    for key, value in records:
        known = encoded.get(key)
        if known is None:
            queue = of_partition.setdefault(partition_of(key, partitions), [])
            known = encoded[key] = (key.encode(), queue.append)
        known[1]((known[0], value))
    return {partition: _batches(queue) for partition, queue in of_partition.items()}


def _batches(records: list[tuple[bytes, bytes]]) -> Iterator[list[tuple[bytes, bytes]]]:
    batch: list[tuple[bytes, bytes]] = []
    size = 0
    for record in records:
        record_size = len(record[0]) + len(record[1]) + _RECORD_OVERHEAD_BYTES
        if batch and size + record_size > _BATCH_BYTES - 1024:
            yield batch
            batch, size = [], 0
        batch.append(record)
        size += record_size
    if batch:
        yield batch
