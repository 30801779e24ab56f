"""Results as files in the lake: written once, whole or not at all, and saying themselves what they were made from.

    <lake>/<topic>/quality/settings.json                            the day border, settled at first use
    <lake>/<topic>/quality/<partition>/<first>-<last>.json          what was found in a segment
    <lake>/<topic>/quality/<partition>/<first>-<last>.carried.json  what is remembered of its tables behind it
    <lake>/<topic>/quality/days/<date>.json                         what was found in a gaming day

A segment's result of another version of the suites is another file, `<first>-<last>.2.json` beside the first. A day
that is checked again, because the suites changed or more of it came, gets the next number: `<date>.2.json`. Nothing is
ever replaced. The bytes depend on the segments and the suites alone: no clock, no run id. `digest` is the SHA-256 of
the document without it (JSON, keys sorted, newline at the end), and `made_from` names the manifests of the segments.

Every file has its seal, `<name>.seal`, beside it (ingest/seal/beside.py): `muckraker verify` checks it. Files are put
in place whole (ingest/durable.py); whoever holds the lock clears away what a killed process left.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from ingest.durable import make_folders, place_file
from ingest.lake import MANIFEST, Lake, Segment
from ingest.quality.judge import QualityError
from ingest.quality.limits import DAY_BORDER_HOUR
from ingest.seal.beside import seal_of, seal_path
from schemas.quality import DAYS, FOLDER, DayResult, SegmentResult, day_results, segment_results

FORMAT = 1
Document = dict[str, Any]

_SETTINGS = "settings.json"
_LOCK = ".lock"
_WRITING = ".writing-"


class QualityBusy(QualityError):
    """Another process is checking this lake."""


class Results:
    """The result files of one topic."""

    def __init__(self, lake: Lake, topic: str) -> None:
        self.lake = lake
        self.topic = topic
        self.root = lake.root / topic / FOLDER

    @contextmanager
    def owned(self) -> Iterator[None]:
        """Be the one who writes."""
        try:
            make_folders(self.root)
            lock = os.open(self.root / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise QualityError(
                f"{self.root}: results cannot be written: {error.strerror}; make the folder writable"
            ) from error
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.read(lock, 32).decode("ascii", "replace").strip()
                raise QualityBusy(
                    f"{self.root}: another process ({holder or 'unknown'}) is checking this lake; wait for it"
                ) from None
            os.ftruncate(lock, 0)
            os.write(lock, f"{os.getpid()}\n".encode("ascii"))
            for leftover in self.root.rglob(f"{_WRITING}*"):
                leftover.unlink()
            yield
        finally:
            os.close(lock)

    def settle(self, day_border_hour: int | None) -> int:
        """The day border of this lake: fixed at first use, or days would not be the same from one check to the next."""
        path = self.root / _SETTINGS
        if not path.exists():
            chosen = DAY_BORDER_HOUR if day_border_hour is None else day_border_hour
            self._write(path, {"day_border_hour": chosen, "format": FORMAT})
        settled = int(read_document(path)["day_border_hour"])
        if day_border_hour not in (None, settled):
            raise QualityError(
                f"{path}: the gaming day begins at {settled}:00 UTC in this lake, and {day_border_hour}:00 was asked "
                f"for; leave it at {settled}, or move {self.root} away to have everything checked again"
            )
        return settled

    def checked(self, partition: int) -> list[SegmentResult]:
        """The results of a partition's segments, by any version of the suites."""
        return segment_results(_listed(self.root / str(partition)))

    def read_segment(self, partition: int, name: SegmentResult) -> Document:
        return read_document(self.root / str(partition) / name.file)

    def read_carried(self, partition: int, name: SegmentResult) -> Document:
        path = self._carried_path(partition, name)
        data = _bytes_of(path)
        if sha256(data).hexdigest() != self.read_segment(partition, name)["carried_sha256"]:
            raise QualityError(
                f"{path} is damaged: it is not the file its result names; remove {path.parent} to have the partition "
                "checked again"
            )
        carried: Document = orjson.loads(data)
        return carried

    def write_segment(self, partition: int, name: SegmentResult, document: Document, carried: Document) -> str:
        """The result of a segment; its digest. What is carried is there first: a result is complete or not there."""
        data = _json(carried)
        self._place(self._carried_path(partition, name), data)
        named = {**document, "carried_sha256": sha256(data).hexdigest()}
        return self._write(self.root / str(partition) / name.file, named)

    def newest_day(self, day: str) -> DayResult | None:
        found = [result for result in day_results(_listed(self.root / DAYS)) if result.day == day]
        return found[-1] if found else None

    def read_day(self, name: DayResult) -> Document:
        return read_document(self.root / DAYS / name.file)

    def write_day(self, name: DayResult, document: Document) -> str:
        return self._write(self.root / DAYS / name.file, document)

    def _carried_path(self, partition: int, name: SegmentResult) -> Path:
        return self.root / str(partition) / f"{name.file.removesuffix('.json')}.carried.json"

    def _write(self, path: Path, document: Document) -> str:
        digest = digest_of(document)
        self._place(path, _json({**document, "digest": digest}))
        return digest

    def _place(self, path: Path, data: bytes) -> None:
        seal = seal_of(self.lake, path, data, self.lake.sealing_key())
        try:
            make_folders(path.parent)
            place_file(seal_path(path), seal, replace=True)  # first: a result that is there is sealed
            place_file(path, data, replace=True)
        except OSError as error:
            raise QualityError(
                f"{path} could not be written: {error.strerror}; free space or mend the disk, then run it again"
            ) from error


def made_from(partition: int, segments: Sequence[Segment]) -> Document:
    """Which segments of a partition something was made from, and one hash over the hashes of their manifests."""
    hashes = [sha256(_bytes_of(segment.path / MANIFEST)).hexdigest() for segment in segments]
    return {
        "partition": partition,
        "first_offset": segments[0].first,
        "last_offset": segments[-1].last,
        "segments": len(segments),
        "manifests_sha256": sha256("".join(f"{hashed}\n" for hashed in hashes).encode("ascii")).hexdigest(),
    }


def digest_of(document: Document) -> str:
    """The SHA-256 of a document without its `digest`."""
    return sha256(_json({name: value for name, value in document.items() if name != "digest"})).hexdigest()


def read_document(path: Path) -> Document:
    """A result, checked against its digest."""
    try:
        document = orjson.loads(_bytes_of(path))
    except orjson.JSONDecodeError as error:
        raise _damaged(path, f"it is not JSON ({error})") from error
    if not isinstance(document, dict) or document.get("digest") != digest_of(document):
        raise _damaged(path, "its digest is not that of its content")
    if document.get("format") != FORMAT:
        raise QualityError(
            f"{path} has format {document.get('format')!r}, and this version reads {FORMAT}; use the Muckraker that "
            "wrote it"
        )
    return document


def _damaged(path: Path, why: str) -> QualityError:
    return QualityError(f"{path} is damaged: {why}; remove it and it is made again")


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise QualityError(
            f"{path} cannot be read: {error.strerror}; restore it, or remove the results and check again"
        ) from error


def _json(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def _listed(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []
