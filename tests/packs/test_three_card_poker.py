"""Three Card Poker 6 Card Bonus held against a slow game that reads the text sentence by sentence."""

from __future__ import annotations

import random
import re
from itertools import combinations

import numpy as np
import pytest

from replay.audit import audit_or_raise
from replay.filing import PackError, file_under, filing_problem, load_pack
from replay.packs.ca.three_card_poker_6_card_bonus.v1.rules import LAW, button_seat
from replay.rounds import ACTION_CODE, OUTCOME_CODE, PAYER_CODE, Fact, FactRow, RoundFlag, batch_of
from schemas.cards import codes_of, name_of
from schemas.events import Action, Outcome, Payer
from schemas.findings import LIKELY, Verdict
from tests.packs import three_card_slow as slow
from tests.packs.three_card_table import PACK, Table, at_random

DRIVEN = 300


def a_round(**changes: object) -> Table:
    """Two players against seat 1's queen-high; the deuce puts the button at seat 3."""
    hands = {1: ("Qs", "7d", "2c"), 3: ("Kh", "9s", "4d"), 5: ("Th", "8d", "6s")}
    bettors = {
        3: [slow.Bettor("", {"ante": 1000, "play": 1000, "pair_plus": 500})],
        5: [slow.Bettor("", {"ante": 1000, "play": 1000})],
    }
    return Table(slow.Round(1, hands, bettors, 10_000), **changes)  # type: ignore[arg-type]


# ---- rounds at random ----------------------------------------------------------------------------------------------


def assert_as_the_text_gives(seed: int, count: int) -> None:
    rng = random.Random(seed)
    tables = [at_random(rng) for _ in range(count)]
    audited = audit_or_raise(batch_of([table.row() for table in tables]))
    found: dict[int, dict[tuple[int, str, str], slow.Result]] = {}
    for filed in audited.by_filing:
        lines = filed.checked.lines
        names = filed.batch.names
        for at in range(len(lines)):
            row = int(filed.rows[lines.row[at]])
            if lines.kind[at] == Fact.SETTLED:
                key = int(lines.seat[at]), names[lines.bettor[at]], names[lines.wager[at]]
                found.setdefault(row, {})[key] = (
                    OUTCOMES[int(lines.outcome[at])],
                    int(lines.paid[at]),
                    int(lines.taken[at]),
                )
            else:
                assert int(lines.paid[at]) == tables[row].fee
    for row, table in enumerate(tables):
        assert audited.verdicts[row] == list(Verdict).index(Verdict.VERIFIED), audited.findings
        assert found[row] == table.settled, (seed, row)
    assert audited.findings == []


OUTCOMES = [str(outcome) for outcome in Outcome]


def test_rounds_come_to_what_a_reading_of_the_text_gives() -> None:
    """Wagers, decisions, covers, buttons, decks and devices at random: every line and fee, and no finding."""
    assert_as_the_text_gives(1, DRIVEN)


@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.exhaustive
def test_many_more_rounds_come_to_what_a_reading_of_the_text_gives(seed: int) -> None:
    assert_as_the_text_gives(seed, 3000)


# ---- hands ---------------------------------------------------------------------------------------------------------


def test_every_pair_of_ranks_compares_as_the_text_says() -> None:
    """Every hand of one deck with its suits renamed as they come, against a few hundred others."""
    threes = [tuple(name_of(code) for code in three) for three in combinations(range(52), 3)][::37]
    codes = np.array([list(codes_of(list(three))) for three in threes], np.uint8)
    strengths = LAW.strength(codes)
    ranks = [slow.rank_of_three(three) for three in threes]
    assert LAW.qualifies(strengths).tolist() == [slow.qualifies(three) for three in threes]
    for one in range(0, len(threes), 5):
        assert LAW.beats(strengths[one : one + 1], strengths).tolist() == [ranks[one] > rank for rank in ranks]


@pytest.mark.parametrize("bank", range(1, 9))
def test_the_button_of_every_card_and_player_dealer(bank: int) -> None:
    cards = np.arange(52, dtype=np.uint8)
    seats = button_seat(cards, np.full(52, bank), 8).tolist()
    assert seats == [slow.button(name_of(card), bank) for card in cards.tolist()]


# ---- what is wrong with wagers -------------------------------------------------------------------------------------


