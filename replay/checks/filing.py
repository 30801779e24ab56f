"""Whether the version a round was played under was in force on its gaming day: FILING-003."""

from __future__ import annotations

from datetime import date

import numpy as np

from replay.citations import Citation
from replay.filing import Filing, in_force_on
from replay.remarks import Remark
from replay.rounds import Ints, RoundBatch
from schemas.findings import Basis

_CITE = Citation(text="docs/versions.md", section="A version that is not in force")


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
