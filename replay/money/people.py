"""Who is one player (rulings.md R-52): a person, where a device says who sits at a place or whose a wager is; else each
seat by itself.

A person is a number: that of the name a device gave, or, where nobody said, the seat with a minus before it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.rounds import Array, Fact, Ints, RoundBatch
from schemas.places import MAX_SEAT

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class People:
    """Who sat where when betting closed, a round."""

    patron: Ints  # (n, 15) the number of the name of who sat at each place, 0 where no device said
    unsure: Bools  # (n, 15) events are missing since: it may be somebody else, or nobody

    def number(self, row: Ints, seat: Array, bettor: Array) -> Ints:
        """The person who bets in such an area: the bettor named, or else who sits there."""
        seat = seat.astype(np.int64)
        seated = self.patron[row, seat]
        return np.where(bettor != 0, bettor, np.where(seated > 0, seated, -seat)).astype(np.int64)

    def places_of(self, row: Ints, person: Ints, places: int) -> tuple[Bools, Bools]:
        """(m, places) where each of these people certainly sits, and where they may."""
        named = (self.patron[row, :places] == person[:, None]) & (person > 0)[:, None]
        unsure = self.unsure[row, :places]
        return named & ~unsure, named & unsure


def people_of(batch: RoundBatch) -> People:
    seated = batch.facts.of(Fact.SEATED)
    patron = np.zeros((len(batch), MAX_SEAT + 1), dtype=np.int64)
    unsure = np.zeros(patron.shape, dtype=bool)
    patron[seated.row, seated.seat] = seated.bettor
    unsure[seated.row, seated.seat] = seated.code == 1
    return People(patron, unsure)


def who_banks(batch: RoundBatch, row: int) -> str:
    """The seat that banks, and who sits there where a device said so: turns are a person's, wherever seated (R-52)."""
    seat = int(batch.bank_seat[row])
    people = people_of(batch)
    if seat > MAX_SEAT:
        return f"seat {seat}"  # which no table has
    patron = int(people.patron[row, seat])
    known = patron and not people.unsure[row, seat]
    return f"patron {batch.names[patron]} in seat {seat}" if known else f"seat {seat}"


def first_area(batch: RoundBatch, row: int, seat: int, bettor: int) -> tuple[int, int]:
    """The first of the areas in which whoever bets here has bet in this round: seat, and number of the bettor named."""
    facts = batch.facts
    mine = facts.where((facts.row == row) & np.isin(facts.kind, _SAYS_WHO))
    if not bettor and not (mine.kind == Fact.SEATED).any():
        return seat, bettor
    people = people_of(batch.take(np.array([row])))
    bet = mine.where(mine.kind == Fact.WAGER_PLACED)
    here = people.number(np.zeros(1, np.int64), np.array([seat]), np.array([bettor]))
    same = people.number(np.zeros(len(bet), np.int64), bet.seat, bet.bettor) == here
    return min([*zip(bet.seat[same].tolist(), bet.bettor[same].tolist(), strict=True), (seat, bettor)])


_SAYS_WHO = np.array([Fact.SEATED, Fact.WAGER_PLACED], dtype=np.uint8)
