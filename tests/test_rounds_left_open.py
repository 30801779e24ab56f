"""A round whose `round.closed` never comes is judged all the same: at the end of its table's day at the latest."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from console.home import TOPIC
from console.open_rounds import open_rounds
from ingest.lake import Lake
from ingest.log import partition_of
from ingest.worker import Worker
from replay.stream import Replay
from tests.attested_scene import TABLE, Scene


class Left:
    """A table's day whose last round is not closed."""

    def __init__(self, folder: Path) -> None:
        self.scene = Scene(folder)
        bodies = self.scene.bodies
        self.closing = max(at for at, body in enumerate(bodies) if body["type"].endswith("round.closed.v1"))
        self.round = bodies[self.closing]["subject"]
        self.opened = next(body for body in bodies if body.get("subject") == self.round)

    def without(self) -> None:
        """The controller never says it: the chain is whole, and the table event comes next."""
        del self.scene.bodies[self.closing]
        for body in self.scene.bodies[self.closing :]:
            body["seq"] -= 1


@pytest.mark.parametrize("cut", [50_000, 3])
@pytest.mark.parametrize("anew", [False, True])
def test_a_round_that_was_never_closed_is_judged_when_its_table_closes_or_opens_anew(
    tmp_path: Path, cut: int, anew: bool
) -> None:
    left = Left(tmp_path)
    left.without()
    if anew:
        opening = next(body for body in left.scene.bodies if body["type"].endswith("table.opened.v1"))
        closing = next(at for at, body in enumerate(left.scene.bodies) if body["type"].endswith("table.closed.v1"))
        left.scene.bodies[closing:] = [{**opening, "seq": closing, "time": left.scene.bodies[closing]["time"]}]
    left.scene.append(*left.scene.honest())
    left.scene.run(cut)
    assert left.scene.versions(left.round) == [(1, "differs", True)]
    assert left.scene.codes() == ["ROUND-001"]
    assert open_rounds(Lake(tmp_path / "lake")) == []


def test_a_round_whose_closing_was_lost_cannot_be_told(tmp_path: Path) -> None:
    left = Left(tmp_path)
    raws = left.scene.honest()
    lost = raws.pop(left.closing)
    left.scene.append(*raws)
    left.scene.run()
    assert left.scene.versions(left.round) == [(1, "cannot_tell", False)]
    assert left.scene.codes() == ["GATE-003"]
    left.scene.append(lost)
    left.scene.run()
    assert left.scene.versions(left.round) == [(1, "cannot_tell", False), (2, "verified", True)]


@pytest.mark.parametrize("cut", [50_000, 3])
def test_a_round_at_a_table_that_says_nothing_more_is_open_since(tmp_path: Path, cut: int) -> None:
    left = Left(tmp_path)
    left.scene.append(*left.scene.honest(left.closing))
    left.scene.run(cut)
    assert left.scene.versions(left.round) == []
    since = datetime.fromisoformat(left.opened["time"])
    assert open_rounds(Lake(tmp_path / "lake")) == [{"table": TABLE, "round": left.round, "opened_at": since}]
    left.scene.append(*left.scene.honest())
    left.scene.run(cut)
    assert left.scene.versions(left.round) == [(1, "verified", True)]
    assert open_rounds(Lake(tmp_path / "lake")) == []


def test_rounds_of_segments_without_a_state_are_known_too(tmp_path: Path) -> None:
    """Beside a worker that goes on, which leaves a state once a minute."""
    left = Left(tmp_path)
    left.scene.append(*left.scene.honest(left.closing))
    log, lake, day = left.scene.day.log(), Lake(tmp_path / "lake"), left.scene.day
    with Worker(log, lake, TOPIC, partition_of(TABLE, day.partitions), day.keys, Replay, read_records=50) as worker:
        seen: set[str] = set()
        found: list[dict[str, Any]] | None = None
        while worker.take_next():
            worker.cut()
            found = open_rounds(lake)
            assert found is not None
            seen |= {one["round"] for one in found}
        assert lake.newest_state(TOPIC, partition_of(TABLE, day.partitions)) is None
        assert len(seen) > 1 and found is not None and [one["round"] for one in found] == [left.round]
    log.close()


@pytest.mark.parametrize("cut", [50_000, 1])
def test_a_forged_closing_of_the_table_ends_no_round_for_good(tmp_path: Path, cut: int) -> None:
    left = Left(tmp_path)
    before = left.scene.honest(left.closing)
    forged = left.scene.said("table.closed", left.closing, None, {"gaming_day": "2026-11-17"}, before[-1])
    left.scene.append(*before, forged, *left.scene.honest())
    left.scene.run(cut)
    assert left.scene.versions(left.round) == [(1, "differs", False), (2, "verified", True)]
