"""From assembled rounds to verdicts: missing events accuse nobody, the filing decides, and every round can be told."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.simulator import CATALOGUE, default_plan
from replay.audit import audit
from replay.citations import cite
from replay.explain import explain_round
from replay.filing import canonical_filing
from replay.lines import make_lines
from replay.money.ledger import Posting, balances, moving
from replay.rounds import Fact, FactRow, RoundFlag, RoundRow, batch_of, unknown_fixed
from replay.verdicts import VERDICTS
from schemas.cards import codes_of
from schemas.findings import Verdict
from tests.gaming_day import Day

FILING = canonical_filing("ca/supreme_baccarat", "1.0", {"schedule": "own_1"})


def baccarat_round(paid: int = 1_000, flags: RoundFlag = RoundFlag.CLOSED, filing: str = FILING) -> RoundRow:
    """Player 9, Banker 7; seat 3 has $10 on the Player line against the player-dealer in seat 2, who owes $1."""
    fixed = unknown_fixed()
    fixed.update(
        flags=int(flags | RoundFlag.RACK_READ | RoundFlag.CONTEXT_UNKNOWN),
        bank_seat=2,
        bank_kind=2,
        bank_posted_cents=50_000,
        bets_closed_seq=5,
        first_card_seq=6,
        last_seq=20,
        decks=8,
    )
    return RoundRow(
        {"table_id": "SB-01", "round_id": "7", "filing": filing},
        fixed,
        rack=codes_of("4c 5d Kh 7s"),
        facts=[
            FactRow(Fact.WAGER_PLACED, 2, 3, wager="player", amount=1_000),
            FactRow(Fact.COLLECTION, 3, 2, choice="table", code=1, amount=100),
            FactRow(Fact.SETTLED, 12, 3, wager="player", code=0, amount=paid),
        ],
    )


def judged(*rows: RoundRow) -> list[tuple[Verdict, list[str]]]:
    audited = audit(batch_of(rows))
    by_round = [VERDICTS[verdict] for verdict in audited.verdicts]
    codes = [[f.code for f in audited.findings if f.round_id == row.named["round_id"]] for row in rows]
    return list(zip(by_round, codes, strict=True))


def test_a_round_settled_by_the_rules_is_verified() -> None:
    assert judged(baccarat_round()) == [(Verdict.VERIFIED, [])]


def test_a_wrong_payout_differs() -> None:
    assert judged(baccarat_round(paid=500)) == [(Verdict.DIFFERS, ["SETTLE-101"])]


def test_with_events_missing_nobody_is_accused() -> None:
    gap = RoundFlag.CLOSED | RoundFlag.GAP
    assert judged(baccarat_round(paid=500, flags=gap)) == [(Verdict.CANNOT_TELL, [])]
    assert judged(baccarat_round(flags=gap)) == [(Verdict.CANNOT_TELL, [])], "the missing event may have moved money"


def test_a_round_that_was_never_closed() -> None:
    assert judged(baccarat_round(flags=RoundFlag(0))) == [(Verdict.DIFFERS, ["ROUND-001"])]


def test_without_a_filing_nothing_can_be_told() -> None:
    unfiled = baccarat_round(flags=RoundFlag.CLOSED | RoundFlag.NO_FILING, filing="")
    assert judged(unfiled) == [(Verdict.DIFFERS, ["FILING-002"])]
    unusable = baccarat_round(flags=RoundFlag.CLOSED | RoundFlag.FILING_UNUSABLE, filing="{}")
    assert judged(unusable) == [(Verdict.CANNOT_TELL, [])], "said once, when the table opened"


def test_one_round_does_not_disturb_another() -> None:
    other = baccarat_round(paid=500)
    other.named["round_id"] = "8"
    assert judged(baccarat_round(), other, baccarat_round()) == [
        (Verdict.VERIFIED, []),
        (Verdict.DIFFERS, ["SETTLE-101"]),
        (Verdict.VERIFIED, []),
    ]


def test_no_rounds_at_all() -> None:
    assert judged() == []


def test_lines_refuse_a_column_that_does_not_exist() -> None:
    with pytest.raises(TypeError, match="stakes"):
        make_lines(1, [cite("CA", "x")], stakes=5)


def test_a_ledger_must_balance() -> None:
    postings = [Posting("seat 3", "table inventory", 500, "pai_gow taken")]
    assert balances(moving(postings)) == {"seat 3": -500, "table inventory": 500}
    with pytest.raises(AssertionError, match="positive"):
        moving([Posting("seat 3", "table inventory", -500, "?")])
    assert moving([Posting("seat 3", "seat 3", 500, "?"), Posting("seat 3", "pot", 0, "?")]) == []


def test_every_round_of_a_faulty_day_can_be_told(tmp_path: Path) -> None:
    """The report is made from the audit's own arrays: it must agree with the verdict and findings on record."""
    plan = default_plan(seed=21, tables=13, rounds=30, faults=dict.fromkeys(CATALOGUE, 1))
    day = Day(tmp_path).record(plan).run()
    rounds, findings = day.table("rounds"), day.table("findings").to_pylist()
    with_hands = 0
    for at in range(rounds.num_rows):
        row = rounds.slice(at, 1)
        report = explain_round(row)
        assert report["verdict"] == row.column("verdict")[0].as_py()
        recorded = [
            finding["finding_id"]
            for finding in findings
            if (finding["table_id"], finding["round_id"]) == (report["table"], report["round"])
            and not finding["code"].startswith("GATE-")
        ]
        assert sorted(finding["id"] for finding in report["findings"]) == sorted(recorded)
        assert sum(report["ledger"]["expected_balances"].values()) == 0
        bank = report["bank"]
        if bank:
            fees = sum(line["expected"]["paid_cents"] for line in report["lines"] if line["kind"] == "fee")
            moved = sum(
                abs(net) for who, net in report["ledger"]["expected_balances"].items() if "player-dealer" in who
            )
            assert moved <= bank["posted_cents"] + fees
        with_hands += bool(report["hands"])
        if report["verdict"] == "verified":
            assert all(line["agrees"] for line in report["lines"])
    assert with_hands > 0.9 * rounds.num_rows
