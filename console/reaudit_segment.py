"""One segment audited again: the pure function that every engine of `muckraker reaudit` runs.

It reads a segment's files by their path and returns what came out differently, so that it can run in this process, in
another, or on another machine that sees the same lake. It knows nothing of who runs it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from analytics.warehouse import WarehouseError, check_columns, rounds_schema
from console import show
from ingest.segment_bytes import CANNOT_JUDGE, NOT_JUDGED
from replay.lake_rounds import reaudit as audit_again
from schemas.findings import FINDINGS_SCHEMA, findings_table

NOT_THE_REPLAYS = ("GATE-", "FILING-001", "ROUND-004", "ROUND-005", "ROUND-006")
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


def compare_segment(segment: Path, table_id: str | None = None, day: str | None = None, deep: bool = False) -> Compared:
    """Audit a segment's rounds again and hold them against what its files say. `deep`: racks that were not searched for
    what went wrong are, and all of them for longer."""
    rounds = _read(segment / "rounds.parquet", rounds_schema())
    findings = _read(segment / "findings.parquet", FINDINGS_SCHEMA)
    for prefix in NOT_THE_REPLAYS:
        findings = findings.filter(pc.invert(pc.starts_with(findings["code"], prefix)))
    findings = findings.filter(_of_a_verdict(findings, rounds))
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
    audited, found = audit_again(rounds.combine_chunks(), deep)
    found_table = findings_table(found)
    compared = Compared(rounds.num_rows, findings.num_rows)
    if not rounds.select(_JUDGED).equals(audited.select(_JUDGED)):
        compared.differences += _round_differences(rounds, audited)
    if not findings.equals(found_table):
        compared.differences += _finding_differences(findings, found_table)
    return compared


def _read(path: Path, schema: pa.Schema) -> pa.Table:
    if not path.parent.is_dir():
        raise WarehouseError(f"{path.parent} was merged into a bigger segment meanwhile: run `muckraker reaudit` again")
    check_columns(path, schema)
    try:
        return pq.read_table(path, columns=schema.names, partitioning=None).cast(schema)
    except (OSError, pa.ArrowException, ValueError) as error:
        raise WarehouseError(f"{path} cannot be read: {error}; run `muckraker doctor` and restore the file") from error


def _of_a_verdict(findings: pa.Table, rounds: pa.Table) -> pa.Array:
    """Without those about events that could not be taken in, or came too often: the assembly's, not the audit's."""
    not_judged = set(_places(rounds.filter(pc.equal(rounds["verdict"], CANNOT_JUDGE))))
    codes = findings["code"].to_pylist()
    places = _places(findings, "round_version")
    return pa.array(
        [code not in NOT_JUDGED or place in not_judged for code, place in zip(codes, places, strict=True)], pa.bool_()
    )


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
