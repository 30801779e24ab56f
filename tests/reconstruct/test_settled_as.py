"""Reported settlements as a witness: racks that only the money tells of, and accusations that rest on one witness.

Rounds are played and settled by the plain tables of tests/packs, which share nothing with the packs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import pytest

from replay.audit import audit
from replay.cards.solver.answers import Contradiction, Explanation
from replay.cards.solver.confidence import CONFIDENT, ON_ONE_WITNESS
from replay.filing import canonical_filing
from replay.rounds import OUTCOME_CODE, Fact, FactRow, RoundFlag, RoundRow, batch_of
from replay.verdicts import VERDICTS
from schemas.cards import CARD_NAMES, codes_of
from schemas.events import Outcome
from schemas.findings import CERTAIN, Finding
from tests.packs import supreme_baccarat_rounds as baccarat
from tests.packs.pai_gow_poker_table import Bets, Played, play, reported, row_of

SEATS = (1, 2, 4, 5)


def pai_gow(seed: int, **seen: object) -> tuple[Played, RoundRow]:
    """Hands 3 and 6, without a wager, go in first; then 1, 2, 4, 5 and the dealer's."""
    played = play(random.Random(seed), bets={seat: Bets(1000) for seat in SEATS}, foul_share=0.0)
    row = reported(row_of(played, **seen), played)  # type: ignore[arg-type]
    row.named["filing"] = canonical_filing("ma/pai_gow_poker", "1.0", {})
    return played, row


def with_hands_swapped(row: RoundRow, one: int, other: int) -> RoundRow:
    """Packets of seven after the stub's four cards, by their turn."""
    packets = [row.rack[4 + 7 * turn : 11 + 7 * turn] for turn in range(7)]
    packets[one], packets[other] = packets[other], packets[one]
    row.rack = row.rack[:4] + b"".join(packets)
    return row


def audited(row: RoundRow) -> tuple[str, list[Finding]]:
    result = audit(batch_of([row]))
    return str(VERDICTS[result.verdicts[0]]), result.findings


def outcomes(played: Played) -> dict[int, str]:
    return {seat: played.lines[seat, "pai_gow"][0] for seat in SEATS}


def swaps() -> Iterator[tuple[Played, RoundRow, int, int]]:
    """Rounds of which two hands with a wager went in in each other's place, one that won and one that lost where there
    are such; only the rack is read."""
    for seed in range(60):
        played, row = pai_gow(seed, deal_read=False, shown=set())
        results = outcomes(played)
        pairs = list(combinations(range(4), 2))
        telling = [pair for pair in pairs if {results[SEATS[at]] for at in pair} == {"win", "lose"}]
        one, other = random.Random(seed).choice(telling or pairs)
        yield played, with_hands_swapped(row, 2 + one, 2 + other), SEATS[one], SEATS[other]


def test_two_swapped_hands_of_which_one_won_accuse_nobody_of_a_wrong_settlement() -> None:
    flagged = named_so = 0
    for played, row, one, other in swaps():
        results = outcomes(played)
        if results[one] == results[other]:
            continue
        verdict, findings = audited(row)
        accused = [finding for finding in findings if finding.code.startswith("SETTLE")]
        assert all(finding.confidence < CONFIDENT for finding in accused), [one.sentence for one in accused]
        if {results[one], results[other]} == {"win", "lose"}:
            assert not accused, "two wagers settled wrong, each just as the other hand would have it"
            named = [finding for finding in findings if finding.code in ("RACK-324", "RACK-325")]
            assert verdict == "differs" and named
            flagged += 1
            named_so += any(f"seat {one}'s hand and seat {other}'s hand" in finding.sentence for finding in named)
    assert flagged >= 6
    assert named_so >= 0.8 * flagged


def test_two_swapped_hands_that_came_to_the_same_money_are_not_wrong() -> None:
    """Nothing shows that they were swapped, and it makes no difference: the round is verified."""
    seen = 0
    for played, row, one, other in swaps():
        if outcomes(played)[one] == outcomes(played)[other]:
            assert audited(row) == ("verified", [])
            seen += 1
    assert seen >= 3


