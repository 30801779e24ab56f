"""The lake: segments written whole or not at all, and found again."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.gate.gate import Gate
from ingest.lake import EVENTS_SCHEMA, SEGMENT_FILES, Lake, LakeError, SegmentContent, events_table
from ingest.log import LogRecord
from schemas.findings import findings_table
from tests.ingest.device import TableDevice, interleaved
from tests.ingest.files_of_lake import tree
from tests.ingest.key_rings import MemoryKeys
from tests.ingest.log_contract import REPOSITORY, TOPIC


class Filler:
    """Makes segments of two tables' rounds, one after the other."""

    def __init__(self, rounds: int = 12) -> None:
        devices = [TableDevice(table_id, signs=False) for table_id in ("PG-07", "PG-08")]
        self.said = {device.table_id: device.rounds(rounds) for device in devices}
        self.records = [LogRecord(n, n, key, raw) for n, (key, raw) in enumerate(interleaved(self.said))]
        self.gate = Gate(MemoryKeys())
        self.position = 0

    def next(self, count: int) -> SegmentContent:
        first = self.position
        for record in self.records[first : first + count]:
            self.gate.admit(record)
        rows = self.gate.take_rows()
        self.position += len(rows)
        return SegmentContent(
            first,
            self.position - 1,
            events_table(rows),
            pa.table({"round_id": pa.array([str(first)])}),
            findings_table(self.gate.take_findings()),
            {"format": 1, "gate": self.gate.state(), "replay": {"seen": self.position}},
            self.gate.top_seqs(),
        )


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[Lake]:
    lake = Lake(tmp_path / "lake")
    lake.own(TOPIC, 0)
    yield lake
    lake.release(TOPIC, 0)


def fill(lake: Lake, *counts: int, filler: Filler | None = None) -> Filler:
    filler = filler or Filler()
    for count in counts:
        lake.commit(TOPIC, 0, filler.next(count))
    return filler


def test_a_segment_holds_every_record_and_says_so(lake: Lake) -> None:
    assert (lake.position(TOPIC, 0), lake.last(TOPIC, 0), lake.segments(TOPIC, 5)) == (0, None, [])
    filler = fill(lake, 40, 60)
    assert [segment.path.name for segment in lake.segments(TOPIC, 0)] == [
        "00000000000000000000-00000000000000000039",
        "00000000000000000040-00000000000000000099",
    ]
    assert lake.position(TOPIC, 0) == 100
    first, second = lake.segments(TOPIC, 0)
    assert {path.name for path in second.path.iterdir()} == {*SEGMENT_FILES, "manifest.json", "seal"}
    events = pq.read_table(second.path / "events.parquet", partitioning=None)
    assert events.schema.equals(EVENTS_SCHEMA)
    assert events["offset"].to_pylist() == list(range(40, 100))
    assert events["raw"].to_pylist() == [record.value for record in filler.records[40:100]]
    manifest = lake.manifest(second)
    assert manifest["counts"] == {"cannot_judge": 0, "findings": 0, "records": 60, "recorded": 60, "rounds": 1}
    assert (manifest["first_offset"], manifest["last_offset"]) == (40, 99)
    assert manifest["previous"] is not None and lake.manifest(first)["previous"] is None
    assert lake.state(second)["replay"] == {"seen": 100}
    assert (lake.topics(), lake.partitions(TOPIC), lake.check()) == ([TOPIC], [0], [])


def test_the_same_records_give_the_same_bytes(tmp_path: Path) -> None:
    trees = []
    for name in ("a", "b"):
        lake = Lake(tmp_path / name)
        lake.own(TOPIC, 0)
        fill(lake, 30, 30, 30)
        lake.release(TOPIC, 0)
        trees.append(tree(tmp_path / name))
    assert trees[0] == trees[1] and len(trees[0]) == 24


