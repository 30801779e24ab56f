"""In which order the wagers of a round are settled round a table with an action button (rulings.md R-39, R-40, R-45).

Group by group, where a game settles one kind of wager round the whole table before the next; each group clockwise from
the button; at a seat the seated player and then the backline bettors, in the order in which each first bet there.
"""

from __future__ import annotations

import numpy as np

from replay.rounds import Array, Ints
from schemas.places import Numbering, Ring


def settlement_order(
    row: Ints,
    seat: Array,
    bettor: Array,
    placed_seq: Ints,
    group: Array,
    kind: Array,
    button: Ints,
    ring: Ring,
    hand: Array | None = None,
) -> Ints:
    """Indices of these wagers in the order they are settled, round by round. `group` is in which turn round the table
    each is settled, and `kind` which of one bettor's comes first; `button` is the seat, one per round. Where a seat may
    have several hands, `hand` says whose each wager is: one hand is settled after the other."""
    at = seat.astype(np.int64)
    # A seat the table does not have comes after those it has.
    on = 1 if ring.numbering is Numbering.CLOCKWISE else -1
    clockwise = np.where(at <= ring.seats, on * (at - button[row]) % ring.seats, ring.seats + at)
    turn = first_bets(row, seat, bettor, placed_seq)
    number = np.zeros(len(row), np.int64) if hand is None else hand
    order: Ints = np.lexsort((kind, turn, bettor != 0, number, clockwise, group, row))
    return order


def first_bets(row: Ints, seat: Array, bettor: Array, placed_seq: Ints) -> Ints:
    """For each wager, when its bettor first bet at that seat in that round."""
    order = np.lexsort((placed_seq, bettor, seat, row))
    changes = np.ones(len(order), dtype=bool)
    who = [column[order] for column in (bettor, seat, row)]
    changes[1:] = np.any([column[1:] != column[:-1] for column in who], axis=0)
    first = np.empty(len(order), dtype=np.int64)
    first[order] = placed_seq[order][np.flatnonzero(changes)][np.cumsum(changes) - 1]
    return first
