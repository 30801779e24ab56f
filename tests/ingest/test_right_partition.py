"""Genuine bytes in a partition where their table does not belong: recorded nowhere twice, and told."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.gate.gate import QUARANTINED, RECORDED, SKIPPED, Gate
from ingest.lake import Lake
from ingest.log import AbortedRecord, LogRecord, Place, TransactionMarker, partition_of
from ingest.seal.verify import verify_lake, wrong_columns
from tests.ingest.device import TableDevice, interleaved
from tests.ingest.house import House
from tests.ingest.key_rings import MemoryKeys
from tests.ingest.log_contract import TOPIC

PARTITIONS = 2


def rows_of(house: House, partition: int, name: str) -> list[dict[str, object]]:
    segments = Lake(house.folder / "lake").segments(TOPIC, partition)
    tables = [pq.read_table(segment.path / name, partitioning=None) for segment in segments]
    return pa.concat_tables(tables).to_pylist() if tables else []


def test_records_copied_into_another_partition_are_quarantined_and_admitted_once(tmp_path: Path) -> None:
    house = House(tmp_path, PARTITIONS)
    made = [TableDevice(f"PG-{number:02d}") for number in range(6)]
    for device in made:
        house.keys.register(device.table_id, device.public_hex)
    house.append(interleaved({device.table_id: device.rounds(4) for device in made}))
    victim = next(device.table_id for device in made if partition_of(device.table_id, PARTITIONS) == 0)
    honest = {p: house.log.high_water_mark(TOPIC, p) for p in range(PARTITIONS)}
    with sqlite3.connect(tmp_path / "log.db") as db:  # behind the log's back, as one who can write the file could
        copied = db.execute(
            f'INSERT INTO "records/{TOPIC}/1" SELECT ? + row_number() OVER (ORDER BY record_offset) - 1, timestamp_us, '
            f'record_key, value FROM "records/{TOPIC}/0" WHERE record_key = ?',
            (honest[1], victim),
        ).rowcount
    assert copied > 20
    for partition in range(PARTITIONS):
        with house.worker(partition=partition) as worker:
            worker.drain()

    admitted: dict[tuple[object, object], int] = {}
    for partition in range(PARTITIONS):
        for row in rows_of(house, partition, "events.parquet"):
            if row["status"] == RECORDED:
                key = (row["table_id"], row["seq"])
                admitted[key] = admitted.get(key, 0) + 1
    assert set(admitted.values()) == {1}, "(table, seq) is admitted once over all partitions"
    assert len(admitted) == sum(honest.values())

    refused = [row for row in rows_of(house, 1, "events.parquet") if row["status"] == QUARANTINED]
    assert len(refused) == copied
    assert {row["reason"] for row in refused} == {
        f"the records of table {victim} belong in partition 0 of 2, and this one is in partition 1"
    }
    found = rows_of(house, 1, "findings.parquet")
    assert len(found) == copied
    assert {(row["code"], row["table_id"], row["round_id"]) for row in found} == {("GATE-040", victim, None)}, (
        "a finding of a copy is not a finding of the round it is copied from"
    )
    assert {row["code"] for row in rows_of(house, 0, "findings.parquet")} == set()
    house.log.close()


def test_a_stranger_in_the_wrong_partition_leaves_no_table_behind() -> None:
    here = next(f"PG-{n:02d}" for n in range(50) if partition_of(f"PG-{n:02d}", 4) == 3)
    other = next(f"PG-{n:02d}" for n in range(50) if partition_of(f"PG-{n:02d}", 4) == 2)
    device, stranger = TableDevice(here), TableDevice(other)
    gate = Gate(MemoryKeys(device, stranger), Place(3, 4))
    good = [LogRecord(n, 1_000 + n, here, raw) for n, raw in enumerate(device.round())]
    assert all(len(gate.admit(record)) == 1 for record in good)
    for offset, raw in enumerate([*stranger.round(), b"{not an event", b""], len(good)):
        assert list(gate.admit(LogRecord(offset, 1_000 + offset, other, raw))) == []
    assert gate.table_count() == 1
    assert {finding.code for finding in gate.take_findings()} == {"GATE-040"}
    gate.take_rows()


def test_offsets_that_the_log_used_itself_have_a_row_and_are_no_events(tmp_path: Path) -> None:
    device = TableDevice("PG-07")
    events = device.round()
    taken_back = TableDevice("PG-07").round()[0]
    gate = Gate(MemoryKeys(device))
    records: list[LogRecord] = [LogRecord(n, 1_000 + n, "PG-07", raw) for n, raw in enumerate(events[:3])]
    records += [AbortedRecord(3, 1_003, "PG-07", taken_back), TransactionMarker(4, 1_004, "", b"")]
    records += [LogRecord(n, 1_000 + n, "PG-07", raw) for n, raw in enumerate(events[3:], 5)]
    admitted = [one for record in records for one in gate.admit(record)]
    assert [one.raw for one in admitted] == events
    rows, findings = gate.take_rows(), gate.take_findings()
    assert [row[0] for row in rows] == list(range(len(records)))
    assert [row[9] for row in rows] == [RECORDED] * 3 + [QUARANTINED, SKIPPED] + [RECORDED] * (len(events) - 3)
    assert rows[3][12] == taken_back, "what was taken back is kept all the same"
    assert rows[4][12] == b""
    assert [(finding.code, finding.round_id) for finding in findings] == [("GATE-041", None)]


def test_a_lake_with_skipped_offsets_verifies_and_one_whose_skipped_row_has_bytes_does_not(tmp_path: Path) -> None:
    house = House(tmp_path)
    device = TableDevice("PG-07")
    house.keys.register(device.table_id, device.public_hex)
    house.append([("PG-07", raw) for raw in device.rounds(2)])
    end = house.log.high_water_mark(TOPIC, 0)
    with house.worker(records=end + 1) as worker:
        worker.take(house.log.read(TOPIC, 0, 0, end))
        worker.take([TransactionMarker(end, 1_000, "", b"")])
    lake = Lake(tmp_path / "lake")
    assert lake.check() == []
    assert verify_lake(lake, lake.keys()).damages == []
    (segment,) = lake.segments(TOPIC, 0)
    assert (segment.first, segment.last) == (0, end)
    assert lake.manifest(segment)["counts"][SKIPPED] == 1
    events = pq.read_table(segment.path / "events.parquet", partitioning=None)
    raws = events["raw"].to_pylist()
    assert wrong_columns(events.combine_chunks().to_batches()[0], raws, 0) == []
    hidden = events.set_column(9, "status", pa.array([SKIPPED, *events["status"].to_pylist()[1:]]))
    assert wrong_columns(hidden.combine_chunks().to_batches()[0], raws, 0) == [
        "record 0: is skipped, and it has bytes that somebody sent"
    ]
    house.log.close()
