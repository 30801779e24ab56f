"""The centre pot of a banking player: sums worked out by hand from MA-SPG §13(l), (m) and rulings.md R-23, R-47."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.money.bank import centre_pot


class Sums(NamedTuple):
    bank_gets: int
    bank_pays: int
    house_gets: int
    house_pays: int


def settled(lost: int, won: int, co_banked: bool) -> Sums:
    pot = centre_pot(np.array([lost]), np.array([won]), np.array([co_banked]))
    return Sums(*(int(column[0]) for column in (pot.bank_gets, pot.bank_pays, pot.house_gets, pot.house_pays)))


@pytest.mark.parametrize(
    ("lost", "won", "co_banked", "due"),
    [
        (100_00, 60_00, False, Sums(40_00, 0, 0, 0)),  # "a surplus in the center of the table ... given to the bank"
        (100_00, 60_00, True, Sums(20_00, 0, 20_00, 0)),  # "half of this amount into the table inventory container"
        (60_00, 100_00, False, Sums(0, 40_00, 0, 0)),  # "collect from the bank, an amount equal to the remaining"
        (60_00, 100_00, True, Sums(0, 20_00, 0, 20_00)),  # "one-half of the remaining winning wagers", twice
        (50_00, 50_00, False, Sums(0, 0, 0, 0)),
        (50_00, 50_00, True, Sums(0, 0, 0, 0)),
        (50_01, 50_00, True, Sums(0, 0, 1, 0)),  # the odd cent is the casino's
        (50_03, 50_00, True, Sums(1, 0, 2, 0)),
        (50_00, 50_01, True, Sums(0, 0, 0, 1)),  # and so is that of a shortfall
        (50_00, 50_03, True, Sums(0, 1, 0, 2)),
        (0, 75_00, False, Sums(0, 75_00, 0, 0)),
        (0, 0, True, Sums(0, 0, 0, 0)),
    ],
)
def test_what_is_left_or_missing_goes_as_the_text_says(lost: int, won: int, co_banked: bool, due: Sums) -> None:
    assert settled(lost, won, co_banked) == due


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 100_000)), max_size=14), st.booleans())
def test_it_comes_to_what_paying_one_after_the_other_comes_to(wagers: list[tuple[bool, int]], co_banked: bool) -> None:
    """As the dealer does it: chips into the centre, then winners paid out of it until it is empty."""
    centre = sum(amount for wins, amount in wagers if not wins)
    bank = house = 0
    unpaid = [amount for wins, amount in wagers if wins]
    while unpaid and centre >= unpaid[0]:
        centre -= unpaid.pop(0)
    remaining = sum(unpaid) - centre
    if unpaid:
        share = remaining // 2 if co_banked else remaining
        bank, house, centre = -share, -(remaining - share), 0
    elif co_banked:
        bank = centre // 2
        house = centre - bank
    else:
        bank = centre
    due = settled(
        sum(amount for wins, amount in wagers if not wins), sum(amount for wins, amount in wagers if wins), co_banked
    )
    assert (due.bank_gets - due.bank_pays, due.house_gets - due.house_pays) == (bank, house)
