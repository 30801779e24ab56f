"""Step 6: what should have happened beside what was reported, line by line.

Works over the columns of a whole batch; only lines that differ are looked at one by one. Money decides: two outcomes
that move the same chips are the same settlement, whatever they are called. A difference is filed under the line's own
code where the pack knows the cause (a foul not caught, cover exceeded), else under the general one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from replay.citations import Citation, cite
from replay.game import NOT_SEEN_SET, SEEN_IN_THE_RACK, Basis, Checked, Lines, Remark
from replay.reconstruct.evidence import Denied
from replay.reconstruct.faults import SET_FOUL, SET_THREE_AND_FOUR
from replay.rounds import OUTCOME_CODE, OUTCOMES, PAYER_CODE, PAYERS, Array, Fact, Facts, Ints, RoundBatch
from schemas.events import Outcome, Payer
from schemas.findings import CERTAIN, LIKELY, POSSIBLE
from schemas.money import dollars

_WIN, _LOSE = OUTCOME_CODE[Outcome.WIN], OUTCOME_CODE[Outcome.LOSE]
_NO_ACTION = OUTCOME_CODE[Outcome.NO_ACTION]
_VOID_BIT = 1 << OUTCOME_CODE[Outcome.VOID]
_NO_VIGORISH = cite("rulings.md", "R-23")
_FOUL_UNSEEN = cite("rulings.md", "R-51", "A foul nobody saw is a reading too, but only of a wager that was *taken*")
_FOUL_SHARE = {NOT_SEEN_SET: SET_FOUL, SEEN_IN_THE_RACK: SET_THREE_AND_FOUR}
_VERBS = {
    Outcome.WIN: "win",
    Outcome.LOSE: "lose",
    Outcome.PUSH: "push",
    Outcome.SURRENDER: "be surrendered",
    Outcome.NO_ACTION: "have no action",
    Outcome.VOID: "be void",
}


@dataclass(frozen=True)
class Compared:
    """The outcome of a comparison: remarks, rows the evidence leaves open, and what was reported a line."""

    remarks: list[Remark]
    undecided: dict[int, str]  # row → which wager the evidence leaves open
    denied: npt.NDArray[np.bool_]  # a round: a wager was settled, or envy paid, otherwise than its hands give
    reported: npt.NDArray[np.int64]  # how many reports matched the line
    reported_outcome: Array
    reported_paid: Ints
    reported_taken: Ints
    expected_vigorish: Ints
    reported_vigorish: Ints


def compare(batch: RoundBatch, checked: Checked) -> Compared:
    """Every line of `checked` beside the reports of the batch."""
    lines = checked.lines
    size = len(lines)
    result = Compared(
        [],
        {},
        np.zeros(len(batch), dtype=bool),
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=np.uint8),
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=np.int64),
    )
    _compare_settlements(batch, checked, result)
    _compare_envy(batch, checked, result)
    _compare_fees(batch, lines, result)
    return result


# --- matching --------------------------------------------------------------------------------------------------------


def _coded(*columns: tuple[Array, Array]) -> tuple[Ints, Ints]:
    """One number a line and one a report, equal where all these (line column, report column) pairs are equal."""
    line_key = np.zeros(len(columns[0][0]), dtype=np.int64)
    report_key = np.zeros(len(columns[0][1]), dtype=np.int64)
    room = 1
    for line_column, report_column in columns:
        values, codes = np.unique(
            np.concatenate([line_column.astype(np.int64), report_column.astype(np.int64)]), return_inverse=True
        )
        room *= len(values) + 1
        assert room < 2**62, "a batch this mixed must be cut smaller"
        line_key = line_key * (len(values) + 1) + codes[: len(line_key)]
        report_key = report_key * (len(values) + 1) + codes[len(line_key) :]
    return line_key, report_key


@dataclass(frozen=True)
class _Match:
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


def _match(line_key: Ints, report_key: Ints) -> _Match:
    order = np.argsort(report_key, kind="stable")
    ordered = report_key[order]
    left = np.searchsorted(ordered, line_key, side="left")
    right = np.searchsorted(ordered, line_key, side="right")
    lonely = np.flatnonzero(~np.isin(report_key, line_key))
    return _Match(order, left, right, lonely)


# --- wagers and vigorish ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Settlements:
    """Lines of wagers beside the reports of them."""

    match: _Match
    count: Ints  # how many reports a line has
    paid: Ints
    taken: Ints
    outcome: npt.NDArray[np.uint8]  # as last reported
    several: Array  # nobody saw the split, and the outcome depends on it
    fine: Array  # what was reported is what should have happened, or may have
    foul_unseen: Array  # it is not, but a foul that nobody would have seen explains it: the wager was taken


def _settlements(lines: Lines, facts: Facts) -> _Settlements:
    match = _match(
        *_coded(
            (lines.row, facts.row),
            (lines.seat, facts.seat),
            (lines.hand, facts.hand),
            (lines.wager, facts.wager),
            (lines.bettor, facts.bettor),
            (lines.choice, facts.choice),
        )
    )
    count = match.right - match.left
    paid, taken = match.sums(facts.amount), match.sums(facts.taken)
    last = match.order[np.maximum(match.right - 1, 0)] if len(facts) else np.zeros(len(lines), dtype=np.int64)
    outcome = np.where(count > 0, facts.code[last] if len(facts) else 0, 0).astype(np.uint8)
    open_ended = (lines.possible & (lines.possible - 1)) != 0
    void = (lines.possible & _VOID_BIT) != 0
    several = open_ended & ~void
    # A line with several possible outcomes is an even-money wager whose split nobody saw: judge it by its report.
    expected_paid = np.where(several, np.where(outcome == _WIN, lines.stake, 0), lines.paid)
    expected_taken = np.where(several, np.where(outcome == _LOSE, lines.stake, 0), lines.taken)
    allowed = ((lines.possible >> outcome) & 1) == 1
    same_money = (paid == expected_paid) & (taken == expected_taken)
    fine = np.where(several, allowed & same_money, same_money) & (count > 0)
    fine |= void & (count == 0)  # chips of a void round go back, reported or not
    foul_unseen = (lines.unseen > 0) & ~fine & (count > 0) & ~void
    foul_unseen &= (outcome == _LOSE) & (paid == 0) & (taken == lines.stake)
    return _Settlements(match, count, paid, taken, outcome, several, fine, foul_unseen)


def denied_by(batch: RoundBatch, lines: Lines, by_outcome: Array | None = None) -> list[list[Denied]]:
    """The reported settlements and envy bonuses that these lines say are wrong, a round. In the rounds of `by_outcome`
    who won and who lost is all that counts, and that no more moved; a wager that had no action says nothing."""
    facts, settled = batch.facts.of(Fact.SETTLED), lines.where(lines.kind == Fact.SETTLED)
    beside = _settlements(settled, facts)
    fine = beside.fine
    if by_outcome is not None:
        alike = (beside.outcome == settled.outcome) & (beside.paid <= settled.paid) & (beside.taken <= settled.taken)
        alike |= beside.outcome == _NO_ACTION
        fine = np.where(by_outcome[settled.row], alike, fine)
    denied: list[list[Denied]] = [[] for _ in range(len(batch))]
    for at in np.flatnonzero(~fine & (beside.count > 0)).tolist():
        reports = tuple(facts.seq[beside.match.reports(at)].tolist())
        foul = _FOUL_SHARE[int(settled.unseen[at])] if beside.foul_unseen[at] else 0.0
        denied[int(settled.row[at])].append(Denied(int(settled.seat[at]), reports, foul))
    envy = batch.facts.of(Fact.ENVY)
    if len(envy):
        for at in _envy(lines.where(lines.kind == Fact.ENVY), envy).lonely.tolist():
            denied[int(envy.row[at])].append(Denied(int(envy.other[at]), (int(envy.seq[at]),)))
    return denied


def _compare_settlements(batch: RoundBatch, checked: Checked, result: Compared) -> None:
    lines, facts = checked.lines, batch.facts.of(Fact.SETTLED)
    chosen = np.flatnonzero(lines.kind == Fact.SETTLED)
    sub = lines.where(chosen)
    beside = _settlements(sub, facts)
    match, count, paid, taken, outcome = beside.match, beside.count, beside.paid, beside.taken, beside.outcome
    several, fine, foul_unseen = beside.several, beside.fine, beside.foul_unseen
    result.denied[sub.row[~fine & ~foul_unseen & (count > 0)]] = True
    result.reported[chosen] = count
    result.reported_outcome[chosen] = outcome
    result.reported_paid[chosen] = paid
    result.reported_taken[chosen] = taken
    moved = np.zeros(len(batch), dtype=np.int64)
    np.add.at(moved, facts.row, facts.amount + facts.taken)
    beyond_cover = (batch.bank_posted_cents >= 0) & (moved > batch.bank_posted_cents)
    for at in np.flatnonzero(foul_unseen).tolist():
        result.remarks.append(_foul_nobody_showed(batch, sub, at, facts, match.reports(at)))
        result.undecided[int(sub.row[at])] = f"seat {int(sub.seat[at])} may have set a foul hand, and nobody showed it"
    for at in np.flatnonzero(~fine & ~foul_unseen).tolist():
        reports = match.reports(at)
        over = bool(beyond_cover[sub.row[at]])
        result.remarks.append(_settlement_remark(batch, sub, at, facts, reports, int(paid[at]), int(taken[at]), over))
    for at in np.flatnonzero(several & fine).tolist():
        result.undecided.setdefault(
            int(sub.row[at]), f"the split of seat {int(sub.seat[at])} was not seen and the money depends on it"
        )
    for at in match.lonely.tolist():
        if facts.amount[at] == 0 and facts.taken[at] == 0:
            continue  # nothing moved
        if int(facts.row[at]) in checked.cannot_tell:
            continue  # the pack has no line to hold it against
        result.remarks.append(
            Remark(
                int(facts.row[at]),
                "SETTLE-104",
                f"settled as {OUTCOMES[facts.code[at]]} paying {dollars(int(facts.amount[at]))} and taking "
                f"{dollars(int(facts.taken[at]))}, but no such wager stood",
                cite("rulings.md", "R-22"),
                int(facts.seat[at]),
                batch.names[facts.bettor[at]] or None,
                batch.names[facts.wager[at]],
                0,
                int(facts.amount[at]) - int(facts.taken[at]),
                int(facts.amount[at]) - int(facts.taken[at]),
                (int(facts.seq[at]),),
                basis=Basis.REPORTS,
            )
        )
    _compare_vigorish(batch, checked, chosen, fine, several | foul_unseen, result)


def _foul_nobody_showed(batch: RoundBatch, lines: Lines, at: int, facts: Facts, reports: Ints) -> Remark:
    """FOUL-403 (rulings.md R-51): never a wrong settlement by a dealer who may have done right."""
    bits = int(lines.possible[at])
    allowed = " or ".join(_VERBS[outcome] for number, outcome in enumerate(OUTCOMES) if bits >> number & 1)
    if lines.unseen[at] == NOT_SEEN_SET:
        why = f"set in any way that is not foul the hand would {allowed}"
    else:
        why = f"as it lies in the rack the hand would {allowed}, but its order cannot show three cards set before four"
    return Remark(
        int(lines.row[at]),
        "FOUL-403",
        f"{dollars(int(lines.stake[at]))} was taken, and only a foul that nobody showed explains it: {why}",
        _FOUL_UNSEEN,
        int(lines.seat[at]),
        batch.names[lines.bettor[at]] or None,
        batch.names[lines.wager[at]],
        None,
        -int(lines.stake[at]),
        0,
        tuple(int(seq) for seq in facts.seq[reports]),
        POSSIBLE,
        Basis.READINGS,
    )


def _settlement_remark(
    batch: RoundBatch, lines: Lines, at: int, facts: Facts, reports: Ints, paid: int, taken: int, beyond_cover: bool
) -> Remark:
    row, seat = int(lines.row[at]), int(lines.seat[at])
    expected_net = int(lines.paid[at]) - int(lines.taken[at])
    citation = lines.cites[lines.cite[at]]
    code = lines.codes[lines.code[at]]
    evidence = tuple(int(seq) for seq in facts.seq[reports])
    bettor, wager = batch.names[lines.bettor[at]] or None, batch.names[lines.wager[at]]
    stake = dollars(int(lines.stake[at]))
    bits = int(lines.possible[at])
    allowed = [outcome for number, outcome in enumerate(OUTCOMES) if bits >> number & 1]
    if not evidence:
        should = f"should {_should(lines, at)}" if len(allowed) == 1 else f"could be {' or '.join(allowed)}"
        return Remark(
            row,
            "SETTLE-103",
            f"{stake} was never settled; by {citation} it {should}",
            citation,
            seat,
            bettor,
            wager,
            expected_net,
            None,
            -expected_net,
            (int(batch.last_seq[row]),),
            basis=Basis.REPORTS,
        )
    outcome = OUTCOMES[facts.code[reports[-1]]]
    said = f"settled as {outcome} on {stake}, paying {dollars(paid)} and taking {dollars(taken)}"
    if len(allowed) > 1 and Outcome.VOID not in allowed:
        return Remark(
            row,
            "SETTLE-102" if outcome not in allowed else "SETTLE-101",
            f"{said}; by {citation} no way to set this hand that is not foul gives that, only {' or '.join(allowed)} "
            "at even money",
            citation,
            seat,
            bettor,
            wager,
            None,
            paid - taken,
            0,
            evidence,
            LIKELY,  # nobody saw how it was set: it may have been set foul
        )
    if Outcome.VOID in allowed:
        code = "SETTLE-105"
    elif code == "FOUL-401" and outcome is Outcome.LOSE:
        code = ""  # it was caught; the amount is what is wrong
    elif code == "COVER-801":
        too_much = paid + taken > int(lines.paid[at]) + int(lines.taken[at])
        code = code if too_much and beyond_cover else ""
    if not code:
        code = "SETTLE-101" if outcome == OUTCOMES[lines.outcome[at]] else "SETTLE-102"
    difference = paid - taken - expected_net
    return Remark(
        row,
        code,
        f"{said}; by {citation} it should {_should(lines, at)}: {_who_is_out(difference)}",
        citation,
        seat,
        bettor,
        wager,
        expected_net,
        paid - taken,
        difference,
        evidence,
        LIKELY if lines.unseen[at] == NOT_SEEN_SET else CERTAIN,
        Basis.REPORTS if lines.by_reports[at] else Basis.HANDS,
    )


def _should(lines: Lines, at: int) -> str:
    paid, taken = int(lines.paid[at]), int(lines.taken[at])
    moves = [f"pay {dollars(paid)}"] if paid else []
    moves += [f"take {dollars(taken)}"] if taken else []
    return f"{_VERBS[OUTCOMES[lines.outcome[at]]]} and {' and '.join(moves) or 'move nothing'}"


def _who_is_out(difference: int) -> str:
    if difference < 0:
        return f"the patron is {dollars(-difference)} short"
    if difference > 0:
        return f"the patron has {dollars(difference)} too much"
    return "the sums cancel"


def _compare_vigorish(
    batch: RoundBatch, checked: Checked, chosen: Ints, fine: Array, several: Array, result: Compared
) -> None:
    facts = batch.facts.of(Fact.VIGORISH)
    if checked.vigorish is None:
        _lonely_vigorish(batch, checked, facts, np.arange(len(facts)), result)
        return
    lines = checked.lines.where(chosen)
    owing = np.flatnonzero(lines.vigorish == 1)
    owed = lines.where(owing)
    match = _match(
        *_coded((owed.row, facts.row), (owed.seat, facts.seat), (owed.wager, facts.wager), (owed.bettor, facts.bettor))
    )
    taken = match.sums(facts.amount)
    reported_paid = result.reported_paid[chosen][owing]
    by_rule = checked.vigorish(np.where(several[owing], reported_paid, owed.paid))
    by_report = checked.vigorish(reported_paid)
    result.expected_vigorish[chosen[owing]] = by_rule
    result.reported_vigorish[chosen[owing]] = taken
    settled_right = fine[owing]
    unsettled = result.reported[chosen][owing] == 0
    right = (taken == by_rule) | (~settled_right & (taken == by_report)) | (unsettled & (taken == 0))
    citation = checked.vigorish_cite or _NO_VIGORISH
    for at in np.flatnonzero(~right).tolist():
        due, got = int(by_rule[at]), int(taken[at])
        code = "VIG-601" if got == 0 else "VIG-603" if due == 0 else "VIG-602"
        won = dollars(int(owed.paid[at]))
        sentence = (
            f"no vigorish taken on {won} won; {citation} asks for {dollars(due)}"
            if got == 0
            else f"{dollars(got)} vigorish taken; {citation} asks for {dollars(due)} on {won} won"
        )
        seqs = tuple(int(seq) for seq in facts.seq[match.reports(at)])
        result.remarks.append(
            Remark(
                int(owed.row[at]),
                code,
                f"{sentence}: {_who_is_out(due - got)}",
                citation,
                int(owed.seat[at]),
                batch.names[owed.bettor[at]] or None,
                batch.names[owed.wager[at]],
                due,
                got,
                due - got,
                seqs,
            )
        )
    _lonely_vigorish(batch, checked, facts, match.lonely, result)


def _lonely_vigorish(batch: RoundBatch, checked: Checked, facts: Facts, lonely: Ints, result: Compared) -> None:
    for at in lonely.tolist():
        if int(facts.row[at]) in checked.cannot_tell:
            continue
        amount = int(facts.amount[at])
        result.remarks.append(
            Remark(
                int(facts.row[at]),
                "VIG-603",
                f"{dollars(amount)} vigorish taken on a wager that owes none: {_who_is_out(-amount)}",
                _NO_VIGORISH,
                int(facts.seat[at]),
                batch.names[facts.bettor[at]] or None,
                batch.names[facts.wager[at]],
                0,
                amount,
                -amount,
                (int(facts.seq[at]),),
                basis=Basis.REPORTS,
            )
        )


# --- envy ------------------------------------------------------------------------------------------------------------


def _envy(due: Lines, facts: Facts) -> _Match:
    """Envy bonuses due beside those paid: to the same wager, for the same hand."""
    return _match(
        *_coded(
            (due.row, facts.row),
            (due.seat, facts.seat),
            (due.for_seat, facts.other),
            (due.wager, facts.wager),
            (due.bettor, facts.bettor),
        )
    )


def _compare_envy(batch: RoundBatch, checked: Checked, result: Compared) -> None:
    lines, facts = checked.lines, batch.facts.of(Fact.ENVY)
    chosen = np.flatnonzero(lines.kind == Fact.ENVY)
    if len(chosen) == 0 and len(facts) == 0:
        return
    due = lines.where(chosen)
    match = _envy(due, facts)
    result.denied[facts.row[match.lonely]] = True
    paid = match.sums(facts.amount)
    count = match.right - match.left
    result.reported[chosen] = count
    result.reported_paid[chosen] = paid
    for at in np.flatnonzero(paid != due.paid).tolist():
        citation = due.cites[due.cite[at]]
        expected, actual = int(due.paid[at]), int(paid[at])
        result.remarks.append(
            Remark(
                int(due.row[at]),
                "ENVY-701" if actual == 0 else "ENVY-702",
                f"envy bonus for the hand of seat {int(due.for_seat[at])}: {dollars(actual)} paid, {citation} gives "
                f"{dollars(expected)}: {_who_is_out(actual - expected)}",
                citation,
                int(due.seat[at]),
                batch.names[due.bettor[at]] or None,
                batch.names[due.wager[at]],
                expected,
                actual,
                actual - expected,
                tuple(int(seq) for seq in facts.seq[match.reports(at)]),
            )
        )
    for at in match.lonely.tolist():
        if int(facts.row[at]) in checked.cannot_tell:
            continue
        actual = int(facts.amount[at])
        result.remarks.append(
            Remark(
                int(facts.row[at]),
                "ENVY-703",
                f"envy bonus of {dollars(actual)} paid for the hand of seat {int(facts.other[at])}, which gives none "
                f"to this seat: {_who_is_out(actual)}",
                cite("rulings.md", "R-29"),
                int(facts.seat[at]),
                batch.names[facts.bettor[at]] or None,
                batch.names[facts.wager[at]],
                0,
                actual,
                actual,
                (int(facts.seq[at]),),
            )
        )


# --- fees ------------------------------------------------------------------------------------------------------------


def _compare_fees(batch: RoundBatch, lines: Lines, result: Compared) -> None:
    facts = _fees_reported(batch)
    chosen = np.flatnonzero(lines.kind == Fact.COLLECTION)
    if len(chosen) == 0 and len(facts) == 0:
        return
    due = lines.where(chosen)
    match = _match(
        *_coded((due.row, facts.row), (due.payer, facts.code), (due.seat, facts.seat), (due.bettor, facts.bettor))
    )
    count = match.right - match.left
    taken = match.sums(facts.amount)
    result.reported[chosen] = count
    result.reported_paid[chosen] = taken
    first = match.order[np.minimum(match.left, max(len(facts) - 1, 0))] if len(facts) else np.zeros(len(due), np.int64)
    ok = (count == 1) & (taken == due.paid)
    if len(facts):
        ok &= (facts.choice[first] == due.choice) & _in_time(due, facts.seq[first])
    troubled = set(due.row[~ok].tolist()) | set(facts.row[match.lonely].tolist())
    if not troubled:
        return
    by_row: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for at in np.flatnonzero(np.isin(due.row, list(troubled))).tolist():
        by_row[int(due.row[at])][0].append(at)
    for at in np.flatnonzero(np.isin(facts.row, list(troubled))).tolist():
        by_row[int(facts.row[at])][1].append(at)
    for row in sorted(by_row):
        owed, got = by_row[row]
        result.remarks.extend(_fee_remarks(batch, row, due, owed, facts, got))


def _fees_reported(batch: RoundBatch) -> Facts:
    """The fees taken: reports of nothing left out, a player-dealer's without a seat put to the seat that banks."""
    facts = batch.facts.of(Fact.COLLECTION)
    facts = facts.where(facts.amount > 0)
    unseated = (facts.seat == 0) & (facts.code == PAYER_CODE[Payer.PLAYER_DEALER]) & (batch.bank_seat[facts.row] > 0)
    return replace(facts, seat=np.where(unseated, batch.bank_seat[facts.row], facts.seat).astype(facts.seat.dtype))


