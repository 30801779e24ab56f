"""The faults of collection fees; how each is done stands in `fees`."""

from __future__ import annotations

from ingest.simulator.faults import fees, visible
from ingest.simulator.faults.fault_kind import FaultKind
from ingest.simulator.faults.injection import Stage
from ingest.simulator.faults.subjects import Subject

OF_FEES = (
    FaultKind("fee_not_taken", "FEE-901", Subject.FEES, "a collection fee is not taken", Stage.FEES, fees.not_taken),
    FaultKind(
        "fee_wrong_tier",
        "FEE-902",
        Subject.FEES,
        "a collection fee of another band is taken",
        Stage.FEES,
        fees.wrong_tier,
    ),
    FaultKind(
        "fee_wrong_payer",
        "FEE-903",
        Subject.FEES,
        "a fee is taken from somebody who owes none",
        Stage.FEES,
        fees.wrong_payer,
    ),
    FaultKind(
        "fee_late",
        "FEE-904",
        Subject.FEES,
        "a fee is taken on the wrong side of the first card",
        Stage.FEES,
        fees.late,
        possible_at=visible.shows_when_fees_are_taken,
    ),
    FaultKind("fee_twice", "FEE-905", Subject.FEES, "a fee is taken a second time", Stage.FEES, fees.twice),
    FaultKind("fee_wrong_box", "FEE-906", Subject.FEES, "a fee is dropped in another box", Stage.FEES, fees.wrong_box),
    FaultKind(
        "fee_waived",
        "FEE-908",
        Subject.FEES,
        "a fee that is due is let off, and said to be",
        Stage.FEES,
        fees.waived,
    ),
    FaultKind("fee_given_back", "FEE-909", Subject.FEES, "a fee is given back", Stage.FEES, fees.given_back),
    FaultKind(
        "fee_unfiled_rate",
        "FEE-910",
        Subject.FEES,
        "a fee is taken at a rate no schedule has",
        Stage.FEES,
        fees.unfiled_rate,
    ),
    FaultKind(
        "schedule_in_mid_round",
        "FEE-911",
        Subject.FEES,
        "the collection schedule is changed while the round is played",
        Stage.LATE,
        fees.schedule_changed,
        possible_at=visible.has_another_schedule,
    ),
)
