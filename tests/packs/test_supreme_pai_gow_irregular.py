"""MA-SPG §16, letter by letter, and the procedure of §§2-15: each rule on both sides, on a case's round."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from replay.audit import audit_or_raise
from replay.case_run import filing_of_case
from replay.filing import canonical_filing, game_module
from replay.rounds import ACTION_CODE, Fact, FactRow, RoundFlag, RoundRow, batch_of
from replay.verdicts import Audit
from schemas.cards import codes_of
from schemas.cases import Case, CaseDealer, CaseSeat
from schemas.events import Action

# The player wins $40 and holds a pair; the dealer's hand is set the house way.
HANDS = {"low": "Td 8d", "high": "Qs Qd"}
DEALER = {"low": "Kc 7h", "high": "5s 4d"}
LATE = 900


def case_of(**options: str | int | bool) -> Case:
    seats = {1: {"wagers": {"supreme_pai_gow": "$40", "bonus": "$10"}, **HANDS}}
    case = {"name": "one player", "pack": "ma/supreme_pai_gow", "options": options, "seats": seats, "dealer": DEALER}
    return Case.model_validate(case)


def banked(kind: str = "bank", high: str = "9c 9h", low: str = "2c 5h") -> Case:
    seats = {
        1: {"wagers": {"supreme_pai_gow": "$40"}, **HANDS},
        2: {"low": low, "high": high},
    }
    return Case.model_validate(
        {
            "name": "a bank",
            "pack": "ma/supreme_pai_gow",
            "options": {"banking": "bank_and_co_bank"},
            "bank": {"seat": 2, "kind": kind},
            "seats": seats,
            "dealer": DEALER,
        }
    )


def audited(case: Case, change: Callable[[RoundRow], None] = lambda row: None) -> Audit:
    """The case's round with what `change` adds to it, audited as if it came from a table."""
    filing = filing_of_case(case)
    row = game_module(filing.pack).row_of_case(case, filing)
    row.fixed["flags"] |= int(RoundFlag.CLOSED)
    row.fixed["flags"] &= ~int(RoundFlag.CONTEXT_UNKNOWN)
    row.named["filing"] = canonical_filing(case.pack, case.version, case.options)
    change(row)
    return audit_or_raise(batch_of([row]))


def codes(case: Case, change: Callable[[RoundRow], None] = lambda row: None) -> list[str]:
    """What is found, apart from that a case reports no settlement."""
    return sorted({f.code for f in audited(case, change).findings} - {"SETTLE-103", "VIG-601"})


def with_facts(*facts: FactRow, void: bool = False) -> Callable[[RoundRow], None]:
    def change(row: RoundRow) -> None:
        row.facts = [*row.facts, *facts]
        if void:
            row.facts.append(FactRow(Fact.VOIDED, LATE + 90, 0, choice="exposed_card"))
            row.fixed["flags"] |= int(RoundFlag.VOIDED)
        row.fixed["last_seq"] = LATE + 99

    return change


def with_fixed(**columns: int) -> Callable[[RoundRow], None]:
    def change(row: RoundRow) -> None:
        row.fixed.update(columns)

    return change


CARD = codes_of(["Kc"])[0]
EXPOSED = FactRow(Fact.EXPOSED, LATE, 0, choice="play", card=CARD)
PLAYERS = FactRow(Fact.EXPOSED, LATE, 1, choice="deal")
STACKS = FactRow(Fact.EXPOSED, LATE, 1, choice="stacks")
BOXED = FactRow(Fact.BOXED, LATE)
AGAIN = FactRow(Fact.RESHUFFLED, LATE + 5)
SHOE = FactRow(Fact.FAULT, LATE, wager="shoe", choice="jam")
SHUFFLER = FactRow(Fact.FAULT, LATE, wager="shuffler", choice="jam")
NO_ROLL = FactRow(Fact.NO_ROLL, 3, choice="not_flat")
PLAIN, HAND, AUTOMATED = case_of(), case_of(dealing="hand"), case_of(dealing="automated_shoe")
TWO_DECKS = case_of(decks=2)
BY_RNG = case_of(starting="rng")
BADLY_SET = PLAIN.model_copy(update={"dealer": CaseDealer(low=["7h", "4d"], high=["Kc", "5s"])})
BASE = "supreme_pai_gow"
RAISED = FactRow(Fact.WAGER_CHANGED, LATE, 1, wager=BASE, amount=5000)
SURRENDERED = FactRow(Fact.ACTION, LATE, 1, code=ACTION_CODE[Action.SURRENDER])
BEHIND = FactRow(Fact.WAGER_PLACED, 2, 1, "b-1", BASE, amount=4000)
ALONE = PLAIN.model_copy(update={"seats": {1: CaseSeat.model_validate({"wagers": {"bonus": "$5"}, **HANDS})}})
CHEAP = FactRow(Fact.WAGER_CHANGED, 3, 1, wager="bonus", amount=99)


