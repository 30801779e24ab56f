"""Who bet what, in columns: the wagers as they finally stood, which kind each is, and which were voided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from replay.lines import Cents
from replay.money.fees import deal_begun
from replay.money.wagers import Wagers
from replay.rounds import Array, Fact, Ints, RoundBatch, RoundFlag

Bools = npt.NDArray[np.bool_]

UNKNOWN_KIND = -1


@dataclass(frozen=True)
class Bets:
    """Parallel columns, one row a wager standing at the end of betting, in order of round and of placing."""

    row: Ints
    seat: Array
    bettor: Array
    wager: Array
    choice: Array
    hand: Array
    amount: Cents
    placed_seq: Ints
    kind: Array  # index into the wagers the game offers, or UNKNOWN_KIND
    void: Bools

    def __len__(self) -> int:
        return len(self.row)

    def where(self, mask: Array) -> Bets:
        return Bets(**{column.name: getattr(self, column.name)[mask] for column in fields(self)})


@dataclass(frozen=True)
class Voids:
    """Which rounds, and which seats of the others, were called void."""

    rounds: Bools
    seats: frozenset[tuple[int, int]]  # (row, seat)


def voids_of(batch: RoundBatch) -> Voids:
    facts = batch.facts.of(Fact.VOIDED)
    whole = np.zeros(len(batch), dtype=bool)
    whole[facts.row[facts.seat == 0]] = True
    reported = np.zeros(len(batch), dtype=bool)
    reported[facts.row] = True
    seats = frozenset(zip(facts.row[facts.seat > 0].tolist(), facts.seat[facts.seat > 0].tolist(), strict=True))
    return Voids(whole | (batch.has(RoundFlag.VOIDED) & ~reported), seats)


def kinds_of(batch: RoundBatch, wager: Array, kinds: Sequence[str]) -> Array:
    """Index into these of each wager name, UNKNOWN_KIND for one the game does not offer."""
    of_name = np.full(len(batch.names), UNKNOWN_KIND, dtype=np.int8)
    for kind, name in enumerate(kinds):
        at = batch.name_id(name)
        if at >= 0:
            of_name[at] = kind
    return of_name[wager]


def closing_seq(batch: RoundBatch) -> Ints:
    """After which event no bet may be made: bets closed, or the first card if that came earlier or alone was seen."""
    closed, begun = batch.bets_closed_seq.astype(np.int64), deal_begun(batch)
    return np.where(closed < 0, begun, np.where(begun < 0, closed, np.minimum(closed, begun)))


def bets_of(batch: RoundBatch, wagers: Wagers, voids: Voids, kinds: Sequence[str]) -> Bets:
    """One row per wager, in the order of `wagers`."""
    void = voids.rounds[wagers.row]
    for row, seat in voids.seats:
        void |= (wagers.row == row) & (wagers.seat == seat)
    return Bets(
        wagers.row,
        wagers.seat,
        wagers.bettor,
        wagers.wager,
        wagers.choice,
        wagers.hand,
        wagers.amount,
        wagers.placed_seq,
        kinds_of(batch, wagers.wager, kinds),
        void,
    )
