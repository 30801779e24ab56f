"""The sizes in docs/sizing.md are those the kept figures give, and bigger needs more."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.sizing import KEPT, PAGE, page, segment_seconds, size_of

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
    # 200 partitions of 500 tables: 250 events a second, 10,000 records for 500 tables in 40 s; each table's state takes
    # a millisecond, 2.5 cores in all. With 5 cores for the events that is 7.5, at half load 15, and one to spare.
    assert (size.workers, size.partitions, size.segment_seconds) == (16, 200, 40.0)
    assert size.state_mb_a_second == pytest.approx(100_000 * 0.04 / 40)
    assert size.brokers == 3  # 50,000 × 400 bytes × 3 copies = 60 MB/s
    assert size.log_tb_a_year == pytest.approx(50_000 * 400 * 3 * 20 * 3600 * 365 / 1e12)
    assert size.lake_tb_a_year == pytest.approx(size.log_tb_a_year / 12)


def test_a_casino_has_the_least_of_everything() -> None:
    size = size_of("a casino", 10, FIGURES)
    assert (size.workers, size.partitions, size.brokers, size.segment_seconds) == (2, 8, 3, 60.0)


@pytest.mark.parametrize(
    ("rate", "tables", "seconds"),
    [
        (1.0, 2, 60.0),  # a quiet partition: every minute
        (100.0, 10, 10.0),  # a thousand records
        (1_000.0, 10, 5.0),  # a span
        (1_000.0, 500, 10.0),  # twenty records for each of 500 tables
        (40_000.0, 5_000, 1.25),  # 50,000 records
    ],
)
def test_how_long_a_segment_lasts(rate: float, tables: float, seconds: float) -> None:
    assert segment_seconds(rate, tables) == seconds
