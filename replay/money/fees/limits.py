"""The limits that come with a schedule: those printed, and those a table files within them."""

from __future__ import annotations

from replay.filing import FeeSchedule
from replay.filing.fees import TABLE_MAXIMUM, TABLE_MINIMUM
from schemas.money import dollars


def limits(schedule: FeeSchedule, wager: str, table_minimum: int, table_maximum: int) -> tuple[int, int]:
    """Lowest and highest amount of a wager at a table with these filed limits (0 = as the schedule prints)."""
    lowest, highest = schedule.limits[wager]
    return table_minimum or lowest, table_maximum or highest


def limits_problem(schedule: FeeSchedule, wager: str, table_minimum: int, table_maximum: int) -> str | None:
    """Why a table cannot file these limits for its base wager under this schedule; None if it can."""
    printed = schedule.limits[wager]
    lowest, highest = limits(schedule, wager, table_minimum, table_maximum)
    for what, filed, (least, most) in (
        ("minimum", lowest, schedule.limits.get(TABLE_MINIMUM, printed)),
        ("maximum", highest, schedule.limits.get(TABLE_MAXIMUM, printed)),
    ):
        if not least <= filed <= most:
            return (
                f"a table {what} of {dollars(filed)} is outside the {dollars(least)} to {dollars(most)} that schedule "
                f"{schedule.id} prints; file one within it, or 0 for the printed limit"
            )
    if lowest > highest:
        return f"the table minimum {dollars(lowest)} is above the table maximum {dollars(highest)}"
    return None
