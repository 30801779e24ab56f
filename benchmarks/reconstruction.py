"""How well the solver explains racks that went wrong: faults done on purpose, and what became of them.

    python -m benchmarks.reconstruction [--rounds N] [--two N] [--seed S] [--pack PACK] [--evidence E] [--jobs N]
                                        [--wrong]

Rounds of every game that is registered with the simulator, if its rack holds one packet for each hand and one for what
was not dealt, are played; `tests.reconstruct.rack_faults` spoils their racks and says what it did; the rounds
go through the replay's own audit, once with the rack alone, once with the hands shown, once with the deal, and each
time with the settlements as the dealer reported them, who settled right. A line of the table is one kind of fault under
one kind of evidence:

* `knowable`: of the racks, those in which the information is there: of all accounts of what was read that one fault can
  give, counted by brute force (`rack_accounts` in tests), the true one has 99% of the weight or more. An account
  whose hands contradict a reported settlement counts a thousandth for each (`SETTLED_WRONG`);
* `located`: of those, the share with the right kind in the right place with the right cards, and sure;
* then, of all racks: `ambig.`, not sure, and the truth is among the explanations kept; `lost`, not sure, and it is not,
  or the search was given up; `wrong`, sure and wrong, also where the rack is taken for one with no fault although a
  witness or a reported settlement says otherwise; `no trace`, taken for one with no fault, and neither the cards nor
  any witness nor any reported settlement says otherwise;
* `hands`: of all racks, those in which the audit is sure of the hands and gives the dealer or a seat with a wager (in
  baccarat Player or Banker) other cards than it held, whatever it says was done; also where the rack is taken for one
  with no fault. Hands in each other's places because they were picked up so are left out where that contradicts no
  witness and no report; how hands were set is not looked at.

Two lines are no faults of the rack: `brought_in` is a card that a player brought in and played with, so that the hand
shown and the settlement fit it (`rack_brought_in` in tests), and is reported as a duplicate; `dealt_misread` is a
card that the shoe's reader took for another.

With two faults at once an answer that is sure and does not name both is one of these, the first that fits:

* `no trace`, as above;
* `part of it`: it names one of the two and nothing else, and blames no witness;
* `same`: it explains what two faults left by others that leave the very same rack and the very same hands (two swaps
  that come to one packet out of place);
* `as one`: what was read is, to every witness there was, what the one fault explained would have left (a card missing
  from a hand and two from the stub read as three from the stub): of two such the fewest faults are the answer, and its
  confidence says how sure that is;
* `sure but wrong`: it names a fault that was not done, or puts down to a witness what a fault did, or to nothing.

Their sum is the strict figure, `sure and not exactly what was done`. Behind each table every rack that was judged wrong
is described, ten at most unless `--wrong` asks for all. The racks of a line are made and judged in slices of a fixed
size, each with random numbers of its own, so that the figures are the same however many processes (`--jobs`) share
them.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from random import Random
from typing import NamedTuple

from replay.audit import audit
from replay.rounds import batch_of
from replay.warm_up import warm_up
from tests.reconstruct.rack_judge import (
    AMBIGUOUS,
    LOST,
    NO_TRACE,
    NOT_EXACT,
    WRONG,
)
from tests.reconstruct.rack_tallies import (
    SLICE,
    Tally,
    as_likely,
    buckets,
    evidence_of,
    kinds_of,
    settled_wrong_too,
    try_kinds,
    two_faults,
)
from tests.reconstruct.rack_trials import (
    DEAL,
    LEFT_OUT,
    PACKS,
    RACK,
    SHOWN,
    TABLES,
    PlayedRound,
    as_seen,
    play,
    reports_held_against_true_hands,
)

MOST_DESCRIBED = 10
MISFILED = 100  # rounds
_CLEAR = "\r\x1b[K"  # back to the beginning of a terminal's line, and what is on it away


def total_of(tallies: Sequence[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.add(tally)
    return total


# ---- racks tried ---------------------------------------------------------------------------------------------------


def misfiled_seconds(played: Sequence[PlayedRound], evidence: str) -> float:
    """What the audit of a round takes where no rack is as filed."""
    rows = [as_seen(one.row, evidence) for one in played]
    for row, one in zip(rows, played, strict=True):
        row.rack = b"".join(packet.faces() for packet in reversed(one.rack.packets))
        row.rack_deck = b""
    batch = batch_of(rows)
    began = time.process_time()
    audit(batch)
    return (time.process_time() - began) / len(rows)


# ---- the tables ----------------------------------------------------------------------------------------------------


def at_most(count: int, trials: int) -> float:
    """The share that so many of so many trials leave open, with 95% confidence (Clopper and Pearson)."""
    low, high = count / trials, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        terms = (
            math.exp(
                math.lgamma(trials + 1)
                - math.lgamma(k + 1)
                - math.lgamma(trials - k + 1)
                + k * math.log(middle)
                + (trials - k) * math.log1p(-middle)
            )
            for k in range(count + 1)
        )
        if math.fsum(terms) > 0.05:
            low = middle
        else:
            high = middle
    return high


def percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def report_one(seen: Sequence[str], tallies: dict[tuple[str, str], Tally], most: int) -> None:
    heads = ("racks", "knowable", "located", "ambig.", "lost", "wrong", "no trace", "hands", "ms")
    print(f"{'fault':<20}{'evidence':<22}{''.join(f'{head:>9}' for head in heads)}")
    for (kind, evidence), tally in tallies.items():
        shares = [percent(tally.share(outcome)) for outcome in (AMBIGUOUS, LOST, WRONG, NO_TRACE)]
        located = percent(tally.knowable_located / tally.knowable) if tally.knowable else "-"
        cells = [str(tally.trials), percent(tally.knowable / max(tally.trials, 1)), located, *shares]
        cells.append(percent(tally.hands_wrong.total() / max(tally.trials, 1)))
        cells.append(f"{1000 * tally.seconds / max(tally.trials, 1):.1f}")
        print(f"{kind:<20}{evidence:<22}{''.join(f'{cell:>9}' for cell in cells)}")
    for evidence in seen:
        line = total_of([tally for (_, by), tally in tallies.items() if by == evidence])
        share = percent(line.knowable_located / max(line.knowable, 1))
        located = f"{line.knowable_located} of the {line.knowable} knowable ones located ({share})"
        print(f"  {evidence}: {located}; {hands_wrong(line)}")
    describe([text for tally in tallies.values() for text in tally.wrong], most)


def report_two(tallies: dict[str, Tally], most: int) -> None:
    for evidence, tally in tallies.items():
        words = ", ".join(f"{name} {percent(tally.share(name))}" for name in sorted(tally.outcomes))
        wrong = tally.outcomes[WRONG]
        bound = f"{100 * at_most(wrong, tally.trials):.2f}%"
        print(
            f"  {evidence:<22}{tally.trials} racks, {wrong} sure but wrong: under {bound} with 95% confidence; {words}"
        )
        inexact = Counter({name: tally.outcomes[name] for name in NOT_EXACT})
        print(f"  {'':<22}sure and not exactly what was done: {of_all(inexact, tally)}")
        print(f"  {'':<22}{hands_wrong(tally)}")
    describe([text for tally in tallies.values() for text in tally.wrong], most)


def hands_wrong(tally: Tally) -> str:
    return f"hands wrong: {of_all(tally.hands_wrong, tally)}"


def of_all(some: Counter[str], tally: Tally) -> str:
    """`12 of 600 (2.0%): no trace 11, sure but wrong 1`."""
    share = percent(some.total() / max(tally.trials, 1))
    split = ", ".join(f"{name} {count}" for name, count in some.items() if count)
    return f"{some.total()} of {tally.trials} ({share})" + (f": {split}" if split else "")


def describe(wrong: Sequence[str], most: int) -> None:
    """The racks that were judged wrong, for somebody to look at."""
    for text in wrong[:most]:
        print("  wrong: " + text.replace("\n", "\n    "))
    if len(wrong) > most:
        print(f"  and {len(wrong) - most} more; --wrong describes them all")


# ---- lines shared out ----------------------------------------------------------------------------------------------

TWO_FAULTS, SETTLED_TOO, AS_LIKELY = "two faults", "settled wrong and a fault", "as likely"


class Line(NamedTuple):
    """One line of a table."""

    pack: str
    what: str  # the kind of fault; or TWO_FAULTS, AS_LIKELY
    evidence: str


class Job(NamedTuple):
    """One slice of a line: so many racks of the rounds that a seed plays."""

    line: Line
    number: int
    trials: int
    rounds: int
    seed: int


def jobs_of(line: Line, trials: int, rounds: int, seed: int) -> list[Job]:
    """The slices of a line: the same however many processes work on them."""
    return [
        Job(line, number, min(SLICE, trials - at), rounds, seed) for number, at in enumerate(range(0, trials, SLICE))
    ]


@cache
def _played(pack: str, rounds: int, seed: int) -> list[PlayedRound]:
    """Each process plays the same rounds for itself: that takes a second, and nothing has to be sent about."""
    return play(pack, rounds, seed)


def run(job: Job) -> Tally:
    """Tries one slice, with random numbers that are its own."""
    line = job.line
    played = _played(line.pack, job.rounds, job.seed)
    rng = Random(f"{job.seed} {line.pack} {line.what} {line.evidence} {job.number}")
    if line.what == TWO_FAULTS:
        tally = two_faults(line.pack, played, [line.evidence], job.trials, rng)[line.evidence]
    elif line.what == SETTLED_TOO:
        tally = settled_wrong_too(line.pack, played, [line.evidence], job.trials, rng)[line.evidence]
    elif line.what == AS_LIKELY:
        tally = as_likely(line.pack, played, line.evidence, job.trials, rng)
    else:
        tally = try_kinds(played, [(line.what,)], line.evidence, job.trials, rng)
    where = f"{line.pack}, {line.what}, {line.evidence}, seed {job.seed}, slice {job.number}"
    tally.wrong = [f"{where}, {text}" for text in tally.wrong]
    return tally


def results(jobs: Sequence[Job], processes: int) -> Iterator[Tally]:
    """What became of these jobs, in their order."""
    if processes == 1:
        warm_up()  # what is made once a process is no rack's time
        yield from map(run, jobs)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=warm_up) as pool:
        yield from pool.map(run, jobs)


def progress(done: int, jobs: Sequence[Job]) -> None:
    """Says on stderr how far a long run is: at a terminal one line, written over; elsewhere one for each line done."""
    line = jobs[done - 1].line
    text = f"{done} of {len(jobs)} slices done: {line.pack}, {line.what}, {line.evidence}"
    if sys.stderr.isatty():
        print(f"{_CLEAR}{text}", end="", file=sys.stderr, flush=True)
    elif done == len(jobs) or jobs[done].line != line:
        print(text, file=sys.stderr, flush=True)


# ---- the report ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What to try."""

    packs: Sequence[str]
    only: str | None  # evidence; None: all there is
    trials: int  # racks a line
    two: int  # racks spoiled twice, a line
    seed: int
    processes: int
    described: int  # wrong racks, a table

    @property
    def rounds(self) -> int:
        return max(300, self.trials)

    def evidence(self, pack: str) -> list[str]:
        return [evidence for evidence in evidence_of(pack) if self.only in (None, evidence)]

    def jobs(self) -> list[Job]:
        """Every slice of every line, in the order they are printed in."""
        found = []
        for pack in self.packs:
            seen = self.evidence(pack)
            lines = [Line(pack, kind, by) for kind in kinds_of(pack, DEAL) for by in seen if kind in kinds_of(pack, by)]
            of_all = lines_of_all_kinds(pack)
            for line in [*lines, *(Line(pack, what, by) for what in of_all for by in seen)]:
                trials = self.two if line.what in of_all else self.trials
                found += jobs_of(line, trials, self.rounds, self.seed)
        return found


