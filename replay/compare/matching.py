"""Lines beside the reports of them, in columns: which report is about which line, and what it says in all."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from replay.rounds import Array, Ints

_CLOSE = 1024  # a batch has room for three columns of names spread so far


def coded(*columns: tuple[Array, Array]) -> tuple[Ints, Ints]:
    """One number a line and one a report, equal where all these (line column, report column) pairs are equal."""
    line_key = np.zeros(len(columns[0][0]), dtype=np.int64)
    report_key = np.zeros(len(columns[0][1]), dtype=np.int64)
    room = 1
    for line_column, report_column in columns:
        codes, size = _numbered(np.concatenate([line_column, report_column], dtype=np.int64))
        room *= size
        assert room < 2**62, "a batch this mixed must be cut smaller"
        line_key = line_key * size + codes[: len(line_key)]
        report_key = report_key * size + codes[len(line_key) :]
    return line_key, report_key


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


@dataclass(frozen=True)
class Match:
    order: Ints  # reports in key order
    left: Ints  # a line's reports are order[left:right]
    right: Ints
    lonely: Ints  # reports that no line expects

    def reports(self, line: int) -> Ints:
        return self.order[self.left[line] : self.right[line]]

    def sums(self, amounts: Ints) -> Ints:
        total = np.zeros(len(amounts) + 1, dtype=np.int64)
        np.cumsum(amounts[self.order], out=total[1:])
        sums: Ints = total[self.right] - total[self.left]
        return sums


def match_reports(line_key: Ints, report_key: Ints) -> Match:
    order = np.argsort(report_key, kind="stable")
    ordered = report_key[order]
    left = np.searchsorted(ordered, line_key, side="left")
    right = np.searchsorted(ordered, line_key, side="right")
    # A report is expected where more lines' reports have begun than ended.
    begun, ended = (np.bincount(at, minlength=len(order) + 1)[:-1] for at in (left, right))
    lonely = np.sort(order[np.cumsum(begun - ended) == 0])
    return Match(order, left, right, lonely)


def shared(match: Match, amounts: Ints, due: Ints) -> Ints:
    """What was reported a line; where reports do not tell lines apart, each gets what is due to it as long as there is
    enough, and the first the rest."""
    sums = match.sums(amounts)
    same: dict[int, list[int]] = defaultdict(list)
    reported = np.flatnonzero(match.right > match.left)
    if len(np.unique(match.left[reported])) == len(reported):
        return sums
    for at in reported.tolist():
        same[int(match.left[at])].append(at)
    for first, *others in same.values():
        left = int(sums[first])
        for at in others:
            sums[at] = min(int(due[at]), max(left - int(due[first]), 0))
            left -= int(sums[at])
        sums[first] = left
    return sums
