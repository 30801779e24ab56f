"""A small sealed lake to be tampered with, and what an insider can do to one."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.gate.gate import QUARANTINED, RECORDED, EventRow
from ingest.lake import MANIFEST, SEGMENT_FILES, Lake, SegmentContent, events_table
from ingest.seal.checkpoint import Checkpoint, SignedCheckpoint
from ingest.seal.merkle import GrowingTree, leaf_hashes
from ingest.seal.segment_seal import CHECKPOINTS, HASHES, SEAL, checkpoint_of, kept_hashes, manifest_seal
from ingest.seal.signer import LakeKeys, SecretKey, Signer, new_key, read_key, signed
from ingest.seal.verify import Verified, in_order, verify_lake, verify_segment
from ingest.segment_bytes import json_bytes, parquet_bytes
from tests.ingest.device import TableDevice, interleaved

TOPIC = "events"
CUTS = (40, 260, 30, 70)  # 300 records make a tile of 256 complete in the second segment


def row_of(offset: int, key: str, raw: bytes) -> EventRow:
    """The row the gate would write of a record: an event in order, or something that is none."""
    digest = sha256(raw).digest()
    try:
        said = json.loads(raw)
    except ValueError:
        return (offset, offset, key, None, None, None, None, None, None, QUARANTINED, "no event", digest, raw)
    time_us = round(datetime.fromisoformat(said["time"]).timestamp() * 1_000_000)
    columns = (said.get("subject"), said["seq"], said["type"], said["id"], time_us, said["source"])
    return (offset, offset, key, *columns, RECORDED, None, digest, raw)


def fill_partition(lake: Lake, partition: int, cuts: Iterable[int], tables: tuple[str, ...], rounds: int = 30) -> None:
    said = {table_id: TableDevice(table_id, signs=False).rounds(rounds) for table_id in tables}
    records = list(interleaved(said))
    records[3] = (records[3][0], b"no event at all")  # refused records are sealed too
    tops: dict[str, int] = {}
    at = 0
    lake.own(TOPIC, partition)
    lake.settle(TOPIC, partition, {"segment_records": 70}, {"segment_records": 70})
    for count in cuts:
        rows = [row_of(at + place, key, raw) for place, (key, raw) in enumerate(records[at : at + count])]
        tops |= {row[2]: row[4] for row in rows if row[4] is not None}
        lake.commit(
            TOPIC,
            partition,
            SegmentContent(
                at,
                at + count - 1,
                events_table(rows),
                pa.table({"round_id": pa.array([str(at)])}),
                pa.table({"finding_id": pa.array([str(at)]), "code": pa.array(["GATE-003"])}),
                {"format": 1, "seen": at + count},
                tops,
            ),
        )
        at += count
    lake.release(TOPIC, partition)


def make_lake(folder: Path) -> Lake:
    """Two partitions, five segments, 460 records."""
    lake = Lake(folder / "lake")
    fill_partition(lake, 0, CUTS, ("PG-07", "PG-08"))
    fill_partition(lake, 1, (60,), ("SB-01",))
    return lake


@dataclass
class Insider:
    """Somebody who can write the lake's files; each method leaves it as it was found when its block ends."""

    lake: Lake

    @property
    def folders(self) -> list[Path]:
        return [segment.path for segment in self.lake.segments(TOPIC, 0)]

    def verified(self, keys: LakeKeys | None = None) -> Verified:
        return verify_lake(Lake(self.lake.root), keys or self.lake.keys())

    def files(self) -> list[Path]:
        """Every file of the lake but the locks, which name processes."""
        locks = (".lock", "lock")
        return sorted(path for path in self.lake.root.rglob("*") if path.is_file() and path.name not in locks)

    def named(self, path: Path) -> bool:
        """Whether the file, or the folder it is in, is said to be touched; only its own segment is looked at."""
        for topic, partition, segment, previous in in_order(self.lake):
            if path.parent == segment.path:
                verified = verify_segment(self.lake, self.lake.keys(), topic, partition, segment, previous)
                return any(damage.path in (path, path.parent) for damage in verified.damages)
        return any(damage.path == path for damage in self.verified().damages)


