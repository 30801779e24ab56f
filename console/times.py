"""Times as people at a venue read and write them: in its time zone, with the offset beside every time that is shown.

The record, JSON and SQL hold UTC and nothing else. Here a moment of the record becomes a text for people, and what
people write after `--at`, `--from` and `--to` becomes a stretch of the record.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from difflib import get_close_matches
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import click

from console.exits import BadInput

UTC_NAME = "UTC"
FIRST_YEAR, LAST_YEAR = 1970, 9998  # a record may go on until the end of 9999, where no zone has a midnight after it
_DAY = timedelta(days=1)
_WRITTEN = re.compile(
    r"(?:(?P<day>\d{4}-\d{2}-\d{2}|today|yesterday)(?:[T ]+|\Z))?"
    r"(?:(?P<clock>\d{1,2}:\d{2}(?P<seconds>:\d{2}(?:\.\d{1,6})?)?) ?(?P<offset>Z|UTC|[+-]\d{2}:?\d{2})?)?\Z",
    re.IGNORECASE,
)
_IN_A_SENTENCE = re.compile(r"\b(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d{1,6})?(?: UTC|Z|\+00:00)(?!\w)")
_LATEST = datetime(9999, 12, 30, tzinfo=UTC)  # every zone has a day after it
_DAYS_BACK = 400  # a clock time that did not come once in so many days never comes


@dataclass(frozen=True)
class When:
    """A moment, a minute or a day as somebody wrote it; which it is depends on the venue and on the record."""

    text: str
    day: date | str | None
    """None is for the record to say; `today` and `yesterday` are for the calendar of the venue."""

    clock: time | None
    to_the_second: bool
    offset: tzinfo | None


@dataclass(frozen=True)
class Window:
    """From a moment on, up to but without another; both in UTC."""

    start: datetime
    end: datetime


def when_written(_: click.Context, __: click.Parameter, text: str | None) -> When | None:
    """The callback of `--at`, `--from` and `--to`."""
    if text is None:
        return None
    try:
        return parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def parse(text: str) -> When:
    """A ValueError says what can be written."""
    found = _WRITTEN.match(text.strip())
    if found is None or not text.strip():
        raise ValueError(
            f"{text!r} is not a time; write 10:15, 'yesterday 21:43', '2026-11-17 10:15' or '2026-11-17 10:15:30', "
            "each in the venue's time or with an offset behind it (10:15-08:00, 18:15Z), or a day, 2026-11-17"
        )
    said: str | None = found["day"]
    day: date | str | None = None if said is None else said.lower()
    if said is not None and said[0].isdigit():
        try:
            day = date.fromisoformat(said)
        except ValueError as error:
            raise ValueError(f"{said} is no day of the calendar") from error
        if not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise ValueError(f"{said}: days are looked for in the years {FIRST_YEAR} to {LAST_YEAR}")
    clock = None
    if found["clock"] is not None:
        hour, minute, *second = found["clock"].split(":")
        try:
            clock = time(int(hour), int(minute), int(float(second[0])) if second else 0)
        except ValueError as error:
            raise ValueError(f"{found['clock']} is no time of day: hours go from 0 to 23, minutes to 59") from error
    return When(text.strip(), day, clock, found["seconds"] is not None, _offset(found["offset"]))


def _offset(text: str | None) -> tzinfo | None:
    if text is None:
        return None
    if text.upper() in ("Z", UTC_NAME):
        return UTC
    hours, minutes = int(text[1:3]), int(text[-2:])
    if hours > 14 or minutes > 59:
        raise ValueError(f"{text} is no offset from UTC: they go from -12:00 to +14:00")
    ahead = timedelta(hours=hours, minutes=minutes)
    return timezone(-ahead if text[0] == "-" else ahead)


def zone_named(name: str) -> tzinfo:
    """A zone of the time zone database; a BadInput names those that are spelled nearly so."""
    if name.upper() in (UTC_NAME, "Z"):
        return UTC
    known = available_timezones()
    if name not in known:
        name = {one.lower(): one for one in known}.get(name.lower().replace(" ", "_"), name)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        near = get_close_matches(name, known, 3, 0.6) or sorted(
            one for one in known if one.rpartition("/")[2].lower() == name.lower().replace(" ", "_")
        )
        there = f"; did you mean {' or '.join(near)}?" if near else "; they are named as America/Los_Angeles or UTC"
        raise BadInput(f"there is no time zone {name}{there}") from error


@dataclass(frozen=True)
class VenueTime:
    """The clocks on a venue's walls."""

    zone: tzinfo = UTC

    @property
    def name(self) -> str:
        return UTC_NAME if self.zone is UTC else str(self.zone)

    # --- shown -------------------------------------------------------------------------------------------------------

    def at(self, moment: datetime | date | str | None) -> str:
        """`2026-11-17 02:15:03 -08:00`, to the second; a moment of the record without an offset is in UTC."""
        if moment is None:
            return "unknown"
        if isinstance(moment, date) and not isinstance(moment, datetime):
            return moment.isoformat()
        local = self._local(moment)
        return f"{local:%Y-%m-%d %H:%M:%S} {self._ahead(local)}"

    def minute(self, moment: datetime) -> str:
        """As `at`, without seconds where there are none."""
        local = self._local(moment)
        return f"{local:%Y-%m-%d %H:%M:%S}".removesuffix(":00") + f" {self._ahead(local)}"

    def span(self, first: datetime | None, last: datetime | None) -> str:
        """From when to when; the day and the offset are said once where they are the same."""
        if first is None or last is None:
            return self.at(first or last)
        start, end = self._local(first), self._local(last)
        if start.utcoffset() != end.utcoffset():
            return f"{self.at(first)} to {self.at(last)}"
        until = f"{end:%H:%M:%S}" if start.date() == end.date() else f"{end:%Y-%m-%d %H:%M:%S}"
        return f"{start:%Y-%m-%d %H:%M:%S} to {until} {self._ahead(end)}"

    def clock(self, moment: datetime) -> str:
        """The time of day to the millisecond, for lists whose heading says the day."""
        return f"{self._local(moment):%H:%M:%S.%f}"[:-3]

    def day(self, moment: datetime) -> date:
        """The calendar day at the venue."""
        return self._local(moment).date()

    def offset(self, moment: datetime | str | None) -> str:
        """`-08:00`, or `UTC` where the venue's time is UTC."""
        return UTC_NAME if moment is None else self._ahead(self._local(moment))

    def sentence(self, text: str) -> str:
        """A sentence of the record, its times in UTC, with the venue's times instead."""
        if self.zone is UTC:
            return text
        return _IN_A_SENTENCE.sub(self._in_a_sentence, text)

    def _in_a_sentence(self, found: re.Match[str]) -> str:
        try:
            moment = datetime.fromisoformat(f"{found[1]}T{found[2]}")
        except ValueError:  # what a device wrote and is quoted for, not a time of ours
            return found[0]
        return self.at(moment)

    def _local(self, moment: datetime | str) -> datetime:
        if isinstance(moment, str):
            moment = datetime.fromisoformat(moment)
        aware = _aware(moment)
        try:
            return aware.astimezone(self.zone)
        except OverflowError:  # the venue's calendar does not go there; what a device says may
            return aware.astimezone(UTC)

    def _ahead(self, local: datetime) -> str:
        return UTC_NAME if self.zone is UTC else _colon(local)

    # --- written -----------------------------------------------------------------------------------------------------

    def window(
        self, when: When, latest: datetime | None, after: datetime | None = None, now: datetime | None = None
    ) -> Window:
        """What was meant. A day is all of it; a time is its minute, or its second where seconds were written.

        A time without a day is the last such time up to `latest`, which is where the record ends; or, where it is
        said `after` what it comes, the first from there on.
        """
        zone = when.offset or self.zone
        today = self._local(now or datetime.now(UTC)).astimezone(zone).date()
        day = {"today": today, "yesterday": today - _DAY}.get(when.day) if isinstance(when.day, str) else when.day
        if when.clock is None:
            assert day is not None, "a time without a day has a clock, or it could not be read"
            return Window(_midnight(day, zone), _midnight_after(day, zone))
        if day is not None:
            start = self._only(day, when, zone)
        else:
            start = self._nearest(when, zone, (latest or now or datetime.now(UTC)), after)
        return Window(start, start + timedelta(seconds=1 if when.to_the_second else 60))

    def _nearest(self, when: When, zone: tzinfo, latest: datetime, after: datetime | None) -> datetime:
        assert when.clock is not None
        step = _DAY if after is not None else -_DAY
        latest, after = min(_aware(latest), _LATEST), None if after is None else min(_aware(after), _LATEST)
        day = (after or latest).astimezone(zone).date()
        for _ in range(_DAYS_BACK):
            there = _instants(day, when.clock, zone) or _beside_a_gap(day, when.clock, zone)
            there = [one for one in there if (one >= after if after is not None else one <= latest)]
            if there:
                once = len(there) == 1 and _shows(there[0], datetime.combine(day, when.clock), zone)
                return there[0] if once else self._only(day, when, zone)
            day += step
        raise BadInput(f"no clock in {zone} shows {when.text}")

    def _only(self, day: date, when: When, zone: tzinfo) -> datetime:
        """The one moment at which the clock showed this; where the clocks were changed there may be none, or two."""
        assert when.clock is not None
        clock = when.clock
        said = f"{clock:%H:%M:%S}" if when.to_the_second else f"{clock:%H:%M}"
        there = _instants(day, clock, zone)
        if len(there) == 1:
            return there[0]
        if there:
            first, second = (f"'{day} {said}{_colon(one.astimezone(zone))}'" for one in there)
            raise BadInput(
                f"{day} {said} came twice in {zone}, where the clocks were put back that day: write {first} for the "
                f"first and {second} for the second"
            )
        before, later = (one.astimezone(zone) for one in _beside_a_gap(day, clock, zone))
        raise BadInput(
            f"there was no {said} on {day} in {zone}, where the clocks were put forward that day: write "
            f"{before:%H:%M} or {later:%H:%M}"
        )


