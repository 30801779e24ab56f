"""MA-PGP: what has to be done in which order, with which cards and dice; each rule on both sides."""

from __future__ import annotations

import random

import pytest

from replay.rounds import OUTCOME_CODE, START_METHOD_CODE, Fact, FactRow, RoundFlag, RoundRow, unknown_fixed
from schemas.cards import code_of, codes_of
from schemas.events import Outcome, StartMethod
from tests.packs.pai_gow_poker_checked import codes, run
from tests.packs.pai_gow_poker_table import Bets, Played, play, row_of

BETS = {1: Bets(2500, 500), 2: Bets(1000), 4: Bets(1000, 500)}
BASE, FORTUNE = "pai_gow", "fortune"
WIN, LOSE, PUSH, SURRENDER = Outcome.WIN, Outcome.LOSE, Outcome.PUSH, Outcome.SURRENDER


def played(method: str = "manual_shoe", bets: dict[int, Bets] | None = None) -> Played:
    return play(random.Random(5), method, bets=BETS if bets is None else bets, foul_share=0.0)


def a_round(method: str = "manual_shoe", *facts: FactRow, **fixed: int) -> RoundRow:
    row = row_of(played(method))
    row.facts += facts
    row.fixed.update(fixed)
    return row


def found(row: RoundRow, **options: str | int) -> list[str]:
    return codes(run([row], **options)[1])


# ---- dice, numbers, cards and cuts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "wrong"), [(1, []), (7, []), (8, ["START-203"]), (18, ["START-203"])])
def test_a_random_number_is_from_one_to_seven(number: int, wrong: list[str]) -> None:
    """§4(a)(2): "shall automatically select and display a number from 1 through 7 inclusive"."""
    row = row_of(played(), deal_read=False)
    place = (number - 1) % 7
    row.fixed.update(start_method=START_METHOD_CODE[StartMethod.RNG], start_number=number, start_place=place)
    assert found(row, starting="rng") == wrong


def test_dice_may_come_to_more_than_seven() -> None:
    row = row_of(played(), deal_read=False)
    row.fixed.update(start_number=18, start_place=3)
    assert found(row) == []


@pytest.mark.parametrize("reason", ["not_flat", "fell_out"])
def test_dice_that_were_called_off_are_shaken_again(reason: str) -> None:
    """§11(a), (b): "the dealer shall call a "No roll" and reshake the dice"."""
    for no_roll, thrown, wrong in ((20, 24, []), (24, 20, ["START-202"])):
        assert found(a_round("manual_shoe", FactRow(Fact.NO_ROLL, no_roll, choice=reason), start_seq=thrown)) == wrong


def test_a_deck_is_shuffled_after_each_round() -> None:
    """§6(a)"""
    assert found(a_round("manual_shoe", FactRow(Fact.NOT_SHUFFLED, 3))) == ["EQUIP-959"]
    assert found(a_round()) == []
    unknown = a_round("manual_shoe", FactRow(Fact.NOT_SHUFFLED, 3))
    unknown.fixed["flags"] |= int(RoundFlag.MISSING_BEFORE)
    assert found(unknown) == [], "a shuffle may be among the events that are missing"


@pytest.mark.parametrize(
    ("above", "wrong"), [(9, ["EQUIP-958"]), (10, []), (43, []), (44, ["EQUIP-958"]), (0, ["EQUIP-958"])]
)
def test_the_cut_is_ten_cards_from_either_end(above: int, wrong: list[str]) -> None:
    """§6(e), of 53 cards."""
    assert found(a_round("manual_shoe", FactRow(Fact.CUT_DEPTH, 3, 1, amount=above))) == wrong


@pytest.mark.parametrize(
    ("jokers", "decks", "other", "wrong"),
    [
        (1, 1, "", []),
        (2, 1, "", []),  # §2(a): "manufactured with two jokers provided that only one joker is used"
        (0, 1, "", ["EQUIP-956"]),
        (1, 2, "", ["EQUIP-956"]),
        (1, 1, "blue", ["EQUIP-956"]),  # §2(b)(2): the backs of deck blue
    ],
)
def test_which_decks_are_brought_to_the_table(jokers: int, decks: int, other: str, wrong: list[str]) -> None:
    brought = FactRow(Fact.BROUGHT, 3, bettor=other, wager="cards red", amount=decks, other=jokers)
    assert found(a_round("manual_shoe", brought)) == wrong


def test_a_deck_made_with_two_jokers_is_counted_with_the_one_it_is_played_with() -> None:
    """§2(a), and R-37: a shuffler that counts 53 cards has counted all there are."""
    for counted, wrong in ((53, []), (52, ["CARD-316"])):
        assert found(a_round("manual_shoe", FactRow(Fact.DECK_COUNTED, 3, amount=54, other=counted))) == wrong


