"""A table whose every rack was filled in another order than filed is recognised as that and costs little; one at which
something else is wrong is not taken for one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

import orjson
import pytest

from ingest.simulator import default_plan, simulate
from ingest.simulator.options import Equipment
from replay.assembling.assemble import Assembler
from replay.cards.pickup.other_orders import other_orders
from replay.filing import load_pack
from replay.lake_rounds import judge, reaudit
from replay.misfiled import MOST, RECOGNISED, OddTables
from replay.rounds import Fact, RoundFlag, RoundRow, batch_of
from replay.stream import Replay
from schemas.admitted import Admitted, ReplayCut
from schemas.events import parse_event
from schemas.findings import Finding, findings_table
from tests.reconstruct.rack_faults import baccarat_rack

ROUNDS = 40
NOT_AS_FILED = "not explained: the racks of this table contradict the pickup procedure filed"

Rack = Callable[[Sequence[bytes]], bytes]


def as_filed(packets: Sequence[bytes]) -> bytes:
    return b"".join(packets)


def banker_first(packets: Sequence[bytes]) -> bytes:
    return b"".join(reversed(packets))


@pytest.fixture(scope="module")
def table() -> list[tuple[RoundRow, list[bytes]]]:
    """One baccarat table that reads nothing but its rack: its rounds, and the two packets of each rack."""
    plan = default_plan(seed=3, tables=4, rounds=ROUNDS, gaming_day=date(2026, 11, 17))
    one = next(table for table in plan.tables if table.game == "ca/supreme_baccarat")
    blind = replace(one, equipment=Equipment(shoe_reads=False, camera=False, rack="inserted"))
    assembler = Assembler()
    events: dict[str, list[dict[str, object]]] = {}
    for offset, (_, raw) in enumerate(simulate(replace(plan, tables=[blind]))):
        assembler.feed(Admitted(offset, raw, parse_event(raw), 0))
        event = orjson.loads(raw)
        events.setdefault(event.get("subject", ""), []).append(event)
    found = []
    for row in assembler.take_closed():
        rack = baccarat_rack(events[row.named["round_id"]])
        if rack is not None and not row.fixed["flags"] & RoundFlag.VOIDED:
            row.fixed["flags"] |= int(RoundFlag.ATTESTED)
            found.append((row, [packet.faces() for packet in rack.packets]))
    assert len(found) > ROUNDS * 0.9
    return found


def filled(table: Sequence[tuple[RoundRow, list[bytes]]], how: Rack, until: int = 10**6) -> list[RoundRow]:
    """The rounds with their racks filled like this, from a certain one on as filed."""
    return [
        replace(
            row, rack=how(packets) if at < until else as_filed(packets), fixed=dict(row.fixed), facts=list(row.facts)
        )
        for at, (row, packets) in enumerate(table)
    ]


def judged(rows: Sequence[RoundRow], every: int) -> ReplayCut:
    """The rounds as a worker judges them, so many at once, its state kept in between."""
    replay = Replay()
    for first in range(0, len(rows), every):
        some = rows[first : first + every]
        restored = Replay()
        restored.restore(replay.state())
        restored._rounds, restored._found, restored._number = replay._rounds, replay._found, replay._number
        replay = restored
        replay.keep(some, judge(batch_of(some), 0), [])
        replay.judge_odd(math.inf)
    return replay.cut()


def of_code(findings: Sequence[Finding], code: str) -> list[Finding]:
    return [finding for finding in findings if finding.code == code]


def test_it_is_recognised_after_a_few_rounds_and_told_which_order_fits(
    table: list[tuple[RoundRow, list[bytes]]],
) -> None:
    cut = judged(filled(table, banker_first), len(table))
    told = of_code(cut.findings, "RACK-331")
    unsearched = [bool(flags & RoundFlag.NOT_SEARCHED) for flags in cut.rounds["flags"].to_pylist()]
    assert sum(unsearched) == len(told) > len(table) / 2
    assert not any(unsearched[: RECOGNISED // 2]) and any(unsearched[: RECOGNISED + 2])
    first = told[0].sentence
    since = first.split("since round ")[1].split(",")[0]
    assert since in cut.rounds["round_id"].to_pylist()[:3]
    assert f"have contradicted the pickup procedure filed since round {since}, " in first
    assert all(f"since round {since}, " in one.sentence for one in told)
    assert "the Player and the Banker hand in each other's turn" in first
    assert not of_code(cut.findings, "ROUND-009")
    for reason, verdict, left in zip(
        cut.rounds["reason"].to_pylist(), cut.rounds["verdict"].to_pylist(), unsearched, strict=True
    ):
        assert not left or (reason, verdict) == (NOT_AS_FILED, "cannot_tell")
    names = {finding.round_id for finding in told}
    accused = [one.code for one in cut.findings if one.round_id in names and one.code.startswith(("SETTLE", "DEAL"))]
    assert not accused, "without an explanation nobody is accused by the cards"


def test_it_does_not_depend_on_batches_and_cuts_and_is_the_same_audited_again(
    table: list[tuple[RoundRow, list[bytes]]],
) -> None:
    whole = judged(filled(table, banker_first), len(table))
    for every in (1, 7):
        parts = judged(filled(table, banker_first), every)
        assert parts.rounds.to_pylist() == whole.rounds.to_pylist()
        assert sorted(one.id for one in parts.findings) == sorted(one.id for one in whole.findings)
    again, found = reaudit(whole.rounds)
    assert again.to_pylist() == whole.rounds.to_pylist()
    assert sorted(findings_table(found).to_pylist(), key=repr) == sorted(
        findings_table(whole.findings).to_pylist(), key=repr
    )
    deep, found = reaudit(whole.rounds, deep=True)
    assert not of_code(found, "RACK-331") and NOT_AS_FILED not in deep["reason"].to_pylist()


def test_it_ends_when_the_racks_fit_again(table: list[tuple[RoundRow, list[bytes]]]) -> None:
    cut = judged(filled(table, banker_first, until=12), 5)
    late = {row.named["round_id"] for row, _ in table[12:]}
    assert of_code(cut.findings, "RACK-331")
    assert not [one for one in of_code(cut.findings, "RACK-331") if one.round_id in late]
    tables = OddTables()
    row = table[0][0]
    for _ in range(3 * MOST):
        tables.contradicts(row)
    assert tables.recognised(row.named["table_id"])
    for _ in range(MOST):
        tables.fits(row.named["table_id"])
    assert tables.state() == {}, "it is an ordinary table again, of which nothing is remembered"


def test_a_table_that_keeps_its_order_is_not_taken_for_one(table: list[tuple[RoundRow, list[bytes]]]) -> None:
    """Neither one whose racks all fit, nor one where in every round a single wager is settled wrong."""
    assert not of_code(judged(filled(table, as_filed), len(table)).findings, "RACK-331")
    rows = filled(table, as_filed)
    for row in rows:
        at = next((at for at, fact in enumerate(row.facts) if fact.kind == Fact.SETTLED and fact.amount > 0), None)
        if at is not None:
            row.facts[at] = row.facts[at]._replace(amount=row.facts[at].amount * 2)
    cut = judged(rows, len(rows))
    assert of_code(cut.findings, "SETTLE-102") or of_code(cut.findings, "SETTLE-101")
    assert not of_code(cut.findings, "RACK-331")


def test_it_cannot_hold_up_a_worker(table: list[tuple[RoundRow, list[bytes]]]) -> None:
    """Once it is recognised its rounds cost far less than searching them all would."""
    rows = filled(table * 3, banker_first)
    replay = Replay()
    replay.keep(rows[:20], judge(batch_of(rows[:20]), 0), [])
    replay.judge_odd(math.inf)
    assert replay.state()["odd_racks"]

    def seconds(work: Callable[[], object]) -> float:
        began = time.process_time()
        work()
        return time.process_time() - began

    def as_a_worker() -> None:
        replay.keep(rows[20:], judge(batch_of(rows[20:]), 0), [])
        replay.judge_odd(math.inf)

    odd = seconds(as_a_worker)
    assert not of_code(replay.cut().findings, "ROUND-009")
    searched = seconds(lambda: [judge(batch_of([row])) for row in rows[20:]])
    assert odd < searched / 3, f"{odd:.3f} s, and {searched:.3f} s if all are searched"
    assert odd < 0.01 * len(rows), f"{odd:.3f} s for {len(rows) - 20} rounds"


def test_the_other_orders_of_a_pack_are_the_usual_ones() -> None:
    pack = load_pack("ma/pai_gow_poker")
    (filed,) = pack.pickups.values()
    said = [other.said for other in other_orders(filed, pack.pickups)]
    assert "round the table the other way" in said
    assert "the hand everyone played against first" in said
    assert any("high hand of each place before the low" in one and " and " in one for one in said)
    assert not any("Banker" in one for one in said), "what changes nothing is not tried"
    assert len({other.procedure.id for other in other_orders(filed, pack.pickups)}) == len(said)
