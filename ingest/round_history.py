"""The replay's way back to the events of a round, committed or not: earlier segments, and what the worker has in hand.

It may be asked at any record, so it must not matter to its answers where segments are cut: an event is found whether
its segment is in the lake already, lies in pieces with the worker, or is still with the gate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyarrow as pa

from ingest.gate.gate import Gate
from ingest.lake import Lake
from ingest.round_index import RoundIndex
from ingest.round_rows import round_rows_of

_ALL = 2**62


class RoundHistory:
    """What `schemas.admitted.History` asks for, of one partition."""

    def __init__(
        self, lake: Lake, topic: str, partition: int, gate: Gate, pieces: Callable[[], Sequence[pa.Table]]
    ) -> None:
        """`pieces` are the events of the open segment that the gate has handed over."""
        self._lake = lake
        self._topic = topic
        self._partition = partition
        self._gate = gate
        self._pieces = pieces
        self._index = RoundIndex()
        self.committed_before: int | None = None
        """Set while records of the lake are taken again: what lies behind counts as not committed yet."""

    def events(
        self, table_id: str, round_id: str, spans: Sequence[tuple[int, int]], last_seq: int
    ) -> list[tuple[int, bytes]]:
        before = _ALL if self.committed_before is None else self.committed_before
        found = self._lake.round_rows(self._topic, self._partition, table_id, round_id, before, spans)
        for piece in self._pieces():
            found += round_rows_of(piece, table_id, round_id)
        found += self._gate.round_rows(table_id, round_id)
        found = self._gate.as_signed(table_id, round_id, found)
        first: dict[bytes, int] = {}  # what lost its place in the chain and then came again in its turn is there twice
        for seq, offset, raw in sorted(found):
            if seq <= last_seq and raw not in first and self._gate.let_through(table_id, raw):
                first[raw] = offset
        return [(offset, raw) for raw, offset in first.items()]

    def kept(self, table_id: str, round_id: str) -> str | None:
        segments = self._lake.segments(self._topic, self._partition)
        if self.committed_before is not None:
            segments = [segment for segment in segments if segment.last < self.committed_before]
        return self._index.kept(segments, table_id, round_id)
