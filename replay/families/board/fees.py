"""The collection fee of a poker game: out of the pot, by how many players were dealt in."""

from __future__ import annotations

import numpy as np

from replay.families.board.hands import Hands
from replay.filing import FeeSchedule, Filing
from replay.lines import Lines, join_lines
from replay.money.fees import Stakes, fee, fee_lines
from replay.rounds import PAYER_CODE, Fact, Ints, RoundBatch
from schemas.events import Payer

NO_SCHEDULE = "none"
_NO_STAKES = np.empty(0, np.int64)


def pot_fees(batch: RoundBatch, filing: Filing, hands: Hands) -> Lines:
    """A line for every round that owes one."""
    schedule = _schedule(filing)
    if schedule is None:
        return join_lines([])
    dealt_in = np.array([len(read.reported.hand.seats) for read in hands.read], np.int64)
    for row, read in enumerate(hands.read):
        if read.reported.hand.unsure or read.reported.why_not:
            dealt_in[row] = _at_least(batch, schedule, row, int(dealt_in[row]), filing.ring.seats)
    return fee_lines(batch, schedule, Stakes(*[_NO_STAKES] * 7), filing.text("drop_box"), dealt_in=dealt_in)


def fee_due(filing: Filing, dealt_in: int) -> int:
    """What a round with so many players dealt in owes."""
    schedule = _schedule(filing)
    if schedule is None:
        return 0
    return sum(int(fee(part, np.array([dealt_in]))[0]) for part in schedule.parts)


def _schedule(filing: Filing) -> FeeSchedule | None:
    named = filing.text("schedule")
    return None if named == NO_SCHEDULE else filing.pack.fees[named]


def _at_least(batch: RoundBatch, schedule: FeeSchedule, row: int, seen: int, seats: int) -> int:
    """How many were dealt in where not every action was reported: so many, or as many more as the fee was taken for."""
    facts = batch.facts.of(Fact.COLLECTION)
    taken = int(facts.amount[(facts.row == row) & (facts.code == PAYER_CODE[Payer.POT])].sum())
    counts: Ints = np.arange(seen, seats + 1)
    fitting = counts[fee(schedule.parts[0], counts) == taken]
    return int(fitting[0]) if len(fitting) else seen
