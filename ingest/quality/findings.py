"""Failed rows as findings: what they say, what they rest on, and what they put in doubt.

What fails of one table, device and item is one failure. Its `marks` are stretches of the table's sequence: whatever was
concluded from events in them stands on data that failed. A trouble that goes on from one segment into the next is one
finding; each segment marks its own part of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
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


class Judged:
    """The frames of a segment or a day with what failed: `failed` is by check the positions of rows."""

    def __init__(self, border: Border, frames: Frames, failed: Mapping[str, Sequence[int]], day_of: DayOf) -> None:
        self.day_of = day_of
        self.checks: dict[str, Row] = {}
        self._rows: dict[str, dict[Place, list[Row]]] = {}  # by check, what failed
        self._judged: dict[str, Counter[Place]] = {}  # and how many rows were judged
        places: dict[tuple[str, str, str], Counter[str]] = {}
        for name, checks in frames_of(border).items():
            keys, days = _places_in(frames[name]), _days_in(frames[name], day_of)
            for check in checks:
                bad = failed[check.name]
                judged = _judged(check, frames[name])
                self._judged[check.name] = Counter(
                    key for key, is_judged in zip(keys, judged, strict=True) if is_judged
                )
                rows: dict[Place, list[Row]] = {}
                for at, row in zip(bad, frames[name].take(pa.array(bad, pa.int64())).to_pylist(), strict=True):
                    rows.setdefault(keys[at], []).append(row)
                self._rows[check.name] = rows
                self.checks[check.name] = {
                    "code": check.code,
                    "failed": len(rows),
                    "judged": len(self._judged[check.name]),
                }
                day_at = {key: day for key, day, is_judged in zip(keys, days, judged, strict=True) if is_judged}
                for key in self._judged[check.name]:
                    for device in key[1].split(", "):
                        count = places.setdefault((day_at[key] or "", key[0], device), Counter())
                        count["judged"] += 1
                        count["failed"] += key in rows
        self.places: list[Row] = [
            {"gaming_day": day or None, "table_id": table_id, "device": device or None, "failed": 0, **count}
            for (day, table_id, device), count in sorted(places.items())
        ]
        self._border: Border = border

    def failures(self, going: Going) -> list[Failure]:
        """What failed; `going` is brought up to the segment's end."""
        found: list[Failure] = []
        for checks in frames_of(self._border).values():
            for check in checks:
                rows = self._rows[check.name]
                for place in sorted(self._judged[check.name]):
                    key = " ".join((check.name, *place))
                    if place not in rows:
                        going.pop(key, None)
                        continue
                    day = self.day_of(place[0], min(row["seq"] for row in rows[place]))
                    failure = _failure(check, rows[place], self._judged[check.name][place], day, going.get(key))
                    if check.goes_on:
                        going.setdefault(
                            key, {name: failure[name] for name in ("finding_id", "sentence", "seq", "at_us")}
                        )
                    found.append(failure)
        return found


def _places_in(frame: pa.Table) -> list[Place]:
    columns = [
        [value or "" for value in frame[name].to_pylist()] if name in frame.column_names else [""] * frame.num_rows
        for name in ("table_id", "device", "item")
    ]
    return list(zip(*columns, strict=True))


def _days_in(frame: pa.Table, day_of: DayOf) -> list[str | None]:
    return [day_of(*at) for at in zip(frame["table_id"].to_pylist(), frame["seq"].to_pylist(), strict=True)]


def _judged(check: Check, frame: pa.Table) -> list[bool]:
    return [None not in values for values in zip(*(frame[name].to_pylist() for name in check.judged), strict=True)]


def _failure(check: Check, rows: Sequence[Row], judged: int, day: str | None, began: Row | None) -> Failure:
    """`began` is how the trouble was put where it goes on from an earlier segment."""
    rows = sorted(rows, key=lambda row: row["seq"])
    shown = rows[0] if check.goes_on else max(rows, key=lambda row: abs(row[check.column] - _limit(check, row)))
    named = [row["round_id"] for row in rows if row.get("round_id")]
    value = sum(row[check.column] for row in rows) if check.counts else shown[check.column]
    said = began or {
        "sentence": check.sentence(
            shown
            | {
                "who": " ".join(filter(None, (shown["table_id"], shown.get("device")))),
                "total": value,
                "judged": judged,
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
        "gaming_day": day,
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
