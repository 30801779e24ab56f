"""Which committed segment has a round: asked for when an event names a round the replay no longer remembers.

A round of a year ago may be asked for, and so may one that never was, by anybody who can append an event; so every
segment's round ids are read once, and eight bytes a round are kept of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.segments import LakeError, Segment

ROUNDS = "rounds.parquet"


class RoundIndex:
    """The rounds of one partition's segments."""

    def __init__(self) -> None:
        self._hashes: dict[str, npt.NDArray[np.int64]] = {}  # of (table, round), sorted, by the segment's name

    def kept(self, segments: Sequence[Segment], table_id: str, round_id: str) -> str | None:
        """What the newest version of a round in these segments keeps for the replay; None if there is no such round."""
        wanted = hash((table_id, round_id))
        there = {segment.path.name for segment in segments}
        for merged in self._hashes.keys() - there:
            del self._hashes[merged]
        for segment in reversed(segments):
            hashes = self._hashes_of(segment)
            at = int(np.searchsorted(hashes, wanted))
            if at < len(hashes) and hashes[at] == wanted:
                found = _kept_in(segment, table_id, round_id)
                if found is not None:
                    return found
        return None

    def _hashes_of(self, segment: Segment) -> npt.NDArray[np.int64]:
        known = self._hashes.get(segment.path.name)
        if known is None:
            rows = _read(segment, ["table_id", "round_id"])
            places = zip(rows["table_id"].to_pylist(), rows["round_id"].to_pylist(), strict=True)
            known = np.sort(np.fromiter(map(hash, places), np.int64, rows.num_rows))
            self._hashes[segment.path.name] = known
        return known


def _kept_in(segment: Segment, table_id: str, round_id: str) -> str | None:
    rows = _read(segment, ["version", "kept"], [("table_id", "=", table_id), ("round_id", "=", round_id)]).to_pylist()
    if not rows:
        return None
    return str(max(rows, key=lambda row: row["version"])["kept"])


def _read(segment: Segment, columns: list[str], filters: list[tuple[str, str, str]] | None = None) -> pa.Table:
    path = segment.path / ROUNDS
    try:
        return pq.read_table(path, columns=columns, filters=filters, use_threads=False, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        raise LakeError(f"{path} cannot be read: {error}; run the lake's check and restore the file") from error
