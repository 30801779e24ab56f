"""Folded tables: every key has a place of its own, and what no deck can deal has an empty one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.ranking import Wheel, rank_best
from replay.ranking.folding import fold
from replay.ranking.keys import every_rank_multiset
from replay.ranking.rank_sets import _five_of_a_rank, _folding, _sums


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 60_000), min_size=1, max_size=400, unique=True))
def test_every_key_has_its_own_place(keys: list[int]) -> None:
    folding = fold(np.array(keys, np.int64))
    places = folding.places(np.array(keys, np.int64))
    assert len(set(places.tolist())) == len(keys)
    assert places.min() >= 0 and places.max() == folding.size - 1


def test_a_key_given_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="3 keys to fold, and only 2 are different"):
        fold(np.array([7, 9, 7], np.int64))


@pytest.mark.parametrize("size", [6, 7])
def test_rank_sets_fold_to_less_than_twice_their_number(size: int) -> None:
    """That is what makes the table small enough for the processor's cache."""
    rank_sets = every_rank_multiset(size)
    places = _folding(size).places(_sums(rank_sets))
    assert len(np.unique(places)) == len(rank_sets)
    assert places.min() >= 0 and places.max() < _folding(size).size < 2 * len(rank_sets)


@pytest.mark.parametrize("size", [6, 7])
def test_five_of_a_rank_are_refused_or_have_the_sum_of_another_hand(size: int) -> None:
    """Never the place of a rank set with another sum: the folding knows these sums too."""
    impossible = _five_of_a_rank(size)
    shared = np.isin(_sums(impossible), _sums(every_rank_multiset(size)))
    assert shared.any() and not shared.all()
    rank_best(impossible[shared], Wheel.LOWEST, joker=True)
    for hand in impossible[~shared]:
        with pytest.raises(ValueError, match=f"are not {size} cards of one deck"):
            rank_best(hand[None], Wheel.LOWEST, joker=True)
