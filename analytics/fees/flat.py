"""A segment's fees as a flat table, a row for each round and drop box; and its counts of drop boxes.

Fees lie nested in rounds.parquet, beside everything else of a round. Of those lists only the few columns that matter
are read, and what they come to is kept in a cache: a segment never changes once it is committed. The cache may be
removed at any time; it is made again from the lake. An entry counts only for the very files it was made from.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather as feather
import pyarrow.parquet as pq

from replay.rounds import Fact
from schemas.events import plain_type
from schemas.segments import RETIRED

_VERSION = b"4"  # of what is kept: another one is made anew
_OF_ROUND = ("table_id", "round_id", "version", "flags", "gaming_day", "dealer", "filing", "verdict", "last_seq")
_OF_LINE, _OF_FACT = ("kind", "choice", "paid_cents"), ("kind", "seq", "choice", "amount")
Ints = npt.NDArray[np.int64]

_WORDS = ("table_id", "round_id", "gaming_day", "dealer", "filing", "verdict", "box", "codes")
_NUMBERS = ("version", "flags", "seq", "fees", "due_cents", "taken_cents")
_REPEATED = frozenset(_WORDS) - {"round_id"}
FLAT = pa.schema(
    [
        *((name, pa.dictionary(pa.int32(), pa.string()) if name in _REPEATED else pa.string()) for name in _WORDS),
        *((name, pa.int64()) for name in _NUMBERS),
    ]
)
"""`seq` is when the first fee of the round went into that box, or the round's last event where none is reported;
`taken_cents` is less what was given back; `codes` are those of the round's findings about fees."""


class Count(NamedTuple):
    """A drop box was counted."""

    table_id: str
    box: str
    seq: int
    time_us: int
    counted_cents: int


@dataclass(frozen=True)
class FlatSegment:
    fees: pa.Table
    counts: list[Count]


def flat_segment(segment: Path, cache: Path | None) -> FlatSegment:
    """Of a committed segment, from the cache where it is there."""
    path = None if cache is None else cache / f"{_key(segment)}.arrow"
    kept = None if path is None else _kept(path)
    if kept is not None:
        return kept
    made = FlatSegment(_fees(segment), _counts(segment))
    if path is not None:
        _keep(path, made)
    return made


def _key(segment: Path) -> str:
    """The segment's place in the lake, and what tells its files from others of that name."""
    said = hashlib.sha256(_VERSION)
    said.update("/".join(segment.parts[-3:]).encode())
    for name in ("rounds.parquet", "findings.parquet", "events.parquet"):
        if (segment / name).exists():
            stat = (segment / name).stat()
            said.update(f"{name} {stat.st_size} {stat.st_mtime_ns}".encode())
    return said.hexdigest()[:32]


def _kept(path: Path) -> FlatSegment | None:
    try:
        kept = feather.read_table(path, memory_map=False)
        counts = [Count(*count) for count in orjson.loads(kept.schema.metadata[b"counts"])]
    except (OSError, pa.ArrowException, TypeError, KeyError, ValueError):  # not there yet, or half of it: made again
        return None
    return FlatSegment(kept.replace_schema_metadata(None), counts)


def _keep(path: Path, made: FlatSegment) -> None:
    """Written aside and renamed, so that nobody reads half of it. A folder that cannot be written keeps nothing."""
    aside = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        counts = {"counts": orjson.dumps([list(count) for count in made.counts])}
        feather.write_feather(made.fees.replace_schema_metadata(counts), aside, compression="uncompressed")
        aside.replace(path)
    except OSError:
        with suppress(OSError):  # it was never there
            aside.unlink()


