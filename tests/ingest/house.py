"""A log, keys and a lake in a folder, and workers on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.keys import KeyRing
from ingest.lake import Lake
from ingest.sqlite_log import SqliteLog
from ingest.worker import Processed, ProgressCallback, Worker
from tests.ingest.fake_replay import FakeReplay
from tests.ingest.files_of_lake import tree
from tests.ingest.log_contract import TOPIC
from tests.lake_content import Content, content_of, wrong_checkpoints


class House:
    """A log, a key ring and as many lakes as wanted, in one folder."""

    def __init__(self, folder: Path, partitions: int = 1) -> None:
        self.folder = folder
        self.log = SqliteLog(folder / "log.db", partitions=partitions)
        self.keys = KeyRing(folder / "keys")

    def append(self, records: Iterable[tuple[str, bytes]], batch: int = 50, step_us: int = 1_000_000) -> None:
        """Batches, each a second after the one before."""
        records = list(records)
        for start in range(0, len(records), batch):
            self.log.append(TOPIC, records[start : start + batch], timestamp_us=start // batch * step_us)

    @contextmanager
    def worker(
        self,
        lake: str = "lake",
        partition: int = 0,
        records: int | None = None,
        read_records: int = 5_000,
        replay: type[FakeReplay] = FakeReplay,
        progress: ProgressCallback | None = None,
    ) -> Iterator[Worker]:
        with Worker(
            self.log,
            Lake(self.folder / lake),
            TOPIC,
            partition,
            self.keys,
            replay,
            segment_records=records,
            progress=progress,
            read_records=read_records,
        ) as worker:
            yield worker

    def drain(self, lake: str = "lake", records: int | None = None, read_records: int = 5_000) -> Processed:
        with self.worker(lake, records=records, read_records=read_records) as worker:
            return worker.drain()

    def content(self, lake: str = "lake") -> Content:
        found = Lake(self.folder / lake)
        assert found.check() == []
        content = content_of(found, TOPIC)
        assert wrong_checkpoints(found, TOPIC, content) == []
        return content

    def tree(self, lake: str = "lake") -> dict[str, bytes]:
        assert Lake(self.folder / lake).check() == []
        return tree(self.folder / lake)

    def table(self, name: str, lake: str = "lake", partition: int = 0) -> pa.Table:
        segments = Lake(self.folder / lake).segments(TOPIC, partition)
        return pa.concat_tables(pq.read_table(segment.path / name, partitioning=None) for segment in segments)

    def codes(self, lake: str = "lake") -> list[tuple[str, str, int]]:
        """(code, table, seq) of every finding."""
        found = self.table("findings.parquet", lake)
        return sorted(zip(*(found[name].to_pylist() for name in ("code", "table_id", "seq")), strict=True))
