"""What `/metrics` says, scraped over HTTP and parsed as Prometheus would."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from prometheus_client.parser import text_string_to_metric_families

from ingest.lake import Segment
from ingest.metrics import Metrics, MetricsError, is_loopback, parse_address
from ingest.worker import PartitionStatus
from schemas.admitted import Concluded
from schemas.findings import Finding

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]
NOW_S = 1_800_000_000.0
NOW_US = 1_800_000_000_000_000


def scraped(address: str) -> Samples:
    """Every sample at the address, by name and labels."""
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=5) as answer:
        text = answer.read().decode()
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def of(samples: Samples, name: str, **labels: str) -> float:
    return samples[f"muckraker_{name}", frozenset(labels.items())]


@pytest.fixture
def metrics() -> Metrics:
    return Metrics("1.2.3", clock=lambda: NOW_S)


@pytest.fixture
def address(metrics: Metrics) -> Iterator[str]:
    serving = metrics.serve("127.0.0.1:0")
    yield f"{serving.host}:{serving.port}"
    serving.close()


def found(code: str) -> Finding:
    return Finding(code, "PG-01", "r-1", "A sentence.", "a citation", 1, 1)


def test_a_worker_that_has_done_nothing_is_there_to_be_seen(metrics: Metrics, address: str) -> None:
    samples = scraped(address)
    assert of(samples, "build_info", version="1.2.3") == 1
    assert of(samples, "partitions") == 0
    assert of(samples, "verdict_latency_seconds_count") == 0
    assert samples["process_resident_memory_bytes", frozenset()] > 0


def test_where_partitions_stand_is_asked_at_each_scrape(metrics: Metrics, address: str) -> None:
    stands = [
        PartitionStatus(3, 120, 100, 150, 2, 9, 1, 4, 0.5),
        PartitionStatus(5, 7, 7, None, 0, 0, 0, 0, 0.0, "full"),
    ]
    metrics.watch(lambda: stands)
    samples = scraped(address)
    assert of(samples, "partitions") == 2
    assert of(samples, "lag_records", partition="3") == 50  # 150 - 100: read is not recorded
    assert of(samples, "position_offset", partition="3") == 120
    assert of(samples, "held_events", partition="3") == 4
    assert of(samples, "waiting_seconds", partition="3") == 0.5
    assert ("muckraker_lag_records", frozenset({("partition", "5")})) not in samples  # nobody knows it yet
    assert [of(samples, "held_back", partition=partition) for partition in ("3", "5")] == [0, 1]
    stands.pop(0)
    assert of(scraped(address), "partitions") == 1


def test_verdicts_findings_and_their_latency_are_counted(metrics: Metrics, address: str) -> None:
    rounds = pa.table({"verdict": ["verified", "verified", "differs"], "flags": [32, 33, 1]})  # 32: attested
    metrics.judged(
        Concluded(rounds, [found("GATE-003"), found("SETTLE-101"), found("SETTLE-101")]),
        [int((NOW_S - 0.2) * 1e6), int((NOW_S - 0.9) * 1e6), int((NOW_S + 3) * 1e6)],
    )
    metrics.judged(Concluded(None, [found("GATE-003")]), [])
    samples = scraped(address)
    assert of(samples, "rounds_total", verdict="verified") == 2
    assert of(samples, "rounds_total", verdict="differs") == 1
    assert of(samples, "unattested_rounds_total") == 1
    severities = {labels: value for (name, labels), value in samples.items() if name == "muckraker_findings_total"}
    assert {dict(labels)["code"]: value for labels, value in severities.items()} == {"GATE-003": 2, "SETTLE-101": 2}
    assert all(dict(labels)["severity"] in ("info", "low", "medium", "high") for labels in severities)
    assert of(samples, "verdict_latency_seconds_count") == 3
    assert of(samples, "verdict_latency_seconds_bucket", le="0.25") == 2  # a clock that is behind counts as no time
    assert of(samples, "verdict_latency_seconds_bucket", le="1.0") == 3
    assert of(samples, "verdict_latency_seconds_sum") == pytest.approx(1.1)


def test_segments_and_quarantine_are_counted_by_partition(metrics: Metrics, address: str) -> None:
    for partition, counts in ((0, {"records": 7, "recorded": 5, "quarantined": 2}), (0, {"records": 1, "recorded": 1})):
        manifest = {"counts": counts, "files": {"events.parquet": {"bytes": 900}, "state.json": {"bytes": 100}}}
        metrics.committed(partition, Segment(Path("0-6"), 0, 6), manifest, 0.03, [NOW_US - 500_000, NOW_US - 3_000_000])
    samples = scraped(address)
    assert of(samples, "records_total", partition="0", status="recorded") == 6
    assert of(samples, "records_total", partition="0", status="quarantined") == 2
    assert of(samples, "segments_total", partition="0") == 2
    assert of(samples, "lake_bytes_total", partition="0") == 2_000
    assert of(samples, "segment_records_sum") == 8
    assert of(samples, "segment_bytes_bucket", le="10000.0") == 2
    assert of(samples, "commit_seconds_bucket", le="0.05") == 2
    assert of(samples, "verdict_readable_seconds_count") == 4
    assert of(samples, "verdict_readable_seconds_bucket", le="1.0") == 2  # the others waited three seconds


@pytest.mark.parametrize(
    ("given", "host", "port"),
    [
        ("9464", "127.0.0.1", 9464),
        (":9464", "127.0.0.1", 9464),
        ("0.0.0.0:80", "0.0.0.0", 80),
        ("[::1]:9464", "::1", 9464),
        ("metrics.local:1", "metrics.local", 1),
    ],
)
def test_an_address_without_a_host_is_this_machine(given: str, host: str, port: int) -> None:
    assert parse_address(given) == (host, port)


@pytest.mark.parametrize("given", ["", "x", "127.0.0.1:", "127.0.0.1:70000", "http://127.0.0.1:1", "a b:1"])
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(MetricsError, match="is no address for metrics"):
        parse_address(given)


def test_a_port_that_is_taken_is_named(metrics: Metrics, address: str) -> None:
    with pytest.raises(MetricsError, match=f"cannot be served at {address}.*another address"):
        metrics.serve(address)


def test_loopback_is_told_from_the_network() -> None:
    assert is_loopback("127.0.0.1") and is_loopback("::1") and is_loopback("localhost")
    assert not is_loopback("0.0.0.0") and not is_loopback("10.0.0.1") and not is_loopback("metrics.local")
