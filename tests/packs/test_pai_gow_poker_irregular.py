"""Massachusetts Pai Gow Poker when something is wrong: with the start, the deal, the cards, the rack or the wagers."""

from __future__ import annotations

import random

import numpy as np
import pytest

from replay.cards.solver.confidence import CONFIDENT
from replay.game import Checked
from replay.remarks import Remark
from replay.rounds import (
    ACTION_CODE,
    GAME_START,
    OUTCOMES,
    START_METHOD_CODE,
    Fact,
    FactRow,
    RoundFlag,
    RoundRow,
    ShownRow,
)
from schemas.cards import code_of, codes_of, name_of
from schemas.events import Action, StartMethod
from schemas.findings import CERTAIN, LIKELY, POSSIBLE
from tests.packs.pai_gow_poker_checked import agrees, codes, run
from tests.packs.pai_gow_poker_table import Bets, Played, deal_order, play, row_of

FOUR_SEATS = {1: Bets(2500), 2: Bets(1000), 4: Bets(1000), 6: Bets(5000)}
STAKES = "$95.00 was at stake"


def played(seed: int = 1, bets: dict[int, Bets] | None = None, method: str = "manual_shoe") -> Played:
    return play(random.Random(seed), method, bets=FOUR_SEATS if bets is None else bets, foul_share=0.0)


def only(checked: Checked) -> Remark:
    assert len(checked.remarks) == 1, [(r.code, r.sentence) for r in checked.remarks]
    return checked.remarks[0]


def packet(rack: bytes, number: int) -> slice:
    """Where the packet of seven with this number lies."""
    return slice(4 + 7 * number, 11 + 7 * number)


def swapped(rack: bytes, one: int, other: int) -> bytes:
    changed = bytearray(rack)
    changed[packet(rack, one)], changed[packet(rack, other)] = rack[packet(rack, other)], rack[packet(rack, one)]
    return bytes(changed)


# packets of FOUR_SEATS: seats 3 and 5 without a wager, then 1, 2, 4, 6, then the dealer
SEAT_1, SEAT_2, SEAT_4, SEAT_6, DEALER = 2, 3, 4, 5, 6


# ---- start ---------------------------------------------------------------------------------------------------------


def test_another_place_announced_than_the_dice_say() -> None:
    row = row_of(played(), deal_read=False)
    row.fixed.update(start_number=14, start_place=5)  # MA-PGP §8c(b)(3)(ii): 14 is the sixth position
    remark = only(run([row])[1])
    assert remark.code == "START-201"
    assert "the dice total 14, which makes seat 6 the starting position; seat 5 was announced" in remark.sentence
    assert STAKES in remark.sentence
    assert remark.evidence == (row.fixed["start_seq"],)


@pytest.mark.parametrize(("total", "place"), [(3, 2), (7, 6), (8, 0), (14, 6), (15, 0), (18, 3)])
def test_dice_totals_and_their_places(total: int, place: int) -> None:
    row = row_of(played(), deal_read=False)
    row.fixed.update(start_number=total, start_place=place)
    assert run([row])[1].remarks == []
    row.fixed.update(start_place=(place + 1) % 7)
    assert codes(run([row])[1]) == ["START-201"]


def test_dealt_from_another_place_than_announced_and_due() -> None:
    hand = played()
    row = row_of(hand)
    wrong = (hand.start + 3) % 7
    as_lists = {place: list(cards) for place, cards in hand.hands.items()}
    row.dealt = codes_of(deal_order(as_lists, "manual_shoe", wrong, []))
    batch, checked = run([row])
    remark = only(checked)
    assert remark.code == "START-201"
    assert "was announced, but the cards were dealt from" in remark.sentence
    assert agrees(batch, checked.lines, 0, hand, set())


def test_announced_wrongly_but_dealt_from_the_right_place_is_no_dead_hand() -> None:
    row = row_of(played())
    row.fixed["start_place"] = (row.fixed["start_place"] + 1) % 7
    assert run([row])[1].remarks == []


def test_a_wrong_start_that_was_voided_is_answered() -> None:
    row = row_of(played(), deal_read=False)
    row.fixed["start_place"] = (row.fixed["start_place"] + 1) % 7
    row.fixed["flags"] |= RoundFlag.VOIDED
    row.facts.append(FactRow(Fact.VOIDED, 90, choice="wrong_start"))
    _, checked = run([row])
    assert checked.remarks == []
    assert checked.left_open == {}
    assert len(checked.lines) == 4
    void = [outcome.value for number, outcome in enumerate(OUTCOMES) if checked.lines.possible[0] >> number & 1]
    assert void == ["push", "no_action", "void"]
    assert not checked.lines.paid.any() and not checked.lines.taken.any()


