"""The lake: segments of Parquet files that are written once, completely or not at all, and never changed.

A segment is the folder `<root>/<topic>/<partition>/<first offset>-<last offset>/` with `events.parquet`,
`rounds.parquet`, `findings.parquet`, `state.json` and `manifest.json`. The same records give the same bytes: writer
settings are fixed, JSON keys are sorted, and no clock is read. Each manifest names its files by SHA-256 and the
manifest before it, so the newest one vouches for the whole partition. The lake knows what a segment is made of, and
nothing of how its content came about.

How a segment gets there (`Lake.commit`), each step only after the one before:

1. a folder `.writing-<first>-<last>` is made beside the segments;
2. the five files are written into it, manifest last, each one fsynced;
3. the folder is fsynced;
4. it is renamed to its final name: from here on the segment exists;
5. the partition's folder is fsynced: from here on it survives a power cut.

A crash before 4 leaves a `.writing-` folder that the next owner removes; a crash between 4 and 5 leaves the segment
there or not, complete in either case. An error of the disk at any step is a LakeError, and the run can be repeated.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest.gate import RECORDED, EventRow

FORMAT = 1
SEGMENT_FILES = ("events.parquet", "findings.parquet", "rounds.parquet", "state.json")
MANIFEST = "manifest.json"
SETTINGS = "settings.json"
LOCK = ".lock"

EVENTS_SCHEMA = pa.schema(
    [
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("timestamp_us", pa.int64(), nullable=False),
        pa.field("table_id", pa.string(), nullable=False),
        ("round_id", pa.string()),
        ("seq", pa.int64()),
        ("type", pa.string()),
        ("event_id", pa.string()),
        ("time_us", pa.int64()),
        ("source", pa.string()),
        pa.field("status", pa.string(), nullable=False),
        ("reason", pa.string()),
        pa.field("hash", pa.binary(32), nullable=False),
        pa.field("raw", pa.binary(), nullable=False),
    ]
)

ROUND_REACH = 10_000
"""How far apart, in seq, two events of one round can be: a limit for the search, far beyond any round ever played."""

_PLAIN_COLUMNS = frozenset({"hash", "raw", "event_id", "offset", "timestamp_us", "time_us", "seq"})
_DELTA_COLUMNS = frozenset({"offset", "timestamp_us", "time_us", "seq"})
_SEGMENT_NAME = re.compile(r"(\d{20})-(\d{20})\Z")
_WRITING = ".writing-"
_PARTITION_NAME = re.compile(r"\d+\Z")


class LakeError(Exception):
    """The lake cannot be written or read; the message names the folder or file and says what to do."""


@dataclass(frozen=True)
class Segment:
    """One committed segment: the log records `first` to `last` of a partition."""

    path: Path
    first: int
    last: int


@dataclass(frozen=True)
class SegmentContent:
    """What goes into a segment."""

    first: int
    last: int
    events: pa.Table
    rounds: pa.Table
    findings: pa.Table
    state: dict[str, Any]
    top_seqs: dict[str, int]  # the highest seq recorded of each table, ever


def events_table(rows: Sequence[EventRow]) -> pa.Table:
    """The gate's rows as the Arrow table that events.parquet holds."""
    columns: Iterable[Iterable[object]] = zip(*rows, strict=True) if rows else [()] * len(EVENTS_SCHEMA)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, EVENTS_SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=EVENTS_SCHEMA)


def round_rows_of(events: pa.Table, table_id: str, round_id: str) -> list[tuple[int, bytes]]:
    """The recorded events of a round among these, as (seq, bytes), in order of seq."""
    wanted = pc.and_(
        pc.and_(pc.equal(events["table_id"], table_id), pc.equal(events["round_id"], round_id)),
        pc.equal(events["status"], RECORDED),
    )
    rows = events.select(["seq", "raw"]).filter(wanted)
    return sorted(zip(rows["seq"].to_pylist(), rows["raw"].to_pylist(), strict=True))


