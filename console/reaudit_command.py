"""`muckraker reaudit`: run the replay again over the lake's rounds, and say whether it comes to the same.

The lake is never changed. What the gate found, and a filing the assembly refused, is not the audit's and is left out.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from analytics.warehouse import WarehouseError, check_columns, committed_segments, rounds_schema
from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.exits import BadInput, Exit
from replay.engine import reaudit as audit_again
from schemas.findings import FINDINGS_SCHEMA, findings_table

NOT_THE_REPLAYS = ("GATE-", "FILING-001")
_JUDGED = ("verdict", "reason", "lines")


@dataclass
class Compared:
    """One segment, or several: how many rounds were audited, and what came out differently."""

    rounds: int = 0
    findings: int = 0
    differences: list[dict[str, Any]] = field(default_factory=list)

    def add(self, other: Compared) -> None:
        self.rounds += other.rounds
        self.findings += other.findings
        self.differences += other.differences


@click.command(
    cls=Command,
    examples=[
        "muckraker reaudit",
        "muckraker reaudit --table PG-01 --day 2026-11-17",
        "muckraker reaudit --jobs 4 --json",
    ],
    exits={Exit.FOUND: "verdicts or findings differ from what the lake holds"},
)
@click.option("--table", "table_id", help="Only this table.")
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="Only this gaming day.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Processes. Each takes over a second to begin: more than one pays from about 50,000 rounds on, and only where "
    "as many processor cores are free.",
)
@json_option
@home_option
@color_option
@pass_settings
def reaudit(settings: Settings, table_id: str | None, day: datetime | None, jobs: int) -> None:
    """Audit the recorded rounds again with this Muckraker's rules, and compare with what the lake holds.

    Every version of every round is audited. The lake itself is never changed.
    """
    segments = committed_segments(settings.home().lake_path)
    total, seconds = Compared(), 0.0
    began = perf_counter()
    with settings.bar("auditing again") as bar:
        for done, compared in enumerate(_compare(segments, table_id, f"{day:%Y-%m-%d}" if day else None, jobs), 1):
            total.add(compared)
            bar.show(done, len(segments), f"auditing again, {show.counted(total.rounds, 'round')} so far")
    seconds = perf_counter() - began
    if not total.rounds and (table_id is not None or day is not None):
        raise BadInput("no recorded round is of that table and day; `muckraker rounds` lists those there are")
    same = not total.differences
    if settings.as_json:
        settings.document(
            {
                "rounds": total.rounds,
                "findings": total.findings,
                "seconds": round(seconds, 3),
                "rounds_per_second": round(total.rounds / max(seconds, 1e-9)),
                "identical": same,
                "differences": total.differences,
            }
        )
    else:
        click.echo(
            f"{show.counted(total.rounds, 'round')} audited again in {seconds:.1f} s "
            f"({total.rounds / max(seconds, 1e-9):,.0f} rounds/s, {show.counted(jobs, 'process', 'processes')})."
        )
        if same:
            findings = show.counted(total.findings, "finding")
            click.echo(f"Identical to the lake: every verdict, every settlement line and all {findings}.")
        else:
            _print_differences(settings, total.differences)
    if not same:
        click.get_current_context().exit(Exit.FOUND)


def _print_differences(settings: Settings, differences: list[dict[str, Any]]) -> None:
    made = show.table("round", "what", "in the lake", "now")
    for difference in differences[:100]:
        made.add_row(difference["round"], difference["what"], difference["lake"], difference["now"])
    settings.out.print(made)
    more = " (the first 100 are shown; --json lists all)" if len(differences) > 100 else ""
    click.echo(f"{show.counted(len(differences), 'difference')} from what the lake holds{more}.")


def _compare(segments: list[Path], table_id: str | None, day: str | None, jobs: int) -> Iterator[Compared]:
    one = partial(compare_segment, table_id=table_id, day=day)
    if jobs == 1 or len(segments) < 2:
        yield from map(one, segments)
        return
    # Not forked: pyarrow has threads running by now.
    with ProcessPoolExecutor(
        min(jobs, len(segments), os.cpu_count() or 1), multiprocessing.get_context("spawn")
    ) as pool:
        yield from pool.map(one, segments)


def compare_segment(segment: Path, table_id: str | None = None, day: str | None = None) -> Compared:
    """Audit a segment's rounds again and hold them against what its files say."""
    rounds = _read(segment / "rounds.parquet", rounds_schema())
    findings = _read(segment / "findings.parquet", FINDINGS_SCHEMA)
    for prefix in NOT_THE_REPLAYS:
        findings = findings.filter(pc.invert(pc.starts_with(findings["code"], prefix)))
    if table_id is not None:
        rounds = rounds.filter(pc.equal(rounds["table_id"], table_id))
        findings = findings.filter(pc.equal(findings["table_id"], table_id))
    if day is not None:
        rounds = rounds.filter(pc.equal(rounds["gaming_day"], day))
        chosen = set(_places(rounds))
        findings = findings.filter(
            pa.array([place in chosen for place in _places(findings, "round_version")], pa.bool_())
        )
    if not rounds.num_rows:
        return Compared()
    audited, found = audit_again(rounds.combine_chunks())
    found_table = findings_table(found)
    compared = Compared(rounds.num_rows, findings.num_rows)
    if not rounds.select(_JUDGED).equals(audited.select(_JUDGED)):
        compared.differences += _round_differences(rounds, audited)
    if not findings.equals(found_table):
        compared.differences += _finding_differences(findings, found_table)
    return compared


