"""Supreme Baccarat over batches: hands from rack and deal, settlement and cover, and what is not as the rules say."""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
import pytest

from replay.families.two_hands import drawing
from replay.families.two_hands.as_read import as_read
from replay.families.two_hands.game import check, check_filing
from replay.families.two_hands.law import NO_THIRD
from replay.families.two_hands.terms import terms_of
from replay.filing import Filing
from replay.game import Checked
from replay.lines import Lines
from replay.packs.ca.supreme_baccarat.v1 import rules
from replay.remarks import Remark
from replay.rounds import DEALT_TO, OUTCOMES, Fact, FactRow, RoundFlag, RoundRow, batch_of
from schemas.cards import CARD_NAMES, NO_CARD, codes_of
from schemas.findings import CATALOGUE, CERTAIN, LIKELY, POSSIBLE
from tests.packs.supreme_baccarat_rounds import Bet, Table, button_at, filing_of, play, random_table, score, settle

PLAYER, BANKER = DEALT_TO.index("player"), DEALT_TO.index("banker")
TEN_EACH = [Bet(2, "player", 1000), Bet(3, "banker", 1000)]


def checked(*rows: RoundRow, **options: str | int | bool) -> Checked:
    return check(batch_of(rows), filing_of(**options))


def codes(result: Checked) -> list[str]:
    assert all(remark.code in CATALOGUE and remark.cite.words for remark in result.remarks)
    return sorted(remark.code for remark in result.remarks)


def only(result: Checked, code: str) -> Remark:
    assert codes(result) == [code]
    return result.remarks[0]


def money(lines: Lines) -> list[tuple[str, int, int]]:
    """(outcome, paid, taken) of each wager that something read decides, in the order they were placed."""
    settled = lines.where((lines.kind == Fact.SETTLED) & (lines.open == 0))
    return [
        (str(OUTCOMES[outcome]), int(paid), int(taken))
        for outcome, paid, taken in zip(settled.outcome, settled.paid, settled.taken, strict=True)
    ]


def line_codes(lines: Lines) -> list[str]:
    settled = lines.where(lines.kind == Fact.SETTLED)
    return [lines.causes[code].code for code in settled.code]


PLAYER_WINS = [("win", 1000, 0), ("lose", 0, 1000)]
BANKER_WINS = [("lose", 0, 1000), ("win", 1000, 0)]
TIES = [("push", 0, 0), ("push", 0, 0)]


# --- against the reference -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [4, 8, 14])
@pytest.mark.parametrize("seen", ["both", "rack", "deal", "deal_untold"])
def test_random_rounds_settle_as_the_plain_reference_says(seats: int, seen: str) -> None:
    rng = random.Random(f"{seats} {seen}")
    tables = [random_table(rng, seats) for _ in range(250)]
    rows = [
        table.row(rack=seen in ("both", "rack"), deal=seen != "rack", to="" if seen == "deal_untold" else "known")
        for table in tables
    ]
    batch = batch_of(rows)
    result = check(batch, filing_of(seats=seats, schedule="own_4"))
    assert not result.left_open and not result.alternatives
    assert set(codes(result)) <= {"WAGER-502"}
    lines = result.lines.where(result.lines.kind == Fact.SETTLED)
    ran_out = 0
    for at, table in enumerate(tables):
        wanted = settle(table.bets, table.player.split(), table.banker.split(), table.bank_seat, table.posted, seats)
        got = money(lines.where(lines.row == at))
        assert got == wanted, table
        assert [view.parts[0][1] for view in result.hands(at)] == [codes_of(table.player), codes_of(table.banker)]
        if table.posted >= 0:
            assert sum(paid + taken for _, paid, taken in got) <= table.posted
            ran_out += "action button" in result.settlement_order(at)
    assert ran_out > 50


def test_a_round_comes_to_the_same_alone_and_in_a_batch() -> None:
    rng = random.Random(5)
    rows = [random_table(rng, 8).row() for _ in range(60)]
    together = checked(*rows)
    for at, row in enumerate(rows):
        alone = checked(row)
        part = together.lines.where(together.lines.row == at)
        assert money(part) == money(alone.lines)
        assert [remark.sentence for remark in together.remarks if remark.row == at] == [
            remark.sentence for remark in alone.remarks
        ]


def test_drawing_rules_over_every_pair_of_totals_and_third_card() -> None:
    card_worth = dict(enumerate(["Ts", "As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s"]))
    for player_two in range(10):
        for banker_two in range(10):
            for third in range(10):
                shoe = [card_worth[player_two], card_worth[banker_two], "Kd", "Kh", card_worth[third], "9c"]
                player, banker = play(shoe)
                two = np.array([player_two], np.uint8), np.array([banker_two], np.uint8)
                assert bool(rules.player_draws(*two)[0]) == (len(player) == 3)
                value = np.array([third if len(player) == 3 else NO_THIRD], np.uint8)
                assert bool(rules.banker_draws(*two, value)[0]) == (len(banker) == 3)


