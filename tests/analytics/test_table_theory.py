"""How often every printed row is paid: against published counts, sums done by hand, and slow ways to the same."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest

from analytics.theory import CountsStore, TheoryError, ace_high, eighth_card, few_cards, seven_classes
from analytics.theory.every_table import PACKS, printed_lines, tables_of
from analytics.theory.seven_cards import SEVENS
from analytics.theory.store import no_progress
from analytics.theory.table_theory import CountedBy, TableTheory, counted_by
from replay.ranking import Game, Joker, Wheel, class_names, classify, house_way_eight, pai_gow_high
from schemas.cards import codes_of, names_of
from tests.ranking.by_definition import deals
from tests.ranking.classes_by_definition import formed_by_seven, formed_for_insurance, score_three, set_eight
from tests.ranking.dealt import deal

STORE = CountsStore(None)
MA, FLT = tables_of("ma/pai_gow_poker"), tables_of("flt/supreme_pai_gow")


def theory(id_: str) -> TableTheory:
    return TableTheory.of((MA | FLT)[id_], STORE)


def percent(id_: str, stake: int | None = None, **meters: int) -> str:
    one = theory(id_)
    return f"{float(one.returned(stake or one.usual_stake_cents, meters)):.4%}"


# ---- every table -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id_", [*MA, *FLT])
def test_every_table_has_a_theory(id_: str) -> None:
    one = theory(id_)
    assert [*one.rows] == [*(row.hand for row in one.table.rows), "nothing"]
    if counted_by(one.table) is not CountedBy.ACE_HIGH:
        assert one.total in (comb(53, 3), comb(53, 7), comb(53, 8))
    never = {name for name, count in one.rows.items() if count == 0}
    assert never <= {"pai_gow_ace_five_straight_flush_natural"}
    outcomes = one.outcomes(one.usual_stake_cents, dict.fromkeys(one.table.meters, 10_000_000))
    assert sum(outcome.count for outcome in outcomes) == one.total
    assert Fraction(sum(outcome.count for outcome in outcomes if outcome.net > 0), one.total) == one.hits
    assert all(outcome.net <= 0 for outcome in outcomes if outcome.outcome in ("three_pair", "nothing"))


def test_the_shipped_counts_are_counted_again() -> None:
    for recipe in (
        seven_classes.recipe(Game.PAI_GOW_POKER),
        seven_classes.recipe(Game.PAI_GOW_INSURANCE),
        few_cards.three_card_bonus(),
        few_cards.chosen_color(),
        few_cards.nine_high_color(),
        ace_high.recipe(),
    ):
        assert recipe.count(no_progress) == STORE.get(recipe), recipe.name
    assert STORE.notes == []


def test_the_chapter_prints_every_table() -> None:
    chapter = (Path(__file__).parents[2] / "docs" / "theory.md").read_text(encoding="utf-8")
    printed = chapter.partition("$ python -m analytics.theory.every_table\n")[2].partition("```")[0]
    assert printed.splitlines() == list(printed_lines(PACKS, STORE))


# ---- published -------------------------------------------------------------------------------------------------------


def test_three_and_seven_card_bonus_as_published() -> None:
    """Pai Gow Mania (wizardofodds.com) counts the same hands; its three of a kind pays 30 to 1 where ours pays 25."""
    three = theory("three-card-bonus")
    assert list(three.rows.values()) == [48, 58, 100, 1020, 1308, 3912, 16980]
    won = 40 * 48 + 25 * 58 + 5 * 100 + 4 * 1020 + 3 * 1308 + 3912
    assert three.returned(100) == 1 + Fraction(won - 16980, 23426)
    assert f"{float(three.returned(100) - 1) + 5 * 58 / 23426:.5f}" == "-0.03859"
    seven = theory("seven-card-bonus-a")
    assert seven.rows == {
        "five_aces": 1_128,
        "royal_flush": 26_132,
        "straight_flush": 184_832,
        "four_of_a_kind": 307_472,
        "full_house": 4_188_528,
        "flush": 6_172_088,
        "three_of_a_kind": 7_672_500,
        "straight": 11_034_204,
        "nothing": 124_556_196,
    }
    assert f"{float(1 - seven.returned(100)):.6f}" == "0.063667"


def test_and_pair_as_published() -> None:
    """Jackpot Pai Gow Poker (wizardofodds.com) counts "… plus pair" too, in its own order. It tells a natural royal
    flush with a natural pair of aces (12) from other royal flushes with a pair (1,560)."""
    counts = STORE.get(seven_classes.recipe(Game.PAI_GOW_POKER))
    published = {
        "five_aces_and_pair": 72,
        "royal_flush_and_pair": 1_560 + 12,
        "five_aces": 1_056,
        "royal_flush": 24_560,
        "straight_flush_and_pair": 11_748,
        "four_of_a_kind_and_pair": 57_648,
        "straight_flush": 173_084,
        "four_of_a_kind": 249_824,
        "full_house_and_pair": 150_480,
        "flush_and_pair": 489_260,
        "straight_and_pair": 1_155_536,
        "full_house": 4_024_560,
        "flush": 5_631_420,
        "straight": 10_145_388,
        "three_of_a_kind": 7_470_676,
        "nothing": 124_556_196,
    }
    assert seven_classes.by_rows(counts, list(published)[:-1]) == published


def test_pai_gows_add_up_to_the_published_high_cards() -> None:
    """Alspach: 24,780,420 sevens of 53 cards are high cards, 23,294,460 of 52 without a joker."""
    highs = ("nine_high", "ten_high", "jack_high", "queen_high", "king_high", "ace_high")
    counts = STORE.get(seven_classes.recipe(Game.PAI_GOW_POKER))
    found = seven_classes.by_rows(counts, highs)
    assert sum(found[name] for name in highs) == 24_780_420
    with_joker = seven_classes.by_rows(counts, ["ace_high_joker"])["ace_high_joker"]
    assert 24_780_420 - with_joker == 23_294_460


def test_queens_dragon_by_hand_and_as_published() -> None:
    """Queen high without ace, king or joker: sets of six of the ten ranks below the queen that leave no run of five,
    times the suits of seven cards that no five share. Published for EZ Pai Gow: "just over 10 percent"."""
    ranks = 0
    for others in combinations(range(10), 6):
        held = {*others, 10}
        ranks += not any(set(range(low, low + 5)) <= held for low in range(7))
    suits = 4**7 - 4 * sum(comb(7, same) * 3 ** (7 - same) for same in (5, 6, 7))
    assert theory("queens-dragon").rows["queens_dragon"] == ranks * suits
    assert percent("queens-dragon") == "89.9778%"


def test_colors_by_hand() -> None:
    rows = theory("red-black").rows
    assert rows["seven_of_chosen_color"] == comb(26, 7)
    assert rows["six_of_chosen_color"] == comb(26, 6) * 27  # the seventh is black or the joker
    assert rows["five_of_chosen_color"] == comb(26, 5) * comb(27, 2)
    assert rows["four_of_chosen_color"] == comb(26, 4) * comb(27, 3)
    assert sum(rows.values()) == comb(53, 7)


def test_nine_highs_of_one_color_by_hand() -> None:
    """Seven of the ranks two to nine: only without the five or the six no run of five is left. In two suits neither
    of which has five cards, three and four either way: 2 x 70 for red and as many for black."""
    rows = theory("PT-BJS-EC-PGI-01").rows
    assert rows["nine_high_one_color"] == 2 * 2 * 2 * comb(7, 3)
    assert rows["nine_high_one_color"] + rows["nine_high"] == theory("insurance-a").rows["nine_high"]
    suits = 4**7 - 4 * sum(comb(7, same) * 3 ** (7 - same) for same in (5, 6, 7))
    assert theory("insurance-a").rows["nine_high"] == 2 * suits


def test_insurance_differs_from_protection_by_the_joker_alone() -> None:
    """R-19: jack high and below is the same; the joker as an ace only makes more of the ace-highs."""
    insurance, protection = theory("insurance-a").rows, theory("protection").rows
    for name in ("nine_high", "ten_high", "jack_high", "queen_high", "king_high"):
        assert insurance[name] == protection[name]
    assert insurance["ace_high"] > protection["ace_high"]
    joker_hands = 0  # six ranks below the ace with the joker as the ace: no run, and no five of a suit
    for others in combinations(range(1, 13), 6):
        held = {*others, 13, 0}
        joker_hands += not any(set(range(low, low + 5)) <= held for low in range(10))
    suits = 4**6 - 4 * sum(comb(6, same) * 3 ** (6 - same) for same in (5, 6))
    natural = seven_classes.by_rows(STORE.get(seven_classes.recipe(Game.PAI_GOW_POKER)), ["ace_high_natural"])
    assert insurance["ace_high"] == natural["ace_high_natural"] + joker_hands * suits


# ---- against hands by definition -------------------------------------------------------------------------------------


def within_five_deviations(found: int, of: int, share: float) -> bool:
    return abs(found - of * share) <= 5 * sqrt(of * share * (1 - share)) + 1


@pytest.mark.slow
def test_shares_of_random_sevens_by_definition() -> None:
    hands = [tuple(names_of(seven).split()) for seven in deal(3_000, 7, 53).tolist()]
    semi_wild = [formed_by_seven(hand) for hand in hands]
    ace_only = [formed_for_insurance(hand) for hand in hands]
    tables = {id_: theory(id_) for id_ in MA | FLT}
    looked = 0
    for one in tables.values():
        how = counted_by(one.table)
        if how not in (CountedBy.SEVEN_CARDS, CountedBy.INSURANCE):
            continue
        formed = semi_wild if how is CountedBy.SEVEN_CARDS else ace_only
        rows = [row.hand for row in one.table.rows]
        found = Counter(next((row for row in rows if row in classes), "nothing") for classes in formed)
        for name, count in one.rows.items():
            assert within_five_deviations(found[name], len(hands), count / SEVENS), (one.table.id, name)
            looked += 1
    assert looked > 300


def test_every_three_by_definition() -> None:
    hands = [tuple(names_of(list(three)).split()) for three in combinations(range(53), 3)][::7]
    cards = np.array([list(codes_of(hand)) for hand in hands], np.uint8)
    rows = class_names(Game.THREE_CARD_BONUS)
    found = classify(cards, rows, Game.THREE_CARD_BONUS)
    kinds = {"straight flush": 2, "three": 1, "straight": 3, "flush": 4, "pair": 5, "high card": -1}
    names = ("high card", "pair", "flush", "straight", "three", "straight flush")
    for hand, place in zip(hands, found.tolist(), strict=True):
        kind = names[score_three(hand)[0]]
        expected = 0 if kind == "straight flush" and "X1" not in hand else kinds[kind]
        assert place == expected, hand


# ---- Face Up ace-high ------------------------------------------------------------------------------------------------


def test_ace_high_by_drawing() -> None:
    both = deal(1_000_000, 14, 53)
    rows = class_names(Game.FACE_UP_ACE_HIGH)
    found = np.bincount(classify(both, rows, Game.FACE_UP_ACE_HIGH) + 1, minlength=4)[1:]
    counts = theory("ace-high-1").counts
    for name, times in zip(rows, found.tolist(), strict=True):
        assert within_five_deviations(times, len(both), float(counts.probability(name))), name


def _ace_highs_left(gone: set[int]) -> int:
    """How many ace-high pai gows the other cards of the deck make, rank set by rank set and suit by suit."""
    total = 0
    runs = [{(low + step) % 13 for step in range(5)} for low in (12, *range(9))]
    for others in combinations(range(12), 6):
        for joker in (False, True):
            held = {*others, 12}
            lacking = min(len(run - held) for run in runs)
            lacking = min((len(run - set(others)) for run in runs), default=9) if joker else lacking
            if (joker and (52 in gone or lacking <= 1)) or (not joker and lacking == 0):
                continue
            most = 3 if joker else 4
            ways: Counter[tuple[int, ...]] = Counter({(0, 0, 0, 0): 1})
            for rank in others if joker else (*others, 12):
                grown: Counter[tuple[int, ...]] = Counter()
                for of_suits, count in ways.items():
                    for suit in range(4):
                        if rank * 4 + suit not in gone and of_suits[suit] < most:
                            grown[(*of_suits[:suit], of_suits[suit] + 1, *of_suits[suit + 1 :])] += count
                ways = grown
            total += sum(ways.values())
    return total


@pytest.mark.slow
def test_both_ace_high_by_a_slow_way() -> None:
    """For dealers drawn at random, every hand that the other 46 cards make: that varies little, so few dealers give a
    close answer; and with no card gone, it is every ace-high there is."""
    counts = theory("ace-high-1").counts
    dealer = counts.outcomes["dealer_ace_high_joker"] + counts.outcomes["dealer_ace_high_natural"]
    dealer += counts.outcomes["both_ace_high"]
    assert _ace_highs_left(set()) * comb(46, 7) == dealer
    hands = deal(900, 7, 53)
    dealers = hands[pai_gow_high(hands, Joker.SEMI_WILD) == 14]
    left = np.array([_ace_highs_left(set(hand)) for hand in dealers.tolist()], float)
    expected = counts.outcomes["both_ace_high"] / dealer * comb(46, 7)
    assert abs(left.mean() - expected) <= 5 * left.std() / sqrt(len(left))
    assert left.std() / sqrt(len(left)) < expected / 100


# ---- the eighth card -------------------------------------------------------------------------------------------------


def test_the_eighth_card_by_drawing() -> None:
    eights = deal(200_000, 8, 53)
    left_over = np.bincount(house_way_eight(eights, Wheel.SECOND_HIGHEST)[:, 7] // 4, minlength=14)
    counts = STORE.get(eighth_card.recipe())
    for name, times in zip(eighth_card.NAMES, left_over.tolist(), strict=True):
        assert within_five_deviations(times, len(eights), float(counts.probability(name))), name
    assert STORE.notes == []


@pytest.mark.slow
def test_the_eighth_card_by_definition() -> None:
    hands = deals(seed=8, hands=150, size=8)
    cards = np.array([list(codes_of(hand)) for hand in hands], np.uint8)
    left_over = house_way_eight(cards, Wheel.SECOND_HIGHEST)[:, 7]
    for hand, code in zip(hands, left_over.tolist(), strict=True):
        assert min(code // 4 + 2, 14) == set_eight(hand, wheel_is_lowest=False)[2], hand


@pytest.mark.exhaustive
def test_every_eight_is_counted_again() -> None:
    assert eighth_card.recipe().count(no_progress) == STORE.get(eighth_card.recipe())


def test_wagers_on_the_eighth_card() -> None:
    counts = STORE.get(eighth_card.recipe()).outcomes
    assert theory("PT-FLT-D8C1-01-3-or-10").rows["three_or_ten"] == counts["3"] + counts["T"]
    assert theory("PT-FLT-D8C2-01-2-5-or-7").rows["two_five_or_seven"] == counts["2"] + counts["5"] + counts["7"]
    field = theory("PT-FLT-D8C2-01-field").rows
    assert [field["joker"], field["jack_or_queen"], field["four"]] == [
        counts["joker"],
        counts["J"] + counts["Q"],
        counts["4"],
    ]
    assert sum(field.values()) == comb(53, 8) == sum(counts.values())


# ---- money -----------------------------------------------------------------------------------------------------------


def test_the_fortune_tables_of_both_countings_agree() -> None:
    """Three pair is a push in Face Up table 1 as in Paytable C; Emperor's Treasure has none in its table C."""
    assert percent("fortune-face-up-1") == percent("fortune-c") == percent("PT-FLT-EC-ET-01") == "91.9992%"
    assert percent("emperors-treasure-a") == percent("fortune-face-up-2") == "92.2344%"
    pushed = theory("fortune-c").rows["three_pair"]
    assert theory("fortune-c").returned(500) - theory("emperors-treasure-c").returned(500) == Fraction(pushed, SEVENS)