def in_areas(*seats: int) -> Callable[[RoundRow], None]:
    """One person bets at these seats, and no other."""

    def change(row: RoundRow) -> None:
        bets = [FactRow(Fact.WAGER_PLACED, 2, seat, wager=BASE, amount=4000) for seat in seats if seat != 1]
        sits = [FactRow(Fact.SEATED, 1, seat, "P-1") for seat in seats]
        row.facts = [*bets, *row.facts, *sits]

    return change


def decks(now: str, before: str) -> Callable[[RoundRow], None]:
    def change(row: RoundRow) -> None:
        row.named.update(deck=now, previous_deck=before)

    return change


@pytest.mark.parametrize(
    ("case", "change", "found"),
    [
        pytest.param(PLAIN, with_facts(), [], id="a round in order"),
        pytest.param(PLAIN, with_facts(NO_ROLL), [], id="(a), (b) no roll is reshaken"),
        pytest.param(PLAIN, with_fixed(start_place=0), [], id="(c) dealt from where the dice say"),
        pytest.param(PLAIN, with_fixed(start_place=3), ["START-201"], id="(c) dealt from another place"),
        pytest.param(PLAIN, with_facts(PLAYERS), [], id="(d) a player's card exposed, and played out"),
        pytest.param(PLAIN, with_facts(EXPOSED), ["DEAL-304"], id="(e) the dealer's card exposed, and played on"),
        pytest.param(PLAIN, with_facts(EXPOSED, void=True), [], id="(e) the dealer's card exposed, and void"),
        pytest.param(PLAIN, with_facts(BOXED), [], id="(f) one card face up"),
        pytest.param(PLAIN, with_facts(BOXED, BOXED), ["DEAL-304"], id="(f) two cards face up, and played on"),
        pytest.param(PLAIN, with_fixed(stub_count=25), ["DEAL-301"], id="(h) a card too few is left"),
        pytest.param(HAND, with_facts(STACKS), ["DEAL-304"], id="(k) a card exposed at the stacks, and played on"),
        pytest.param(HAND, with_facts(STACKS, AGAIN), [], id="(k) a card exposed at the stacks, and reshuffled"),
        pytest.param(AUTOMATED, with_facts(SHUFFLER), [], id="(m) the shuffler jams"),
        pytest.param(AUTOMATED, with_facts(SHOE), ["DEAL-304"], id="(n) the shoe jams, and played on"),
        pytest.param(AUTOMATED, with_facts(SHOE, void=True), [], id="(n) the shoe jams, and void"),
        pytest.param(
            PLAIN, with_fixed(dice_age_s=86_401, since_previous_s=60), ["EQUIP-951"], id="§4(a)(1)(iii) old dice"
        ),
        pytest.param(PLAIN, with_fixed(dice_age_s=86_399, since_previous_s=60), [], id="§4(a)(1)(iii) dice in time"),
        pytest.param(
            PLAIN,
            with_fixed(stub_count=-1, rounds_since_stub_count=4),
            ["EQUIP-953"],
            id="§8(d) the fifth stub",
        ),
        pytest.param(PLAIN, with_fixed(stub_count=-1, rounds_since_stub_count=3), [], id="§8(d) the fourth"),
        pytest.param(BY_RNG, with_fixed(start_place=2), ["START-201"], id="§11(c) another number (R-57)"),
        pytest.param(BADLY_SET, with_facts(), ["HOUSE-402"], id="(i) the dealer's hand not set as submitted"),
        pytest.param(TWO_DECKS, decks("red", "blue"), [], id="§2(b)(4) decks alternate"),
        pytest.param(TWO_DECKS, decks("red", "red"), ["EQUIP-952"], id="§2(b)(4) the same deck twice running"),
        pytest.param(PLAIN, with_facts(RAISED), ["WAGER-501"], id="§7(c) raised after no more bets"),
        pytest.param(PLAIN, with_facts(SURRENDERED), ["WAGER-505"], id="§12(e) surrendered after the hand was exposed"),
        pytest.param(PLAIN, with_facts(BEHIND), ["WAGER-504"], id="§7(b) a wager of nobody seated there"),
        pytest.param(PLAIN, with_facts(CHEAP), ["WAGER-502"], id="§7(d) a bonus wager below a dollar"),
        pytest.param(ALONE, with_facts(), ["WAGER-503"], id="§7(d) a bonus wager alone"),
        pytest.param(
            case_of(stub_counted_by_shuffler=True),
            with_fixed(stub_count=-1, rounds_since_stub_count=4),
            [],
            id="§8(e) a shuffler that counts",
        ),
    ],
)
def test_irregularity(case: Case, change: Callable[[RoundRow], None], found: list[str]) -> None:
    assert codes(case, change) == found


