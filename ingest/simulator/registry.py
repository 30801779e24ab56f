"""The games that can be simulated, each registered by name: its table, its options, its usual tables, its faults.

A game's module calls `register` once. Nothing else in the simulator lists the games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.simulator.faults.subjects import Subject
from ingest.simulator.options import Equipment, Options

if TYPE_CHECKING:
    from ingest.simulator.table import Table

Usual = Sequence[tuple[Options, Equipment]]
"""Filings and what is fitted to the table, one for each table of a day that tries every choice."""


@dataclass(frozen=True)
class Game:
    """A game that can be simulated."""

    name: str
    table: type[Table]
    options: type[Options]
    usual: Callable[[], Usual]
    prefix: str
    """What its usual tables are called by: PG-01, PG-02 and so on."""
    faults: frozenset[Subject]
    """What can go wrong at its tables, beside what can at every table."""

    def shows(self, subject: Subject) -> bool:
        return subject is Subject.EVERY_GAME or subject in self.faults


GAMES: dict[str, Game] = {}


def register(
    name: str,
    table: type[Table],
    options: type[Options],
    usual: Callable[[], Usual],
    *,
    prefix: str,
    faults: Iterable[Subject],
) -> None:
    """Adds a game. Two of one name, or two whose tables would be called alike, are a mistake."""
    if name in GAMES:
        raise ValueError(f"two games are registered as {name!r}")
    same = [game.name for game in GAMES.values() if game.prefix == prefix]
    if same:
        raise ValueError(f"{name}: tables of {same[0]} are called {prefix}-01 as well; choose another prefix")
    GAMES[name] = Game(name, table, options, usual, prefix, frozenset(faults))


def game_names() -> list[str]:
    """What can be simulated, in the order of the alphabet."""
    return sorted(GAMES)


def game_called(name: str) -> Game:
    """The game of that name; a ValueError names those there are."""
    if name not in GAMES:
        raise ValueError(f"{name!r} is not a game that can be simulated; those are: {', '.join(game_names())}")
    return GAMES[name]
