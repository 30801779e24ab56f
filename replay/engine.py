"""Steps 2 to 7 for a batch of assembled rounds: reconstruct, rank, settle, compare, conclude.

`audit` is the one function: the worker calls it on the rounds of a segment, `reaudit` on rounds read back from the
lake, `settle_case` on a case. It is pure: the same rounds and packs give the same verdicts and findings, however they
are batched.
"""

from __future__ import annotations

import logging
import math
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from replay.assembling.assemble import Assembler
from replay.cards.solver.budget import DEEP_STEPS, ROUND_STEPS, Searches
from replay.cards.solver.explanations import Answer, Contradiction, Status
from replay.cards.solver.sentences import of_explanation, of_settled_as_played
from replay.citations import Citation, cite
from replay.compare.settlements import Compared, compare, wrong_whichever
from replay.containment import NOT_OF_THE_ROUND, each_contained, in_words, log_contained
from replay.filing import Filing, filing_of, game_module
from replay.game import Checked
from replay.lines import Lines, join_lines
from replay.remarks import Remark
from replay.rounds import (
    OUTCOMES,
    PAYERS,
    UNKNOWN,
    Array,
    Fact,
    Ints,
    RoundBatch,
    RoundFlag,
    RoundRow,
    bare_row,
    batch_of,
    from_arrow,
    offsets_of,
    to_arrow,
)
from replay.searching import Allowances
from schemas.admitted import Admitted, Concluded, History, ReplayCut
from schemas.findings import (
    ALL_BUT_CERTAIN,
    BASIS_WORDS,
    CERTAIN,
    LIKELY,
    ONE_WITNESS,
    POSSIBLE,
    WITH_HANDS_SHOWN,
    Basis,
    Finding,
    Verdict,
    how_sure,
)

logger = logging.getLogger("muckraker.replay")

VERDICTS: tuple[Verdict, ...] = tuple(Verdict)
_VERIFIED, _DIFFERS, _VOID, _CANNOT_TELL, _CANNOT_JUDGE = (VERDICTS.index(verdict) for verdict in VERDICTS)
_FILING = cite("rulings.md", "How the rule texts are read", "the choice is an option of the rule pack")
_CLOSING = Citation(text="docs/events.md", section="A round, in order")
SLICE_S = 0.3  # how long `advance` goes on beginning with contradictory racks: others wait for their verdicts
_RECORDED = Citation(text="docs/operations.md", section="A round that cannot be judged")
_MISSING_WITHIN = (
    "events are missing within this round, and any of them may have been a wager, a settlement, a fee or a void"
)
_MISSING_BEFORE = (
    "events are missing before this round; none of them can have been of it, and nothing that rests on them was "
    "held against it; it is judged by what the table was last heard to have opened under"
)
_FILING_NOT_KNOWN = (
    "it is not known what the table opened under: events are missing, and its opening may be among them, or that could "
    "not be taken in"
)
_RECONSTRUCTION = Citation(text="docs/reconstruction.md", section="How long a rack is searched")
_NOT_EXPLAINED = (
    "not explained: the rack contradicts the other reports, and there were too many such racks at this table to search "
    "each of them for what went wrong; `muckraker reaudit --deep` does"
)
_NOT_OPENED = "nobody opened such a round; a device may have named the wrong one"


@dataclass(frozen=True)
class Part:
    """Rounds of one filing within a batch, as its pack and the comparison left them. A round that was looked at twice
    is in two parts, and only the second one says anything of it."""

    rows: Ints  # their positions in the whole batch
    batch: RoundBatch
    filing: Filing
    checked: Checked
    compared: Compared


@dataclass(frozen=True)
class Audit:
    """What became of a batch: a verdict and its reason a round, the findings, and the parts for whoever asks why."""

    verdicts: Array  # index into VERDICTS
    reasons: list[str]
    findings: list[Finding]
    finding_rows: list[int]  # the round each of them is about
    parts: list[Part]
    left_out: list[int]  # rounds whose racks are contradictory and were not searched for the reason
    judged: npt.NDArray[np.bool_]  # a round: all its money was held against the rules, and what differs is told
    steps: int = 0  # that the searches took