def test_cards_are_inspected_and_verified() -> None:
    """§5(b): "the inspection of the cards by the dealer and the verification by the floorperson"."""
    brought = FactRow(Fact.BROUGHT, 3, wager="cards red", amount=1, other=1, code=1)
    for witness, wrong in (("F-1", []), ("", ["EQUIP-960"])):
        seen = FactRow(Fact.INSPECTED, 4, bettor=witness, wager="cards red", choice="D-1")
        assert found(a_round("manual_shoe", brought, seen)) == wrong
    assert found(a_round("manual_shoe", brought)) == ["EQUIP-961"]
    assert found(a_round("manual_shoe", brought._replace(code=0))) == [], "nobody reports inspections at this table"


def test_a_shuffling_device_is_removed_before_cards_are_shuffled_by_hand() -> None:
    """§11(o)"""
    assert found(a_round("manual_shoe", FactRow(Fact.HAND_SHUFFLED, 3, choice="shuffler"))) == ["EQUIP-957"]


# ---- “No more bets” --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["manual_shoe", "hand", "automated_shoe"])
@pytest.mark.parametrize("first", ["start_seq", "first_card_seq"])
def test_betting_is_closed_before_the_start_is_known_and_cards_are_dealt(method: str, first: str) -> None:
    """§8(a), (b), §8a(b)(2), §8b(b)(2)"""
    for before, wrong in ((-1, ["WAGER-515"]), (1, [])):
        row = a_round(method)
        closed = row.fixed["bets_closed_seq"]
        row.fixed.update(start_seq=closed + 2, first_card_seq=closed + 3, last_card_seq=closed + 3)
        row.fixed[first] = closed + before
        assert found(row, dealing=method) == wrong


@pytest.mark.parametrize("silent", ["bets_closed_seq", "both"])
def test_where_nothing_says_when_betting_was_closed_nothing_is_said_of_it(silent: str) -> None:
    row = row_of(played(), deal_read=False)
    for column in ("bets_closed_seq",) if silent == "bets_closed_seq" else ("start_seq", "first_card_seq"):
        row.fixed[column] = -1
    assert "WAGER-515" not in found(row)


# ---- exposing and settling -------------------------------------------------------------------------------------------


def test_the_dealers_hand_is_set_before_a_players_is_exposed() -> None:
    """§9(c), (f)"""
    row = a_round()
    assert found(row) == []
    dealers = next(one for one in row.shown if one.place == 0)
    row.shown = [*(one for one in row.shown if one.place), dealers._replace(seq=99)]
    assert found(row) == ["HOUSE-404"]
    row.shown = [one for one in row.shown if one.place]
    assert found(row) == [], "nobody saw the dealer's hand"


def test_three_cards_laid_open_for_the_bonus_wager_are_no_hand_exposed() -> None:
    """§17(f): "shall place his or her cards face up on the layout", before the four more cards."""
    row = a_round()
    three = row.shown[1]._replace(low=0, cards=row.shown[1].cards[:3], seq=1)
    row.shown = [*row.shown, three]
    assert "HOUSE-404" not in found(row)


def settled(seat: int, seq: int, outcome: Outcome = PUSH, wager: str = BASE) -> FactRow:
    return FactRow(Fact.SETTLED, seq, seat, wager=wager, code=OUTCOME_CODE[outcome])


@pytest.mark.parametrize(
    ("settlements", "wrong"),
    [
        ([(1, PUSH), (2, PUSH), (4, PUSH)], []),
        ([(1, PUSH), (4, PUSH), (2, PUSH)], ["SETTLE-107"]),
        ([(4, WIN), (2, LOSE), (1, PUSH)], ["SETTLE-107"]),  # told once
        ([(4, SURRENDER), (1, PUSH), (2, PUSH)], []),  # §9(e)(1): collected at once
    ],
)
def test_wagers_are_settled_from_the_dealers_right(settlements: list[tuple[int, Outcome]], wrong: list[str]) -> None:
    """§9(f), (g), §15(d)(1): "starting from the dealer's right and moving counterclockwise around the table"."""
    facts = [settled(seat, 200 + number, outcome) for number, (seat, outcome) in enumerate(settlements)]
    assert found(a_round("manual_shoe", *facts)) == wrong