def test_a_ninth_seat_is_none() -> None:
    table = a_round()
    table.extra = [_placed(9, "ante", 1000, 20), _placed(9, "play", 1000, 130)]
    codes = table.found()
    assert "WAGER-504" in codes and codes["WAGER-504"][0].seat == 9


def test_the_eighth_seat_is_one() -> None:
    hands: dict[int, slow.Hand] = {1: ("Qs", "7d", "2c"), 8: ("Kh", "9s", "4d")}
    bettors = {8: [slow.Bettor("", {"ante": 1000, "play": 1000})]}
    assert Table(slow.Round(1, hands, bettors, 10_000)).judged() == (Verdict.VERIFIED, [])


def test_a_seventh_deck_is_refused() -> None:
    with pytest.raises(PackError, match="decks: 7 is not between 1 and 6"):
        file_under(load_pack(PACK), "1.0", {"decks": 7})
    assert filing_problem(file_under(load_pack(PACK), "1.0", {"decks": 6})) is None


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"table_maximum_cents": 10_001}, "a table maximum of \\$100.01 is outside the \\$5.00 to \\$100.00"),
        ({"schedule": "california_games_1", "table_maximum_cents": 49_900}, "outside the \\$500.00 to \\$1,500.00"),
        ({"schedule": "california_games_1", "table_minimum_cents": 2600}, "outside the \\$5.00 to \\$25.00"),
        ({"table_minimum_cents": 5000, "table_maximum_cents": 4000}, "is above"),
    ],
)
def test_limits_outside_what_is_printed_with_the_schedule_are_refused(options: dict[str, int], says: str) -> None:
    problem = filing_problem(file_under(load_pack(PACK), "1.0", options))
    assert problem is not None and re.search(says, problem)


def test_a_pair_plus_without_an_ante_is_a_breach_and_no_rule_settles_it() -> None:
    table = a_round()
    table.extra = [_placed(3, "pair_plus", 500, 20, "b-1")]
    verdict, findings = table.judged()
    assert [finding.code for finding in findings] == ["WAGER-503", "SETTLE-103"] or [
        finding.code for finding in findings
    ] == ["WAGER-503"]
    assert verdict is not Verdict.VERIFIED


def test_a_fold_before_the_play_wager_counts_and_the_play_goes_back() -> None:
    table = a_round()
    table.played.bettors[3][0].wagers.pop("play")
    table = Table(table.played)
    table.extra = [_placed(3, "play", 1000, 170), _returned(3, "play", 800)]
    assert list(table.found()) == ["WAGER-508"]
    assert "folded and then played" in table.found()["WAGER-508"][0].sentence


def test_a_play_wager_that_no_device_saw_but_was_settled_was_made() -> None:
    """The hand is not taken for a folded one: all there is to say is that nobody was reported to make that wager."""
    table = a_round()
    table.unplaced = {(3, "", "play")}
    found = table.found()
    assert list(found) == ["SETTLE-104"] and {one.wager for one in found["SETTLE-104"]} == {"play"}
    folded = a_round()
    folded.unplaced = {(3, "", "play")}
    folded.extra = [FactRow(Fact.ACTION, 170, 3, code=ACTION_CODE[Action.FOLD])]
    assert "SETTLE-102" in folded.found(), "somebody saw the fold"


@pytest.mark.parametrize("dealt", [True, False])
def test_a_close_of_betting_that_no_device_reported_makes_no_fee_early(dealt: bool) -> None:
    """Play wagers come after the deal and do not count towards a fee taken before it (R-41)."""
    table = a_round()
    table.fixed["bets_closed_seq"] = -1
    if not dealt:
        table.cards_dealt = []
    assert "FEE-907" not in table.found()


def test_a_play_wager_before_the_deal_is_out_of_turn() -> None:
    table = a_round()
    table.unplaced = {(3, "", "play")}
    table.extra = [_placed(3, "play", 1000, 50)]
    found = table.found()
    assert list(found) == ["WAGER-508"] and "before the player had any cards" in found["WAGER-508"][0].sentence


def test_a_play_wager_after_the_player_dealers_cards_were_shown_is_out_of_turn() -> None:
    table = a_round()
    table.unplaced = {(3, "", "play")}
    table.extra = [_placed(3, "play", 1000, 250)]
    found = table.found()
    assert (
        list(found) == ["WAGER-508"] and "after the player-dealer's cards were shown" in found["WAGER-508"][0].sentence
    )


