"""Wagers beside the reports of how they were settled, in columns: what fits, what does not, what is left open."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from replay.compare.compared import Compared
from replay.compare.matching import Match, match_reports
from replay.keys import coded
from replay.lines import Lines, Ways
from replay.rounds import OUTCOME_CODE, Array, Fact, Facts, Ints, RoundBatch
from schemas.events import Outcome

_LOSE = OUTCOME_CODE[Outcome.LOSE]
_VOID_BIT = 1 << OUTCOME_CODE[Outcome.VOID]
_NO_ACTION_BIT = 1 << OUTCOME_CODE[Outcome.NO_ACTION]


@dataclass(frozen=True)
class Settlements:
    """Lines of wagers beside the reports of them, an entry per line."""

    lines: Lines
    facts: Facts  # the reports
    at: Ints  # where each stands among all lines of the batch
    match: Match
    count: Ints  # how many reports a line has
    paid: Ints
    taken: Ints
    outcome: npt.NDArray[np.uint8]  # as last reported
    several: Array  # nobody saw the split, and the outcome depends on it
    fine: Array  # what was reported is what should have happened, or may have
    foul_unseen: Array  # it is not, but a foul that nobody would have seen explains it: the wager was taken
    expected_paid: Ints
    expected_taken: Ints

    @property
    def wrong(self) -> Ints:
        """Lines settled otherwise than they can have come to, or never."""
        return np.flatnonzero(~(self.fine | self.foul_unseen))

    def seqs(self, line: int) -> tuple[int, ...]:
        """The events that report this one."""
        return tuple(self.facts.seq[self.match.reports(line)].tolist())


def settlements_of(batch: RoundBatch, every_line: Lines) -> Settlements:
    facts, at = batch.facts.of(Fact.SETTLED), np.flatnonzero(every_line.kind == Fact.SETTLED)
    lines = every_line.where(at)
    match = match_reports(
        *coded(
            (lines.row, facts.row),
            (lines.seat, facts.seat),
            (lines.hand, facts.hand),
            (lines.wager, facts.wager),
            (lines.bettor, facts.bettor),
            (lines.choice, facts.choice),
        )
    )
    count = match.right - match.left
    paid, taken = match.sums(facts.amount), match.sums(facts.taken)
    last = match.order[np.maximum(match.right - 1, 0)] if len(facts) else np.zeros(len(lines), dtype=np.int64)
    outcome = np.where(count > 0, facts.code[last] if len(facts) else 0, 0).astype(np.uint8)
    open_ended = (lines.possible & (lines.possible - 1)) != 0
    void = (lines.possible & _VOID_BIT) != 0
    several = open_ended & ~void & (lines.open == 0)
    expected_paid, expected_taken = lines.paid.astype(np.int64), lines.taken.astype(np.int64)
    fine = (count > 0) & (paid == expected_paid) & (taken == expected_taken)
    _judge_by_report(lines, np.flatnonzero(several), paid, taken, count, expected_paid, expected_taken, fine)
    for line in np.flatnonzero(lines.open == 1).tolist():  # any of its ways may be right
        expected_paid[line], expected_taken[line] = lines.ways_of(line).nearest(int(paid[line]), int(taken[line]))
        if not count[line]:  # never settled: what it should have come to nothing says
            expected_paid[line] = expected_taken[line] = 0
        fine[line] = bool(count[line]) and expected_paid[line] == paid[line] and expected_taken[line] == taken[line]
    fine |= void & (count == 0)  # chips of a void round go back, reported or not
    fine |= (count == 0) & _need_not_be_said(lines)
    foul_unseen = (lines.unseen > 0) & ~fine & (count > 0) & ~void
    lost = (outcome == _LOSE) & (paid == 0) & (taken > 0)
    foul_unseen = _foul_explains(lines, foul_unseen & lost, taken)
    foul_unseen &= ~_beside_one_that_is_not_lost(lines, foul_unseen, (lines.unseen > 0) & (count > 0) & ~lost & ~void)
    expected_paid = np.where(foul_unseen, paid, expected_paid)  # as it may have been: nothing is held against anybody
    expected_taken = np.where(foul_unseen, taken, expected_taken)
    return Settlements(
        lines, facts, at, match, count, paid, taken, outcome, several, fine, foul_unseen, expected_paid, expected_taken
    )


def _need_not_be_said(lines: Lines) -> Array:
    """Lines without a stake of their own that may come to nothing: then nothing moves, and no device says so."""
    nothing: Array = ((lines.possible & _NO_ACTION_BIT) != 0) & (lines.stake == 0)
    return nothing


def _judge_by_report(
    lines: Lines,
    which: Ints,
    paid: Ints,
    taken: Ints,
    count: Ints,
    expected_paid: Ints,
    expected_taken: Ints,
    fine: Array,
) -> None:
    """Lines of which nobody saw how the hand was split, so that several outcomes are possible, whatever the odds: what
    was reported may be what one of them comes to, and is held against the nearest of them if it is not."""
    if not len(which):
        return
    columns = (lines.columns["ways"], lines.possible, paid, taken, count > 0)
    alike, of = np.unique(np.stack([column[which].astype(np.int64) for column in columns]), axis=1, return_inverse=True)
    judged = np.array([_nearest(lines.ways[way], *report) for way, *report in alike.T.tolist()], np.int64)
    expected_paid[which], expected_taken[which], fine[which] = judged[of.reshape(-1)].T


def _nearest(ways: Ways, possible: int, paid: int, taken: int, reported: int) -> tuple[int, int, bool]:
    """(paid, taken, is that what was reported) of what these outcomes come to that is nearest to the report."""
    if not reported:
        return 0, 0, False
    nearest = ways.of_outcomes(possible).nearest(paid, taken)
    return *nearest, nearest == (paid, taken)


def _beside_one_that_is_not_lost(lines: Lines, which: Array, not_lost: Array) -> Array:
    """Of these wagers those beside which another on the same hand was not taken: a foul loses every wager that rests on
    how the hand was set."""
    found = np.zeros(len(which), bool)
    if not (which.any() and not_lost.any()):
        return found
    hands = [column.tolist() for column in (lines.row, lines.seat, lines.hand)]
    near = np.flatnonzero(not_lost & np.isin(lines.row, lines.row[which])).tolist()
    kept = {tuple(column[at] for column in hands) for at in near}
    for at in np.flatnonzero(which).tolist():
        found[at] = tuple(column[at] for column in hands) in kept
    return found


def _foul_explains(lines: Lines, which: Array, taken: Ints) -> Array:
    """Of these wagers, that were taken, those of which as much was taken as a wager that is lost comes to."""
    explains = which.copy()
    for line in np.flatnonzero(which).tolist():
        explains[line] = lines.ways_of(line).of_outcomes(1 << _LOSE).allows(0, int(taken[line]))
    return explains


def compare_settlements(batch: RoundBatch, every_line: Lines, compared: Compared) -> Settlements:
    """The wagers among the lines, beside their reports; what they say is entered in `compared`."""
    settled = settlements_of(batch, every_line)
    lines, at = settled.lines, settled.at
    denied = ~(settled.fine | settled.foul_unseen) & (settled.count > 0) & (lines.open == 0)
    compared.denied[lines.row[denied & _some_hands_give_it(batch, settled)]] = True
    compared.reported[at] = settled.count
    compared.reported_outcome[at] = settled.outcome
    compared.reported_paid[at] = settled.paid
    compared.reported_taken[at] = settled.taken
    compared.expected_paid[at] = settled.expected_paid
    compared.expected_taken[at] = settled.expected_taken
    compared.agrees[at] = settled.fine
    for line in np.flatnonzero(settled.foul_unseen).tolist():
        why = f"seat {int(lines.seat[line])} may have set a foul hand, and nobody showed it"
        compared.undecided[int(lines.row[line])] = why
    for line in np.flatnonzero(settled.several & settled.fine).tolist():
        why = f"the split of seat {int(lines.seat[line])} was not seen and the money depends on it"
        compared.undecided.setdefault(int(lines.row[line]), why)
    return settled


def _some_hands_give_it(batch: RoundBatch, settled: Settlements) -> Array:
    """Lines settled for a sum that the wager can come to with other hands. Of a sum that no hands give, no order of the
    rack is the reason, and none is looked for."""
    lines, may = settled.lines, np.ones(len(settled.lines), dtype=bool)
    used_up = _cover_used_up(batch, settled)
    for line in np.flatnonzero(~settled.fine & (settled.count > 0)).tolist():
        ways = lines.ways_of(line)
        if ways.or_less and (lines.covered[line] or not used_up[lines.row[line]]):
            ways = replace(ways, or_less=False)
        may[line] = not ways.each or ways.allows(int(settled.paid[line]), int(settled.taken[line]))
    return may


def _cover_used_up(batch: RoundBatch, settled: Settlements) -> Array:
    """(n,) rounds in which a wager may have been covered in part: all that was posted moved, or it is not reported of
    every wager what moved."""
    moved = np.zeros(len(batch), np.int64)
    np.add.at(moved, settled.facts.row, settled.facts.amount + settled.facts.taken)
    used_up: Array = moved == batch.bank_posted_cents
    used_up[settled.lines.row[settled.count == 0]] = True
    return used_up
