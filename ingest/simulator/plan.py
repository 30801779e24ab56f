"""What to simulate: the tables, their filings and equipment, how long they play, and how much goes wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from ingest.simulator.baccarat_rules import SCHEDULES
from ingest.simulator.options import BaccaratOptions, Equipment, Game, OptionValue, PaiGowOptions, filed, spelled_out


@dataclass(frozen=True)
class TablePlan:
    """One table: its game, what it filed and what is fitted to it."""

    table_id: str
    game: Game
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    equipment: Equipment = field(default_factory=Equipment)

    def pai_gow(self) -> PaiGowOptions:
        return filed(PaiGowOptions, self.options)

    def baccarat(self) -> BaccaratOptions:
        return filed(BaccaratOptions, self.options)


@dataclass(frozen=True)
class Plan:
    """A whole simulation. The same plan gives the same bytes."""

    seed: int
    gaming_day: date
    tables: Sequence[TablePlan]
    rounds_per_table: int
    faults: Mapping[str, int] = field(default_factory=dict)
    """How many faults of which kind (see faults.CATALOGUE); they are spread over the tables that can show them."""
    fault_rate: float = 0.0
    """Instead of counts: the share of rounds with a fault, over all kinds the tables can show, in equal parts."""
    lucky_rate: float = 0.0
    """The share of pai gow poker rounds dealt from a stacked deck, so that royal flushes and their like are tried.
    It makes a day statistically unfair, and is therefore none unless asked for."""

    def __post_init__(self) -> None:
        ids = [table.table_id for table in self.tables]
        doubled = sorted({name for name in ids if ids.count(name) > 1})
        if doubled:
            raise ValueError(f"two tables are called {doubled[0]}: a table id names one stream of events")
        if self.faults and self.fault_rate:
            raise ValueError("give the faults as counts or as a rate, not both")
        if not 0 <= self.fault_rate <= 0.5:
            raise ValueError(f"fault_rate is {self.fault_rate}: a share of the rounds, half of them at most")


def _pai_gow_tables() -> list[tuple[PaiGowOptions, Equipment]]:
    """Every dealing and starting method, pay table, rounding, wheel, royal match and rack mode, in few tables."""
    return [
        (PaiGowOptions(), Equipment()),
        (
            PaiGowOptions(
                dealing="hand",
                starting="rng",
                wheel="lowest",
                vigorish_rounding="exact",
                fortune_paytable="B",
                royal_match="ace_king_natural",
                surrendered_bonus="forfeited",
                table_minimum_cents=1_000,
                table_maximum_cents=50_000,
            ),
            Equipment(shoe_reads=False, rack="scan"),
        ),
        (
            PaiGowOptions(
                dealing="automated_shoe",
                starting="button",
                fortune_paytable="C",
                decks=2,
                fortune_minimum_cents=100,
                table_minimum_cents=2_500,
                table_maximum_cents=200_000,
            ),
            Equipment(dealt_in_parts=True),
        ),
        (
            PaiGowOptions(
                dealing="automated_shoe",
                starting="dice",
                wheel="lowest",
                fortune_paytable="D",
                royal_match="ace_king_natural",
                decks=2,
                maximum_payout_cents=5_000_000,
            ),
            Equipment(rack="scan"),
        ),
        (
            PaiGowOptions(
                dealing="hand",
                starting="dice",
                vigorish_rounding="exact",
                fortune_paytable="A",
                decks=2,
                fortune_minimum_cents=100,
                surrendered_bonus="forfeited",
            ),
            Equipment(),
        ),
        (
            PaiGowOptions(dealing="manual_shoe", starting="rng", wheel="lowest", fortune_paytable="none", decks=2),
            Equipment(rack="scan"),
        ),
        (
            PaiGowOptions(
                dealing="automated_shoe", starting="rng", fortune_paytable="B", vigorish_rounding="exact", decks=2
            ),
            Equipment(shoe_reads=False),
        ),
        (
            PaiGowOptions(
                dealing="manual_shoe",
                starting="dice",
                fortune_paytable="C",
                royal_match="ace_king_natural",
                decks=2,
                fortune_minimum_cents=100,
                table_minimum_cents=500,
                table_maximum_cents=30_000,
            ),
            Equipment(rack="scan"),
        ),
    ]


_BACCARAT_LIMITS = {  # within what is printed with each schedule
    "own_1": (1_000, 50_000),
    "own_2": (500, 20_000),
    "own_3": (1_000, 40_000),
    "own_4": (2_500, 200_000),
    "california_games_1": (500, 100_000),
    "california_games_2": (2_500, 250_000),
}


def _baccarat_tables() -> list[tuple[BaccaratOptions, Equipment]]:
    """All six fee schedules, seven to fourteen seats, both rack modes."""
    tables = []
    for number, schedule in enumerate(SCHEDULES):
        minimum, maximum = _BACCARAT_LIMITS[schedule]
        options = BaccaratOptions(
            seats=(7, 9, 14, 8, 12, 10)[number],
            decks=(8, 8, 6, 8, 1, 8)[number],
            schedule=schedule,
            table_minimum_cents=minimum,
            table_maximum_cents=maximum,
            drop_box=("table", "table", "table", "red box", "table", "table")[number],
        )
        equipment = Equipment(
            shoe_reads=number != 1,
            rack="scan" if number % 3 == 1 else "inserted",
            dealt_in_parts=number % 2 == 0,
        )
        tables.append((options, equipment))
    return tables


def default_plan(
    seed: int,
    tables: int = 6,
    rounds: int = 200,
    faults: Mapping[str, int] | None = None,
    *,
    fault_rate: float = 0.0,
    gaming_day: date = date(2026, 11, 17),
) -> Plan:
    """Tables of both games in turn (PG-01, SB-01, PG-02, …), going through the filings above.

    Every table has a camera; most have a shoe that reads, the second of each game has none.
    """
    poker, baccarat = _pai_gow_tables(), _baccarat_tables()
    planned: list[TablePlan] = []
    for index in range(tables):
        turn, is_baccarat = divmod(index, 2)
        if is_baccarat:
            filing, fitted = baccarat[turn % len(baccarat)]
            planned.append(TablePlan(f"SB-{turn + 1:02d}", "supreme_baccarat", spelled_out(filing), fitted))
        else:
            choice, fitted = poker[turn % len(poker)]
            planned.append(TablePlan(f"PG-{turn + 1:02d}", "pai_gow_poker", spelled_out(choice), fitted))
    return Plan(seed, gaming_day, tuple(planned), rounds, dict(faults or {}), fault_rate)
