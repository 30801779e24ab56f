"""What lies beside the partitions, the quality results, is sealed as the segments are."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.lake import Lake
from ingest.quality.results import Results
from ingest.seal.beside import seal_of, seal_path, verify_beside
from ingest.seal.signer import LakeKeys, new_key, read_key
from ingest.seal.verify import verify_lake
from schemas.quality import DayResult, SegmentResult
from tests.ingest.sealed_lake import TOPIC, Insider, cuts, flips, make_lake


@pytest.fixture
def insider(tmp_path: Path) -> Insider:
    lake = make_lake(tmp_path)
    results = Results(lake, TOPIC)
    with results.owned():
        results.settle(6)
        document = {"format": 1, "made_from": [], "failures": []}
        results.write_segment(0, SegmentResult(0, 39, 1), document, {"tables": {}})
        results.write_day(DayResult("2026-11-17", 1), {**document, "day": "2026-11-17"})
    insider = Insider(lake)
    assert insider.verified().damages == []
    return insider


def results_of(insider: Insider) -> list[Path]:
    return [path for path in insider.files() if "quality" in path.parts]


def test_any_byte_changed_cut_or_added_is_caught(insider: Insider) -> None:
    """Every byte of every result and of every seal; where the seal was touched, it or its file is named."""
    files, keys = results_of(insider), insider.lake.keys()
    assert len(files) == 8  # settings, a segment's, what it carries, a day's, and the seal of each
    for path in files:
        data = path.read_bytes()
        changes = [data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :] for at in range(len(data))]
        for changed in [*changes, *(data[:length] for length in range(0, len(data), 7)), data + b"\n"]:
            path.write_bytes(changed)
            named = {damage.path for damage in verify_beside(insider.lake, keys)}
            assert named & {path, path.with_name(path.name.removesuffix(".seal"))}, path
        path.write_bytes(data)
    assert insider.verified().damages == []


def test_what_was_moved_removed_planted_or_sealed_by_another_is_caught(insider: Insider) -> None:
    lake = insider.lake
    (day,) = (lake.root / TOPIC / "quality" / "days").glob("*.json")

    def named() -> set[str]:
        return {damage.path.name for damage in verify_lake(lake, lake.keys()).damages}

    data, seal = day.read_bytes(), seal_path(day).read_bytes()
    other = day.with_name("2026-11-18.json")  # another day's result, with its own seal
    other.write_bytes(data)
    seal_path(other).write_bytes(seal)
    assert named() == {"2026-11-18.json"}
    other.unlink()
    seal_path(other).unlink()
    day.unlink()
    assert named() == {day.name}
    day.write_bytes(data)
    seal_path(day).unlink()
    assert named() == {day.name}
    day.write_bytes(data.replace(b'"failures":[]', b'"failures":[1]'))
    seal_path(day).write_bytes(seal_of(lake, day, day.read_bytes(), new_key(lake.keys().name)))
    assert named() == {seal_path(day).name}
    seal_path(day).write_bytes(seal_of(lake, day, day.read_bytes(), read_key(lake.key_path)))
    assert named() == set()  # whoever has the key can make any; it is made from the segments, and can be made again


def test_what_a_killed_check_left_is_nobodys(insider: Insider) -> None:
    folder = insider.lake.root / TOPIC / "quality" / "days"
    (folder / ".writing-2026-11-18.json-0badcafe").write_bytes(b"half")
    assert insider.verified().damages == []


def test_the_kinds_of_attack_on_files_reach_results_too(insider: Insider) -> None:
    files = [path for path in results_of(insider) if not path.name.endswith(".seal")]
    assert all(named for _, named in [*flips(insider, files, 4), *cuts(insider, files, 3)])


def test_a_lake_without_results_has_nothing_to_say(tmp_path: Path) -> None:
    lake = Lake(tmp_path / "lake")
    assert verify_lake(lake, LakeKeys.of(new_key())).damages == []
