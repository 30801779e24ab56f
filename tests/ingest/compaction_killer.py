"""Kills a compaction before everything it does to the disk: `python -m tests.ingest.compaction_killer DAY WORK`.

Prints how often it killed, and after how many kills the old segments counted and after how many the new one. Ends with
an error when ever the records are not there once, or the lake does not verify, or the next compaction cannot go on.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from console.home import TOPIC
from ingest.compaction import Compaction
from ingest.lake import Lake
from ingest.seal.verify import verify_lake
from tests.ingest.killing import killed_at, ready_to_kill

WATCHED = frozenset({"open", "os.mkdir", "os.rename", "os.rmdir"})  # not each of the files that are removed
PARTITION = 0


def compact(lake: Path) -> None:
    with Compaction(Lake(lake), TOPIC, PARTITION) as compaction:
        for run in compaction.runs(target_records=300, behind_hours=0)[:1]:
            compaction.merge(run)
        compaction.remove_replaced(grace_hours=0)


def records(lake: Path) -> pa.Table:
    segments = Lake(lake).segments(TOPIC, PARTITION)
    return pa.concat_tables(
        [pq.read_table(segment.path / "events.parquet", partitioning=None, use_threads=False) for segment in segments]
    )


def main(day: Path, work: Path) -> None:
    ready_to_kill()
    shutil.copytree(day / "seal", work / "seal")
    lake = work / "lake"
    expected = records(day / "lake")
    names = {segment.path.name for segment in Lake(day / "lake").segments(TOPIC, PARTITION)}
    kills = old = new = 0
    for step in range(1, 1_000):
        shutil.rmtree(lake, ignore_errors=True)
        shutil.copytree(day / "lake" / TOPIC, lake / TOPIC)
        if not killed_at(step, lake, lambda: compact(lake), WATCHED):
            break
        kills += 1
        there = Lake(lake)
        assert records(lake).equals(expected), f"step {step}: other records"
        damages = verify_lake(there, there.keys()).damages
        assert not damages, f"step {step}: {damages[0]}"
        if {segment.path.name for segment in there.segments(TOPIC, PARTITION)} == names:
            old += 1
        else:
            new += 1
        compact(lake)
        assert records(lake).equals(expected) and not verify_lake(there, there.keys()).damages, f"after step {step}"
        assert os.listdir(lake / TOPIC / str(PARTITION) / ".compacting") == ["lock"], f"after step {step}"
    print(kills, old, new)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
