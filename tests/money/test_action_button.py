"""Where the action button belongs, walked round the table chair by chair, and in which order wagers are settled."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.money.action_button import (
    ActionButton,
    action_buttons,
    button_of_piles,
    counted_button,
    counted_button_from_house,
)
from replay.money.settlement_order import settlement_order
from replay.ranking import button_value
from replay.rounds import UNKNOWN, Fact, FactRow, RoundRow, batch_of, unknown_fixed
from schemas.cards import NO_CARD, codes_of
from schemas.places import Numbering, Ring


def seats_counted(first: int, bank: int, seats: int) -> Iterator[int]:
    """Seats clockwise from this one, for ever, the player-dealer's left out."""
    seat = first
    while True:
        if seat != bank:
            yield seat
        seat = 1 if seat == seats else seat + 1


def clockwise(seats: int) -> Ring:
    return Ring(seats, Numbering.CLOCKWISE)


@given(value=st.integers(1, 13), seats=st.integers(2, 14), data=st.data())
def test_the_action_button_never_counts_the_player_dealer(value: int, seats: int, data: st.DataObject) -> None:
    bank = data.draw(st.integers(1, seats))
    left_of_bank = seats_counted(bank % seats + 1, bank, seats)
    expected = [next(left_of_bank) for _ in range(value)][-1]
    assert counted_button(np.array([value]), np.array([bank]), clockwise(seats)).tolist() == [expected]
    left_of_house = seats_counted(1, bank, seats)  # Three Card Poker counts from the house dealer's left
    expected = [next(left_of_house) for _ in range(value)][-1]
    assert counted_button_from_house(np.array([value]), np.array([bank]), clockwise(seats)).tolist() == [expected]


@pytest.mark.parametrize(
    ("card", "bank", "seat"),
    [
        ("As", 1, 2),  # one: the player-dealer's left
        ("7d", 1, 8),  # seven: the last of the other seven seats
        ("8c", 1, 2),  # eight: round again, the player-dealer not counted
        ("Kh", 5, 3),  # thirteen: 6 7 8 1 2 3 4, then 6 7 8 1 2 and 3
        ("Td", 8, 3),  # ten: 1 to 7, then 1 2 3
    ],
)
def test_a_card_counted_out_at_a_table_of_eight(card: str, bank: int, seat: int) -> None:
    value = button_value(np.frombuffer(codes_of(card), np.uint8)).astype(np.int64)
    assert counted_button(value, np.array([bank]), clockwise(8)).tolist() == [seat]


def test_where_seats_run_the_other_way_clockwise_counts_down() -> None:
    ring = Ring(6, Numbering.COUNTERCLOCKWISE)
    assert counted_button(np.array([1, 2, 5, 6]), np.array([1, 1, 1, 1]), ring).tolist() == [6, 5, 2, 6]
    assert button_of_piles(np.array([1, 4]), ring, one_on=True).tolist() == [6, 3]


def test_the_action_button_of_piles() -> None:
    first = np.arange(1, 8)
    assert button_of_piles(first, clockwise(7), one_on=False).tolist() == [1, 2, 3, 4, 5, 6, 7]  # Double Hand
    assert button_of_piles(first, clockwise(7), one_on=True).tolist() == [2, 3, 4, 5, 6, 7, 1]  # Fortune


def test_the_last_report_of_the_button_stays_and_another_button_is_none() -> None:
    def row(*facts: FactRow) -> RoundRow:
        return RoundRow({"table_id": "T", "round_id": "1"}, unknown_fixed(), facts=list(facts))

    ten = codes_of("Td")[0]
    batch = batch_of(
        [
            row(FactRow(Fact.BUTTON, 3, 2, choice="action"), FactRow(Fact.BUTTON, 5, 4, choice="action", card=ten)),
            row(FactRow(Fact.BUTTON, 4, 6, choice="start")),
        ]
    )
    placed = action_buttons(batch)
    assert (placed.seat.tolist(), placed.seq.tolist()) == ([4, UNKNOWN], [5, UNKNOWN])
    assert placed.card.tolist() == [ten, NO_CARD]
    assert ActionButton.of(batch, 0) == (4, 5, ten)


# ---- the order of settlement ---------------------------------------------------------------------------------------

Wager = tuple[int, int, int, int]  # seat, bettor (0: seated there), turn round the table, kind


def as_a_dealer_goes_round(wagers: list[Wager], button: int, seats: int) -> list[int]:
    """Which of these wagers, in the order placed, is settled when."""
    order: list[int] = []
    for turn in sorted({wager[2] for wager in wagers}):
        seat = button
        for _ in range(seats):
            here = [at for at, wager in enumerate(wagers) if wager[0] == seat]
            bettors: list[int] = []
            for at in here:  # whoever bets there first, on whatever, comes first
                if wagers[at][1] and wagers[at][1] not in bettors:
                    bettors.append(wagers[at][1])
            for bettor in (0, *bettors):
                mine = [at for at in here if wagers[at][1] == bettor and wagers[at][2] == turn]
                order += sorted(mine, key=lambda at: wagers[at][3])
            seat = seat % seats + 1
    return order


def ordered(rounds: list[list[Wager]], buttons: list[int], seats: int) -> list[int]:
    rows = [(row, at, *wager) for row, wagers in enumerate(rounds) for at, wager in enumerate(wagers)]
    row, placed, seat, bettor, turn, kind = np.array(rows, dtype=np.int64).reshape(-1, 6).T
    order = settlement_order(row, seat, bettor, placed, turn, kind, np.array(buttons), clockwise(seats))
    return [int(at) for at in order]


def test_round_the_table_from_the_button_type_by_type() -> None:
    """rulings.md R-40: lines, then ties, then Total Shots, each round the whole table."""
    line, tie, shot = (0, 0), (1, 2), (2, 3)
    wagers = [(1, 0, *shot), (1, 0, *line), (3, 0, *tie), (3, 0, *line), (2, 0, *line), (1, 0, *tie)]
    assert ordered([wagers], [3], 4) == [3, 1, 4, 2, 5, 0]  # seats 3 1 2; ties 3 1; the Total Shot


def test_seat_by_seat_the_game_wager_then_the_bonus() -> None:
    """rulings.md R-45: where all is settled in one turn, a seat's game wager and then its Fortune bet."""
    game, fortune = (0, 0), (0, 1)
    wagers = [(2, 0, *fortune), (2, 0, *game), (6, 0, *game), (6, 0, *fortune), (1, 0, *game)]
    assert ordered([wagers], [6], 7) == [2, 3, 4, 1, 0]


def test_backline_bettors_come_after_the_seated_player_in_the_order_they_bet() -> None:
    """rulings.md R-39; the second one's first bet was another wager, placed before the first one's."""
    wagers = [(4, 9, 1, 1), (4, 7, 0, 0), (4, 9, 0, 0), (4, 0, 0, 0), (5, 7, 0, 0)]
    assert ordered([wagers], [4], 7) == [3, 2, 1, 4, 0]


WAGERS = st.lists(
    st.tuples(st.integers(1, 7), st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), max_size=12, unique=True
)


@given(rounds=st.lists(st.tuples(WAGERS, st.integers(1, 7)), min_size=1, max_size=4))
def test_any_rounds_are_settled_as_a_dealer_goes_round(rounds: list[tuple[list[Wager], int]]) -> None:
    expected, before = [], 0
    for wagers, button in rounds:
        expected += [before + at for at in as_a_dealer_goes_round(wagers, button, 7)]
        before += len(wagers)
    assert ordered([wagers for wagers, _ in rounds], [button for _, button in rounds], 7) == expected
