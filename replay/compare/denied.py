"""Which reports a reading of the cards says are wrong: what the solver asks of the money."""

from __future__ import annotations

import numpy as np

from replay.cards.solver.evidence import Denied
from replay.cards.solver.faults import SET_FOUL, SET_THREE_AND_FOUR
from replay.compare.envy import envy_paid_beyond
from replay.compare.settlements import settlements_of
from replay.lines import NOT_SEEN_SET, SEEN_IN_THE_RACK, Lines
from replay.rounds import OUTCOME_CODE, Array, Fact, Ints, RoundBatch
from schemas.events import Outcome

_NO_ACTION = OUTCOME_CODE[Outcome.NO_ACTION]
_FOUL_SHARE = {NOT_SEEN_SET: SET_FOUL, SEEN_IN_THE_RACK: SET_THREE_AND_FOUR}


class Denials:
    """The reported settlements and envy bonuses that lines say are wrong, counted by round and named when asked for. In
    the rounds of `by_outcome` who won and who lost is all that counts, and that no more moved; a wager that had no
    action says nothing."""

    def __init__(self, batch: RoundBatch, lines: Lines, by_outcome: Array | None = None) -> None:
        settled = settlements_of(batch, lines)
        due, fine = settled.lines, settled.fine
        if by_outcome is not None:
            alike = (settled.outcome == due.outcome) & (settled.paid <= due.paid) & (settled.taken <= due.taken)
            alike |= settled.outcome == _NO_ACTION
            fine = np.where(by_outcome[due.row], alike, fine)
        wrong = np.flatnonzero(~fine & (settled.count > 0) & (due.open == 0))
        self._settled, self._wrong = settled, wrong[np.argsort(due.row[wrong], kind="stable")]
        envy = batch.facts.of(Fact.ENVY)
        beyond = envy_paid_beyond(lines, envy) if len(envy) else np.empty(0, np.int64)
        self._envy, self._beyond = envy, beyond[np.argsort(envy.row[beyond], kind="stable")]
        self._seqs = settled.facts.seq[settled.match.order].tolist()
        rows = np.arange(len(batch) + 1)
        self._begins = np.searchsorted(due.row[self._wrong], rows)
        self._envy_begins = np.searchsorted(envy.row[self._beyond], rows)
        self.count: Ints = np.diff(self._begins) + np.diff(self._envy_begins)

    def of(self, row: int) -> list[Denied]:
        due, at = self._settled.lines, self._wrong[self._begins[row] : self._begins[row + 1]]
        match, foul = self._settled.match, self._settled.foul_unseen
        columns = (due.seat[at], match.left[at], match.right[at], np.where(foul[at], due.unseen[at], 0))
        found = [
            Denied(seat, tuple(self._seqs[left:right]), _FOUL_SHARE[unseen] if unseen else 0.0)
            for seat, left, right, unseen in zip(*(column.tolist() for column in columns), strict=True)
        ]
        for envy in self._beyond[self._envy_begins[row] : self._envy_begins[row + 1]].tolist():
            found.append(Denied(int(self._envy.other[envy]), (int(self._envy.seq[envy]),)))
        return found
