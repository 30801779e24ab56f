"""Hands of Hold'em in which something was done otherwise than the rules say, and the same in order."""

from __future__ import annotations

import pytest

from replay.filing import PackError, canonical_filing, filing_of, filing_problem
from replay.rounds import Fact, FactRow, RoundRow
from schemas.cards import codes_of
from schemas.findings import POSSIBLE, Basis
from tests.packs.poker_rounds import ACTS, POT, codes, hand, verdict


@pytest.mark.parametrize("rack", [True, False])
@pytest.mark.parametrize("deal", [True, False])
@pytest.mark.parametrize("shown", [(), (1, 2)])
def test_a_hand_in_order_is_verified_by_whatever_tells_whose_cards_they_are(
    deal: bool, rack: bool, shown: tuple[int, ...]
) -> None:
    _, audited = hand(deal=deal, rack=rack, shown=shown)
    sure = deal or (rack and bool(shown))
    assert [finding.code for finding in audited.findings] == ([] if deal or rack else ["RACK-322"])
    assert verdict(audited) == ("verified" if sure else "cannot_tell")


def test_a_rack_alone_does_not_say_who_of_two_had_the_winning_hand() -> None:
    """Losing hands lie before winning ones (R-9): the order fits whoever won."""
    for awards in (((1, POT),), ((2, POT),)):
        _, audited = hand(awards=awards, deal=False)
        assert verdict(audited) == "cannot_tell" and codes(audited) == []
        assert "readings of the rack fit" in audited.reasons[0]


def test_a_pot_to_neither_of_them_is_wrong_whatever_the_reading() -> None:
    _, audited = hand(awards=((3, POT),), deal=False)
    assert codes(audited) == ["POT-114"]


@pytest.mark.parametrize(
    ("awards", "code"),
    [
        (((2, POT),), "POT-112"),
        (((3, POT),), "POT-114"),
        ((), "POT-113"),
        (((1, POT - 500),), "POT-111"),
        (((1, POT + 500),), "POT-115"),
        (((1, 1000), (1, POT - 1000)), None),
    ],
)
def test_what_is_wrong_with_an_award_has_its_code(awards: tuple[tuple[int, int], ...], code: str | None) -> None:
    _, audited = hand(awards=awards)
    assert codes(audited) == ([] if code is None else [code])
    for finding in audited.findings:
        more_than_bet = sum(cents for _, cents in awards) > POT  # so a bet that no device saw may lie in the pot
        assert (finding.confidence <= POSSIBLE) is more_than_bet
        assert ("a bet that no device saw" in finding.sentence) is more_than_bet
        shares = dict(finding.accounts)
        assert sum(shares.values()) == 0
        assert finding.difference_cents == shares.get(f"seat {finding.seat}", 0)


def test_a_pot_to_a_losing_hand_says_who_is_short() -> None:
    _, audited = hand(awards=((2, POT),))
    first, second = audited.findings
    assert "seat 1: seat 1 wins $28.00 of the pots and was pushed nothing: the patron is $28.00 short" in first.sentence
    assert "has $28.00 too much" in second.sentence
    assert first.basis in (Basis.DEAL_AND_RACK, Basis.DEAL_RACK_AND_SHOWN)


def test_chips_nobody_called_may_be_pushed_with_the_pot_or_left_alone() -> None:
    acts = (*ACTS[:9], "1 bet 2000", "2 fold 0")
    for cents in (POT, POT + 2000):
        _, audited = hand(acts, ((1, cents),), holes={1: "As Ad", 2: "Ks Kd", 3: "Qs Qd"})
        assert codes(audited) == [], cents
    assert codes(hand(acts, ((1, POT + 1000),))[1]) == ["POT-111"]


def test_an_action_no_device_saw_is_nobodys_fault() -> None:
    """Seat 2's check on the flop is missing: it went on, so it checked or called, and the pot is not sure."""
    acts = tuple(text for number, text in enumerate(ACTS) if number != 6)
    _, audited = hand(acts, turned=((5, 3), (6, 1), (8, 1)))
    assert codes(audited) == [] and verdict(audited) == "cannot_tell"
    assert audited.reasons[0] == "what seat 2 did when it was its turn was not reported"


