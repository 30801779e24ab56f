"""What the tables of a usual plan have filed and what is fitted to them: every choice of each game, in few tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from ingest.simulator.fees import BACCARAT_SCHEDULES
from ingest.simulator.options import (
    BaccaratOptions,
    Equipment,
    FortuneOptions,
    GameOptions,
    PaiGowOptions,
    SupremeOptions,
    spelled_out,
)
from ingest.simulator.plan import USUAL_GAMES, Plan, TablePlan


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
    for number, schedule in enumerate(BACCARAT_SCHEDULES):
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


def _supreme_tables() -> list[tuple[SupremeOptions, Equipment]]:
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


def _fortune_tables() -> list[tuple[FortuneOptions, Equipment]]:
    """All five fee schedules, shufflers that read and that do not, both rack modes."""
    return [
        (FortuneOptions(), Equipment()),
        (FortuneOptions("own_3", 1_000, 200_000, "red box"), Equipment(rack="scan")),
        (FortuneOptions("california_games_1", 500, 20_000), Equipment()),
        (FortuneOptions("own_2", 2_000, 50_000), Equipment(shoe_reads=False)),
        (FortuneOptions("own_4", 1_000, 500_000), Equipment(rack="card")),
    ]


_TABLES: dict[str, tuple[str, Callable[[], Sequence[tuple[GameOptions, Equipment]]]]] = {
    "pai_gow_poker": ("PG", _pai_gow_tables),
    "supreme_baccarat": ("SB", _baccarat_tables),
    "supreme_pai_gow": ("SG", _supreme_tables),
    "fortune_pai_gow": ("FP", _fortune_tables),
}


def default_plan(
    seed: int,
    tables: int = 6,
    rounds: int = 200,
    faults: Mapping[str, int] | None = None,
    *,
    fault_rate: float = 0.0,
    gaming_day: date = date(2026, 11, 17),
    games: Sequence[str] = USUAL_GAMES,
) -> Plan:
    """Tables of the games in turn (PG-01, SB-01, PG-02, …), going through the filings above.

    Every table has a camera; most have a shoe that reads, one or two of each game have none.
    """
    filings = {game: _TABLES[game][1]() for game in games}
    planned: list[TablePlan] = []
    for index in range(tables):
        turn, which = divmod(index, len(games))
        game = games[which]
        filing, fitted = filings[game][turn % len(filings[game])]
        planned.append(TablePlan(f"{_TABLES[game][0]}-{turn + 1:02d}", game, spelled_out(filing), fitted))
    return Plan(seed, gaming_day, tuple(planned), rounds, dict(faults or {}), fault_rate)