def audit(batch: RoundBatch) -> Audit:
    """Every round of the batch, checked under the filing it was played under. A mistake of ours costs the round it
    happens in: the others come to what they come to without it."""

    def work(rows: Sequence[int]) -> Audit:
        return audit_or_raise(batch if len(rows) == len(batch) else batch.take(np.array(rows)))

    def culprit(row: int, error: Exception) -> Audit:
        return _not_judged(batch.take(np.array([row])), error)

    if not len(batch):
        return audit_or_raise(batch)
    return _joined(each_contained(range(len(batch)), work, culprit))


def _joined(audits: Sequence[Audit]) -> Audit:
    """Audits of batches that follow each other, as one."""
    if len(audits) == 1:
        return audits[0]
    verdicts, judged = (np.concatenate([getattr(each, name) for each in audits]) for name in ("verdicts", "judged"))
    joined = Audit(verdicts, [], [], [], [], [], judged)
    for each in audits:
        first = len(joined.reasons)
        joined.reasons.extend(each.reasons)
        joined.findings.extend(each.findings)
        joined.finding_rows.extend(first + row for row in each.finding_rows)
        joined.left_out.extend(first + row for row in each.left_out)
        joined.parts.extend(replace(part, rows=part.rows + first) for part in each.parts)
    return joined


def _not_judged(batch: RoundBatch, error: Exception) -> Audit:
    """The audit of a single round in which a mistake of ours happened."""
    log_contained("a round could not be judged", batch.name("table_id", 0), batch.name("round_id", 0), error)
    remark = _cannot_judge(0, in_words(error), too_large=False, seq=int(batch.last_seq[0]))
    verdicts = np.full(1, _CANNOT_JUDGE, dtype=np.uint8)
    return Audit(verdicts, [remark.code], [_finding(batch, 0, remark)], [0], [], [], np.zeros(1, dtype=bool))


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