def test_the_button_moves_one_place_clockwise() -> None:
    row = row_of(played(), deal_read=False)
    row.fixed.update(start_method=START_METHOD_CODE[StartMethod.BUTTON], start_number=-1)
    options = {"dealing": "automated_shoe", "starting": "button"}
    for previous, place, wrong in [(0, 6, False), (6, 5, False), (1, 0, False), (0, 1, True), (3, 3, True)]:
        row.fixed.update(previous_button=previous, start_place=place)
        assert codes(run([row], **options)[1]) == (["START-201"] if wrong else [])
    row.fixed.update(previous_button=GAME_START, start_place=0)
    assert codes(run([row], **options)[1]) == []
    row.fixed.update(previous_button=GAME_START, start_place=6)
    assert codes(run([row], **options)[1]) == ["START-201"], "§8c(d): play commences at the dealer"
    row.fixed.update(previous_button=-1, start_place=3)  # unknown: nothing to hold it against
    assert codes(run([row], **options)[1]) == []
    row.fixed.update(previous_button=0, flags=int(RoundFlag.CONTEXT_UNKNOWN))
    assert codes(run([row], **options)[1]) == []


def test_a_random_number_counts_like_the_dice() -> None:
    row = row_of(played(), deal_read=False)
    row.fixed.update(start_method=START_METHOD_CODE[StartMethod.RNG], start_number=7, start_place=6)
    assert codes(run([row], starting="rng")[1]) == []
    row.fixed.update(start_place=0)
    assert codes(run([row], starting="rng")[1]) == ["START-201"]


# ---- deal ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [3, 5])
def test_a_wrong_stub_played_on(count: int) -> None:
    hand = played()
    row = row_of(hand)
    row.fixed["stub_count"] = count
    row.rack = row.rack[:-1]  # whatever the rack holds now says nothing about hands
    batch, checked = run([row])
    remark = only(checked)
    assert remark.code == "DEAL-301"
    assert f"{count} cards were left after the deal instead of 4" in remark.sentence
    assert STAKES in remark.sentence
    assert agrees(batch, checked.lines, 0, hand, set()), "settled by the hands shown"


def test_a_wrong_stub_with_nothing_shown_cannot_be_told() -> None:
    row = row_of(played(), shown=set())
    row.fixed["stub_count"] = 5
    _, checked = run([row])
    assert list(checked.left_open) == [0]


def test_a_hand_seen_dealt_eight_cards() -> None:
    hand = played()
    row = row_of(hand)
    ring = [(hand.start - turn) % 7 for turn in range(7)]
    row.dealt_place = ring * 7
    assert run([row])[1].remarks == [], "places as they should be"
    row.dealt_place[7 * 3] = row.dealt_place[7 * 3 + 1]
    remark = only(run([row])[1])
    assert remark.code == "DEAL-301"
    assert "got 8 cards" in remark.sentence and "got 6 cards" in remark.sentence


def test_one_boxed_card_is_set_aside_and_two_are_a_void() -> None:
    row = row_of(played())
    row.fixed["stub_count"] = 3  # the fourth is the boxed card
    row.facts.append(FactRow(Fact.BOXED, 91, card=row.rack[0]))
    assert run([row])[1].remarks == []
    row.fixed["stub_count"] = 4
    row.facts.append(FactRow(Fact.BOXED, 92, card=row.rack[1]))
    remark = only(run([row])[1])
    assert remark.code == "DEAL-304"
    assert remark.sentence.startswith("2 cards were found face up in the shoe")
    assert remark.evidence == (91, 92)


