from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest

from analytics.quality import steps_of
from console.home import TOPIC
from ingest.compaction import Compaction
from ingest.lake import Lake, LakeError
from ingest.quality import QualityBusy, QualityError, Results, UnknownDay, check_quality, stored
from ingest.quality.describe import renewed
from ingest.quality.limits import SUITE_VERSION
from ingest.quality.results import read_document
from ingest.seal.beside import verify_beside
from ingest.simulator import Plan, default_plan, table_keys
from replay.rounds import BANK_KIND_CODE, Fact, RoundFlag
from schemas.events import BankKind
from schemas.findings import Finding
from schemas.quality import SegmentResult, covers, day_results, segment_results, standing
from tests.gaming_day import Day
from tests.ingest.quality_killer import files_of
from tests.ingest.quality_streams import (
    device_of,
    moved,
    streams_of,
    time_of,
    told_again,
    without,
)

ROOT = Path(__file__).resolve().parents[2]
DAY = "2026-11-17"


def plan_of(tables: int, rounds: int) -> Plan:
    return default_plan(seed=31, tables=tables, rounds=rounds, gaming_day=date.fromisoformat(DAY))


def in_order_of_time(plan: Plan) -> list[tuple[str, bytes]]:
    said = [
        (time_of(event), table_id, raw)
        for table_id, events in streams_of(plan).items()
        for event, raw in zip(events, told_again(plan, table_id, events), strict=True)
    ]
    return [(table_id, raw) for _, table_id, raw in sorted(said, key=lambda one: one[:2])]


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Day:
    """Three tables, one of which loses an event, in segments of 400 records; not checked."""
    plan = plan_of(3, 20)
    made = Day(tmp_path_factory.mktemp("day"), partitions=1)
    for table_id, public in table_keys(plan).items():
        made.keys.register(table_id, public)
    records = in_order_of_time(plan)
    lost = next(at for at, (table_id, _) in enumerate(records) if table_id == "PG-02" and at > 300)
    made.append([*records[:lost], *records[lost + 1 :]])
    (made.folder / "lost").write_bytes(records[lost][1])
    return made.run(segment_records=400)


@pytest.fixture
def copied(day: Day, tmp_path: Path) -> Day:
    return Day(Path(shutil.copytree(day.folder, tmp_path / "day")), partitions=1)


def lake_of(day: Day) -> Lake:
    return Lake(day.folder / "lake")


def damaged(lake: Lake) -> set[Path]:
    return {damage.path for damage in verify_beside(lake, lake.keys())}


def day_result(day: Day, version: str = "") -> dict[str, Any]:
    path = day.folder / "lake" / TOPIC / "quality" / "days" / f"{DAY}{version}.json"
    document: dict[str, Any] = orjson.loads(path.read_bytes())
    return document


# --- stable -----------------------------------------------------------------------------------------------------------


def test_a_second_check_has_nothing_to_do_and_changes_no_segment(copied: Day) -> None:
    record = copied.bytes_of_lake()
    first = check_quality(lake_of(copied), TOPIC)
    assert (first.segments > 3, first.days, first.failures) == (True, [DAY], 1)
    results = files_of(copied.folder / "lake")
    second = check_quality(lake_of(copied), TOPIC)
    assert (second.segments, second.days, second.failures) == (0, [], 0)
    assert files_of(copied.folder / "lake") == results
    assert copied.bytes_of_lake().items() >= record.items()
    assert damaged(lake_of(copied)) == set()


def test_what_is_found_is_told_once_before_it_is_written(copied: Day) -> None:
    lake = lake_of(copied)
    told: list[str] = []

    def tell(findings: list[Finding]) -> None:
        assert not (lake.root / TOPIC / "quality" / "days" / f"{DAY}.json").exists()
        told.extend(finding.id for finding in findings)

    check_quality(lake, TOPIC, tell=tell)
    assert told == [failure["finding_id"] for failure in day_result(copied)["failures"]]
    assert len(told) == 1
    check_quality(lake, TOPIC, tell=tell)
    assert len(told) == 1


