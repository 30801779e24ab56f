"""Are racks in order read right, every one, and at what cost? `python -m benchmarks.clean_racks [--rounds N]`

Rounds of each pack are simulated under every filing the simulator knows (pai gow poker: with envy hands, surrenders,
rearranged hands, two decks, every dealing method; more premium hands than chance would give), in parallel processes and
piece by piece. The hands rebuilt by the replay are held against the simulator's own record of who held what, which
never left the simulator. Then, with nothing else running here, some of the rounds are rebuilt again against the clock,
beside `orjson.loads` and our validation of the bytes those same rounds came as. Processor time on one core.

Every game that can be simulated is tried; the clock and its bounds are for the first two, and so is holding every one
of several readings against the truth.

With everything seen every round must be read one way, the right one. With the rack alone a premium hand leaves open
whose it was (any of those who might have left one on the table): such a round must be ambiguous, and the truth one of
its readings. Exits with 1 when a round is read wrong or a bound stated here is missed.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from multiprocessing import get_context

import numpy as np
import orjson

from replay.rounds import Fact, Ragged, RoundBatch, RoundFlag, RoundRow, batch_of
from schemas.events import parse_event
from tests.reconstruct.clean_racks import BOUND, GAMES, by_filing, kinds_of, rack_only, rebuild_hands, simulate_piece

PIECE = 2_000  # rounds simulated at once
TIMED = 20_000  # rounds rebuilt against the clock
LEAST_A_SECOND = 200_000
CHEAPER_THAN_PARSING = 5
RACK_ALONE = "rack alone"  # from rack, wagers and actions to hands; everything seen: and held against deal and camera


# ---- how many of what, how fast ------------------------------------------------------------------------------------


@dataclass
class Seen:
    """What the rounds tried were like, so that nobody thinks only easy ones were."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, pack: str, rows: list[RoundRow]) -> None:
        for row in rows:
            kinds = Counter(Fact(fact.kind) for fact in row.facts)
            wagers = {fact.wager for fact in row.facts if fact.kind == Fact.WAGER_PLACED}
            self.counts["with an envy bonus"] += kinds[Fact.ENVY] > 0
            self.counts["with a surrender"] += kinds[Fact.ACTION] > 0
            self.counts["with a Fortune wager"] += "fortune" in wagers
            self.counts["with the deal read"] += bool(row.dealt)
            self.counts["with five cards"] += pack == "ca/supreme_baccarat" and len(row.rack) == 5

    def __str__(self) -> str:
        return ", ".join(f"{count:,} {what}" for what, count in self.counts.items() if count)


