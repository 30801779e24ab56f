"""Who bet what in the end, and what was done after betting closed."""

from __future__ import annotations

from replay.money.wagers import CHANGED_LATE, ON_TIME, PLACED_LATE, Wagers, resolve_wagers
from replay.rounds import Fact, FactRow, RoundBatch, RoundRow, batch_of, unknown_fixed


def batch(*facts: FactRow, closed: int = 10) -> RoundBatch:
    quiet = RoundRow(
        {"table_id": "T"}, unknown_fixed(), facts=[FactRow(Fact.WAGER_PLACED, 1, 2, wager="main", amount=500)]
    )
    row = RoundRow({"table_id": "T"}, unknown_fixed(), facts=list(facts))
    row.fixed["bets_closed_seq"] = closed
    return batch_of([quiet, row])


def placed(seq: int, amount: int, seat: int = 3, bettor: str = "") -> FactRow:
    return FactRow(Fact.WAGER_PLACED, seq, seat, bettor, "main", amount=amount)


def changed(seq: int, amount: int, seat: int = 3) -> FactRow:
    return FactRow(Fact.WAGER_CHANGED, seq, seat, "", "main", amount=amount)


def withdrawn(seq: int, seat: int = 3) -> FactRow:
    return FactRow(Fact.WAGER_WITHDRAWN, seq, seat, "", "main")


def of_the_round(wagers: Wagers) -> list[tuple[int, int, int, int]]:
    columns = zip(wagers.row, wagers.seat, wagers.amount, wagers.late, wagers.amount_on_time, strict=True)
    return [(int(seat), int(amount), int(late), int(before)) for row, seat, amount, late, before in columns if row == 1]


def test_the_last_amount_before_the_close_counts() -> None:
    assert of_the_round(resolve_wagers(batch(placed(1, 500), changed(2, 700), placed(3, 900, seat=4)))) == [
        (3, 700, ON_TIME, 700),
        (4, 900, ON_TIME, 900),
    ]


def test_a_withdrawn_wager_is_gone_and_may_come_back() -> None:
    assert of_the_round(resolve_wagers(batch(placed(1, 500), withdrawn(2)))) == []
    assert of_the_round(resolve_wagers(batch(placed(1, 500), withdrawn(2), placed(3, 300)))) == [(3, 300, ON_TIME, 300)]


def test_what_happens_after_the_close_is_named() -> None:
    wagers = resolve_wagers(
        batch(placed(1, 500), changed(11, 900), placed(12, 100, seat=5), placed(2, 50, 6), withdrawn(13, 6))
    )
    assert of_the_round(wagers) == [(3, 900, CHANGED_LATE, 500), (5, 100, PLACED_LATE, 0)]
    assert [(late.seat, late.what, late.amount_before, late.amount) for late in wagers.late_events] == [
        (3, "changed", 500, 900),
        (5, "placed", 0, 100),
        (6, "withdrawn", 50, 0),
    ]


def test_taking_back_what_was_never_there_is_nothing() -> None:
    wagers = resolve_wagers(batch(withdrawn(11)))
    assert of_the_round(wagers) == []
    assert wagers.late_events == []


def test_the_event_that_closes_betting_is_the_border() -> None:
    assert of_the_round(resolve_wagers(batch(placed(9, 500), closed=10)))[0][2] == ON_TIME
    assert of_the_round(resolve_wagers(batch(placed(11, 500), closed=10)))[0][2] == PLACED_LATE
    assert of_the_round(resolve_wagers(batch(placed(11, 500), closed=-1)))[0][2] == ON_TIME


def test_wagers_that_close_later_are_not_late() -> None:
    assert of_the_round(resolve_wagers(batch(placed(11, 500)), closing_wagers=["ante"]))[0][2] == ON_TIME


def test_a_backline_bettor_has_a_wager_of_their_own() -> None:
    wagers = resolve_wagers(batch(placed(1, 500), placed(2, 700, bettor="B1"), changed(3, 600)))
    assert of_the_round(wagers) == [(3, 600, ON_TIME, 600), (3, 700, ON_TIME, 700)]


def test_other_rounds_are_left_alone() -> None:
    wagers = resolve_wagers(batch(placed(1, 500), changed(11, 900)))
    assert [(int(row), int(amount)) for row, amount in zip(wagers.row, wagers.amount, strict=True)] == [
        (0, 500),
        (1, 900),
    ]
