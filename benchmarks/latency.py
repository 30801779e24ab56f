"""How long until a verdict can be read: `python -m benchmarks.latency` (`--only sqlite` or `kafka` for one log alone).

A worker (`muckraker run --follow`) in a process of its own, devices that append in another, and here a reader who looks
at the lake as `findings`, `rounds` and SQL do: committed segments only, listed anew all the time. For each round the
time is taken from the log's own timestamp of its last event until the reader has its row, merging and all. Quiet: one
round every two seconds, and nothing else. Busy: 80% of what a worker was just measured to take on this machine.

On the embedded log and on a real Kafka broker, which is started for it. Prints a table; ends with 1 if a p99 is over
two seconds. The machine is the worker's, the broker's, the devices' and the reader's at once: have it to yourself.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmarks.ingest_load import load_plan, read_events, send, write_events
from console.home import TOPIC, Home, make_home, open_home
from ingest.dev_broker import Cluster
from ingest.lake import Lake
from ingest.owners import owners
from ingest.simulator import Plan, table_keys

PARTITIONS = 4
GOAL_S = 2.0
QUIET_S = 2.0
SHARE = 0.8
CALIBRATION_EVENTS = 40_000
SENDING_S = 0.02
END_S = 60.0
CLOSED = "muckraker.round.closed.v1"


@dataclass(frozen=True)
class Latency:
    """What the reader saw of one run."""

    log: str
    load: str
    seconds: Sequence[float]  # of each round

    def at(self, share: float) -> float:
        """The time within which so many of the rounds could be read."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def row(self) -> str:
        numbers = f"{self.at(0.5):.2f} s | {self.at(0.99):.2f} s | {max(self.seconds):.2f} s"
        return f"| {self.log} | {self.load} | {len(self.seconds):,} | {numbers} |"


