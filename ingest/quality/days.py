"""Gaming days: which of a table's events belong to which, and when one is over.

A table says its day itself (`table.opened`, `table.closed`). Its day begins behind the closing of the one before, so
that devices coming up before the table opens belong to the day they open, and the count and the drop after closing to
the day they close. Where a table says nothing, or does not close in time, the border hour decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from ingest.quality.limits import DAY_GRACE_US, DAY_US, HOUR_US, SETTING_UP_US
from ingest.quality.source import TableEvent

_PAPERWORK = frozenset({"table.counted", "table.filled", "table.credited"})
RANGES_KEPT = 3


def border_day(time_us: int, border_hour: int) -> str:
    """The day a moment lies in, by the border alone."""
    return (
        (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=time_us - border_hour * HOUR_US)).date().isoformat()
    )


def begins_us(day: str, border_hour: int) -> int:
    """When a day begins by the border."""
    since = date.fromisoformat(day) - date(1970, 1, 1)
    return since.days * DAY_US + border_hour * HOUR_US


def deadline_us(day: str, border_hour: int) -> int:
    """When a day is over even where a table has not closed."""
    return begins_us(day, border_hour) + DAY_US + DAY_GRACE_US


@dataclass
class DayRange:
    """Events of a table that belong to one gaming day; `to_seq` is None as long as it goes on."""

    day: str
    from_seq: int
    to_seq: int | None = None


@dataclass
class TableDays:
    """The gaming day a table is in, and the few before it."""

    ranges: list[DayRange] = field(default_factory=list)  # oldest first; the last one goes on
    declared: bool = False  # whether the table itself said the day it is in
    is_open: bool = False
    closed_seq: int | None = None  # the last event of the closing

    @property
    def day(self) -> str | None:
        return self.ranges[-1].day if self.ranges else None

    def begin(self, day: str, from_seq: int) -> None:
        if self.ranges:
            if self.ranges[-1].day == day:
                return
            self.ranges[-1].to_seq = from_seq - 1
        self.ranges.append(DayRange(day, from_seq))
        del self.ranges[:-RANGES_KEPT]

    def touched(self, lowest: int, highest: int) -> list[str]:
        """The days that events from `lowest` to `highest` may belong to."""
        return [
            known.day
            for known in self.ranges
            if known.from_seq <= highest and (known.to_seq is None or known.to_seq >= lowest)
        ]


@dataclass(frozen=True)
class Stretch:
    """A table's recorded events of one segment that lie in one day by the border alone."""

    day: str
    lowest: int
    highest: int


def advance(
    days: TableDays,
    stretches: list[Stretch],
    events: list[TableEvent],
    first: tuple[int, int],
    overdue_seq: int | None,
    border_hour: int,
) -> None:
    """Take in a segment: what the table said in it, in order of seq.

    `first` is the seq and time of the table's first event in the segment, `overdue_seq` the first event behind the
    deadline of the day the table was in.
    """
    opened = [event for event in events if event.what == "table.opened"]
    overdue = overdue_seq is not None and not any(event.seq < overdue_seq for event in opened)
    if overdue_seq is not None and overdue and days.ranges and days.declared:
        days.declared, days.is_open = False, False
        held = days.ranges[-1]
        late = [stretch.day for stretch in stretches if stretch.highest >= overdue_seq and stretch.day > held.day]
        days.begin(min(late, default=_next(held.day)), overdue_seq)
    if not days.declared:
        until = opened[0].seq if opened else None
        _by_the_border(days, stretches, until)
    for event in events:
        if event.what == "table.opened":
            _open(days, event, first)
        elif event.what == "table.closed":
            days.is_open = False
            days.closed_seq = event.seq
        elif event.what in _PAPERWORK and not days.is_open and days.closed_seq is not None:
            days.closed_seq = event.seq


def _by_the_border(days: TableDays, stretches: list[Stretch], until: int | None) -> None:
    """Days of a table that says none: a new one begins behind the last event of the one before."""
    before = -1
    for stretch in sorted(stretches, key=lambda stretch: stretch.day):
        if until is not None and stretch.lowest >= until:
            continue
        if stretch.highest < before:
            continue  # a clock that jumped ahead for a moment
        if days.day is None or stretch.day > days.day:
            days.begin(stretch.day, max(stretch.lowest, before + 1) if days.ranges else stretch.lowest)
        before = max(before, stretch.highest)


def _open(days: TableDays, event: TableEvent, first: tuple[int, int]) -> None:
    day = str(event.data["gaming_day"])
    if not (days.declared and days.day == day):
        from_seq = event.seq
        if days.closed_seq is not None:
            from_seq = days.closed_seq + 1
        elif not days.declared and event.time_us - first[1] <= SETTING_UP_US:
            from_seq = min(first[0], event.seq)
            days.ranges = [known for known in days.ranges if known.from_seq < from_seq]
        days.begin(day, from_seq)
    days.declared, days.is_open, days.closed_seq = True, True, None


def _next(day: str) -> str:
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()
