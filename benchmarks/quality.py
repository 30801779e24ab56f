"""What checking the data costs beside running it through gate and replay: `python -m benchmarks.quality`.

    python -m benchmarks.quality --rounds 2000 20000

For each size: a simulated day in segments, the time `muckraker run` takes for it, the time the quality suites take for
the same records, both as CPU time of their own process, and the most memory the check used. Loading Great Expectations
is shown by itself: it is paid once a check, however much there is to look at.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from time import process_time

import pyarrow as pa

from console.home import Home, make_home
from ingest.simulator import default_plan

TABLES = 8
MEBIBYTE = 1 << 20


def measured(work: Callable[[Path], dict[str, float]], home: Path) -> dict[str, float]:
    """One part in a process of its own, so that its memory is its own."""
    command = [sys.executable, "-m", "benchmarks.quality", "--part", work.__name__, "--home", str(home)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(result.stdout.splitlines()[-1])
    return figures


def replayed(path: Path) -> dict[str, float]:
    from console.home import open_home
    from console.pipeline import drain

    home = open_home(path)
    began = process_time()
    report = drain(home)
    return {"seconds": process_time() - began, "rounds": report.rounds, "records": report.records}


def checked(path: Path) -> dict[str, float]:
    from console.home import TOPIC, open_home
    from ingest.quality import check_quality
    from ingest.quality.expectations import CHECKS
    from ingest.quality.judge import Judge

    began = process_time()
    Judge().failed("sequence", [CHECKS["sequence_whole"]], pa.table({"missing": [0]}))
    loaded = process_time()
    report = check_quality(open_home(path).lake(), TOPIC)
    assert report.days and not report.failures, "a clean day must pass"
    return {
        "loading": loaded - began,
        "seconds": process_time() - loaded,
        "segments": report.segments,
        "days": len(report.days),
    }


def played(home: Home, rounds: int) -> None:
    """A day, or several, at eight tables, without faults."""
    from console.feed_commands import append_simulated
    from console.show import progress_bar

    with progress_bar("simulating", no_color=True, quiet=True) as bar:
        append_simulated(home, default_plan(1, TABLES, rounds // TABLES, gaming_day=date(2026, 11, 17)), bar)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, nargs="+", default=[2_000, 20_000], help="sizes of the day")
    parser.add_argument("--part", choices=[replayed.__name__, checked.__name__], help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        figures = {replayed.__name__: replayed, checked.__name__: checked}[arguments.part](arguments.home)
        figures["most_memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps(figures))
        return
    print(
        "rounds   events     run, CPU s  check, CPU s  check / run  loading, CPU s  segments  days  check, MiB at most"
    )
    for rounds in arguments.rounds:
        with tempfile.TemporaryDirectory() as folder:
            home = make_home(Path(folder) / "home")
            played(home, rounds)
            run = measured(replayed, home.path)
            check = measured(checked, home.path)
        print(
            f"{run['rounds']:<8,.0f} {run['records']:<10,.0f} {run['seconds']:<11.2f} {check['seconds']:<13.2f} "
            f"{check['seconds'] / run['seconds']:<12.2f} {check['loading']:<15.2f} {check['segments']:<9.0f} "
            f"{check['days']:<5.0f} {check['most_memory'] / MEBIBYTE:.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