def _in_time(due: Lines, seq: Ints) -> Array:
    return ((due.earliest < 0) | (seq > due.earliest)) & ((due.latest < 0) | (seq < due.latest))


def _payer(payer: int, seat: int = 0, bettor: str = "") -> str:
    """Who pays; the seat only where the finding is not filed under it anyway."""
    who = {Payer.PLAYER_DEALER: "the player-dealer", Payer.POT: "the pot"}.get(PAYERS[payer], "the player")
    return who + (f" in seat {seat}" if seat else "") + (f" ({bettor})" if bettor else "")


def _fee_remarks(
    batch: RoundBatch, row: int, due: Lines, owed: list[int], facts: Facts, got: list[int]
) -> Iterator[Remark]:
    """One round's fees, one by one: each due fee with the report it goes with, then what is left over."""
    box = batch.names
    left = list(got)
    missing: list[int] = []
    for line in owed:
        mine = [
            fact
            for fact in left
            if facts.code[fact] == due.payer[line]
            and facts.seat[fact] == due.seat[line]
            and facts.bettor[fact] == due.bettor[line]
        ]
        if not mine:
            missing.append(line)
            continue
        for fact in mine:
            left.remove(fact)
        fact, again = mine[0], mine[1:]
        citation = due.cites[due.cite[line]]
        fee, amount, seq = int(due.paid[line]), int(facts.amount[fact]), int(facts.seq[fact])
        who = _payer(int(due.payer[line]))
        if amount != fee:
            text = f"{dollars(amount)} taken from {who}; {citation} asks for {dollars(fee)}"
            yield _fee(batch, row, "FEE-902", text, citation, due, line, fee, amount, (seq,))
        if facts.choice[fact] != due.choice[line]:
            filed = box[due.choice[line]] if due.choice[line] >= 0 else "another"
            text = f"{dollars(amount)} dropped in box {box[facts.choice[fact]]!r}; the filed box is {filed!r}"
            yield _fee(batch, row, "FEE-906", text, citation, due, line, fee, amount, (seq,), moved=False)
        if due.earliest[line] >= 0 and seq <= due.earliest[line]:
            text = f"{dollars(amount)} taken from {who} before the first card; {citation} has it taken after"
            yield _fee(batch, row, "FEE-904", text, citation, due, line, fee, amount, (seq,), moved=False)
        if due.latest[line] >= 0 and seq >= due.latest[line]:
            text = f"{dollars(amount)} taken from {who} after cards were dealt; {citation} has it taken before"
            yield _fee(batch, row, "FEE-904", text, citation, due, line, fee, amount, (seq,), moved=False)
        for extra in again:
            amount = int(facts.amount[extra])
            text = f"{dollars(amount)} taken from {who} again; {citation} asks for it once a round"
            yield _fee(batch, row, "FEE-905", text, citation, due, line, 0, amount, (seq, int(facts.seq[extra])))
    for line in missing:
        citation = due.cites[due.cite[line]]
        fee = int(due.paid[line])
        who = _payer(int(due.payer[line]))
        paired = min(left, key=lambda fact: (facts.amount[fact] != fee, facts.seq[fact]), default=None)
        if paired is None:
            text = f"no collection fee taken from {who}; {citation} asks for {dollars(fee)}"
            yield _fee(batch, row, "FEE-901", text, citation, due, line, fee, 0, (int(batch.last_seq[row]),))
            continue
        left.remove(paired)
        amount = int(facts.amount[paired])
        other = _payer(int(facts.code[paired]), int(facts.seat[paired]), box[facts.bettor[paired]])
        text = f"{dollars(amount)} taken from {other}; by {citation} {who} owes {dollars(fee)}"
        yield _fee(batch, row, "FEE-903", text, citation, due, line, fee, amount, (int(facts.seq[paired]),))
    for fact in left:
        amount = int(facts.amount[fact])
        other = _payer(int(facts.code[fact]))
        yield Remark(
            row,
            "FEE-903",
            f"{dollars(amount)} taken from {other}, who owes no collection fee",
            cite("rulings.md", "R-32"),
            int(facts.seat[fact]) or None,
            box[facts.bettor[fact]] or None,
            None,
            0,
            amount,
            -amount,
            (int(facts.seq[fact]),),
            basis=Basis.REPORTS,
        )


def _fee(
    batch: RoundBatch,
    row: int,
    code: str,
    text: str,
    citation: Citation,
    due: Lines,
    line: int,
    expected: int,
    actual: int,
    evidence: tuple[int, ...],
    moved: bool = True,
) -> Remark:
    return Remark(
        row,
        code,
        text,
        citation,
        int(due.seat[line]) or None,
        batch.names[due.bettor[line]] or None,
        None,
        expected,
        actual,
        expected - actual if moved else 0,
        evidence,
        basis=Basis.REPORTS,
    )