def audit_or_raise(batch: RoundBatch, searches: Searches | None = None) -> Audit:
    """The same for whoever wants to see a mistake as it is. `searches` says which racks are searched for what went
    wrong with them, and for how long: by itself all that are not marked NOT_SEARCHED."""
    not_explained = batch.has(RoundFlag.NOT_SEARCHED)
    if searches is None:
        searches = Searches((~not_explained).tolist())
    verdicts = np.full(len(batch), _VERIFIED, dtype=np.uint8)
    reasons = [""] * len(batch)
    remarks: dict[int, list[Remark]] = defaultdict(list)
    open_rows: dict[int, str] = {}
    parts: list[Part] = []
    bare = batch.facts.of(Fact.NOT_ASSEMBLED)
    assembled = np.ones(len(batch), bool)
    assembled[bare.row] = False
    unusable = batch.has(RoundFlag.FILING_UNUSABLE) & assembled
    unfiled = batch.has(RoundFlag.NO_FILING) & assembled
    for row in np.flatnonzero(unusable | unfiled).tolist():
        if unusable[row]:
            open_rows[row] = _FILING_NOT_KNOWN if unfiled[row] else "the table's filing cannot be used"
        else:
            open_rows[row] = "the table opened under no filing"
            remarks[row].append(
                Remark(row, "FILING-002", "played at a table that opened under no filing", _FILING, basis=Basis.RECORD)
            )
    usable = assembled & ~(unusable | unfiled)
    filings = batch.named["filing"]
    for filing_id in np.unique(filings[usable]).tolist():
        rows = np.flatnonzero(usable & (filings == filing_id))
        named = filing_of(batch.names[filing_id])
        parts += _audit_filing(batch.take(rows), named, rows, searches.take(rows.tolist()))
    for part in parts:
        for remark in [*part.checked.remarks, *part.compared.remarks]:
            remarks[int(part.rows[remark.row])].append(remark)
        for open_in in (part.checked.cannot_tell, part.compared.undecided):
            for row, reason in open_in.items():
                open_rows.setdefault(int(part.rows[row]), reason)
    for row in np.flatnonzero(assembled & ~batch.has(RoundFlag.CLOSED) & ~batch.has(RoundFlag.NEVER_OPENED)).tolist():
        remarks[row].append(Remark(row, "ROUND-001", "never closed; another round began", _CLOSING, basis=Basis.RECORD))
    for row in np.flatnonzero(batch.has(RoundFlag.NEVER_OPENED)).tolist():
        first = (int(batch.first_seq[row]),)
        remarks[row].append(Remark(row, "ROUND-003", _NOT_OPENED, _CLOSING, evidence=first, basis=Basis.RECORD))
    useless = batch.facts.of(Fact.USELESS_CORRECTION)
    for row, seq in zip(useless.row.tolist(), useless.seq.tolist(), strict=True):
        text = (
            "a correction names no event of this round, or says what that event cannot say, or a void called after the "
            "round was over does not say who called it; it changed nothing"
        )
        remarks[row].append(Remark(row, "ROUND-002", text, _CLOSING, evidence=(seq,), basis=Basis.RECORD))

    left_out = searches.left_out
    dropped = np.zeros(len(batch), dtype=bool)  # what differs is not told
    for row in left_out:
        if not_explained[row]:
            # Without an explanation nothing that rests on the cards is told: it may be the rack that is wrong.
            told = [_whatever_the_hands(remark) if remark.whatever_the_hands else remark for remark in remarks[row]]
            kept = [remark for remark in told if remark.basis in (Basis.RECORD, Basis.REPORTS)]
            dropped[row] |= sum(bool(remark.accounts) for remark in kept) < sum(
                bool(remark.accounts) for remark in remarks[row]
            )
            remarks[row] = [*kept, Remark(row, "ROUND-009", _NOT_EXPLAINED, _RECONSTRUCTION, basis=Basis.UNREAD)]
            open_rows[row] = "not explained: too many contradictory racks at this table"
    gap = batch.has(RoundFlag.GAP)
    void = batch.has(RoundFlag.VOIDED)
    verdicts[void] = _VOID
    findings: list[Finding] = []
    finding_rows: list[int] = []
    for row, reason in open_rows.items():
        verdicts[row], reasons[row] = _CANNOT_TELL, reason
    for row in np.flatnonzero(gap & assembled).tolist():
        verdicts[row], reasons[row] = _CANNOT_TELL, _MISSING_WITHIN
    for row in np.flatnonzero(batch.has(RoundFlag.MISSING_BEFORE) & (verdicts == _VERIFIED)).tolist():
        reasons[row] = _MISSING_BEFORE
    for row, why, too_large, seq in zip(
        bare.row.tolist(), bare.choice.tolist(), bare.code.tolist(), bare.seq.tolist(), strict=True
    ):
        remarks[row] = [_cannot_judge(row, batch.names[why], bool(too_large), seq)]
    judged = np.zeros(len(batch), dtype=bool)
    for part in parts:
        judged[part.rows] = True
    judged &= ~dropped
    for row in sorted(remarks):
        if not assembled[row]:
            verdicts[row], reasons[row] = _CANNOT_JUDGE, remarks[row][0].code
            findings.append(_finding(batch, row, remarks[row][0]))
            finding_rows.append(row)
            continue
        if gap[row]:
            judged[row] = False
            # What is missing could explain what does not fit: the gap itself is the finding, not the people.
            remarks[row] = [remark for remark in remarks[row] if remark.whatever_is_missing]
            if not remarks[row]:
                continue
        # That something was not read is told, but says by itself nothing against the round.
        against = {one.code for one in remarks[row] if one.basis is not Basis.UNREAD and not one.leaves_open}
        if against:
            verdicts[row], reasons[row] = _DIFFERS, ", ".join(sorted(against))
        findings.extend(_finding(batch, row, remark) for remark in remarks[row])
        finding_rows.extend([row] * len(remarks[row]))
    return Audit(verdicts, reasons, findings, finding_rows, parts, left_out, judged, searches.steps)


