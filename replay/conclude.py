"""The last step of an audit: what was found of each round becomes its verdict, the reason for it, and its findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.cards.solver.budget import Searches
from replay.certainty import whatever_the_hands
from replay.checks.filing import filing_remarks, schedules_changed
from replay.citations import Citation, cite
from replay.containment import in_words, log_contained
from replay.filing import Filing, filing_of
from replay.findings import finding_of
from replay.remarks import Remark
from replay.rounds import Array, Fact, Ints, RoundBatch, RoundFlag
from replay.verdicts import CANNOT_JUDGE, CANNOT_TELL, DIFFERS, VERIFIED, VOID, Audit, FilingAudit
from schemas.findings import Basis, Finding

_FILING = cite("rulings.md", "How the rule texts are read", "the choice is an option of the rule pack")
_CLOSING = Citation(text="docs/events.md", section="A round, in order")
_RECORDED = Citation(text="docs/operations.md", section="A round that cannot be judged")
_RECONSTRUCTION = Citation(text="docs/reconstruction.md", section="How long a rack is searched")
_MISSING_WITHIN = (
    "events are missing within this round, or nothing vouches for what came late in their place; any of them may have "
    "been a wager, a settlement, a fee or a void"
)
_MISSING_BEFORE = (
    "events are missing before this round; none of them can have been of it, and nothing that rests on them was "
    "held against it; it is judged by what the table was last heard to have opened under"
)
_FILING_NOT_KNOWN = (
    "it is not known what the table opened under: events are missing, and its opening may be among them, or that could "
    "not be taken in"
)
_NOT_EXPLAINED = (
    "not explained: the rack contradicts the other reports, and there were too many such racks at this table to search "
    "each of them for what went wrong; `muckraker reaudit --deep` does"
)
_TOO_MANY = "not explained: too many contradictory racks at this table"
_NOT_AS_FILED = "not explained: the racks of this table contradict the pickup procedure filed"
_NEVER_CLOSED = "never closed; another round began, or the table was closed or opened anew"
_NOT_OPENED = "nobody opened such a round; a device may have named the wrong one"
_USELESS_CORRECTION = (
    "a correction names no event of this round, says what that event cannot say, or does not say who makes it "
    "and why, or a void called after the round was over does not say who called it; it changed nothing"
)

Remarks = dict[int, list[Remark]]  # by round


@dataclass(frozen=True)
class Standing:
    """Which rounds of a batch there is something to judge of, and by what."""

    assembled: npt.NDArray[np.bool_]  # the others are too large, or a mistake of ours happened in them
    unfiled: npt.NDArray[np.bool_]  # at a table that opened under no filing
    unusable: npt.NDArray[np.bool_]  # at a table whose filing is none
    filings: list[tuple[Filing, Ints]]  # the others, by what their table opened under


def standing_of(batch: RoundBatch) -> Standing:
    assembled = np.ones(len(batch), bool)
    assembled[batch.facts.of(Fact.NOT_ASSEMBLED).row] = False
    unusable = batch.has(RoundFlag.FILING_UNUSABLE) & assembled
    unfiled = batch.has(RoundFlag.NO_FILING) & assembled
    filed, named = assembled & ~(unusable | unfiled), batch.named["filing"]
    filings = [
        (filing_of(batch.names[number]), np.flatnonzero(filed & (named == number)))
        for number in np.unique(named[filed]).tolist()
    ]
    return Standing(assembled, unfiled, unusable, filings)


def conclude(batch: RoundBatch, standing: Standing, by_filing: list[FilingAudit], searches: Searches) -> Audit:
    """The audit of a batch whose rounds were checked and compared filing by filing."""
    remarks = _remarks_on(batch, standing, by_filing)
    left_open = _left_open(standing, by_filing)
    judged = _judged(len(batch), by_filing)
    odd_racks = _odd_racks(batch) if searches.left_out else {}
    for row in searches.left_out:
        if batch.flags[row] & RoundFlag.NOT_SEARCHED:
            why = odd_racks.get(row) or Remark(row, "ROUND-009", _NOT_EXPLAINED, _RECONSTRUCTION, basis=Basis.UNREAD)
            remarks[row], all_sums_sure = _without_explanation(remarks[row], why)
            judged[row] &= all_sums_sure
            left_open[row] = _NOT_AS_FILED if row in odd_racks else _TOO_MANY
    verdicts, reasons = _apart_from_remarks(batch, standing, left_open)
    gap = batch.has(RoundFlag.GAP) & standing.assembled
    findings: list[Finding] = []
    finding_rows: list[int] = []
    for row in sorted(remarks):
        said = remarks[row]
        if gap[row]:
            # What is missing could explain what does not fit: the gap itself is the finding, not the people.
            said = [remark for remark in said if remark.whatever_is_missing]
            judged[row] = False
        against = {one.code for one in said if _speaks_against(one)}
        if not standing.assembled[row]:
            verdicts[row], reasons[row] = CANNOT_JUDGE, said[0].code
        elif against:
            verdicts[row], reasons[row] = DIFFERS, ", ".join(sorted(against))
        findings.extend(finding_of(batch, row, remark) for remark in said)
        finding_rows.extend([row] * len(said))
    return Audit(verdicts, reasons, findings, finding_rows, by_filing, searches.left_out, judged, searches.steps)


def not_judged(batch: RoundBatch, error: Exception) -> Audit:
    """The audit of a single round in which a mistake of ours happened."""
    log_contained("a round could not be judged", batch.name("table_id", 0), batch.name("round_id", 0), error)
    remark = _cannot_judge(0, in_words(error), too_large=False, seq=int(batch.last_seq[0]))
    verdicts = np.full(1, CANNOT_JUDGE, dtype=np.uint8)
    nothing_judged = np.zeros(1, dtype=bool)
    return Audit(verdicts, [remark.code], [finding_of(batch, 0, remark)], [0], judged=nothing_judged)


def _speaks_against(remark: Remark) -> bool:
    """That something was not read, or is left open, is told, but says by itself nothing against the round."""
    return remark.basis is not Basis.UNREAD and not remark.leaves_open


def _remarks_on(batch: RoundBatch, standing: Standing, by_filing: Sequence[FilingAudit]) -> Remarks:
    remarks: Remarks = defaultdict(list)
    for row in np.flatnonzero(standing.unfiled & ~standing.unusable).tolist():
        sentence = "played at a table that opened under no filing"
        remarks[row].append(Remark(row, "FILING-002", sentence, _FILING, basis=Basis.RECORD))
    for filing, rows in standing.filings:
        for remark in filing_remarks(batch, rows, filing):
            remarks[remark.row].append(remark)
    for audited in by_filing:
        for remark in [*audited.checked.remarks, *audited.compared.remarks]:
            remarks[int(audited.rows[remark.row])].append(remark)
    for remark in (*schedules_changed(batch), *_on_the_record(batch, standing)):
        remarks[remark.row].append(remark)
    bare = batch.facts.of(Fact.NOT_ASSEMBLED)
    for row, why, too_large, seq in zip(
        bare.row.tolist(), bare.choice.tolist(), bare.code.tolist(), bare.seq.tolist(), strict=True
    ):
        remarks[row] = [_cannot_judge(row, batch.names[why], bool(too_large), seq)]
    return remarks


def _on_the_record(batch: RoundBatch, standing: Standing) -> Iterator[Remark]:
    """Rounds never closed, or never opened, and corrections that correct nothing."""
    never_opened = batch.has(RoundFlag.NEVER_OPENED)
    for row in np.flatnonzero(standing.assembled & ~batch.has(RoundFlag.CLOSED) & ~never_opened).tolist():
        yield Remark(row, "ROUND-001", _NEVER_CLOSED, _CLOSING, basis=Basis.RECORD)
    for row in np.flatnonzero(never_opened).tolist():
        first = (int(batch.first_seq[row]),)
        yield Remark(row, "ROUND-003", _NOT_OPENED, _CLOSING, evidence=first, basis=Basis.RECORD)
    useless = batch.facts.of(Fact.USELESS_CORRECTION)
    for row, seq in zip(useless.row.tolist(), useless.seq.tolist(), strict=True):
        yield Remark(row, "ROUND-002", _USELESS_CORRECTION, _CLOSING, evidence=(seq,), basis=Basis.RECORD)


def _cannot_judge(row: int, why: str, too_large: bool, seq: int) -> Remark:
    if too_large:
        sentence = f"the round is larger than a round can be: {why}; its events are recorded, and it is not judged"
    else:
        sentence = (
            f"the round could not be judged, by a mistake in Muckraker ({why}); its events are recorded, and "
            "`muckraker reaudit` judges it again once the mistake is mended"
        )
    code = "ROUND-008" if too_large else "ROUND-007"
    return Remark(row, code, sentence, _RECORDED, evidence=(seq,), basis=Basis.RECORD)


def _left_open(standing: Standing, by_filing: Sequence[FilingAudit]) -> dict[int, str]:
    """Rounds of which nothing read, or nothing filed, says all they should have come to; and why."""
    left_open: dict[int, str] = {}
    for row in np.flatnonzero(standing.unusable | standing.unfiled).tolist():
        if standing.unusable[row]:
            left_open[row] = _FILING_NOT_KNOWN if standing.unfiled[row] else "the table's filing cannot be used"
        else:
            left_open[row] = "the table opened under no filing"
    for audited in by_filing:
        for open_here in (audited.checked.left_open, audited.checked.no_rule, audited.compared.undecided):
            for row, reason in open_here.items():
                left_open.setdefault(int(audited.rows[row]), reason)
    return left_open


def _judged(size: int, by_filing: Sequence[FilingAudit]) -> npt.NDArray[np.bool_]:
    judged = np.zeros(size, dtype=bool)
    for audited in by_filing:
        judged[audited.rows] = True
    return judged


def _without_explanation(said: list[Remark], why: Remark) -> tuple[list[Remark], bool]:
    """What may be said of a round whose rack is contradictory and was not searched: nothing that rests on the cards,
    for it may be the rack that is wrong. And whether all that is out in money is still told."""
    sure = [whatever_the_hands(remark) if remark.whatever_the_hands else remark for remark in said]
    kept = [remark for remark in sure if remark.basis in (Basis.RECORD, Basis.REPORTS)]
    all_sums_sure = sum(bool(remark.accounts) for remark in kept) == sum(bool(remark.accounts) for remark in said)
    return [*kept, why], all_sums_sure


def _odd_racks(batch: RoundBatch) -> dict[int, Remark]:
    """Rounds of tables that are known for racks in another order than the one filed."""
    facts = batch.facts.of(Fact.ODD_RACKS)
    found: dict[int, Remark] = {}
    for row, since, order, racks in zip(
        facts.row.tolist(), facts.choice.tolist(), facts.wager.tolist(), facts.amount.tolist(), strict=True
    ):
        fits = (
            f"those that were searched all fit if the cards were picked up in another order: {batch.names[order]}"
            if batch.names[order]
            else "no other known order of pickup fits all those that were searched"
        )
        sentence = (
            f"the racks of this table have contradicted the pickup procedure filed since round {batch.names[since]}, "
            f"{racks} of them so far, this one included; {fits}; while that goes on they are not searched one by one, "
            "and what rests on the cards of this round is left open"
        )
        found[row] = Remark(row, "RACK-331", sentence, _RECONSTRUCTION, basis=Basis.UNREAD)
    return found


def _apart_from_remarks(batch: RoundBatch, standing: Standing, left_open: dict[int, str]) -> tuple[Array, list[str]]:
    """The verdict and reason of each round as far as nothing is remarked against it."""
    verdicts = np.full(len(batch), VERIFIED, dtype=np.uint8)
    reasons = [""] * len(batch)
    verdicts[batch.has(RoundFlag.VOIDED)] = VOID
    for row, reason in left_open.items():
        verdicts[row], reasons[row] = CANNOT_TELL, reason
    for row in np.flatnonzero(batch.has(RoundFlag.GAP) & standing.assembled).tolist():
        verdicts[row], reasons[row] = CANNOT_TELL, _MISSING_WITHIN
    for row in np.flatnonzero(batch.has(RoundFlag.MISSING_BEFORE) & (verdicts == VERIFIED)).tolist():
        reasons[row] = _MISSING_BEFORE
    return verdicts, reasons