@pytest.mark.parametrize(("cents", "codes"), [(1000, []), (999, ["WAGER-502"]), (1001, ["WAGER-502"])])
def test_a_play_wager_is_as_much_as_the_ante(cents: int, codes: list[str]) -> None:
    table = a_round()
    table.played.bettors[3][0].wagers["play"] = cents
    assert list(Table(table.played).found()) == codes


def test_the_ante_of_a_backline_bettor_is_what_the_own_play_wager_is_held_against() -> None:
    table = a_round()
    table.played.bettors[3].append(slow.Bettor("b-1", {"ante": 500, "play": 1000}))
    found = Table(table.played).found()
    assert list(found) == ["WAGER-502"]
    assert (found["WAGER-502"][0].bettor, found["WAGER-502"][0].expected_cents) == ("b-1", 500)


def _placed(seat: int, wager: str, cents: int, seq: int, bettor: str = "") -> FactRow:
    return FactRow(Fact.WAGER_PLACED, seq, seat, bettor, wager, amount=cents)


def _returned(seat: int, wager: str, seq: int) -> FactRow:
    return FactRow(Fact.SETTLED, seq, seat, "", wager, code=OUTCOME_CODE[Outcome.NO_ACTION])


# ---- the bank, the button and the fee ------------------------------------------------------------------------------


def test_a_player_dealer_who_posted_nothing_moves_nothing() -> None:
    played = a_round().played
    played.posted = 0
    table = Table(played)
    assert {outcome for outcome, _, _ in table.settled.values()} == {"no_action"}
    found = table.found()
    assert list(found) == ["BANK-804"] and "nothing posted for wagers of $45.00" in found["BANK-804"][0].sentence


def test_nobody_known_to_be_player_dealer_leaves_the_round_open() -> None:
    table = a_round()
    table.fixed = {"bank_seat": -1}
    verdict, _ = table.judged()
    assert verdict is Verdict.CANNOT_TELL


@pytest.mark.parametrize(("seat", "codes"), [(3, []), (2, ["BUTTON-802"]), (8, ["BUTTON-802"])])
def test_a_button_on_another_seat_than_the_card_counts_to(seat: int, codes: list[str]) -> None:
    """Nobody sits at seats 2 and 8. The cover reaches, so no wager depends on it; the rack is filled from there."""
    table = a_round()
    table.button = seat
    assert list(table.found()) == codes


def test_a_button_on_an_empty_seat_is_right_where_the_card_counts_to_it() -> None:
    table = a_round()
    table.played.hands[1] = ("Qs", "7d", "3c")  # seat 4, where nobody sits: seat 5 is first
    assert Table(table.played).judged() == (Verdict.VERIFIED, [])


def test_a_button_put_down_by_another_card() -> None:
    table = a_round()
    table.button_card, table.button = "7d", slow.button("7d", 1)
    assert list(table.found()) == ["BUTTON-805"]


def test_cover_that_runs_out_is_settled_from_the_right_seat() -> None:
    played = a_round().played
    played.posted = 2500
    table = Table(played)
    assert table.judged() == (Verdict.VERIFIED, [])
    table.button_said = False
    assert list(table.found()) == ["BUTTON-802"]


def test_cover_that_runs_out_settled_from_another_seat_is_the_buttons_fault() -> None:
    """Seat 5 loses 20.00 first, and 5.00 are left for seat 3, which should have been first."""
    played = a_round().played
    played.posted = 2500
    table = Table(played)
    table.button = 5
    table.settled = {
        (5, "", "ante"): ("lose", 0, 1000),
        (5, "", "play"): ("lose", 0, 1000),
        (3, "", "ante"): ("win", 500, 0),
        (3, "", "play"): ("no_action", 0, 0),
        (3, "", "pair_plus"): ("no_action", 0, 0),
    }
    assert set(table.found()) == {"BUTTON-802"}


@pytest.mark.parametrize(("taken", "codes"), [(700, ["RACK-322"]), (1000, ["COVER-801", "RACK-322"])])
def test_what_folds_lost_is_limited_by_the_cover_though_no_card_is_known(taken: int, codes: list[str]) -> None:
    """Money already lost comes first (R-39), whatever the cards and wherever the button: of the $7.00 posted nothing is
    left for the others."""
    played = a_round().played
    played.posted = 700
    played.bettors[5] = [slow.Bettor("", {"ante": 1000, "pair_plus": 500})]
    table = Table(played, racked=False, dealt=False, shown=False, button_said=False)
    assert table.settled[5, "", "ante"] == ("lose", 0, 700)
    assert table.settled[5, "", "pair_plus"] == ("no_action", 0, 0)
    table.settled[5, "", "ante"] = ("lose", 0, taken)
    assert sorted(table.found()) == codes


