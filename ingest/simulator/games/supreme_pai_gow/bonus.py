"""The bonus wager of Supreme Pai Gow as the simulated house reads it: classes of four cards, odds, payout limit.

Written from MA-SPG §3(c) and §14 with R-15 and R-24. Codes of cards are those of schemas.cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from ingest.simulator.games.supreme_pai_gow.hands import ACE, JACK, KING, QUEEN, is_joker

BONUS = "bonus"
BONUS_ODDS = {  # §14(a), as printed
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
LIMIT_CENTS = 5_000_000  # §14(b)


def bonus_class(cards: Sequence[int]) -> str | None:
    """The best-paying class of four cards. A joker is a joker, or a 3 or a 6 of any suit for a straight or straight
    flush, and completes nothing else (§3(c), R-15)."""
    naturals = [card for card in cards if not is_joker(card)]
    jokers = len(cards) - len(naturals)
    ranks = [card >> 2 for card in naturals]
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    one_suit = len({card & 3 for card in naturals}) == 1
    straight = _straight(ranks, jokers)
    if ranks.count(ACE) == 4:
        return "four_aces"
    if one_suit and set(ranks) == {ACE, KING, QUEEN, JACK}:
        return "royal_flush"
    if jokers == 2 and ranks.count(ACE) == 2:
        return "two_jokers_and_two_aces"
    if counts[0] == 4:
        return "four_of_a_kind"
    if one_suit and straight:
        return "straight_flush"
    if counts[0] == 3:
        return "three_of_a_kind"
    if one_suit and not jokers:
        return "flush"
    if counts[:2] == [2, 2] or (jokers == 2 and counts[0] == 2):
        return "two_pair"
    if straight:
        return "straight"
    if jokers == 2:
        return "two_jokers"
    return "any_pair" if counts[0] == 2 else None


def _straight(ranks: Sequence[int], jokers: int) -> bool:
    """Four in a row, the ace above the king or below the two, each joker a 3 or a 6."""
    for ace in (1, 14):
        own = [ace if rank == ACE else rank + 2 for rank in ranks]
        for given in product((3, 6), repeat=jokers):
            values = {*own, *given}
            if len(values) == 4 and max(values) - min(values) == 3:
                return True
    return False


def limit_cents(bonus_minimum_cents: int) -> int:
    """The payout limit: $50,000, or the most the smallest bonus wager could win, if that is more (§14(b), R-24)."""
    return max(LIMIT_CENTS, bonus_minimum_cents * max(BONUS_ODDS.values()))


def bonus_payouts(wagers: dict[int, int], classes: dict[int, str | None], bonus_minimum_cents: int) -> dict[int, int]:
    """What each seat's bonus wager wins: the odds up to the limit; where royal flushes would together win more than the
    limit, they share it in proportion to their wagers, the odd cents going to the first seat (§14(b), R-24)."""
    limit = limit_cents(bonus_minimum_cents)
    paid: dict[int, int] = {}
    for seat, cents in wagers.items():
        name = classes[seat]
        paid[seat] = min(BONUS_ODDS[name] * cents, limit) if name else 0
    royals = [seat for seat in sorted(wagers) if classes[seat] == "royal_flush"]
    if len(royals) >= 2 and sum(paid[seat] for seat in royals) > limit:
        staked = sum(wagers[seat] for seat in royals)
        for seat in royals:
            paid[seat] = limit * wagers[seat] // staked
        paid[royals[0]] += limit - sum(paid[seat] for seat in royals)
    return paid
