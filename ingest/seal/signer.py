"""Who signs: the port a lake asks for signatures, and the key file that stands behind it by default.

The port is three small things, so that a hardware module or another host can hold the key. A key file is one line in
the form of Go's note package, `PRIVATE+KEY+<name>+<key id>+<base64>`, readable by its owner only; beside it lies the
public half as a vkey line, `<the same name>.vkey`, which is all that verifying needs. The private half is never shown.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from nacl.signing import SigningKey

from ingest.durable import place_file
from ingest.seal.note import (
    ED25519,
    Note,
    NoteError,
    SignatureLine,
    VerifierKey,
    check_name,
    decode64,
    encode64,
    key_id,
)

_HEAD = "PRIVATE+KEY+"
_SEED_BYTES = 32


class SealKeyError(Exception):
    """A sealing key cannot be read or made; the message names the file and the way out, and never the key."""


class Signer(Protocol):
    """Something that holds an Ed25519 key. The same message must give the same signature, as RFC 8032 has it."""

    @property
    def name(self) -> str:
        """What the key is called; the lake's trees are called `<name>/<topic>/<partition>`."""
        ...

    @property
    def public(self) -> bytes: ...

    def sign(self, message: bytes) -> bytes: ...


@dataclass(frozen=True)
class SecretKey:
    """An Ed25519 key in memory."""

    name: str
    _key: SigningKey = field(repr=False)

    @property
    def public(self) -> bytes:
        return bytes(self._key.verify_key)

    def sign(self, message: bytes) -> bytes:
        return bytes(self._key.sign(message).signature)

    @property
    def line(self) -> str:
        """What its file holds."""
        material = encode64(bytes([ED25519]) + bytes(self._key))
        return f"{_HEAD}{self.name}+{key_id(self.name, ED25519, self.public).hex()}+{material}"

    @classmethod
    def parse(cls, line: str) -> SecretKey:
        """A NoteError says what is wrong, without showing any of it."""
        parts = line.strip().removeprefix(_HEAD).split("+", 2)
        if not line.startswith(_HEAD) or len(parts) != 3:
            raise NoteError("it is not a line PRIVATE+KEY+name+id+base64")
        try:
            material = decode64(parts[2], "")
        except NoteError:
            material = b""
        if len(material) != 1 + _SEED_BYTES or material[0] != ED25519:
            raise NoteError("it is not an Ed25519 key")
        check_name(parts[0])
        key = cls(parts[0], SigningKey(material[1:]))
        if key_id(key.name, ED25519, key.public).hex() != parts[1]:
            raise NoteError("its key id is not that of the key")
        return key


def new_key(name: str | None = None) -> SecretKey:
    """A fresh key; without a name it is called by its public half, so that no two lakes share one."""
    key = SigningKey.generate()
    return SecretKey(name or f"muckraker/{sha256(bytes(key.verify_key)).hexdigest()[:16]}", key)


def public_path(key_path: Path) -> Path:
    """Where the public half of a key file lies."""
    return key_path.with_suffix(".vkey")


def read_key(path: Path) -> SecretKey:
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if mode & 0o077:
                raise SealKeyError(f"{path} can be read by others than its owner; type `chmod 600 {path}`")
            line = file.read(4_096).decode("utf-8", "replace")
        return SecretKey.parse(line)
    except OSError as error:
        raise SealKeyError(
            f"{path}, the key that seals, cannot be read: {error.strerror}; restore it from a backup, or run this as "
            "the user it belongs to"
        ) from error
    except NoteError as error:
        raise SealKeyError(f"{path} is not a sealing key ({error}); restore it from a backup") from error


def read_or_make_key(path: Path, name: str | None = None) -> SecretKey:
    """The key at `path`; where there is none it is made, once, whoever else may be trying at the same time."""
    if not path.exists():
        key = new_key(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            place_file(path, f"{key.line}\n".encode(), 0o600, replace=False)
        except OSError as error:
            raise SealKeyError(f"{path}, the key that seals, cannot be made: {error.strerror}") from error
    key = read_key(path)
    public = public_path(path)
    if not public.exists():
        try:
            place_file(public, f"{VerifierKey(key.name, key.public)}\n".encode(), replace=False)
        except OSError as error:
            raise SealKeyError(f"{public} cannot be written: {error.strerror}") from error
    return key


@dataclass(frozen=True)
class LakeKeys:
    """The public half of a lake's key. Each partition's tree has an origin of its own, and is signed under that."""

    name: str
    public: bytes

    @classmethod
    def of(cls, signer: Signer) -> LakeKeys:
        return cls(signer.name, signer.public)

    @classmethod
    def parse(cls, text: str) -> LakeKeys:
        """From vkey lines: the lake's own, or those of its partitions, which must agree."""
        found = set()
        for line in text.splitlines():
            if line.strip():
                key = VerifierKey.parse(line)
                if key.kind != ED25519:
                    raise NoteError(f"the key {key.name} is a witness's, not a lake's")
                base, _, partition = key.name.rpartition("/")
                name = base.rpartition("/")[0] if partition.isdecimal() and base.count("/") else key.name
                found.add(cls(name, key.public))
        if len(found) != 1:
            raise NoteError(f"it names {len(found)} lakes' keys, not one" if found else "it names no key")
        return found.pop()

    def origin(self, topic: str, partition: int) -> str:
        return f"{self.name}/{topic}/{partition}"

    def verifier(self, topic: str, partition: int) -> VerifierKey:
        return VerifierKey(self.origin(topic, partition), self.public)

    def __str__(self) -> str:
        return str(VerifierKey(self.name, self.public))


def read_public(key_path: Path) -> LakeKeys:
    """The public half of the key file at `key_path`; the private one is asked only where there is no other."""
    path = public_path(key_path)
    try:
        return LakeKeys.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        if not key_path.exists():
            raise SealKeyError(
                f"there is no {path}: without the public key nothing can be verified; restore it, or give the vkey "
                "line you kept"
            ) from error
        return LakeKeys.of(read_key(key_path))
    except (OSError, UnicodeDecodeError, NoteError) as error:
        raise SealKeyError(f"{path} cannot be used: {error}; restore it, or give the vkey line you kept") from error


def signed(text: str, name: str, signer: Signer) -> Note:
    """The text as a note signed under `name`."""
    signature = signer.sign(text.encode())
    return Note(text, (SignatureLine(name, key_id(name, ED25519, signer.public), signature),))
