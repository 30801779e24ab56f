"""Failed rows as findings: what they say, what they rest on, and what they put in doubt.

What fails of one table, device and item is one failure. Its `marks` are stretches of the table's sequence: whatever was
concluded from events in them stands on data that failed. A trouble that goes on from one segment into the next is one
finding; each segment marks its own part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from ingest.quality.expectations import Border, Check, Row, frames_of
from schemas.findings import Finding

MARKS_KEPT = 1_000
ROUNDS_NAMED = 3
Failure = dict[str, Any]
Going = dict[str, Row]
"""By check, table, device and item: how the trouble that is going on was put when it began."""
Frames = Mapping[str, pa.Table]
Place = tuple[str, str, str]  # table, device and item
DayOf = Callable[[str, int], str | None]  # the gaming day of a table's event


@dataclass
class Group:
    """What a check found of one table, device and item."""

    check: Check
    place: Place
    seq: int  # of its first row
    judged: int = 0
    failed: list[Row] = field(default_factory=list)


def groups_of(border: Border, frames: Frames, failed: Mapping[str, Sequence[int]]) -> list[Group]:
    """`failed` is by check the positions of the rows that failed."""
    found: list[Group] = []
    for name, checks in frames_of(border).items():
        frame = frames[name]
        places, seqs = _places_in(frame), frame["seq"].to_pylist()
        for check in checks:
            here: dict[Place, Group] = {}
            judged = (frame[column].to_pylist() for column in check.judged)
            for place, seq, *values in zip(places, seqs, *judged, strict=True):
                if None not in values:
                    if place not in here:
                        here[place] = Group(check, place, seq)
                    here[place].judged += 1
            bad = failed[check.name]
            for at, row in zip(bad, frame.take(pa.array(bad, pa.int64())).to_pylist(), strict=True):
                here[places[at]].failed.append(row)
            found += [here[place] for place in sorted(here)]
    return found


def _places_in(frame: pa.Table) -> list[Place]:
    columns = [
        [value or "" for value in frame[name].to_pylist()] if name in frame.column_names else [""] * frame.num_rows
        for name in ("table_id", "device", "item")
    ]
    return list(zip(*columns, strict=True))


def counts_of(border: Border, groups: Iterable[Group]) -> dict[str, Row]:
    """Of each check how many were judged, and how many failed."""
    checks = [check for held in frames_of(border).values() for check in held]
    counts: dict[str, Row] = {check.name: {"code": check.code, "failed": 0, "judged": 0} for check in checks}
    for group in groups:
        counts[group.check.name]["judged"] += 1
        counts[group.check.name]["failed"] += bool(group.failed)
    return counts


def places_of(groups: Iterable[Group], day_of: DayOf) -> list[Row]:
    """Where expectations were held against the data. A table or device that is not listed was not looked at."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for group in groups:
        table_id, devices, _ = group.place
        for device in devices.split(", "):
            count = counts.setdefault((day_of(table_id, group.seq) or "", table_id, device), [0, 0])
            count[0] += 1
            count[1] += bool(group.failed)
    return [
        {"gaming_day": day or None, "table_id": table_id, "device": device or None, "judged": judged, "failed": failed}
        for (day, table_id, device), (judged, failed) in sorted(counts.items())
    ]


def failures_of(groups: Iterable[Group], day_of: DayOf, going: Going) -> list[Failure]:
    """What failed; `going` is brought up to the segment's end."""
    found: list[Failure] = []
    for group in groups:
        key = " ".join((group.check.name, *group.place))
        if not group.failed:
            going.pop(key, None)
            continue
        failure = _failure(group, day_of, going.get(key))
        if group.check.goes_on:
            going.setdefault(key, {name: failure[name] for name in ("finding_id", "sentence", "seq", "at_us")})
        found.append(failure)
    return found


def _failure(group: Group, day_of: DayOf, began: Row | None) -> Failure:
    """`began` is how the trouble was put where it goes on from an earlier segment."""
    check, rows = group.check, sorted(group.failed, key=lambda row: int(row["seq"]))
    shown = rows[0] if check.goes_on else max(rows, key=lambda row: abs(row[check.column] - _limit(check, row)))
    named = [row["round_id"] for row in rows if row.get("round_id")]
    value = sum(row[check.column] for row in rows) if check.counts else shown[check.column]
    said = began or {
        "sentence": check.sentence(
            shown
            | {
                "who": " ".join(filter(None, (shown["table_id"], shown.get("device")))),
                "total": value,
                "judged": group.judged,
                "rounds": ", ".join(named[:ROUNDS_NAMED]) + (" and others" if len(named) > ROUNDS_NAMED else ""),
            }
        ),
        "seq": rows[0]["seq"],
        "at_us": rows[0]["at_us"],
    }
    money, limit = check.column.endswith("_cents"), _limit(check, shown)
    finding = Finding(
        code=check.code,
        table_id=shown["table_id"],
        round_id=named[0] if len(named) == 1 else None,
        sentence=said["sentence"],
        citation=f"docs/quality.md, {check.section}",
        at_us=said["at_us"],
        seq=said["seq"],
        expected_cents=limit if money else None,
        actual_cents=value if money else None,
        evidence=(said["seq"],),
    )
    return {
        **{name: getattr(finding, name) for name in _OF_FINDING},
        "finding_id": finding.id,
        "severity": str(finding.severity),
        "check": check.name,
        "device": shown.get("device") or None,
        "gaming_day": day_of(group.place[0], rows[0]["seq"]),
        "value": value,
        "limit": limit,
        "marks": joined(mark for row in rows for mark in row["marks"] or [])[:MARKS_KEPT],
    }


_OF_FINDING = ("code", "table_id", "round_id", "sentence", "citation", "at_us", "seq", "expected_cents", "actual_cents")


def _limit(check: Check, row: Row) -> int:
    return int(row[check.limit]) if isinstance(check.limit, str) else check.limit


def finding_of(failure: Failure) -> Finding:
    """The failure as the finding it is."""
    return Finding(**{name: failure[name] for name in _OF_FINDING}, evidence=(failure["seq"],))


def joined(marks: Iterable[Sequence[int]]) -> list[list[int]]:
    """Stretches in order, those that touch made one."""
    made: list[list[int]] = []
    for first, last in sorted((int(mark[0]), int(mark[1])) for mark in marks):
        if made and first <= made[-1][1] + 1:
            made[-1][1] = max(made[-1][1], last)
        else:
            made.append([first, last])
    return made
