"""The suites: what is expected of the data at a segment's border and at a gaming day's, and the sentence when it fails.

A check is one Great Expectations expectation over one frame. It names its finding code, the columns that hold the value
and its limit, and how a failed row is put in words. The expectation itself is made when it is needed
(`expectation`): importing Great Expectations takes seconds, and most who import this module judge nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from ingest.quality.limits import (
    LOG_AHEAD_US,
    LOG_BEHIND_US,
    MINUTE_EVENTS_MOST,
    MINUTE_US,
    SECOND_US,
    SILENT_US,
    SKEW_MOST_US,
    TABLE_SILENT_US,
)
from ingest.quality.source import Row
from schemas.money import dollars

Border = Literal["segment", "day"]


@dataclass(frozen=True)
class Check:
    """One expectation."""

    name: str
    code: str
    border: Border
    frame: str
    title: str  # what is expected, for people
    kind: str  # the class in great_expectations.expectations
    arguments: dict[str, Any]
    value: str  # the column that is judged
    limit: str | int | None  # the column it is held against, or the number
    section: str  # of docs/quality.md
    said: Callable[[Row], str]
    marks: str = "marks"  # the column with the stretches of seq that rest on what failed
    goes_on: bool = False  # whether the same trouble in the next segment is the same finding

    @property
    def columns(self) -> set[str]:
        """The columns the expectation looks at."""
        named = {self.arguments.get(name) for name in ("column", "column_A", "column_B")}
        return {name for name in named if name is not None}


def _at_most(value: str, limit: str) -> tuple[str, dict[str, Any]]:
    return "ExpectColumnPairValuesAToBeGreaterThanB", {
        "column_A": limit,
        "column_B": value,
        "or_equal": True,
        "ignore_row_if": "either_value_is_missing",
    }


def _equal(left: str, right: str) -> tuple[str, dict[str, Any]]:
    return "ExpectColumnPairValuesToBeEqual", {
        "column_A": left,
        "column_B": right,
        "ignore_row_if": "either_value_is_missing",
    }


def _between(value: str, least: int | None, most: int | None) -> tuple[str, dict[str, Any]]:
    return "ExpectColumnValuesToBeBetween", {"column": value, "min_value": least, "max_value": most}


def _none(value: str) -> tuple[str, dict[str, Any]]:
    return "ExpectColumnValuesToBeInSet", {"column": value, "value_set": [0]}


# --- words ------------------------------------------------------------------------------------------------------------


def _clock(time_us: int) -> str:
    return f"{datetime.fromtimestamp(time_us / SECOND_US, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _who(row: Row) -> str:
    return f"{row['table_id']} {row['device']}" if row.get("device") else str(row["table_id"])


def _some(number: int, rounds: list[str] | None) -> str:
    named = ", ".join(rounds or [])
    return f"{named}{' and others' if number > len(rounds or []) else ''}"


def _times(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"


_MEASURES = {
    "wager": "a wager of {value} was reported; ten times the highest wager filed is {ceiling}",
    "payment": "a payment of {value} was reported; the most that is believed is {ceiling}",
    "fee": "a fee of {value} was reported; the most that is believed is {ceiling}",
    "tray": "a tray, fill, credit or drop box of {value} was reported; the most that is believed is {ceiling}",
    "seat": "a wager at seat {value} was reported; the table has {ceiling} seats",
    "rack": "{value} cards of one round were read in the rack; {ceiling} are in play",
    "dealt": "{value} cards were read dealt in one round; {ceiling} are in play",
}
_MONEY = frozenset({"wager", "payment", "fee", "tray"})


def _said_value(row: Row) -> str:
    shown = dollars if row["measure"] in _MONEY else str
    text = _MEASURES[row["measure"]].format(value=shown(row["value"]), ceiling=shown(row["ceiling"]))
    where = f" round {row['round_id']}" if row["round_id"] else ""
    return f"{row['table_id']}{where}: {text}: a device misreads, or the event was made up."


def _said_skew(row: Row) -> str:
    off = row["skew_us"]
    return (
        f"{_who(row)}: its clock is {abs(off) / SECOND_US:,.0f} s or more {'ahead of' if off > 0 else 'behind'} the "
        f"other clocks of the table since {_clock(row['at_us'])}; they are kept within {SKEW_MOST_US // SECOND_US} s."
    )


def _said_lag(row: Row) -> str:
    off = row["lag_us"]
    if off > 0:
        what = f"{off / SECOND_US:,.0f} s before they happened by its clock, which is that much ahead"
    else:
        what = (
            f"{-off / SECOND_US:,.0f} s after they happened by its clock, even the promptest: it is behind, or they "
            "came late"
        )
    return f"{_who(row)}: events since {_clock(row['at_us'])} were logged {what}."


def _said_silence(row: Row) -> str:
    return (
        f"{_who(row)}: nothing was heard of it after event {row['seq']} ({_clock(row['at_us'])}) while the table "
        f"played on: more than {SILENT_US // MINUTE_US} minutes and {row['allowed_rounds']} rounds."
    )


def _said_table_silence(row: Row) -> str:
    return (
        f"{row['table_id']}: nothing was heard of the open table after event {row['seq']} ({_clock(row['at_us'])}) for "
        f"more than {TABLE_SILENT_US // MINUTE_US} minutes; a heartbeat is due every ten."
    )


def _said_devices(row: Row) -> str:
    if row["least"] == 1:
        return (
            f"{_who(row)}: it announced {row['what']} and reported it {_times(row['heard'], 'time')} in a day of "
            f"{_times(row['rounds'], 'round')}."
        )
    return (
        f"{_who(row)}: it announced {row['what']} and reported it in {row['heard']:,} of "
        f"{_times(row['rounds'], 'round')} with wagers; at least {row['least']:,} are expected."
    )


def _said_missing(row: Row) -> str:
    lowest, highest = row["holes"][0]
    first = f"event {lowest}" if lowest == highest else f"events {lowest} to {highest}"
    more = f", and {len(row['holes']) - 1} more stretches" if len(row["holes"]) > 1 else ""
    return (
        f"{row['table_id']}: {_times(row['missing'], 'event')} of {row['first_seq']} to {row['last_seq']} "
        f"{'is' if row['missing'] == 1 else 'are'} not in the record: {first}{more}."
    )


def _said_tray(row: Row) -> str:
    off = row["reported_cents"] - row["expected_cents"]
    return (
        f"{row['table_id']}: by the reading at event {row['from_seq']}, fills, credits, sold chips and settlements the "
        f"tray should hold {dollars(row['expected_cents'])}, and event {row['seq']} says "
        f"{dollars(row['reported_cents'])}: {dollars(abs(off))} {'over' if off > 0 else 'short'}."
    )


def _said_box(row: Row) -> str:
    return (
        f"{row['table_id']} {row['what']}: counted {dollars(row['reported_cents'])} (event {row['seq']}), and "
        f"{dollars(row['least_cents'])} of collections were reported dropped in it: "
        f"{dollars(row['least_cents'] - row['reported_cents'])} short."
    )


def _said_rounds(count: str, rounds: str, what: str) -> Callable[[Row], str]:
    def said(row: Row) -> str:
        number = row[count]
        return (
            f"{row['table_id']}: {number:,} of {_times(row['rounds'], 'round')} {what}: {_some(number, row[rounds])}."
        )

    return said


# --- the checks -------------------------------------------------------------------------------------------------------


def _check(
    name: str,
    code: str,
    border: Border,
    frame: str,
    title: str,
    expected: tuple[str, dict[str, Any]],
    value: str,
    limit: str | int | None,
    section: str,
    said: Callable[[Row], str],
    *,
    marks: str = "marks",
    goes_on: bool = False,
) -> Check:
    kind, arguments = expected
    return Check(name, code, border, frame, title, kind, arguments, value, limit, section, said, marks, goes_on)


CHECKS: tuple[Check, ...] = (
    _check(
        "values_in_range",
        "QUALITY-005",
        "segment",
        "values",
        "Amounts, seats and card counts are within what can be",
        _at_most("value", "ceiling"),
        "value",
        "ceiling",
        "ranges",
        _said_value,
    ),
    _check(
        "events_a_minute",
        "QUALITY-010",
        "segment",
        "rates",
        f"A table says at most {MINUTE_EVENTS_MOST} things a minute",
        _between("events", None, MINUTE_EVENTS_MOST),
        "events",
        MINUTE_EVENTS_MOST,
        "event rates",
        lambda row: (
            f"{row['table_id']}: {row['events']:,} events in the minute of {_clock(row['at_us'])}; a table says at "
            f"most {MINUTE_EVENTS_MOST}: a device floods."
        ),
        goes_on=True,
    ),
    _check(
        "records_refused",
        "QUALITY-011",
        "segment",
        "refused",
        "Few of a table's records are refused",
        _at_most("refused", "allowed"),
        "refused",
        "allowed",
        "refused records",
        lambda row: (
            f"{row['table_id']}: {row['refused']:,} of {_times(row['records'], 'record')} since {_clock(row['at_us'])} "
            f"were refused; {row['allowed']:,} at most are accidents."
        ),
        goes_on=True,
    ),
    _check(
        "clock_against_table",
        "QUALITY-009",
        "segment",
        "clocks",
        "A device's clock agrees with the table's others",
        _between("skew_us", -SKEW_MOST_US, SKEW_MOST_US),
        "skew_us",
        SKEW_MOST_US,
        "clock skew",
        _said_skew,
        goes_on=True,
    ),
    _check(
        "clock_against_log",
        "QUALITY-009",
        "segment",
        "clocks",
        "A device's clock agrees with the log's",
        _between("lag_us", -LOG_BEHIND_US, LOG_AHEAD_US),
        "lag_us",
        LOG_AHEAD_US,
        "clock skew",
        _said_lag,
        goes_on=True,
    ),
    _check(
        "device_heard_from",
        "QUALITY-012",
        "segment",
        "silence",
        "No device falls silent while its table plays",
        (
            "ExpectColumnPairValuesAToBeGreaterThanB",
            {
                **_at_most("silent_rounds", "allowed_rounds")[1],
                "row_condition": f"silent_us >= {SILENT_US}",
                "condition_parser": "pandas",
            },
        ),
        "silent_rounds",
        "allowed_rounds",
        "device silence",
        _said_silence,
        goes_on=True,
    ),
    _check(
        "table_heard_from",
        "QUALITY-012",
        "segment",
        "tables",
        "No open table falls silent",
        _between("silent_us", None, TABLE_SILENT_US),
        "silent_us",
        TABLE_SILENT_US,
        "device silence",
        _said_table_silence,
        goes_on=True,
    ),
    _check(
        "rounds_closed",
        "QUALITY-001",
        "day",
        "rounds",
        "Every round that was opened is closed",
        _none("unclosed"),
        "unclosed",
        0,
        "completeness",
        _said_rounds("unclosed", "unclosed_rounds", "were opened and never closed"),
        marks="unclosed_marks",
    ),
    _check(
        "rounds_assembled",
        "QUALITY-001",
        "day",
        "rounds",
        "Every round that was closed was put together and judged",
        _none("unassembled"),
        "unassembled",
        0,
        "completeness",
        _said_rounds("unassembled", "unassembled_rounds", "were closed and never judged"),
        marks="unassembled_marks",
    ),
    _check(
        "wagers_settled",
        "QUALITY-002",
        "day",
        "wagers",
        "Every wager is settled",
        _none("unsettled"),
        "unsettled",
        0,
        "completeness",
        lambda row: (
            f"{row['table_id']}: {row['unsettled']:,} of {_times(row['wagers'], 'wager')} "
            f"were never reported settled, in {_some(row['unsettled'], row['round_ids'])}."
        ),
    ),
    _check(
        "devices_heard",
        "QUALITY-003",
        "day",
        "devices",
        "Every device reports what it announced",
        _at_most("least", "heard"),
        "heard",
        "least",
        "completeness",
        _said_devices,
    ),
    _check(
        "round_events_enough",
        "QUALITY-004",
        "day",
        "rounds",
        "No round has far fewer events than the table's others",
        _at_most("fewest_allowed", "fewest"),
        "fewest",
        "fewest_allowed",
        "completeness",
        lambda row: (
            f"{row['table_id']} round {row['fewest_round']}: {_times(row['fewest'], 'event')}, and the table's middle "
            f"round has {row['usual']:,.0f}; {row['fewest_allowed']:,} are the least."
        ),
        marks="fewest_marks",
    ),
    _check(
        "round_events_few",
        "QUALITY-004",
        "day",
        "rounds",
        "No round has far more events than the table's others",
        _at_most("most", "most_allowed"),
        "most",
        "most_allowed",
        "completeness",
        lambda row: (
            f"{row['table_id']} round {row['most_round']}: {_times(row['most'], 'event')}, and the table's middle "
            f"round has {row['usual'] or 0:,.0f}; {row['most_allowed']:,} are the most."
        ),
        marks="most_marks",
    ),
    _check(
        "sequence_whole",
        "QUALITY-007",
        "day",
        "sequence",
        "No event of the day's sequence is missing",
        _none("missing"),
        "missing",
        0,
        "completeness",
        _said_missing,
    ),
    _check(
        "round_ids_unique",
        "QUALITY-008",
        "day",
        "rounds",
        "A round id is used once",
        _none("reused"),
        "reused",
        0,
        "completeness",
        _said_rounds("reused", "reused_rounds", "were opened more than once under one id"),
        marks="reused_marks",
    ),
    _check(
        "tray_agrees",
        "QUALITY-006",
        "day",
        "sums",
        "A tray holds what came and went",
        _equal("expected_cents", "reported_cents"),
        "reported_cents",
        "expected_cents",
        "referential sums",
        _said_tray,
    ),
    _check(
        "box_agrees",
        "QUALITY-006",
        "day",
        "sums",
        "A drop box holds the collections dropped in it",
        _at_most("least_cents", "reported_cents"),
        "reported_cents",
        "least_cents",
        "referential sums",
        _said_box,
    ),
    _check(
        "events_an_hour",
        "QUALITY-010",
        "day",
        "hours",
        "No hour is far busier than the table's own day",
        _at_most("events", "allowed"),
        "events",
        "allowed",
        "event rates",
        lambda row: (
            f"{row['table_id']}: {row['events']:,} events in the hour from {_clock(row['at_us'])}, and its middle hour "
            f"of the day has {row['usual']:,.0f}; {row['allowed']:,} are the most."
        ),
    ),
    _check(
        "day_opened",
        "QUALITY-013",
        "day",
        "openings",
        "A table that plays has opened for the day",
        _between("opened", 1, None),
        "opened",
        1,
        "gaming days",
        lambda row: (
            f"{row['table_id']}: {_times(row['rounds'], 'round')} were played on a day the table never opened for."
        ),
    ),
    _check(
        "day_closed",
        "QUALITY-013",
        "day",
        "openings",
        "A table that opened for the day has closed",
        _none("unclosed"),
        "unclosed",
        0,
        "gaming days",
        lambda row: f"{row['table_id']}: the table opened for the day and never closed.",
    ),
)

BY_NAME: dict[str, Check] = {check.name: check for check in CHECKS}


def frames_of(border: Border) -> dict[str, list[Check]]:
    """The checks of a border by the frame they look at."""
    frames: dict[str, list[Check]] = {}
    for check in CHECKS:
        if check.border == border:
            frames.setdefault(check.frame, []).append(check)
    return frames
