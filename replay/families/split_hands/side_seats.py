"""Which places have a side wager, one set of columns (round, place) for each wager that is offered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.families.split_hands.terms import Side, SurrenderedBonus, Terms
from replay.money.envy import qualifies
from replay.money.wagers import Wagers
from replay.rounds import Ints, RoundBatch

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

BASE, OTHER = 0, 255  # what a wager is; OTHER: the filed rules do not offer it
_FIRST_SIDE = 1  # the first of `Terms.sides`, and so on


def kinds_of(batch: RoundBatch, wagers: Wagers, terms: Terms) -> Bytes:
    """A wager: BASE, OTHER, or which side wager it is (`side_kind`)."""
    kind = np.full(len(wagers), OTHER, np.uint8)
    kind[wagers.wager == batch.name_id(terms.law.base.name)] = BASE
    for number, side in enumerate(terms.sides):
        mine = wagers.wager == batch.name_id(side.name)
        if "" not in side.law.choices:  # what was chosen must be something one may choose
            mine &= np.isin(wagers.choice, [batch.name_id(choice) for choice in side.law.choices])
        kind[mine] = side_kind(number)
    return kind


def side_kind(number: int) -> int:
    """The kind of the wagers of one of `Terms.sides`."""
    return _FIRST_SIDE + number


def are_sides(kind: Bytes) -> Bools:
    return np.asarray((kind != BASE) & (kind != OTHER))


@dataclass(frozen=True)
class SideSeats:
    """One side wager in a batch of rounds."""

    side: Side
    kind: int
    there: bool  # any of them was placed, also one since withdrawn late
    live: Bools  # (n, 7) it is to be settled by cards or number: neither forfeited nor voided
    earns: Bools  # (n, 7) and large enough for envy bonuses
    played: Bools  # (n, 7) there was one, also one since forfeited, withdrawn late or voided
    qualifying_played: Bools  # (n,) one of those was large enough for envy bonuses
    qualifying_on_time: Bools  # (n,) such a wager counts, and did when betting closed

    @property
    def qualifying(self) -> Bools:
        """(n,) a Qualifying Wager is on the table (MA-PGP §1)."""
        return np.asarray(self.earns.any(axis=1))

    @property
    def gives(self) -> Bools | None:
        """(n, 7) the only hands that give envy bonuses for it, None where any does."""
        envy = self.side.law.envy
        return self.live if envy is not None and envy.own_wager_only else None


def sides_of(
    batch: RoundBatch,
    wagers: Wagers,
    kind: Bytes,
    at: Ints,
    surrendered: Bools,
    voided: Bools,
    terms: Terms,
) -> tuple[SideSeats, ...]:
    """`surrendered` and `voided` are (n, 7)."""
    shape = surrendered.shape
    nobody, never = np.zeros(shape, bool), np.zeros(shape[0], bool)
    late_names = {batch.names[late.wager] for late in wagers.late_events}
    found = []
    for number, side in enumerate(terms.sides):
        code = side_kind(number)
        mine = (kind == code) & (at > 0)
        if mine.any() or side.name in late_names:
            found.append(_one(batch, wagers, mine, at, surrendered, voided, side, code, terms))
        else:
            found.append(SideSeats(side, code, False, nobody, nobody, nobody, never, never))
    return tuple(found)


def _one(
    batch: RoundBatch,
    wagers: Wagers,
    mine: Bools,
    at: Ints,
    surrendered: Bools,
    voided: Bools,
    side: Side,
    code: int,
    terms: Terms,
) -> SideSeats:
    def places(mask: Bools) -> Bools:
        found = np.zeros(surrendered.shape, bool)
        found[wagers.row[mask], at[mask]] = True
        return found

    played = places(mine)
    live = played.copy()
    if not side.law.judged_on.settled_early:
        live &= ~voided
        if terms.surrendered_bonus is SurrenderedBonus.FORFEITED and side.law.bars_surrender is None:
            live &= ~surrendered
    envy = side.law.envy
    if envy is None:
        large = large_on_time = np.zeros(len(mine), bool)
    else:
        large = mine & qualifies(wagers.amount, envy.least_cents)
        large_on_time = large & qualifies(wagers.amount_on_time, envy.least_cents)
    earns = live & places(large)
    on_time = np.asarray((live & places(large_on_time)).any(axis=1))
    qualifying_played = np.asarray(places(large).any(axis=1))
    for late in wagers.late_events:
        if 1 <= late.seat < played.shape[1] and batch.names[late.wager] == side.name:
            played[late.row, late.seat] = True
            most = max(late.amount, late.amount_before)
            qualifying_played[late.row] |= envy is not None and most >= envy.least_cents
    return SideSeats(side, code, True, live, earns, played, qualifying_played, on_time)


def any_of(columns: Sequence[Bools], otherwise: Callable[[], Bools]) -> Bools:
    """Where any of them is true; `otherwise` where there are none."""
    if not columns:
        return otherwise()
    return columns[0] if len(columns) == 1 else np.asarray(np.logical_or.reduce(columns))
