"""What a lake says, apart from how it was cut into segments: its records, rounds and findings, and its trees.

Two lakes made from the same log must agree in all of it, whoever was killed when. The crash test and the tests of the
record compare lakes by this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.lake import Lake, Segment
from ingest.seal.checkpoint import parse_checkpoints
from ingest.seal.merkle import GrowingTree, leaf_hashes

_ORDER = {
    "events": ("offset",),
    "rounds": ("table_id", "round_id", "version"),
    "findings": ("table_id", "round_id", "round_version", "code", "finding_id"),
}


@dataclass(frozen=True)
class Content:
    """What a topic's segments hold, in an order that does not depend on the cuts."""

    events: dict[int, pa.Table]  # by partition
    rounds: pa.Table
    findings: pa.Table

    def leaves(self, partition: int) -> list[bytes]:
        return leaf_hashes(self.events[partition]["raw"].to_pylist())


def content_of(lake: Lake, topic: str) -> Content:
    segments = {partition: lake.segments(topic, partition) for partition in lake.partitions(topic)}
    every = [segment for found in segments.values() for segment in found]
    return Content(
        {partition: _joined(found, "events") for partition, found in segments.items() if found},
        _joined(every, "rounds"),
        _joined(every, "findings"),
    )


def differences(one: Content, other: Content) -> Iterator[str]:
    """Where they differ, in a sentence each."""
    if one.events.keys() != other.events.keys():
        yield f"partitions {sorted(one.events)} and {sorted(other.events)}"
    for partition in one.events.keys() & other.events.keys():
        yield from _between(f"events of partition {partition}", one.events[partition], other.events[partition])
    yield from _between("rounds", one.rounds, other.rounds)
    yield from _between("findings", one.findings, other.findings)


def wrong_checkpoints(lake: Lake, topic: str, content: Content) -> list[str]:
    """The lake's checkpoints whose roots are not those of the content's records, worked out anew."""
    wrong = []
    for partition in lake.partitions(topic):
        tree = GrowingTree()
        leaves = content.leaves(partition)
        for segment in lake.segments(topic, partition):
            for signed in parse_checkpoints((segment.path / "checkpoints").read_bytes()):
                said = signed.checkpoint
                tree.extend(leaves[tree.size : said.size])
                if tree.root() != said.root:
                    wrong.append(f"partition {partition}: the checkpoint of {said.size} records has another root")
    return wrong


def _joined(segments: Sequence[Segment], name: str) -> pa.Table:
    if not segments:
        return pa.table({})
    paths = [segment.path / f"{name}.parquet" for segment in segments]
    rows = pa.concat_tables([pq.read_table(path, partitioning=None) for path in paths])
    order = [(column, "ascending") for column in _ORDER[name] if column in rows.column_names]
    return rows.sort_by(order).combine_chunks()


def _between(what: str, one: pa.Table, other: pa.Table) -> Iterator[str]:
    if one.equals(other):
        return
    if one.num_rows != other.num_rows:
        yield f"{what}: {one.num_rows} rows and {other.num_rows}"
    for here, there in zip(one.to_pylist(), other.to_pylist(), strict=False):
        if here != there:
            names = [name for name in here if here[name] != there.get(name)]
            place = {name: here[name] for name in ("table_id", "round_id", "version", "code", "seq") if name in here}
            yield f"{what}: first at {place}: {names[0]} is {here[names[0]]!r} and {there.get(names[0])!r}"
            return
