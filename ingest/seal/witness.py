"""A witness: remembers the newest checkpoint of each log it knows, and signs only what grew from there.

It does what C2SP tlog-witness asks of `add-checkpoint`, whether the request comes as a file or over HTTP, and its
signature is a C2SP tlog-cosignature (Ed25519). Whoever holds its newest cosigned checkpoint can tell that a lake was
rolled back or rewritten since. It belongs on another machine, with another owner, than the lake.

A witness's folder: `witness.key`, `witness.vkey`, and under `logs/<SHA-256 of the origin>/` the keys it believes
(`vkeys`), the newest checkpoint it signed (`checkpoint`) and, of signed checkpoints that contradict it, both sides
(`refused/`).
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ingest.durable import make_folders, place_file
from ingest.seal.checkpoint import SignedCheckpoint
from ingest.seal.merkle import EMPTY_ROOT, is_consistent
from ingest.seal.note import (
    COSIGNATURE,
    ED25519,
    MAX_NOTE_BYTES,
    Note,
    NoteError,
    SignatureLine,
    VerifierKey,
    cosigned_message,
    key_id,
    verify_note,
)
from ingest.seal.proof import GrowthProof
from ingest.seal.signer import SealKeyError, SecretKey, new_key, read_key
from schemas.plurals import counted

KEY = "witness.key"
VKEY = "witness.vkey"
MAX_BODY_BYTES = MAX_NOTE_BYTES
MAX_REFUSED = 100  # contradictions kept of one log; more of them say nothing new

TEXT = "text/plain; charset=utf-8"
SIZE = "text/x.tlog.size"


class WitnessError(Exception):
    """The witness's folder cannot be used; the message names the file and the way out."""


@dataclass(frozen=True)
class Answer:
    """What tlog-witness answers: an HTTP status, a body, and, where it refuses, the reason for people."""

    status: int
    body: str
    content_type: str = TEXT
    reason: str = ""
    evidence: Path | None = None

    @property
    def accepted(self) -> bool:
        return self.status == 200


@dataclass(frozen=True)
class Known:
    """A log the witness knows."""

    origin: str
    keys: tuple[VerifierKey, ...]
    newest: SignedCheckpoint | None
    refused: int