@pytest.mark.parametrize(
    ("fact", "dealing", "found"),
    [
        (FactRow(Fact.EXPOSED, 91, 0, choice="deal"), "manual_shoe", ["DEAL-304"]),
        (FactRow(Fact.EXPOSED, 91, 3, choice="deal"), "manual_shoe", []),  # §11(d): the player's option
        (FactRow(Fact.EXPOSED, 91, 3, choice="stacks"), "hand", ["DEAL-304"]),
        (FactRow(Fact.FAULT, 91, choice="jam", wager="shoe"), "automated_shoe", ["DEAL-304"]),
        (FactRow(Fact.FAULT, 91, choice="jam", wager="shuffler"), "automated_shoe", []),  # §11(m): reshuffled
        (FactRow(Fact.NOT_RESHUFFLED, 1, choice="jam"), "automated_shoe", ["EQUIP-954"]),  # §11(m): and dealt
    ],
)
def test_irregularities_that_call_for_a_void(fact: FactRow, dealing: str, found: list[str]) -> None:
    row = row_of(played(method=dealing))
    row.facts.append(fact)
    assert codes(run([row], dealing=dealing)[1]) == found
    row.facts.append(FactRow(Fact.VOIDED, 92, choice="exposed_card"))
    assert codes(run([row], dealing=dealing)[1]) == []


def test_a_card_that_changed_hands() -> None:
    hand = played()
    row = row_of(hand, shown={0})
    rack = bytearray(row.rack)
    mine, theirs = 4 + 7 * SEAT_1 + 6, 4 + 7 * SEAT_4 + 6
    rack[mine], rack[theirs] = rack[theirs], rack[mine]
    row.rack = bytes(rack)
    remark = only(run([row])[1])
    assert remark.code == "DEAL-302"
    gone, come = hand.settings[1][1][4], hand.settings[4][1][4]
    assert f"{gone} was dealt to seat 1 and lies with seat 4" in remark.sentence
    assert f"{come} was dealt to seat 4 and lies with seat 1" in remark.sentence
    assert remark.confidence == CERTAIN


def test_a_card_mixed_up_only_when_picked_up() -> None:
    """Deal and hands shown agree, the rack does not: no card changed hands before it counted."""
    hand = played()
    row = row_of(hand)
    rack = bytearray(row.rack)
    mine, theirs = 4 + 7 * SEAT_1 + 6, 4 + 7 * SEAT_4 + 6
    rack[mine], rack[theirs] = rack[theirs], rack[mine]
    row.rack = bytes(rack)
    row.shown = [shown for shown in row.shown if shown.place in (1, 4)]  # the others' settings are in the rack
    batch, checked = run([row])
    remark = only(checked)
    assert remark.code == "RACK-321"
    assert "the hands were shown as dealt: the cards were mixed up when they were picked up" in remark.sentence
    assert remark.sentence.endswith("settled by the hands as dealt or shown")
    assert agrees(batch, checked.lines, 0, hand, set())


def test_a_rack_swept_together_accuses_nobody() -> None:
    hand = played()
    row = row_of(hand)
    row.rack = bytes(random.Random(3).sample(row.rack, 53))
    batch, checked = run([row])
    remark = only(checked)
    assert remark.code == "RACK-321"
    assert "of 49 cards lie in other hands than they were dealt to" in remark.sentence
    assert agrees(batch, checked.lines, 0, hand, set()), "settled by deal and hands shown"
    row.dealt, row.dealt_place, row.dealt_to = b"", [], b""
    batch, checked = run([row])
    remark = only(checked)
    assert remark.code == "RACK-321"
    assert "5 of the 5 hands shown are not where the rack has them" in remark.sentence
    assert agrees(batch, checked.lines, 0, hand, set()), "settled by the hands shown"


def test_a_deal_that_neither_rack_nor_hands_shown_bear_out() -> None:
    hand = played()
    row = row_of(hand)
    row.dealt = bytes(random.Random(3).sample(row.dealt, 49))
    batch, checked = run([row])
    remark = only(checked)
    assert remark.code == "DEAL-302"
    assert "settled by the hands in the rack" in remark.sentence
    assert agrees(batch, checked.lines, 0, hand, set())


def test_a_card_exchanged_with_the_stub() -> None:
    hand = played()
    row = row_of(hand, shown={0})
    rack = bytearray(row.rack)
    rack[0], rack[4 + 7 * SEAT_1 + 6] = rack[4 + 7 * SEAT_1 + 6], rack[0]
    row.rack = bytes(rack)
    remark = only(run([row])[1])
    assert (remark.code, remark.seat) == ("DEAL-308", 1)
    gone, came = hand.settings[1][1][4], hand.rack[0]
    assert f"{gone} was dealt to seat 1 and lies among the cards nobody played" in remark.sentence
    assert f"{came} lies with seat 1 and was left over when the cards were dealt" in remark.sentence


# ---- the rack ------------------------------------------------------------------------------------------------------


