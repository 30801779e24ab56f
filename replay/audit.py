"""An audit of assembled rounds, from what was reported of them to verdicts and findings.

`audit` is the one function: the worker calls it on the rounds of a segment, `lake_rounds.reaudit` on rounds read back
from the lake, `case_run` on a case. It is pure: the same rounds and packs give the same verdicts and findings, however
they are batched. Its steps, in order:

    read, explain, rank, settle     the family of the game: `check` of `replay.game`, all rounds of one filing at once
    compare                         `replay.compare`: what should have happened beside what was reported
    (both again, with the reports as a witness, for rounds whose settlements do not fit their hands)
    conclude                        `replay.conclude`: a verdict per round, its reason, the findings
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from replay.cards.solver.budget import Searches
from replay.certainty import Certainty
from replay.compare import compare
from replay.compare.readings import with_best_readings
from replay.conclude import conclude, not_judged, standing_of
from replay.containment import each_contained
from replay.filing import Filing, game_module
from replay.game import Checked
from replay.money.fees import moment_filed, rates_filed
from replay.money.pot import PARTS, POT
from replay.remarks import Remark
from replay.rounds import Fact, Ints, RoundBatch, RoundFlag
from replay.verdicts import Audit, FilingAudit

Bools = npt.NDArray[np.bool_]
Said = TypeVar("Said")


def audit(batch: RoundBatch) -> Audit:
    """Every round of the batch, checked under the filing it was played under. A mistake of ours costs the round it
    happens in: the others come to what they come to without it."""

    def work(rows: Sequence[int]) -> Audit:
        return audit_or_raise(batch if len(rows) == len(batch) else batch.take(np.array(rows)))

    def culprit(row: int, error: Exception) -> Audit:
        return not_judged(batch.take(np.array([row])), error)

    if not len(batch):
        return audit_or_raise(batch)
    return _joined(each_contained(range(len(batch)), work, culprit))


def audit_or_raise(batch: RoundBatch, searches: Searches | None = None) -> Audit:
    """The same for whoever wants to see a mistake as it is. `searches` says which racks are searched for what went
    wrong with them, and for how long: by itself all that are not marked NOT_SEARCHED."""
    if searches is None:
        searches = Searches((~batch.has(RoundFlag.NOT_SEARCHED)).tolist())
    standing = standing_of(batch)
    by_filing: list[FilingAudit] = []
    for filing, rows in standing.filings:
        by_filing += _audit_filing(batch.take(rows), filing, rows, searches.take(rows.tolist()))
    return conclude(batch, standing, by_filing, searches)


def _audit_filing(batch: RoundBatch, filing: Filing, rows: Ints, searches: Searches) -> list[FilingAudit]:
    """The rounds of one filing. Those whose wagers were settled otherwise than their hands give are checked again, with
    the reports as one more witness: it may be the order of the rack that is wrong."""
    words = [value for value in filing.options.values() if isinstance(value, str)]
    words += PARTS if POT in filing.pack.data.wagers else ()
    batch = batch.mentioning([*filing.pack.data.wagers, *words])  # what is filed has a number, whoever else says it
    first = check_and_compare(batch, filing, rows, searches, doubted=False)
    again = _disputed(batch, first, searches)
    if not again.any():
        return [first]
    at = np.flatnonzero(again)
    second = check_and_compare(batch.take(at), filing, rows[again], searches.take(at.tolist()), doubted=True)
    return [second] if again.all() else [_without(first, again), second]


def _disputed(batch: RoundBatch, first: FilingAudit, searches: Searches) -> Bools:
    """Rounds to be checked with the reports as a witness: wagers were settled for sums that other hands would give."""
    disputed = first.compared.denied & (batch.rack.counts > 0) & batch.has(RoundFlag.CLOSED)
    disputed &= ~(batch.has(RoundFlag.VOIDED) | batch.has(RoundFlag.GAP))
    for row in np.flatnonzero(disputed).tolist():
        disputed[row] = searches.budget(row) is not None and not first.checked.beyond_dispute(row)
    return np.asarray(disputed)


def check_and_compare(batch: RoundBatch, filing: Filing, rows: Ints, searches: Searches, doubted: bool) -> FilingAudit:
    read: Checked = game_module(filing.pack).check(batch, filing, doubted, searches)
    read = _with_schedules(read, filing) if filing.pack.fees else read
    checked = with_best_readings(batch, read) if read.alternatives else read
    compared = compare(batch, checked)
    not_searched = set(np.flatnonzero(batch.has(RoundFlag.NOT_SEARCHED)).tolist())
    certainty = Certainty(read, checked.left_open.keys() & read.alternatives.keys(), not_searched, doubted)
    opened = certainty.wrong_whichever(checked.lines, compared)
    if opened.any():
        checked = replace(checked, lines=checked.lines.opened(opened))
        compared = compare(batch, checked)
    about_money = [certainty.about_money(remark) for remark in compared.remarks]
    about_cards = [certainty.about_hands(remark) for remark in checked.remarks]
    # An envy bonus for a hand nobody saw, and none paid: there is nothing to say of it.
    lines = checked.lines
    said = (lines.kind != Fact.ENVY) | (lines.open == 0) | (compared.reported > 0)
    checked = replace(checked, lines=lines.where(said), remarks=about_cards)
    return FilingAudit(rows, batch, filing, checked, replace(compared.of_lines(said), remarks=about_money))


def _with_schedules(read: Checked, filing: Filing) -> Checked:
    """With what is filed of collection fees, which says of a report what is wrong with it."""
    schedules = filing.pack.fees
    in_use = schedules.get(str(filing.options.get("schedule", "")))
    moment = None if in_use is None else moment_filed(in_use)
    return replace(read, fee_rates=read.fee_rates or rates_filed(schedules), fee_moment=moment)


def _without(audited: FilingAudit, gone: Bools) -> FilingAudit:
    """The audit without what it says of these rounds, of which another one says it."""
    checked, compared = audited.checked, audited.compared
    left = ~gone[checked.lines.row]

    def kept(remarks: Sequence[Remark]) -> list[Remark]:
        return [remark for remark in remarks if not gone[remark.row]]

    def still(by_row: Mapping[int, Said]) -> dict[int, Said]:
        return {row: value for row, value in by_row.items() if not gone[row]}

    return replace(
        audited,
        checked=replace(
            checked,
            lines=checked.lines.where(left),
            remarks=kept(checked.remarks),
            left_open=still(checked.left_open),
            no_rule=still(checked.no_rule),
            answers=still(checked.answers),
        ),
        compared=replace(compared.of_lines(left), remarks=kept(compared.remarks), undecided=still(compared.undecided)),
    )


def _joined(audits: Sequence[Audit]) -> Audit:
    """Audits of batches that follow each other, as one."""
    if len(audits) == 1:
        return audits[0]
    joined = Audit(
        np.concatenate([each.verdicts for each in audits]),
        reasons=[],
        judged=np.concatenate([each.judged for each in audits]),
        steps=sum(each.steps for each in audits),
    )
    for each in audits:
        first = len(joined.reasons)
        joined.reasons.extend(each.reasons)
        joined.findings.extend(each.findings)
        joined.finding_rows.extend(first + row for row in each.finding_rows)
        joined.left_out.extend(first + row for row in each.left_out)
        joined.by_filing.extend(replace(one, rows=one.rows + first) for one in each.by_filing)
    return joined
