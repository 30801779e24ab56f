"""Assembled rounds as columns: there and back, and any selection of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.rounds import FactRow, RoundBatch, RoundRow, ShownRow, batch_of, from_arrow, to_arrow, unknown_fixed

cards = st.binary(max_size=60).map(lambda raw: bytes(byte % 54 for byte in raw))
names = st.sampled_from(["", "pai_gow", "fortune", "B1", "table"])


@st.composite
def round_rows(draw: st.DrawFn) -> RoundRow:
    fixed = unknown_fixed()
    fixed["first_seq"] = draw(st.integers(0, 10**6))
    fixed["flags"] = draw(st.integers(0, 2**13))
    dealt, rack = draw(cards), draw(cards)
    return RoundRow(
        {"table_id": draw(names), "round_id": draw(st.text("0123456789", max_size=6))},
        fixed,
        rack,
        dealt,
        [draw(st.integers(-1, 14))] * len(dealt),
        bytes(len(dealt)),
        draw(st.sampled_from([b"", bytes(len(rack))])),
        b"",
        [ShownRow(draw(st.integers(0, 14)), 0, 2, draw(cards)[:16], 7) for _ in range(draw(st.integers(0, 3)))],
        [
            FactRow(
                draw(st.integers(1, 21)), draw(st.integers(0, 99)), draw(st.integers(0, 14)), draw(names), draw(names)
            )
            for _ in range(draw(st.integers(0, 4)))
        ],
    )


def rounds_of(batch: RoundBatch) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = to_arrow(batch).to_pylist()
    return rows


@given(st.lists(round_rows(), max_size=6))
def test_a_batch_survives_the_way_to_arrow_and_back(rows: list[RoundRow]) -> None:
    table = to_arrow(batch_of(rows))
    assert to_arrow(from_arrow(table)).equals(table)


@given(st.lists(round_rows(), min_size=1, max_size=6), st.data())
def test_a_selection_of_rounds_is_the_batch_of_those_rounds(rows: list[RoundRow], data: st.DataObject) -> None:
    index = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=8))
    chosen = batch_of(rows).take(np.array(index, dtype=np.int64))
    assert rounds_of(chosen) == rounds_of(batch_of([rows[at] for at in index]))


def test_a_slice_of_a_larger_table_reads_like_the_rows_alone() -> None:
    rows = [
        RoundRow(
            {"table_id": "PG-07", "round_id": str(at)}, unknown_fixed(), bytes([at]) * at, facts=[FactRow(1, at)] * at
        )
        for at in range(5)
    ]
    table = to_arrow(batch_of(rows))
    assert rounds_of(from_arrow(table.slice(2, 2))) == rounds_of(batch_of(rows[2:4]))


def test_a_rack_read_with_thousands_of_cards_keeps_its_neighbours_apart() -> None:
    rows = [RoundRow({"round_id": str(at)}, unknown_fixed(), bytes(count)) for at, count in enumerate((5_000, 3))]
    batch = from_arrow(to_arrow(batch_of(rows)))
    assert (len(batch.rack[0]), len(batch.rack_deck[0]), len(batch.rack_deck[1])) == (5_000, 5_000, 3)


def test_a_column_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_column"):
        _ = batch_of([]).no_such_column
