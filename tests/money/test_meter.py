"""Progressive meters: sums worked out by hand from MA-PGP §14, §14.A and rulings.md R-25, R-46, and a slow ledger.

The tables here are made up; the rates, shares and the least seed are those of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.citations import cite
from replay.lines import Lines
from replay.money.meter import (
    NO_METER,
    WHOLE,
    Fed,
    FiledMeter,
    MeterLaw,
    MeterRows,
    PaidInTurn,
    Won,
    contribution,
    contribution_lines,
    paid_in_turn,
    payout_lines,
    seed_problem,
    why_open,
)
from replay.money.meter_steps import steps_of
from replay.rounds import UNKNOWN, Fact, FactRow, RoundBatch, RoundRow, batch_of, unknown_fixed

BY = cite("MA-PGP", "§14(e)")
SEED = 10_000_00
METER = FiledMeter("pgp-1", 2100, SEED)
TENTH = WHOLE // 10


def rounds(*facts: FactRow, first_seq: int = 10, mention: Sequence[str] = ("pgp-1",)) -> RoundBatch:
    row = RoundRow({"table_id": "T", "round_id": "1"}, unknown_fixed(), facts=list(facts))
    row.fixed.update(first_seq=first_seq, last_seq=90)
    return batch_of([row]).mentioning(mention)


def stood(cents: int, meter: str = "pgp-1", seq: int = 5) -> FactRow:
    return FactRow(Fact.METER_STOOD, seq, choice=meter, amount=cents)


def fed(seq: int, seat: int, cents: int, after: int = UNKNOWN, meter: str = "pgp-1") -> FactRow:
    return FactRow(Fact.PROGRESSIVE_IN, seq, seat, choice=meter, amount=cents, taken=after)


def paid(seq: int, seat: int, cents: int, after: int = UNKNOWN, off: int = 1, meter: str = "pgp-1") -> FactRow:
    return FactRow(Fact.PROGRESSIVE_OUT, seq, seat, choice=meter, amount=cents, taken=after, other=off)


def won(*wins: tuple[int, int, int], turns: Sequence[int] | None = None, meters: Sequence[int] | None = None) -> Won:
    """(seat, share, fixed sum) each, in turn."""
    count = len(wins)
    seats, shares, sums = (np.array(column, np.int64) for column in zip(*wins, strict=True))
    zero = np.zeros(count, np.int64)
    return Won(
        zero,
        zero,
        seats,
        zero,
        zero,
        np.array(turns if turns is not None else range(count), np.int64),
        np.array(meters if meters is not None else [0] * count, np.int64),
        shares,
        sums,
    )


@pytest.mark.parametrize(
    ("wager", "rate", "goes"),
    [
        (1_00, 2100, 21),  # "no less than 21 percent of the amount wagered for the $1.00 progressive wager"
        (5_00, 2700, 1_35),  # "and 27 percent ... for the $5.00"
        (1_00, 2150, 21),  # 21½ cents: down to the cent
        (1_00, 2199, 21),
        (1_00, 2200, 22),
        (5_00, 2800, 1_40),
        (200_00, 2900, 58_00),
        (0, 2100, 0),
    ],
)
def test_a_percentage_of_the_wager_rounded_down_to_the_cent(wager: int, rate: int, goes: int) -> None:
    assert contribution(np.array([wager]), rate).tolist() == [goes]


@given(st.integers(0, 10**9), st.integers(0, WHOLE))
def test_it_is_never_more_than_the_percentage_and_less_than_a_cent_short(wager: int, rate: int) -> None:
    exact = Fraction(wager * rate, WHOLE)
    assert 0 <= exact - int(contribution(np.array([wager]), rate)[0]) < 1


def sums(made: PaidInTurn) -> list[int]:
    assert not made.open.any()
    return [int(cents) for cents in made.paid]


@pytest.mark.parametrize(
    ("wins", "due"),
    [
        ([(3, WHOLE, 0)], [20_000_00]),  # "100 percent of meter"
        ([(3, TENTH, 0)], [2_000_00]),
        ([(3, TENTH, 0), (5, TENTH, 0)], [2_000_00, 1_800_00]),  # ten percent of $18,000.00
        ([(3, WHOLE, 0), (5, WHOLE, 0)], [20_000_00, SEED]),  # the second has the seed the house put there
        ([(3, WHOLE, 0), (5, TENTH, 0)], [20_000_00, 1_000_00]),
        ([(3, TENTH, 0), (5, WHOLE, 0)], [2_000_00, 18_000_00]),
        ([(3, 0, 200_00), (5, TENTH, 0)], [200_00, 1_980_00]),  # a royal flush and pair comes off it first
        ([(3, 0, 25_00), (4, 0, 100_00), (5, WHOLE, 0)], [25_00, 100_00, 19_875_00]),
    ],
)
def test_each_is_paid_from_what_the_one_before_left(wins: list[tuple[int, int, int]], due: list[int]) -> None:
    batch = rounds(stood(19_999_79), fed(20, 3, 21, 20_000_00))
    assert sums(paid_in_turn(batch, [METER], won(*wins))) == due


def test_the_turn_counts_and_not_the_order_they_are_listed_in() -> None:
    batch = rounds(stood(20_000_00))
    assert sums(paid_in_turn(batch, [METER], won((5, TENTH, 0), (3, WHOLE, 0), turns=[1, 0]))) == [1_000_00, 20_000_00]


def test_what_does_not_come_off_the_meter_leaves_it_alone() -> None:
    """A full house is paid $5.00 from the table inventory, and the next one's tenth is of all of the meter."""
    batch = rounds(stood(20_000_00))
    both = won((3, 0, 5_00), (5, TENTH, 0), meters=[NO_METER, 0])
    assert sums(paid_in_turn(batch, [METER], both)) == [5_00, 2_000_00]


