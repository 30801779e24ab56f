"""A partition has one writer; one that hangs can be relieved of it and then commits nothing more."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ingest.lake import Lake, LakeError, OwnedElsewhere
from tests.ingest.log_contract import REPOSITORY
from tests.ingest.segment_content import TOPIC, content, many


def test_a_second_owner_is_told_who_the_first_is(tmp_path: Path) -> None:
    one, two = Lake(tmp_path / "lake", tmp_path / "key"), Lake(tmp_path / "lake", tmp_path / "key")
    one.own(TOPIC, 0)
    with pytest.raises(OwnedElsewhere, match="another worker"):
        two.own(TOPIC, 0)
    assert one.owns(TOPIC, 0)
    assert not two.owns(TOPIC, 0)
    one.release(TOPIC, 0)
    two.own(TOPIC, 0)
    two.release(TOPIC, 0)


def test_who_was_taken_over_commits_nothing_more(tmp_path: Path) -> None:
    hung, heir = Lake(tmp_path / "lake", tmp_path / "key"), Lake(tmp_path / "lake", tmp_path / "key")
    hung.own(TOPIC, 0)
    hung.settle(TOPIC, 0, {"segment_records": 1}, {"segment_records": 1})
    hung.commit(TOPIC, 0, content(0))
    heir.take_over(TOPIC, 0)
    heir.own(TOPIC, 0)
    assert heir.owns(TOPIC, 0)
    assert not hung.owns(TOPIC, 0)
    with pytest.raises(OwnedElsewhere):
        hung.commit(TOPIC, 0, content(1))
    heir.commit(TOPIC, 0, content(1))
    hung.release(TOPIC, 0)
    assert heir.owns(TOPIC, 0)  # what the old owner lets go of is not the new one's
    heir.commit(TOPIC, 0, content(2))
    heir.release(TOPIC, 0)
    assert [segment.first for segment in heir.segments(TOPIC, 0)] == [0, 1, 2]
    assert not list((tmp_path / "lake").rglob(".writing-*"))


# --- a hung owner, wherever it stopped --------------------------------------------------------------------------------

STEPS = ("open", "mkdir", "write", "fsync", "stat", "rename", "link", "unlink", "listdir")


def overlapping(lake: Lake) -> bool:
    """Whether segments do not follow each other: one has records that another has, too."""
    spans = [(segment.first, segment.last) for segment in lake.segments(TOPIC, 0)]
    return bool(lake.replaced(TOPIC, 0)) or any(
        after[0] != before[1] + 1 for before, after in itertools.pairwise(spans)
    )


class Hung:
    """Stops whoever commits at its step `at`, lets an heir take over and commit with other borders, then goes on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int, heir: Callable[[], None]) -> None:
        self._at = at
        self._heir = heir
        self._steps = 0
        for name in STEPS:
            monkeypatch.setattr(os, name, self._counted(getattr(os, name)))

    def _counted(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: Any, **options: Any) -> Any:
            self._steps += 1
            if self._steps == self._at:
                self._heir()
            return real(*arguments, **options)

        return step

    @property
    def happened(self) -> bool:
        return self._steps >= self._at


def test_whoever_hangs_at_any_step_of_a_commit_and_is_taken_over_overlaps_nobody(tmp_path: Path) -> None:
    """Cuts depend on the clock: the heir's segment has other borders than the one the old owner was about to put in its
    place. At every step of a commit: the old one is in the lake before the heir begins, or never."""
    lost = kept = 0
    for at in itertools.count(1):
        folder = tmp_path / str(at)
        old, heir = Lake(folder / "lake", folder / "key"), Lake(folder / "lake", folder / "key")
        old.own(TOPIC, 0)
        old.settle(TOPIC, 0, {"segment_records": 1}, {"segment_records": 1})
        old.commit(TOPIC, 0, many(0, 3))

        def inherit(heir: Lake = heir) -> None:
            heir.take_over(TOPIC, 0)
            heir.own(TOPIC, 0)
            heir.commit(TOPIC, 0, many(heir.position(TOPIC, 0), 7))

        with pytest.MonkeyPatch.context() as monkeypatch:
            hung = Hung(monkeypatch, at, inherit)
            try:
                old.commit(TOPIC, 0, many(3, 5))
            except LakeError:
                lost += 1
            else:
                kept += 1
        if not hung.happened:
            break
        assert not overlapping(heir), f"hung at step {at}"
        heir.commit(TOPIC, 0, many(heir.position(TOPIC, 0), 2))
        assert not overlapping(heir) and heir.check() == []
        old.release(TOPIC, 0)
        heir.release(TOPIC, 0)
    assert lost >= 20 and kept, (lost, kept)


def test_a_process_that_is_stopped_while_it_commits_overlaps_nobody(tmp_path: Path) -> None:
    """The same with real processes, stopped at random moments (SIGSTOP) and let go on when another has its place."""
    chance = Random(4)
    lake = Lake(tmp_path / "lake", tmp_path / "key")
    for _ in range(12):
        command = [
            sys.executable,
            "-m",
            "tests.ingest.committing_process",
            str(tmp_path / "lake"),
            str(tmp_path / "key"),
        ]
        with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"committing\n"
            time.sleep(chance.uniform(0.0, 0.05))
            process.send_signal(signal.SIGSTOP)
            lake.take_over(TOPIC, 0)
            lake.own(TOPIC, 0)
            lake.commit(TOPIC, 0, many(lake.position(TOPIC, 0), chance.randrange(1, 9)))
            process.send_signal(signal.SIGCONT)
            time.sleep(0.05)
            lake.commit(TOPIC, 0, many(lake.position(TOPIC, 0), chance.randrange(1, 9)))
            said, _ = process.communicate(timeout=30)
            assert b"lost it" in said
        assert not overlapping(lake)
        lake.release(TOPIC, 0)
    assert lake.check() == []
