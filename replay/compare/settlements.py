"""Step 6: what should have happened beside what was reported, line by line.

Works over the columns of a whole batch; only lines that differ are looked at one by one. Money decides: two outcomes
that move the same chips are the same settlement, whatever they are called. A difference is filed under the line's own
code where the pack knows the cause (a foul not caught, cover exceeded), else under the general one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from replay.cards.solver.evidence import Denied
from replay.cards.solver.faults import SET_FOUL, SET_THREE_AND_FOUR
from replay.citations import Citation, cite
from replay.compare.fees import compare_fees
from replay.compare.matching import Match, coded, match_reports, shared
from replay.game import Checked
from replay.lines import NOT_SEEN_SET, SEEN_IN_THE_RACK, Lines, Way, Ways
from replay.money.ledger import HOUSE, Differences, against, differences, other_sides, person, who_is_out
from replay.remarks import Remark
from replay.rounds import OUTCOME_CODE, OUTCOMES, Array, Fact, Facts, Ints, RoundBatch
from schemas.events import Outcome
from schemas.findings import CERTAIN, LIKELY, POSSIBLE, Basis
from schemas.money import dollars

_WIN, _LOSE = OUTCOME_CODE[Outcome.WIN], OUTCOME_CODE[Outcome.LOSE]
_NO_ACTION = OUTCOME_CODE[Outcome.NO_ACTION]
_VOID_BIT = 1 << OUTCOME_CODE[Outcome.VOID]
_NO_VIGORISH = cite("rulings.md", "R-23", "5% of the amount won")
_OWN_STAKE = cite("rulings.md", "R-22", "pays a × wager and the wager stays with the player")
_ENVY = cite("rulings.md", "R-29", "Never one's own or the dealer's/player-dealer's. One button per bonus bet")
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
    # one entry a line
    agrees: npt.NDArray[np.bool_]
    reported: npt.NDArray[np.int64]  # how many reports matched the line
    reported_outcome: Array
    reported_paid: Ints
    reported_taken: Ints
    reported_vigorish: Ints
    expected_paid: Ints  # where several sums are possible: the one reported, or the nearest to it
    expected_taken: Ints
    expected_vigorish: Ints

    def of_lines(self, kept: Array) -> Compared:
        """Without what is said of the lines that are not kept."""
        return replace(self, **{name: getattr(self, name)[kept] for name in _OF_LINES})


_OF_LINES = [
    "agrees",
    *(f"reported{what}" for what in ("", "_outcome", "_paid", "_taken", "_vigorish")),
    *(f"expected_{what}" for what in ("paid", "taken", "vigorish")),
]


def compare(batch: RoundBatch, checked: Checked) -> Compared:
    """Every line of `checked` beside the reports of the batch, and every report that moves money beside the lines."""
    lines = checked.lines
    size = len(lines)
    result = Compared(
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
    _compare_settlements(batch, checked, result)
    _compare_envy(batch, lines, result)
    fees = compare_fees(batch, lines)
    result.reported[fees.lines] = fees.reports
    result.reported_paid[fees.lines] = fees.taken
    result.agrees[fees.lines] = fees.agrees
    result.remarks.extend(fees.remarks)
    _not_offered(batch, result)
    return result


def wrong_whichever(lines: Lines, compared: Compared, unsure: Collection[int]) -> Array:
    """The lines of wagers of rounds whose hands are not sure that were never settled, or for a sum that no hands give:
    that is wrong whichever reading is true, but none of them may say by how much."""
    asked = (lines.kind == Fact.SETTLED) & (lines.by_reports == 0) & (lines.open == 0)
    asked &= np.isin(lines.row, np.fromiter(unsure, np.int64, len(unsure)))
    wrong = np.zeros(len(lines), bool)
    for at in np.flatnonzero(asked & ~compared.agrees).tolist():
        sums = int(compared.reported_paid[at]), int(compared.reported_taken[at])
        ways = lines.ways_of(at)
        wrong[at] = bool(ways.each) and not (compared.reported[at] and ways.allows(*sums))
    return wrong


# --- wagers and vigorish ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Settlements:
    """Lines of wagers beside the reports of them."""

    match: Match
    count: Ints  # how many reports a line has
    paid: Ints
    taken: Ints
    outcome: npt.NDArray[np.uint8]  # as last reported
    several: Array  # nobody saw the split, and the outcome depends on it
    fine: Array  # what was reported is what should have happened, or may have
    foul_unseen: Array  # it is not, but a foul that nobody would have seen explains it: the wager was taken
    expected_paid: Ints
    expected_taken: Ints


def _settlements(lines: Lines, facts: Facts) -> _Settlements:
    match = match_reports(
        *coded(
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
    several = open_ended & ~void & (lines.open == 0)
    # A line with several possible outcomes is an even-money wager whose split nobody saw: judge it by its report.
    expected_paid = np.where(several, np.where(outcome == _WIN, lines.stake, 0), lines.paid)
    expected_taken = np.where(several, np.where(outcome == _LOSE, lines.stake, 0), lines.taken)
    allowed = ((lines.possible >> outcome) & 1) == 1
    same_money = (paid == expected_paid) & (taken == expected_taken)
    fine = np.where(several, allowed & same_money, same_money) & (count > 0)
    for at in np.flatnonzero(several & ~fine).tolist():
        ways = _even_money(int(lines.possible[at]), int(lines.stake[at]))
        expected_paid[at], expected_taken[at] = ways.nearest(int(paid[at]), int(taken[at])) if count[at] else (0, 0)
    for at in np.flatnonzero(lines.open == 1).tolist():  # any of its ways may be right
        expected_paid[at], expected_taken[at] = lines.ways_of(at).nearest(int(paid[at]), int(taken[at]))
        if not count[at]:  # never settled: what it should have come to nothing says
            expected_paid[at] = expected_taken[at] = 0
        fine[at] = bool(count[at]) and expected_paid[at] == paid[at] and expected_taken[at] == taken[at]
    fine |= void & (count == 0)  # chips of a void round go back, reported or not
    foul_unseen = (lines.unseen > 0) & ~fine & (count > 0) & ~void
    foul_unseen &= (outcome == _LOSE) & (paid == 0) & (taken == lines.stake)
    expected_paid = np.where(foul_unseen, paid, expected_paid)  # as it may have been: nothing is held against anybody
    expected_taken = np.where(foul_unseen, taken, expected_taken)
    return _Settlements(match, count, paid, taken, outcome, several, fine, foul_unseen, expected_paid, expected_taken)


def _some_hands_give_it(lines: Lines, beside: _Settlements) -> Array:
    """Lines settled for a sum that the wager can come to with other hands. Of a sum that no hands give, no order of the
    rack is the reason, and none is looked for."""
    may: Array = np.ones(len(lines), dtype=bool)
    for at in np.flatnonzero(~beside.fine & (beside.count > 0)).tolist():
        ways = lines.ways_of(at)
        may[at] = not ways.each or ways.allows(int(beside.paid[at]), int(beside.taken[at]))
    return may


def _even_money(possible: int, stake: int) -> Ways:
    """The ways of a wager at even money whose outcome is one of these."""
    return Ways(
        tuple(
            Way(code, stake if code == _WIN else 0, stake if code == _LOSE else 0)
            for code in range(len(OUTCOMES))
            if possible >> code & 1
        )
    )


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
    for at in np.flatnonzero(~fine & (beside.count > 0) & (settled.open == 0)).tolist():
        reports = tuple(facts.seq[beside.match.reports(at)].tolist())
        foul = _FOUL_SHARE[int(settled.unseen[at])] if beside.foul_unseen[at] else 0.0
        denied[int(settled.row[at])].append(Denied(int(settled.seat[at]), reports, foul))
    envy = batch.facts.of(Fact.ENVY)
    if len(envy):
        lonely = _envy(lines.where(lines.kind == Fact.ENVY), envy).lonely
        for at in lonely[_may_earn(lines, envy, lonely)].tolist():
            denied[int(envy.row[at])].append(Denied(int(envy.other[at]), (int(envy.seq[at]),)))
    return denied


def _compare_settlements(batch: RoundBatch, checked: Checked, result: Compared) -> None:
    lines, facts = checked.lines, batch.facts.of(Fact.SETTLED)
    chosen = np.flatnonzero(lines.kind == Fact.SETTLED)
    sub = lines.where(chosen)
    beside = _settlements(sub, facts)
    match, count, foul_unseen = beside.match, beside.count, beside.foul_unseen
    fine = beside.fine | foul_unseen
    result.denied[sub.row[~fine & (count > 0) & (sub.open == 0) & _some_hands_give_it(sub, beside)]] = True
    result.reported[chosen] = count
    result.reported_outcome[chosen] = beside.outcome
    result.reported_paid[chosen] = beside.paid
    result.reported_taken[chosen] = beside.taken
    result.expected_paid[chosen] = beside.expected_paid
    result.expected_taken[chosen] = beside.expected_taken
    due, got, vigorish_reports = _vigorish(batch, checked, chosen, beside.expected_paid, result)
    result.expected_vigorish[chosen] = due
    result.reported_vigorish[chosen] = got
    result.agrees[chosen] = beside.fine & (due == got)
    moved = np.zeros(len(batch), dtype=np.int64)
    np.add.at(moved, facts.row, facts.amount + facts.taken)
    beyond_cover = (batch.bank_posted_cents >= 0) & (moved > batch.bank_posted_cents)
    for at in np.flatnonzero(foul_unseen).tolist():
        result.remarks.append(_foul_nobody_showed(batch, sub, at, facts, match.reports(at)))
        result.undecided[int(sub.row[at])] = f"seat {int(sub.seat[at])} may have set a foul hand, and nobody showed it"
    for at in np.flatnonzero(~fine).tolist():
        sums = _Sums(*(int(column[chosen[at]]) for column in _sums_of(result)))
        over = bool(beyond_cover[sub.row[at]])
        seqs = tuple(facts.seq[match.reports(at)].tolist())
        outcome = OUTCOMES[beside.outcome[at]] if count[at] else None
        result.remarks.append(_settlement_remark(batch, sub, at, sums, outcome, seqs, over))
    for at in np.flatnonzero(fine & (due != got)).tolist():
        sums = _Sums(*(int(column[chosen[at]]) for column in _sums_of(result)))
        seqs = tuple(seq for report in vigorish_reports[at] for seq in report)
        result.remarks.append(_vigorish_remark(batch, checked, sub, at, sums, seqs))
    for at in np.flatnonzero(beside.several & beside.fine).tolist():
        result.undecided.setdefault(
            int(sub.row[at]), f"the split of seat {int(sub.seat[at])} was not seen and the money depends on it"
        )
    for at in match.lonely.tolist():
        paid, taken, row = int(facts.amount[at]), int(facts.taken[at]), int(facts.row[at])
        if paid == taken == 0:
            continue  # nothing moved
        seat, bettor = int(facts.seat[at]), batch.names[facts.bettor[at]]
        said = f"settled as {OUTCOMES[facts.code[at]]} paying {dollars(paid)} and taking {dollars(taken)}"
        who = person(batch, row, seat, bettor)
        accounts = differences((against(batch, row), who, paid - taken))
        difference = dict(accounts).get(who, 0)
        result.remarks.append(
            Remark(
                row,
                "SETTLE-104",
                f"{said}, but no such wager stood: {who_is_out(difference)}",
                _OWN_STAKE,
                seat,
                bettor or None,
                batch.names[facts.wager[at]],
                0,
                paid - taken,
                difference,
                (int(facts.seq[at]),),
                basis=Basis.REPORTS,
                accounts=accounts,
            )
        )


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
        leaves_open=True,
    )


class _Sums(NamedTuple):
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

    def accounts(self, who: str, other: str) -> Differences:
        return differences((other, who, self.gross_difference), (who, HOUSE, self.vigorish - self.due_vigorish))


def _sums_of(result: Compared) -> tuple[Ints, ...]:
    return (
        result.expected_paid,
        result.expected_taken,
        result.expected_vigorish,
        result.reported_paid,
        result.reported_taken,
        result.reported_vigorish,
    )


def _settlement_remark(
    batch: RoundBatch,
    lines: Lines,
    at: int,
    sums: _Sums,
    outcome: Outcome | None,
    seqs: tuple[int, ...],
    beyond_cover: bool,
) -> Remark:
    """A wager settled otherwise than it should have been, or never; its vigorish is part of the difference (R-59)."""
    row, seat = int(lines.row[at]), int(lines.seat[at])
    citation = lines.cites[lines.cite[at]]
    code = lines.codes[lines.code[at]]
    bettor, wager = batch.names[lines.bettor[at]], batch.names[lines.wager[at]]
    stake = dollars(int(lines.stake[at]))
    bits = int(lines.possible[at])
    allowed = [outcome for number, outcome in enumerate(OUTCOMES) if bits >> number & 1]
    who = person(batch, row, seat, bettor)
    accounts = sums.accounts(who, against(batch, row))
    difference = dict(accounts).get(who, 0)
    by_reports = bool(lines.by_reports[at])
    # Where several sums are possible the one nearest to the report counts: the difference is the least it can be.
    open_ended = bool(lines.open[at]) or (len(allowed) > 1 and Outcome.VOID not in allowed)
    confidence, impossible = CERTAIN, False
    if outcome is None:  # that it never was is so whatever the hands were; what it should have come to is not
        code, by_reports, impossible = "SETTLE-103", by_reports or open_ended, True
        should = f"should {_should(lines, at)}" if not open_ended else f"could be {' or '.join(allowed)}"
        sentence = f"{stake} was never settled; by {citation} it {should}"
        if difference:
            sentence += f": {who_is_out(difference)}{_before_vigorish(sums)}"
    else:
        ways = lines.ways_of(at)
        impossible = bool(ways.each) and not ways.allows(sums.paid, sums.taken)
        said = f"settled as {outcome} on {stake}, paying {dollars(sums.paid)} and taking {dollars(sums.taken)}"
        if open_ended and not lines.open[at]:
            code = ""
            confidence = LIKELY  # nobody saw how it was set: it may have been set foul
            should = f"no way to set this hand that is not foul gives that, only {' or '.join(allowed)} at even money"
        elif lines.open[at]:
            code, should = "", "no outcome of this wager gives that"
        else:
            should = f"it should {_should(lines, at)}"
            confidence = LIKELY if lines.unseen[at] == NOT_SEEN_SET else CERTAIN
        if Outcome.VOID in allowed:
            code = "SETTLE-105"
        elif code == "FOUL-401" and outcome is Outcome.LOSE:
            code = ""  # it was caught; the amount is what is wrong
        elif code == "COVER-801":
            too_much = sums.paid + sums.taken > int(lines.paid[at]) + int(lines.taken[at])
            code = code if too_much and beyond_cover else ""
        if not code or (impossible and not lines.by_reports[at]):
            right_way = outcome in allowed if open_ended else outcome == OUTCOMES[lines.outcome[at]]
            code = "SETTLE-101" if right_way else "SETTLE-102"
        out = who_is_out(difference)
        if open_ended and difference:
            may_be = ways if lines.open[at] else _even_money(bits, int(lines.stake[at]))
            out = _at_least(may_be, sums.paid, sums.taken, difference)
        sentence = f"{said}; by {citation} {should}: {out}{_before_vigorish(sums)}"
        if impossible:  # no hands make it right
            by_reports, confidence = by_reports or open_ended, CERTAIN
            sentence += "" if lines.open[at] else "; no outcome of this wager gives that"
    return Remark(
        row,
        code,
        sentence,
        citation,
        seat,
        bettor or None,
        wager,
        None if outcome is None and open_ended else sums.due,
        None if outcome is None else sums.net,
        difference,
        seqs or (int(batch.last_seq[row]),),
        confidence,
        Basis.REPORTS if by_reports else Basis.HANDS,
        accounts,
        whatever_the_hands=impossible,
    )


def _at_least(ways: Ways, paid: int, taken: int, difference: int) -> str:
    """By how much somebody is out, counted from the nearest of the sums that may be right: it may be more, and where
    they lie on both sides of what moved, it may be the other who is."""
    if ways.on_both_sides(paid, taken):
        return f"by how much, and to whose harm, depends on the cards (the nearest is {dollars(abs(difference))} away)"
    return who_is_out(difference, least=True)


def _before_vigorish(sums: _Sums) -> str:
    """The gross difference beside the net one, where vigorish makes them differ."""
    if sums.vigorish == sums.due_vigorish:
        return ""
    taken = f"{dollars(sums.vigorish)} was taken" if sums.vigorish else "none was taken"
    gross = dollars(abs(sums.gross_difference))
    return f" ({gross} before vigorish, of which {dollars(sums.due_vigorish)} is due and {taken})"


def _should(lines: Lines, at: int) -> str:
    paid, taken = int(lines.paid[at]), int(lines.taken[at])
    moves = [f"pay {dollars(paid)}"] if paid else []
    moves += [f"take {dollars(taken)}"] if taken else []
    return f"{_VERBS[OUTCOMES[lines.outcome[at]]]} and {' and '.join(moves) or 'move nothing'}"


def _vigorish(
    batch: RoundBatch, checked: Checked, chosen: Ints, should_pay: Ints, result: Compared
) -> tuple[Ints, Ints, dict[int, list[Ints]]]:
    """Vigorish due and taken on each of the chosen lines, and the reports of it. It is due on what should have been
    paid. What was taken where no line owes any is remarked."""
    facts = batch.facts.of(Fact.VIGORISH)
    due, got = np.zeros(len(chosen), dtype=np.int64), np.zeros(len(chosen), dtype=np.int64)
    lines = checked.lines.where(chosen)
    owing = np.flatnonzero(lines.vigorish == 1) if checked.vigorish is not None else np.zeros(0, dtype=np.int64)
    owed = lines.where(owing)
    match = match_reports(
        *coded((owed.row, facts.row), (owed.seat, facts.seat), (owed.wager, facts.wager), (owed.bettor, facts.bettor))
    )
    if checked.vigorish is not None and len(owing):
        due[owing] = checked.vigorish(should_pay[owing])
        got[owing] = shared(match, facts.amount, due[owing])
        unruled = [at for at in np.flatnonzero(lines.open == 1).tolist() if lines.ways_of(at).anything]
        due[unruled] = got[unruled]
    reports = {int(line): [facts.seq[match.reports(at)].tolist()] for at, line in enumerate(owing.tolist())}
    for at in match.lonely.tolist():
        amount, row, seat = int(facts.amount[at]), int(facts.row[at]), int(facts.seat[at])
        if not amount:
            continue  # nothing moved
        bettor = batch.names[facts.bettor[at]]
        result.remarks.append(
            Remark(
                row,
                "VIG-603",
                f"{dollars(amount)} vigorish taken on a wager that owes none: {who_is_out(-amount)}",
                _NO_VIGORISH,
                seat,
                bettor or None,
                batch.names[facts.wager[at]],
                0,
                amount,
                -amount,
                (int(facts.seq[at]),),
                basis=Basis.REPORTS,
                accounts=differences((person(batch, row, seat, bettor), HOUSE, amount)),
            )
        )
    return due, got, reports


def _vigorish_remark(
    batch: RoundBatch, checked: Checked, lines: Lines, at: int, sums: _Sums, seqs: tuple[int, ...]
) -> Remark:
    """Vigorish of another amount than is due on a wager that was settled right."""
    due, got, row, seat = sums.due_vigorish, sums.vigorish, int(lines.row[at]), int(lines.seat[at])
    citation = checked.vigorish_cite or _NO_VIGORISH
    won = dollars(sums.due_paid)
    sentence = (
        f"no vigorish taken on {won} won; {citation} asks for {dollars(due)}"
        if got == 0
        else f"{dollars(got)} vigorish taken; {citation} asks for {dollars(due)} on {won} won"
    )
    bettor = batch.names[lines.bettor[at]]
    bits = int(lines.possible[at])
    by_reports = bool(lines.by_reports[at] or lines.open[at] or bits & (bits - 1))  # or the report says that it won
    return Remark(
        row,
        "VIG-601" if got == 0 else "VIG-603" if due == 0 else "VIG-602",
        f"{sentence}: {who_is_out(due - got)}",
        citation,
        seat,
        bettor or None,
        batch.names[lines.wager[at]],
        due,
        got,
        due - got,
        seqs or (int(batch.last_seq[row]),),
        basis=Basis.REPORTS if by_reports else Basis.HANDS,
        accounts=differences((person(batch, row, seat, bettor), HOUSE, got - due)),
    )


# --- envy ------------------------------------------------------------------------------------------------------------


def _envy(due: Lines, facts: Facts) -> Match:
    """Envy bonuses due beside those paid: to the same wager, for the same hand."""
    return match_reports(
        *coded(
            (due.row, facts.row),
            (due.seat, facts.seat),
            (due.for_seat, facts.other),
            (due.wager, facts.wager),
            (due.bettor, facts.bettor),
        )
    )


def _may_earn(lines: Lines, facts: Facts, which: Ints) -> Array:
    """Of these envy bonuses paid, those a hand could have called for: to a wager that earns them, not for one's own."""
    earning = lines.where((lines.kind == Fact.SETTLED) & (lines.envy == 1))
    paid = facts.where(which)
    earns, asks = coded(
        (earning.row, paid.row), (earning.seat, paid.seat), (earning.wager, paid.wager), (earning.bettor, paid.bettor)
    )
    may_earn: Array = np.isin(asks, earns) & (paid.other != paid.seat)
    return may_earn