def test_hands_picked_up_in_another_order_with_deal_and_hands_shown() -> None:
    hand = played()
    row = row_of(hand)
    row.rack = swapped(row.rack, SEAT_1, SEAT_2)
    batch, checked = run([row])
    remark = only(checked)
    assert remark.code == "RACK-324"
    assert "seat 1's hand and seat 2's hand were picked up in swapped order" in remark.sentence
    assert remark.confidence > 0.999
    assert checked.alternatives == {}
    assert agrees(batch, checked.lines, 0, hand, set())


def test_hands_in_another_order_than_dealt_with_nothing_shown_may_have_changed_places() -> None:
    """A slip of the hand is far likelier, and is what the round is settled by; the finding says what else it may be."""
    hand = played(3)
    row = row_of(hand, shown=set())
    row.rack = swapped(row.rack, SEAT_1, SEAT_2)
    batch, checked = run([row])
    remark = only(checked)
    assert remark.code == "RACK-324"
    assert CONFIDENT < remark.confidence < CERTAIN
    assert remark.sentence.endswith("although the deal gives seat 1's hand and seat 2's hand other cards")
    assert agrees(batch, checked.lines, 0, hand, set())


def test_hands_that_changed_places_after_the_deal() -> None:
    """Rack and hands shown agree, the deal does not: the hands were exchanged."""
    hand = played()
    row = row_of(hand)
    one, two = hand.hands[1], hand.hands[2]
    as_lists = {place: list(cards) for place, cards in {**hand.hands, 1: two, 2: one}.items()}
    row.dealt = codes_of(deal_order(as_lists, "manual_shoe", hand.start, []))
    batch, checked = run([row])
    remark = only(checked)
    assert remark.code == "DEAL-306"
    assert "were delivered to other places than the deal gives, or changed places after it" in remark.sentence
    assert "the hand dealt for seat 2 was played at seat 1" in remark.sentence
    assert agrees(batch, checked.lines, 0, hand, set())


def test_hands_picked_up_in_another_order_by_hands_shown_alone() -> None:
    hand = played()
    row = row_of(hand, deal_read=False)
    row.rack = swapped(row.rack, SEAT_1, SEAT_2)
    batch, checked = run([row])
    assert only(checked).code == "RACK-324"
    assert agrees(batch, checked.lines, 0, hand, set())


def premium_round() -> tuple[Played, RoundRow]:
    """A round with a Fortune wager where seat 1 alone holds a premium hand, so its packet is the last but one."""
    rng = random.Random(5)
    while True:
        hand = play(rng, bets={1: Bets(1000, 500), 2: Bets(1000), 4: Bets(1000)}, rich=True, foul_share=0.0)
        if {seat for _, seat in hand.envy} == set() and hand.lines[1, "fortune"][1] >= 25 * 500:
            return hand, row_of(hand)


def test_a_premium_hand_not_left_on_the_table() -> None:
    hand, row = premium_round()
    row.rack = swapped(swapped(row.rack, 3, 5), 4, 5)  # 2, 4, 1 becomes 1, 2, 4
    batch, checked = run([row])
    remark = only(checked)
    assert remark.code == "RACK-321"
    assert "a hand of four of a kind or better lies before one that is not" in remark.sentence
    assert agrees(batch, checked.lines, 0, hand, set())
    row.dealt, row.dealt_place, row.dealt_to = b"", [], b""
    batch, checked = run([row])
    assert only(checked).code == "RACK-321"
    assert agrees(batch, checked.lines, 0, hand, set()), "settled by the hands shown"
    row.shown = []
    _, checked = run([row])
    assert only(checked).code == "RACK-321"
    assert list(checked.left_open) == [0]


def test_a_missing_a_duplicate_and_a_foreign_card() -> None:
    hand = played()
    missing = row_of(hand)
    gone = missing.rack[20]
    missing.rack = missing.rack[:20] + missing.rack[21:]
    duplicate = row_of(hand)
    duplicate.rack = duplicate.rack[:20] + duplicate.rack[30:31] + duplicate.rack[21:]
    foreign = row_of(hand)
    foreign.rack = foreign.rack + bytes([code_of("X2")])
    batch, checked = run([missing, duplicate, foreign])
    assert codes(checked, 0) == ["CARD-311"]
    assert codes(checked, 1) == ["CARD-312"]
    assert codes(checked, 2) == ["CARD-313"]
    sentences = [remark.sentence for remark in checked.remarks]
    assert "the rack holds 52 of 53 cards" in sentences[0]
    place = next(place for place, cards in hand.hands.items() if name_of(gone) in cards)
    assert f"missing: {name_of(gone)}, dealt to {f'seat {place}' if place else 'the dealer'}" in sentences[0]
    assert f"the rack holds 53 of 53 cards; missing: {name_of(gone)}" in sentences[1], "one fault, told once"
    assert "X2 in the rack does not belong to the deck in play" in sentences[2]
    for row in range(3):
        assert agrees(batch, checked.lines, row, hand, set()), "settled from the deal"


