"""Collection fees due beside those reported: who paid what, when, and into which box."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from replay.citations import Citation, cite
from replay.compare.compared import Compared
from replay.compare.matching import Match, match_reports
from replay.keys import coded
from replay.lines import Lines
from replay.money.ledger import POT, box, differences, fee_payer, who_is_out
from replay.money.people import people_of
from replay.remarks import Remark
from replay.rounds import PAYER_CODE, PAYERS, Array, Fact, Facts, Ints, RoundBatch
from schemas.events import Payer
from schemas.findings import Basis
from schemas.money import dollars

_ONE_SCHEDULE = cite("rulings.md", "R-32", "A table uses one schedule at a time")
_WAGERS_STAND = cite("rulings.md", "R-53", "it cannot be taken before they are placed")


def compare_fees(batch: RoundBatch, lines: Lines, compared: Compared) -> None:
    facts = _fees_reported(batch)
    chosen = np.flatnonzero(lines.kind == Fact.COLLECTION)
    due = lines.where(chosen)
    facts = _with_wagers(due, facts)
    match = _matched(due, facts)
    if len(match.lonely):
        facts = _with_wagers(due, _to_the_area_charged(batch, due, facts, match.lonely))
        match = _matched(due, facts)
    count = match.right - match.left
    taken = match.sums(facts.amount)
    first = match.order[np.minimum(match.left, max(len(facts) - 1, 0))] if len(facts) else np.zeros(len(due), np.int64)
    ok = (count == 1) & (taken == due.paid)
    if len(facts):
        ok &= (facts.choice[first] == due.choice) & _in_time(due, facts.seq[first])
    troubled = set(due.row[~ok].tolist()) | set(facts.row[match.lonely].tolist())
    by_row: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    if troubled:
        for at in np.flatnonzero(np.isin(due.row, list(troubled))).tolist():
            by_row[int(due.row[at])][0].append(at)
        for at in np.flatnonzero(np.isin(facts.row, list(troubled))).tolist():
            by_row[int(facts.row[at])][1].append(at)
    compared.reported[chosen] = count
    compared.reported_paid[chosen] = taken
    compared.agrees[chosen] = ok
    for row in sorted(by_row):
        compared.remarks.extend(_fee_remarks(batch, row, due, by_row[row][0], facts, by_row[row][1]))


def _matched(due: Lines, facts: Facts) -> Match:
    return match_reports(*coded(*_payers(due, facts), (due.wager, facts.wager)))


def _payers(due: Lines, facts: Facts) -> tuple[tuple[Array, Array], ...]:
    return (due.row, facts.row), (due.payer, facts.code), (due.seat, facts.seat), (due.bettor, facts.bettor)


def _with_wagers(due: Lines, facts: Facts) -> Facts:
    """The fees taken, each with the wager it was taken for: as it was said where several of one payer's wagers pay by
    themselves; else the only one that does, or none where all pay together, whatever was said."""
    owed, paid = coded(*_payers(due, facts))
    order = np.argsort(owed, kind="stable")
    left, right = (np.searchsorted(owed[order], paid, side=side) for side in ("left", "right"))
    only = np.flatnonzero(right - left == 1)
    wager = facts.wager.copy()
    wager[only] = due.wager[order[left[only]]]
    for at in np.flatnonzero((right - left > 1) & (wager == 0)).tolist():  # nobody said for which
        owing = due.wager[order[left[at] : right[at]]]
        taken = wager[paid == paid[at]]
        open_ = owing[~np.isin(owing, taken)]
        wager[at] = open_[0] if len(open_) else 0
    return replace(facts, wager=wager)


def _to_the_area_charged(batch: RoundBatch, due: Lines, facts: Facts, lonely: Ints) -> Facts:
    """A player who bets in several areas may pay its fee at any of them (rulings.md R-52): these reports put to the one
    that is charged."""
    people = people_of(batch)
    charged = {
        (row, person): (seat, bettor)
        for row, person, seat, bettor, payer in zip(
            due.row.tolist(),
            people.number(due.row, due.seat, due.bettor).tolist(),
            due.seat.tolist(),
            due.bettor.tolist(),
            due.payer.tolist(),
            strict=True,
        )
        if payer == PAYER_CODE[Payer.PLAYER]
    }
    seats, bettors = facts.seat.copy(), facts.bettor.copy()
    person = people.number(facts.row, facts.seat, facts.bettor)
    for fact in lonely[facts.code[lonely] == PAYER_CODE[Payer.PLAYER]].tolist():
        here = int(seats[fact]), int(bettors[fact])
        seats[fact], bettors[fact] = charged.get((int(facts.row[fact]), int(person[fact])), here)
    return replace(facts, seat=seats, bettor=bettors)


def _fees_reported(batch: RoundBatch) -> Facts:
    """The fees taken: reports of nothing left out, a player-dealer's without a seat put to the seat that banks."""
    facts = batch.facts.of(Fact.COLLECTION)
    facts = facts.where(facts.amount > 0)
    unseated = (facts.seat == 0) & (facts.code == PAYER_CODE[Payer.PLAYER_DEALER]) & (batch.bank_seat[facts.row] > 0)
    return replace(facts, seat=np.where(unseated, batch.bank_seat[facts.row], facts.seat).astype(facts.seat.dtype))


