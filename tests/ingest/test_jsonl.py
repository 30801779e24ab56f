"""Files of events into the log."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.jsonl import MAX_LINE_BYTES, UNKNOWN_KEY, Counts, InputError, append_file
from ingest.sqlite_log import SqliteLog
from schemas.events import MAX_EVENT_BYTES
from tests.ingest.device import TableDevice
from tests.ingest.log_contract import TOPIC, all_records


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    log = SqliteLog(tmp_path / "log.db", partitions=1)
    yield log
    log.close()


def test_every_line_is_one_record_with_its_exact_bytes(log: SqliteLog, tmp_path: Path) -> None:
    said = TableDevice("PG-07").rounds(2) + TableDevice("BAC-1").rounds(2)
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"\n".join(said) + b"\n")
    counts = append_file(log, TOPIC, path)
    assert counts == Counts(appended=len(said), bytes_read=path.stat().st_size)
    records = all_records(log)
    assert [record.value for record in records] == said
    assert [record.key for record in records] == ["PG-07"] * 18 + ["BAC-1"] * 18


def test_windows_newlines_and_a_missing_last_newline_change_nothing(log: SqliteLog) -> None:
    said = TableDevice().rounds(1)
    append_file(log, TOPIC, io.BytesIO(b"\r\n".join(said)))
    assert [record.value for record in all_records(log)] == said


def test_blank_lines_are_counted_and_broken_ones_recorded(log: SqliteLog) -> None:
    text = b'\n{"no table":1}\n   \r\n\xff\xfe{\n{"tableid" : "PG-07"\n{"tableid":"lower"}\n'
    counts = append_file(log, TOPIC, io.BytesIO(text))
    assert counts == Counts(appended=4, blank=2, without_table=3, bytes_read=len(text))
    assert [(record.key, record.value) for record in all_records(log)] == [
        (UNKNOWN_KEY, b'{"no table":1}'),
        (UNKNOWN_KEY, b"\xff\xfe{"),
        ("PG-07", b'{"tableid" : "PG-07"'),
        (UNKNOWN_KEY, b'{"tableid":"lower"}'),
    ]


@pytest.mark.parametrize(
    ("length", "kept", "oversize", "truncated"),
    [
        (MAX_EVENT_BYTES, MAX_EVENT_BYTES, 0, 0),
        (MAX_EVENT_BYTES + 1, MAX_EVENT_BYTES + 1, 1, 0),
        (MAX_LINE_BYTES, MAX_LINE_BYTES, 1, 0),
        (MAX_LINE_BYTES + 1, MAX_LINE_BYTES, 1, 1),
        (MAX_LINE_BYTES + 2, MAX_LINE_BYTES, 1, 1),
        (3 * MAX_LINE_BYTES + 5, MAX_LINE_BYTES, 1, 1),
    ],
)
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_long_lines_are_recorded_up_to_a_mebibyte(
    log: SqliteLog, length: int, kept: int, oversize: int, truncated: int, newline: bytes
) -> None:
    line = b'{"tableid":"PG-07",' + b"x" * (length - 19)
    text = line + newline + b'{"tableid":"PG-08"}' + newline
    counts = append_file(log, TOPIC, io.BytesIO(text))
    assert counts == Counts(appended=2, oversize=oversize, truncated=truncated, bytes_read=len(text))
    assert [(record.key, record.value) for record in all_records(log)] == [
        ("PG-07", line[:kept]),
        ("PG-08", b'{"tableid":"PG-08"}'),
    ]


def test_progress_is_reported_batch_by_batch(log: SqliteLog) -> None:
    seen: list[Counts] = []
    text = b'{"tableid":"PG-07"}\n' * 25_000
    append_file(log, TOPIC, io.BytesIO(text), lambda counts: seen.append(replace(counts)))
    assert [counts.appended for counts in seen] == [10_000, 20_000, 25_000]
    assert seen[-1].bytes_read == len(text)


def test_an_unreadable_file_is_a_clear_error(log: SqliteLog, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.jsonl cannot be read: No such file"):
        append_file(log, TOPIC, tmp_path / "missing.jsonl")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        append_file(log, TOPIC, tmp_path)


def test_a_stream_that_breaks_off_is_a_clear_error(log: SqliteLog) -> None:
    class Broken(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(InputError, match="the stream cannot be read on: Input/output error"):
        append_file(log, TOPIC, Broken())
