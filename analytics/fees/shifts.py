"""Drop boxes from count to count: what should be in, what was reported dropped, what was counted, and which rounds
explain a difference.

Nothing is filed of shifts. As with the chips of a tray, one goes from a count to the next: of a table's box, as
`table.counted` reports it; what was not counted yet is shown a gaming day at a time. A shift belongs to the gaming day
of its last round, and is called by that day and its number in it: `2026-11-17 1`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import combinations, pairwise, product

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from analytics.fees.flat import Count
from schemas.clock import time_of

Ints = npt.NDArray[np.int64]

MOST_NAMED = 20
MOST_PAIRED = 200


@dataclass(frozen=True)
class Differing:
    """A round whose reports and rules differ about a box."""

    round_id: str
    due_cents: int
    taken_cents: int
    codes: tuple[str, ...]  # of its findings about fees
    explains: bool = False  # had what was due been dropped and not what was reported, the count would agree: alone, or
    #                         with the others that are marked


@dataclass(frozen=True)
class BoxShift:
    """One box of a table, from one count of it to the next; `counted_cents` is None where none has come yet."""

    table_id: str
    box: str
    name: str  # of the shift
    from_seq: int | None  # the count it begins with; None: the record begins later
    to_seq: int | None
    counted_at: datetime | None
    rounds: int
    due_cents: int
    taken_cents: int
    counted_cents: int | None
    variance_cents: int | None  # counted less taken
    differing: tuple[Differing, ...] = ()


@dataclass(frozen=True)
class Shifts:
    """The shifts of a period, and which one each row of the flat table is of."""

    listed: list[BoxShift]
    names: list[str]
    name_of_row: Ints  # into `names`; one beyond them where the row is of none of these shifts

    def counted(self, table: str | None, name: str | None) -> tuple[int | None, int | None]:
        """What was counted in the boxes of a table, or shift, or all, and what that is beyond what was reported."""
        sums = self._sums.get((table, name))
        return (None, None) if sums is None else sums

    @cached_property
    def _sums(self) -> dict[tuple[str | None, str | None], tuple[int, int]]:
        made: dict[tuple[str | None, str | None], tuple[int, int]] = defaultdict(lambda: (0, 0))
        for shift in self.listed:
            if shift.counted_cents is not None and shift.variance_cents is not None:
                for key in product((shift.table_id, None), (shift.name, None)):
                    counted, variance = made[key]
                    made[key] = counted + shift.counted_cents, variance + shift.variance_cents
        return dict(made)


def shifts_of(
    flat: pa.Table, counts: Sequence[Count], of_day: Callable[[str], bool], all_counts: bool = True
) -> Shifts:
    """Every shift whose last round was on one of these gaming days, by table, box and time. Unless all counts of these
    rounds are there (those of retired events are not), nobody can say since when the first one of a box counts."""
    if not len(flat):
        return Shifts([], [], np.zeros(0, dtype=np.int64))
    rows = _Rows(flat)
    listed: list[BoxShift] = []
    names: dict[str, int] = {}
    name_of_row = np.full(len(flat), -1, dtype=np.int64)
    order = np.lexsort((rows.seq, rows.box, rows.table))
    key = rows.table[order] * (len(rows.boxes) + 1) + rows.box[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    of_box: dict[tuple[str, str], list[Count]] = defaultdict(list)
    for count in counts:
        of_box[count.table_id, count.box].append(count)
    for left, right in zip(starts.tolist(), [*starts[1:].tolist(), len(order)], strict=True):
        own = order[left:right]
        there = sorted(of_box[rows.tables[rows.table[own[0]]], rows.boxes[rows.box[own[0]]]], key=lambda one: one.seq)
        for shift, mine in _of_one_box(rows, own, there, all_counts):
            if of_day(shift.name.partition(" ")[0]):
                listed.append(shift)
                name_of_row[mine] = names.setdefault(shift.name, len(names))
    name_of_row[name_of_row < 0] = len(names)
    return Shifts(sorted(listed, key=lambda one: (one.table_id, one.box, one.name)), list(names), name_of_row)


class _Rows:
    """The columns of the flat table that shifts are made of."""

    def __init__(self, flat: pa.Table) -> None:
        self.table, self.tables = _coded(flat, "table_id")
        self.box, self.boxes = _coded(flat, "box")
        self.day, self.days = _coded(flat, "gaming_day")
        self.code, self.codes = _coded(flat, "codes")
        self.seq, self.due, self.taken = (flat[name].to_numpy() for name in ("seq", "due_cents", "taken_cents"))
        self.round_ids = flat["round_id"]


def _coded(flat: pa.Table, name: str) -> tuple[Ints, list[str]]:
    if not flat[name].num_chunks:
        return np.zeros(0, dtype=np.int64), []
    chunk = flat[name].chunk(0)
    return chunk.indices.to_numpy().astype(np.int64), [str(word or "") for word in chunk.dictionary.to_pylist()]


def _of_one_box(rows: _Rows, own: Ints, counts: Sequence[Count], all_counts: bool) -> Iterator[tuple[BoxShift, Ints]]:
    borders = [0, *np.searchsorted(rows.seq[own], [count.seq for count in counts]).tolist(), len(own)]
    numbers: dict[str, int] = defaultdict(int)
    for number, (left, right) in enumerate(pairwise(borders)):
        before = counts[number - 1] if number else None
        count = counts[number] if number < len(counts) and (number or all_counts) else None
        for mine in [own[left:right]] if count is not None else _by_day(rows, own[left:right]):
            # A box may be counted again though no fee went into it: what it holds then, no report explains.
            if len(mine) or (count is not None and count.counted_cents):
                day = rows.days[rows.day[own[max(right - 1, 0)] if count is not None else mine[-1]]]
                numbers[day] += 1
                yield _shift(rows, own, mine, f"{day} {numbers[day]}", before, count), mine
                before = None


def _by_day(rows: _Rows, own: Ints) -> list[Ints]:
    """What was not counted yet, a gaming day at a time."""
    return np.split(own, np.flatnonzero(np.diff(rows.day[own])) + 1)


def _shift(rows: _Rows, own: Ints, mine: Ints, name: str, before: Count | None, count: Count | None) -> BoxShift:
    due, taken = int(rows.due[mine].sum()), int(rows.taken[mine].sum())
    variance = None if count is None else count.counted_cents - taken
    return BoxShift(
        rows.tables[rows.table[own[0]]],
        rows.boxes[rows.box[own[0]]],
        name,
        None if before is None else before.seq,
        None if count is None else count.seq,
        None if count is None or count.time_us < 0 else time_of(count.time_us),
        len(mine),
        due,
        taken,
        None if count is None else count.counted_cents,
        variance,
        _differing(rows, mine, variance),
    )


def _differing(rows: _Rows, mine: Ints, variance: int | None) -> tuple[Differing, ...]:
    """The rounds in which another sum was reported than was due; those that explain a variance first."""
    off = [
        Differing(
            str(rows.round_ids[at]),
            int(rows.due[at]),
            int(rows.taken[at]),
            tuple(rows.codes[rows.code[at]].split()),
        )
        for at in mine[rows.due[mine] != rows.taken[mine]].tolist()
    ]
    explaining = _explaining(off, variance) if variance else set()
    marked = [replace(one, explains=at in explaining) for at, one in enumerate(off)]
    return tuple(sorted(marked, key=lambda one: not one.explains)[:MOST_NAMED])


def _explaining(off: Sequence[Differing], variance: int) -> set[int]:
    """One round that comes to the variance; else two together."""
    cents = [one.due_cents - one.taken_cents for one in off]
    alone = {at for at, each in enumerate(cents) if each == variance}
    if alone:
        return alone
    pairs = combinations(range(min(len(off), MOST_PAIRED)), 2)
    return {at for one, other in pairs if cents[one] + cents[other] == variance for at in (one, other)}
