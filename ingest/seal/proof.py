"""Proofs as files: C2SP tlog-proof for one record, and for "this tree began as that one" what a witness is sent.

A tlog-proof is the record's index, the hashes of RFC 6962's inclusion proof and the checkpoint they lead to. There is
no file form for a consistency proof among the specifications; C2SP tlog-witness has the body of its `add-checkpoint`
call, with the same parts, and that is what is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.seal.checkpoint import SignedCheckpoint, number
from ingest.seal.merkle import HASH_BYTES, leaf_hash, root_of_inclusion
from ingest.seal.note import MAX_NOTE_BYTES, NoteError, decode64, encode64

PROOF_HEAD = "c2sp.org/tlog-proof@v1"
PROOF_SUFFIX = ".tlog-proof"
MAX_HASHES = 63
MAX_EXTRA_CHARS = 1 << 20


@dataclass(frozen=True)
class RecordProof:
    """A tlog-proof: that a record is leaf `index` of the tree a checkpoint was signed for."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: SignedCheckpoint
    extra: bytes | None = None

    def __str__(self) -> str:
        extra = "" if self.extra is None else f"extra {encode64(self.extra)}\n"
        return f"{PROOF_HEAD}\n{extra}index {self.index}\n{_lines(self.hashes)}\n{self.checkpoint.note}"

    def encoded(self) -> bytes:
        return str(self).encode()

    @classmethod
    def parse(cls, data: bytes) -> RecordProof:
        """The proof these bytes are, true or not; a NoteError says why they are none."""
        head, note = _halves(data, MAX_NOTE_BYTES + MAX_EXTRA_CHARS, "a tlog-proof")
        if head.pop(0) != PROOF_HEAD:
            raise NoteError(f"it is not a tlog-proof: the first line is not {PROOF_HEAD}")
        extra = None
        if head and head[0].startswith("extra "):
            extra = decode64(head.pop(0).removeprefix("extra "), "the extra data")
        if not head or not head[0].startswith("index "):
            raise NoteError("it is not a tlog-proof: it names no index")
        index = number(head.pop(0).removeprefix("index "), "the index")
        return cls(index, _hashes(head), SignedCheckpoint.parse(note), extra)

    def shows(self, record: bytes) -> bool:
        """Whether exactly this record is at the index, if the checkpoint (whose signature is not checked) is true."""
        said = self.checkpoint.checkpoint
        return root_of_inclusion(leaf_hash(record), self.index, said.size, self.hashes) == said.root


@dataclass(frozen=True)
class GrowthProof:
    """An `add-checkpoint` body: that the tree of `checkpoint` began as the one of `old` leaves."""

    old: int
    hashes: tuple[bytes, ...]
    checkpoint: SignedCheckpoint

    def __str__(self) -> str:
        return f"old {self.old}\n{_lines(self.hashes)}\n{self.checkpoint.note}"

    def encoded(self) -> bytes:
        return str(self).encode()

    @classmethod
    def parse(cls, data: bytes) -> GrowthProof:
        head, note = _halves(data, MAX_NOTE_BYTES, "a consistency proof")
        if not head[0].startswith("old "):
            raise NoteError("it is not a consistency proof: the first line is not `old` and a size")
        old = number(head.pop(0).removeprefix("old "), "the old size")
        return cls(old, _hashes(head), SignedCheckpoint.parse(note))


def _halves(data: bytes, most: int, what: str) -> tuple[list[str], bytes]:
    """The lines before the first empty one, and the note after it."""
    if len(data) > most:
        raise NoteError(f"it has {len(data)} bytes; {what} has {most} at most")
    head, blank, note = data.partition(b"\n\n")
    if not blank:
        raise NoteError(f"it is not {what}: there is no empty line and no checkpoint after it")
    try:
        return head.decode("ascii").split("\n"), note
    except UnicodeDecodeError as error:
        raise NoteError(f"it is not {what}: byte {error.start} is not ASCII") from error


def _lines(hashes: Sequence[bytes]) -> str:
    return "".join(f"{encode64(hashed)}\n" for hashed in hashes)


def _hashes(lines: Sequence[str]) -> tuple[bytes, ...]:
    if len(lines) > MAX_HASHES:
        raise NoteError(f"it has {len(lines)} hashes; no tree needs more than {MAX_HASHES}")
    hashes = tuple(decode64(line, "a hash of the proof") for line in lines)
    if any(len(hashed) != HASH_BYTES for hashed in hashes):
        raise NoteError(f"a hash of the proof has not {HASH_BYTES} bytes")
    return hashes
