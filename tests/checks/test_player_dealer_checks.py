"""Checks of games with a player-dealer: words, numbers and citations are those of whoever asks, and not of one game."""

from __future__ import annotations

import numpy as np
import pytest

from replay.checks.action_button import (
    ButtonByCard,
    Seen,
    Short,
    button_held_against_cards,
    button_not_where_it_belongs,
)
from replay.checks.bank_turns import BankTurns, bank_turns
from replay.checks.shoe import too_many_in_one_round, too_many_over_rounds
from replay.citations import Citation
from replay.rounds import Cards, Fact, FactRow, Ints, RoundBatch, RoundFlag, RoundRow, batch_of, unknown_fixed
from schemas.cards import codes_of
from schemas.findings import CERTAIN, LIKELY, Basis

ONE, OTHER, THIRD = (Citation(text="house rules", section=section) for section in "123")
TITLES = {"game": "the game wager", "bonus": "the bonus"}
SEEN = Seen((7,), CERTAIN, Basis.RACK)


def one_round(*facts: FactRow, flags: int = 0, **fixed: int) -> RoundBatch:
    columns = unknown_fixed() | {"flags": flags, "bets_closed_seq": 40, "bank_seq": 3, "bank_seat": 1} | fixed
    return batch_of([RoundRow({"table_id": "T-01", "round_id": "1"}, columns, facts=list(facts))])


def placed(seq: int, seat: int, wager: str, amount: int, bettor: str = "") -> FactRow:
    return FactRow(Fact.WAGER_PLACED, seq, seat, bettor, wager, amount=amount)


@pytest.mark.parametrize(
    ("most", "run", "said"),
    [
        (1, 1, None),
        (1, 2, "seat 1 is player-dealer for the second hand running; 1 is allowed"),
        (2, 2, None),
        (2, 3, "seat 1 is player-dealer for the third hand running; 2 are allowed"),
        (3, 7, "seat 1 is player-dealer for the 7th hand running; 3 are allowed"),
    ],
)
def test_as_many_hands_running_as_the_pack_says(most: int, run: int, said: str | None) -> None:
    found = list(bank_turns(one_round(bank_run=run), BankTurns(most, ONE, OTHER)))
    assert [(remark.code, remark.sentence, remark.cite, remark.evidence) for remark in found] == (
        [("BANK-803", said, ONE, (3,))] if said else []
    )


def test_a_bank_must_be_earned_by_a_wager_before() -> None:
    law = BankTurns(2, ONE, OTHER)
    [remark] = bank_turns(one_round(bank_run=1, bank_wagered_before=0), law)
    assert (remark.code, remark.cite, remark.seat) == ("BANK-804", OTHER, 1)
    assert not list(bank_turns(one_round(bank_run=1, bank_wagered_before=1), law))
    unknown = one_round(bank_run=1, bank_wagered_before=0, flags=int(RoundFlag.CONTEXT_UNKNOWN))
    assert not list(bank_turns(unknown, law))


def test_a_button_of_piles_is_explained_in_the_words_of_its_game() -> None:
    batch = one_round(bank_posted_cents=5000)
    short = [Short(0, moves=6000, button=4, placed=3, seq=9)]
    found = button_not_where_it_belongs(
        batch, short, lambda row: "the first pile went to seat 3", lambda row: SEEN, ONE
    )
    [remark] = found
    assert remark.sentence == (
        "the $50.00 posted by the player-dealer in seat 1 does not cover the $60.00 that moves, and the action button "
        "was put at seat 3: the first pile went to seat 3, to seat 4"
    )
    assert (remark.evidence, remark.confidence) == ((3, 7, 9), CERTAIN)
    [unseen] = button_not_where_it_belongs(
        batch, [short[0]._replace(placed=-1, seq=-1)], lambda row: "so it is", lambda row: SEEN, ONE
    )
    assert "no action button was reported" in unseen.sentence and unseen.confidence == LIKELY
    right = [short[0]._replace(placed=4)]
    assert not list(button_not_where_it_belongs(batch, right, lambda row: "", lambda row: SEEN, ONE))


def by_pips(cards: Cards, bank: Ints, seats: int) -> Ints:
    """A made-up game: a deuce puts the button at seat 2, a trey at seat 3 ..., wherever the bank is."""
    return np.asarray((cards // 4 + 2) % seats + 0 * bank, dtype=np.int64)


@pytest.mark.parametrize(
    ("named", "seat", "codes"),
    [
        ("5c", 5, []),
        ("5c", 6, ["BUTTON-802"]),  # the right card, and not where it says
        ("6c", 6, ["BUTTON-805"]),  # the button follows from its card, and it is not the card that decides
        ("4c", 4, []),  # the other way the cards may be read has it right
    ],
)
def test_a_button_put_down_by_a_card(named: str, seat: int, codes: list[str]) -> None:
    code = codes_of(named)[0]
    batch = one_round(FactRow(Fact.BUTTON, 9, seat, choice="action", card=code))
    law = ButtonByCard(by_pips, lambda cards: cards // 4 + 2, "the first card up", "the dealer", ONE, OTHER)
    deciding = [np.frombuffer(codes_of(card), np.uint8) for card in ("5c", "4c")]
    found = list(button_held_against_cards(batch, np.array([0]), deciding, (), 8, lambda row: SEEN, law))
    assert [remark.code for remark in found] == codes
    assert all(remark.cite == OTHER and remark.evidence == (7, 9) for remark in found)


def test_cards_a_shoe_does_not_have_so_often() -> None:
    king, ten = codes_of("Kd")[0], codes_of("Tc")[0]
    batch = one_round(FactRow(Fact.TOO_MANY, 30, card=king, other=3), decks=2)
    over, said = too_many_over_rounds(batch, ONE)
    assert over == {0: {king}} and [remark.sentence for remark in said] == [
        "Kd is in the rack 3 times, and the shoe holds 2"
    ]
    rack = np.array([[king, ten, king, ten, king, ten, 255]], np.uint8)
    seen = [("in the rack", Basis.RACK, rack)]
    found, also = too_many_in_one_round(seen, over, np.array([2]), OTHER, lambda row: (1, 2))
    assert found == {0: {king, ten}}  # of the king it is said already
    assert [(remark.sentence, remark.evidence) for remark in also] == [
        ("Tc is in the rack 3 times in this round, and the shoe holds 2", (1, 2))
    ]
    assert too_many_in_one_round(seen, {}, np.array([3]), OTHER, lambda row: ()) == ({}, [])