def settled_wrong(row: RoundRow, played: Played, seat: int) -> RoundRow:
    """The dealer pays a losing wager, or takes a winning one."""
    won = outcomes(played)[seat] == "win"
    outcome = Outcome.LOSE if won else Outcome.WIN
    facts = []
    for fact in row.facts:
        if fact.kind == Fact.SETTLED and fact.seat == seat:
            paid, taken = (0, 1000) if won else (1000, 0)
            fact = fact._replace(code=OUTCOME_CODE[outcome], amount=paid, taken=taken)
        if not (fact.kind == Fact.VIGORISH and fact.seat == seat):
            facts.append(fact)
    row.facts = facts
    return row


def test_nobody_is_surely_accused_on_the_rack_alone() -> None:
    """One wager settled wrong: it is told, as likely, and where another order of the hands would explain it, that is
    said as well."""
    otherwise = 0
    for seed in range(12):
        played, row = pai_gow(seed, deal_read=False, shown=set())
        _, findings = audited(settled_wrong(row, played, 4))
        money = [finding for finding in findings if finding.code == "SETTLE-102" and finding.seat == 4]
        order = [finding for finding in findings if finding.code in ("RACK-324", "RACK-325", "RACK-326")]
        assert money or order
        assert all(finding.confidence < CONFIDENT for finding in order)
        assert all(finding.confidence <= ON_ONE_WITNESS for finding in money)
        otherwise += any("; or else" in finding.sentence for finding in money)
    assert otherwise >= 3


def test_with_deal_and_hands_shown_a_wrong_settlement_is_certain() -> None:
    for seed in range(12):
        played, row = pai_gow(seed)
        verdict, findings = audited(settled_wrong(row, played, 4))
        assert verdict == "differs"
        assert [(finding.code, finding.seat, finding.confidence) for finding in findings] == [
            ("SETTLE-102", 4, CERTAIN)
        ]


def test_an_honest_round_is_verified_on_the_rack_alone() -> None:
    for seed in range(12):
        _, row = pai_gow(seed, deal_read=False, shown=set())
        assert audited(row) == ("verified", [])


# ---- baccarat ------------------------------------------------------------------------------------------------------

BETS = [baccarat.Bet(2, "player", 1000), baccarat.Bet(3, "banker", 1000), baccarat.Bet(4, "player", 2000)]


TABLE_SEATS = 8


def coup(player: str, banker: str, *, swapped: bool, posted: int = -1, deal: bool = False) -> RoundRow:
    """A coup settled by its true hands, with the rack filled in order or the Banker hand first."""
    button = baccarat.button_at(banker.split()[0], 1, TABLE_SEATS) if posted >= 0 else 0
    table = baccarat.Table(BETS, player, banker, posted=posted, button=button)
    row = table.row(rack=f"{banker} {player}" if swapped else True, deal=deal)
    results = baccarat.settle(BETS, player.split(), banker.split(), 1, posted, TABLE_SEATS)
    row.facts += [
        FactRow(
            Fact.SETTLED, 110 + at, bet.seat, "", bet.wager, code=OUTCOME_CODE[Outcome(said)], amount=paid, taken=taken
        )
        for at, (bet, (said, paid, taken)) in enumerate(zip(BETS, results, strict=True))
    ]
    row.named["filing"] = canonical_filing("ca/supreme_baccarat", "1.0", {})
    return row


def cards_and_money(row: RoundRow) -> list[Finding]:
    return [finding for finding in audited(row)[1] if not finding.code.startswith("FEE")]


def test_baccarat_hands_in_swapped_order_are_told_by_the_money() -> None:
    """9 against 7, both drawn by the rules either way round: only who was paid tells which hand was whose."""
    (finding,) = cards_and_money(coup("9s Kd", "7c Th", swapped=True))
    assert finding.code == "RACK-324"
    assert "the Player hand and the Banker hand were picked up in swapped order" in finding.sentence
    assert cards_and_money(coup("9s Kd", "7c Th", swapped=False)) == []