def bent(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def positions(size: int, most: int) -> list[int]:
    """Every position of a small file; of a bigger one both ends and an even sample in between."""
    if size <= most:
        return list(range(size))
    ends = min(most // 4, 64)
    step = (size - 2 * ends) / (most - 2 * ends)
    middle = [ends + int(step * at) for at in range(most - 2 * ends)]
    return sorted({*range(ends), *middle, *range(size - ends, size)})


def reseal(folder: Path, signer: Signer, origin: str, previous: str | None = None, **changed: object) -> str:
    """What an insider does who knows the formats: a manifest that fits the files as they are, sealed by `signer`."""
    manifest = orjson.loads((folder / MANIFEST).read_bytes())
    manifest.update(changed)
    if previous is not None:
        manifest["previous"] = previous
    for name in SEGMENT_FILES:
        data = (folder / name).read_bytes()
        manifest["files"][name] = {"bytes": len(data), "sha256": sha256(data).hexdigest()}
    data = json_bytes(manifest)
    (folder / MANIFEST).write_bytes(data)
    (folder / SEAL).write_bytes(manifest_seal(data, folder.name, origin, signer).encoded())
    return sha256(data).hexdigest()


def rewrite_all(lake: Lake, partition: int, signer: Signer, edit: Callable[[pa.Table], pa.Table]) -> None:
    """Rewrite a partition from its first record on, everything consistent, with whichever key."""
    tree = GrowingTree()
    previous: str | None = None
    origin = LakeKeys.of(signer).origin(TOPIC, partition)
    for segment in lake.segments(TOPIC, partition):
        path = segment.path / "events.parquet"
        events = edit(pq.read_table(path, partitioning=None))
        path.write_bytes(parquet_bytes(events))
        completed = tree.extend(leaf_hashes(events["raw"].to_pylist()))
        (segment.path / HASHES).write_bytes(kept_hashes(completed, tree))
        (segment.path / CHECKPOINTS).write_bytes(checkpoint_of(tree, origin, signer).note.encoded())
        previous = reseal(segment.path, signer, origin, previous)


def another_record(events: pa.Table) -> pa.Table:
    """The first event of every segment says something else, and its hash is right for it."""
    raws = events["raw"].to_pylist()
    raws[0] = raws[0] + b" "
    hashes = [sha256(raw).digest() for raw in raws]
    events = events.set_column(events.schema.get_field_index("raw"), events.schema.field("raw"), pa.array(raws))
    position = events.schema.get_field_index("hash")
    return events.set_column(position, events.schema.field("hash"), pa.array(hashes, pa.binary(32)))


def signed_checkpoint(lake: Lake, partition: int, size: int, root: bytes, signer: Signer) -> SignedCheckpoint:
    said = Checkpoint(LakeKeys.of(signer).origin(TOPIC, partition), size, root)
    return SignedCheckpoint(said, signed(said.text(), said.origin, signer))


class Attack:
    """One thing an insider does: `do` does it, and the files or folders it names must be said to be touched."""

    def __init__(self, name: str, do: Callable[[Insider], list[Path]]) -> None:
        self.name = name
        self._do = do

    def caught(self, pristine: Path, scratch: Path) -> bool:
        """Do it to a copy, and see whether everything touched is named, and the lake not called intact."""
        if scratch.exists():
            shutil.rmtree(scratch)
        shutil.copytree(pristine, scratch)
        insider = Insider(Lake(scratch / "lake"))
        touched = self._do(insider)
        damages = insider.verified().damages
        return bool(touched) and all(any(_about(damage.path, path) for damage in damages) for path in touched)


def _about(named: Path, touched: Path) -> bool:
    return named == touched or named in touched.parents or touched in named.parents


def flips(
    insider: Insider, files: Iterable[Path], most: int, bits: Iterable[int] = (0,)
) -> Iterator[tuple[Path, bool]]:
    """Bits turned over in these files, one at a time; whether each was caught and the file named."""
    for path in files:
        data = path.read_bytes()
        for at in positions(len(data), most):
            for bit in bits:
                path.write_bytes(bent(data, at, (bit + at) % 8))
                yield path, insider.named(path)
        path.write_bytes(data)


def cuts(insider: Insider, files: Iterable[Path], most: int) -> Iterator[tuple[Path, bool]]:
    """These files cut short at many lengths, and with a byte too many."""
    for path in files:
        data = path.read_bytes()
        for length in positions(len(data), most):
            path.write_bytes(data[:length])
            yield path, insider.named(path)
        path.write_bytes(data + b"\n")
        yield path, insider.named(path)
        path.write_bytes(data)


# --- the list of attacks ----------------------------------------------------------------------------------------------


def _remove(position: int) -> Callable[[Insider], list[Path]]:
    def do(insider: Insider) -> list[Path]:
        following = insider.folders[position + 1]
        shutil.rmtree(insider.folders[position])
        return [following]

    return do


def _remove_file(name: str) -> Callable[[Insider], list[Path]]:
    def do(insider: Insider) -> list[Path]:
        path = insider.folders[1] / name
        path.unlink()
        return [path]

    return do


def _add(*parts: str) -> Callable[[Insider], list[Path]]:
    def do(insider: Insider) -> list[Path]:
        path = insider.lake.root.joinpath(*(insider.folders[1].name if part == "SEGMENT" else part for part in parts))
        path.write_bytes(b"?")
        return [path]

    return do


def _swap_segments(insider: Insider) -> list[Path]:
    first, second = insider.folders[0], insider.folders[1]
    first.rename(first.with_name("x"))
    second.rename(first)
    first.with_name("x").rename(second)
    return [first, second]


def _swap_files(name: str) -> Callable[[Insider], list[Path]]:
    def do(insider: Insider) -> list[Path]:
        first, second = insider.folders[2] / name, insider.folders[3] / name
        one, other = first.read_bytes(), second.read_bytes()
        first.write_bytes(other)
        second.write_bytes(one)
        return [first, second]

    return do


def _rename_segment(insider: Insider) -> list[Path]:
    path = insider.folders[1]
    moved = path.with_name(f"{40:020d}-{298:020d}")
    path.rename(moved)
    return [moved]


def _rename_partition(name: str) -> Callable[[Insider], list[Path]]:
    def do(insider: Insider) -> list[Path]:
        folder = insider.lake.root / TOPIC / "0"
        folder.rename(folder.with_name(name))
        return [folder.with_name(name)]

    return do


def _swap_partitions(insider: Insider) -> list[Path]:
    topic = insider.lake.root / TOPIC
    (topic / "0").rename(topic / "x")
    (topic / "1").rename(topic / "0")
    (topic / "x").rename(topic / "1")
    return [topic / "0", topic / "1"]


def _rename_topic(insider: Insider) -> list[Path]:
    (insider.lake.root / TOPIC).rename(insider.lake.root / "others")
    return [insider.lake.root / "others" / "0"]


def _cover(insider: Insider) -> list[Path]:
    """A bigger segment in front of the real ones, as compaction would put it there."""
    first = insider.folders[0]
    planted = first.with_name(f"{0:020d}-{399:020d}")
    shutil.copytree(first, planted)
    return [planted]


def _plant_covered(insider: Insider) -> list[Path]:
    """A small segment inside a real one, as compaction would leave it there."""
    planted = insider.folders[1].with_name(f"{50:020d}-{60:020d}")
    shutil.copytree(insider.folders[1], planted)
    return [planted]


def _change_without_the_key(name: str) -> Callable[[Insider], list[Path]]:
    """A file replaced and the manifest made to fit; only the seal is left."""

    def do(insider: Insider) -> list[Path]:
        folder = insider.folders[1]
        path = folder / name
        path.write_bytes(insider.folders[2].joinpath(name).read_bytes())
        seal = (folder / SEAL).read_bytes()
        reseal(folder, new_key(), "nobody")
        (folder / SEAL).write_bytes(seal)
        return [folder / MANIFEST]

    return do


def _remade(signer_of: Callable[[Insider], SecretKey]) -> Callable[[Insider], list[Path]]:
    def do(insider: Insider) -> list[Path]:
        rewrite_all(insider.lake, 0, signer_of(insider), another_record)
        return [folder / SEAL for folder in insider.folders]

    return do


def _one_remade(insider: Insider) -> list[Path]:
    """One segment sealed anew under the lake's name with somebody else's key, the files as they were."""
    keys = insider.lake.keys()
    folder = insider.folders[1]
    reseal(folder, new_key(keys.name), keys.origin(TOPIC, 0))
    return [folder / SEAL]


def _foreign_checkpoint(insider: Insider) -> list[Path]:
    """A checkpoint of the right tree, signed by another."""
    keys = insider.lake.keys()
    folder = insider.folders[1]
    real = SignedCheckpoint.parse((folder / CHECKPOINTS).read_bytes()).checkpoint
    forged = signed_checkpoint(insider.lake, 0, real.size, real.root, new_key(keys.name))
    (folder / CHECKPOINTS).write_bytes(forged.note.encoded())
    return [folder / CHECKPOINTS]


def _extra_signature(insider: Insider) -> list[Path]:
    """One more signature under the seal: other readers of notes would pass over it."""
    path = insider.folders[1] / SEAL
    other = new_key("somebody.example")
    line = signed("x\n", other.name, other).signatures[0]
    path.write_bytes(path.read_bytes() + str(line).encode())
    return [path]


def _old_seal(insider: Insider) -> list[Path]:
    """The seal of one segment put on another."""
    path = insider.folders[1] / SEAL
    path.write_bytes((insider.folders[2] / SEAL).read_bytes())
    return [path]


def _settings(insider: Insider) -> list[Path]:
    path = insider.lake.root / TOPIC / "settings.json"
    path.write_bytes(path.read_bytes().replace(b"70", b"71"))
    return [path]


def _settings_gone(insider: Insider) -> list[Path]:
    path = insider.lake.root / TOPIC / "settings.json"
    path.unlink()
    return [path]


def _link(insider: Insider) -> list[Path]:
    """A file replaced by a link to another of the same kind."""
    path = insider.folders[1] / "findings.parquet"
    path.unlink()
    os.symlink(insider.folders[1] / "rounds.parquet", path)
    return [path]


def _columns(name: str, value: object) -> Callable[[Insider], list[Path]]:
    """With the lake's own key: the records as they were, but a column of events.parquet tells another story."""

    def do(insider: Insider) -> list[Path]:
        signer = read_key(insider.lake.key_path)
        folder = insider.folders[3]
        path = folder / "events.parquet"
        events = pq.read_table(path, partitioning=None)
        values = events[name].to_pylist()
        values[5] = value
        position = events.schema.get_field_index(name)
        field = events.schema.field(name)
        path.write_bytes(parquet_bytes(events.set_column(position, field, pa.array(values, field.type))))
        reseal(folder, signer, insider.lake.keys().origin(TOPIC, 0))
        return [path]

    return do


def _false_hashes(insider: Insider) -> list[Path]:
    """With the lake's own key: hashes kept for proofs that are not those of the records."""
    signer = read_key(insider.lake.key_path)
    folder = insider.folders[3]
    path = folder / HASHES
    path.write_bytes(bent(path.read_bytes(), 3, 0))
    reseal(folder, signer, insider.lake.keys().origin(TOPIC, 0))
    return [path]


def _records_only(insider: Insider) -> list[Path]:
    """With the lake's own key for manifests, but not the tree: a record changed, the checkpoint left as it was."""
    signer = read_key(insider.lake.key_path)
    folder = insider.folders[3]
    path = folder / "events.parquet"
    path.write_bytes(parquet_bytes(another_record(pq.read_table(path, partitioning=None))))
    reseal(folder, signer, insider.lake.keys().origin(TOPIC, 0))
    return [path]


# Whoever has the lake's key can still not contradict what it signed, nor what the records' own bytes say.
WITH_THE_KEY: tuple[Attack, ...] = (
    *(
        Attack(f"column {name} changed and sealed with the lake's key", _columns(name, value))
        for name, value in (
            ("offset", 7),
            ("table_id", "PG-99"),
            ("round_id", "000999"),
            ("seq", 12345),
            ("type", "muckraker.wager.placed.v2"),
            ("event_id", "another"),
            ("time_us", 1),
            ("source", "/elsewhere"),
            ("hash", bytes(32)),
        )
    ),
    Attack("record changed and sealed with the lake's key", _records_only),
    Attack("kept hashes changed and sealed with the lake's key", _false_hashes),
)

ATTACKS: tuple[Attack, ...] = (
    Attack("first segment removed", _remove(0)),
    Attack("segment removed from the middle", _remove(1)),
    *(Attack(f"{name} removed", _remove_file(name)) for name in (*SEGMENT_FILES, MANIFEST, SEAL)),
    Attack("file added to a segment", _add(TOPIC, "0", "SEGMENT", "stranger")),
    Attack("file added to a partition", _add(TOPIC, "0", "stranger")),
    Attack("file added to a topic", _add(TOPIC, "stranger.json")),
    Attack("file added to the lake", _add("stranger")),
    Attack("two segments exchanged", _swap_segments),
    *(Attack(f"{name} of two segments exchanged", _swap_files(name)) for name in (*SEGMENT_FILES, MANIFEST, SEAL)),
    Attack("segment renamed", _rename_segment),
    Attack("partition renamed", _rename_partition("7")),
    Attack("partition renamed so that readers pass over it", _rename_partition("00")),
    Attack("partitions exchanged", _swap_partitions),
    Attack("topic renamed", _rename_topic),
    Attack("bigger segment put over others", _cover),
    Attack("small segment put under another", _plant_covered),
    *(
        Attack(f"{name} exchanged and the manifest made to fit", _change_without_the_key(name))
        for name in ("events.parquet", "findings.parquet", "rounds.parquet", "state.json")
    ),
    Attack("one segment sealed anew with another key", _one_remade),
    Attack("everything rewritten and sealed with another key", _remade(lambda insider: new_key())),
    Attack(
        "everything rewritten and sealed with another key of the same name",
        _remade(lambda insider: new_key(insider.lake.keys().name)),
    ),
    Attack("checkpoint signed by another key", _foreign_checkpoint),
    Attack("a stranger's signature added to a seal", _extra_signature),
    Attack("seal of another segment", _old_seal),
    Attack("settings changed", _settings),
    Attack("settings removed", _settings_gone),
    Attack("file replaced by a link", _link),
)
