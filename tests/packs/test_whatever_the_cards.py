"""What does not depend on the cards is told, though they were read in several ways, or not at all."""

from __future__ import annotations

import pytest

from replay.audit import audit
from replay.filing import canonical_filing
from replay.rounds import OUTCOME_CODE, Fact, FactRow, RoundFlag, RoundRow, batch_of
from replay.verdicts import VERDICTS
from schemas.events import Outcome
from schemas.findings import Basis, Finding
from tests.packs.pai_gow_poker_rounds import THREE, audited, racked, rounds
from tests.packs.pai_gow_poker_table import Bets, Played, reported, row_of
from tests.packs.supreme_baccarat_rounds import Bet, Table

WIN, LOSE, PUSH = (OUTCOME_CODE[outcome] for outcome in (Outcome.WIN, Outcome.LOSE, Outcome.PUSH))


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
    for extra, expected in (
        # Seats 1 and 2 have a wager that earns envy, seat 4 has none; Paytable A prints no bonus of $1.23.
        (FactRow(Fact.ENVY, 190, 4, wager="fortune", amount=25_000, other=1), ("ENVY-703", 4, 25_000)),
        (FactRow(Fact.ENVY, 190, 2, wager="fortune", amount=25_000, other=2), ("ENVY-703", 2, 25_000)),
        (FactRow(Fact.VIGORISH, 190, 1, wager="fortune", amount=100), ("VIG-603", 1, -100)),
        (FactRow(Fact.SETTLED, 190, 6, wager="pai_gow", code=LOSE, taken=500), ("SETTLE-104", 6, -500)),
    ):
        row.facts = [*honest, extra]
        assert [found[:3] for found in money(audited(row)[1])] == [expected]
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


def judged(row: RoundRow) -> list[Finding]:
    row.named["filing"] = canonical_filing("ca/supreme_baccarat", "1.0", {"schedule": "own_1"})
    row.facts.append(FactRow(Fact.COLLECTION, 79, 1, choice="table", code=1, amount=300))
    return audit(batch_of([row])).findings


def test_that_a_wager_was_never_settled_is_sure_but_not_what_it_should_have_come_to() -> None:
    """The rack alone, and a wager settled the other way: whose hand was whose is open, and so who is out by what."""
    bets = [Bet(2, "player", 11_500), Bet(3, "banker", 9500)]
    table = Table(bets, "5h Kc 5h", "7d 6s 5c", extra=[settled(2, "player", WIN, 11_500)])
    (never,) = [found for found in judged(table.row(deal=False)) if found.code == "SETTLE-103"]
    assert (never.basis, never.confidence) == (Basis.REPORTS, 1.0)
    assert (never.difference_cents, never.accounts) == (0, ()), "no one reading's sum is told as what is certain"
    assert "it could be win or lose" in never.sentence
    # Where deal and rack agree it is known, and rests on them.
    (never,) = [found for found in judged(table.row()) if found.code == "SETTLE-103"]
    assert (never.basis, never.difference_cents) == (Basis.DEAL_AND_RACK, -9500)
    assert "depends" not in never.sentence


def test_what_is_settled_by_an_explanation_is_no_surer_than_that() -> None:
    """The Banker hand, which won, was picked up before the Player hand; the bet on the Player line was given back."""
    reports = [settled(2, "banker", WIN, 7000), settled(3, "player", PUSH)]
    table = Table([Bet(2, "banker", 7000), Bet(3, "player", 17_000)], "Jc 2c", "6c 3h", posted=90_000, extra=reports)
    findings = judged(table.row(rack="6c 3h Jc 2c"))
    explained = [found for found in findings if found.basis is Basis.EXPLANATION]
    assert len(explained) == 2 and {found.code for found in explained} >= {"SETTLE-102"}
    assert explained[0].confidence == explained[1].confidence < 1
    assert not [found.sentence for found in findings if "certain: by the likeliest" in found.sentence]


