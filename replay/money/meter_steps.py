"""Everything said of progressive meters in a batch, in columns: what each stood at before a step, and after it.

A step is a contribution, a payout, a reading or a reset, or what the table remembered when the round began. What the
meter stood at before a step is the last value said of it in the round, moved on by the contributions and payouts since.
Knows no game and no rule: what a step should have been is others' business.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from replay.rounds import UNKNOWN, Array, Fact, Ints, RoundBatch

Bools = npt.NDArray[np.bool_]
OF_METERS = (Fact.METER_STOOD, Fact.PROGRESSIVE_IN, Fact.PROGRESSIVE_OUT, Fact.METER, Fact.METER_RESET)


@dataclass(frozen=True)
class Steps:
    """One entry a step, by round, meter and sequence number."""

    row: Ints
    meter: Array  # batch.names
    seq: Ints
    kind: Array
    seat: Array
    bettor: Array
    by: Array  # of a reset: batch.names
    paid_off: Bools  # a payout came off the meter, and what was remembered of an earlier round may end with one
    amount: Ints
    moved: Ints  # by how much the meter moved with it, as reported; readings and resets move nothing
    said: Ints  # what the meter is said to stand at afterwards, UNKNOWN where that is not said
    before: Ints  # what it stood at, UNKNOWN where nothing before says

    def where(self, mask: Bools | Ints) -> Steps:
        return Steps(**{f.name: getattr(self, f.name)[mask] for f in fields(self)})

    def __len__(self) -> int:
        return len(self.row)

    @property
    def unexplained(self) -> Ints:
        """By how much more it is said to stand at than the step before and this one give; 0 where that is not known.
        A reset sets it: nothing explains by how much but its cause."""
        known = (self.before != UNKNOWN) & (self.said != UNKNOWN)
        return np.where(known, self.said - self.before - self.moved, 0)


def steps_of(batch: RoundBatch) -> Steps:
    facts = batch.facts.of(*OF_METERS)
    order = np.lexsort((facts.kind != Fact.METER_STOOD, facts.seq, facts.choice, facts.row))
    facts = facts.at(order)
    moves = (facts.kind == Fact.PROGRESSIVE_IN) | ((facts.kind == Fact.PROGRESSIVE_OUT) & (facts.other == 1))
    sign = np.where(facts.kind == Fact.PROGRESSIVE_IN, 1, -1)
    moved = np.where(moves, sign * facts.amount, 0).astype(np.int64)
    counted = (facts.kind == Fact.PROGRESSIVE_IN) | (facts.kind == Fact.PROGRESSIVE_OUT)
    said = np.where(counted, facts.taken, facts.amount).astype(np.int64)
    before = _before(facts.row, facts.choice, moved, said)
    paid_off = (facts.kind == Fact.PROGRESSIVE_OUT) & moves | (facts.kind == Fact.METER_STOOD) & (facts.code == 1)
    columns = (facts.choice, facts.seq, facts.kind, facts.seat, facts.bettor, facts.wager, paid_off, facts.amount)
    return Steps(facts.row, *columns, moved, said, before)


def _before(row: Ints, meter: Array, moved: Ints, said: Ints) -> Ints:
    """What each stood at before each step; the steps lie by round and meter, in order."""
    count = len(row)
    if not count:
        return np.empty(0, np.int64)
    at = np.arange(count)
    begins = np.ones(count, bool)
    begins[1:] = (row[1:] != row[:-1]) | (meter[1:] != meter[:-1])
    began = np.maximum.accumulate(np.where(begins, at, 0))
    newest = np.maximum.accumulate(np.where(said != UNKNOWN, at, -1))
    last = np.full(count, -1)
    last[1:] = newest[:-1]  # the last step before this one that says a value
    known = last >= began
    through = np.cumsum(moved)
    since = through - moved - through[np.maximum(last, 0)]
    return np.where(known, said[np.maximum(last, 0)] + since, UNKNOWN)
