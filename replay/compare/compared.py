"""What a comparison comes to: remarks, rounds left open, and what was reported of each line."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from replay.lines import Lines
from replay.remarks import Remark
from replay.rounds import Array, Ints, RoundBatch


@dataclass(frozen=True)
class Compared:
    """The outcome of a comparison. Each subject (settlements, envy, fees ...) fills in its own lines."""

    remarks: list[Remark]
    undecided: dict[int, str]  # row → which wager the evidence leaves open
    denied: npt.NDArray[np.bool_]  # per round: a wager was settled, or envy paid, otherwise than its hands give
    # one entry per line
    agrees: npt.NDArray[np.bool_]
    reported: npt.NDArray[np.int64]  # how many reports matched the line
    reported_outcome: Array
    reported_paid: Ints
    reported_taken: Ints
    reported_vigorish: Ints
    expected_paid: Ints  # where several sums are possible: the one reported, or the nearest to it
    expected_taken: Ints
    expected_vigorish: Ints

    @classmethod
    def unreported(cls, batch: RoundBatch, lines: Lines) -> Compared:
        """Before any report is looked at: each line as it should be."""
        size = len(lines)
        return cls(
            [],
            {},
            np.zeros(len(batch), dtype=bool),
            agrees=np.ones(size, dtype=bool),
            reported=np.zeros(size, dtype=np.int64),
            reported_outcome=np.zeros(size, dtype=np.uint8),
            reported_paid=np.zeros(size, dtype=np.int64),
            reported_taken=np.zeros(size, dtype=np.int64),
            reported_vigorish=np.zeros(size, dtype=np.int64),
            expected_paid=lines.paid.astype(np.int64),
            expected_taken=lines.taken.astype(np.int64),
            expected_vigorish=np.zeros(size, dtype=np.int64),
        )

    def of_lines(self, kept: Array) -> Compared:
        """Without what is said of the lines that are not kept."""
        return replace(
            self,
            agrees=self.agrees[kept],
            reported=self.reported[kept],
            reported_outcome=self.reported_outcome[kept],
            reported_paid=self.reported_paid[kept],
            reported_taken=self.reported_taken[kept],
            reported_vigorish=self.reported_vigorish[kept],
            expected_paid=self.expected_paid[kept],
            expected_taken=self.expected_taken[kept],
            expected_vigorish=self.expected_vigorish[kept],
        )

    def sums(self, line: int) -> Sums:
        """What should have moved on this line, and what was reported to move."""
        return Sums(
            int(self.expected_paid[line]),
            int(self.expected_taken[line]),
            int(self.expected_vigorish[line]),
            int(self.reported_paid[line]),
            int(self.reported_taken[line]),
            int(self.reported_vigorish[line]),
        )


@dataclass(frozen=True)
class Sums:
    """What should have moved and what was reported to move on one wager."""

    due_paid: int
    due_taken: int
    due_vigorish: int
    paid: int
    taken: int
    vigorish: int

    @property
    def due(self) -> int:
        return self.due_paid - self.due_taken - self.due_vigorish

    @property
    def net(self) -> int:
        return self.paid - self.taken - self.vigorish

    @property
    def gross_difference(self) -> int:
        return self.paid - self.taken - self.due_paid + self.due_taken
