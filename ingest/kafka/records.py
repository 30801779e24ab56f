"""Kafka's record batches straight into LogRecords, several times faster than kafka-python builds its own records.

A worker's time is for judging events: reading them must not cost a third of it. kafka-python spends most of its time on
records of thirteen members that nobody looks at. This module replaces that one step, the decoding of a fetched batch
(record format 2, https://kafka.apache.org/documentation/#recordbatch); fetching, checksums, decompression and positions
stay kafka-python's. It relies on private names of it (`_fetcher`, `_buffer`, `_pos`, and those for transactions), which
is why pyproject.toml allows one minor version of it only; tests/ingest/test_kafka_records.py holds the two decoders
against each other.

Unlike kafka-python this decoder passes over no offset. Where a transaction ends, Kafka writes a marker that takes an
offset; what was written in an aborted one keeps its offsets, too. Both are given as what they are, so that the lake has
a row for each offset and nothing can be hidden behind "there was a transaction". It takes a consumer that reads
committed records only: then the broker says which transactions were aborted, the same to every reader at any time.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from kafka import KafkaConsumer
from kafka.consumer.fetcher import Fetcher
from kafka.errors import CorruptRecordError

from ingest.log import AbortedRecord, LogRecord, TransactionMarker

_as_record = partial(tuple.__new__, LogRecord)
_as_aborted = partial(tuple.__new__, AbortedRecord)
_MAX_KEYS = 100_000  # tables are few; a stream of made-up keys must not fill the memory


def decoded_as_log_records(consumer: KafkaConsumer) -> KafkaConsumer:
    """The same consumer; its `poll` gives lists of LogRecord instead of kafka-python's ConsumerRecord."""
    consumer._fetcher.PartitionRecords = LogPartitionRecords
    return consumer


class LogPartitionRecords(Fetcher.PartitionRecords):  # type: ignore[misc] # kafka-python ships no types
    """What was fetched of one partition, decoded a batch at a time as it is taken."""

    def __init__(self, fetch_offset: int, tp: Any, records: Any, **options: Any) -> None:
        super().__init__(fetch_offset, tp, records, **options)
        self._records = records
        self._decoded: list[LogRecord] = []
        self._at = 0  # the first of them that was not taken yet

    def take(self, n: int | None = None) -> list[LogRecord]:
        """Up to `n` records. An error found after some of them is raised by the next call, as kafka-python does."""
        self._maybe_raise_next_inline_exception()
        taken: list[LogRecord] = []
        try:
            while n is None or len(taken) < n:
                if self._at == len(self._decoded) and not self._decode_next():
                    break
                stop = len(self._decoded) if n is None else self._at + n - len(taken)
                piece = self._decoded[self._at : stop]
                self._at += len(piece)
                taken += piece
        except CorruptRecordError as error:
            if not taken:
                raise
            self._next_inline_exception = error
        if taken:
            self.records_read += len(taken)
            self.next_fetch_offset = taken[-1].offset + 1
        if self._at == len(self._decoded) and not self._records.has_next() and self._next_inline_exception is None:
            self._end()
        return taken

    def _decode_next(self) -> bool:
        """Decode the next batch that has records to give; False when there is none."""
        while (batch := self._records.next_batch()) is not None:
            if self.check_crcs and not batch.validate_crc():
                raise CorruptRecordError(
                    f"the record batch of {self.topic_partition} at offset {batch.base_offset} fails its checksum"
                )
            if batch.magic != 2:
                raise CorruptRecordError(
                    f"the record batch of {self.topic_partition} at offset {batch.base_offset} is of format "
                    f"{batch.magic}, older than Kafka 0.11"
                )
            self.leader_epoch = batch.leader_epoch
            self._after_batch = batch.next_offset
            self._decoded, self._at = self._records_of(batch), 0
            if self._decoded and self._decoded[0].offset < self.fetch_offset:  # a batch is fetched whole
                behind = self.fetch_offset
                self._decoded = [record for record in self._decoded if record.offset >= behind]
            if self._decoded:
                return True
        return False

    def _records_of(self, batch: Any) -> list[LogRecord]:
        if batch.has_producer_id():
            self._consume_aborted_transactions_up_to(batch.last_offset)
        if batch.is_control_batch:
            if self._contains_abort_marker(batch):
                self.aborted_producer_ids.discard(batch.producer_id)
            stamp_us = batch.max_timestamp * 1000
            return [
                TransactionMarker(offset, stamp_us, "", b"")
                for offset in range(batch.base_offset, batch.last_offset + 1)
            ]
        if self._is_batch_aborted(batch):
            return [_as_aborted(record) for record in decode_batch(batch)]
        return decode_batch(batch)

    _after_batch = -1

    def _end(self) -> None:
        """Go on after the last batch even where its last offsets have no records: compacted away, or a border."""
        if self._after_batch > self.next_fetch_offset:
            self.next_fetch_offset = self._after_batch
        self.drain()


