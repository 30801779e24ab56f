"""What is declared of each expectation, and how it is put in words."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import ingest.quality.expectations
from ingest.quality import QualityError
from ingest.quality.expectations import CHECKS, Check
from ingest.quality.judge import Judge
from ingest.quality.words import worded
from schemas.findings import CATALOGUE

FOLDER = Path(ingest.quality.expectations.__file__).parent


@pytest.mark.parametrize("check", CHECKS.values(), ids=list(CHECKS))
def test_every_expectation_says_what_is_expected_and_what_to_do(check: Check) -> None:
    assert check.code in CATALOGUE
    assert (FOLDER / check.border / f"{check.frame}.sql").is_file()
    for text in (check.measured, check.do, *check.says.values()):
        assert text.endswith("."), text
    assert "{" not in check.measured


def test_every_frame_is_looked_at() -> None:
    assert {f"{check.border}/{check.frame}" for check in CHECKS.values()} <= {
        f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.sql")
    }


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{one:event} {one:was}, {one:is}", "1 event was, is"),
        ("{many:event} {many:was}, {many:is}, {many:more stretch}", "1,200 events were, are, 1,200 more stretches"),
        ("{cents:money}, {many:,}, {share:.0%}", "$12.05, 1,200, 75%"),
        ("{at_us:clock}", "2026-11-17 20:00:00 UTC"),
        ("{us:seconds} s, {us:minutes} min, {hours:hours} h", "900 s, 15 min, 36 h"),
        ("a {five:ordinal} of {names:types}", "a fifth of `a`, `b`"),
    ],
)
def test_numbers_are_put_in_words(template: str, said: str) -> None:
    values = {"one": 1, "many": 1_200, "five": 5, "cents": 1_205, "share": 0.75, "names": {"b", "a"}}
    times = {"at_us": 1_794_945_600_000_000, "us": 900_000_000, "hours": 36 * 3_600_000_000}
    assert worded(template, values | times) == said


@pytest.mark.parametrize(
    ("name", "rows", "failed"),
    [
        ("values_in_range", {"value": [5, 6, None, 7], "ceiling": [5, 5, 5, None]}, [1]),  # at most a column
        ("devices_heard", {"heard": [3, 2, None], "least": [3, 3, 3]}, [1]),  # at least a column
        ("tray_agrees", {"reported_cents": [1, 2, 3], "expected_cents": [1, 3, None]}, [1]),  # equal to a column
        ("rounds_closed", {"unclosed": [0, 1, None]}, [1]),  # none
        ("events_a_minute", {"events": [600, 601]}, [1]),  # at most a number
        ("day_opened", {"opened": [1, 0, 2]}, [1]),  # at least a number
    ],
)
def test_each_kind_of_comparison(name: str, rows: dict[str, list[int | None]], failed: list[int]) -> None:
    columns = {column: pa.array(values, pa.int64()) for column, values in rows.items()}
    assert Judge().failed("some", [CHECKS[name]], pa.table(columns)) == {name: failed}
    assert Judge().failed("some", [CHECKS[name]], pa.table(columns).slice(0, 0)) == {name: []}


def test_a_column_that_is_not_there_is_a_mistake_and_no_pass() -> None:
    with pytest.raises((QualityError, KeyError)):
        Judge().failed("some", [CHECKS["rounds_closed"]], pa.table({"closed": [0]}))
