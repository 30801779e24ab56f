"""Who reads the same bytes in the ingest benchmark, each in a process of its own; prints what it did as JSON.

`python -m benchmarks.ingest_contestants kafka-python|kafka-python-defaults|confluent-kafka BOOTSTRAP TOPIC ENDS` reads
every record up to the ends and does nothing with it. `... worker HOME ENDS [STEP]` is `muckraker run --follow`
(console/pipeline.py) with somebody watching: it prints a line when it has taken a partition and one when it has reached
the ends of those it has, and goes on until SIGTERM. ENDS is a JSON list of offsets, one for each partition.

The consumers have the settings our own has (big fetches, no metrics), which makes them the stronger opponents;
`kafka-python-defaults` has those it comes with.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Event, Thread
from types import FrameType
from typing import Any

from ingest.metrics import Metrics

POLL_RECORDS = 4_000
FETCH_BYTES = 4 << 20
LOOK_S = 0.02
SAMPLE_S = 0.1
MEMORY_STEP = 1_000_000  # records between two looks at the memory, unless STEP says otherwise
OURS: dict[str, Any] = {
    "max_partition_fetch_bytes": FETCH_BYTES,
    "max_poll_records": POLL_RECORDS,
    "metrics_enabled": False,
}


def cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def say(**members: object) -> None:
    print(json.dumps(members), flush=True)


def rss_bytes() -> int:
    """Memory this process has at the moment."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def read_with_kafka_python(bootstrap: str, topic: str, ends: Sequence[int], settings: dict[str, Any]) -> None:
    from kafka import KafkaConsumer, TopicPartition

    consumer = KafkaConsumer(
        bootstrap_servers=bootstrap,
        group_id=None,
        enable_auto_commit=False,
        **settings,
    )
    partitions = [TopicPartition(topic, number) for number in range(len(ends))]
    consumer.assign(partitions)
    consumer.seek_to_beginning(*partitions)
    total, records, size = sum(ends), 0, 0
    began, began_cpu = time.perf_counter(), cpu_s()
    while records < total:
        for batch in consumer.poll(timeout_ms=1_000).values():
            records += len(batch)
            for record in batch:
                size += len(record.value)
    say(records=records, bytes=size, seconds=time.perf_counter() - began, cpu_seconds=cpu_s() - began_cpu)
    consumer.close(autocommit=False)


def read_with_confluent_kafka(bootstrap: str, topic: str, ends: Sequence[int]) -> None:
    from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "bare",
            "enable.auto.commit": False,
            "check.crcs": True,
            "max.partition.fetch.bytes": FETCH_BYTES,
        }
    )
    consumer.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in range(len(ends))])
    total, records, size = sum(ends), 0, 0
    began, began_cpu = time.perf_counter(), cpu_s()
    while records < total:
        for record in consumer.consume(POLL_RECORDS, 1.0):
            value = record.value()
            if value is not None and record.error() is None:
                records += 1
                size += len(value)
    say(records=records, bytes=size, seconds=time.perf_counter() - began, cpu_seconds=cpu_s() - began_cpu)
    consumer.close()


class Watching(Metrics):
    """The metrics of a worker, and when it did what."""

    def __init__(self, memory_step: int) -> None:
        super().__init__("benchmark")
        self._memory_step = memory_step
        self.commits: list[tuple[float, int, int, float]] = []  # when, which partition, how many records, how long
        self.samples: list[tuple[float, float, dict[int, int]]] = []  # when, CPU time until then, positions
        self.verdicts: list[tuple[float, float]] = []  # log time of a round's last record, seconds until its verdict
        self.records = 0  # in the lake

    def judged(self, concluded: Any, closed_us: Sequence[int]) -> None:
        super().judged(concluded, closed_us)
        now_s = time.time()
        self.verdicts += [(stamp_us / 1e6, round(now_s - stamp_us / 1e6, 4)) for stamp_us in closed_us]

    def committed(
        self, partition: int, segment: Any, manifest: dict[str, Any], seconds: float, closed_us: Sequence[int]
    ) -> None:
        super().committed(partition, segment, manifest, seconds, closed_us)
        records = segment.last - segment.first + 1
        self.commits.append((time.time(), partition, records, round(seconds, 4)))
        if self.records // self._memory_step != (self.records + records) // self._memory_step:
            del self.verdicts[:]  # nobody asks for latencies in a run of millions, and they are memory themselves
            say(records=self.records + records, rss_bytes=rss_bytes())
        self.records += records


class _WhenTaken(logging.Handler):
    """Says when the worker has a partition, in the benchmark's own lines."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() == "took a partition":
            say(took=getattr(record, "partition", None), at=time.time(), cpu_seconds=cpu_s())


def work(home: Path, ends: Sequence[int], memory_step: int = MEMORY_STEP) -> None:
    from console.home import open_home
    from console.pipeline import follow
    from ingest.gate.gate import Gate  # noqa: F401 - what a worker imports is imported before the clock runs
    from replay.stream import Replay  # noqa: F401

    stop, watching = Event(), Watching(memory_step)

    def on_signal(_: int, __: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, on_signal)
    logger = logging.getLogger("muckraker")
    logger.setLevel(logging.INFO)
    logger.addHandler(_WhenTaken())

    def look() -> None:
        said: list[int] = []
        while not stop.wait(LOOK_S):
            stands = watching.statuses()
            if stands and (not watching.samples or time.time() - watching.samples[-1][0] > SAMPLE_S):
                where = {status.partition: status.position for status in stands}
                watching.samples.append((time.time(), round(cpu_s(), 4), where))
            reached = [status.partition for status in stands if status.position >= ends[status.partition]]
            if reached != said and len(reached) == len(stands):
                said = reached
                say(reached=reached, at=time.time(), cpu_seconds=cpu_s())

    Thread(target=look, daemon=True).start()
    report = follow(open_home(home), stop, metrics=watching)
    say(
        rounds=report.rounds,
        findings=report.findings,
        commits=watching.commits,
        samples=watching.samples,
        verdicts=watching.verdicts,
        cpu_seconds=cpu_s(),
    )


def main() -> None:
    match sys.argv[1:]:
        case ["kafka-python", bootstrap, topic, ends]:
            read_with_kafka_python(bootstrap, topic, json.loads(ends), OURS)
        case ["kafka-python-defaults", bootstrap, topic, ends]:
            read_with_kafka_python(bootstrap, topic, json.loads(ends), {})
        case ["confluent-kafka", bootstrap, topic, ends]:
            read_with_confluent_kafka(bootstrap, topic, json.loads(ends))
        case ["worker", home, ends]:
            work(Path(home), json.loads(ends))
        case ["worker", home, ends, step]:
            work(Path(home), json.loads(ends), int(step))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
