"""The classes of one pay table: its rows in printed order and, last, nothing.

Two tables of one wager may print different rows (FLT-SPG App. D 7CB-01 has seven-card straight flushes, 7CB-04 has
none), and a hand whose best class has no row is paid for the next one it forms. So the classes of a wager are those of
the table that is filed, and not one list for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from replay.ranking.classes import CLASS_LISTS, Game, class_names, classify
from replay.ranking.hand_class import NO_CLASS
from replay.ranking.hands import Bools, Cards
from replay.ranking.joker import Joker

NOTHING = "nothing"
_OF_CHOSEN_COLOR = "_of_chosen_color"


@dataclass(frozen=True)
class RowClasses:
    """The hands a pay table names, as numbers: 0 for its first row; the last number is `nothing`."""

    game: Game
    rows: tuple[str, ...]

    def __post_init__(self) -> None:
        known = set(self._known())
        for row in self.rows:
            if row not in known:
                raise ValueError(f"{row!r} is no class of {self.game}; there are {', '.join(self._known())}")

    @property
    def names(self) -> tuple[str, ...]:
        """As pay tables spell them, at the number of their class."""
        return (*self.rows, NOTHING)

    @property
    def joker(self) -> Joker | None:
        return CLASS_LISTS[self.game].joker

    @property
    def by_chosen_color(self) -> bool:
        return bool(self.rows) and self.rows[0].endswith(_OF_CHOSEN_COLOR)

    def of(self, cards: Cards, red: Bools | None = None) -> NDArray[np.uint8]:
        """The number of each hand's class. `red` says of each hand whether red was chosen, where the wager is on a
        colour, and black otherwise."""
        if not self.by_chosen_color:
            return self._numbers(cards, self.rows)
        if red is None:
            raise ValueError("the rows are of the chosen color: say which hands chose red")
        of_red, of_black = (
            self._numbers(cards, [row.removesuffix(_OF_CHOSEN_COLOR) + f"_{color}" for row in self.rows])
            for color in ("red", "black")
        )
        return np.where(red, of_red, of_black)

    def _known(self) -> list[str]:
        names = list(class_names(self.game))
        return [*names, *(name.removesuffix("_red") + _OF_CHOSEN_COLOR for name in names if name.endswith("_red"))]

    def _numbers(self, cards: Cards, rows: Sequence[str]) -> NDArray[np.uint8]:
        places = classify(cards, rows, self.game)
        return np.where(places == NO_CLASS, len(self.rows), places).astype(np.uint8)


def row_classes(hands: Sequence[str], joker: Joker = Joker.SEMI_WILD) -> RowClasses:
    """The classes of a pay table of seven cards, in the order given. `joker` is ACE_ONLY for Insurance
    (rulings.md R-19): the rows are spelled alike, and other hands reach them."""
    game = {Joker.SEMI_WILD: Game.PAI_GOW_POKER, Joker.ACE_ONLY: Game.PAI_GOW_INSURANCE}.get(joker)
    if game is None:
        raise ValueError(f"seven cards have a joker that is semi_wild or ace_only, not {joker}")
    return RowClasses(game, tuple(hands))
