"""Theory of FLT-SPG's Supreme Pai Gow: against sums by hand, published figures, and the slow table of the text."""

from __future__ import annotations

import random
from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest

from analytics.theory import CountsStore, Method, TheoryError, WagerTheory, eight_card_duel, read_hand, theory_of
from analytics.theory.registry import wagers_of
from replay.filing import Filing, OptionValue, file_under, load_pack
from replay.packs.flt.supreme_pai_gow.v1.rules import beats
from replay.ranking import Wheel
from schemas.cards import names_of
from tests.packs.flt_slow import Place, ante_and_raise, set_dealer
from tests.ranking.by_definition import deals, set_house_way

STORE = CountsStore(None)
SEVENS = comb(53, 7)
SIDES = {
    "insurance_paytable": "PT-FLT-EC-PGI-01",
    "emperors_paytable": "PT-FLT-EC-ET-01",
    "seven_card_bonus_paytable": "PT-FLT-7CB-01",
    "eighth_card_paytable": "PT-FLT-D8C1-01",
}


def filed(**options: OptionValue) -> Filing:
    pack = load_pack("flt/supreme_pai_gow")
    return file_under(pack, pack.data.version, options)


def wager(name: str, stake_cents: int | None = None, **options: OptionValue) -> WagerTheory:
    chosen: dict[str, OptionValue] = {**SIDES, **options}
    return theory_of(filed(**chosen), name, STORE, stake_cents)


def counts_of(theory: WagerTheory) -> dict[str, int]:
    return {one.outcome: one.count for one in theory.outcomes}


def test_every_wager_that_is_filed_has_a_theory() -> None:
    offered = ("ante", "raise", "ante_royalty", "insurance", "emperors", "seven_card_bonus")
    first = ("eighth_3_or_10", "eighth_2_or_4", "eighth_field")
    assert set(wagers_of(filed(**SIDES))) == {*offered, *first}
    assert set(wagers_of(filed())) == set(offered[:3])
    second = wagers_of(filed(eighth_card_paytable="PT-FLT-D8C2-02"))
    assert set(second) == {*offered[:3], "eighth_3_or_10", "eighth_2_5_or_7", "eighth_field"}
    for name in (*offered, *first):
        assert wager(name).total > 0
    with pytest.raises(TheoryError, match="does not offer the wager insurance"):
        theory_of(filed(), "insurance", STORE)


def test_the_royalty_adds_to_an_ante_what_its_four_rows_come_to() -> None:
    counts = counts_of(wager("ante_royalty"))
    # Published for Fortune (Shackelford): 1,128 five aces; royals, straight flushes and quads have those of the
    # seven-card rows among them here: 26,020 royals with 72 and 196 … of seven cards are royals or straight flushes.
    assert counts["five_aces"] == 1128
    assert counts["four_of_a_kind"] == 307_472
    seven_card_runs = 32 + 196
    assert counts["royal_flush"] + counts["straight_flush"] == 72 + 26_020 + 184_644 + seven_card_runs
    net = sum(counts[name] * odds for name, odds in (("five_aces", 100), ("royal_flush", 50), ("straight_flush", 15)))
    net += counts["four_of_a_kind"] * 5
    assert wager("ante_royalty").expected == Fraction(net, SEVENS)
    assert counts["nothing"] == SEVENS - 1128 - 307_472 - 72 - 26_020 - 184_644 - seven_card_runs


def test_emperors_treasure_is_fortune_with_another_name() -> None:
    assert float(wager("emperors", emperors_paytable="PT-FLT-EC-ET-02").returned) == pytest.approx(0.922344, abs=5e-7)
    envy = wager("emperors", 500).envy
    assert envy is not None and envy.qualifies
    cents = (100_000, 25_000, 10_000, 5_000, 2_500, 1_000, 500)  # E01
    times = (32, 72, 196, 1_128, 26_020, 184_644, 307_472)
    assert envy.expected_cents == Fraction(sum(a * b for a, b in zip(cents, times, strict=True)), SEVENS)
    below = wager("emperors", 400).envy
    assert below is not None and not below.qualifies