def test_mega_major_and_minor_are_meters_of_their_own() -> None:
    three = [FiledMeter(name, 500, 1_000_00) for name in ("mega", "major", "minor")]
    batch = rounds(
        *(stood(cents, name) for cents, name in ((90_000_00, "mega"), (9_000_00, "major"), (900_00, "minor")))
    )
    both = won((2, WHOLE, 0), (3, WHOLE, 0), (6, WHOLE, 0), (4, WHOLE, 0), meters=[2, 0, 2, 1])
    assert sums(paid_in_turn(batch, three, both)) == [900_00, 90_000_00, 1_000_00, 9_000_00]


@pytest.mark.parametrize(
    ("facts", "due"),
    [
        ([stood(20_000_00), fed(20, 3, 21), fed(21, 4, 21)], 20_000_42),  # moved on by what came in
        ([stood(20_000_00), fed(20, 3, 21, 20_000_30), fed(21, 4, 21)], 20_000_51),  # the sign is what counts (§14(g))
        ([fed(20, 3, 21, 20_000_21)], 20_000_21),  # nothing was known before
        (
            [stood(20_000_00), FactRow(Fact.METER, 8, choice="pgp-1", amount=20_500_00)],
            20_500_00,
        ),  # read between rounds
        ([stood(0), FactRow(Fact.METER_RESET, 8, choice="pgp-1", amount=SEED), fed(20, 3, 21)], 10_000_21),
        ([stood(20_000_00), paid(40, 3, 1, 19_999_99)], 20_000_00),  # a wrong payout does not change what was due
        ([stood(20_000_00), FactRow(Fact.METER_RESET, 40, choice="pgp-1", amount=SEED)], 20_000_00),
        ([stood(20_000_00), FactRow(Fact.METER, 40, choice="pgp-1", amount=20_000_00)], 20_000_00),
    ],
)
def test_what_it_stood_at_when_the_first_turn_came(facts: list[FactRow], due: int) -> None:
    made = paid_in_turn(rounds(*facts), [METER], won((3, WHOLE, 0)))
    assert sums(made) == [due]
    assert made.stood.tolist() == [due]


