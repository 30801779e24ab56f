"""Lines of progressive wagers: what each adds to its meters, and what winners are paid from them in turn.

A seat's turn is its place: seats are settled 1 to 6 (rulings.md R-5, R-25), and a progressive wager on one hand comes
after those before it on the hand, which do not touch its meter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.families.split_hands.chosen import Chosen
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.side_seats import SideSeats
from replay.lines import ANYTHING, Cents, Lines, Way, Ways, make_lines
from replay.money.meter import (
    NO_METER,
    Fed,
    MeterLaw,
    PaidInTurn,
    Won,
    contribution_lines,
    paid_in_turn,
    payout_lines,
    why_open,
)
from replay.money.paytable import class_ways
from replay.rounds import OUTCOME_CODE, Fact, Ints, RoundBatch
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
_WIN = OUTCOME_CODE[Outcome.WIN]


@dataclass(frozen=True, eq=False)
class FromMeters:
    """What the wagers of one progressive come to, those of them that win anything from a meter among them."""

    law: MeterLaw
    won: Won  # of wagers that win
    at: Ints  # which of the wagers those are
    turn: PaidInTurn
    paid: Cents  # a wager, shares included
    is_share: Bools  # a wager
    open: Bools  # a wager: a share of what nothing says

    @property
    def why_open(self) -> dict[int, str]:
        return why_open(self.law.meters, self.won, self.turn)


def from_meters(
    batch: RoundBatch, chosen: Chosen, one: SideSeats, hand_class: Bytes, stands: Bools, paid: Cents, unknown: Ints
) -> FromMeters:
    """`stands` are the wagers that are settled by their class, `paid` what their rows come to without shares; `unknown`
    the readings with such a wager that nothing read decides: whether it took something off a meter before others had
    their turn nobody knows."""
    law = one.side.meters
    assert law is not None, "asked only of wagers with meters"
    at = np.flatnonzero(stands & (law.rows.meter[hand_class] != NO_METER))
    wagers, wager = chosen.seats.wagers, chosen.wager[at]
    won = Won(
        chosen.entry[at],
        chosen.row[at],
        wagers.seat[wager],
        wagers.bettor[wager],
        wagers.wager[wager],
        chosen.at[at],
        law.rows.meter[hand_class[at]],
        law.rows.share[hand_class[at]],
        paid[at],
    )
    turn = paid_in_turn(batch, law.meters, won)
    turn.open[np.isin(won.group, unknown) & (won.share > 0)] = True
    cents, is_share, is_open = paid.copy(), np.zeros(len(paid), bool), np.zeros(len(paid), bool)
    cents[at], is_share[at], is_open[at] = np.where(turn.open, 0, turn.paid), won.share > 0, turn.open
    return FromMeters(law, won, at, turn, cents, is_share, is_open)


def with_shares(lines: Lines, chosen: Chosen, one: SideSeats, made: FromMeters, code: int) -> Lines:
    """Lines of wagers, those of shares filed under `code` where they differ, and open where nothing says what the meter
    stood at."""
    if not made.is_share.any():
        return lines
    columns = {**lines.columns, "code": np.where(made.is_share, code, lines.columns["code"]).astype(np.int16)}
    columns["ways"] = columns["ways"].copy()
    ways = list(lines.ways)
    for at in np.flatnonzero(made.is_share).tolist():
        columns["ways"][at] = len(ways)
        ways.append(_ways(int(chosen.stake[at]), one, int(made.paid[at]), bool(made.open[at])))
    shared = Lines(columns, lines.cites, lines.causes, tuple(ways))
    return shared.opened(made.open) if made.open.any() else shared


def _ways(stake: int, one: SideSeats, share: int, is_open: bool) -> Ways:
    if is_open:
        return ANYTHING
    table = one.side.table
    rows = class_ways(stake, table, 0).each
    return Ways(tuple(sorted({*rows, Way(_WIN, share, stake if table.takes_wager else 0)})))


def fed_lines(batch: RoundBatch, every: Chosen, one: SideSeats) -> Iterator[tuple[Lines, Ints]]:
    """What the wagers of one progressive add to its meters, whatever the hands, in each reading."""
    law, seats = one.side.meters, every.seats
    if law is None:
        return
    chosen = every.those((seats.kind[every.wager] == one.kind) & (every.at > 0))
    if not len(chosen.wager):
        return
    wagers, wager = seats.wagers, chosen.wager
    fed = Fed(
        chosen.row, wagers.seat[wager], wagers.bettor[wager], wagers.wager[wager], chosen.stake, _given_back(chosen)
    )
    yield contribution_lines(batch, law.meters, fed, law.contribution), np.repeat(chosen.entry, len(law.meters))


def _given_back(chosen: Chosen) -> Bools:
    seats: Seats = chosen.seats
    return np.asarray(seats.bonus_void[chosen.row] | seats.voided[chosen.row, chosen.at])


def paid_lines(batch: RoundBatch, made: FromMeters) -> tuple[Lines, Ints]:
    """What winners take off the meters."""
    return payout_lines(batch, made.law.meters, made.won, made.turn, made.law), made.won.group


def open_paid_lines(batch: RoundBatch, chosen: Chosen, one: SideSeats) -> Iterator[tuple[Lines, Ints]]:
    """What wagers that nothing read decides may take off each of their meters."""
    law, wagers = one.side.meters, chosen.seats.wagers
    if law is None or not len(chosen.wager):
        return
    each = len(law.meters)
    of, number = np.repeat(np.arange(len(chosen.wager)), each), np.tile(np.arange(each), len(chosen.wager))
    wager = chosen.wager[of]
    names = np.array([batch.name_id(meter.name) for meter in law.meters], np.int64)
    lines = make_lines(
        len(of),
        [law.comes_off],
        row=chosen.row[of],
        kind=Fact.PROGRESSIVE_OUT,
        seat=wagers.seat[wager],
        bettor=wagers.bettor[wager],
        wager=wagers.wager[wager],
        choice=names[number],
    )
    every = np.ones(len(of), bool)
    yield lines.with_ways([ANYTHING], np.zeros(len(of), np.int64)).opened(every), chosen.entry[of]
