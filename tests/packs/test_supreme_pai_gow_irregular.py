"""MA-SPG §16, letter by letter, and the procedure of §§2-15: each rule on both sides, on a case's round.

New Jersey's 19:47-34.16 has the same letters, and 34.2 to 34.15 the same sections: every example is tried in both.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from replay.audit import audit_or_raise
from replay.case_run import filing_of_case
from replay.filing import canonical_filing, game_module
from replay.rounds import ACTION_CODE, OUTCOME_CODE, Fact, FactRow, RoundFlag, RoundRow, ShownRow, batch_of
from replay.verdicts import Audit
from schemas.cards import codes_of
from schemas.cases import Case, CaseDealer, CaseSeat
from schemas.events import Action, Outcome

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


STATES = ("ma", "nj")
in_both_states = pytest.mark.parametrize("state", STATES)


def audited(case: Case, change: Callable[[RoundRow], None] = lambda row: None, state: str = "ma") -> Audit:
    """The case's round with what `change` adds to it, audited as if it came from a table in that state."""
    case = case.model_copy(update={"pack": f"{state}/supreme_pai_gow"})
    filing = filing_of_case(case)
    row = game_module(filing.pack).row_of_case(case, filing)
    row.fixed["flags"] |= int(RoundFlag.CLOSED)
    row.fixed["flags"] &= ~int(RoundFlag.CONTEXT_UNKNOWN)
    row.named["filing"] = canonical_filing(case.pack, case.version, case.options)
    change(row)
    return audit_or_raise(batch_of([row]))


def codes(case: Case, change: Callable[[RoundRow], None] = lambda row: None, state: str = "ma") -> list[str]:
    """What is found, apart from that a case reports no settlement; by which rule is that state's."""
    findings = [f for f in audited(case, change, state).findings if f.code not in ("SETTLE-103", "VIG-601")]
    texts = ("rulings.md", "NJ-SPG") if state == "nj" else ("rulings.md", "MA-SPG", "NJ-SPG 19:46")
    assert [f.citation for f in findings if not f.citation.startswith(texts)] == []
    return sorted({f.code for f in findings})


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


def called_off(reason: str, thrown: int, no_roll: int) -> Callable[[RoundRow], None]:
    """The last throw, and when it was called off."""

    def change(row: RoundRow) -> None:
        row.fixed["start_seq"] = thrown
        row.facts = [*row.facts, FactRow(Fact.NO_ROLL, no_roll, choice=reason)]

    return change


def with_facts_and(void: bool, **columns: int) -> Callable[[RoundRow], None]:
    def change(row: RoundRow) -> None:
        with_facts(void=void)(row)
        row.fixed.update(columns)

    return change


def closed(seq: int, **others: int) -> Callable[[RoundRow], None]:
    """When “No more bets” was announced; `start` and `card` when the other two came."""
    names = {"start": "start_seq", "card": "first_card_seq"}
    return with_fixed(bets_closed_seq=seq, **{names[name]: at for name, at in others.items()})


def shown(*places: int) -> Callable[[RoundRow], None]:
    """The hands of these places are exposed, in this order."""

    def change(row: RoundRow) -> None:
        hands = {0: DEALER, 1: HANDS}
        for number, place in enumerate(places):
            low, high = codes_of(hands[place]["low"].split()), codes_of(hands[place]["high"].split())
            row.shown = [one for one in row.shown if one.place != place]
            row.shown.append(ShownRow(place, 0, 2, bytes([*low, *high]), 500 + number))

    return change


def hands_of(row: RoundRow) -> dict[int, bytes]:
    """The hands of a case with one player, from its rack: the stub, places 2 to 6, seat 1 and the dealer."""
    packets = [row.rack[at : at + 4] for at in range(26, 54, 4)]
    return dict(zip((2, 3, 4, 5, 6, 1, 0), packets, strict=True))


def dealt_round(how: str = "one_by_one") -> Callable[[RoundRow], None]:
    """The cards as a shoe or shuffler saw them go: from the dealer clockwise, a card to each; in seven stacks, left to
    right and back again, the farthest right for the dealer and the others counterclockwise (§9(c), (f)); or left to
    right every time."""

    def change(row: RoundRow) -> None:
        hands = hands_of(row)
        clockwise = (0, 6, 5, 4, 3, 2, 1)
        from_the_left = (6, 5, 4, 3, 2, 1, 0)
        cards = []
        for number in range(4):
            there = clockwise if how == "one_by_one" else from_the_left
            there = there[::-1] if how == "back_and_forth" and number % 2 else there
            cards += [hands[place][number] for place in there]
        row.dealt, row.dealt_to = bytes(cards), bytes(len(cards))
        row.dealt_place = [-1] * len(cards)
        row.fixed["flags"] |= int(RoundFlag.DEAL_READ)
        row.fixed["first_card_seq"] = row.fixed["last_card_seq"] = 60

    return change