class Lake:
    """The segments under `root`. Anyone may read; a partition is written by the process that owns it."""

    def __init__(self, root: str | Path) -> None:
        self.root = Path(root)
        self._locks: dict[tuple[str, int], int] = {}  # owned partitions and their lock's file descriptor

    # --- owning -------------------------------------------------------------------------------------------------------

    def own(self, topic: str, partition: int) -> None:
        """Become the partition's one writer, and clear away what a crashed one left half-written."""
        folder = self._partition(topic, partition)
        try:
            _make_folders(folder)
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
            raise LakeError(
                f"{folder}: another worker (process {holder or 'unknown'}) owns this part of the lake; "
                "end it first, or give this one another lake"
            ) from None
        try:
            os.ftruncate(lock, 0)
            os.write(lock, f"{os.getpid()}\n".encode("ascii"))
            for leftover in folder.glob(f"{_WRITING}*"):
                if leftover.is_dir():
                    shutil.rmtree(leftover)
                else:
                    leftover.unlink()
        except OSError as error:
            os.close(lock)
            raise LakeError(
                f"{folder}: could not be made ready for writing: {error}; see to the disk, then run again"
            ) from error
        self._locks[topic, partition] = lock

    def release(self, topic: str, partition: int) -> None:
        """Let another process own the partition."""
        lock = self._locks.pop((topic, partition), None)
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
        return sorted(int(path.name) for path in folder.iterdir() if _PARTITION_NAME.match(path.name) and path.is_dir())

    def segments(self, topic: str, partition: int) -> list[Segment]:
        """The committed segments, oldest first."""
        folder = self._partition(topic, partition)
        try:
            names = os.listdir(folder)
        except FileNotFoundError:
            return []
        found = ((_SEGMENT_NAME.match(name), name) for name in names)
        return sorted(
            (Segment(folder / name, int(match[1]), int(match[2])) for match, name in found if match is not None),
            key=lambda segment: segment.first,
        )

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
            raise LakeError(
                f"{path} has format {manifest.get('format')!r}, and this version reads {FORMAT}; "
                "use the Muckraker that wrote it"
            )
        return manifest

    def state(self, segment: Segment) -> dict[str, Any]:
        """The segment's state.json, checked against its manifest: work must not go on from a damaged one."""
        path = segment.path / "state.json"
        named = self.manifest(segment)["files"]["state.json"]
        data = _read(path)
        if sha256(data).hexdigest() != named["sha256"]:
            raise LakeError(
                f"{path} is damaged: it is not the file its manifest names; restore it, or remove {segment.path}, "
                "the last segment, to have it made again"
            )
        state: dict[str, Any] = orjson.loads(data)
        return state

    def round_events(
        self, topic: str, partition: int, table_id: str, round_id: str, before_offset: int, near_seq: int | None = None
    ) -> list[bytes]:
        """The recorded events of a round from the segments before `before_offset`, as bytes, in order of seq."""
        return [raw for _, raw in self.round_rows(topic, partition, table_id, round_id, before_offset, near_seq)]

    def round_rows(
        self, topic: str, partition: int, table_id: str, round_id: str, before_offset: int, near_seq: int | None = None
    ) -> list[tuple[int, bytes]]:
        """As `round_events`, each with its seq.

        Newest segment first. Manifests say which seqs of the table a segment holds, so once one event of the round is
        known (`near_seq`, or the first found) only segments within ROUND_REACH of it are opened, and the search ends
        at the segment before which the table had not got that far.
        """
        found: list[tuple[int, bytes]] = []
        for segment in reversed(self.segments(topic, partition)):
            if segment.first >= before_offset:
                continue
            tables = self.manifest(segment)["tables"]
            if table_id not in tables:
                break  # the table had not said anything yet
            lowest, highest, top = tables[table_id]
            if near_seq is not None and top < near_seq - ROUND_REACH:
                break
            if lowest is None or (
                near_seq is not None and (highest < near_seq - ROUND_REACH or lowest > near_seq + ROUND_REACH)
            ):
                continue
            rows = _round_rows_in(segment, table_id, round_id, before_offset)
            found.extend(rows)
            if rows and near_seq is None:
                near_seq = rows[0][0]
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
            writing = self._partition(topic, partition) / f"{_WRITING}{SETTINGS}"
            try:
                _write_file(writing, _json({"format": FORMAT, **chosen}))
                try:
                    os.link(writing, path)  # unlike rename, never replaces what another worker just settled
                except FileExistsError:
                    pass  # it is read below like any that was there before
                finally:
                    writing.unlink()
                _fsync_folder(path.parent)
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
        previous = self.last(topic, partition)
        if previous is not None and content.first != previous.last + 1:
            raise LakeError(f"{folder}: the next segment begins at {previous.last + 1}, not at {content.first}")
        assert content.first <= content.last, (content.first, content.last)
        assert content.events.num_rows == content.last - content.first + 1, "a segment has one row for each log record"
        name = f"{content.first:020d}-{content.last:020d}"
        writing = folder / f"{_WRITING}{name}"
        final = folder / name
        try:
            os.mkdir(writing)  # step 1
            try:
                self._write(writing, content, previous)  # step 2
                _fsync_folder(writing)  # step 3
                os.rename(writing, final)  # step 4
            except BaseException:
                shutil.rmtree(writing, ignore_errors=True)  # if even that fails, the next owner removes it
                raise
            _fsync_folder(folder)  # step 5
        except (OSError, pa.ArrowException) as error:
            raise _disk_error(final, error) from error
        return Segment(final, content.first, content.last)

    def _write(self, writing: Path, content: SegmentContent, previous: Segment | None) -> None:
        files = {
            "events.parquet": _parquet(content.events),
            "findings.parquet": _parquet(content.findings),
            "rounds.parquet": _parquet(content.rounds),
            "state.json": _json(content.state),
        }
        for name, data in files.items():
            _write_file(writing / name, data)
        statuses = content.events["status"].value_counts().to_pylist()
        manifest = {
            "counts": {
                "findings": content.findings.num_rows,
                "records": content.events.num_rows,
                "rounds": content.rounds.num_rows,
                **{str(entry["values"]): entry["counts"] for entry in statuses},
            },
            "files": {name: {"bytes": len(data), "sha256": sha256(data).hexdigest()} for name, data in files.items()},
            "first_offset": content.first,
            "format": FORMAT,
            "last_offset": content.last,
            "previous": None if previous is None else sha256(_read(previous.path / MANIFEST)).hexdigest(),
            # for each table: lowest and highest seq recorded in this segment (null: none), highest ever
            "tables": _table_index(content.events, content.top_seqs),
        }
        _write_file(writing / MANIFEST, _json(manifest))

    # --- checking -----------------------------------------------------------------------------------------------------

    def check(self) -> list[str]:
        """Everything wrong with the lake, a sentence each, naming the file; an intact lake has none."""
        return [
            damage
            for topic in self.topics()
            for partition in self.partitions(topic)
            for damage in self._check_partition(topic, partition)
        ]

    def _check_partition(self, topic: str, partition: int) -> list[str]:
        damages: list[str] = []
        expected: int | None = None
        previous_sha: str | None = None
        for segment in self.segments(topic, partition):
            if expected is not None and segment.first != expected:
                damages.append(
                    f"{segment.path}: begins at offset {segment.first}, but the segments before it end at "
                    f"{expected - 1}"
                )
            manifest_path = segment.path / MANIFEST
            try:
                data = manifest_path.read_bytes()
                manifest = orjson.loads(data)
                damages += _check_segment(segment, manifest)
                if expected is None or segment.first == expected:
                    named = manifest["previous"]
                    if named != previous_sha and not (expected is not None and previous_sha is None):
                        damages.append(f"{manifest_path}: names another manifest before it than the one that is there")
                previous_sha = sha256(data).hexdigest()
            except OSError as error:
                damages.append(f"{manifest_path}: cannot be read: {error.strerror}")
                previous_sha = None
            except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
                damages.append(f"{manifest_path}: is not a manifest: {error!r}")
                previous_sha = None
            expected = segment.last + 1
        return damages

    def _partition(self, topic: str, partition: int) -> Path:
        return self.root / topic / str(partition)