def _compare_envy(batch: RoundBatch, lines: Lines, result: Compared) -> None:
    facts = batch.facts.of(Fact.ENVY)
    chosen = np.flatnonzero(lines.kind == Fact.ENVY)
    if len(chosen) == 0 and len(facts) == 0:
        return
    due = lines.where(chosen)
    match = _envy(due, facts)
    may_earn = _may_earn(lines, facts, match.lonely)
    result.denied[facts.row[match.lonely[may_earn]]] = True
    paid = shared(match, facts.amount, due.paid)
    should = due.paid.astype(np.int64)
    for at in np.flatnonzero(due.open == 1).tolist():  # nobody saw the hand: any bonus of the table may be right
        should[at] = due.ways_of(at).nearest(int(paid[at]), 0)[0]
    result.reported[chosen] = match.right - match.left
    result.reported_paid[chosen] = paid
    result.expected_paid[chosen] = should
    result.agrees[chosen] = paid == should

    def remark(
        code: str, said: str, by: Citation, of: Lines | Facts, at: int, sums: tuple[int, int], *rest: Any
    ) -> None:
        row, seat, bettor = int(of.row[at]), int(of.seat[at]), batch.names[of.bettor[at]]
        who = person(batch, row, seat, bettor)
        accounts = differences((against(batch, row), who, sums[1] - sums[0]))
        short = dict(accounts).get(who, 0)
        about = (seat, bettor or None, batch.names[of.wager[at]])
        evidence, basis, ways = rest
        sentence = f"{said}: {who_is_out(short) if ways is None else _at_least(ways, sums[1], 0, short)}"
        result.remarks.append(
            Remark(row, code, sentence, by, *about, *sums, short, evidence, basis=basis, accounts=accounts)
        )

    for at in np.flatnonzero(paid != should).tolist():
        citation = due.cites[due.cite[at]]
        expected, actual = int(should[at]), int(paid[at])
        said = f"envy bonus for the hand of seat {int(due.for_seat[at])}: {dollars(actual)} paid, {citation} gives "
        said += f"{dollars(expected)}" if not due.open[at] else "no such bonus"
        code = "ENVY-701" if actual == 0 else "ENVY-702"
        seqs = tuple(int(seq) for seq in facts.seq[match.reports(at)])
        ways, basis = (due.ways_of(at), Basis.REPORTS) if due.open[at] else (None, Basis.HANDS)
        remark(code, said, citation, due, at, (expected, actual), seqs, basis, ways)
    for at, earns in zip(match.lonely.tolist(), may_earn.tolist(), strict=True):
        actual, seat = int(facts.amount[at]), int(facts.other[at])
        if not actual:
            continue  # nothing moved
        why = "which gives none to this seat" if earns else "but this seat has no wager that earns envy for it"
        said = f"envy bonus of {dollars(actual)} paid for the hand of seat {seat}, {why}"
        basis = Basis.HANDS if earns else Basis.REPORTS
        remark("ENVY-703", said, _ENVY, facts, at, (0, actual), (int(facts.seq[at]),), basis, None)