def _read(path: Path, schema: pa.Schema) -> pa.Table:
    check_columns(path, schema)
    try:
        return pq.read_table(path, columns=schema.names, partitioning=None).cast(schema)
    except (OSError, pa.ArrowException, ValueError) as error:
        raise WarehouseError(f"{path} cannot be read: {error}; run `muckraker doctor` and restore the file") from error


def _places(table: pa.Table, version: str = "version") -> list[tuple[str, str, int]]:
    return list(zip(*(table[name].to_pylist() for name in ("table_id", "round_id", version)), strict=True))


def _round_differences(lake: pa.Table, now: pa.Table) -> list[dict[str, Any]]:
    differences = []
    columns = ("table_id", "round_id", "version", *_JUDGED)
    for was, is_now in zip(lake.select(columns).to_pylist(), now.select(columns).to_pylist(), strict=True):
        where = f"{was['table_id']}/{was['round_id']} v{was['version']}"
        if (was["verdict"], was["reason"]) != (is_now["verdict"], is_now["reason"]):
            verdicts = [f"{row['verdict']} {row['reason']}".strip() for row in (was, is_now)]
            differences.append({"round": where, "what": "verdict", "lake": verdicts[0], "now": verdicts[1]})
        if was["lines"] != is_now["lines"]:
            for old, new in _changed_lines(was["lines"], is_now["lines"]):
                differences.append({"round": where, "what": "settlement", "lake": old, "now": new})
    return differences


def _changed_lines(lake: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[tuple[str, str]]:
    old = [show.json_line(line) for line in lake]
    new = [show.json_line(line) for line in now]
    gone = [(line, "not there") for line in old if line not in new]
    come = [("not there", line) for line in new if line not in old]
    return gone + come or [("the lines in another order", "")]


def _finding_differences(lake: pa.Table, now: pa.Table) -> list[dict[str, Any]]:
    was = {show.json_line(row): row for row in lake.to_pylist()}
    is_now = {show.json_line(row): row for row in now.to_pylist()}
    differences = [
        {
            "round": f"{row['table_id']}/{row['round_id']} v{row['round_version']}",
            "what": "finding",
            "lake": old,
            "now": new,
        }
        for row, old, new in [
            *((row, row["sentence"], "not found") for key, row in was.items() if key not in is_now),
            *((row, "not found", row["sentence"]) for key, row in is_now.items() if key not in was),
        ]
    ]
    return differences or [{"round": "all", "what": "findings", "lake": "in another order or number", "now": ""}]
