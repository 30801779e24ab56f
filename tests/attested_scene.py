"""A table whose events are signed, forged, lost and sent late, and what is recorded of it."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

from ingest.chain import event_hash, sign
from ingest.simulator import Labels, Plan, default_plan, simulate, table_keys
from ingest.simulator.voice import private_key
from tests.gaming_day import Day

DAY = date(2026, 11, 17)
TABLE = "SB-01"
Raw = dict[str, Any]


class Scene:
    """One table's honest events, cut where somebody interferes. `short` is a win that is paid short by that much."""

    def __init__(self, folder: Path, rounds: int = 8, short: int = 0) -> None:
        whole = default_plan(seed=5, tables=13, rounds=rounds, gaming_day=DAY)
        self.plan = Plan(whole.seed, DAY, [table for table in whole.tables if table.table_id == TABLE], rounds)
        self.key = private_key(self.plan.seed, TABLE)
        self.day = Day(folder)
        for name, public in table_keys(self.plan).items():
            self.day.keys.register(name, public)
        self.bodies = [json.loads(raw) for _, raw in simulate(self.plan, Labels())]
        self.win = next(
            body for body in self.bodies if body["type"].endswith("wager.settled.v1") and body["data"]["paid_cents"]
        )
        self.right = dict(self.win["data"])
        self.win["data"]["paid_cents"] -= short
        self.round: str = self.win["subject"]
        self.chain: list[bytes] = []

    def honest(self, until: int | None = None) -> list[bytes]:
        """The controller's next events, up to a seq; it signs what it signed in the simulation."""
        made = []
        for body in self.bodies[len(self.chain) : until]:
            made.append(self.chained(body, self.chain[-1] if self.chain else None, signed="sig" in body))
            self.chain.append(made[-1])
        return made

    def chained(self, body: Raw, before: bytes | None, signed: bool = False, key: Any = None, **changed: Any) -> bytes:
        body = {**body, "prevhash": event_hash(before) if before else "0" * 64, **changed}
        body.pop("sig", None)
        raw = json.dumps(body, separators=(",", ":")).encode()
        return sign(raw, key or self.key) if signed else raw

    def said(self, kind: str, seq: int, subject: str | None, data: Raw, before: bytes, **how: Any) -> bytes:
        """An event of our own behind `before`."""
        body = {
            **json.loads(before),
            "id": f"01932b3e-7c00-7abc-8def-{seq:012d}",
            "type": f"muckraker.{kind}.v1",
            "seq": seq,
            "data": data,
        }
        body.pop("subject", None)
        if subject is not None:
            body["subject"] = subject
        return self.chained(body, before, **how)

    def correction(self, before: bytes, **how: Any) -> bytes:
        """The short-pay was a misread: so says somebody."""
        data = {"corrects_seq": self.win["seq"], "reason": "stack misread", "by": "S-031", "replacement": self.right}
        return self.said("round.corrected", json.loads(before)["seq"] + 1, self.round, data, before, **how)

    def goes_on(self, before: bytes, ahead: int = 1) -> list[bytes]:
        """The rest of the controller's events behind an event of our own, with numbers that many higher."""
        made: list[bytes] = []
        for body in self.bodies[len(self.chain) :]:
            made.append(self.chained(body, before, signed="sig" in body, seq=body["seq"] + ahead))
            before = made[-1]
        return made

    def closings(self) -> list[int]:
        """The seqs of the controller's round.closed."""
        return [body["seq"] for body in self.bodies if body["type"].endswith("round.closed.v1")]

    def append(self, *raws: bytes) -> None:
        self.day.append([(TABLE, raw) for raw in raws])

    def run(self, segment_records: int = 50_000) -> None:
        self.day.run(segment_records=segment_records)

    def versions(self, round_id: str | None = None) -> list[tuple[int, str, bool]]:
        """Version, verdict and whether it is attested, of the round, as the lake has them."""
        return sorted(
            (row["version"], row["verdict"], bool(row["flags"] & 32))
            for row in self.day.table("rounds").to_pylist()
            if row["round_id"] == (round_id or self.round)
        )

    def codes(self) -> list[str]:
        return sorted(finding["code"] for finding in self.day.table("findings").to_pylist())
