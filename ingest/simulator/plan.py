"""What to simulate: the tables, their filings and equipment, how long they play, and how much goes wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from ingest.simulator.options import Equipment, Filed, Options, OptionValue, filed, spelled_out
from ingest.simulator.registry import game_called

USUAL_GAMES: tuple[str, ...] = ("ma/pai_gow_poker", "ca/supreme_baccarat")
"""What is played where a plan does not say."""


@dataclass(frozen=True)
class TablePlan:
    """One table: its game, what it filed and what is fitted to it."""

    table_id: str
    game: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    equipment: Equipment = field(default_factory=Equipment)

    def filed(self) -> Options:
        """The options of the table, those left out with their defaults."""
        return filed(game_called(self.game).options, self.options)

    def filing(self) -> dict[str, OptionValue]:
        """Every option with its value."""
        return spelled_out(self.filed())

    def __post_init__(self) -> None:
        try:
            game_called(self.game)
        except ValueError as error:
            raise ValueError(f"{self.table_id}: {error}") from None

    def filed_as(self, kind: type[Filed]) -> Filed:
        """The options of a table of this kind, those left out with their defaults."""
        return filed(kind, self.options)


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
    """Tables of the games in turn (PG-01, SB-01, PG-02, …), going through the usual filings of each game.

    Every table has a camera; most have a shoe that reads, one or two of each game have none.
    """
    chosen = [game_called(name) for name in games]
    planned: list[TablePlan] = []
    for index in range(tables):
        turn, which = divmod(index, len(chosen))
        game = chosen[which]
        usual = game.usual()
        options, fitted = usual[turn % len(usual)]
        table_id = f"{game.prefix}-{turn + 1:02d}"
        planned.append(TablePlan(table_id, game.name, spelled_out(options.at_table(table_id)), fitted))
    return Plan(seed, gaming_day, tuple(planned), rounds, dict(faults or {}), fault_rate)
