"""Rows of two tables that are about the same: one key for the columns in which they agree."""

from __future__ import annotations

import numpy as np

from replay.rounds import Array, Ints

_CLOSE = 1024  # a batch has room for three columns of names spread so far


def coded(*columns: tuple[Array, Array]) -> tuple[Ints, Ints]:
    """One number a row of either table, equal where all these pairs of columns are equal."""
    ones, others = (np.zeros(len(column), dtype=np.int64) for column in columns[0])
    room = 1
    for one, other in columns:
        codes, size = _numbered(np.concatenate([one, other], dtype=np.int64))
        room *= size
        assert room < 2**62, "a batch this mixed must be cut smaller"
        ones = ones * size + codes[: len(ones)]
        others = others * size + codes[len(ones) :]
    return ones, others


def last_of(asked: Ints, keys: Ints, values: Ints, absent: int) -> Ints:
    """For each key that is asked for, the last of the values under it; `absent` where there is none."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    at = np.searchsorted(ordered, asked, side="right") - 1
    found = at >= 0
    found[found] = ordered[at[found]] == asked[found]
    last = np.full(len(asked), absent, dtype=np.int64)
    last[found] = values[order[at[found]]]
    return last


def _numbered(values: Ints) -> tuple[Ints, int]:
    """The values as numbers below a size, which is given too: counted from the least where they lie close together, for
    sorting them costs more than all the rest."""
    if not len(values):
        return values, 1
    least = int(values.min())
    span = int(values.max()) - least + 1
    if span <= _CLOSE:
        return values - least, span
    different, codes = np.unique(values, return_inverse=True)
    return codes, len(different)