def test_where_nothing_says_which_card_came_last_the_button_may_lie_at_any_that_counts() -> None:
    """No deal, no card turned up, no card named with the button, and the cover runs out."""
    played = a_round().played
    played.posted = 2500
    table = Table(played, dealt=False, card_said=False)
    assert table.judged() == (Verdict.VERIFIED, [])
    table.button = 4  # none of the player-dealer's queen, seven and deuce counts to it
    table.settled = slow.settle(played)
    found = table.found()
    assert (
        "nobody read which card is the player-dealer's third; 2c, if it is that, counts 2 from the house dealer's left"
        in (found["BUTTON-802"][0].sentence)
    )


@pytest.mark.parametrize(
    ("schedule", "seq", "codes"),
    [
        ("own_1", 99, []),
        ("own_1", 112, ["FEE-904"]),  # cards were dealt
        ("california_games_1", 190, []),
        ("california_games_1", 121, ["FEE-904"]),  # a play wager is still to come
        ("california_games_1", 205, ["FEE-904"]),  # the player-dealer's cards were exposed
    ],
)
def test_when_the_fee_is_taken(schedule: str, seq: int, codes: list[str]) -> None:
    table = a_round()
    table.played.schedule = schedule
    table = Table(table.played, turned_up=True)
    fee = FactRow(Fact.COLLECTION, seq, 1, choice="table", code=PAYER_CODE[Payer.PLAYER_DEALER], amount=table.fee)
    table.fee, table.extra = 0, [fee]
    assert list(table.found()) == codes


# ---- cards ---------------------------------------------------------------------------------------------------------


def test_two_hands_in_swapped_order_are_told_and_settled_as_dealt() -> None:
    table = a_round()
    table.picked_up = [table.played.hands[5], table.played.hands[3], table.played.hands[1]]
    verdict, findings = table.judged()
    assert [finding.code for finding in findings] == ["RACK-324"]
    assert verdict is Verdict.DIFFERS


def test_two_hands_in_swapped_order_with_no_deal_beside_them() -> None:
    """Hands shown and settlements say whose they were."""
    table = a_round(dealt=False)
    table.picked_up = [table.played.hands[5], table.played.hands[3], table.played.hands[1]]
    assert [finding.code for finding in table.judged()[1]] == ["RACK-324"]


def test_a_hand_of_four_cards_is_a_misdeal() -> None:
    table = a_round(places_seen=True)
    table.cards_dealt = [*table.deal(), ("Ac", 5)]
    codes = table.found()
    assert "DEAL-301" in codes and "seat 5 got 4 cards instead of 3" in codes["DEAL-301"][0].sentence


def test_a_card_that_changed_hands_between_deal_and_rack() -> None:
    table = a_round()
    table.cards_dealt = [(_exchanged(card, "Kh", "Th"), seat) for card, seat in table.deal()]
    assert list(table.found()) == ["DEAL-302"]


def _exchanged(card: str, one: str, other: str) -> str:
    return {one: other, other: one}.get(card, card)


def test_the_deal_may_go_the_other_way_round_only_as_a_finding() -> None:
    table = a_round()
    first, second, bank = (table.played.hands[seat] for seat in (3, 5, 1))
    table.cards_dealt = [(card, 0) for card in (*second, *first, *bank)]
    found = table.found()
    assert list(found) == ["DEAL-305"] and found["DEAL-305"][0].confidence == LIKELY
    assert "or two hands changed places after the deal" in found["DEAL-305"][0].sentence


def test_a_hand_shown_with_a_card_it_does_not_have() -> None:
    table = a_round()
    table.shown_as = {3: ("Kh", "9s", "5d")}
    assert list(table.found()) == ["RACK-323"]


@pytest.mark.parametrize("decks", [1, 2, 6])
def test_a_card_that_is_missing_from_the_rack(decks: int) -> None:
    table = a_round(decks=decks)
    rack = table.rack()
    table.rack = lambda: [card for at, card in enumerate(rack) if at != 3]  # type: ignore[method-assign]
    found = table.found()
    assert list(found) == ["CARD-311"]
    assert f"the rack holds {52 * decks - 1} of {52 * decks} cards" in found["CARD-311"][0].sentence


