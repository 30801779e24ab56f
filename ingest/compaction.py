"""Compaction: one big segment in the place of many small ones, without changing anything anybody can see or prove.

A worker cuts a segment for every verdict that somebody may wait for: a year of that is millions of folders. So whoever
follows merges beside it, all the time (`next_tier`; console/merging_beside.py): sixteen neighbours of one size become
one of the next, up to 65,536 records. So a reader opens one segment for each 65,536 records, a few dozen smaller ones
(256 at most: of any sixteen neighbours that are left, one is bigger than the others together), and those of the last
minute. `muckraker compact` (`runs`) makes bigger ones still.

The Merkle tree is over records, so segments can be merged and no proof
changes: events and rounds are put one after the other, findings in their one order, every checkpoint and every hash
kept for proofs is carried over, and the new manifest says whose place it takes. Only the states of the inner segments
are left out; a worker starts from the last one, which is never touched.

How a run of neighbours is replaced (`Compaction`), each step only after the one before:

1. the partition's folder `.compacting` is locked, and what a crashed compaction left in it is removed;
2. every segment of the run is verified: files against manifest, seal, and the tree worked out anew from the events'
   bytes against every checkpoint. The new segment gets the lake's seal, so that nothing forged may get into it;
3. the new segment is written under `.compacting`, each file fsynced;
4. it is read back and held against the old ones, and its seal and tree are checked;
5. it is renamed to its place among the segments, and the folder is fsynced: from here on it counts and the old ones do
   not (`schemas.segments.standing`);
6. when readers that listed the old ones are done (a grace; a reader that takes longer lists them anew), and the new one
   is found intact once more, the old ones are moved into `.compacting` and removed.

Killed before 5 the old segments count, after it the new one; never both and never neither. The newest segments, and
those behind the newest state, are left alone, so a worker may go on writing, or another one start, all the while.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.durable import fsync_folder
from ingest.lake import MANIFEST, LakeError, Segment
from ingest.partition_work import PartitionWork
from schemas.findings import in_one_order
from schemas.segments import RETIRED, replaced, segment_name, standing

TARGET_RECORDS = 500_000
MOST_RECORDS = 5_000_000
MOST_RAW_BYTES = 1 << 30  # a column of more than 2 GiB could not be written in one piece
HOUR_US = 3_600_000_000
TIER = 16  # so many neighbours of one size are merged, and a size is so many times the one before
BIGGEST_TIER = 3  # what is bigger than TIER ** (BIGGEST_TIER + 1) records is not merged in the background
TIER_GRACE_HOURS = 1.0
TABLES = ("events", "findings", "rounds")


@dataclass(frozen=True)
class Looked:
    """A segment and what its files' footers say."""

    segment: Segment
    records: int
    raw_bytes: int
    newest_us: int
    schemas: tuple[pa.Schema, ...]


@dataclass(frozen=True)
class Merged:
    """A run of neighbours and what replaced, or would replace, them."""

    topic: str
    partition: int
    first: int
    last: int
    segments: int
    bytes_before: int
    bytes_after: int | None  # None: only planned

    @property
    def name(self) -> str:
        return f"{self.topic}/{self.partition}/{segment_name(self.first, self.last)}"


@dataclass(frozen=True)
class Removed:
    """Replaced segments that are gone, and those that still wait for their grace to pass."""

    removed: int
    waiting: int
    bytes: int


