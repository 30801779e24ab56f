"""The gate's rules on clocks: a device's time against the event before it, and against the log's own time.

The log stamps a record when it arrives, and no device has a say in that, so the log's clock is the witness. An event
may not be from the future, and a table that reports as it plays does not fall a day and a half behind. A file of old
events that is read in says nothing about clocks: a table is judged against the log only once it has been in step with
it, or when the two clocks have run at the same pace, apart, for half an hour.
"""

from __future__ import annotations

from ingest.gate_words import lasting
from ingest.table_stream import SKEW_FINE, SKEW_SAID, SKEW_UNKNOWN, TableStream

CLOCK_BACK_US = 5_000_000
CLOCK_AHEAD_US = 30 * 60 * 1_000_000

LOG_AHEAD_US = 2 * 60 * 1_000_000
"""How far a device's clock may be ahead of the log's: NTP keeps both within a second."""
LOG_BEHIND_US = 36 * 3600 * 1_000_000
"""How long after its time an event may reach the log: a gaming day's file is delivered the next morning."""
PACE_US = 30 * 60 * 1_000_000
PACE_DRIFT_US = 5 * 60 * 1_000_000

LAST_TIME_US = 253_402_300_800_000_000  # the year 10000: no calendar here reaches further


def follows(time_us: int, clock_us: int, same_round: bool) -> bool:
    """Whether an event of this time may follow one of that: hours may pass between rounds, not within one."""
    return time_us >= clock_us - CLOCK_BACK_US and not (same_round and time_us > clock_us + CLOCK_AHEAD_US)


def jumped(table: TableStream, time_us: int, same_round: bool) -> str | None:
    """The event's time does not follow from the one before it: what to say of it; None if it goes on from the clock
    before an earlier jump."""
    clock_us, other_us = table.clock_us, table.other_clock_us
    assert clock_us is not None
    if other_us is not None and follows(time_us, other_us, same_round):
        two_clocks(table, time_us, same_round)
        return None
    table.other_clock_us = clock_us
    by_s = (time_us - clock_us) / 1_000_000
    step = f"{-by_s:,.1f} s before" if by_s < 0 else f"{by_s / 60:,.1f} minutes after"
    within = "" if by_s < 0 else " in the same round"
    return f"its time is {step} that of the event before it{within}: a device clock jumped"


def two_clocks(table: TableStream, time_us: int, same_round: bool) -> None:
    """After a jump: which of the two clocks does this event go on from? The one left stays the second opinion.

    Two devices whose clocks differ alternate like this, and that is one jump, not hundreds. It ends with the round,
    or the old clock would hide a later jump.
    """
    clock_us, other_us = table.clock_us, table.other_clock_us
    assert clock_us is not None and other_us is not None
    if not same_round:
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
