"""How fast a worker is on real Kafka, beside bare consumers of the same bytes: `python -m benchmarks.ingest`.

One broker on loopback; simulated tables' events are sent first and then read by, in turn and several times over:

- (a) a bare kafka-python consumer and (b) a bare confluent-kafka consumer, which look at each record's length;
- one worker, `muckraker run --follow` as it is: it validates, checks chain and signatures, replays, writes Parquet,
  seals and publishes findings; timed from when it has committed a segment of each partition until it reaches an end;
- two workers that share the partitions, timed the same way while both are at work.

Then events are sent at a steady rate, half of (a), and the time from a round's last record to its verdict is taken.
Each contestant is a process of its own. CPU time is given beside wall time: on a busy machine it is the better witness,
and what two workers and a broker need of two cores can be read off it. The median of the repeats counts.

`--memory` instead streams ten million events (`--events`) through one worker and prints its memory at each tenth.
`--json FILE` keeps the figures for `python -m benchmarks.sizing`.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from benchmarks.ingest_load import ROUNDS_EACH, STREAMED_ROUNDS_EACH, Made, load_plan, write_events
from console.home import TOPIC, Home, open_home
from ingest.dev_broker import Cluster
from ingest.gate.gate import Gate
from ingest.kafka.log import KafkaLog
from ingest.kafka.settings import read_settings
from ingest.segment_bytes import json_bytes
from ingest.simulator import Plan, table_keys
from replay.stream import Replay

EVENTS = 600_000
MEMORY_EVENTS = 10_000_000
PARTITIONS = 2
LOAD_SECONDS = 15
SESSION_S = 6.0  # so that a second worker gets its share soon
PATIENCE_S = 1_800.0
QUIET_EVENTS_S = 500.0
PERCENTILES = (50, 95, 99)


@dataclass(frozen=True)
class Rate:
    """How a contestant did."""

    records: int
    seconds: float
    cpu_seconds: float

    @property
    def each_second(self) -> float:
        return self.records / self.seconds

    @property
    def cpu_us(self) -> float:
        """CPU time a record, in microseconds."""
        return self.cpu_seconds / self.records * 1e6


class Worker:
    """A worker process and the lines it prints."""

    def __init__(self, home: Path, ends: Sequence[int], log: Path, memory_step: int) -> None:
        self._log = log
        arguments = [str(home), json.dumps(list(ends)), str(memory_step)]
        with log.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.ingest_contestants", "worker", *arguments],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )

    def line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        text = self._process.stdout.readline()
        if not text:
            raise RuntimeError(f"a worker ended early: {self._log.read_text(errors='replace')[-2_000:]}")
        said: dict[str, Any] = json.loads(text)
        return said

    def until(self, name: str, each: Callable[[dict[str, Any]], None] = lambda _: None) -> dict[str, Any]:
        """The next line that has this member; `each` is shown those before it."""
        while name not in (said := self.line()):
            each(said)
        return said

    def stop(self) -> dict[str, Any]:
        self._process.terminate()
        said = self.until("commits")
        self._process.wait(60)
        return said

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


class Bench:
    """A broker, the events on it, and homes to read them into."""

    def __init__(self, folder: Path, seed: int, say: Callable[[str], None]) -> None:
        self._folder = folder
        self._seed = seed
        self._say = say
        self._homes = 0
        self._tables = 1
        self._workers: list[Worker] = []
        self._senders: list[subprocess.Popen[str]] = []
        say("starting a broker")
        self.cluster = Cluster(folder / "cluster")
        self.ends = [0] * PARTITIONS

    def close(self) -> None:
        for worker in self._workers:
            worker.kill()
        for sender in self._senders:
            sender.kill()
        self.cluster.close()

    # --- events and homes ---------------------------------------------------------------------------------------------

    def plan(self, events: int, rounds_each: int = ROUNDS_EACH) -> Plan:
        plan = load_plan(self._seed, self._tables, events, rounds_each)
        self._tables += len(plan.tables)
        return plan

    def make(self, plan: Plan, events: int) -> tuple[Path, Made]:
        path = self._folder / "events"
        self._say(f"making {events:,} events of {len(plan.tables)} tables")
        return path, write_events(path, plan, events)

    def new_home(self, plan: Plan) -> Home:
        """A home of its own, in a group of its own, that knows these tables' keys."""
        self._homes += 1
        path = self._folder / f"home-{self._homes}"
        settings = self._folder / f"home-{self._homes}.toml"
        settings.write_text(
            f'bootstrap_servers = ["{self.cluster.bootstrap}"]\ngroup_id = "home-{self._homes}"\n'
            f"session_timeout_s = {SESSION_S}\n"
        )
        command = ["init", "--kafka", str(settings), "--partitions", str(PARTITIONS), "--home", str(path)]
        subprocess.run([sys.executable, "-m", "console.main", *command], check=True, capture_output=True)
        home = open_home(path)
        self.register(home, plan)
        return home

    def register(self, home: Home, plan: Plan) -> None:
        keys = home.keys()
        for table_id, public in table_keys(plan).items():
            keys.register(table_id, public)

    def sending(self, what: str, rate: float) -> subprocess.Popen[str]:
        arguments = [what, self.cluster.bootstrap, TOPIC, str(PARTITIONS), str(rate)]
        command = [sys.executable, "-m", "benchmarks.ingest_load", *arguments]
        self._senders.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return self._senders[-1]

    def sent(self, sending: subprocess.Popen[str]) -> float:
        """Wait for the sender; how long it took."""
        said, _ = sending.communicate()
        if sending.returncode != 0:
            raise RuntimeError("the events could not be sent; see above")
        log = KafkaLog(read_settings(self._folder / "home-1.toml"))
        try:
            self.ends = [log.high_water_mark(TOPIC, partition) for partition in range(PARTITIONS)]
        finally:
            log.close()
        return float(said)

    # --- contestants --------------------------------------------------------------------------------------------------

    def bare(self, kind: str) -> Rate:
        arguments = [kind, self.cluster.bootstrap, TOPIC, json.dumps(self.ends)]
        command = [sys.executable, "-m", "benchmarks.ingest_contestants", *arguments]
        said = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        return Rate(said["records"], said["seconds"], said["cpu_seconds"])

    def start(self, home: Home, memory_step: int = 10**12) -> Worker:
        worker = Worker(home.path, self.ends, self._folder / f"worker-{len(self._workers)}.log", memory_step)
        self._workers.append(worker)
        return worker

    def one(self, home: Home) -> tuple[Rate, dict[str, Any]]:
        """One worker that has all partitions."""
        worker = self.start(home)
        while len(worker.until("reached")["reached"]) < PARTITIONS:
            pass  # it had one of them only, yet
        said = worker.stop()
        (rate,) = rates_of([said], [list(range(PARTITIONS))], self.ends)
        return rate, said

    def two(self, home: Home) -> list[Rate]:
        """Two workers that have a partition each, while both are at work."""
        workers = [self.start(home), self.start(home)]
        for worker in workers:
            worker.until("took")
        mine = [worker.until("reached")["reached"] for worker in workers]
        return rates_of([worker.stop() for worker in workers], mine, self.ends)

    def verdicts(self, home: Home, plan: Plan, rate: float, events: int) -> list[float]:
        """Seconds from a round's last record to its verdict, with so many events a second coming in."""
        self.register(home, plan)
        path, made = self.make(plan, events)
        worker = self.start(home)
        while len(worker.until("reached")["reached"]) < PARTITIONS:
            pass  # what the last segments' borders left is done again
        self._say(f"sending {made.events:,} events, {rate:,.0f} a second")
        began = time.time()
        seconds = self.sent(self.sending(str(path), rate))
        if seconds > 1.1 * made.events / rate:
            self._say(f"they took {seconds:.0f} s: {made.events / seconds:,.0f} a second is what this machine can send")
        time.sleep(2.0)
        said = worker.stop()
        return [waited for stamp_s, waited in said["verdicts"] if stamp_s >= began]


