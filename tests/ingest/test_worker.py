"""The worker: every record once, whatever happens in between."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from ingest.chain import sign
from ingest.following import follow
from ingest.lake import Lake, LakeError
from ingest.log import LogRecord
from ingest.sqlite_log import SqliteLog
from ingest.worker import Processed, Worker
from schemas.admitted import Admitted, Concluded, ReplayCut
from tests.ingest.device import TableDevice, interleaved
from tests.ingest.fake_replay import FakeReplay
from tests.ingest.house import House
from tests.ingest.log_contract import REPOSITORY, TOPIC
from tests.ingest.messy_stream import messy
from tests.lake_content import differences

Records = list[tuple[str, bytes]]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.log.close()


def devices(house: House, count: int = 4) -> list[TableDevice]:
    made = [TableDevice(f"PG-{number:02d}") for number in range(count)]
    for device in made:
        house.keys.register(device.table_id, device.public_hex)
    return made


def play(house: House, rounds: int = 30) -> Records:
    return list(interleaved({device.table_id: device.rounds(rounds) for device in devices(house)}))


# --- cuts -------------------------------------------------------------------------------------------------------------


def test_a_drain_takes_everything_and_says_what_it_did(house: House) -> None:
    records = play(house)
    house.append(records)
    seen: list[tuple[int, int, int]] = []
    with house.worker(records=100, progress=lambda *done: seen.append(done), read_records=60) as worker:
        processed = worker.drain()
        assert worker.drain() == Processed(0, 0, 0, 0, 0)
    assert processed == Processed(records=1080, segments=11, rounds=120, findings=0, held=0)
    assert seen[-1] == (1080, 1080, 120)
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    events = house.table("events.parquet")
    assert events["raw"].to_pylist() == [raw for _, raw in records]
    assert set(events["status"].to_pylist()) == {"recorded"}
    rounds = house.table("rounds.parquet")
    assert rounds.num_rows == 120 and {len(seqs) for seqs in rounds["seqs"].to_pylist()} == {9}


def test_segments_are_cut_after_so_many_records(house: House) -> None:
    house.append(play(house))
    house.drain(records=100)
    segments = Lake(house.folder / "lake").segments(TOPIC, 0)
    assert [segment.last - segment.first + 1 for segment in segments] == [100] * 10 + [80]


def test_a_state_is_kept_now_and_then_and_a_worker_goes_on_from_any(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 20 segments of 54 records every fourth has a state; each time another worker goes on, from one of them."""
    monkeypatch.setattr("ingest.worker.STATE_EVERY_RECORDS", 200)
    records, expected = trouble(house, "late")
    house.append(records)
    house.drain("whole")
    while (done := Lake(house.folder / "lake").position(TOPIC, 0)) < len(records):
        with house.worker(records=54) as worker:
            worker.take(house.log.read(TOPIC, 0, done, 54 * 3 - 7))
            if worker.position == len(records):
                worker.cut()
    lake = Lake(house.folder / "lake")
    states = [lake.manifest(segment)["state_offset"] for segment in lake.segments(TOPIC, 0)]
    assert [offset for offset in states if offset is not None] == [215, 431, 647]
    assert house.codes() == sorted(expected)
    assert list(differences(house.content(), house.content("whole"))) == []


def test_settings_stay_with_the_lake(house: House) -> None:
    house.append(play(house, rounds=5))
    house.drain(records=50)
    with pytest.raises(LakeError, match="segment_records is 50 for this lake and 60 was asked for"):
        house.drain(records=60)
    house.append(play(house, rounds=5))
    house.drain()
    assert {segment.last - segment.first + 1 for segment in Lake(house.folder / "lake").segments(TOPIC, 0)} == {50, 30}
    with pytest.raises(ValueError, match="segment_records must be at least 1, not 0"):
        house.drain(lake="other", records=0)


def test_how_the_log_is_read_changes_no_byte(house: House) -> None:
    for number in range(4):
        house.keys.register(f"T-{number}", TableDevice(f"T-{number}", seed=4).public_hex)
    house.append(messy(4), batch=7)
    house.drain(records=40)
    for read_records in (1, 3, 39, 40, 41, 100_000):
        house.drain(f"by-{read_records}", records=40, read_records=read_records)
        assert house.tree(f"by-{read_records}") == house.tree()


