"""What does not depend on the cards is told, though they were read in several ways, or not at all."""

from __future__ import annotations

import pytest

from replay.audit import audit
from replay.filing import canonical_filing
from replay.rounds import OUTCOME_CODE, Fact, FactRow, RoundRow, batch_of
from replay.verdicts import VERDICTS
from schemas.events import Outcome
from schemas.findings import Basis, Finding
from tests.packs.pai_gow_poker_table import Bets, Played, reported, row_of
from tests.packs.supreme_baccarat_rounds import Bet, Table
from tests.packs.test_pai_gow_poker_open import THREE, audited, racked, rounds

WIN, LOSE = OUTCOME_CODE[Outcome.WIN], OUTCOME_CODE[Outcome.LOSE]


def baccarat(*settled: FactRow, read: bool, bets: list[Bet]) -> tuple[str, list[Finding]]:
    """Five cards that read two ways, with other money, or nothing read at all."""
    fee = FactRow(Fact.COLLECTION, 79, 1, choice="table", code=1, amount=100)
    row = Table(bets, "5s Kd 2c", "Td 4h", extra=[fee, *settled]).row(deal=False, rack=read)
    row.named["filing"] = canonical_filing("ca/supreme_baccarat", "1.0", {"schedule": "own_1"})
    result = audit(batch_of([row]))
    return str(VERDICTS[result.verdicts[0]]), result.findings


def settled(seat: int, wager: str, code: int, paid: int = 0, taken: int = 0) -> FactRow:
    return FactRow(Fact.SETTLED, 150 + seat, seat, wager=wager, code=code, amount=paid, taken=taken)


def money(findings: list[Finding]) -> list[tuple[str, int | None, int, Basis]]:
    return [
        (found.code, found.seat, found.difference_cents, found.basis)
        for found in findings
        if found.code.startswith(("SETTLE", "ENVY", "VIG", "FEE"))
    ]


@pytest.mark.parametrize("read", [True, False])
def test_baccarat_read_in_two_ways_or_not_at_all(read: bool) -> None:
    bets = [Bet(2, "player", 1000)]
    right = settled(2, "player", WIN, 1000)
    verdict, findings = baccarat(right, read=read, bets=bets)
    assert money(findings) == []
    assert read or verdict == "cannot_tell"
    nobody = settled(4, "tie", WIN, 100_000)
    assert money(baccarat(right, nobody, read=read, bets=bets)[1]) == [("SETTLE-104", 4, 100_000, Basis.REPORTS)]
    (never,) = money(baccarat(read=read, bets=bets)[1])
    assert never[:2] == ("SETTLE-103", 2) and never[3] is Basis.REPORTS
    # A $10.00 wager on the Player line pays $10.00 at most, whatever the cards.
    (much,) = money(baccarat(settled(2, "player", WIN, 100_000), read=read, bets=bets)[1])
    assert much == ("SETTLE-101", 2, 99_000, Basis.REPORTS)
    vigorish = FactRow(Fact.VIGORISH, 160, 2, wager="player", amount=50)
    assert money(baccarat(right, vigorish, read=read, bets=bets)[1]) == [("VIG-603", 2, -50, Basis.REPORTS)]


def several_ways(played: Played) -> RoundRow:
    """A premium hand with a bonus wager below $5, the rack alone read: it may have stayed on the table or not."""
    row = row_of(played, deal_read=False, shown={0})
    row.rack = racked(played, (3, 5, 6, 2, 4, 1))
    return reported(row, played)


@pytest.mark.slow
def test_pai_gow_poker_read_in_several_ways() -> None:
    seen = 0
    for played in rounds(11, 100, {**THREE, 1: Bets(1000, 499)}, rich=True):
        row = several_ways(played)
        verdict, findings = audited(row)
        if verdict != "cannot_tell" or findings:
            continue
        seen += 1
        envy = FactRow(Fact.ENVY, 190, 2, wager="fortune", amount=25_000, other=1)
        row.facts += [envy, FactRow(Fact.SETTLED, 191, 4, wager="fortune", code=WIN, amount=100_000)]
        _, findings = audited(row)
        assert money(findings) == [
            ("SETTLE-104", 4, 100_000, Basis.REPORTS),
            ("ENVY-703", 2, 25_000, Basis.REPORTS),
        ]
    assert seen > 3


def test_pai_gow_poker_of_which_nothing_was_read() -> None:
    (played,) = rounds(21, 1, {**THREE, 1: Bets(1000, 500), 2: Bets(1000, 500)})
    row = row_of(played, deal_read=False, shown=set())
    row.rack = b""
    reported(row, played)
    verdict, findings = audited(row)
    assert (verdict, [found.code for found in findings]) == ("cannot_tell", ["RACK-322"])
    honest = list(row.facts)
    for extra, told in (
        # Seats 1 and 2 have a wager that earns envy, seat 4 has none; Paytable A prints no bonus of $1.23.
        (FactRow(Fact.ENVY, 190, 4, wager="fortune", amount=25_000, other=1), ("ENVY-703", 4, 25_000)),
        (FactRow(Fact.ENVY, 190, 2, wager="fortune", amount=25_000, other=2), ("ENVY-703", 2, 25_000)),
        (FactRow(Fact.VIGORISH, 190, 1, wager="fortune", amount=100), ("VIG-603", 1, -100)),
        (FactRow(Fact.SETTLED, 190, 6, wager="pai_gow", code=LOSE, taken=500), ("SETTLE-104", 6, -500)),
    ):
        row.facts = [*honest, extra]
        assert [found[:3] for found in money(audited(row)[1])] == [told]
    row.facts = [fact for fact in honest if (fact.kind, fact.seat, fact.wager) != (Fact.SETTLED, 1, "fortune")]
    assert [found[:3] for found in money(audited(row)[1])] == [("SETTLE-103", 1, 0)]
    row.facts = [
        fact._replace(code=WIN, amount=12_345, taken=0)
        if (fact.kind, fact.seat, fact.wager) == (Fact.SETTLED, 1, "fortune")
        else fact
        for fact in honest
    ]
    (found,) = money(audited(row)[1])
    assert found[:2] == ("SETTLE-101", 1), "no row of the pay table pays that on $5.00"


def test_anyone_but_the_player_dealer_may_bet_at_its_seat() -> None:
    """rulings.md R-54: backline is any position not one's own."""
    for bettor, codes in (("B1", []), ("", ["WAGER-504"])):
        bets = [Bet(2, "player", 1000), Bet(1, "player", 1000, bettor)]
        reports = [settled(2, "player", WIN, 1000), settled(1, "player", WIN, 1000)._replace(bettor=bettor)]
        found = baccarat(*reports, read=True, bets=bets)[1]
        assert [one.code for one in found if one.code.startswith("WAGER")] == codes
