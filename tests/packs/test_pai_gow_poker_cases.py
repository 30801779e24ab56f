"""The pack's cases hold, its options are checked, and every citation outside `@rule` quotes its text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.citations import Citation
from replay.families.split_hands.game import check, check_filing, row_of_case
from replay.filing import file_under, load_pack
from replay.filing.folders import PACKS_FOLDER
from replay.packs.ma.pai_gow_poker.v1.rules import CITES
from replay.ranking.seven import FORTUNE_CLASS_NAMES
from replay.rounds import OUTCOMES, Fact, batch_of
from schemas.cases import Case, CaseError, read_cases
from tests.packs.test_citations import plain, source_of

FOLDER = PACKS_FOLDER / "ma" / "pai_gow_poker" / "v1" / "cases"


def cases() -> Iterator[object]:
    for path in sorted(FOLDER.glob("*.yaml")):
        for case in read_cases(path):
            yield pytest.param(case, id=f"{path.stem}: {case.name}")


@pytest.mark.parametrize("case", list(cases()))
def test_case(case: Case) -> None:
    filing = file_under(load_pack(case.pack), case.version, case.options)
    assert check_filing(filing) is None
    batch = batch_of([row_of_case(case, filing)])
    checked = check(batch, filing)
    assert checked.alternatives == {}
    assert checked.left_open == {}
    assert sorted({remark.code for remark in checked.remarks}) == sorted(case.findings)
    lines, seen = checked.lines, set()
    for at in range(len(lines)):
        seat, bettor = int(lines.seat[at]), batch.names[lines.bettor[at]]
        if lines.kind[at] != Fact.SETTLED or seat not in case.expect:
            continue
        expected = case.expect[seat].backline[bettor] if bettor else case.expect[seat]
        wager = batch.names[lines.wager[at]]
        should = expected.wagers.get(wager)
        if should is None:
            continue
        seen.add((seat, bettor, wager))
        if should.outcome is not None:
            assert lines.possible[at] == 1 << OUTCOMES.index(should.outcome), wager
        if should.paid is not None:
            assert lines.paid[at] == should.paid
        if should.taken is not None:
            assert lines.taken[at] == should.taken
        if should.vigorish is not None:
            assert checked.vigorish is not None
            assert checked.vigorish(lines.paid[at : at + 1])[0] == should.vigorish
    for seat, expected in case.expect.items():
        assert {wager for s, b, wager in seen if s == seat and not b} == set(expected.wagers)
        if expected.envy is not None:
            envy = (lines.kind == Fact.ENVY) & (lines.seat == seat)
            assert lines.paid[envy].sum() == expected.envy


def test_every_row_of_every_pay_table_has_a_case() -> None:
    pack = load_pack("ma/pai_gow_poker")
    for table in pack.paytables.values():
        names = [case.name for case in read_cases(FOLDER / f"fortune_paytable_{table.id[-1]}.yaml")]
        assert len(names) >= len(table.rows)
        assert {row.hand for row in table.rows} <= set(FORTUNE_CLASS_NAMES)


@pytest.mark.parametrize("name", sorted(vars(CITES)))
def test_words_of_citations_stand_in_their_text(name: str) -> None:
    value = getattr(CITES, name)
    citations = value.values() if isinstance(value, dict) else [value]
    for citation in citations:
        if not isinstance(citation, Citation):
            continue
        source = source_of(citation.text)
        if source is None:
            pytest.skip("the rule texts are not beside the repository")
        assert citation.words is not None
        at = 0
        for part in citation.words.split("…"):  # what is left out is marked, and the rest stands in this order
            at = source.find(plain(part).strip(), at)
            assert at >= 0, (citation, part)


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