def _colon(local: datetime) -> str:
    """-08:00"""
    text = f"{local:%z}"
    return f"{text[:3]}:{text[3:5]}"


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _instants(day: date, clock: time, zone: tzinfo) -> list[datetime]:
    """Every moment, in UTC, at which clocks in this zone showed that."""
    naive = datetime.combine(day, clock)
    found = {naive.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return sorted(one for one in found if _shows(one, naive, zone))


def _shows(moment: datetime, naive: datetime, zone: tzinfo) -> bool:
    return moment.astimezone(zone).replace(tzinfo=None) == naive


def _beside_a_gap(day: date, clock: time, zone: tzinfo) -> list[datetime]:
    """For what no clock showed that day: the moments that one would have shown it that was put forward too early, or
    too late."""
    naive = datetime.combine(day, clock)
    return sorted(naive.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))


def _midnight(day: date, zone: tzinfo) -> datetime:
    """Where the day begins, also where the clocks are changed at midnight."""
    try:
        there = _instants(day, time(0), zone)
        # Put forward over midnight, it begins right after.
        return there[0] if there else datetime.combine(day, time(0), zone).astimezone(UTC)
    except OverflowError:  # the first or last day of the calendar, which a device may well say
        return datetime.combine(day, time(0), UTC)


def _midnight_after(day: date, zone: tzinfo) -> datetime:
    return datetime.max.replace(tzinfo=UTC) if day == date.max else _midnight(day + _DAY, zone)
