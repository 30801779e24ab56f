"""A partition's tree as it lies in the lake: the hash over any range of records, and proofs made from it.

Nodes of level 8 and above are read from the segments' `tree.hashes`; below that the records of a tile, 256 at most, are
hashed again. So a proof in a record of years reads a few dozen hashes and two tiles. What is read is not believed:
every proof is checked against its signed checkpoint before it is handed out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.lake import Lake, LakeError, Segment
from ingest.seal.checkpoint import SignedCheckpoint, parse_checkpoints
from ingest.seal.merkle import consistency_proof, inclusion_proof, is_consistent, leaf_hashes, node_hash, tree_hash
from ingest.seal.note import NoteError
from ingest.seal.proof import GrowthProof, RecordProof
from ingest.seal.retired import Retired, read_retired
from ingest.seal.segment_seal import CHECKPOINTS, HASHES, KEPT_LEVEL, TILE, KeptHashes
from ingest.seal.signer import LakeKeys
from ingest.segments import EVENTS
from schemas.plurals import counted
from schemas.segments import RETIRED

_TILES_KEPT = 64
_FILES_KEPT = 64


class LakeTree:
    """The tree of one partition, as its segments were when this was made."""

    def __init__(self, lake: Lake, topic: str, partition: int, keys: LakeKeys) -> None:
        self.key = keys.verifier(topic, partition)
        self.segments = lake.segments(topic, partition)
        if not self.segments:
            raise LakeError(
                f"{lake.root / topic / str(partition)}: nothing is recorded there, so nothing can be proved"
            )
        self.first_offset = int(lake.manifest(self.segments[0])["tree_first_offset"])
        self.size = self.segments[-1].last + 1 - self.first_offset
        self._starts = [segment.first - self.first_offset for segment in self.segments]
        self._tile = lru_cache(_TILES_KEPT)(self._read_tile)
        self._kept = lru_cache(_FILES_KEPT)(self._read_kept)

    # --- hashes -------------------------------------------------------------------------------------------------------

    def hash_of(self, start: int, end: int) -> bytes:
        """The tree hash over the leaves from start to end − 1, where start is a multiple of the subtree's size."""
        size = end - start
        level = size.bit_length() - 1
        if size == 1 << level and level >= KEPT_LEVEL:
            return self._kept(self._segment_at(end - 1)).node(level, start >> level)
        if size <= TILE:
            tile = start // TILE
            return tree_hash(self._tile(tile)[start - tile * TILE : end - tile * TILE])
        middle = start + (1 << (size - 1).bit_length() - 1)
        return node_hash(self.hash_of(start, middle), self.hash_of(middle, end))

    def root(self, size: int) -> bytes:
        """The root of the tree when it had so many leaves."""
        return self.hash_of(0, size) if size else tree_hash([])

    def records(self, start: int, end: int) -> list[bytes]:
        """The bytes of the records from leaf start to leaf end − 1."""
        return [
            record
            for segment, first, last in self._pieces(start, end)
            for record in raw_records(segment.path / EVENTS, first, last)
        ]

    def leaves(self, start: int, end: int) -> list[bytes]:
        """The hashes of these leaves: of the records, or, where they were retired, those signed in their place."""
        found: list[bytes] = []
        for segment, first, last in self._pieces(start, end):
            retired = self._retired(segment) if not (segment.path / EVENTS).exists() else None
            if retired is None:
                found += leaf_hashes(raw_records(segment.path / EVENTS, first, last))
            else:
                found += retired.leaves()[first:last]
        return found

    def _pieces(self, start: int, end: int) -> Iterator[tuple[Segment, int, int]]:
        """The segments that hold these leaves, each with its first row and the one after its last."""
        at = start
        while at < end:
            position = self._segment_at(at)
            segment, first = self.segments[position], self._starts[position]
            until = min(end, segment.last + 1 - self.first_offset)
            yield segment, at - first, until - first
            at = until

    def _retired(self, segment: Segment) -> Retired | None:
        try:
            return read_retired(segment.path)
        except (OSError, NoteError) as error:
            raise _damaged(segment.path / RETIRED, str(error)) from error

    def _segment_at(self, leaf: int) -> int:
        return bisect_right(self._starts, leaf) - 1

    def _read_tile(self, tile: int) -> list[bytes]:
        return self.leaves(tile * TILE, min((tile + 1) * TILE, self.size))

    def _read_kept(self, position: int) -> KeptHashes:
        segment = self.segments[position]
        try:
            data = (segment.path / HASHES).read_bytes()
            return KeptHashes(self._starts[position], segment.last + 1 - self.first_offset, data)
        except OSError as error:
            raise _damaged(segment.path / HASHES, str(error.strerror)) from error
        except NoteError as error:
            raise _damaged(segment.path / HASHES, str(error)) from error

    # --- checkpoints and proofs ---------------------------------------------------------------------------------------

    def checkpoints(self, position: int = -1) -> list[SignedCheckpoint]:
        """The verified checkpoints of a segment, the newest one's by default."""
        path = self.segments[position].path / CHECKPOINTS
        try:
            found = parse_checkpoints(path.read_bytes())
            for signed in found:
                signed.verify([self.key])
        except OSError as error:
            raise _damaged(path, str(error.strerror)) from error
        except NoteError as error:
            raise _damaged(path, str(error)) from error
        return found

    def newest(self) -> SignedCheckpoint:
        return self.checkpoints()[-1]

    def at_size(self, size: int) -> SignedCheckpoint | None:
        """The checkpoint signed when the tree had so many leaves, if one was."""
        if not 0 < size <= self.size:
            return None
        found = self.checkpoints(self._segment_at(size - 1))
        return next((signed for signed in found if signed.checkpoint.size == size), None)

    def prove_record(self, offset: int, checkpoint: SignedCheckpoint | None = None) -> tuple[bytes, RecordProof]:
        """The record at an offset of the log, and the proof that it is in the tree of the (newest) checkpoint."""
        index = offset - self.first_offset
        signed = checkpoint or self.newest()
        size = signed.checkpoint.size
        if not 0 <= index < min(size, self.size):
            raise LakeError(
                f"{self.key.name}: record {offset} is not among those of the checkpoint, {self.first_offset} to "
                f"{self.first_offset + size - 1}"
            )
        segment = self.segments[self._segment_at(index)]
        if not (segment.path / EVENTS).exists() and (retired := self._retired(segment)) is not None:
            raise LakeError(
                f"{self.key.name}: record {offset} was retired ({retired.when}, {retired.why}): its hash is still "
                "here, its bytes are not; bring its segment back with `muckraker retain --bring-back`"
            )
        (record,) = self.records(index, index + 1)
        proof = RecordProof(index, tuple(inclusion_proof(index, size, self.hash_of)), signed)
        if not proof.shows(record):
            raise LakeError(
                f"{self.key.name}: record {offset} is not what was sealed, or a hash around it is not; type "
                "`muckraker verify` to see which file was changed"
            )
        return record, proof

    def prove_growth(self, old: int, old_root: bytes | None = None) -> GrowthProof:
        """That the newest checkpoint's tree began as the one of `old` records, whose root was (if known) `old_root`."""
        new = self.newest()
        said = new.checkpoint
        if old > said.size:
            raise LakeError(
                f"{self.key.name}: the lake was rolled back: a checkpoint of {old} records was signed, and the lake "
                f"ends with {said.size}"
            )
        hashes = consistency_proof(old, said.size, self.hash_of)
        root = self.root(old) if old_root is None else old_root
        if not is_consistent(old, root, said.size, said.root, hashes):
            raise LakeError(
                f"{self.key.name}: the lake does not go on from the checkpoint of {old} records: its first {old} "
                "records are others than those signed then, or were changed; type `muckraker verify`"
            )
        return GrowthProof(old, tuple(hashes), new)


def raw_records(path: Path, start: int, end: int) -> list[bytes]:
    """The bytes of the records in rows start to end − 1 of an events.parquet; only their row groups are read."""
    try:
        with pq.ParquetFile(path) as file:
            groups: list[int] = []
            first = seen = 0
            for group in range(file.num_row_groups):
                rows = file.metadata.row_group(group).num_rows
                if seen < end and seen + rows > start:
                    if not groups:
                        first = seen
                    groups.append(group)
                seen += rows
            raw = file.read_row_groups(groups, columns=["raw"], use_threads=False)["raw"]
            found: Sequence[bytes] = raw.slice(start - first, end - start).to_pylist()
    except (OSError, pa.ArrowException, ValueError, KeyError) as error:
        raise _damaged(path, str(error)) from error
    if len(found) != end - start:
        raise _damaged(path, f"it has {counted(seen, 'record')} and not {end:,}")
    return list(found)


def _damaged(path: Path, why: str) -> LakeError:
    return LakeError(f"{path} cannot be used: {why}; type `muckraker verify` and restore what it names")
