"""Sparse tables folded small: a few thousand keys, millions apart, in a table hardly longer than they are many.

The sums of keys of seven cards (`replay.ranking.keys`) are 67,600 numbers below 15 million. A table by the sum itself
is 60 MB, in which every look-up waits for memory. So the line of numbers is cut into rows of 512, and the rows are laid
over one another, each moved along until its entries fall between those already there. What is kept of a row is how far
it was moved, its *offset*:

    place = offset[key >> 9] + (key & 511)

First fit, the fullest row first: R. E. Tarjan and A. C. Yao, "Storing a sparse table", Communications of the ACM 22
(1979), 606-611. A key that was not folded is led to the entry of another or to none, and nothing tells: *fold every key
that may be asked for*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_ROW_BITS = 9  # of 8 to 11, the least memory for two or three tables of seven cards; none is faster
_COLUMN_MASK = (1 << _ROW_BITS) - 1
_WINDOW = 1 << 12  # places tried at a time

Keys = NDArray[np.int64]


@dataclass(frozen=True)
class Folding:
    """How some keys were folded: the place of each, 0 to `size` - 1, is its own."""

    offsets: Keys  # by row; negative where the row's first entry is far along it
    size: int

    def places(self, keys: Keys) -> Keys:
        """Where a key's value is in a table of `size` places. Keys that were folded have different places."""
        place = self.offsets.take(keys >> _ROW_BITS, mode="clip")
        place += keys & _COLUMN_MASK
        return place


def fold(keys: Keys) -> Folding:
    """A folding of these keys, all of them different and none negative."""
    in_order = np.sort(keys)
    if (in_order[1:] == in_order[:-1]).any():
        raise ValueError(f"{len(keys)} keys to fold, and only {len(np.unique(keys))} are different")
    rows, starts, counts = np.unique(in_order >> _ROW_BITS, return_index=True, return_counts=True)
    offsets = np.zeros(int(rows[-1]) + 1, np.int64)
    # Above the last entry a row always fits, so each makes the table at most one row longer.
    taken = np.zeros(len(rows) * (_COLUMN_MASK + 1) + _WINDOW, bool)
    first_free = size = 0
    for number in np.argsort(-counts, kind="stable").tolist():
        row = in_order[starts[number] : starts[number] + counts[number]]
        entries = row - row[0]
        place = _first_fit(taken, entries.tolist(), first_free)
        offsets[rows[number]] = place - (row[0] & _COLUMN_MASK)
        taken[entries + place] = True
        size = max(size, place + int(entries[-1]) + 1)
        while taken[first_free]:
            first_free += 1
    return Folding(offsets, size)


def _first_fit(taken: NDArray[np.bool_], entries: list[int], place: int) -> int:
    """The first place from `place` on at which every entry of a row falls on one that is free."""
    while True:
        blocked = np.logical_or.reduce([taken[place + entry : place + entry + _WINDOW] for entry in entries])
        if not blocked.all():
            return place + int(blocked.argmin())
        place += _WINDOW
