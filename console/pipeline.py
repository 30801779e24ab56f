"""From log to lake: the worker of each partition, handed the replay.

`ingest` and `replay` do not know each other; this is the one place where they meet.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from socket import gethostname
from threading import Event
from time import perf_counter, time
from typing import TYPE_CHECKING, Any

from console.home import FINDINGS_TOPIC, TOPIC, Home, give_identity
from ingest import following
from ingest.lake import Lake, OwnedElsewhere
from ingest.log import EventLog, LogError, WrongLog
from ingest.right_log import check_log
from ingest.stopping import leaving_after
from ingest.worker import PartitionStatus, Processed, ProgressCallback, Worker
from replay.stream import Replay, advance_together
from replay.warm_up import warm_up

if TYPE_CHECKING:
    from ingest.findings_topic import FindingsTopic
    from ingest.kafka.owner import GroupOwner
    from ingest.kafka.settings import KafkaSettings
    from ingest.metrics import Metrics

logger = logging.getLogger("muckraker.worker")

Progress = Callable[[int, int, int], None]
"""`progress(records_done, records_total, rounds)` over all partitions."""


@dataclass(frozen=True)
class RunReport:
    """What a run did, over all partitions."""

    records: int
    segments: int
    rounds: int
    findings: int
    held: int
    seconds: float
    elsewhere: int = 0  # partitions left to the workers of a group that have them

    def document(self) -> dict[str, Any]:
        each_second = max(self.seconds, 1e-9)
        return {
            "records": self.records,
            "segments": self.segments,
            "rounds": self.rounds,
            "findings": self.findings,
            "held": self.held,
            "partitions_elsewhere": self.elsewhere,
            "seconds": round(self.seconds, 3),
            "records_per_second": round(self.records / each_second),
            "rounds_per_second": round(self.rounds / each_second),
        }


def lag(home: Home, patience_s: float | None = None) -> int:
    """How many records of the log are not in the lake yet."""
    if not home.has_log():
        return 0
    log, lake = home.log(patience_s), home.lake()
    try:
        return sum(log.high_water_mark(TOPIC, p) - lake.position(TOPIC, p) for p in range(log.partitions(TOPIC)))
    finally:
        log.close()


def drain(home: Home, segment_records: int | None = None, progress: Progress | None = None) -> RunReport:
    """Process the whole log as it is now, partition after partition. On a cluster, partitions that workers of the group
    have in hand are left to them."""
    began = perf_counter()
    total = lag(home)
    done: list[Processed] = []
    log, keys, lake = home.log(), home.keys(), home.lake()
    cluster = home.kafka()
    published = findings_topic(cluster)
    elsewhere = 0

    def report(records: int, _: int, rounds: int) -> None:
        if progress is not None:
            progress(sum(p.records for p in done) + records, total, sum(p.rounds for p in done) + rounds)

    try:
        owner = None if cluster is None else _owned(home, cluster, log, lake)
        for partition in range(log.partitions(TOPIC)):
            try:
                with Worker(
                    log,
                    lake,
                    TOPIC,
                    partition,
                    keys,
                    Replay,
                    segment_records=segment_records,
                    progress=report,
                    listener=None if published is None else published.listener(),
                ) as worker:
                    done.append(worker.drain())
            except OwnedElsewhere:  # before it began, or taken over meanwhile: nothing of it is lost
                if cluster is None:
                    raise
                elsewhere += 1
        if owner is not None:
            owner.note()
    finally:
        if published is not None:
            published.close()
        log.close()
    return _report(done, perf_counter() - began, elsewhere)


def group_owner(home: Home, cluster: KafkaSettings, lake: Lake) -> GroupOwner:
    """The home's claim to its group."""
    from ingest.kafka.owner import GroupOwner, HomeName

    at = f"{gethostname()}:{home.path.resolve()}"
    return GroupOwner(cluster, TOPIC, home.partitions, lake, HomeName(home.id, home.copy_of, str(home.path), at))


def _owned(home: Home, cluster: KafkaSettings, log: EventLog, lake: Lake) -> GroupOwner:
    """The same, when the log is the lake's own and the group is the home's."""
    for partition in range(log.partitions(TOPIC)):
        check_log(log, lake, TOPIC, partition)
    owner = group_owner(home, cluster, lake)
    for partition, found in owner.confirm().items():
        owner.check(partition, found)
    return owner


