"""What so many tables need, worked out from figures that were measured, and the page that says so (docs/sizing.md)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from ingest.worker import STATE_EVERY_RECORDS, STATE_EVERY_S

DOCS = Path(__file__).resolve().parents[1] / "docs"
KEPT = DOCS / "ingest-figures.json"
PAGE = DOCS / "sizing.md"
BEGIN = "<!-- written by python -m benchmarks.sizing --write -->"
END = "<!-- until here -->"
SIZES = (("a casino", 10), ("a chain", 1_000), ("a jurisdiction", 100_000))
HOURS_A_DAY = 20  # a table is open and played, on average
BUSY = 0.5  # of a worker's time at the busiest hour: after an outage it catches up as fast as it fell behind
REPLICAS = 3
BROKER_MB_S = 50.0  # a broker may take, its copies of others' partitions included
TABLES_A_PARTITION = 500  # so that a partition's state is 20 MB, and moves to another worker in a second
LEAST_PARTITIONS = 6
PARTITIONS_A_WORKER = 4  # so that a worker more, or one less, shifts a share of the load and not half of it


@dataclass(frozen=True)
class Size:
    """What so many tables need."""

    name: str
    tables: int
    events_a_second: float
    partitions: int
    brokers: int
    workers: int
    state_seconds: float
    state_mb_a_second: float
    log_tb_a_year: float
    lake_tb_a_year: float


def size_of(name: str, tables: int, figures: dict[str, Any]) -> Size:
    """At the busiest hour every table plays at the measured pace; over a year, HOURS_A_DAY of it."""
    rounds_a_second = tables * figures["rounds_a_table_hour"] / 3600
    rate = rounds_a_second * figures["events_a_round"]
    partitions = max(LEAST_PARTITIONS, math.ceil(tables / TABLES_A_PARTITION))
    seconds = state_seconds(rate / partitions)
    state_cpu = tables * figures["state_cpu_us_a_table"] / 1e6 / seconds
    cores = rate / figures["one_each_second"] + state_cpu
    workers = max(2, math.ceil(cores / BUSY) + 1)  # one may always be down
    partitions = max(partitions, PARTITIONS_A_WORKER * workers)
    bytes_a_second = rate * figures["log_bytes_an_event"] * REPLICAS
    brokers = max(REPLICAS, math.ceil(bytes_a_second / 1e6 / BROKER_MB_S))
    events_a_year = rate * HOURS_A_DAY * 3600 * 365
    return Size(
        name,
        tables,
        rate,
        partitions,
        brokers,
        workers,
        state_seconds(rate / partitions),
        tables * figures["state_bytes_a_table"] / 1e6 / state_seconds(rate / partitions),
        events_a_year * figures["log_bytes_an_event"] * REPLICAS / 1e12,
        events_a_year * figures["lake_bytes_an_event"] / 1e12,
    )


def state_seconds(rate: float) -> float:
    """How often the state of a partition with so many events a second is written (ingest/worker.py)."""
    return min(STATE_EVERY_RECORDS / rate, STATE_EVERY_S)


def table_of(figures: dict[str, Any]) -> str:
    """The sizes as a table of the documents."""
    sizes = [size_of(name, tables, figures) for name, tables in SIZES]
    rows = [
        ("tables", *(f"{size.tables:,}" for size in sizes)),
        ("events a second, busiest hour", *(f"{size.events_a_second:,.0f}" for size in sizes)),
        ("partitions", *(f"{size.partitions:,}" for size in sizes)),
        ("brokers", *(f"{size.brokers:,}" for size in sizes)),
        ("workers (a core and 1 GB each)", *(f"{size.workers:,}" for size in sizes)),
        ("tables' states every", *(f"{size.state_seconds:,.0f} s" for size in sizes)),
        ("state written, until merged", *(f"{size.state_mb_a_second:,.2f} MB/s" for size in sizes)),
        (f"log a year, {REPLICAS} copies", *(f"{size.log_tb_a_year:,.2f} TB" for size in sizes)),
        ("lake a year, merged, 1 copy", *(f"{size.lake_tb_a_year:,.2f} TB" for size in sizes)),
    ]
    names = [size.name for size in sizes]
    lines = [f"| | {' | '.join(names)} |", f"| --- |{' ---: |' * len(names)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def measured(figures: dict[str, Any]) -> str:
    """The figures it rests on, in the words of the documents."""
    return (
        f"{figures['events_a_round']:.1f} events a round of {figures['value_bytes_an_event']:.0f} bytes, "
        f"{figures['rounds_a_table_hour']:.0f} rounds a table and hour; an event takes "
        f"{figures['log_bytes_an_event']:.0f} bytes of the log (a round {_a_round(figures, 'log'):,.0f}) and "
        f"{figures['lake_bytes_an_event']:.0f} of the lake (a round {_a_round(figures, 'lake'):,.0f}); a worker takes "
        f"{figures['one_each_second']:,.0f} events a second; a table's state is "
        f"{figures['state_bytes_a_table'] / 1000:.0f} kB and takes "
        f"{figures['state_cpu_us_a_table'] / 1000:.1f} ms to write"
    )


def _a_round(figures: dict[str, Any], where: str) -> float:
    return float(figures[f"{where}_bytes_an_event"] * figures["events_a_round"])


def page(text: str, figures: dict[str, Any]) -> str:
    """The document with these figures in it."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    filled = "\n".join(wrap(measured(figures)[:1].upper() + measured(figures)[1:] + ".", 120))
    return f"{before}{BEGIN}\n{filled}\n\n{table_of(figures)}\n{END}{after}"
