"""Every row of a pay table has a case, options are checked, and a case that makes no round says why."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from replay.families.split_hands.game import check, check_filing, row_of_case
from replay.families.split_hands.terms import terms_of
from replay.filing import file_under, load_pack
from replay.filing.folders import PACKS_FOLDER
from replay.lines import Lines
from replay.rounds import Fact, RoundBatch, batch_of
from schemas.cases import CaseError, read_cases

FOLDER = PACKS_FOLDER / "ma" / "pai_gow_poker" / "v1" / "cases"


UNREACHED = {("protection", "pai_gow_ace_five_straight_flush_natural")}  # rulings.md R-19


def test_every_row_of_every_pay_table_that_may_be_filed_is_paid_in_a_case() -> None:
    """And every table loses in one."""
    pack = load_pack("ma/pai_gow_poker")
    settled: dict[str, set[str]] = defaultdict(set)
    for path in sorted(FOLDER.glob("*.yaml")):
        for case in read_cases(path):
            filed = file_under(pack, case.version, case.options)
            batch = batch_of([row_of_case(case, filed)])
            for side in terms_of(filed).sides:
                cited = zip(side.table.cites, side.classes, strict=True)
                rows = {one.row: hand for one, hand in cited if one.row is not None}
                for name, said in settlements_by_rule(batch, check(batch, filed).lines):
                    if name == side.name:
                        settled[side.law.table(filed) or ""].add(rows.get(said or "", "nothing"))
    assert settled.keys() == pack.paytables.keys()
    for name, table in pack.paytables.items():
        printed = {row.hand for row in table.rows if (name, row.hand) not in UNREACHED}
        assert settled[name] == printed | {"nothing"}, name


def settlements_by_rule(batch: RoundBatch, lines: Lines) -> list[tuple[str, str | None]]:
    """Each wager settled, and the row it rests on, in words."""
    return [
        (batch.names[lines.wager[at]], lines.cites[lines.cite[at]].row)
        for at in np.flatnonzero(lines.kind == Fact.SETTLED).tolist()
    ]


def test_the_insurance_tables_are_as_printed() -> None:
    """MA-PGP §16(d), column by column; nine-high and ace-high span all five (rulings.md R-26)."""
    printed = {
        "a": (100, 25, 15, 6, 5, 3),
        "b": (100, 25, 15, 7, 5, 3),
        "c": (100, 40, 10, 7, 6, 3),
        "d": (100, 50, 10, 7, 5, 3),
        "e": (100, 40, 10, 7, 5, 3),
    }
    tables = load_pack("ma/pai_gow_poker").paytables
    for letter, odds in printed.items():
        rows = tables[f"insurance-{letter}"].rows
        assert [row.hand for row in rows] == [
            f"{high}_high" for high in ("nine", "ten", "jack", "queen", "king", "ace")
        ]
        assert tuple(row.odds for row in rows) == odds


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"starting": "button"}, "starting: button needs dealing: automated_shoe, not manual_shoe"),
        ({"table_minimum_cents": 2000, "table_maximum_cents": 1000}, "table_minimum_cents ($20.00) is above"),
        ({"fortune_minimum_cents": 2000, "fortune_maximum_cents": 1000}, "fortune_minimum_cents ($20.00) is above"),
        ({"maximum_payout_cents": 4_999_999}, "$49,999.99 is below $50,000.00"),
        ({"maximum_payout_cents": 5_000_000, "fortune_minimum_cents": 1000}, "$50,000.00 is below $80,000.00"),
        ({"starting": "button", "dealing": "automated_shoe"}, None),
        ({"maximum_payout_cents": 5_000_000}, None),
        ({"maximum_payout_cents": 8_000_000, "fortune_minimum_cents": 1000}, None),
        ({"fortune_paytable": "none"}, None),
        ({}, None),
    ],
)
def test_options_that_cannot_stand_together(options: dict[str, str | int], says: str | None) -> None:
    problem = check_filing(file_under(load_pack("ma/pai_gow_poker"), "1.0", options))
    if says is None:
        assert problem is None
    else:
        assert problem is not None and says in problem


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ("seats: {1: {wagers: {pai_gow: 10}, low: Ks Kd, high: As Ad 9c 5h}}", "a hand has 7 cards, not 6"),
        ("seats: {1: {wagers: {pai_gow: 10}, low: Ks Kd, high: Kc Ad 9c 5h 2d}}", "Kc is there twice"),
        ("seats: {1: {wagers: {pai_gow: 10}}}", "seat 1 needs cards"),
        ("seats: {1: {wagers: {pai_gow: 10}, low: Ks Kd}}", "low and high go together"),
        ("seats: {1: {wagers: {pai_gow: 10}, acted: fold}}", "'fold' is neither surrender nor void_hand"),
        ("bank: {seat: 1}", "knows neither a bank"),
    ],
)
def test_a_case_that_makes_no_round_says_why(tmp_path: Path, changes: str, says: str) -> None:
    path = tmp_path / "case.yaml"
    path.write_text(f"name: x\npack: ma/pai_gow_poker\ndealer: {{low: Kc Jd, high: Qs Qh 9h 7c 4s}}\n{changes}\n")
    filing = file_under(load_pack("ma/pai_gow_poker"), "1.0", {})
    with pytest.raises(CaseError) as caught:
        row_of_case(read_cases(path)[0], filing)
    assert says in str(caught.value)
