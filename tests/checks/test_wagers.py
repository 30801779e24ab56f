"""Checks of wagers: limits, words and citations are those of whoever asks, and not of one game."""

from __future__ import annotations

import numpy as np

from replay.checks.wagers import (
    Bound,
    Bounds,
    LateWagers,
    WagersOffered,
    given_back_by_a_void,
    late_wagers,
    wagers_not_offered,
    wagers_outside_limits,
    wagers_without_base,
)
from replay.citations import Citation
from replay.money.wagers import resolve_wagers
from replay.rounds import ACTION_CODE, Fact, FactRow, RoundBatch, RoundRow, batch_of, unknown_fixed
from schemas.events import Action

ONE, OTHER, THIRD = (Citation(text="house rules", section=section) for section in "123")
TITLES = {"game": "the game wager", "bonus": "the bonus"}


def one_round(*facts: FactRow) -> RoundBatch:
    columns = unknown_fixed() | {"flags": 0, "bets_closed_seq": 40, "bank_seq": 3, "bank_seat": 1}
    return batch_of([RoundRow({"table_id": "T-01", "round_id": "1"}, columns, facts=list(facts))])


def placed(seq: int, seat: int, wager: str, amount: int, bettor: str = "") -> FactRow:
    return FactRow(Fact.WAGER_PLACED, seq, seat, bettor, wager, amount=amount)


def test_late_wagers_are_called_what_the_game_calls_them() -> None:
    batch = one_round(
        placed(10, 2, "game", 1000),
        placed(50, 3, "bonus", 500, "B1"),
        FactRow(Fact.WAGER_CHANGED, 60, 2, "", "game", amount=400),
        FactRow(Fact.WAGER_WITHDRAWN, 70, 2, "", "game"),
    )
    wagers, begun, closed = resolve_wagers(batch), np.array([55]), np.array([40])
    law = LateWagers(OTHER, "betting had closed", deal_begun=ONE)
    found = list(late_wagers(batch, wagers, begun, closed, lambda event: False, TITLES, law))
    assert [(remark.sentence, remark.cite, remark.evidence) for remark in found] == [
        ("backline bettor B1 at seat 3 placed $5.00 on the bonus after betting had closed", OTHER, (40, 50)),
        ("seat 2 lowered the game wager from $10.00 to $4.00 after the deal had begun", ONE, (55, 60)),
        ("seat 2 took back $4.00 from the game wager after the deal had begun", ONE, (55, 70)),
    ]
    given_back = list(late_wagers(batch, wagers, begun, closed, lambda event: event.seq == 70, TITLES, law))
    assert given_back == found[:2]


def test_each_side_of_each_limit() -> None:
    amounts = (499, 500, 20000, 20001)
    batch = one_round(*(placed(10 + at, 2 + at, "game", amount) for at, amount in enumerate(amounts)))
    bounds = {"game": Bounds(Bound(500, "the sign", ONE), Bound(20000, "schedule 3", OTHER))}
    found = list(wagers_outside_limits(batch, resolve_wagers(batch), bounds, TITLES))
    assert [(remark.sentence, remark.cite, remark.expected_cents, remark.actual_cents) for remark in found] == [
        ("seat 2 has $4.99 on the game wager, below the minimum of $5.00 (the sign)", ONE, 500, 499),
        ("seat 5 has $200.01 on the game wager, above the maximum of $200.00 (schedule 3)", OTHER, 20000, 20001),
    ]


def test_wagers_nobody_may_make() -> None:
    batch = one_round(
        placed(10, 2, "lucky", 100),
        placed(11, 8, "game", 200),
        placed(12, 1, "bonus", 300),  # the player-dealer's own
        placed(13, 1, "bonus", 300, "B1"),  # a backline bettor's there
        placed(14, 7, "game", 400),
    )
    wagers = resolve_wagers(batch)
    unknown = wagers.wager == batch.name_id("lucky")
    law = WagersOffered(no_such_wager=ONE, no_such_seat=OTHER, own_bank=THIRD)
    found = list(wagers_not_offered(batch, wagers, unknown, 7, TITLES, law))
    assert [(remark.sentence, remark.cite, remark.evidence) for remark in found] == [
        ("seat 2 has $1.00 on 'lucky', which the filed rules do not offer", ONE, (10,)),
        ("seat 8 has $2.00 on the game wager, and the table has only 7 seats", OTHER, (11,)),
        ("the player-dealer in seat 1 has $3.00 on the bonus, against itself", THIRD, (12,)),
    ]


def test_where_betting_is_over_by_the_announcement_alone_the_deal_says_nothing() -> None:
    batch = one_round(placed(50, 3, "bonus", 500), placed(60, 2, "game", 1000))
    law = LateWagers(OTHER, "the dealer had announced 'No more bets'")
    found = late_wagers(batch, resolve_wagers(batch), np.array([45]), np.array([40]), lambda event: False, TITLES, law)
    assert [(remark.sentence, remark.cite, remark.evidence) for remark in found] == [
        ("seat 3 placed $5.00 on the bonus after the dealer had announced 'No more bets'", OTHER, (40, 50)),
        ("seat 2 placed $10.00 on the game wager after the dealer had announced 'No more bets'", OTHER, (40, 60)),
    ]


def test_chips_go_back_from_when_their_hand_or_the_round_was_called_void() -> None:
    void_hand = FactRow(Fact.ACTION, 50, 2, code=ACTION_CODE[Action.VOID_HAND])
    taken_back = (FactRow(Fact.WAGER_WITHDRAWN, seq, seat, "", "game") for seq, seat in ((51, 2), (52, 3), (61, 4)))
    stood = (placed(10 + seat, seat, "game", 1000) for seat in (2, 3, 4))
    batch = one_round(*stood, void_hand, *taken_back, FactRow(Fact.VOIDED, 60))
    back = given_back_by_a_void(batch)
    assert [(event.seat, back(event)) for event in resolve_wagers(batch).late_events] == [
        (2, True),
        (3, False),  # before the round was called void
        (4, True),
    ]


def test_only_the_seated_may_wager_where_the_text_says_so() -> None:
    batch = one_round(placed(10, 2, "game", 1000), placed(11, 2, "game", 500, "B1"), placed(12, 1, "game", 700))
    wagers, none = resolve_wagers(batch), np.zeros(3, bool)
    offered = WagersOffered(no_such_wager=ONE, no_such_seat=OTHER, seated_only=THIRD)
    [found] = wagers_not_offered(batch, wagers, none, 7, TITLES, offered)
    assert (
        found.sentence == "backline bettor B1 at seat 2 has $5.00 on the game wager, and only seated players may wager"
    )
    assert (found.cite, found.seat, found.bettor) == (THIRD, 2, "B1")


def test_a_wager_without_the_one_it_needs() -> None:
    batch = one_round(placed(10, 2, "bonus", 500), placed(11, 3, "bonus", 700))
    wagers = resolve_wagers(batch)
    [found] = wagers_without_base(batch, wagers, wagers.seat == 3, "game", TITLES, ONE)
    assert (found.code, found.sentence) == ("WAGER-503", "seat 3 has $7.00 on the bonus and nothing on the game wager")
