"""What a round costs whose settlements do not fit its hands: `python -m benchmarks.disputed_rounds [--rounds N]`.

Such a round is checked a second time, with the reports as a witness, and its rack may be searched for what went wrong
(docs/reconstruction.md). For each pack and for what its devices read: the median and the worst of disputed rounds
audited one by one; a table of clean rounds, and the same with one round in a hundred disputed, audited again from the
lake; rounds that were settled for a sum that no hands give, for which nothing is searched; and a table whose every rack
is in the opposite order of the one filed, judged as a worker does: how many are searched, from which round on it is
known for that (RACK-331), and what a round of it takes. Then a simulated day of each pack, its tables equipped as they
usually are, clean and with one wager in a hundred rounds settled the wrong way.

Processor time, with the garbage collector kept from what was there before, as in a worker; of whole tables and days the
least of three runs.
"""

from __future__ import annotations

import argparse
import gc
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from random import Random
from statistics import median

from ingest.simulator import Plan, default_plan, game_names, simulate
from ingest.simulator.options import Equipment
from replay.assembling.assemble import Assembler
from replay.audit import audit
from replay.cards.solver.budget import ROUND_STEPS
from replay.lake_rounds import judge, reaudit
from replay.rounds import Fact, RoundFlag, RoundRow, batch_of
from replay.stream import Replay
from replay.warm_up import warm_up
from schemas.admitted import Admitted
from schemas.events import parse_event
from tests.reconstruct.rack_settlements import SETTLEMENTS, settle_wrong
from tests.reconstruct.rack_trials import DEAL, PACKS, RACK, PlayedRound, as_seen, play

WITNESSED = Equipment(shoe_reads=True, camera=True, rack="inserted")

GAMING_DAY = date(2026, 11, 17)
DAY_TABLES = 12
ALL = "rack, deal and hands shown"
ONE_IN = 100
REPEATS = 3
WARM = 20  # other disputed rounds audited before the clock runs
_ODD_CENTS = 1  # nothing on any table pays or takes one cent more than its wagers are multiples of


def seen(row: RoundRow, evidence: str) -> RoundRow:
    return row if evidence == ALL else as_seen(row, evidence)


@dataclass(frozen=True)
class Table:
    """Rounds of one pack, at tables that see everything."""

    clean: list[RoundRow]
    wrong: list[RoundRow]  # a wager, a hand's wagers, or two seats' wagers were settled wrong
    others: list[RoundRow]  # of the same kind, to be audited before the clock runs


