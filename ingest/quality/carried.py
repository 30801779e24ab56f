"""What the quality suites remember of each table between segments: its day, its devices, its clocks.

Kept in every segment's result, so that whoever checks the next segment goes on from it. Plain values: `state_of` and
`tables_from` are its JSON form.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ingest.quality.days import DayRange, TableDays
from ingest.quality.limits import EVERY_ROUND, RHYTHM_ROUNDS, SILENT_FACTOR, SILENT_ROUNDS


@dataclass
class Device:
    """A device of a table, as it was heard so far."""

    sees: list[str] | None = None  # the event types it announced, None where it announced nothing
    online_seq: int = -1
    offline_seq: int = -1
    first_rounds: int | None = None  # how many rounds the table had opened when it was first heard
    heard_rounds: int = 0  # in how many rounds it was heard
    last_rounds: int = 0
    last_clock_us: int | None = None  # the table's clock when it was last heard
    last_seq: int = -1
    skews_us: list[int] = field(default_factory=list)  # of its last events, against the table; newest last
    lags_us: list[int] = field(default_factory=list)  # of its last events, against the log

    @property
    def is_offline(self) -> bool:
        return self.offline_seq > self.online_seq

    def silent_rounds_allowed(self) -> int | None:
        """How many rounds it may say nothing; None as long as that cannot be told."""
        if self.heard_rounds >= RHYTHM_ROUNDS and self.first_rounds is not None:
            usual = (self.last_rounds - self.first_rounds + 1) / self.heard_rounds
            return max(SILENT_ROUNDS, round(SILENT_FACTOR * usual))
        if self.sees is not None and EVERY_ROUND & set(self.sees):
            return SILENT_ROUNDS
        return None


@dataclass
class Reading:
    """The last time a table said what is in its tray, and what happened to the tray since, rounds apart."""

    seq: int
    cents: int
    moved_cents: int = 0  # fills less credits
    rounds: int = 0  # opened since: their settlements are not known here


@dataclass
class Table:
    """One table."""

    days: TableDays = field(default_factory=TableDays)
    devices: dict[str, Device] = field(default_factory=dict)
    controller: str = ""  # the device that opens its rounds
    controller_us: int | None = None  # the controller's clock when it last spoke
    clock_us: int | None = None  # the table's clock: the time of its last opening or closing of a round
    rounds: int = 0  # opened so far
    last_seq: int = -1
    last_us: int | None = None
    last_logged_us: int = 0
    minute: list[int] = field(default_factory=lambda: [0, 0])  # the last minute anything was said in, and how much
    log_mark: list[int] | None = None  # the log's and the table's clock, some while ago
    reading: Reading | None = None
    boxes: dict[str, int] = field(default_factory=dict)  # drop boxes: rounds opened since they were last counted


Tables = dict[str, Table]


def state_of(tables: Tables) -> dict[str, Any]:
    return {table_id: asdict(table) for table_id, table in tables.items()}


def tables_from(state: dict[str, Any]) -> Tables:
    tables: Tables = {}
    for table_id, said in state.items():
        days, devices, reading = said["days"], said["devices"], said["reading"]
        tables[table_id] = Table(
            **{
                **said,
                "days": TableDays(**{**days, "ranges": [DayRange(**known) for known in days["ranges"]]}),
                "devices": {name: Device(**device) for name, device in devices.items()},
                "reading": None if reading is None else Reading(**reading),
            }
        )
    return tables
