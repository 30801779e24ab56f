"""Theory of Supreme Pai Gow: against sums done by hand, and the simulated dealer's reading of the same hands.

The simulator has its own idea of what four cards are and how they are set; it shares no code with the rankers.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest

from analytics.theory import CountsStore, Method, TheoryError, WagerTheory, read_hand, theory_of
from analytics.theory.classes import RESULTS
from analytics.theory.four_cards import count_duels
from analytics.theory.store import no_progress
from ingest.simulator.games.supreme_pai_gow.bonus import bonus_class
from ingest.simulator.games.supreme_pai_gow.hands import better_hands, house_way
from ingest.simulator.played import Setting
from replay.filing import Filing, OptionValue, file_under, load_pack
from replay.packs.ma.supreme_pai_gow.v1.rules import LAW, RANKING
from schemas.cards import JOKER_1, JOKER_2

STORE = CountsStore(None)
FOURS = comb(54, 4)
# MA-SPG §14(a), typed off the text once more.
ODDS = {
    "four_aces": 1000,
    "royal_flush": 500,
    "two_jokers_and_two_aces": 200,
    "four_of_a_kind": 100,
    "straight_flush": 25,
    "three_of_a_kind": 10,
    "flush": 8,
    "two_pair": 7,
    "straight": 6,
    "two_jokers": 4,
    "any_pair": 1,
}
# Runs of four; a joker in one is the 3 (runs from A, 2, 3) or the 6 (from 3, 4, 5, 6), and is one of two cards; two are
# both of them (from 3).
RUNS = 11
WITH_ONE_JOKER, WITH_BOTH = (3 + 4) * 2, 1


def filed(**options: OptionValue) -> Filing:
    pack = load_pack("ma/supreme_pai_gow")
    return file_under(pack, pack.data.version, options)


def counts_of(theory: WagerTheory) -> dict[str, int]:
    return {one.outcome: one.count for one in theory.outcomes}


def bonus(stake_cents: int | None = None) -> WagerTheory:
    return theory_of(filed(), "bonus", STORE, stake_cents)


def test_bonus_classes_by_hand() -> None:
    suited = 4 * (RUNS + WITH_ONE_JOKER + WITH_BOTH)
    in_a_row = 4**4 * RUNS + 4**3 * WITH_ONE_JOKER + 4**2 * WITH_BOTH
    pairs, two_pairs = 13 * comb(4, 2), comb(13, 2) * comb(4, 2) ** 2
    assert counts_of(bonus()) == {
        "four_aces": 1,
        "royal_flush": 4,
        "two_jokers_and_two_aces": comb(4, 2),
        "four_of_a_kind": 12,
        "straight_flush": suited - 4,
        "three_of_a_kind": 13 * 4 * (12 * 4 + 2),
        "flush": 4 * (comb(13, 4) - RUNS),
        "two_pair": two_pairs + (pairs - comb(4, 2)),
        "straight": in_a_row - suited,
        "two_jokers": comb(52, 2) - pairs - 4**2 * WITH_BOTH,
        "any_pair": pairs * (comb(12, 2) * 4**2 + 2 * 12 * 4),
        "nothing": FOURS - sum(count for name, count in counts_of(bonus()).items() if name != "nothing"),
    }


def test_every_four_as_the_simulated_dealer_reads_it() -> None:
    slow = Counter(bonus_class(four) or "nothing" for four in combinations(range(54), 4))
    assert counts_of(bonus()) == dict(slow)
    assert bonus().method is Method.ENUMERATION and bonus().standard_error is None


def test_bonus_figures_by_hand() -> None:
    counts = counts_of(bonus())
    won = sum(odds * counts[name] for name, odds in ODDS.items())
    theory = bonus()
    assert theory.expected == Fraction(won - counts["nothing"], FOURS)
    assert theory.win_probability == Fraction(FOURS - counts["nothing"], FOURS)
    squares = sum(odds**2 * counts[name] for name, odds in ODDS.items())
    assert theory.variance == Fraction(squares + counts["nothing"], FOURS) - theory.expected**2


def test_the_payout_limit_cuts_the_top_at_large_stakes() -> None:
    """§14(b): $50,000, which four aces reach at $50 and a royal flush at $100."""
    nets = {one.outcome: one.net for one in bonus(20_000).outcomes}
    assert nets["four_aces"] == nets["royal_flush"] == 250
    assert nets["two_jokers_and_two_aces"] == 200


# --- the supreme pai gow wager ---------------------------------------------------------------------------------------


@cache
def set_by_house(four: tuple[int, ...]) -> Setting:
    return house_way(list(four))


def slow_result(first: tuple[int, ...], second: tuple[int, ...]) -> str:
    return RESULTS[better_hands(set_by_house(first), set_by_house(second))]


def test_every_deal_of_a_small_deck() -> None:
    """Two cards each of A, 3, 6, 7, J, K, and both jokers: 210,210 deals one by one, beside the sum by ranks."""
    ranks, copies = (12, 1, 4, 5, 9, 11), 2
    deck = [4 * rank + suit for rank in ranks for suit in range(copies)] + [JOKER_1, JOKER_2]
    slow: Counter[str] = Counter()
    for first in combinations(deck, 4):
        left = [card for card in deck if card not in first]
        for second in combinations(left, 4):
            slow[slow_result(first, second)] += 1
    fours = np.array(list(combinations(deck, 4)), np.uint8)
    held = np.stack([np.bincount(np.minimum(four // 4, 13), minlength=14) for four in fours])
    held, first_of = np.unique(held, axis=0, return_index=True)
    setting = RANKING.house_way(fours[first_of])
    strengths = tuple(RANKING.low(np.ascontiguousarray(setting[:, at : at + 2])) for at in (0, 2))
    fast = count_duels(held.astype(np.int64), (strengths[0], strengths[1]), LAW.compare, 3, no_progress, copies)
    assert dict(zip(RESULTS, fast.tolist(), strict=True)) == dict(slow)
    assert sum(slow.values()) == comb(14, 4) * comb(10, 4)


def test_the_supreme_pai_gow_wager() -> None:
    theory = theory_of(filed(), "supreme_pai_gow", STORE)
    assert theory.method is Method.ENUMERATION and theory.standard_error is None
    assert theory.total == FOURS * comb(50, 4)
    counts = counts_of(theory)
    won, lost = counts["wins"], counts["loses"]
    assert theory.expected == Fraction(19 * won, 20 * theory.total) - Fraction(lost, theory.total)
    twelve = theory_of(filed(), "supreme_pai_gow", STORE, 1_200)
    assert twelve.outcomes[-1].net == Fraction(1_125, 1_200)  # 60¢ goes up to 75¢
    exact = theory_of(filed(vigorish_rounding="exact"), "supreme_pai_gow", STORE, 1_200)
    assert exact.outcomes[-1].net == Fraction(19, 20) and exact.counts == theory.counts


def test_deals_drawn_at_random_end_as_often_as_was_counted() -> None:
    rng, deals = random.Random("fours"), 20_000
    found: Counter[str] = Counter()
    for _ in range(deals):
        cards = rng.sample(range(54), 8)
        found[slow_result(tuple(sorted(cards[:4])), tuple(sorted(cards[4:])))] += 1
    counts = theory_of(filed(), "supreme_pai_gow", STORE).counts
    for outcome in RESULTS:
        share = float(counts.probability(outcome))
        assert abs(found[outcome] / deals - share) < 4 * sqrt(share * (1 - share) / deals), outcome


# --- one hand --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("As Ad X1 X2", {"bonus": "two jokers and two aces: pays 200 to 1", "house_way_high": "pair of jokers"}),
        ("As Ad Kc 7d", {"bonus": "any pair: pays 1 to 1", "house_way_low": "7 points (K-7)"}),
        ("2s 4d 9c Kh", {"bonus": "nothing: loses"}),
        ("Kc Qd", {"hand": "K-Q"}),
    ],
)
def test_a_hand_read(cards: str, said: dict[str, str]) -> None:
    facts = {fact.key: fact.value for fact in read_hand(filed(), cards).facts}
    assert facts.items() >= said.items()


@pytest.mark.parametrize(("cards", "said"), [("As Ad Kc", "two cards"), ("As As Kc 7d", "As")])
def test_a_hand_there_is_not(cards: str, said: str) -> None:
    with pytest.raises(TheoryError, match=said):
        read_hand(filed(), cards)
