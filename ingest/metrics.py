"""What a worker process says about itself to Prometheus: lag, rates, quarantine, segment sizes, verdict latency.

Counters are of this process since it began; after a crash or a rebalance some work is done, and counted, again. What
the record holds for good is asked of the lake (`muckraker status`). Labels are partitions, verdicts, severities and
finding codes, of which there are few; never tables, seats or people, whose number nobody limits and whose names
a scrape must not carry. docs/monitoring.md lists every metric.
"""

from __future__ import annotations

import ipaddress
import re
import time
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Histogram, Info, ProcessCollector, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from ingest.gate.gate import DUPLICATE, QUARANTINED, RECORDED, SKIPPED
from ingest.lake import Segment
from ingest.worker import PartitionStatus
from schemas.admitted import ROUND_ATTESTED, Concluded
from schemas.findings import CATALOGUE

DEFAULT_HOST = "127.0.0.1"
LATENCY_BUCKETS_S = (0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 2.0, 5.0, 15.0, 60.0, 300.0)
RECORDS_BUCKETS = (10, 100, 1_000, 5_000, 10_000, 20_000, 50_000, 100_000)
BYTES_BUCKETS = (10_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000, 50_000_000)
COMMIT_BUCKETS_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0)
NAME = "muckraker"

_ADDRESS = re.compile(r"(?:(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9._-]+):)?([0-9]{1,5})\Z")

Statuses = Callable[[], Iterable[PartitionStatus]]


class MetricsError(Exception):
    """The metrics cannot be served; the message names the address and the way out."""


class Metrics:
    """An Observer of the workers of one process; `serve` makes what it has seen public at an address."""

    def __init__(self, version: str, clock: Callable[[], float] = time.time) -> None:
        self.registry = CollectorRegistry()
        self._clock = clock
        self._statuses: Statuses = tuple
        ProcessCollector(registry=self.registry)
        Info(f"{NAME}_build", "Which Muckraker this is.", registry=self.registry).info({"version": version})
        self.registry.register(_Partitions(self))
        self._records = self._counter(
            "records", "Log records that are in the lake, by what the gate made of them.", "partition", "status"
        )
        self._rounds = self._counter("rounds", "Rounds judged, by verdict.", "verdict")
        self._unattested = self._counter("unattested_rounds", "Rounds judged that no good signature vouches for.")
        self._findings = self._counter("findings", "Findings made, by code and severity.", "code", "severity")
        self._segments = self._counter("segments", "Segments written.", "partition")
        self._written = self._counter("lake_bytes", "Bytes written to the lake.", "partition")
        self._latency = self._histogram(
            "verdict_latency_seconds",
            "From the log's timestamp of the record that closed a round to its verdict.",
            LATENCY_BUCKETS_S,
        )
        self._readable = self._histogram(
            "verdict_readable_seconds",
            "From the log's timestamp of the record that closed a round until everybody can read its verdict.",
            LATENCY_BUCKETS_S,
        )
        self._segment_records = self._histogram("segment_records", "Records a segment.", RECORDS_BUCKETS)
        self._segment_bytes = self._histogram("segment_bytes", "Bytes a segment, all its files.", BYTES_BUCKETS)
        self._commit_seconds = self._histogram("commit_seconds", "Writing a segment durably.", COMMIT_BUCKETS_S)

    def watch(self, statuses: Statuses) -> None:
        """Whom to ask, at each scrape, how the partitions of this process stand."""
        self._statuses = statuses

    def statuses(self) -> list[PartitionStatus]:
        return list(self._statuses())

    # --- an Observer --------------------------------------------------------------------------------------------------

    def judged(self, concluded: Concluded, closed_us: Sequence[int]) -> None:
        now_us = self._clock() * 1_000_000
        for stamp_us in closed_us:
            self._latency.observe(max(0.0, now_us - stamp_us) / 1_000_000)
        if concluded.rounds is not None:
            for entry in concluded.rounds["verdict"].value_counts().to_pylist():
                self._rounds.labels(entry["values"]).inc(entry["counts"])
            flags = concluded.rounds["flags"].to_numpy()
            self._unattested.inc(int((flags & ROUND_ATTESTED == 0).sum()))
        for code, count in Tally(finding.code for finding in concluded.findings).items():
            self._findings.labels(code, str(CATALOGUE[code].severity)).inc(count)

    def committed(
        self, partition: int, segment: Segment, manifest: dict[str, Any], seconds: float, closed_us: Sequence[int]
    ) -> None:
        now_us = self._clock() * 1_000_000
        for stamp_us in closed_us:
            self._readable.observe(max(0.0, now_us - stamp_us) / 1_000_000)
        counts, size = manifest["counts"], sum(file["bytes"] for file in manifest["files"].values())
        for status in (RECORDED, DUPLICATE, QUARANTINED, SKIPPED):
            self._records.labels(str(partition), status).inc(counts.get(status, 0))
        self._segments.labels(str(partition)).inc()
        self._written.labels(str(partition)).inc(size)
        self._segment_records.observe(counts["records"])
        self._segment_bytes.observe(size)
        self._commit_seconds.observe(seconds)

    # --- serving ------------------------------------------------------------------------------------------------------

    def serve(self, address: str) -> Serving:
        """Answer scrapes at `address` (see `parse_address`) until the result is closed."""
        host, port = parse_address(address)
        try:
            server, thread = start_http_server(port, host, self.registry)
        except OSError as error:
            raise MetricsError(
                f"metrics cannot be served at {host}:{port}: {error.strerror or error}; give --metrics another address"
            ) from error
        return Serving(server, thread)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"{NAME}_{name}", text, labels, registry=self.registry)

    def _histogram(self, name: str, text: str, buckets: Sequence[float]) -> Histogram:
        return Histogram(f"{NAME}_{name}", text, buckets=buckets, registry=self.registry)