def test_a_rack_that_is_no_deck_and_nothing_else_read_cannot_be_told() -> None:
    row = row_of(played(), deal_read=False, shown={0, 1})
    row.rack = row.rack[:40]
    _, checked = run([row])
    assert codes(checked) == ["CARD-311"]
    assert checked.left_open[0].endswith("gives the cards of seat 2, seat 4 and seat 6")
    assert len(checked.lines) == 4
    possible = {int(s): bin(int(p)).count("1") for s, p in zip(checked.lines.seat, checked.lines.possible, strict=True)}
    assert possible == {1: 1, 2: 3, 4: 3, 6: 3}, "seat 1 was shown and is settled; the others could be anything"


def test_a_hand_shown_with_other_cards_than_it_has() -> None:
    hand = played()
    row = row_of(hand)
    for at, shown in enumerate(row.shown):
        if shown.place == 4:
            row.shown[at] = ShownRow(4, 0, 2, bytes([*shown.cards[:6], row.rack[0]]), shown.seq)
            seq = shown.seq
    batch, checked = run([row])
    remark = only(checked)
    assert (remark.code, remark.seat, remark.evidence) == ("RACK-323", 4, (seq,))
    assert agrees(batch, checked.lines, 0, hand, set())
    row.dealt, row.dealt_place, row.dealt_to = b"", [], b""
    assert only(run([row])[1]).code == "RACK-323"


@pytest.mark.parametrize("place", [0, 4])
def test_a_card_that_changed_between_low_and_high_after_the_hand_was_shown(place: int) -> None:
    row = row_of(played())
    for at, shown in enumerate(row.shown):
        if shown.place == place:
            low, high = shown.cards[:2], shown.cards[2:]
            row.shown[at] = ShownRow(place, 0, 2, low[:1] + high[:1] + low[1:] + high[1:], shown.seq)
            was_low, is_low = name_of(high[0]), name_of(low[1])
    remark = only(run([row])[1])
    assert (remark.code, remark.seat) == ("DEAL-307", place or None)
    of = f"of seat {place}" if place else "of the dealer"
    assert f"{was_low} was in the low hand {of} when it was shown and lies in the high hand" in remark.sentence
    assert f"{is_low} was in the high hand {of} when it was shown and lies in the low hand" in remark.sentence
    assert remark.sentence.endswith("either may be how it was set" if place else "it counts as the house way sets it")


def test_a_rearranged_hand_shown_again_keeps_its_setting() -> None:
    hand = played(bets={1: Bets(1000, 500), 4: Bets(1000)})
    row = row_of(hand)
    for shown in list(row.shown):
        row.shown.append(ShownRow(shown.place, 0, 0, bytes(sorted(shown.cards)), shown.seq + 50))
    batch, checked = run([row])
    assert checked.remarks == []
    assert agrees(batch, checked.lines, 0, hand, set())


def test_places_seen_by_a_device_stand_for_the_starting_place() -> None:
    """No rack and no start reported; the device saw every card's place."""
    hand = played()
    row = row_of(hand)
    row.rack = b""
    row.fixed.update(start_place=-1, start_number=-1, start_seq=-1)
    row.dealt_place = [(hand.start - turn) % 7 for turn in range(7)] * 7
    batch, checked = run([row])
    assert checked.remarks == []
    assert agrees(batch, checked.lines, 0, hand, set())


def test_nothing_read_at_all() -> None:
    row = row_of(played(), deal_read=False, shown=set())
    row.rack = b""
    _, checked = run([row])
    assert codes(checked) == ["RACK-322"]
    assert list(checked.left_open) == [0]


def test_an_unsure_rack_scan_makes_its_findings_likely() -> None:
    row = row_of(played())
    row.rack = row.rack[:-1]
    row.fixed["flags"] |= RoundFlag.RACK_UNSURE
    assert only(run([row])[1]).confidence == LIKELY


