"""Wagers in a batch, each once for each reading of its round, with everything their lines follow from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.families.ante_raise.fared import Dealers, Fared
from replay.families.ante_raise.hands import Hands
from replay.families.ante_raise.seats import Seats
from replay.families.ante_raise.terms import Terms
from replay.lines import USUAL, Cause, Lines, Ways, make_lines, possible
from replay.rounds import Fact, Ints
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]

RETURNED = possible(Outcome.VOID, Outcome.NO_ACTION, Outcome.PUSH)  # however a device names a stake given back


@dataclass(frozen=True)
class Chosen:
    seats: Seats
    hands: Hands
    terms: Terms
    dealers: Dealers
    fared: Fared
    wager: Ints  # into `seats.wagers`
    entry: Ints  # into `hands`

    def those(self, mask: Bools) -> Chosen:
        return replace(self, wager=self.wager[mask], entry=self.entry[mask])

    def __len__(self) -> int:
        return len(self.wager)

    @property
    def at(self) -> Ints:
        return self.seats.at[self.wager]

    @property
    def row(self) -> Ints:
        return self.hands.row[self.entry]

    @property
    def stake(self) -> Ints:
        return self.seats.wagers.amount[self.wager]

    @property
    def all_void(self) -> Bools:
        return self.seats.all_void[self.row]

    @property
    def hand_void(self) -> Bools:
        return self.seats.voided[self.row, self.at]

    @property
    def hand_whole(self) -> Bools:
        """Every card of the wager's own hand is known."""
        return np.asarray(self.hands.count[self.entry, self.at] == self.terms.law.cards.whole)

    def lines(
        self, cites: Sequence[Citation], causes: Sequence[Cause] = (USUAL,), **columns: npt.NDArray[Any] | int
    ) -> Lines:
        wagers = self.seats.wagers
        said: dict[str, npt.NDArray[Any] | int] = {"wager": wagers.wager[self.wager], "stake": self.stake, **columns}
        return make_lines(
            len(self.wager),
            cites,
            causes,
            row=self.row,
            kind=Fact.SETTLED,
            seat=wagers.seat[self.wager],
            bettor=wagers.bettor[self.wager],
            choice=wagers.choice[self.wager],
            hand=wagers.hand[self.wager],
            **said,
        )


def every_reading(seats: Seats, hands: Hands) -> tuple[Ints, Ints]:
    """Each wager once for each reading of its round: indexes of wagers and of entries."""
    row_of = seats.wagers.row  # in order of rounds
    wagers, entries = [np.arange(len(row_of))], [row_of]
    for row, readings in hands.readings.items():
        own = np.arange(*np.searchsorted(row_of, [row, row + 1]))
        wagers += [own] * (len(readings) - 1)
        entries += [np.full(len(own), reading) for reading in readings[1:]]
    return np.concatenate(wagers), np.concatenate(entries)


def ways_of(stake: Ints, of: Callable[[int], Ways]) -> tuple[list[Ways], Ints]:
    """What wagers of these amounts can come to, and an index into that, a wager."""
    amounts, index = np.unique(stake, return_inverse=True)
    return [of(amount) for amount in amounts.tolist()], index.reshape(-1)
