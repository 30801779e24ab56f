"""Progressive meters, step by step: each must move by what came in and went out, and be set only to its seed.

Every step is held against the one before it on the same table. Of a meter that several tables feed, one table knows
only what it was set to: the rest is reconciled over all of them (`muckraker meters`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from replay.citations import Citation
from replay.money.meter import FiledMeter
from replay.money.meter_steps import Steps, steps_of
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Fact, RoundBatch
from schemas.findings import Basis
from schemas.money import dollars


@dataclass(frozen=True)
class StepLaw:
    """What the text asks of a meter's steps."""

    least_seed_cents: int
    seed: Citation  # what it is set to, and the least that may be
    moves: Citation  # by what a meter moves


def step_remarks(batch: RoundBatch, meters: Sequence[FiledMeter], law: StepLaw) -> Iterator[Remark]:
    """Of each of these meters the steps that nothing reported explains, and what it was set to."""
    steps = steps_of(batch)
    for meter in meters:
        own = steps.where(steps.meter == batch.name_id(meter.name))
        if not meter.linked:
            yield from _unexplained(batch, meter, own, law)
        yield from _resets(batch, meter, own, law)


def _unexplained(batch: RoundBatch, meter: FiledMeter, steps: Steps, law: StepLaw) -> Iterator[Remark]:
    out = steps.unexplained
    out[steps.kind == Fact.METER_RESET] = 0
    # A system may go on from the seed in the same step as it pays all of the meter.
    whole = (steps.kind == Fact.PROGRESSIVE_OUT) & (steps.before == -steps.moved) & (steps.said == meter.seed_cents)
    out[whole] = 0
    for at in np.flatnonzero(out).tolist():
        before, said, off = int(steps.before[at]), int(steps.said[at]), int(out[at])
        read = steps.kind[at] == Fact.METER
        backwards = read and off < 0
        stood = f"meter {meter.name} stood at {dollars(before)}"
        if read:
            told = f"{stood} and was read at {dollars(said)}{_when(batch, steps, at)}"
        else:
            what = "contribution" if steps.kind[at] == Fact.PROGRESSIVE_IN else "payout"
            comes = "" if steps.moved[at] or not steps.amount[at] else ", which was not to come off it"
            told = f"{stood}; after a {what} of {dollars(int(steps.amount[at]))}{comes} it should stand at "
            told += f"{dollars(before + int(steps.moved[at]))}, and is said to stand at {dollars(said)}"
        why = f"{dollars(abs(off))} {'is missing from it' if off < 0 else 'is on it'} that no event explains"
        code = "METER-102" if backwards else "METER-101"
        yield _remark(steps, at, code, f"{told}: {why}", law.moves, said - off, said)


def _resets(batch: RoundBatch, meter: FiledMeter, steps: Steps, law: StepLaw) -> Iterator[Remark]:
    for at in np.flatnonzero(steps.kind == Fact.METER_RESET).tolist():
        before, said, by = int(steps.before[at]), int(steps.said[at]), batch.names[steps.by[at]]
        was_set = f"meter {meter.name} was set to {dollars(said)}{f' by {by}' if by else ''}{_when(batch, steps, at)}"
        if said < law.least_seed_cents:
            why = f"{law.seed} asks for {dollars(law.least_seed_cents)} at least"
            yield _remark(steps, at, "METER-109", f"{was_set}; {why}", law.seed, law.least_seed_cents, said)
        elif said != meter.seed_cents:
            why = f"its filed seed is {dollars(meter.seed_cents)}"
            yield _remark(steps, at, "METER-108", f"{was_set}; {why}", law.seed, meter.seed_cents, said)
        if not meter.linked and before not in (UNKNOWN, 0, meter.seed_cents) and not _after_a_payout(steps, at):
            why = f"it stood at {dollars(before)}, and nothing had just been paid from it: "
            why += f"{dollars(abs(said - before))} {'is gone' if said < before else 'was added'} that no event explains"
            yield _remark(steps, at, "METER-110", f"{was_set}; {why}", law.moves, before, said)


def _after_a_payout(steps: Steps, at: int) -> bool:
    """Whether the last step before this one, readings apart, was a payout off the meter."""
    while at > 0 and steps.row[at - 1] == steps.row[at]:
        at -= 1
        if steps.kind[at] != Fact.METER:
            return bool(steps.paid_off[at])
    return False


def _when(batch: RoundBatch, steps: Steps, at: int) -> str:
    return " before the round" if steps.seq[at] < batch.first_seq[steps.row[at]] else ""


def _remark(steps: Steps, at: int, code: str, said: str, by: Citation, expected: int, actual: int) -> Remark:
    evidence: tuple[int, ...] = (int(steps.seq[at]),)
    if at and steps.row[at - 1] == steps.row[at]:
        evidence = (int(steps.seq[at - 1]), *evidence)
    seat = int(steps.seat[at]) or None
    return Remark(
        int(steps.row[at]),
        code,
        said,
        by,
        seat,
        None,
        None,
        expected,
        actual,
        0,
        evidence,
        basis=Basis.REPORTS,
    )
