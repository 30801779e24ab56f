"""A key ring in memory, for the tests of the gate: histories given outright, no files."""

from __future__ import annotations

from collections.abc import Iterator

from ingest.key_history import KeyHistory, TableKey
from tests.ingest.device import TableDevice


class MemoryKeys:
    """What the gate asks of a ring."""

    def __init__(self, *devices: TableDevice) -> None:
        self.histories: dict[str, KeyHistory] = {}
        for device in devices:
            self.add(device)

    def add(self, device: TableDevice) -> None:
        """The device's key, good for all its records."""
        self.histories[device.table_id] = KeyHistory(device.table_id).added(device.public_hex, None, "", None)

    def history_of(self, table_id: str) -> KeyHistory:
        return self.histories.get(table_id, KeyHistory(table_id))

    latest_of = history_of

    def others(self, table_id: str) -> Iterator[tuple[str, TableKey]]:
        for other, history in sorted(self.histories.items()):
            if other != table_id:
                for key in history.keys:
                    yield other, key
