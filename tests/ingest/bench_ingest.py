"""How fast the road from log to lake is: `python -m tests.ingest.bench_ingest [--signed]`. Not run by the tests.

CPU time, best of several runs, so that a busy machine disturbs it least. `--signed` signs every round.closed.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from ingest.gate.gate import Gate
from ingest.lake import Lake
from ingest.log import LogRecord
from ingest.sqlite_log import SqliteLog
from ingest.worker import Worker
from schemas.admitted import Admitted, Concluded, History, ReplayCut
from schemas.events import parse_event
from tests.ingest.device import TableDevice, interleaved
from tests.ingest.key_rings import MemoryKeys
from tests.ingest.log_contract import TOPIC

RECORDS = 50_000


class NoReplay:
    def restore(self, state: dict[str, Any], history: History) -> None: ...

    def feed(self, admitted: Admitted) -> None: ...

    waiting = 0

    def advance(self) -> Concluded | None:
        return None

    def cut(self) -> ReplayCut:
        return ReplayCut(pa.table({"round_id": pa.array([], pa.string())}), [])

    def state(self) -> dict[str, Any]:
        return {}


def best_us(
    work: Callable[[], object], records: int, runs: int, clock: Callable[[], float] = time.process_time
) -> float:
    """Microseconds a record in the best of so many runs."""
    best = float("inf")
    for _ in range(runs):
        start = clock()
        work()
        best = min(best, clock() - start)
    return best / records * 1e6


def show(name: str, us: float) -> None:
    print(f"{name:34s} {us:7.2f} us  {1e6 / us:12,.0f} /s")


def main(signed: bool) -> None:
    devices = [TableDevice(f"PG-{number:02d}", signs=signed) for number in range(20)]
    keys = MemoryKeys(*devices)
    records = list(interleaved({device.table_id: device.rounds(300) for device in devices}))[:RECORDS]
    logged = [LogRecord(offset, offset, key, raw) for offset, (key, raw) in enumerate(records)]
    print(f"{len(records):,} events of {sum(len(raw) for _, raw in records) / len(records):.0f} bytes, 20 tables")

    def judge() -> None:
        gate = Gate(keys)
        for record in logged[:4_000]:
            gate.admit(record)

    def parse() -> None:
        for record in logged[:4_000]:
            parse_event(record.value)

    with tempfile.TemporaryDirectory() as folder:
        log = SqliteLog(Path(folder) / "log.db", partitions=1)
        sized = [(key, raw.ljust(400)) for key, raw in records]

        def append() -> None:
            for start in range(0, RECORDS, 10_000):
                log.append("sized", sized[start : start + 10_000])

        def read() -> None:
            offset = 0
            while offset < RECORDS:
                offset += len(log.read("sized", 0, offset, 2_000))

        show("append, 400 bytes (wall clock)", best_us(append, RECORDS, 4, time.perf_counter))
        show("read, 400 bytes (wall clock)", best_us(read, RECORDS, 6, time.perf_counter))
        gc.disable()
        show("parse_event alone", best_us(parse, 4_000, 25))
        show("gate", best_us(judge, 4_000, 25 if not signed else 3))
        gc.enable()
        log.append(TOPIC, records, timestamp_us=1)
        lakes = iter(range(100))

        def drain() -> None:
            with Worker(log, Lake(Path(folder) / f"lake{next(lakes)}"), TOPIC, 0, keys, NoReplay) as worker:
                worker.drain()

        show("log -> gate -> lake, no replay", best_us(drain, RECORDS, 6 if not signed else 2))
        size = sum(path.stat().st_size for path in (Path(folder) / "lake0").rglob("*.parquet"))
        print(f"{size / RECORDS:.0f} bytes of Parquet an event")
        log.close()


if __name__ == "__main__":
    main("--signed" in sys.argv[1:])
