"""Rounds to and from Parquet: what the lake keeps of a round and its audit, and the audit of what is read back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from replay.audit import audit_or_raise
from replay.cards.solver.budget import DEEP_STEPS, ROUND_STEPS, Searches
from replay.conclude import not_judged
from replay.containment import each_contained
from replay.misfiled import contradicts_procedure
from replay.rounds import OUTCOMES, PAYERS, Array, Fact, RoundBatch, RoundFlag, from_arrow, offsets_of, to_arrow
from replay.verdicts import VERDICTS, Audit, FilingAudit
from schemas.findings import Finding

LINE_TYPE = pa.struct(
    [
        ("kind", pa.string()),
        ("seat", pa.int8()),
        ("bettor", pa.string()),
        ("wager", pa.string()),
        ("choice", pa.string()),
        ("hand", pa.int8()),
        ("payer", pa.string()),
        ("for_seat", pa.int8()),
        ("stake_cents", pa.int64()),
        ("outcome", pa.string()),
        ("paid_cents", pa.int64()),
        ("taken_cents", pa.int64()),
        ("vigorish_cents", pa.int64()),
        ("reports", pa.int64()),
        ("reported_outcome", pa.string()),
        ("reported_paid_cents", pa.int64()),
        ("reported_taken_cents", pa.int64()),
        ("reported_vigorish_cents", pa.int64()),
        ("citation", pa.string()),
    ]
)
_SUMS = (
    "expected_paid",
    "expected_taken",
    "expected_vigorish",
    "reported_paid",
    "reported_taken",
    "reported_vigorish",
)
LINE_KINDS = {
    Fact.SETTLED: "wager",
    Fact.ENVY: "envy",
    Fact.COLLECTION: "fee",
    Fact.POT: "pot",
    Fact.PROGRESSIVE_IN: "contribution",
    Fact.PROGRESSIVE_OUT: "meter_payout",
}


def rounds_table(batch: RoundBatch, audited: Audit) -> pa.Table:
    """What rounds.parquet holds: the assembled rounds with verdict, reason and expected beside reported lines."""
    table = to_arrow(batch)
    names = pa.array([str(verdict) for verdict in VERDICTS])
    table = table.append_column("verdict", names.take(pa.array(audited.verdicts)))
    table = table.append_column("reason", pa.array(audited.reasons, pa.string()))
    table = table.append_column("judged", pa.array(audited.judged))
    return table.append_column("lines", _lines_column(len(batch), audited.by_filing))


def _lines_column(size: int, by_filing: Sequence[FilingAudit]) -> pa.Array:
    """One list a round: what should have happened, each line beside what was reported."""
    if not by_filing:
        return pa.array([[]] * size, pa.list_(LINE_TYPE))
    row = np.concatenate([audited.rows[audited.checked.lines.row] for audited in by_filing])
    arrays = _LineColumns(by_filing, np.argsort(row, kind="stable")).arrays()
    values = pa.StructArray.from_arrays([arrays[member.name] for member in LINE_TYPE], fields=list(LINE_TYPE))
    return pa.ListArray.from_arrays(pa.array(offsets_of(np.bincount(row, minlength=size)), pa.int32()), values)


@dataclass(frozen=True)
class _LineColumns:
    """The lines of several filings put together. Numbers are brought in order before they are spelled out: the words of
    a citation are long."""

    by_filing: Sequence[FilingAudit]
    order: Array

    def arrays(self) -> dict[str, pa.Array]:
        """The columns of LINE_TYPE."""
        kinds, outcomes = [""] * 32, [*(str(outcome) for outcome in OUTCOMES), ""]
        for kind, text in LINE_KINDS.items():
            kinds[kind] = text
        numbers = {name: pa.array(self._lines(name)) for name in ("seat", "hand", "for_seat")}
        sums = {f"{name.removeprefix('expected_')}_cents": pa.array(self._compared(name)) for name in _SUMS}
        names = {name: self._of_filings(name, lambda one: one.batch.names) for name in ("bettor", "wager", "choice")}
        return {
            **numbers,
            **sums,
            **names,
            "kind": _spelled(kinds, self._lines("kind")),
            "payer": _spelled([str(payer) for payer in PAYERS], self._lines("payer")),
            "stake_cents": pa.array(self._lines("stake")),
            "outcome": _spelled(outcomes, self._expected_outcome()),
            "reports": pa.array(self._compared("reported")),
            "reported_outcome": _spelled(
                outcomes,
                np.where(self._compared("reported") > 0, self._compared("reported_outcome"), len(OUTCOMES)),
            ),
            "citation": self._of_filings("cite", lambda one: [cited.explained for cited in one.checked.lines.cites]),
        }

    def _lines(self, name: str) -> Array:
        return np.concatenate([one.checked.lines.columns[name] for one in self.by_filing])[self.order]

    def _compared(self, name: str) -> Array:
        return np.concatenate([getattr(one.compared, name) for one in self.by_filing])[self.order]

    def _expected_outcome(self) -> Array:
        possible = self._lines("possible")
        several = ((possible & (possible - 1)) != 0) | (self._lines("open") == 1)
        return np.where(several & (self._lines("kind") == Fact.SETTLED), len(OUTCOMES), self._lines("outcome"))

    def _of_filings(self, name: str, words_of: Callable[[FilingAudit], Sequence[str]]) -> pa.Array:
        """A column of numbers of words that each filing has its own of; below 0 it is none of them."""
        words, numbers = [""], []
        for one in self.by_filing:
            column = one.checked.lines.columns[name].astype(np.int64)
            numbers.append(np.where(column < 0, 0, column + len(words)))
            words += words_of(one)
        return _spelled(words, np.concatenate(numbers)[self.order])


def _spelled(words: Sequence[str], numbers: Array) -> pa.Array:
    return pa.array(words, pa.string()).take(pa.array(numbers.astype(np.int64)))


def reaudit(rounds: pa.Table, deep: bool = False) -> tuple[pa.Table, list[Finding]]:
    """The audit of rounds read back from the lake: the table as it should stand there, and its findings. `deep`: racks
    that were not searched are, and all of them for longer."""
    batch = from_arrow(rounds)
    if deep:
        flags = batch.fixed["flags"] & ~np.asarray(int(RoundFlag.NOT_SEARCHED), batch.fixed["flags"].dtype)
        batch = replace(batch, fixed={**batch.fixed, "flags": flags})
    judged = judge(batch, DEEP_STEPS if deep else ROUND_STEPS)
    return judged.rounds, judged.findings


class Judged(NamedTuple):
    """Rounds that were audited."""

    rounds: pa.Table  # as the lake keeps them
    findings: list[Finding]
    finding_rows: list[int]  # the round each of those is about
    left_out: list[int]  # rounds whose racks are contradictory and were not searched
    steps: int  # that the searches took
    misfits: list[int]  # rounds whose searched racks contradict the pickup procedure filed


def judge(batch: RoundBatch, steps: int = ROUND_STEPS) -> Judged:
    """The batch audited, as the lake keeps it, with mistakes contained; without `steps` no rack is searched."""

    def work(rows: Sequence[int]) -> Judged:
        some = batch if len(rows) == len(batch) else batch.take(np.array(rows))
        may = ~some.has(RoundFlag.NOT_SEARCHED) & (steps > 0)
        return _as_judged(some, audit_or_raise(some, Searches(may.tolist(), steps)))

    def culprit(row: int, error: Exception) -> Judged:
        alone = batch.take(np.array([row]))
        return _as_judged(alone, not_judged(alone, error))

    if not len(batch):
        return _as_judged(batch, audit_or_raise(batch))
    made = each_contained(range(len(batch)), work, culprit)
    if len(made) == 1:
        return made[0]
    starts = offsets_of([each.rounds.num_rows for each in made]).tolist()
    return Judged(
        pa.concat_tables([each.rounds for each in made]).combine_chunks(),
        [finding for each in made for finding in each.findings],
        [start + row for start, each in zip(starts, made, strict=False) for row in each.finding_rows],
        [start + row for start, each in zip(starts, made, strict=False) for row in each.left_out],
        sum(each.steps for each in made),
        [start + row for start, each in zip(starts, made, strict=False) for row in each.misfits],
    )


def _as_judged(batch: RoundBatch, audited: Audit) -> Judged:
    misfits = [
        int(one.rows[row])
        for one in audited.by_filing
        for row, answer in one.checked.answers.items()
        if contradicts_procedure(answer)
    ]
    return Judged(
        rounds_table(batch, audited),
        audited.findings,
        audited.finding_rows,
        audited.left_out,
        audited.steps,
        sorted(misfits),
    )
