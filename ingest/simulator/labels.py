"""What was done wrong on purpose: one label for each injected fault, for scoring what the replay finds."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from os import PathLike

import orjson


@dataclass(frozen=True)
class Label:
    """One injected fault and the finding code it must be found under."""

    table: str
    round: str
    fault: str
    code: str
    seat: int | None
    wager: str | None
    detail: str


Hands = dict[int, list[int]]
"""The cards of each place as they lay when they were picked up: a hand that was set with its low two cards first. In
baccarat the Player hand is 0 and the Banker hand 1."""


@dataclass
class Labels:
    """Collects labels while a simulation runs."""

    injected: list[Label] = field(default_factory=list)
    unplaced: list[tuple[str, str]] = field(default_factory=list)
    """(table id, fault) that no round gave a chance to inject before the table closed."""
    hands: dict[tuple[str, str], Hands] | None = None
    """Asked for with an empty dict: (table, round) → the hands of every round played to its end."""

    def write_labels(self, path: str | PathLike[str]) -> None:
        """The labels as JSON lines, in the order of tables and rounds."""
        with open(path, "wb") as file:
            for label in sorted(self.injected, key=lambda label: (label.table, label.round, label.fault)):
                file.write(orjson.dumps(asdict(label)) + b"\n")
