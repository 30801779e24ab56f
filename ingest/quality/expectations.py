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
    condition: str | None = None  # the column that decides whether a row is looked at at all

    @property
    def columns(self) -> set[str]:
        return {*self.judged, *([self.condition] if self.condition else [])}


def at_most(value: str, limit: str, *, where: tuple[str, int] | None = None) -> Expectation:
    """One column is at most another; `where` a third is at least a number."""
    arguments: dict[str, Any] = {
        "column_A": limit,
        "column_B": value,
        "or_equal": True,
        "ignore_row_if": "either_value_is_missing",
    }
    if where is not None:
        arguments |= {"row_condition": f"{where[0]} >= {where[1]}", "condition_parser": "pandas"}
    return Expectation(
        "ExpectColumnPairValuesAToBeGreaterThanB", arguments, (value, limit), where[0] if where else None
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
