"""What a kind of fault is: its finding code, where it can be shown, and what is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ingest.simulator.faults import visible
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.plan import TablePlan
from ingest.simulator.registry import game_called

Change = Callable[[Injection, Any, Any], None]  # of a round and a table as the kind's games have them


@dataclass(frozen=True)
class FaultKind:
    """A kind of fault: its finding code, the games and tables it can be shown at, and what is done."""

    kind: str
    code: str
    subject: Subject
    how: str
    stage: Stage | None = None
    """When it is done; none where the choice of the bank or the road of the record does it."""
    change: Change | None = None
    possible_at: Callable[[TablePlan], bool] = visible.anywhere
    needs_filing: bool = False
    """Whether only a table with a filing that is not among a game's first usual ones can show it."""

    outlasts_the_day: bool = False
    """Whether its table plays on into the next day: the day's file comes later than others."""

    @property
    def of_the_record(self) -> bool:
        """Whether it happens to the record of a round, and not at the table."""
        return self.code.startswith("GATE-")

    def fits(self, table: TablePlan) -> bool:
        return game_called(table.game).shows(self.subject) and self.possible_at(table)
