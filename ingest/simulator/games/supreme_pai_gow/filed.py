"""What a table of Massachusetts Supreme Pai Gow may file, and the usual tables."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.simulator.options import Equipment, Options, check_button, check_limits, check_side_limits, choice
from ingest.simulator.registry import Usual


@dataclass(frozen=True)
class SupremeOptions(Options):
    """MA-SPG: the choices a licensee files."""

    dealing: str = choice("manual_shoe", "hand", "automated_shoe")
    starting: str = choice("dice", "rng", "button")
    vigorish_rounding: str = choice("up_to_quarter", "exact")
    banking: str = choice("none", "bank", "bank_and_co_bank")
    stub_counted_by_shuffler: bool = False
    table_minimum_cents: int = 1_000
    table_maximum_cents: int = 100_000
    bonus_minimum_cents: int = 100
    bonus_maximum_cents: int = 20_000
    decks: int = choice(1, 2)

    def check(self) -> None:
        check_button(self.starting, self.dealing, "MA-SPG §11(d)")
        if self.stub_counted_by_shuffler and self.decks == 1 and self.dealing == "manual_shoe":
            raise ValueError("stub_counted_by_shuffler needs a shuffler: two decks, or another dealing (MA-SPG §8(e))")
        check_limits(self.table_minimum_cents, self.table_maximum_cents)
        check_side_limits("bonus", self.bonus_minimum_cents, self.bonus_maximum_cents, "MA-SPG §7(d)")


def usual() -> Usual:
    """Every dealing and starting method, rounding, rack mode and kind of banking."""
    return [
        (SupremeOptions(banking="bank_and_co_bank"), Equipment()),
        (
            SupremeOptions(
                dealing="hand",
                starting="rng",
                vigorish_rounding="exact",
                banking="bank",
                table_minimum_cents=500,
                table_maximum_cents=50_000,
            ),
            Equipment(rack="scan"),
        ),
        (
            SupremeOptions(
                dealing="automated_shoe",
                starting="button",
                banking="bank_and_co_bank",
                stub_counted_by_shuffler=True,
                decks=2,
                bonus_minimum_cents=500,
            ),
            Equipment(dealt_in_parts=True),
        ),
        (
            SupremeOptions(starting="rng", vigorish_rounding="exact", bonus_maximum_cents=5_000),
            Equipment(shoe_reads=False),
        ),
        (
            SupremeOptions(
                dealing="hand",
                banking="bank_and_co_bank",
                vigorish_rounding="exact",
                decks=2,
                table_minimum_cents=2_500,
            ),
            Equipment(),
        ),
        (
            SupremeOptions(dealing="automated_shoe", starting="rng", banking="bank"),
            Equipment(rack="scan", dealt_in_parts=True),
        ),
    ]
