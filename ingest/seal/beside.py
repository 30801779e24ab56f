"""Seals of what lies beside the partitions: the results of the quality checks, which are made from segments.

Such a file has a file `<name>.seal` beside it, a note signed by the lake's key over its place in the lake and its
SHA-256. The seal is written first: killed in between there is a seal without a file, which whoever makes the file makes
again, byte for byte. That a file is gone together with its seal cannot be told from the two; it is simply made anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from ingest.lake import Lake
from ingest.seal.note import NoteError, VerifierKey, encode64, parse_note, verify_note
from ingest.seal.signer import LakeKeys, Signer, signed
from ingest.segments import BESIDE_PARTITIONS, LOCK, WRITING, Damage

SUFFIX = ".seal"
_HEAD = "muckraker-beside/v1"


def seal_path(path: Path) -> Path:
    return path.with_name(path.name + SUFFIX)


def seal_of(lake: Lake, path: Path, data: bytes, signer: Signer) -> bytes:
    """What the seal of a file at this path, with this content, is."""
    return signed(_text(lake, path, data, signer.name), signer.name, signer).encoded()


def verify_beside(lake: Lake, keys: LakeKeys) -> list[Damage]:
    """What is wrong with the files beside the partitions."""
    key = VerifierKey(keys.name, keys.public)
    return [
        damage for topic in lake.topics() for path in _files(lake.root / topic) for damage in _check(lake, path, key)
    ]


def _files(topic: Path) -> Iterator[Path]:
    for name in sorted(BESIDE_PARTITIONS):
        for path in sorted((topic / name).rglob("*")):
            if not path.is_dir() and path.name != LOCK and not path.name.startswith(WRITING):
                yield path


def _check(lake: Lake, path: Path, key: VerifierKey) -> list[Damage]:
    try:
        if path.name.endswith(SUFFIX):
            beside = path.with_name(path.name.removesuffix(SUFFIX))
            gone = f"is missing, and {path.name} is there: type `muckraker quality` to have it made again"
            return [] if beside.exists() else [Damage(beside, gone)]
        if not seal_path(path).exists():
            return [Damage(path, "is not sealed: nobody vouches for it; remove it to have it made again")]
        data = path.read_bytes()
        try:
            note = parse_note(seal_path(path).read_bytes())
            if len(note.signatures) != 1:
                raise NoteError(f"it has {len(note.signatures)} signatures, not one")
            verify_note(note, [key])
        except NoteError as error:
            return [Damage(seal_path(path), str(error))]
    except OSError as error:
        return [Damage(path, f"cannot be read: {error.strerror}")]
    if note.text != _text(lake, path, data, key.name):
        return [Damage(path, "was changed: it is not the file its seal was made over")]
    return []


def _text(lake: Lake, path: Path, data: bytes, name: str) -> str:
    place = path.relative_to(lake.root).as_posix()
    return f"{_HEAD}\n{name}\n{place}\n{encode64(sha256(data).digest())}\n"