def test_segments_must_follow_each_other_and_be_owned(lake: Lake, tmp_path: Path) -> None:
    filler = fill(lake, 10)
    skipped = filler.next(5)
    wrong = filler.next(5)
    with pytest.raises(LakeError, match="the next segment begins at 10, not at 15"):
        lake.commit(TOPIC, 0, wrong)
    with pytest.raises(LakeError, match="is not owned by this process"):
        Lake(tmp_path / "lake").commit(TOPIC, 0, skipped)
    lake.commit(TOPIC, 0, skipped)


def test_two_owners_are_refused_and_the_first_is_named(lake: Lake, tmp_path: Path) -> None:
    with pytest.raises(LakeError, match=rf"another worker \(process {os.getpid()}\) owns this part of the lake"):
        Lake(tmp_path / "lake").own(TOPIC, 0)
    other = Lake(tmp_path / "lake")
    other.own(TOPIC, 1)  # another partition may have another owner
    other.release(TOPIC, 1)
    lake.release(TOPIC, 0)
    other.own(TOPIC, 0)
    other.release(TOPIC, 0)
    lake.own(TOPIC, 0)


def test_what_a_crash_left_half_written_is_removed_by_the_next_owner(lake: Lake, tmp_path: Path) -> None:
    fill(lake, 10)
    lake.release(TOPIC, 0)
    leftover = tmp_path / "lake" / TOPIC / "0" / ".writing-00000000000000000010-00000000000000000019"
    leftover.mkdir()
    (leftover / "events.parquet").write_bytes(b"half")
    (leftover.parent / ".writing-settings.json").write_bytes(b"{")
    assert len(lake.segments(TOPIC, 0)) == 1 and lake.check() == []
    lake.own(TOPIC, 0)
    assert not list(leftover.parent.glob(".writing-*"))


# --- the disk fails ---------------------------------------------------------------------------------------------------


def _failing(real: Callable[..., Any], turn: int, code: int, counted: list[int]) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        counted[0] += 1
        if counted[0] == turn:
            raise OSError(code, os.strerror(code))
        return real(*arguments, **named)

    return call


@pytest.mark.parametrize(("step", "times"), [("mkdir", 1), ("write", 8), ("fsync", 10), ("rename", 1), ("open", 10)])
def test_an_error_of_the_disk_at_any_step_changes_nothing(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, times: int
) -> None:
    filler = fill(lake, 20)
    before = tree(tmp_path / "lake")
    content = filler.next(20)
    for turn in range(1, times + 1):
        counted = [0]
        with monkeypatch.context() as patched:
            patched.setattr(f"ingest.lake.os.{step}", _failing(getattr(os, step), turn, errno.ENOSPC, counted))
            with pytest.raises(LakeError, match=r"could not be written: .*No space left on device.*then run again"):
                lake.commit(TOPIC, 0, content)
        assert counted[0] >= turn
        after = tree(tmp_path / "lake")
        if (step, turn) in (("fsync", 10), ("open", 10)):  # after the rename: the segment is there, and whole
            assert len(after) == 16 and lake.check() == []
            break
        assert after == before
        assert not list((tmp_path / "lake").rglob(".writing-*"))
    else:
        lake.commit(TOPIC, 0, content)
    fill(lake, 20, filler=filler)
    assert lake.check() == [] and lake.position(TOPIC, 0) == 60