def test_five_cards_never_fit_the_rules_both_ways() -> None:
    rng = np.random.default_rng(1)
    cards = rng.integers(0, 52, (200_000, 5)).astype(np.uint8)
    none = np.full(len(cards), NO_CARD, np.uint8)
    three_two = drawing.fits(rules.LAW.drawing, cards[:, :3], np.column_stack([cards[:, 3:], none]))
    two_three = drawing.fits(rules.LAW.drawing, np.column_stack([cards[:, :2], none]), cards[:, 2:])
    assert three_two.any() and two_three.any()
    assert not (three_two & two_three).any()


def test_the_button_is_where_a_dealer_would_count_to() -> None:
    for seats in range(4, 15):
        for bank in range(1, seats + 1):
            for rank in "A23456789TJQK":
                first = np.frombuffer(codes_of(f"{rank}s"), np.uint8)
                assert rules.button_seat(first, np.array([bank]), seats)[0] == button_at(f"{rank}s", bank, seats)


def test_an_ordinary_round_is_read_by_itself_as_in_columns() -> None:
    rng, terms = random.Random(9), terms_of(filing_of())
    for _ in range(300):
        player, banker = play([rng.choice(CARD_NAMES[:52]) for _ in range(6)])
        row = Table([], " ".join(player), " ".join(banker)).row(to="")
        for rack, dealt in ((row.rack, row.dealt), (row.rack, b""), (b"", row.dealt)):
            found = as_read(rack, dealt, bytes(len(dealt)), False, frozenset(), terms)
            assert (found.readings, found.troubles) == ([(codes_of(player), codes_of(banker))], [])


# --- hands -----------------------------------------------------------------------------------------------------------


def test_five_cards_in_the_rack_alone_read_as_the_rules_have_them() -> None:
    three_two = Table(TEN_EACH, "5s Kd 3c", "7c Th")  # 5 draws: 8 against 7
    two_three = Table(TEN_EACH, "6s Kd", "5c Th 4h")  # 6 against 5 + 4 = 9
    result = checked(three_two.row(deal=False), two_three.row(deal=False))
    assert money(result.lines) == [*PLAYER_WINS, *BANKER_WINS]
    assert codes(result) == []
    assert [view.note for view in result.hands(0)] == ["8, third card drawn", "7"]
    assert [view.note for view in result.hands(1)] == ["6", "9, third card drawn"]


def test_five_cards_that_break_the_rules_either_way_to_the_same_money() -> None:
    # Player 5 drew Tc against a Banker natural 3 + 5 = 8; or Player 5 stood and Banker 0 + 3 drew 5: 8.
    table = Table(TEN_EACH, "5s Kd Tc", "3d 5h")
    result = checked(table.row(deal=False))
    remark = only(result, "DEAL-303")
    assert "read two ways" in remark.sentence and remark.confidence == LIKELY
    assert not result.alternatives
    assert money(result.lines) == BANKER_WINS
    judged = checked(table.row())
    assert only(judged, "DEAL-303").confidence == CERTAIN
    assert "natural 8 forbids it" in judged.remarks[0].sentence
    assert money(judged.lines) == BANKER_WINS


def test_readings_with_other_money_are_alternatives_and_not_lines() -> None:
    # Player 5 + 2 = 7 against Banker 0 + 4, which must draw; or Player 5, which must draw, against 2 + 0 + 4 = 6.
    # Nor would it be right with the Banker hand first: Player 4 must draw, or Banker 5 after a third card of 4.
    bets = [Bet(2, "player", 1000), Bet(3, "tie", 500), Bet(4, "total_shot", 500)]
    result = checked(Table(bets, "5s Kd 2c", "Td 4h").row(deal=False))
    only(result, "DEAL-303")
    assert len(result.lines) == 0
    one, other = result.alternatives[0]
    assert money(one) == [("win", 1000, 0), ("lose", 0, 500), ("lose", 0, 500)]
    assert money(other) == [("lose", 0, 1000), ("lose", 0, 500), ("lose", 0, 500)]
    assert [part.where(part.kind == Fact.COLLECTION).paid.tolist() for part in (one, other)] == [[100], [100]]
    assert len(result.hands(0)) == 4


def test_a_button_right_in_one_reading_is_not_held_against_the_dealer() -> None:
    # The Banker hand begins with the ten (three and two: tenth seat from seat 1, seat 4) or with the two (seat 3).
    bets = [Bet(2, "player", 6000), Bet(4, "player", 6000)]
    for button, found in ((4, ["DEAL-303"]), (3, ["DEAL-303"]), (6, ["BUTTON-802", "DEAL-303"])):
        table = Table(bets, "5s Kd 2c", "Td 4h", posted=7000, button=button)
        assert codes(checked(table.row(deal=False))) == found


def test_the_deal_tells_which_way_five_cards_read() -> None:
    table = Table(TEN_EACH, "5s Kd 4c", "Td 2h")
    untold = checked(table.row(to=""))
    assert money(untold.lines) == PLAYER_WINS
    assert only(untold, "DEAL-303").confidence == CERTAIN


def test_drawn_though_it_must_stand_says_what_the_rules_would_have_given() -> None:
    remark = only(checked(Table(TEN_EACH, "6s Kd 2c", "7c Th").row()), "DEAL-303")
    assert remark.sentence == (
        "Player had 6 and drew 2c, though it must stand: as the cards lie it is Player 8, Banker 7; "
        "by the rules it would have been Player 6, Banker 7. $20.00 was wagered"
    )
    assert remark.evidence == (90, 92, 200)


