"""Raises of an amount that may not be raised, and raises and folds at the wrong moment: WAGER-502 and WAGER-508."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.money.wagers import Wagers
from replay.remarks import Remark
from replay.rounds import Array, Ints, RoundBatch
from schemas.findings import Basis
from schemas.money import dollars

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Multiples:
    """How many times the ante may be raised."""

    least: int
    most: int
    whole: bool
    cite: Citation
    title: str = "raise"

    @property
    def in_words(self) -> str:
        if self.least == self.most == 1:
            return "must be as much as the ante"
        return f"may be {self.least} to {self.most} times the ante{', in whole times' if self.whole else ''}"


def wrong_raises(batch: RoundBatch, wagers: Wagers, raises: Ints, ante_cents: Ints, law: Multiples) -> Iterator[Remark]:
    """WAGER-502. `raises` are the raises among the wagers, `ante_cents` the antes beside them."""
    amount = wagers.amount[raises]
    wrong = (amount < law.least * ante_cents) | (amount > law.most * ante_cents)
    if law.whole:
        wrong |= amount % np.maximum(ante_cents, 1) != 0
    for at in np.flatnonzero(wrong).tolist():
        wager, raised, ante = int(raises[at]), int(amount[at]), int(ante_cents[at])
        nearest = min(max(raised, law.least * ante), law.most * ante)
        if law.whole:
            nearest = min(max(round(nearest / ante), law.least), law.most) * ante
        yield Remark(
            int(wagers.row[wager]),
            "WAGER-502",
            f"the {law.title} is {dollars(raised)} on an ante of {dollars(ante)}; it {law.in_words}",
            law.cite,
            seat=int(wagers.seat[wager]),
            bettor=batch.names[wagers.bettor[wager]] or None,
            wager=batch.names[wagers.wager[wager]],
            expected_cents=nearest,
            actual_cents=raised,
            evidence=(int(wagers.placed_seq[wager]),),
            basis=Basis.REPORTS,
        )


def raises_out_of_turn(
    batch: RoundBatch,
    wagers: Wagers,
    raises: Ints,
    early: Bools,
    over: Ints,
    over_when: Array,
    cite: Citation,
    title: str = "raise",
) -> Iterator[Remark]:
    """WAGER-508 of raises that were placed before their player had any cards (`early`, one entry a raise), or after
    they were `over` ((n,) the event, -1 not known), which was when `over_when` (n,) had happened."""
    for at in np.flatnonzero(early | (_after(wagers.placed_seq[raises], over[wagers.row[raises]]))).tolist():
        wager = int(raises[at])
        row, seq = int(wagers.row[wager]), int(wagers.placed_seq[wager])
        when = "before the player had any cards" if early[at] else f"after {over_when[row]}"
        yield Remark(
            row,
            "WAGER-508",
            f"the {title} of {dollars(int(wagers.amount[wager]))} was placed {when}",
            cite,
            seat=int(wagers.seat[wager]),
            bettor=batch.names[wagers.bettor[wager]] or None,
            wager=batch.names[wagers.wager[wager]],
            evidence=(seq,) if early[at] else (int(over[row]), seq),
            basis=Basis.REPORTS,
        )


def _after(seq: Ints, over: Ints) -> Bools:
    return np.asarray((over >= 0) & (seq > over))


def folded_and_raised(
    batch: RoundBatch,
    folded_seq: Ints,
    raised_seq: Ints,
    name: str,
    cite: Citation,
    title: str = "raise",
    done: str = "raised",
) -> list[Remark]:
    """WAGER-508 of hands (n, places) that were said to be folded and raised; never is the largest number there is.
    What came first counts."""
    never = np.iinfo(np.int64).max
    remarks = []
    for row, seat in np.argwhere((folded_seq != never) & (raised_seq != never)).tolist():
        first, then = int(folded_seq[row, seat]), int(raised_seq[row, seat])
        said = f"the hand was folded and then {done}; it stays folded, and the {title} goes back"
        if then < first:
            first, then, said = then, first, f"the hand was {done} and then folded; the {title} stands"
        remarks.append(
            Remark(row, "WAGER-508", said, cite, seat=seat, wager=name, evidence=(first, then), basis=Basis.REPORTS)
        )
    return remarks
