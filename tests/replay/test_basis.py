"""What a finding rests on: it says that, and only that; and a round of which nothing was read is not said to differ."""

from __future__ import annotations

import pytest

from replay.audit import audit
from replay.explain import explain_round
from replay.filing import canonical_filing
from replay.lake_rounds import rounds_table
from replay.rounds import Fact, FactRow, RoundFlag, RoundRow, batch_of, unknown_fixed
from replay.verdicts import VERDICTS
from schemas.cards import codes_of
from schemas.findings import Basis, Finding, Verdict, how_sure

FILING = canonical_filing("ca/supreme_baccarat", "1.0", {"schedule": "own_1"})


def a_round(rack: str = "4c 5d Kh 7s", dealt: str = "4c Kh 5d 7s", paid: int = 1_000, fee: int = 100) -> RoundRow:
    """Player 9, Banker 7; seat 3 has $10 on the Player line against the player-dealer in seat 2, who owes $1."""
    fixed = unknown_fixed()
    read = (RoundFlag.RACK_READ if rack else 0) | (RoundFlag.DEAL_READ if dealt else 0)
    fixed.update(
        flags=int(RoundFlag.CLOSED | RoundFlag.CONTEXT_UNKNOWN | read),
        bank_seat=2,
        bank_kind=2,
        bank_posted_cents=50_000,
        bets_closed_seq=5,
        last_seq=20,
        decks=8,
    )
    if dealt:
        fixed.update(first_card_seq=6, first_card_count=4, last_card_seq=6)
    if rack:
        fixed.update(rack_first_seq=13, rack_last_seq=13)
    facts = [
        FactRow(Fact.WAGER_PLACED, 2, 3, wager="player", amount=1_000),
        FactRow(Fact.COLLECTION, 3, 2, choice="table", code=1, amount=fee),
        FactRow(Fact.SETTLED, 12, 3, wager="player", code=0, amount=paid),
    ]
    cards = codes_of(dealt)
    row = RoundRow(
        {"table_id": "SB-01", "round_id": "7", "filing": FILING},
        fixed,
        rack=codes_of(rack),
        dealt=cards,
        facts=facts,
    )
    row.dealt_to, row.dealt_place = bytes(len(cards)), [-1] * len(cards)
    return row


def judge(row: RoundRow) -> tuple[Verdict, str, list[Finding]]:
    audited = audit(batch_of([row]))
    return VERDICTS[audited.verdicts[0]], audited.reasons[0], audited.findings


@pytest.mark.parametrize(
    ("row", "code", "basis", "words"),
    [
        (a_round(fee=500), "FEE-902", Basis.REPORTS, "(certain: by the reports, whatever the cards were)."),
        (a_round(paid=500), "SETTLE-101", Basis.DEAL_AND_RACK, "(certain: deal and rack agree)."),
        (a_round(rack="", paid=500), "SETTLE-101", Basis.DEAL, "by the deal alone)."),
        (a_round(dealt="", paid=500), "SETTLE-101", Basis.RACK, "by the rack alone)."),
    ],
)
def test_a_finding_says_what_it_rests_on(row: RoundRow, code: str, basis: Basis, words: str) -> None:
    _, _, findings = judge(row)
    assert [(found.code, found.basis) for found in findings] == [(code, basis)]
    assert findings[0].sentence.endswith(words)
    assert ("rack" in findings[0].sentence) == (basis in (Basis.RACK, Basis.DEAL_AND_RACK))


def test_where_deal_and_rack_disagree_neither_is_said_to_bear_the_other_out() -> None:
    _, _, findings = judge(a_round(rack="4c 5d 7s Kh 2c", dealt="4c Kh 5d 7s"))
    assert findings
    assert not [found.sentence for found in findings if "agree)" in found.sentence]


def test_a_round_of_which_no_card_was_read_cannot_be_told_and_does_not_differ() -> None:
    verdict, reason, findings = judge(a_round(rack="", dealt=""))
    assert (verdict, [found.code for found in findings]) == (Verdict.CANNOT_TELL, ["RACK-322"])
    assert reason != "RACK-322"


def test_a_scan_that_could_not_be_cut_was_read() -> None:
    row = a_round(rack="", dealt="")
    row.fixed["flags"] |= int(RoundFlag.RACK_UNCUT)
    verdict, reason, findings = judge(row)
    assert (verdict, findings) == (Verdict.CANNOT_TELL, [])
    assert "read after several rounds" in reason


def test_one_confidence_in_the_finding_and_in_the_explanation() -> None:
    batch = batch_of([a_round(dealt="", paid=500)])
    audited = audit(batch)
    report = explain_round(rounds_table(batch, audited), how=True)
    (found,) = audited.findings
    (told,) = report["findings"]
    (explained,) = report["reading"]["findings"]
    assert found.confidence < 1
    assert told["confidence"] == explained["confidence"] == found.confidence
    assert f"({how_sure(found.confidence)}: " in found.sentence and told["sure"] == how_sure(found.confidence)
