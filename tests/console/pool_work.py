"""What the processes of a pool are given to do in the tests: some of it kills them."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from replay.lake_rounds import reaudit
from schemas.findings import findings_table


def audited_bytes(segment: Path) -> tuple[str, bytes]:
    """What the audit of a segment comes to, to the byte."""
    rounds, findings = reaudit(pq.read_table(segment / "rounds.parquet", partitioning=None))
    sinks = [pa.BufferOutputStream(), pa.BufferOutputStream()]
    for table, sink in zip((rounds, findings_table(findings)), sinks, strict=True):
        pq.write_table(table, sink)
    return segment.name, b"".join(bytes(sink.getvalue()) for sink in sinks)


def dies_once(segment: Path, mark: Path, victim: str) -> str:
    """Kills the process that has it, the first time it is asked for the victim."""
    if segment.name == victim:
        try:
            mark.touch(exist_ok=False)
        except FileExistsError:
            return segment.name
        os.kill(os.getpid(), signal.SIGKILL)
    return segment.name


def dies(segment: Path) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return segment.name


def notes_order(segment: Path, folder: Path) -> int:
    """How many segments were begun when this one was."""
    (folder / segment.name).touch()
    return len(list(folder.iterdir()))