def test_nine_highs_of_insurance_by_hand() -> None:
    """Seven of the eight ranks from two to nine without five in a row: leaving out the five or the six. Of 4^7 suits
    those with five or more alike are flushes: 4 × (C(7,5)·9 + C(7,6)·3 + 1)."""
    suits = 4**7 - 4 * (comb(7, 5) * 9 + comb(7, 6) * 3 + 1)
    assert counts_of(wager("insurance"))["nine_high"] == 2 * suits


def test_the_aggregate_cuts_what_a_wager_may_win() -> None:
    cut = wager("ante_royalty", 10_000, ante_royalty_aggregate_cents=100_000)
    assert {one.outcome: one.net for one in cut.outcomes}["five_aces"] == 10  # $1,000 of $10,000
    assert {one.outcome: one.net for one in cut.outcomes}["four_of_a_kind"] == 5
    assert any("maximum aggregate" in note for note in cut.notes)


def test_ante_and_raise_share_one_simulation() -> None:
    ante, raised = wager("ante"), wager("raise")
    counts = counts_of(ante)
    assert counts == counts_of(raised) and sum(counts.values()) == 3_000_000
    assert ante.method is raised.method is Method.SIMULATION
    total = ante.total
    assert ante.expected == Fraction(counts["one"] + counts["both"] - counts["neither"], total)
    assert raised.expected == Fraction(counts["both"] - counts["neither"], total)


def test_the_simulation_against_the_slow_table() -> None:
    """The first shuffles of a block, set and compared by the slow table of the text."""
    rounds = 60
    players, dealers = eight_card_duel.block_hands(5, 0, rounds)
    made = eight_card_duel.block_outcomes(beats, Wheel.SECOND_HIGHEST, 5, 0, rounds)
    for number in range(rounds):
        dealer = set_dealer(tuple(names_of(dealers[number].tolist()).split()))
        slow = {"neither": 0, "one": 0, "both": 0}
        for hand in players[number]:
            low, high = set_house_way(tuple(names_of(hand.tolist()).split()), False)
            place = Place({"ante": 1000, "raise": 1000}, (*low, *high), low, high)
            found = ante_and_raise(place, dealer)
            slow[{("lose", "lose"): "neither", ("win", "push"): "one", ("win", "win"): "both"}[found]] += 1
        assert made[number].tolist() == list(slow.values())
    assert len(np.unique(np.concatenate([players.reshape(rounds, -1), dealers], axis=1)[0])) == 50


def test_the_shares_by_draws_of_another_kind() -> None:
    """Hands drawn by Python's own generator, within four standard errors."""
    rng, times, draws = random.Random(8), dict.fromkeys(eight_card_duel.BEATEN, 0), 1500
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"] + ["X1"]
    for _ in range(draws):
        cards = rng.sample(deck, 15)
        low, high = set_house_way(tuple(cards[:7]), False)
        place = Place({"ante": 1, "raise": 1}, tuple(cards[:7]), low, high)
        found = ante_and_raise(place, set_dealer(tuple(cards[7:])))
        times["neither" if found[0] == "lose" else "both" if found[1] == "win" else "one"] += 1
    counts = counts_of(wager("ante"))
    for name, number in times.items():
        share = counts[name] / 3_000_000
        assert abs(number / draws - share) < 4 * sqrt(share * (1 - share) / draws), name


def test_a_hand_is_read_with_all_it_is_paid() -> None:
    reading = {fact.key: fact.value for fact in read_hand(filed(**SIDES), "7s 7d 7h 7c 8s 6d 4c").facts}
    assert reading["ante_royalty"] == "four of a kind: 5 for 1"
    assert reading["emperors"] == "four of a kind: 20 to 1"
    assert reading["seven_card_bonus"] == "four of a kind: 15 to 1"
    assert reading["insurance"] == "nothing"
    eight = {fact.key: fact.cards for fact in read_hand(filed(), "9s 9d 8c 8d Ah Qs 5c 2h").facts}
    assert eight["eighth"] == "Ah" and set(eight["house_way_low"].split()) == {"8c", "8d"}
    with pytest.raises(TheoryError, match="the dealer's eight, not 4"):
        read_hand(filed(), "As Kd Qh 2c")


def test_eights_are_set_as_the_slow_table_sets_them() -> None:
    for cards in deals(seed=5, hands=60, size=8):
        right = set_dealer(cards)
        (left,) = [fact.cards for fact in read_hand(filed(), " ".join(cards)).facts if fact.key == "eighth"]
        assert left[0] == right.eighth[0], cards
