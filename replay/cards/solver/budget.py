"""How long a rack may be searched for what went wrong with it: so many steps, never so much time.

A step is one hypothesis made; a reading held against what was reported and shown costs as much as eight. Steps are
counted, so that the same round comes to the same on any machine, in any batch and when it is judged again; a thousand
of them take some 25 ms. A search that is out of steps is given up, and keeps of what it found only what is safe
(`explanations`).

Which rounds are searched at all is `replay.searching`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

ROUND_STEPS = 30_000  # for one round, all its searches together
DEEP_STEPS = 4_000_000  # where somebody waits for it (`muckraker reaudit --deep`)
READING_STEPS = 8


Answer = TypeVar("Answer")


class OutOfSteps(Exception):
    """The search has no steps left."""


class Budget:
    """The steps of one round."""

    def __init__(self, steps: int = ROUND_STEPS) -> None:
        self._steps = steps
        self.spent = 0

    def spend(self, steps: int) -> None:
        """Count these; OutOfSteps where there are not so many left."""
        self.spent += steps
        if self.spent > self._steps:
            self.spent = self._steps
            raise OutOfSteps

    @property
    def left(self) -> int:
        return self._steps - self.spent

    def readings(self, count: int) -> None:
        """So many readings are going to be held against the reports."""
        self.spend(count * READING_STEPS)


class Searches:
    """The racks of a batch that may be searched, each with its budget; and which were not, though they are odd."""

    def __init__(self, allowed: Sequence[bool], steps: int = ROUND_STEPS) -> None:
        self._budgets = [Budget(steps) if may else None for may in allowed]
        self._rows: Sequence[int] = range(len(allowed))
        self._left_out: set[int] = set()
        self._known: dict[int, Any] = {}

    @classmethod
    def of_all(cls, count: int) -> Searches:
        return cls([True] * count)

    def take(self, rows: Sequence[int]) -> Searches:
        """The same for these rounds of the batch, as a batch of their own."""
        other = Searches(())
        other._budgets, other._left_out, other._known = self._budgets, self._left_out, self._known
        other._rows = [self._rows[row] for row in rows]
        return other

    def budget(self, row: int) -> Budget | None:
        """For the rack of this round, which is odd; None where it is not searched, which is then remembered."""
        budget = self._budgets[self._rows[row]]
        if budget is None:
            self._left_out.add(self._rows[row])
        return budget

    def once(
        self, rows: Sequence[int], search: Callable[[Mapping[int, Budget]], Mapping[int, Answer]]
    ) -> dict[int, Answer]:
        """What `search` answers for these rounds, whose racks are odd, each asked once however often it is looked at;
        without those that are not searched."""
        budgets = {row: budget for row in rows if (budget := self.budget(row)) is not None}
        new = {row: budget for row, budget in budgets.items() if self._rows[row] not in self._known}
        for row, answer in search(new).items() if new else ():
            self._known[self._rows[row]] = answer
        return {row: self._known[self._rows[row]] for row in budgets}

    @property
    def left_out(self) -> list[int]:
        """Rounds of the whole batch whose racks are odd and were not searched."""
        return sorted(self._left_out)

    @property
    def steps(self) -> int:
        """Steps the searches took, of all rounds."""
        return sum(budget.spent for budget in self._budgets if budget is not None)
