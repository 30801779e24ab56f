"""What a table of FLT-SPG's Supreme Pai Gow may file, and the usual tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ingest.simulator.games.flt_supreme_pai_gow.odds import (
    BONUS_ODDS,
    EIGHTH_ODDS,
    EMPERORS_ODDS,
    EMPERORS_PROGRESSIVE,
    INSURANCE_ODDS,
    INSURANCE_PROGRESSIVE,
    ROYALTY_ODDS,
)
from ingest.simulator.options import Equipment, Options, check_limits, check_side_limits, choice
from ingest.simulator.registry import Usual

PROGRESSIVE_ROWS: Mapping[str, Mapping[str, Mapping[str, int] | Mapping[str | int, int]]] = {
    "insurance_progressive": INSURANCE_PROGRESSIVE,
    "emperors_progressive": EMPERORS_PROGRESSIVE,
}
"""Every pay table of each progressive wager."""


@dataclass(frozen=True)
class FltOptions(Options):
    """FLT-SPG: "Operators choose which optional bonus wager(s) they will offer and set all … limits"."""

    ante_royalty_paytable: str = choice(*ROYALTY_ODDS)
    insurance_paytable: str = choice("none", *INSURANCE_ODDS)
    emperors_paytable: str = choice("none", *EMPERORS_ODDS)
    seven_card_bonus_paytable: str = choice("none", *BONUS_ODDS)
    eighth_card_paytable: str = choice("none", *EIGHTH_ODDS)
    raise_multiples: str = choice("whole", "any")
    table_minimum_cents: int = 1_000
    table_maximum_cents: int = 1_000_000
    insurance_minimum_cents: int = 100
    insurance_maximum_cents: int = 1_000_000
    emperors_minimum_cents: int = 100
    emperors_maximum_cents: int = 1_000_000
    seven_card_bonus_minimum_cents: int = 100
    seven_card_bonus_maximum_cents: int = 1_000_000
    eighth_card_minimum_cents: int = 100
    eighth_card_maximum_cents: int = 1_000_000
    ante_royalty_aggregate_cents: int = 0
    ante_royalty_aggregate_per: str = choice("round", "hand")
    insurance_aggregate_cents: int = 0
    insurance_aggregate_per: str = choice("round", "hand")
    emperors_aggregate_cents: int = 0
    emperors_aggregate_per: str = choice("round", "hand")
    seven_card_bonus_aggregate_cents: int = 0
    seven_card_bonus_aggregate_per: str = choice("round", "hand")
    eighth_card_aggregate_cents: int = 0
    eighth_card_aggregate_per: str = choice("round", "hand")
    insurance_progressive_paytable: str = choice("none", *INSURANCE_PROGRESSIVE)
    insurance_progressive_unit_cents: int = 100
    insurance_progressive_meter: str = "insurance_progressive"
    insurance_progressive_seed_cents: int = 0
    insurance_progressive_rate_bp: int = 0
    insurance_progressive_linked: bool = False
    emperors_progressive_paytable: str = choice("none", *EMPERORS_PROGRESSIVE)
    emperors_progressive_unit_cents: int = 100
    emperors_progressive_meter: str = "emperors_progressive"
    emperors_progressive_seed_cents: int = 0
    emperors_progressive_rate_bp: int = 0
    emperors_progressive_linked: bool = False

    def check(self) -> None:
        check_limits(self.table_minimum_cents, self.table_maximum_cents)
        for name in ("insurance", "emperors", "seven_card_bonus", "eighth_card"):
            check_side_limits(name, *self.limits(name), "FLT-SPG Optional Bonus Wagers")
        for name in self.progressives():
            if not (self.progressive(name, "seed_cents") and self.progressive(name, "rate_bp")):
                raise ValueError(f"{name}: no text prints what its meter is set to and gets; file its seed and rate")

    def limits(self, name: str) -> tuple[int, int]:
        return getattr(self, f"{name}_minimum_cents"), getattr(self, f"{name}_maximum_cents")

    def aggregate(self, name: str) -> tuple[int, str]:
        """The most that is paid together, 0 for no limit, and whether in a round or on a hand."""
        return getattr(self, f"{name}_aggregate_cents"), getattr(self, f"{name}_aggregate_per")

    def progressives(self) -> dict[str, str]:
        """The progressive wagers offered, each with its pay table."""
        filed = {name: str(getattr(self, f"{name}_paytable")) for name in PROGRESSIVE_ROWS}
        return {name: table for name, table in filed.items() if table != "none"}

    def progressive(self, name: str, what: str) -> int:
        """A number filed for one of them: its `unit_cents`, `seed_cents` or `rate_bp`."""
        return int(getattr(self, f"{name}_{what}"))

    # --- what the text leaves no choice in ---------------------------------------------------------------------------

    @property
    def dealing(self) -> str:
        return "stacks"

    @property
    def starting(self) -> str:
        return "left_of_dealer"

    @property
    def decks(self) -> int:
        return 1

    # --- what decides which faults a table can show ------------------------------------------------------------------

    @property
    def pays_envy(self) -> bool:
        return self.emperors_paytable != "none"

    @property
    def racks_show_settings(self) -> bool:
        return True


def usual() -> Usual:
    """Every wager, with several of its tables, limits and units, whole and any raises, and every rack mode."""
    return [
        (
            FltOptions(
                emperors_paytable="PT-FLT-EC-ET-01",
                insurance_paytable="PT-FLT-EC-PGI-03",
                eighth_card_paytable="PT-FLT-D8C1-01",
                emperors_progressive_paytable="PT-BJS-EC-ET-01",
                emperors_progressive_seed_cents=500_000,
                emperors_progressive_rate_bp=2_000,
            ),
            Equipment(),
        ),
        (
            FltOptions(
                ante_royalty_paytable="PT-FLT-AR-03", eighth_card_paytable="PT-FLT-D8C1-02", raise_multiples="any"
            ),
            Equipment(rack="scan"),
        ),
        (
            FltOptions(
                emperors_paytable="PT-FLT-EC-ET-06",
                seven_card_bonus_paytable="PT-FLT-7CB-08",
                eighth_card_paytable="PT-FLT-D8C2-01",
                ante_royalty_aggregate_cents=20_000,
                eighth_card_aggregate_cents=5_000,
                seven_card_bonus_aggregate_cents=3_000,
                seven_card_bonus_aggregate_per="hand",
            ),
            Equipment(dealt_in_parts=True),
        ),
        (
            FltOptions(
                ante_royalty_paytable="PT-FLT-AR-05",
                insurance_paytable="PT-FLT-EC-PGI-02",
                seven_card_bonus_paytable="PT-FLT-7CB-04",
                eighth_card_paytable="PT-FLT-D8C1-03",
                insurance_aggregate_cents=10_000,
                insurance_aggregate_per="hand",
                table_minimum_cents=500,
                table_maximum_cents=50_000,
                insurance_progressive_paytable="PT-BJS-EC-PGI-01",
                insurance_progressive_unit_cents=500,
                insurance_progressive_seed_cents=1_000_000,
                insurance_progressive_rate_bp=1_850,
            ),
            Equipment(rack="card", camera=False),
        ),
        (
            FltOptions(
                emperors_paytable="PT-FLT-EC-ET-08",
                eighth_card_paytable="PT-FLT-D8C2-02",
                emperors_aggregate_cents=25_000,
                eighth_card_maximum_cents=10_000,
                raise_multiples="any",
            ),
            Equipment(shoe_reads=False),
        ),
        (
            FltOptions(
                ante_royalty_paytable="PT-FLT-AR-02",
                insurance_paytable="PT-FLT-EC-PGI-05",
                emperors_paytable="PT-FLT-EC-ET-03",
                seven_card_bonus_paytable="PT-FLT-7CB-12",
                emperors_minimum_cents=500,
                emperors_maximum_cents=50_000,
                insurance_progressive_paytable="PT-BJS-EC-PGI-04",
                insurance_progressive_seed_cents=200_000,
                insurance_progressive_rate_bp=2_250,
                emperors_progressive_paytable="PT-BJS-EC-ET-03",
                emperors_progressive_unit_cents=500,
                emperors_progressive_seed_cents=1_000_000,
                emperors_progressive_rate_bp=2_333,
            ),
            Equipment(rack="scan"),
        ),
    ]