def _fees(segment: Path) -> pa.Table:
    lines = [f"lines.list.element.{name}" for name in _OF_LINE]
    facts = [f"facts.list.element.{name}" for name in _OF_FACT]
    rounds = pq.ParquetFile(segment / "rounds.parquet").read(columns=[*_OF_ROUND, *lines, *facts]).combine_chunks()
    owing, due = _nested(rounds, "lines")
    chosen = np.asarray(pc.equal(due.field("kind"), "fee").to_numpy(zero_copy_only=False))
    owing, due = owing[chosen], due.filter(pa.array(chosen))
    taking, said = _nested(rounds, "facts")
    kind = said.field("kind").to_numpy()
    chosen = np.isin(kind, [int(Fact.COLLECTION), int(Fact.REFUNDED)])
    taking, said, kind = taking[chosen], said.filter(pa.array(chosen)), kind[chosen]
    amount = said.field("amount").to_numpy().astype(np.int64)
    amount = np.where(kind == int(Fact.REFUNDED), -amount, amount)
    boxes = pa.concat_arrays([due.field("choice"), said.field("choice"), pa.array([""])]).dictionary_encode()
    box = boxes.indices.to_numpy().astype(np.int64)
    size = len(boxes.dictionary)
    keys = np.concatenate([owing, taking]) * size + box[:-1]
    silent = _without_fees(rounds, np.unique(np.concatenate([owing, taking])))
    unique, place = np.unique(np.concatenate([keys, silent * size + box[-1]]), return_inverse=True)
    place = place[: len(keys)]
    row = unique // size
    paid = due.field("paid_cents").to_numpy().astype(np.int64)
    seq = np.full(len(unique), np.iinfo(np.int64).max)
    np.minimum.at(seq, place[len(owing) :], said.field("seq").to_numpy().astype(np.int64))
    last = rounds["last_seq"].to_numpy().astype(np.int64)[row]
    columns: dict[str, Any] = {name: rounds[name].take(pa.array(row)) for name in _OF_ROUND}
    columns |= {
        "codes": _codes(segment, rounds).take(pa.array(row)),
        "box": boxes.dictionary.take(pa.array(unique % size)),
        "seq": np.where(seq == np.iinfo(np.int64).max, last, seq),
        "fees": _summed(place[: len(owing)], (paid > 0).astype(np.int64), len(unique)),
        "due_cents": _summed(place[: len(owing)], paid, len(unique)),
        "taken_cents": _summed(place[len(owing) :], amount, len(unique)),
    }
    return pa.table({name: columns[name] for name in FLAT.names}).cast(FLAT)


def _codes(segment: Path, rounds: pa.Table) -> pa.Array:
    """Of each round the codes of its findings about fees, in one word."""
    columns = ["table_id", "round_id", "round_version", "code"]
    told = pq.ParquetFile(segment / "findings.parquet").read(columns=columns)
    told = told.filter(pc.starts_with(told["code"], "FEE-"))
    of_round: dict[tuple[str, str, int], set[str]] = defaultdict(set)
    for finding in told.to_pylist():
        of_round[finding["table_id"], finding["round_id"], finding["round_version"]].add(finding["code"])
    if not of_round:
        return pa.array([""] * len(rounds), pa.string())
    keys = zip(*(rounds[name].to_pylist() for name in ("table_id", "round_id", "version")), strict=True)
    return pa.array([" ".join(sorted(of_round.get(key, ()))) for key in keys], pa.string())


def _nested(rounds: pa.Table, name: str) -> tuple[Ints, pa.StructArray]:
    """The values of a column of lists, and the row each is of."""
    lists = rounds[name].combine_chunks()
    if isinstance(lists, pa.ChunkedArray):
        lists = pa.concat_arrays(lists.chunks) if lists.num_chunks else pa.array([], lists.type)
    return lists.value_parent_indices().to_numpy().astype(np.int64), lists.flatten()


def _without_fees(rounds: pa.Table, with_fees: Ints) -> Ints:
    """Rounds that say nothing of fees and have to be known all the same: another version of theirs may."""
    tables = rounds["table_id"].combine_chunks().dictionary_encode()
    if isinstance(tables, pa.ChunkedArray):
        tables = tables.combine_chunks()
    table = tables.indices.to_numpy()
    may = np.isin(table, np.unique(table[with_fees])) | (rounds["version"].to_numpy() > 1)
    may[with_fees] = False
    return np.flatnonzero(may).astype(np.int64)


def _summed(place: Ints, values: Ints, size: int) -> Ints:
    total = np.zeros(size, dtype=np.int64)
    np.add.at(total, place, values)
    return total


def _counts(segment: Path) -> list[Count]:
    """Every count of a drop box that was recorded; none of a segment whose events were retired."""
    path = segment / "events.parquet"
    if not path.exists() and (segment / RETIRED).exists():
        return []
    file = pq.ParquetFile(path)
    counts: list[Count] = []
    for group in range(file.num_row_groups):
        types = file.read_row_group(group, columns=["type"])["type"]
        counted = [named for named in types.unique().to_pylist() if plain_type(named or "") == "table.counted"]
        here = np.flatnonzero(pc.is_in(types, pa.array(counted, pa.string())).to_numpy())
        if not len(here):
            continue
        columns = ["table_id", "seq", "time_us", "status", "raw"]
        for said in file.read_row_group(group, columns=columns).take(pa.array(here)).to_pylist():
            data = orjson.loads(said["raw"])["data"] if said["status"] == "recorded" else {}
            if data.get("box") is not None and data.get("box_cents") is not None:
                at = said["table_id"], data["box"], said["seq"], said["time_us"]
                counts.append(Count(*at, data["box_cents"]))
    return counts
