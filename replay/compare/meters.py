"""What progressive meters should have taken in and paid, beside what is reported of them.

A payout that went wrong is one thing: what the player was paid and what came off the meter. Where the settlement of the
same wager is out by the same sum, but for the stake, the meter's side is told with it and not a second time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from replay.citations import Citation
from replay.compare.compared import Compared
from replay.compare.matching import Match, match_reports, shared
from replay.keys import coded
from replay.lines import Lines
from replay.money.ledger import Differences, differences, meter_sides, person
from replay.remarks import SETTLED_WRONG, Remark, Subject
from replay.rounds import Array, Fact, Facts, Ints, RoundBatch
from schemas.findings import Basis
from schemas.money import dollars


def compare_meters(batch: RoundBatch, filed: Collection[str], lines: Lines, compared: Compared) -> None:
    """`filed` are the table's meters, as events name them."""
    if not filed:
        return
    names = [batch.name_id(name) for name in filed]
    facts = batch.facts.of(Fact.PROGRESSIVE_IN, Fact.PROGRESSIVE_OUT)
    facts = facts.where(np.isin(facts.choice, names))
    _contributions(batch, lines, facts.of(Fact.PROGRESSIVE_IN), compared)
    _payouts(batch, lines, facts.of(Fact.PROGRESSIVE_OUT), compared)


def _contributions(batch: RoundBatch, lines: Lines, facts: Facts, compared: Compared) -> None:
    chosen = np.flatnonzero(lines.kind == Fact.PROGRESSIVE_IN)
    due = lines.where(chosen)
    match = match_reports(*coded((due.row, facts.row), (due.seat, facts.seat), (due.choice, facts.choice)))
    added = shared(match, facts.amount, due.paid)
    should = np.where(due.open == 1, added, due.paid)
    _note(compared, chosen, match, added, should)
    for at in np.flatnonzero(added != should).tolist():
        meter, stake = batch.names[due.choice[at]], dollars(int(due.stake[at]))
        expected, actual = int(should[at]), int(added[at])
        said = (
            f"{dollars(actual)} of the wager of {stake} went to meter {meter}"
            if actual
            else (f"nothing of the wager of {stake} went to meter {meter}")
        )
        said += f"; by {due.cites[due.cite[at]]} {dollars(expected)} goes there"
        seqs = tuple(facts.seq[match.reports(at)].tolist())
        remark = _remark(batch, "METER-103", said, due.cites[due.cite[at]], due, at, (expected, actual), seqs)
        compared.remarks.append(replace(remark, wager=batch.names[due.wager[at]]))
    by = lines.cites[int(due.cite[0])] if len(due) else _any_cite(lines)
    for at in match.lonely[facts.amount[match.lonely] > 0].tolist():
        meter, amount = batch.names[facts.choice[at]], int(facts.amount[at])
        said = f"{dollars(amount)} went to meter {meter} from a seat with no wager that feeds it"
        seqs = (int(facts.seq[at]),)
        compared.remarks.append(_remark(batch, "METER-103", said, by, facts, at, (0, amount), seqs))


def _payouts(batch: RoundBatch, lines: Lines, reports: Facts, compared: Compared) -> None:
    chosen = np.flatnonzero(lines.kind == Fact.PROGRESSIVE_OUT)
    due, facts = lines.where(chosen), reports.where(reports.other == 1)
    match = _match(due, facts)
    came_off = shared(match, facts.amount, due.paid)
    is_open = (due.open == 1) | _settlement_is_open(lines, due)
    should = np.where(is_open, came_off, due.paid)
    _note(compared, chosen, match, came_off, should)
    settled = _settlement_remarks(compared.remarks)
    for at in np.flatnonzero(came_off != should).tolist():
        expected, actual, by = int(should[at]), int(came_off[at]), due.cites[due.cite[at]]
        meter, stood = batch.names[due.choice[at]], int(due.stake[at])
        share = f", its share of the {dollars(stood)} it stood at when the player's turn came" if stood else ""
        said = f"{dollars(actual)} came off meter {meter}; by {by} {dollars(expected)} does{share}"
        code = _code(due, at, expected, actual)
        if not actual:
            said = f"nothing came off meter {meter}; by {by} the payout of {dollars(expected)} does{share}"
        elif expected and _is_of_an_earlier_turn(due, at, expected, actual):
            said += ". What came off is the share of what it stood at before an earlier payout of this round"
        seqs = tuple(facts.seq[match.reports(at)].tolist())
        remark = _remark(batch, code, said, by, due, at, (expected, actual), seqs, Basis.HANDS)
        _tell(batch, lines, compared, settled, replace(remark, wager=batch.names[due.wager[at]]), due, at)
    by = lines.cites[int(due.cite[0])] if len(due) else _any_cite(lines)
    for at in match.lonely[facts.amount[match.lonely] > 0].tolist():
        meter, amount = batch.names[facts.choice[at]], int(facts.amount[at])
        said = f"{dollars(amount)} came off meter {meter}, from which nothing was due to this seat"
        seqs = (int(facts.seq[at]),)
        remark = _remark(batch, "METER-107", said, by, facts, at, (0, amount), seqs, Basis.HANDS)
        _tell(batch, lines, compared, settled, remark, facts, at)