def test_the_cover_running_out_does_not_hide_who_won() -> None:
    """$15 posted against $40 of wagers: what each is paid depends on the button, who won does not."""
    codes = [finding.code for finding in cards_and_money(coup("9s Kd", "7c Th", swapped=True, posted=1500))]
    assert "RACK-324" in codes
    assert not any(code.startswith("SETTLE") for code in codes)


def test_a_lone_baccarat_wager_settled_wrong_may_be_either() -> None:
    """One wager: hands swapped and one settlement wrong are about as likely, and nobody is surely accused."""
    row = coup("9s Kd", "7c Th", swapped=True)
    row.facts = [fact for fact in row.facts if fact.seat in (0, 2)]
    findings = cards_and_money(row)
    assert findings
    assert all(finding.confidence < CONFIDENT for finding in findings)
    assert any("or else" in finding.sentence for finding in findings)


def test_fees_do_not_depend_on_whose_hand_it_was() -> None:
    """The same round owes collection fees that nobody took: certain, and no order of the hands explains that."""
    row = coup("9s Kd", "7c Th", swapped=True)
    row.facts = [fact for fact in row.facts if fact.seat in (0, 2)]
    fees = [finding for finding in audited(row)[1] if finding.code.startswith("FEE")]
    assert fees
    assert all(fee.confidence == CERTAIN and "or else" not in fee.sentence for fee in fees)


# ---- baccarat: one place decides by rack, rules, money and the button's card ---------------------------------------


def judged(
    player: str,
    banker: str,
    *,
    rack: str = "",
    settled_by: tuple[str, str] | None = None,
    button: tuple[int, str] = (0, ""),
) -> tuple[RoundRow, list[Finding]]:
    """A coup read by its rack alone, settled by these hands; the action button at a seat, by a card."""
    row = baccarat.Table(BETS, player, banker).row(rack=rack or True, deal=False)
    by_player, by_banker = settled_by or (player, banker)
    results = baccarat.settle(BETS, by_player.split(), by_banker.split(), 1, -1, TABLE_SEATS)
    row.facts += [
        FactRow(
            Fact.SETTLED, 110 + at, bet.seat, "", bet.wager, code=OUTCOME_CODE[Outcome(said)], amount=paid, taken=taken
        )
        for at, (bet, (said, paid, taken)) in enumerate(zip(BETS, results, strict=True))
    ]
    if button[0]:
        row.facts.append(FactRow(Fact.BUTTON, 105, button[0], choice="action", card=codes_of(button[1])[0]))
    row.facts.sort(key=lambda fact: fact.seq)
    row.named["filing"] = canonical_filing("ca/supreme_baccarat", "1.0", {})
    return row, cards_and_money(row)


def explained_first(row: RoundRow) -> Explanation:
    (part,) = audit(batch_of([row])).by_filing
    return part.checked.answers[0].explanations[0]


def test_a_third_card_wrongly_drawn_and_settled_as_it_lay_accuses_nobody_of_wrong_settlements() -> None:
    """Player 6 drew 2c: 8 against 7, and every wager was settled so."""
    row, findings = judged("6s Kd 2c", "7c Th")
    assert [finding.code for finding in findings] == ["DEAL-303"]
    assert "Player had 6 and drew 2c, though it must stand" in findings[0].sentence
    assert findings[0].confidence == pytest.approx(explained_first(row).confidence, abs=1e-4)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_told_is_what_the_explanation_says_and_no_surer(seed: int) -> None:
    """Coups with a third card too many or too few, settled as they lay: the likeliest explanation is the one told, and
    no wager is called settled wrong but where that explanation says so."""
    rng = random.Random(seed)
    player, banker = baccarat.play([rng.choice(CARD_NAMES[:52]) for _ in range(6)])
    hand = rng.choice([player, banker])
    hand[2:] = [] if len(hand) == 3 else [rng.choice(CARD_NAMES[:52])]
    row, findings = judged(" ".join(player), " ".join(banker))
    accused = {finding.seat for finding in findings if finding.code.startswith("SETTLE")}
    answers = audit(batch_of([row])).by_filing[0].checked.answers
    if 0 not in answers:
        assert not findings, "read as it lies"
        return
    first = answers[0].explanations[0]
    assert accused == {one.place for one in first.against if one.what is Contradiction.SETTLED} or not accused
    assert all(finding.confidence <= max(first.confidence, 0.5) + 1e-4 for finding in findings)
    if accused:
        assert not first.faults and all(one.what is Contradiction.SETTLED for one in first.against)