# --- movements no line can expect ------------------------------------------------------------------------------------


def _not_offered(batch: RoundBatch, result: Compared) -> None:
    """Pots and progressive meters, which no pack has lines for yet: money that moved by no rule filed."""
    facts = batch.facts.of(Fact.POT, Fact.PROGRESSIVE_IN, Fact.PROGRESSIVE_OUT)
    for at in np.flatnonzero(facts.amount > 0).tolist():
        row, seat, bettor = int(facts.row[at]), int(facts.seat[at]), batch.names[facts.bettor[at]]
        kind, amount = Fact(int(facts.kind[at])), int(facts.amount[at])
        sides = other_sides(batch, kind, row, seat, bettor, batch.names[facts.choice[at]])
        accounts = differences((*sides, amount))
        short = dict(accounts).get(person(batch, row, seat, bettor), 0)
        result.remarks.append(
            Remark(
                row,
                "SETTLE-106",
                f"{dollars(amount)} moved from {sides[0]} to {sides[1]}, for which this table has no rule filed: "
                f"{who_is_out(short)}",
                cite("rulings.md", "How the rule texts are read", "the choice is an option of the rule pack"),
                seat or None,
                bettor or None,
                None,
                0,
                amount,
                short,
                (int(facts.seq[at]),),
                basis=Basis.REPORTS,
                accounts=accounts,
            )
        )