def take_over(home: Home) -> Home:
    """Make the home the one that its group belongs to, whoever had it: a copy, or the home again. Where it is one on a
    cluster, the log must be the lake's own, and nobody may be at work in the group."""
    cluster = home.kafka()
    if cluster is None:
        return give_identity(home, None)
    from ingest.kafka.log import FoundTopic, KafkaLog

    lake = home.lake()
    log = KafkaLog(cluster, expected={TOPIC: FoundTopic(home.partitions, None)})  # its id may be a mirror's
    try:
        for partition in range(log.partitions(TOPIC)):
            check_log(log, lake, TOPIC, partition)
        topic_id = log.topic_id(TOPIC)
    finally:
        log.close()
    home = give_identity(home, topic_id)
    group_owner(home, cluster, lake).take_over()
    return home


def follow(
    home: Home,
    stop: Event,
    segment_records: int | None = None,
    progress: Progress | None = None,
    metrics: Metrics | None = None,
) -> RunReport:
    """Process records as they come until `stop` is set or a worker fails. On a Kafka cluster this process is one of a
    group that shares the partitions; on the embedded log it has them all."""
    warm_up()
    cluster = home.kafka()
    if cluster is None:
        return _follow_embedded(home, stop, segment_records, progress, metrics)
    return _follow_in_group(home, cluster, stop, segment_records, progress, metrics)


def _follow_in_group(
    home: Home,
    cluster: KafkaSettings,
    stop: Event,
    segment_records: int | None,
    progress: Progress | None,
    metrics: Metrics | None,
) -> RunReport:
    from ingest.kafka.group import GRACE_S, GroupWorker
    from ingest.kafka.log import KafkaLog

    began = perf_counter()
    lake, keys = home.lake(), home.keys()
    # For what a worker asks when it begins; the records are read by the group.
    log = KafkaLog(cluster, expected=home.expected_topics())
    published = findings_topic(cluster, stop)
    assert published is not None
    owner = group_owner(home, cluster, lake)
    group = GroupWorker(
        cluster,
        TOPIC,
        lake,
        lambda partition, hears: Worker(
            log,
            lake,
            TOPIC,
            partition,
            keys,
            Replay,
            segment_records=segment_records,
            listener=hears,
            observer=metrics,
        ),
        owner,
        published.listener,
        progress=progress,
        judge=advance_together,
    )
    with leaving_after(stop, cluster.revoke_deadline_s + GRACE_S):
        try:
            try:
                log.partitions(TOPIC)
                owner.confirm()
            except WrongLog:
                raise  # told at once
            except LogError as error:  # the cluster is in trouble at the moment, and the group has patience
                logger.warning("the cluster does not answer", extra={"error": str(error)})
            if metrics is not None:
                metrics.watch(group.status)
            group.run(stop)
        finally:
            published.close()
            log.close()
    return _report([group.done()], perf_counter() - began)


def findings_topic(cluster: KafkaSettings | None, stop: Event | None = None) -> FindingsTopic | None:
    """Where findings are published: on a cluster, a topic of it."""
    if cluster is None:
        return None
    from ingest.findings_topic import FindingsTopic

    return FindingsTopic(cluster, FINDINGS_TOPIC, stop)


def _follow_embedded(
    home: Home,
    stop: Event,
    segment_records: int | None,
    progress: Progress | None,
    metrics: Metrics | None,
) -> RunReport:
    began = perf_counter()
    counted: dict[int, tuple[int, int, int]] = {}

    def reporting(partition: int) -> ProgressCallback:
        def report(records: int, total: int, rounds: int) -> None:
            counted[partition] = (records, total, rounds)
            if progress is not None:
                sums = [sum(column) for column in zip(*counted.values(), strict=True)]
                progress(sums[0], sums[1], sums[2])

        return report

    with ExitStack() as around:
        log, lake, keys = home.log(), home.lake(), home.keys()
        around.callback(log.close)
        workers = [
            around.enter_context(
                Worker(
                    log,
                    lake,
                    TOPIC,
                    partition,
                    keys,
                    Replay,
                    segment_records=segment_records,
                    progress=reporting(partition),
                    observer=metrics,
                )
            )
            for partition in range(home.partitions)
        ]

        def statuses() -> list[PartitionStatus]:
            log = home.log()  # a log object belongs to one thread
            try:
                ends = [log.high_water_mark(TOPIC, partition) for partition in range(home.partitions)]
            finally:
                log.close()
            return [worker.status(end, time()) for worker, end in zip(workers, ends, strict=True)]

        if metrics is not None:
            metrics.watch(statuses)
        done = following.follow(workers, stop, advance_together)
    return _report(done, perf_counter() - began)


def _report(done: list[Processed], seconds: float, elsewhere: int = 0) -> RunReport:
    return RunReport(
        sum(p.records for p in done),
        sum(p.segments for p in done),
        sum(p.rounds for p in done),
        sum(p.findings for p in done),
        sum(p.held for p in done),
        seconds,
        elsewhere,
    )
