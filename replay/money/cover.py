"""The player-dealer's cover: what is won and lost uses up the posted wager, bet by bet (rulings.md R-28, R-39).

"Bets are collected and paid only to the extent the Designated Player's money is in action" (CA, Double Hand Poker,
Method of play): a win and a loss use it up alike. In columns: one row per line (a wager or an envy bonus), which round
it is of and what would be paid and taken with no limit; and in which order the lines are settled. What a line is called
that nothing is left for, and by which rule, is the caller's to say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.citations import rule
from replay.lines import Cents
from replay.rounds import UNKNOWN, Ints

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Asked:
    """What each round asks of the posted wager."""

    moves: Cents  # everything that would be paid and taken
    runs_out: Bools  # and the posted wager does not cover it


@dataclass(frozen=True)
class Covered:
    """What is left of each line."""

    paid: Cents
    taken: Cents
    in_part: Bools  # less than would have moved, if anything
    no_action: Bools  # something would have moved, and nothing does


def asked(row: Ints, paid: Cents, taken: Cents, posted: Cents) -> Asked:
    """`posted` is what each round's player-dealer posted, UNKNOWN where no device saw it: then nothing limits it."""
    moves = np.zeros(len(posted), dtype=np.int64)
    np.add.at(moves, row, paid + taken)
    return Asked(moves, (posted != UNKNOWN) & (moves > posted))


def cover(row: Ints, paid: Cents, taken: Cents, order: Ints, posted: Cents) -> Covered:
    """What is paid and taken of each line. `order` has the lines the cover is used up by, as indices, those of a round
    next to each other in the order they are settled; the others are left as they are."""
    of, moves = row[order], (paid + taken)[order]
    gets = covered(moves, _used_before(of, moves), posted[of])
    left_paid, left_taken = paid.copy(), taken.copy()
    left_paid[order] = np.where(paid[order] > 0, gets, 0)
    left_taken[order] = np.where(taken[order] > 0, gets, 0)
    in_part, no_action = np.zeros(len(row), dtype=bool), np.zeros(len(row), dtype=bool)
    in_part[order] = gets < moves
    no_action[order] = (gets == 0) & (moves > 0)
    used = np.zeros(len(posted), dtype=np.int64)
    np.add.at(used, of, gets)
    assert (used[of] <= posted[of]).all(), "a player-dealer won or lost more than was posted"
    return Covered(left_paid, left_taken, in_part, no_action)


@rule("rulings.md", "R-39", "A losing bet uses min(stake, left), a winning one min(payout, left)")
def covered(moves: Cents, moved_before: Cents, posted: Cents) -> Cents:
    """How much of each bet the posted wager still covers, once those before it used it up by wins and losses alike."""
    gets: Cents = np.clip(posted - moved_before, 0, moves)
    return gets


def _used_before(row: Ints, moves: Cents) -> Cents:
    """What was asked of the cover in the same round before each line; the lines of a round lie next to each other."""
    before = np.cumsum(moves) - moves
    begins = np.ones(len(row), dtype=bool)
    begins[1:] = row[1:] != row[:-1]
    gone: Cents = before - before[np.flatnonzero(begins)][np.cumsum(begins) - 1] if len(row) else before
    return gone
