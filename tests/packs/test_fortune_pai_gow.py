"""Fortune Pai Gow: which options can be filed together."""

from __future__ import annotations

from replay.filing import file_under, filing_problem, load_pack


def test_table_limits_must_be_within_the_schedule() -> None:
    pack = load_pack("ca/fortune_pai_gow")
    problem = filing_problem(file_under(pack, "1.0", {"schedule": "own_2", "table_maximum_cents": 300_000}))
    assert problem is not None and "$2,000" in problem
    assert filing_problem(file_under(pack, "1.0", {"schedule": "own_1", "table_maximum_cents": 300_000})) is None
