"""The judge: Great Expectations, kept to itself.

It is imported when the first frame is judged (2 to 4 seconds), in a context that lives in memory, with no progress
bars, and nothing is sent anywhere: usage statistics are switched off before the import, and no Data Docs are made (they
load their assets from the network; Muckraker shows results itself). Frames go in as the few columns the expectations
look at; out come the positions of the rows that failed.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ingest.quality.expectations import Check

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

    def failed(self, frame: str, checks: Sequence[Check], rows: pa.Table) -> dict[str, list[int]]:
        """For each check by name the positions of the rows that do not meet it, in order."""
        if not rows.num_rows:
            return {check.name: [] for check in checks}
        self._start()
        columns = sorted({column for check in checks for column in check.judged})
        data = rows.select(columns).append_column(_ROW, pa.array(range(rows.num_rows))).to_pandas()
        suite = self._library.ExpectationSuite(name=frame, expectations=[self._expectation(check) for check in checks])
        result_format = {
            "result_format": "COMPLETE",
            "unexpected_index_column_names": [_ROW],
            "return_unexpected_index_query": False,
        }
        outcome = self._batches.get_batch({"dataframe": data}).validate(suite, result_format=result_format)
        found: dict[str, list[int]] = {}
        for result in outcome.results:
            name = result.expectation_config.meta["check"]
            found[name] = sorted(int(entry[_ROW]) for entry in result.result.get("unexpected_index_list") or [])
            if result.exception_info.get("raised_exception") or bool(result.success) == bool(found[name]):
                said = str(result.exception_info.get("exception_message") or result.result)[:300]
                raise QualityError(
                    f"Great Expectations could not judge {name}: {said}; a mistake in Muckraker, please report it"
                )
        missing = [check.name for check in checks if check.name not in found]
        if missing:
            raise QualityError(f"Great Expectations gave no result for {missing[0]}; please report it")
        return found

    def _expectation(self, check: Check) -> Any:
        kinds, meta = self._library.expectations, {"check": check.name}
        column, limit, pair = check.column, check.limit, {"ignore_row_if": "either_value_is_missing", "meta": meta}
        match check.comparison, limit:
            case "at_most", str():
                return kinds.ExpectColumnPairValuesAToBeGreaterThanB(
                    column_A=limit, column_B=column, or_equal=True, **pair
                )
            case "at_least", str():
                return kinds.ExpectColumnPairValuesAToBeGreaterThanB(
                    column_A=column, column_B=limit, or_equal=True, **pair
                )
            case "equal_to", str():
                return kinds.ExpectColumnPairValuesToBeEqual(column_A=column, column_B=limit, **pair)
            case "equal_to", _:
                return kinds.ExpectColumnValuesToBeInSet(column=column, value_set=[limit], meta=meta)
            case "at_most" | "at_least" as side, _:
                bound = {"max_value" if side == "at_most" else "min_value": limit}
                return kinds.ExpectColumnValuesToBeBetween(column=column, **bound, meta=meta)
        raise QualityError(f"expectations.yaml: {check.name} compares by {check.comparison!r}, which is not known")

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
