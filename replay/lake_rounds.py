"""Rounds to and from Parquet: what the lake keeps of a round and its audit, and the audit of what is read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
    counts = np.zeros(size, dtype=np.int64)
    arrays, rows = [], []
    for audited in by_filing:
        rows.append(audited.rows[audited.checked.lines.row])
        arrays.append(_lines_array(audited))
    if not arrays:
        return pa.array([[]] * size, pa.list_(LINE_TYPE))
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    np.add.at(counts, row, 1)
    values = pa.concat_arrays(arrays).take(pa.array(order))
    return pa.ListArray.from_arrays(pa.array(offsets_of(counts), pa.int32()), values)


def _lines_array(audited: FilingAudit) -> pa.StructArray:
    lines, compared, names = audited.checked.lines, audited.compared, audited.batch.names
    spelled = pa.array([*names, ""], pa.string())

    def spell(column: Array) -> pa.Array:
        return spelled.take(pa.array(np.where(column < 0, len(names), column)))

    def word(words: list[str], column: Array) -> pa.Array:
        return pa.array(words, pa.string()).take(pa.array(column.astype(np.int64)))

    outcomes = [str(outcome) for outcome in OUTCOMES]
    wager = lines.kind == Fact.SETTLED
    several = ((lines.possible & (lines.possible - 1)) != 0) | (lines.open == 1)
    expected_outcome = pa.array(np.where(several & wager, len(OUTCOMES), lines.outcome).astype(np.int64))
    unreported = pa.array(np.where(compared.reported > 0, compared.reported_outcome, len(OUTCOMES)).astype(np.int64))
    outcome_words = pa.array([*outcomes, ""], pa.string())
    kinds = [""] * 32
    for kind, text in LINE_KINDS.items():
        kinds[kind] = text
    return pa.StructArray.from_arrays(
        [
            word(kinds, lines.kind),
            pa.array(lines.seat),
            spell(lines.bettor),
            spell(lines.wager),
            spell(lines.choice),
            pa.array(lines.hand),
            word([str(payer) for payer in PAYERS], lines.payer),
            pa.array(lines.for_seat),
            pa.array(lines.stake),
            outcome_words.take(expected_outcome),
            pa.array(compared.expected_paid),
            pa.array(compared.expected_taken),
            pa.array(compared.expected_vigorish),
            pa.array(compared.reported),
            outcome_words.take(unreported),
            pa.array(compared.reported_paid),
            pa.array(compared.reported_taken),
            pa.array(compared.reported_vigorish),
            word([citation.explained for citation in lines.cites] or [""], lines.cite),
        ],
        fields=list(LINE_TYPE),
    )


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