def test_a_card_in_the_rack_more_often_than_there_are_decks() -> None:
    table = a_round(decks=2)
    rack = table.rack()
    rack[0] = "Ah"
    table.rack = lambda: rack  # type: ignore[method-assign]
    found = table.found()
    assert list(found) == ["CARD-312"] and "there are 2 of each card in play, but Ah is there 3 times" in (
        found["CARD-312"][0].sentence
    )


def test_a_rack_alone_with_no_word_of_the_button_is_read_by_the_player_dealers_cards() -> None:
    """The seats its cards count to: queen 5, seven 8, deuce 3. From 3 and from 8 on seat 3 is before seat 5."""
    table = a_round(dealt=False, shown=False, button_said=False)
    assert table.judged() == (Verdict.VERIFIED, [])


@pytest.mark.parametrize(
    ("fact", "code"),
    [
        (FactRow(Fact.NOT_SHUFFLED, 1), "EQUIP-959"),
        (FactRow(Fact.HAND_SHUFFLED, 1, choice="shuffler"), "EQUIP-957"),
        (FactRow(Fact.NOT_RESHUFFLED, 1, choice="jam"), "EQUIP-954"),
    ],
)
def test_cards_that_the_machine_did_not_shuffle(fact: FactRow, code: str) -> None:
    table = a_round()
    table.extra, table.context_known = [fact], True
    assert list(table.found()) == [code]


def test_a_voided_round_gives_everything_back() -> None:
    table = a_round()
    table.settled = dict.fromkeys(table.settled, ("void", 0, 0))
    table.extra, table.flags = [FactRow(Fact.VOIDED, 195, 0, choice="misdeal")], RoundFlag.VOIDED
    verdict, _ = table.judged()
    assert verdict is Verdict.VOID


# ---- racks filled out of order, at random --------------------------------------------------------------------------


def slipped(rng: random.Random, slip: str, dealt: bool, shown: bool) -> Table:
    """A round whose rack was not filled as the procedure says: two hands swapped, or one out of its turn."""
    while True:
        table = at_random(rng)
        table.racked, table.places_seen, table.turned_up = True, False, False
        table.dealt, table.shown = dealt, shown
        packets = table.packets()
        first = sum(table.out(seat) for seat in table.played.hands if seat != table.played.bank)
        settled = range(first, len(packets) - 1)
        if len(settled) < 3:
            continue
        one, other = rng.sample(settled, 2)
        if slip == "swapped":
            packets[one], packets[other] = packets[other], packets[one]
        else:
            packets.insert(other, packets.pop(one))
        if [sorted(packet) for packet in packets] != [sorted(packet) for packet in table.packets()]:
            table.picked_up = packets
            return table


@pytest.mark.parametrize("slip", ["swapped", "out of turn"])
def test_hands_out_of_order_beside_the_deal_are_told_as_that_and_nobody_is_said_to_have_settled_wrong(
    slip: str,
) -> None:
    rng = random.Random(slip)
    for _ in range(40):
        found = slipped(rng, slip, dealt=True, shown=True).found()
        assert found and set(found) <= {"RACK-321", "RACK-324", "RACK-325"}


def test_hands_out_of_order_with_nothing_beside_the_rack_are_never_a_wrong_settlement_for_certain() -> None:
    """From one to six decks: swapped hands may look like wagers settled wrong, and no more than that."""
    rng = random.Random(4)
    decks = set()
    for _ in range(40):
        table = slipped(rng, "swapped", dealt=False, shown=False)
        decks.add(table.decks)
        for finding in table.judged()[1]:
            assert finding.code.startswith("RACK-") or finding.confidence <= 0.9, finding.sentence
    assert decks >= {1, 2, 6}


def test_many_readings_of_a_round_whose_cover_runs_out_take_no_more_room_than_there_are() -> None:
    """Each reading's hands are settled from three seats: the lines of all of them together stay a few thousand."""
    table = slipped(random.Random(1), "swapped", dealt=False, shown=False)
    table.card_said, table.played.posted = False, 1500
    table = Table(table.played, table.decks, dealt=False, shown=False, card_said=False)
    table.picked_up = [*table.packets()[1:-1], table.packets()[0], table.packets()[-1]]
    audited = audit_or_raise(batch_of([table.row()] * 8))
    assert all(len(filed.checked.lines.ways) < 10_000 for filed in audited.by_filing)
