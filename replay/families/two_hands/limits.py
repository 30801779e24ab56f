"""How little and how much a wager may be: base wagers by the limits the table filed, bonus bets by the schedule."""

from __future__ import annotations

from replay.checks.wagers import Bound, Bounds
from replay.families.two_hands.law import Law
from replay.filing import FeeSchedule, Filing
from replay.money.fees import limits, limits_problem


def limits_of(filing: Filing, schedule: FeeSchedule, wager: str) -> tuple[int, int]:
    """Lowest and highest amount of a wager."""
    if filing.pack.data.wagers[wager].bonus:
        return limits(schedule, wager, 0, 0)
    return limits(schedule, wager, filing.number("table_minimum_cents"), filing.number("table_maximum_cents"))


def table_limits_problem(filing: Filing, schedule: FeeSchedule, law: Law) -> str | None:
    """Why a table cannot file its limits under this schedule: they are those of every wager that is no bonus."""
    filed = filing.number("table_minimum_cents"), filing.number("table_maximum_cents")
    for wager in law.kinds:
        if wager not in schedule.limits:
            return f"schedule {schedule.id} prints no limits for the wager {wager}"
        problem = None if filing.pack.data.wagers[wager].bonus else limits_problem(schedule, wager, *filed)
        if problem:
            return problem
    return None


def bounds_of(filing: Filing, schedule: FeeSchedule, law: Law) -> dict[str, Bounds]:
    """The same of every wager, each with the rule that says so."""
    return {wager: _bounds(filing, schedule, wager, law) for wager in law.kinds}


def _bounds(filing: Filing, schedule: FeeSchedule, wager: str, law: Law) -> Bounds:
    lowest, highest = (_bound(cents, schedule, wager, law) for cents in limits_of(filing, schedule, wager))
    if filing.pack.data.wagers[wager].bonus:
        lowest = lowest._replace(cite=law.lowest_bonus)
    return Bounds(lowest, highest)


def _bound(cents: int, schedule: FeeSchedule, wager: str, law: Law) -> Bound:
    if cents in schedule.limits[wager]:
        return Bound(cents, f"schedule {schedule.id}", schedule.limits_cite)
    return Bound(cents, f"filed for this table under schedule {schedule.id}", law.table_limits)