@pytest.mark.parametrize(
    ("player", "banker", "said", "words"),
    [
        # The natural forbids the *other* hand; a hand's own eight stands by the rule for that hand.
        ("8s Kd Ac", "6c Th", "Player had 8 and drew Ac, though it must stand:", "The player hand must stand"),
        ("6s Kd", "8c Th Ah", "Banker had 8 and drew Ah, though it must stand on 8:", "The banker hand must stand"),
        ("6s Kd", "7c Th Ah", "Banker had 7 and drew Ah, though it must stand on 7:", "The banker hand must stand"),
        ("9s Kd", "7c Th Ah", "Banker had 7 and drew Ah, though it must stand on 7:", "The banker hand must stand"),
        ("9s Kd", "5c Th Ah", "though the Player's natural 9 forbids it:", "the other hand will not be allowed"),
        ("5s Kd Ac", "8c Th", "though the Banker's natural 8 forbids it:", "the other hand will not be allowed"),
        ("6s Kd", "5c Th", "though it must draw after the Player stood:", "If the player stands"),
        ("Ks Kd 5c", "6c Th Ah", "though it must stand after a Player third card worth 5:", "(6) or (7)"),
    ],
)
def test_the_rule_that_was_broken_is_the_one_cited(player: str, banker: str, said: str, words: str) -> None:
    remark = only(checked(Table(TEN_EACH, player, banker).row()), "DEAL-303")
    assert said in remark.sentence
    assert remark.cite.words is not None and words in remark.cite.words


def test_a_card_the_player_should_not_have_drawn_would_have_been_the_bankers() -> None:
    # Player 6 took 4c and stands at 0; Banker 5 would have drawn that 4c: 9.
    remark = only(checked(Table(TEN_EACH, "6s Kd 4c", "5c Th").row()), "DEAL-303")
    assert "by the rules it would have been Player 6, Banker 9" in remark.sentence

    also_drew = only(checked(Table(TEN_EACH, "6s Kd 4c", "5c Th 2h").row()), "DEAL-303")
    assert "by the rules it would have been Player 6, Banker 9" in also_drew.sentence


def test_not_drawn_though_it_must_cannot_know_what_would_have_come() -> None:
    remark = only(checked(Table(TEN_EACH, "5s Kd", "7c Th").row(deal=False)), "DEAL-303")
    assert "Player had 5 and stood, though it must draw" in remark.sentence
    assert "cannot be known" in remark.sentence
    assert remark.confidence == LIKELY


def test_a_card_that_changed_hands() -> None:
    # Dealt 9 + 0 against 7 + 0; in the rack 9s and 7c have changed places.
    result = checked(Table(TEN_EACH).row(rack="7c Kd 9s Th"))
    remark = only(result, "DEAL-302")
    assert "9s was dealt to the Player and lies with the Banker" in remark.sentence
    assert "7c was dealt to the Banker and lies with the Player" in remark.sentence
    assert [money(lines) for lines in result.alternatives[0]] == [PLAYER_WINS, BANKER_WINS]


def test_a_third_card_lawful_as_it_lies_is_not_held_against_the_drawing() -> None:
    # Player 5 drew 2c: 7 against 7, a tie, by rack and rules. The shoe has the 2c for the Banker: 5 against 7 + 2 = 9.
    to = bytes([PLAYER, BANKER, PLAYER, BANKER, BANKER])
    result = checked(Table(TEN_EACH).row(rack="5s Kd 2c 7c Th", deal="5s 7c Kd Th 2c", to=to))
    remark = only(result, "DEAL-302")
    assert remark.sentence == (
        "2c was dealt to the Banker and lies with the Player; as dealt the third cards break the drawing rules, as "
        "they lie they keep them"
    )
    assert remark.confidence == LIKELY
    assert [money(lines) for lines in result.alternatives[0]] == [BANKER_WINS, TIES]


def test_a_shoe_that_missed_a_card_does_not_outweigh_a_rack_that_reads_as_a_round() -> None:
    # Dealt 5s 7c Kd Th 2c: 7 against 7. The shoe missed Kd, and what it told reads as 5 + 0 against a natural 7 + 2.
    result = checked(Table(TEN_EACH).row(rack="5s Kd 2c 7c Th", deal="5s 7c Th 2c", to=""))
    assert "Kd is in the rack and was never dealt" in only(result, "CARD-313").sentence
    assert [money(lines) for lines in result.alternatives[0]] == [BANKER_WINS, TIES]


def test_a_deal_told_in_part_may_have_missed_some() -> None:
    result = checked(Table(TEN_EACH).row(deal="9s 7c Kd", to=""))
    remark = only(result, "CARD-313")
    assert "the shoe reported 3 cards only, no two hands, and may have missed some" in remark.sentence
    assert remark.confidence == POSSIBLE
    assert money(result.lines) == PLAYER_WINS