def test_a_bet_out_of_turn() -> None:
    """Seat 2 checks the flop before seat 1."""
    swapped = (*ACTS[:5], ACTS[6], ACTS[5], *ACTS[7:])
    _, audited = hand(swapped)
    assert codes(audited) == ["BET-121"] and audited.findings[0].seat == 2
    assert audited.findings[0].citation.startswith("CA Hold'em 13")


def test_without_a_button_nothing_says_whose_turn_it_was() -> None:
    _, audited = hand(button=0, fee=0)
    assert codes(audited) == [] and verdict(audited) == "cannot_tell"
    assert audited.reasons[0].startswith("nobody said where the dealer button is")
    _, audited = hand(button=10, seats=9, fee=0)
    assert audited.reasons[0] == "the dealer button lies at seat 10, and the table has 9"


@pytest.mark.parametrize(
    ("turned", "board", "said"),
    [
        (((5, 3), (7, 1), (9, 2)), "2c 7d 9h Jc 4s 6h", "the fifth card of the board had 2 cards, which stood"),
        (((5, 4), (7, 1), (9, 1)), "2c 7d 9h Jc 4s 6h", "the flop had 4 cards, which stood"),
        (((5, 3), (7, 1), (9, 1), (10, 1)), "2c 7d 9h Jc 4s 6h", "6 cards were turned for the board"),
        (((4, 3), (7, 1), (9, 1)), "2c 7d 9h Jc 4s", "the flop was turned before the betting was completed, and stood"),
        (((5, 3), (6, 1), (9, 1)), "2c 7d 9h Jc 4s", "the fourth card of the board was turned before the betting was"),
        (((5, 3), (7, 1), (8, 1)), "2c 7d 9h Jc 4s", "the fifth card of the board was turned before the betting was"),
    ],
)
def test_a_board_turned_wrong_and_not_taken_back(turned: tuple[tuple[int, int], ...], board: str, said: str) -> None:
    _, audited = hand(turned=turned, board=board)
    assert codes(audited) == ["DEAL-316"] and said in audited.findings[0].sentence


def test_a_board_of_six_cards_leaves_open_which_five_count() -> None:
    _, audited = hand(turned=((5, 3), (7, 1), (9, 2)), board="2c 7d 9h Jc 4s 6h", awards=((2, POT),))
    assert codes(audited) == ["DEAL-316"], "no pot is held against anybody"


def test_a_flop_turned_too_early_and_taken_back_is_no_fault() -> None:
    """Hold'em 8: the first three cards are reshuffled, and the flop that stands is another."""

    def taken_back(row: RoundRow) -> None:
        board = codes_of(["2c", "7d", "9h", "Jc", "4s"])
        early = codes_of(["5c", "5d", "5h"])
        at = len(row.dealt) - 8
        burn, to = row.dealt[at : at + 1], row.dealt_to[at : at + 1]
        row.dealt = row.dealt[:at] + burn + early + row.dealt[at + 1 :]
        row.dealt_to = row.dealt_to[:at] + to + row.dealt_to[at + 1 : at + 4] + row.dealt_to[at + 1 :]
        row.dealt_place = [-1] * len(row.dealt)
        row.facts.append(FactRow(Fact.BOARD, 135, amount=3))
        row.facts.append(FactRow(Fact.RESHUFFLED, 146))
        row.facts.sort(key=lambda fact: fact.seq)
        assert board in (row.rack[6:11],)

    _, audited = hand(change=taken_back)
    assert codes(audited) == [] and verdict(audited) == "verified"


@pytest.mark.parametrize(("fee", "code"), [(200, None), (400, "FEE-902"), (0, "FEE-901")])
def test_three_players_pay_two_dollars_out_of_the_pot(fee: int, code: str | None) -> None:
    """And the pot is what is left in it, whatever was taken."""
    _, audited = hand(fee=fee, awards=((1, 3000 - fee),))
    assert codes(audited) == ([] if code is None else [code])


