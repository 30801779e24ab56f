from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka import TopicPartition
from kafka.consumer.fetcher import Fetcher
from kafka.errors import CorruptRecordError
from kafka.protocol.consumer import IsolationLevel
from kafka.record import MemoryRecords
from kafka.record.default_records import DefaultRecordBatchBuilder

from ingest.kafka.reader import log_records
from ingest.kafka.records import LogPartitionRecords
from ingest.log import AbortedRecord, LogRecord, TransactionMarker

PARTITION = TopicPartition("events", 0)

records = st.lists(
    st.tuples(
        st.one_of(st.none(), st.binary(max_size=200)),  # key
        st.one_of(st.none(), st.binary(max_size=300), st.just(b"v" * 20_000)),  # value
        st.integers(1_700_000_000_000, 1_700_000_900_000),  # timestamp
        st.lists(st.tuples(st.text(max_size=5), st.binary(max_size=5)), max_size=2),  # headers
    ),
    min_size=1,
    max_size=80,
)


def batch(
    base: int, of: list[tuple[Any, ...]], compression: int = 0, offsets: list[int] | None = None, log_time: int = 0
) -> bytes:
    """A record batch as kafka-python writes it; with `log_time`, stamped as a broker stamps it."""
    builder = DefaultRecordBatchBuilder(2, compression, 0, -1, -1, -1, 1 << 24)
    for number, (key, value, timestamp, headers) in enumerate(of):
        assert builder.append((offsets or list(range(len(of))))[number], timestamp, key, value, headers) is not None
    data = bytearray(builder.build())
    data[0:8] = base.to_bytes(8, "big")
    if log_time:
        data[21:23] = (int.from_bytes(data[21:23], "big") | 8).to_bytes(2, "big")
        data[35:43] = log_time.to_bytes(8, "big")
    return bytes(sealed(data))


def sealed(data: bytearray) -> bytearray:
    """With the checksum of what it holds."""
    from kafka.record.util import calc_crc32c

    data[17:21] = calc_crc32c(memoryview(data)[21:]).to_bytes(4, "big")
    return data


def taken(decoder: type[Any], data: bytes, offset: int, steps: list[int]) -> tuple[list[LogRecord], int]:
    """All the records a decoder gives, taken in these steps over and over, and where it would go on."""
    part = decoder(offset, PARTITION, MemoryRecords(data), key_deserializer=None, value_deserializer=None)
    found: list[LogRecord] = []
    for turn in range(10_000):
        if not part:
            return found, part.next_fetch_offset
        found += log_records(part.take(steps[turn % len(steps)]))
    raise AssertionError("it never ends")


@given(
    batches=st.lists(records, min_size=1, max_size=3),
    base=st.integers(0, 1 << 40),
    compression=st.sampled_from([0, 1]),
    log_time=st.sampled_from([0, 1_794_000_000_123]),
    skip=st.integers(0, 5),
    steps=st.lists(st.integers(1, 60), min_size=1, max_size=3),
)
def test_both_decoders_give_the_same_records(
    batches: list[Any], base: int, compression: int, log_time: int, skip: int, steps: list[int]
) -> None:
    data, at = b"", base
    for of in batches:
        data += batch(at, of, compression, log_time=log_time)
        at += len(of)
    offset = base + skip % (at - base)  # a fetch begins inside a batch when its first records were read before
    ours = taken(LogPartitionRecords, data, offset, steps)
    assert ours == taken(Fetcher.PartitionRecords, data, offset, steps)
    assert ours[1] == at


@given(deltas=st.sets(st.integers(0, 20_000), min_size=2, max_size=30), steps=st.lists(st.integers(1, 7), min_size=1))
def test_offsets_with_holes_are_told_as_they_are(deltas: set[int], steps: list[int]) -> None:
    offsets = sorted(deltas)
    of: list[Any] = [(b"k", str(delta).encode(), 1_700_000_000_000, []) for delta in offsets]
    data = batch(500, of, offsets=offsets)
    ours = taken(LogPartitionRecords, data, 500, steps)
    assert ours == taken(Fetcher.PartitionRecords, data, 500, steps)
    assert [record.offset - 500 for record in ours[0]] == offsets


def in_transaction(data: bytes, producer: int, attributes: int = 0x10) -> bytes:
    """A batch as a transactional producer writes it; attributes 0x30 for the marker that ends the transaction."""
    changed = bytearray(data)
    changed[21:23] = attributes.to_bytes(2, "big")
    changed[43:51] = producer.to_bytes(8, "big")
    return bytes(sealed(changed))


class Aborted(NamedTuple):
    producer_id: int
    first_offset: int


ABORT, COMMIT = b"\0\0\0\0", b"\0\0\0\1"


