"""The fault asked of one round, and the points of a round at which one can be done."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from ingest.simulator.labels import Label


class Stage(Enum):
    """Points of a round at which something can go wrong."""

    WAGERS = auto()
    FEES = auto()
    START = auto()
    DEALT = auto()
    COUNTED = auto()
    SET = auto()
    LATE = auto()
    SETTLED = auto()
    RACK = auto()


@dataclass
class Injection:
    """The fault asked of one round, and, once it has been done, its label."""

    kind: str | None
    code: str
    """Of the finding it must be found under."""
    table_id: str
    round_id: str
    label: Label | None = None
    number: int = 0
    """Of the round at its table, from 0."""
    record_hurt_in: int = -1
    """The last round before it with a fault of the record, -1 for none: what was not recorded cannot be summed."""
    later_rounds_rest_on: tuple[str, ...] = ()
    """Beginnings of the types of events that may not be lost, or later rounds could not be judged either."""

    @property
    def wanted(self) -> bool:
        return self.kind is not None and self.label is None

    def done(self, detail: str, seat: int | None = None, wager: str | None = None) -> None:
        assert self.kind is not None and self.label is None, "one fault a round at most"
        self.label = Label(self.table_id, self.round_id, self.kind, self.code, seat, wager, detail)
