"""A wager settled for a sum that no hands give is told of, and no order of the rack is searched for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ingest.simulator import default_plan, simulate
from replay.assembling.assemble import Assembler
from replay.audit import audit
from replay.rounds import Fact, RoundFlag, RoundRow, batch_of
from schemas.admitted import Admitted
from schemas.events import parse_event


def rounds_with_the_rack_alone() -> list[RoundRow]:
    plan = default_plan(seed=2, tables=5, rounds=30, gaming_day=date(2026, 11, 17), games=["ca/supreme_baccarat"])
    assembler = Assembler()
    for offset, (_, raw) in enumerate(simulate(plan)):
        assembler.feed(Admitted(offset, raw, parse_event(raw), 0))
    rows = []
    for row in assembler.take_closed():
        alone = replace(row, fixed=dict(row.fixed), dealt=b"", dealt_place=[], dealt_to=b"", dealt_deck=b"")
        alone.fixed["flags"] &= ~RoundFlag.DEAL_READ
        rows.append(alone)
    return rows


def with_a_cent_more(row: RoundRow) -> RoundRow | None:
    facts = list(row.facts)
    at = next((at for at, fact in enumerate(facts) if fact.kind == Fact.SETTLED and fact.amount > 0), None)
    if at is None or row.fixed["flags"] & RoundFlag.VOIDED:
        return None
    facts[at] = facts[at]._replace(amount=facts[at].amount + 1)
    return replace(row, facts=facts)


def test_a_cent_too_much_starts_no_search_whether_the_cover_runs_out_or_not() -> None:
    odd = [row for row in map(with_a_cent_more, rounds_with_the_rack_alone()) if row is not None]
    assert len(odd) > 50
    audited = audit(batch_of(odd))
    assert audited.steps == 0
    flagged = {
        at for at, found in zip(audited.finding_rows, audited.findings, strict=True) if found.difference_cents == 1
    }
    assert flagged == set(range(len(odd)))