class Compaction(PartitionWork):
    """The one compaction of a partition; use it as a context manager."""

    # --- choosing -----------------------------------------------------------------------------------------------------

    def runs(self, target_records: int = TARGET_RECORDS, behind_hours: float = 24) -> list[list[Looked]]:
        """Neighbours to be merged: two segments at least, up to `target_records` together, and none that ends less than
        `behind_hours` of log time before the partition's newest record. A gaming day has 24 hours at most: what is
        further behind belongs to one that is over.
        """
        found = self._lake.segments(self._topic, self._partition)
        if not self._settled():
            return []
        border_us = _look(found[-1]).newest_us - int(behind_hours * HOUR_US)
        runs: list[list[Looked]] = []
        run: list[Looked] = []
        for segment in self._settled():
            if (segment.path / RETIRED).exists():  # its events are gone, and its neighbours' are not
                runs.append(run)
                run = []
                continue
            looked = _look(segment)
            if looked.newest_us > border_us:
                break
            if run and not _fits(run, looked, target_records):
                runs.append(run)
                run = []
            run.append(looked)
        runs.append(run)
        return [run for run in runs if len(run) > 1]

    def next_tier(self) -> list[Looked]:
        """The next neighbours that the background merges: TIER of the smallest size there are so many of in a row, the
        oldest first, and none that is bigger than the others together; none when there are none."""
        found = self._settled()
        for tier in range(BIGGEST_TIER + 1):
            run: list[Segment] = []
            for segment in found:
                small = segment.last - segment.first < TIER ** (tier + 1)
                run = [*run[1 - TIER :], segment] if small and not (segment.path / RETIRED).exists() else []
                sizes = [one.last - one.first + 1 for one in run]
                if len(run) == TIER and 2 * max(sizes) <= sum(sizes):
                    looked = [_look(one) for one in run]
                    if all(one.schemas == looked[0].schemas for one in looked):
                        return looked
        return []

    def planned(self, run: Sequence[Looked]) -> Merged:
        return Merged(
            self._topic,
            self._partition,
            run[0].segment.first,
            run[-1].segment.last,
            len(run),
            sum(_bytes_of(looked.segment) for looked in run),
            None,
        )

    # --- merging ------------------------------------------------------------------------------------------------------

    def merge(self, run: Sequence[Looked]) -> Merged:
        """Put one segment in the place of these; see the module's text for the steps."""
        segments = [looked.segment for looked in run]
        plan = self.planned(run)
        before = self._before(segments[0])
        previous = before
        for segment in segments:  # step 2
            self._verify(segment, previous)
            previous = segment
        name = segment_name(plan.first, plan.last)
        writing = Segment(self._work / name, plan.first, plan.last)
        final = self._folder / name
        try:
            tables = {table: _joined(segments, table) for table in TABLES}
            tables["findings"] = in_one_order(tables["findings"])
            os.mkdir(writing.path)
            self._lake.write_merged(writing.path, self._topic, self._partition, segments, tables)  # step 3
            for table, rows in tables.items():  # step 4
                if not _joined([writing], table).equals(rows):
                    raise LakeError(
                        f"{writing.path / table}.parquet reads otherwise than it was written; see to the disk"
                    )
            self._verify(writing, before)
            os.rename(writing.path, final)  # step 5
            fsync_folder(self._folder)
        except (OSError, pa.ArrowException) as error:
            raise LakeError(
                f"{final} could not be written: {error}; the segments it would replace are untouched: free space or "
                f"mend the disk that holds {self._folder}, then run again"
            ) from error
        finally:
            shutil.rmtree(writing.path, ignore_errors=True)  # if even that fails, the next compaction removes it
        after = _bytes_of(Segment(final, plan.first, plan.last))
        return Merged(plan.topic, plan.partition, plan.first, plan.last, plan.segments, plan.bytes_before, after)

    # --- removing -----------------------------------------------------------------------------------------------------

    def remove_replaced(self, grace_hours: float = 24) -> Removed:
        """Remove the segments that were replaced more than `grace_hours` ago (step 6)."""
        names = os.listdir(self._folder)
        big = [Segment(self._folder / name, first, last) for first, last, name in standing(names)]
        every = [*big, *(Segment(self._folder / name, first, last) for first, last, name in replaced(names))]
        removed = waiting = freed = 0
        intact: set[Segment] = set()
        for first, last, name in replaced(names):
            old = Segment(self._folder / name, first, last)
            new = next(segment for segment in big if segment.first <= first and last <= segment.last)
            try:
                # Readers that listed it did so before the first of those that replaced it was there.
                covers = [one for one in every if one != old and one.first <= first and last <= one.last]
                age_s = max(time.time() - os.stat(one.path / MANIFEST).st_mtime for one in covers)
                if age_s < grace_hours * 3600:
                    waiting += 1
                    continue
                if new not in intact:
                    self._verify(new, self._before(new))
                    intact.add(new)
                size = _bytes_of(old)
                going = self._work / name
                os.rename(old.path, going)  # at once: a segment is never seen with half of its files
                every.remove(old)
                shutil.rmtree(going)
            except OSError as error:
                raise LakeError(f"{old.path} could not be removed: {error}; run again when that is mended") from error
            removed += 1
            freed += size
        if removed:
            fsync_folder(self._folder)
        return Removed(removed, waiting, freed)


def _look(segment: Segment) -> Looked:
    schemas = []
    raw_bytes, newest_us, records = 0, 0, 0
    for table in TABLES:
        path = segment.path / f"{table}.parquet"
        try:
            with pq.ParquetFile(path) as file:
                schemas.append(file.schema_arrow)
                if table == "events":
                    metadata = file.metadata
                    column = {metadata.schema.column(at).name: at for at in range(metadata.num_columns)}
                    records = metadata.num_rows
                    for group in range(metadata.num_row_groups):
                        rows = metadata.row_group(group)
                        raw_bytes += rows.column(column["raw"]).total_uncompressed_size
                        newest_us = max(newest_us, rows.column(column["timestamp_us"]).statistics.max)
        except (OSError, pa.ArrowException, KeyError, AttributeError) as error:
            why = " ".join(str(error).split())
            raise LakeError(f"{path} cannot be read: {why}; type `muckraker verify` and restore the file") from error
    return Looked(segment, records, raw_bytes, newest_us, tuple(schemas))


def _fits(run: Sequence[Looked], more: Looked, target_records: int) -> bool:
    """Whether one more segment may join the run; another version of Muckraker may have written other columns."""
    return (
        sum(looked.records for looked in run) + more.records <= target_records
        and sum(looked.raw_bytes for looked in run) + more.raw_bytes <= MOST_RAW_BYTES
        and run[-1].schemas == more.schemas
    )


def _joined(segments: Sequence[Segment], table: str) -> pa.Table:
    """A table of these segments, one after the other and in one piece, so that how it was cut does not show."""
    paths = [segment.path / f"{table}.parquet" for segment in segments]
    return pa.concat_tables([pq.read_table(path, partitioning=None) for path in paths]).combine_chunks()


def _bytes_of(segment: Segment) -> int:
    return sum(path.stat().st_size for path in segment.path.iterdir())
