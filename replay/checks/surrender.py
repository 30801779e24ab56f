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
    """`refused_seq` (n, places) is when a hand was surrendered that had been exposed before, -1 if none."""
    remarks = []
    for row, seat in np.argwhere((refused_seq >= 0) & ~all_void[:, None]).tolist():
        shown = batch.shown.seq[(batch.shown.row == row) & (batch.shown.place == seat)]
        sentence = "the wager was surrendered after the dealer had exposed the hand; it is settled by the hands"
        remarks.append(_remark(row, seat, base, sentence, cite, (int(shown[0]), int(refused_seq[row, seat]))))
    return remarks


def surrendered_beside(
    barred_seq: Ints, mine: Bools, all_void: Bools, base: str, title: str, cite: Citation
) -> list[Remark]:
    """`barred_seq` (n, places) is when a hand was surrendered under a wager that lets nobody do that, `mine` the hands
    under one of this `title`."""
    sentence = (
        f"the wager was surrendered although the {title} had been placed on the hand; what it would have come to nothing "
        "says, for the hand was not set"
    )
    return [
        _remark(row, seat, base, sentence, cite, (int(barred_seq[row, seat]),))
        for row, seat in np.argwhere((barred_seq >= 0) & mine & ~all_void[:, None]).tolist()
    ]


def _remark(row: int, seat: int, base: str, sentence: str, cite: Citation, evidence: tuple[int, ...]) -> Remark:
    return Remark(row, "WAGER-505", sentence, cite, seat=seat, wager=base, evidence=evidence, basis=Basis.REPORTS)
