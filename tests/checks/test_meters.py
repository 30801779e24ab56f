"""Every step of a meter that nothing explains is found, with its size and where it is; one that is explained is not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from replay.checks.meters import StepLaw, step_remarks
from replay.citations import cite
from replay.money.meter import FiledMeter
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Fact, FactRow, RoundRow, batch_of, unknown_fixed

SEED = 10_000_00
LAW = StepLaw(10_000_00, cite("MA-PGP", "§14(f)"), cite("MA-PGP", "§14(e)"))
NEVER_MIND = FactRow(Fact.METER, 30, choice="another", amount=1)


def stood(cents: int, paid_last: int = 0) -> FactRow:
    return FactRow(Fact.METER_STOOD, 5, choice="m", code=paid_last, amount=cents)


def fed(seq: int, cents: int, after: int = UNKNOWN) -> FactRow:
    return FactRow(Fact.PROGRESSIVE_IN, seq, 3, choice="m", amount=cents, taken=after)


def paid(seq: int, cents: int, after: int = UNKNOWN, off: int = 1) -> FactRow:
    return FactRow(Fact.PROGRESSIVE_OUT, seq, 4, choice="m", amount=cents, taken=after, other=off)


def read(seq: int, cents: int) -> FactRow:
    return FactRow(Fact.METER, seq, choice="m", amount=cents)


def reset(seq: int, cents: int, by: str = "") -> FactRow:
    return FactRow(Fact.METER_RESET, seq, choice="m", amount=cents, wager=by)


def found(*facts: FactRow, seed: int = SEED, linked: bool = False) -> list[Remark]:
    row = RoundRow({"table_id": "T", "round_id": "1"}, unknown_fixed(), facts=[*facts, NEVER_MIND])
    row.fixed.update(first_seq=10, last_seq=90)
    batch = batch_of([row]).mentioning(["m"])
    return list(step_remarks(batch, [FiledMeter("m", 2100, seed, linked)], LAW))


def codes(remarks: Sequence[Remark]) -> list[str]:
    return [remark.code for remark in remarks]


@pytest.mark.parametrize(
    "facts",
    [
        [],
        [stood(20_000_00)],
        [stood(20_000_00), fed(20, 21, 20_000_21), fed(21, 21, 20_000_42), read(50, 20_000_42)],
        [stood(20_000_00), fed(20, 21), fed(21, 21), read(50, 20_000_42)],
        [fed(20, 21, 500), read(50, 500)],  # nothing is known of what it stood at before
        [stood(20_000_00), paid(40, 2_000_00, 18_000_00), paid(41, 1_800_00, 16_200_00)],
        [stood(20_000_00), paid(40, 5_00, 20_000_00, off=0)],
        [stood(20_000_00), paid(40, 20_000_00, 0), reset(41, SEED)],
        [stood(20_000_00), paid(40, 20_000_00, SEED)],  # the system went on from the seed at once
        [stood(20_000_00), paid(40, 20_000_00, SEED), reset(41, SEED)],
        [stood(0, paid_last=1), reset(8, SEED), fed(20, 21, 10_000_21)],
        [stood(0, paid_last=1), read(7, 0), reset(8, SEED)],
        [stood(150, paid_last=1), reset(8, SEED)],  # too little was paid: that was found where it was paid
        [reset(8, SEED)],  # the first there ever was
        [stood(20_000_00), read(8, 20_000_00)],
    ],
)
def test_an_explained_meter(facts: list[FactRow]) -> None:
    assert found(*facts) == []


@pytest.mark.parametrize(
    ("facts", "code", "expected", "actual", "evidence"),
    [
        ([stood(20_000_00), fed(20, 21, 20_000_20)], "METER-101", 20_000_21, 20_000_20, (5, 20)),
        ([stood(20_000_00), fed(20, 21, 20_000_22)], "METER-101", 20_000_21, 20_000_22, (5, 20)),
        ([stood(20_000_00), fed(20, 21), fed(21, 21, 20_000_41)], "METER-101", 20_000_42, 20_000_41, (20, 21)),
        ([stood(20_000_00), paid(40, 2_000_00, 20_000_00)], "METER-101", 18_000_00, 20_000_00, (5, 40)),
        ([stood(20_000_00), paid(40, 5_00, 19_995_00, off=0)], "METER-101", 20_000_00, 19_995_00, (5, 40)),
        ([stood(20_000_00), read(8, 20_000_01)], "METER-101", 20_000_00, 20_000_01, (5, 8)),
        ([stood(20_000_00), read(8, 19_999_99)], "METER-102", 20_000_00, 19_999_99, (5, 8)),
        ([stood(0, paid_last=1), reset(8, SEED + 1)], "METER-108", SEED, SEED + 1, (5, 8)),
        ([stood(0, paid_last=1), reset(8, SEED - 1)], "METER-109", SEED, SEED - 1, (5, 8)),
        ([stood(20_000_00), reset(8, SEED, "S-031")], "METER-110", 20_000_00, SEED, (5, 8)),
        ([stood(20_000_00), fed(20, 21), reset(30, SEED)], "METER-110", 20_000_21, SEED, (20, 30)),
    ],
)
def test_a_step_nobody_explains(
    facts: list[FactRow], code: str, expected: int, actual: int, evidence: tuple[int, ...]
) -> None:
    (remark,) = found(*facts)
    assert (remark.code, remark.expected_cents, remark.actual_cents, remark.evidence) == (
        code,
        expected,
        actual,
        evidence,
    )


def test_what_came_before_is_taken_as_it_was_said() -> None:
    """One wrong step is one finding: what comes after it is held against what the meter then stood at."""
    remarks = found(stood(20_000_00), fed(20, 21, 20_000_31), fed(21, 21, 20_000_52), read(50, 20_000_52))
    assert codes(remarks) == ["METER-101"]
    assert remarks[0].sentence == (
        "meter m stood at $20,000.00; after a contribution of $0.21 it should stand at $20,000.21, and is said to "
        "stand at $20,000.31: $0.10 is on it that no event explains"
    )


def test_a_reading_says_whether_it_was_made_before_the_round() -> None:
    (before,), (within,) = found(stood(20_000_00), read(8, 19_000_00)), found(stood(20_000_00), read(50, 19_000_00))
    assert before.sentence.startswith(
        "meter m stood at $20,000.00 and was read at $19,000.00 before the round: $1,000.00"
    )
    assert within.sentence.startswith("meter m stood at $20,000.00 and was read at $19,000.00: $1,000.00 is missing")


def test_of_a_linked_meter_one_table_knows_only_what_it_was_set_to() -> None:
    moved = [stood(20_000_00), fed(20, 21, 25_000_00), read(30, 15_000_00), reset(40, SEED)]
    assert found(*moved, linked=True) == []
    assert codes(found(stood(20_000_00), reset(40, 9_999_00), linked=True)) == ["METER-109"]


def test_a_seed_of_a_licensees_own() -> None:
    assert codes(found(stood(0, paid_last=1), reset(8, SEED), seed=25_000_00)) == ["METER-108"]
    assert found(stood(0, paid_last=1), reset(8, 25_000_00), seed=25_000_00) == []
