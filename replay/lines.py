"""What should have happened, in columns: one line for every wager, envy bonus, fee and step of a progressive meter,
with what it rests on.

A pack's family makes lines from the cards and the wagers; what was reported it never looks at (`replay.compare` does).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.rounds import OUTCOME_CODE, Array
from schemas.events import Outcome

Cents = npt.NDArray[np.int64]

NOT_SEEN_SET, SEEN_IN_THE_RACK = 1, 2
"""Nobody saw how the hand was set, so it may have been set foul in any way; or only the order of the rack tells, which
cannot show that it was set as three cards and four (rulings.md R-51)."""

LINE_COLUMNS: dict[str, type[np.generic]] = {
    "row": np.int64,
    "kind": np.uint8,  # Fact.SETTLED, ENVY, COLLECTION, POT, PROGRESSIVE_IN or PROGRESSIVE_OUT
    "seat": np.int8,
    "bettor": np.int32,  # batch.names
    "wager": np.int32,  # batch.names
    "choice": np.int32,  # batch.names; for a fee the drop box, for a step of a meter its name, for a pot its part
    "hand": np.int8,  # which of a seat's hands; for a pot its number
    "payer": np.uint8,  # of a fee: rounds.PAYER_CODE
    "for_seat": np.int8,  # of an envy bonus: whose hand
    "outcome": np.uint8,  # rounds.OUTCOME_CODE
    "possible": np.uint8,  # bit set of the outcomes the evidence allows; one bit when it is certain
    "by_reports": np.uint8,  # 1 where it comes to the same whatever the cards were (surrendered, void, not offered)
    "open": np.uint8,  # 1 where nothing read says what it comes to: any of its `ways` may be right
    "ways": np.int32,  # index into Lines.ways: what it can come to whatever the cards
    "covered": np.uint8,  # 1 where what was posted covers all of its `ways`, which then none comes short of
    "envy": np.uint8,  # 1 where a wager earns envy bonuses
    "unseen": np.uint8,  # how far a foul would have gone unseen: NOT_SEEN_SET, SEEN_IN_THE_RACK or 0
    "stake": np.int64,
    "paid": np.int64,  # by the outcome; for a fee or an envy bonus the amount due
    "taken": np.int64,
    "vigorish": np.uint8,  # 1 where a win on this line owes vigorish
    "code": np.int16,  # index into Lines.causes: what a difference is filed under, 0 = USUAL
    "cite": np.int16,  # index into Lines.cites
    "earliest": np.int64,  # of a fee: taken after this event (seq), -1 no limit
    "latest": np.int64,  # of a fee: taken before this event (seq), -1 no limit
    "stands": np.int64,  # of a fee: the event (seq) from which on the wagers it is counted on stand, -1 not known
}


class Applies(Enum):
    """When a difference is filed under the cause that its family knows."""

    ALWAYS = auto()
    UNLESS_TAKEN = auto()  # a wager that was taken was lost for that very cause: only the amount is wrong
    BEYOND_COVER = auto()  # where more moved than the line says, and in all more than the player-dealer had posted


@dataclass(frozen=True)
class Cause:
    """Why a wager may have been settled otherwise than its line says, and the finding code that stands for it."""

    code: str
    applies: Applies = Applies.ALWAYS


USUAL = Cause("")  # none is known: the comparison says whether the amount or the outcome is wrong


class Way(NamedTuple):
    """One thing a wager may come to."""

    outcome: int  # rounds.OUTCOME_CODE
    paid: int
    taken: int


@dataclass(frozen=True)
class Ways:
    """Everything a wager or an envy bonus can come to, whatever the cards are."""

    each: tuple[Way, ...] = ()
    or_less: bool = False  # cover may run out before it
    anything: bool = False  # no rule says

    def nearest(self, paid: int, taken: int) -> tuple[int, int]:
        """Of what it can come to, the sums paid and taken that are nearest to these."""
        if self.anything:
            return paid, taken
        sums = {(way.paid, way.taken) for way in self.each}
        if self.or_less:
            sums = {(min(paid, most), 0) if most else (0, min(taken, lost)) for most, lost in sums}
        return min(sorted(sums), key=lambda sum_: (abs(sum_[0] - sum_[1] - paid + taken), sum_ != (paid, taken)))

    def of_outcomes(self, possible: int) -> Ways:
        """Of these, the ways with one of these outcomes (a bit set, as in the `possible` column)."""
        if self.anything:
            return self
        kept = tuple(way for way in self.each if possible >> way.outcome & 1)
        if not kept:
            raise ValueError(f"a wager that may come to several things does not say what they pay: {self}")
        return Ways(kept, self.or_less)

    def on_both_sides(self, paid: int, taken: int) -> bool:
        """Whether it can come to more for whoever bet than these sums, and to less."""
        nets = [way.paid - way.taken for way in self.each] + [0] * self.or_less
        return self.anything or min(nets, default=0) < paid - taken < max(nets, default=0)

    def allows(self, paid: int, taken: int) -> bool:
        return self.nearest(paid, taken) == (paid, taken)


NOT_SAID = Ways()
ANYTHING = Ways(anything=True)


@dataclass(frozen=True)
class Lines:
    """What should have happened: one row a wager, envy bonus or fee. Columns as LINE_COLUMNS says."""

    columns: dict[str, Array]
    cites: tuple[Citation, ...]
    causes: tuple[Cause, ...] = (USUAL,)
    ways: tuple[Ways, ...] = (NOT_SAID,)

    def __getattr__(self, name: str) -> Array:
        try:
            return self.columns[name]
        except KeyError:
            raise AttributeError(name) from None

    def __len__(self) -> int:
        return len(self.columns["row"])

    def where(self, mask: Array) -> Lines:
        """The lines for which this is true, or those at these positions."""
        index = np.flatnonzero(mask) if mask.dtype == bool else mask
        columns = {name: column.take(index) for name, column in self.columns.items()}
        return Lines(columns, self.cites, self.causes, self.ways)

    def of_rows(self, rows: Array) -> Lines:
        """The same lines in a batch in which their rounds stand elsewhere: in `rows`."""
        return replace(self, columns={**self.columns, "row": rows[self.columns["row"]]})

    def with_ways(self, ways: Sequence[Ways], index: Array) -> Lines:
        """The same, with what each can come to: `index` is into `ways`."""
        return replace(self, columns={**self.columns, "ways": index.astype(np.int32)}, ways=tuple(ways))

    def ways_of(self, line: int) -> Ways:
        return self.ways[int(self.columns["ways"][line])]

    def up_to(self, mask: Array) -> Lines:
        """The same, but that cover may run out before these lines: they can come to less than their ways say."""
        if not mask.any():
            return self
        which = self.columns["ways"].copy()
        concerned, number = np.unique(which[mask], return_inverse=True)
        which[mask] = len(self.ways) + number
        less = (replace(self.ways[one], or_less=True) for one in concerned.tolist())
        return replace(self, columns={**self.columns, "ways": which}, ways=(*self.ways, *less))

    def opened(self, mask: Array) -> Lines:
        """The same, but that nothing says what these lines come to."""
        undecided = {"open": 1, "paid": 0, "taken": 0, "code": 0, "possible": ANY_OUTCOME}
        columns = {
            name: np.where(mask, undecided[name], column).astype(column.dtype) if name in undecided else column
            for name, column in self.columns.items()
        }
        return Lines(columns, self.cites, self.causes, self.ways)


def make_lines(count: int, cites: Sequence[Citation], causes: Sequence[Cause] = (USUAL,), **columns: Any) -> Lines:
    """Lines with these columns (arrays or single values); the ones not named are zero, limits -1."""
    made: dict[str, Array] = {}
    for name, dtype in LINE_COLUMNS.items():
        default = -1 if name in ("earliest", "latest", "stands") else 0
        made[name] = np.full(count, columns.pop(name, default), dtype=dtype)
    if columns:
        raise TypeError(f"lines have no column {', '.join(columns)}")
    return Lines(made, tuple(cites), tuple(causes))


def join_lines(parts: Sequence[Lines]) -> Lines:
    """Several sets of lines as one, citations and codes renumbered."""
    cites: dict[Citation, int] = {}
    causes: dict[Cause, int] = {USUAL: 0}
    ways: list[Ways] = []
    columns: dict[str, list[Array]] = {name: [] for name in LINE_COLUMNS}
    for part in parts:
        cause_map = np.array([causes.setdefault(cause, len(causes)) for cause in part.causes], dtype=np.int16)
        cited = [cites.setdefault(citation, len(cites)) for citation in part.cites]
        cite_map = np.array(cited or [0], dtype=np.int16)
        for name in LINE_COLUMNS:
            column = part.columns[name]
            if name == "code":
                column = cause_map[column]
            elif name == "cite":
                column = cite_map[column]
            elif name == "ways":
                column = column + np.int32(len(ways))
            columns[name].append(column)
        ways += part.ways
    joined = {
        name: np.concatenate(parts_of) if parts_of else np.empty(0, dtype=LINE_COLUMNS[name])
        for name, parts_of in columns.items()
    }
    return Lines(joined, tuple(cites), tuple(causes), tuple(ways) or (NOT_SAID,))


def same_money(one: Lines, other: Lines) -> bool:
    """Whether two readings of the same wagers come to the same money."""
    return money_of(one) == money_of(other)


def money_of(lines: Lines) -> tuple[tuple[int, ...], ...]:
    """Everything these lines move, the same for lines that come to the same money in whatever order they stand."""
    columns = ("kind", "seat", "bettor", "wager", "choice", "hand", "payer", "for_seat", "possible", "paid", "taken")
    return tuple(sorted(zip(*(lines.columns[name].tolist() for name in columns), strict=True)))


ANY_OUTCOME = sum(
    1 << OUTCOME_CODE[outcome] for outcome in (Outcome.WIN, Outcome.LOSE, Outcome.PUSH, Outcome.NO_ACTION)
)


def possible(*outcomes: Outcome) -> int:
    """The bit set of these outcomes, for the `possible` column."""
    bits = 0
    for outcome in outcomes:
        bits |= 1 << OUTCOME_CODE[outcome]
    return bits