def repeated(batch: RoundBatch, count: int) -> RoundBatch:
    return batch.take(np.resize(np.arange(len(batch)), count))


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Processor time of the fastest of some tries."""
    best = float("inf")
    for _ in range(repeats):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def each(function: Callable[[bytes], object], events: list[bytes]) -> None:
    for raw in events:
        function(raw)


def time_pack(pack: str, seed: int, say: Callable[[str], None]) -> list[str]:
    """Prints what a round costs; what missed its bound."""
    piece = simulate_piece((pack, seed, PIECE, True))
    rounds = len(piece.rows)
    missed = []
    parts = [
        (filing, repeated(batch, max(1, TIMED * len(index) // rounds)))
        for filing, index, batch in by_filing(batch_of(piece.rows))
    ]
    loads = seconds(lambda: each(orjson.loads, piece.events)) / rounds
    validated = seconds(lambda: each(parse_event, piece.events), 2) / rounds
    for name, prepared in (
        ("everything seen", parts),
        (RACK_ALONE, [(filing, without_other_eyes(batch)) for filing, batch in parts]),
    ):
        count = sum(len(batch) for _, batch in prepared)
        cost = seconds(lambda prepared=prepared: [rebuild_hands(batch, filing) for filing, batch in prepared]) / count  # type: ignore[misc]
        times = (loads + validated) / cost
        say(
            f"  {name:<16} {1 / cost:>9,.0f} rounds/s, {1e6 * cost:.1f} µs a round; "
            f"{times:.0f} times cheaper than parsing its events ({1e6 * loads:.0f} µs orjson.loads + "
            f"{1e6 * validated:.0f} µs validation), {loads / cost:.1f} times than orjson.loads alone"
        )
        if name == RACK_ALONE and 1 / cost < LEAST_A_SECOND:
            missed.append(f"{pack}, {name}: {1 / cost:,.0f} rounds/s, fewer than {LEAST_A_SECOND:,}")
        if times < CHEAPER_THAN_PARSING:
            missed.append(f"{pack}, {name}: only {times:.1f} times cheaper than parsing")
    return missed


def without_other_eyes(batch: RoundBatch) -> RoundBatch:
    nothing = Ragged(np.zeros(len(batch) + 1, np.int64), np.empty(0, np.uint8))
    shown = batch.shown
    none = {name: getattr(shown, name)[:0] for name in ("row", "place", "hand", "low", "cards", "count", "seq")}
    return replace(
        batch,
        dealt=nothing,
        dealt_to=nothing,
        dealt_deck=nothing,
        dealt_place=replace(nothing, values=np.empty(0, batch.dealt_place.values.dtype)),
        shown=type(shown)(**none),
        fixed={**batch.fixed, "flags": batch.fixed["flags"] & ~int(RoundFlag.DEAL_READ)},
    )


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def check_pack(pack: str, rounds: int, seed: int, processes: int, say: Callable[[str], None]) -> list[str]:
    """Every round of a pack held against the simulator's record; what went wrong."""
    tasks = [(pack, seed + number, PIECE, False) for number in range(-(-rounds // PIECE) + 1)]  # some are called void
    seen, full, alone = Seen(), Counter[str](), Counter[str]()
    memory: list[tuple[int, float]] = []
    began = time.perf_counter()
    with get_context("spawn").Pool(processes) as pool:
        for piece in pool.imap(simulate_piece, tasks):
            full += kinds_of(pack, piece.rows, piece.played)
            alone += kinds_of(pack, rack_only(piece.rows), piece.played)
            seen.add(pack, piece.rows)
            if not memory or full.total() >= 2 * memory[-1][0]:
                memory.append((full.total(), peak_mb()))
            if full.total() >= rounds:
                break
        pool.terminate()
    memory.append((full.total(), peak_mb()))
    say(f"{pack}: {full.total():,} rounds in order, simulated by {processes} processes and read in "
        f"{time.perf_counter() - began:.0f} s")  # fmt: skip
    say(f"  {seen}")
    problems = []
    for name, kinds in (("everything seen", full), (RACK_ALONE, alone)):
        said = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items(), key=lambda item: -item[1]))
        say(f"  {name:<16} {said}")
        if kinds["wrong"] or kinds["remarked"]:
            problems.append(f"{pack}, {name}: {kinds['wrong']} wrong, {kinds['remarked']} remarked on")
    if full["unique"] != full.total():
        problems.append(f"{pack}: {full.total() - full['unique']} of {full.total()} rounds not read one way")
    say("  peak memory      " + ", ".join(f"{used:.0f} MB after {count:,} rounds" for count, used in memory))
    return problems


def main() -> None:
    parser = argparse.ArgumentParser(description="Are racks in order read right, every one, and at what cost?")
    parser.add_argument("--rounds", type=int, default=100_000, metavar="N", help="rounds of each pack (100000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed plays other rounds (1)")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="processes that simulate (2)")
    parser.add_argument("--pack", choices=GAMES, help="only this pack")
    args = parser.parse_args()
    if args.rounds < 1 or args.processes < 1:
        parser.error("--rounds and --processes are at least one")
    problems = []
    for pack in [args.pack] if args.pack else GAMES:
        problems += check_pack(pack, args.rounds, args.seed, args.processes, print)
        problems += time_pack(pack, args.seed, print) if pack in BOUND else []
    for problem in problems:
        print(f"missed: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