# ---- hands ---------------------------------------------------------------------------------------------------------


def house_round(low: str, high: str) -> RoundRow:
    """Seat 3 has A-10 and kings with $20; the dealer's cards K Q Q J 9 7 4 are laid as given."""
    players = codes_of("Ac Ts Ks Kd 8c 5h 2d")
    dealer = codes_of(f"{low} {high}")
    rest = [card for card in range(53) if card not in players + dealer]
    row = row_of(played(bets={3: Bets(2000)}), deal_read=False, shown=set())
    row.rack = bytes(rest) + players + dealer
    return row


def test_the_house_way_broken_says_what_moved() -> None:
    _, checked = run([house_round("Qs Qh", "Kc Jd 9h 7c 4s")])
    remark = only(checked)
    assert remark.code == "HOUSE-402"
    assert "Qs Qh low, Kc Jd 9h 7c 4s high; the house way sets it as Kc Jd low" in remark.sentence
    # As laid a tie, nothing; by the house way a win: 20.00 less 1.00 vigorish.
    assert remark.sentence.endswith("settled as laid, seat 3 would have $19.00 less in all than is due")
    assert checked.lines.causes[checked.lines.code[0]].code == "HOUSE-402"
    assert int(checked.lines.paid[0]) == 2000


def test_a_house_way_that_rack_and_hand_shown_disagree_on_is_only_possibly_broken() -> None:
    row = house_round("Qs Qh", "Kc Jd 9h 7c 4s")
    row.shown = [ShownRow(0, 0, 2, codes_of("Kc Jd Qs Qh 9h 7c 4s"), 80)]
    _, checked = run([row])
    assert [(r.code, r.confidence) for r in checked.remarks] == [("DEAL-307", LIKELY), ("HOUSE-402", POSSIBLE)]


def test_the_house_way_kept() -> None:
    _, checked = run([house_round("Jd Kc", "4s 7c 9h Qh Qs")])
    assert checked.remarks == []
    assert checked.lines.causes[checked.lines.code[0]].code == ""


def test_a_foul_hand_files_differences_under_its_own_code() -> None:
    row = house_round("Jd Kc", "4s 7c 9h Qh Qs")
    players = codes_of("Ks Kd Ac Ts 8c 5h 2d")  # kings in front of ace high
    row.rack = row.rack[:39] + players + row.rack[46:]
    _, checked = run([row])
    assert checked.remarks == []
    assert checked.lines.causes[checked.lines.code[0]].code == "FOUL-401"
    assert int(checked.lines.taken[0]) == 2000


# ---- voids ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("early", [True, False])
def test_one_seat_voids_its_hand(early: bool) -> None:
    """MA-PGP §11(d). No text says when its cards are collected: at once and in turn are both readings."""
    hand = played()
    row = row_of(hand, deal_read=False, shown={0, 1, 2, 6})
    row.facts.append(FactRow(Fact.EXPOSED, 90, 4, choice="deal"))
    row.facts.append(FactRow(Fact.VOIDED, 91, 4, choice="player_option"))
    if early:  # 3, 5, 4, 1, 2, 6
        row.rack = swapped(swapped(row.rack, SEAT_4, SEAT_2), SEAT_2, SEAT_1)
    _, checked = run([row])
    assert checked.remarks == []
    assert checked.alternatives == {}
    hand.lines[4, "pai_gow"] = ("void", 0, 0)
    lines = {int(seat): at for at, seat in enumerate(checked.lines.seat)}
    assert (checked.lines.paid[lines[4]], checked.lines.taken[lines[4]]) == (0, 0)
    for seat in (1, 2, 6):
        _, paid, taken = hand.lines[seat, "pai_gow"]
        assert (checked.lines.paid[lines[seat]], checked.lines.taken[lines[seat]]) == (paid, taken)


def test_a_void_round_gives_everything_back_also_bonus_and_unknown_wagers() -> None:
    row = row_of(played(bets={1: Bets(1000, 500), 2: Bets(2500)}))
    row.facts.insert(0, FactRow(Fact.WAGER_PLACED, 5, 3, wager="lucky_nine", amount=300))
    row.facts.append(FactRow(Fact.VOIDED, 90, choice="misdeal"))
    row.rack = row.rack[:30]
    _, checked = run([row])
    assert codes(checked) == ["WAGER-504"], "the void answers the deal, not the wager"
    assert sorted(checked.lines.stake.tolist()) == [300, 500, 1000, 2500]
    assert not checked.lines.paid.any() and not checked.lines.taken.any()


