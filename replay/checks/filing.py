"""Whether the version a round was played under was in force on its gaming day (FILING-003), and whether its collection
schedule was changed while it was played (FEE-911)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date

import numpy as np

from replay.citations import Citation, cite
from replay.filing import Filing, in_force_on
from replay.remarks import Remark
from replay.rounds import Fact, Ints, RoundBatch
from schemas.findings import Basis

_CITE = Citation(text="docs/versions.md", section="A version that is not in force")

_BETWEEN_ROUNDS = cite(
    "CA",
    "California Games Collection Rates, Collection Procedures",
    "Collection rates and fees shall be determined prior to the start of play of any hand or round.",
)


def schedules_changed(batch: RoundBatch) -> Iterator[Remark]:
    """FEE-911: a schedule is for whole rounds."""
    changed = batch.facts.of(Fact.SCHEDULE_CHANGED)
    by_row: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for row, schedule, seq in zip(changed.row.tolist(), changed.choice.tolist(), changed.seq.tolist(), strict=True):
        by_row[row].append((seq, batch.names[schedule]))
    for row, changes in sorted(by_row.items()):
        said = (
            f"the collection schedule was changed to {', and then to '.join(name for _, name in changes)} while the "
            "round was played; the round is judged by the one it began with, the next by the new one"
        )
        seqs = tuple(seq for seq, _ in changes)
        yield Remark(row, "FEE-911", said, _BETWEEN_ROUNDS, evidence=seqs, basis=Basis.RECORD, whatever_is_missing=True)


def filing_remarks(batch: RoundBatch, rows: Ints, filing: Filing) -> list[Remark]:
    """What `rows`, the rounds of one filing, have against the version filed. A round whose gaming day nobody said has
    nothing."""
    remarks: list[Remark] = []
    days = batch.named["gaming_day"][rows]
    for day_id in np.unique(days[days != 0]).tolist():
        said = batch.names[day_id]
        day = date.fromisoformat(said)
        if filing.pack.in_force(day):
            continue
        right = ", ".join(in_force_on(filing.pack.id, day)) or "none"
        sentence = (
            f"played under {filing.pack.id} {filing.pack.version}, which is in force {filing.pack.when_in_force}, and "
            f"not on the gaming day {said} (in force then: {right}); judged by it all the same"
        )
        remarks += [
            Remark(row, "FILING-003", sentence, _CITE, basis=Basis.RECORD, whatever_is_missing=True)
            for row in rows[days == day_id].tolist()
        ]
    return remarks
