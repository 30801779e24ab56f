"""Compaction changes nothing that anybody can see or prove, whatever happens to it on the way."""

from __future__ import annotations

import errno
import hashlib
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analytics.warehouse import Warehouse, committed_segments
from console.home import TOPIC
from console.reaudit_segment import compare_segment
from ingest import compaction as module
from ingest.compaction import Compaction, Looked
from ingest.lake import Lake, LakeError, Segment
from ingest.partition_work import KEEP_NEWEST
from ingest.seal.lake_tree import LakeTree
from ingest.seal.merkle import consistency_proof, inclusion_proof, is_consistent
from ingest.seal.verify import verify_lake
from ingest.simulator import CATALOGUE, default_plan, simulate, table_keys
from tests.gaming_day import TIMESTAMP_US, Day

ROOT = Path(__file__).resolve().parents[2]
HOUR_US = 3_600_000_000


@pytest.fixture(scope="module")
def _cut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A day with every fault, in segments of 200 records."""
    plan = default_plan(seed=5, tables=13, rounds=20, gaming_day=date(2026, 11, 17), faults=dict.fromkeys(CATALOGUE, 1))
    folder = tmp_path_factory.mktemp("cut") / "day"
    folder.mkdir()
    Day(folder).record(plan).run(segment_records=200)
    return folder


@pytest.fixture
def folder(_cut: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(_cut, tmp_path / "day"))


def compacted(lake: Lake, target: int = 2_000, partition: int = 0) -> int:
    with Compaction(lake, TOPIC, partition) as compaction:
        merged = [compaction.merge(run) for run in compaction.runs(target, behind_hours=0)]
    assert all(one.bytes_after is not None and one.bytes_after < one.bytes_before for one in merged)
    return len(merged)


def removed(lake: Lake, partition: int = 0, grace_hours: float = 0) -> int:
    with Compaction(lake, TOPIC, partition) as compaction:
        return compaction.remove_replaced(grace_hours).removed


def contents(lake: Lake, partition: int = 0) -> dict[str, pa.Table]:
    """Events and rounds as they lie there; findings, which are in order within a segment, by what they say."""
    segments = lake.segments(TOPIC, partition)
    found = {
        name: pa.concat_tables([pq.read_table(s.path / f"{name}.parquet", partitioning=None) for s in segments])
        for name in ("events", "rounds", "findings")
    }
    by = [("finding_id", "ascending"), ("round_version", "ascending"), ("seq", "ascending"), ("sentence", "ascending")]
    return {**found, "findings": found["findings"].sort_by(by)}


def damages(lake: Lake) -> list[str]:
    return [str(damage) for damage in verify_lake(lake, lake.keys()).damages]


def answers(lake: Path) -> dict[str, list[dict[str, Any]]]:
    """Every view, every row, in an order of its own."""
    with Warehouse(lake) as warehouse:
        return {
            view["view"]: sorted(warehouse.rows(f"SELECT * FROM {view['view']}"), key=str)
            for view in warehouse.describe()
        }


# --- nothing changes -------------------------------------------------------------------------------------------------


def test_readers_see_the_same(folder: Path) -> None:
    lake = Lake(folder / "lake")
    before = {partition: contents(lake, partition) for partition in (0, 1)}
    segments = len(lake.segments(TOPIC, 0))
    views, position, last = answers(lake.root), lake.position(TOPIC, 0), lake.last(TOPIC, 0)
    assert last is not None
    state = lake.state(last)
    merged = compacted(lake)
    assert compacted(lake, partition=1) and merged
    for step in ("replaced", "removed"):
        assert len(lake.segments(TOPIC, 0)) < segments / 4
        for partition in (0, 1):
            after = contents(lake, partition)
            assert all(after[name].equals(before[partition][name]) for name in after), (step, partition)
        assert answers(lake.root) == views
        assert lake.position(TOPIC, 0) == position
        assert lake.last(TOPIC, 0) == last and lake.state(last) == state
        assert lake.check() == [] and damages(lake) == []
        for segment in committed_segments(lake.root):
            assert compare_segment(segment).differences == []
        if step == "replaced":
            assert removed(lake) > segments / 2 and removed(lake, 1)
    assert len(os.listdir(folder / "lake" / TOPIC / "0")) < segments / 4 + 3


def test_history_of_a_closed_round_is_the_same(folder: Path) -> None:
    lake = Lake(folder / "lake")
    rounds = contents(lake)["rounds"].select(["table_id", "round_id", "first_seq", "last_seq"]).to_pylist()
    end = lake.position(TOPIC, 0)
    asked = [
        (row["table_id"], row["round_id"], before, spans)
        for row in random.Random(1).sample(rounds, 40)
        for before in (end, end // 2)
        for spans in (None, [(row["first_seq"], row["last_seq"])])
    ]
    before = [lake.round_rows(TOPIC, 0, *question) for question in asked]
    assert sum(map(bool, before)) > 40
    compacted(lake, target=1_000)
    removed(lake)
    assert [lake.round_rows(TOPIC, 0, *question) for question in asked] == before


def test_proofs_are_the_same_and_every_checkpoint_stays(folder: Path) -> None:
    lake = Lake(folder / "lake")
    keys = lake.keys()

    def proofs() -> tuple[list[Any], list[Any], list[Any]]:
        tree = LakeTree(lake, TOPIC, 0, keys)
        notes = [str(note.note) for at in range(len(tree.segments)) for note in tree.checkpoints(at)]
        sizes = [note.checkpoint.size for at in range(len(tree.segments)) for note in tree.checkpoints(at)]
        included: list[Any] = [tree.prove_record(offset)[1].encoded() for offset in range(0, tree.size, 97)]
        included += [inclusion_proof(size - 1, size, tree.hash_of) for size in sizes]
        grown = [consistency_proof(old, new, tree.hash_of) for old, new in itertools.combinations(sizes[::3], 2)]
        roots = [tree.root(size) for size in sizes[::3]]
        for (old, new), hashes in zip(itertools.combinations(range(len(roots)), 2), grown, strict=True):
            assert is_consistent(sizes[::3][old], roots[old], sizes[::3][new], roots[new], hashes)
        return notes, included, grown

    before = proofs()
    assert len(before[0]) > 10
    compacted(lake, target=1_500)
    removed(lake)
    assert proofs() == before


def test_a_worker_goes_on_and_finds_what_it_would_have_found(tmp_path: Path) -> None:
    """Late events too: their rounds, long closed, are assembled again from compacted segments."""
    plan = default_plan(seed=6, tables=6, rounds=20, gaming_day=date(2026, 11, 17))
    day = Day(tmp_path / "day")
    day.folder.mkdir()
    for table_id, public in table_keys(plan).items():
        day.keys.register(table_id, public)
    records = list(simulate(plan))
    settled = [at for at, (_, raw) in enumerate(records) if b'"muckraker.wager.settled.v1"' in raw]
    late = sorted({records[at][0]: at for at in reversed(settled[: len(settled) // 4])}.values())
    assert len(late) > 4
    day.append(record for at, record in enumerate(records) if at not in late)
    day.run(segment_records=200)
    untouched = Day(Path(shutil.copytree(day.folder, tmp_path / "untouched")))
    lake, other = Lake(day.folder / "lake"), Lake(untouched.folder / "lake")
    for partition in (0, 1):
        assert compacted(lake, partition=partition) and removed(lake, partition)
    for one in (day, untouched):
        one.append(records[at] for at in late)
        one.run(segment_records=200)
    again = {
        (row["table_id"], row["round_id"])
        for partition in (0, 1)
        for row in contents(lake, partition)["rounds"].to_pylist()
        if row["version"] > 1
    }
    assert {(records[at][0], json.loads(records[at][1])["subject"]) for at in late} <= again
    for partition in (0, 1):
        expected, found = contents(other, partition), contents(lake, partition)
        assert all(found[name].equals(expected[name]) for name in found)
        ours, theirs = lake.last(TOPIC, partition), other.last(TOPIC, partition)
        assert ours is not None and theirs is not None
        for file in (
            "events.parquet",
            "rounds.parquet",
            "findings.parquet",
            "state.json",
            "checkpoints",
            "tree.hashes",
        ):
            assert (ours.path / file).read_bytes() == (theirs.path / file).read_bytes()
    assert damages(lake) == []


def test_compacting_again_merges_what_has_come_and_the_merged_ones(folder: Path) -> None:
    lake = Lake(folder / "lake")
    before = contents(lake)
    assert compacted(lake, target=600) > 2
    removed(lake)
    small = len(lake.segments(TOPIC, 0))
    assert compacted(lake, target=10_000) and len(lake.segments(TOPIC, 0)) < small
    assert removed(lake) and compacted(lake, target=10_000) == 0
    after = contents(lake)
    assert all(after[name].equals(before[name]) for name in after) and damages(lake) == []


# --- what is left alone ----------------------------------------------------------------------------------------------


def test_the_newest_segments_are_left_alone(folder: Path) -> None:
    lake = Lake(folder / "lake")
    newest = lake.segments(TOPIC, 0)[-KEEP_NEWEST:]
    compacted(lake, target=10**6)
    assert lake.segments(TOPIC, 0)[1:] == newest


def test_what_may_be_of_a_gaming_day_that_is_not_over_is_left_alone(tmp_path: Path) -> None:
    plan = default_plan(seed=1, tables=2, rounds=40, gaming_day=date(2026, 11, 17))
    day = Day(tmp_path, partitions=1).record(plan)
    shutil.rmtree(tmp_path / "log.sqlite", ignore_errors=True)
    (tmp_path / "log.sqlite").unlink()
    records = list(simulate(plan))
    log = day.log()
    for at in range(0, len(records), 100):  # a hundred records an hour
        log.append(TOPIC, records[at : at + 100], TIMESTAMP_US + at // 100 * HOUR_US)
    log.close()
    day.run(segment_records=100)
    lake = Lake(tmp_path / "lake")
    hours = len(lake.segments(TOPIC, 0))
    assert hours > 12
    with Compaction(lake, TOPIC, 0) as compaction:
        assert compaction.runs(behind_hours=24 * 365) == []
        (run,) = compaction.runs(behind_hours=6)
        assert len(run) == hours - 6  # the newest record is of the last hour; six hours before it still counts
        assert len(compaction.runs(target_records=300, behind_hours=6)[0]) == 3


def test_nothing_to_do_is_no_trouble(tmp_path: Path) -> None:
    lake = Lake(tmp_path / "lake")
    (tmp_path / "lake" / TOPIC / "0").mkdir(parents=True)
    with Compaction(lake, TOPIC, 0) as compaction:
        assert compaction.runs() == [] and compaction.remove_replaced().removed == 0
    assert lake.check() == []


def test_columns_of_another_version_are_not_mixed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake = Lake(folder / "lake")
    odd = lake.segments(TOPIC, 0)[3]
    real = module._look

    def look(segment: Segment) -> Looked:
        looked = real(segment)
        more = pa.schema([*looked.schemas[2], pa.field("new", pa.int8())])
        return looked if segment != odd else replace(looked, schemas=(*looked.schemas[:2], more))

    monkeypatch.setattr(module, "_look", look)
    with Compaction(lake, TOPIC, 0) as compaction:
        runs = compaction.runs(target_records=10**6, behind_hours=0)
    assert len(runs[0]) == 3 and all(looked.segment != odd for run in runs for looked in run)


def test_replaced_segments_stay_for_readers_until_their_grace_is_over(folder: Path) -> None:
    lake = Lake(folder / "lake")
    reader = Warehouse(lake.root)
    rows = reader.rows("SELECT count(*) AS n FROM records")
    compacted(lake)
    with Compaction(lake, TOPIC, 0) as compaction:
        kept = compaction.remove_replaced(grace_hours=1)
    assert kept.removed == 0 and kept.waiting > 5
    assert reader.rows("SELECT count(*) AS n FROM records") == rows  # it still reads the files it listed
    reader.close()
    for segment in lake.segments(TOPIC, 0):
        os.utime(segment.path / "manifest.json", (time.time() - 3_700,) * 2)
    with Compaction(lake, TOPIC, 0) as compaction:
        gone = compaction.remove_replaced(grace_hours=1)
    assert (gone.removed, gone.waiting) == (kept.waiting, 0) and gone.bytes > 0


# --- trouble ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "at", "message"),
    [
        ("rounds.parquet", 20, r"rounds\.parquet: was changed.*muckraker verify"),
        ("events.parquet", -20, r"events\.parquet: was changed|events\.parquet cannot be read"),
        ("findings.parquet", -6, r"findings\.parquet cannot be read"),
        ("state.json", 1, r"state\.json: was changed"),
        ("checkpoints", 5, r"checkpoints: was changed"),
        ("seal", 30, r"seal: "),
    ],
)
def test_what_is_damaged_is_not_sealed_anew(folder: Path, file: str, at: int, message: str) -> None:
    lake = Lake(folder / "lake")
    victim = lake.segments(TOPIC, 0)[2].path / file
    data = bytearray(victim.read_bytes())
    data[at] ^= 1
    victim.write_bytes(data)
    names = os.listdir(victim.parents[1])
    with pytest.raises(LakeError, match=message):
        compacted(lake)
    assert sorted(os.listdir(victim.parents[1])) == sorted({*names, ".compacting"})


def test_a_forged_segment_does_not_get_the_lakes_seal(folder: Path, tmp_path: Path) -> None:
    """Every hash fits, the manifest is made anew; only the signature cannot be."""
    lake = Lake(folder / "lake")
    victim = lake.segments(TOPIC, 0)[2].path
    (victim / "state.json").write_bytes(json.dumps({"forged": 1}).encode())
    manifest = json.loads((victim / "manifest.json").read_bytes())
    data = (victim / "state.json").read_bytes()
    manifest["files"]["state.json"] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    (victim / "manifest.json").write_bytes(json.dumps(manifest, sort_keys=True).encode())
    with pytest.raises(LakeError, match=r"manifest\.json: was changed"):
        compacted(lake)


def test_old_segments_are_kept_where_the_new_one_is_damaged(folder: Path) -> None:
    lake = Lake(folder / "lake")
    compacted(lake, target=10**6)
    new = lake.segments(TOPIC, 0)[0].path / "rounds.parquet"
    new.write_bytes(new.read_bytes()[:-1])
    with pytest.raises(LakeError, match=r"rounds\.parquet: has \d+ bytes"):
        removed(lake)
    assert len(lake.replaced(TOPIC, 0)) > 5


def test_two_compactions_of_one_partition_do_not_meet(folder: Path) -> None:
    lake = Lake(folder / "lake")
    with (
        Compaction(lake, TOPIC, 0),
        pytest.raises(LakeError, match="another compaction is at work there"),
        Compaction(lake, TOPIC, 0),
    ):
        pass
    with Compaction(lake, TOPIC, 1):
        pass


def test_a_full_disk_leaves_everything_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake = Lake(folder / "lake")
    before = lake.segments(TOPIC, 0)
    real = os.write

    def full(fd: int, data: bytes) -> int:
        if len(data) > 50_000:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(fd, data)

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(LakeError, match="No space left on device"):
        compacted(lake, target=10**6)
    monkeypatch.undo()
    assert lake.segments(TOPIC, 0) == before and lake.check() == []
    assert compacted(lake)


def test_killed_at_every_step_the_records_are_there_once(tmp_path: Path) -> None:
    """The driver forks a compaction for each thing it does to the disk, and kills it just before that one."""
    day = Day(tmp_path / "day", partitions=1)
    day.folder.mkdir()
    day.record(default_plan(seed=5, tables=2, rounds=12, gaming_day=date(2026, 11, 17))).run(segment_records=60)
    done = subprocess.run(
        [sys.executable, "-m", "tests.ingest.compaction_killer", str(day.folder), str(tmp_path / "work")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    kills, old, new = map(int, done.stdout.split())
    assert kills >= 15 and old >= 8 and new >= 5, done.stdout


def test_readers_and_a_worker_beside_it_notice_nothing(folder: Path) -> None:
    """Queries all the while, each over a listing of its own; a worker commits in between."""
    lake = Lake(folder / "lake")
    day = Day(folder)
    counts: set[int] = set()
    wrong: list[BaseException] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            try:
                segments: list[Segment] = Lake(lake.root).segments(TOPIC, 0)
                assert all(a.last + 1 == b.first for a, b in itertools.pairwise(segments))
                with Warehouse(lake.root) as warehouse:
                    counts.add(warehouse.rows("SELECT count(*) AS n, count(DISTINCT sha256) FROM records")[0]["n"])
            except BaseException as error:  # noqa: BLE001 - told below, in the thread that can fail the test
                wrong.append(error)
                return

    reader = threading.Thread(target=read)
    reader.start()
    total = sum(contents(lake, partition)["events"].num_rows for partition in (0, 1))
    more = list(simulate(default_plan(seed=9, tables=4, rounds=4, gaming_day=date(2026, 11, 18))))
    try:
        for target in (400, 1_000, 10_000):
            compacted(lake, target)
        day.append(more)
        day.run(segment_records=200)
        removed(lake, grace_hours=24)
    finally:
        stop.set()
        reader.join()
    assert wrong == []
    assert total in counts and all(total <= count <= total + len(more) for count in counts)
