"""The suites: what is expected of the data at a segment's border and at a gaming day's.

A check is one Great Expectations expectation over one frame. It names its finding code, the columns that hold the value
and its limit, and how a failed row is put in words. The expectation itself is made where it is judged (judge.py):
importing Great Expectations takes seconds, and most who import this module judge nothing. docs/quality.md lists the
checks from here (`python -m ingest.quality.describe`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from ingest.quality import sentences as words
from ingest.quality.expectations import Expectation, at_most, between, equal, none
from ingest.quality.limits import (
    DATE_MOST_US,
    DEALER_OVERLAP_US,
    EVERY_DAY,
    EVERY_ROUND,
    FEE_MOST_CENTS,
    HEARD_ROUNDS,
    HEARD_SHARE,
    HOUR_COUNT,
    HOUR_FACTOR,
    HOUR_US,
    LOG_AHEAD_US,
    LOG_BEHIND_US,
    LONG_DAY_ROUNDS,
    MINUTE_EVENTS_MOST,
    MINUTE_US,
    PAID_MOST_CENTS,
    REFUSED_FEW,
    REFUSED_SHARE,
    ROUND_EVENTS_FACTOR,
    ROUND_EVENTS_MOST,
    ROUND_EVENTS_ROUNDS,
    SECOND_US,
    SILENT_FACTOR,
    SILENT_ROUNDS,
    SILENT_US,
    SKEW_MOST_US,
    TABLE_SILENT_US,
    TRAY_MOST_CENTS,
    WAGER_FACTOR,
    WAGER_MOST_CENTS,
    WITHOUT_FAIL,
)
from ingest.quality.source import Row
from schemas.money import dollars

Border = Literal["segment", "day"]
_ORDINALS = {4: "quarter", 5: "fifth", 10: "tenth"}


@dataclass(frozen=True, kw_only=True)
class Check:
    """One expectation."""

    name: str
    code: str
    border: Border
    frame: str
    section: str  # of docs/quality.md
    title: str  # what is expected, for people
    meaning: str  # what is measured, the limit, and what is left out
    expectation: Expectation
    value: str  # the column that is judged
    limit: str | int | None  # the column it is held against, or the number
    said: Callable[[Row], str]
    marks: str = "marks"  # the column with the stretches of seq that rest on what failed, each perhaps with its time
    rounds: str | None = None  # the column with the first rounds that failed
    goes_on: bool = False  # whether the same trouble in the next segment is the same finding


def _listed(types: Iterable[str]) -> str:
    return ", ".join(f"`{what}`" for what in sorted(types))


CHECKS: tuple[Check, ...] = (
    # --- at a segment's border
    Check(
        name="values_in_range",
        code="QUALITY-005",
        border="segment",
        frame="values",
        section="ranges",
        title="Amounts, seats and card counts are within what can be",
        meaning=(
            f"A wager is at most {WAGER_FACTOR} times the highest maximum filed ({dollars(WAGER_MOST_CENTS)} where "
            "none is), what is taken of a wager at most the wager, a payment at most "
            f"{dollars(PAID_MOST_CENTS)}, a fee at most {dollars(FEE_MOST_CENTS)}, a tray, fill, credit or drop box at "
            f"most {dollars(TRAY_MOST_CENTS)}; a seat is one the table has; no more cards are dealt or racked than are "
            "in play."
        ),
        expectation=at_most("value", "ceiling"),
        value="value",
        limit="ceiling",
        said=words.said_value,
    ),
    Check(
        name="events_a_minute",
        code="QUALITY-010",
        border="segment",
        frame="rates",
        section="event rates",
        title="A table says no more in a minute than a table can",
        meaning=f"At most {MINUTE_EVENTS_MOST} records in any minute by the table's clock, refused ones included.",
        expectation=between("events", None, MINUTE_EVENTS_MOST),
        value="events",
        limit=MINUTE_EVENTS_MOST,
        said=words.said_minute,
        goes_on=True,
    ),
    Check(
        name="records_refused",
        code="QUALITY-011",
        border="segment",
        frame="refused",
        section="refused records",
        title="Few of a table's records are refused",
        meaning=(
            f"At most {REFUSED_FEW} records of a table in a segment are quarantined, or {REFUSED_SHARE:.0%} of them "
            "where that is more."
        ),
        expectation=at_most("refused", "allowed"),
        value="refused",
        limit="allowed",
        said=words.said_refused,
        goes_on=True,
    ),
    Check(
        name="clock_against_table",
        code="QUALITY-009",
        border="segment",
        frame="clocks",
        section="clock skew",
        title="A device's clock agrees with the table's others",
        meaning=(
            "By sequence a device's event lies between two of the controller's; its time lies outside theirs by at "
            f"most {SKEW_MOST_US // SECOND_US} s (the middle event of each hour). Where all other devices are off the "
            "same way, it is the controller's clock. Single jumps are GATE-007."
        ),
        expectation=between("skew_us", -SKEW_MOST_US, SKEW_MOST_US),
        value="skew_us",
        limit=SKEW_MOST_US,
        said=words.said_skew,
        goes_on=True,
    ),
    Check(
        name="clock_against_log",
        code="QUALITY-009",
        border="segment",
        frame="clocks",
        section="clock skew",
        title="A device's clock agrees with the log's",
        meaning=(
            f"The promptest tenth of a device's events of an hour is logged at most {LOG_AHEAD_US // SECOND_US} s "
            f"before and {LOG_BEHIND_US // MINUTE_US} minutes after its own time. Only where the log runs along with "
            "the table: events read from a file say nothing about clocks."
        ),
        expectation=between("lag_us", -LOG_BEHIND_US, LOG_AHEAD_US),
        value="lag_us",
        limit=LOG_AHEAD_US,
        said=words.said_lag,
        goes_on=True,
    ),
    Check(
        name="device_heard_from",
        code="QUALITY-012",
        border="segment",
        frame="silence",
        section="device silence",
        title="No device falls silent while its table plays",
        meaning=(
            f"A device is not silent for {SILENT_US // MINUTE_US} minutes and more than {SILENT_ROUNDS} rounds, or "
            f"{SILENT_FACTOR} times its usual distance in rounds where that is more, unless it said `device.offline`."
        ),
        expectation=at_most("silent_rounds", "allowed_rounds"),
        value="silent_rounds",
        limit="allowed_rounds",
        said=words.said_silence,
        goes_on=True,
    ),
    Check(
        name="table_heard_from",
        code="QUALITY-012",
        border="segment",
        frame="tables",
        section="device silence",
        title="No open table falls silent",
        meaning=(
            "Between `table.opened` and `table.closed` something is heard at least every "
            f"{TABLE_SILENT_US // MINUTE_US} minutes (a heartbeat is due every ten)."
        ),
        expectation=between("silent_us", None, TABLE_SILENT_US),
        value="silent_us",
        limit=TABLE_SILENT_US,
        said=words.said_table_silence,
        goes_on=True,
    ),
    # --- at a gaming day's border
    Check(
        name="sequence_whole",
        code="QUALITY-007",
        border="day",
        frame="sequence",
        section="completeness",
        title="No event of the day's sequence is missing",
        meaning="Every `seq` of the table's gaming day has a recorded event.",
        expectation=none("missing"),
        value="missing",
        limit=0,
        said=words.said_missing,
    ),
    Check(
        name="rounds_closed",
        code="QUALITY-001",
        border="day",
        frame="rounds",
        section="completeness",
        title="Every round that was opened is closed",
        meaning="A round with `round.opened` has `round.closed`; one with events missing is left to `sequence_whole`.",
        expectation=none("unclosed"),
        value="unclosed",
        limit=0,
        said=words.said_rounds("unclosed", "unclosed_rounds", "opened and never closed"),
        marks="unclosed_marks",
        rounds="unclosed_rounds",
    ),
    Check(
        name="rounds_assembled",
        code="QUALITY-001",
        border="day",
        frame="rounds",
        section="completeness",
        title="Every round that was closed was put together and judged",
        meaning="A round with `round.closed` has a verdict in `rounds.parquet`.",
        expectation=none("unassembled"),
        value="unassembled",
        limit=0,
        said=words.said_rounds("unassembled", "unassembled_rounds", "closed and never judged"),
        marks="unassembled_marks",
        rounds="unassembled_rounds",
    ),
    Check(
        name="devices_heard",
        code="QUALITY-003",
        border="day",
        frame="devices",
        section="completeness",
        title="Every device reports what it announced",
        meaning=(
            f"What a device announced in `device.online` it reports in at least {HEARD_SHARE:.0%} of the rounds with "
            f"wagers (from {HEARD_ROUNDS} rounds on; {_listed(EVERY_ROUND)}), or at least once in a day of "
            f"{LONG_DAY_ROUNDS} rounds ({_listed(EVERY_DAY)}). Devices with the same task share it. One that went "
            "offline and said so is excused."
        ),
        expectation=at_most("least", "heard"),
        value="heard",
        limit="least",
        said=words.said_devices,
    ),
    Check(
        name="rounds_reported",
        code="QUALITY-014",
        border="day",
        frame="reports",
        section="completeness",
        title="No round lacks a report that its devices announced",
        meaning=(
            f"Of {_listed(WITHOUT_FAIL)} those that the table's devices announced are reported in every closed round "
            "with wagers that was not voided and has no events missing. Where a device is hardly heard at all, "
            "`devices_heard` says so instead."
        ),
        expectation=none("missing"),
        value="missing",
        limit=0,
        said=words.said_reports,
        marks="missing_marks",
        rounds="missing_rounds",
    ),
    Check(
        name="round_events_enough",
        code="QUALITY-004",
        border="day",
        frame="rounds",
        section="completeness",
        title="No round has far fewer events than the table's others",
        meaning=(
            f"A round has at least a {_ORDINALS[ROUND_EVENTS_FACTOR]} of the events of the table's middle round (from "
            f"{ROUND_EVENTS_ROUNDS} rounds on); voided rounds and those with events missing are left out."
        ),
        expectation=at_most("fewest_allowed", "fewest"),
        value="fewest",
        limit="fewest_allowed",
        said=words.said_few,
        marks="fewest_marks",
        rounds="fewest_rounds",
    ),
    Check(
        name="round_events_bounded",
        code="QUALITY-004",
        border="day",
        frame="rounds",
        section="completeness",
        title="No round has far more events than the table's others",
        meaning=(
            f"A round has at most {ROUND_EVENTS_FACTOR} times the events of the table's middle round, and never more "
            f"than {ROUND_EVENTS_MOST:,}."
        ),
        expectation=at_most("most", "most_allowed"),
        value="most",
        limit="most_allowed",
        said=words.said_many,
        marks="most_marks",
        rounds="most_rounds",
    ),
    Check(
        name="round_ids_unique",
        code="QUALITY-008",
        border="day",
        frame="rounds",
        section="completeness",
        title="A round id is used once",
        meaning="No round id of the day has more than one `round.opened`.",
        expectation=none("reused"),
        value="reused",
        limit=0,
        said=words.said_rounds("reused", "reused_rounds", "opened more than once under one id"),
        marks="reused_marks",
        rounds="reused_rounds",
    ),
    Check(
        name="dates_near_day",
        code="QUALITY-009",
        border="day",
        frame="dates",
        section="ranges",
        title="Events are dated near their gaming day",
        meaning=(
            f"Every event's time is within {DATE_MOST_US // HOUR_US} hours of the middle of the gaming day it belongs "
            "to by its place in the sequence."
        ),
        expectation=none("outside"),
        value="outside",
        limit=0,
        said=words.said_date,
    ),
    Check(
        name="wagers_settled",
        code="QUALITY-002",
        border="day",
        frame="wagers",
        section="referential sums",
        title="Every wager is settled",
        meaning=(
            "Every wager placed and not withdrawn, in a closed round that was not voided and has no events missing, is "
            "reported settled (poker pots apart)."
        ),
        expectation=none("unsettled"),
        value="unsettled",
        limit=0,
        said=words.said_unsettled,
        marks="unsettled_marks",
        rounds="unsettled_rounds",
    ),
    Check(
        name="settlements_placed",
        code="QUALITY-002",
        border="day",
        frame="wagers",
        section="referential sums",
        title="Every settlement is of a wager that was placed",
        meaning="Every `wager.settled` in those rounds names a wager that was reported placed.",
        expectation=none("unplaced"),
        value="unplaced",
        limit=0,
        said=words.said_unplaced,
        marks="unplaced_marks",
        rounds="unplaced_rounds",
    ),
    Check(
        name="tray_agrees",
        code="QUALITY-006",
        border="day",
        frame="sums",
        section="referential sums",
        title="A tray holds what came and went",
        meaning=(
            "Between two readings of `inventory_cents` (opened, counted, closed) the tray changes by fills, credits, "
            "what the house won, lost and took as vigorish and envy, and the chips sold for the cash in the drop box. "
            "Not where a player banks for the house, meters move, or events in between are missing."
        ),
        expectation=equal("expected_cents", "reported_cents"),
        value="reported_cents",
        limit="expected_cents",
        said=words.said_tray,
    ),
    Check(
        name="box_agrees",
        code="QUALITY-006",
        border="day",
        frame="sums",
        section="referential sums",
        title="A drop box holds the collections dropped in it",
        meaning="A drop box is counted with at least the collections reported dropped in it since it was last counted.",
        expectation=at_most("least_cents", "reported_cents"),
        value="reported_cents",
        limit="least_cents",
        said=words.said_box,
    ),
    Check(
        name="meter_agrees",
        code="QUALITY-015",
        border="day",
        frame="meters",
        section="referential sums",
        title="A progressive meter moves by what came in and went out",
        meaning=(
            "From one statement of a meter (`meter_cents`, `meter.read`, `meter.reset`) to the next it moves by the "
            "contributions and payouts reported. Meters that several tables name, and stretches with events missing, "
            "are left out."
        ),
        expectation=equal("expected_cents", "reported_cents"),
        value="reported_cents",
        limit="expected_cents",
        said=words.said_meter,
    ),
    Check(
        name="dealer_at_one_table",
        code="DEALER-970",
        border="day",
        frame="dealers",
        section="dealers",
        title="A dealer deals at one table at a time",
        meaning=(
            "No round of a dealer overlaps in time, by more than "
            f"{DEALER_OVERLAP_US // SECOND_US} s (tables' clocks may differ), with a round of the same gaming day that "
            "the same dealer is reported to have dealt at another table. It is told at each of the tables. Rounds of "
            "which the beginning or the end is not known are left out."
        ),
        expectation=none("elsewhere"),
        value="elsewhere",
        limit=0,
        said=words.said_dealer,
        rounds="elsewhere_rounds",
    ),
    Check(
        name="events_an_hour",
        code="QUALITY-010",
        border="day",
        frame="hours",
        section="event rates",
        title="No hour is far busier than the table's own day",
        meaning=(
            f"A full hour has at most {HOUR_FACTOR} times the events of the table's middle hour (from {HOUR_COUNT} "
            "full hours on)."
        ),
        expectation=at_most("events", "allowed"),
        value="events",
        limit="allowed",
        said=words.said_hour,
    ),
    Check(
        name="day_opened",
        code="QUALITY-013",
        border="day",
        frame="openings",
        section="gaming days",
        title="A table that plays has opened for the day",
        meaning="A table with rounds on a day said `table.opened` for it.",
        expectation=between("opened", 1, None),
        value="opened",
        limit=1,
        said=words.said_unopened,
    ),
    Check(
        name="day_closed",
        code="QUALITY-013",
        border="day",
        frame="openings",
        section="gaming days",
        title="A table that opened for the day has closed",
        meaning="A table that said `table.opened` said `table.closed` by the day's deadline.",
        expectation=none("unclosed"),
        value="unclosed",
        limit=0,
        said=words.said_unclosed,
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
