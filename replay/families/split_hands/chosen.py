"""The wagers of one kind in a batch, with everything their lines follow from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.families.split_hands.hands import Hands
from replay.families.split_hands.ranked import Ranked
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.terms import Terms
from replay.lines import USUAL, Cause, Lines, Ways, make_lines, possible
from replay.rounds import Fact, Ints
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

VOIDED = possible(Outcome.VOID, Outcome.NO_ACTION, Outcome.PUSH)  # however a device names a stake given back


@dataclass(frozen=True)
class Results:
    """How the hands of a batch fare against the hand everyone plays against, (m, 7) each."""

    result: Bytes
    bits: Bytes
    foul: Bools
    moved: Bools  # came out differently because the house way was broken
    pushed: Bools  # (m,) every wager against that hand goes back, whatever the hands


@dataclass(frozen=True)
class Chosen:
    seats: Seats
    hands: Hands
    terms: Terms
    ranked: Ranked
    wager: Ints
    entry: Ints

    def those(self, mask: Bools) -> Chosen:
        return Chosen(self.seats, self.hands, self.terms, self.ranked, self.wager[mask], self.entry[mask])

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
    def void(self) -> Bools:
        return self.seats.all_void[self.row] | self.seats.voided[self.row, self.at]

    def lines(
        self, cites: Sequence[Citation], causes: Sequence[Cause] = (USUAL,), **columns: npt.NDArray[Any] | int
    ) -> Lines:
        wagers = self.seats.wagers
        return make_lines(
            len(self.wager),
            cites,
            causes,
            row=self.row,
            kind=Fact.SETTLED,
            seat=wagers.seat[self.wager],
            bettor=wagers.bettor[self.wager],
            wager=wagers.wager[self.wager],
            choice=wagers.choice[self.wager],
            hand=wagers.hand[self.wager],
            stake=self.stake,
            **columns,
        )


def ways_of(stake: Ints, of: Callable[[int], Ways]) -> tuple[list[Ways], Ints]:
    """What wagers of these amounts can come to, and an index into that, a wager."""
    amounts, index = np.unique(stake, return_inverse=True)
    return [of(amount) for amount in amounts.tolist()], index.reshape(-1)
