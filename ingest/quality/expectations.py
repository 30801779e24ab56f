"""What is expected of the data at a segment's border and at a gaming day's, as expectations.yaml declares it.

Great Expectations is not loaded here: importing it takes seconds, and most who import this module judge nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml

from ingest.quality import limits
from ingest.quality.words import worded
from schemas.findings import CATALOGUE

Border = Literal["segment", "day"]
Row = dict[str, Any]
LIMITS: dict[str, Any] = {name: value for name, value in vars(limits).items() if name.isupper()}


@dataclass(frozen=True, kw_only=True)
class Check:
    """One expectation."""

    name: str
    code: str
    border: Border
    section: str  # of docs/quality.md
    frame: str
    column: str
    comparison: str  # at_most, at_least or equal_to
    limit: str | int  # a column or a number
    expected: str
    measured: str
    says: dict[str, str]
    by: str | None  # the column that says which of the sentences it is
    do: str
    goes_on: bool

    @property
    def counts(self) -> bool:
        """Whether the column counts what must not be."""
        return (self.comparison, self.limit) == ("equal_to", 0)

    @property
    def judged(self) -> list[str]:
        """The columns it looks at; rows without a value in one are passed over."""
        return [self.column, *([self.limit] if isinstance(self.limit, str) else [])]

    def sentence(self, row: Row) -> str:
        return worded(self.says[row[self.by] if self.by else ""], LIMITS | row)


def _check(name: str, entry: Row) -> Check:
    expect = dict(entry["expect"])
    column = expect.pop("column")
    ((comparison, limit),) = expect.items()
    said = entry["says"]
    if entry["code"] not in CATALOGUE:
        raise ValueError(f"expectations.yaml: {name} names the code {entry['code']}, which schemas/findings.py has not")
    return Check(
        name=name,
        code=entry["code"],
        border=entry["at"],
        section=entry["section"],
        frame=entry["frame"],
        column=column,
        comparison=comparison,
        limit=LIMITS.get(limit, limit),
        expected=entry["expected"],
        measured=worded(entry["measured"], LIMITS),
        says=said if isinstance(said, dict) else {"": said},
        by=entry.get("by"),
        do=entry["do"],
        goes_on=entry.get("goes_on", False),
    )


_ENTRIES = yaml.safe_load(Path(__file__).with_name("expectations.yaml").read_text(encoding="utf-8"))
CHECKS: dict[str, Check] = {name: _check(name, entry) for name, entry in _ENTRIES.items()}


def frames_of(border: Border) -> dict[str, list[Check]]:
    """The checks of a border by the frame they look at."""
    frames: dict[str, list[Check]] = {}
    for check in CHECKS.values():
        if check.border == border:
            frames.setdefault(check.frame, []).append(check)
    return frames