def _check_segment(segment: Segment, manifest: dict[str, Any]) -> list[str]:
    damages: list[str] = []
    if (manifest["first_offset"], manifest["last_offset"]) != (segment.first, segment.last):
        damages.append(
            f"{segment.path / MANIFEST}: is of records {manifest['first_offset']} to {manifest['last_offset']}, "
            "not those its folder names"
        )
    for name in SEGMENT_FILES:
        path = segment.path / name
        named = manifest["files"][name]
        try:
            data = path.read_bytes()
        except OSError as error:
            damages.append(f"{path}: cannot be read: {error.strerror}")
            continue
        if len(data) != named["bytes"]:
            damages.append(f"{path}: has {len(data)} bytes, the manifest says {named['bytes']}")
        elif sha256(data).hexdigest() != named["sha256"]:
            damages.append(f"{path}: was changed; its SHA-256 is not the one in the manifest")
    for path in sorted(segment.path.iterdir()):
        if path.name != MANIFEST and path.name not in SEGMENT_FILES:
            damages.append(f"{path}: does not belong there; the manifest does not name it")
    return damages


def _round_rows_in(segment: Segment, table_id: str, round_id: str, before_offset: int) -> list[tuple[int, bytes]]:
    path = segment.path / "events.parquet"
    try:
        rows = pq.read_table(
            path,
            columns=["seq", "raw"],
            filters=[
                ("table_id", "=", table_id),
                ("round_id", "=", round_id),
                ("status", "=", RECORDED),
                ("offset", "<", before_offset),
            ],
            use_threads=False,
            partitioning=None,  # the folder names are not columns
        )
    except (OSError, pa.ArrowException) as error:
        raise LakeError(f"{path} cannot be read: {error}; run the lake's check and restore the file") from error
    return list(zip(rows["seq"].to_pylist(), rows["raw"].to_pylist(), strict=True))


