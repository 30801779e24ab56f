"""What a game of two community hands takes from its pack: a `Law`, which the pack's rules.py has under that name.

Every rule and number of the game is in here, with what it rests on; the family knows none by itself. Totals and the
values of third cards are columns of 0..9, one entry per round; `NO_THIRD` stands for a third card not drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.checks.action_button import ButtonByCard
from replay.checks.bank_turns import BankTurns
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import Citation

Bools = npt.NDArray[np.bool_]
Points = npt.NDArray[np.uint8]
Result = Callable[[Points, Points], Bools]
"""Whether a result came about, by the totals of the Player and the Banker hand."""

NO_THIRD = 255


@dataclass(frozen=True, eq=False)
class Drawing:
    """When third cards are drawn. "Two" is the total of a hand's first two cards."""

    natural: Callable[[Points], Bools]  # with such a two the other hand draws nothing
    player_draws: Callable[[Points, Points], Bools]  # Player's two, Banker's two: it must; else it must not
    banker_stands: Callable[[Points], Bools]  # on such a two whatever the Player hand has or did
    banker_draws: Callable[[Points, Points, Points], Bools]  # Player's two, Banker's two, Player's third card
    player_rule: Citation
    natural_rule: Citation
    banker_stands_rule: Citation
    banker_rule: Callable[[int, int], Citation]  # of any other two of the Banker's, and Player's third card
    cite: Citation  # the rules as a whole


@dataclass(frozen=True)
class WagerKind:
    """One wager that may be made."""

    name: str  # in pack.yaml and in events
    title: str  # in a sentence
    turn: int  # in which turn round the table it is settled; of one turn, in the order of `Law.wagers`


@dataclass(frozen=True, eq=False)
class Law:
    drawing: Drawing
    results: Mapping[str, Result]  # every result a pay table may name in its `hand` column
    wagers: tuple[WagerKind, ...]
    turns: str  # the turns round the table, in words
    late: LateWagers
    offered: WagersOffered
    bank_turns: BankTurns
    button: ButtonByCard
    cover: Citation
    table_limits: Citation  # that a table may file its own
    lowest_bonus: Citation  # the least a bonus bet may be
    pickup: Citation
    deal_and_rack_agree: Citation
    deck: Citation

    @property
    def kinds(self) -> tuple[str, ...]:
        """The wagers by name, in the order their numbers follow."""
        return tuple(kind.name for kind in self.wagers)

    @property
    def titles(self) -> dict[str, str]:
        return {kind.name: kind.title for kind in self.wagers}
