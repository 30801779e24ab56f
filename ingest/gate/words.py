"""The gate's words: what becomes of a record, where something happened, ranges of numbers, how long a time is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ingest.log import Place, partition_of

TABLE_ID = re.compile(r"[A-Z0-9][A-Z0-9-]{0,31}\Z")

RoundEvent = tuple[int, int, bytes]
"""An event of a round: seq, log offset, bytes."""

RECORDED = "recorded"
DUPLICATE = "duplicate"
QUARANTINED = "quarantined"
ABORTED_REASON = "it was written in a transaction that was aborted"
SKIPPED = "skipped"  # an offset that the log used for itself; nobody sent anything

SECOND_US = 1_000_000


def plain(key: str) -> str:
    """A log record's key for people: somebody may have put anything there, to be read by a terminal."""
    short = key[:60]
    return short if short.isprintable() else short.encode("unicode_escape").decode("ascii")


def where(table_id: str, round_id: str | None, seq: int | None) -> str:
    text = table_id if round_id is None else f"{table_id} round {round_id}"
    return text if seq is None else f"{text}, seq {seq}"


def lasting(us: int) -> str:
    """`45.0 s`, `3.5 minutes`, `2.0 hours`, `16.4 days`."""
    for name, each in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if us >= 2 * each * SECOND_US:
            return f"{us / (each * SECOND_US):,.1f} {name}"
    return f"{us / SECOND_US:,.1f} s"


def ranges(seqs: Sequence[int]) -> str:
    """`5, 7 to 9` of ascending numbers."""
    found: list[tuple[int, int]] = []
    for seq in seqs:
        if found and found[-1][1] == seq - 1:
            found[-1] = (found[-1][0], seq)
        else:
            found.append((seq, seq))
    return range_text(found)


def range_text(found: Iterable[tuple[int, int]]) -> str:
    return ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in found)


def wrong_partition(place: Place | None, key: str) -> str | None:
    """Why a table that has not been heard of in this partition cannot be heard of there; None if it can."""
    if place is None or TABLE_ID.match(key) is None:
        return None
    belongs = partition_of(key, place.partitions)
    if belongs == place.partition:
        return None
    return (
        f"the records of table {key} belong in partition {belongs} of {place.partitions}, and this one is in "
        f"partition {place.partition}"
    )
