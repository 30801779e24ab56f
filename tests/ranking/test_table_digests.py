"""One digest a table: a change to any definition, key or order of a table shows here, and must be meant.

The tests beside this one say whether a table is right. This one says that it is the same as when they last did. To
renew a digest after a change that is meant, take it from the failure.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from replay.ranking import Game, Wheel, class_names, classify, rank_best
from replay.ranking.best import _best_of_a_suit
from replay.ranking.five import strength_by_ranks, strength_of_suited
from replay.ranking.keys import every_rank_multiset
from replay.ranking.omaha import _low_by_ranks
from replay.ranking.rank_sets import _folding, _number_by_place
from replay.ranking.supreme import _strength_of_two
from replay.ranking.supreme_bonus import _four_in_a_row
from replay.ranking.three import _strength_by_codes


def classes_by_rank_set(game: Game) -> NDArray[np.int16]:
    sevens = every_rank_multiset(7)
    return np.stack([classify(sevens, [name], game) for name in class_names(game)])


def best_by_rank_set(size: int, wheel: Wheel) -> NDArray[np.int32]:
    return rank_best(every_rank_multiset(size), wheel, joker=True)


TABLES: dict[str, Any] = {
    "five, by ranks, wheel second highest": lambda: strength_by_ranks(Wheel.SECOND_HIGHEST),
    "five, by ranks, wheel lowest": lambda: strength_by_ranks(Wheel.LOWEST),
    "five, suited, wheel second highest": lambda: strength_of_suited(Wheel.SECOND_HIGHEST),
    "five, suited, wheel lowest": lambda: strength_of_suited(Wheel.LOWEST),
    "rows of six": lambda: _folding(6).offsets,
    "rows of seven": lambda: _folding(7).offsets,
    "rank sets of six": lambda: _number_by_place(6),
    "rank sets of seven": lambda: _number_by_place(7),
    "best of six, wheel second highest": lambda: best_by_rank_set(6, Wheel.SECOND_HIGHEST),
    "best of six, wheel lowest": lambda: best_by_rank_set(6, Wheel.LOWEST),
    "best of seven, wheel second highest": lambda: best_by_rank_set(7, Wheel.SECOND_HIGHEST),
    "best of seven, wheel lowest": lambda: best_by_rank_set(7, Wheel.LOWEST),
    "best of a suit, wheel second highest": lambda: _best_of_a_suit(Wheel.SECOND_HIGHEST),
    "best of a suit, wheel lowest": lambda: _best_of_a_suit(Wheel.LOWEST),
    "three": _strength_by_codes,
    "omaha low": _low_by_ranks,
    "supreme two": _strength_of_two,
    "supreme four in a row": _four_in_a_row,
    "classes of seven": lambda: classes_by_rank_set(Game.PAI_GOW_POKER),
    "classes of seven, insurance": lambda: classes_by_rank_set(Game.PAI_GOW_INSURANCE),
}
DIGESTS = {
    "five, by ranks, wheel second highest": "1d73d63ce6911d11",
    "five, by ranks, wheel lowest": "125ddd371e7bac41",
    "five, suited, wheel second highest": "8f45bf5a887d9a2c",
    "five, suited, wheel lowest": "4234cfaf7347f969",
    "rows of six": "cbdf58ddce445c9c",
    "rows of seven": "350a7ee36fac899d",
    "rank sets of six": "ef52a72f2aa1e6eb",
    "rank sets of seven": "7fae13d519f5da96",
    "best of six, wheel second highest": "65a5bc1bcf7aa31a",
    "best of six, wheel lowest": "ccd5f101e1210072",
    "best of seven, wheel second highest": "3c9745eaf4d87ec8",
    "best of seven, wheel lowest": "97e07e07742e2cd1",
    "best of a suit, wheel second highest": "5f056a068069e822",
    "best of a suit, wheel lowest": "6f568882e02bd12c",
    "three": "7becf5359c0c0edc",
    "omaha low": "0748bc657f886af2",
    "supreme two": "0545ca6274ae695b",
    "supreme four in a row": "b84044172d531df8",
    "classes of seven": "5075db03c6b6fc90",
    "classes of seven, insurance": "a38b531146fe8c11",
}


@pytest.mark.parametrize("name", TABLES)
def test_digest(name: str) -> None:
    table = TABLES[name]()
    found = sha256(f"{table.dtype.str} {table.shape} ".encode() + np.ascontiguousarray(table).tobytes()).hexdigest()
    assert found[:16] == DIGESTS[name]