def boxed_in_a_hand(row: RoundRow) -> None:
    row.facts = [*row.facts, FactRow(Fact.BOXED, LATE, card=hands_of(row)[1][0])]


CARD = codes_of(["Kc"])[0]
EXPOSED = FactRow(Fact.EXPOSED, LATE, 0, choice="play", card=CARD)
PLAYERS = FactRow(Fact.EXPOSED, LATE, 1, choice="deal")
STACKS = FactRow(Fact.EXPOSED, LATE, 1, choice="stacks")
NEXT_SEATS = FactRow(Fact.EXPOSED, LATE, 2, choice="deal")
BY_CHOICE = FactRow(Fact.VOIDED, LATE + 1, 1, choice="player_option")
BOXED = FactRow(Fact.BOXED, LATE)
AGAIN = FactRow(Fact.RESHUFFLED, LATE + 5)
SHOE = FactRow(Fact.FAULT, LATE, wager="shoe", choice="jam")
SHUFFLER = FactRow(Fact.FAULT, LATE, wager="shuffler", choice="jam")
DEALT_ON = FactRow(Fact.NOT_RESHUFFLED, 1, choice="jam")
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


def cut(place: int, *offered: int) -> list[FactRow]:
    asked = [FactRow(Fact.CUT_OFFERED, 1, seat, other=number) for number, seat in enumerate(offered)]
    return [FactRow(Fact.CUT, 1, place), *asked]


def before(seat: int, what: str) -> FactRow:
    """Who was first asked the round before; 0: the dealer's right is next."""
    return FactRow(Fact.FIRST_OFFERED, 1, seat, wager=what)


def offers(*seats: int, may: tuple[int, ...] = ()) -> list[FactRow]:
    asked = [FactRow(Fact.BANK_OFFERED, number, seat) for number, seat in enumerate(seats, 1)]
    return [*asked, *(FactRow(Fact.MAY_BANK, 1, seat) for seat in may)]


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


