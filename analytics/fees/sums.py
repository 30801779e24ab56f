"""What the collection fees of a day or a month come to: due, taken, differing, counted, by whatever is asked for.

Speaks of the version of each round that stands: the newest that is attested, or the newest where none is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from analytics.fees.flat import FLAT, Count, flat_segment
from analytics.fees.shifts import BoxShift, Shifts, shifts_of
from replay.filing import PackError, filing_of
from replay.rounds import RoundFlag

BY = ("table", "dealer", "shift", "schedule")
_OPEN = ("cannot_tell", "cannot_judge")
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Sums:
    """What the fees of one group come to."""

    table: str | None
    dealer: str | None
    shift: str | None
    schedule: str | None
    rounds: int  # in which a fee was due or taken
    fees: int  # due
    due_cents: int
    taken_cents: int  # reported dropped, less what was given back
    difference_cents: int  # taken less due
    differing: int  # rounds with a finding about fees
    unsure: int  # rounds left open: what was due there is not certain
    counted_cents: int | None  # in the boxes; None where they are not counted by such groups, or not yet
    variance_cents: int | None  # counted less taken, of the shifts whose boxes were counted


@dataclass(frozen=True)
class Fees:
    """A period's fees."""

    sums: list[Sums]
    shifts: list[BoxShift]
    tables: list[str]  # with fees in the period


@dataclass(frozen=True)
class Period:
    """From the first to the last of these gaming days; all there are where nothing is said."""

    first: date | None = None
    last: date | None = None

    def has(self, day: str) -> bool:
        """Whether it has a day, as rounds name it."""
        after = self.first is None or self.first.isoformat() <= day
        return after and (self.last is None or day <= self.last.isoformat())

    def about(self, before: int) -> Period:
        """So many days more before it, and one after it: a shift may have begun earlier, and be counted the day
        after."""
        first = None if self.first is None else self.first - timedelta(days=min(before, self.first.toordinal() - 1))
        return Period(first, None if self.last is None else self.last + timedelta(days=1))


def fees_of(
    segments: Sequence[Path],
    period: Period,
    by: Sequence[str] = ("table",),
    cache: Path | None = None,
    table_id: str | None = None,
) -> Fees:
    """The fees of a period in these segments, in groups by these (of `BY`)."""
    before, reaching = 1, _reaching(segments, Period(None, period.about(0).last))
    while True:
        chosen = _reaching(segments, period.about(before))
        made = _fees_in(chosen, period, by, cache, table_id)
        if len(chosen) == len(reaching) or not any(_begins_earlier(shift) for shift in made.shifts):
            return made
        before *= 8  # a box that was not counted for days: back to where it was


def _begins_earlier(shift: BoxShift) -> bool:
    """Whether it was counted, and the count it begins with is not among what was read."""
    return shift.counted_cents is not None and shift.from_seq is None


def _fees_in(
    segments: Sequence[Path], period: Period, by: Sequence[str], cache: Path | None, table_id: str | None
) -> Fees:
    flat, counts = _read(segments, cache)
    flat = flat.filter(pa.array(_stands(flat)))
    flat = flat.filter(pc.or_(pc.greater(flat["fees"], 0), pc.not_equal(flat["box"].cast(pa.string()), "")))
    days = _words(flat, "gaming_day")
    within = np.array([period.has(day) for day in days.words], dtype=bool)[days.code]
    tables = _words(flat, "table_id")
    there = sorted(tables.words[at] for at in np.unique(tables.code[within]).tolist())
    if table_id is not None:
        mine = np.array([table == table_id for table in tables.words], dtype=bool)[tables.code]
        flat, within = flat.filter(pa.array(mine)), within[mine]
        counts = [count for count in counts if count.table_id == table_id]
    all_counts = all((segment / "events.parquet").exists() for segment in segments)
    shifts = shifts_of(flat, counts, period.has, all_counts)
    return Fees(_grouped(flat, within, shifts, by), shifts.listed, there)


def days_there_are(segments: Sequence[Path]) -> tuple[str, str] | None:
    """The first and the last gaming day of all rounds; None where there are none."""
    days = [day for segment in segments for span in _days_of(segment) for day in span if day and day != _NO_END]
    return (min(days), max(days)) if days else None


# --- reading ---------------------------------------------------------------------------------------------------------

_NO_END = "9999"


def _reaching(segments: Sequence[Path], period: Period) -> list[Path]:
    return [segment for segment in segments if _may_have(segment, period)]


def _read(segments: Sequence[Path], cache: Path | None) -> tuple[pa.Table, list[Count]]:
    with ThreadPoolExecutor() as pool:  # Parquet is decoded outside Python
        made = list(pool.map(lambda segment: flat_segment(segment, cache), segments))
    whole = pa.concat_tables([FLAT.empty_table(), *(one.fees for one in made)]).unify_dictionaries()
    return whole.combine_chunks(), [count for one in made for count in one.counts]


def _may_have(segment: Path, period: Period) -> bool:
    """Whether the segment has rounds of the period, or none at all (then it may have counts), by its own statistics."""
    spans = list(_days_of(segment))
    return not spans or any(
        (period.first is None or most >= period.first.isoformat())
        and (period.last is None or least <= period.last.isoformat())
        for least, most in spans
    )


