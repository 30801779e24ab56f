"""The log port: what Muckraker asks of the place where devices' records are written down first.

Narrow on purpose, so that the embedded SQLite log and a Kafka cluster can both stand behind it; one contract suite
(tests/ingest/log_contract.py) runs against every back end. A log keeps bytes and knows nothing of events.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple, Protocol


class LogError(Exception):
    """The log cannot do what was asked; the message names the log, what happened and the way out."""


class LogRecord(NamedTuple):
    """One record of one partition. Offsets are dense: 0, 1, 2, …"""

    offset: int
    timestamp_us: int
    key: str
    value: bytes


class EventLog(Protocol):
    """Topics of numbered partitions of records that are only ever appended."""

    def partitions(self, topic: str) -> int:
        """How many partitions the topic has; fixed when the log is created."""
        ...

    def append(self, topic: str, records: Sequence[tuple[str, bytes]], timestamp_us: int | None = None) -> None:
        """Add (key, value) records, all or none, durable on return.

        Records of one key stay in the order given. `timestamp_us` defaults to now.
        """
        ...

    def read(self, topic: str, partition: int, offset: int, limit: int) -> list[LogRecord]:
        """Up to `limit` committed records from `offset` on, in append order; empty at the end."""
        ...

    def high_water_mark(self, topic: str, partition: int) -> int:
        """The offset the partition's next record will get."""
        ...

    def close(self) -> None: ...


def partition_of(key: str, partitions: int) -> int:
    """The partition of a key (a table id): the same in every process, version and year.

    Not CRC-32, whose lowest bit is the same for PG-00, PG-01, PG-02 and PG-03: one worker would get every table.
    """
    return int.from_bytes(sha256(key.encode()).digest()[:8], "big") % partitions
