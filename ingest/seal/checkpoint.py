"""Checkpoints, as C2SP tlog-checkpoint has them: a signed note that says how big a tree is and what its root is.

    <origin>
    <size>
    <base64 of the root hash>

The lake's own have no extension lines (the specification advises against them); a witness reads those of others too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ingest.seal.merkle import HASH_BYTES
from ingest.seal.note import Note, NoteError, VerifierKey, decode64, encode64, parse_note, verify_note

_NUMBER = re.compile(r"(0|[1-9][0-9]{0,18})\Z")
LINES = 5  # of one of the lake's own: origin, size, root, nothing, one signature


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint says; worth nothing until its note is verified."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def text(self) -> str:
        return "".join(f"{line}\n" for line in (self.origin, self.size, encode64(self.root), *self.extensions))

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        lines = text.removesuffix("\n").split("\n")
        if len(lines) < 3 or not all(lines):
            raise NoteError("it is not a checkpoint: origin, size and root hash, a line each")
        root = decode64(lines[2], "the root hash")
        if len(root) != HASH_BYTES:
            raise NoteError(f"the root hash has {len(root)} bytes, not {HASH_BYTES}")
        return cls(lines[0], number(lines[1], "the tree's size"), root, tuple(lines[3:]))


@dataclass(frozen=True)
class SignedCheckpoint:
    """A checkpoint, and the note it is the text of."""

    checkpoint: Checkpoint
    note: Note

    @classmethod
    def parse(cls, data: bytes) -> SignedCheckpoint:
        note = parse_note(data)
        return cls(Checkpoint.parse(note.text), note)

    def verify(self, known: Iterable[VerifierKey]) -> None:
        """A NoteError when none of the known keys signed it."""
        verify_note(self.note, known)


def parse_checkpoints(data: bytes) -> list[SignedCheckpoint]:
    """The notes of a segment's file `checkpoints`, one after the other, each of exactly five lines."""
    lines = data.split(b"\n")
    if lines.pop() or not lines or len(lines) % LINES:
        raise NoteError(f"it is not a list of checkpoints of {LINES} lines each")
    return [SignedCheckpoint.parse(b"\n".join(lines[at : at + LINES]) + b"\n") for at in range(0, len(lines), LINES)]


def number(text: str, what: str) -> int:
    """A decimal number in its one exact form."""
    if _NUMBER.match(text) is None:
        raise NoteError(f"{what} is not a decimal number without leading zeroes: {text[:40]!r}")
    return int(text)
