"""A consumer group belongs to one home: a copy of it does not take its tables, and takes over when it is told to."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from kafka import KafkaAdminClient

from console.home import TOPIC, Home, file_time_zone, open_home
from tests.kafka_home import (
    WorkerProcess,
    append,
    cluster_of,
    eventually,
    lake_files,
    lake_records,
    made_home,
    muckraker_here,
    owners,
    played,
    recorded_values,
    second_home,
    settings_file,
)

CUT = ("--segment-records", "100")


def refused(home: Path, *reasons: str) -> None:
    """Neither kind of run works, both say why, and so do status and doctor."""
    before = lake_files(open_home(home))
    for command in (("run",), ("run", "--follow")):
        done = muckraker_here(*command, "--home", home)
        assert done.exit_code == 3, done.output
        assert all(reason in done.output for reason in reasons), done.output
    asked = muckraker_here("status", "--home", home, "--json")
    assert asked.exit_code == 1
    assert all(reason in json.loads(asked.stdout)["owner_problem"] for reason in reasons), asked.stdout
    shown = muckraker_here("status", "--home", home)
    assert "This home does not run: " in shown.stdout
    looked = muckraker_here("doctor", "--home", home, "--json")
    owner = next(check for check in map(json.loads, looked.stdout.splitlines()) if check["name"] == "owner")
    assert not owner["ok"] and all(reason in owner["said"] for reason in reasons), owner
    assert lake_files(open_home(home)) == before, "and nothing was recorded"


def allowed(home: Path) -> None:
    done = muckraker_here("run", "--home", home)
    assert done.exit_code == 0, done.output
    asked = json.loads(muckraker_here("status", "--home", home, "--json").stdout)
    assert (asked["owner_problem"], asked["log_problem"], asked["lag"]) == (None, None, 0)


def check_whole(home: Home, events: list[tuple[str, bytes]], tmp_path: Path) -> None:
    """The lake has each event once, and is to the byte what an undisturbed run of the topic makes."""
    recorded = recorded_values(home)
    for table_id in {table_id for table_id, _ in events}:
        assert recorded[table_id] == [raw for table, raw in events if table == table_id]
    undisturbed = second_home(tmp_path / "undisturbed", home)
    assert muckraker_here("run", "--home", undisturbed.path, *CUT).exit_code == 0
    assert recorded_values(undisturbed) == recorded
    assert muckraker_here("verify", "--home", home.path).exit_code == 0


@pytest.mark.slow
def test_a_restored_home_takes_over_only_when_told_and_the_old_one_is_fenced(kafka: str, tmp_path: Path) -> None:
    live = made_home(tmp_path / "live", settings_file(tmp_path, kafka), 2)
    events = played(live, tables=4, rounds=20)
    third = len(events) // 3
    append(live, events[:third])
    worker = WorkerProcess(live, *CUT)
    late = None
    try:
        eventually(lambda: lake_records(live) > third - 2 * 100, "the live one works")
        assert muckraker_here("backup", tmp_path / "backup", "--home", live.path).exit_code == 0
        restored = muckraker_here("restore", tmp_path / "backup", tmp_path / "restored")
        assert restored.exit_code == 0, restored.output
        assert "does not run" in restored.output and "muckraker take-over --home" in restored.output
        copy = open_home(tmp_path / "restored")
        backed_up_to = lake_records(copy)
        assert (copy.id, copy.copy_of) == (None, live.id)
        refused(copy.path, "is a copy of another home", "take-over")
        too_soon = muckraker_here("take-over", "--home", copy.path)
        assert too_soon.exit_code == 3 and "stop them first" in too_soon.output
        refused(copy.path, "belongs to another home", str(live.path.resolve()))

        append(live, events[third : 2 * third])
        eventually(lambda: lake_records(live) > 2 * third - 2 * 100, "the live one has all the tables still")
        assert set(owners(live).values()) == {worker.pid} and len(owners(live)) == 2

        worker.hang()  # its machine is thought lost
        eventually(
            lambda: muckraker_here("take-over", "--home", copy.path).exit_code == 0, "the copy takes over, in the end"
        )
        copy = open_home(copy.path)
        assert copy.id not in (None, live.id)
        assert lake_records(copy) == backed_up_to < lake_records(live)
        late = WorkerProcess(copy, *CUT)
        eventually(lambda: lake_records(copy) > 2 * third - 2 * 100, "it goes on where its own lake ended")
        worker.go_on()
        eventually(lambda: not worker.running, "the old one is refused when it comes back")
        assert "belongs to another home" in worker.said() and str(copy.path.resolve()) in worker.said()
        append(copy, events[2 * third :])
        eventually(lambda: lake_records(copy) > len(events) - 2 * 100, "the new one has all the tables")
        assert late.stop() == 0, late.said()
    finally:
        worker.end()
        if late is not None:
            late.end()
    refused(live.path, "belongs to another home", str(copy.path.resolve()))
    allowed(copy.path)
    check_whole(copy, events, tmp_path)


@pytest.mark.slow
def test_restore_with_take_over_goes_on_at_once(kafka: str, tmp_path: Path) -> None:
    live = made_home(tmp_path / "live", settings_file(tmp_path, kafka), 2)
    events = played(live, tables=4, rounds=10)
    half = len(events) // 2
    append(live, events[:half])
    allowed(live.path)
    assert muckraker_here("backup", tmp_path / "backup", "--home", live.path).exit_code == 0
    append(live, events[half:])
    allowed(live.path)
    done = muckraker_here("restore", tmp_path / "backup", tmp_path / "restored", "--take-over")
    assert done.exit_code == 0, done.output
    allowed(tmp_path / "restored")
    check_whole(open_home(tmp_path / "restored"), events, tmp_path)
    refused(live.path, "belongs to another home")
    back = muckraker_here("take-over", "--home", live.path)
    assert back.exit_code == 0, back.output
    allowed(live.path)
    refused(tmp_path / "restored", "belongs to another home")


@pytest.mark.slow
def test_a_copied_folder_is_a_copy_and_a_moved_one_is_the_home(kafka: str, tmp_path: Path) -> None:
    home = made_home(tmp_path / "home", settings_file(tmp_path, kafka), 1)
    events = played(home, tables=2, rounds=6)
    half = len(events) // 2
    append(home, events[:half])
    allowed(home.path)
    shutil.copytree(home.path, tmp_path / "copy")  # as cp -r does
    refused(tmp_path / "copy", "is a copy of another home", str(home.id))
    file_time_zone(open_home(tmp_path / "copy"), "America/New_York")
    refused(tmp_path / "copy", "is a copy of another home", str(home.id))  # written anew, and still a copy

    home.path.rename(tmp_path / "moved")
    append(open_home(tmp_path / "moved"), events[half:])
    assert open_home(tmp_path / "moved").id == home.id
    allowed(tmp_path / "moved")

    assert muckraker_here("take-over", "--home", tmp_path / "copy").exit_code == 0
    allowed(tmp_path / "copy")
    check_whole(open_home(tmp_path / "copy"), events, tmp_path)
    refused(tmp_path / "moved", "belongs to another home")


def test_a_lake_that_was_rolled_back_does_not_go_on(kafka: str, tmp_path: Path) -> None:
    home = made_home(tmp_path / "home", settings_file(tmp_path, kafka), 1)
    events = played(home, tables=2, rounds=12)
    append(home, events)
    assert muckraker_here("run", "--home", home.path, *CUT).exit_code == 0
    whole = recorded_values(home)
    last = home.lake().last(TOPIC, 0)
    assert last is not None
    for folder in last.path.parent.glob(f"*-{last.path.name.split('-')[1]}"):  # merged ones and those they replace
        shutil.rmtree(folder)
    assert home.lake().position(TOPIC, 0) < len(events)
    for command in (("run",), ("run", "--follow")):
        done = muckraker_here(*command, "--home", home.path)
        assert done.exit_code == 3, done.output
        assert f"this home had recorded up to {len(events)}" in done.output
    assert muckraker_here("take-over", "--home", home.path).exit_code == 0
    allowed(home.path)
    assert recorded_values(home) == whole


def test_a_group_that_the_cluster_has_forgotten_is_taken_again_by_hand(kafka: str, tmp_path: Path) -> None:
    home = made_home(tmp_path / "home", settings_file(tmp_path, kafka), 1)
    append(home, played(home, tables=2, rounds=4))
    allowed(home.path)
    admin = KafkaAdminClient(bootstrap_servers=kafka)
    try:
        admin.delete_groups([cluster_of(home).group_id])
    finally:
        admin.close()
    refused(home.path, "does not say whose the group", "offsets.retention.minutes")
    assert muckraker_here("take-over", "--home", home.path).exit_code == 0
    allowed(home.path)


def test_two_homes_that_were_given_one_group_do_not_share_it(kafka: str, tmp_path: Path) -> None:
    settings = settings_file(tmp_path, kafka)
    one, two = (made_home(tmp_path / name, settings, 1) for name in ("one", "two"))
    append(one, played(one, tables=2, rounds=4))
    allowed(one.path)
    refused(two.path, "belongs to another home", str(one.id))
