"""A month of a card room's collection fees: `python -m benchmarks.fees`.

    python -m benchmarks.fees --tables 20 --rounds 417

One day is simulated and run through gate and replay, with faults in its fees; the month is that day thirty times, with
dates, round ids and sequence numbers of its own. Then `muckraker fees` is timed as people type it, each time in a
process of its own: the first time, when every segment has to be flattened, and again. Beside it the same sums by SQL
over the view `fees`, and `import duckdb, pyarrow` alone. CPU is user and system time of the process.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from console.home import TOPIC, Home, make_home
from ingest.simulator import default_plan, kinds_of
from schemas.segments import segment_name, span_of

FIRST, DAYS = date(2026, 11, 1), 30
GAMES = ("ca/supreme_baccarat", "ca/fortune_pai_gow")
SEQS_A_DAY = 10_000_000
BY = "table,dealer,shift,schedule"
SQL = (
    "SELECT table_id, dealer, sum(due_cents) AS due, sum(taken_cents) AS taken FROM fees "
    "WHERE gaming_day BETWEEN '2026-11-01' AND '2026-11-30' GROUP BY ALL"
)


def one_day(home: Home, tables: int, rounds: int) -> None:
    from console.feed_commands import append_simulated
    from console.pipeline import drain
    from console.show import progress_bar

    faults = {kind: 3 for kind in kinds_of(GAMES) if kind.startswith("fee")}
    with progress_bar("simulating", no_color=True, quiet=True) as bar:
        append_simulated(home, default_plan(1, tables, rounds, faults, gaming_day=FIRST, games=GAMES), bar)
    drain(home)


def thirty_times(lake: Path) -> None:
    """Every segment again for each later day, behind those there are."""
    for partition in sorted(path for path in (lake / TOPIC).iterdir() if path.name.isdigit()):
        segments = sorted(path for path in partition.iterdir() if span_of(path.name))
        spans = [span_of(path.name) for path in segments]
        records = max(span.last for span in spans if span is not None) + 1
        for number in range(1, DAYS):
            for path, span in zip(segments, spans, strict=True):
                assert span is not None
                by = number * records
                folder = partition / segment_name(span.first + by, span.last + by)
                folder.mkdir()
                for name in ("rounds", "events", "findings"):
                    told = pq.read_table(path / f"{name}.parquet")
                    pq.write_table(_of_day(told, number, by), folder / f"{name}.parquet", compression="zstd")


def _of_day(told: pa.Table, number: int, records: int) -> pa.Table:
    day = FIRST + timedelta(days=number)
    for at, column in enumerate(told.schema):
        made = told[column.name]
        if column.name == "gaming_day":
            made = pc.replace_substring(made, FIRST.isoformat(), day.isoformat())
        elif column.name == "round_id":
            made = pc.replace_substring(made, f"{FIRST:%Y%m%d}", f"{day:%Y%m%d}")
        elif column.name in ("offset", "first_offset", "last_offset"):
            made = pc.add(made, records)
        elif column.name == "seq" or column.name.endswith("_seq"):
            made = _later(made, number)
        elif column.name == "facts":
            made = _facts_later(made.combine_chunks(), number)
        told = told.set_column(at, column, made.cast(column.type))
    return told


def _later(seqs: pa.Array, number: int) -> pa.Array:
    return pc.if_else(pc.less(seqs, 0), seqs, pc.add(seqs, SEQS_A_DAY * number))


def _facts_later(facts: pa.ListArray, number: int) -> pa.ListArray:
    if isinstance(facts, pa.ChunkedArray):
        facts = pa.concat_arrays(facts.chunks)
    rows = facts.flatten()
    columns = [
        _later(rows.field(at), number) if field.name == "seq" else rows.field(at)
        for at, field in enumerate(facts.type.value_type)
    ]
    values = pa.StructArray.from_arrays(columns, fields=list(facts.type.value_type))
    return pa.ListArray.from_arrays(facts.offsets, values)


def timed(arguments: list[str]) -> tuple[float, float]:
    """Seconds by the clock, and of CPU, of another process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=417, help="of each table and day")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = make_home(Path(folder) / "home")
        one_day(home, chosen.tables, chosen.rounds)
        thirty_times(home.lake_path)
        muckraker = [sys.executable, "-m", "console.main"]
        fees = [*muckraker, "fees", "--month", f"{FIRST:%Y-%m}", "--home", str(home.path)]
        ways: dict[str, Callable[[], tuple[float, float]]] = {
            "fees --month, the first time": lambda: timed([*fees, "--by", BY]),
            "fees --month, again": lambda: timed([*fees, "--by", BY]),
            "fees --month --by table": lambda: timed(fees),
            "fees --month --boxes": lambda: timed([*fees, "--boxes"]),
            "the same sums by SQL over the view": lambda: timed([*muckraker, "query", SQL, "--home", str(home.path)]),
            "import duckdb, pyarrow": lambda: timed([sys.executable, "-c", "import duckdb, pyarrow.dataset"]),
        }
        rounds = sum(pq.read_metadata(path).num_rows for path in home.lake_path.rglob("rounds.parquet"))
        segments = len(list(home.lake_path.rglob("rounds.parquet")))
        print(f"{rounds:,} rounds at {chosen.tables} tables in {segments} segments\n")
        print(f"{'':<36}{'seconds':>9}{'CPU s':>9}")
        for name, work in ways.items():
            taken = np.array([work() for _ in range(1 if "first" in name else 3)])
            seconds, cpu = taken[np.argsort(taken[:, 0])[len(taken) // 2]]
            print(f"{name:<36}{seconds:>9.2f}{cpu:>9.2f}", flush=True)


if __name__ == "__main__":
    main()
