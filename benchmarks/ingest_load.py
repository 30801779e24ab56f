"""The events of the ingest benchmark: made once, kept in a file, sent to Kafka as fast as it goes or at a steady rate.

`python -m benchmarks.ingest_load FILE BOOTSTRAP TOPIC PARTITIONS RATE` sends a file's events, RATE a second (0: all at
once); a FILE `SEED:FIRST:EVENTS` is made as it is sent, for more events than anybody wants to keep. It sends with
confluent-kafka, which takes a third of kafka-python's time: on a machine of two cores whoever sends takes from whoever
is measured.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from ingest.log import partition_of
from ingest.simulator import Labels, Plan, default_plan, simulate

ROUNDS_A_DAY = 600
EVENTS_A_ROUND = 25.0  # about; how many there are is counted
HOURS_BACK = 30  # an event may reach the log 36 hours after its time, and a table plays for hours
FAULT_RATE = 0.002  # of rounds; each is a finding, and odd racks go to the solver
BURST_S = 0.01
ROUNDS_EACH = 240
STREAMED_ROUNDS_EACH = 2_000  # so that what a table may be remembered by is full long before the end


@dataclass(frozen=True)
class Made:
    """What is in a file of events."""

    events: int
    value_bytes: int


def load_plan(seed: int, first: int, events: int, rounds_each: int = ROUNDS_EACH) -> Plan:
    """Tables numbered from `first` on that say about so many events, lately: in step with the log's clock, unless they
    play for days."""
    tables = max(4, round(events / EVENTS_A_ROUND / rounds_each))
    opened = datetime.now(UTC) - timedelta(hours=HOURS_BACK)
    day = opened.date() if opened.hour < 10 else opened.date() + timedelta(days=1)
    if datetime(day.year, day.month, day.day, 20, tzinfo=UTC) > datetime.now(UTC):
        day -= timedelta(days=1)  # it would still be playing, in the future
    rounds = max(rounds_each, round(events / EVENTS_A_ROUND / tables) + 1)
    day -= timedelta(days=rounds // ROUNDS_A_DAY)
    whole = default_plan(seed, tables, rounds, fault_rate=FAULT_RATE, gaming_day=day)
    numbered = [
        replace(table, table_id=f"{table.table_id[:2]}-{number:05d}")
        for number, table in enumerate(whole.tables, first)
    ]
    return replace(whole, tables=numbered)


def write_events(path: Path, plan: Plan, events: int) -> Made:
    """The plan's first so many events, a line each: table, blank, bytes."""
    count = size = 0
    with path.open("wb") as file:
        for table_id, raw in islice(simulate(plan, Labels()), events):
            file.write(b"%s %s\n" % (table_id.encode(), raw))
            count += 1
            size += len(raw)
    return Made(count, size)


def read_events(path: Path) -> Iterator[tuple[bytes, bytes]]:
    with path.open("rb") as file:
        for line in file:
            table_id, _, raw = line.rstrip(b"\n").partition(b" ")
            yield table_id, raw


def made_events(seed: int, first: int, events: int) -> Iterator[tuple[bytes, bytes]]:
    """As `read_events`, without a file."""
    for table_id, raw in islice(simulate(load_plan(seed, first, events, STREAMED_ROUNDS_EACH), Labels()), events):
        yield table_id.encode(), raw


def send(events: Iterator[tuple[bytes, bytes]], bootstrap: str, topic: str, partitions: int, rate: float) -> float:
    """Send these events; how many seconds it took."""
    from confluent_kafka import Producer

    producer = Producer(
        {"bootstrap.servers": bootstrap, "enable.idempotence": True, "linger.ms": 5, "batch.size": 256 * 1024}
    )
    numbers: dict[bytes, int] = {}
    failures: list[str] = []

    def delivered(error: object, _: object) -> None:
        if error is not None:
            failures.append(str(error))

    began = time.perf_counter()
    for sent, (table_id, raw) in enumerate(events):
        number = numbers.get(table_id)
        if number is None:
            number = numbers[table_id] = partition_of(table_id.decode(), partitions)
        while True:
            try:
                producer.produce(topic, raw, table_id, number, on_delivery=delivered)
                break
            except BufferError:
                producer.poll(0.05)
        if sent % 64 == 0:
            producer.poll(0)
            if rate and sent > (time.perf_counter() - began) * rate:
                time.sleep(BURST_S)
    producer.flush()
    if failures:
        raise RuntimeError(f"{len(failures)} events were not delivered, the first for: {failures[0]}")
    return time.perf_counter() - began


def main() -> None:
    path, bootstrap, topic, partitions, rate = sys.argv[1:]
    seed, colon, rest = path.partition(":")
    if colon:
        first, _, count = rest.partition(":")
        events = made_events(int(seed), int(first), int(count))
    else:
        events = read_events(Path(path))
    print(send(events, bootstrap, topic, int(partitions), float(rate)))


if __name__ == "__main__":
    main()