# ---- wagers --------------------------------------------------------------------------------------------------------


def test_wagers_after_no_more_bets() -> None:
    row = row_of(played())
    late = row.fixed["bets_closed_seq"] + 1
    row.facts += [
        FactRow(Fact.WAGER_CHANGED, late, 1, wager="pai_gow", amount=9000),
        FactRow(Fact.WAGER_WITHDRAWN, late + 1, 2, wager="pai_gow"),
        FactRow(Fact.WAGER_PLACED, late + 2, 4, wager="fortune", amount=500),
    ]
    _, checked = run([row])
    late_ones = [remark for remark in checked.remarks if remark.code == "WAGER-501"]
    assert [(r.seat, r.wager) for r in late_ones] == [(1, "pai_gow"), (2, "pai_gow"), (4, "fortune")]
    assert late_ones[0].sentence == (
        "seat 1 raised the pai gow poker wager from $25.00 to $90.00 after the dealer had announced 'No more bets'"
    )
    assert "seat 2 took back $10.00 from the pai gow poker wager after" in late_ones[1].sentence
    assert "seat 4 placed $5.00 on the Fortune wager after" in late_ones[2].sentence
    assert late_ones[0].evidence == (late - 1, late)


def test_wagers_that_are_not_offered() -> None:
    row = row_of(played())
    row.facts.insert(0, FactRow(Fact.WAGER_PLACED, 5, 1, wager="lucky_nine", amount=300))
    row.facts.insert(1, FactRow(Fact.WAGER_PLACED, 6, 9, wager="pai_gow", amount=1000))
    _, checked = run([row])
    assert [(r.code, r.seat, r.wager) for r in checked.remarks] == [
        ("WAGER-504", 1, "lucky_nine"),
        ("WAGER-504", 9, "pai_gow"),
    ]
    assert list(checked.no_rule) == [0] and not checked.left_open, "nothing is open in the cards"
    decided = checked.lines.where(checked.lines.open == 0)
    assert sorted(decided.seat.tolist()) == [1, 2, 4, 6]
    open_ = checked.lines.where(checked.lines.open == 1)
    assert sorted(open_.seat.tolist()) == [1, 9] and all(open_.ways_of(at).anything for at in range(2))


def test_a_fortune_wager_where_none_is_offered() -> None:
    row = row_of(played(bets={1: Bets(1000, 500)}))
    _, checked = run([row], fortune_paytable="none")
    assert codes(checked) == ["WAGER-504"]
    assert checked.lines.open.tolist().count(0) == 1 and len(checked.lines) == 2


def test_a_banked_round_is_not_settled_under_a_filing_without_banks() -> None:
    row = row_of(played())
    row.fixed["bank_seat"] = 2
    _, checked = run([row])
    assert checked.no_rule[0].startswith("the filing offers no bank as it was reported") and not checked.left_open
    assert [remark.code for remark in checked.remarks] == ["BANK-804"]


def test_surrender_without_a_wager_changes_nothing() -> None:
    hand = played()
    row = row_of(hand)
    row.facts.append(FactRow(Fact.ACTION, 90, 3, code=ACTION_CODE[Action.SURRENDER]))
    batch, checked = run([row])
    assert checked.remarks == []
    assert agrees(batch, checked.lines, 0, hand, set())


# ---- equipment -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dealing", "limit_h"), [("manual_shoe", 8), ("automated_shoe", 8), ("hand", 4)])
def test_cards_too_long_on_the_table(dealing: str, limit_h: int) -> None:
    row = row_of(played(method=dealing))
    row.fixed["deck_age_s"] = limit_h * 3600
    assert run([row], dealing=dealing)[1].remarks == []
    row.fixed["deck_age_s"] += 1
    assert codes(run([row], dealing=dealing)[1]) == ["EQUIP-951"]


def test_dice_too_long_on_the_table() -> None:
    row = row_of(played())
    row.fixed["dice_age_s"] = 24 * 3600
    assert run([row])[1].remarks == []
    row.fixed["dice_age_s"] += 1
    assert codes(run([row])[1]) == ["EQUIP-951"]


