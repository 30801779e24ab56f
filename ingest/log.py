"""The log port: what Muckraker asks of the place where devices' records are written down first.

Narrow on purpose, so that the embedded SQLite log and a Kafka cluster can both stand behind it; one contract suite
(tests/ingest/log_contract.py) runs against every back end. A log keeps bytes and knows nothing of events.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from schemas.not_of_the_replay import NotOfTheReplay

_TOPIC = re.compile(r"[a-z][a-z0-9_-]{0,63}\Z")


class LogError(NotOfTheReplay):
    """The log cannot do what was asked; the message names the log, what happened and the way out."""


class WrongLog(LogError):
    """This is not the log it was taken for, and no patience will make it so."""


class AppendError(LogError):
    """Not everything was recorded for certain: of the records given, `acknowledged` are. Append all of them again."""

    def __init__(self, message: str, acknowledged: int) -> None:
        super().__init__(message)
        self.acknowledged = acknowledged


class LogRecord(NamedTuple):
    """One record of one partition. Offsets are dense: 0, 1, 2, …"""

    offset: int
    timestamp_us: int
    key: str
    value: bytes


class TransactionMarker(LogRecord):
    """An offset that Kafka itself used, to mark where a transaction ends: no device sent anything; key and value are
    empty."""

    __slots__ = ()


class AbortedRecord(LogRecord):
    """A record that was written in a transaction which was then aborted: who wrote it took it back."""

    __slots__ = ()


class Place(NamedTuple):
    """A partition, and of how many: which tables' records belong in it follows from that."""

    partition: int
    partitions: int


class EventLog(Protocol):
    """Topics of numbered partitions of records that are only ever appended."""

    def partitions(self, topic: str) -> int:
        """How many partitions the topic has; fixed when the log is created."""
        ...

    def append(self, topic: str, records: Sequence[tuple[str, bytes]]) -> None:
        """Add (key, value) records, stamped with the time of now by the log; all of them are durable on return.

        Records of one key stay in the order given. After an error any of them may have been recorded (SQLite records
        all or none; Kafka, without transactions, cannot promise that): append the same records again, in the same
        order. What is then in the log twice the gate tells by its sequence number and hash, and drops.
        """
        ...

    def read(self, topic: str, partition: int, offset: int, limit: int) -> list[LogRecord]:
        """The next committed records from `offset` on, in append order: `limit` of them, fewer only at the end."""
        ...

    def look(self, topic: str, partition: int, offset: int) -> LogRecord | None:
        """The record at `offset`, without beginning to read there; None if there is none."""
        ...

    def confirm(self, topic: str) -> None:
        """A WrongLog if the topic is not the one that was read of so far: it was made anew meanwhile."""
        ...

    def start(self, topic: str, partition: int) -> int:
        """The offset of the first record that is still there: 0, unless somebody had a cluster delete old ones."""
        ...

    def high_water_mark(self, topic: str, partition: int) -> int:
        """The offset the partition's next record will get."""
        ...

    def close(self) -> None: ...


def check_topic(topic: str) -> None:
    """Names every back end can use: a table of SQLite, a topic of Kafka, a folder of the lake."""
    if _TOPIC.match(topic) is None:
        raise LogError(f"{topic!r} is not a topic: a lowercase letter, then up to 63 of a-z, 0-9, _ and -")


def partition_of(key: str, partitions: int) -> int:
    """The partition of a key (a table id): the same in every process, version and year.

    Not CRC-32, whose lowest bit is the same for PG-00, PG-01, PG-02 and PG-03: one worker would get every table.
    """
    return int.from_bytes(sha256(key.encode()).digest()[:8], "big") % partitions


class LogStream:
    """Records one at a time into a log, sent on in batches: for devices and the simulator, whose events come singly.

    `send` waits while a full batch is being recorded, so whoever sends cannot get ahead of the log by more than that.
    A record is durable when `flush` returns after it; leaving the `with` block flushes, unless it is left by an error.
    After an error from `send` or `flush` the batch is still held: `flush` again records it, in the same order.
    """

    def __init__(self, log: EventLog, topic: str, batch_records: int = 5_000, batch_bytes: int = 4 << 20) -> None:
        self._log = log
        self._topic = topic
        self._batch_records = batch_records
        self._batch_bytes = batch_bytes
        self._held: list[tuple[str, bytes]] = []
        self._held_bytes = 0
        self.appended = 0

    def send(self, key: str, value: bytes) -> None:
        self._held.append((key, value))
        self._held_bytes += len(value)
        if len(self._held) >= self._batch_records or self._held_bytes >= self._batch_bytes:
            self.flush()

    def flush(self) -> None:
        """Everything sent is recorded when this returns."""
        if not self._held:
            return
        self._log.append(self._topic, self._held)
        self.appended += len(self._held)
        self._held, self._held_bytes = [], 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.flush()
