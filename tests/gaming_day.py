"""A simulated gaming day taken through the real pipeline, for the tests that look at the whole."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from console.home import TOPIC
from ingest.keys import KeyRing
from ingest.lake import Lake
from ingest.quality import check_quality
from ingest.simulator import Labels, Plan, simulate, table_keys
from ingest.sqlite_log import SqliteLog
from ingest.worker import Worker
from replay.stream import Replay
from tests.lake_content import Content, content_of, wrong_checkpoints

TIMESTAMP_US = 1_794_945_600_000_000
NEXT_EVENING_US = TIMESTAMP_US + 24 * 3600 * 1_000_000
"""When a day's file may arrive too: then a table's clock may have gone on for a day (LOG_BEHIND_US of the gate)."""


@dataclass
class Day:
    """A home made by hand: log, keys and lake in a folder."""

    folder: Path
    partitions: int = 2
    labels: Labels = field(default_factory=Labels)

    def record(self, plan: Plan, logged_us: int = TIMESTAMP_US) -> Day:
        """Appends the simulated day to the log and registers its keys."""
        for table_id, public in table_keys(plan).items():
            self.keys.register(table_id, public)
        self.append(list(simulate(plan, self.labels)), logged_us)
        return self

    def append(self, records: Iterable[tuple[str, bytes]], logged_us: int = TIMESTAMP_US) -> None:
        log = self.log()
        log.append(TOPIC, list(records), logged_us)
        log.close()

    @property
    def keys(self) -> KeyRing:
        return KeyRing(self.folder / "keys")

    def log(self) -> SqliteLog:
        return SqliteLog(self.folder / "log.sqlite", partitions=self.partitions)

    def run(self, lake: str = "lake", segment_records: int = 50_000, read_records: int = 5_000) -> Day:
        log = self.log()
        for partition in range(self.partitions):
            with Worker(
                log,
                Lake(self.folder / lake),
                TOPIC,
                partition,
                self.keys,
                Replay,
                segment_records=segment_records,
                read_records=read_records,
            ) as worker:
                worker.drain()
        log.close()
        return self

    def table(self, name: str, lake: str = "lake") -> pa.Table:
        """rounds, findings or events of all segments, in order."""
        paths = sorted((self.folder / lake).rglob(f"{name}.parquet"))
        return pa.concat_tables([pq.read_table(path) for path in paths])

    def quality_failures(self, lake: str = "lake") -> list[dict[str, Any]]:
        """Checks the data, and what failed, of all segments and gaming days."""
        check_quality(Lake(self.folder / lake), TOPIC)
        results = sorted((self.folder / lake / TOPIC / "quality").rglob("*.json"))
        documents = [orjson.loads(path.read_bytes()) for path in results]
        return [failure for document in documents for failure in document.get("failures", [])]

    def content(self, lake: str = "lake") -> Content:
        """What the lake says, apart from how it was cut; every checkpoint is held against it."""
        found = Lake(self.folder / lake)
        content = content_of(found, TOPIC)
        assert wrong_checkpoints(found, TOPIC, content) == []
        return content

    def bytes_of_lake(self, lake: str = "lake") -> dict[str, str]:
        """Every committed file with the hash of its bytes (lock files are nobody's content)."""
        root = self.folder / lake
        return {
            str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(root.rglob("*"))
            if path.is_file() and path.suffix in (".parquet", ".json")
        }
