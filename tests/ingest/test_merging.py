"""Small segments are merged beside the worker: nothing that anybody reads changes, and few are left."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest

from analytics.warehouse import Warehouse, committed_segments
from console.home import TOPIC, Home, make_home
from console.merging_beside import merge_small
from ingest.compaction import Compaction
from ingest.keys import KeyRing
from ingest.lake import Lake, LakeError, Segment
from ingest.partition_work import KEEP_NEWEST
from ingest.retention import Retention
from ingest.seal.verify import verify_lake, verify_segment
from ingest.simulator import default_plan, simulate, table_keys
from ingest.sqlite_log import SqliteLog
from ingest.worker import Worker
from replay.stream import Replay
from tests.gaming_day import Day
from tests.lake_content import content_of, differences, wrong_checkpoints

EACH = 7  # records a segment, where the test cuts


@pytest.fixture
def day(tmp_path: Path) -> Day:
    """One partition's log, and a lake of it that was never cut."""
    plan = default_plan(seed=3, tables=3, rounds=12, gaming_day=date(2026, 11, 17), faults={})
    return Day(tmp_path, partitions=1).record(plan).run("whole")


def crumbled(day: Day, until: int | None = None) -> Lake:
    """The lake of the same log in segments of EACH records; the last cut keeps a state."""
    log, lake = day.log(), Lake(day.folder / "lake")
    end = until or log.high_water_mark(TOPIC, 0)
    with Worker(log, lake, TOPIC, 0, day.keys, Replay) as worker:
        while worker.position < end:
            worker.take(log.read(TOPIC, 0, worker.position, min(EACH, end - worker.position)))
            worker.cut(last=worker.position == end)
    log.close()
    return lake


def test_hundreds_of_small_segments_become_a_few_and_say_the_same(day: Day) -> None:
    lake = crumbled(day)
    small = len(lake.segments(TOPIC, 0))
    assert small > 100
    with Warehouse(lake.root) as warehouse:
        rounds = warehouse.rows("SELECT * FROM rounds ORDER BY table_id, round_id")
    assert merge_small(lake) >= small // 16
    left = lake.segments(TOPIC, 0)
    assert len(left) < 40
    assert merge_small(lake) == 0, "what is merged is left alone"
    whole = day.content("whole")
    assert list(differences(content_of(lake, TOPIC), whole)) == []
    assert wrong_checkpoints(lake, TOPIC, whole) == []
    verified = verify_lake(lake, lake.keys())
    assert verified.damages == [] and verified.checkpoints == small, "every checkpoint ever signed stays"
    with Warehouse(lake.root) as warehouse:
        assert warehouse.rows("SELECT * FROM rounds ORDER BY table_id, round_id") == rounds


