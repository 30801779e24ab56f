"""What a table of New Jersey Supreme Pai Gow may file, and the usual tables."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.simulator.games.supreme_pai_gow.filed import SupremeOptions
from ingest.simulator.options import Equipment
from ingest.simulator.registry import Usual


@dataclass(frozen=True)
class NewJerseyOptions(SupremeOptions):
    """NJ-SPG 19:47-34: the same choices as in Massachusetts."""


def usual() -> Usual:
    """Every dealing and starting method, rounding, rack mode and kind of banking, otherwise put together than there."""
    return [
        (
            NewJerseyOptions(dealing="hand", banking="bank_and_co_bank", table_minimum_cents=1_500),
            Equipment(),
        ),
        (
            NewJerseyOptions(
                dealing="automated_shoe",
                starting="button",
                vigorish_rounding="exact",
                banking="bank",
                stub_counted_by_shuffler=True,
                decks=2,
                table_maximum_cents=200_000,
            ),
            Equipment(rack="scan", dealt_in_parts=True),
        ),
        (
            NewJerseyOptions(starting="rng", banking="bank_and_co_bank", bonus_minimum_cents=200),
            Equipment(),
        ),
        (
            NewJerseyOptions(vigorish_rounding="exact", decks=2, banking="bank", table_minimum_cents=500),
            Equipment(rack="card"),
        ),
        (
            NewJerseyOptions(dealing="hand", starting="rng", bonus_maximum_cents=7_500),
            Equipment(shoe_reads=False),
        ),
        (
            NewJerseyOptions(dealing="automated_shoe", banking="bank_and_co_bank"),
            Equipment(rack="scan", dealt_in_parts=True),
        ),
    ]