def rates_of(said: Sequence[dict[str, Any]], reached: Sequence[Sequence[int]], ends: Sequence[int]) -> list[Rate]:
    """How each of these workers did while all were at work: from when each had committed a segment of every partition
    whose end it `reached` until the first had reached one. Records taken count; in that time segments are committed at
    the same rate."""
    if len({partition for mine in reached for partition in mine}) != sum(map(len, reached)):
        raise RuntimeError("a partition changed hands while it was measured; try again")
    parts = [{str(partition) for partition in mine} for mine in reached]
    begin, end = 0.0, math.inf
    for one, mine in zip(said, parts, strict=True):
        firsts = {str(commit[1]): commit[0] for commit in reversed(one["commits"])}
        begin = max([begin, *(firsts[partition] for partition in mine if partition in firsts)])
        done = [at for at, _, where in one["samples"] if any(where.get(p) == ends[int(p)] for p in mine)]
        end = min([end, *done])
    rates = []
    for one, mine in zip(said, parts, strict=True):
        within = [sample for sample in one["samples"] if begin <= sample[0] <= end and mine <= set(sample[2])]
        if len(within) < 2:
            raise RuntimeError("the workers were at work together too shortly to measure; give more --events")
        (first_at, first_cpu, first), (last_at, last_cpu, last) = within[0], within[-1]
        records = sum(last[partition] - first[partition] for partition in mine)
        rates.append(Rate(records, last_at - first_at, last_cpu - first_cpu))
    return rates


