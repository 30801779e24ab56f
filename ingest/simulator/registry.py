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
    """A game that can be simulated. Its name is that of its rule pack, ma/pai_gow_poker."""

    table: type[Table]
    options: type[Options]
    usual: Callable[[], Usual]
    prefix: str
    """What its usual tables are called by: PG-01, PG-02 and so on."""
    faults: frozenset[Subject]
    """What can go wrong at its tables, beside what can at every table."""
    faults_elsewhere: frozenset[Subject] = frozenset()
    """What else can at some of them, none of which is among the first usual ones."""

    @property
    def name(self) -> str:
        return self.table.pack

    def shows(self, subject: Subject) -> bool:
        return self.usually_shows(subject) or subject in self.faults_elsewhere

    def usually_shows(self, subject: Subject) -> bool:
        """Whether the first usual tables can."""
        if subject is Subject.ONE_RACK and Subject.SPLIT_HANDS in self.faults:
            return True
        return subject is Subject.EVERY_GAME or subject in self.faults


GAMES: dict[str, Game] = {}


def register(
    table: type[Table],
    options: type[Options],
    usual: Callable[[], Usual],
    *,
    prefix: str,
    faults: Iterable[Subject],
    faults_elsewhere: Iterable[Subject] = (),
    wagers: bool = True,
) -> None:
    """Adds a game, under the id of its pack; `wagers` says whether players wager at it, and not for pots. Two of one
    name, or two whose tables are called alike, are a mistake."""
    shown = frozenset(faults) | ({Subject.WAGERS} if wagers else set())
    game = Game(table, options, usual, prefix, shown, frozenset(faults_elsewhere))
    if game.name in GAMES:
        raise ValueError(f"two games are registered as {game.name}")
    same = [other.name for other in GAMES.values() if other.prefix == prefix]
    if same:
        raise ValueError(f"{game.name}: tables of {same[0]} are called {prefix}-01 as well; choose another prefix")
    GAMES[game.name] = game


def game_names() -> list[str]:
    """What can be simulated, in the order of the alphabet."""
    return sorted(GAMES)


def game_called(name: str) -> Game:
    """The game of that pack; without its jurisdiction where no other has it. A ValueError names those there are."""
    found = [game for game in GAMES.values() if name in (game.name, game.name.rpartition("/")[2])]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{name!r} may be {' or '.join(game.name for game in found)}: name one with its jurisdiction")
    raise ValueError(f"{name!r} is not a game that can be simulated; those are: {', '.join(game_names())}")
