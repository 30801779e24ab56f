"""A worker in a process of its own, to be killed: `python -m tests.ingest.worker_process LOG LAKE KEYS RECORDS`."""

from __future__ import annotations

import sys
from pathlib import Path

from ingest.keys import KeyRing
from ingest.lake import Lake
from ingest.sqlite_log import SqliteLog
from ingest.worker import Worker
from tests.ingest.fake_replay import FakeReplay
from tests.ingest.log_contract import TOPIC


def main(log_path: str, lake_path: str, keys_path: str, segment_records: str) -> None:
    log = SqliteLog(Path(log_path))
    keys = KeyRing(keys_path)
    for partition in range(log.partitions(TOPIC)):
        with Worker(
            log, Lake(lake_path), TOPIC, partition, keys, FakeReplay, segment_records=int(segment_records)
        ) as worker:
            print("ready", flush=True)
            worker.drain()
    log.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