_keys: dict[bytes, str] = {}


def decode_batch(batch: Any) -> list[LogRecord]:
    """The records of one batch of format 2. A null key or value is an empty one: the gate refuses it, and keeps it."""
    iter(batch)  # decompresses, if it is compressed
    data = bytes(batch._buffer)
    pos = batch._pos
    size = len(data)
    base_offset = batch.base_offset
    stamped_by_log = batch.timestamp_type == 1
    stamp_us = (batch.max_timestamp if stamped_by_log else batch.first_timestamp) * 1000
    # As many records as offsets: then theirs are 0, 1, 2, … after the first, whatever each says about itself. Brokers
    # check the count and not the records' own numbers, and a device that lies about those must not stop the reading.
    dense = batch.records_count == batch.last_offset_delta + 1
    keys = _keys
    found: list[LogRecord] = []
    add = found.append
    try:
        for delta in range(batch.records_count):
            # Every number is a zigzag varint. Lengths of one or two bytes, nearly all, are read in line: a call for
            # each would cost as much as the rest.
            byte = data[pos]
            if byte < 128:
                number = byte
                pos += 1
            elif (second := data[pos + 1]) < 128:
                number = byte & 127 | second << 7
                pos += 2
            else:
                number, pos = _varint(data, pos)
            end = pos + (number >> 1)
            pos += 1  # attributes, unused
            number = data[pos]
            if number < 128:
                pos += 1
            else:
                number, pos = _varint(data, pos)
            if stamped_by_log:
                timestamp_us = stamp_us
            else:
                timestamp_us = stamp_us + ((number >> 1) ^ -(number & 1)) * 1000
            byte = data[pos]
            if byte < 128:
                number = byte
                pos += 1
            elif (second := data[pos + 1]) < 128:
                number = byte & 127 | second << 7
                pos += 2
            else:
                number, pos = _varint(data, pos)
            if not dense:
                delta = number >> 1
            number = data[pos]
            if number < 128:
                pos += 1
            else:
                number, pos = _varint(data, pos)
            if number & 1:  # -1: null
                key = ""
            else:
                start = pos
                pos += number >> 1
                raw_key = data[start:pos]
                known = keys.get(raw_key)
                key = known if known is not None else _new_key(raw_key)
            byte = data[pos]
            if byte < 128:
                number = byte
                pos += 1
            elif (second := data[pos + 1]) < 128:
                number = byte & 127 | second << 7
                pos += 2
            else:
                number, pos = _varint(data, pos)
            start = pos
            if not number & 1:
                pos += number >> 1
            if pos >= end or end > size:  # there is at least the number of headers, which nobody reads
                raise CorruptRecordError(f"the record at offset {base_offset + delta} is longer than it says")
            add(_as_record((base_offset + delta, timestamp_us, key, data[start:pos])))
            pos = end
    except IndexError as error:
        raise CorruptRecordError(f"the record batch at offset {base_offset} is cut off") from error
    if pos != size:
        raise CorruptRecordError(f"the record batch at offset {base_offset} does not end where its last record does")
    return found


def _varint(data: bytes, pos: int) -> tuple[int, int]:
    """The number at `pos`, still zigzag, and where it ends."""
    number = shift = 0
    while True:
        byte = data[pos]
        pos += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, pos
        shift += 7
        if shift > 63:
            raise CorruptRecordError("a number of more than ten bytes")


def _new_key(raw: bytes) -> str:
    """Bytes that are no text become U+FFFD: no table has such an id, and the gate says so."""
    if len(_keys) >= _MAX_KEYS:
        _keys.clear()
    key = _keys[raw] = raw.decode("utf-8", "replace")
    return key