def _audit_filing(batch: RoundBatch, filing: Filing, rows: Ints, searches: Searches) -> list[Part]:
    """The rounds of one filing. Those whose wagers were settled otherwise than their hands give are looked at again,
    with the reports as one more witness: it may be the order of the rack that is wrong."""
    words = [value for value in filing.options.values() if isinstance(value, str)]
    batch = batch.mentioning([*filing.pack.data.wagers, *words])  # what is filed has a number, whoever else says it
    part = _look(batch, filing, rows, searches, doubted=False)
    again = part.compared.denied & (batch.rack.counts > 0) & batch.has(RoundFlag.CLOSED)
    again &= ~(batch.has(RoundFlag.VOIDED) | batch.has(RoundFlag.GAP))
    for row in np.flatnonzero(again).tolist():
        again[row] = searches.budget(row) is not None
    if not again.any():
        return [part]
    at = np.flatnonzero(again)
    second = _look(batch.take(at), filing, rows[again], searches.take(at.tolist()), doubted=True)
    return [second] if again.all() else [_without(part, again), second]


def _look(batch: RoundBatch, filing: Filing, rows: Ints, searches: Searches, doubted: bool) -> Part:
    checked: Checked = game_module(filing.pack).check(batch, filing, doubted, searches)
    unsure = {row for row, answer in checked.answers.items() if answer.reading is None}
    if doubted:  # what the solver had nothing against, and the money has, was not weighed
        unsure |= {row for row, answer in checked.answers.items() if answer.status is not Status.CONTRADICTORY}
    chosen = _choose_readings(batch, checked) if checked.alternatives else checked
    unsure |= set(np.flatnonzero(batch.has(RoundFlag.NOT_SEARCHED)).tolist())
    compared = compare(batch, chosen)
    open_rows = chosen.cannot_tell.keys() & checked.alternatives.keys()
    # Readings that come to the same money are settled as one; that none was left out is likely, not certain.
    most = {**dict.fromkeys(unsure, LIKELY), **dict.fromkeys(open_rows, POSSIBLE)}
    opened = wrong_whichever(chosen.lines, compared, most.keys())
    if opened.any():
        chosen = replace(chosen, lines=chosen.lines.opened(opened))
        compared = compare(batch, chosen)

    def no_surer(remark: Remark) -> Remark:
        """Resting on what gave the hands, and no surer than those are."""
        basis = Basis.READINGS if remark.row in open_rows else _gave_hands(checked, remark.row, remark.seat or 0)
        if remark.whatever_the_hands and remark.row in most:
            return _whatever_the_hands(remark)
        sure = min(remark.confidence, most.get(remark.row, remark.confidence))
        if basis is Basis.EXPLANATION:
            sure = min(sure, _how_sure_of_hands(checked.answers[remark.row]))
        elif basis in ONE_WITNESS:
            sure = min(sure, LIKELY)
        return replace(remark, basis=basis, confidence=sure)

    about_money = [
        no_surer(remark if remark.whatever_the_hands else _or_else(remark, checked.answers.get(remark.row)))
        if remark.basis is Basis.HANDS
        else remark
        for remark in compared.remarks
    ]
    others = [no_surer(remark) if remark.basis is Basis.HANDS else remark for remark in checked.remarks]
    # An envy bonus for a hand nobody saw, and none paid: there is nothing to say of it.
    said = (chosen.lines.kind != Fact.ENVY) | (chosen.lines.open == 0) | (compared.reported > 0)
    chosen = replace(chosen, lines=chosen.lines.where(said), remarks=others)
    return Part(rows, batch, filing, chosen, replace(compared.of_lines(said), remarks=about_money))


def _gave_hands(checked: Checked, row: int, place: int) -> Basis:
    """What the hand of a place rests on: an explanation that supposes a fault, or what the pack took it from."""
    answer = checked.answers.get(row)
    if answer is not None and answer.explanations and answer.explanations[0].faults:
        return Basis.EXPLANATION
    basis = checked.hands_from(row)
    return WITH_HANDS_SHOWN.get(basis, basis) if checked.also_shown(row, place) else basis


def _how_sure_of_hands(answer: Answer) -> float:
    """How sure it is that the hands were those that the explanations which are left agree on."""
    surest = answer.readings[0][1] if answer.reading is not None else answer.explanations[0].confidence
    return min(round(surest, 4), ALL_BUT_CERTAIN)


def _whatever_the_hands(remark: Remark) -> Remark:
    """What is wrong whatever the hands were, where it is not sure which they were."""
    if remark.basis is Basis.REPORTS:
        return remark
    on = "" if not remark.difference_cents else "; by how much, and to whose harm, depends on how the cards are read"
    return replace(remark, sentence=f"{remark.sentence}{on}", basis=Basis.REPORTS)


