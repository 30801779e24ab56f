"""A replay for the worker's tests: lists the events of every round, and lists them again for a round re-opened."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from schemas.admitted import Admitted, AdmittedFlag, Concluded, History, ReplayCut
from schemas.events import parse_event
from schemas.findings import Finding

ROUNDS_SCHEMA = pa.schema(
    [("table_id", pa.string()), ("round_id", pa.string()), ("seqs", pa.list_(pa.int64())), ("version", pa.int32())]
)


class FakeReplay:
    def __init__(self) -> None:
        self.open: dict[str, dict[str, list[int]]] = {}  # table, round, the seqs seen
        self.fed = 0
        self.done: list[tuple[str, str, list[int], int]] = []
        self.last: dict[str, int] = {}  # the highest seq of each table
        self.findings: list[Finding] = []

    def restore(self, state: dict[str, Any], history: History) -> None:
        self.history = history
        self.fed = state.get("fed", 0)
        self.open = state.get("open", {})
        self.last = state.get("last", {})

    def feed(self, admitted: Admitted) -> None:
        self.fed += 1
        event = admitted.event
        self.last[event.tableid] = max(event.seq, self.last.get(event.tableid, -1))
        if event.subject is None:
            return
        rounds = self.open.setdefault(event.tableid, {})
        if admitted.flags & AdmittedFlag.LATE and event.subject not in rounds:
            seqs = self.recorded(event.tableid, event.subject, event.seq)
            assert len(set(seqs)) == len(seqs)
            self.done.append((event.tableid, event.subject, seqs, 2))
            return
        seqs = rounds.setdefault(event.subject, [])
        seqs.append(event.seq)
        if event.type == "muckraker.round.closed.v1":
            self.done.append((event.tableid, event.subject, sorted(seqs), 1))
            del rounds[event.subject]
            if admitted.flags & AdmittedFlag.CHAIN_BROKEN:
                self.findings.append(
                    Finding("ROUND-001", event.tableid, event.subject, "a replay's own finding", "a test", 0, event.seq)
                )

    def recorded(self, table_id: str, round_id: str, near: int) -> list[int]:
        """The seqs of a round's events that the history has."""
        spans = [(max(0, near - 1_000), near + 1_000)]
        return [parse_event(raw).seq for _, raw in self.history.events(table_id, round_id, spans, self.last[table_id])]

    waiting = 0

    def advance(self) -> Concluded | None:
        return None

    def cut(self) -> ReplayCut:
        columns = list(zip(*self.done, strict=True)) or [(), (), (), ()]
        rounds = pa.Table.from_arrays(
            [pa.array(column, field.type) for column, field in zip(columns, ROUNDS_SCHEMA, strict=True)],
            schema=ROUNDS_SCHEMA,
        )
        findings = self.findings
        self.done, self.findings = [], []
        return ReplayCut(rounds, findings)

    def state(self) -> dict[str, Any]:
        return {"fed": self.fed, "open": self.open, "last": self.last}
