"""Signed notes, as C2SP signed-note has them: a text, and lines that say who signed it.

    — <key name> base64(<key id> <signature>)

A key is known by its name and the four bytes of its id; signatures by anybody else are passed over, one by a known key
that does not hold spoils the whole note. Two of the specified kinds are here: 0x01, Ed25519 over the text, and 0x04, a
witness's cosignature with its time (C2SP tlog-cosignature). Reading is strict: every note has exactly one way to be
written, so that no byte of one can change unnoticed.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from nacl.exceptions import BadSignatureError
from nacl.exceptions import ValueError as NaclValueError
from nacl.signing import VerifyKey

ED25519 = 0x01
COSIGNATURE = 0x04
MAX_NOTE_BYTES = 262_144
MAX_SIGNATURES = 64  # the specification asks for 16 at least, of up to 5 kB each

_DASH = "—"
_PUBLIC_BYTES = 32
_SIGNATURE_BYTES = 64
_TIME_BYTES = 8
_KEY_ID = re.compile(r"[0-9a-f]{8}\Z")


class NoteError(ValueError):
    """A note, key or proof is not what it should be; the message says what is wrong with it."""


@dataclass(frozen=True)
class SignatureLine:
    """What one line under a note says; who `name` is, only the verified signature can tell."""

    name: str
    key_id: bytes
    signature: bytes

    def __str__(self) -> str:
        return f"{_DASH} {self.name} {encode64(self.key_id + self.signature)}\n"


@dataclass(frozen=True)
class Note:
    """A text (it ends with a newline) and the lines under it."""

    text: str
    signatures: tuple[SignatureLine, ...]

    def __str__(self) -> str:
        return self.text + "\n" + "".join(map(str, self.signatures))

    def encoded(self) -> bytes:
        return str(self).encode()


@dataclass(frozen=True)
class VerifierKey:
    """A public key with its name: what a `vkey` line says."""

    name: str
    public: bytes
    kind: int = ED25519

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.kind not in (ED25519, COSIGNATURE):
            raise NoteError(
                f"the key {self.name} is of kind {self.kind:#04x}; known are {ED25519:#04x} (Ed25519) and "
                f"{COSIGNATURE:#04x} (Ed25519 cosignatures)"
            )
        if len(self.public) != _PUBLIC_BYTES:
            raise NoteError(f"the key {self.name} has {len(self.public)} bytes; an Ed25519 key has {_PUBLIC_BYTES}")

    @property
    def key_id(self) -> bytes:
        return key_id(self.name, self.kind, self.public)

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{encode64(bytes([self.kind]) + self.public)}"

    @classmethod
    def parse(cls, line: str) -> VerifierKey:
        """The key of a vkey line; a NoteError says what is wrong with it."""
        parts = line.strip().split("+", 2)
        if len(parts) != 3 or _KEY_ID.match(parts[1]) is None:
            raise NoteError(f"{line.strip()[:120]!r} is not a verifier key: name+8 hex digits+base64")
        material = decode64(parts[2], "the key of a vkey line")
        if not material:
            raise NoteError(f"the verifier key {parts[0]!r} is empty")
        key = cls(parts[0], material[1:], material[0])
        if key.key_id.hex() != parts[1]:
            raise NoteError(
                f"the verifier key {parts[0]!r} has the id {parts[1]}, and its bytes give {key.key_id.hex()}"
            )
        return key

    def holds(self, text: str, signature: bytes) -> bool:
        """Whether this key made the signature (as a signature line has it, without the key id) over the text."""
        message = text.encode()
        if self.kind == COSIGNATURE:
            if len(signature) != _TIME_BYTES + _SIGNATURE_BYTES:
                return False
            seconds = int.from_bytes(signature[:_TIME_BYTES], "big")
            if seconds >= 1 << 63:
                return False
            message, signature = cosigned_message(text, seconds), signature[_TIME_BYTES:]
        if len(signature) != _SIGNATURE_BYTES:
            return False
        try:
            VerifyKey(self.public).verify(message, signature)
        except (BadSignatureError, NaclValueError):
            return False
        return True


def key_id(name: str, kind: int, public: bytes) -> bytes:
    return sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


def cosigned_message(text: str, seconds: int) -> bytes:
    """What a witness signs, as tlog-cosignature has it: the time and the note's whole text."""
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def check_name(name: str) -> None:
    if not name or "+" in name or any(character.isspace() or character < " " for character in name):
        raise NoteError(
            f"{name[:120]!r} cannot be a key's name: it is empty or has a blank, a + or a control character"
        )


def parse_note(data: bytes) -> Note:
    """The note these bytes are, whoever signed it. A NoteError says why they are none."""
    if len(data) > MAX_NOTE_BYTES:
        raise NoteError(f"it has {len(data)} bytes; a note has {MAX_NOTE_BYTES} at most")
    try:
        said = data.decode()
    except UnicodeDecodeError as error:
        raise NoteError(f"it is not UTF-8 (byte {error.start})") from error
    if any(character < " " and character != "\n" for character in said):
        raise NoteError("it has control characters")
    text, blank, under = said.rpartition("\n\n")
    if not blank or not said.endswith("\n") or not text:
        raise NoteError("it is not a signed note: a text, an empty line and signature lines")
    lines = under[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise NoteError(f"it has {len(lines)} signatures; {MAX_SIGNATURES} at most are read")
    return Note(text + "\n", tuple(map(parse_signature, lines)))


def parse_signature(line: str) -> SignatureLine:
    words = line.split(" ")
    if len(words) != 3 or words[0] != _DASH:
        raise NoteError(f"{line[:120]!r} is not a signature line: {_DASH} name base64")
    check_name(words[1])
    material = decode64(words[2], "a signature")
    if len(material) < 5:
        raise NoteError(f"the signature of {words[1]} is too short")
    return SignatureLine(words[1], material[:4], material[4:])


def verify_note(note: Note, known: Iterable[VerifierKey]) -> list[tuple[VerifierKey, SignatureLine]]:
    """Who of the known keys signed the note; a NoteError when nobody did, or one of their signatures does not hold."""
    keys = {(key.name, key.key_id): key for key in known}
    held = []
    for line in note.signatures:
        key = keys.get((line.name, line.key_id))
        if key is None:
            continue
        if not key.holds(note.text, line.signature):
            raise NoteError(f"the signature of {line.name} (key {line.key_id.hex()}) does not hold")
        held.append((key, line))
    if not held:
        by = ", ".join(f"{line.name} (key {line.key_id.hex()})" for line in note.signatures)
        wanted = ", ".join(f"{name} (key {id_.hex()})" for name, id_ in keys) or "nobody"
        raise NoteError(f"it is signed by {by} and not by {wanted}")
    return held


def encode64(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def decode64(text: str, what: str) -> bytes:
    """Base64 in its one exact form: no blanks, no missing padding, no bits left over."""
    try:
        data = b64decode(text, validate=True)
    except (Base64Error, ValueError) as error:
        raise NoteError(f"{what} is not base64: {text[:120]!r}") from error
    if encode64(data) != text:
        raise NoteError(f"{what} is not in base64's exact form: {text[:120]!r}")
    return data
