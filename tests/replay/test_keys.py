"""Keys over the columns of two tables, and what stands last under one, beside dicts of tuples."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from replay.keys import coded, last_of

NEAR, FAR = 3, 5_000  # values so far apart that counting from the least would need much room


def two_tables(rng: random.Random, width: int, spread: int) -> tuple[list[Any], list[Any]]:
    def column(size: int) -> np.ndarray[Any, Any]:
        return np.array([rng.randrange(-1, spread) for _ in range(size)], np.int64)

    one, other = rng.choice([0, 1, 40]), rng.choice([0, 1, 60])
    return [column(one) for _ in range(width)], [column(other) for _ in range(width)]


@pytest.mark.parametrize("spread", [NEAR, FAR])
def test_keys_are_equal_where_all_columns_are(spread: int) -> None:
    rng = random.Random(spread)
    for _ in range(60):
        ones, others = two_tables(rng, rng.randint(1, 4), spread)
        keys = [key.tolist() for key in coded(*zip(ones, others, strict=True))]
        rows = [list(zip(*(column.tolist() for column in table), strict=True)) for table in (ones, others)]
        for key, row in zip(keys[0] + keys[1], rows[0] + rows[1], strict=True):
            for other_key, other_row in zip(keys[1], rows[1], strict=True):
                assert (key == other_key) == (row == other_row)


@pytest.mark.parametrize("spread", [NEAR, FAR])
def test_the_last_value_under_a_key(spread: int) -> None:
    rng = random.Random(spread + 1)
    for _ in range(60):
        (asked,), (keys,) = two_tables(rng, 1, spread)
        values = np.array([rng.randrange(1_000) for _ in keys], np.int64)
        last = dict(zip(keys.tolist(), values.tolist(), strict=True))
        assert last_of(asked, keys, values, -7).tolist() == [last.get(key, -7) for key in asked.tolist()]