def test_checked_segment_by_segment_it_comes_to_the_same_files(copied: Day) -> None:
    whole = Path(shutil.copytree(copied.folder / "lake", copied.folder / "whole"))
    check_quality(Lake(whole), TOPIC)
    growing = copied.folder / "growing"
    segments = Lake(whole).segments(TOPIC, 0)
    for segment in segments:
        shutil.copytree(segment.path, growing / TOPIC / "0" / segment.path.name)
        check_quality(Lake(growing), TOPIC)
    assert files_of(growing) == files_of(whole)


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on_to_the_same_files(tmp_path: Path) -> None:
    plan = plan_of(1, 6)
    made = Day(tmp_path / "day", partitions=1)
    made.folder.mkdir()
    made.append(in_order_of_time(plan))
    made.run(segment_records=100)
    killer = subprocess.run(
        [sys.executable, "-m", "tests.ingest.quality_killer", made.folder / "lake", tmp_path],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert killer.returncode == 0, killer.stderr
    kills, files = map(int, re.findall(r"\d+", killer.stdout))
    assert kills >= 2 * files > 10  # each is opened and renamed


def test_a_late_event_has_its_day_checked_again_and_the_newer_result_counts(copied: Day) -> None:
    check_quality(lake_of(copied), TOPIC)
    assert [failure["check"] for failure in day_result(copied)["failures"]] == ["sequence_whole"]
    copied.append([("PG-02", (copied.folder / "lost").read_bytes())])
    copied.run(segment_records=400)
    again = check_quality(lake_of(copied), TOPIC)
    assert (again.segments, again.days, again.failures) == (1, [DAY], 0)
    assert (day_result(copied)["version"], day_result(copied, ".2")["version"]) == (1, 2)
    assert day_result(copied, ".2")["failures"] == []


def test_merged_segments_keep_their_results(copied: Day) -> None:
    lake = lake_of(copied)
    check_quality(lake, TOPIC)
    results = files_of(lake.root)
    with Compaction(lake, TOPIC, 0) as compaction:
        for run in compaction.runs(target_records=2_000, behind_hours=0):
            compaction.merge(run)
        compaction.remove_replaced(grace_hours=0)
    assert len(lake.segments(TOPIC, 0)) < sum(name.startswith("0/") for name in results) / 2
    assert check_quality(lake, TOPIC).segments == 0
    assert files_of(lake.root) == results
    assert damaged(lake) == set()


def test_a_lake_merged_before_it_was_checked_fails_the_same(copied: Day) -> None:
    lake = lake_of(copied)
    with Compaction(lake, TOPIC, 0) as compaction:
        for run in compaction.runs(target_records=2_000, behind_hours=0):
            compaction.merge(run)
    report = check_quality(lake, TOPIC)
    assert (report.days, report.failures) == ([DAY], 1)
    assert [failure["check"] for failure in day_result(copied)["failures"]] == ["sequence_whole"]


def test_by_newer_expectations_everything_is_checked_again_beside_the_old_results(
    copied: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results of the version before have other memories: they are left alone, and the newer ones count."""
    lake = lake_of(copied)
    first = check_quality(lake, TOPIC)
    before = files_of(lake.root)
    for carried in sorted((lake.root / TOPIC / "quality" / "0").glob("*.carried.json")):
        carried.write_bytes(b'{"tables": {"of another": "shape"}}')
    old = files_of(lake.root)
    monkeypatch.setattr("ingest.quality.check.SUITE_VERSION", SUITE_VERSION + 1)
    again = check_quality(lake, TOPIC)
    assert (again.segments, again.days, again.failures) == (first.segments, [DAY], 1)
    assert files_of(lake.root).items() >= old.items() and len(files_of(lake.root)) > len(before)
    names = segment_results(os.listdir(lake.root / TOPIC / "quality" / "0"))
    assert {name.suite for name in standing(names)} == {SUITE_VERSION + 1}
    assert day_result(copied, ".2")["failures"] == day_result(copied)["failures"]


# --- refused ----------------------------------------------------------------------------------------------------------


def test_a_touched_result_is_named_and_not_gone_on_from(copied: Day) -> None:
    lake = lake_of(copied)
    check_quality(lake, TOPIC)
    quality = lake.root / TOPIC / "quality"
    for path in [*sorted((quality / "0").glob("*.json")), quality / "days" / f"{DAY}.json"]:
        whole = path.read_bytes()
        for at in (1, len(whole) // 2, len(whole) - 3):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            assert path in damaged(lake), (path, at)
            if "carried" not in path.name:
                with pytest.raises(QualityError, match=f"{path.name} is damaged"):
                    read_document(path)
        path.write_bytes(whole)
    last = max((quality / "0").glob("*.carried.json"))
    last.write_bytes(last.read_bytes().replace(b'"rounds":', b'"rounds": '))
    with pytest.raises(QualityError, match=f"{last.name} is damaged"):
        check_quality(lake, TOPIC)


@pytest.mark.parametrize("file", ["events.parquet", "rounds.parquet"])
def test_a_damaged_segment_is_named_at_either_border(copied: Day, file: str) -> None:
    lake = lake_of(copied)
    check_quality(lake, TOPIC)
    path = lake.segments(TOPIC, 0)[1].path / file
    whole = path.read_bytes()
    middle = whole[:1_500] + bytes(3_000) + whole[4_500:]
    for left in ("nothing", "segments"):
        shutil.rmtree(lake.root / TOPIC / "quality" / ("days" if left == "segments" else ""))
        for damaged_bytes in (b"", whole[: len(whole) // 2], middle):
            path.write_bytes(damaged_bytes)
            with pytest.raises(LakeError, match="cannot be read"):
                check_quality(lake, TOPIC)
        path.write_bytes(whole)
        assert check_quality(lake, TOPIC).days == [DAY]


def test_two_do_not_check_at_once(copied: Day) -> None:
    lake = lake_of(copied)
    with Results(lake, TOPIC).owned(), pytest.raises(QualityBusy, match=f"another process \\({os.getpid()}\\)"):
        check_quality(lake, TOPIC)


def test_a_day_nobody_recorded_and_another_border_are_refused(copied: Day) -> None:
    lake = lake_of(copied)
    with pytest.raises(UnknownDay, match="nothing is recorded of the gaming day 2025-01-01"):
        check_quality(lake, TOPIC, days=["2025-01-01"])
    with pytest.raises(QualityError, match="begins at 6:00 UTC in this lake, and 9:00 was asked"):
        check_quality(lake, TOPIC, day_border_hour=9)


def test_an_empty_lake_has_nothing_to_check(tmp_path: Path) -> None:
    assert check_quality(Lake(tmp_path / "lake"), TOPIC).segments == 0
    assert not (tmp_path / "lake").exists()


# --- days that are not over -------------------------------------------------------------------------------------------


def test_a_day_waits_for_its_tables_unless_it_is_asked_for(tmp_path: Path) -> None:
    plan = plan_of(2, 12)
    made = Day(tmp_path, partitions=1)
    for table_id, public in table_keys(plan).items():
        made.keys.register(table_id, public)
    records = in_order_of_time(plan)
    closing = next(at for at, (table_id, raw) in enumerate(records) if table_id == "SB-01" and b"table.closed" in raw)
    made.append([*records[:closing], *(record for record in records[closing + 1 :] if record[0] != "SB-01")])
    made.run()
    assert check_quality(lake_of(made), TOPIC).waiting == {DAY: ["SB-01"]}
    early = check_quality(lake_of(made), TOPIC, days=[DAY])
    assert (early.days, early.failures) == ([DAY], 0)  # the table is not late yet
    made.append([records[closing]])
    made.run()
    done = check_quality(lake_of(made), TOPIC)
    assert (done.days, done.waiting, done.failures) == ([DAY], {}, 0)
    assert check_quality(lake_of(made), TOPIC, wait_for_border=True).waiting == {DAY: ["PG-01", "SB-01"]}


# --- a live log -------------------------------------------------------------------------------------------------------


def test_a_clock_is_held_against_a_log_that_runs_along(tmp_path: Path) -> None:
    """All devices of a table are off together, so that only the log can tell."""
    plan = plan_of(3, 15)
    off = {"PG-01": timedelta(), "SB-01": timedelta(minutes=3), "PG-02": timedelta(minutes=-9)}
    made = Day(tmp_path, partitions=1)
    minutes: dict[int, list[tuple[str, bytes]]] = {}
    for table_id, events in streams_of(plan).items():
        made.keys.register(table_id, table_keys(plan)[table_id])
        for event, raw in zip(
            events, told_again(plan, table_id, [moved(event, off[table_id]) for event in events]), strict=True
        ):
            minutes.setdefault(int(time_of(event).timestamp()) // 60, []).append((table_id, raw))
    log = made.log()
    for minute, said in sorted(minutes.items()):  # each minute's events reach the log when it is over
        log.append(TOPIC, said, (minute + 1) * 60_000_000)
    log.close()
    told: list[str] = []
    check_quality(lake_of(made.run(segment_records=400)), TOPIC, tell=lambda some: told.extend(one.id for one in some))
    failures = made.quality_failures()
    assert sorted(told) == sorted({failure["finding_id"] for failure in failures})  # though it goes on over segments
    assert len(told) < len(failures)
    assert {(failure["table_id"], failure["check"], failure["code"]) for failure in failures} == {
        ("SB-01", "clock_against_log", "QUALITY-009"),
        ("PG-02", "clock_against_log", "QUALITY-009"),
    }
    words = {
        "SB-01": "before they happened by its clock, which is",
        "PG-02": "after they happened by its clock, even the",
    }
    for table_id, said_so in words.items():
        ours = [failure for failure in failures if failure["table_id"] == table_id]
        assert {failure["device"] for failure in ours} >= {"controller", "layout", "discard-rack"}
        assert all(said_so in failure["sentence"] for failure in ours)
        assert len({failure["finding_id"] for failure in ours}) == len({failure["device"] for failure in ours})


def test_a_device_that_says_it_goes_offline_is_not_silent(tmp_path: Path) -> None:
    """Without its goodbye it is (test_quality.py, PG-11)."""
    plan = plan_of(1, 30)
    made = Day(tmp_path, partitions=1)
    for table_id, public in table_keys(plan).items():
        made.keys.register(table_id, public)
    (events,) = streams_of(plan).values()
    at = next(position for position, event in enumerate(events) if str(event.get("subject")) == "20261117-0010")
    goodbye = {**events[at], "type": "muckraker.device.offline.v1", "data": {"device": "discard_rack"}}
    goodbye = {name: value for name, value in goodbye.items() if name != "subject"}
    rest = without(lambda event: device_of(event) == "discard-rack")(events[at:])
    made.append([("PG-01", raw) for raw in told_again(plan, "PG-01", [*events[:at], goodbye, *rest])])
    assert made.run().quality_failures() == []


# --- what it goes by --------------------------------------------------------------------------------------------------


def test_the_numbers_in_rounds_are_the_replays() -> None:
    facts = ("WAGER_PLACED", "WAGER_CHANGED", "WAGER_WITHDRAWN", "COLLECTION", "SETTLED", "VIGORISH", "ENVY", "POT")
    for name in (*facts, "PROGRESSIVE_IN", "PROGRESSIVE_OUT"):
        assert getattr(stored, name) == Fact[name], name
    for name in ("CLOSED", "VOIDED", "GAP"):
        assert getattr(stored, f"FLAG_{name}") == RoundFlag[name], name
    assert BANK_KIND_CODE[BankKind.PLAYER_DEALER] == stored.BANK_PLAYER_DEALER


def test_the_page_lists_every_expectation_as_it_is() -> None:
    page = (ROOT / "docs" / "quality.md").read_text(encoding="utf-8")
    assert renewed(page) == page, "type `python -m ingest.quality.describe docs/quality.md`"


def test_a_worker_does_not_load_great_expectations(copied: Day) -> None:
    code = (
        "import sys, pathlib; from tests.gaming_day import Day; import console.pipeline, console.run_command\n"
        f"Day(pathlib.Path({str(copied.folder)!r}), partitions=1).run(lake='new')\n"
        "assert 'great_expectations' not in sys.modules"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr


def test_names_of_results_are_read_as_they_are_written() -> None:
    names = [SegmentResult(0, 9, 1), SegmentResult(0, 9, 2), SegmentResult(10, 19, 1)]
    files = [name.file for name in names]
    assert segment_results([*files, "x.json", ".writing-a.json", files[0].replace(".json", ".carried.json")]) == names
    assert [
        found.file for found in day_results([f"{DAY}.json", f"{DAY}.2.json", f"{DAY}.10.json", "settings.json"])
    ] == [
        f"{DAY}.json",
        f"{DAY}.2.json",
        f"{DAY}.10.json",
    ]


def test_which_results_count_is_right_for_any_merging() -> None:
    """Every record has a result that counts, by the newest suites it has one of."""
    chance = random.Random(5)
    for _ in range(300):
        borders = sorted({0, 40, *(chance.randrange(1, 40) for _ in range(chance.randrange(6)))})
        old = [SegmentResult(first, last - 1, 1) for first, last in pairwise(borders)]
        merged = sorted(chance.sample(borders, min(len(borders), 3)))
        new = [SegmentResult(first, last - 1, chance.choice((1, 2))) for first, last in pairwise(merged)]
        counted = standing([*old, *new])
        for record in range(40):
            having = [one for one in (*old, *new) if one.first <= record <= one.last]
            newest = max(one.suite for one in having)
            assert any(one.first <= record <= one.last and one.suite == newest for one in counted), (old, new, record)
        assert covers(old, 0, 39)
        assert not covers(old[1:], 0, 39)


def test_a_round_is_marked_by_every_stretch_it_touches() -> None:
    """The steps an ASOF join looks at, beside looking at every stretch."""
    chance = random.Random(6)
    for _ in range(300):
        failures: list[dict[str, Any]] = [
            {
                "table_id": "T",
                "code": chance.choice(("A", "B", "C")),
                "marks": [
                    [first, first + chance.randrange(12)]
                    for first in (chance.randrange(80) for _ in range(chance.randrange(4)))
                ],
            }
            for _ in range(chance.randrange(5))
        ]
        steps = steps_of(failures)
        assert len({step["from_seq"] for step in steps}) == len(steps)
        for _ in range(20):
            first = chance.randrange(90)
            last = first + chance.randrange(15)
            touched = {f["code"] for f in failures for low, high in f["marks"] if low <= last and high >= first}
            below = [step for step in steps if step["from_seq"] <= last]
            known = max(below, key=lambda step: int(step["from_seq"]))["known"] if below else []
            assert {one["code"] for one in known if one["last_seq"] >= first} == touched
