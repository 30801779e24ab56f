"""Supreme Pai Gow: which options can be filed together."""

from __future__ import annotations

from replay.filing import file_under, filing_problem, load_pack


def test_the_button_needs_an_automated_shoe() -> None:
    pack = load_pack("ma/supreme_pai_gow")
    problem = filing_problem(file_under(pack, "1.0", {"starting": "button"}))
    assert problem is not None and "MA-SPG §11(d)" in problem
    assert filing_problem(file_under(pack, "1.0", {"starting": "button", "dealing": "automated_shoe"})) is None
