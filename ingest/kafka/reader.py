"""Reading partitions of a Kafka topic by offset, several at a time, without a consumer group."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from kafka import KafkaConsumer, TopicPartition
from kafka import errors as kafka_errors

from ingest.kafka.records import decoded_as_log_records
from ingest.kafka.settings import KafkaSettings
from ingest.log import LogError, LogRecord

_FETCH_BYTES = 4 << 20  # of one partition at a time; about 10,000 events
_FETCH_WAIT_MS = 250  # how long a broker keeps a fetch that finds nothing; a seek must wait for it
_POLL_RECORDS = 10_000
_POLL_MS = 250
_MAX_CONSUMERS = 8  # each has a thread, connections, and a fetch in memory


def consumer_of(settings: KafkaSettings, **options: Any) -> KafkaConsumer:
    """A kafka-python consumer whose `poll` gives LogRecords; for Reader, and for a worker in a group."""
    defaults: dict[str, Any] = {
        "group_id": None,
        "enable_auto_commit": False,
        "auto_offset_reset": "none",  # an offset that is gone is an error, never another place to read from
        "isolation_level": "read_committed",  # what is in a transaction is read when it is known how that ended
        "allow_auto_create_topics": False,
        "max_partition_fetch_bytes": _FETCH_BYTES,
        "max_poll_records": _POLL_RECORDS,
        "fetch_max_wait_ms": _FETCH_WAIT_MS,
        "metrics_enabled": False,  # ours are in Prometheus' form
    }
    return decoded_as_log_records(KafkaConsumer(**(settings.client() | defaults | options)))


def log_records(records: Sequence[Any]) -> list[LogRecord]:
    """The records of one partition as `poll` gave them, whichever decoder it has."""
    if not records or isinstance(records[0], LogRecord):
        return list(records)
    return [
        LogRecord(
            record.offset,
            record.timestamp * 1000,
            (record.key or b"").decode("utf-8", "replace"),
            record.value if record.value is not None else b"",
        )
        for record in records
    ]


class Reader:
    """Reads partitions by offset, each going on where its last read ended while kafka-python fetches ahead.

    A consumer for each partition: one consumer for all would have to pause those that are not being read, and
    kafka-python 3.0.12 can leave a paused partition stuck for good (records it has parked are not taken up again).
    """

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._patience_ms = round(settings.request_timeout_s * 1000)
        self._asker: KafkaConsumer | None = None
        self._looker: KafkaConsumer | None = None
        self._readers: dict[TopicPartition, _PartitionReader] = {}  # the one used last is last
        self._ends: dict[TopicPartition, int] = {}  # where a partition ended when last asked

    def read(self, partition: TopicPartition, offset: int, limit: int) -> list[LogRecord]:
        """`limit` records, or as many as there are when this is called."""
        known_end = self._ends.get(partition, 0)
        if offset + limit > known_end:
            known_end = self._ends[partition] = self.end(partition)
        wanted = min(limit, known_end - offset)
        if wanted <= 0:
            return []
        reader = self._readers.pop(partition, None) or _PartitionReader(self, self._settings, partition)
        self._readers[partition] = reader
        if len(self._readers) > _MAX_CONSUMERS:
            self.forget(next(iter(self._readers)))
        try:
            return reader.read(offset, wanted)
        except LogError:
            self.forget(partition)  # its position is of no use any more
            raise

    def look(self, partition: TopicPartition, offset: int) -> LogRecord | None:
        """One record, by a consumer that fetches no more than the batch it is in; None if it is not there."""
        if not self.start(partition) <= offset < self.end(partition):
            return None
        if self._looker is None:
            self._looker = consumer_of(self._settings, max_partition_fetch_bytes=1, max_poll_records=1)
        self._looker.assign([partition])
        self._looker.seek(partition, offset)
        deadline = time.monotonic() + self._settings.request_timeout_s
        try:
            while time.monotonic() < deadline:
                found: list[LogRecord] = self._looker.poll(timeout_ms=_POLL_MS, max_records=1).get(partition, [])
                if found:
                    return found[0] if found[0].offset == offset else None
        except kafka_errors.OffsetOutOfRangeError:
            return None  # removed since it was asked where the partition begins
        finally:
            self._looker.unsubscribe()
        raise kafka_errors.KafkaTimeoutError(f"no record of {partition}")

    def start(self, partition: TopicPartition) -> int:
        return int(self._asking().beginning_offsets([partition], timeout_ms=self._patience_ms)[partition])

    def end(self, partition: TopicPartition) -> int:
        return int(self._asking().end_offsets([partition], timeout_ms=self._patience_ms)[partition])

    def forget(self, partition: TopicPartition) -> None:
        """Fetch no more of it, and drop what was."""
        self._ends.pop(partition, None)
        reader = self._readers.pop(partition, None)
        if reader is not None:
            reader.close()

    def close(self) -> None:
        for partition in list(self._readers):
            self.forget(partition)
        for consumer in (self._asker, self._looker):
            if consumer is not None:
                consumer.close(autocommit=False)
        self._asker = self._looker = None

    def _asking(self) -> KafkaConsumer:
        """Not a partition's own consumer: a broker answers a connection's requests one by one, and the one before is
        usually a fetch that waits for new records."""
        if self._asker is None:
            self._asker = consumer_of(self._settings)
        return self._asker


class _PartitionReader:
    def __init__(self, all_partitions: Reader, settings: KafkaSettings, partition: TopicPartition) -> None:
        self._all = all_partitions
        self._settings = settings
        self._partition = partition
        self._next = -1  # the offset after the last record that was read
        self._consumer = consumer_of(settings)
        self._consumer.assign([partition])

    def read(self, offset: int, wanted: int) -> list[LogRecord]:
        if offset != self._next:
            self._consumer.seek(self._partition, offset)
            self._next = offset
        records: list[LogRecord] = []
        deadline = time.monotonic() + self._settings.request_timeout_s
        while len(records) < wanted:
            more = self._poll(min(wanted - len(records), _POLL_RECORDS))
            if more:
                records += more
                deadline = time.monotonic() + self._settings.request_timeout_s
            elif time.monotonic() > deadline:
                raise kafka_errors.KafkaTimeoutError(f"no records of {self._partition}")
        return records

    def close(self) -> None:
        self._consumer.close(autocommit=False)

    def _poll(self, limit: int) -> list[LogRecord]:
        """The next records, waiting a little for them; none if none came."""
        try:
            arrived = self._consumer.poll(timeout_ms=_POLL_MS, max_records=limit).get(self._partition, [])
        except kafka_errors.OffsetOutOfRangeError as error:
            raise self._gone() from error
        expected = self._next
        if not arrived:
            position = self._consumer.position(self._partition, timeout_ms=_POLL_MS)
            if position is not None and position > expected:  # offsets went by without a record
                raise self._hole(expected, position)
            return []
        if arrived[0].offset != expected or arrived[-1].offset != expected + len(arrived) - 1:
            for record in arrived:
                if record.offset != expected:
                    raise self._hole(expected, record.offset)
                expected += 1
        self._next = arrived[-1].offset + 1
        return list(arrived)

    def _hole(self, first: int, after: int) -> LogError:
        """Offsets must go up by one: a hole may be a deleted event, and must not pass for one that was never sent."""
        return LogError(
            f"{self._named()} has no records at offsets {first} to {after - 1}: it was compacted, and nobody can tell "
            "whether an event is missing; set cleanup.policy=delete, and begin a new topic"
        )

    def _gone(self) -> LogError:
        start = self._all.start(self._partition)
        return LogError(
            f"{self._named()} begins at offset {start}, and {self._next} was to be read: older records were deleted; "
            "set retention.ms=-1 and retention.bytes=-1, and bring them back from a backup"
        )

    def _named(self) -> str:
        partition = self._partition
        return f"Kafka at {self._settings.bootstrap}: topic {partition.topic}, partition {partition.partition}"
