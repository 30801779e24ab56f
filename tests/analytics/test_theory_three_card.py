"""The theory of Three Card Poker 6 Card Bonus against published counts and a slow game that reads the text."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from analytics.theory import three_cards
from analytics.theory.ca_three_card_poker import recipes
from analytics.theory.counts import TheoryError
from analytics.theory.registry import read_hand, theory_of
from analytics.theory.store import SHIPPED_FOLDER, CountsStore, Recipe, no_progress
from replay.filing import Filing, file_under, load_pack
from replay.packs.ca.three_card_poker_6_card_bonus.v1.rules import LAW
from schemas.cards import codes_of
from tests.packs import three_card_slow as slow
from tests.packs.three_card_table import DECK, PACK

STORE = CountsStore(None)


def filed(decks: int = 1) -> Filing:
    return file_under(load_pack(PACK), "1.0", {"decks": decks})


def counted(wager: str, decks: int = 1) -> dict[str, int]:
    return {one.outcome: one.count for one in theory_of(filed(decks), wager, STORE).outcomes}


def test_pair_plus_of_one_deck_as_published() -> None:
    """Of C(52, 3) = 22,100 hands: 48 straight flushes, 52 threes, 720 straights, 1,096 flushes, 3,744 pairs."""
    found = counted("pair_plus")
    assert sum(found.values()) == 22_100
    assert found["royal_flush"] + found["straight_flush"] == 48
    assert [found[name] for name in ("three_of_a_kind", "straight", "flush", "pair")] == [52, 720, 1096, 3744]
    paid = 4 * 200 + 44 * 40 + 52 * 30 + 720 * 6 + 1096 * 3 + 3744 - 16_440
    assert theory_of(filed(), "pair_plus", STORE).expected == Fraction(paid, 22_100)


def test_six_card_bonus_of_one_deck_as_published() -> None:
    """Of C(52, 6) = 20,358,520 hands."""
    found = counted("six_card_bonus")
    assert sum(found.values()) == comb(52, 6) == 20_358_520
    names = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind")
    assert [found[name] for name in names] == [188, 1656, 14_664, 165_984, 205_792, 361_620, 732_160]


@pytest.mark.parametrize("decks", range(1, 7))
def test_every_deal_is_counted(decks: int) -> None:
    cards = 52 * decks
    assert sum(counted("pair_plus", decks).values()) == comb(cards, 3)
    assert sum(counted("six_card_bonus", decks).values()) == comb(cards, 6)
    assert sum(counted("ante", decks).values()) == comb(cards, 3) * comb(cards - 3, 3)


def test_what_is_folded_is_what_is_worse_than_queen_six_four() -> None:
    threes = list(combinations(DECK, 3))
    limit = slow.rank_of_three(("Qs", "6d", "4c"))
    worse = sum(slow.rank_of_three(three) < limit for three in threes)
    assert counted("ante")["folded"] == worse * comb(49, 3) == 132_652_800


@pytest.mark.parametrize("hand", [("As", "Kd", "Jc"), ("Qs", "6d", "4c"), ("2s", "2d", "7c"), ("9h", "8h", "7h")])
def test_one_hand_against_every_player_dealers(hand: slow.Hand) -> None:
    left = [card for card in DECK if card not in hand]
    expected = [0, 0, 0, 0]
    mine = slow.rank_of_three(hand)
    for other in combinations(left, 3):
        theirs = slow.rank_of_three(other)
        at = 0 if not slow.qualifies(other) else 1 if mine > theirs else 2 if mine == theirs else 3
        expected[at] += 1
    met = three_cards.meetings(LAW.strength, LAW.qualifies, LAW.beats, 1, no_progress, {hand_codes(hand): 1})
    assert [list(found) for _, found in met] == [expected]


def hand_codes(hand: slow.Hand) -> tuple[int, ...]:
    return tuple(codes_of(list(hand)))


def test_ante_and_play_together() -> None:
    """Of 407,170,400 deals; the play wager is made in those that are not folded, and is settled as the ante is, but
    where the player-dealer does not qualify."""
    ante, play = counted("ante"), counted("play")
    assert {name: count for name, count in ante.items() if name != "folded"} == play
    assert sum(ante.values()) == 407_170_400
    together = Fraction(
        play["not_qualified"] + 2 * play["wins"] - 2 * play["loses"] - ante["folded"], sum(ante.values())
    )
    assert round(float(together), 5) == -0.08658


def test_the_counts_that_ship_are_those_a_new_count_gives() -> None:
    """But for six cards and hand against hand, which take a minute together: those of one deck are published."""
    for recipe in recipes():
        if recipe.name.startswith("three-card-poker"):
            assert recipe.count(no_progress) == CountsStore(None, shipped=SHIPPED_FOLDER).get(recipe)


@pytest.mark.exhaustive
@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.name)
def test_every_count_that_ships_is_what_a_new_count_gives(recipe: Recipe) -> None:
    assert recipe.count(no_progress) == CountsStore(None, shipped=SHIPPED_FOLDER).get(recipe)


def test_a_hand_read_alone_and_beside_the_player_dealers() -> None:
    alone = {fact.key: fact.value for fact in read_hand(filed(), "Kh Ks 4d").facts}
    assert alone == {"hand": "pair K-4", "pair_plus": "pair: 1 to 1"}
    both = {fact.key: fact.value for fact in read_hand(filed(), "Kh Ks 4d / Kd 7c 2h").facts}
    assert both["result"] == "win 1 to 1" and both["six_card_bonus"] == "three of a kind: 5 to 1"
    low = {fact.key: fact.value for fact in read_hand(filed(), "Kh 9s 4d / Jd 7c 2h").facts}
    assert low["result"] == "not qualified: Ante wins, Play goes back" and low["pair_plus"] == "loses"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Kh Ks", "a Three Card Poker hand is three cards, not 2"),
        ("Kh Ks X1", "X1 is a joker"),
        ("Kh Kh 4d", "Kh comes 2 times, and there are 1 in play"),
        ("Kh Ks 4d / 2c 3c 4c / 5c 6c 7c", "one / between them"),
    ],
)
def test_what_is_no_hand_is_refused(text: str, says: str) -> None:
    with pytest.raises(TheoryError, match=says):
        read_hand(filed(), text)
