"""Hands surrendered that could not be: WAGER-505."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.remarks import Remark
from replay.rounds import Ints, RoundBatch
from schemas.findings import Basis

Bools = npt.NDArray[np.bool_]


def surrendered_too_late(
    batch: RoundBatch, refused_seq: Ints, all_void: Bools, base: str, cite: Citation
) -> list[Remark]:
    """WAGER-505. `refused_seq` (n, places) is when a hand was surrendered that had been exposed before, -1 if none."""
    remarks = []
    for row, seat in np.argwhere((refused_seq >= 0) & ~all_void[:, None]).tolist():
        shown = batch.shown.seq[(batch.shown.row == row) & (batch.shown.place == seat)]
        remarks.append(
            Remark(
                row,
                "WAGER-505",
                "the wager was surrendered after the dealer had exposed the hand; it is settled by the hands",
                cite,
                seat=seat,
                wager=base,
                evidence=(int(shown[0]), int(refused_seq[row, seat])),
                basis=Basis.REPORTS,
            )
        )
    return remarks
