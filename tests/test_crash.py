"""The crash test in short: `python -m benchmarks.crash` breaks things 200 times, this a handful of times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash.broken_cluster import CrashTest

FAULTS = 6


@pytest.mark.slow
def test_nothing_is_lost_and_nothing_twice_while_workers_brokers_and_network_break(tmp_path: Path) -> None:
    said: list[str] = []
    with CrashTest(tmp_path, seed=3, say=said.append, rate=200, segment_records=300, hangs_s=[1.0]) as test:
        report = test.run(FAULTS)
    assert report.faults.total() >= FAULTS
    assert report.faults["workers killed"] and report.faults["brokers killed"]
    assert report.events > 1_000 and report.tables == 12
    assert report.segments >= 6 and report.compared > report.events
    assert report.rounds > 30
    assert report.in_topic >= report.findings
