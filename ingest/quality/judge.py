"""The judge: Great Expectations, kept to itself.

It is imported when the first frame is judged (2 to 4 seconds), in a context that lives in memory, with no progress
bars, and nothing is sent anywhere: usage statistics are switched off before the import, and no Data Docs are made (they
load their assets from the network; Muckraker shows results itself). Rows go in as pandas frames of the few columns the
expectations look at; out come the positions of the rows that failed.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any

from ingest.quality.source import Row
from ingest.quality.suites import Check

ANALYTICS_VARIABLE = "GX_ANALYTICS_ENABLED"
_ROW = "row"


class QualityError(Exception):
    """The data could not be judged, or a result cannot be read; the message says which and what to do."""


class UnknownDay(QualityError):
    """A gaming day was asked for of which nothing is recorded."""


class Judge:
    """Holds frames against checks. Make one and keep it: the first frame pays for the import."""

    def __init__(self) -> None:
        self._library: Any = None
        self._batches: Any = None

    def failed(self, frame: str, checks: Sequence[Check], rows: Sequence[Row]) -> dict[str, list[int]]:
        """For each check by name the positions of the rows that do not meet it."""
        if not rows:
            return {check.name: [] for check in checks}
        self._start()
        import pandas as pd  # type: ignore[import-untyped]

        gx = self._library
        columns = sorted({column for check in checks for column in check.expectation.judged})
        data = pd.DataFrame(
            {
                _ROW: pd.Series(range(len(rows)), dtype="int64"),
                **{column: _series(pd, [row[column] for row in rows]) for column in columns},
            }
        )
        suite = gx.ExpectationSuite(
            name=frame,
            expectations=[
                getattr(gx.expectations, check.expectation.kind)(
                    **check.expectation.arguments, meta={"check": check.name}
                )
                for check in checks
            ],
        )
        outcome = self._batches.get_batch({"dataframe": data}).validate(
            suite,
            result_format={
                "result_format": "COMPLETE",
                "unexpected_index_column_names": [_ROW],
                "return_unexpected_index_query": False,
            },
        )
        found: dict[str, list[int]] = {}
        for result in outcome.results:
            name = result.expectation_config.meta["check"]
            positions = sorted(int(entry[_ROW]) for entry in result.result.get("unexpected_index_list") or [])
            if result.exception_info.get("raised_exception") or bool(result.success) == bool(positions):
                said = str(result.exception_info.get("exception_message") or result.result)[:300]
                raise QualityError(
                    f"Great Expectations could not judge {name}: {said}; a mistake in Muckraker, please report it"
                )
            found[name] = positions
        missing = [check.name for check in checks if check.name not in found]
        if missing:
            raise QualityError(f"Great Expectations gave no result for {missing[0]}; please report it")
        return found

    def _start(self) -> None:
        if self._library is not None:
            return
        os.environ[ANALYTICS_VARIABLE] = "false"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its own dependencies' deprecations are nothing to tell a user
            import great_expectations as gx
            import great_expectations.expectations

            context = gx.get_context(mode="ephemeral")
            context.enable_analytics(enable=False)
            context.variables.progress_bars = {"globally": False}  # type: ignore[assignment]
            source = context.data_sources.add_pandas("muckraker")
            self._batches = source.add_dataframe_asset("frame").add_batch_definition_whole_dataframe("all")
        self._library = gx


def _series(pd: Any, values: list[Any]) -> Any:
    """Whole numbers as such; where some are missing as floats, which is what pandas has for that. Cents stay exact."""
    if any(value is None for value in values):
        return pd.Series([float("nan") if value is None else float(value) for value in values], dtype="float64")
    return pd.Series(values, dtype="int64")
