"""The seal of a lake: verifying it, proving from it, going on with it, merging segments under it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.lake import Lake, LakeError, SegmentContent
from ingest.seal import lake_tree
from ingest.seal.checkpoint import SignedCheckpoint, parse_checkpoints
from ingest.seal.lake_tree import LakeTree
from ingest.seal.note import NoteError
from ingest.seal.round_records import round_places
from ingest.seal.segment_seal import CHECKPOINTS
from ingest.seal.signer import LakeKeys, new_key, read_key, read_or_make_key
from ingest.seal.verify import check_checkpoint, verify_lake
from ingest.segment_bytes import parquet_bytes
from schemas.findings import findings_table
from schemas.segments import segment_name
from tests.ingest import merkle_by_definition as slow
from tests.ingest.sealed_lake import TOPIC, Insider, another_record, fill_partition, make_lake, rewrite_all


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return make_lake(tmp_path)


def raws(lake: Lake, partition: int = 0) -> list[bytes]:
    tables = [
        pq.read_table(segment.path / "events.parquet", partitioning=None) for segment in lake.segments(TOPIC, partition)
    ]
    found: list[bytes] = pa.concat_tables(tables)["raw"].to_pylist()
    return found


def tree_of(lake: Lake, partition: int = 0) -> LakeTree:
    return LakeTree(lake, TOPIC, partition, lake.keys())


def test_every_checkpoint_is_of_the_records_so_far(lake: Lake) -> None:
    """The roots against RFC 6962's own definition, over what the files hold."""
    records = raws(lake)
    sizes = []
    for segment in lake.segments(TOPIC, 0):
        (signed,) = parse_checkpoints((segment.path / CHECKPOINTS).read_bytes())
        signed.verify([lake.keys().verifier(TOPIC, 0)])
        said = signed.checkpoint
        assert said.root == slow.mth(records[: said.size]) and said.origin == f"{lake.keys().name}/events/0"
        sizes.append(said.size)
    assert sizes == [40, 300, 330, 400]
    verified = verify_lake(lake, lake.keys())
    assert (verified.segments, verified.records, verified.checkpoints, verified.damages) == (5, 460, 5, [])


def test_an_empty_lake_is_intact(tmp_path: Path) -> None:
    lake = Lake(tmp_path / "lake")
    assert verify_lake(lake, LakeKeys.of(new_key())).damages == []
    lake.own(TOPIC, 0)
    lake.release(TOPIC, 0)
    assert verify_lake(lake, LakeKeys.of(new_key())).damages == []
    assert not (tmp_path / "seal").exists()  # a key is made with the first segment, not before


def test_a_lake_may_begin_at_any_offset(tmp_path: Path) -> None:
    """Leaf 0 is the lake's first record, whatever its offset in the log."""
    whole = make_lake(tmp_path / "whole")
    late = Lake(tmp_path / "late" / "lake")
    late.own(TOPIC, 0)
    events = pq.read_table(whole.segments(TOPIC, 0)[2].path / "events.parquet", partitioning=None)
    tops = {"PG-07": 999, "PG-08": 999}
    late.commit(TOPIC, 0, SegmentContent(300, 329, events, pa.table({}), findings_table([]), {}, tops))
    late.release(TOPIC, 0)
    assert verify_lake(late, late.keys()).damages == []
    tree = tree_of(late)
    record, proof = tree.prove_record(305)
    assert (proof.index, tree.size, tree.first_offset) == (5, 30, 300) and proof.shows(record)
    with pytest.raises(LakeError, match="record 299 is not among those of the checkpoint, 300 to 329"):
        tree.prove_record(299)


# --- proofs -----------------------------------------------------------------------------------------------------------


def test_every_record_can_be_proved_against_every_checkpoint_after_it(lake: Lake) -> None:
    records = raws(lake)
    tree = tree_of(lake)
    checkpoints = [tree.checkpoints(position)[0] for position in range(4)]
    for offset in (0, 1, 39, 40, 255, 256, 257, 299, 300, 329, 330, 399):
        for signed in checkpoints:
            size = signed.checkpoint.size
            if offset >= size:
                with pytest.raises(LakeError, match="is not among those of the checkpoint"):
                    tree.prove_record(offset, signed)
                continue
            record, proof = tree.prove_record(offset, signed)
            assert record == records[offset]
            assert list(proof.hashes) == slow.path(offset, records[:size])


