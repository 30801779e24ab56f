"""What a table files: whether rounds can be judged by it, and a change of its collection schedule."""

from __future__ import annotations

from replay.assembling.round_row import Context
from replay.assembling.table_memory import Table
from replay.filing import PackError, filing_of, filing_problem, with_options
from replay.rounds import Fact
from schemas.clock import microseconds
from schemas.events import Event, RoundOpened, ScheduleChanged
from schemas.findings import Finding


def look_into(now: Context, event: Event, findings: list[Finding]) -> None:
    """Whether rounds can be judged by what the table said last; a finding where they cannot."""
    try:
        now.unusable = filing_problem(filing_of(now.filing)) or ""
    except PackError as problem:
        now.unusable = str(problem)
    if now.unusable:
        findings.append(
            Finding(
                "FILING-001",
                event.tableid,
                None,
                f"{event.tableid}: {now.unusable}; rounds played under it cannot be checked.",
                "docs/events.md, table.opened",
                microseconds(event.time),
                event.seq,
                evidence=(event.seq,),
            )
        )


def schedule_changed(table: Table, event: Event, data: ScheduleChanged, findings: list[Finding]) -> None:
    """Another collection schedule from the next round on; a round under way keeps the one it began with, and has it
    noted."""
    for opened in table.open.values():
        if any(type(one.event.data) is RoundOpened and one.event.seq < event.seq for one in opened.events):
            noted = [int(Fact.SCHEDULE_CHANGED), event.seq, 0, "", "", data.schedule]
            said_of = opened.context.said_of
            opened.context = opened.context.copy()
            opened.context.said_of = {**said_of, "schedule": [*said_of.get("schedule", []), noted]}
    now = table.now
    if not now.filing:
        return  # the table opened under none, and that is told of its rounds
    if now.rests.get("schedule", [-1])[0] > event.seq:
        return  # it came late, and another one has been said since
    limits = {"table_minimum_cents": data.table_minimum_cents, "table_maximum_cents": data.table_maximum_cents}
    said = {name: cents for name, cents in limits.items() if cents is not None}
    now.filing = with_options(now.filing, {"schedule": data.schedule, **said})
    now.rests = {**now.rests, "schedule": [event.seq, event.seq]}
    look_into(now, event, findings)
