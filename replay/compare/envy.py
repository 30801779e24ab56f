"""Envy bonuses due beside those paid: to the same wager, for the same hand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from replay.citations import Citation, cite
from replay.compare.compared import Compared
from replay.compare.matching import Match, match_reports, shared
from replay.keys import coded
from replay.lines import Lines, Ways
from replay.money.ledger import against, differences, out_at_least, person, who_is_out
from replay.remarks import Remark
from replay.rounds import Array, Fact, Facts, Ints, RoundBatch
from schemas.findings import Basis
from schemas.money import dollars

_WHOSE = cite("rulings.md", "R-29", "Never one's own or the dealer's/player-dealer's. One button per bonus bet")


def compare_envy(batch: RoundBatch, lines: Lines, compared: Compared) -> None:
    facts = batch.facts.of(Fact.ENVY)
    chosen = np.flatnonzero(lines.kind == Fact.ENVY)
    if len(chosen) == 0 and len(facts) == 0:
        return
    due = lines.where(chosen)
    match = _match(due, facts)
    may_earn = _may_earn(lines, facts, match.lonely)
    compared.denied[facts.row[match.lonely[may_earn]]] = True
    paid = shared(match, facts.amount, due.paid)
    should = due.paid.astype(np.int64)
    for at in np.flatnonzero(due.open == 1).tolist():  # nobody saw the hand: any bonus of the table may be right
        should[at] = due.ways_of(at).nearest(int(paid[at]), 0)[0]
    compared.reported[chosen] = match.right - match.left
    compared.reported_paid[chosen] = paid
    compared.expected_paid[chosen] = should
    compared.agrees[chosen] = paid == should
    compared.remarks.extend(_paid_otherwise(batch, due, facts, match, paid, should))
    compared.remarks.extend(_paid_beyond(batch, facts, match.lonely, may_earn))


def envy_paid_beyond(lines: Lines, facts: Facts) -> Ints:
    """Of these bonuses paid, those that no line expects, though another hand of that seat would have earned them."""
    lonely = _match(lines.where(lines.kind == Fact.ENVY), facts).lonely
    beyond: Ints = lonely[_may_earn(lines, facts, lonely)]
    return beyond


def _match(due: Lines, facts: Facts) -> Match:
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
    paid = facts.at(which)
    earns, asks = coded(
        (earning.row, paid.row), (earning.seat, paid.seat), (earning.wager, paid.wager), (earning.bettor, paid.bettor)
    )
    may_earn: Array = np.isin(asks, earns) & (paid.other != paid.seat)
    return may_earn


def _paid_otherwise(
    batch: RoundBatch, due: Lines, facts: Facts, match: Match, paid: Ints, should: Ints
) -> Iterator[Remark]:
    """Bonuses that were due and not paid, or not as much."""
    for at in np.flatnonzero(paid != should).tolist():
        citation = due.cites[due.cite[at]]
        expected, actual = int(should[at]), int(paid[at])
        said = f"envy bonus for the hand of seat {int(due.for_seat[at])}: {dollars(actual)} paid, {citation} gives "
        said += f"{dollars(expected)}" if not due.open[at] else "no such bonus"
        code = "ENVY-701" if actual == 0 else "ENVY-702"
        seqs = tuple(int(seq) for seq in facts.seq[match.reports(at)])
        ways, basis = (due.ways_of(at), Basis.REPORTS) if due.open[at] else (None, Basis.HANDS)
        yield _remark(batch, code, said, citation, due, at, (expected, actual), seqs, basis, ways)


def _paid_beyond(batch: RoundBatch, facts: Facts, beyond: Ints, may_earn: Array) -> Iterator[Remark]:
    """Bonuses paid where none was due."""
    for at, earns in zip(beyond.tolist(), may_earn.tolist(), strict=True):
        actual, seat = int(facts.amount[at]), int(facts.other[at])
        if not actual:
            continue  # nothing moved
        why = "which gives none to this seat" if earns else "but this seat has no wager that earns envy for it"
        said = f"envy bonus of {dollars(actual)} paid for the hand of seat {seat}, {why}"
        basis = Basis.HANDS if earns else Basis.REPORTS
        yield _remark(batch, "ENVY-703", said, _WHOSE, facts, at, (0, actual), (int(facts.seq[at]),), basis)


def _remark(
    batch: RoundBatch,
    code: str,
    said: str,
    by: Citation,
    of: Lines | Facts,
    at: int,
    sums: tuple[int, int],
    seqs: tuple[int, ...],
    basis: Basis,
    may_be: Ways | None = None,
) -> Remark:
    row, seat, bettor = int(of.row[at]), int(of.seat[at]), batch.names[of.bettor[at]]
    who = person(batch, row, seat, bettor)
    accounts = differences((against(batch, row), who, sums[1] - sums[0]))
    short = dict(accounts).get(who, 0)
    about = (seat, bettor or None, batch.names[of.wager[at]])
    sentence = f"{said}: {who_is_out(short) if may_be is None else out_at_least(may_be, sums[1], 0, short)}"
    return Remark(row, code, sentence, by, *about, *sums, short, seqs, basis=basis, accounts=accounts)
