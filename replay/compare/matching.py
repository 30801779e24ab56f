"""Lines beside the reports of them, by their keys: which report is about which line, and what it says in all."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from replay.rounds import Ints


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
