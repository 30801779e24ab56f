"""A partition has one writer; one that hangs can be relieved of it and then commits nothing more."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from ingest.gate import RECORDED
from ingest.lake import EVENTS_SCHEMA, Lake, OwnedElsewhere, SegmentContent
from schemas.findings import findings_table

TOPIC = "events"


def content(first: int = 0) -> SegmentContent:
    row = (first, 1, "PG-01", "r", first, "t", "id", 1, "/s", RECORDED, None, bytes(32), b"{}")
    events = pa.Table.from_arrays(
        [pa.array([value], field.type) for value, field in zip(row, EVENTS_SCHEMA, strict=True)], schema=EVENTS_SCHEMA
    )
    return SegmentContent(first, first, events, pa.table({"round_id": ["r"]}), findings_table([]), {}, {"PG-01": first})


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