def test_no_step_was_forgotten(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers in the test above are all the calls a commit makes, in the order the module says."""
    calls: list[str] = []
    filler = fill(lake, 20)
    content = filler.next(20)
    for step in ("mkdir", "write", "fsync", "rename", "open"):
        real = getattr(os, step)

        def noted(*arguments: Any, step: str = step, real: Callable[..., Any] = real, **named: Any) -> Any:
            calls.append(step)
            return real(*arguments, **named)

        monkeypatch.setattr(f"ingest.lake.os.{step}", noted)
    lake.commit(TOPIC, 0, content)
    written, synced = ["open", "write"] * 8, ["fsync"] * 8
    assert calls == ["mkdir", *written, *synced, "open", "fsync", "rename", "open", "fsync"]


def test_a_disk_too_full_even_to_clean_up_is_left_to_the_next_owner(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filler = fill(lake, 20)
    content = filler.next(20)
    with monkeypatch.context() as patched:
        patched.setattr("ingest.lake.os.fsync", _failing(os.fsync, 3, errno.EIO, [0]))
        patched.setattr("ingest.lake.shutil.rmtree", lambda path, ignore_errors: None)
        with pytest.raises(LakeError, match="Input/output error"):
            lake.commit(TOPIC, 0, content)
    assert list((tmp_path / "lake").rglob(".writing-*"))
    lake.release(TOPIC, 0)
    lake.own(TOPIC, 0)
    lake.commit(TOPIC, 0, content)
    assert lake.check() == []


def test_a_limit_on_the_size_of_files_is_an_error_like_any_other(tmp_path: Path) -> None:
    """No patches: the kernel itself refuses the write."""
    code = (
        "import resource, sys\n"
        "from ingest.lake import Lake, LakeError\n"
        "from tests.ingest.test_lake import Filler, fill\n"
        "lake = Lake(sys.argv[1]); lake.own('events', 0); filler = fill(lake, 20)\n"
        "content = filler.next(60)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))\n"
        "try: lake.commit('events', 0, content)\n"
        "except LakeError as error: print(error)\n"
        "assert lake.check() == [] and lake.position('events', 0) == 20\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
        "lake.commit('events', 0, content)\n"
        "assert lake.check() == [] and lake.position('events', 0) == 80\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "lake")],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "File too large" in done.stdout and "then run again" in done.stdout


def test_a_lake_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "lake").write_text("a file where the folder should be")
    with pytest.raises(LakeError, match="the lake cannot be written"):
        Lake(tmp_path / "lake").own(TOPIC, 0)


# --- settings ---------------------------------------------------------------------------------------------------------


def test_settings_are_settled_once(lake: Lake) -> None:
    default = {"segment_records": 50, "segment_span_us": 7}
    assert lake.settle(TOPIC, 0, {"segment_records": 20, "segment_span_us": None}, default) == {
        "segment_records": 20,
        "segment_span_us": 7,
    }
    again = lake.settle(
        TOPIC, 0, {"segment_records": None, "segment_span_us": None}, {"segment_records": 1, "segment_span_us": 1}
    )
    assert again == {"segment_records": 20, "segment_span_us": 7}
    with pytest.raises(LakeError, match=r"segment_records is 20 for this lake and 30 was asked for"):
        lake.settle(TOPIC, 0, {"segment_records": 30, "segment_span_us": None}, default)
    assert sorted(path.name for path in (lake.root / TOPIC).iterdir()) == ["0", "settings.json"]


# --- check ------------------------------------------------------------------------------------------------------------


def test_check_names_every_damaged_file(lake: Lake) -> None:
    fill(lake, 20, 20, 20)
    first, second, third = (segment.path for segment in lake.segments(TOPIC, 0))
    data = bytearray((first / "events.parquet").read_bytes())
    data[100] ^= 1
    (first / "events.parquet").write_bytes(data)
    (second / "rounds.parquet").write_bytes(b"short")
    (third / "findings.parquet").unlink()
    (third / "stranger.txt").write_text("?")
    damages = lake.check()
    assert len(damages) == 4
    assert f"{first / 'events.parquet'}: was changed" in damages[0]
    assert f"{second / 'rounds.parquet'}: has 5 bytes" in damages[1]
    assert f"{third / 'findings.parquet'}: cannot be read" in damages[2]
    assert f"{third / 'stranger.txt'}: does not belong there" in damages[3]


def test_check_finds_a_missing_segment_and_an_exchanged_manifest(lake: Lake) -> None:
    fill(lake, 20, 20, 20, 20)
    paths = [segment.path for segment in lake.segments(TOPIC, 0)]
    manifest = orjson.loads((paths[0] / "manifest.json").read_bytes())
    manifest["counts"]["rounds"] = 7
    (paths[0] / "manifest.json").write_bytes(orjson.dumps(manifest))
    (paths[2] / "manifest.json").write_bytes(b"{")
    damages = lake.check()
    assert [
        f"{paths[1] / 'manifest.json'}: names another manifest" in damages[0],
        "is not a manifest" in damages[1],
    ] == [
        True,
        True,
    ]
    assert len(damages) == 2
    for path in paths[1].iterdir():
        path.unlink()
    paths[1].rmdir()
    assert any(
        f"{paths[2]}: begins at offset 40, but the segments before it end at 19" in damage for damage in lake.check()
    )


def test_work_never_goes_on_from_a_damaged_state(lake: Lake) -> None:
    fill(lake, 20)
    last = lake.last(TOPIC, 0)
    assert last is not None
    state = last.path / "state.json"
    state.write_bytes(state.read_bytes().replace(b'"seen":20', b'"seen":21'))
    with pytest.raises(LakeError, match=r"state\.json is damaged"):
        lake.state(last)


def test_a_manifest_of_another_format_is_refused(lake: Lake) -> None:
    fill(lake, 20)
    last = lake.last(TOPIC, 0)
    assert last is not None
    path = last.path / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"format":3', b'"format":4'))
    with pytest.raises(LakeError, match="has format 4, and this version reads 3"):
        lake.manifest(last)


def test_a_lake_from_before_the_seal_is_refused_with_the_way_out(lake: Lake) -> None:
    """Format 1 has no seal, and none can be made up for it afterwards."""
    fill(lake, 20)
    last = lake.last(TOPIC, 0)
    assert last is not None
    path = last.path / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"format":3', b'"format":1'))
    for asked in (lake.state, lake.manifest):
        with pytest.raises(LakeError, match=r"before records were sealed.* type `muckraker run` to make it anew"):
            asked(last)
    (damage,) = lake.check()
    assert damage.startswith(f"{path}: has format 1, from before records were sealed")


# --- finding a round again --------------------------------------------------------------------------------------------


def round_bytes(
    lake: Lake, table_id: str, round_id: str, before: int, spans: list[tuple[int, int]] | None = None
) -> list[bytes]:
    return [raw for _, _, raw in lake.round_rows(TOPIC, 0, table_id, round_id, before, spans)]


def test_the_events_of_a_round_are_found_across_segments(lake: Lake) -> None:
    filler = fill(lake, *[7] * 30)
    for table_id, said in filler.said.items():
        for number in range(1, 13):
            expected = said[9 * (number - 1) : 9 * number]
            for spans in (None, [(9 * number - 9, 9 * number - 1)]):
                found = round_bytes(lake, table_id, f"{number:06d}", filler.position, spans)
                assert found == [raw for raw in expected if any(raw == record.value for record in filler.records[:210])]
    assert round_bytes(lake, "PG-07", "nowhere", 210) == []
    assert round_bytes(lake, "PG-99", "000001", 210) == []


def test_only_events_before_the_offset_count(lake: Lake) -> None:
    filler = fill(lake, *[10] * 10)
    for before in (0, 5, 10, 33, 100):
        expected = [
            record.value
            for record in filler.records[:before]
            if record.key == "PG-07" and b'"subject":"000001"' in record.value
        ]
        assert round_bytes(lake, "PG-07", "000001", before) == expected


def test_the_search_opens_only_segments_that_can_hold_the_round(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(lake, *[10] * 20)
    opened: list[str] = []
    real = pq.read_table

    def noted(path: Path, **named: Any) -> pa.Table:
        opened.append(str(path))
        return real(path, **named)

    monkeypatch.setattr("ingest.round_rows.pq.read_table", noted)
    assert len(round_bytes(lake, "PG-07", "000004", 200, [(27, 35)])) == 9
    assert len(opened) <= 4, "of 20 segments"


def test_a_damaged_segment_in_the_search_is_named(lake: Lake) -> None:
    fill(lake, 20)
    last = lake.last(TOPIC, 0)
    assert last is not None
    (last.path / "events.parquet").write_bytes(b"no parquet")
    with pytest.raises(LakeError, match=r"events\.parquet cannot be read"):
        round_bytes(lake, "PG-07", "000001", 20)
