"""What `muckraker doctor` looks at where the log is a Kafka cluster: brokers, clock, topics, records that are gone."""

from __future__ import annotations

from collections.abc import Iterator

from console import show
from console.asking import ANSWER_S, REACH_S
from console.checks import Check, guarded
from console.home import FINDINGS_TOPIC, TOPIC, Home
from console.pipeline import group_owner
from ingest.kafka.health import ClusterHealth, has_fast_checksums
from ingest.kafka.log import KafkaLog
from ingest.kafka.reach import check_reachable
from ingest.kafka.settings import KafkaSettings

MOST_CLOCK_S = 1.0  # NTP keeps clocks within a fraction of that


def cluster_checks(home: Home) -> Iterator[Check]:
    """A home on a Kafka cluster: the cluster, its clock and its topics."""
    yield Check(
        "checksums",
        has_fast_checksums(),
        "the package crc32c is there" if has_fast_checksums() else "the package crc32c is missing: Kafka will be slow",
        "run `make install`",
    )
    reached = guarded(_brokers, home, "start the brokers, or correct kafka.toml (docs/kafka.md)")
    yield reached
    if reached.ok:
        yield guarded(_clock, home, "give this user DESCRIBE on the cluster, or compare the clocks by hand")
        yield guarded(_owner, home, "see that the group can be asked")
        yield guarded(_events_topic, home, "see docs/kafka.md")
        yield guarded(_findings_topic, home, "see docs/kafka.md")
        yield guarded(_unread, home, "see to the topic and the lake first")
    elif home.id is None:
        yield _owner_check(group_owner(home, _settings_of(home), home.lake()).problem_here())


def _owner(home: Home) -> Check:
    cluster = _settings_of(home)
    with ClusterHealth(cluster, TOPIC) as health:
        return _owner_check(group_owner(home, cluster, home.lake()).problem(health))


def _owner_check(problem: str | None) -> Check:
    return Check("owner", problem is None, problem or "the group is this home's")  # the problem says what to type


def _brokers(home: Home) -> Check:
    cluster = _settings_of(home)
    check_reachable(cluster, REACH_S)
    with ClusterHealth(cluster, TOPIC) as health:
        brokers = health.brokers()
        members = health.members()
    working = f"{show.counted(len(members), 'worker')} in the group {cluster.group_id}"
    return Check("brokers", True, f"{show.counted(len(brokers), 'broker')}: {show.joined(brokers)}; {working}")


def _clock(home: Home) -> Check:
    cluster = _settings_of(home)
    with ClusterHealth(cluster, TOPIC) as health:
        ahead_s = health.clock_ahead_s()
    way = "ahead of" if ahead_s > 0 else "behind"
    return Check(
        "clock",
        abs(ahead_s) <= MOST_CLOCK_S,
        f"the cluster's clock is {abs(ahead_s):.1f} s {way} ours",
        "have NTP set the clocks of both; records are stamped by the cluster, and devices are held against that",
    )


def _events_topic(home: Home) -> Check:
    log = _log_of(home)
    try:
        problems = log.topic_problems(TOPIC)
        count = log.existing_partitions(TOPIC)
    finally:
        log.close()
    return Check(
        "events topic",
        not problems and count == home.partitions,
        "; ".join(problems) or f"{show.counted(count or 0, 'partition')}, kept for good, no copy behind",
        "change what it names; docs/kafka.md says how and why",
    )


def _findings_topic(home: Home) -> Check:
    log = _log_of(home)
    try:
        count = log.existing_partitions(FINDINGS_TOPIC)
    finally:
        log.close()
    name = log.settings.topic_name(FINDINGS_TOPIC)
    return Check(
        "findings topic",
        count is not None,
        f"{name} is not there" if count is None else f"{name}, {show.counted(count, 'partition')}",
        "create it: workers publish findings to it and do not go on without",
    )


def _unread(home: Home) -> Check:
    """Whether the cluster has deleted records before they were in the lake."""
    log, lake = _log_of(home), home.lake()
    try:
        gone = [
            f"{start - position} of partition {partition}"
            for partition in range(log.partitions(TOPIC))
            if (start := log.start(TOPIC, partition)) > (position := lake.position(TOPIC, partition))
        ]
    finally:
        log.close()
    return Check(
        "unread records",
        not gone,
        f"deleted before they were recorded: {show.joined(gone)}" if gone else "none was deleted",
        "set retention.ms=-1 and retention.bytes=-1 on the topic, and bring the records back from a backup",
    )


def _settings_of(home: Home) -> KafkaSettings:
    cluster = home.kafka()
    assert cluster is not None, "asked only of a home on a cluster"
    return cluster.hurried(ANSWER_S)


def _log_of(home: Home) -> KafkaLog:
    return KafkaLog(_settings_of(home), expected=home.expected_topics())