def test_two_folded_hands_in_each_others_place() -> None:
    acts = ("1 post_blind 300", "2 post_blind 500", "3 fold 0", "1 fold 0")

    def swap(row: RoundRow) -> None:
        row.rack = row.rack[2:4] + row.rack[:2] + row.rack[4:]

    holes = {1: "As Ad", 2: "Ks Kd", 3: "Qs Qd"}
    _, clean = hand(acts, ((2, 400),), holes=holes, board="", turned=(), fee=200)
    _, odd = hand(acts, ((2, 400),), holes=holes, board="", turned=(), fee=200, change=swap)
    assert (codes(clean), codes(odd)) == ([], ["RACK-324"])


def test_a_hand_shown_with_a_card_it_does_not_have() -> None:
    def lie(row: RoundRow) -> None:
        row.shown[1] = row.shown[1]._replace(cards=codes_of(["Ks", "5d"]))

    assert codes(hand(shown=(1, 2))[1]) == []
    assert codes(hand(shown=(1, 2), change=lie)[1]) == ["RACK-323"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"small_blind_cents": 500, "big_blind_cents": 500}, "is not below big_blind_cents 500"),
        ({"upper_bet_cents": 100}, "is below big_blind_cents"),
        ({"betting": "pot_limit"}, "'pot_limit' is none of no_limit, limit"),
        ({"seats": 1}, "1 is not between 2 and 10"),
    ],
)
def test_a_filing_that_cannot_be_is_refused(options: dict[str, str | int], said: str) -> None:
    try:
        problem = filing_problem(filing_of(canonical_filing("ca/holdem", "1.0", options)))
    except PackError as error:
        problem = str(error)
    assert problem is not None and said in problem


def exposed(keeps: bool) -> tuple[list[str], str]:
    """The ace of diamonds, seat 1's second card, is exposed in the deal; 5c is the top card after it."""

    def change(row: RoundRow) -> None:
        row.facts.insert(0, FactRow(Fact.EXPOSED, 1, 1, choice="deal", card=codes_of(["Ad"])[0]))
        if keeps:
            return
        top = codes_of(["5c"])
        row.dealt = row.dealt[:6] + top + row.dealt[7:]  # instead of the first burn, which the ace is now
        row.dealt_to = row.dealt_to[:6] + b"\0" + row.dealt_to[7:]
        row.rack = codes_of(["Qs", "Qd", "As", "5c", "Ks", "Kd", "2c", "7d", "9h", "Jc", "4s", "Ad", "3d", "3h"])
        row.rack += bytes(card for card in range(52) if card not in row.rack)

    _, audited = hand(change=change, awards=((1, POT),) if keeps else ((2, POT),))
    return codes(audited), verdict(audited)


def test_an_exposed_hole_card_is_exchanged_and_burned_first() -> None:
    assert exposed(keeps=True) == (["DEAL-309"], "differs")
    assert exposed(keeps=False) == ([], "verified")


def test_a_boxed_card_that_was_played() -> None:
    def boxed(card: str) -> list[str]:
        def change(row: RoundRow) -> None:
            row.facts.insert(0, FactRow(Fact.BOXED, 1, card=codes_of([card])[0]))

        return codes(hand(change=change)[1])

    assert boxed("As") == ["DEAL-309"] and boxed("Jc") == ["DEAL-309"]


@pytest.mark.parametrize(("places", "code"), [((1, 2, 3, 1, 2, 3), None), ((1, 2, 3, 1, 1, 3), "DEAL-301")])
def test_a_hand_of_three_cards_that_was_played(places: tuple[int, ...], code: str | None) -> None:
    def change(row: RoundRow) -> None:
        row.dealt_place = [*places, *row.dealt_place[len(places) :]]

    _, audited = hand(change=change)
    assert (code in codes(audited)) if code else codes(audited) == []


def test_a_round_with_one_side_pot_says_so() -> None:
    acts = ("1 post_blind 300", "2 post_blind 500", "3 all_in 1000", "1 call 700", "2 raise 1500", "1 call 1000")
    _, audited = hand(acts, ((1, 4800),), turned=((6, 3), (6, 1), (6, 1)))
    assert (codes(audited), verdict(audited)) == ([], "verified")
    assert audited.by_filing[0].checked.settlement_order(0).startswith("the main pot and a side pot; ")
