"""One truth about money: what the findings of a round add up to, account by account, is what its ledger is out by.

The ledger here is added up a second time (slow_ledger.py); nothing of replay.money.ledger is used for it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from ingest.simulator import CATALOGUE, default_plan
from replay.audit import audit
from replay.explain import explain_round
from replay.lake_rounds import rounds_table
from replay.rounds import Fact, FactRow, RoundBatch, RoundFlag, RoundRow, batch_of
from tests.gaming_day import Day
from tests.replay.slow_ledger import apart, check


@pytest.mark.parametrize("seed", [31, pytest.param(32, marks=pytest.mark.exhaustive)])
def test_findings_add_up_to_the_ledger_over_every_kind_of_fault(seed: int, tmp_path: Path) -> None:
    plan = default_plan(seed=seed, tables=13, rounds=60, faults=dict.fromkeys(CATALOGUE, 2))
    day = Day(tmp_path).record(plan).run()
    rounds = day.table("rounds").to_pylist()
    assert {label.fault for label in day.labels.injected} == set(CATALOGUE)
    assert check(rounds, day.table("findings").to_pylist()) > 20
    differing = [at for at, row in enumerate(rounds) if row["judged"] and apart(row)]
    for at in differing:
        report = explain_round(day.table("rounds").slice(at, 1))
        assert report["ledger"]["differences"] == apart(rounds[at])


MONEY = (Fact.SETTLED, Fact.VIGORISH, Fact.ENVY, Fact.COLLECTION)


def spoil(facts: list[FactRow], rng: random.Random) -> list[FactRow]:
    """Reports changed at random: sums, people, boxes, wagers; some twice, some gone, some of nothing that was there."""
    made: list[FactRow] = []
    for fact in facts:
        if fact.kind not in MONEY or rng.random() < 0.6:
            made.append(fact)
            continue
        match rng.randrange(9):
            case 0:
                pass  # never reported
            case 1:
                made += [fact, fact._replace(seq=fact.seq)]
            case 2:
                made.append(fact._replace(amount=rng.choice([0, 1, 100, 777, 100_000])))
            case 3:
                made.append(fact._replace(amount=fact.taken, taken=fact.amount))
            case 4:
                made.append(fact._replace(seat=rng.randrange(1, 7)))
            case 5:
                made.append(
                    fact._replace(choice="left") if fact.kind == Fact.COLLECTION else fact._replace(bettor="B9")
                )
            case 6:
                made.append(fact._replace(code=rng.randrange(3)))
            case 7:
                extra = rng.choice([Fact.VIGORISH, Fact.ENVY, Fact.PROGRESSIVE_OUT, Fact.PROGRESSIVE_IN])
                off = fact.seq % 2  # whether it came off the meter
                made += [fact, FactRow(extra, fact.seq, rng.randrange(1, 7), "", fact.wager, amount=500, other=off)]
            case _:
                made.append(fact._replace(wager="fortune" if fact.wager == "pai_gow" else "tie"))
    return made


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(2, 6))])
def test_findings_add_up_to_the_ledger_whatever_was_reported(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reports of honest rounds spoiled at random, several at once, with the cards read, in part, or not at all."""
    rng = random.Random(seed)
    plan = default_plan(seed=50 + seed, tables=13, rounds=12)
    rows: list[RoundRow] = []

    def noting(made: Sequence[RoundRow]) -> RoundBatch:
        rows.extend(made)
        return batch_of(made)

    monkeypatch.setattr("replay.stream.batch_of", noting)
    Day(tmp_path).record(plan).run()
    for row in rows:
        row.facts = spoil(row.facts, rng)
        unread = rng.randrange(4)
        if unread in (1, 3):
            row.rack, row.rack_deck = b"", b""
            row.fixed["flags"] &= ~int(RoundFlag.RACK_READ)
        if unread in (2, 3):
            row.dealt = row.dealt_deck = row.dealt_to = b""
            row.dealt_place = []
            row.fixed["flags"] &= ~int(RoundFlag.DEAL_READ)
    spoiled = batch_of(rows)
    audited = audit(spoiled)
    findings = [
        {
            **vars(found),
            "accounts": [{"account": who, "difference_cents": cents} for who, cents in found.accounts],
        }
        for found in audited.findings
    ]
    assert check(rounds_table(spoiled, audited).to_pylist(), findings) > 50
