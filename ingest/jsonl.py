"""Events from a file into the log: one CloudEvent a line, the bytes kept exactly.

Nothing is judged here and nothing is dropped: a broken line is recorded like any other and the gate refuses it, with
its bytes in quarantine. Appending a file twice is legal; the gate recognises the duplicates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

import orjson

from ingest.log import EventLog
from schemas.events import MAX_EVENT_BYTES

UNKNOWN_KEY = "unknown"
"""The record key of a line whose `tableid` cannot be read. No table can have it: table ids are upper case."""

MAX_LINE_BYTES = 1 << 20
_BATCH_RECORDS = 10_000
_BATCH_BYTES = 16 << 20
_TABLE_ID = re.compile(rb'"tableid"\s*:\s*"([A-Z0-9][A-Z0-9-]{0,31})"')


class Line(NamedTuple):
    """One line of a file, without its end."""

    number: int  # from 1
    value: bytes
    truncated: bool  # it is longer than MAX_LINE_BYTES, and cut
    bytes_read: int


class InputError(Exception):
    """A file of events cannot be read; the message names it and says why."""


@dataclass
class Counts:
    """What became of the lines of a file. All but the blank ones are appended, whatever else is counted of them."""

    appended: int = 0
    blank: int = 0
    without_table: int = 0  # no readable tableid: recorded under the key `unknown`
    oversize: int = 0  # over MAX_EVENT_BYTES: recorded, and the gate will refuse them
    truncated: int = 0  # over 1 MiB: recorded cut to 1 MiB
    bytes_read: int = 0


def append_file(
    log: EventLog,
    topic: str,
    source: str | Path | BinaryIO,
    progress: Callable[[Counts], None] | None = None,
) -> Counts:
    """Append every line of a file (or binary stream) to the topic; `progress` is called after every batch."""
    if isinstance(source, str | Path):
        try:
            with Path(source).open("rb") as stream:
                return _append_stream(log, topic, stream, str(source), progress)
        except OSError as error:
            raise InputError(f"{source} cannot be read: {error.strerror or error}") from error
    return _append_stream(log, topic, source, getattr(source, "name", "the stream"), progress)


def _append_stream(
    log: EventLog, topic: str, stream: BinaryIO, name: object, progress: Callable[[Counts], None] | None
) -> Counts:
    counts = Counts()
    batch: list[tuple[str, bytes]] = []
    batch_bytes = 0
    for line in _read_lines(stream, name):
        value = line.value
        counts.bytes_read += line.bytes_read
        counts.truncated += line.truncated
        if not value or value.isspace():
            counts.blank += 1
            continue
        if len(value) > MAX_EVENT_BYTES:
            counts.oversize += 1
        found = _TABLE_ID.search(value)
        if found is None:
            counts.without_table += 1
            batch.append((UNKNOWN_KEY, value))
        else:
            batch.append((found[1].decode("ascii"), value))
        batch_bytes += len(value)
        if len(batch) >= _BATCH_RECORDS or batch_bytes >= _BATCH_BYTES:
            _flush(log, topic, batch, counts, progress)
            batch, batch_bytes = [], 0
    _flush(log, topic, batch, counts, progress)
    return counts


def lines_in(stream: BinaryIO, name: object) -> Iterator[Line]:
    """The lines of a file of events, blank ones left out. One event written over several lines is one of them."""
    lines = _read_lines(stream, name)
    head: list[Line] = []
    for line in lines:
        head.append(line)
        if not line.value.isspace() and line.value:
            break
    if head and not _is_json(head[-1].value):  # a broken line, or one event in many?
        size = 0
        for line in lines:
            head.append(line)
            size += len(line.value)
            if size > MAX_LINE_BYTES:
                break
        else:
            whole = b"\n".join(line.value for line in head).strip()
            first = next(line.number for line in head if line.value.strip())
            if _is_json(whole):
                yield Line(first, whole, False, 0)
                return
    for line in (*head, *lines):
        if line.value and not line.value.isspace():
            yield line


def _is_json(text: bytes) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def _read_lines(stream: BinaryIO, name: object) -> Iterator[Line]:
    number = 0
    while line := _read(stream, MAX_LINE_BYTES + 2, name):  # room for the newline, CR LF at most
        number += 1
        size = len(line)
        if line.endswith(b"\n"):
            value = line[:-2] if line.endswith(b"\r\n") else line[:-1]
        else:
            value = line
            if len(line) == MAX_LINE_BYTES + 2:
                size += _skip_line(stream, name)
        yield Line(number, value[:MAX_LINE_BYTES], len(value) > MAX_LINE_BYTES, size)


def _flush(
    log: EventLog,
    topic: str,
    batch: list[tuple[str, bytes]],
    counts: Counts,
    progress: Callable[[Counts], None] | None,
) -> None:
    log.append(topic, batch)
    counts.appended += len(batch)
    if progress is not None:
        progress(counts)


def _skip_line(stream: BinaryIO, name: object) -> int:
    """Read past the rest of an overlong line, a piece at a time; how many bytes that was."""
    skipped = 0
    while True:
        piece = _read(stream, MAX_LINE_BYTES, name)
        skipped += len(piece)
        if not piece or piece.endswith(b"\n"):
            return skipped


def _read(stream: BinaryIO, limit: int, name: object) -> bytes:
    try:
        return stream.readline(limit)
    except OSError as error:
        raise InputError(f"{name} cannot be read on: {error.strerror or error}") from error