def _match(due: Lines, facts: Facts) -> Match:
    return match_reports(
        *coded((due.row, facts.row), (due.seat, facts.seat), (due.choice, facts.choice), (due.bettor, facts.bettor))
    )


def _note(compared: Compared, chosen: Ints, match: Match, moved: Ints, should: Array) -> None:
    compared.reported[chosen] = match.right - match.left
    compared.reported_paid[chosen] = moved
    compared.expected_paid[chosen] = should
    compared.agrees[chosen] = moved == should


def _settlement_is_open(lines: Lines, due: Lines) -> Array:
    """Payouts on wagers of which nothing read says what they come to."""
    left = lines.where((lines.kind == Fact.SETTLED) & (lines.open == 1))
    mine, others = coded((due.row, left.row), (due.seat, left.seat), (due.wager, left.wager), (due.bettor, left.bettor))
    is_open: Array = np.isin(mine, others)
    return is_open


def _code(due: Lines, at: int, expected: int, actual: int) -> str:
    if not actual:
        return "METER-106"
    if not expected:
        return "METER-107"
    return "METER-105" if _is_of_an_earlier_turn(due, at, expected, actual) else "METER-104"


def _is_of_an_earlier_turn(due: Lines, at: int, expected: int, actual: int) -> bool:
    return actual in {way.paid for way in due.ways_of(at).each} - {expected}


Where = tuple[int, int | None, str | None]


def _settlement_remarks(remarks: list[Remark]) -> dict[Where, list[int]]:
    """Where each remark on a wager's settlement stands, by round, seat and bettor."""
    found: dict[Where, list[int]] = defaultdict(list)
    for number, remark in enumerate(remarks):
        if remark.subject in SETTLED_WRONG:
            found[remark.row, remark.seat, remark.bettor].append(number)
    return found


def _tell(
    batch: RoundBatch,
    lines: Lines,
    compared: Compared,
    settled: dict[Where, list[int]],
    remark: Remark,
    of: Lines | Facts,
    at: int,
) -> None:
    """The remark; or, where the settlement of the wager is out by the same sum, what is said of that with it."""
    assert remark.expected_cents is not None and remark.actual_cents is not None, "what came off a meter is counted"
    difference = remark.actual_cents - remark.expected_cents
    who = person(batch, int(of.row[at]), int(of.seat[at]), batch.names[of.bettor[at]])
    for number in settled.get((remark.row, remark.seat, remark.bettor), ()):
        other = compared.remarks[number]
        beside = dict(other.accounts).get(who, 0) - difference  # a wager lost for won is out by its stake as well
        if remark.wager not in (None, other.wager) or abs(beside) > _stake(batch, lines, of, at, other.wager):
            continue
        compared.remarks[number] = replace(
            other,
            code=other.code if other.subject is Subject.SETTLED_AS else remark.code,
            sentence=f"{other.sentence}. {remark.sentence[0].upper()}{remark.sentence[1:]}",
            evidence=tuple(sorted({*other.evidence, *remark.evidence})),
            accounts=_joined(other.accounts, remark.accounts),
        )
        return
    compared.remarks.append(remark)


def _stake(batch: RoundBatch, lines: Lines, of: Lines | Facts, at: int, wager: str | None) -> int:
    """Of a settled wager; nothing where no such wager stood."""
    mine = (lines.kind == Fact.SETTLED) & (lines.row == of.row[at]) & (lines.seat == of.seat[at])
    mine &= (lines.bettor == of.bettor[at]) & (lines.wager == batch.name_id(wager or ""))
    return int(lines.stake[mine].sum())


def _joined(one: Differences, other: Differences) -> Differences:
    net: dict[str, int] = defaultdict(int)
    for account, cents in (*one, *other):
        net[account] += cents
    return tuple((account, cents) for account, cents in net.items() if cents)


def _any_cite(lines: Lines) -> Citation:
    if not lines.cites:
        raise ValueError("a table with filed meters has lines that cite something")
    return lines.cites[0]


def _remark(
    batch: RoundBatch,
    code: str,
    said: str,
    by: Citation,
    of: Lines | Facts,
    at: int,
    sums: tuple[int, int],
    seqs: tuple[int, ...],
    basis: Basis = Basis.REPORTS,
) -> Remark:
    row, seat, bettor = int(of.row[at]), int(of.seat[at]), batch.names[of.bettor[at]]
    sides = meter_sides(Fact(int(of.kind[at])), batch.names[of.choice[at]])
    accounts = differences((*sides, sums[1] - sums[0]))
    evidence = seqs or (int(batch.last_seq[row]),)
    return Remark(row, code, said, by, seat, bettor or None, None, *sums, 0, evidence, basis=basis, accounts=accounts)
