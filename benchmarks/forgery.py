"""How many forgeries are caught: `python -m benchmarks.forgery [--tries N] [--only TEXT]`; exit code 1 on any miss.

Two sections. *The gate*: each attack on the events on their way (tests/ingest/gate_attacks.py) at random places of
simulated tables, and honest traffic that must not be accused (tests/ingest/honest_traffic.py). *The lake*: edits to the
files of a sealed lake. An attack is *caught* if anything is said of it, and *named* if it is what the attack is called,
nothing else is accused, no record is lost and the other tables are not held up.

The places are random but not the run: the same number of tries tries the same.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.lake_forgery import attack_lake
from tests.ingest.gate_attacks import ATTACKS
from tests.ingest.gate_scene import Attack
from tests.ingest.honest_traffic import HONEST


@dataclass
class Line:
    """One attack, tried so often."""

    name: str
    tried: int = 0
    caught: int = 0
    named: int = 0
    first_miss: str = ""

    @property
    def missed(self) -> bool:
        return self.named < self.tried or self.caught < self.tried

    def count(self, caught: bool, named: bool, miss: str) -> None:
        self.tried += 1
        self.caught += caught
        self.named += named
        if not (caught and named) and not self.first_miss:
            self.first_miss = miss


Section = Callable[[int], Iterator[Line]]


def gate_attacks(tries: int) -> Iterator[Line]:
    """Attacks on the events before they are recorded."""
    for attack in ATTACKS:
        yield _tried(attack, tries, honest=False)


def honest_traffic(tries: int) -> Iterator[Line]:
    """Honest traffic: caught and named here mean that it was rightly let through."""
    for traffic in HONEST:
        yield _tried(traffic, tries, honest=True)


def _tried(attack: Attack, tries: int, honest: bool) -> Line:
    line = Line(attack.name)
    for number in range(max(1, round(tries * attack.weight))):
        outcome = attack.tried(number)
        line.count(outcome.caught or honest, outcome.right, f"try {number}: {outcome.found}")
    return line


def lake_attacks(tries: int) -> Iterator[Line]:
    """Edits to the files of a sealed lake; every byte of a small one, however often the others are tried."""
    for row in attack_lake():
        yield Line(row.what, row.tried, row.caught, row.caught, row.missed)


SECTIONS: dict[str, Section] = {
    "The gate: attacks on events on their way": gate_attacks,
    "The gate: honest traffic, which must pass": honest_traffic,
    "The lake: edits to its files": lake_attacks,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, default=20, help="how often each attack is tried (default 20)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only sections with this in their title")
    arguments = parser.parse_args()
    total = Line("all")
    began = time.perf_counter()
    for title, section in SECTIONS.items():
        if arguments.only.lower() not in title.lower():
            continue
        print(f"\n{title}\n{'attack':64s} {'tried':>7s} {'caught':>7s} {'named':>7s}")
        subtotal = Line("together")
        for line in section(arguments.tries):
            _print(line)
            for sum_ in (subtotal, total):
                sum_.tried += line.tried
                sum_.caught += line.caught
                sum_.named += line.named
        _print(subtotal)
    print(f"\n{total.tried:,} tried, {total.caught:,} caught, {total.named:,} named right", end="")
    print(f" ({time.perf_counter() - began:.0f} s)")
    return 1 if total.missed else 0


def _print(line: Line) -> None:
    print(f"{line.name:64s} {line.tried:7,d} {line.caught:7,d} {line.named:7,d}", flush=True)
    if line.first_miss:
        print(f"    missed at {line.first_miss[:300]}")


if __name__ == "__main__":
    sys.exit(main())