@pytest.mark.parametrize(
    ("rack", "wrong", "kept", "wins"),
    [
        (  # as filed 3 against 8 (or Player 3 stood); the other way Player 0 drew 8 and Banker 3 stood
            "3c Th Ks Qd 8c",
            "Player had 3 and drew Ks, though the Banker's natural 8 forbids it",
            "Player Ks Qd 8c, Banker 3c Th",
            [BANKER_WINS, PLAYER_WINS],
        ),
        (  # as filed 9 against 6; the other way 6 stood and Banker 3 drew to 9
            "3c Th 6h Kd 6s",
            "Banker had 6 and stood, though it must draw after a Player third card worth 6",
            "Player Kd 6s, Banker 3c Th 6h",
            [PLAYER_WINS, BANKER_WINS],
        ),
        (  # as filed 4 against 1; the other way Player 5 drew 6, a 1, and Banker 5 drew 9, a 4
            "5c Th 9h 5s Kd 6c",
            "Banker had 5 and drew 6c, though it must stand after a Player third card worth 9",
            "Player 5s Kd 6c, Banker 5c Th 9h",
            [PLAYER_WINS, BANKER_WINS],
        ),
    ],
)
def test_a_rack_alone_that_keeps_the_rules_only_with_the_banker_hand_first(
    rack: str, wrong: str, kept: str, wins: list[list[tuple[str, int, int]]]
) -> None:
    result = checked(Table(TEN_EACH).row(rack=rack, deal=False))
    remark = only(result, "RACK-321")
    assert remark.sentence == (
        f"the rack holds {rack}: with the Player hand first the drawing rules were broken ({wrong}), with the Banker "
        f"hand first they were kept ({kept})"
    )
    assert remark.confidence == POSSIBLE
    assert [money(lines) for lines in result.alternatives[0]] == wins


def test_a_card_that_changed_hands_without_moving_money_leaves_lines() -> None:
    result = checked(Table(TEN_EACH).row(rack="9s Th 7c Kd"))  # two tens changed places
    only(result, "DEAL-302")
    assert not result.alternatives
    assert money(result.lines) == PLAYER_WINS


def test_hands_picked_up_in_swapped_order() -> None:
    result = checked(Table(TEN_EACH).row(rack="7c Th 9s Kd"))
    remark = only(result, "RACK-324")
    assert "the Player hand" in remark.sentence and "the Banker hand" in remark.sentence
    assert "were picked up in swapped order" in remark.sentence
    assert money(result.lines) == PLAYER_WINS


def test_a_hand_picked_up_in_another_order_than_drawn() -> None:
    result = checked(Table(TEN_EACH).row(rack="Kd 9s 7c Th"))
    assert "not in the order the cards were drawn" in only(result, "RACK-330").sentence
    assert money(result.lines) == PLAYER_WINS


@pytest.mark.parametrize(
    ("rack", "code", "words"),
    [
        ("9s 7c Th", "CARD-311", "Kd was dealt and is not in the rack"),
        ("9s Kd 7c 7c", "CARD-312", "7c is in the rack and was never dealt, while Th was dealt and is not in the rack"),
        ("9s Kd 7c Th 7c", "CARD-312", "7c is in the rack and was never dealt"),
        ("9s Kd 7c 2d", "CARD-313", "2d is in the rack and was never dealt, while Th was dealt"),
        ("9s Kd 7c X1", "CARD-313", "X1 belongs to no deck of this game"),
        ("9s Kd 7c Th 2d 3d 4d", "RACK-328", "3 cards of another round (2d 3d 4d) lie in the rack, from card 5 on"),
        ("2d 3d 4d 9s Kd 7c Th", "RACK-328", "3 cards of another round (2d 3d 4d) lie in the rack, from card 1 on"),
        # A second card right beside its twin must not pass for a reader's slip: both are told.
        ("9s Kd 7c 7c Th", "CARD-312", "most likely the rack reader counted 7c of the Banker hand twice"),
        ("9s Kd 7c 7c Th", "CARD-312", "or else a second 7c lies in the Banker hand"),
    ],
)
def test_rack_and_deal_hold_other_cards(rack: str, code: str, words: str) -> None:
    result = checked(Table(TEN_EACH).row(rack=rack))
    assert words in only(result, code).sentence
    lines = result.alternatives[0][0] if result.alternatives else result.lines
    assert money(lines) == PLAYER_WINS  # as dealt


def test_a_card_changed_for_another_leaves_both_readings_open() -> None:
    result = checked(Table(TEN_EACH).row(rack="2s Kd 7c Th"))  # dealt 9, lies as 2 against 7
    only(result, "CARD-313")
    assert [money(lines) for lines in result.alternatives[0]] == [PLAYER_WINS, BANKER_WINS]


def test_more_copies_of_a_card_than_the_shoe_holds() -> None:
    fact = FactRow(Fact.TOO_MANY, 150, card=codes_of("7c")[0], other=9)
    result = checked(Table(TEN_EACH, extra=[fact]).row(deal=False))
    remark = only(result, "CARD-312")
    assert remark.sentence == "7c is in the rack 9 times, and the shoe holds 8"
    assert remark.evidence == (150,)
    assert money(result.lines) == PLAYER_WINS


