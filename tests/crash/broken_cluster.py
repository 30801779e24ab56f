"""A cluster under load that is broken at random, and what it recorded held against what was sent.

`python -m benchmarks.crash` says what is done and compared; tests/test_crash.py runs a short one.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Event, Lock, Thread

import pyarrow.parquet as pq

from console.home import FINDINGS_TOPIC, TOPIC, Home, open_home
from console.pipeline import lag
from ingest.dev_broker import Cluster
from ingest.gate.gate import DUPLICATE, RECORDED
from ingest.kafka.log import KafkaLog
from ingest.log import LogRecord
from ingest.simulator import table_keys
from tests.crash.plan import devices, events_of
from tests.crash.producer import remembered
from tests.lake_content import content_of, differences, wrong_checkpoints

WORKERS = 3
PRODUCERS = 2
PARTITIONS = 6
TABLES_EACH = 6
RATE = 400.0  # events a second and producer
SESSION_S = 6.0
DEADLINE_S = 2.0  # with the grace a group gives, a worker that hangs for SESSION_S and 7 s more is robbed of its tables
HANGS_S = (0.5, 2.0, SESSION_S + 4.0, SESSION_S + 12.0)
END_S = 180.0
STOPPED = (0, -signal.SIGTERM)  # in order, or before it had begun


Fault = tuple[str, Callable[[random.Random], None]]


class Differs(Exception):
    """Something that was recorded is not what was sent, or not what an undisturbed run makes of it."""


@dataclass
class Report:
    """What the test did and compared."""

    faults: Counter[str] = field(default_factory=Counter)
    events: int = 0
    refused: int = 0
    again: int = 0
    tables: int = 0
    segments: int = 0
    compared: int = 0
    rounds: int = 0
    findings: int = 0
    in_topic: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.faults.items()))
        return (
            f"{self.faults.total()} faults in {self.seconds:.0f} s: {kinds}\n"
            f"{self.events:,} events of {self.tables} tables sent; each is in the lake once, in its table's order\n"
            f"{self.again:,} were sent twice and told apart, {self.refused:,} broken on purpose and kept as refused\n"
            f"{self.compared:,} records, rounds and findings compared with an undisturbed run: all the same\n"
            f"{self.rounds:,} rounds, {self.findings:,} findings; every finding was published ({self.in_topic:,} times)"
        )


class CrashTest:
    """One run, in a folder of its own; use as a context manager."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        say: Callable[[str], None],
        rate: float = RATE,
        segment_records: int | None = None,
        hangs_s: Sequence[float] = HANGS_S,
    ) -> None:
        self._folder = folder
        self._seed = seed
        self._say = say
        self._rate = rate
        self._cut = [] if segment_records is None else ["--segment-records", str(segment_records)]
        self._hangs_s = hangs_s
        self._report = Report()
        self._lock = Lock()
        self._workers: dict[int, subprocess.Popen[bytes]] = {}
        self._day = datetime.now(UTC).date()
        self._producers: dict[int, subprocess.Popen[bytes]] = {}
        self._started_s: dict[int, float] = {}
        self._failures: list[str] = []
        self._cluster: Cluster | None = None

    def __enter__(self) -> CrashTest:
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self._workers.values(), *self._producers.values()]:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()
        if self._cluster is not None:
            self._cluster.close()

    @property
    def cluster(self) -> Cluster:
        assert self._cluster is not None
        return self._cluster

    def run(self, faults: int) -> Report:
        began = time.monotonic()
        self._say("starting three brokers")
        self._cluster = Cluster(self._folder / "cluster", brokers=3, listeners=("RELAYED",))
        home = self._make_home("home")
        for number in range(WORKERS):
            self._start_worker(home, number)
        for number in range(PRODUCERS):
            self._start_producer(home, number)
        self._wait(lambda: home.lake().position(TOPIC, 0) > 0, "the first segment", END_S)
        self._break_things(home, faults)
        self._report.seconds = time.monotonic() - began
        sent = self._stop_producers(home)
        self._say(f"{sum(sent):,} events sent; waiting for the lake")
        self._wait(lambda: lag(home) == 0, "the last record", END_S)
        self._stop_workers()
        self._check_events(home, sent)
        self._say("an undisturbed run over the same topic")
        other = self._make_home("undisturbed", like=home)
        self._start_worker(other, WORKERS)
        self._wait(lambda: lag(other) == 0, "the undisturbed run's end", END_S)
        self._stop_workers()
        self._check_same(home, other)
        self._check_published(home)
        self._muckraker("verify", home=home.path)
        return self._report

    # --- the installation ---------------------------------------------------------------------------------------------

    def _make_home(self, name: str, like: Home | None = None) -> Home:
        """A home on the cluster; `like` another one: the same keys, so that the same records give the same bytes."""
        path = self._folder / name
        servers = ", ".join(f'"{server}"' for server in self.cluster.bootstrap_of("RELAYED").split(","))
        settings = self._folder / f"{name}.toml"
        settings.write_text(
            f"bootstrap_servers = [{servers}]\nsession_timeout_s = {SESSION_S}\nrequest_timeout_s = 8.0\n"
            f'delivery_timeout_s = 600.0\nrevoke_deadline_s = {DEADLINE_S}\ngroup_id = "{name}"\n'
        )
        self._muckraker("init", "--kafka", str(settings), "--partitions", str(PARTITIONS), home=path)
        home = open_home(path)
        if like is None:
            for first in self._firsts():
                for table_id, public in table_keys(devices(self._seed, self._day, first, TABLES_EACH)).items():
                    home.keys().register(table_id, public)
        else:
            for part in ("keys", "seal"):
                shutil.copytree(like.path / part, path / part, dirs_exist_ok=True)
        return home

    def _firsts(self) -> list[int]:
        return [1 + number * TABLES_EACH for number in range(PRODUCERS)]

    def _muckraker(self, *arguments: str, home: Path) -> None:
        command = [sys.executable, "-m", "console.main", *arguments, "--home", str(home)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Differs(f"muckraker {' '.join(arguments)} ended with {done.returncode}: {done.stdout}{done.stderr}")

    def _start_worker(self, home: Home, number: int) -> None:
        command = [sys.executable, "-m", "console.main", "run", "--follow", *self._cut, "--home", str(home.path)]
        with (self._folder / f"worker-{number}.log").open("ab") as log:
            self._workers[number] = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)

    def _start_producer(self, home: Home, number: int) -> None:
        first, sent = self._firsts()[number], self._sent_file(number)
        arguments = [home.path, self._seed, self._day, first, TABLES_EACH, self._rate, sent]
        command = [sys.executable, "-m", "tests.crash.producer", *map(str, arguments)]
        with (self._folder / f"producer-{number}.log").open("ab") as log:
            self._started_s[number] = time.time()
            self._producers[number] = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)

    def _sent_file(self, number: int) -> Path:
        return self._folder / f"sent-{number}"

    def _stop_producers(self, home: Home) -> list[int]:
        for process in self._producers.values():
            process.terminate()
        counts = []
        for number, process in self._producers.items():
            code = process.wait(END_S)
            while code == -signal.SIGTERM:  # before it had begun: what another left half sent is still to be sent
                self._start_producer(home, number)
                self._wait(partial(self._is_sending, number), "a producer's beginning", END_S)
                self._producers[number].terminate()
                code = self._producers[number].wait(END_S)
            sent, begun = remembered(self._sent_file(number))
            if code != 0 or sent != begun:
                raise Differs(f"a producer ended with {code}: {self._tail(f'producer-{number}.log')}")
            counts.append(sent)
        return counts

    def _is_sending(self, number: int) -> bool:
        """Whether it has sent something since it was started."""
        if self._producers[number].poll() is not None:
            return True
        return self._sent_file(number).stat().st_mtime > self._started_s[number]

    def _stop_workers(self) -> None:
        for process in self._workers.values():
            process.terminate()
        for number, process in self._workers.items():
            if process.wait(END_S) not in STOPPED:
                raise Differs(f"a worker failed: {self._tail(f'worker-{number}.log')}")

    def _tail(self, name: str) -> str:
        return (self._folder / name).read_text(errors="replace")[-2_000:]

    def _wait(self, ready: Callable[[], bool], what: str, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > end:
                logs = "".join(f"\n--- {p.name}\n{self._tail(p.name)}" for p in sorted(self._folder.glob("*.log")))
                raise Differs(f"{what} did not come within {seconds:.0f} s{logs}")
            time.sleep(0.1)

    # --- breaking it --------------------------------------------------------------------------------------------------

    def _break_things(self, home: Home, faults: int) -> None:
        """Workers in one thread and brokers in the other, so that both kinds of fault overlap; one broker at a time."""
        self._say("breaking things")
        enough = Event()
        lanes = [
            Thread(target=self._lane, args=(self._worker_faults(home), faults, enough, self._seed)),
            Thread(target=self._lane, args=(self._broker_faults(), faults, enough, self._seed + 1)),
        ]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
        if self._failures:
            raise Differs(self._failures[0])

    def _lane(self, kinds: list[Fault], faults: int, enough: Event, seed: int) -> None:
        chance = random.Random(seed)
        first = list(dict(kinds).items())  # each kind once, then as it comes
        try:
            while not enough.is_set():
                kind, happen = first.pop(0) if first else chance.choice(kinds)
                happen(chance)
                with self._lock:
                    self._report.faults[kind] += 1
                    total = self._report.faults.total()
                if total % 20 == 0:
                    self._say(f"{total} faults")
                if total >= faults:
                    enough.set()
                enough.wait(chance.uniform(0.2, 1.5))
        except Exception as error:  # noqa: BLE001 - raised by the thread that started the lanes
            self._failures.append(f"breaking things failed: {error!r}")
            enough.set()

    def _worker_faults(self, home: Home) -> list[Fault]:
        def one(chance: random.Random) -> int:
            number = chance.randrange(WORKERS)
            if self._workers[number].poll() is not None:
                raise Differs(f"worker {number} ended by itself: {self._tail(f'worker-{number}.log')}")
            return number

        def killed(chance: random.Random) -> None:
            number = one(chance)
            self._workers[number].kill()
            self._workers[number].wait()
            self._start_worker(home, number)

        def stopped(chance: random.Random) -> None:
            number = one(chance)
            self._workers[number].terminate()
            if self._workers[number].wait(60) not in STOPPED:
                raise Differs(f"worker {number} did not stop in order: {self._tail(f'worker-{number}.log')}")
            self._start_worker(home, number)

        def hung(chance: random.Random) -> None:
            number = one(chance)
            self._workers[number].send_signal(signal.SIGSTOP)
            time.sleep(chance.choice(self._hangs_s))
            self._workers[number].send_signal(signal.SIGCONT)

        def device_killed(chance: random.Random) -> None:
            number = chance.randrange(PRODUCERS)
            if self._producers[number].poll() is not None:
                raise Differs(f"a producer ended by itself: {self._tail(f'producer-{number}.log')}")
            self._producers[number].kill()
            self._producers[number].wait()
            self._start_producer(home, number)

        often = ("workers killed", killed)
        return [
            often,
            often,
            ("devices killed", device_killed),
            ("workers stopped", stopped),
            ("workers hung", hung),
        ]

    def _broker_faults(self) -> list[Fault]:
        def killed(chance: random.Random) -> None:
            number = chance.randrange(3) + 1
            self.cluster.kill(number)
            time.sleep(chance.uniform(0.2, 3.0))
            self.cluster.start(number)
            self.cluster.wait_ready()

        def hung(chance: random.Random) -> None:
            number = chance.randrange(3) + 1
            self.cluster.suspend(number)
            time.sleep(chance.uniform(0.5, 5.0))
            self.cluster.resume(number)

        def cut(chance: random.Random) -> None:
            relays = [self.cluster.relays[number] for number in (1, 2, 3)]
            pulled = relays if chance.random() < 0.3 else [chance.choice(relays)]
            for relay in pulled:
                relay.cut()
            time.sleep(chance.uniform(0.2, 4.0))
            for relay in pulled:
                relay.mend()

        often = ("cables pulled", cut)
        return [("brokers killed", killed), often, often, ("brokers hung", hung)]

    # --- comparing ----------------------------------------------------------------------------------------------------

    def _check_events(self, home: Home, sent: list[int]) -> None:
        """Every event sent is recorded once, in its table's order, or kept as refused if it was broken on purpose."""
        lake = _Kept(home)
        expected: dict[str, list[bytes]] = defaultdict(list)
        for first, count in zip(self._firsts(), sent, strict=True):
            for table_id, raw in islice(events_of(devices(self._seed, self._day, first, TABLES_EACH)), count):
                expected[table_id].append(hashlib.sha256(raw).digest())
        for table_id in sorted({*expected, *lake.recorded, *lake.refused, *lake.again}):
            recorded, refused = lake.recorded[table_id], set(lake.refused[table_id])
            sent_once = dict.fromkeys(expected[table_id])  # devices with a fault send some twice on purpose
            known = set(recorded)
            if len(known) != len(recorded):
                raise Differs(f"{table_id}: {len(recorded) - len(known)} events are recorded twice")
            if sent_once.keys() - known - refused:
                raise Differs(f"{table_id}: {len(sent_once.keys() - known - refused)} events are missing")
            if (known | refused | set(lake.again[table_id])) - sent_once.keys():
                raise Differs(f"{table_id}: there are records that nobody sent")
            if refused & known:
                raise Differs(f"{table_id}: {len(refused & known)} events are recorded, and refused when sent again")
            if [event for event in sent_once if event in known] != recorded:
                raise Differs(f"{table_id}: its events are not in the order they were sent")
        self._report.events = sum(sent)
        self._report.refused = sum(map(len, lake.refused.values()))
        self._report.again = sum(map(len, lake.again.values()))
        self._report.tables = len(expected)
        self._report.segments = lake.segments

    def _check_same(self, home: Home, other: Home) -> None:
        one, two = content_of(home.lake(), TOPIC), content_of(other.lake(), TOPIC)
        found = [*differences(one, two)]
        for each, content in ((home, one), (other, two)):
            found += wrong_checkpoints(each.lake(), TOPIC, content)
        if found:
            raise Differs(f"the record is not the undisturbed run's: {'; '.join(found)}")
        self._report.rounds, self._report.findings = one.rounds.num_rows, one.findings.num_rows
        records = sum(events.num_rows for events in one.events.values())
        self._report.compared = records + self._report.rounds + self._report.findings

    def _check_published(self, home: Home) -> None:
        settings = home.kafka()
        assert settings is not None
        log = KafkaLog(settings)
        try:
            ends = {p: log.high_water_mark(FINDINGS_TOPIC, p) for p in range(log.partitions(FINDINGS_TOPIC))}
            in_topic = [
                json.loads(record.value)["finding_id"]
                for partition, end in ends.items()
                for record in _all(log, FINDINGS_TOPIC, partition, end)
            ]
        finally:
            log.close()
        recorded = set(content_of(home.lake(), TOPIC).findings["finding_id"].to_pylist())
        if recorded - set(in_topic):
            raise Differs(
                f"{len(recorded - set(in_topic))} of {len(recorded)} findings are not in the topic {FINDINGS_TOPIC}"
            )
        if set(in_topic) - recorded:
            raise Differs(f"{len(set(in_topic) - recorded)} findings were published that are not in the lake")
        self._report.in_topic = len(in_topic)


class _Kept:
    """What a lake holds of each table, as hashes in the order of the log, by what the gate made of it."""

    def __init__(self, home: Home) -> None:
        self.recorded: dict[str, list[bytes]] = defaultdict(list)
        self.refused: dict[str, list[bytes]] = defaultdict(list)
        self.again: dict[str, list[bytes]] = defaultdict(list)
        self.segments = 0
        of_status = {RECORDED: self.recorded, DUPLICATE: self.again}
        columns = ["table_id", "status", "raw"]
        lake = home.lake()
        for partition in range(PARTITIONS):
            for segment in lake.segments(TOPIC, partition):
                rows = pq.read_table(segment.path / "events.parquet", columns=columns, partitioning=None)
                for table_id, status, raw in zip(*(rows[name].to_pylist() for name in columns), strict=True):
                    of_status.get(status, self.refused)[table_id].append(hashlib.sha256(raw).digest())
                self.segments += 1


def _all(log: KafkaLog, topic: str, partition: int, end: int) -> Iterator[LogRecord]:
    offset = log.start(topic, partition)
    while offset < end:
        for record in log.read(topic, partition, offset, 5_000):
            yield record
            offset = record.offset + 1