class Reader:
    """Looks at the lake of a home until it has seen every round."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake
        self._known: set[str] = set()
        self.seen: dict[tuple[str, str], float] = {}  # when a round's row was first read
        self.closed: dict[tuple[str, str], float] = {}  # when the log had its last event

    def look(self) -> None:
        for partition in self._lake.partitions(TOPIC):
            for segment in self._lake.segments(TOPIC, partition):
                if str(segment.path) in self._known:
                    continue
                rounds = pq.read_table(segment.path / "rounds.parquet", columns=["table_id", "round_id"])
                now = time.time()
                self._known.add(str(segment.path))
                for place in zip(*(column.to_pylist() for column in rounds.columns), strict=True):
                    self.seen.setdefault(place, now)
                names = ["table_id", "round_id", "timestamp_us", "type"]
                events = pq.read_table(segment.path / "events.parquet", columns=names, partitioning=None)
                events = events.filter(pc.equal(events["type"], CLOSED)).select(names[:3])
                for table_id, round_id, stamp_us in zip(*(c.to_pylist() for c in events.columns), strict=True):
                    self.closed[table_id, round_id] = stamp_us / 1e6

    def latencies(self, since_s: float) -> list[float]:
        """Of the rounds whose last event came to the log after this moment."""
        return [self.seen[place] - at for place, at in self.closed.items() if at >= since_s and place in self.seen]


@contextmanager
def following(home: Home) -> Iterator[None]:
    command = [sys.executable, "-m", "console.main", "run", "--follow", "--home", str(home.path)]
    with (home.path / "worker.log").open("ab") as log, subprocess.Popen(command, stdout=log, stderr=log) as worker:
        try:
            ended = time.monotonic() + END_S
            while len(owners(home.lake(), TOPIC)) < PARTITIONS and time.monotonic() < ended:
                time.sleep(0.1)
            yield
        finally:
            worker.terminate()
            worker.wait(END_S)
    if worker.returncode != 0:
        raise RuntimeError(f"the worker ended with {worker.returncode}: see {home.path / 'worker.log'}")


def measured(home: Home, events: Path, rate: float, name: str, load: str) -> Latency:
    """Have the events appended, so many a second (0: a round every QUIET_S), and read what comes of them."""
    reader = Reader(home.lake())
    with following(home):
        began = time.time()
        command = [sys.executable, "-m", "benchmarks.latency", "--send", str(home.path), str(events), str(rate)]
        with subprocess.Popen(command) as sender:
            while sender.poll() is None:
                reader.look()
                time.sleep(SENDING_S)
        if sender.returncode != 0:
            raise RuntimeError("the events could not be appended; see above")
        ended = time.monotonic() + END_S
        while len(reader.latencies(began)) < closings(events) and time.monotonic() < ended:
            reader.look()
            time.sleep(SENDING_S)
    found = reader.latencies(began)
    if len(found) < closings(events):
        raise RuntimeError(
            f"{closings(events) - len(found)} rounds were not readable {END_S:.0f} s after the last event"
        )
    return Latency(name, load, found)


def closings(events: Path) -> int:
    return sum(CLOSED.encode() in raw for _, raw in read_events(events))


def append(home: Home, events: Path, rate: float) -> None:
    """What the appending process does."""
    cluster = home.kafka()
    if cluster is not None and rate:
        send(read_events(events), cluster.bootstrap_servers[0], cluster.topic_name(TOPIC), PARTITIONS, rate)
        return
    log = home.log()
    batch: list[tuple[str, bytes]] = []
    began, sent = time.monotonic(), 0
    for table_id, raw in read_events(events):
        batch.append((table_id.decode(), raw))
        sent += 1
        if rate and sent < (time.monotonic() - began + SENDING_S) * rate:
            continue
        if rate or CLOSED.encode() in raw:
            log.append(TOPIC, batch)
            batch = []
            time.sleep(SENDING_S if rate else QUIET_S)
    if batch:
        log.append(TOPIC, batch)
    log.close()


def capacity(home: Home, events: Path) -> float:
    """How many events a second a worker takes from this log here."""
    append(home, events, 10**9)
    command = [sys.executable, "-m", "console.main", "run", "--json", "--home", str(home.path)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return float(json.loads(done.stdout)["records_per_second"])


@contextmanager
def homes(folder: Path, kind: str) -> Iterator[tuple[str, list[Home]]]:
    """Three homes with the same kind of log: to measure what a worker takes, quiet, and busy."""
    if kind == "sqlite":
        yield "SQLite", [make_home(folder / f"sqlite-{number}", partitions=PARTITIONS) for number in range(3)]
        return
    with ExitStack() as around:
        cluster = Cluster(folder / "cluster")
        around.callback(cluster.close)
        made = []
        for number in range(3):
            settings = folder / f"kafka-{number}.toml"
            text = f'bootstrap_servers = ["{cluster.bootstrap}"]\ntopic_prefix = "n{number}-"\nsession_timeout_s = 6\n'
            settings.write_text(text)
            path = folder / f"kafka-{number}"
            command = ["init", "--kafka", str(settings), "--partitions", str(PARTITIONS), "--home", str(path)]
            subprocess.run([sys.executable, "-m", "console.main", *command], check=True, capture_output=True)
            made.append(open_home(path))
        yield "Kafka", made


def register(home: Home, plan: Plan) -> None:
    keys = home.keys()
    for table_id, public in table_keys(plan).items():
        keys.register(table_id, public)


def events_of(folder: Path, home: Home, name: str, events: int, rounds: int | None = None) -> Path:
    """A file with the events of tables of their own, or of so many rounds, known to the home."""
    plan = load_plan(7, 1, events)
    register(home, plan)
    path = folder / name
    write_events(path, plan, events)
    if rounds is not None:
        kept, left = [], rounds
        for table_id, raw in read_events(path):
            kept.append(b"%s %s\n" % (table_id, raw))
            left -= CLOSED.encode() in raw
            if not left:
                break
        path.write_bytes(b"".join(kept))
    return path


def compared(folder: Path, kind: str, rounds: int, seconds: float) -> list[Latency]:
    with homes(folder, kind) as (name, (first, quiet, busy)):
        rate = SHARE * capacity(first, events_of(folder, first, f"{kind}-capacity", CALIBRATION_EVENTS))
        print(f"{name}: busy is {rate:,.0f} events a second, load average {os.getloadavg()[0]:.1f}", flush=True)
        still = events_of(folder, quiet, f"{kind}-quiet", 4_000, rounds)
        many = events_of(folder, busy, f"{kind}-busy", int(rate * seconds))
        return [
            measured(quiet, still, 0.0, name, f"quiet: a round every {QUIET_S:.0f} s"),
            measured(busy, many, rate, name, f"busy: {rate:,.0f} events/s"),
        ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=30, help="of the quiet run (default 30)")
    parser.add_argument("--seconds", type=float, default=30.0, help="of the busy run (default 30)")
    parser.add_argument("--only", choices=("sqlite", "kafka"), help="one log instead of both")
    parser.add_argument("--send", nargs=3, metavar=("HOME", "EVENTS", "RATE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.send is not None:
        append(open_home(Path(arguments.send[0])), Path(arguments.send[1]), float(arguments.send[2]))
        return 0
    found: list[Latency] = []
    with tempfile.TemporaryDirectory(prefix="muckraker-latency-") as folder:
        for kind in [arguments.only] if arguments.only else ["sqlite", "kafka"]:
            found += compared(Path(folder), kind, arguments.rounds, arguments.seconds)
    print("| log | load | rounds | p50 | p99 | most |\n| --- | --- | ---: | ---: | ---: | ---: |")
    for latency in found:
        print(latency.row())
    return int(any(latency.at(0.99) > GOAL_S for latency in found))


if __name__ == "__main__":
    sys.exit(main())