def test_a_worker_goes_on_behind_merged_segments(day: Day) -> None:
    log = day.log()
    end = log.high_water_mark(TOPIC, 0)
    log.close()
    for part in range(1, 5):
        lake = crumbled(day, end * part // 4)
        merge_small(lake)
        with Compaction(lake, TOPIC, 0) as compaction:
            compaction.remove_replaced(0)
    assert list(differences(content_of(lake, TOPIC), day.content("whole"))) == []
    assert verify_lake(lake, lake.keys()).damages == []


def test_what_a_starting_worker_needs_is_neither_merged_nor_retired(day: Day) -> None:
    """No state but the first cut's: whoever starts reads every record behind it."""
    log, lake = day.log(), Lake(day.folder / "lake")
    with Worker(log, lake, TOPIC, 0, day.keys, Replay) as worker:
        for number in range(60):
            worker.take(log.read(TOPIC, 0, worker.position, EACH))
            worker.cut(last=number == 17)
    log.close()
    merge_small(lake)
    with Compaction(lake, TOPIC, 0) as compaction:
        compaction.remove_replaced(0)
    names = [(segment.first, segment.last) for segment in lake.segments(TOPIC, 0)]
    assert names[0] == (0, 16 * EACH - 1) and names[1:3] == [(112, 118), (119, 125)]
    assert len(names) == 1 + 2 + 42
    with Retention(lake, TOPIC, 0) as retention:
        assert [old.segment.last for old in retention.old(2**62)] == [111, 118, 125]
    day.run()
    assert list(differences(content_of(lake, TOPIC), day.content("whole"))) == []


def test_the_newest_are_left_alone(day: Day) -> None:
    lake = crumbled(day, 18 * EACH)
    merge_small(lake)
    assert [segment.last + 1 for segment in lake.segments(TOPIC, 0)][-KEEP_NEWEST:] == [17 * EACH, 18 * EACH]


# --- readers ----------------------------------------------------------------------------------------------------------


def gone(lake: Lake) -> None:
    """Merge, and remove what was replaced, as if every grace had passed."""
    merge_small(lake)
    with Compaction(lake, TOPIC, 0) as compaction:
        assert compaction.remove_replaced(0).removed > 50


def test_a_reader_whose_segments_go_while_it_reads_lists_them_anew(day: Day) -> None:
    lake = crumbled(day)
    with Warehouse(lake.root) as warehouse:
        listed = len(warehouse.segments)
        (counted,) = warehouse.rows("SELECT count(*) AS n FROM records")
        gone(lake)
        assert warehouse.rows("SELECT count(*) AS n FROM records") == [counted]
        assert len(warehouse.segments) < listed / 4


def test_a_reader_whose_segments_go_while_it_opens_them_lists_them_anew(
    day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = crumbled(day)
    listings: list[int] = []

    def listed_late(root: Path) -> list[Path]:
        found = committed_segments(root)
        if not listings:
            gone(lake)
        listings.append(len(found))
        return found

    monkeypatch.setattr("analytics.warehouse.committed_segments", listed_late)
    with Warehouse(lake.root) as warehouse:
        assert warehouse.rows("SELECT count(*) AS n FROM rounds")[0]["n"] == day.content("whole").rounds.num_rows
    assert len(listings) == 2


def test_verify_of_a_segment_that_was_merged_meanwhile_takes_the_one_that_has_its_records(day: Day) -> None:
    lake = crumbled(day)
    listed = lake.segments(TOPIC, 0)
    gone(lake)
    pairs: list[tuple[Segment, Segment | None]] = [(listed[0], None), (listed[20], listed[19])]
    for segment, previous in pairs:
        assert not segment.path.exists()
        assert verify_segment(lake, lake.keys(), TOPIC, 0, segment, previous).damages == []


def test_a_segment_that_is_gone_and_not_merged_is_missed(day: Day) -> None:
    lake = crumbled(day)
    listed = lake.segments(TOPIC, 0)
    listed[20].path.rename(day.folder / "stolen")
    assert verify_segment(lake, lake.keys(), TOPIC, 0, listed[20], listed[19]).damages


# --- beside a worker --------------------------------------------------------------------------------------------------


def home_with_events(tmp_path: Path) -> tuple[Home, list[tuple[str, bytes]]]:
    home = make_home(tmp_path / "home", partitions=1)
    plan = default_plan(seed=4, tables=2, rounds=30, faults={})
    keys = KeyRing(home.path / "keys")
    for table_id, public in table_keys(plan).items():
        keys.register(table_id, public)
    return home, list(simulate(plan))


@pytest.mark.slow
def test_whoever_follows_merges_and_leaves_nothing_behind_when_stopped(tmp_path: Path) -> None:
    """Nobody types compact. A verdict is readable while nothing more comes; SIGTERM leaves nothing to do."""
    home, events = home_with_events(tmp_path)
    lake = home.lake()
    log = SqliteLog(home.path / "log.sqlite", partitions=1)
    log.append(TOPIC, events[:-5])
    muckraker = [sys.executable, "-m", "console.main"]
    subprocess.run([*muckraker, "run", "--segment-records", "10", "--home", str(home.path)], check=True)
    command = [*muckraker, "run", "--follow", "--home", str(home.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as worker:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not lake.replaced(TOPIC, 0):
            time.sleep(0.2)
        assert lake.replaced(TOPIC, 0), "nobody merged"
        log.append(TOPIC, events[-5:])
        time.sleep(3.0)  # read, on a busy machine too; what no verdict rests on is not committed for five
        worker.terminate()
        _, errors = worker.communicate(timeout=60)
        assert worker.returncode == 0, errors.decode()
    log.close()
    assert lake.position(TOPIC, 0) == len(events)
    assert verify_lake(lake, lake.keys()).damages == []


def test_the_merging_process_ends_with_whoever_started_it(tmp_path: Path) -> None:
    home, _ = home_with_events(tmp_path)
    command = [sys.executable, "-m", "console.main", "compact", "--beside", "--home", str(home.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        time.sleep(1.0)
        assert process.poll() is None
        process.stdin.close()
        assert process.wait(30) == 0


def test_a_partition_that_another_is_at_is_passed_over(day: Day) -> None:
    lake = crumbled(day)
    with Compaction(lake, TOPIC, 0):
        assert merge_small(lake) == 0
        with pytest.raises(LakeError, match="another compaction"), Compaction(lake, TOPIC, 0):
            pass
    assert merge_small(lake) > 0
