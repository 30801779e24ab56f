"""What the seal puts into a segment: the files `checkpoints`, `tree.hashes` and `seal`.

The tree of a partition is over every log record there is, recorded or refused, in order of offset: leaf index =
offset − first offset of the lake. Of a segment with the leaves a to b − 1 this is kept:

- `checkpoints`: the signed checkpoint of the tree at b leaves (a compacted segment has all those of the segments it
  replaces);
- `tree.hashes`: the hashes of the nodes of level 8 and above that its leaves complete (level after level, each in order
  of index), then the peaks of the tree at b leaves, largest first. What is where follows from a and b alone. A quarter
  of a byte a record, and with it no proof ever rereads more than 256 records on either side;
- `seal`: a signed note over the manifest's SHA-256. The manifest names all other files by theirs.

So the order is: files, checkpoints and hashes, then the manifest over them, then the seal over the manifest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

from ingest.seal.checkpoint import Checkpoint, SignedCheckpoint, parse_checkpoints
from ingest.seal.merkle import HASH_BYTES, GrowingTree
from ingest.seal.note import Note, NoteError, VerifierKey, encode64, parse_note, verify_note
from ingest.seal.signer import Signer, signed
from schemas.plurals import counted

CHECKPOINTS = "checkpoints"
HASHES = "tree.hashes"
SEAL = "seal"
KEPT_LEVEL = 8
TILE = 1 << KEPT_LEVEL  # so many records around a leaf are reread for a proof

_MANIFEST_SEAL = "muckraker-manifest/v1"


# --- tree.hashes ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class KeptHashes:
    """A segment's `tree.hashes`: of the leaves `start` to `end` − 1."""

    start: int
    end: int
    data: bytes

    def __post_init__(self) -> None:
        wanted = (self._nodes() + self.end.bit_count()) * HASH_BYTES
        if len(self.data) != wanted:
            raise NoteError(f"it has {len(self.data)} bytes; leaves {self.start} to {self.end - 1} need {wanted}")

    def _nodes(self) -> int:
        return sum(count for _, _, count in node_rows(self.start, self.end))

    def _hash(self, position: int) -> bytes:
        return self.data[position * HASH_BYTES : (position + 1) * HASH_BYTES]

    def node(self, level: int, index: int) -> bytes:
        """The node (level, index), which these leaves complete."""
        before = 0
        for here, first, count in node_rows(self.start, self.end):
            if here == level and first <= index < first + count:
                return self._hash(before + index - first)
            before += count
        raise KeyError((level, index))

    def tree(self) -> GrowingTree:
        """The tree as it is behind the last leaf."""
        nodes = self._nodes()
        return GrowingTree(self.end, [self._hash(nodes + peak) for peak in range(self.end.bit_count())])


def node_rows(start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """(level, first index, how many) of the kept nodes that the leaves from start to end − 1 complete."""
    level = KEPT_LEVEL
    while end >> level:
        first, last = start >> level, end >> level
        if last > first:
            yield level, first, last - first
        level += 1


def kept_hashes(completed: Sequence[Sequence[bytes]], tree: GrowingTree) -> bytes:
    """The bytes of tree.hashes, from what `GrowingTree.extend` returned and the tree it left."""
    return b"".join([hashed for row in completed[KEPT_LEVEL:] for hashed in row] + tree.peaks())


def merged_hashes(parts: Sequence[KeptHashes]) -> bytes:
    """The tree.hashes of the segment that replaces these neighbours."""
    for left, right in pairwise(parts):
        if left.end != right.start:
            raise NoteError(
                f"leaves {left.start} to {left.end - 1} and {right.start} to {right.end - 1} are no neighbours"
            )
    rows: dict[int, list[bytes]] = {}
    for part in parts:  # neighbours' nodes of one level follow each other, as their leaves do
        at = 0
        for level, _, count in node_rows(part.start, part.end):
            rows.setdefault(level, []).append(part.data[at * HASH_BYTES : (at + count) * HASH_BYTES])
            at += count
    return b"".join([data for level in sorted(rows) for data in rows[level]] + parts[-1].tree().peaks())


# --- checkpoints and the seal -----------------------------------------------------------------------------------------


def checkpoint_of(tree: GrowingTree, origin: str, signer: Signer) -> SignedCheckpoint:
    said = Checkpoint(origin, tree.size, tree.root())
    return SignedCheckpoint(said, signed(said.text(), origin, signer))


def manifest_seal(manifest: bytes, span: str, origin: str, signer: Signer) -> Note:
    return signed(_seal_text(sha256(manifest).digest(), span, origin), origin, signer)


def _seal_text(digest: bytes, span: str, origin: str) -> str:
    # Its first line is nobody's origin and its second no number: it can never pass for a checkpoint.
    return f"{_MANIFEST_SEAL}\n{origin}\n{span}\n{encode64(digest)}\n"


def check_seal(data: bytes, manifest: bytes, span: str, key: VerifierKey) -> str | None:
    """None where the seal holds. A NoteError is about the seal itself; a returned sentence is about the manifest."""
    note = parse_note(data)
    if len(note.signatures) != 1:
        raise NoteError(f"it has {len(note.signatures)} signatures, not one")
    verify_note(note, [key])
    if note.text == _seal_text(sha256(manifest).digest(), span, key.name):
        return None
    lines = note.text.split("\n")
    if lines[:3] != [_MANIFEST_SEAL, key.name, span]:
        raise NoteError(f"it is the seal of {' '.join(lines[1:3])}, not of {key.name} {span}")
    return "was changed: it is not the manifest its seal was made over"


def check_checkpoints(data: bytes, start: int, end: int, key: VerifierKey) -> list[Checkpoint]:
    """A segment's checkpoints, verified: signed, in order, the last one at `end` leaves; else a NoteError."""
    found = []
    size = start
    for signed_checkpoint in parse_checkpoints(data):
        said = signed_checkpoint.checkpoint
        signed_checkpoint.verify([key])
        if said.origin != key.name:
            raise NoteError(f"it is of {said.origin}, not of {key.name}")
        if not size < said.size <= end:
            raise NoteError(
                f"it has a checkpoint of {counted(said.size, 'record')} where one of {size + 1} to {end} belongs"
            )
        size = said.size
        found.append(said)
    if size != end:
        raise NoteError(f"its last checkpoint is of {counted(size, 'record')}, and the segment ends with {end}")
    return found


def joined_checkpoints(files: Iterable[bytes]) -> bytes:
    """The file of the segment that replaces these: every checkpoint ever signed stays."""
    return b"".join(files)