@in_both_states
@pytest.mark.parametrize(
    ("case", "change", "found"),
    [
        pytest.param(PLAIN, with_facts(), [], id="a round in order"),
        pytest.param(PLAIN, with_facts(NO_ROLL), [], id="(a), (b) no roll is reshaken"),
        pytest.param(PLAIN, called_off("not_flat", 5, 9), ["START-202"], id="(a) no roll, and not reshaken"),
        pytest.param(PLAIN, called_off("not_flat", 9, 5), [], id="(a) no roll, and reshaken"),
        pytest.param(PLAIN, called_off("fell_out", 5, 9), ["START-202"], id="(b) a die fell out, and not reshaken"),
        pytest.param(PLAIN, called_off("fell_out", 9, 5), [], id="(b) a die fell out, and reshaken"),
        pytest.param(PLAIN, with_fixed(start_place=0), [], id="(c) dealt from where the dice say"),
        pytest.param(PLAIN, with_fixed(start_place=3), ["START-201"], id="(c) dealt from another place"),
        pytest.param(PLAIN, with_facts(PLAYERS), [], id="(d) a player's card exposed, and played out"),
        pytest.param(PLAIN, with_facts(PLAYERS, BY_CHOICE), [], id="(d) a player's card exposed, and voided"),
        pytest.param(PLAIN, with_facts(BY_CHOICE), [], id="(d) a hand voided with no card exposed"),
        pytest.param(PLAIN, with_facts(NEXT_SEATS, BY_CHOICE), ["DEAL-315"], id="(d) voided for another's card"),
        pytest.param(PLAIN, with_facts(EXPOSED), ["DEAL-304"], id="(e) the dealer's card exposed, and played on"),
        pytest.param(PLAIN, with_facts(EXPOSED, void=True), [], id="(e) the dealer's card exposed, and void"),
        pytest.param(PLAIN, with_facts(BOXED), [], id="(f) one card face up"),
        pytest.param(PLAIN, with_facts(BOXED, BOXED), ["DEAL-304"], id="(f) two cards face up, and played on"),
        pytest.param(PLAIN, with_facts(BOXED, BOXED, void=True), [], id="(f) two cards face up, and void"),
        pytest.param(PLAIN, boxed_in_a_hand, ["DEAL-309"], id="(f) a card face up, and played"),
        pytest.param(PLAIN, dealt_round(), [], id="§8(c) dealt card by card"),
        pytest.param(PLAIN, with_fixed(stub_count=25), ["DEAL-301"], id="(h) a card too few is left"),
        pytest.param(PLAIN, with_fixed(stub_count=26), [], id="(h) as many cards left as must be"),
        pytest.param(PLAIN, with_facts_and(stub_count=25, void=True), [], id="(h) a card too few is left, and void"),
        pytest.param(HAND, dealt_round("back_and_forth"), [], id="(l) seven stacks back and forth"),
        pytest.param(HAND, dealt_round("one_way"), ["DEAL-310"], id="(l) seven stacks one way every time"),
        pytest.param(PLAIN, closed(9, start=5), ["WAGER-515"], id="§8(a) closed after the start was known"),
        pytest.param(PLAIN, closed(4, start=5), [], id="§8(a) closed, and then the start"),
        pytest.param(HAND, closed(9, card=5), ["WAGER-515"], id="§9(b)(2) closed after the stacks were begun"),
        pytest.param(HAND, closed(4, card=5), [], id="§9(b)(2) closed, and then the stacks"),
        pytest.param(AUTOMATED, closed(9, card=5), ["WAGER-515"], id="§10(b)(2) closed after a stack"),
        pytest.param(AUTOMATED, closed(4, card=5), [], id="§10(b)(2) closed, and then the stacks come"),
        pytest.param(PLAIN, shown(1, 0), ["HOUSE-404"], id="§12(c) a player's hand before the dealer's"),
        pytest.param(PLAIN, shown(0, 1), [], id="§12(c) the dealer's hand first"),
        pytest.param(HAND, with_facts(STACKS), ["DEAL-304"], id="(k) a card exposed at the stacks, and played on"),
        pytest.param(HAND, with_facts(STACKS, AGAIN), [], id="(k) a card exposed at the stacks, and reshuffled"),
        pytest.param(AUTOMATED, with_facts(SHUFFLER), [], id="(m) the shuffler jams, and the cards are reshuffled"),
        pytest.param(AUTOMATED, with_facts(DEALT_ON), ["EQUIP-954"], id="(m) the shuffler jams, and cards are dealt"),
        pytest.param(AUTOMATED, with_facts(DEALT_ON, void=True), [], id="(m) the shuffler jams, and void"),
        pytest.param(PLAIN, with_facts(*cut(1, 1)), [], id="§6(c) the player cuts"),
        pytest.param(PLAIN, with_facts(*cut(0, 1)), [], id="§6(c) no player accepts, the dealer cuts"),
        pytest.param(PLAIN, with_facts(*cut(0)), ["EQUIP-955"], id="§6(c) the dealer cuts and asks nobody"),
        pytest.param(PLAIN, with_facts(*cut(3, 1, 2)), ["EQUIP-955"], id="§6(c) one cuts who was not asked"),
        pytest.param(PLAIN, with_facts(*cut(5, 1, 3, 5)), [], id="§6(d) asked counterclockwise"),
        pytest.param(PLAIN, with_facts(*cut(3, 1, 5, 3)), ["EQUIP-955"], id="§6(d) asked crosswise"),
        pytest.param(PLAIN, with_facts(*cut(2, 2), before(0, "cut")), ["EQUIP-955"], id="§6(d)(3) not farthest right"),
        pytest.param(PLAIN, with_facts(*cut(1, 1), before(0, "cut")), [], id="§6(d)(3) the farthest right"),
        pytest.param(PLAIN, with_facts(*cut(2, 2), before(1, "cut")), [], id="§6(d)(3) then the next one"),
        pytest.param(PLAIN, with_facts(*cut(3, 3), before(6, "cut")), ["EQUIP-955"], id="§6(d)(3) begun again late"),
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
def test_irregularity(case: Case, change: Callable[[RoundRow], None], found: list[str], state: str) -> None:
    assert codes(case, change, state) == found


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


@in_both_states
@pytest.mark.parametrize(
    ("case", "change", "found"),
    [
        pytest.param(banked(), with_fixed(bank_run=1, bank_wagered_before=1), [], id="a bank in order"),
        pytest.param(banked(), with_facts(*cut(2, 2)), [], id="§6(d)(2) the bank is asked to cut"),
        pytest.param(banked(), with_facts(*cut(1, 2, 1)), [], id="§6(d)(2) the bank, then counterclockwise"),
        pytest.param(banked(), with_facts(*cut(1, 1)), ["EQUIP-955"], id="§6(d)(2) another than the bank"),
        pytest.param(banked(), with_facts(*offers(1, 2), before(0, "bank")), [], id="§13(c) from the dealer's right"),
        pytest.param(
            banked(), with_facts(*offers(2, may=(1, 2)), before(0, "bank")), ["BANK-806"], id="§13(c) one passed over"
        ),
        pytest.param(banked(), with_facts(*offers(2, may=(1, 2)), before(1, "bank")), [], id="§13(c) the next one"),
        pytest.param(banked(), with_facts(*offers(2, may=(2, 4)), before(1, "bank")), [], id="§13(c) without a wager"),
        pytest.param(
            banked(), with_facts(*offers(2, 1, may=(1, 2)), before(2, "bank")), ["BANK-806"], id="§13(c) the same again"
        ),
        pytest.param(banked(), with_facts(*offers(1, 5, 2)), ["BANK-806"], id="§13(c) offered crosswise"),
        pytest.param(banked(), with_facts(*offers(4, 5)), ["BANK-806"], id="§13(c) taken by one who was not asked"),
        pytest.param(
            banked(),
            with_facts(FactRow(Fact.SEATED, 1, 2, "P-1"), FactRow(Fact.SEATED, 1, 1, "P-2")),
            [],
            id="§13(f) the bank has one area",
        ),
        pytest.param(
            banked(),
            with_facts(FactRow(Fact.SEATED, 1, 2, "P-1"), FactRow(Fact.SEATED, 1, 1, "P-1")),
            ["WAGER-506"],
            id="§13(f) the bank wagers on another area",
        ),
        pytest.param(
            banked("co_bank"),
            with_fixed(dealer_wager_cents=2500),
            ["BANK-807"],
            id="§13(e) the dealer beside a co-bank",
        ),
        pytest.param(banked("co_bank"), with_fixed(dealer_wager_cents=0), [], id="§13(e) no wager of the dealer's"),
        pytest.param(banked(), with_fixed(dealer_wager_cents=2500), [], id="§13(g) the dealer against a bank"),
        pytest.param(
            banked(), with_facts(BANKER_EXPOSED, void=True), [], id="§16(e) the bank's card exposed, and void"
        ),
        pytest.param(banked(low="2c 5h", high="9c 9h"), with_facts(), [], id="§16(j) a bank set right"),
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
def test_bank(case: Case, change: Callable[[RoundRow], None], found: list[str], state: str) -> None:
    assert codes(case, change, state) == found


@pytest.mark.parametrize(
    ("seats", "flagged"), [((1,), False), ((1, 2), False), ((1, 3), True), ((1, 2, 3), True)], ids=str
)
def test_a_players_areas(seats: tuple[int, ...], flagged: bool) -> None:
    """§15(a): "no more than two betting areas ..., which areas must be adjacent to each other"."""
    assert ("WAGER-506" in codes(PLAIN, in_areas(*seats))) is flagged


def settled(seat: int, seq: int, outcome: Outcome = Outcome.PUSH, wager: str = BASE) -> FactRow:
    return FactRow(Fact.SETTLED, seq, seat, wager=wager, code=OUTCOME_CODE[outcome])


@in_both_states
@pytest.mark.parametrize(
    ("order", "outcome", "flagged"),
    [
        pytest.param((1, 2, 3), Outcome.PUSH, False, id="from the right"),
        pytest.param((1, 3, 2), Outcome.PUSH, True, id="the last two the other way"),
        pytest.param((3, 2, 1), Outcome.PUSH, True, id="from the left"),
        pytest.param((3, 2, 1), Outcome.SURRENDER, False, id="given up"),
        pytest.param((3, 2, 1), Outcome.VOID, False, id="void"),
    ],
)
def test_in_which_order_wagers_are_settled(order: tuple[int, ...], outcome: Outcome, flagged: bool, state: str) -> None:
    """§12(h): "beginning with the player farthest to the right of the dealer and continuing counterclockwise"."""

    def change(row: RoundRow) -> None:
        bets = [FactRow(Fact.WAGER_PLACED, 2, seat, wager=BASE, amount=4000) for seat in (2, 3)]
        row.facts = [*bets, *row.facts, *(settled(seat, 800 + at, outcome) for at, seat in enumerate(order))]

    out_of_turn = [f for f in audited(PLAIN, change, state).findings if f.code == "SETTLE-107"]
    assert len(out_of_turn) == flagged


@in_both_states
def test_against_a_bank_winners_are_paid_when_all_hands_have_been_exposed(state: str) -> None:
    """§13(l): in that order wagers are not settled seat by seat."""

    def change(row: RoundRow) -> None:
        bet = FactRow(Fact.WAGER_PLACED, 2, 3, wager=BASE, amount=4000)
        row.facts = [bet, *row.facts, settled(3, 800, Outcome.LOSE), settled(1, 801, Outcome.WIN)]

    assert "SETTLE-107" not in codes(banked(), change, state)


@in_both_states
@pytest.mark.parametrize("outcome", [Outcome.WIN, Outcome.VOID])
def test_a_bonus_wager_that_goes_back_when_the_dealers_card_was_exposed(outcome: Outcome, state: str) -> None:
    """§16(e): it is settled, and so a winning one is short where it was given back."""

    def change(row: RoundRow) -> None:
        with_facts(EXPOSED, void=True)(row)
        paid = 1000 if outcome is Outcome.WIN else 0
        row.facts.append(settled(1, LATE + 95, outcome, "bonus")._replace(amount=paid))

    found = [(f.code, f.difference_cents) for f in audited(PLAIN, change, state).findings if f.wager == "bonus"]
    assert found == ([] if outcome is Outcome.WIN else [("SETTLE-102", -1000)])


@in_both_states
@pytest.mark.parametrize(("counts", "flagged"), [((4,) * 7, False), ((4, 5, 4, 4, 4, 4, 3), True)])
def test_hands_of_another_size(counts: tuple[int, ...], flagged: bool, state: str) -> None:
    """§16(h): "If any player or the dealer is dealt an incorrect number of cards"."""

    def change(row: RoundRow) -> None:
        dealt_round()(row)
        row.dealt_place = [place for place, count in enumerate(counts) for _ in range(count)]
        if not flagged:
            row.dealt = b"".join(hands_of(row)[place] for place in range(7))

    assert ("DEAL-301" in codes(PLAIN, change, state)) is flagged


@in_both_states
def test_the_dealers_hand_is_reset_and_the_round_completed(state: str) -> None:
    """§16(i): what the wager comes to is reckoned on the hand as it had to be set."""
    assert (
        line_of(audited(BADLY_SET, state=state), BASE)[1:]
        == line_of(audited(PLAIN, state=state), BASE)[1:]
        == (4000, 0)
    )


@in_both_states
def test_the_banks_foul_hand_is_reset_and_its_wager_not_lost(state: str) -> None:
    """§16(j): "the wager shall not be lost", "the dealer shall be required to reset the bank's hands"."""
    foul, right = banked(low="9c 9h", high="2c 5h"), banked(low="2c 5h", high="9c 9h")
    assert line_of(audited(foul, state=state), BASE) == line_of(audited(right, state=state), BASE)
    assert line_of(audited(foul, state=state), "bank") == line_of(audited(right, state=state), "bank")


@in_both_states
@pytest.mark.parametrize("how", [with_fixed(stub_count=25), with_facts(BOXED, BOXED), with_facts(STACKS)])
def test_of_a_round_that_is_void_every_wager_goes_back(how: Callable[[RoundRow], None], state: str) -> None:
    """§16(f), (h), (k), and (c), (n): only (e) keeps the bonus wager in play."""

    def change(row: RoundRow) -> None:
        how(row)
        row.facts.append(FactRow(Fact.VOIDED, LATE + 90, 0, choice="other"))
        row.fixed["flags"] |= int(RoundFlag.VOIDED)

    audit = audited(HAND, change, state)
    assert line_of(audit, BASE)[1:] == line_of(audit, "bonus")[1:] == (0, 0)


@in_both_states
@pytest.mark.parametrize(
    ("case", "hours"),
    [pytest.param(PLAIN, 8, id="shoe"), pytest.param(AUTOMATED, 8, id="automated"), pytest.param(HAND, 4, id="hand")],
)
@pytest.mark.parametrize("late", [False, True])
def test_how_long_cards_are_used(case: Case, hours: int, late: bool, state: str) -> None:
    """N.J.A.C. 19:46-1.18(g)2, 3, which rulings.md R-37 has for Massachusetts too."""
    change = with_fixed(deck_age_s=hours * 3600 + (1 if late else 0), since_previous_s=60)
    assert codes(case, change, state) == ["EQUIP-951"] * late


@in_both_states
@pytest.mark.parametrize(("seat", "offered"), [(6, True), (7, False)])
def test_a_seventh_place_is_none(seat: int, offered: bool, state: str) -> None:
    """N.J.A.C. 19:46-1.13W(a), (b)2: "Six separate designated betting areas"."""
    bet = FactRow(Fact.WAGER_PLACED, 2, seat, wager=BASE, amount=4000)
    assert ("WAGER-504" in codes(PLAIN, with_facts(bet), state)) is not offered
