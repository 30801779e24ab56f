"""What is left of a segment whose events were retired: a signed note that says so, and the hashes of its leaves.

Retention (ingest/retention.py) removes `events.parquet` and puts the file `retired` in its place; all other files stay
as they were sealed. The file is a signed note, a zero byte, and the leaf hashes, 32 bytes a record in order of offset:

    muckraker-retired/v1
    <origin>
    <the segment's name>
    <base64 of the SHA-256 of its manifest>
    <base64 of the SHA-256 of the leaf hashes>
    <when, RFC 3339>
    <why>

So nobody without the lake's key can retire anything, and from the hashes every root and every proof of other records
can still be worked out. What is gone is the records' bytes: a hash tells the right ones, and not what they said.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ingest.seal.merkle import HASH_BYTES
from ingest.seal.note import Note, NoteError, VerifierKey, encode64, parse_note, verify_note
from ingest.seal.signer import Signer, signed
from schemas.segments import RETIRED

_HEAD = "muckraker-retired/v1"
_LINES = 7


@dataclass(frozen=True)
class Retired:
    """A segment's file `retired`, read but not believed: see `verify`."""

    note: Note
    data: bytes  # the leaf hashes, one after the other
    when: str
    why: str

    @classmethod
    def parse(cls, content: bytes) -> Retired:
        head, zero, data = content.partition(b"\0")
        note = parse_note(head)
        lines = note.text.removesuffix("\n").split("\n")
        if not zero or lines[0] != _HEAD or len(lines) != _LINES:
            raise NoteError("it is not the note of a retired segment")
        return cls(note, data, lines[5], lines[6])

    def leaves(self) -> list[bytes]:
        return [self.data[at : at + HASH_BYTES] for at in range(0, len(self.data), HASH_BYTES)]

    def verify(self, manifest: bytes, span: str, records: int, key: VerifierKey) -> None:
        """A NoteError where it is not what the lake's key signed for this segment."""
        if len(self.note.signatures) != 1:
            raise NoteError(f"it has {len(self.note.signatures)} signatures, not one")
        verify_note(self.note, [key])
        if self.note.text != _text(key.name, span, manifest, self.data, self.when, self.why):
            raise NoteError("it is of another segment or manifest, or has other hashes than it was signed with")
        if len(self.data) != records * HASH_BYTES:
            raise NoteError(f"it has the hashes of {len(self.data) // HASH_BYTES} records, and the segment {records}")


def retired_file(
    manifest: bytes, span: str, leaves: list[bytes], origin: str, signer: Signer, when: str, why: str
) -> bytes:
    """What the file `retired` holds."""
    if not why or any(character < " " for character in why):
        raise NoteError("the reason is one line of text")
    data = b"".join(leaves)
    note = signed(_text(origin, span, manifest, data, when, why), origin, signer)
    return note.encoded() + b"\0" + data


def _text(origin: str, span: str, manifest: bytes, data: bytes, when: str, why: str) -> str:
    lines = (
        _HEAD,
        origin,
        span,
        encode64(sha256(manifest).digest()),
        encode64(sha256(data).digest()),
        when,
        why,
    )
    return "".join(f"{line}\n" for line in lines)


def read_retired(folder: Path) -> Retired | None:
    """The file `retired` of a segment's folder; None where its events are there. A NoteError where it is none."""
    try:
        return Retired.parse((folder / RETIRED).read_bytes())
    except FileNotFoundError:
        return None