def _days_of(segment: Path) -> Iterable[tuple[str, str]]:
    metadata = pq.read_metadata(segment / "rounds.parquet")
    for group in range(metadata.num_row_groups):
        columns = metadata.row_group(group)
        column = next(
            columns.column(at) for at in range(columns.num_columns) if columns.column(at).path_in_schema == "gaming_day"
        )
        statistics = column.statistics
        if statistics is None or not statistics.has_min_max:
            yield "", _NO_END
        else:
            yield statistics.min, statistics.max


@dataclass(frozen=True)
class Words:
    """A column of words: a number for each row, and the words by number."""

    code: Ints
    words: list[str]


def _words(flat: pa.Table, name: str) -> Words:
    column = flat[name]
    chunk = column.chunk(0) if column.num_chunks else pa.array([], FLAT.field(name).type)
    return Words(chunk.indices.to_numpy().astype(np.int64), [str(word or "") for word in chunk.dictionary.to_pylist()])


def _stands(flat: pa.Table) -> Bools:
    """The version of each round that counts."""
    if not len(flat):
        return np.zeros(0, dtype=bool)
    rounds = flat["round_id"].chunk(0).dictionary_encode()
    names = rounds.indices.to_numpy().astype(np.int64)
    key = _words(flat, "table_id").code * len(rounds.dictionary) + names
    _, round_ = np.unique(key, return_inverse=True)
    version = flat["version"].to_numpy()
    attested = (flat["flags"].to_numpy() & int(RoundFlag.ATTESTED)) != 0
    newest, signed = (np.zeros(round_.max() + 1, dtype=np.int64) for _ in range(2))
    np.maximum.at(newest, round_, version)
    np.maximum.at(signed, round_[attested], version[attested])
    standing: Bools = version == np.where(signed > 0, signed, newest)[round_]
    return standing


def _schedules(filings: Sequence[str]) -> list[str]:
    """The collection schedule of each filing; nothing where it has none."""
    made = []
    for filing in filings:
        try:
            made.append(str(filing_of(filing).options.get("schedule", "")) if filing else "")
        except PackError:
            made.append("")
    return made


# --- groups ----------------------------------------------------------------------------------------------------------


def _grouped(flat: pa.Table, within: Bools, shifts: Shifts, by: Sequence[str]) -> list[Sums]:
    filing = _words(flat, "filing")
    schedules = _schedules(filing.words)
    numbered = {name: number for number, name in enumerate(dict.fromkeys(schedules))}
    keys = {
        "table": _words(flat, "table_id"),
        "dealer": _words(flat, "dealer"),
        "shift": Words(shifts.name_of_row, [*shifts.names, ""]),
        "schedule": Words(np.array([numbered[one] for one in schedules], np.int64)[filing.code], list(numbered)),
    }
    at = np.flatnonzero(within)
    if not len(at):
        return []
    key = np.zeros(len(at), dtype=np.int64)
    for name in by:
        key = key * len(keys[name].words) + keys[name].code[at]
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    rounds = flat["round_id"].chunk(0).dictionary_encode()
    round_ = keys["table"].code * len(rounds.dictionary) + rounds.indices.to_numpy().astype(np.int64)
    codes, verdict = _words(flat, "codes"), _words(flat, "verdict")
    wrong = np.array([bool(word) for word in codes.words], dtype=bool)[codes.code[at]]
    unsure = np.array([word in _OPEN for word in verdict.words], dtype=bool)[verdict.code[at]]

    def summed(name: str) -> list[int]:
        total = np.zeros(len(first), dtype=np.int64)
        np.add.at(total, group, flat[name].to_numpy()[at])
        return total.tolist()

    def distinct(chosen: Bools) -> list[int]:
        pairs = np.unique(np.stack([group[chosen], round_[at][chosen]]), axis=1)
        return [int(count) for count in np.bincount(pairs[0], minlength=len(first))]

    columns = zip(
        at[first].tolist(),
        distinct(np.ones(len(at), dtype=bool)),
        *(summed(name) for name in ("fees", "due_cents", "taken_cents")),
        distinct(wrong),
        distinct(unsure),
        strict=True,
    )
    made = []
    for row, played, fees, due, taken, differing, open_ in columns:
        named = {name: keys[name].words[keys[name].code[row]] if name in by else None for name in BY}
        counted, variance = shifts.counted(named["table"], named["shift"]) if _counts_by(by) else (None, None)
        made.append(
            Sums(
                **named,
                rounds=played,
                fees=fees,
                due_cents=due,
                taken_cents=taken,
                difference_cents=taken - due,
                differing=differing,
                unsure=open_,
                counted_cents=counted,
                variance_cents=variance,
            )
        )
    return sorted(made, key=lambda one: tuple(getattr(one, name) or "" for name in by))


def _counts_by(by: Sequence[str]) -> bool:
    """No box is counted by dealer or by schedule."""
    return not {"dealer", "schedule"} & set(by)


def flat_row(sums: Sums, by: Sequence[str]) -> dict[str, Any]:
    """A group as a row: of what it is by, and its sums."""
    row = {name: getattr(sums, name) for name in Sums.__dataclass_fields__}
    return {name: value for name, value in row.items() if name in by or name not in BY}
