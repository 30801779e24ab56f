"""Retention: the events of old segments leave the lake, and what they proved stays proved.

A policy says how long the records' bytes are kept at hand. What is older is *retired*: `events.parquet`, by far the
biggest file, is moved to an archive or removed, and a note signed with the lake's key takes its place, with the hash of
every record (ingest/seal/retired.py). Rounds, verdicts, findings, checkpoints and the manifests' chain stay, and so do
all proofs of other records and of growth. Lost with the bytes: what exactly was said. From an archive it can be brought
back, and nothing else fits: the sealed manifest names the file by its SHA-256.

How a segment is retired (`Retention.retire`), each step only after the one before:

1. the partition's work is locked (ingest/partition_work.py): no compaction meanwhile;
2. the segment is verified: files, seal, tree;
3. with an archive, `events.parquet` is copied there, fsynced, held against its manifest and renamed into place;
4. the file `retired` is made under `.compacting`, fsynced, and renamed into the segment: from here on it is retired;
5. `events.parquet` is removed, and the folder is fsynced.

Killed between 4 and 5 both are there, and verify; run again, the rest is done. To bring one back is the same in
reverse. The newest segments, and those whose replaced ones still wait beside them, are left alone.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import file_digest
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.durable import copy_file, fsync_folder, make_folders, write_file
from ingest.lake import MANIFEST, LakeError, Segment
from ingest.partition_work import PartitionWork
from ingest.seal.lake_tree import raw_records
from ingest.seal.merkle import leaf_hashes
from ingest.seal.note import NoteError
from ingest.seal.retired import retired_file
from ingest.segments import EVENTS
from schemas.segments import RETIRED

DAY_US = 86_400_000_000


@dataclass(frozen=True)
class Old:
    """A segment that the policy says is to be retired."""

    segment: Segment
    records: int
    bytes: int  # of its events.parquet
    newest_us: int


class Retention(PartitionWork):
    """The one retention of a partition; use it as a context manager."""

    def old(self, before_us: int) -> list[Old]:
        """The segments whose newest record the log had before `before_us`, up to the first younger one."""
        waiting = self._lake.replaced(self._topic, self._partition)
        chosen = []
        for segment in self._settled():
            path = segment.path / EVENTS
            if not path.exists() and (segment.path / RETIRED).exists():
                continue
            if any(segment.first <= one.first and one.last <= segment.last for one in waiting):
                break
            records, newest_us = _look(path)
            if newest_us >= before_us:
                break
            chosen.append(Old(segment, records, path.stat().st_size, newest_us))
        return chosen

    def retire(self, old: Old, archive: Path | None, why: str, now: datetime | None = None) -> int:
        """Retire one; how many bytes that freed. `archive`: where its events go, or None to have them removed."""
        segment = old.segment
        path = segment.path / EVENTS
        self._verify(segment, self._before(segment))  # step 2
        try:
            if archive is not None:
                self._archive(segment, archive)  # step 3
            if not (segment.path / RETIRED).exists():
                when = (now or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
                making = self._work / f"{RETIRED}-{segment.path.name}"
                write_file(making, self._retired(segment, when, why))
                os.rename(making, segment.path / RETIRED)  # step 4
                fsync_folder(segment.path)
            path.unlink()  # step 5
            fsync_folder(segment.path)
        except OSError as error:
            raise LakeError(f"{path} could not be retired: {error}; run again when that is mended") from error
        except NoteError as error:
            raise LakeError(f"{segment.path} could not be retired: {error}") from error
        return old.bytes - (segment.path / RETIRED).stat().st_size

    def retired(self) -> list[Segment]:
        """The segments that are retired, or nearly: one whose retiring or bringing back was killed has both files."""
        found = self._lake.segments(self._topic, self._partition)
        return [one for one in found if (one.path / RETIRED).exists()]

    def bring_back(self, segment: Segment, archive: Path) -> int | None:
        """Put a retired segment's events back from the archive; how many bytes, or None where it has them not."""
        source = self._archived(segment, archive)
        if not source.exists():
            return None
        try:
            making = self._work / f"{EVENTS}-{segment.path.name}"
            making.unlink(missing_ok=True)
            digest, length = copy_file(source, making, 0o644)
            if digest != self._named(segment):
                raise LakeError(f"{source} is not the file that was sealed; nothing was brought back")
            os.rename(making, segment.path / EVENTS)
            fsync_folder(segment.path)
            self._verify(segment, self._before(segment))
            (segment.path / RETIRED).unlink()
            fsync_folder(segment.path)
        except OSError as error:
            raise LakeError(
                f"{segment.path} could not be brought back: {error}; run again when that is mended"
            ) from error
        return length

    def _retired(self, segment: Segment, when: str, why: str) -> bytes:
        count = segment.last - segment.first + 1
        leaves = leaf_hashes(raw_records(segment.path / EVENTS, 0, count))
        manifest = (segment.path / MANIFEST).read_bytes()
        origin = self._lake.keys().origin(self._topic, self._partition)
        return retired_file(manifest, segment.path.name, leaves, origin, self._lake.sealing_key(), when, why)

    def _archived(self, segment: Segment, archive: Path) -> Path:
        return archive / self._topic / str(self._partition) / segment.path.name / EVENTS

    def _archive(self, segment: Segment, archive: Path) -> None:
        target = self._archived(segment, archive)
        if archive.resolve().is_relative_to(self._lake.root.resolve()):
            raise LakeError(f"{archive} is inside the lake: give a folder elsewhere, best on another disk")
        make_folders(target.parent.absolute())
        if not target.exists():
            writing = target.with_name(f".writing-{EVENTS}")
            writing.unlink(missing_ok=True)  # of a retention that was killed
            copy_file(segment.path / EVENTS, writing, 0o644)
            os.rename(writing, target)
            fsync_folder(target.parent)
        if _sha256(target) != self._named(segment):
            raise LakeError(f"{target} is not the file that was sealed: nothing was retired; see to the archive's disk")

    def _named(self, segment: Segment) -> str:
        return str(self._lake.manifest(segment)["files"][EVENTS]["sha256"])


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _look(path: Path) -> tuple[int, int]:
    """How many records an events.parquet has, and when the log had the newest."""
    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
            groups = [file.metadata.row_group(at) for at in range(file.num_row_groups)]
            column = names.index("timestamp_us")
            return file.metadata.num_rows, max((group.column(column).statistics.max for group in groups), default=0)
    except (OSError, pa.ArrowException, ValueError, AttributeError) as error:
        why = " ".join(str(error).split())
        raise LakeError(f"{path} cannot be read: {why}; type `muckraker verify` and restore the file") from error
