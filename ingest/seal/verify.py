"""Verifying: is every file of the lake the one that was sealed, and every record the one that was recorded?

Each segment by itself, given the one before it: (1) its seal is signed by the lake's key and is over its manifest;
(2) every file is the one the manifest names, nothing is missing and nothing was added; the manifests follow each
other; (3) its checkpoints are signed; (4) its records, hashed again on top of the tree the segment before it ended
with, give the roots its checkpoints say and the hashes kept for proofs; (5) the columns of events.parquet say what the
records' bytes say. As each segment begins with the tree the one before it ended with, all checkpoints are of one tree
that only grew. Where events were retired (ingest/retention.py), (4) is done with the leaf hashes signed in their place,
and (5) cannot be.

What no file of a lake can show is that the newest segments are gone, or a partition as a whole: that takes a checkpoint
from elsewhere (`check_checkpoint`), such as a witness keeps. Nor can it show that somebody with the lake's key rewrote
records that no witness had signed for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.gate.gate import QUARANTINED, SKIPPED
from ingest.lake import Lake
from ingest.lake_check import check_order, check_segment, strays, without_repeats
from ingest.seal.beside import verify_beside
from ingest.seal.checkpoint import Checkpoint, SignedCheckpoint
from ingest.seal.lake_tree import LakeTree
from ingest.seal.merkle import GrowingTree, leaf_hashes
from ingest.seal.note import NoteError, VerifierKey
from ingest.seal.retired import Retired, read_retired
from ingest.seal.segment_seal import (
    CHECKPOINTS,
    HASHES,
    KEPT_LEVEL,
    SEAL,
    TILE,
    KeptHashes,
    check_checkpoints,
    check_seal,
    node_rows,
)
from ingest.seal.signer import LakeKeys
from ingest.segments import EVENTS, EVENTS_SCHEMA, MANIFEST, Damage, LakeError, Segment
from schemas.clock import microseconds
from schemas.events import parse_event
from schemas.plurals import counted
from schemas.segments import RETIRED

MOST_NAMED = 20  # records or tiles of one segment that are named one by one

SegmentDone = Callable[[int], None]
"""`done(records)`: so many more records were verified."""


@dataclass
class Verified:
    """What was looked at, and everything that is wrong with it."""

    segments: int = 0
    records: int = 0
    checkpoints: int = 0
    retired: int = 0  # segments whose events were removed by policy, and
    retired_records: int = 0  # how many records those had
    damages: list[Damage] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)  # by origin: how many records its newest checkpoint is of

    def add(self, other: Verified) -> None:
        self.segments += other.segments
        self.records += other.records
        self.checkpoints += other.checkpoints
        self.retired += other.retired
        self.retired_records += other.retired_records
        self.damages = without_repeats([*self.damages, *other.damages])
        self.sizes |= other.sizes


def verify_lake(lake: Lake, keys: LakeKeys, done: SegmentDone | None = None) -> Verified:
    """Everything there is, segment by segment."""
    whole = Verified(damages=list(strays(lake)))
    for topic, partition, segment, previous in in_order(lake):
        whole.add(verify_segment(lake, keys, topic, partition, segment, previous))
        if done is not None:
            done(segment.last - segment.first + 1)
    whole.damages += [*verify_replaced(lake, keys), *verify_beside(lake, keys)]
    return whole


def verify_replaced(lake: Lake, keys: LakeKeys) -> list[Damage]:
    """What is wrong with segments that a compacted one replaced: nobody reads them, but nobody may plant any either."""
    damages: list[Damage] = []
    for topic in lake.topics():
        for partition in lake.partitions(topic):
            key = keys.verifier(topic, partition)
            for segment in lake.replaced(topic, partition):
                found = _check_seal(segment, key) or check_segment(lake, topic, segment)
                damages += found if segment.path.exists() else []  # compaction may have removed it just now
    return damages


def in_order(lake: Lake) -> Iterator[tuple[str, int, Segment, Segment | None]]:
    """Every segment, with the one before it."""
    for topic in lake.topics():
        for partition in lake.partitions(topic):
            previous: Segment | None = None
            for segment in lake.segments(topic, partition):
                yield topic, partition, segment, previous
                previous = segment


def verify_segment(
    lake: Lake, keys: LakeKeys, topic: str, partition: int, segment: Segment, previous: Segment | None
) -> Verified:
    """One segment: its files, its seal, its checkpoints and its records. Where it, or the one before it, was merged and
    removed since it was listed, the one that has its records now."""
    found = _verify_segment(lake, keys, topic, partition, segment, previous)
    if found.damages and not all(one.path.is_dir() for one in (segment, previous) if one is not None):
        before: Segment | None = None
        for now in lake.segments(topic, partition):
            if now.first <= segment.first and segment.last <= now.last:
                return _verify_segment(lake, keys, topic, partition, now, before)
            before = now
    return found


def _verify_segment(
    lake: Lake, keys: LakeKeys, topic: str, partition: int, segment: Segment, previous: Segment | None
) -> Verified:
    key = keys.verifier(topic, partition)
    found = Verified(segments=1, records=segment.last - segment.first + 1)
    found.damages = _check_seal(segment, key)
    damages = check_segment(lake, topic, segment)
    found.damages += [*check_order(segment, previous), *damages]
    changed = {damage.path.name for damage in damages if damage.path.parent == segment.path}
    if any(damage.path in (segment.path / SEAL, segment.path / MANIFEST) for damage in found.damages):
        return found  # nothing says what should be there
    try:
        first = int(lake.manifest(segment)["tree_first_offset"])
    except LakeError as error:
        found.damages.append(Damage(segment.path / MANIFEST, str(error)))
        return found
    start, end = segment.first - first, segment.last + 1 - first
    checkpoints: list[Checkpoint] = []
    try:
        checkpoints = check_checkpoints((segment.path / CHECKPOINTS).read_bytes(), start, end, key)
        found.checkpoints = len(checkpoints)
        found.sizes[key.name] = end
    except NoteError as error:
        found.damages.append(Damage(segment.path / CHECKPOINTS, str(error)))
    except OSError:
        pass  # it is named as unreadable already
    try:
        retired = read_retired(segment.path)
        if retired is not None:
            retired.verify((segment.path / MANIFEST).read_bytes(), segment.path.name, end - start, key)
            found.retired, found.retired_records = 1, end - start
    except (NoteError, OSError) as error:
        found.damages.append(Damage(segment.path / RETIRED, str(error)))
        return found
    if HASHES not in changed:
        before = _tree_before(previous, first)
        if retired is None or (segment.path / EVENTS).exists():
            tree = None if before is None else before.copy()
            found.damages += _check_records(segment, start, end, checkpoints, tree, EVENTS in changed)
        if retired is not None:
            found.damages += _check_retired(segment, start, end, checkpoints, before, retired)
    found.damages = without_repeats(found.damages)
    return found


def _check_seal(segment: Segment, key: VerifierKey) -> list[Damage]:
    path = segment.path / SEAL
    try:
        data = path.read_bytes()
        manifest = (segment.path / MANIFEST).read_bytes()
    except OSError as error:
        return [Damage(Path(error.filename), f"cannot be read: {error.strerror}")]
    try:
        wrong = check_seal(data, manifest, segment.path.name, key)
    except NoteError as error:
        return [Damage(path, str(error))]
    return [] if wrong is None else [Damage(segment.path / MANIFEST, wrong)]


def _tree_before(previous: Segment | None, first: int) -> GrowingTree | None:
    """The tree that the segment before ended with; None where its file does not say (and is named for it itself)."""
    if previous is None:
        return GrowingTree()
    try:
        data = (previous.path / HASHES).read_bytes()
        return KeptHashes(previous.first - first, previous.last + 1 - first, data).tree()
    except (OSError, ValueError):
        return None


# --- the records ------------------------------------------------------------------------------------------------------


def _check_records(
    segment: Segment,
    start: int,
    end: int,
    checkpoints: Sequence[Checkpoint],
    tree: GrowingTree | None,
    changed: bool,
) -> list[Damage]:
    """The records against checkpoints, kept hashes and columns; of a file known to be changed, which records are."""
    path = segment.path / EVENTS
    try:
        kept = KeptHashes(start, end, (segment.path / HASHES).read_bytes())
    except (OSError, NoteError) as error:
        return [Damage(segment.path / HASHES, str(error))]
    leaves: list[bytes] = []
    damages: list[Damage] = []
    wrong: list[str] = []
    offset = segment.first
    try:
        with pq.ParquetFile(path) as file:
            if not file.schema_arrow.equals(EVENTS_SCHEMA):
                damages.append(Damage(path, "has other columns than events have"))
            else:
                for batch in file.iter_batches(use_threads=False):
                    raws = batch["raw"].to_pylist()
                    leaves += leaf_hashes(raws)
                    if len(wrong) < MOST_NAMED:
                        wrong += wrong_columns(batch, raws, offset)
                    offset += batch.num_rows
    except (OSError, pa.ArrowException, ValueError, KeyError) as error:
        return [Damage(path, f"cannot be read: {_one_line(error)}")]
    if len(leaves) != end - start:
        damages.append(Damage(path, f"has {counted(len(leaves), 'record')}, and the segment is of {end - start}"))
    elif tree is not None:
        damages += _check_tree(segment, leaves, checkpoints, kept, tree)
    if not (changed and damages):
        damages += [Damage(path, what) for what in wrong[:MOST_NAMED]]
    return damages


def _check_retired(
    segment: Segment,
    start: int,
    end: int,
    checkpoints: Sequence[Checkpoint],
    tree: GrowingTree | None,
    retired: Retired,
) -> list[Damage]:
    """The leaf hashes that stand for retired events, against checkpoints and kept hashes."""
    try:
        kept = KeptHashes(start, end, (segment.path / HASHES).read_bytes())
    except (OSError, NoteError) as error:
        return [Damage(segment.path / HASHES, str(error))]
    if tree is None or not _check_tree(segment, retired.leaves(), checkpoints, kept, tree):
        return []
    return [Damage(segment.path / RETIRED, "has other hashes than the records had: the checkpoints have other roots")]


def _check_tree(
    segment: Segment, leaves: list[bytes], checkpoints: Sequence[Checkpoint], kept: KeptHashes, tree: GrowingTree
) -> list[Damage]:
    start = tree.size
    rows: list[list[bytes]] = []
    roots = []
    for size in [said.size for said in checkpoints] or [kept.end]:
        for level, row in enumerate(tree.extend(leaves[tree.size - start : size - start])):
            if level >= len(rows):
                rows.append([])
            rows[level] += row
        roots.append(tree.root())
    data = b"".join([hashed for row in rows[KEPT_LEVEL:] for hashed in row] + tree.peaks())
    failed = [said.size for said, root in zip(checkpoints, roots, strict=False) if said.root != root]
    if not failed and data == kept.data:
        return []
    damages = [
        Damage(segment.path / EVENTS, f"records {first} to {last} are not those that were sealed")
        for first, last in _changed_tiles(rows, kept, segment)[:MOST_NAMED]
    ]
    if failed and not damages:
        first = segment.first + (kept.end >> KEPT_LEVEL << KEPT_LEVEL) - kept.start
        damages.append(
            Damage(
                segment.path / EVENTS,
                f"records {max(first, segment.first)} to {segment.last} are not those that were sealed: the checkpoint "
                f"of {failed[0]} records has another root",
            )
        )
    if not failed:
        damages = [Damage(segment.path / HASHES, "has other hashes than the records give")]
    return damages


def _changed_tiles(rows: Sequence[Sequence[bytes]], kept: KeptHashes, segment: Segment) -> list[tuple[int, int]]:
    """The offsets of the tiles of 256 records whose hash is another than the one kept."""
    if len(rows) <= KEPT_LEVEL:
        return []
    level, first, count = next(iter(node_rows(kept.start, kept.end)))
    before = segment.first - kept.start  # offset − leaf index
    return [
        (max(segment.first, before + index * TILE), before + (index + 1) * TILE - 1)
        for index in range(first, first + count)
        if rows[level][index - first] != kept.node(level, index)
    ]


def wrong_columns(batch: pa.RecordBatch, raws: Sequence[bytes], first: int) -> list[str]:
    """Where the columns of events say something else than the records' own bytes, a sentence each.

    What the gate decided (status, reason) and when the log had it (timestamp_us) is not in a record's bytes; a refused
    record need not be an event, and so only its offset and hash are held against it.
    """
    columns: dict[str, list[Any]] = {
        name: batch[name].to_pylist()
        for name in ("offset", "hash", "table_id", "round_id", "seq", "type", "event_id", "time_us", "source", "status")
    }
    wrong = []
    for row, raw in enumerate(raws):
        offset = first + row
        if columns["offset"][row] != offset:
            wrong.append(f"its record {offset} says it is record {columns['offset'][row]}")
        if columns["hash"][row] != sha256(raw).digest():
            wrong.append(f"record {offset}: hash is not that of its bytes")
        if columns["status"][row] == SKIPPED and raw:
            wrong.append(f"record {offset}: is skipped, and it has bytes that somebody sent")
        if columns["status"][row] in (QUARANTINED, SKIPPED):
            continue
        try:
            said = orjson.loads(raw)
            own = (
                said["tableid"],
                said.get("subject"),
                said["seq"],
                said["type"],
                said["id"],
                said["source"],
            )
            happened = said["time"]
        except (ValueError, KeyError, TypeError, AttributeError):
            wrong.append(f"record {offset}: is {columns['status'][row]}, and its bytes are no event")
            continue
        shown = tuple(columns[name][row] for name in ("table_id", "round_id", "seq", "type", "event_id", "source"))
        if own != shown:
            name, there, here = next(
                (name, there, here)
                for name, there, here in zip(
                    ("table_id", "round_id", "seq", "type", "event_id", "source"), shown, own, strict=True
                )
                if there != here
            )
            wrong.append(f"record {offset}: {name} is {there!r}, and its bytes say {here!r}")
        if not _is_time(happened, columns["time_us"][row], raw):
            wrong.append(f"record {offset}: time_us is {columns['time_us'][row]}, and its bytes say {happened}")
        if len(wrong) >= MOST_NAMED:
            break
    return wrong


def _is_time(said: object, time_us: int, raw: bytes) -> bool:
    try:
        if microseconds(datetime.fromisoformat(str(said))) == time_us:
            return True
        return microseconds(parse_event(raw).time) == time_us  # slower, and the last word
    except (ValueError, TypeError):
        return False


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


# --- checkpoints from elsewhere ---------------------------------------------------------------------------------------


def check_checkpoint(lake: Lake, keys: LakeKeys, signed: SignedCheckpoint) -> list[Damage]:
    """Whether the lake still goes on from a checkpoint somebody kept; a NoteError where it is not this lake's."""
    said = signed.checkpoint
    topic, partition = place_of(keys, said.origin)
    signed.verify([keys.verifier(topic, partition)])
    folder = lake.root / topic / str(partition)
    try:
        tree = LakeTree(lake, topic, partition, keys)
    except LakeError:
        ends = 0
    else:
        ends = tree.size
    if said.size > ends:
        return [
            Damage(
                folder,
                f"was rolled back: a checkpoint of {counted(said.size, 'record')} was signed, and {ends} "
                f"{'is' if ends == 1 else 'are'} there; the others were removed",
            )
        ]
    try:
        root = tree.root(said.size) if said.size else said.root
    except LakeError as error:
        return [Damage(folder, f"cannot be held against the checkpoint of {counted(said.size, 'record')}: {error}")]
    if root != said.root:
        return [
            Damage(
                folder,
                f"was rewritten: its first {counted(said.size, 'record')} {'is' if said.size == 1 else 'are'} not what "
                "the checkpoint was signed for",
            )
        ]
    return []


def place_of(keys: LakeKeys, origin: str) -> tuple[str, int]:
    """The topic and partition an origin names."""
    base, _, number = origin.rpartition("/")
    name, _, topic = base.rpartition("/")
    if name != keys.name or not topic or not number.isdecimal() or str(int(number)) != number:
        raise NoteError(f"it is of {origin}, and this lake's are {keys.name}/<topic>/<partition>")
    return topic, int(number)