def test_going_on_after_a_tail_keeps_the_state(house: House) -> None:
    records = play(house)
    for start in range(0, len(records), 333):
        house.append(records[start : start + 333])
        house.drain(records=100)
    assert house.codes() == []
    rounds = house.table("rounds.parquet")
    assert rounds.num_rows == 120 and {len(seqs) for seqs in rounds["seqs"].to_pylist()} == {9}
    assert Lake(house.folder / "lake").check() == []


def test_partitions_are_worked_apart(tmp_path: Path) -> None:
    house = House(tmp_path, partitions=2)
    records = play(house)
    house.append(records)
    with house.worker(partition=0, records=100) as zero, house.worker(partition=1, records=100) as one:
        both = [zero.drain(), one.drain()]
    assert all(done.records for done in both) and sum(done.rounds for done in both) == 120
    assert sum(done.records for done in both) == len(records)
    assert [done.findings for done in both] == [0, 0]
    tables = [set(house.table("events.parquet", partition=partition)["table_id"].to_pylist()) for partition in (0, 1)]
    assert tables[0].isdisjoint(tables[1])
    assert Lake(tmp_path / "lake").check() == []
    house.log.close()


# --- crashes ----------------------------------------------------------------------------------------------------------


def test_a_worker_killed_at_any_moment_leaves_the_same_lake(tmp_path: Path) -> None:
    house = House(tmp_path, partitions=2)
    for number in range(4):
        house.keys.register(f"T-{number}", TableDevice(f"T-{number}", seed=9).public_hex)
    extra = TableDevice("Z-1")
    house.keys.register("Z-1", extra.public_hex)
    house.append([*messy(9), *(("Z-1", raw) for raw in extra.rounds(150))], batch=20)
    for partition in (0, 1):
        with house.worker("whole", partition, records=12) as worker:
            worker.drain()
    expected = house.tree("whole")

    def start() -> subprocess.Popen[bytes]:
        arguments = [str(tmp_path / "log.db"), str(tmp_path / "killed"), str(tmp_path / "keys"), "12"]
        return subprocess.Popen(
            [sys.executable, "-m", "tests.ingest.worker_process", *arguments], cwd=REPOSITORY, stdout=subprocess.PIPE
        )

    random = Random(1)
    kills = 0
    for _ in range(100):
        with start() as process:
            assert process.stdout is not None
            process.stdout.readline()  # ready: the imports are done and the work begins
            if kills < 18:
                time.sleep(random.uniform(0, 0.025))
                process.kill()
            process.wait()
        if process.returncode == 0:
            break
        assert process.returncode == -9
        kills += 1
    assert kills >= 15
    assert house.tree("killed") == expected
    house.log.close()


class Telling(FakeReplay):
    """Says at once which rounds closed, as the real one does."""

    waiting = 0

    def advance(self) -> Concluded | None:
        already, self.already = getattr(self, "already", 0), len(self.done)
        return Concluded(None, []) if len(self.done) > already else None


class Tripwire(FakeReplay):
    """Raises once, at a certain event."""

    at = -1

    def feed(self, admitted: Admitted) -> None:
        if admitted.offset == Tripwire.at:
            Tripwire.at = -1
            raise RuntimeError("the replay fell over")
        super().feed(admitted)


def test_a_replay_that_raises_leaves_no_hole(house: House) -> None:
    house.append(play(house))
    house.drain("whole", records=100)
    with house.worker(records=100, replay=Tripwire) as worker:
        for at in (0, 250, 399, 400, 1079):
            Tripwire.at = at
            with pytest.raises(RuntimeError, match="fell over"):
                worker.drain()
        worker.drain()
    assert list(differences(house.content(), house.content("whole"))) == []


