"""Failed rows in words: one sentence each, naming the table, the device, the value and what it was held against."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from ingest.quality.limits import (
    DATE_MOST_US,
    HOUR_US,
    MINUTE_EVENTS_MOST,
    MINUTE_US,
    SECOND_US,
    SILENT_US,
    SKEW_MOST_US,
    TABLE_SILENT_US,
)
from ingest.quality.source import Row
from schemas.money import dollars


def _clock(time_us: int) -> str:
    return f"{datetime.fromtimestamp(time_us / SECOND_US, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _who(row: Row) -> str:
    return f"{row['table_id']} {row['device']}" if row.get("device") else str(row["table_id"])


def _some(number: int, rounds: list[str] | None) -> str:
    named = ", ".join(rounds or [])
    return f"{named}{' and others' if number > len(rounds or []) else ''}"


def _times(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 'es' if one.endswith('ch') else 's'}"


_MEASURES = {
    "wager": "a wager of {value} was reported; ten times the highest wager filed is {ceiling}",
    "payment": "a payment of {value} was reported; the most that is believed is {ceiling}",
    "fee": "a fee of {value} was reported; the most that is believed is {ceiling}",
    "tray": "a tray, fill, credit or drop box of {value} was reported; the most that is believed is {ceiling}",
    "seat": "a wager at seat {value} was reported; the table has {ceiling} seats",
    "taken": "{value} was reported taken of a wager of {ceiling}",
    "rack": "{value} cards of one round were read in the rack; {ceiling} are in play",
    "dealt": "{value} cards were read dealt in one round; {ceiling} are in play",
}
_MONEY = frozenset({"wager", "payment", "taken", "fee", "tray"})


def said_value(row: Row) -> str:
    shown = dollars if row["measure"] in _MONEY else str
    text = _MEASURES[row["measure"]].format(value=shown(row["value"]), ceiling=shown(row["ceiling"]))
    where = f" round {row['round_id']}" if row["round_id"] else ""
    return f"{row['table_id']}{where}: {text}: a device misreads, or the event was made up."


def said_skew(row: Row) -> str:
    off = row["skew_us"]
    return (
        f"{_who(row)}: its clock is {abs(off) / SECOND_US:,.0f} s or more {'ahead of' if off > 0 else 'behind'} the "
        f"other clocks of the table since {_clock(row['at_us'])}; they are kept within {SKEW_MOST_US // SECOND_US} s."
    )


def said_lag(row: Row) -> str:
    off = row["lag_us"]
    if off > 0:
        what = f"{off / SECOND_US:,.0f} s before they happened by its clock, which is that much ahead"
    else:
        what = (
            f"{-off / SECOND_US:,.0f} s after they happened by its clock, even the promptest: it is behind, or they "
            "came late"
        )
    return f"{_who(row)}: events since {_clock(row['at_us'])} were logged {what}."


def said_silence(row: Row) -> str:
    return (
        f"{_who(row)}: nothing was heard of it after event {row['seq']} ({_clock(row['at_us'])}) while the table "
        f"played on: more than {SILENT_US // MINUTE_US} minutes and {_times(row['allowed_rounds'], 'round')}."
    )


def said_table_silence(row: Row) -> str:
    return (
        f"{row['table_id']}: nothing was heard of the open table after event {row['seq']} ({_clock(row['at_us'])}) for "
        f"more than {TABLE_SILENT_US // MINUTE_US} minutes; a heartbeat is due every ten."
    )


def said_devices(row: Row) -> str:
    if row["least"] == 1:
        return (
            f"{_who(row)}: it announced {row['what']} and reported it {_times(row['heard'], 'time')} in a day of "
            f"{_times(row['rounds'], 'round')}."
        )
    return (
        f"{_who(row)}: it announced {row['what']} and reported it in {row['heard']:,} of "
        f"{_times(row['rounds'], 'round')} with wagers; at least {row['least']:,} are expected."
    )


def said_missing(row: Row) -> str:
    lowest, highest = row["holes"][0]
    first = f"event {lowest}" if lowest == highest else f"events {lowest} to {highest}"
    more = f", and {_times(len(row['holes']) - 1, 'more stretch')}" if len(row["holes"]) > 1 else ""
    return (
        f"{row['table_id']}: {_times(row['missing'], 'event')} of {row['first_seq']} to {row['last_seq']} "
        f"{'is' if row['missing'] == 1 else 'are'} not in the record: {first}{more}."
    )


def said_tray(row: Row) -> str:
    off = row["reported_cents"] - row["expected_cents"]
    return (
        f"{row['table_id']}: by the reading at event {row['from_seq']}, fills, credits, sold chips and settlements the "
        f"tray should hold {dollars(row['expected_cents'])}, and event {row['seq']} says "
        f"{dollars(row['reported_cents'])}: {dollars(abs(off))} {'over' if off > 0 else 'short'}."
    )


def said_box(row: Row) -> str:
    return (
        f"{row['table_id']} {row['what']}: counted {dollars(row['reported_cents'])} (event {row['seq']}), and "
        f"{dollars(row['least_cents'])} of collections were reported dropped in it: "
        f"{dollars(row['least_cents'] - row['reported_cents'])} short."
    )


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def said_rounds(count: str, rounds: str, what: str) -> Callable[[Row], str]:
    def said(row: Row) -> str:
        number = row[count]
        return (
            f"{row['table_id']}: {number:,} of {_times(row['rounds'], 'round')} {_was(number)} {what}: "
            f"{_some(number, row[rounds])}."
        )

    return said


def said_minute(row: Row) -> str:
    return (
        f"{row['table_id']}: {row['events']:,} events in the minute of {_clock(row['at_us'])}; a table says at "
        f"most {MINUTE_EVENTS_MOST}: a device floods."
    )


def said_hour(row: Row) -> str:
    return (
        f"{row['table_id']}: {row['events']:,} events in the hour from {_clock(row['at_us'])}, and its middle hour "
        f"of the day has {row['usual']:,.0f}; {row['allowed']:,} are the most."
    )


def said_refused(row: Row) -> str:
    return (
        f"{row['table_id']}: {row['refused']:,} of {_times(row['records'], 'record')} since {_clock(row['at_us'])} "
        f"were refused; {row['allowed']:,} at most are accidents."
    )


def said_date(row: Row) -> str:
    return (
        f"{_who(row)}: {row['outside']:,} of {_times(row['events'], 'event')} {_was(row['outside'])} dated more than "
        f"{DATE_MOST_US // HOUR_US} hours away from the gaming day {row['day']}, the first {_clock(row['at_us'])}: its "
        "clock is set wrong."
    )


def said_unsettled(row: Row) -> str:
    return (
        f"{row['table_id']}: {row['unsettled']:,} of {_times(row['wagers'], 'wager')} {_was(row['unsettled'])} never "
        f"reported settled, in {_some(row['unsettled_in'], row['unsettled_rounds'])}."
    )


def said_unplaced(row: Row) -> str:
    return (
        f"{row['table_id']}: {row['unplaced']:,} of {_times(row['settlements'], 'settlement')} {_was(row['unplaced'])} "
        f"of wagers that nobody was reported to place, in {_some(row['unplaced_in'], row['unplaced_rounds'])}."
    )


def said_reports(row: Row) -> str:
    return (
        f"{_who(row)}: nothing was reported of {row['what']} in {row['missing']:,} of {_times(row['rounds'], 'round')} "
        f"with wagers: {_some(row['missing'], row['missing_rounds'])}."
    )


def said_few(row: Row) -> str:
    return (
        f"{row['table_id']} round {row['fewest_round']}: {_times(row['fewest'], 'event')}, and the table's middle "
        f"round has {row['usual']:,.0f}; {row['fewest_allowed']:,} are the least."
    )


def said_many(row: Row) -> str:
    return (
        f"{row['table_id']} round {row['most_round']}: {_times(row['most'], 'event')}, and the table's middle "
        f"round has {row['usual'] or 0:,.0f}; {row['most_allowed']:,} are the most."
    )


def said_meter(row: Row) -> str:
    off = row["reported_cents"] - row["expected_cents"]
    return (
        f"{row['table_id']} meter {row['meter']}: by event {row['from_seq']} and what came in and went out since it "
        f"should stand at {dollars(row['expected_cents'])}, and event {row['seq']} says "
        f"{dollars(row['reported_cents'])}: {dollars(abs(off))} {'over' if off > 0 else 'short'}."
    )


def said_dealer(row: Row) -> str:
    number = row["elsewhere"]
    there = " and ".join(row["others"])
    return (
        f"{row['table_id']}: dealer {row['dealer']} is reported to have dealt {_times(number, 'round')} here while "
        f"dealing at {there} as well, between {_clock(row['at_us'])} and {_clock(row['until_us'])} "
        f"({'' if number == 1 else 'first '}{row['first_here']} here and {row['first_there']}): somebody else dealt at "
        "one of the tables under this name, or a sign-in or a clock is wrong."
    )


def said_unopened(row: Row) -> str:
    rounds = row["rounds"]
    return f"{row['table_id']}: {_times(rounds, 'round')} {_was(rounds)} played on a day the table never opened for."


def said_unclosed(row: Row) -> str:
    return f"{row['table_id']}: the table opened for the day and never closed."
