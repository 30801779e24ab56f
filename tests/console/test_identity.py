"""A home is known by its home.json: the very file, wherever it is moved, and no copy of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from console import home as home_module
from console.home import file_time_zone, give_identity, make_home, mark_as_copy, open_home
from ingest.file_birth import birth_ns


def test_a_home_keeps_its_identity_through_what_is_done_to_a_folder(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    assert home.id is not None and home.copy_of is None
    moved = home.path.rename(tmp_path / "moved")
    (moved / "home.json").chmod(0o600)
    os.utime(moved / "home.json", (0, 0))
    assert open_home(moved).id == home.id
    file_time_zone(open_home(moved), "America/New_York")
    assert (open_home(moved).id, open_home(moved).time_zone) == (home.id, "America/New_York")


@pytest.mark.parametrize("copying", [["cp", "-r"], ["cp", "-a"]], ids=" ".join)
def test_a_copy_has_no_identity_however_it_was_made(tmp_path: Path, copying: list[str]) -> None:
    home = make_home(tmp_path / "home")
    subprocess.run([*copying, home.path, tmp_path / "copy"], check=True)
    copy = open_home(tmp_path / "copy")
    assert (copy.id, copy.copy_of) == (None, home.id)
    file_time_zone(copy, "UTC")
    assert open_home(copy.path).copy_of == home.id, "it does not become the original by being written anew"
    taken = give_identity(open_home(copy.path), "a topic")
    assert taken.id not in (None, home.id) and (taken.copy_of, taken.topic_id) == (None, "a topic")
    assert open_home(home.path).id == home.id


def test_an_inode_number_that_comes_again_on_another_disk_makes_no_original(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home_module, "birth_ns", lambda _: 7)
    home = make_home(tmp_path / "home")
    assert open_home(home.path).id == home.id
    monkeypatch.setattr(home_module, "birth_ns", lambda _: 8)
    assert open_home(home.path).id is None
    monkeypatch.setattr(home_module, "birth_ns", lambda _: None)  # another machine, whose system cannot say
    assert open_home(home.path).id == home.id


def test_when_a_file_was_made_is_what_the_system_says(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb") as file:
        found = birth_ns(file.fileno())
    os.utime(path, (0, 0))
    said = subprocess.run(["stat", "--format", "%W", path], check=True, capture_output=True, text=True).stdout
    assert (0 if found is None else found // 1_000_000_000) == int(said)  # it says 0 where it is not known


def test_a_home_from_a_backup_says_whose_copy_it_is(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    mark_as_copy(home.path)
    assert (open_home(home.path).id, open_home(home.path).copy_of) == (None, home.id)
    mark_as_copy(home.path)  # a backup of a copy
    assert open_home(home.path).copy_of == home.id
