"""Which rounds, and findings about them, are asked for: table, gaming day, time, dealer, seat; and what to say when
there are none. An empty answer names what was looked at and the nearest thing there is, so that a slip of the pen is
not taken for a clean table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from difflib import get_close_matches

import click

from analytics.warehouse import Warehouse
from console import show
from console.command import Decorated, Settings, table_option
from console.exits import BadInput
from console.times import VenueTime, When, Window, when_written

SEVERITY_RANK = "CASE severity WHEN 'high' THEN 0 WHEN 'medium' THEN 1 WHEN 'low' THEN 2 ELSE 3 END"
SORTS = ("worst", "money", "time")
MOST_NAMED = 12
_AHEAD_OF_THE_LOG = timedelta(minutes=2)  # as far as a clock that is set right can be (GATE-010)
_BEHIND_A_SIGNATURE = timedelta(hours=1)  # a table controller signs every ten minutes, or at the next round's end
TIMES_HELP = (
    "TIME is 10:15, 'yesterday 21:43', '2026-11-17 10:15' or '2026-11-17 10:15:30', in the venue's time zone "
    "(muckraker time-zone) unless an offset follows (10:15-08:00, 18:15Z); --from and --to also take a day. "
    "A gaming day is not a calendar day: 10:15 without a day is the last 10:15 that the record reaches, and with --day "
    "the first one after that gaming day began, which may be on the next calendar day. `today` and `yesterday` are "
    "calendar days at the venue. A time that came twice or never, because clocks were changed, is refused with what "
    "to write instead."
)


@dataclass(frozen=True)
class Asked:
    """What the options said."""

    table_id: str | None = None
    round_id: str | None = None
    day: date | None = None
    at: When | None = None
    since: When | None = None
    until: When | None = None
    dealer: str | None = None
    seat: int | None = None


@dataclass(frozen=True)
class Filter:
    """One condition on rounds, and the same on findings."""

    option: str
    words: str
    rounds: str
    findings: str
    parameters: tuple[object, ...]
    findings_parameters: tuple[object, ...] | None = None
    nearest: Callable[[Warehouse, Filters], str] | None = None
    """What there is instead, among the rounds that meet the filters before this one."""

    def sql(self, view: str) -> tuple[str, tuple[object, ...]]:
        if view == "rounds":
            return self.rounds, self.parameters
        return self.findings, self.parameters if self.findings_parameters is None else self.findings_parameters


@dataclass(frozen=True)
class Filters:
    """All of them; each narrows down what those before it left."""

    each: tuple[Filter, ...] = field(default=())

    def __add__(self, more: Sequence[Filter]) -> Filters:
        return Filters((*self.each, *more))

    def where(self, view: str) -> tuple[str, list[object]]:
        parts = [one.sql(view) for one in self.each]
        return " AND ".join(["TRUE", *(f"({sql})" for sql, _ in parts)]), [value for _, own in parts for value in own]

    def count(self, warehouse: Warehouse, view: str, source: str | None = None) -> int:
        where, parameters = self.where(view)
        return int(warehouse.rows(f"SELECT count(*) AS n FROM {source or view} WHERE {where}", parameters)[0]["n"])

    @property
    def words(self) -> str:
        return ", ".join(one.words for one in self.each)


def place_options(command: Decorated) -> Decorated:
    """--table, --day, --at, --from, --to, --dealer and --seat: `asked` makes one value of them."""
    for option in reversed(
        (
            table_option,
            click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="Only this gaming day."),
            _when("--at", "moment", "Only what was in play at this minute, or second."),
            _when("--from", "since", "Only what was in play from this time on."),
            _when("--to", "until", "Only what was in play before this time, or up to this day."),
            click.option("--dealer", help="Only rounds that this dealer dealt."),
            click.option("--seat", type=click.IntRange(0, 99), help="Only what concerns this seat."),
        )
    ):
        command = option(command)
    return command


def _when(option: str, name: str, text: str) -> Callable[[Decorated], Decorated]:
    return click.option(option, name, callback=when_written, metavar="TIME", help=text)


def stretch_options(command: Decorated) -> Decorated:
    """--from and --to alone: `stretch_asked_for` makes two moments of them."""
    for option in (
        _when("--to", "until", "Only what happened before this time, or up to this day."),
        _when("--from", "since", "Only what happened from this time on."),
    ):
        command = option(command)
    return command


def stretch_asked_for(
    settings: Settings, warehouse: Warehouse, since: When | None, until: When | None
) -> tuple[datetime | None, datetime | None]:
    """From when to when, in UTC as the warehouse has it; None where that is not limited."""
    window = _window(settings, warehouse, Asked(since=since, until=until))
    if window is None:
        return None, None
    start, end = window[:2]
    return None if start is None else _naive(start), None if end is None else _naive(end)


def sort_option(help_text: str) -> Callable[[Decorated], Decorated]:
    return click.option("--sort", type=click.Choice(SORTS), default="worst", show_default=True, help=help_text)


def asked_for(
    table_id: str | None,
    round_id: str | None,
    day: datetime | None,
    moment: When | None,
    since: When | None,
    until: When | None,
    dealer: str | None,
    seat: int | None,
) -> Asked:
    if moment is not None and (since is not None or until is not None):
        raise BadInput("--at is one minute, --from and --to are a stretch of time: give one or the other")
    return Asked(table_id, round_id, None if day is None else day.date(), moment, since, until, dealer, seat)


def filters_for(settings: Settings, warehouse: Warehouse, asked: Asked) -> Filters:
    """The filters; a table, round or dealer nobody ever heard of is a slip of the pen, and a BadInput."""
    made: list[Filter] = []
    if asked.table_id is not None:
        check_table(warehouse, asked.table_id)
        made.append(
            Filter(
                f"--table {asked.table_id}",
                f"table {asked.table_id}",
                "table_id = ?",
                "table_id = ?",
                (asked.table_id,),
                nearest=lambda *_: f"no round of table {asked.table_id} is recorded yet, though it was heard of",
            )
        )
    if asked.round_id is not None:
        check_round(warehouse, asked.table_id, asked.round_id)
        made.append(
            Filter(
                f"--round {asked.round_id}",
                f"round {asked.round_id}",
                "round_id = ?",
                "round_id = ?",
                (asked.round_id,),
                nearest=lambda *_: f"round {asked.round_id} is recorded but not closed yet",
            )
        )
    if asked.day is not None:
        made.append(_day(settings.times, asked.day))
    window = _window(settings, warehouse, asked)
    if window is not None:
        made.append(_in_play(settings.times, *window))
    if asked.dealer is not None:
        made.append(_dealer(warehouse, asked.dealer))
    if asked.seat is not None:
        made.append(_seat(asked.seat))
    return Filters(tuple(made))


def nothing(warehouse: Warehouse, scope: Filters, own: Sequence[Filter], view: str, source: str) -> str:
    """Why a list of rounds or findings is empty: the first filter that leaves no round, and what there is instead; or
    what was looked at, and which filter to leave out."""
    what = view.rstrip("s")
    for position, one in enumerate(scope.each, 1):
        before = Filters(scope.each[: position - 1])
        if one.nearest is not None and not Filters(scope.each[:position]).count(warehouse, "rounds"):
            return f"No {what}s: {one.nearest(warehouse, before)}."
    looked = show.counted(scope.count(warehouse, "rounds"), "round") + (f" ({scope.words})" if scope.each else "")
    asked = scope + own
    said = f"No {what}s{' ' + ', '.join(one.words for one in own) if own else ''}: {looked} looked at."
    if view == "rounds":
        said = f"No rounds {', '.join(one.words for one in own)} among {looked}."
    others = [
        (one.option, left)
        for one in asked.each
        if (left := Filters(tuple(other for other in asked.each if other is not one)).count(warehouse, view, source))
    ]
    if len(asked.each) > 1 and others:
        said += " " + "; ".join(
            f"without {option} there {'is' if left == 1 else 'are'} {left:,}" for option, left in others
        )
        said = said.replace(". without", ". Without") + "."
    there = [one.nearest(warehouse, scope) for one in own if one.nearest is not None]
    return " ".join([said, *filter(None, there)])


def named(words: Sequence[str], wanted: str | None = None) -> str:
    """Those there are, the ones that are spelled nearly as what was asked for first, the rest counted."""
    near = get_close_matches(wanted, words, 3, 0.6) if wanted else []
    ordered = [*near, *(word for word in words if word not in near)]
    if len(ordered) <= MOST_NAMED:
        return show.joined(ordered)
    return f"{', '.join(ordered[:MOST_NAMED])} and {show.counted(len(ordered) - MOST_NAMED, 'other')}"


# --- one filter each --------------------------------------------------------------------------------------------------


def check_table(warehouse: Warehouse, table_id: str) -> None:
    """A table nobody ever heard of is a slip of the pen, not a clean one."""
    if not warehouse.rows("SELECT 1 FROM records WHERE table_id = ? LIMIT 1", [table_id]):
        known = [str(row["table_id"]) for row in warehouse.rows("SELECT table_id FROM tables ORDER BY table_id")]
        there = f"recorded are: {named(known)}" if known else "nothing is checked yet, type `muckraker run`"
        near = get_close_matches(table_id, known, 1, 0.6)
        meant = f"; did you mean {near[0]}?" if near and len(known) > 1 else ""
        raise BadInput(f"nothing is recorded of table {table_id}; {there}{meant}")


def check_round(warehouse: Warehouse, table_id: str | None, round_id: str) -> None:
    of, more = ("", []) if table_id is None else (" AND table_id = ?", [table_id])
    if warehouse.rows(f"SELECT 1 FROM records WHERE round_id = ?{of} LIMIT 1", [round_id, *more]):
        return
    elsewhere = warehouse.rows("SELECT DISTINCT table_id FROM rounds WHERE round_id = ? ORDER BY 1", [round_id])
    if elsewhere:
        there = f"; {named([row['table_id'] for row in elsewhere])} had one"
        raise BadInput(f"nothing is recorded of a round {round_id} at {table_id}{there}")
    ids = warehouse.rows(f"SELECT min(round_id) AS first, max(round_id) AS last FROM rounds WHERE TRUE{of}", more)[0]
    span = f"; they go from {ids['first']} to {ids['last']}" if ids["first"] else ""
    raise BadInput(f"nothing is recorded of a round {round_id}{span}, and `muckraker rounds` lists them")


def _day(times: VenueTime, day: date) -> Filter:
    # What is about a table and no round has no gaming day: the calendar day at the venue has to do.
    calendar = times.window(When(str(day), day, None, False, None), None)

    def nearest(warehouse: Warehouse, before: Filters) -> str:
        where, parameters = before.where("rounds")
        found = warehouse.rows(
            "SELECT max(gaming_day) FILTER (gaming_day < CAST(? AS DATE)) AS earlier, "
            f"min(gaming_day) FILTER (gaming_day > CAST(? AS DATE)) AS later FROM rounds WHERE {where}",
            [str(day), str(day), *parameters],
        )[0]
        days = [str(one) for one in (found["earlier"], found["later"]) if one is not None]
        of = f" of {before.words}" if before.each else ""
        there = f"there is {' and '.join(days)}" if days else "nor for any other gaming day"
        return f"nothing is recorded{of} for {day}; {there}"

    return Filter(
        f"--day {day}",
        f"gaming day {day}",
        "gaming_day = CAST(? AS DATE)",
        "gaming_day = CAST(? AS DATE) OR (gaming_day IS NULL AND happened_at >= ? AND happened_at < ?)",
        (str(day),),
        (str(day), _naive(calendar.start), _naive(calendar.end)),
        nearest,
    )


def _window(
    settings: Settings, warehouse: Warehouse, asked: Asked
) -> tuple[datetime | None, datetime | None, str, str] | None:
    """From when to when, with the options and the words for it."""
    if asked.at is None and asked.since is None and asked.until is None:
        return None
    times = settings.times
    latest = _latest(warehouse, asked)
    began = _day_began(warehouse, asked)
    taken: dict[str, str] = {}

    def meant(when: When, latest: datetime | None, after: datetime | None) -> Window:
        window = times.window(when, latest, after)
        if when.clock is not None and not isinstance(when.day, date):
            taken[when.text] = times.minute(window.start)
        return window

    def note() -> None:
        for when in (asked.at, asked.since, asked.until):
            if when is not None and when.text in taken:
                settings.note(f"{when.text} is taken as {taken[when.text]}")

    if asked.at is not None:
        window = meant(asked.at, latest, began)
        note()
        shown = times.minute(window.start) if asked.at.clock is not None else f"on {asked.at.text}"
        return window.start, window.end, f"--at '{asked.at.text}'", f"in play at {shown}"
    since = until = None
    if asked.since is not None and asked.since.day is None and asked.until is not None and began is None:
        until = _end(asked.until, meant(asked.until, latest, None))
        since = meant(asked.since, until, None).start
    else:
        since = None if asked.since is None else meant(asked.since, latest, began).start
        until = None if asked.until is None else _end(asked.until, meant(asked.until, latest, since or began))
    if since is not None and until is not None and until <= since:
        raise BadInput(f"--to {times.minute(until)} does not come after --from {times.minute(since)}")
    note()
    options = [f"--{name} '{when.text}'" for name, when in (("from", asked.since), ("to", asked.until)) if when]
    words = [f"{name} {times.minute(at)}" for name, at in (("from", since), ("to", until)) if at is not None]
    return since, until, " ".join(options), f"in play {' '.join(words)}"


def _latest(warehouse: Warehouse, asked: Asked) -> datetime | None:
    """Where the record ends, by the tables' own clocks. Anybody can say the year 9999, so what is ahead of the log's
    clock counts only until a while behind the last round under a good signature, where there is one: the log of a day
    that is simulated or read in may have been written before it."""
    of, parameters = ("TRUE", []) if asked.table_id is None else ("table_id = ?", [asked.table_id])
    found = warehouse.rows(
        f"SELECT max(happened_at) AS last, max(happened_at) FILTER (happened_at <= logged_at + ?) AS heard "
        f"FROM events WHERE {of}",
        [_AHEAD_OF_THE_LOG, *parameters],
    )[0]
    last: datetime | None = found["last"]
    heard: datetime | None = found["heard"]
    signed: datetime | None
    signed = warehouse.rows(f"SELECT max(closed_at) AS at FROM rounds WHERE attested AND {of}", parameters)[0]["at"]
    if last is None or (signed is None and heard is None):
        return last
    attested = None if signed is None else min(last, signed + _BEHIND_A_SIGNATURE)
    return max(one for one in (heard, attested) if one is not None)


def _end(when: When, window: Window) -> datetime:
    return window.end if when.clock is None else window.start


def _day_began(warehouse: Warehouse, asked: Asked) -> datetime | None:
    if asked.day is None:
        return None
    of, parameters = ("", []) if asked.table_id is None else (" AND table_id = ?", [asked.table_id])
    began: datetime | None = warehouse.rows(
        f"SELECT min(opened_at) AS at FROM rounds WHERE gaming_day = CAST(? AS DATE){of}",
        [str(asked.day), *parameters],
    )[0]["at"]
    return None if began is None else began.replace(second=0, microsecond=0)


def _in_play(times: VenueTime, since: datetime | None, until: datetime | None, option: str, words: str) -> Filter:
    conditions, parameters, within, moments = [], [], [], []
    if until is not None:
        conditions.append("coalesce(opened_at, closed_at) < ?")
        parameters.append(_naive(until))
        within.append("happened_at < ?")
        moments.append(_naive(until))
    if since is not None:
        conditions.append("coalesce(closed_at, opened_at) >= ?")
        parameters.append(_naive(since))
        within.append("happened_at >= ?")
        moments.append(_naive(since))
    rounds = " AND ".join(conditions)

    def nearest(warehouse: Warehouse, before: Filters) -> str:
        where, own = before.where("rounds")
        place = "table_id || '/' || round_id"
        found = warehouse.rows(
            f"SELECT max(closed_at) FILTER (closed_at < ?) AS ended, "
            f"arg_max({place}, closed_at) FILTER (closed_at < ?) AS last, "
            f"min(opened_at) FILTER (opened_at >= ?) AS began, "
            f"arg_min({place}, opened_at) FILTER (opened_at >= ?) AS next FROM rounds WHERE {where}",
            [*[_naive(since or datetime.min)] * 2, *[_naive(until or datetime.max)] * 2, *own],
        )[0]
        near = []
        if found["last"]:
            near.append(f"{found['last']} ended at {times.at(found['ended'])}")
        if found["next"]:
            near.append(f"{found['next']} began at {times.at(found['began'])}")
        of = f" of {before.words}" if before.each else ""
        return f"nothing{of} was {words}; nearest, {' and '.join(near) or 'nothing is recorded'}"

    return Filter(
        option,
        words,
        rounds,
        f"({' AND '.join(within)}) OR (table_id, round_id) IN (SELECT (table_id, round_id) FROM rounds WHERE {rounds})",
        tuple(parameters),
        (*moments, *parameters),
        nearest,
    )


def _dealer(warehouse: Warehouse, dealer: str) -> Filter:
    known = [
        str(row["dealer"])
        for row in warehouse.rows("SELECT DISTINCT dealer FROM rounds WHERE dealer IS NOT NULL ORDER BY 1")
    ]
    exact = next((one for one in known if one.lower() == dealer.lower()), None)
    if exact is None:
        there = f"there are: {named(known, dealer)}" if known else "no dealer is recorded of any round"
        raise BadInput(f"nothing is recorded of a dealer {dealer}; {there}")

    def nearest(warehouse: Warehouse, before: Filters) -> str:
        where, parameters = before.where("rounds")
        there = [
            str(row["dealer"])
            for row in warehouse.rows(
                f"SELECT DISTINCT dealer FROM rounds WHERE dealer IS NOT NULL AND {where} ORDER BY 1", parameters
            )
        ]
        return f"dealer {exact} dealt no round of {before.words}; the dealers there were {named(there)}"

    return Filter(f"--dealer {exact}", f"dealer {exact}", "dealer = ?", "dealer = ?", (exact,), nearest=nearest)


def _seat(seat: int) -> Filter:
    def nearest(warehouse: Warehouse, before: Filters) -> str:
        where, parameters = before.where("rounds")
        there = [
            str(row["seat"])
            for row in warehouse.rows(
                "SELECT DISTINCT fact.seat AS seat FROM (SELECT unnest(facts) AS fact FROM rounds "
                f"WHERE {where}) WHERE fact.seat > 0 ORDER BY 1",
                parameters,
            )
        ]
        of = f" of {before.words}" if before.each else ""
        return f"nothing{of} concerns seat {seat}; bets were made at seats {named(there)}"

    return Filter(
        f"--seat {seat}",
        f"seat {seat}",
        "bank_seat = ? OR len(list_filter(facts, lambda fact: fact.seat = ?)) > 0",
        "seat = ?",
        (seat, seat),
        (seat,),
        nearest,
    )


def _naive(moment: datetime) -> datetime:
    """As DuckDB's timestamps are: UTC, and nothing said of it."""
    return moment.replace(tzinfo=None)
