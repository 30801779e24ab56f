"""Lines of progressive wagers: what each adds to its meter, and what winners are paid from it in turn.

A seat's turn is its place: seats are settled 1 to 6 (rulings.md R-5, R-25).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.families.ante_raise.chosen import Chosen
from replay.families.ante_raise.terms import Side
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
class FromMeter:
    """What the wagers of one progressive come to, those of them that win anything from the meter among them."""

    law: MeterLaw
    won: Won  # of wagers that win from the meter
    turn: PaidInTurn
    paid: Cents  # a wager, shares included
    is_share: Bools  # a wager
    open: Bools  # a wager: a share of what nothing says

    @property
    def why_open(self) -> dict[int, str]:
        return why_open(self.law.meters, self.won, self.turn)


def from_meter(
    batch: RoundBatch, chosen: Chosen, law: MeterLaw, hand_class: Bytes, known: Bools, due: Cents
) -> FromMeter:
    """`known` are the wagers that are settled by their class, `due` what their rows come to without shares. Where a
    wager is not decided, nobody knows whether it took something off the meter before others had their turn."""
    at = np.flatnonzero(known & (law.rows.meter[hand_class] != NO_METER))
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
        due[at],
    )
    turn = paid_in_turn(batch, law.meters, won)
    unknown = chosen.entry[~known & ~(chosen.all_void | chosen.hand_void)]
    turn.open[np.isin(won.group, unknown) & (won.share > 0)] = True
    paid, is_share, is_open = due.copy(), np.zeros(len(due), bool), np.zeros(len(due), bool)
    paid[at], is_share[at], is_open[at] = np.where(turn.open, 0, turn.paid), won.share > 0, turn.open
    return FromMeter(law, won, turn, paid, is_share, is_open)


def with_shares(lines: Lines, stake: Ints, side: Side, made: FromMeter, code: int) -> Lines:
    """Lines of wagers, those of shares filed under `code` where they differ, and open where nothing says what the meter
    stood at."""
    if not made.is_share.any():
        return lines
    columns = {**lines.columns, "code": np.where(made.is_share, code, lines.columns["code"]).astype(np.int16)}
    columns["ways"] = columns["ways"].copy()
    ways, table = list(lines.ways), side.paid.table
    for at in np.flatnonzero(made.is_share).tolist():
        columns["ways"][at] = len(ways)
        share = Way(_WIN, int(made.paid[at]), int(stake[at]) if table.takes_wager else 0)
        rows = class_ways(int(stake[at]), table, 0).each
        ways.append(ANYTHING if made.open[at] else Ways(tuple(sorted({*rows, share}))))
    shared = Lines(columns, lines.cites, lines.causes, tuple(ways))
    return shared.opened(made.open) if made.open.any() else shared


def meter_lines(
    batch: RoundBatch, chosen: Chosen, law: MeterLaw, made: FromMeter, known: Bools
) -> Iterator[tuple[Lines, Ints]]:
    """What the wagers of one progressive add to its meter, whatever the hands; and what winners take off it, which is
    anything where a wager is not decided."""
    wagers = chosen.seats.wagers
    given_back = chosen.all_void | chosen.hand_void
    fed = Fed(
        chosen.row,
        wagers.seat[chosen.wager],
        wagers.bettor[chosen.wager],
        wagers.wager[chosen.wager],
        chosen.stake,
        given_back,
    )
    yield contribution_lines(batch, law.meters, fed, law.contribution), np.repeat(chosen.entry, len(law.meters))
    yield payout_lines(batch, law.meters, made.won, made.turn, law), made.won.group
    open_ = chosen.those(~known & ~given_back)
    for meter in law.meters if len(open_) else ():
        lines = make_lines(
            len(open_),
            [law.comes_off],
            row=open_.row,
            kind=Fact.PROGRESSIVE_OUT,
            seat=wagers.seat[open_.wager],
            bettor=wagers.bettor[open_.wager],
            wager=wagers.wager[open_.wager],
            choice=batch.name_id(meter.name),
        )
        every = np.ones(len(open_), bool)
        yield lines.with_ways([ANYTHING], np.zeros(len(open_), np.int64)).opened(every), open_.entry