def test_of_a_meter_nothing_is_known_of_a_share_is_left_open_and_a_fixed_sum_is_not() -> None:
    batch, wins = rounds(), won((3, TENTH, 0), (5, 0, 200_00))
    made = paid_in_turn(batch, [METER], wins)
    assert (made.open.tolist(), int(made.paid[1])) == ([True, False], 200_00)
    assert why_open([METER], wins, made) == {0: "a share of meter pgp-1 was won, and no event says what it stood at"}


def test_a_linked_meter_is_taken_at_what_it_is_said_to_have_stood_at_just_then() -> None:
    """Other tables moved it since this one last heard: it stood at $21,000.00 when $2,100.00 came off."""
    linked = FiledMeter("pgp-1", 2100, SEED, linked=True)
    batch = rounds(stood(20_000_00), paid(40, 3, 2_100_00, 18_900_00))
    assert sums(paid_in_turn(batch, [linked], won((3, TENTH, 0)))) == [2_100_00]
    unsaid = paid_in_turn(rounds(stood(20_000_00), paid(40, 3, 2_100_00)), [linked], won((3, TENTH, 0)))
    assert unsaid.open.tolist() == [True]


def law(seed: int = SEED, names: Sequence[str] = ("pgp-1",)) -> MeterLaw:
    return MeterLaw(
        "progressive",
        tuple(FiledMeter(name, 2100, seed) for name in names),
        MeterRows(np.array([0]), np.array([WHOLE])),
        10_000_00,
        BY,
        cite("MA-PGP", "§14(g)"),
        BY,
        cite("MA-PGP", "§14(f)"),
    )


@pytest.mark.parametrize(
    ("made", "problem"),
    [
        (law(), None),
        (law(9_999_99), "meter pgp-1 is seeded with $9,999.99; MA-PGP §14(f) asks for $10,000.00 at least"),
    ],
)
def test_a_seed_below_the_minimum_is_refused(made: MeterLaw, problem: str | None) -> None:
    assert seed_problem(made) == problem


def columns(lines: Lines, *names: str) -> list[tuple[int, ...]]:
    return list(zip(*(lines.columns[name].tolist() for name in names), strict=True))


def test_a_wager_feeds_each_of_its_meters_and_one_given_back_is_left_open() -> None:
    meters = [FiledMeter("mega", 1000, SEED), FiledMeter("minor", 450, SEED)]
    batch = rounds(mention=("mega", "minor"))
    zero = np.zeros(2, np.int64)
    wagers = Fed(zero, np.array([3, 5]), zero, zero, np.array([5_00, 7_00]), np.array([False, True]))
    lines = contribution_lines(batch, meters, wagers, BY)
    mega, minor = batch.name_id("mega"), batch.name_id("minor")
    assert columns(lines, "seat", "choice", "stake", "paid", "open") == [
        (3, mega, 5_00, 50, 0),
        (3, minor, 5_00, 22, 0),  # 22½ cents
        (5, mega, 7_00, 0, 1),
        (5, minor, 7_00, 0, 1),
    ]


def test_what_comes_off_with_the_sums_an_earlier_payout_would_explain() -> None:
    wins = won((3, WHOLE, 0), (4, TENTH, 0), (5, 0, 200_00), (6, 0, 5_00), meters=[0, 0, 0, NO_METER])
    batch = rounds(stood(20_000_00))
    lines = payout_lines(batch, [METER], wins, paid_in_turn(batch, [METER], wins), law())
    assert columns(lines, "seat", "stake", "paid") == [(3, 20_000_00, 20_000_00), (4, SEED, 1_000_00), (5, 0, 200_00)]
    assert [{way.paid for way in lines.ways_of(at).each} for at in range(3)] == [
        {20_000_00},
        {1_000_00, 2_000_00},
        {200_00},
    ]


# --- beside a slow ledger -------------------------------------------------------------------------------------------