def test_growth_is_proved_between_any_two_sizes(lake: Lake) -> None:
    records = raws(lake)
    tree = tree_of(lake)
    for old in (0, 1, 40, 255, 256, 257, 300, 330, 399, 400):
        growth = tree.prove_growth(old)
        assert list(growth.hashes) == ([] if old in (0, 400) else slow.proof(old, records))
    with pytest.raises(LakeError, match="was rolled back: a checkpoint of 401 records was signed"):
        tree.prove_growth(401)
    with pytest.raises(LakeError, match="does not go on from the checkpoint of 300 records"):
        tree.prove_growth(300, slow.mth(records[:299]))


def test_no_proof_is_made_of_a_record_that_was_changed(lake: Lake) -> None:
    folder = lake.segments(TOPIC, 0)[1].path
    rewrite = pq.read_table(folder / "events.parquet", partitioning=None)
    (folder / "events.parquet").write_bytes(parquet_bytes(another_record(rewrite)))
    with pytest.raises(LakeError, match=r"record 40 is not what was sealed.*muckraker verify"):
        tree_of(lake).prove_record(40)
    damages = verify_lake(lake, lake.keys()).damages
    assert {str(damage.path.relative_to(folder)) for damage in damages} == {"events.parquet"}
    assert any("records 40 to 255 are not those that were sealed" in damage.what for damage in damages)