def percentile(values: Sequence[float], share: int) -> float:
    """The smallest value that so many percent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)]


def folder_bytes(folder: Path, suffix: str = "") -> int:
    return sum(path.stat().st_size for path in folder.rglob(f"*{suffix}") if path.is_file())


def shape_of(home: Home) -> dict[str, float]:
    """What a round is made of and how much of it is kept, from the lake."""
    rounds = events = size = 0
    spans: dict[str, tuple[int, int]] = {}
    for path in sorted(home.lake_path.rglob("rounds.parquet")):
        table = pq.read_table(path, columns=["table_id", "closed_us"], partitioning=None)
        rounds += table.num_rows
        for table_id, closed_us in zip(table["table_id"].to_pylist(), table["closed_us"].to_pylist(), strict=True):
            first, last = spans.get(table_id, (closed_us, closed_us))
            spans[table_id] = (min(first, closed_us), max(last, closed_us))
    for path in sorted(home.lake_path.rglob("events.parquet")):
        events += pq.read_metadata(path).num_rows
        size += sum(file.stat().st_size for file in path.parent.iterdir() if file.name != "state.json")
    table_hours = sum(last - first for first, last in spans.values()) / 3.6e9
    return {
        "events_a_round": events / rounds,
        "rounds_a_table_hour": (rounds - len(spans)) / table_hours,
        "lake_bytes_an_event": size / events,
        **state_cost(home),
    }


def state_cost(home: Home) -> dict[str, float]:
    """What a table's state takes, once a minute: bytes, and CPU time to write it."""
    lake = home.lake()
    tables = size = 0
    used = 0.0
    for partition in lake.partitions(TOPIC):
        known = lake.newest_state(TOPIC, partition)
        if known is None:
            continue
        state = known[1]
        gate, replay = Gate(home.keys()), Replay()
        gate.restore(state["gate"])
        replay.restore(state["replay"])
        began = time.process_time()
        written = json_bytes({"gate": gate.state(), "replay": replay.state()})
        sha256(written).hexdigest()
        used += time.process_time() - began
        tables += gate.table_count()
        size += len(written)
    return {"state_bytes_a_table": size / tables, "state_cpu_us_a_table": used / tables * 1e6}


