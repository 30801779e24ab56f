"""What every event log must do, whatever stands behind it. A back end's test subclasses EventLogContract, and
WholeBatchesContract too if its appends are all or nothing."""

from __future__ import annotations

import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.log import EventLog, LogError, LogRecord, LogStream, partition_of

TOPIC = "events"
REPOSITORY = Path(__file__).resolve().parents[2]


def all_records(log: EventLog, topic: str = TOPIC, limit: int = 700) -> list[LogRecord]:
    found: list[LogRecord] = []
    for partition in range(log.partitions(topic)):
        offset = 0
        while records := log.read(topic, partition, offset, limit):
            assert [record.offset for record in records] == list(range(offset, offset + len(records)))
            found += records
            offset += len(records)
        assert log.high_water_mark(topic, partition) == offset
    return found


class EventLogContract(ABC):
    @abstractmethod
    def open(self) -> EventLog:
        """Another handle on the same log, with two partitions."""

    def topic(self, name: str = TOPIC) -> str:
        """What a topic is called in this test: a back end that several tests share gives each its own."""
        return name

    @abstractmethod
    def writer_code(self, batches: int, batch_records: int) -> str:
        """Python that appends so many batches to the same log: record (b, i) of batch b is (`T-<i % 7>`, `<b> <i>`)."""

    @pytest.fixture
    def log(self) -> Iterator[EventLog]:
        log = self.open()
        yield log
        log.close()

    def test_an_empty_log_has_nothing_to_read(self, log: EventLog) -> None:
        assert log.partitions(self.topic()) == 2
        assert [log.high_water_mark(self.topic(), partition) for partition in (0, 1)] == [0, 0]
        assert log.read(self.topic(), 0, 0, 10) == []
        log.append(self.topic(), [])
        assert log.high_water_mark(self.topic(), 0) == 0

    def test_a_key_keeps_its_order_in_one_partition(self, log: EventLog) -> None:
        keys = [f"PG-{number:02d}" for number in range(9)]
        for batch in range(5):
            log.append(self.topic(), [(key, f"{key} {batch} {turn}".encode()) for turn in range(20) for key in keys])
        records = all_records(log, self.topic(), limit=17)
        assert len(records) == 5 * 20 * 9
        for key in keys:
            assert [record.value.decode() for record in records if record.key == key] == [
                f"{key} {batch} {turn}" for batch in range(5) for turn in range(20)
            ]
            partition = partition_of(key, 2)
            of_key = [record for record in records if record.key == key]
            assert log.read(self.topic(), partition, of_key[0].offset, 1) == of_key[:1]
        assert {partition_of(key, 2) for key in keys} == {0, 1}

    def test_reading_starts_at_any_offset_and_stops_at_the_limit(self, log: EventLog) -> None:
        log.append(self.topic(), [("A", str(number).encode()) for number in range(100)])
        partition = partition_of("A", 2)
        assert [record.value for record in log.read(self.topic(), partition, 40, 3)] == [b"40", b"41", b"42"]
        assert log.read(self.topic(), partition, 100, 3) == []
        assert log.read(self.topic(), partition, 12_345, 3) == []

    def test_the_log_stamps_its_records_with_its_own_time(self, log: EventLog) -> None:
        before = time.time_ns() // 1_000_000  # a log may count in milliseconds
        log.append(self.topic(), [("A", b"now")])
        (now,) = all_records(log, self.topic())
        assert now == LogRecord(0, now.timestamp_us, "A", b"now")
        assert before * 1000 <= now.timestamp_us <= time.time_ns() // 1000

    def test_topics_are_apart(self, log: EventLog) -> None:
        one, two = self.topic("one"), self.topic("two-b")
        log.append(one, [("A", b"1")])
        log.append(two, [("A", b"2"), ("A", b"3")])
        assert [record.value for record in all_records(log, one)] == [b"1"]
        assert [record.value for record in all_records(log, two)] == [b"2", b"3"]

    def test_any_bytes_and_any_key_are_kept_exactly(self, log: EventLog) -> None:
        values = [b"\x00", b"\xff\xfe\x00", "日本 é \N{GRINNING FACE}".encode(), b"x", b"y" * (1 << 20), b"line\r\n"]
        log.append(self.topic(), [("clé ☃", value) for value in values])
        records = all_records(log, self.topic())
        assert [record.value for record in records] == values
        assert {record.key for record in records} == {"clé ☃"}

    def test_a_second_handle_sees_what_is_committed(self, log: EventLog) -> None:
        other = self.open()
        try:
            log.append(self.topic(), [("A", b"1")])
            assert [record.value for record in all_records(other, self.topic())] == [b"1"]
            other.append(self.topic(), [("A", b"2")])
            assert [record.value for record in all_records(log, self.topic())] == [b"1", b"2"]
        finally:
            other.close()

    def test_reopening_goes_on_where_it_stopped(self, log: EventLog) -> None:
        log.append(self.topic(), [("A", b"1"), ("B", b"2")])
        log.close()
        again = self.open()
        try:
            again.append(self.topic(), [("A", b"3")])
            assert sorted(record.value for record in all_records(again, self.topic())) == [b"1", b"2", b"3"]
        finally:
            again.close()

    def test_a_partition_that_does_not_exist_is_an_error(self, log: EventLog) -> None:
        for partition in (-1, 2):
            with pytest.raises(LogError, match=f"not {partition}"):
                log.read(self.topic(), partition, 0, 1)
            with pytest.raises(LogError, match=f"not {partition}"):
                log.high_water_mark(self.topic(), partition)

    def test_a_topic_with_a_bad_name_is_an_error(self, log: EventLog) -> None:
        for topic in ("", "Events", "a/b", 'x"y', "a" * 65):
            with pytest.raises(LogError, match="is not a topic"):
                log.append(topic, [("A", b"1")])

    def test_nothing_is_removed_from_the_start(self, log: EventLog) -> None:
        assert [log.start(self.topic(), partition) for partition in (0, 1)] == [0, 0]
        log.append(self.topic(), [("A", b"1"), ("B", b"2")])
        assert [log.start(self.topic(), partition) for partition in (0, 1)] == [0, 0]
        with pytest.raises(LogError, match="not 2"):
            log.start(self.topic(), 2)

    def test_partitions_are_read_in_turn_each_where_it_was(self, log: EventLog) -> None:
        keys = ["A", "B", "C", "D"]
        log.append(self.topic(), [(key, f"{key} {turn}".encode()) for turn in range(500) for key in keys])
        ends = [log.high_water_mark(self.topic(), partition) for partition in (0, 1)]
        assert min(ends) > 0 and sum(ends) == 2_000
        in_turn: list[list[LogRecord]] = [[], []]
        while sum(map(len, in_turn)) < 2_000:
            for partition in (0, 1):
                in_turn[partition] += log.read(self.topic(), partition, len(in_turn[partition]), 37)
        assert in_turn[0] + in_turn[1] == all_records(log, self.topic())
        for partition in (0, 1):  # and back again
            assert log.read(self.topic(), partition, 5, 10) == in_turn[partition][5:15]
            assert log.read(self.topic(), partition, 400, 3) == in_turn[partition][400:403]
            assert log.read(self.topic(), partition, 402, 3) == in_turn[partition][402:405]

    def test_what_is_appended_while_reading_is_read_next(self, log: EventLog) -> None:
        partition = partition_of("A", 2)
        for number in range(20):
            assert log.read(self.topic(), partition, number, 10) == []
            log.append(self.topic(), [("A", str(number).encode())])
            assert [record.value for record in log.read(self.topic(), partition, number, 10)] == [str(number).encode()]

    def test_a_stream_records_what_it_is_sent_in_order(self, log: EventLog) -> None:
        partition = partition_of("A", 2)
        with LogStream(log, self.topic(), batch_records=40) as stream:
            for number in range(100):
                stream.send("A", str(number).encode())
            assert stream.appended == 80 == log.high_water_mark(self.topic(), partition)
            stream.flush()
            assert stream.appended == 100 == log.high_water_mark(self.topic(), partition)
            stream.send("A", b"last")
        values = [record.value for record in log.read(self.topic(), partition, 0, 1_000)]
        assert values == [str(number).encode() for number in range(100)] + [b"last"]

    def test_a_killed_writer_leaves_no_hole_in_what_a_key_said(self, log: EventLog) -> None:
        size = 3_000
        with self._writer(10_000, size) as writer:
            while not any(log.high_water_mark(self.topic(), partition) for partition in (0, 1)):
                assert writer.poll() is None
                time.sleep(0.005)
            time.sleep(0.05)
            writer.kill()
        records = all_records(log, self.topic())
        for number in range(7):
            said = [record.value for record in records if record.key == f"T-{number}"]
            order = ((b, i) for b in range(10_000) for i in range(number, size, 7))
            assert said == [f"{b} {i}".encode() for (b, i), _ in zip(order, said, strict=False)]
        log.append(self.topic(), [("T-1", b"after")])
        assert b"after" in {record.value for record in all_records(log, self.topic())}

    def _writer(self, batches: int, size: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", self.writer_code(batches, size)], cwd=REPOSITORY)


class WholeBatchesContract(EventLogContract):
    """For a log that records all of a batch or nothing."""

    def test_another_process_reads_whole_batches_while_one_writes(self, log: EventLog) -> None:
        batches, size = 60, 200
        with self._writer(batches, size) as writer:
            seen = -1
            while writer.poll() is None or seen < batches * size:
                assert writer.returncode in (None, 0)
                # Partition 1 first: a batch that commits in between can then only show more of partition 0.
                count = sum(log.high_water_mark(self.topic(), partition) for partition in (1, 0))
                assert count >= seen
                seen = count
                for partition in (0, 1):
                    end = log.high_water_mark(self.topic(), partition)
                    assert len(log.read(self.topic(), partition, 0, end)) == end
                    if end:
                        # The last record of what a partition shows is the last of its share of a batch.
                        last = log.read(self.topic(), partition, end - 1, 1)[0].value.split()
                        of_batch = [i for i in range(size) if partition_of(f"T-{i % 7}", 2) == partition]
                        assert int(last[1]) == of_batch[-1]
        assert seen == batches * size

    @pytest.mark.parametrize("after_s", [0.0, 0.03, 0.07, 0.12])
    def test_a_killed_writer_leaves_whole_batches(self, log: EventLog, after_s: float) -> None:
        size = 3_000
        with self._writer(10_000, size) as writer:
            while not any(log.high_water_mark(self.topic(), partition) for partition in (0, 1)):
                assert writer.poll() is None
                time.sleep(0.005)
            time.sleep(after_s)
            writer.kill()
        records = all_records(log, self.topic())
        assert records
        assert len(records) % size == 0, "a batch is recorded whole or not at all"
        said = {record.value for record in records}
        assert said == {f"{batch} {i}".encode() for batch in range(len(records) // size) for i in range(size)}
        log.append(self.topic(), [("T-1", b"after")])
        assert b"after" in {record.value for record in all_records(log, self.topic())}