def test_the_card_of_the_action_button_is_a_witness_of_the_banker_hand() -> None:
    """7c decided the button, and the rack has it first of all: the Banker hand went in first."""
    _, (swapped,) = judged("9s Kd", "7c Th", rack="7c Th 9s Kd", button=(8, "7c"))
    _, (by_money,) = judged("9s Kd", "7c Th", rack="7c Th 9s Kd")
    assert swapped.code == by_money.code == "RACK-324"
    assert swapped.confidence > by_money.confidence


@pytest.mark.parametrize(
    ("button", "codes"),
    [
        ((8, "7c"), []),  # seven seats from seat 1's left
        ((5, "7c"), ["BUTTON-802"]),  # by the right card, at the wrong seat
        ((3, "9s"), ["BUTTON-805"]),  # the Player hand's first card, and counted from it
        ((4, "Th"), ["BUTTON-805"]),  # the Banker hand's second
    ],
)
@pytest.mark.parametrize("deal", [False, True])
def test_the_action_button_is_held_against_the_cards(button: tuple[int, str], codes: list[str], deal: bool) -> None:
    """CA Supreme Baccarat, Game Rules: by "the Banker hand's first down card"; rulings.md R-30, R-40."""
    row, _ = judged("9s Kd", "7c Th", button=button)
    if deal:
        cards = codes_of("9s 7c Kd Th")
        row.dealt, row.dealt_place, row.dealt_to = cards, [0] * 4, bytes(4)
        row.fixed["flags"] |= int(RoundFlag.DEAL_READ)
    findings = cards_and_money(row)
    assert [finding.code for finding in findings] == codes
    assert all((finding.confidence == CERTAIN) is deal for finding in findings)


def test_paid_more_than_the_result_gives_is_never_certain_on_the_rack_alone_also_where_the_cover_runs_out() -> None:
    """Banker 6 pays 1 to 2, and was paid as if it were 7. $15 posted: what each wager gets depends on the button."""
    for posted in (-1, 1500):
        row = baccarat.Table(BETS, "Td Qs Th", "9c 7s", posted=posted).row(deal=False)
        results = baccarat.settle(BETS, ["Td", "Qs", "Th"], ["9c", "8s"], 1, -1, TABLE_SEATS)
        row.facts += [
            FactRow(
                Fact.SETTLED,
                110 + at,
                bet.seat,
                "",
                bet.wager,
                code=OUTCOME_CODE[Outcome(said)],
                amount=paid,
                taken=taken,
            )
            for at, (bet, (said, paid, taken)) in enumerate(zip(BETS, results, strict=True))
        ]
        row.named["filing"] = canonical_filing("ca/supreme_baccarat", "1.0", {})
        accused = [one for one in cards_and_money(row) if one.code.startswith(("SETTLE", "COVER"))]
        assert accused and all(finding.confidence <= ON_ONE_WITNESS for finding in accused)
        first = audit(batch_of([row])).by_filing[0].checked.answers[0].explanations[0]
        assert any(one.what is Contradiction.SETTLED for one in first.against)


def test_a_fault_supposed_beside_a_wrong_button_is_not_sure() -> None:
    """Deal and rack differ in the Banker hand's first card by one card too many, and the button says which it was."""
    row, _ = judged("9s Kd", "Qh 7c", rack="9s Kd Qh 7h 7c", button=(5, "Qh"))
    row.dealt, row.dealt_place, row.dealt_to = codes_of("9s 7h Kd 7c"), [0] * 4, bytes(4)
    row.fixed["flags"] |= int(RoundFlag.DEAL_READ)
    assert explained_first(row).confidence <= ON_ONE_WITNESS


