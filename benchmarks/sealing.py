"""What sealing costs an event: `python -m benchmarks.sealing`, beside bare SHA-256 of the same bytes in the same run.

Simulated events, in segments as a worker cuts them: the leaf hashes, the tree over them, and a checkpoint and a seal
signed for each segment. Then the way back: all of it verified, and proofs made from the lake's files.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from datetime import date
from hashlib import sha256
from itertools import islice
from pathlib import Path
from time import perf_counter

import pyarrow as pa

from ingest.lake import Lake, SegmentContent, events_table
from ingest.seal.lake_tree import LakeTree
from ingest.seal.merkle import GrowingTree, leaf_hashes
from ingest.seal.segment_seal import checkpoint_of, kept_hashes, manifest_seal
from ingest.seal.signer import new_key
from ingest.seal.verify import verify_lake
from ingest.simulator import default_plan, simulate
from tests.ingest.sealed_lake import TOPIC, row_of

RUNS = 5


def best(work: Callable[[], object], runs: int = RUNS) -> float:
    """Seconds of the fastest of several runs."""
    times = []
    for _ in range(runs):
        began = perf_counter()
        work()
        times.append(perf_counter() - began)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--segment-records", type=int, default=50_000)
    asked = parser.parse_args()
    plan = default_plan(seed=1, tables=8, rounds=asked.events // 20, gaming_day=date(2026, 11, 17))
    records = list(islice(simulate(plan), asked.events))
    raws = [raw for _, raw in records]
    pieces = [raws[at : at + asked.segment_records] for at in range(0, len(raws), asked.segment_records)]
    key = new_key("casino.example/lake")

    def bare() -> None:
        for raw in raws:
            sha256(raw).digest()

    def tree_only() -> None:
        tree = GrowingTree()
        for piece in pieces:
            kept_hashes(tree.extend(leaf_hashes(piece)), tree)

    def sealed() -> None:
        tree = GrowingTree()
        for piece in pieces:
            kept_hashes(tree.extend(leaf_hashes(piece)), tree)
            checkpoint_of(tree, "casino.example/lake/events/0", key)
            manifest_seal(b"x" * 2_000, "span", "casino.example/lake/events/0", key)

    size = sum(map(len, raws)) / len(raws)
    print(f"{len(raws):,} events of {size:.0f} bytes, segments of {asked.segment_records:,}, best of {RUNS}:")
    floor = best(bare)
    for name, seconds in (
        ("SHA-256 of each, bare", floor),
        ("leaf hashes and tree", best(tree_only)),
        ("with checkpoint and seal signed for each segment", best(sealed)),
    ):
        print(f"  {name:<52} {seconds / len(raws) * 1e6:6.2f} µs an event  {seconds / floor:5.2f} × bare")

    with tempfile.TemporaryDirectory() as place:
        lake = Lake(Path(place) / "lake", key)
        lake.own(TOPIC, 0)
        at = 0
        for piece in pieces:
            rows = [row_of(at + n, records[at + n][0], raw) for n, raw in enumerate(piece)]
            tops = {table: 1 << 40 for table, _ in records}
            none = pa.table({})
            last = at + len(piece) - 1
            lake.commit(TOPIC, 0, SegmentContent(at, last, events_table(rows), none, none, {}, tops))
            at += len(piece)
        lake.release(TOPIC, 0)
        verifying = best(lambda: verify_lake(lake, lake.keys()), 2)
        print(f"  {'verified from the files, every record':<52} {verifying / len(raws) * 1e6:6.2f} µs an event", end="")
        print(f"  {verifying / floor:5.2f} × bare")
        tree = LakeTree(lake, TOPIC, 0, lake.keys())
        proving = best(lambda: tree.prove_record(len(raws) // 3), 3)
        print(f"  {'a proof of one record, made and checked':<52} {proving * 1e3:6.1f} ms")


if __name__ == "__main__":
    main()
