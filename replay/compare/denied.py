"""Which reports a reading of the cards says are wrong: what the solver asks of the money."""

from __future__ import annotations

import numpy as np

from replay.cards.solver.evidence import Denied
from replay.cards.solver.faults import SET_FOUL, SET_THREE_AND_FOUR
from replay.compare.envy import envy_paid_beyond
from replay.compare.settlements import settlements_of
from replay.lines import NOT_SEEN_SET, SEEN_IN_THE_RACK, Lines
from replay.rounds import OUTCOME_CODE, Array, Fact, RoundBatch
from schemas.events import Outcome

_NO_ACTION = OUTCOME_CODE[Outcome.NO_ACTION]
_FOUL_SHARE = {NOT_SEEN_SET: SET_FOUL, SEEN_IN_THE_RACK: SET_THREE_AND_FOUR}


def denied_by(batch: RoundBatch, lines: Lines, by_outcome: Array | None = None) -> list[list[Denied]]:
    """The reported settlements and envy bonuses that these lines say are wrong, by round. In the rounds of `by_outcome`
    who won and who lost is all that counts, and that no more moved; a wager that had no action says nothing."""
    settled = settlements_of(batch, lines)
    due, fine = settled.lines, settled.fine
    if by_outcome is not None:
        alike = (settled.outcome == due.outcome) & (settled.paid <= due.paid) & (settled.taken <= due.taken)
        alike |= settled.outcome == _NO_ACTION
        fine = np.where(by_outcome[due.row], alike, fine)
    denied: list[list[Denied]] = [[] for _ in range(len(batch))]
    wrong = np.flatnonzero(~fine & (settled.count > 0) & (due.open == 0))
    columns = (due.row, due.seat, due.unseen, settled.foul_unseen)
    of_wrong = zip(*(column[wrong].tolist() for column in columns), settled.seqs_of(wrong), strict=True)
    for row, seat, unseen, foul, seqs in of_wrong:
        denied[row].append(Denied(seat, seqs, _FOUL_SHARE[unseen] if foul else 0.0))
    envy = batch.facts.of(Fact.ENVY)
    if len(envy):
        for at in envy_paid_beyond(lines, envy).tolist():
            denied[int(envy.row[at])].append(Denied(int(envy.other[at]), (int(envy.seq[at]),)))
    return denied