def test_a_break_even_meter_returns_everything() -> None:
    for id_, others in (
        ("progressive-14-1-dollar", {}),
        ("progressive-14-5-dollars", {}),
        ("progressive-14a", {"major": 5_000_000, "minor": 300_000}),
        ("progressive-16e", {}),
        ("progressive-face-up-3", {}),
        ("PT-BJS-EC-PGI-01", {}),
        ("PT-BJS-EC-ET-01", {}),
    ):
        one = theory(id_)
        stake = one.usual_stake_cents
        meter = one.meter_theories(stake, others)[0]
        even = round(meter.break_even_cents)
        at = {**others, meter.name: even}
        assert abs(one.returned(stake, at) - 1) < Fraction(1, 10**5), id_  # shares are in whole cents
        assert (
            one.returned(stake, {**at, meter.name: even - 10_000})
            < 1
            < one.returned(stake, {**at, meter.name: even + 10_000})
        )


def test_a_progressive_by_hand() -> None:
    """§16(e): 500, 100, 75 and 4 for 1, 10% for five aces and all of it for a seven-card straight flush."""
    one = theory("progressive-16e")
    assert one.rows["seven_card_straight_flush"] == 32 + 196
    assert one.rows["royal_flush"] + one.rows["straight_flush"] == 210_964 - 228
    # Royal flushes in a seven-card straight flush, in each suit: eight to ace, that with the joker for any of its
    # seven, and seven to king with the joker for the eight or the nine, where it is the ace of the royal flush too.
    assert one.rows["royal_flush"] == 26_132 - 4 * (1 + 7 + 2)
    won = 500 * one.rows["royal_flush"] + 100 * one.rows["straight_flush"] + 75 * 307_472 + 4 * 4_188_528
    meter = 250_000  # $2,500, and a wager of a dollar
    shares = 228 * meter + 1_128 * (meter // 10)
    assert one.returned(100, {"meter": meter}) == Fraction(100 * won + shares, 100 * SEVENS)
    (worth,) = one.meter_theories(100)
    assert worth.worth == Fraction(228 * 100 + 1_128 * 10, 100 * SEVENS)
    assert worth.hits == Fraction(228 + 1_128, SEVENS)


def test_the_ante_royalty_adds_to_the_ante() -> None:
    """FLT-SPG App. A, "for 1", no stake of its own (R-22): 100, 50, 15 and 5 times the ante."""
    one = theory("PT-FLT-AR-01")
    won = 100 * 1_128 + 50 * 26_132 + 15 * 184_832 + 5 * 307_472
    assert one.returned(500) == Fraction(won, SEVENS)
    assert all(outcome.net >= 0 for outcome in one.outcomes(500))


def test_a_meter_it_does_not_have() -> None:
    with pytest.raises(TheoryError, match="progressive-16e has no meter 'mega'; it has meter"):
        theory("progressive-16e").returned(100, {"mega": 1})
    with pytest.raises(TheoryError, match="bonus is not counted here: four_aces is no class of seven cards"):
        TableTheory.of(tables_of("nj/supreme_pai_gow")["bonus"], STORE)
    with pytest.raises(TheoryError, match="no pay tables of xx/nothing"):
        tables_of("xx/nothing")
