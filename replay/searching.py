"""Which contradictory racks of a table are searched for what went wrong: a few in a row, and then one now and then.

A search may take most of a second where judging a round takes less than a millisecond, and whoever can write to the log
can make up contradictory racks. So every table has an allowance of steps (`replay.cards.solver.budget`): a search takes
from it what it took, every round of the table gives a little back, and with less left than one search may take a rack
is not searched (ROUND-009). Rounds that no signature vouches for share a second allowance in their partition, so that
inventing tables gains nobody anything.

It follows from the rounds and their order alone, never from time, batches or cuts. Whether a rack was searched is kept
in the round's flags, so that judging it again comes to the same without knowing the rounds before it.
"""

from __future__ import annotations

from typing import Any

from replay.cards.solver.budget import ROUND_STEPS

TABLE_STEPS = 3 * ROUND_STEPS
UNSIGNED_STEPS = 2 * ROUND_STEPS  # of all rounds of a partition that are not attested, together
STEPS_A_ROUND = ROUND_STEPS // 100  # what a round gives back
_UNSIGNED = ""  # no table is called so


class Allowances:
    """What each table has used up and not been given back."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def restore(self, state: dict[str, Any]) -> None:
        self._used = {table_id: int(steps) for table_id, steps in state.items()}

    def state(self) -> dict[str, Any]:
        return dict(sorted(self._used.items()))

    def next_round(self, table_id: str, attested: bool) -> None:
        """A round of this table, searched or not, comes next."""
        self._give_back(table_id)
        if not attested:
            self._give_back(_UNSIGNED)

    def may_search(self, table_id: str, attested: bool) -> bool:
        """Whether the allowance is enough for whatever one search may take."""
        if self._used.get(table_id, 0) + ROUND_STEPS > TABLE_STEPS:
            return False
        return attested or self._used.get(_UNSIGNED, 0) + ROUND_STEPS <= UNSIGNED_STEPS

    def searched(self, table_id: str, attested: bool, steps: int) -> None:
        """The search took so many."""
        for whose in (table_id,) if attested else (table_id, _UNSIGNED):
            if steps:
                self._used[whose] = self._used.get(whose, 0) + steps

    def _give_back(self, whose: str) -> None:
        used = self._used.get(whose, 0) - STEPS_A_ROUND
        if used > 0:
            self._used[whose] = used
        else:
            self._used.pop(whose, None)
