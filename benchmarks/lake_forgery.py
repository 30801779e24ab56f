"""Forging the lake: everything an insider with a text editor can do to its files, counted: what was tried, what caught.

`python -m benchmarks.lake_forgery` changes every single byte of every file of a small lake, cuts every file short at
every length and adds to it, plays through a list of cleverer attacks (segments exchanged, removed, renamed, planted,
sealed anew with another key, or with the lake's own), and lastly those that only a witness can tell. *Caught* means
that `verify` names the file or folder that was touched. Ends with an error when anything was not. `--most 200` samples.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from ingest.lake import Lake
from ingest.quality.results import Results
from ingest.retention import Retention
from ingest.seal.lake_tree import LakeTree
from ingest.seal.proof import GrowthProof
from ingest.seal.signer import read_key
from ingest.seal.verify import check_checkpoint, verify_lake
from ingest.seal.witness import Witness
from schemas.quality import DayResult, SegmentResult
from tests.ingest.sealed_lake import (
    ATTACKS,
    TOPIC,
    WITH_THE_KEY,
    Insider,
    another_record,
    cuts,
    fill_partition,
    flips,
    make_lake,
    rewrite_all,
)

EVERY = 1 << 30


class Tried(NamedTuple):
    """One kind of attack: how many were tried, how many caught, and the first that was not."""

    what: str
    tried: int
    caught: int
    missed: str = ""


def small_lake(folder: Path) -> Lake:
    """Small enough for every byte to be changed, and with every kind of file that a lake has.

    Two partitions, four segments, 44 records; the events of one segment are retired; and quality results.
    """
    lake = Lake(folder / "lake")
    fill_partition(lake, 0, (8, 12, 12), ("PG-07",), rounds=4)
    fill_partition(lake, 1, (12,), ("SB-01",), rounds=4)
    with Retention(lake, TOPIC, 0) as retention:
        for old in retention.old(before_us=1 << 60):
            retention.retire(old, None, "five years")
    results = Results(lake, TOPIC)
    with results.owned():
        results.settle(6)
        said = {"format": 1, "made_from": [], "failures": []}
        results.write_segment(0, SegmentResult(8, 19, 1), said, {"tables": {}})
        results.write_day(DayResult("2026-11-17", 1), {**said, "day": "2026-11-17"})
    assert verify_lake(lake, lake.keys()).damages == []
    return lake


def counted(what: str, results: Iterable[tuple[Path, bool]], tell: Callable[[str], None], total: int) -> Tried:
    tried = caught = 0
    missed = ""
    for path, named in results:
        tried += 1
        caught += named
        if not named and not missed:
            missed = str(path)
        if tried % 500 == 0:
            tell(f"{what}: {tried:,} of about {total:,}")
    return Tried(what, tried, caught, missed)


def by_the_byte(most: int, tell: Callable[[str], None]) -> Iterator[Tried]:
    with tempfile.TemporaryDirectory() as place:
        insider = Insider(small_lake(Path(place)))
        files = insider.files()
        size = sum(min(path.stat().st_size, most) for path in files)
        yield counted("a byte changed", flips(insider, files, most), tell, size)
        yield counted("a file cut short or made longer", cuts(insider, files, most), tell, size + len(files))
        assert insider.verified().damages == [], "the lake is not as it was before"


def by_the_list(tell: Callable[[str], None]) -> Iterator[Tried]:
    with tempfile.TemporaryDirectory() as place:
        pristine, scratch = Path(place) / "pristine", Path(place) / "scratch"
        make_lake(pristine)
        for what, attacks in (
            ("files, segments, partitions moved, removed, planted, forged", ATTACKS),
            ("sealed with the lake's own key, against what it signed", WITH_THE_KEY),
        ):
            missed = []
            for done, attack in enumerate(attacks):
                tell(f"{what}: {done} of {len(attacks)}")
                if not attack.caught(pristine, scratch):
                    missed.append(attack.name)
            yield Tried(what, len(attacks), len(attacks) - len(missed), ", ".join(missed))


# --- what only a witness can tell -------------------------------------------------------------------------------------


def _newest_removed(lake: Lake) -> None:
    shutil.rmtree(lake.segments(TOPIC, 0)[-1].path)


def _partition_removed(lake: Lake) -> None:
    shutil.rmtree(lake.root / TOPIC / "0")


def _rewritten(lake: Lake) -> None:
    rewrite_all(lake, 0, read_key(lake.key_path), another_record)


def _cut_and_rewritten(lake: Lake) -> None:
    _newest_removed(lake)
    _rewritten(lake)


OWNERS: dict[str, Callable[[Lake], None]] = {
    "the newest segment removed": _newest_removed,
    "a whole partition removed": _partition_removed,
    "everything rewritten and sealed with the lake's own key": _rewritten,
    "cut short, rewritten and sealed with the lake's own key": _cut_and_rewritten,
}


def by_the_owner() -> tuple[Tried, Tried]:
    """By whoever owns the lake and its key: with a witness, and by `verify` alone (which cannot tell)."""
    alone = caught = 0
    missed = []
    for name, attack in OWNERS.items():
        with tempfile.TemporaryDirectory() as place:
            lake = make_lake(Path(place))
            witness = Witness.make(Path(place) / "witness", "witness.example/w1")
            key = lake.keys().verifier(TOPIC, 0)
            witness.trust(key)
            assert witness.add_checkpoint(GrowthProof(0, (), _tree(lake).newest()).encoded()).accepted
            attack(lake)
            alone += bool(verify_lake(lake, lake.keys()).damages)
            kept = witness.newest(key.name)
            assert kept is not None
            refused_by_witness = bool(check_checkpoint(lake, lake.keys(), kept))
            refused = not lake.segments(TOPIC, 0) or not _offered(witness, lake)
            caught += refused_by_witness and refused
            if not (refused_by_witness and refused):
                missed.append(name)
    count = len(OWNERS)
    return (
        Tried("by the owner of the key, with a witness", count, caught, ", ".join(missed)),
        Tried("the same without one: no file can show it (docs/seal.md)", count, alone),
    )


def _tree(lake: Lake) -> LakeTree:
    return LakeTree(lake, TOPIC, 0, lake.keys())


def _offered(witness: Witness, lake: Lake) -> bool:
    tree = _tree(lake)
    return witness.add_checkpoint(GrowthProof(0, (), tree.newest()).encoded()).accepted


def tell_progress(said: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{said:<100}\r", end="", file=sys.stderr, flush=True)


def attack_lake(most: int = EVERY, tell: Callable[[str], None] = tell_progress) -> Iterator[Tried]:
    """Every kind of attack that must be caught."""
    yield from by_the_byte(most, tell)
    yield from by_the_list(tell)
    yield by_the_owner()[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--most", type=int, default=EVERY, help="bytes of each file to change (all of them)")
    asked = parser.parse_args()
    began = perf_counter()

    print("the lake, attacked:")
    rows = []
    for row in attack_lake(asked.most):
        rows.append(row)
        print(f"  {row.what:<66} {row.tried:>9,} tried {row.caught:>9,} caught", flush=True)
        if row.missed:
            print(f"    NOT CAUGHT: {row.missed}")
    alone = by_the_owner()[1]
    print(f"  {alone.what:<66} {alone.tried:>9,} tried {alone.caught:>9,} caught")
    total, caught = sum(row.tried for row in rows), sum(row.caught for row in rows)
    print(f"{total:,} attacks tried, {caught:,} caught and named, in {perf_counter() - began:.0f} s")
    return 0 if total == caught else 1


if __name__ == "__main__":
    sys.exit(main())