def test_one_marked_card_twice_is_not_said_to_be_more_than_the_shoe_holds() -> None:
    fact = FactRow(Fact.TOO_MANY, 150, card=codes_of("7c")[0], other=2)
    remark = only(checked(Table(TEN_EACH, extra=[fact]).row()), "CARD-312")
    assert remark.sentence == "one and the same 7c, by the mark of its deck, is in the rack 2 times"


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        ({}, "9s is in the rack 2 times in this round, and the shoe holds 1"),
        ({"deal": False}, "9s is in the rack 2 times in this round, and the shoe holds 1"),
        ({"rack": False}, "9s is dealt 2 times in this round, and the shoe holds 1"),
    ],
)
def test_a_card_twice_in_one_round_of_a_one_deck_shoe(seen: dict[str, Any], words: str) -> None:
    twice = Table(TEN_EACH, "9s Kd", "9s Th", fixed={"decks": 1})
    assert only(checked(twice.row(**seen), decks=1), "CARD-312").sentence == words
    assert codes(checked(Table(TEN_EACH, "9s Kd", "9s Th", fixed={"decks": 2}).row(**seen), decks=2)) == []
    unsaid = Table(TEN_EACH, "9s Kd", "9s Th", fixed={"decks": -1})  # how many decks came is not known: as filed
    assert codes(checked(unsaid.row(**seen), decks=1)) == ["CARD-312"]


def test_a_duplicate_is_told_once() -> None:
    fact = FactRow(Fact.TOO_MANY, 150, card=codes_of("7c")[0], other=9)
    assert codes(checked(Table(TEN_EACH, extra=[fact]).row(rack="9s Kd 7c 7c"))) == ["CARD-312"]


@pytest.mark.parametrize("rack", ["9s Kd 7c", "9s", "9s Kd 7c Th 2c 3c 4c"])
def test_a_rack_alone_that_is_no_round(rack: str) -> None:
    result = checked(Table(TEN_EACH).row(rack=rack, deal=False))
    only(result, "RACK-321")
    assert "no two hands" in result.left_open[0]
    assert money(result.lines) == []


def test_a_joker_in_a_rack_alone() -> None:
    result = checked(Table(TEN_EACH).row(rack="9s X1 7c Th", deal=False))
    only(result, "CARD-313")
    assert 0 in result.left_open


def test_no_cards_read() -> None:
    result = checked(Table(TEN_EACH).row(rack=False, deal=False), Table([]).row(rack=False, deal=False))
    assert only(result, "RACK-322").row == 0
    assert set(result.left_open) == {0}
    decided = result.lines.where(result.lines.open == 0)
    assert (decided.kind == Fact.COLLECTION).all()  # the fee is due all the same
    assert len(result.lines) > len(decided)  # and the wagers stand, whatever they come to
    assert result.hands(0) == []


def test_an_unsure_rack_leaves_the_deal() -> None:
    with_deal, without = (
        Table(TEN_EACH).row(flags=RoundFlag.RACK_UNSURE),
        Table(TEN_EACH).row(deal=False, flags=RoundFlag.RACK_UNSURE),
    )
    result = checked(with_deal, without)
    assert codes(result) == ["RACK-321", "RACK-321"]
    assert money(result.lines) == PLAYER_WINS
    assert set(result.left_open) == {1}


def test_a_shoe_that_says_where_cards_go_in_another_order() -> None:
    row = Table(TEN_EACH).row(deal="9s Kd 7c Th", to=bytes([PLAYER, PLAYER, BANKER, BANKER]))
    result = checked(row)
    assert codes(result) == [] and money(result.lines) == PLAYER_WINS

    alone = Table(TEN_EACH).row(rack=False, deal="Ks 7d 9c Th", to=bytes([PLAYER, PLAYER, BANKER, BANKER]))
    assert money(checked(alone).lines) == BANKER_WINS  # 7 against 9; by turns it would be 9 against 7


def test_what_the_shoe_said_of_the_fifth_card_holds_against_the_likelier_reading() -> None:
    # The Banker hand drew: 5 against 8 + 8 + 8 = 4. As the Player's third card it would be lawful: 3 against 6.
    result = checked(Table(TEN_EACH, "5s Kd", "8c 8c 8c").row())
    only(result, "DEAL-303")
    assert money(result.lines) == PLAYER_WINS


@pytest.mark.parametrize(
    ("deal", "to", "rack"),
    [
        ("2d 9s 7c Kd Th", [1, 0, 0, 0, 0], "2d 9s Kd 7c Th"),  # under the hands
        ("9s 7c Kd Th 2d", [0, 0, 0, 0, 1], "9s Kd 7c Th 2d"),  # on top of them
        ("2d 9s 7c Kd Th", [1, 0, 0, 0, 0], "9s Kd 7c Th"),  # not in the rack at all
    ],
)
def test_a_burned_card_is_in_no_hand(deal: str, to: list[int], rack: str) -> None:
    burn = DEALT_TO.index("burn")
    row = Table(TEN_EACH).row(deal=deal, to=bytes(burn if where else 0 for where in to), rack=rack)
    result = checked(row)
    assert codes(result) == [] and money(result.lines) == PLAYER_WINS