def test_what_is_too_old_is_said_in_the_first_round_that_finds_it_so() -> None:
    row = row_of(played())
    row.fixed.update(deck_age_s=8 * 3600 + 60, since_previous_s=60)
    assert codes(run([row])[1]) == ["EQUIP-951"]
    row.fixed.update(deck_age_s=8 * 3600 + 61)
    assert codes(run([row])[1]) == []


def test_two_decks_alternate() -> None:
    row = row_of(played())
    row.named.update(deck="red", previous_deck="red")
    assert run([row])[1].remarks == [], "one deck at the table"
    remark = only(run([row], decks=2)[1])
    assert remark.code == "EQUIP-952"
    row.named["previous_deck"] = "blue"
    assert run([row], decks=2)[1].remarks == []


def test_every_remark_is_a_sentence_without_table_round_or_full_stop() -> None:
    row = row_of(played())
    row.fixed.update(deck_age_s=99999, dice_age_s=99999, stub_count=5, start_place=(row.fixed["start_place"] + 1) % 7)
    row.facts.append(FactRow(Fact.EXPOSED, 90, 0, choice="deal"))
    _, checked = run([row])
    assert len(checked.remarks) >= 4
    for remark in checked.remarks:
        assert not remark.sentence.endswith(".")
        assert remark.cite.words
    assert np.all(checked.lines.row == 0)


# ---- anything at all ------------------------------------------------------------------------------------------------


def battered(rng: random.Random) -> RoundRow:
    """A round whose devices report nonsense: cards lost, doubled or misread, hands and seats that are not there."""
    hand = play(rng, rich=rng.random() < 0.5)
    row = row_of(hand, deal_read=rng.random() < 0.7, shown=None if rng.random() < 0.5 else set(hand.bets))
    for _ in range(rng.randint(1, 4)):
        match rng.randrange(10):
            case 0:
                row.rack = row.rack[: rng.randrange(54)]
            case 1:
                row.rack = bytes(rng.randrange(54) if rng.random() < 0.03 else card for card in row.rack)
            case 2:
                row.rack = bytes(rng.sample(row.rack, len(row.rack)))
            case 3:
                cut = rng.randrange(50)
                row.dealt, row.dealt_place, row.dealt_to = row.dealt[:cut], row.dealt_place[:cut], row.dealt_to[:cut]
            case 4:
                row.dealt = bytes(rng.randrange(54) if rng.random() < 0.03 else card for card in row.dealt)
            case 5:
                row.dealt_place = [rng.randint(-1, 8) for _ in row.dealt]
            case 6:
                cards = bytes(rng.sample(range(54), rng.randint(0, 9)))
                row.shown.append(ShownRow(rng.randrange(9), rng.randrange(2), rng.randrange(4), cards, 95))
            case 7:
                kinds = [Fact.VOIDED, Fact.EXPOSED, Fact.BOXED, Fact.FAULT, Fact.ACTION, Fact.WAGER_WITHDRAWN]
                action = ACTION_CODE[rng.choice([Action.SURRENDER, Action.VOID_HAND])]
                seat, card = rng.randrange(15), rng.randrange(54)
                row.facts.append(FactRow(rng.choice(kinds), 96, seat, code=action, wager="pai_gow", card=card))
            case 8:
                row.facts.append(FactRow(Fact.WAGER_PLACED, 97, rng.randrange(1, 15), "Lee", "fortune", amount=700))
            case _:
                column = rng.choice(["start_place", "start_number", "stub_count", "previous_button", "bank_seat"])
                row.fixed[column] = rng.randint(-1, 20)
    return row


@pytest.mark.parametrize("count", [100, pytest.param(400, marks=pytest.mark.exhaustive)])
def test_nothing_a_device_reports_stops_the_audit(count: int) -> None:
    rng = random.Random(21)
    rows = [battered(rng) for _ in range(count)]
    batch, checked = run(rows)
    assert len(checked.remarks) > count // 2
    for at in range(len(rows)):
        checked.hands(at)
        checked.settlement_order(at)
    for lines in [checked.lines, *(lines for readings in checked.alternatives.values() for lines in readings)]:
        assert (lines.paid >= 0).all() and (lines.taken >= 0).all() and (lines.taken <= lines.stake).all()
    alone = [run([row])[1] for row in rows[: count // 5]]
    for at, single in enumerate(alone):
        assert codes(single) == codes(checked, at)
        assert np.array_equal(single.lines.paid, checked.lines.paid[checked.lines.row == at])
    assert len(batch) == count
