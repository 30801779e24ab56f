"""What a round costs whose settlements do not fit its hands: `python -m benchmarks.disputed_rounds [--rounds N]`.

Such a round is checked a second time, with the reports as a witness, and its rack may be searched for what went wrong
(docs/reconstruction.md). For each pack and for what its devices read: the median and the worst of disputed rounds
audited one by one; a table of clean rounds, and the same with one round in a hundred disputed; rounds that were settled
for a sum that no hands give, for which nothing is searched; and a table whose every rack is in another order than the
one filed, judged as a worker does. Processor time; of whole tables the least of three runs.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from statistics import median

from replay.audit import audit
from replay.cards.solver.budget import ROUND_STEPS
from replay.rounds import Fact, RoundFlag, RoundRow, batch_of
from replay.searching import Allowances
from replay.warm_up import warm_up
from tests.reconstruct.rack_settlements import SETTLEMENTS, settle_wrong
from tests.reconstruct.rack_trials import DEAL, PACKS, RACK, PlayedRound, as_seen, play

ALL = "rack, deal and hands shown"
ONE_IN = 100
REPEATS = 3
WARM = 20  # other disputed rounds audited before the clock runs
_ODD_CENTS = 1  # nothing on any table pays or takes one cent more than its wagers are multiples of


def seen(row: RoundRow, evidence: str) -> RoundRow:
    return row if evidence == ALL else as_seen(row, evidence)


def disputed(played: Sequence[PlayedRound], trials: int, rng: Random) -> list[RoundRow]:
    """Rounds with a wager, a hand's wagers, or two seats' wagers settled wrong."""
    rows: list[RoundRow] = []
    while len(rows) < trials:
        one = rng.choice(played)
        made = settle_wrong(rng.choice(list(SETTLEMENTS)), one.row, one.rack, one.reports, one.filed, rng)
        if made is not None:
            rows.append(made[0])
    return rows


def beyond_reason(row: RoundRow) -> RoundRow:
    """The same round with one wager paid by a cent too much: no hands give that."""
    facts = list(row.facts)
    at = next((at for at, fact in enumerate(facts) if fact.kind == Fact.SETTLED and fact.amount > 0), None)
    if at is not None:
        facts[at] = facts[at]._replace(amount=facts[at].amount + _ODD_CENTS)
    return replace(row, facts=facts)


def misfiled(one: PlayedRound) -> RoundRow:
    """The round with its rack filled in the opposite order."""
    return replace(one.row, rack=b"".join(packet.faces() for packet in reversed(one.rack.packets)), rack_deck=b"")


def seconds(rows: Sequence[RoundRow], repeats: int = 1) -> float:
    batch = batch_of(list(rows))
    least = math.inf
    for _ in range(repeats):
        began = time.process_time()
        audit(batch)
        least = min(least, time.process_time() - began)
    return least


def as_a_worker(rows: Sequence[RoundRow]) -> tuple[int, float]:
    """How many of one table's rounds are searched, and how long all of them take."""
    allowances, searched, taken = Allowances(), 0, 0.0
    for row in rows:
        allowances.next_round("T", True)
        may = allowances.may_search("T", True)
        if not may:
            row = replace(row, fixed=dict(row.fixed))
            row.fixed["flags"] |= int(RoundFlag.NOT_SEARCHED)
        batch = batch_of([row])
        began = time.process_time()
        steps = audit(batch).steps
        taken += time.process_time() - began
        searched += may and steps > 0
        allowances.searched("T", True, steps)
    return searched, taken


def report(pack: str, evidence: str, played: Sequence[PlayedRound], rounds: int, trials: int, rng: Random) -> None:
    wrong = [seen(row, evidence) for row in disputed(played, trials, rng)]
    seconds([seen(row, evidence) for row in disputed(played, WARM, Random(WARM))])  # tables built once are built
    each = [seconds([row]) for row in wrong]
    steps = audit(batch_of([wrong[each.index(max(each))]])).steps
    clean = [seen(played[number % len(played)].row, evidence) for number in range(rounds)]
    some = [wrong[at // ONE_IN % len(wrong)] if at % ONE_IN == 0 else row for at, row in enumerate(clean)]
    clean_s, some_s = seconds(clean, REPEATS), seconds(some, REPEATS)
    cent = batch_of([seen(beyond_reason(one.row), evidence) for one in played])
    turned = [seen(misfiled(one), evidence) for one in played[:trials]]
    searched, taken = as_a_worker(turned)
    print(
        f"{pack:<20}{evidence:<28}{1000 * median(each):>8.1f} ms{1000 * max(each):>8.1f} ms{steps:>8}"
        f"{rounds / clean_s:>12,.0f}{rounds / some_s:>12,.0f}{clean_s / some_s:>7.0%}"
        f"{audit(cent).steps:>8}{searched:>6} of {len(turned):<5}{1000 * taken / len(turned):>7.1f} ms",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=2000, help="rounds of a table, clean and with disputed ones")
    parser.add_argument("--trials", type=int, default=60, help="disputed rounds of a line")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    warm_up()
    print(f"a search takes at most {ROUND_STEPS:,} steps per round")
    heads = f"{'median':>11}{'worst':>11}{'steps':>8}{'clean/s':>12}{'1% odd/s':>12}{'':>7}{'a cent':>8}"
    print(f"{'':<48}{heads}  searched in another order, each")
    for pack in PACKS:
        played = play(pack, 200, given.seed)
        for evidence in (RACK, DEAL, *([ALL] if pack == "ma/pai_gow_poker" else [])):
            report(pack, evidence, played, given.rounds, given.trials, Random(given.seed))


if __name__ == "__main__":
    main()