def test_four_cards_in_one_hand_is_a_misdeal() -> None:
    row = Table(TEN_EACH).row(deal="9s 7c Kd Th 2c 3c", to=bytes([1, 2, 1, 2, 1, 1]), rack="9s Kd 2c 3c 7c Th")
    result = checked(row)
    only(result, "DEAL-301")
    assert 0 in result.left_open


# --- cover and button ------------------------------------------------------------------------------------------------

SHORT = [Bet(2, "player", 6000), Bet(4, "banker", 5000), Bet(6, "player", 4000)]  # button at seat 4 (a three)


def short_table(button: int) -> Table:
    return Table(SHORT, "9s Kd", "3c 4h", posted=10000, button=button)


def test_differences_under_a_right_button_are_cover() -> None:
    result = checked(short_table(4).row())
    assert codes(result) == []
    assert money(result.lines) == [("win", 1000, 0), ("lose", 0, 5000), ("win", 4000, 0)]
    assert line_codes(result.lines) == ["COVER-801", "", ""]
    assert result.settlement_order(0).startswith(
        "Player and Banker lines, then ties, then Total Shots, clockwise from seat 4"
    )


def test_differences_under_a_wrong_button_are_its() -> None:
    result = checked(short_table(2).row())
    remark = only(result, "BUTTON-802")
    assert remark.sentence == (
        "the $100.00 posted by the player-dealer in seat 1 does not cover the $150.00 that moves, and the action "
        "button was put at seat 2: the Banker hand's first card 3c counts 3 from the player-dealer's left, to seat 4"
    )
    assert {5, 95} <= set(remark.evidence) and remark.confidence == CERTAIN
    assert remark.seat is None  # the finding is not against whoever sits where the button belongs
    assert line_codes(result.lines) == ["BUTTON-802"] * 3


def test_a_wager_not_offered_has_nothing_to_do_with_the_button() -> None:
    result = checked(Table([*SHORT, Bet(5, "dragon", 500)], "9s Kd", "3c 4h", posted=10000, button=2).row())
    assert codes(result) == ["BUTTON-802", "WAGER-504"]
    assert line_codes(result.lines) == ["BUTTON-802"] * 3 + ["WAGER-504"]
    assert result.lines.possible[3] == 1 << [str(word) for word in OUTCOMES].index("no_action")


def test_a_button_never_seen_does_not_explain_money_beyond_the_cover() -> None:
    result = checked(short_table(0).row())
    assert "no action button was reported" in only(result, "BUTTON-802").sentence
    assert result.remarks[0].confidence == LIKELY
    assert line_codes(result.lines) == ["COVER-801", "BUTTON-802", "BUTTON-802"]


def test_a_button_that_is_not_needed_is_no_finding() -> None:
    table = Table(SHORT, "9s Kd", "3c 4h", posted=15000, button=2)
    assert codes(checked(table.row())) == []


def test_the_last_place_of_the_button_counts() -> None:
    moved = FactRow(Fact.BUTTON, 96, 4, choice="action")
    other = FactRow(Fact.BUTTON, 97, 7, choice="dealer")
    table = Table(SHORT, "9s Kd", "3c 4h", posted=10000, button=2, extra=[moved, other])
    assert codes(checked(table.row())) == []


def test_a_bank_at_no_seat_of_the_table_cannot_be_counted_from() -> None:
    table = Table(SHORT, "9s Kd", "3c 4h", bank_seat=9, posted=10000)
    result = checked(table.row())
    assert not result.left_open and "the table has 8 seats" in result.no_rule[0]
    assert money(result.lines) == []  # nothing that a settlement could be held against
    enough = checked(Table(SHORT, "9s Kd", "3c 4h", bank_seat=9, posted=15000).row())
    assert not enough.left_open and not enough.no_rule and len(money(enough.lines)) == 3  # no button is needed


def test_nothing_posted_is_no_action_at_all() -> None:
    result = checked(Table(SHORT, "9s Kd", "3c 4h", posted=0, button=4).row())
    assert money(result.lines) == [("no_action", 0, 0)] * 3


# --- wagers ----------------------------------------------------------------------------------------------------------


def test_late_wagers_are_remarked_and_settled_as_they_stand() -> None:
    late = [
        FactRow(Fact.WAGER_CHANGED, 100, 2, "", "player", amount=5000),
        FactRow(Fact.WAGER_WITHDRAWN, 101, 3, "", "banker"),
        FactRow(Fact.WAGER_PLACED, 102, 4, "B1", "tie", amount=500),
    ]
    result = checked(Table(TEN_EACH, extra=late).row())
    assert codes(result) == ["WAGER-501"] * 3
    assert [remark.sentence for remark in result.remarks] == [
        "seat 2 raised the Player line from $10.00 to $50.00 after the deal had begun",
        "seat 3 took back $10.00 from the Banker line after the deal had begun",
        "backline bettor B1 at seat 4 placed $5.00 on Tie after the deal had begun",
    ]
    assert [remark.evidence for remark in result.remarks] == [(90, 100), (90, 101), (90, 102)]
    assert {str(remark.cite) for remark in result.remarks} == {"CA Supreme Baccarat, Betting Scheme 2"}
    assert money(result.lines) == [("win", 5000, 0), ("lose", 0, 500)]