def test_an_order_of_the_rack_is_told_as_surely_as_it_is_explained() -> None:
    """The same, but the one settlement there is fits no order: the hands may have been exchanged after the deal."""
    reports = [settled(2, "banker", WIN, 4000)]  # less than it won: cover may have run out
    table = Table([Bet(2, "banker", 10_000)], "Jc 2c", "6c 3h", posted=10_000, button=2, extra=reports)
    order, wrong = (found for found in judged(table.row(rack="6c 3h Jc 2c")) if found.code[:4] in ("RACK", "SETT"))
    assert order.confidence == wrong.confidence < 0.99
    assert order.basis is wrong.basis is Basis.EXPLANATION
    assert "or else the rack was filled as the procedure says" in order.sentence


@pytest.mark.parametrize(
    ("wager", "paid", "said"),
    [
        # Whatever the cards, $100.00 on the Banker line wins $100.00 or $50.00, loses $100.00, or is given back.
        ("banker", 12_000, "the patron has at least $20.00 too much"),
        ("banker", 6000, "by how much, and to whose harm, depends on the cards (the nearest is $10.00 away)"),
    ],
)
def test_of_cards_nobody_read_no_more_is_said_than_is_known(wager: str, paid: int, said: str) -> None:
    table = Table([Bet(2, wager, 10_000)], posted=90_000, extra=[settled(2, wager, WIN, paid)])
    (wrong,) = [found for found in judged(table.row(deal=False, rack=False)) if found.code == "SETTLE-101"]
    assert wrong.basis is Basis.REPORTS and said in wrong.sentence


def test_no_finding_rests_on_hands_shown_where_none_was() -> None:
    (played,) = rounds(21, 1, {1: Bets(1000), 2: Bets(1000)})
    row = row_of(played, deal_read=False, shown=set())
    row.rack = b""
    row.facts += [
        FactRow(Fact.SETTLED, 190, 1, wager="pai_gow", code=LOSE, taken=1500),
        FactRow(Fact.SETTLED, 191, 2, wager="pai_gow", code=WIN, amount=1000),
    ]
    findings = [found for found in audited(row)[1] if found.code != "RACK-322"]
    assert [(found.code, found.basis) for found in findings] == [
        ("SETTLE-101", Basis.REPORTS),
        ("VIG-601", Basis.REPORTS),
    ]
    assert "the patron is at least $5.00 short" in findings[0].sentence


@pytest.mark.parametrize("searched", [True, False])
@pytest.mark.parametrize(("paid", "least"), [(12_000, 250), (23_500, 11_750)])
def test_a_sum_that_no_hands_give_is_told_by_the_least_it_can_be_where_the_rack_is_read_in_two_ways(
    paid: int, least: int, searched: bool
) -> None:
    """Swapped hands, or wagers settled wrong: by one of them seat 3 won $117.50, by the other it lost them. And a
    rack that was not searched for what went wrong: as it lies the wager lost."""
    wager = "banker" if searched else "player"
    bets = [Bet(2, "player", 11_500), Bet(3, wager, 11_750)]
    expected = [settled(2, "player", WIN, 11_500), settled(3, wager, WIN, paid)]
    row = Table(bets, "5h Kc 5h", "7d 6s 5c", extra=expected).row(deal=False)
    row.fixed["flags"] |= 0 if searched else int(RoundFlag.NOT_SEARCHED)
    findings = judged(row)
    assert any(found.code == "ROUND-009" or "or else" in found.sentence for found in findings), "open"
    (wrong,) = [found for found in findings if found.seat == 3 and found.code.startswith("SETTLE")]
    assert (wrong.code, wrong.basis, wrong.confidence) == ("SETTLE-101", Basis.REPORTS, 1.0)
    assert (wrong.difference_cents, dict(wrong.accounts)["seat 3"]) == (least, least)
    assert f"at least ${least / 100:,.2f} too much" in wrong.sentence