def _or_else(remark: Remark, answer: Answer | None) -> Remark:
    """The remark; where the rack is taken as it lies although the money says otherwise, with the next best explanation
    and no surer than the first; where a card brought in was played with, it says so."""
    sentence, most = remark.sentence, remark.confidence
    if answer is not None and answer.reading is None and len(answer.explanations) > 1:
        first, other = answer.explanations[:2]
        if not first.faults and any(against.what is Contradiction.SETTLED for against in first.against):
            sentence = f"{sentence}; or else {of_explanation(other)}"
            most = min(most, round(first.confidence, 4))
    if answer is not None and answer.explanations and remark.seat is not None:
        played = of_settled_as_played(answer.explanations[0], remark.seat)
        if played:  # whoever settled it saw those cards: the card is what is certain, not a wrong settlement
            sentence, most = f"{sentence}; {played}", min(most, LIKELY)
    return replace(remark, sentence=sentence, confidence=most)


def _without(part: Part, gone: Array) -> Part:
    """The part without what it says of these rounds, which another part has."""
    checked, compared = part.checked, part.compared
    left = ~gone[checked.lines.row]

    def kept(remarks: list[Remark]) -> list[Remark]:
        return [remark for remark in remarks if not gone[remark.row]]

    def still(by_row: dict[int, Any]) -> dict[int, Any]:
        return {row: value for row, value in by_row.items() if not gone[row]}

    return replace(
        part,
        checked=replace(
            checked,
            lines=checked.lines.where(left),
            remarks=kept(checked.remarks),
            cannot_tell=still(checked.cannot_tell),
            answers=still(checked.answers),
        ),
        compared=replace(compared.of_lines(left), remarks=kept(compared.remarks), undecided=still(compared.undecided)),
    )


def _choose_readings(batch: RoundBatch, checked: Checked) -> Checked:
    """Rounds with several readings of the cards: keep the one that fits the reports best, and say if others do too.

    All readings give the same money: it does not matter which is true. Otherwise, when a reading agrees with every
    report, the evidence cannot tell them apart; when none does, the nearest one says what is wrong, as a possibility.
    """
    lines = [checked.lines]
    cannot_tell = dict(checked.cannot_tell)
    for row, readings in sorted(checked.alternatives.items()):
        alone = batch.take(np.array([row]))
        trials = []
        for reading in readings:
            moved = replace(reading, columns={**reading.columns, "row": np.zeros_like(reading.row)})
            trial = compare(alone, replace(checked, lines=moved, remarks=[], cannot_tell={}, alternatives={}))
            trials.append((len(trial.remarks), sum(abs(r.difference_cents) for r in trial.remarks)))
        best = min(range(len(readings)), key=trials.__getitem__)
        lines.append(readings[best])
        if len({_money_of(reading) for reading in readings}) > 1:
            cannot_tell[row] = f"{len(readings)} readings of the rack fit, and the money differs between them"
    return replace(checked, lines=join_lines(lines), cannot_tell=cannot_tell, alternatives={})


def _money_of(lines: Lines) -> tuple[tuple[int, ...], ...]:
    columns = ("kind", "seat", "bettor", "wager", "choice", "hand", "payer", "for_seat", "possible", "paid", "taken")
    return tuple(sorted(zip(*(lines.columns[name].tolist() for name in columns), strict=True)))


def _finding(batch: RoundBatch, row: int, remark: Remark) -> Finding:
    table_id, round_id = batch.name("table_id", row), batch.name("round_id", row)
    where = f"{table_id} round {round_id}"
    if remark.seat:
        where += f" seat {remark.seat}" + (f" ({remark.bettor})" if remark.bettor else "")
    if remark.wager:
        where += f", {remark.wager}"
    explained = remark.basis is Basis.EXPLANATION
    confidence = min(remark.confidence, ALL_BUT_CERTAIN) if explained else remark.confidence
    sure = f" ({how_sure(confidence)}: {BASIS_WORDS[remark.basis]})"
    if remark.basis in (Basis.RECORD, Basis.UNREAD) and remark.confidence == CERTAIN:
        sure = ""  # the sentence says it
    return Finding(
        remark.code,
        table_id,
        round_id,
        f"{where}: {remark.sentence.rstrip('.')}{sure}.",
        remark.cite.explained,
        int(batch.closed_us[row]),
        int(batch.last_seq[row]),
        remark.seat,
        remark.bettor,
        remark.wager,
        remark.expected_cents,
        remark.actual_cents,
        remark.difference_cents,
        remark.evidence or _evidence(batch, row, remark.basis),
        confidence,
        int(batch.version[row]),
        remark.basis,
        remark.accounts,
    )