@pytest.mark.parametrize("deal", [True, False])
def test_a_wager_between_the_close_and_the_deal_is_not_said_to_come_after_the_deal(deal: bool) -> None:
    late = FactRow(Fact.WAGER_PLACED, 85, 4, "", "tie", amount=500)
    remark = only(checked(Table(TEN_EACH, extra=[late]).row(deal=deal)), "WAGER-501")
    assert remark.sentence == "seat 4 placed $5.00 on Tie after betting had closed"
    assert str(remark.cite) == "rulings.md R-37"
    assert remark.evidence == (80, 85)


def test_a_wager_reported_again_as_it_stood_is_not_late() -> None:
    again = FactRow(Fact.WAGER_PLACED, 100, 2, "", "player", amount=1000)  # a camera that looks twice
    result = checked(Table(TEN_EACH, extra=[again]).row())
    assert codes(result) == [] and money(result.lines) == PLAYER_WINS


def test_a_card_burned_before_the_betting_does_not_close_it() -> None:
    burn = DEALT_TO.index("burn")
    table = Table(TEN_EACH, fixed={"first_card_seq": 2, "last_card_seq": 92})
    row = table.row(deal="2d 9s 7c Kd Th", to=bytes([burn, 0, 0, 0, 0]), rack="2d 9s Kd 7c Th")
    assert codes(checked(row)) == []
    late = Table(TEN_EACH, extra=[FactRow(Fact.WAGER_PLACED, 93, 4, "", "tie", amount=500)], fixed=table.fixed)
    row = late.row(deal="2d 9s 7c Kd Th", to=bytes([burn, 0, 0, 0, 0]), rack="2d 9s Kd 7c Th")
    assert "after the deal had begun" in only(checked(row), "WAGER-501").sentence


@pytest.mark.parametrize(
    ("bet", "options", "sentence", "cite"),
    [
        (
            Bet(2, "player", 100001),
            {},
            "seat 2 has $1,000.01 on the Player line, above the maximum of $1,000.00 (schedule own_1)",
            "CA Supreme Baccarat, Wagering Limits and Collection Fees, option 1",
        ),
        (  # the schedule prints $1,000: not what this wager is above
            Bet(2, "player", 20001),
            {"table_maximum_cents": 20000},
            "seat 2 has $200.01 on the Player line, above the maximum of $200.00 (filed for this table under schedule "
            "own_1)",
            "CA Supreme Baccarat, Betting Scheme 1",
        ),
        (  # the later rates print no lowest bonus bet: it is the game's own
            Bet(2, "tie", 99),
            {"schedule": "california_games_1"},
            "seat 2 has $0.99 on Tie, below the minimum of $1.00 (schedule california_games_1)",
            "CA Supreme Baccarat, Wagering Limits and Collection Fees",
        ),
    ],
)
def test_a_limit_is_cited_where_it_stands(bet: Bet, options: dict[str, Any], sentence: str, cite: str) -> None:
    remark = only(checked(Table([bet]).row(), **options), "WAGER-502")
    assert (remark.sentence, str(remark.cite)) == (sentence, cite)


def test_betting_closes_with_the_first_card_when_that_is_earlier() -> None:
    wager = FactRow(Fact.WAGER_PLACED, 85, 4, "", "tie", amount=500)
    on_time = Table(TEN_EACH, extra=[wager], fixed={"bets_closed_seq": 95, "first_card_seq": 90})
    late = Table(TEN_EACH, extra=[wager], fixed={"bets_closed_seq": 95, "first_card_seq": 84})
    unclosed = Table(TEN_EACH, extra=[wager], fixed={"bets_closed_seq": -1, "first_card_seq": 84})
    result = checked(on_time.row(), late.row(), unclosed.row())
    assert [(remark.row, remark.code) for remark in result.remarks] == [(1, "WAGER-501"), (2, "WAGER-501")]


def test_without_a_closing_moment_nothing_is_late() -> None:
    wager = FactRow(Fact.WAGER_PLACED, 150, 4, "", "tie", amount=500)
    row = Table(TEN_EACH, extra=[wager], fixed={"bets_closed_seq": -1}).row(deal=False)
    assert codes(checked(row)) == []


# --- bank ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fixed", "found"),
    [
        ({"bank_run": 1, "bank_wagered_before": 1}, []),
        ({"bank_run": 2, "bank_wagered_before": 0}, []),  # it banked the hand before
        ({"bank_run": 3, "bank_wagered_before": 0}, ["BANK-803"]),
        ({"bank_run": 1, "bank_wagered_before": 0}, ["BANK-804"]),
        ({"bank_run": -1, "bank_wagered_before": -1}, []),
        # where events are missing the run is the least it can be: three is too many all the same
        ({"bank_run": 3, "flags": int(RoundFlag.CLOSED | RoundFlag.CONTEXT_UNKNOWN)}, ["BANK-803"]),
        ({"bank_run": 1, "bank_wagered_before": 0, "flags": int(RoundFlag.CONTEXT_UNKNOWN)}, []),
    ],
)
def test_bank_turns(fixed: dict[str, int], found: list[str]) -> None:
    result = checked(Table(TEN_EACH, fixed=fixed).row())
    assert codes(result) == found
    assert all(remark.seat == 1 and remark.evidence == (5,) for remark in result.remarks)