class Witness:
    """The witness in `folder`. Any number of processes may use it: each request holds its lock."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self._clock = clock

    # --- itself -------------------------------------------------------------------------------------------------------

    @classmethod
    def make(cls, folder: Path, name: str) -> Witness:
        """A new witness called `name` (a URL without its scheme, such as witness.example/w1)."""
        key = new_key(name)
        public = VerifierKey(name, key.public, COSIGNATURE)  # no name, no witness: before anything is made
        if (folder / KEY).exists():
            raise WitnessError(f"{folder} is a witness already; `muckraker witness list` says which")
        try:
            make_folders(folder.absolute())
            place_file(folder / KEY, f"{key.line}\n".encode(), 0o600, replace=False)
            place_file(folder / VKEY, f"{public}\n".encode(), replace=True)
        except OSError as error:
            raise WitnessError(f"{folder}: no witness can be made there: {error.strerror}") from error
        return cls(folder)

    def key(self) -> SecretKey:
        if not (self.folder / KEY).exists():
            raise WitnessError(f"there is no witness at {self.folder}; type `muckraker witness init` to make one")
        try:
            return read_key(self.folder / KEY)
        except SealKeyError as error:
            raise WitnessError(str(error)) from error

    def verifier(self) -> VerifierKey:
        key = self.key()
        return VerifierKey(key.name, key.public, COSIGNATURE)

    def trust(self, key: VerifierKey) -> bool:
        """Believe this key for the log of its name from now on; False where it did already."""
        if key.kind != ED25519:
            raise NoteError(f"the key {key.name} is a witness's, not a log's")
        self.key()
        with self._locked():
            path = self._log(key.name) / "vkeys"
            there = self._keys(key.name)
            if key in there:
                return False
            make_folders(path.parent.absolute())
            place_file(path, "".join(f"{one}\n" for one in (*there, key)).encode(), replace=True)
        return True

    def logs(self) -> list[Known]:
        """Every log it knows, by origin."""
        self.key()
        found = []
        for path in (self.folder / "logs").glob("*/vkeys"):
            origin = VerifierKey.parse(_read(path).decode("utf-8", "replace").splitlines()[0]).name
            refused = path.parent / "refused"
            count = len(list(refused.iterdir())) if refused.is_dir() else 0
            found.append(Known(origin, self._keys(origin), self.newest(origin), count))
        return sorted(found, key=lambda known: known.origin)

    def newest(self, origin: str) -> SignedCheckpoint | None:
        """The newest checkpoint it signed of this log, with its signature."""
        path = self._log(origin) / "checkpoint"
        if not path.exists():
            return None
        try:
            signed = SignedCheckpoint.parse(_read(path))
            verify_note(signed.note, [self.verifier()])
        except NoteError as error:
            raise WitnessError(f"{path} is damaged: {error}; restore it from a backup") from error
        return signed

    def newest_by_hash(self, origin_hash: str) -> SignedCheckpoint | None:
        """As `newest`, by the SHA-256 of the origin, as tlog-witness's monitors ask."""
        return next((k.newest for k in self.logs() if sha256(k.origin.encode()).hexdigest() == origin_hash), None)

    # --- add-checkpoint -----------------------------------------------------------------------------------------------

    def add_checkpoint(self, body: bytes) -> Answer:
        """Judge one request; see tlog-witness for the statuses."""
        try:
            asked = GrowthProof.parse(body)
        except NoteError as error:
            return _no(400, f"the request cannot be read: {error}")
        key = self.key()
        origin = asked.checkpoint.checkpoint.origin
        with self._locked(), _disk_named():
            keys = self._keys(origin)
            if not keys:
                return _no(404, f"the log {origin} is not known here; `muckraker witness trust` makes it known")
            try:
                asked.checkpoint.verify(keys)
            except NoteError as error:
                return _no(403, f"the checkpoint of {origin}: {error}")
            newest = self.newest(origin)
            refused = self._judge(asked, newest, body)
            return refused or self._sign(asked.checkpoint, key)

    def _judge(self, asked: GrowthProof, newest: SignedCheckpoint | None, body: bytes) -> Answer | None:
        """Why it is refused, or None."""
        said = asked.checkpoint.checkpoint
        if asked.old > said.size:
            return _no(400, f"the old size, {asked.old}, is more than the checkpoint's, {said.size}")
        known = 0 if newest is None else newest.checkpoint.size
        root = EMPTY_ROOT if newest is None else newest.checkpoint.root
        if newest is not None and said.size == known and said.root != root:
            # Whatever proof comes with it: two roots were signed for one size.
            evidence = self._keep(newest, body)
            return _no(
                422 if asked.old == known else 409,
                f"a fork: {said.origin} signed two different trees of {counted(said.size, 'record')}",
                evidence,
                known,
            )
        if asked.old != known:
            if newest is not None and said.size < known:
                return _no(
                    409,
                    f"a roll-back: {said.origin} shows {counted(said.size, 'record')}, where {known:,} "
                    f"{'was' if known == 1 else 'were'} signed for before",
                    self._keep(newest, body),
                    known,
                )
            return _no(
                409,
                f"the proof begins at {asked.old} records, and the newest checkpoint here is of {known}",
                size=known,
            )
        if said.size == 0 and said.root != EMPTY_ROOT:
            return _no(422, "a checkpoint of no records has the root of the empty tree, and this has another")
        if not is_consistent(known, root, said.size, said.root, asked.hashes):
            evidence = None if newest is None else self._keep(newest, body)
            return _no(
                422,
                f"nothing shows that {said.origin}, with {counted(said.size, 'record')}, begins with the "
                f"{known:,} signed for before: a fork, or a wrong proof",
                evidence,
            )
        return None

    def _sign(self, signed: SignedCheckpoint, key: SecretKey) -> Answer:
        text = signed.note.text
        seconds = int(self._clock())
        signature = seconds.to_bytes(8, "big") + key.sign(cosigned_message(text, seconds))
        line = SignatureLine(key.name, key_id(key.name, COSIGNATURE, key.public), signature)
        mine = (line.name, line.key_id)
        kept = tuple(one for one in signed.note.signatures if (one.name, one.key_id) != mine)
        note = Note(text, (*kept, line))
        path = self._log(signed.checkpoint.origin) / "checkpoint"
        place_file(path, note.encoded(), replace=True)  # before it is told
        return Answer(200, str(line))

    def _keep(self, newest: SignedCheckpoint, body: bytes) -> Path | None:
        """Both sides of a contradiction, once: each is signed by the log, and together they convict it."""
        folder = self._log(newest.checkpoint.origin) / "refused"
        place = folder / sha256(body).hexdigest()[:32]
        if not place.exists():
            if folder.is_dir() and sum(1 for _ in folder.iterdir()) >= MAX_REFUSED:
                return None
            make_folders(place.absolute())
            place_file(place / "signed-before", newest.note.encoded(), replace=True)
            place_file(place / "offered", body, replace=True)
        return place

    # --- its folder ---------------------------------------------------------------------------------------------------

    def _log(self, origin: str) -> Path:
        return self.folder / "logs" / sha256(origin.encode()).hexdigest()

    def _keys(self, origin: str) -> tuple[VerifierKey, ...]:
        path = self._log(origin) / "vkeys"
        if not path.exists():
            return ()
        try:
            keys = tuple(VerifierKey.parse(line) for line in _read(path).decode().splitlines())
        except (NoteError, UnicodeDecodeError) as error:
            raise WitnessError(f"{path} is damaged: {error}; restore it from a backup") from error
        if any(key.name != origin for key in keys):
            raise WitnessError(f"{path} is damaged: it has a key of another log; restore it from a backup")
        return keys

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One request at a time: between looking at the newest checkpoint and replacing it nobody else may."""
        lock = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


@contextmanager
def _disk_named() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WitnessError(
            f"{error.filename or 'the disk'}: {error.strerror}; nothing was signed: see to it, then ask again"
        ) from error


def _no(status: int, reason: str, evidence: Path | None = None, size: int | None = None) -> Answer:
    if status == 409 and size is not None:
        return Answer(409, f"{size}\n", SIZE, reason, evidence)
    return Answer(status, f"{reason}\n", TEXT, reason, evidence)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise WitnessError(f"{path} cannot be read: {error.strerror}; restore it from a backup") from error
