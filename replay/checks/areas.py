"""WAGER-506: a person bets in more areas than one may, or in areas that are not next to each other (rulings.md R-52).

Only what devices said for certain of who sits where is held against anybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from replay.citations import Citation
from replay.money.people import people_of
from replay.money.wagers import Wagers
from replay.remarks import Remark
from replay.rounds import Fact, RoundBatch
from schemas.findings import Basis
from schemas.plurals import counted


@dataclass(frozen=True)
class AreasLaw:
    """What a pack says of a person's betting areas."""

    most: int  # as many a person may bet in, all next to each other
    cite: Citation
    bank_most: int = 0  # whoever has the bank may bet in so many, where the text says so
    bank_cite: Citation | None = None


def areas_remarks(batch: RoundBatch, wagers: Wagers, law: AreasLaw) -> Iterator[Remark]:
    seated = batch.facts.of(Fact.SEATED)
    if not len(seated):
        return
    people = people_of(batch)
    bank = batch.bank_seat
    for row in np.unique(seated.row).tolist():
        areas: dict[int, list[int]] = {}
        for seat in sorted(set(wagers.seat[wagers.row == row].tolist())):
            if people.patron[row, seat] and not people.unsure[row, seat]:
                areas.setdefault(int(people.patron[row, seat]), []).append(seat)
        for person, seats in areas.items():
            banks = bank[row] > 0 and people.patron[row, bank[row]] == person and not people.unsure[row, bank[row]]
            most, cite = law.most, law.cite
            if banks and law.bank_cite is not None:
                most, cite = law.bank_most, law.bank_cite
                seats = sorted({*seats, int(bank[row])})  # the bank's own area is one, though no wager lies in it
            apart = seats[-1] - seats[0] >= len(seats)
            if len(seats) <= most and not apart:
                continue
            where = " and ".join(map(str, seats)) if len(seats) == 2 else ", ".join(map(str, seats))
            if len(seats) > most:
                allowed = f"{most} {'is' if most == 1 else 'are'} allowed"
                what = f"bets in {counted(len(seats), 'area')} (seats {where}); {allowed}"
            else:
                what = f"bets in areas that are not next to each other (seats {where})"
            yield Remark(
                row,
                "WAGER-506",
                f"patron {batch.names[person]} {what}{' to whoever has the bank' if banks and most == 1 else ''}",
                cite,
                seat=seats[0],
                evidence=tuple(sorted(seated.seq[(seated.row == row) & np.isin(seated.seat, seats)].tolist())),
                basis=Basis.REPORTS,
            )
