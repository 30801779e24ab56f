"""The lake: segments of Parquet files that are written once, completely or not at all, and never changed.

A segment is the folder `<root>/<topic>/<partition>/<first offset>-<last offset>/` with `events.parquet`,
`rounds.parquet`, `findings.parquet`, `state.json`, what the seal adds (`checkpoints` and `tree.hashes`, see
ingest/seal/segment_seal.py), `manifest.json` and `seal`. `state.json` is what the worker has to remember, in one of
many segments: whoever starts reads the newest and the records behind it (the manifest says in `state_offset` which).
The same content and the same key give the same bytes: writer settings are fixed, JSON keys are sorted, signatures are
deterministic, and no clock is read. Where the log was cut shows in the files, and in nothing they say: rounds,
findings, leaves and proofs are the same for any cuts. Each manifest names its
files by SHA-256, the topic's settings and the manifest before it, and is signed, so the newest one vouches for the
whole partition. The lake knows what a segment is made of, and nothing of how its content came about.

How a segment gets there (`Lake.commit`), each step only after the one before:

1. a folder `.writing-<first>-<last>.<random>` is made beside the segments;
2. the eight files are written into it and fsynced;
3. the folder is fsynced;
4. it is renamed to its final name: from here on the segment exists;
5. the partition's folder is fsynced: from here on it survives a power cut.

A crash before 4 leaves a `.writing-` folder that the next owner removes; a crash between 4 and 5 leaves the segment
there or not, complete in either case. An error of the disk at any step is a LakeError, and the run can be repeated.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.durable import fsync_folder, make_folders, write_file, write_files
from ingest.gate.words import ABORTED_REASON, SKIPPED, RoundEvent
from ingest.lake_check import check_lake
from ingest.log import AbortedRecord, LogRecord, TransactionMarker
from ingest.round_rows import round_rows_in
from ingest.seal.merkle import GrowingTree, leaf_hashes
from ingest.seal.note import NoteError
from ingest.seal.segment_seal import (
    CHECKPOINTS,
    HASHES,
    SEAL,
    KeptHashes,
    check_seal,
    checkpoint_of,
    joined_checkpoints,
    kept_hashes,
    manifest_seal,
    merged_hashes,
)
from ingest.seal.signer import LakeKeys, SealKeyError, Signer, read_or_make_key, read_public
from ingest.segment_bytes import counts_of, json_bytes, merged_index, parquet_bytes, table_index
from ingest.segments import (
    COMPACTING,
    EVENTS,
    EVENTS_SCHEMA,
    FORMAT,
    LOCK,
    MANIFEST,
    PARTITION_NAME,
    SEGMENT_FILES,
    SETTINGS,
    WRITING,
    Damage,
    LakeError,
    OwnedElsewhere,
    Segment,
    SegmentContent,
    events_table,
    other_format,
)
from schemas.segments import Span, replaced, segment_name, standing

__all__ = (
    "COMPACTING",
    "EVENTS_SCHEMA",
    "LOCK",
    "MANIFEST",
    "SEGMENT_FILES",
    "Damage",
    "Lake",
    "LakeError",
    "OwnedElsewhere",
    "Segment",
    "SegmentContent",
    "events_table",
)


_LOGGED = ("offset", "timestamp_us", "table_id", "raw", "status", "reason")


class _Tail(NamedTuple):
    """Where a partition ends: what the next segment is attached to."""

    next_offset: int | None  # None: the lake may begin anywhere
    manifest_sha: str | None
    tree_first: int
    tree: GrowingTree


class Lake:
    """The segments under `root`. Anyone may read; a partition is written by the process that owns it."""

    def __init__(self, root: str | Path, key: Signer | Path | None = None) -> None:
        """`key` is what seals: a signer, or the key file's path (by default `seal/lake.key` beside the lake).

        Reading needs no key. A key file is made with the lake's first segment, and never again.
        """
        self.root = Path(root)
        self.key_path = key if isinstance(key, Path) else self.root.parent / "seal" / "lake.key"
        self._signer = None if isinstance(key, Path) else key
        self._locks: dict[tuple[str, int], int] = {}  # owned partitions and their lock's file descriptor
        self._tails: dict[tuple[str, int], _Tail] = {}  # of owned partitions, once something was committed

    # --- owning -------------------------------------------------------------------------------------------------------

    def own(self, topic: str, partition: int) -> None:
        """Become the partition's one writer, and clear away what a crashed one left half-written."""
        folder = self._partition(topic, partition)
        try:
            make_folders(folder)
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise LakeError(
                f"{folder}: the lake cannot be written: {error.strerror}; make its folder writable"
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(lock, 32).decode("ascii", "replace").strip()
            os.close(lock)
            raise OwnedElsewhere(
                f"{folder}: another worker (process {holder or 'unknown'}) owns this part of the lake; "
                "end it first, or give this one another lake"
            ) from None
        if not _is_file(lock, folder / LOCK):
            os.close(lock)
            raise OwnedElsewhere(f"{folder}: another worker took this part of the lake over just now; try again")
        try:
            os.ftruncate(lock, 0)
            os.write(lock, f"{os.getpid()}\n".encode("ascii"))
            _clear_away(folder)
        except OSError as error:
            os.close(lock)
            raise LakeError(
                f"{folder}: could not be made ready for writing: {error}; see to the disk, then run again"
            ) from error
        self._locks[topic, partition] = lock

    def take_over(self, topic: str, partition: int) -> None:
        """Make a partition free whose owner hangs: from now on that one can commit nothing. The next step is `own`.

        Only for whoever knows that the owner has lost the partition (Kafka's group says so). Wherever the old owner
        stopped, it commits before this or never: it makes its `.writing-` folder, then finds its lock in place, then
        renames the folder. If it found its lock, the folder was there before the lock was taken away, so `own`, which
        comes after that, finds the folder and moves it out of reach; the rename either came first, and the new owner
        begins behind that segment, or fails. So segments of two owners never overlap, wherever each would have cut.
        """
        try:
            (self._partition(topic, partition) / LOCK).unlink(missing_ok=True)
        except OSError as error:
            raise _disk_error(self._partition(topic, partition) / LOCK, error) from error

    def owns(self, topic: str, partition: int) -> bool:
        """Whether this process is the partition's writer still: nobody took it over."""
        lock = self._locks.get((topic, partition))
        return lock is not None and _is_file(lock, self._partition(topic, partition) / LOCK)

    def release(self, topic: str, partition: int) -> None:
        """Let another process own the partition."""
        lock = self._locks.pop((topic, partition), None)
        self._tails.pop((topic, partition), None)
        if lock is not None:
            os.close(lock)

    # --- reading ------------------------------------------------------------------------------------------------------

    def topics(self) -> list[str]:
        if not self.root.is_dir():
            return []
        return sorted(path.name for path in self.root.iterdir() if path.is_dir() and not path.name.startswith("."))

    def partitions(self, topic: str) -> list[int]:
        """The partitions that have a folder, in order."""
        folder = self.root / topic
        if not folder.is_dir():
            return []
        return sorted(int(path.name) for path in folder.iterdir() if PARTITION_NAME.match(path.name) and path.is_dir())

    def segments(self, topic: str, partition: int) -> list[Segment]:
        """The committed segments, oldest first; those that a compacted one replaces are not among them."""
        return self._listed(topic, partition, standing)

    def replaced(self, topic: str, partition: int) -> list[Segment]:
        """Segments that a compacted one has replaced and that are not removed yet."""
        return self._listed(topic, partition, replaced)

    def _listed(self, topic: str, partition: int, chosen: Callable[[Iterable[str]], list[Span]]) -> list[Segment]:
        folder = self._partition(topic, partition)
        try:
            names = os.listdir(folder)
        except FileNotFoundError:
            return []
        return [Segment(folder / span.name, span.first, span.last) for span in chosen(names)]

    def last(self, topic: str, partition: int) -> Segment | None:
        segments = self.segments(topic, partition)
        return segments[-1] if segments else None

    def position(self, topic: str, partition: int) -> int:
        """The offset of the first log record that is not in the lake yet."""
        last = self.last(topic, partition)
        return 0 if last is None else last.last + 1

    def manifest(self, segment: Segment) -> dict[str, Any]:
        path = segment.path / MANIFEST
        manifest = _read_json(path)
        if manifest.get("format") != FORMAT:
            raise LakeError(f"{path} {other_format(manifest.get('format'))}")
        return manifest

    def newest_state(self, topic: str, partition: int) -> tuple[int, dict[str, Any]] | None:
        """The newest state there is, and the record it is of; None where nothing is recorded yet. Not every segment has
        one: `records_behind` gives the records from there on."""
        segments = self.segments(topic, partition)
        if segments:
            self._tail(topic, partition, segments[-1])
        for segment in reversed(segments):
            manifest = self._sealed_manifest(topic, partition, segment)
            if manifest["state_offset"] is not None:
                return int(manifest["state_offset"]), self.state(segment)
        return None

    def state(self, segment: Segment) -> dict[str, Any]:
        """The segment's state.json, checked against its manifest: work must not go on from a damaged one."""
        path = segment.path / "state.json"
        data = _read(path)
        self._check_named(segment, path, data)
        state: dict[str, Any] = orjson.loads(data)
        return state

    def last_record(self, segment: Segment) -> tuple[int, str, bytes]:
        """A segment's last record as the log had it: when it was recorded, its key, and its bytes."""
        columns = ["timestamp_us", "table_id", "raw"]
        try:
            with pq.ParquetFile(segment.path / EVENTS) as file:
                rows = file.read_row_group(file.num_row_groups - 1, columns=columns)
        except (OSError, pa.ArrowException) as error:
            raise LakeError(f"{segment.path / EVENTS} cannot be read: {error}; restore it from a backup") from error
        timestamp_us, key, raw = (rows[name][-1].as_py() for name in columns)
        return timestamp_us, key, raw

    def records_behind(self, topic: str, partition: int, offset: int) -> Iterator[tuple[list[LogRecord], list[int]]]:
        """The records behind this one as the log had them, some at a time, and those of them behind which the log was
        taken to have ended. Checked as `state` is."""
        for segment in self.segments(topic, partition):
            if segment.last <= offset:
                continue
            manifest = self._sealed_manifest(topic, partition, segment)
            path = segment.path / EVENTS
            data = _read(path)
            self._check_named(segment, path, data)
            try:
                rows = pq.read_table(pa.BufferReader(data), columns=list(_LOGGED))
            except pa.ArrowException as error:
                raise LakeError(f"{path} cannot be read: {error}; run the lake's check and restore the file") from error
            columns = [column.to_pylist() for column in rows.columns]
            yield (
                [_logged(*row) for row in zip(*columns, strict=True) if row[0] > offset],
                [end for end in manifest["ends"] if end > offset],
            )

    def _check_named(self, segment: Segment, path: Path, data: bytes) -> None:
        if sha256(data).hexdigest() != self.manifest(segment)["files"][path.name]["sha256"]:
            raise LakeError(
                f"{path} is damaged: it is not the file its manifest names; restore it, or remove {segment.path} and "
                "every segment behind it, to have them made again"
            )

    def _sealed_manifest(self, topic: str, partition: int, segment: Segment) -> dict[str, Any]:
        """The segment's manifest, believed under this lake's own seal only."""
        manifest = self.manifest(segment)
        key = LakeKeys.of(self.sealing_key()).verifier(topic, partition)
        data = _read(segment.path / MANIFEST)
        try:
            wrong = check_seal(_read(segment.path / SEAL), data, segment.path.name, key)
        except NoteError as error:
            raise _cannot_go_on(segment, SEAL, error) from error
        if wrong is not None:
            raise _cannot_go_on(segment, MANIFEST, wrong)
        return manifest

    def round_rows(
        self,
        topic: str,
        partition: int,
        table_id: str,
        round_id: str,
        before_offset: int,
        spans: Sequence[tuple[int, int]] | None = None,
    ) -> list[RoundEvent]:
        """The recorded events of a round from the records before `before_offset`, in order of seq.

        Newest segment first. Manifests say which seqs of the table a segment holds, so that with `spans` (first and
        last seq of each stretch that has some) only segments that can have some are opened, and the search ends at the
        segment before which the table had not got that far.
        """
        found: list[RoundEvent] = []
        earliest = None if spans is None else min(first for first, _ in spans)
        for segment in reversed(self.segments(topic, partition)):
            if segment.first >= before_offset:
                continue
            tables = self.manifest(segment)["tables"]
            if table_id not in tables:
                break  # the table had not said anything yet
            lowest, highest, top = tables[table_id]
            if earliest is not None and top < earliest:
                break
            if lowest is not None and (
                spans is None or any(first <= highest and lowest <= last for first, last in spans)
            ):
                found.extend(round_rows_in(segment, table_id, round_id, before_offset))
        return sorted(found)

    # --- writing ------------------------------------------------------------------------------------------------------

    def settle(
        self, topic: str, partition: int, wanted: dict[str, int | None], default: dict[str, int]
    ) -> dict[str, int]:
        """The topic's settings: fixed at first use (from `wanted`, else `default`) and the same ever after.

        Cuts depend on them, so a lake written with two sets of settings could not be reproduced. The caller owns
        `partition`, and a half-written file is left there for its next owner to remove.
        """
        assert (topic, partition) in self._locks, "settings are settled by an owner"
        path = self.root / topic / SETTINGS
        if not path.exists():
            chosen = {name: default[name] if value is None else value for name, value in wanted.items()}
            writing = self._partition(topic, partition) / f"{WRITING}{SETTINGS}"
            try:
                write_file(writing, json_bytes({"format": FORMAT, **chosen}))
                try:
                    os.link(writing, path)  # unlike rename, never replaces what another worker just settled
                except FileExistsError:
                    pass  # it is read below like any that was there before
                finally:
                    writing.unlink()
                fsync_folder(path.parent)
            except OSError as error:
                raise _disk_error(path, error) from error
        stored = _read_json(path)
        for name, value in wanted.items():
            if value is not None and stored.get(name) != value:
                raise LakeError(
                    f"{path}: {name} is {stored.get(name)} for this lake and {value} was asked for; segments are cut "
                    f"the same way throughout: leave it at {stored.get(name)}, or begin a new lake"
                )
        return {name: int(stored[name]) for name in wanted}

    def commit(self, topic: str, partition: int, content: SegmentContent) -> Segment:
        """Add the next segment; see the module's text for the steps."""
        folder = self._partition(topic, partition)
        if (topic, partition) not in self._locks:
            raise LakeError(f"{folder} is not owned by this process: call own() before commit()")
        tail = self._tail(topic, partition, self.last(topic, partition))
        if tail.next_offset is not None and content.first != tail.next_offset:
            raise LakeError(f"{folder}: the next segment begins at {tail.next_offset}, not at {content.first}")
        assert content.first <= content.last, (content.first, content.last)
        assert content.events.num_rows == content.last - content.first + 1, "a segment has one row for each log record"
        name = segment_name(content.first, content.last)
        # A name of its own: an owner that lost the partition without knowing may be writing the same segment.
        writing = folder / f"{WRITING}{name}-{secrets.token_hex(4)}"
        final = folder / name
        signer = self.sealing_key()
        try:
            os.mkdir(writing)  # step 1
            try:
                tail = self._write(writing, topic, partition, content, tail, signer)  # step 2
                fsync_folder(writing)  # step 3
                if not self.owns(topic, partition):
                    raise OwnedElsewhere(
                        f"{folder}: another worker took this part of the lake over; it does these records again"
                    )
                os.rename(writing, final)  # step 4
            except BaseException:
                shutil.rmtree(writing, ignore_errors=True)  # if even that fails, the next owner removes it
                raise
            self._tails[topic, partition] = tail
            fsync_folder(folder)  # step 5
        except (OSError, pa.ArrowException) as error:
            raise _disk_error(final, error) from error
        return Segment(final, content.first, content.last)

    def _write(
        self, writing: Path, topic: str, partition: int, content: SegmentContent, tail: _Tail, signer: Signer
    ) -> _Tail:
        tree = tail.tree.copy()
        tree_first = content.first if tail.next_offset is None else tail.tree_first
        completed = tree.extend(leaf_hashes(content.events["raw"].to_pylist()))
        checkpoint = checkpoint_of(tree, LakeKeys.of(signer).origin(topic, partition), signer)
        manifest_sha = self._write_files(
            writing,
            {
                CHECKPOINTS: checkpoint.note.encoded(),
                "events.parquet": parquet_bytes(content.events),
                "findings.parquet": parquet_bytes(content.findings),
                "rounds.parquet": parquet_bytes(content.rounds),
                "state.json": json_bytes(content.state),
                HASHES: kept_hashes(completed, tree),
            },
            {
                "counts": counts_of(content.events, content.findings, content.rounds),
                "ends": list(content.ends),
                "first_offset": content.first,
                "last_offset": content.last,
                "previous": tail.manifest_sha,
                "replaces": None,
                "state_offset": None if content.state is None else content.last,
                # for each table: lowest and highest seq recorded in this segment (null: none), highest ever
                "tables": table_index(content.events, content.top_seqs),
                "tree_first_offset": tree_first,
            },
            topic,
            partition,
            signer,
        )
        return _Tail(content.last + 1, manifest_sha, tree_first, tree)

    def _write_files(
        self,
        writing: Path,
        files: Mapping[str, bytes],
        said: dict[str, Any],
        topic: str,
        partition: int,
        signer: Signer,
    ) -> str:
        """Write a segment's files, its manifest and its seal; the manifest's SHA-256."""
        assert tuple(sorted(files)) == SEGMENT_FILES
        manifest = json_bytes(
            {
                **said,
                "files": {
                    name: {"bytes": len(data), "sha256": sha256(data).hexdigest()} for name, data in files.items()
                },
                "format": FORMAT,
                "settings": self.settings_sha(topic),
            }
        )
        span = segment_name(said["first_offset"], said["last_offset"])
        seal = manifest_seal(manifest, span, LakeKeys.of(signer).origin(topic, partition), signer)
        write_files(writing, {**files, MANIFEST: manifest, SEAL: seal.encoded()})
        return sha256(manifest).hexdigest()

    def write_merged(
        self, writing: Path, topic: str, partition: int, segments: Sequence[Segment], tables: Mapping[str, pa.Table]
    ) -> None:
        """Write into the folder `writing` the files of the segment that replaces these neighbours.

        `tables` are their events, findings and rounds one after the other. The tree is over records, so no proof
        changes: every checkpoint and every hash kept for proofs is carried over, and the manifest says whose place it
        takes, so that the chain of manifests goes on. Of the states the newest is kept. The folder is fsynced; to put
        it in the place of the old ones is left to whoever compacts.
        """
        signer = self.sealing_key()
        manifests = [self.manifest(segment) for segment in segments]
        first, last = segments[0], segments[-1]
        tree_first = int(manifests[0]["tree_first_offset"])
        counts = counts_of(tables["events"], tables["findings"], tables["rounds"])
        if counts["records"] != last.last - first.first + 1:
            raise LakeError(
                f"{writing}: {counts['records']} events cannot replace {first.path.name} to {last.path.name}"
            )
        states = [at for at, manifest in enumerate(manifests) if manifest["state_offset"] is not None]
        kept = states[-1] if states else -1
        try:
            hashes = merged_hashes([_kept_hashes(segment, tree_first) for segment in segments])
            manifest_data = _read(last.path / MANIFEST)
            self._write_files(
                writing,
                {
                    CHECKPOINTS: joined_checkpoints(_read(segment.path / CHECKPOINTS) for segment in segments),
                    "events.parquet": parquet_bytes(tables["events"]),
                    "findings.parquet": parquet_bytes(tables["findings"]),
                    "rounds.parquet": parquet_bytes(tables["rounds"]),
                    "state.json": _read(segments[kept].path / "state.json"),
                    HASHES: hashes,
                },
                {
                    "counts": counts,
                    "ends": [end for manifest in manifests for end in manifest["ends"]],
                    "first_offset": first.first,
                    "last_offset": last.last,
                    "previous": manifests[0]["previous"],
                    "replaces": manifests[-1]["replaces"] or sha256(manifest_data).hexdigest(),
                    "state_offset": manifests[kept]["state_offset"],
                    "tables": merged_index([manifest["tables"] for manifest in manifests]),
                    "tree_first_offset": tree_first,
                },
                topic,
                partition,
                signer,
            )
            fsync_folder(writing)
        except NoteError as error:
            raise LakeError(f"{first.path} to {last.path.name} cannot be merged: {error}") from error
        except (OSError, pa.ArrowException) as error:
            raise _disk_error(writing, error) from error

    # --- the seal -----------------------------------------------------------------------------------------------------

    def keys(self) -> LakeKeys:
        """The public half of the key that seals this lake, as it is kept beside it."""
        try:
            return read_public(self.key_path) if self._signer is None else LakeKeys.of(self._signer)
        except SealKeyError as error:
            raise LakeError(str(error)) from error

    def sealing_key(self) -> Signer:
        """What seals this lake; a LakeError where its key is gone."""
        if self._signer is None:
            if not self.key_path.exists() and any(
                self.last(topic, partition) for topic in self.topics() for partition in self.partitions(topic)
            ):
                raise LakeError(
                    f"{self.key_path} is gone, and {self.root} was sealed with it: restore it from a backup, or begin "
                    "a new lake; a new key cannot go on where another stopped"
                )
            try:
                self._signer = read_or_make_key(self.key_path)
            except SealKeyError as error:
                raise LakeError(str(error)) from error
        return self._signer

    def _tail(self, topic: str, partition: int, last: Segment | None) -> _Tail:
        """Where the partition ends. What is on disk is believed only under this lake's own seal."""
        if last is None:
            return _Tail(None, None, 0, GrowingTree())
        known = self._tails.get((topic, partition))
        if known is not None and known.next_offset == last.last + 1:
            return known
        manifest = self._sealed_manifest(topic, partition, last)
        data = _read(last.path / MANIFEST)
        file = HASHES
        try:
            tree_first = int(manifest["tree_first_offset"])
            for file in (HASHES, CHECKPOINTS):
                if sha256(_read(last.path / file)).hexdigest() != manifest["files"][file]["sha256"]:
                    raise NoteError("is not the file its manifest names")
            tree = _kept_hashes(last, tree_first).tree()
        except NoteError as error:
            raise _cannot_go_on(last, file, error) from error
        self._tails[topic, partition] = _Tail(last.last + 1, sha256(data).hexdigest(), tree_first, tree)
        return self._tails[topic, partition]

    def settings_sha(self, topic: str) -> str | None:
        try:
            return sha256((self.root / topic / SETTINGS).read_bytes()).hexdigest()
        except FileNotFoundError:
            return None

    # --- checking -----------------------------------------------------------------------------------------------------

    def check(self) -> list[str]:
        """What is wrong with the lake's files, a sentence each, naming the file; an intact lake has none."""
        return [str(damage) for damage in check_lake(self)]

    def _partition(self, topic: str, partition: int) -> Path:
        return self.root / topic / str(partition)


def _logged(offset: int, timestamp_us: int, key: str, raw: bytes, status: str, reason: str | None) -> LogRecord:
    """The record as the log had it (the columns `_LOGGED`)."""
    if status == SKIPPED:
        return TransactionMarker(offset, timestamp_us, key, raw)
    if reason == ABORTED_REASON:
        return AbortedRecord(offset, timestamp_us, key, raw)
    return LogRecord(offset, timestamp_us, key, raw)


def _kept_hashes(segment: Segment, tree_first: int) -> KeptHashes:
    start, end = segment.first - tree_first, segment.last + 1 - tree_first
    return KeptHashes(start, end, _read(segment.path / HASHES))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise LakeError(
            f"{path} cannot be read: {error.strerror}; run the lake's check and restore the file"
        ) from error


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = orjson.loads(_read(path))
    except orjson.JSONDecodeError as error:
        raise LakeError(f"{path} is damaged: {error}; run the lake's check and restore the file") from error
    if not isinstance(value, dict):
        raise LakeError(f"{path} is damaged: it is not a JSON object; run the lake's check and restore the file")
    return value


def _clear_away(folder: Path) -> None:
    """Remove what other owners left half-written. One that has lost the partition without knowing may still be writing:
    a folder is first renamed out of its reach, so that it can neither add to it nor put it in place."""
    for leftover in folder.glob(f"{WRITING}*"):
        doomed = folder / f"{WRITING}gone-{secrets.token_hex(4)}"
        try:
            os.rename(leftover, doomed)
        except FileNotFoundError:
            continue  # its owner put it in place, or removed it, a moment ago
        if doomed.is_dir():
            shutil.rmtree(doomed)
        else:
            doomed.unlink()


def _is_file(descriptor: int, path: Path) -> bool:
    """Whether the open file is still the one at this path."""
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return False
    here = os.fstat(descriptor)
    return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)


def _cannot_go_on(segment: Segment, file: str, why: object) -> LakeError:
    return LakeError(
        f"{segment.path / file}: {why}; no work goes on from here: type `muckraker verify`, restore what it names, or "
        f"remove {segment.path} and every segment behind it, to have them made again"
    )


def _disk_error(path: Path, error: Exception) -> LakeError:
    return LakeError(
        f"{path} could not be written: {error}; nothing else in the lake was touched: free space or mend the disk that "
        f"holds {path.parent}, then run again"
    )
