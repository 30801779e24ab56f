"""Gaming days: which of a table's events belong to which, and when one is over.

A table says its day itself (`table.opened`, `table.closed`). Its day begins behind the closing of the one before, so
that devices coming up before the table opens belong to the day they open, and the count and the drop after closing to
the day they close. Where a table says nothing, or does not close in time, the border hour decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from ingest.quality.expectations import Row
from ingest.quality.limits import DAY_GRACE_US, DAY_US, HOUR_US, SETTING_UP_US

_PAPERWORK = frozenset({"table.counted", "table.filled", "table.credited"})
RANGES_KEPT = 3


def begins_us(day: str, border_hour: int) -> int:
    """When a day begins by the border."""
    return (date.fromisoformat(day) - date(1970, 1, 1)).days * DAY_US + border_hour * HOUR_US


def deadline_us(day: str, border_hour: int) -> int:
    """When a day is over even where a table has not closed."""
    return begins_us(day, border_hour) + DAY_US + DAY_GRACE_US


@dataclass
class DayRange:
    """Events of a table that belong to one gaming day; `to_seq` is None as long as it goes on."""

    day: str
    from_seq: int
    to_seq: int | None = None

    def has_some(self, lowest: int, highest: int) -> bool:
        return self.from_seq <= highest and (self.to_seq is None or self.to_seq >= lowest)


@dataclass
class TableDays:
    """The gaming day a table is in, and the few before it."""

    ranges: list[DayRange] = field(default_factory=list)  # oldest first; the last one goes on
    declared: bool = False  # whether the table itself said the day it is in
    is_open: bool = False
    closed_seq: int | None = None  # the last event of the closing

    @classmethod
    def read(cls, said: Row) -> TableDays:
        return cls(**{**said, "ranges": [DayRange(**known) for known in said["ranges"]]})

    @property
    def day(self) -> str | None:
        return self.ranges[-1].day if self.ranges else None

    def day_at(self, seq: int) -> str | None:
        return next((known.day for known in reversed(self.ranges) if known.from_seq <= seq), None)

    def begin(self, day: str, from_seq: int) -> None:
        if self.day == day:
            return
        if self.ranges:
            self.ranges[-1].to_seq = from_seq - 1
        self.ranges.append(DayRange(day, from_seq))
        del self.ranges[:-RANGES_KEPT]

    def advance(self, here: Row, said: Sequence[Row]) -> None:
        """Take in a segment: where the table's events lie in it (segment/advance.sql), and what it said, by seq."""
        opened = [one["seq"] for one in said if one["what"] == "table.opened"]
        overdue_seq = here["overdue_seq"]
        overdue = overdue_seq is not None and here["first_seq"] <= overdue_seq <= here["last_seq"]
        if overdue and self.declared and self.day is not None and not any(seq < overdue_seq for seq in opened):
            self.declared = self.is_open = False
            held = self.day
            late = [one["day"] for one in here["stretches"] if one["highest"] >= overdue_seq and one["day"] > held]
            following = (date.fromisoformat(held) + timedelta(days=1)).isoformat()
            self.begin(min(late, default=following), overdue_seq)
        if not self.declared:
            self._by_the_border(here["stretches"], opened[0] if opened else None)
        for one in said:
            if one["what"] == "table.opened":
                self._open(one, here)
            elif one["what"] == "table.closed":
                self.is_open, self.closed_seq = False, one["seq"]
            elif one["what"] in _PAPERWORK and not self.is_open and self.closed_seq is not None:
                self.closed_seq = one["seq"]

    def _by_the_border(self, stretches: Sequence[Row], until: int | None) -> None:
        """Days of a table that says none: a new one begins behind the last event of the one before."""
        before = -1
        for stretch in stretches:
            if (until is not None and stretch["lowest"] >= until) or stretch["highest"] < before:
                continue  # said by the table itself, or a clock that jumped ahead for a moment
            if self.day is None or stretch["day"] > self.day:
                self.begin(stretch["day"], max(stretch["lowest"], before + 1) if self.ranges else stretch["lowest"])
            before = max(before, stretch["highest"])

    def _open(self, said: Row, here: Row) -> None:
        day, from_seq = str(said["gaming_day"]), said["seq"]
        if not (self.declared and self.day == day):
            if self.closed_seq is not None:
                from_seq = self.closed_seq + 1
            elif not self.declared and said["time_us"] - here["first_us"] <= SETTING_UP_US:
                from_seq = min(here["first_seq"], from_seq)
                self.ranges = [known for known in self.ranges if known.from_seq < from_seq]
            self.begin(day, from_seq)
        self.declared, self.is_open, self.closed_seq = True, True, None
