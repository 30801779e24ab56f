"""Whatever is done to the lake's files is detected and the file named (`python -m benchmarks.forgery` does more)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.lake import MANIFEST, SEGMENT_FILES
from ingest.seal.segment_seal import SEAL
from tests.ingest.sealed_lake import ATTACKS, WITH_THE_KEY, Attack, Insider, cuts, flips, make_lake

SMALL = 300
SAMPLED = 120


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pristine")
    make_lake(folder)
    return folder


@pytest.fixture
def insider(tmp_path: Path) -> Insider:
    insider = Insider(make_lake(tmp_path))
    assert insider.verified().damages == []
    return insider


@pytest.mark.parametrize("attack", ATTACKS + WITH_THE_KEY, ids=lambda attack: attack.name)
def test_an_attack_is_caught_and_what_it_touched_is_named(attack: Attack, pristine: Path, tmp_path: Path) -> None:
    assert attack.caught(pristine, tmp_path / "scratch")


@pytest.mark.parametrize("name", [*SEGMENT_FILES, MANIFEST, SEAL])
def test_any_byte_changed_is_caught_and_the_file_is_named(insider: Insider, name: str) -> None:
    """Every byte of the small files of a segment, both ends and a sample of the middle of the others."""
    path = insider.folders[1] / name
    size = path.stat().st_size
    most = size if size <= SMALL or name == MANIFEST else SAMPLED
    caught = list(flips(insider, [path], most))
    assert len(caught) == most and all(named for _, named in caught)
    assert insider.verified().damages == []


def test_a_byte_changed_anywhere_else_is_caught_too(insider: Insider) -> None:
    files = [path for path in insider.files() if path.parent != insider.folders[1]]
    caught = list(flips(insider, files, 12))
    assert len({path for path, _ in caught}) == len(files) == 33 and all(named for _, named in caught)


def test_a_file_cut_short_or_made_longer_is_caught(insider: Insider) -> None:
    caught = list(cuts(insider, insider.files(), 8))
    assert len({path for path, _ in caught}) == 41 and all(named for _, named in caught)
    assert insider.verified().damages == []
