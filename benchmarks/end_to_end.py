"""From log to findings, stage by stage, on one core: `python -m benchmarks.end_to_end [--rounds N ...] [--repeat N]`.

A simulated day is appended to an embedded log (not measured), then taken through each stage alone and through the
whole worker, and its lake is re-audited. Peers in the same run: `orjson.loads` of the same bytes, and bare ranking of
the same hands (every pai gow hand's two and five cards, every baccarat hand's total). Give several sizes to see whether
the cost of a round depends on how many there are.

After that comes one line for each pack, on a day as long as the first with tables of that game only: from log to
findings beside `orjson.loads` of its bytes, and the re-audit beside reading its rounds from Parquet, which any re-audit
has to do.

Processor time, the least of the repeats: other programs on the machine disturb that least. What a process does once
(reading the rules, building the ranking tables) is done before and reported by itself.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import numpy as np
import orjson
import pyarrow.parquet as pq

from console.home import TOPIC
from ingest.gate.gate import Gate
from ingest.keys import KeyRing
from ingest.lake import Lake
from ingest.log import LogRecord
from ingest.simulator import Plan, default_plan, game_names, simulate, table_keys
from ingest.simulator.plan import USUAL_GAMES
from ingest.sqlite_log import SqliteLog
from ingest.worker import Worker
from replay.assembling.assemble import Assembler
from replay.audit import audit
from replay.lake_rounds import reaudit, rounds_table
from replay.ranking import Wheel, rank_five, rank_two, totals
from replay.rounds import RoundBatch, batch_of, from_arrow
from replay.stream import Replay
from schemas.admitted import Admitted
from schemas.cards import NO_CARD

SEGMENT = 50_000
JSON, WHOLE, REAUDIT, READING = (
    "(a) orjson.loads",
    "log to findings",
    "re-audit from the lake",
    "  of which reading Parquet",
)


@dataclass
class Clock:
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def time(self, stage: str) -> Iterator[None]:
        began = time.process_time()
        yield
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.process_time() - began

    def keep_least(self, other: Clock) -> None:
        for stage, seconds in other.seconds.items():
            self.seconds[stage] = min(seconds, self.seconds.get(stage, seconds))


def fill_log(log: SqliteLog, plan: Plan) -> int:
    """Appends the simulated day; how many rounds it has."""
    pending: list[tuple[str, bytes]] = []
    rounds = 0
    for table_id, raw in simulate(plan):
        pending.append((table_id, raw))
        rounds += b'"muckraker.round.closed.v1"' in raw
        if len(pending) == 20_000:
            log.append(TOPIC, pending)
            pending = []
    log.append(TOPIC, pending)
    return rounds


def hands_in(batch: RoundBatch) -> tuple[np.ndarray, np.ndarray]:
    """Sevens and baccarat hands, cut from the racks without asking which seat they belong to."""
    counts = batch.rack.counts
    sevens = [batch.rack[row][4:].reshape(7, 7) for row in np.flatnonzero(counts == 53).tolist()]
    shoes = np.flatnonzero((counts >= 4) & (counts <= 6))
    threes = np.full((len(shoes) * 2, 3), NO_CARD, dtype=np.uint8)
    for at, row in enumerate(shoes.tolist()):
        cards = batch.rack[row]
        threes[2 * at, : len(cards) // 2] = cards[: len(cards) // 2]
        threes[2 * at + 1, : len(cards) - len(cards) // 2] = cards[len(cards) // 2 :]
    return (np.concatenate(sevens) if sevens else np.empty((0, 7), np.uint8)), threes


def bare_ranking(sevens: np.ndarray, threes: np.ndarray) -> None:
    if len(sevens):
        rank_two(sevens[:, :2])
        rank_five(sevens[:, 2:], Wheel.SECOND_HIGHEST)
    if len(threes):
        totals(threes)


def stages(log: SqliteLog, keys: KeyRing, clock: Clock) -> int:
    """Each stage by itself, segment by segment as the worker does it; how many events there were."""
    events = 0
    for partition in range(log.partitions(TOPIC)):
        gate, assembler = Gate(keys), Assembler()
        offset, end = 0, log.high_water_mark(TOPIC, partition)
        while offset < end:
            with clock.time("read the log"):
                records: list[LogRecord] = []
                while len(records) < SEGMENT and offset < end:
                    some = log.read(TOPIC, partition, offset, min(5_000, SEGMENT - len(records)))
                    records += some
                    offset = some[-1].offset + 1
            events += len(records)
            with clock.time(JSON):
                for record in records:
                    orjson.loads(record.value)
            with clock.time("gate"):
                admitted: list[Admitted] = []
                for record in records:
                    admitted += gate.admit(record)
                gate.take_rows()
            with clock.time("assemble"):
                for event in admitted:
                    assembler.feed(event)
                batch = batch_of(assembler.take_closed())
                assembler.state()
            with clock.time("audit"):
                rounds_table(batch, audit(batch))
            sevens, threes = hands_in(batch)
            with clock.time("(b) bare ranking"):
                bare_ranking(sevens, threes)
    return events


def whole(log: SqliteLog, keys: KeyRing, folder: Path, clock: Clock) -> None:
    """The worker as `muckraker run` runs it."""
    lake = Lake(folder / "lake")
    with clock.time(WHOLE):
        for partition in range(log.partitions(TOPIC)):
            with Worker(log, lake, TOPIC, partition, keys, Replay) as worker:
                worker.drain()


def from_lake(folder: Path, clock: Clock) -> None:
    with clock.time(REAUDIT):
        for path in sorted((folder / "lake").rglob("rounds.parquet")):
            reaudit(pq.read_table(path))
    with clock.time(READING):
        for path in sorted((folder / "lake").rglob("rounds.parquet")):
            from_arrow(pq.read_table(path))


def play(folder: Path, rounds: int, seed: int, games: Sequence[str] = USUAL_GAMES) -> tuple[SqliteLog, KeyRing, int]:
    """A simulated day in a log, with its keys; how many rounds it has."""
    tables, day = 10, date(2026, 11, 17)
    plan = default_plan(seed=seed, tables=tables, rounds=max(1, rounds // tables), gaming_day=day, games=games)
    keys = KeyRing(folder / "keys")
    for table_id, public in table_keys(plan).items():
        keys.register(table_id, public)
    log = SqliteLog(folder / "log.sqlite", partitions=2)
    return log, keys, fill_log(log, plan)


def first_use() -> float:
    """Everything once with a few rounds, so that rules are read and tables built; how many seconds that took."""
    with tempfile.TemporaryDirectory(prefix="muckraker-bench-") as name:
        folder = Path(name)
        log, keys, _ = play(folder, 20, seed=1, games=game_names())
        began = time.process_time()
        bare_ranking(np.arange(7, dtype=np.uint8)[None, :], np.array([[0, 1, 255]], dtype=np.uint8))
        whole(log, keys, folder, Clock())
        log.close()
        return time.process_time() - began


def measure(rounds: int, seed: int, repeats: int, staged: bool, say: Callable[[str], None]) -> float:
    """One size, stage by stage or only the whole; microseconds a round from log to findings."""
    folder = Path(tempfile.mkdtemp(prefix="muckraker-bench-"))
    try:
        began = time.perf_counter()
        log, keys, played = play(folder, rounds, seed)
        say(f"simulated {played:,} rounds in {time.perf_counter() - began:.1f} s")
        clock = Clock()
        gc.collect()
        gc.disable()  # as the worker does while it drains
        events = 0
        for _ in range(repeats):
            shutil.rmtree(folder / "lake", ignore_errors=True)
            once = Clock()
            if staged:
                events = stages(log, keys, once)
            whole(log, keys, folder, once)
            from_lake(folder, once)
            clock.keep_least(once)
        log.close()
        gc.enable()
        if staged:
            report(played, events, clock)
        else:
            print(f"\n{played:,} rounds")
        size = sum(path.stat().st_size for path in (folder / "lake").rglob("*") if path.is_file())
        print(f"lake: {size / played:,.0f} bytes a round; log: {os.path.getsize(folder / 'log.sqlite') / played:,.0f}")
        print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")
        return clock.seconds[WHOLE] / played * 1e6
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def one_pack(game: str, rounds: int, seed: int, repeats: int, say: Callable[[str], None]) -> str:
    """The line of the pack that this game is played by."""
    with tempfile.TemporaryDirectory(prefix="muckraker-bench-") as name:
        folder = Path(name)
        log, keys, played = play(folder, rounds, seed, (game,))
        say(f"simulated {played:,} rounds of {game}")
        clock = Clock()
        gc.collect()
        gc.disable()
        for _ in range(repeats):
            shutil.rmtree(folder / "lake", ignore_errors=True)
            once = Clock()
            for partition in range(log.partitions(TOPIC)):
                values = [
                    record.value for record in log.read(TOPIC, partition, 0, log.high_water_mark(TOPIC, partition))
                ]
                with once.time(JSON):
                    for value in values:
                        orjson.loads(value)
            whole(log, keys, folder, once)
            from_lake(folder, once)
            clock.keep_least(once)
        log.close()
        gc.enable()
        filed = pq.read_table(next((folder / "lake").rglob("rounds.parquet")), columns=["filing"])["filing"][0].as_py()
    seconds = clock.seconds
    found = f"{orjson.loads(filed)['pack']:<24}{played / seconds[WHOLE]:>14,.0f}{seconds[WHOLE] / seconds[JSON]:>8.1f}"
    return f"{found}{played / seconds[REAUDIT]:>18,.0f}{seconds[REAUDIT] / seconds[READING]:>8.1f}"


def each_pack(rounds: int, seed: int, repeats: int, say: Callable[[str], None]) -> None:
    print("\n(c): reading the same rounds from Parquet")
    print(f"{'pack, rounds/s':<24}{WHOLE:>14}{'× (a)':>8}{'re-audit':>18}{'× (c)':>8}")
    for game in game_names():
        print(one_pack(game, rounds, seed, repeats, say), flush=True)


def report(rounds: int, events: int, clock: Clock) -> None:
    json_time = clock.seconds[JSON]
    rank_time = clock.seconds["(b) bare ranking"]
    print(f"\n{rounds:,} rounds, {events:,} events ({events / rounds:.1f} a round)")
    print(f"{'stage':<28}{'rounds/s':>12}{'events/s':>12}{'× (a)':>9}{'× (b)':>9}")
    for stage, seconds in clock.seconds.items():
        line = f"{stage:<28}{rounds / seconds:>12,.0f}{events / seconds:>12,.0f}"
        print(f"{line}{seconds / json_time:>9.2f}{seconds / rank_time:>9.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, nargs="+", default=[10_000], help="sizes, in rounds; stages of the first")
    parser.add_argument("--repeat", type=int, default=1, help="how often; the least time of each stage counts")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.repeat < 1:
        parser.error(f"--repeat must be at least 1, not {arguments.repeat}")
    print(f"once a process (reading rules, building tables): {first_use():.2f} s")

    def say(text: str) -> None:
        print(text, file=sys.stderr)

    costs = [
        measure(rounds, arguments.seed, arguments.repeat, number == 0, say)
        for number, rounds in enumerate(arguments.rounds)
    ]
    each_pack(arguments.rounds[0], arguments.seed, arguments.repeat, say)
    if len(costs) > 1:
        print("\ncost of a round from log to findings:")
        for rounds, cost in zip(arguments.rounds, costs, strict=True):
            print(f"  {rounds:>10,} rounds  {cost:8.1f} µs  × {cost / costs[0]:.2f}")


if __name__ == "__main__":
    main()
