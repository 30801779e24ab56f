"""What meters should have taken in and paid, beside what was reported: one fault, one finding, as the ledger is out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from replay.citations import cite
from replay.compare import Compared, compare
from replay.game import Checked
from replay.lines import ANYTHING, USUAL, Lines, Way, Ways, join_lines, make_lines, possible
from replay.money.ledger import METER_FUNDING, balances, expected, reported
from replay.money.meter import WRONG_SHARE
from replay.rounds import OUTCOME_CODE, Fact, FactRow, RoundBatch, RoundRow, batch_of, unknown_fixed
from schemas.events import Outcome

RULE, TURN = cite("MA-PGP", "§14(e)"), cite("MA-PGP", "§14(g)")
WIN, LOSE = OUTCOME_CODE[Outcome.WIN], OUTCOME_CODE[Outcome.LOSE]
STOOD, SHARE = 20_000_00, 2_000_00


def fed(cents: int, seat: int = 3, meter: str = "m") -> FactRow:
    return FactRow(Fact.PROGRESSIVE_IN, 8, seat, choice=meter, amount=cents)


def off(cents: int, seat: int = 3, from_meter: int = 1, meter: str = "m") -> FactRow:
    return FactRow(Fact.PROGRESSIVE_OUT, 21, seat, choice=meter, amount=cents, other=from_meter)


def settled(paid: int, taken: int = 0, seat: int = 3) -> FactRow:
    return FactRow(Fact.SETTLED, 20, seat, "", "progressive", code=WIN if paid else LOSE, amount=paid, taken=taken)


def lines_of(batch: RoundBatch, wins: bool, earlier: int, unseen: bool) -> Lines:
    """A $1 wager of seat 3 that feeds the meter, and either loses or is paid ten percent of $20,000.00."""
    common: dict[str, Any] = {"seat": 3, "wager": batch.name_id("progressive"), "stake": 1_00, "outcome": WIN}
    meter = {**common, "choice": batch.name_id("m"), "possible": possible(Outcome.WIN)}
    parts = [make_lines(1, [RULE], **meter, kind=Fact.PROGRESSIVE_IN, paid=21)]
    if wins:
        causes = (USUAL, WRONG_SHARE)
        win = {**common, "possible": possible(Outcome.WIN), "paid": SHARE, "code": 1}
        parts.append(make_lines(1, [TURN], causes, **win, kind=Fact.SETTLED))
        out = make_lines(1, [TURN], **{**meter, "stake": STOOD}, kind=Fact.PROGRESSIVE_OUT, paid=SHARE)
        ways = Ways((Way(WIN, SHARE, 0), Way(WIN, earlier, 0)))
        parts.append(out.with_ways([ways], out.columns["row"]))
    else:
        lost = {**common, "outcome": LOSE, "possible": possible(Outcome.LOSE), "taken": 1_00}
        parts.append(make_lines(1, [RULE], **lost, kind=Fact.SETTLED))
    lines = join_lines(parts)
    if not unseen:
        return lines
    return lines.with_ways([ANYTHING], np.zeros(len(lines), np.int64)).opened(lines.kind == Fact.SETTLED)


def run(
    *facts: FactRow, wins: bool = True, earlier: int = SHARE, unseen: bool = False
) -> tuple[Compared, dict[str, int]]:
    """What is remarked, and by how much each account is out by the ledger."""
    placed = FactRow(Fact.WAGER_PLACED, 5, 3, "", "progressive", amount=1_00)
    row = RoundRow({"table_id": "T", "round_id": "1"}, unknown_fixed(), facts=[placed, *facts])
    batch = batch_of([row]).mentioning(["m", "progressive"])
    checked = Checked(lines_of(batch, wins, earlier, unseen), meters=["m"])
    compared = compare(batch, checked)
    due = expected(batch, checked.lines, compared.expected_paid, compared.expected_taken, compared.expected_vigorish)
    should, was = balances(due), balances(reported(batch))
    apart = {account: was.get(account, 0) - should.get(account, 0) for account in {**should, **was}}
    return compared, {account: cents for account, cents in apart.items() if cents}


def told(compared: Compared) -> dict[str, int]:
    net: dict[str, int] = {}
    for remark in compared.remarks:
        for account, cents in remark.accounts:
            net[account] = net.get(account, 0) + cents
    return {account: cents for account, cents in net.items() if cents}


@pytest.mark.parametrize(
    ("facts", "wins", "codes", "seat_has"),
    [
        ([fed(21), settled(0, 1_00)], False, [], 0),
        ([fed(21), settled(SHARE), off(SHARE)], True, [], 0),
        ([fed(20), settled(0, 1_00)], False, ["METER-103"], 0),
        ([settled(0, 1_00)], False, ["METER-103"], 0),
        ([fed(21), fed(21, seat=5), settled(0, 1_00)], False, ["METER-103"], 0),
        ([fed(21), fed(21), settled(0, 1_00)], False, ["METER-103"], 0),
        ([fed(21), settled(2_100_00), off(2_100_00)], True, ["METER-104"], 100_00),
        ([fed(21), settled(1_800_00), off(1_800_00)], True, ["METER-104"], -200_00),
        ([fed(21), settled(SHARE), off(1_800_00)], True, ["METER-104"], 0),
        ([fed(21), settled(1_800_00), off(SHARE)], True, ["METER-104"], -200_00),
        ([fed(21), settled(2_200_00), off(2_200_00)], True, ["METER-105"], 200_00),  # before an earlier one came off
        ([fed(21), settled(SHARE)], True, ["METER-106"], 0),
        ([fed(21), settled(SHARE), off(SHARE, from_meter=0)], True, ["METER-106"], 0),
        ([fed(21), settled(0, 1_00), off(SHARE)], False, ["METER-107"], 0),
        ([fed(21), settled(0, 1_00)], True, ["SETTLE-102"], -SHARE - 1_00),
        ([fed(21), settled(SHARE), off(SHARE)], False, ["SETTLE-102"], SHARE + 1_00),
        ([fed(21), settled(0, 1_00), fed(21, meter="x")], False, ["SETTLE-106"], 0),
        ([fed(21), settled(0, 1_00), off(50, meter="x")], False, ["SETTLE-106"], 0),
    ],
)
def test_each_way_it_can_go_wrong(facts: list[FactRow], wins: bool, codes: list[str], seat_has: int) -> None:
    compared, apart = run(*facts, wins=wins, earlier=2_200_00)
    assert [remark.code for remark in compared.remarks] == codes
    assert told(compared) == apart
    assert sum(remark.difference_cents for remark in compared.remarks) == seat_has


def test_the_meters_other_side_is_the_houses_funding() -> None:
    _, apart = run(fed(20), settled(SHARE), off(1_990_00))
    assert apart == {METER_FUNDING: 1 - 10_00, "meter m": -1 + 10_00}


def test_a_wrong_share_is_told_once_with_both_sides_of_it() -> None:
    compared, _ = run(fed(21), settled(2_200_00), off(2_200_00), earlier=2_200_00)
    (remark,) = compared.remarks
    assert remark.evidence == (20, 21)
    assert dict(remark.accounts) == {
        "table inventory": -200_00,
        "seat 3": 200_00,
        "meter m": -200_00,
        METER_FUNDING: 200_00,
    }
    assert remark.sentence.endswith(
        "$2,200.00 came off meter m; by MA-PGP §14(g) $2,000.00 does, its share of the $20,000.00 it stood at when the "
        "player's turn came. What came off is the share of what it stood at before an earlier payout of this round"
    )


def test_what_nothing_read_says_is_held_against_nobody() -> None:
    compared, apart = run(fed(21), settled(1_234_00), off(1_234_00), unseen=True)
    assert [remark.code for remark in compared.remarks if remark.code.startswith("METER")] == []
    assert "meter m" not in apart
