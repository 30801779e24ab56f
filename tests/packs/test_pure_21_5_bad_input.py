"""Pure 21.5 Blackjack with input that is wrong: what is refused, and what is found, with the rule that says so."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from replay.audit import audit_or_raise
from replay.case_run import audit_case, check_case, filing_of_case
from replay.filing import PackError, file_under, filing_problem, game_module, load_pack
from replay.rounds import ACTION_CODE, Fact, FactRow, RoundRow, batch_of
from replay.verdicts import Audit
from schemas.cases import Case, CaseError
from schemas.events import Action

PACK = "ca/pure_21_5_blackjack"
ONLY_OF_CASES = {"SETTLE-103", "FEE-901", "ROUND-001"}  # nothing is settled in a case


def case(seats: dict[int, dict[str, Any]], dealer: str = "Th 9h", **more: Any) -> Case:
    bank = {"seat": 1, "posted": "$10,000"}
    said = {"name": "a round", "pack": PACK, "seats": seats, "bank": bank, "dealer": {"cards": dealer}} | more
    return Case.model_validate(said)


def row_of(played: Case) -> RoundRow:
    filing = filing_of_case(played)
    return game_module(filing.pack).row_of_case(played, filing)


def codes(row: RoundRow) -> set[str]:
    return {finding.code for finding in audit(row).findings} - ONLY_OF_CASES


def audit(row: RoundRow) -> Audit:
    return audit_or_raise(batch_of([row]))


def sentence(row: RoundRow, code: str) -> str:
    return next(finding.sentence for finding in audit(row).findings if finding.code == code)


ONE: dict[int, dict[str, Any]] = {3: {"wagers": {"blackjack": "$25"}, "cards": "Ts 9d", "acted": "stand"}}


def problem(**options: str | int) -> str:
    try:
        found = filing_problem(file_under(load_pack(PACK), "1.0", options))
    except PackError as error:
        return str(error)
    return found or ""


def test_a_ninth_deck_is_refused() -> None:
    assert "decks: 9 is not between 1 and 8" in problem(decks=9)
    assert problem(decks=8) == ""


def test_four_rates_are_refused() -> None:
    rates = {"own_rate_1_cents": 100, "own_rate_2_cents": 200, "own_rate_3_cents": 300}
    floors = {"own_rate_1_from_cents": 500, "own_rate_2_from_cents": 10_100, "own_rate_3_from_cents": 20_100}
    assert problem(schedule="own", own_player_dealer_cents=300, **rates, **floors) == ""  # $3 twice is one rate
    refused = problem(schedule="own", own_player_dealer_cents=400, **rates, **floors)
    assert "4 rates ($1.00, $2.00, $3.00, $4.00)" in refused and "Round of Play 3" in refused


def test_rates_out_of_order_or_without_their_schedule_are_refused() -> None:
    filed = {"own_rate_1_cents": 100, "own_rate_1_from_cents": 500, "own_rate_2_cents": 200}
    assert "file each from a higher wager on" in problem(schedule="own", own_rate_2_from_cents=500, **filed)
    assert problem(own_rate_1_cents=100) == ""  # filed, and not in use
    assert "own_rate_1_cents" in problem(schedule="own")


def test_limits_outside_those_printed_are_refused() -> None:
    assert problem(table_minimum_cents=500, table_maximum_cents=100_000) == ""
    assert "$4.99" in problem(table_minimum_cents=499)
    assert "$25.01" in problem(table_minimum_cents=2_501)
    assert "$499.99" in problem(table_maximum_cents=49_999)


def test_a_case_that_does_not_work_out_says_where() -> None:
    for acted, cards, says in (
        ("hit", "Ts 6d", "draws more cards than the hand has"),
        ("stand", "Ts 6d 2c", "1 more cards than"),
        ("fold", "Ts 6d", "'fold' is none of hit, stand, double"),
    ):
        seats = {3: {"wagers": {"blackjack": "$25"}, "cards": cards, "acted": acted}}
        with pytest.raises(CaseError, match=re.escape(says)):
            row_of(case(seats))
    with pytest.raises(CaseError, match="the player-dealer's hand"):
        row_of(case(ONE, dealer=""))


def test_a_wager_at_a_seat_the_table_does_not_have() -> None:
    played = row_of(case(ONE))
    played.facts.insert(0, FactRow(Fact.WAGER_PLACED, 1, 9, wager="blackjack", amount=2_500))
    assert codes(played) == {"WAGER-504"}
    assert "has only 8 seats" in sentence(played, "WAGER-504")


def test_the_player_dealer_may_not_bet_at_the_own_seat() -> None:
    played = row_of(case(ONE))
    played.facts.insert(0, FactRow(Fact.WAGER_PLACED, 1, 1, wager="blackjack", amount=2_500))
    assert codes(played) == {"WAGER-504"}


@pytest.mark.parametrize(("place", "says"), [(1, "the player-dealer's own seat"), (0, "place 0, where nobody sits")])
def test_a_button_at_an_empty_place(place: int, says: str) -> None:
    played = row_of(case(ONE))
    facts = [fact for fact in played.facts if fact.kind != Fact.BUTTON]
    played.facts = [*facts, FactRow(Fact.BUTTON, 90, place, choice="action")]
    assert codes(played) == {"BUTTON-802"}
    assert says in sentence(played, "BUTTON-802")


def test_a_button_put_down_by_another_card() -> None:
    played = row_of(case(ONE))
    played.facts = [fact._replace(card=0) if fact.kind == Fact.BUTTON else fact for fact in played.facts]
    assert "BUTTON-805" in codes(played)


def test_a_surrender_after_the_down_card_was_exposed() -> None:
    seats = {3: {"wagers": {"blackjack": "$25"}, "cards": "Ts 6d", "acted": "surrender"}}
    played = row_of(case(seats))
    assert codes(played) == set()
    exposed = next(fact.seq for fact in played.facts if fact.kind == Fact.BUTTON)
    played.facts = sorted(
        (fact._replace(seq=exposed + 1) if fact.kind == Fact.ACTION else fact for fact in played.facts),
        key=lambda fact: fact.seq,
    )
    assert codes(played) == {"WAGER-505"}


def test_a_hand_nobody_has_cannot_be_played() -> None:
    played = row_of(case(ONE))
    hit = FactRow(Fact.ACTION, 50, 5, code=ACTION_CODE[Action.HIT])
    played.facts = [*played.facts, hit]
    assert codes(played) == {"PLAY-414"}
    assert "seat 5, which has no hand, was hit" in sentence(played, "PLAY-414")


def test_a_wager_on_a_hand_that_no_split_made() -> None:
    played = row_of(case(ONE))
    played.facts = [*played.facts, FactRow(Fact.WAGER_PLACED, 50, 3, wager="double", hand=2, amount=2_500)]
    assert "WAGER-504" in codes(played)


def test_a_wager_raised_after_the_cards_is_found_and_a_split_is_not() -> None:
    seats = {3: {"wagers": {"blackjack": "$25"}, "cards": "8s 8d Tc Th", "acted": "split, stand, stand"}}
    assert codes(row_of(case(seats))) == set()
    played = row_of(case(ONE))
    played.facts = [*played.facts, FactRow(Fact.WAGER_CHANGED, 50, 3, wager="blackjack", amount=5_000)]
    assert codes(played) == {"WAGER-501"}


def test_a_rack_that_cannot_be_the_hands_played_is_said_to_be_so() -> None:
    played = row_of(case(ONE))
    played.rack, played.dealt, played.dealt_place, played.dealt_to = played.rack[:3], b"", [], b""
    assert "RACK-321" in codes(played)
    assert "leaves the player-dealer 1 card" in sentence(played, "RACK-321")


def test_a_round_nobody_read_has_no_hands_and_says_so() -> None:
    played = row_of(case(ONE))
    played.rack, played.dealt, played.dealt_place, played.dealt_to = b"", b"", [], b""
    assert "RACK-322" in codes(played)


def test_two_cards_exchanged_between_deal_and_rack_are_told() -> None:
    played = row_of(case({**ONE, 5: {"wagers": {"blackjack": "$25"}, "cards": "7s 6c 8d", "acted": "hit, stand"}}))
    rack = bytearray(played.rack)
    rack[0], rack[2] = rack[2], rack[0]
    played.rack = bytes(rack)
    assert {"DEAL-302"} <= codes(played)


def test_a_card_that_is_missing_from_the_rack_is_told() -> None:
    played = row_of(case(ONE))
    played.rack = played.rack[1:]
    assert "CARD-311" in codes(played)


def test_a_player_dealer_at_no_seat_leaves_no_button_to_count() -> None:
    played = row_of(case({3: {"wagers": {"blackjack": "$500"}, "cards": "Ts 9d", "acted": "stand"}}, dealer="Th 8h"))
    played.fixed["bank_seat"] = 9
    played.fixed["bank_posted_cents"] = 100
    audited = audit(played)
    assert audited.by_filing[0].checked.no_rule[0].startswith("seat 9 has the bank, and the table has 8 seats")


def test_a_case_that_expects_otherwise_does_not_hold() -> None:
    wrong = case(ONE, expect={3: {"blackjack": {"outcome": "win"}}})
    assert check_case(wrong) == ["seat 3, blackjack: push, the case expects win"]
    batch, _ = audit_case(wrong)
    assert np.array_equal(batch.rack.counts, [4])