# ---- baccarat: where the cover runs out the sums are weighed, from the action button on -----------------------------

SHORT_BETS = [
    baccarat.Bet(2, "player", 5_500),
    baccarat.Bet(2, "total_shot", 1_900),
    baccarat.Bet(5, "banker", 13_500),
    baccarat.Bet(7, "player", 11_500),
    baccarat.Bet(8, "player", 11_500),
    baccarat.Bet(8, "total_shot", 4_800),
]


def short_of_cover(rack: str, button: int, settled_from: str = "5h", too_much: int = 0) -> RoundRow:
    """$406.46 posted in seat 6 for $487.00 that moves; Player 5, Banker 6; settled from where that card says."""
    player, banker = ["5h", "Qh", "Ts"], ["5h", "Ad"]
    table = baccarat.Table(SHORT_BETS, " ".join(player), " ".join(banker), bank_seat=6, posted=40_646, button=button)
    row = table.row(rack=rack, deal=False)
    counted_from = [settled_from, {"5h": "Ad", "3h": "3d"}[settled_from]]  # six points either way
    results = baccarat.settle(SHORT_BETS, player, counted_from, 6, 40_646, TABLE_SEATS)
    for at, (bet, (said, paid, taken)) in enumerate(zip(SHORT_BETS, results, strict=True)):
        paid += too_much if bet.seat == 5 else 0
        code = OUTCOME_CODE[Outcome(said)]
        row.facts.append(FactRow(Fact.SETTLED, 110 + at, bet.seat, "", bet.wager, code=code, amount=paid, taken=taken))
    row.named["filing"] = canonical_filing("ca/supreme_baccarat", "1.0", {})
    return row


@pytest.mark.parametrize("misread", range(5))
def test_one_sum_too_high_and_one_card_misread_is_never_told_surely_as_something_else(misread: int) -> None:
    """By who won and who lost alone, hands in swapped order explained the misread card, over 99% sure."""
    rack = ["5h", "Qh", "Ts", "5h", "Ad"]
    for card in ("3h", "4h", "6s", "9s", "Kd"):
        read = " ".join([*rack[:misread], card, *rack[misread + 1 :]])
        for finding in cards_and_money(short_of_cover(read, button=3, too_much=500)):
            assert finding.confidence <= ON_ONE_WITNESS, finding.sentence


def test_the_sums_tell_a_misread_card_where_who_won_does_not() -> None:
    """The same rack with every sum right: the reading that gives them is far ahead of hands in swapped order."""
    row = short_of_cover("5h Qh Ts 3h Ad", button=3)
    explanations = audit(batch_of([row])).by_filing[0].checked.answers[0].explanations
    swapped = [one for one in explanations if [fault.kind for fault in one.faults] == ["swapped"]]
    assert explanations[0].faults[0].kind == "misread"
    assert sum(one.confidence for one in swapped) < explanations[0].confidence / 5


def test_settled_from_where_the_button_was_put_the_button_alone_is_told() -> None:
    """Put at seat 1 (a count of three) by a first card that counts five, and settled from there: one slip."""
    row = short_of_cover("5h Qh Ts 5h Ad", button=1, settled_from="3h")
    findings = cards_and_money(row)
    assert {finding.code for finding in findings} == {"BUTTON-802"}
    assert all(finding.confidence <= ON_ONE_WITNESS for finding in findings)


def test_where_there_is_no_seat_to_count_from_nothing_sure_rests_on_the_money() -> None:
    row = short_of_cover("5h Ad 5h Qh Ts", button=3)
    row.fixed["bank_seat"] = TABLE_SEATS + 1
    for finding in cards_and_money(row):
        assert finding.confidence <= ON_ONE_WITNESS or finding.basis == "reports", finding.sentence
