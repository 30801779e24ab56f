"""A failed row as a finding: what it says, what it rests on, and what it puts in doubt.

`marks` are stretches of a table's sequence: whatever was concluded from events in them stands on data that failed. A
trouble that goes on from one segment into the next is one finding; each segment marks its own part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ingest.quality.carried import Tables
from ingest.quality.source import Row
from ingest.quality.suites import Check
from schemas.findings import Finding

Failure = dict[str, Any]
Going = dict[str, Row]
"""By check, table and device: how the trouble that is going on was put when it began."""


def failure_of(check: Check, row: Row, gaming_day: str | None, began: Row | None = None) -> Failure:
    """The failure of one row; `began` is how the trouble was put where it goes on from an earlier segment."""
    marks: list[list[int]] = row[check.marks] or []
    first = min(marks, default=[])
    told = began or {
        "sentence": check.said(row),
        "seq": first[0] if len(first) > 2 else row["seq"],
        "at_us": first[2] if len(first) > 2 else row["at_us"],
    }
    rounds = (row[check.rounds] or []) if check.rounds else []
    money = check.value.endswith("_cents")
    limit = row[check.limit] if isinstance(check.limit, str) else check.limit
    finding = Finding(
        code=check.code,
        table_id=row["table_id"],
        round_id=rounds[0] if len(rounds) == 1 else row.get("round_id"),
        sentence=told["sentence"],
        citation=f"docs/quality.md, {check.section}",
        at_us=told["at_us"],
        seq=told["seq"],
        expected_cents=limit if money else None,
        actual_cents=row[check.value] if money else None,
        evidence=(told["seq"],),
    )
    return {
        "finding_id": finding.id,
        "code": finding.code,
        "severity": str(finding.severity),
        "check": check.name,
        "table_id": finding.table_id,
        "round_id": finding.round_id,
        "device": row.get("device") or None,
        "gaming_day": gaming_day,
        "value": row[check.value],
        "limit": limit,
        "expected_cents": finding.expected_cents,
        "actual_cents": finding.actual_cents,
        "sentence": finding.sentence,
        "citation": finding.citation,
        "at_us": finding.at_us,
        "seq": finding.seq,
        "marks": joined(marks),
    }


def finding_of(failure: Failure) -> Finding:
    """The failure as the finding it is."""
    return Finding(
        code=failure["code"],
        table_id=failure["table_id"],
        round_id=failure["round_id"],
        sentence=failure["sentence"],
        citation=failure["citation"],
        at_us=failure["at_us"],
        seq=failure["seq"],
        expected_cents=failure["expected_cents"],
        actual_cents=failure["actual_cents"],
        evidence=(failure["seq"],),
    )


def segment_failures(
    check: Check, rows: Sequence[Row], failed: Sequence[int], going: Going, tables: Tables
) -> list[Failure]:
    """The failures of a check in one segment; `going` is brought up to the segment's end."""
    bad = set(failed)
    found: dict[str, Failure] = {}
    for position, row in sorted(enumerate(rows), key=lambda pair: (pair[1]["table_id"], pair[1]["seq"])):
        key = f"{check.name} {row['table_id']} {row.get('device') or ''}"
        if position not in bad:
            going.pop(key, None)
            continue
        failure = failure_of(check, row, day_of(tables, row), going.get(key) if check.goes_on else None)
        if not check.goes_on:
            found[f"{key} {position}"] = failure
            continue
        going.setdefault(key, {name: failure[name] for name in ("finding_id", "sentence", "seq", "at_us")})
        same = found.get(failure["finding_id"])
        if same is None:
            found[failure["finding_id"]] = failure
        else:
            same["marks"] = joined([*same["marks"], *failure["marks"]])
    return list(found.values())


def day_of(tables: Tables, row: Row) -> str | None:
    """The gaming day of a row's place in its table's sequence."""
    table = tables.get(row["table_id"])
    if table is None:
        return None
    for known in reversed(table.days.ranges):
        if known.from_seq <= row["seq"]:
            return known.day
    return None


def joined(marks: Sequence[Sequence[int]]) -> list[list[int]]:
    """Stretches in order, those that touch made one."""
    made: list[list[int]] = []
    for first, last in sorted((int(mark[0]), int(mark[1])) for mark in marks):
        if made and first <= made[-1][1] + 1:
            made[-1][1] = max(made[-1][1], last)
        else:
            made.append([first, last])
    return made