def _table_index(events: pa.Table, top_seqs: dict[str, int]) -> dict[str, list[int | None]]:
    recorded = events.select(["table_id", "seq"]).filter(pc.equal(events["status"], RECORDED))  # not the events' bytes
    spans = recorded.group_by("table_id", use_threads=False).aggregate([("seq", "min"), ("seq", "max")])
    index: dict[str, list[int | None]] = {table_id: [None, None, top] for table_id, top in top_seqs.items()}
    for row in spans.to_pylist():
        index[row["table_id"]] = [row["seq_min"], row["seq_max"], top_seqs[row["table_id"]]]
    return index


def _parquet(table: pa.Table) -> bytes:
    """A table as Parquet bytes: the same table gives the same bytes."""
    names = table.column_names
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        compression="zstd",
        compression_level=1,
        row_group_size=65_536,
        version="2.6",
        use_dictionary=[name for name in names if name not in _PLAIN_COLUMNS],
        column_encoding={
            name: "DELTA_BINARY_PACKED"
            for name in names
            if name in _DELTA_COLUMNS and pa.types.is_integer(table.schema.field(name).type)
        },
        write_statistics=[name for name in names if name not in ("hash", "raw")],
    )
    return bytes(sink.getvalue())


def _json(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


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


def _write_file(path: Path, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fd, rest) :]
        os.fsync(fd)
    finally:
        os.close(fd)


def _fsync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _make_folders(folder: Path) -> None:
    """Make a folder and those above it, each one durable."""
    if folder.is_dir():
        return
    _make_folders(folder.parent)
    folder.mkdir(exist_ok=True)
    _fsync_folder(folder.parent)


def _disk_error(path: Path, error: Exception) -> LakeError:
    return LakeError(
        f"{path} could not be written: {error}; nothing else in the lake was touched: free space or mend the disk that "
        f"holds {path.parent}, then run again"
    )