def throughput(bench: Bench, events: int, repeat: int, say: Callable[[str], None]) -> dict[str, Any]:
    plan = bench.plan(events)
    home = bench.new_home(plan)
    path, made = bench.make(plan, events)
    say(f"sent in {bench.sent(bench.sending(str(path), 0)):.0f} s")
    log_bytes = folder_bytes(bench.cluster.folder / "broker-1" / "data", ".log") / made.events
    bare: dict[str, list[Rate]] = {"kafka-python": [], "kafka-python-defaults": [], "confluent-kafka": []}
    ones: list[Rate] = []
    both: list[float] = []
    two_cpu: list[float] = []
    commits: list[float] = []
    for number in range(1, repeat + 1):
        for kind, rates in bare.items():
            rates.append(bench.bare(kind))
            say(f"{number}/{repeat} {kind}: {rates[-1].each_second:,.0f}/s, {rates[-1].cpu_us:.1f} µs CPU")
        home = bench.new_home(plan)
        rate, said = bench.one(home)
        ones.append(rate)
        commits += [commit[3] for commit in said["commits"]]
        say(f"{number}/{repeat} one worker: {rate.each_second:,.0f}/s, {rate.cpu_us:.1f} µs CPU")
        pair = bench.two(bench.new_home(plan))
        both.append(sum(rate.each_second for rate in pair))
        two_cpu.append(statistics.mean(rate.cpu_us for rate in pair))
        each = " + ".join(f"{rate.each_second:,.0f}" for rate in pair)
        say(f"{number}/{repeat} two workers: {each} = {both[-1]:,.0f}/s, {two_cpu[-1]:.1f} µs CPU")
    figures = {
        "events": made.events,
        "value_bytes_an_event": made.value_bytes / made.events,
        "log_bytes_an_event": log_bytes,
        **shape_of(home),
        **{
            f"{name}_{what}": statistics.median(getattr(rate, what) for rate in rates)
            for name, rates in (*((kind.replace("-", "_"), rates) for kind, rates in bare.items()), ("one", ones))
            for what in ("each_second", "cpu_us")
        },
        "two_each_second": statistics.median(both),
        "two_cpu_us": statistics.median(two_cpu),
        "commit_seconds": statistics.median(commits),
        "commit_seconds_most": max(commits),
    }
    print(report(figures))
    load = figures["kafka_python_each_second"] / 2
    figures["verdicts"] = [
        latency(bench, home, rate) for rate in (QUIET_EVENTS_S, min(load, 0.9 * figures["one_each_second"]))
    ]
    return figures


def latency(bench: Bench, home: Home, rate: float) -> dict[str, float]:
    events = round(rate * LOAD_SECONDS)
    waits = bench.verdicts(home, bench.plan(events), rate, events)
    if not waits:
        raise RuntimeError("no verdict came while events were sent: the worker is too far behind to measure")
    found = {f"p{share}_s": percentile(waits, share) for share in PERCENTILES} | {"most_s": max(waits)}
    shown = ", ".join(f"{share} % within {found[f'p{share}_s'] * 1000:,.0f} ms" for share in PERCENTILES)
    print(f"verdicts at {rate:,.0f} events/s ({len(waits):,} rounds): {shown}, all within {max(waits) * 1000:,.0f} ms")
    return {"events_a_second": rate, "rounds": len(waits), **found}


def report(figures: dict[str, Any]) -> str:
    base, base_cpu = figures["kafka_python_each_second"], figures["kafka_python_cpu_us"]
    lines = [
        f"\n{figures['events']:,} events of {figures['value_bytes_an_event']:.0f} bytes, "
        f"{figures['events_a_round']:.1f} a round, {PARTITIONS} partitions; medians",
        f"{'':<36}{'events/s':>10}{'× (a)':>8}{'CPU µs/event':>14}{'× (a)':>8}",
    ]
    for name, text in (
        ("kafka_python", "(a) bare kafka-python"),
        ("kafka_python_defaults", "    with the settings it comes with"),
        ("confluent_kafka", "(b) bare confluent-kafka"),
        ("one", "one worker, log to lake"),
        ("two", "two workers, together"),
    ):
        rate, cpu = figures[f"{name}_each_second"], figures[f"{name}_cpu_us"]
        lines.append(f"{text:<36}{rate:>10,.0f}{rate / base:>8.2f}{cpu:>14.1f}{base_cpu / cpu:>8.2f}")
    lines += [
        f"two workers do {figures['two_each_second'] / figures['one_each_second']:.2f} times what one does",
        f"a commit takes {figures['commit_seconds']:.3f} s (the longest {figures['commit_seconds_most']:.3f})",
        limit(figures),
    ]
    return "\n".join(lines)