_DEAL_SEQS, _RACK_SEQS = ("first_card_seq", "last_card_seq", "stub_seq"), ("rack_first_seq", "rack_last_seq")
_READ_IN: dict[Basis, tuple[str, ...]] = {
    **dict.fromkeys((Basis.DEAL, Basis.DEAL_AND_SHOWN), _DEAL_SEQS),
    **dict.fromkeys((Basis.RACK, Basis.RACK_AND_SHOWN), _RACK_SEQS),
    **dict.fromkeys(
        (Basis.DEAL_AND_RACK, Basis.DEAL_RACK_AND_SHOWN, Basis.COMPARED, Basis.EXPLANATION, Basis.READINGS),
        (*_DEAL_SEQS, *_RACK_SEQS),
    ),
}


def _evidence(batch: RoundBatch, row: int, basis: Basis) -> tuple[int, ...]:
    """The events a remark rests on that names none: the readings of the cards, else the round's last event."""
    seqs = {int(batch.fixed[column][row]) for column in _READ_IN.get(basis, ())} - {UNKNOWN}
    return tuple(sorted(seqs or {int(batch.last_seq[row])}))


# --- the lake's rounds -----------------------------------------------------------------------------------------------

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
LINE_KINDS = {Fact.SETTLED: "wager", Fact.ENVY: "envy", Fact.COLLECTION: "fee"}


def rounds_table(batch: RoundBatch, audited: Audit) -> pa.Table:
    """What rounds.parquet holds: the assembled rounds with verdict, reason and expected beside reported lines."""
    table = to_arrow(batch)
    names = pa.array([str(verdict) for verdict in VERDICTS])
    table = table.append_column("verdict", names.take(pa.array(audited.verdicts)))
    table = table.append_column("reason", pa.array(audited.reasons, pa.string()))
    table = table.append_column("judged", pa.array(audited.judged))
    return table.append_column("lines", _lines_column(len(batch), audited.parts))


def _lines_column(size: int, parts: list[Part]) -> pa.Array:
    counts = np.zeros(size, dtype=np.int64)
    arrays, rows = [], []
    for part in parts:
        rows.append(part.rows[part.checked.lines.row])
        arrays.append(_lines_array(part))
    if not arrays:
        return pa.array([[]] * size, pa.list_(LINE_TYPE))
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    np.add.at(counts, row, 1)
    values = pa.concat_arrays(arrays).take(pa.array(order))
    return pa.ListArray.from_arrays(pa.array(offsets_of(counts), pa.int32()), values)


def _lines_array(part: Part) -> pa.StructArray:
    lines, compared, names = part.checked.lines, part.compared, part.batch.names
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
    judged = _tabled(batch, DEEP_STEPS if deep else ROUND_STEPS)
    return judged.rounds, judged.findings


class Judged(NamedTuple):
    """Rounds that were audited."""

    rounds: pa.Table  # as the lake keeps them
    findings: list[Finding]
    finding_rows: list[int]  # the round each of those is about
    left_out: list[int]  # rounds whose racks are contradictory and were not searched
    steps: int  # that the searches took


def _tabled(batch: RoundBatch, steps: int = ROUND_STEPS) -> Judged:
    """The batch audited, as the lake keeps it, with mistakes contained; without `steps` no rack is searched."""

    def work(rows: Sequence[int]) -> Judged:
        some = batch if len(rows) == len(batch) else batch.take(np.array(rows))
        may = ~some.has(RoundFlag.NOT_SEARCHED) & (steps > 0)
        return _as_judged(some, audit_or_raise(some, Searches(may.tolist(), steps)))

    def culprit(row: int, error: Exception) -> Judged:
        alone = batch.take(np.array([row]))
        return _as_judged(alone, _not_judged(alone, error))

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
    )


