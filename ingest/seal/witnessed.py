"""The checkpoints that witnesses signed, as a lake's owner keeps them: the newest of each witness and log.

They go into proofs, and `muckraker verify` holds the lake against them. Kept beside the lake they are a convenience;
whoever can rewrite the lake can remove them too, and only the witness's own copy cannot be got at.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from ingest.durable import make_folders, place_file
from ingest.seal.checkpoint import SignedCheckpoint
from ingest.seal.note import Note, NoteError, SignatureLine, VerifierKey, verify_note

SUFFIX = ".checkpoint"


class Witnessed:
    """The kept checkpoints in `folder`; one without a folder yet is empty."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, signed: SignedCheckpoint, lines: Iterable[SignatureLine], witness: VerifierKey) -> SignedCheckpoint:
        """Keep a checkpoint with a witness's signatures; a NoteError where the witness did not sign it."""
        held = verify_note(Note(signed.note.text, tuple(lines)), [witness])
        note = Note(signed.note.text, (*signed.note.signatures, *(line for _, line in held)))
        make_folders(self.folder.absolute())
        named = sha256(f"{signed.checkpoint.origin}\n{witness}".encode()).hexdigest()[:32]
        place_file(self.folder / f"{named}{SUFFIX}", note.encoded(), replace=True)
        return SignedCheckpoint(signed.checkpoint, note)

    def all(self) -> list[tuple[Path, SignedCheckpoint]]:
        """Every one, by file; a NoteError names the file that is none."""
        found = []
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            try:
                found.append((path, SignedCheckpoint.parse(path.read_bytes())))
            except NoteError as error:
                raise NoteError(f"{path}: {error}") from error
        return found

    def best(self, origin: str, least_size: int) -> SignedCheckpoint | None:
        """The checkpoint of this log with the most witnesses among those of at least this size."""
        together: dict[str, dict[SignatureLine, None]] = {}
        for _, signed in self.all():
            if signed.checkpoint.origin == origin and signed.checkpoint.size >= least_size:
                together.setdefault(signed.note.text, {}).update(dict.fromkeys(signed.note.signatures))
        if not together:
            return None
        text, lines = max(together.items(), key=lambda kept: len(kept[1]))
        return SignedCheckpoint.parse(Note(text, tuple(lines)).encoded())
