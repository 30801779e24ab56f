"""Where expectations were held against the data: by gaming day, table and device, how many rows were judged and failed.

A place with rows and none failed is data that was looked at and found good; a table or device that is not listed was
not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ingest.quality.source import Row
from ingest.quality.suites import Check

Frames = Mapping[str, Sequence[Row]]


def judged(check: Check, rows: Iterable[Row]) -> int:
    """How many rows a check had something to say about."""
    return sum(is_judged(check, row) for row in rows)


def is_judged(check: Check, row: Row) -> bool:
    return all(row[column] is not None for column in check.expectation.judged)


def places_of(
    checks: Mapping[str, Sequence[Check]],
    frames: Frames,
    failed: Mapping[str, Iterable[int]],
    day_of: Callable[[Row], str | None],
) -> list[Row]:
    """`checks` by frame; `failed` by check: positions in its frame."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for frame, held in checks.items():
        for check in held:
            bad = set(failed[check.name])
            for position, row in enumerate(frames[frame]):
                if is_judged(check, row):
                    for device in str(row.get("device") or "").split(", "):
                        count = counts.setdefault((day_of(row) or "", row["table_id"], device), [0, 0])
                        count[0] += 1
                        count[1] += position in bad
    return [
        {"gaming_day": day or None, "table_id": table_id, "device": device or None, "judged": rows, "failed": bad}
        for (day, table_id, device), (rows, bad) in sorted(counts.items())
    ]