def lines_of_all_kinds(pack: str) -> tuple[str, ...]:
    """Wagers are settled wrong on purpose at the packs that have rules for it."""
    return (TWO_FAULTS, SETTLED_TOO, AS_LIKELY) if pack in PACKS else (TWO_FAULTS, AS_LIKELY)


def report(asked: Asked) -> None:
    jobs = asked.jobs()
    lines: dict[Line, Tally] = {job.line: Tally() for job in jobs}
    last = {pack: max(at for at, job in enumerate(jobs) if job.line.pack == pack) for pack in asked.packs}
    for at, (job, tally) in enumerate(zip(jobs, results(jobs, asked.processes), strict=True)):
        lines[job.line].add(tally)
        progress(at + 1, jobs)
        if at == last[job.line.pack]:
            if sys.stderr.isatty():
                print(end=_CLEAR, file=sys.stderr, flush=True)
            report_pack(job.line.pack, asked, lines)
    largest = max(tally.largest for tally in lines.values())
    slow = max(tally.seconds / max(tally.trials, 1) for tally in lines.values())
    print(f"largest search {largest} hypotheses; {sum(tally.given_up for tally in lines.values())} searches given up")
    print(f"slowest line {1000 * slow:.1f} ms a rack, all of the audit included")


def report_pack(pack: str, asked: Asked, lines: dict[Line, Tally]) -> None:
    seen, most = asked.evidence(pack), asked.described
    played = _played(pack, asked.rounds, asked.seed)
    print(f"\n{pack}: {len(played)} rounds played")
    for evidence in seen:
        said, against = reports_held_against_true_hands(played, evidence)
        print(f"  {evidence}: {said} reported settlements tell of hands, {against} against the hands as they were")
    print(f"\n{pack}: one fault")
    one = {(line.what, line.evidence): tally for line, tally in lines.items() if line.pack == pack}
    report_one(seen, {key: tally for key, tally in one.items() if key[0] in kinds_of(pack, key[1])}, most)
    print(f"\n{pack}: two faults at once, any two kinds")
    report_two({by: lines[Line(pack, TWO_FAULTS, by)] for by in seen}, most)
    if SETTLED_TOO in lines_of_all_kinds(pack):
        print(f"\n{pack}: wagers settled wrong, and one fault of rack or deal besides")
        report_two({by: lines[Line(pack, SETTLED_TOO, by)] for by in seen}, most)
    print(f"\n{pack}: how sure, and how often right (one fault, each kind as often as it is taken to happen)")
    for evidence in seen:
        print(f"  {evidence}")
        for low, high, count, mean, right in buckets(lines[Line(pack, AS_LIKELY, evidence)].confidences):
            print(f"    said {low:4.2f} to {high:4.2f}: {count:6d} answers, mean {mean:5.3f}, right {right:5.3f}")
    print(f"\n{pack}: every rack filled from the other end, as at a table whose procedure was misfiled")
    misfiled = played[: min(MISFILED, 5 * asked.trials)]
    for evidence in seen:
        print(f"  {evidence:<22}{1000 * misfiled_seconds(misfiled, evidence):.1f} ms a round")
    peak = max(tally.memory_mb for line, tally in lines.items() if line.pack == pack)
    print(f"\n{pack}: largest memory of one process {peak:.0f} MB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="How well the solver explains racks that went wrong.")
    parser.add_argument("--rounds", type=int, default=300, metavar="N", help="spoiled racks a line of the table (300)")
    parser.add_argument("--two", type=int, metavar="N", help="racks spoiled twice, a line (10 times --rounds)")
    parser.add_argument("--seed", type=int, default=1, help="another seed plays and spoils other rounds (1)")
    parser.add_argument("--pack", choices=TABLES, help="only this table (all): a pack, or its other filings")
    parser.add_argument("--evidence", choices=[RACK, SHOWN, DEAL], help="only this evidence (all)")
    cores = os.cpu_count() or 1
    parser.add_argument("--jobs", type=int, default=cores, metavar="N", help=f"processes to share it ({cores})")
    parser.add_argument("--wrong", action="store_true", help=f"describe every wrong rack ({MOST_DESCRIBED} a table)")
    args = parser.parse_args()
    if args.rounds < 1:
        parser.error(f"--rounds is {args.rounds}: at least one rack a line")
    if args.jobs < 1:
        parser.error(f"--jobs is {args.jobs}: at least one process")
    packs = [args.pack] if args.pack else list(TABLES)
    two = args.two or 10 * args.rounds
    described = sys.maxsize if args.wrong else MOST_DESCRIBED
    if not args.pack and LEFT_OUT:
        print(f"left out, for their racks are not one packet for each hand: {', '.join(LEFT_OUT)}")
    report(Asked(packs, args.evidence, args.rounds, two, args.seed, args.jobs, described))


if __name__ == "__main__":
    main()
