"""The shapes of expectation the suites use, as plain values: a class of Great Expectations and its arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Expectation:
    """`kind` is the class in great_expectations.expectations; rows without a value in `judged` are passed over."""

    kind: str
    arguments: dict[str, Any]
    judged: tuple[str, ...]  # the columns it looks at


def at_most(value: str, limit: str) -> Expectation:
    """One column is at most another."""
    return Expectation(
        "ExpectColumnPairValuesAToBeGreaterThanB",
        {"column_A": limit, "column_B": value, "or_equal": True, "ignore_row_if": "either_value_is_missing"},
        (value, limit),
    )


def equal(left: str, right: str) -> Expectation:
    return Expectation(
        "ExpectColumnPairValuesToBeEqual",
        {"column_A": left, "column_B": right, "ignore_row_if": "either_value_is_missing"},
        (left, right),
    )


def between(value: str, least: int | None, most: int | None) -> Expectation:
    return Expectation(
        "ExpectColumnValuesToBeBetween", {"column": value, "min_value": least, "max_value": most}, (value,)
    )


def none(value: str) -> Expectation:
    """The column counts what must not be."""
    return Expectation("ExpectColumnValuesToBeInSet", {"column": value, "value_set": [0]}, (value,))
