"""The player-dealer's cover: figures worked out by hand from the text, and any round against a dealer who counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.money.cover import Covered, asked, cover
from replay.rounds import UNKNOWN

DOLLAR = 100


def settled(posted: int, *lines: tuple[int, int]) -> Covered:
    """One round whose lines, (paid, taken) with no limit, are settled as they stand here."""
    paid, taken = (np.array(column, dtype=np.int64) for column in zip(*lines, strict=True))
    row = np.zeros(len(lines), dtype=np.int64)
    return cover(row, paid, taken, np.arange(len(lines)), np.array([posted]))


def moved(left: Covered) -> list[tuple[int, int]]:
    return list(zip(left.paid.tolist(), left.taken.tolist(), strict=True))


def test_the_example_of_double_hand() -> None:
    """CA, Double Hand Poker, Method of play: $200 wagered; the first player had $60 bet and lost, the next bet $60 and
    won: "There has been $120 of the DP's bet removed from action, leaving $80 for continued action"."""
    left = settled(200 * DOLLAR, (0, 60 * DOLLAR), (60 * DOLLAR, 0), (100 * DOLLAR, 0), (0, 25 * DOLLAR))
    assert moved(left) == [(0, 60 * DOLLAR), (60 * DOLLAR, 0), (80 * DOLLAR, 0), (0, 0)]  # 200 - 60 - 60 = 80, then 0
    assert left.in_part.tolist() == [False, False, True, True]
    assert left.no_action.tolist() == [False, False, False, True]


def test_wins_do_not_fill_up_the_cover_again() -> None:
    """The money a losing player's bet brought in is "out of action": $100 posted, lost $100, and nothing is left."""
    assert moved(settled(100 * DOLLAR, (0, 100 * DOLLAR), (5 * DOLLAR, 0))) == [(0, 100 * DOLLAR), (0, 0)]


def test_forty_to_one_is_paid_as_far_as_the_money_reaches() -> None:
    """$5 on a total of 18 is owed $200. Of $150 posted a loss of $30 has used up some: 150 - 30 = $120 is paid."""
    left = settled(150 * DOLLAR, (0, 30 * DOLLAR), (40 * 5 * DOLLAR, 0))
    assert moved(left) == [(0, 30 * DOLLAR), (120 * DOLLAR, 0)]
    assert left.in_part.tolist() == [False, True] and not left.no_action.any()


def test_a_bet_that_is_just_covered_is_covered_whole() -> None:
    left = settled(230 * DOLLAR, (0, 30 * DOLLAR), (200 * DOLLAR, 0))
    assert moved(left) == [(0, 30 * DOLLAR), (200 * DOLLAR, 0)] and not left.in_part.any()
    one_cent_less = settled(230 * DOLLAR - 1, (0, 30 * DOLLAR), (200 * DOLLAR, 0))
    assert moved(one_cent_less) == [(0, 3000), (19999, 0)] and one_cent_less.in_part.tolist() == [False, True]


def test_odd_cents() -> None:
    """$100.01 posted: a loss of $33.33 leaves 6,668 cents, a win of $66.67 takes all of them but gets one more than
    there is; and the last cent is somebody's where the cover is a cent more."""
    assert moved(settled(10001, (0, 3333), (6667, 0), (0, 500))) == [
        (0, 3333),
        (6667, 0),
        (0, 1),
    ]  # 10001-3333-6667 = 1
    assert moved(settled(10000, (0, 3333), (6667, 0), (0, 500))) == [(0, 3333), (6667, 0), (0, 0)]
    assert moved(settled(9999, (0, 3333), (6667, 0), (0, 500))) == [(0, 3333), (6666, 0), (0, 0)]


def test_a_push_uses_up_nothing_and_is_no_bet_without_action() -> None:
    left = settled(1000, (0, 0), (1000, 0), (0, 0), (500, 0))
    assert moved(left) == [(0, 0), (1000, 0), (0, 0), (0, 0)]
    assert left.no_action.tolist() == [False, False, False, True]


def test_nothing_posted_covers_nothing() -> None:
    left = settled(0, (1000, 0), (0, 1))
    assert moved(left) == [(0, 0), (0, 0)] and left.no_action.all()


def test_the_order_of_settlement_decides_and_not_the_order_of_the_lines() -> None:
    row, posted = np.zeros(3, dtype=np.int64), np.array([5000])
    paid, taken = np.array([4000, 0, 4000]), np.array([0, 3000, 0])
    left = cover(row, paid, taken, np.array([2, 1, 0]), posted)
    assert moved(left) == [(0, 0), (0, 1000), (4000, 0)]  # 5000 - 4000 = 1000, - 1000 = 0


def test_lines_that_are_not_in_the_order_are_left_alone() -> None:
    """A round that is covered whole is not put in order; nor is one whose player-dealer's wager nobody saw."""
    row, posted = np.array([0, 1, 1, 2]), np.array([UNKNOWN, 700, 10_000])
    paid, taken = np.array([9000, 500, 500, 60]), np.array([0, 0, 0, 0])
    wanted = asked(row, paid, taken, posted)
    assert wanted.moves.tolist() == [9000, 1000, 60] and wanted.runs_out.tolist() == [False, True, False]
    left = cover(row, paid, taken, np.array([1, 2]), posted)
    assert left.paid.tolist() == [9000, 500, 200, 60] and left.in_part.tolist() == [False, False, True, False]


@pytest.mark.parametrize(("posted", "short"), [(0, True), (99, True), (100, False), (101, False), (UNKNOWN, False)])
def test_cover_runs_out_when_more_moves_than_was_posted(posted: int, short: bool) -> None:
    wanted = asked(np.array([0, 0]), np.array([60, 0]), np.array([0, 40]), np.array([posted]))
    assert wanted.runs_out.tolist() == [short]


def counted_out(posted: int, lines: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """As a dealer does it: the posted chips lie in a stack, and what moves is taken off it."""
    stack, out = posted, []
    for paid, taken in lines:
        chips = 0
        while chips < paid + taken and stack > 0:
            chips, stack = chips + 1, stack - 1
        out.append((chips, 0) if paid else (0, chips))
    return out


LINES = st.lists(
    st.one_of(st.tuples(st.integers(0, 60), st.just(0)), st.tuples(st.just(0), st.integers(0, 60))), max_size=9
)
ROUNDS = st.lists(st.tuples(st.integers(0, 150), LINES), min_size=1, max_size=5)


@given(rounds=ROUNDS, data=st.data())
def test_any_rounds_as_a_dealer_counts_them_out(
    rounds: list[tuple[int, list[tuple[int, int]]]], data: st.DataObject
) -> None:
    at = [(row, line) for row, (_, lines) in enumerate(rounds) for line in lines]
    mixed = data.draw(st.permutations(range(len(at))))  # where each line lies among the columns
    lies = np.array(mixed, dtype=np.int64)
    row, paid, taken = (np.zeros(len(at), dtype=np.int64) for _ in range(3))
    for index, (of, (won, lost)) in zip(mixed, at, strict=True):
        row[index], paid[index], taken[index] = of, won, lost
    posted = np.array([stack for stack, _ in rounds])
    left = cover(row, paid, taken, lies, posted)
    expected = [one for stack, lines in rounds for one in counted_out(stack, lines)]
    assert list(zip(left.paid[lies].tolist(), left.taken[lies].tolist(), strict=True)) == expected
    for number, stack in enumerate(posted.tolist()):
        assert (left.paid + left.taken)[row == number].sum() <= stack
    assert (left.in_part == (left.paid + left.taken < paid + taken)).all()
