"""The sizes in docs/sizing.md are those the kept figures give, and bigger needs more."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.sizing_page import KEPT, PAGE, page, size_of, state_seconds

# Round numbers: a core takes 10,000 events a second, a table says one every two seconds (72 rounds of 25 an hour).
FIGURES: dict[str, Any] = {
    "events_a_round": 25.0,
    "rounds_a_table_hour": 72.0,
    "value_bytes_an_event": 400.0,
    "log_bytes_an_event": 400.0,
    "lake_bytes_an_event": 100.0,
    "one_each_second": 10_000.0,
    "state_bytes_a_table": 40_000.0,
    "state_cpu_us_a_table": 1_000.0,
}


def test_the_page_has_the_figures_that_are_kept() -> None:
    text = PAGE.read_text(encoding="utf-8")
    figures = json.loads(KEPT.read_text(encoding="utf-8"))
    assert page(text, figures) == text, "type python -m benchmarks.sizing --write"


def test_a_jurisdiction_by_hand() -> None:
    size = size_of("a jurisdiction", 100_000, FIGURES)
    assert size.events_a_second == 50_000  # 100,000 tables, one event in two seconds each
    # 200 partitions of 500 tables: 250 events a second, so their states are written once a minute; each takes a
    # millisecond, 1.67 cores in all. With 5 cores for the events that is 6.67, at half load 14, and one to spare.
    assert (size.workers, size.partitions, size.state_seconds) == (15, 200, 60.0)
    assert size.state_mb_a_second == pytest.approx(100_000 * 0.04 / 60)
    assert size.brokers == 3  # 50,000 × 400 bytes × 3 copies = 60 MB/s
    assert size.log_tb_a_year == pytest.approx(50_000 * 400 * 3 * 20 * 3600 * 365 / 1e12)
    assert size.lake_tb_a_year == pytest.approx(size.log_tb_a_year / 12)


def test_a_casino_has_the_least_of_everything() -> None:
    size = size_of("a casino", 10, FIGURES)
    assert (size.workers, size.partitions, size.brokers, size.state_seconds) == (2, 8, 3, 60.0)


@pytest.mark.parametrize(("rate", "seconds"), [(1.0, 60.0), (800.0, 60.0), (1_000.0, 50.0), (40_000.0, 1.25)])
def test_how_often_states_are_written(rate: float, seconds: float) -> None:
    assert state_seconds(rate) == seconds
