"""Pots beside their awards: which seat should have won how much of what lay in the middle, and what it was pushed.

Money decides: a dealer may push main and side pots together or part by part, so a seat's awards are added up. A wrong
award is filed under its cause, for whoever has too much and for whoever is short alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from replay.citations import Citation
from replay.compare.compared import Compared
from replay.game import Checked
from replay.money.ledger import POT, differences, person, who_is_out
from replay.money.pot import LOW, PotsOfRound
from replay.remarks import Remark
from replay.rounds import Fact, Facts, Ints, RoundBatch
from schemas.findings import CERTAIN, POSSIBLE, Basis
from schemas.money import dollars

_SEATS = 16  # more than a table has


def compare_pots(batch: RoundBatch, checked: Checked, compared: Compared) -> None:
    if checked.pots is None:
        return
    facts, every = batch.facts.of(Fact.POT), checked.lines
    at = np.flatnonzero(every.kind == Fact.POT)
    lines = every.where(at)
    key, fact_key = lines.row * _SEATS + lines.seat, facts.row * _SEATS + facts.seat
    size = len(batch) * _SEATS
    due = np.zeros(size, np.int64)
    got, count, is_open = due.copy(), due.copy(), np.zeros(size, bool)
    np.add.at(due, key, lines.paid)
    np.add.at(got, fact_key, facts.amount)
    np.add.at(count, fact_key, 1)
    is_open[key[lines.open == 1]] = True
    returned = _returned_with_the_pot(checked.pots, due, got)
    _enter(compared, at, key, lines.paid, got, count, returned, is_open)
    due = np.where(is_open, got, due + returned)
    judged = np.zeros(len(batch), bool)
    judged[list(checked.pots)] = True
    wrong = np.flatnonzero((got != due) & judged[np.arange(size) // _SEATS])
    for row in np.unique(wrong // _SEATS).tolist():
        seats = {int(one % _SEATS): (int(due[one]), int(got[one])) for one in wrong[wrong // _SEATS == row].tolist()}
        mine = facts.where(facts.row == row)
        compared.remarks.extend(_remark(batch, row, seat, seats, mine, checked.pots[row]) for seat in sorted(seats))


def _returned_with_the_pot(pots: Mapping[int, PotsOfRound], due: Ints, got: Ints) -> Ints:
    """Chips nobody matched that were pushed to their owner together with a pot: no part of it, and rightly theirs."""
    back = np.zeros(len(due), np.int64)
    for row, of in pots.items():
        for seat, chips in of.pots.returned.items():
            at = row * _SEATS + seat
            if chips and got[at] == due[at] + chips:
                back[at] = chips
    return back


def _enter(
    compared: Compared, at: Ints, key: Ints, paid: Ints, got: Ints, count: Ints, returned: Ints, is_open: Ints
) -> None:
    """Each line with what was reported of it: what is due to it, and the seat's first one the rest."""
    order = np.argsort(key, kind="stable")
    first = np.ones(len(order), bool)
    first[1:] = key[order][1:] != key[order][:-1]
    first_line = order[first]
    mine = np.array(paid, np.int64)
    mine[first_line] += returned[key[first_line]]
    mine[is_open[key]] = 0
    compared.expected_paid[at] = mine
    total = np.zeros(len(got), np.int64)
    np.add.at(total, key, mine)
    off = got - total
    reported = mine.copy()
    reported[first_line] += off[key[first_line]]
    compared.reported_paid[at] = reported
    compared.reported[at] = count[key]
    open_first = first_line[is_open[key[first_line]]]
    compared.expected_paid[at[open_first]] = reported[open_first]
    compared.agrees[at] = (off[key] == 0) | is_open[key]


def _remark(
    batch: RoundBatch, row: int, seat: int, seats: Mapping[int, tuple[int, int]], facts: Facts, of: PotsOfRound
) -> Remark:
    """What is wrong with the pots of one seat, filed under what is wrong with the round's."""
    due, got = seats[seat]
    pushed = _Pushed(
        frozenset(zip(facts.seat.tolist(), facts.other.tolist(), strict=True)),
        bool((facts.choice == batch.name_id(LOW)).any()),
    )
    code, cite, why, basis = _cause(seats, pushed, of)
    who = person(batch, row, seat)
    if got and due:
        said = f"seat {seat} was pushed {dollars(got)} of the pots, of which it wins {dollars(due)}"
    elif got:
        said = f"seat {seat} was pushed {dollars(got)} of the pots and wins nothing of them"
    else:
        said = f"seat {seat} wins {dollars(due)} of the pots and was pushed nothing"
    seqs = tuple(facts.seq[facts.seat == seat].tolist()) or (int(batch.last_seq[row]),)
    short = got - due
    unseen = sum(pushed_to - wins for wins, pushed_to in seats.values()) > 0  # nobody can push chips that are not there
    if unseen:
        why += "; more was pushed than was reported bet, so a bet that no device saw may lie in it"
    return Remark(
        row,
        code,
        f"{said}{why}: {who_is_out(short)}",
        cite,
        seat=seat or None,
        expected_cents=due,
        actual_cents=got,
        difference_cents=short,
        evidence=seqs,
        confidence=POSSIBLE if unseen else CERTAIN,
        basis=basis,
        accounts=differences((POT, who, short)),
    )


class _Pushed(NamedTuple):
    """What was said of the pots that were pushed."""

    pots: frozenset[tuple[int, int]]  # seat and number of the pot
    for_low: bool


def _cause(seats: Mapping[int, tuple[int, int]], pushed: _Pushed, of: PotsOfRound) -> tuple[str, Citation, str, Basis]:
    """Code, rule and words for what is wrong with the pots of a round, and what that rests on."""
    cites, over = of.cites, {seat: got for seat, (due, got) in seats.items() if got > due}
    folded = sorted(seat for seat in over if seat in of.folded)
    if folded:
        return "POT-114", cites.folded, f"; the hand of seat {folded[0]} had been folded", Basis.REPORTS
    numbered = dict(enumerate(of.pots.pots))
    beyond = sorted(
        seat
        for seat, got in over.items()
        if of.pots.returned.get(seat, 0) + of.pots.most_for(seat) < got
        or any(one == seat and pot in numbered and seat not in numbered[pot].seats for one, pot in pushed.pots)
    )
    if beyond:
        most = of.pots.most_for(beyond[0])
        return (
            "POT-115",
            cites.all_in,
            f"; seat {beyond[0]} put chips into pots of {dollars(most)} in all",
            Basis.REPORTS,
        )
    if not pushed.pots:
        return "POT-113", cites.awarded, "", Basis.HANDS
    if max(abs(got - due) for due, got in seats.values()) < of.unit * max(of.most_ways, 2) and of.most_ways > 1:
        return (
            "POT-116",
            cites.odd_chip,
            "; a pot that does not divide evenly leaves an odd chip, and it went to another seat",
            Basis.HANDS,
        )
    if of.no_low and cites.no_low is not None and pushed.for_low:
        return "POT-117", cites.no_low, "; no low qualifies", Basis.HANDS
    by_other = [seat for seat in sorted(over) if of.by_other_cards(seat)]
    if by_other and cites.own_cards is not None:
        return (
            "POT-118",
            cites.own_cards,
            f"; seat {by_other[0]} wins only by another number of its own cards",
            Basis.HANDS,
        )
    if all(due for due, _ in seats.values()):
        return "POT-111", cites.best_hand, "", Basis.HANDS
    return ("POT-112" if over else "POT-111"), cites.best_hand, "", Basis.HANDS
