"""Where in the log a round's events are: what has to be proved when a round is disputed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import pyarrow as pa
import pyarrow.dataset as ds

from ingest.gate.gate import QUARANTINED, RECORDED
from ingest.lake import Lake, LakeError, Segment
from ingest.segments import EVENTS
from schemas.segments import RETIRED

BRIDGED = 16  # events of the table between two of the round that are shown too, so that its chain is whole


class Place(NamedTuple):
    """One event's place."""

    seq: int
    offset: int


def round_places(lake: Lake, topic: str, table_id: str, round_id: str) -> tuple[int, list[Place]] | None:
    """The partition, and the places of the round's recorded events and of what the table said between them, by seq.

    Corrections of later days are among them. Where an id was used again (`…#2`), all events that name it are.
    """
    round_id = round_id.split("#")[0]
    for partition in lake.partitions(topic):
        own = _offsets(lake, topic, partition, table_id, ds.field("round_id") == round_id, None)
        if own:
            seqs = sorted(own)
            between = {
                seq for before, after in pairwise(seqs) if after - before <= BRIDGED for seq in range(before + 1, after)
            }
            if between:
                wanted = ds.field("seq").isin(sorted(between))
                own |= _offsets(lake, topic, partition, table_id, wanted, (min(between), max(between)))
            return partition, [Place(seq, own[seq]) for seq in sorted(own)]
    return None


def refusal_of(lake: Lake, topic: str, partition: int, offset: int) -> str | None:
    """Why the gate refused the record at this offset; None where it did not, or there is none."""
    for segment in lake.segments(topic, partition):
        if segment.first <= offset <= segment.last:
            rows = _read(segment, ds.field("offset") == offset, ["status", "reason"]).to_pylist()
            return next((str(row["reason"]) for row in rows if row["status"] == QUARANTINED), None)
    return None


def _offsets(
    lake: Lake, topic: str, partition: int, table_id: str, wanted: ds.Expression, span: tuple[int, int] | None
) -> dict[int, int]:
    """The offsets, by seq, of the table's recorded events that are wanted; `span`: the first and last that can be."""
    found: dict[int, int] = {}
    for segment in reversed(lake.segments(topic, partition)):
        tables = lake.manifest(segment)["tables"]
        if table_id not in tables:
            break  # the table had not said anything yet
        lowest, highest, top = tables[table_id]
        if span is not None and top < span[0]:
            break
        if lowest is None or (span is not None and (highest < span[0] or lowest > span[1])):
            continue
        rows = _read(segment, (ds.field("table_id") == table_id) & (ds.field("status") == RECORDED) & wanted)
        found |= dict(zip(rows["seq"].to_pylist(), rows["offset"].to_pylist(), strict=True))
    return found


def _read(segment: Segment, condition: ds.Expression, columns: Sequence[str] = ("seq", "offset")) -> pa.Table:
    path = segment.path / EVENTS
    if not path.exists() and (segment.path / RETIRED).exists():
        raise LakeError(
            f"{segment.path}: its events were retired, and may hold some of the round; bring them back with `muckraker "
            "retain --bring-back`"
        )
    try:
        return ds.dataset(str(path), format="parquet").to_table(list(columns), filter=condition, use_threads=False)
    except (OSError, pa.ArrowException, ValueError) as error:
        raise LakeError(f"{path} cannot be read: {error}; type `muckraker verify` and restore the file") from error