def _as_judged(batch: RoundBatch, audited: Audit) -> Judged:
    return Judged(rounds_table(batch, audited), audited.findings, audited.finding_rows, audited.left_out, audited.steps)


class _Next(NamedTuple):
    """A round in the order its table's allowance is used: ordinary ones are judged already."""

    number: int
    table_id: str
    attested: bool
    odd: RoundRow | None  # its rack is contradictory


class Replay:
    """The replay as the worker uses it: fed event by event, asked for rounds and findings at the end of a segment, and
    as often before as somebody wants to know. What a segment holds in the end does not depend on that.

    Rounds whose racks are contradictory are judged after all others, a few at a time: see `advance`."""

    def __init__(self) -> None:
        self._assembler = Assembler()
        self._rounds: list[tuple[list[int], pa.Table]] = []  # of the open segment, judged already, and their numbers
        self._noticed: list[Finding] = []  # while rounds were put together
        self._found: list[Finding] = []  # in them
        self._allowances = Allowances()
        self._number = 0  # of the next round of the open segment
        self._next: deque[_Next] = deque()
        self._odd = 0  # how many of those wait to be judged
        self.feed: Callable[[Admitted], None] = self._assembler.feed  # straight through: it is called for every event

    def restore(self, state: dict[str, Any], history: History | None = None) -> None:
        self._assembler.restore(state, history)
        self._allowances.restore(state.get("searches", {}))

    @property
    def waiting(self) -> int:
        """How many rounds, closed and taken by `advance`, still wait for their verdicts."""
        return self._odd

    def advance(self) -> Concluded | None:
        """Judge the rounds closed or re-opened since the last call; None when nothing is new. Those with contradictory
        racks come last, and as many of them as can be judged in a moment (`SLICE_S`): `waiting` says whether there are
        more, for the next call."""
        (concluded,) = advance_together([self])
        return concluded

    def cut(self) -> ReplayCut:
        """Rounds and findings at the end of a segment."""
        said = [self.advance(), self.judge_odd(math.inf)]
        assert not self._next, "every round of the segment is judged"
        last = _together([one for one in said if one is not None])
        if not self._rounds:
            self._rounds.append(([], _judged([]).rounds))
        numbers = [number for some, _ in self._rounds for number in some]
        order = sorted(range(len(numbers)), key=numbers.__getitem__)
        rounds = pa.concat_tables([table for _, table in self._rounds]).combine_chunks()
        if order != list(range(len(order))):
            rounds = rounds.take(pa.array(order, pa.int64()))
        findings = self._noticed + self._found
        self._rounds, self._noticed, self._found = [], [], []
        self._number = 0
        return ReplayCut(rounds, findings, last)

    def state(self) -> dict[str, Any]:
        """Everything it must remember behind a cut."""
        return {**self._assembler.state(), "searches": self._allowances.state()}

    def take_noticed(self) -> list[Finding]:
        return self._assembler.take_findings()

    def take_closed(self) -> list[RoundRow]:
        return self._assembler.take_closed()

    def keep(
        self, rows: Sequence[RoundRow], judged: Judged, noticed: list[Finding], first: int = 0
    ) -> Concluded | None:
        """Rounds that were judged, of which these begin at `first`, for the segment they are in. Of the odd ones
        nothing counts yet: they wait for their turn."""
        odd = {row - first for row in judged.left_out if first <= row < first + len(rows)}
        for at, row in enumerate(rows):
            attested = bool(row.fixed["flags"] & _ATTESTED)
            waits = at in odd
            self._next.append(_Next(self._number + at, row.named["table_id"], attested, row if waits else None))
        self._odd += len(odd)
        done = [at for at in range(len(rows)) if at not in odd]
        table = judged.rounds.slice(first, len(rows))
        numbers = [self._number + at for at in done]
        self._number += len(rows)
        if odd:
            table = table.take(pa.array(done, pa.int64()))
        begin, end = bisect_left(judged.finding_rows, first), bisect_left(judged.finding_rows, first + len(rows))
        of_rows = zip(judged.finding_rows[begin:end], judged.findings[begin:end], strict=True)
        found = [finding for row, finding in of_rows if row - first not in odd]
        if not done and not noticed:
            return None
        return self._keep(numbers, table, noticed, found)

    def _keep(self, numbers: list[int], rounds: pa.Table, noticed: list[Finding], found: list[Finding]) -> Concluded:
        self._rounds.append((numbers, rounds))
        self._noticed += noticed
        self._found += found
        return Concluded(rounds, noticed + found)

    def judge_odd(self, until: float) -> Concluded | None:
        """Go on with the rounds that wait, in order, until this moment: search the racks that their tables' allowances
        are enough for, one by one, and judge the others as they are."""
        told: list[Concluded] = []
        unsearched: list[tuple[int, RoundRow]] = []
        while self._next:
            number, table_id, attested, row = self._next[0]
            if row is not None and told and monotonic() >= until:
                break
            self._next.popleft()
            self._allowances.next_round(table_id, attested)
            if row is None:
                continue
            self._odd -= 1
            if self._allowances.may_search(table_id, attested):
                judged = _judged([row])
                self._allowances.searched(table_id, attested, judged.steps)
                told.append(self._keep([number], judged.rounds, [], judged.findings))
            else:
                row.fixed["flags"] |= _NOT_SEARCHED
                unsearched.append((number, row))
        if unsearched:
            judged = _judged([row for _, row in unsearched])
            told.append(self._keep([number for number, _ in unsearched], judged.rounds, [], judged.findings))
        return _together(told)