def table_of(pack: str, rounds: int, trials: int, seed: int) -> Table:
    """Where the tests can settle rounds of a pack wrong in any way, they do; else the simulated dealer does."""
    if pack in PACKS:
        played = play(pack, rounds, seed)
        return Table(
            [one.row for one in played],
            disputed(played, trials, Random(seed)),
            disputed(played, WARM, Random(WARM)),
        )
    made = simulated(witnessed(default_plan(seed, DAY_TABLES, -(-rounds // DAY_TABLES), games=(pack,))))
    faults = {"wrong_outcome": trials + WARM}
    spoiled = simulated(witnessed(default_plan(seed + 1, DAY_TABLES, trials, faults, games=(pack,))))
    audited = audit(batch_of(spoiled))
    settled_wrong = {one.round_id: one.table_id for one in audited.findings if one.code == "SETTLE-102"}
    wrong = [one for one in spoiled if settled_wrong.get(one.named["round_id"]) == one.named["table_id"]]
    return Table([one for one in made if one.rack], wrong[WARM:], wrong[:WARM])


def disputed(played: Sequence[PlayedRound], trials: int, rng: Random) -> list[RoundRow]:
    rows: list[RoundRow] = []
    while len(rows) < trials:
        one = rng.choice(played)
        made = settle_wrong(rng.choice(list(SETTLEMENTS)), one.row, one.rack, one.reports, one.filed, rng)
        if made is not None:
            rows.append(made[0])
    return rows


def witnessed(plan: Plan) -> Plan:
    return replace(plan, tables=tuple(replace(table, equipment=WITNESSED) for table in plan.tables))


def simulated(plan: Plan) -> list[RoundRow]:
    assembler = Assembler()
    for offset, (_, raw) in enumerate(simulate(plan)):
        assembler.feed(Admitted(offset, raw, parse_event(raw), 0))  # nothing is wrong with the record itself
    return assembler.take_closed()


def beyond_reason(row: RoundRow) -> RoundRow:
    """The same round with one wager paid by a cent too much: no hands give that."""
    facts = list(row.facts)
    at = next((at for at, fact in enumerate(facts) if fact.kind == Fact.SETTLED and fact.amount > 0), None)
    if at is not None:
        facts[at] = facts[at]._replace(amount=facts[at].amount + _ODD_CENTS)
    return replace(row, facts=facts)


def misfiled(row: RoundRow) -> RoundRow:
    """The round with its rack filled in the opposite order, every hand turned over."""
    return replace(row, rack=row.rack[::-1], rack_deck=b"")


def seconds(row: RoundRow) -> float:
    batch = batch_of([row])
    began = time.process_time()
    audit(batch)
    return time.process_time() - began


def reaudited(rows: Sequence[RoundRow]) -> float:
    """How long it takes to audit a table again from its rows in the lake."""
    table = judge(batch_of(list(rows))).rounds
    least = math.inf
    for _ in range(REPEATS):
        began = time.process_time()
        reaudit(table)
        least = min(least, time.process_time() - began)
    return least


def as_a_worker(rows: Sequence[RoundRow]) -> tuple[int, int, float]:
    """How many of one table's rounds are searched, at which it is recognised (0: never), and how long all of them
    take."""
    of_table = [
        replace(row, named=row.named | {"table_id": "T", "round_id": str(number)}, fixed=dict(row.fixed))
        for number, row in enumerate(rows, 1)
    ]
    for row in of_table:
        row.fixed["flags"] |= int(RoundFlag.ATTESTED)
    replay = Replay()
    began = time.process_time()
    ordinary = judge(batch_of(of_table), 0)
    replay.keep(of_table, ordinary, [])
    replay.judge_odd(math.inf)
    cut = replay.cut()
    taken = time.process_time() - began
    left = [bool(flags & RoundFlag.NOT_SEARCHED) for flags in cut.rounds["flags"].to_pylist()]
    recognised = [int(finding.round_id or 0) for finding in cut.findings if finding.code == "RACK-331"]
    return len(ordinary.left_out) - sum(left), min(recognised, default=0), taken


def report(pack: str, evidence: str, table: Table, rounds: int, trials: int) -> None:
    wrong = [seen(row, evidence) for row in table.wrong[:trials]]
    audit(batch_of([seen(row, evidence) for row in table.others]))  # builds tables
    each = [seconds(row) for row in wrong]
    steps = audit(batch_of([wrong[each.index(max(each))]])).steps
    clean = [seen(table.clean[number % len(table.clean)], evidence) for number in range(rounds)]
    some = [wrong[at // ONE_IN % len(wrong)] if at % ONE_IN == 0 else row for at, row in enumerate(clean)]
    clean_s, some_s = reaudited(clean), reaudited(some)
    cent = batch_of([seen(beyond_reason(row), evidence) for row in table.clean])
    of_one = [row for row in table.clean if row.named["table_id"] == table.clean[0].named["table_id"]]
    turned = [seen(misfiled(of_one[at % len(of_one)]), evidence) for at in range(trials)]
    searched, recognised, taken = as_a_worker(turned)
    print(
        f"{pack:<22}{evidence:<28}{1000 * median(each):>8.1f} ms{1000 * max(each):>8.1f} ms{steps:>8}"
        f"{rounds / clean_s:>12,.0f}{rounds / some_s:>12,.0f}{clean_s / some_s:>7.0%}"
        f"{audit(cent).steps:>8}{searched:>6} of {len(turned):<5}{recognised or '-':>5}"
        f"{1000 * taken / len(turned):>7.1f} ms",
        flush=True,
    )


def of_day(pack: str, rounds: int, seed: int, wrong: int) -> list[RoundRow]:
    """The rounds of a simulated day, in so many of which a wager is settled the wrong way."""
    faults = {"wrong_outcome": wrong} if wrong else None
    return simulated(default_plan(seed, DAY_TABLES, rounds // DAY_TABLES, faults, gaming_day=GAMING_DAY, games=(pack,)))


def report_day(pack: str, rounds: int, seed: int) -> None:
    clean, some = (of_day(pack, rounds, seed, wrong) for wrong in (0, rounds // ONE_IN))
    clean_s, some_s = reaudited(clean), reaudited(some)
    print(f"{pack:<78}{len(clean) / clean_s:>18,.0f}{len(some) / some_s:>12,.0f}{clean_s / some_s:>7.0%}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=2000, help="rounds of a table, clean and with disputed ones")
    parser.add_argument("--trials", type=int, default=60, help="disputed rounds of a line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--packs", nargs="+", default=game_names(), metavar="PACK")
    given = parser.parse_args()
    warm_up()
    print(f"a search takes at most {ROUND_STEPS:,} steps per round")
    heads = f"{'median':>11}{'worst':>11}{'steps':>8}{'clean/s':>12}{'1% odd/s':>12}{'':>7}{'a cent':>8}"
    print(f"{'':<50}{heads}  in the opposite order: searched, known from, each")
    for pack in given.packs:
        table = table_of(pack, 200, given.trials, given.seed)
        gc.collect()
        gc.freeze()
        for evidence in (RACK, DEAL, *([ALL] if any(row.shown for row in table.clean) else [])):
            report(pack, evidence, table, given.rounds, given.trials)
    print(f"\n{'a simulated day, its tables equipped as usual':<78}{'clean/s':>18}{'1% odd/s':>12}")
    for pack in given.packs:
        report_day(pack, given.rounds, given.seed)


if __name__ == "__main__":
    main()
