"""What a segment of the lake is: the names of its files, the columns of its events, and what can be wrong with it.

The words that those who write segments, read them and check them have in common; nothing here touches the disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from ingest.gate.gate import EventRow
from ingest.seal.segment_seal import CHECKPOINTS, HASHES
from schemas.not_of_the_replay import NotOfTheReplay

FORMAT = 3
UNSEALED_FORMAT = 1  # before there was a seal
EVENTS = "events.parquet"
TABLE_FILES = (EVENTS, "findings.parquet", "rounds.parquet")
SEGMENT_FILES = (CHECKPOINTS, *TABLE_FILES, "state.json", HASHES)  # what the manifest names
MANIFEST = "manifest.json"
SETTINGS = "settings.json"
LOCK = ".lock"
COMPACTING = ".compacting"  # a partition's folder for what compaction is about; nothing in it is committed
BESIDE_PARTITIONS = frozenset({"quality"})  # folders of a topic that hold what was made from its segments

EVENTS_SCHEMA = pa.schema(
    [
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("timestamp_us", pa.int64(), nullable=False),
        pa.field("table_id", pa.string(), nullable=False),
        ("round_id", pa.string()),
        ("seq", pa.int64()),
        ("type", pa.string()),
        ("event_id", pa.string()),
        ("time_us", pa.int64()),
        ("source", pa.string()),
        pa.field("status", pa.string(), nullable=False),
        ("reason", pa.string()),
        pa.field("hash", pa.binary(32), nullable=False),
        pa.field("raw", pa.binary(), nullable=False),
    ]
)

WRITING = ".writing-"
PARTITION_NAME = re.compile(r"\d+\Z")


class LakeError(NotOfTheReplay):
    """The lake cannot be written or read; the message names the folder or file and says what to do."""


class OwnedElsewhere(LakeError):
    """Another process writes this partition; with patience, or by `take_over`, it may become free."""


class Damage(NamedTuple):
    """Something wrong with the lake: which file or folder, and what."""

    path: Path
    what: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what}"


@dataclass(frozen=True)
class Segment:
    """One committed segment: the log records `first` to `last` of a partition."""

    path: Path
    first: int
    last: int


@dataclass(frozen=True)
class SegmentContent:
    """What goes into a segment."""

    first: int
    last: int
    events: pa.Table
    rounds: pa.Table
    findings: pa.Table
    state: dict[str, Any] | None  # behind the last record; None: this segment has none, and an earlier one has
    top_seqs: dict[str, int]  # the highest seq recorded of each table, ever
    ends: tuple[int, ...] = ()  # records behind which the log was taken to have ended (docs/events.md)


def events_table(rows: Sequence[EventRow]) -> pa.Table:
    """The gate's rows as the Arrow table that events.parquet holds."""
    columns: Iterable[Iterable[object]] = zip(*rows, strict=True) if rows else [()] * len(EVENTS_SCHEMA)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, EVENTS_SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=EVENTS_SCHEMA)


def other_format(found: object) -> str:
    if found == UNSEALED_FORMAT:
        return (
            f"has format {found}, from before records were sealed, and nothing can prove now that it was not touched "
            "since: move the lake folder away and type `muckraker run` to make it anew from the log"
        )
    return f"has format {found!r}, and this version reads {FORMAT}; use the Muckraker that wrote it"
