"""A posted limit of what is paid in all: wagers that would together be paid more share it.

Rulings.md R-24 has wagers share such a limit in proportion, rounded down to the cent, and the first have what is left
over. Knows no game: whoever asks says which wagers count together.
"""

from __future__ import annotations

import numpy as np

from replay.lines import Cents
from replay.rounds import Ints


def shared_aggregate(due_cents: Cents, group: Ints, limit_cents: int) -> Cents:
    """What wagers are paid that would be paid `due_cents` each, in the order in which they are settled, where no
    `group` of them may be paid more than the limit together: each in proportion to what it would be paid."""
    groups, of = np.unique(group, return_inverse=True)
    total = np.zeros(len(groups), np.int64)
    np.add.at(total, of, due_cents)
    over = total > limit_cents
    if not over[of].any():
        return due_cents
    paid = due_cents.copy()
    for number in np.flatnonzero(over).tolist():
        mine = np.flatnonzero((of == number) & (due_cents > 0))
        parts = np.array([limit_cents * due // int(total[number]) for due in due_cents[mine].tolist()], np.int64)
        parts[0] += limit_cents - int(parts.sum())
        paid[mine] = parts
    return paid