@pytest.mark.parametrize("skip", range(9))
@pytest.mark.parametrize("steps", [[10], [1], [2, 1]])
def test_every_offset_of_a_transaction_is_given_as_what_it_is(skip: int, steps: list[int]) -> None:
    """Two producers' transactions interleaved: 7's is aborted at offset 5, 8's is committed at offset 6; 7 goes on."""
    stamp = 1_700_000_000_000

    def said(base: int, *values: bytes) -> bytes:
        return batch(base, [(b"k", value, stamp, []) for value in values])

    def marked(base: int, end: bytes) -> bytes:
        return batch(base, [(end, b"\0\0\0\0\0\0", stamp, [])])

    data = (
        said(0, b"plain")
        + in_transaction(said(1, b"x", b"y"), 7)
        + in_transaction(said(3, b"kept"), 8)
        + in_transaction(said(4, b"z"), 7)
        + in_transaction(marked(5, ABORT), 7, 0x30)
        + in_transaction(marked(6, COMMIT), 8, 0x30)
        + in_transaction(said(7, b"again"), 7)
        + in_transaction(marked(8, COMMIT), 7, 0x30)
    )
    part = LogPartitionRecords(
        skip,
        PARTITION,
        MemoryRecords(data),
        isolation_level=IsolationLevel.READ_COMMITTED,
        aborted_transactions=[Aborted(7, 1)] if skip <= 5 else [],  # what the broker says of a fetch from there
    )
    found: list[LogRecord] = []
    for turn in range(100):
        if part:
            found += part.take(steps[turn % len(steps)])
    us = stamp * 1000
    wanted = [
        LogRecord(0, us, "k", b"plain"),
        AbortedRecord(1, us, "k", b"x"),
        AbortedRecord(2, us, "k", b"y"),
        LogRecord(3, us, "k", b"kept"),
        AbortedRecord(4, us, "k", b"z"),
        TransactionMarker(5, us, "", b""),
        TransactionMarker(6, us, "", b""),
        LogRecord(7, us, "k", b"again"),
        TransactionMarker(8, us, "", b""),
    ][skip:]
    assert [(type(record), record) for record in found] == [(type(record), record) for record in wanted]
    assert part.next_fetch_offset == 9


def test_every_damaged_byte_is_noticed() -> None:
    of: list[Any] = [(b"PG-07", b"value %d" % number, 1_700_000_000_000 + number, []) for number in range(5)]
    good = batch(7, of)
    assert len(taken(LogPartitionRecords, good, 7, [10])[0]) == 5
    for position in range(16, len(good)):  # before that: offset, length and leader epoch, which no checksum covers
        bad = bytearray(good)
        bad[position] ^= 0x41
        with pytest.raises(CorruptRecordError):
            taken(LogPartitionRecords, bytes(bad), 7, [10])


def test_a_batch_that_lies_about_its_records_is_refused_although_its_checksum_fits() -> None:
    good = batch(0, [(b"k", b"v" * 30, 1_700_000_000_000, [])] * 3)
    assert len(taken(LogPartitionRecords, good, 0, [10])[0]) == 3
    count, length, key_length, value_length = 60, 61, 65, 67  # where the last byte of each is
    for position, value in (
        (count, 4),
        (count, 2),
        (length, 10),
        (length, 255),
        (key_length, 200),
        (key_length, 126),
        (value_length, 126),
    ):
        bad = bytearray(good)
        bad[position] = value
        if position == count:
            bad[26] = value - 1  # and the last offset with it
        with pytest.raises(CorruptRecordError):
            taken(LogPartitionRecords, bytes(sealed(bad)), 0, [10])


def test_records_that_lie_about_their_offsets_are_counted_all_the_same() -> None:
    """A broker takes such a batch; whoever trusted the records would read two at one offset and stop at the hole."""
    lying = batch(40, [(b"k", b"%d" % number, 1_700_000_000_000, []) for number in range(3)], offsets=[0, 0, 2])
    found, after = taken(LogPartitionRecords, lying, 40, [10])
    assert [(record.offset, record.value) for record in found] == [(40, b"0"), (41, b"1"), (42, b"2")]
    assert after == 43


def test_records_before_a_damaged_batch_are_given_first() -> None:
    bad = bytearray(batch(2, [(b"k", b"v", 1_700_000_000_000, [])]))
    bad[-1] ^= 1
    data = batch(0, [(b"k", b"v", 1_700_000_000_000, [])] * 2) + bytes(bad)
    part = LogPartitionRecords(0, PARTITION, MemoryRecords(data), key_deserializer=None, value_deserializer=None)
    assert [record.offset for record in part.take(10)] == [0, 1]
    assert part.next_fetch_offset == 2
    with pytest.raises(CorruptRecordError, match="offset 2"):
        part.take(10)


def test_keys_that_are_no_text_and_nulls_become_records_all_the_same() -> None:
    data = batch(0, [(None, b"v", 1, []), (b"\xff", None, 1, []), ("é☃".encode(), b"", 1, [])])
    found, _ = taken(LogPartitionRecords, data, 0, [10])
    assert [(record.key, record.value) for record in found] == [("", b"v"), ("�", b""), ("é☃", b"")]
