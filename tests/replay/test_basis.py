"""What a finding rests on: it says that, and only that; and a round of which nothing was read is not said to differ."""

from __future__ import annotations

import random

import pytest

from replay.audit import audit, audit_or_raise
from replay.cards.solver.budget import Searches
from replay.explain import explain_round
from replay.filing import canonical_filing
from replay.lake_rounds import rounds_table
from replay.rounds import OUTCOME_CODE, Fact, FactRow, RoundFlag, RoundRow, batch_of, unknown_fixed
from replay.verdicts import VERDICTS
from schemas.cards import codes_of
from schemas.events import Outcome
from schemas.findings import LIKELY, Basis, Finding, Verdict, how_sure
from tests.packs.pai_gow_poker_table import Bets, play, reported, row_of

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
        (a_round(fee=500), "FEE-910", Basis.REPORTS, "(certain: by the reports, whatever the cards were)."),
        (a_round(paid=500), "SETTLE-101", Basis.DEAL_AND_RACK, "(certain: deal and rack agree)."),
        (a_round(rack="", paid=500), "SETTLE-101", Basis.DEAL, "(likely, 90%: by the deal alone)."),
        (a_round(dealt="", paid=500), "SETTLE-101", Basis.RACK, "(likely, 90%: by the rack alone)."),
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
    (in_report,) = report["findings"]
    (explained,) = report["reading"]["findings"]
    assert found.confidence < 1
    assert in_report["confidence"] == explained["confidence"] == found.confidence
    assert f"({how_sure(found.confidence)}: " in found.sentence and in_report["sure"] == how_sure(found.confidence)


# ---- pai gow poker: hands shown are a witness too ------------------------------------------------------------------


def pai_gow_paid_wrong(*, rack: bool, deal: bool, shown: set[int] | None) -> RoundRow:
    """Seats 1 to 5 played and settled right, but that seat 4's stake moved the other way."""
    bets = {seat: Bets(1_000) for seat in (1, 2, 4, 5)}
    played = play(random.Random(3), bets=bets, foul_share=0.0)
    row = reported(row_of(played, deal_read=deal, shown=shown), played)
    if not rack:
        row.rack, row.fixed["flags"] = b"", row.fixed["flags"] & ~int(RoundFlag.RACK_READ)
    won = played.lines[4, "pai_gow"][0] == "win"
    at = next(n for n, fact in enumerate(row.facts) if fact.kind == Fact.SETTLED and fact.seat == 4)
    code = OUTCOME_CODE[Outcome.LOSE if won else Outcome.WIN]
    row.facts[at] = row.facts[at]._replace(code=code, amount=0 if won else 1_000, taken=1_000 if won else 0)
    row.facts = [fact for fact in row.facts if not (fact.kind == Fact.VIGORISH and fact.seat == 4)]
    row.named["filing"] = canonical_filing("ma/pai_gow_poker", "1.0", {})
    return row


ALL_SHOWN: set[int] | None = None


@pytest.mark.parametrize(
    ("rack", "deal", "shown", "basis", "words"),
    [
        (True, True, ALL_SHOWN, Basis.DEAL_RACK_AND_SHOWN, "(certain: deal, rack and hands shown agree)."),
        (True, True, set(), Basis.DEAL_AND_RACK, "(certain: deal and rack agree)."),
        (False, True, ALL_SHOWN, Basis.DEAL_AND_SHOWN, "(certain: deal and hands shown agree)."),
        (True, False, ALL_SHOWN, Basis.RACK_AND_SHOWN, "(certain: rack and hands shown agree)."),
        (False, False, ALL_SHOWN, Basis.SHOWN, "(likely, 90%: by the hands shown)."),
        (True, False, {0, 1}, Basis.RACK, "by the rack alone)."),  # not the hand that it is about
    ],
)
def test_what_hands_shown_bear_out_rests_on_them_too(
    rack: bool, deal: bool, shown: set[int] | None, basis: Basis, words: str
) -> None:
    batch = batch_of([pai_gow_paid_wrong(rack=rack, deal=deal, shown=shown)])
    audited = audit(batch)
    (found,) = [one for one in audited.findings if one.seat == 4 and one.code == "SETTLE-102"]
    assert found.basis == basis
    assert found.sentence.endswith(words)
    assert basis is not Basis.RACK or found.confidence <= LIKELY
    report = explain_round(rounds_table(batch, audited), how=True)
    (in_report,) = [one for one in report["findings"] if one["code"] == "SETTLE-102"]
    assert (in_report["basis"], in_report["confidence"]) == (basis, found.confidence)
    if report["reading"] is not None:
        (explained,) = [one for one in report["reading"]["findings"] if one["code"] == "SETTLE-102"]
        assert (explained["basis"], explained["confidence"]) == (basis, found.confidence)


@pytest.mark.parametrize("steps", [0, 1, 200])
def test_a_wrong_settlement_on_one_witness_is_likely_also_where_no_second_look_is_taken(steps: int) -> None:
    """No search, a search given up at once, and one that ends."""
    for row in (a_round(dealt="", paid=500), a_round(rack="", paid=500)):
        audited = audit_or_raise(batch_of([row]), Searches([steps > 0], steps))
        for found in audited.findings:
            assert found.confidence <= LIKELY, found.sentence
