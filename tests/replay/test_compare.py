"""Expected beside reported: each way they can differ, under its code, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from replay.citations import cite
from replay.compare import Compared, compare
from replay.compare.readings import with_best_readings
from replay.game import Checked
from replay.lines import (
    NOT_SEEN_SET,
    SEEN_IN_THE_RACK,
    USUAL,
    Applies,
    Cause,
    Way,
    Ways,
    join_lines,
    make_lines,
    possible,
)
from replay.rounds import OUTCOME_CODE, PAYER_CODE, Fact, FactRow, RoundBatch, RoundRow, batch_of, unknown_fixed
from schemas.events import Outcome, Payer
from schemas.findings import POSSIBLE, Basis

RULE = cite("MA-PGP", "§16(a)")


def batch(*facts: FactRow, posted: int = -1, bank: int = 2) -> RoundBatch:
    mention = FactRow(Fact.WAGER_PLACED, 1, 3, "B1", "main", "table", amount=500)
    other = RoundRow({"table_id": "T", "round_id": "0"}, unknown_fixed(), facts=[mention])
    row = RoundRow({"table_id": "T", "round_id": "1"}, unknown_fixed(), facts=list(facts))
    row.fixed.update(bank_posted_cents=posted, bank_seat=bank)
    return batch_of([other, row])


def settled(outcome: Outcome, paid: int = 0, taken: int = 0, bettor: str = "", seq: int = 9) -> FactRow:
    return FactRow(Fact.SETTLED, seq, 3, bettor, "main", code=OUTCOME_CODE[outcome], amount=paid, taken=taken)


def vigorish(amount: int) -> FactRow:
    return FactRow(Fact.VIGORISH, 10, 3, "", "main", amount=amount)


EVEN = Ways((Way(OUTCOME_CODE[Outcome.WIN], 500, 0), Way(OUTCOME_CODE[Outcome.LOSE], 0, 500), Way(2, 0, 0)))

CAUGHT = Cause("FOUL-401", Applies.UNLESS_TAKEN)
COVER = Cause("COVER-801", Applies.BEYOND_COVER)


def run(facts: list[FactRow], cause: Cause = USUAL, /, ways: Ways | None = None, **columns: Any) -> Compared:
    rounds = batch(*facts, posted=columns.pop("posted", -1))
    columns = {"kind": Fact.SETTLED, "seat": 3, "stake": 500, "row": 1, "wager": rounds.name_id("main")} | columns
    lines = make_lines(1, [RULE], (USUAL, cause), **columns, code=int(cause is not USUAL))
    if ways is not None:
        lines = lines.with_ways([ways], np.zeros(1, np.int64))
    return compare(rounds, Checked(lines, vigorish=lambda won: won // 20, vigorish_cite=RULE))


def codes(compared: Compared) -> list[str]:
    return [remark.code for remark in compared.remarks]


WIN: dict[str, Any] = {"outcome": OUTCOME_CODE[Outcome.WIN], "possible": possible(Outcome.WIN), "paid": 500}
LOSE: dict[str, Any] = {"outcome": OUTCOME_CODE[Outcome.LOSE], "possible": possible(Outcome.LOSE), "taken": 500}
PUSH: dict[str, Any] = {"outcome": OUTCOME_CODE[Outcome.PUSH], "possible": possible(Outcome.PUSH)}
VOID: dict[str, Any] = {
    "outcome": OUTCOME_CODE[Outcome.VOID],
    "possible": possible(Outcome.VOID, Outcome.NO_ACTION, Outcome.PUSH),
}


@pytest.mark.parametrize(
    ("report", "looked_at_again"),
    [
        (settled(Outcome.WIN, 500), False),  # as it should be
        (settled(Outcome.LOSE, 0, 500), True),  # with other hands it is what it comes to
        (settled(Outcome.PUSH), True),
        (settled(Outcome.WIN, 499), False),  # with no hands
        (settled(Outcome.WIN, 501), False),
        (settled(Outcome.LOSE, 0, 499), False),
    ],
)
def test_another_order_of_the_rack_is_looked_for_only_where_some_hands_give_the_sum(
    report: FactRow, looked_at_again: bool
) -> None:
    rounds = batch(report)
    lines = make_lines(1, [RULE], kind=Fact.SETTLED, seat=3, stake=500, row=1, wager=rounds.name_id("main"), **WIN)
    ways = Ways((Way(WIN["outcome"], 500, 0), Way(PUSH["outcome"], 0, 0), Way(LOSE["outcome"], 0, 500)))
    compared = compare(rounds, Checked(lines.with_ways([ways], np.zeros(1, np.int64))))
    assert compared.denied.tolist() == [False, looked_at_again]
    assert bool(compared.remarks) == (report.amount != 500)


@pytest.mark.parametrize(
    ("expected", "report", "code", "difference"),
    [
        (WIN, [settled(Outcome.WIN, 500)], None, 0),
        (WIN, [settled(Outcome.WIN, 400)], "SETTLE-101", -100),
        (WIN, [settled(Outcome.WIN, 600)], "SETTLE-101", 100),
        (WIN, [settled(Outcome.PUSH)], "SETTLE-102", -500),
        (WIN, [settled(Outcome.LOSE, 0, 500)], "SETTLE-102", -1000),
        (LOSE, [settled(Outcome.WIN, 500)], "SETTLE-102", 1000),
        (PUSH, [settled(Outcome.PUSH)], None, 0),
        (PUSH, [settled(Outcome.NO_ACTION)], None, 0),  # the same money by another name
        (WIN, [], "SETTLE-103", -500),
        (WIN, [settled(Outcome.WIN, 300, seq=8), settled(Outcome.WIN, 200, seq=9)], None, 0),  # paid in two goes
        (VOID, [], None, 0),
        (VOID, [settled(Outcome.VOID)], None, 0),
        (VOID, [settled(Outcome.WIN, 500)], "SETTLE-105", 500),
    ],
)
def test_a_wager(expected: dict[str, Any], report: list[FactRow], code: str | None, difference: int) -> None:
    compared = run(report, **expected)
    assert codes(compared) == ([code] if code else [])
    assert [remark.difference_cents for remark in compared.remarks] == ([difference] if code else [])


@pytest.mark.parametrize("unseen", [NOT_SEEN_SET, SEEN_IN_THE_RACK])
def test_where_nobody_saw_the_setting_a_wager_taken_may_have_been_foul(unseen: int) -> None:
    """rulings.md R-51: every setting that is not foul wins, but it may have been set foul, and a foul loses it all."""
    compared = run([settled(Outcome.LOSE, 0, 500)], ways=EVEN, unseen=unseen, **WIN)
    (remark,) = compared.remarks
    assert (remark.code, remark.confidence, remark.difference_cents) == ("FOUL-403", POSSIBLE, 0)
    assert list(compared.undecided) == [1] and not compared.denied.any()
    assert codes(run([settled(Outcome.LOSE, 0, 400)], ways=EVEN, unseen=unseen, **WIN)) == ["SETTLE-102"]
    assert codes(run([settled(Outcome.PUSH)], ways=EVEN, unseen=unseen, **WIN)) == ["SETTLE-102"]


def test_a_foul_that_was_caught_is_not_one_that_was_not() -> None:
    assert codes(run([settled(Outcome.LOSE, 0, 400)], CAUGHT, **LOSE)) == ["SETTLE-101"]


def test_a_difference_goes_under_the_cause_the_pack_knows() -> None:
    assert codes(run([settled(Outcome.WIN, 500)], CAUGHT, **LOSE)) == ["FOUL-401"]


@pytest.mark.parametrize(
    ("posted", "paid", "code"),
    [
        (500, 600, "COVER-801"),  # more than was posted
        (600, 600, "SETTLE-101"),  # within what was posted, though more than this wager had coming
        (500, 400, "SETTLE-101"),
        (-1, 600, "SETTLE-101"),  # nobody said what was posted
    ],
)
def test_cover_is_exceeded_only_by_more_than_was_posted(posted: int, paid: int, code: str) -> None:
    assert codes(run([settled(Outcome.WIN, paid)], COVER, posted=posted, **WIN)) == [code]


def test_money_on_a_wager_nobody_placed() -> None:
    compared = run([settled(Outcome.WIN, 500), settled(Outcome.WIN, 700, bettor="B1")], **WIN)
    assert codes(compared) == ["SETTLE-104"]
    assert compared.remarks[0].bettor == "B1"


def test_a_report_that_moves_nothing_needs_no_wager() -> None:
    assert codes(run([settled(Outcome.WIN, 500), settled(Outcome.PUSH, bettor="B1")], **WIN)) == []


@pytest.mark.parametrize(
    ("report", "undecided", "code"),
    [
        (settled(Outcome.WIN, 500), True, None),
        (settled(Outcome.PUSH), True, None),
        (settled(Outcome.LOSE, 0, 500), False, "SETTLE-102"),
        (settled(Outcome.WIN, 400), False, "SETTLE-101"),
    ],
)
def test_a_split_nobody_saw(report: FactRow, undecided: bool, code: str | None) -> None:
    """rulings.md R-51: a report among the possible ones cannot be told; one that no split could give is a finding."""
    compared = run([report], ways=EVEN, outcome=0, possible=possible(Outcome.WIN, Outcome.PUSH), paid=500)
    assert codes(compared) == ([code] if code else [])
    assert (1 in compared.undecided) == undecided


TWO_TO_ONE = Ways((Way(OUTCOME_CODE[Outcome.WIN], 1000, 0), Way(OUTCOME_CODE[Outcome.LOSE], 0, 500), Way(2, 0, 0)))


@pytest.mark.parametrize(
    ("report", "undecided", "code", "difference"),
    [
        (settled(Outcome.WIN, 1000), True, None, 0),
        (settled(Outcome.PUSH), True, None, 0),
        (settled(Outcome.NO_ACTION), True, None, 0),  # the same money by another name
        (settled(Outcome.WIN, 500), False, "SETTLE-101", 500),  # even money is what nothing here pays
        (settled(Outcome.LOSE, 0, 500), False, "SETTLE-102", -500),
    ],
)
def test_a_split_nobody_saw_at_other_odds(report: FactRow, undecided: bool, code: str | None, difference: int) -> None:
    """A $5.00 wager at 2 to 1 that wins or pushes by how the hand was set: $10.00 or nothing."""
    compared = run([report], ways=TWO_TO_ONE, outcome=0, possible=possible(Outcome.WIN, Outcome.PUSH), paid=1000)
    assert codes(compared) == ([code] if code else [])
    assert (1 in compared.undecided) == undecided
    assert [remark.difference_cents for remark in compared.remarks] == ([difference] if code else [])
    assert all("even money" not in remark.sentence for remark in compared.remarks)


def test_a_foul_nobody_showed_costs_what_a_lost_wager_costs_and_not_the_stake() -> None:
    """Half of the wager was covered: taking that much is what a foul hand comes to."""
    half = Ways((Way(OUTCOME_CODE[Outcome.WIN], 250, 0), Way(OUTCOME_CODE[Outcome.LOSE], 0, 250)))
    assert codes(run([settled(Outcome.LOSE, 0, 250)], ways=half, unseen=NOT_SEEN_SET, **WIN)) == ["FOUL-403"]
    assert codes(run([settled(Outcome.LOSE, 0, 500)], ways=half, unseen=NOT_SEEN_SET, **WIN)) == ["SETTLE-102"]


@pytest.mark.parametrize(
    ("reports", "code", "difference"),
    [
        ([settled(Outcome.WIN, 500), vigorish(25)], [], None),
        ([settled(Outcome.WIN, 500)], ["VIG-601"], 25),
        ([settled(Outcome.WIN, 500), vigorish(50)], ["VIG-602"], -25),
        # a wrong payout is one finding, whichever win the dealer reckoned the vigorish on
        ([settled(Outcome.WIN, 400), vigorish(25)], ["SETTLE-101"], -100),
        ([settled(Outcome.WIN, 400), vigorish(20)], ["SETTLE-101"], -95),  # 380 net, and 475 is due
        ([settled(Outcome.WIN, 400)], ["SETTLE-101"], -75),  # 400 net
        ([settled(Outcome.WIN, 400), vigorish(99)], ["SETTLE-101"], -174),  # 301 net; one cause is told once
        ([settled(Outcome.PUSH)], ["SETTLE-102"], -475),  # rulings.md R-59
        ([], ["SETTLE-103"], -475),
    ],
)
def test_vigorish(reports: list[FactRow], code: list[str], difference: int | None) -> None:
    compared = run(reports, vigorish=1, **WIN)
    assert codes(compared) == code
    assert [remark.difference_cents for remark in compared.remarks] == ([difference] if code else [])


def test_vigorish_on_a_loss_or_on_nothing_is_not_due() -> None:
    assert codes(run([settled(Outcome.LOSE, 0, 500), vigorish(25)], vigorish=1, **LOSE)) == ["VIG-603"]
    assert codes(run([settled(Outcome.LOSE, 0, 500), vigorish(25)], **LOSE)) == ["VIG-603"]


def envy(amount: int, for_seat: int = 5) -> FactRow:
    return FactRow(Fact.ENVY, 11, 3, "", "main", amount=amount, other=for_seat)


@pytest.mark.parametrize(
    ("reports", "expected"),
    [
        ([envy(2000)], []),
        ([], ["ENVY-701"]),
        ([envy(500)], ["ENVY-702"]),
        ([envy(2000), envy(2000, for_seat=6)], ["ENVY-703"]),
    ],
)
def test_envy(reports: list[FactRow], expected: list[str]) -> None:
    assert codes(run(reports, kind=Fact.ENVY, for_seat=5, paid=2000)) == expected


def fee(amount: int, seq: int = 5, seat: int = 3, box: str = "table", payer: Payer = Payer.PLAYER_DEALER) -> FactRow:
    return FactRow(Fact.COLLECTION, seq, seat, "", "", box, code=PAYER_CODE[payer], amount=amount)


@pytest.mark.parametrize(
    ("reports", "expected"),
    [
        ([fee(300)], []),
        ([], ["FEE-901"]),
        ([fee(100)], ["FEE-902"]),
        ([fee(300, seat=4)], ["FEE-903", "FEE-903"]),  # who owes it, and who paid it
        ([fee(300, payer=Payer.PLAYER)], ["FEE-903", "FEE-903"]),
        ([fee(300), fee(100, seat=4)], ["FEE-903"]),
        ([fee(300, seq=12)], ["FEE-904"]),
        ([fee(300, seq=7)], []),
        ([fee(300, seq=8)], ["FEE-904"]),  # the first card itself is too late
        ([fee(300), fee(300, seq=6)], ["FEE-905"]),
        ([fee(300, box="left")], ["FEE-906"]),
        ([fee(300, seat=0)], []),  # the player-dealer's, whichever seat that is
        ([fee(300), fee(0, seat=4, payer=Payer.PLAYER)], []),  # nothing was taken
    ],
)
def test_fees(reports: list[FactRow], expected: list[str]) -> None:
    rounds = batch(*reports, bank=3)
    lines = make_lines(
        1,
        [RULE],
        row=1,
        kind=Fact.COLLECTION,
        seat=3,
        payer=PAYER_CODE[Payer.PLAYER_DEALER],
        paid=300,
        choice=rounds.name_id("table"),
        latest=8,
    )
    assert codes(compare(rounds, Checked(lines))) == expected


def test_a_fee_may_have_an_earliest_moment() -> None:
    rounds = batch(fee(300, seq=5), bank=3)
    due: dict[str, Any] = {
        "row": 1,
        "kind": Fact.COLLECTION,
        "seat": 3,
        "payer": PAYER_CODE[Payer.PLAYER_DEALER],
        "paid": 300,
    }
    for earliest, expected in ((4, []), (5, ["FEE-904"]), (6, ["FEE-904"])):
        lines = make_lines(1, [RULE], choice=rounds.name_id("table"), earliest=earliest, **due)
        assert codes(compare(rounds, Checked(lines))) == expected


def test_readings_leave_open_only_what_they_differ_in_and_a_missing_rule_stays_one() -> None:
    rounds = batch()
    won, lost = (make_lines(1, [RULE], row=1, seat=3, stake=500, paid=paid) for paid in (500, 0))
    none_filed = {1: "no rule says what it comes to"}
    alike = with_best_readings(rounds, Checked(make_lines(0, [RULE]), no_rule=none_filed, alternatives={1: [won, won]}))
    assert (alike.left_open, alike.no_rule) == ({}, none_filed)
    apart = with_best_readings(
        rounds, Checked(make_lines(0, [RULE]), no_rule=none_filed, alternatives={1: [won, lost]})
    )
    assert list(apart.left_open) == [1] and apart.no_rule == none_filed
    assert apart.why_not_settled(1) == "2 readings of the rack fit, and the money differs between them"
    assert alike.why_not_settled(1) == none_filed[1] and alike.why_not_settled(0) is None


def test_what_does_not_depend_on_the_cards_is_told_though_they_cannot_be_told() -> None:
    rounds = batch(settled(Outcome.WIN, 500), vigorish(25), envy(2000))
    remarked = compare(rounds, Checked(make_lines(0, [RULE]), left_open={1: "no cards"}))
    assert sorted(codes(remarked)) == ["ENVY-703", "SETTLE-104", "VIG-603"]
    assert {remark.basis for remark in remarked.remarks} == {Basis.REPORTS}


@pytest.mark.parametrize(
    ("reports", "code", "difference"),
    [
        ([settled(Outcome.WIN, 500)], [], 0),
        ([settled(Outcome.LOSE, 0, 500)], [], 0),
        ([settled(Outcome.WIN, 100_000)], ["SETTLE-101"], 99_500),  # whatever the cards, a win is 500
        ([settled(Outcome.WIN, 0, 700)], ["SETTLE-101"], -200),  # nothing takes more than 500
        ([], ["SETTLE-103"], 0),  # what it should have come to nothing says
    ],
)
def test_a_wager_on_cards_nobody_read(reports: list[FactRow], code: list[str], difference: int) -> None:
    rounds = batch(*reports)
    line = make_lines(1, [RULE], kind=Fact.SETTLED, seat=3, stake=500, row=1, wager=rounds.name_id("main"))
    lines = line.with_ways([EVEN], np.zeros(1, np.int64)).opened(np.ones(1, bool))
    compared = compare(rounds, Checked(lines, left_open={1: "no cards"}))
    assert codes(compared) == code
    assert [remark.difference_cents for remark in compared.remarks] == ([difference] if code else [])
    assert all(remark.basis is Basis.REPORTS for remark in compared.remarks)


def test_cover_may_leave_less_of_any_way_but_no_more() -> None:
    covered = Ways(EVEN.each, or_less=True)
    assert covered.allows(300, 0) and covered.allows(0, 499) and covered.allows(0, 0)
    assert not covered.allows(501, 0) and not covered.allows(300, 300)
    assert covered.nearest(900, 0) == (500, 0)


DEALER = "seat 3 (player-dealer)"


@pytest.mark.parametrize(
    ("reports", "accounts"),
    [
        (
            [fee(300, seat=4)],
            [{DEALER: 300, "drop box table": -300}, {"seat 4": -300, "drop box table": 300}],
        ),
        ([fee(300, box="left")], [{"drop box table": -300, "drop box left": 300}]),
        (
            [fee(200, box="left")],
            [{DEALER: 100, "drop box table": -100}, {"drop box table": -200, "drop box left": 200}],
        ),
        ([fee(300), fee(100, seq=6)], [{DEALER: -100, "drop box table": 100}]),
        ([], [{DEALER: 300, "drop box table": -300}]),
    ],
)
def test_who_is_out_for_a_fee(reports: list[FactRow], accounts: list[dict[str, int]]) -> None:
    rounds = batch(*reports, bank=3)
    who: dict[str, Any] = {"seat": 3, "payer": PAYER_CODE[Payer.PLAYER_DEALER]}
    lines = make_lines(1, [RULE], row=1, kind=Fact.COLLECTION, paid=300, choice=rounds.name_id("table"), **who)
    assert [dict(remark.accounts) for remark in compare(rounds, Checked(lines)).remarks] == accounts


@pytest.mark.parametrize(("stands", "code"), [(5, []), (6, ["FEE-907"]), (4, [])])
def test_a_fee_is_counted_on_wagers_that_stand(stands: int, code: list[str]) -> None:
    """rulings.md R-53: it cannot be taken before they are placed. The fee is event 5."""
    rounds = batch(fee(300, seq=5), bank=3)
    who: dict[str, Any] = {"seat": 3, "payer": PAYER_CODE[Payer.PLAYER_DEALER], "choice": rounds.name_id("table")}
    lines = make_lines(1, [RULE], row=1, kind=Fact.COLLECTION, paid=300, stands=stands, **who)
    assert codes(compare(rounds, Checked(lines))) == code


def test_a_progressive_payout_where_none_is_filed() -> None:
    (remark,) = compare(
        batch(FactRow(Fact.PROGRESSIVE_OUT, 9, 4, "", "", "m1", amount=700)), Checked(make_lines(0, [RULE]))
    ).remarks
    assert (remark.code, remark.difference_cents) == ("SETTLE-106", 700)
    assert dict(remark.accounts) == {"seat 4": 700, "meter m1": -700}


def test_lines_of_several_packs_keep_their_own_citations_and_codes() -> None:
    first = make_lines(1, [RULE], (USUAL, CAUGHT), code=1)
    second = make_lines(2, [cite("CA", "x"), RULE], (USUAL, COVER), code=[0, 1], cite=[0, 1])
    joined = join_lines([first, second])
    assert [joined.causes[code] for code in joined.code] == [CAUGHT, USUAL, COVER]
    assert [str(joined.cites[at]) for at in joined.cite] == ["MA-PGP §16(a)", "CA x", "MA-PGP §16(a)"]
    assert np.array_equal(joined.row, [0, 0, 0])
