"""Asking the log for whoever wants to know now: within seconds, also while a cluster is out of reach or hangs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from console.home import TOPIC, Home
from ingest.lake import Lake, LakeError
from ingest.log import EventLog, LogError
from ingest.right_log import check_log

if TYPE_CHECKING:
    from ingest.kafka.health import Member

REACH_S = 1.5  # how long somebody who asks waits for a broker that does not answer,
ANSWER_S = 3.0  # and for the answer to one question


class LogState(NamedTuple):
    """What the log has to say; what it did not get to say is empty."""

    ends: dict[int, int]  # where each partition ends
    members: Sequence[Member]  # the workers in the group, on a cluster
    problem: str | None  # why it could not be asked
    owner_problem: str | None  # why this home does not run


def ask_log(home: Home, lake: Lake) -> LogState:
    """How far the log is, and on a cluster who is at work and whether this home may be."""
    if not home.has_log():
        return LogState(dict.fromkeys(range(home.partitions), 0), [], None, None)
    cluster = home.kafka()
    ends: dict[int, int] = {}
    if cluster is None:
        try:
            ends = _ends(home.log())
            _check(home.log(), lake)
        except (LogError, LakeError) as error:
            return LogState(ends, [], str(error), None)
        return LogState(ends, [], None, None)
    from console.pipeline import group_owner
    from ingest.kafka.health import ClusterHealth
    from ingest.kafka.reach import within

    hurried = cluster.hurried(REACH_S)
    owner = group_owner(home, hurried, lake)

    def ask_group() -> tuple[Sequence[Member], str | None]:
        with ClusterHealth(hurried, TOPIC) as health:
            return health.members(), owner.problem(health)

    try:
        ends = within(ANSWER_S, lambda: _ends(home.log(REACH_S)))
        members, owner_problem = within(ANSWER_S, ask_group)
    except (LogError, LakeError) as error:
        return LogState(ends, [], str(error), owner.problem_here())
    return LogState(ends, members, None, owner_problem)


def _check(log: EventLog, lake: Lake) -> None:
    """Whether the log is the lake's own."""
    try:
        for partition in range(log.partitions(TOPIC)):
            check_log(log, lake, TOPIC, partition)
    finally:
        log.close()


def _ends(log: EventLog) -> dict[int, int]:
    try:
        return {partition: log.high_water_mark(TOPIC, partition) for partition in range(log.partitions(TOPIC))}
    finally:
        log.close()