@dataclass
class SlowMeter:
    """A meter as a clerk would keep it: one line after the other."""

    cents: int

    def feed(self, wager: int, percent: Fraction) -> int:
        added = int(wager * percent / 100)
        self.cents += added
        return added

    def pay(self, percent: Fraction | None, fixed: int) -> int:
        sum_ = fixed if percent is None else int(self.cents * percent / 100)
        self.cents = SEED if percent == 100 else max(self.cents - sum_, 0)
        return sum_


WINS = st.lists(st.tuples(st.sampled_from([WHOLE, 5000, 2500, TENTH, 0]), st.integers(1, 500_00)), max_size=6)


@given(st.integers(SEED, 10**8), st.lists(st.integers(1, 200_00), max_size=6), st.integers(1, 5000), WINS)
def test_it_comes_to_what_a_clerk_comes_to(
    start: int, wagers: list[int], rate: int, wins: list[tuple[int, int]]
) -> None:
    slow = SlowMeter(start)
    percent = Fraction(rate, 100)
    into = [fed(20 + seat, seat, slow.feed(wager, percent)) for seat, wager in enumerate(wagers, 1)]
    assert [fact.amount for fact in into] == contribution(np.array(wagers, np.int64), rate).tolist()
    due = [slow.pay(Fraction(share, 100) if share else None, fixed) for share, fixed in wins]
    batch = rounds(stood(start), *into)
    if not wins:
        steps = steps_of(batch)
        assert int(steps.before[-1] + steps.moved[-1] if into else steps.said[-1]) == slow.cents
        return
    of = won(*((seat, share, fixed) for seat, (share, fixed) in enumerate(wins, 1)))
    assert sums(paid_in_turn(batch, [FiledMeter("pgp-1", rate, SEED)], of)) == due


STEP = st.tuples(
    st.sampled_from([Fact.PROGRESSIVE_IN, Fact.PROGRESSIVE_OUT, Fact.METER, Fact.METER_RESET]),
    st.sampled_from(["a", "b"]),
    st.integers(0, 50),
    st.one_of(st.none(), st.integers(0, 99)),
    st.booleans(),
)


@given(st.lists(st.lists(STEP, max_size=8), max_size=4), st.one_of(st.none(), st.integers(0, 99)))
def test_every_cent_between_one_statement_and_the_next_is_accounted_for(
    told: list[list[tuple[Fact, str, int, int | None, bool]]], start: int | None
) -> None:
    """What is unexplained at each step, kept with paper and pencil."""
    rows: list[RoundRow] = []
    expected: list[tuple[int, str, int, int]] = []
    for steps in told:
        value: dict[str, int | None] = {"a": start, "b": None}
        facts = [] if start is None else [stood(start, "a")]
        for seq, (kind, meter, amount, after, off) in enumerate(steps, 20):
            counted = kind in (Fact.PROGRESSIVE_IN, Fact.PROGRESSIVE_OUT)
            said = after if counted else amount
            moved = {Fact.PROGRESSIVE_IN: amount, Fact.PROGRESSIVE_OUT: -amount if off else 0}.get(kind, 0)
            taken = UNKNOWN if said is None else said if counted else 0
            facts.append(FactRow(kind, seq, 3, choice=meter, amount=amount, taken=taken, other=int(off)))
            was = value[meter]
            out = 0 if was is None or said is None else said - was - moved
            expected.append((len(rows), meter, seq, out))
            value[meter] = said if said is not None else None if was is None else was + moved
        rows.append(RoundRow({"table_id": "T", "round_id": str(len(rows))}, unknown_fixed(), facts=facts))
    batch = batch_of(rows)
    steps_made = steps_of(batch)
    made = [
        (int(row), batch.names[meter], int(seq), int(out))
        for row, meter, seq, out, kind in zip(
            steps_made.row,
            steps_made.meter,
            steps_made.seq,
            steps_made.unexplained,
            steps_made.kind,
            strict=True,
        )
        if kind != Fact.METER_STOOD
    ]
    assert sorted(made) == sorted(expected)