_ATTESTED, _NOT_SEARCHED = int(RoundFlag.ATTESTED), int(RoundFlag.NOT_SEARCHED)


def _together(told: Sequence[Concluded]) -> Concluded | None:
    if len(told) < 2:
        return told[0] if told else None
    tables = [one.rounds for one in told if one.rounds is not None]
    findings = [finding for one in told for finding in one.findings]
    return Concluded(pa.concat_tables(tables) if tables else None, findings)


def advance_together(replays: Sequence[Replay]) -> list[Concluded | None]:
    """As `advance` of each, in one batch: what a batch costs beside its rounds is then paid once for all of them. For
    contradictory racks the replays share the moment there is, those with the fewest first."""
    closed = [(replay, replay.take_closed(), replay.take_noticed()) for replay in replays]
    concluded: list[Concluded | None] = [None] * len(closed)
    if any(rows or noticed for _, rows, noticed in closed):
        judged = _judged([row for _, rows, _ in closed for row in rows], steps=0)
        first = 0
        for at, (replay, rows, noticed) in enumerate(closed):
            if rows or noticed:
                concluded[at] = replay.keep(rows, judged, noticed, first)
            first += len(rows)
    until = monotonic() + SLICE_S
    begun = False
    for at in sorted(range(len(replays)), key=lambda at: replays[at].waiting):
        if monotonic() < until or not replays[at].waiting or not begun:
            begun |= replays[at].waiting > 0
            concluded[at] = _together([one for one in (concluded[at], replays[at].judge_odd(until)) if one is not None])
    return concluded


def _judged(rows: list[RoundRow], steps: int = ROUND_STEPS) -> Judged:
    try:
        return _tabled(batch_of(rows), steps)
    except NOT_OF_THE_ROUND:
        raise
    except Exception as error:  # noqa: BLE001 - contained: a round that no columns can hold is looked for one by one
        logger.warning("rounds cannot be put into columns together", extra={"error": in_words(error)})
    fitting = [row for some in each_contained(rows, _in_columns, _out_of_columns) for row in some]
    return _tabled(batch_of(fitting), steps)


def _in_columns(rows: Sequence[RoundRow]) -> list[RoundRow]:
    """These rounds, if columns can hold them."""
    to_arrow(batch_of(rows))
    return list(rows)


def _out_of_columns(row: RoundRow, error: Exception) -> list[RoundRow]:
    log_contained("a round does not fit its columns", row.named["table_id"], row.named["round_id"], error)
    return [replace(bare_row(row.named, row.fixed, in_words(error), too_large=False), kept=row.kept)]