# --- voids -----------------------------------------------------------------------------------------------------------


def test_a_voided_round_gives_everything_back_and_says_no_more() -> None:
    void = FactRow(Fact.VOIDED, 120, 0, choice="misdeal")
    back = FactRow(Fact.WAGER_WITHDRAWN, 130, 3, "", "banker")
    row = Table(TEN_EACH, "6s Kd 2c", "7c Th", extra=[void, back]).row(flags=RoundFlag.VOIDED)  # Player drew on 6
    result = checked(row)
    assert codes(result) == []
    assert money(result.lines) == [("void", 0, 0)]
    assert result.lines.possible[0] == sum(
        1 << OUTCOMES.index(word) for word in OUTCOMES if word in ("void", "no_action", "push")
    )
    assert result.lines.where(result.lines.kind == Fact.COLLECTION).paid.tolist() == [100]


def test_a_void_after_two_cards_needs_no_more() -> None:
    void = FactRow(Fact.VOIDED, 120, 0, choice="misdeal")
    row = Table(TEN_EACH, extra=[void]).row(rack="9s 7c", deal="9s 7c", flags=RoundFlag.VOIDED)
    result = checked(row)
    assert codes(result) == [] and not result.left_open


def test_a_card_that_vanishes_from_a_voided_round_is_still_missing() -> None:
    void = FactRow(Fact.VOIDED, 120, 0, choice="misdeal")
    row = Table(TEN_EACH, extra=[void]).row(rack="9s", deal="9s 7c", flags=RoundFlag.VOIDED)
    assert codes(checked(row)) == ["CARD-311"]


def test_a_voided_seat_gives_back_its_own_wagers_only() -> None:
    void = FactRow(Fact.VOIDED, 120, 2, choice="player_option")
    table = Table(SHORT, "9s Kd", "3c 4h", posted=9000, extra=[void])
    result = checked(table.row(flags=RoundFlag.VOIDED))
    assert money(result.lines) == [("void", 0, 0), ("lose", 0, 5000), ("win", 4000, 0)]  # 9000 covers what is left
    assert codes(result) == []


# --- filing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, None),
        ({"schedule": "own_1", "table_minimum_cents": 500, "table_maximum_cents": 100000}, None),
        ({"schedule": "own_1", "table_minimum_cents": 499}, r"minimum of \$4.99 is outside the \$5.00 to \$1,000.00"),
        ({"schedule": "own_2", "table_maximum_cents": 20001}, r"maximum of \$200.01 is outside"),
        (
            {"schedule": "own_3", "table_minimum_cents": 30000, "table_maximum_cents": 20000},
            "is above the table maximum",
        ),
        ({"schedule": "california_games_1", "table_minimum_cents": 2500, "table_maximum_cents": 100000}, None),
        ({"schedule": "california_games_1", "table_minimum_cents": 2501}, r"\$5.00 to \$25.00"),
        ({"schedule": "california_games_2", "table_maximum_cents": 99999}, r"\$1,000.00 to \$2,500.00"),
    ],
)
def test_filed_limits(options: dict[str, Any], words: str | None) -> None:
    problem = check_filing(filing_of(**options))
    if words is None:
        assert problem is None
    else:
        assert problem is not None
        with pytest.raises(ValueError, match=words):
            raise ValueError(problem)


# --- speed -----------------------------------------------------------------------------------------------------------


def test_ten_thousand_rounds_check_in_a_quarter_of_a_second() -> None:
    rng = random.Random(3)
    rows = [random_table(rng, 8, sensible=True).row() for _ in range(2000)]
    for row in rows:  # as at a table where the player-dealer mostly posts enough: one round in fifty runs out
        if rng.random() > 0.02:
            row.fixed["bank_posted_cents"] = 10**9
    batch = batch_of(rows * 5)
    filing: Filing = filing_of(schedule="own_4")
    best = min(_seconds(batch, filing) for _ in range(3))
    assert best < 1.0, f"{len(batch) / best:,.0f} rounds/s"  # the goal is 0.25; a shared machine gets some room


def _seconds(batch: Any, filing: Filing) -> float:
    begun = time.perf_counter()
    check(batch, filing)
    return time.perf_counter() - begun


def test_scores_of_the_reference() -> None:
    assert [score(hand.split()) for hand in ("8s 9d", "9s 6d", "Ks Td", "As 2d 3c")] == [7, 5, 0, 6]


def test_what_the_shoe_has_against_a_round_is_told_with_the_round() -> None:
    row = Table(TEN_EACH).row()
    row.facts.append(FactRow(Fact.SHOE_TOTAL, 40, choice="Kd", hand=1, amount=415, taken=416, other=20))
    remark = only(checked(row), "CARD-317")
    assert remark.sentence == (
        "the shoe holds 416 cards, and there are 394 in the rack, 1 burned, 20 left over: 415, 1 short (Kd)"
    )