@pytest.mark.parametrize(("base", "fortune", "wrong"), [(200, 201, []), (201, 200, ["SETTLE-107"])])
def test_a_bonus_wager_is_settled_after_the_pai_gow_poker_wager(base: int, fortune: int, wrong: list[str]) -> None:
    """§15(d)(2)"""
    row = a_round("manual_shoe", settled(1, base), settled(1, fortune, LOSE, FORTUNE))
    assert found(row) == wrong
    with_progressive: dict[str, str | int] = {
        "fortune_progressive": "offered",
        **{f"fortune_progressive_{meter}_seed_cents": 50_000 for meter in ("mega", "major", "minor")},
        **{f"fortune_progressive_{meter}_rate_bp": 100 for meter in ("mega", "major", "minor")},
    }
    assert found(row, **with_progressive) == [], "§14.A(c): there the bonus wager comes first"


def test_a_bonus_wager_beside_a_surrender_has_no_turn() -> None:
    row = a_round("manual_shoe", settled(1, 201, SURRENDER), settled(1, 200, LOSE, FORTUNE))
    assert "SETTLE-107" not in found(row)


@pytest.mark.parametrize(("outcome", "envy", "wrong"), [(LOSE, 202, []), (LOSE, 199, ["SETTLE-107"]), (WIN, 199, [])])
def test_envy_bonuses_come_after_all_bonus_wagers_that_lose(outcome: Outcome, envy: int, wrong: list[str]) -> None:
    """§9(l)(1)(ii): "After all Fortune Bonus Wagers have been settled"; §15(d)(3)(ii) has those of premium hands paid
    with the envy bonuses."""
    paid = FactRow(Fact.ENVY, envy, 1, wager=FORTUNE, amount=500, other=2)
    assert found(a_round("manual_shoe", settled(4, 200, outcome, FORTUNE), paid)) == wrong


# ---- exposed cards and voids -----------------------------------------------------------------------------------------


def test_a_hand_is_voided_by_choice_only_where_a_card_of_it_was_exposed() -> None:
    """§11(d)"""
    voided = FactRow(Fact.VOIDED, 60, 2, choice="player_option")
    exposed = FactRow(Fact.EXPOSED, 59, 2, choice="deal")
    assert "DEAL-315" not in found(a_round("manual_shoe", voided)), "nobody may have been there to see it"
    assert "DEAL-315" in found(a_round("manual_shoe", exposed._replace(seat=1), voided))
    assert "DEAL-315" not in found(a_round("manual_shoe", exposed, voided))


def test_a_card_face_up_is_set_aside_and_not_played() -> None:
    """§11(f)"""
    hand = played()
    row = row_of(hand)
    row.facts.append(FactRow(Fact.BOXED, 60, card=code_of(hand.hands[1][0])))
    assert "DEAL-309" in found(row)
    row = row_of(hand)
    row.facts.append(FactRow(Fact.BOXED, 60, card=row.rack[0]))
    assert "DEAL-309" not in found(row), "it lies with the cards left"
    assert codes_of(hand.rack) == row.rack


@pytest.mark.parametrize(("dealer_wager", "wrong"), [(2500, ["BANK-807"]), (0, [])])
def test_the_dealer_does_not_wager_against_a_co_bank(dealer_wager: int, wrong: list[str]) -> None:
    """§10(e): "When co-banking is in effect, the dealer may not place a wager against the bank."."""
    row = a_round()
    row.fixed.update(bank_seat=6, bank_kind=1, bank_seq=9, dealer_wager_cents=dealer_wager)
    assert [code for code in found(row, banking="bank_and_co_bank") if code == "BANK-807"] == wrong


# ---- the wagers of §17 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wager", ["three_card_bonus", "seven_card_bonus"])
@pytest.mark.parametrize(("pai_gow", "wrong"), [(2500, []), (0, ["WAGER-503"])])
def test_wagers_of_section_17_need_the_pai_gow_poker_wager(wager: str, pai_gow: int, wrong: list[str]) -> None:
    """§7(f), §17(a)"""
    row = RoundRow({"table_id": "PG-07", "round_id": "1", "filing": ""}, unknown_fixed())
    row.fixed.update(bets_closed_seq=9, last_seq=20, flags=1)
    bets = [(BASE, pai_gow), (wager, 500)]
    row.facts = [
        FactRow(Fact.WAGER_PLACED, 2 + at, 3, wager=name, amount=cents)
        for at, (name, cents) in enumerate(bets)
        if cents
    ]
    of_section_17: dict[str, str | int] = {
        "dealing": "bonus_shoe",
        "starting": "left_of_dealer",
        "fortune_paytable": "none",
        "three_card_bonus": "offered",
        "seven_card_bonus_paytable": "A",
    }
    assert [code for code in found(row, **of_section_17) if code.startswith("WAGER")] == wrong