class Serving:
    """Metrics being served; `close` ends it."""

    def __init__(self, server: WSGIServer, thread: Any) -> None:
        self._server = server
        self._thread = thread
        self.host, self.port = str(server.server_address[0]), int(server.server_address[1])

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Partitions(Collector):
    """Where the partitions stand is asked when somebody scrapes, not kept."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def describe(self) -> Iterable[GaugeMetricFamily]:
        return ()  # so that registering it asks nobody

    def collect(self) -> Iterator[GaugeMetricFamily]:
        statuses = self._metrics.statuses()
        yield GaugeMetricFamily(f"{NAME}_partitions", "Partitions this process has.", value=len(statuses))
        for name, text, value in _GAUGES:
            family = GaugeMetricFamily(f"{NAME}_{name}", text, labels=["partition"])
            for status in statuses:
                number = value(status)
                if number is not None:
                    family.add_metric([str(status.partition)], number)
            yield family


def _lag(status: PartitionStatus) -> float | None:
    return None if status.end is None else max(0, status.end - status.committed)


_GAUGES: tuple[tuple[str, str, Callable[[PartitionStatus], float | None]], ...] = (
    ("lag_records", "Records of the log that are not in the lake yet.", _lag),
    ("log_end_offset", "Where the log ended when it was last heard of.", lambda status: status.end),
    ("position_offset", "The next record to be read.", lambda status: status.position),
    ("committed_offset", "The first record that is not in the lake.", lambda status: status.committed),
    ("held_events", "Events that wait for missing ones before them.", lambda status: status.held),
    ("waiting_seconds", "Age of the oldest record that is read and not judged.", lambda status: status.waiting_s),
    ("held_back", "1 while something is wrong with the partition's lake.", lambda status: int(bool(status.problem))),
)


def parse_address(address: str) -> tuple[str, int]:
    """HOST:PORT, :PORT or PORT; without a host only this machine is answered. Port 0 takes any that is free."""
    found = _ADDRESS.match(address.removeprefix(":"))
    if found is None or int(found[2]) > 65_535:
        raise MetricsError(f"{address!r} is no address for metrics: give PORT, or HOST:PORT, 127.0.0.1:9464 for one")
    return (found[1] or DEFAULT_HOST).strip("[]"), int(found[2])


def is_loopback(host: str) -> bool:
    """Whether only this machine can ask there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
