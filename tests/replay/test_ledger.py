"""One truth about money: what the findings of a round add up to, account by account, is what its ledger is out by.

The ledger here is added up a second time, from the events as they were reported and from the lines as they stand in
rounds.parquet, by the slow obvious way; nothing of replay.money.ledger is used for it.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ingest.simulator import CATALOGUE, default_plan
from replay.audit import audit
from replay.explain import explain_round
from replay.lake_rounds import rounds_table
from replay.rounds import PAYERS, Fact, FactRow, RoundBatch, RoundFlag, RoundRow, batch_of
from tests.gaming_day import Day

HOUSE = "table inventory"
Net = dict[str, int]


def person(seat: int, bettor: str, bank: int) -> str:
    name = f"seat {seat} {bettor}".strip()
    return f"{name} (player-dealer)" if seat == bank > 0 and not bettor else name


def ledger_of(row: dict[str, Any]) -> tuple[Net, Net]:
    """What should have moved and what was reported to move, net, an account."""
    bank = row["bank_seat"]
    other = person(bank, "", bank) if bank > 0 else HOUSE
    should: Net = defaultdict(int)
    was: Net = defaultdict(int)

    def move(net: Net, source: str, target: str, cents: int) -> None:
        net[source] -= cents
        net[target] += cents

    def fee_payer(seat: int, bettor: str) -> str:
        """A bettor named at several seats is one person, whose fee is charged at the first (rulings.md R-52)."""
        placed = [fact for fact in row["facts"] if fact["kind"] == Fact.WAGER_PLACED and fact["bettor"] == bettor]
        return person(min([seat, *(fact["seat"] for fact in placed)]) if bettor else seat, bettor, bank)

    for line in row["lines"]:
        who = person(line["seat"], line["bettor"], bank)
        if line["kind"] == "fee":
            move(
                should,
                fee_payer(line["seat"], line["bettor"]),
                f"drop box {line['choice']}".strip(),
                line["paid_cents"],
            )
        else:
            move(should, other, who, line["paid_cents"] - line["taken_cents"])
            move(should, who, HOUSE, line["vigorish_cents"])
    for fact in row["facts"]:
        who = person(fact["seat"], fact["bettor"], bank)
        match Fact(fact["kind"]):
            case Fact.SETTLED:
                move(was, other, who, fact["amount"] - fact["taken"])
            case Fact.ENVY:
                move(was, other, who, fact["amount"])
            case Fact.VIGORISH:
                move(was, who, HOUSE, fact["amount"])
            case Fact.COLLECTION:
                if PAYERS[fact["code"]] == "player":
                    who = fee_payer(fact["seat"], fact["bettor"])
                if PAYERS[fact["code"]] == "player_dealer" and not fact["seat"]:
                    who = person(bank, "", bank) if bank > 0 else "player-dealer"
                move(
                    was,
                    "pot" if PAYERS[fact["code"]] == "pot" else who,
                    f"drop box {fact['choice']}".strip(),
                    fact["amount"],
                )
            case Fact.PROGRESSIVE_IN:
                move(was, who, f"meter {fact['choice']}", fact["amount"])
            case Fact.PROGRESSIVE_OUT:
                move(was, f"meter {fact['choice']}", who, fact["amount"])
            case Fact.POT:
                move(was, "pot", who, fact["amount"])
            case _:
                pass
    return should, was


def apart(row: dict[str, Any]) -> Net:
    should, was = ledger_of(row)
    net = {account: was.get(account, 0) - should.get(account, 0) for account in {**should, **was}}
    return {account: cents for account, cents in net.items() if cents}


def told(findings: list[dict[str, Any]]) -> Net:
    net: Net = defaultdict(int)
    for finding in findings:
        for share in finding["accounts"]:
            net[share["account"]] += share["difference_cents"]
    return {account: cents for account, cents in net.items() if cents}


def check(rounds: list[dict[str, Any]], findings: list[dict[str, Any]]) -> int:
    """How many rounds are out by something."""
    of_round = defaultdict(list)
    for finding in findings:
        of_round[finding["table_id"], finding["round_id"], finding["round_version"]].append(finding)
    out = 0
    for row in rounds:
        own = of_round[row["table_id"], row["round_id"], row["version"]]
        where = f"{row['table_id']} {row['round_id']}: {[finding['sentence'] for finding in own]}"
        assert row["verdict"] != "cannot_judge", where
        if not row["judged"]:
            assert told(own) == {}, where
            continue
        assert apart(row) == told(own), where
        by_person: Net = defaultdict(int)
        for finding in own:
            assert sum(share["difference_cents"] for share in finding["accounts"]) == 0, finding["sentence"]
            who = "player-dealer"  # seat unknown
            if finding["seat"]:
                who = person(finding["seat"], finding["bettor"] or "", row["bank_seat"])
            shares = {share["account"]: share["difference_cents"] for share in finding["accounts"]}
            assert finding["difference_cents"] == shares.get(who, 0), finding["sentence"]
            by_person[who] += finding["difference_cents"]
        # A finding's own difference is its person's: whoever bets, and is not bet against, has no other share.
        for who, cents in apart(row).items():
            if who.startswith("seat") and "(player-dealer)" not in who:
                assert by_person[who] == cents, where
        out += bool(apart(row))
    return out


@pytest.mark.parametrize("seed", [31, 32])
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
                made += [fact, FactRow(extra, fact.seq, rng.randrange(1, 7), "", fact.wager, amount=500, other=3)]
            case _:
                made.append(fact._replace(wager="fortune" if fact.wager == "pai_gow" else "tie"))
    return made


@pytest.mark.parametrize("seed", range(6))
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