def _in_time(due: Lines, seq: Ints) -> Array:
    in_time = ((due.earliest < 0) | (seq > due.earliest)) & ((due.latest < 0) | (seq < due.latest))
    return np.asarray(in_time & (seq >= due.stands))


def _payer(payer: int, seat: int = 0, bettor: str = "") -> str:
    """Who pays; the seat only where the finding is not filed under it anyway."""
    who = {Payer.PLAYER_DEALER: "the player-dealer", Payer.POT: "the pot"}.get(PAYERS[payer], "the player")
    return who + (f" in seat {seat}" if seat else "") + (f" ({bettor})" if bettor else "")


def _fee_remarks(
    batch: RoundBatch, row: int, due: Lines, owed: list[int], facts: Facts, got: list[int]
) -> Iterator[Remark]:
    """One round's fees, one by one: each due fee with the report it goes with, then what is left over."""
    names = batch.names
    left = list(got)
    missing: list[int] = []

    def remark(
        code: str,
        said: str,
        citation: Citation,
        of: Lines | Facts,
        at: int,
        sums: tuple[int, int],
        seqs: tuple[int, ...],
        *moved: tuple[str, str, int],
    ) -> Remark:
        seat, bettor = int(of.seat[at]), names[of.bettor[at]]
        payer = int(of.payer[at] if isinstance(of, Lines) else of.code[at])
        accounts = differences(*moved)
        paying = fee_payer(batch, row, payer, seat, bettor)
        short = dict(accounts).get(paying, 0) if paying != POT else 0  # the pot is nobody's
        about = (seat or None, bettor or None, None)
        sentence = f"{said}: {who_is_out(short, _payer(payer))}" if short else said
        return Remark(row, code, sentence, citation, *about, *sums, short, seqs, basis=Basis.REPORTS, accounts=accounts)

    for line in owed:
        mine = [
            fact
            for fact in left
            if facts.code[fact] == due.payer[line]
            and facts.seat[fact] == due.seat[line]
            and facts.bettor[fact] == due.bettor[line]
            and facts.wager[fact] == due.wager[line]
        ]
        if not mine:
            missing.append(line)
            continue
        for fact in mine:
            left.remove(fact)
        fact, again = mine[0], mine[1:]
        citation = due.cites[due.cite[line]]
        fee, amount, seq = int(due.paid[line]), int(facts.amount[fact]), int(facts.seq[fact])
        who, payer, filed = _payer(int(due.payer[line])), _paying(batch, row, due, line), _filed_box(batch, due, line)
        sums = (fee, amount)
        if amount != fee:
            text = f"{dollars(amount)} taken from {who}; {citation} asks for {dollars(fee)}"
            yield remark("FEE-902", text, citation, due, line, sums, (seq,), (payer, box(filed), amount - fee))
        if facts.choice[fact] != due.choice[line]:
            dropped = names[facts.choice[fact]]
            text = f"{dollars(amount)} dropped in box {dropped!r}; the filed box is {filed!r}"
            yield remark("FEE-906", text, citation, due, line, sums, (seq,), (box(filed), box(dropped), amount))
        if due.earliest[line] >= 0 and seq <= due.earliest[line]:
            text = f"{dollars(amount)} taken from {who} before the first card; {citation} has it taken after"
            yield remark("FEE-904", text, citation, due, line, sums, (seq,))
        elif seq < due.stands[line]:
            text = f"{dollars(amount)} taken from {who} before the wagers it is counted on stood"
            yield remark("FEE-907", text, _WAGERS_STAND, due, line, sums, (seq, int(due.stands[line])))
        if due.latest[line] >= 0 and seq >= due.latest[line]:
            text = f"{dollars(amount)} taken from {who} after cards were dealt; {citation} has it taken before"
            yield remark("FEE-904", text, citation, due, line, sums, (seq,))
        for extra in again:
            amount = int(facts.amount[extra])
            text = f"{dollars(amount)} taken from {who} again; {citation} asks for it once a round"
            both, dropped = (seq, int(facts.seq[extra])), names[facts.choice[extra]]
            yield remark("FEE-905", text, citation, due, line, (0, amount), both, (payer, box(dropped), amount))
    for line in missing:
        citation = due.cites[due.cite[line]]
        fee, filed = int(due.paid[line]), box(_filed_box(batch, due, line))
        who, payer = _payer(int(due.payer[line])), _paying(batch, row, due, line)
        paired = min(left, key=lambda fact: (facts.amount[fact] != fee, facts.seq[fact]), default=None)
        if paired is None:
            text = f"no collection fee taken from {who}; {citation} asks for {dollars(fee)}"
            seqs = (int(batch.last_seq[row]),)
            yield remark("FEE-901", text, citation, due, line, (fee, 0), seqs, (payer, filed, -fee))
            continue
        # Two people are concerned: who owes the fee and did not pay it, and who paid it and does not owe it.
        left.remove(paired)
        amount, seqs = int(facts.amount[paired]), (int(facts.seq[paired]),)
        other = _payer(int(facts.code[paired]), int(facts.seat[paired]), names[facts.bettor[paired]])
        text = f"by {citation} {who} owes {dollars(fee)}; {dollars(amount)} was taken from {other} instead"
        yield remark("FEE-903", text, citation, due, line, (fee, 0), seqs, (payer, filed, -fee))
        owing = _payer(int(due.payer[line]), int(due.seat[line]), names[due.bettor[line]])
        text = f"{dollars(amount)} taken from {_payer(int(facts.code[paired]))}; by {citation} {owing} owes the fee"
        yield remark("FEE-903", text, citation, facts, paired, (0, amount), seqs, _dropped(batch, row, facts, paired))
    for fact in left:
        amount, by = int(facts.amount[fact]), _ONE_SCHEDULE
        text = f"{dollars(amount)} taken from {_payer(int(facts.code[fact]))}, who owes no collection fee"
        seqs = (int(facts.seq[fact]),)
        yield remark("FEE-903", text, by, facts, fact, (0, amount), seqs, _dropped(batch, row, facts, fact))


def _paying(batch: RoundBatch, row: int, due: Lines, line: int) -> str:
    """The account a fee comes out of."""
    return fee_payer(batch, row, int(due.payer[line]), int(due.seat[line]), batch.names[due.bettor[line]])


def _filed_box(batch: RoundBatch, due: Lines, line: int) -> str:
    return batch.names[due.choice[line]] if due.choice[line] >= 0 else ""


def _dropped(batch: RoundBatch, row: int, facts: Facts, fact: int) -> tuple[str, str, int]:
    """What a reported fee moved."""
    bettor, seat, payer = batch.names[facts.bettor[fact]], int(facts.seat[fact]), int(facts.code[fact])
    amount = int(facts.amount[fact])
    return fee_payer(batch, row, payer, seat, bettor), box(batch.names[facts.choice[fact]]), amount
