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
    batch: RoundBatch, refused_seq: Ints, barred: Bools, all_void: Bools, base: str, cite: Citation
) -> list[Remark]:
    """WAGER-505. `refused_seq` (n, places) is when a hand was surrendered that could not be, -1 if none: it had been
    exposed before, or (`barred`) another wager of its player bars that, which `surrendered_though_barred` tells."""
    remarks = []
    for row, seat in np.argwhere((refused_seq >= 0) & ~all_void[:, None]).tolist():
        if barred[row, seat]:
            continue
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


def surrendered_though_barred(
    batch: RoundBatch, refused_seq: Ints, barring: Bools, all_void: Bools, base: str, title: str, cite: Citation
) -> list[Remark]:
    """WAGER-505 of hands whose player has placed a wager (`barring`, (n, places)) that bars a surrender."""
    said = f"the wager was surrendered beside a {title}, which bars that; it is settled by the hands"
    return [
        Remark(
            row,
            "WAGER-505",
            said,
            cite,
            seat=seat,
            wager=base,
            evidence=(int(refused_seq[row, seat]),),
            basis=Basis.REPORTS,
        )
        for row, seat in np.argwhere((refused_seq >= 0) & barring & ~all_void[:, None]).tolist()
    ]