def test_a_full_disk_stops_the_work_and_the_same_worker_goes_on(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.append(play(house))
    house.drain("whole", records=100)
    real, calls = os.fsync, [0]

    def full(fd: int) -> None:
        calls[0] += 1
        if calls[0] in (30, 31, 44):
            raise OSError(28, "No space left on device")
        real(fd)

    with house.worker(records=100) as worker:
        monkeypatch.setattr("ingest.lake.os.fsync", full)
        for _ in range(3):
            with pytest.raises(LakeError, match="No space left on device"):
                worker.drain()
        worker.drain()
    assert house.tree() == house.tree("whole")


def test_a_second_worker_is_told_who_owns_the_lake(house: House) -> None:
    with house.worker(), pytest.raises(LakeError, match="another worker"), house.worker():
        pass


def test_a_damaged_state_stops_the_worker_before_it_begins(house: House) -> None:
    house.append(play(house, rounds=3))
    house.drain()
    last = Lake(house.folder / "lake").last(TOPIC, 0)
    assert last is not None
    (last.path / "state.json").write_bytes(b"{}")
    with pytest.raises(LakeError, match=r"state\.json is damaged"):
        house.drain()
    with pytest.raises(LakeError, match=r"state\.json is damaged"):  # and it has let go of the lock
        house.drain()


def test_another_log_than_the_lake_s_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    house, other = House(tmp_path / "a"), House(tmp_path / "b")
    house.append(play(house, rounds=3))
    house.drain()
    other.folder = house.folder
    with pytest.raises(LakeError, match=r"the lake has the records up to 107, but the log ends at -1"):
        other.drain()
    house.log.close()
    other.log.close()


# --- following --------------------------------------------------------------------------------------------------------


def follow_until(worker: Worker, done: Callable[[], bool], seconds: float = 10.0) -> tuple[Processed, float]:
    """Follow until `done`; what was processed, and how long it took until then."""
    stop, took = threading.Event(), [0.0]
    began = time.monotonic()

    def watch() -> None:
        while not done() and time.monotonic() < began + seconds:
            time.sleep(0.02)
        took[0] = time.monotonic() - began
        stop.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    (processed,) = follow([worker], stop)
    watcher.join()
    assert took[0] < seconds, f"it did not come within {seconds} s"
    return processed, took[0]


def test_a_verdict_is_in_the_lake_within_two_seconds_though_nothing_more_comes(house: House) -> None:
    """One round at a quiet table: its verdict is readable before the table says another word."""
    (device,) = devices(house, 1)
    took: list[float] = []

    def readable() -> bool:
        return Lake(house.folder / "lake").position(TOPIC, 0) > 0 and house.table("rounds.parquet").num_rows > len(took)

    with house.worker(replay=Telling) as worker:
        for _ in range(3):  # others may keep the processor and the disk busy, but hardly each time
            house.append([("PG-00", raw) for raw in device.round(wagers=2)])
            took.append(follow_until(worker, readable)[1])
    assert min(took) < 2.0, took


def test_records_that_no_verdict_rests_on_yet_wait_a_few_seconds(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    (device,) = devices(house, 1)
    house.append([("PG-00", raw) for raw in device.round(wagers=2)[:4]])
    monkeypatch.setattr("ingest.worker.RECORDS_WAIT_S", 0.6)
    with house.worker(replay=Telling) as worker:
        _, took_s = follow_until(worker, lambda: Lake(house.folder / "lake").position(TOPIC, 0) == 4)
    assert took_s >= 0.6


def test_a_worker_that_is_stopped_leaves_nothing_behind(house: House) -> None:
    records = play(house)
    house.append(records)
    with house.worker(records=100) as worker:
        processed, _ = follow_until(worker, lambda: worker.position == len(records))
    assert processed.records == len(records) and processed.held == 0
    assert Lake(house.folder / "lake").position(TOPIC, 0) == len(records)
    assert house.drain() == Processed(0, 0, 0, 0, 0), "nothing is left to do"
    house.drain("whole")
    assert list(differences(house.content(), house.content("whole"))) == []


def test_following_stops_when_told(house: House) -> None:
    stop = threading.Event()
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    with house.worker() as worker:
        assert follow([worker], stop, poll_seconds=30) == [Processed(0, 0, 0, 0, 0)]
    timer.join()


# --- trouble, each with exactly its finding ---------------------------------------------------------------------------


def trouble(house: House, damage: str) -> tuple[Records, list[tuple[str, str, int]]]:
    """Two tables' records, one of them damaged at a settlement, and the findings that must come of it."""
    bad, good = devices(house, 2)
    said = bad.rounds(40)
    place = 203
    expected: list[tuple[str, int]]
    match damage:
        case "lost":
            del said[place]
            expected = [("GATE-003", place)]
        case "duplicated":
            said.insert(place + 5, said[place])
            expected = [("GATE-004", place)]
        case "reordered":
            said.insert(place + 9, said.pop(place))
            expected = [("GATE-005", place)]
        case "forged":
            forged = said[place].replace(b'"outcome":"lose"', b'"outcome":"push"')
            assert forged != said[place]
            said.insert(place + 1, forged)
            expected = [("GATE-009", place)]
        case "altered":
            said[place] = said[place].replace(b'"outcome":"lose"', b'"outcome":"push"')
            expected = [("GATE-002", place + 1)]
        case "bad signature":
            place = 206  # the round.closed
            body = TableDevice("PG-00").rounds(40)[place]
            wrong = TableDevice("PG-00", seed=99)
            said[place] = sign(body[:-138] + b"}", wrong.key)
            assert said[place][:-138] == body[:-138] and said[place] != body
            # the next event's prevhash is of the bytes with the true signature
            expected = [("GATE-001", place), ("GATE-002", place + 1)]
        case "refused":
            said[place] = said[place][:-4]
            expected = [("GATE-003", place), ("GATE-006", place)]
        case "late":
            said.insert(place + 100, said.pop(place))
            expected = [("GATE-003", place), ("GATE-005", place)]
        case _:
            expected = []
    records = list(interleaved({bad.table_id: said, good.table_id: good.rounds(40)}))
    return records, [(code, bad.table_id, seq) for code, seq in expected]


@pytest.mark.parametrize(
    "damage", ["none", "lost", "duplicated", "reordered", "forged", "altered", "bad signature", "refused", "late"]
)
def test_each_trouble_raises_exactly_its_finding_and_disturbs_nobody_else(house: House, damage: str) -> None:
    records, expected = trouble(house, damage)
    house.append(records)
    house.drain(records=64)
    assert house.codes() == sorted(expected)
    rounds = house.table("rounds.parquet")
    good = [row["seqs"] for row in rounds.to_pylist() if row["table_id"] == "PG-01"]
    assert good == [list(range(first, first + 9)) for first in range(0, 360, 9)]
    assert house.table("events.parquet")["raw"].to_pylist() == [raw for _, raw in records]
    assert Lake(house.folder / "lake").check() == []


def test_a_late_event_finds_its_round_in_earlier_segments(house: House) -> None:
    records, _ = trouble(house, "late")
    house.append(records)
    house.drain(records=64)
    reopened = [row for row in house.table("rounds.parquet").to_pylist() if row["version"] == 2]
    assert [(row["table_id"], row["round_id"], row["seqs"]) for row in reopened] == [
        ("PG-00", "000023", list(range(198, 207)))
    ], "the whole round, the late event in its place"


def test_history_holds_what_was_fed_and_nothing_that_is_held(house: House) -> None:
    """Seq 9 comes after its gap was declared; 81 to 83, of the same round, still wait for 80 when the segment ends.
    What comes after the gap counts by the signature of seq 10, which is of no round."""
    (device,) = devices(house, 1)
    said = [*device.round(wagers=2), device.say("round.opened", "LONG")]
    for number in range(100):
        if number == 2:
            said.append(device.say("table.heartbeat"))
        said.append(device.say("wager.changed", "LONG", seat=1, wager="pai_gow", amount_cents=100))
    order = [*range(9), *range(10, 80), 9, *range(81, 84)]
    house.append([("PG-00", said[seq]) for seq in order])
    asked: list[list[int]] = []

    class Asking(FakeReplay):
        def feed(self, admitted: Admitted) -> None:
            super().feed(admitted)
            if admitted.event.seq == 9:
                asked.append(self.recorded("PG-00", "LONG", 9))

        def cut(self) -> ReplayCut:
            asked.append(self.recorded("PG-00", "LONG", 9))
            return super().cut()

    with house.worker(records=len(order), replay=Asking) as worker:
        stop = threading.Event()
        worker._progress = lambda done, total, rounds: stop.set()
        follow([worker], stop)  # no drain: the held ones stay held
    assert asked == [[7, 8, 9, *range(11, 80)]] * 2


def test_a_gap_at_the_end_of_a_drained_log_is_declared_and_then_healed_late(house: House) -> None:
    (device,) = devices(house, 1)
    said = device.rounds(4)
    missing = said.pop(33)
    house.append([("PG-00", raw) for raw in said])
    assert house.drain(records=10).held == 0
    assert house.codes() == [("GATE-003", "PG-00", 33)]
    house.append([("PG-00", missing)])
    house.drain(records=10)
    assert house.codes() == [("GATE-003", "PG-00", 33), ("GATE-005", "PG-00", 33)]


def test_a_gap_is_declared_when_the_log_has_gone_on_for_half_a_minute(house: House) -> None:
    """Nobody drains, and the table itself says nothing more: another table of the partition does."""
    quiet, other = devices(house, 2)
    said = quiet.rounds(2)
    del said[12]
    later = other.rounds(1)
    house.log.append(TOPIC, [("PG-00", raw) for raw in said], timestamp_us=1_000_000)
    house.log.append(TOPIC, [("PG-01", later[0])], timestamp_us=30_999_999)
    house.log.append(TOPIC, [("PG-01", later[1])], timestamp_us=31_000_000)
    with house.worker() as worker:
        worker.take(house.log.read(TOPIC, 0, 0, len(said) + 1))
        worker.cut()
        assert worker.counted.held == 5 and house.codes() == []
    with house.worker() as worker:  # another one goes on with the same clock
        worker.take(house.log.read(TOPIC, 0, len(said) + 1, 1))
        worker.cut()
        assert worker.counted.held == 0
    assert house.codes() == [("GATE-003", "PG-00", 12)]
    assert [row["seqs"] for row in house.table("rounds.parquet").to_pylist()][1] == [9, 10, 11, 13, 14, 15, 16, 17]
    ends = [Lake(house.folder / "lake").manifest(one)["ends"] for one in Lake(house.folder / "lake").segments(TOPIC, 0)]
    assert ends == [[], []], "the log did not end"


def test_where_a_drain_took_the_log_to_have_ended_is_recorded(house: House) -> None:
    (device,) = devices(house, 1)
    said = device.rounds(3)
    missing = said.pop(21)
    house.append([("PG-00", raw) for raw in said])
    house.drain()
    lake = Lake(house.folder / "lake")
    (segment,) = lake.segments(TOPIC, 0)
    assert lake.manifest(segment)["ends"] == [len(said) - 1]
    house.append([("PG-00", missing)])
    house.drain()
    assert lake.manifest(lake.segments(TOPIC, 0)[1])["ends"] == []


def test_a_gap_is_not_declared_while_more_of_the_log_is_waiting(house: House) -> None:
    """Records that arrive while a drain is under way: what it holds may be among them."""
    (device,) = devices(house, 1)
    said = device.rounds(2)
    house.append([("PG-00", raw) for raw in said[:5] + said[6:9]])
    added = [False]

    def more(done: int, total: int, rounds: int) -> None:
        if not added[0]:
            added[0] = True
            house.append([("PG-00", said[5])])

    with house.worker(progress=more) as worker:
        assert worker.drain().held == 3
        assert worker.drain().held == 0
    assert house.codes() == [("GATE-005", "PG-00", 5)]


def test_a_file_sent_twice_is_recognised(house: House) -> None:
    records = play(house, rounds=20)  # 180 events a table, all within the window
    house.append(records)
    house.append(records)
    house.drain(records=100)
    assert [code for code, _, _ in house.codes()] == ["GATE-004"] * 4, "one disturbance a table"
    assert house.table("events.parquet")["status"].to_pylist().count("duplicate") == len(records)
    assert house.table("rounds.parquet").num_rows == 80


def test_any_bytes_at_all_end_in_the_lake(house: House) -> None:
    random = Random(5)
    records = [(random.choice(["PG-00", "unknown", "é"]), random.randbytes(random.randint(1, 90))) for _ in range(300)]
    records.append(("PG-00", b"x" * 100_000))
    house.append(records)
    house.drain(records=50)
    events = house.table("events.parquet")
    assert events["raw"].to_pylist() == [raw for _, raw in records]
    assert set(events["status"].to_pylist()) == {"quarantined"}
    assert len(house.codes()) == 301


class Short:
    """A log whose reads come in odd pieces, as a Kafka consumer's do."""

    def __init__(self, log: SqliteLog) -> None:
        self._log = log
        self._random = Random(1)
        self.partitions = log.partitions
        self.append = log.append
        self.look = log.look
        self.confirm = log.confirm
        self.start = log.start
        self.high_water_mark = log.high_water_mark
        self.close = log.close

    def read(self, topic: str, partition: int, offset: int, limit: int) -> list[LogRecord]:
        return self._log.read(topic, partition, offset, self._random.randint(0, limit))


def test_reads_that_return_less_than_asked_or_nothing_change_no_byte(house: House) -> None:
    house.append(play(house, rounds=10))
    house.drain("whole", records=50)
    with Worker(Short(house.log), Lake(house.folder / "lake"), TOPIC, 0, house.keys, FakeReplay, 50) as worker:
        worker.drain()
    assert house.tree() == house.tree("whole")