def limit(figures: dict[str, Any]) -> str:
    """What keeps a worker from being faster, and what ten would need."""
    busy = figures["one_cpu_us"] * figures["one_each_second"] / 1e6
    rate = figures["one_each_second"]
    mbit = 10 * rate * figures["log_bytes_an_event"] * 8 / 1e6
    disk = 10 * rate * (figures["lake_bytes_an_event"] + figures["log_bytes_an_event"]) / 1e6
    return (
        f"the limit is one core of Python: a worker keeps {busy:.2f} cores busy. Ten workers at this rate would take "
        f"{10 * rate:,.0f} events/s and need {10 * busy:.0f} cores, ten partitions or more with the tables spread over "
        f"them, {mbit:,.0f} Mbit/s from the brokers and {disk:,.0f} MB/s to disks (log, once a replica, and lake)"
    )


def memory(bench: Bench, events: int, say: Callable[[str], None]) -> dict[str, Any]:
    """One worker's memory while so many events go by."""
    plan = bench.plan(events, STREAMED_ROUNDS_EACH)
    home = bench.new_home(plan)
    step = max(100_000, events // 10)
    worker = bench.start(home, step)
    sending = bench.sending(f"{bench._seed}:1:{events}", 0)
    say(f"{len(plan.tables)} tables; their events are made while they are read")
    seen: list[tuple[int, int]] = []
    began = time.monotonic()

    def note(said: dict[str, Any]) -> None:
        if "rss_bytes" in said:
            seen.append((said["records"], said["rss_bytes"]))
            rate = said["records"] / (time.monotonic() - began)
            print(f"{said['records']:>12,} events {said['rss_bytes'] / 2**20:>8,.0f} MiB  {rate:>8,.0f}/s", flush=True)

    while not seen or seen[-1][0] < events - 2 * 50_000 - step:
        note(worker.line())
    bench.sent(sending)
    lake = home.lake()
    while sum(bench.ends) - sum(lake.position(TOPIC, number) for number in range(PARTITIONS)) >= PARTITIONS * 50_000:
        time.sleep(1.0)
    worker._process.terminate()
    worker.until("commits", note)
    growth = [size for records, size in seen if records >= events // 5]
    change = (growth[-1] - growth[0]) / growth[0] if len(growth) > 1 else 0.0
    print(f"from {events // 5:,} events on, memory changed by {change:+.1%}")
    return {"memory": seen, "memory_change": change}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, help=f"how many events [{EVENTS:,}; with --memory {MEMORY_EVENTS:,}]")
    parser.add_argument("--repeat", type=int, default=3, help="how often each contestant reads them; the median counts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", action="store_true", help="memory over many events, instead of throughput")
    parser.add_argument("--json", type=Path, help="write the figures there")
    arguments = parser.parse_args()
    if arguments.repeat < 1:
        parser.error(f"--repeat must be at least 1, not {arguments.repeat}")
    if find_spec("confluent_kafka") is None:
        parser.error("confluent-kafka is not installed: type pip install 'confluent-kafka>=2.6'")
    folder = Path(tempfile.mkdtemp(prefix="muckraker-bench-"))

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and what was started ends, too
    bench = Bench(folder, arguments.seed, say)
    try:
        if arguments.memory:
            figures = memory(bench, arguments.events or MEMORY_EVENTS, say)
        else:
            figures = throughput(bench, arguments.events or EVENTS, arguments.repeat, say)
    finally:
        bench.close()
        shutil.rmtree(folder, ignore_errors=True)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
