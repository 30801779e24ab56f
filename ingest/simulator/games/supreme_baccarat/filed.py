"""What a table of Supreme Baccarat in California may file, and the usual tables."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.simulator.fees import BACCARAT_SCHEDULES
from ingest.simulator.options import Equipment, Options, check_schedule, choice
from ingest.simulator.registry import Usual


@dataclass(frozen=True)
class BaccaratOptions(Options):
    """CA Supreme Baccarat: the choices of the card room."""

    seats: int = 8
    decks: int = 8
    schedule: str = choice(*BACCARAT_SCHEDULES)
    table_minimum_cents: int = 1_000
    table_maximum_cents: int = 20_000
    drop_box: str = "table"

    def check(self) -> None:
        if not 4 <= self.seats <= 14:
            raise ValueError(f"seats is {self.seats}: a Supreme Baccarat layout has 4 to 14")
        if not 1 <= self.decks <= 8:
            raise ValueError(f"decks is {self.decks}: a shoe holds one to eight")
        schedule = BACCARAT_SCHEDULES[self.schedule]
        check_schedule(self.schedule, schedule, self.table_minimum_cents, self.table_maximum_cents)

    @property
    def fee_time_shows_without_a_reader(self) -> bool:
        """A fee that is due after the first card, and is taken before the bets are closed."""
        return not BACCARAT_SCHEDULES[self.schedule].before_the_deal


_LIMITS = {  # within what is printed with each schedule
    "own_1": (1_000, 50_000),
    "own_2": (500, 20_000),
    "own_3": (1_000, 40_000),
    "own_4": (2_500, 200_000),
    "california_games_1": (500, 100_000),
    "california_games_2": (2_500, 250_000),
}


def usual() -> Usual:
    """All six fee schedules, seven to fourteen seats, both rack modes."""
    tables = []
    for number, (schedule, (minimum, maximum)) in enumerate(_LIMITS.items()):
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
