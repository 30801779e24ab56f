"""Retention takes the bytes of old events away, and nothing that they proved."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from analytics.warehouse import Warehouse
from console.home import TOPIC as DAY_TOPIC
from ingest.backup import back_up, restore
from ingest.compaction import Compaction
from ingest.lake import Lake, LakeError
from ingest.retention import Retention
from ingest.seal.lake_tree import LakeTree
from ingest.seal.merkle import leaf_hashes
from ingest.seal.note import NoteError
from ingest.seal.retired import Retired, read_retired, retired_file
from ingest.seal.round_records import round_places
from ingest.seal.signer import Signer, new_key, read_key
from ingest.seal.verify import verify_lake
from ingest.simulator import default_plan, simulate, table_keys
from schemas.segments import RETIRED
from tests.gaming_day import Day
from tests.ingest import merkle_by_definition as slow
from tests.ingest.backup_killer import contents, lake_in
from tests.ingest.sealed_lake import TOPIC, Insider, bent, make_lake, positions

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2031, 1, 1, tzinfo=UTC)
ALL = 10**18


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """Segments of 40, 260, 30 and 70 records; the first two can be retired, and end within a tile of 256."""
    return make_lake(tmp_path)


def retire(lake: Lake, archive: Path | None = None, before_us: int = ALL, topic: str = TOPIC) -> int:
    with Retention(lake, topic, 0) as retention:
        found = retention.old(before_us)
        for old in found:
            retention.retire(old, archive, "filed policy 7.2", NOW)
    return len(found)


def bring_back(lake: Lake, archive: Path, topic: str = TOPIC) -> int:
    with Retention(lake, topic, 0) as retention:
        return sum(retention.bring_back(segment, archive) is not None for segment in retention.retired())


def tree_of(lake: Lake) -> LakeTree:
    return LakeTree(lake, TOPIC, 0, lake.keys())


def proofs(lake: Lake) -> list[bytes]:
    """Of every record that is never retired here, and of growth from every checkpoint there is."""
    tree = tree_of(lake)
    included = [tree.prove_record(offset)[1].encoded() for offset in range(300, 400, 3)]
    return included + [tree.prove_growth(size).encoded() for size in (1, 39, 40, 255, 257, 299, 300, 330, 400)]


def test_what_was_proved_stays_proved_and_the_lake_is_intact(lake: Lake, tmp_path: Path) -> None:
    records = [
        raw for s in lake.segments(TOPIC, 0) for raw in pq.read_table(s.path / "events.parquet")["raw"].to_pylist()
    ]
    before = proofs(lake)
    assert retire(lake) == 2
    assert proofs(Lake(lake.root)) == before
    verified = verify_lake(lake, lake.keys())
    assert (verified.damages, verified.retired, verified.retired_records) == ([], 2, 300)
    assert (verified.records, verified.checkpoints) == (460, 5)
    assert lake.check() == []
    tree = tree_of(lake)
    assert all(tree.root(size) == slow.mth(records[:size]) for size in (1, 40, 41, 256, 300, 400))
    for segment in lake.segments(TOPIC, 0)[:2]:
        assert sorted(path.name for path in segment.path.iterdir()) == [
            "checkpoints", "findings.parquet", "manifest.json", "retired", "rounds.parquet", "seal", "state.json",
            "tree.hashes",
        ]  # fmt: skip
        said = read_retired(segment.path)
        assert said is not None and (said.when, said.why) == ("2031-01-01T00:00:00+00:00", "filed policy 7.2")
        assert said.leaves() == leaf_hashes(records[segment.first : segment.last + 1])
    with pytest.raises(LakeError, match=r"record 7 was retired \(2031-01-01.*filed policy 7\.2\).*--bring-back"):
        tree.prove_record(7)
    with pytest.raises(LakeError, match="its events were retired, and may hold some of the round"):
        round_places(lake, TOPIC, "PG-07", "000001")
    assert retire(lake) == 0  # once


def test_from_an_archive_everything_comes_back_byte_for_byte(lake: Lake, tmp_path: Path) -> None:
    before, archive = contents(tmp_path), tmp_path.parent / f"{tmp_path.name}-archive"
    sizes = {segment.path.name: (segment.path / "events.parquet").stat().st_size for segment in lake.segments(TOPIC, 0)}
    retire(lake, archive)
    kept = {path.parent.name: path.stat().st_size for path in archive.rglob("events.parquet")}
    assert kept == dict(list(sizes.items())[:2])
    assert bring_back(lake, tmp_path / "nowhere") == 0
    assert bring_back(lake, archive) == 2
    assert contents(tmp_path) == before
    retire(lake, archive)  # again, into an archive that has them
    (path, *_) = archive.rglob("events.parquet")
    path.write_bytes(bent(path.read_bytes(), 100, 1))
    with pytest.raises(LakeError, match="is not the file that was sealed; nothing was brought back"):
        bring_back(lake, archive)
    assert verify_lake(lake, lake.keys()).damages == []


def test_only_what_is_old_enough_goes_and_never_the_newest(lake: Lake) -> None:
    with Retention(lake, TOPIC, 0) as retention:
        assert [old.segment.last for old in retention.old(39)] == []  # the record of microsecond 39 is not older
        assert [old.segment.last for old in retention.old(40)] == [39]
        assert [(old.segment.last, old.records) for old in retention.old(ALL)] == [(39, 40), (299, 260)]
    with Retention(lake, TOPIC, 1) as retention:
        assert retention.old(ALL) == []  # there is only one segment


def test_a_damaged_segment_is_not_retired(lake: Lake, tmp_path: Path) -> None:
    path = lake.segments(TOPIC, 0)[0].path / "rounds.parquet"
    path.write_bytes(bent(path.read_bytes(), 50, 1))
    with pytest.raises(LakeError, match=r"rounds\.parquet: was changed.*nothing was done"):
        retire(lake, tmp_path / "archive")
    assert not (tmp_path / "archive").exists() and (path.parent / "events.parquet").exists()


def test_an_archive_inside_the_lake_or_with_another_file_is_refused(lake: Lake, tmp_path: Path) -> None:
    with pytest.raises(LakeError, match="is inside the lake"):
        retire(lake, lake.root / "archive")
    name = lake.segments(TOPIC, 0)[0].path.name
    other = tmp_path / "archive" / TOPIC / "0" / name / "events.parquet"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"something else")
    with pytest.raises(LakeError, match="is not the file that was sealed: nothing was retired"):
        retire(lake, tmp_path / "archive")
    assert verify_lake(lake, lake.keys()).retired == 0


# --- forging ----------------------------------------------------------------------------------------------------------


def test_any_byte_of_the_note_or_its_hashes_changed_is_caught(lake: Lake) -> None:
    retire(lake)
    insider = Insider(lake)
    path = insider.folders[0] / RETIRED
    data = path.read_bytes()
    for at in positions(len(data), 400):
        path.write_bytes(bent(data, at, at % 8))
        assert insider.named(path), at
    for length in positions(len(data), 40):
        path.write_bytes(data[:length])
        assert insider.named(path), length
    path.write_bytes(data + b"\0")
    assert insider.named(path)
    path.write_bytes(data)
    assert insider.verified().damages == []


def _forged(
    signer_of: Callable[[Lake], Signer], change: Callable[[list[bytes]], list[bytes]]
) -> Callable[[Lake], Path]:
    def forge(lake: Lake) -> Path:
        segment = lake.segments(TOPIC, 0)[1]
        raws = pq.read_table(segment.path / "events.parquet", partitioning=None)["raw"].to_pylist()
        manifest = (segment.path / "manifest.json").read_bytes()
        origin = lake.keys().origin(TOPIC, 0)
        data = retired_file(manifest, segment.path.name, change(leaf_hashes(raws)), origin, signer_of(lake), "t", "y")
        (segment.path / RETIRED).write_bytes(data)
        (segment.path / "events.parquet").unlink()
        return segment.path

    return forge


def _own(lake: Lake) -> Signer:
    return read_key(lake.key_path)


@pytest.mark.parametrize(
    "forge",
    [
        _forged(lambda lake: new_key(lake.keys().name), lambda leaves: leaves),  # not the lake's key
        _forged(_own, lambda leaves: [leaves[1], leaves[0], *leaves[2:]]),  # the lake's key, other hashes
        _forged(_own, lambda leaves: leaves[:-1]),
    ],
    ids=["another key", "hashes exchanged", "a hash less"],
)
def test_events_cannot_be_made_away_with(lake: Lake, forge: Callable[[Lake], Path]) -> None:
    folder = forge(lake)
    damages = verify_lake(lake, lake.keys()).damages
    assert any(damage.path == folder / RETIRED for damage in damages)


def test_the_note_of_another_segment_does_not_do(lake: Lake) -> None:
    retire(lake, before_us=40)
    first, second = (segment.path for segment in lake.segments(TOPIC, 0)[:2])
    shutil.copy(first / RETIRED, second / RETIRED)
    (second / "events.parquet").unlink()
    assert any(damage.path == second / RETIRED for damage in verify_lake(lake, lake.keys()).damages)
    (second / RETIRED).unlink()
    assert any(damage.path == second / "events.parquet" for damage in verify_lake(lake, lake.keys()).damages)


def test_what_is_not_such_a_note_says_so() -> None:
    with pytest.raises(NoteError):
        Retired.parse(b"")
    with pytest.raises(NoteError, match="one line of text"):
        retired_file(b"", "x", [], "o", new_key(), "t", "two\nlines")


# --- beside everything else -------------------------------------------------------------------------------------------


def test_verdicts_findings_workers_compaction_and_backups_go_on(tmp_path: Path) -> None:
    plan = default_plan(seed=6, tables=2, rounds=16, gaming_day=date(2026, 11, 17))
    home = tmp_path / "home"
    day = Day(home, partitions=1)
    home.mkdir()
    for table_id, public in table_keys(plan).items():
        day.keys.register(table_id, public)
    records = list(simulate(plan))
    day.append(records[:-100])
    day.run(segment_records=100)
    lake = lake_in(home)
    views = ("rounds", "findings", "wagers", "settlements")

    def answers(lake: Lake) -> list[list[dict[str, object]]]:
        with Warehouse(lake.root) as warehouse:
            return [warehouse.rows(f"SELECT * FROM {view} ORDER BY ALL") for view in views]

    before, full = answers(lake), contents(home)
    with Retention(lake, DAY_TOPIC, 0) as retention:
        first, second, *_ = retention.old(ALL)
        for old in (first, second):
            retention.retire(old, tmp_path / "archive", "policy", NOW)
    assert answers(lake) == before
    with Warehouse(lake.root) as warehouse:
        (count,) = warehouse.rows("SELECT count(*) AS n FROM records")
    assert count["n"] == len(records) - 100 - 200
    with Compaction(lake, DAY_TOPIC, 0) as compaction:
        runs = compaction.runs(behind_hours=0)
        assert runs and all(looked.segment.first >= 200 for run in runs for looked in run)
        for run in runs:
            compaction.merge(run)
        assert Retention(lake, DAY_TOPIC, 0).old(ALL) == []  # what is replaced still waits beside what replaced it
        compaction.remove_replaced(grace_hours=0)
    assert answers(lake) == before and verify_lake(lake, lake.keys()).damages == []
    back_up(home, lake, 1, tmp_path / "backup")
    restored = restore(tmp_path / "backup", tmp_path / "again", lake_in)
    assert restored.seal_checked and contents(tmp_path / "again") == contents(home) != full
    day.append(records[-100:])
    day.run(segment_records=100)
    verified = verify_lake(lake, lake.keys())
    assert verified.damages == [] and verified.retired == 2 and verified.records == len(records)
    assert bring_back(lake, tmp_path / "archive", DAY_TOPIC) == 2
    assert verify_lake(lake, lake.keys()).retired == 0


def test_a_backup_never_has_less_than_it_could(tmp_path: Path) -> None:
    """Retired after a backup, the copy keeps the events; brought back after one, the next has them again."""
    home = tmp_path / "home"
    lake = make_lake(home)
    full = contents(home)
    for backup, moments in (("before", (0, 1)), ("after", (1, 2))):
        for moment in range(3):
            if moment in moments:
                back_up(home, lake, None, tmp_path / backup)
            if moment == 0:
                retire(lake, tmp_path / "archive")
            if moment == 1:
                retired = contents(home)
                bring_back(lake, tmp_path / "archive")
        restore(tmp_path / backup, tmp_path / f"{backup}-again", lake_in)
        assert contents(tmp_path / f"{backup}-again") == full != retired


def test_killed_anywhere_the_lake_is_intact_and_the_work_can_be_done_again(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.ingest.retention_killer", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    retiring, bringing = map(int, done.stdout.split())
    assert retiring >= 10 and bringing >= 6, done.stdout