def test_a_long_record_is_proved_from_few_hashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof rereads two tiles of records at most, however long the record is."""
    lake = Lake(tmp_path / "lake")
    fill_partition(lake, 0, [500] * 8, ("PG-07",), rounds=450)
    read: list[int] = []
    real = lake_tree.raw_records

    def counted(path: Path, start: int, end: int) -> list[bytes]:
        read.append(end - start)
        return real(path, start, end)

    monkeypatch.setattr(lake_tree, "raw_records", counted)
    tree = tree_of(lake)
    for offset in (0, 1234, 3999):
        read.clear()
        record, proof = tree.prove_record(offset)
        assert proof.shows(record) and sum(read) <= 3 * 256


def test_the_events_of_a_round_are_found_with_what_the_table_said_between_them(lake: Lake) -> None:
    found = round_places(lake, TOPIC, "PG-07", "000003")
    assert found is not None
    partition, places = found
    records = raws(lake)
    assert partition == 0 and len(places) == 9
    for place in places:
        assert (
            f'"seq":{place.seq},'.encode() in records[place.offset] and b'"subject":"000003"' in records[place.offset]
        )
    assert [place.seq for place in places] == list(range(places[0].seq, places[0].seq + 9))
    assert round_places(lake, TOPIC, "PG-07", "nowhere") is None and round_places(lake, TOPIC, "XX-1", "000003") is None


# --- checkpoints from elsewhere ---------------------------------------------------------------------------------------


def test_a_roll_back_is_told_by_a_checkpoint_kept_elsewhere_and_by_nothing_else(lake: Lake) -> None:
    newest = tree_of(lake).newest()
    assert check_checkpoint(lake, lake.keys(), newest) == []
    shutil.rmtree(lake.segments(TOPIC, 0)[-1].path)
    assert verify_lake(lake, lake.keys()).damages == []  # what is there is intact, and no file can say more
    (damage,) = check_checkpoint(lake, lake.keys(), newest)
    assert damage.path == lake.root / TOPIC / "0"
    assert "was rolled back: a checkpoint of 400 records was signed, and 330 are there" in damage.what
    shutil.rmtree(lake.root / TOPIC / "0")
    (damage,) = check_checkpoint(lake, lake.keys(), newest)
    assert "and 0 are there" in damage.what


def test_a_rewrite_with_the_lakes_own_key_is_told_by_a_checkpoint_kept_elsewhere(lake: Lake) -> None:
    kept = [tree_of(lake).checkpoints(position)[0] for position in range(4)]
    rewrite_all(lake, 0, read_key(lake.key_path), another_record)
    assert verify_lake(lake, lake.keys()).damages == []
    for signed in kept:
        (damage,) = check_checkpoint(lake, lake.keys(), signed)
        assert "was rewritten: its first" in damage.what


def test_a_checkpoint_of_another_lake_is_refused(lake: Lake, tmp_path: Path) -> None:
    other = make_lake(tmp_path / "other")
    with pytest.raises(NoteError, match="and this lake's are muckraker/"):
        check_checkpoint(lake, lake.keys(), tree_of(other).newest())
    forged = new_key(lake.keys().name)
    rewrite_all(other, 0, forged, another_record)
    with pytest.raises(NoteError, match="and not by"):
        check_checkpoint(lake, lake.keys(), LakeTree(other, TOPIC, 0, LakeKeys.of(forged)).newest())


# --- going on ---------------------------------------------------------------------------------------------------------


def test_another_process_goes_on_with_the_tree(tmp_path: Path) -> None:
    """In one go or with a new Lake for every segment: the same bytes."""
    one = make_lake(tmp_path / "one")
    shutil.copytree(tmp_path / "one" / "seal", tmp_path / "many" / "seal")
    many = tmp_path / "many" / "lake"
    for segment in one.segments(TOPIC, 0):
        lake = Lake(many)
        lake.own(TOPIC, 0)
        lake.settle(TOPIC, 0, {"segment_records": 70}, {"segment_records": 70})
        tables = {
            name: pq.read_table(segment.path / f"{name}.parquet", partitioning=None)
            for name in ("events", "rounds", "findings")
        }
        tops = {table_id: top for table_id, (_, _, top) in one.manifest(segment)["tables"].items()}
        state = one.state(segment)
        lake.commit(TOPIC, 0, SegmentContent(segment.first, segment.last, **tables, state=state, top_seqs=tops))
        lake.release(TOPIC, 0)
        for path in segment.path.iterdir():
            assert (many / TOPIC / "0" / segment.path.name / path.name).read_bytes() == path.read_bytes(), path.name


def _go_on(lake: Lake) -> None:
    lake.own(TOPIC, 0)
    try:
        assert lake.newest_state(TOPIC, 0) is not None
    finally:
        lake.release(TOPIC, 0)


def test_nobody_goes_on_without_the_key_or_with_another(lake: Lake) -> None:
    _go_on(Lake(lake.root))
    kept = lake.key_path.read_bytes()
    lake.key_path.unlink()
    with pytest.raises(LakeError, match=r"lake\.key is gone, and .* was sealed with it: restore it"):
        _go_on(Lake(lake.root))
    assert not lake.key_path.exists()  # no new one was made in its place
    read_or_make_key(lake.key_path)
    with pytest.raises(LakeError, match=r"seal: it is signed by .* and not by .*no work goes on from here"):
        _go_on(Lake(lake.root))
    lake.key_path.write_bytes(kept)
    _go_on(Lake(lake.root))


@pytest.mark.parametrize("name", ["seal", "manifest.json", "tree.hashes", "checkpoints"])
def test_nobody_goes_on_from_a_segment_that_was_touched(lake: Lake, name: str) -> None:
    path = lake.segments(TOPIC, 0)[-1].path / name
    data = path.read_bytes()
    path.write_bytes(data[:-3] + bytes([data[-3] ^ 1]) + data[-2:])
    with pytest.raises(LakeError, match=rf"{name}"):
        _go_on(Lake(lake.root))


def test_a_signer_of_ones_own_seals_and_its_key_need_be_in_no_file(tmp_path: Path) -> None:
    """What a hardware module or another host would be."""

    class Elsewhere:
        def __init__(self) -> None:
            self._key = new_key("casino.example/lake")
            self.asked = 0

        @property
        def name(self) -> str:
            return self._key.name

        @property
        def public(self) -> bytes:
            return self._key.public

        def sign(self, message: bytes) -> bytes:
            self.asked += 1
            return self._key.sign(message)

    signer = Elsewhere()
    lake = Lake(tmp_path / "lake", signer)
    fill_partition(lake, 0, (40, 60), ("PG-07",))
    assert signer.asked == 4  # a checkpoint and a manifest for each segment, whatever it holds
    assert verify_lake(lake, LakeKeys.of(signer)).damages == []
    assert not (tmp_path / "seal").exists()


# --- merging segments -------------------------------------------------------------------------------------------------


def merge(lake: Lake, first: int, last: int) -> Path:
    """What compaction does, without its care for crashes."""
    segments = lake.segments(TOPIC, 0)[first : last + 1]
    tables = {
        name: pa.concat_tables([pq.read_table(s.path / f"{name}.parquet", partitioning=None) for s in segments])
        for name in ("events", "rounds", "findings")
    }
    writing = segments[0].path.parent / ".writing-merged"
    writing.mkdir()
    lake.write_merged(writing, TOPIC, 0, segments, tables)
    merged = writing.rename(writing.with_name(segment_name(segments[0].first, segments[-1].last)))
    return Path(merged)


@pytest.mark.parametrize(("first", "last"), [(0, 1), (1, 2), (0, 3), (2, 3)])
def test_merging_segments_changes_no_proof(lake: Lake, first: int, last: int) -> None:
    def proofs(tree: LakeTree) -> list[bytes]:
        return [tree.prove_record(offset)[1].encoded() for offset in range(0, 400, 7)]

    before = proofs(tree_of(lake)), tree_of(lake).prove_growth(40).encoded()
    old = lake.segments(TOPIC, 0)[first : last + 1]
    merged = merge(lake, first, last)
    lake = Lake(lake.root)
    assert [segment.path for segment in lake.replaced(TOPIC, 0)] == [segment.path for segment in old]
    for removed in (False, True):  # with what it replaces still there, and without
        verified = verify_lake(lake, lake.keys())
        assert (verified.damages, verified.checkpoints, verified.records) == ([], 5, 460)
        assert (proofs(tree_of(lake)), tree_of(lake).prove_growth(40).encoded()) == before
        assert lake.check() == []
        if not removed:
            for segment in old:
                shutil.rmtree(segment.path)
    assert len(parse_checkpoints((merged / CHECKPOINTS).read_bytes())) == len(old)
    # And the merged ones can be merged again, and gone on from.
    if len(lake.segments(TOPIC, 0)) > 1:
        merge(lake, 0, len(lake.segments(TOPIC, 0)) - 1)
    assert verify_lake(lake, lake.keys()).damages == []
    _go_on(Lake(lake.root))
    assert (proofs(tree_of(Lake(lake.root))), tree_of(Lake(lake.root)).prove_growth(40).encoded()) == before


def test_a_replaced_segment_that_was_touched_is_named(lake: Lake) -> None:
    merge(lake, 0, 1)
    path = Insider(lake).lake.replaced(TOPIC, 0)[0].path / "rounds.parquet"
    path.write_bytes(b"?")
    assert any(damage.path == path for damage in verify_lake(lake, lake.keys()).damages)


def test_a_merge_that_leaves_records_out_is_refused(lake: Lake) -> None:
    segments = lake.segments(TOPIC, 0)[:2]
    writing = segments[0].path.parent / ".writing-merged"
    writing.mkdir()
    tables = {
        name: pq.read_table(segments[0].path / f"{name}.parquet", partitioning=None)
        for name in ("events", "rounds", "findings")
    }
    with pytest.raises(LakeError, match="40 events cannot replace"):
        lake.write_merged(writing, TOPIC, 0, segments, tables)


def test_a_checkpoint_is_found_by_its_size(lake: Lake) -> None:
    tree = tree_of(lake)
    found = tree.at_size(300)
    assert isinstance(found, SignedCheckpoint) and found.checkpoint.size == 300
    assert tree.at_size(301) is None and tree.at_size(0) is None and tree.at_size(401) is None
