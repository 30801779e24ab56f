"""The gate's rules on clocks: a device's time against the event before it, and against the log's own time.

The log stamps a record when it arrives, and no device has a say in that, so the log's clock is the witness. An event
may not be from the future, and a table that reports as it plays does not fall a day and a half behind. A file of old
events that is read in says nothing about clocks: a table is judged against the log only once it has been in step with
it, or when the two clocks have run at the same pace, apart, for half an hour.
"""

from __future__ import annotations

from enum import IntEnum

from ingest.gate.words import lasting
from ingest.table_stream import SKEW_FINE, SKEW_SAID, SKEW_UNKNOWN, TableStream

CLOCK_BACK_US = 5_000_000
"""How far back a time may lie: devices of one table are not all in step, and NTP sets clocks."""
CLOCK_AHEAD_US = 30 * 60 * 1_000_000
"""How much further than the log's clock a table's may go on within a round."""

LOG_AHEAD_US = 2 * 60 * 1_000_000
"""How far a device's clock may be ahead of the log's: NTP keeps both within a second."""
LOG_BEHIND_US = 36 * 3600 * 1_000_000
"""How long after its time an event may reach the log: a gaming day's file is delivered the next morning."""
PACE_US = 30 * 60 * 1_000_000
PACE_DRIFT_US = 5 * 60 * 1_000_000

LAST_TIME_US = 253_402_300_800_000_000  # the year 10000: no calendar here reaches further


class Within(IntEnum):
    """Where an event stands: how far time may go on before it depends on that."""

    NO_ROUND = 0  # none is open, or this one opens another
    ROUND = 1  # it is of the round that is open
    BESIDE_ROUND = 2  # it is of no round, and one is open


def jumped(table: TableStream, time_us: int, timestamp_us: int, within: Within) -> tuple[bool, str | None]:
    """Whether the event's time does not follow from that of the one before it, and what there is to say of that.

    Silence is no jump. Between rounds hours and days may pass. Within a round time may go on as long as the log's clock
    does, and half an hour more: a file that is read in at one moment has no other witness. After an event of no round
    it is not known yet whether the round still goes on: if it does, it is told then.
    """
    clock_us = table.clock_us
    if clock_us is None:
        return False, None
    if table.lull and within is not Within.BESIDE_ROUND:
        table.lull = False
        other_us, table.other_clock_us = table.other_clock_us, None
        assert other_us is not None
        if within is Within.ROUND:
            table.other_clock_us = other_us
            return True, _words(clock_us - other_us)
    silence_us = max(timestamp_us - table.clock_log_us, 0)
    if time_us < clock_us - CLOCK_BACK_US:
        pass
    elif within is Within.NO_ROUND or time_us - clock_us - silence_us <= CLOCK_AHEAD_US:
        if table.other_clock_us is not None:
            two_clocks(table, time_us, within)
        return False, None
    elif within is Within.BESIDE_ROUND and table.other_clock_us is None:
        table.other_clock_us, table.lull = clock_us, True
        return False, None
    other_us = table.other_clock_us
    if other_us is not None and other_us - CLOCK_BACK_US <= time_us <= other_us + silence_us + CLOCK_AHEAD_US:
        two_clocks(table, time_us, within)  # it goes on from the clock before an earlier jump
        return True, None
    table.other_clock_us = clock_us
    return True, _words(time_us - clock_us)


def _words(by_us: int) -> str:
    by_s = by_us / 1_000_000
    step = f"{-by_s:,.1f} s before" if by_s < 0 else f"{by_s / 60:,.1f} minutes after"
    within = "" if by_s < 0 else " in the same round"
    return f"its time is {step} that of the event before it{within}: a device clock jumped"


def two_clocks(table: TableStream, time_us: int, within: Within) -> None:
    """After a jump: which of the two clocks does this event go on from? The one left stays the second opinion.

    Two devices whose clocks differ alternate like this, and that is one jump, not hundreds. It ends with the round,
    or the old clock would hide a later jump.
    """
    clock_us, other_us = table.clock_us, table.other_clock_us
    assert clock_us is not None and other_us is not None
    if within is Within.NO_ROUND:
        table.other_clock_us = None
    elif abs(time_us - other_us) < abs(time_us - clock_us):
        table.other_clock_us = clock_us


def against_the_log(table: TableStream, time_us: int, timestamp_us: int) -> tuple[str, str] | None:
    """The code and words for a table whose clock is not the log's, once until it is again."""
    skew_us = time_us - timestamp_us
    if -LOG_BEHIND_US <= skew_us <= LOG_AHEAD_US:
        table.skew = SKEW_FINE
        return None
    if table.skew == SKEW_SAID:
        return None
    if table.skew == SKEW_UNKNOWN:
        if table.pace_log_us < 0 or abs(skew_us - table.pace_skew_us) > PACE_DRIFT_US:
            table.pace_log_us, table.pace_skew_us = timestamp_us, skew_us
            return None
        if timestamp_us - table.pace_log_us < PACE_US:
            return None
    table.skew = SKEW_SAID
    if skew_us > 0:
        return "GATE-010", (
            f"its time is {lasting(skew_us)} ahead of the log's: the table's clock is wrong, or was set forward; this "
            "is said once, until its time is right again"
        )
    return "GATE-011", (
        f"it reached the log {lasting(-skew_us)} after its time: it was kept back, or the table's clock is behind; "
        "this is said once, until events come in time again"
    )