def line_of(audit: Audit, wager: str) -> tuple[int, int, int]:
    """(outcome bits, paid, taken) of the one line of a wager."""
    lines, names = audit.by_filing[0].checked.lines, audit.by_filing[0].batch.names
    (at,) = [at for at in range(len(lines)) if names[lines.wager[at]] == wager]
    return int(lines.possible[at]), int(lines.paid[at]), int(lines.taken[at])


def test_a_bonus_wager_is_settled_although_the_dealers_card_was_exposed() -> None:
    """§16(e): "all hands shall be void ..., except that if a player has placed a bonus wager, it shall be settled"."""
    audit = audited(PLAIN, with_facts(EXPOSED, void=True))
    assert line_of(audit, "supreme_pai_gow")[1:] == (0, 0)
    assert line_of(audit, "bonus")[1:] == (1000, 0)


def test_a_bonus_wager_goes_back_where_the_shoe_failed() -> None:
    """§16(n) has no such exception."""

    def change(row: RoundRow) -> None:
        with_facts(SHOE)(row)
        row.facts.append(FactRow(Fact.VOIDED, LATE + 90, 0, choice="shoe_fault"))
        row.fixed["flags"] |= int(RoundFlag.VOIDED)

    assert line_of(audited(AUTOMATED, change), "bonus")[1:] == (0, 0)


BANKER_EXPOSED = FactRow(Fact.EXPOSED, LATE, 2, choice="play")


@pytest.mark.parametrize(
    ("case", "change", "found"),
    [
        pytest.param(banked(), with_fixed(bank_run=1, bank_wagered_before=1), [], id="a bank in order"),
        pytest.param(banked(), with_facts(BANKER_EXPOSED), ["DEAL-304"], id="§16(e) the bank's card exposed"),
        pytest.param(banked(), with_facts(EXPOSED), ["DEAL-304"], id="§16(e) the dealer's card exposed beside a bank"),
        pytest.param(banked(low="9c 9h", high="2c 5h"), with_facts(), ["HOUSE-402"], id="§16(j) a foul bank not reset"),
        pytest.param(banked(), with_fixed(bank_run=2, bank_wagered_before=1), ["BANK-803"], id="§13(c) twice running"),
        pytest.param(
            banked(), with_fixed(bank_run=1, bank_wagered_before=0), ["BANK-804"], id="§13(d)(1) without a wager before"
        ),
        pytest.param(
            banked(),
            with_fixed(bank_run=1, bank_wagered_before=1, deck_age_s=10, since_previous_s=60),
            ["BANK-804"],
            id="§13(b) at the start of the game",
        ),
        pytest.param(
            banked(),
            with_fixed(bank_run=1, bank_wagered_before=1, bank_posted_cents=3999),
            ["BANK-804"],
            id="§13(d)(2) short",
        ),
        pytest.param(
            banked(), with_fixed(bank_run=1, bank_wagered_before=1, bank_posted_cents=4000), [], id="§13(d)(2) enough"
        ),
        pytest.param(banked("co_bank", low="2c 9h", high="9c 5h"), with_facts(), ["HOUSE-402"], id="§13(e) a co-bank"),
    ],
)
def test_bank(case: Case, change: Callable[[RoundRow], None], found: list[str]) -> None:
    assert codes(case, change) == found


@pytest.mark.parametrize(
    ("seats", "flagged"), [((1,), False), ((1, 2), False), ((1, 3), True), ((1, 2, 3), True)], ids=str
)
def test_a_players_areas(seats: tuple[int, ...], flagged: bool) -> None:
    """§15(a): "no more than two betting areas ..., which areas must be adjacent to each other"."""
    assert ("WAGER-506" in codes(PLAIN, in_areas(*seats))) is flagged
