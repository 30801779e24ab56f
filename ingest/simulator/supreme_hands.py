"""Supreme Pai Gow hands as the simulated dealer reads them: two cards against two, foul, house way, bonus classes.

Written from MA-SPG §3 and §14 with R-13 to R-15 and R-35, card by card. Codes are those of schemas.cards: 0 to 51, and
the jokers 52 and 53.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from ingest.simulator.played import Setting

JOKERS = (52, 53)
ACE, KING, QUEEN, JACK, TEN = 12, 11, 10, 9, 8
POINTS, FACES, PAIR = range(3)

Key = tuple[int, ...]


def is_joker(card: int) -> bool:
    return card in JOKERS


def _points(card: int) -> int:
    """An ace is 1, a two to nine its face, a ten or a face card nothing (§3(a)(3))."""
    rank = card >> 2
    return 1 if rank == ACE else rank + 2 if rank < TEN else 0


def _height(card: int) -> int:
    """King high, ace low (§3(b))."""
    rank = card >> 2
    return 1 if rank == ACE else rank + 2


def joker_value(other: int) -> int:
    """3 or 6, whichever gives the greater total with the other card (§3(a)(3)(iv))."""
    return max((3, 6), key=lambda value: (value + _points(other)) % 10)


def rank_key(cards: Sequence[int]) -> Key:
    """A pair, two different face cards, or points (§3(a)): what a player's own hands compare by (R-13)."""
    one, other = cards
    if is_joker(one) and is_joker(other):
        return PAIR, ACE + 1
    if is_joker(one) or is_joker(other):
        natural = other if is_joker(one) else one
        return POINTS, (joker_value(natural) + _points(natural)) % 10
    if one >> 2 == other >> 2:
        return PAIR, one >> 2
    if all(JACK <= card >> 2 <= KING for card in cards):
        return FACES, (one >> 2) + (other >> 2)  # K-Q, K-J, Q-J
    return POINTS, (_points(one) + _points(other)) % 10


def full_key(cards: Sequence[int]) -> Key:
    """As `rank_key`, and then the highest card and the other one (§3(b), R-14); a joker is the 3 or 6 it was given."""
    one, other = cards
    heights = [
        joker_value(beside) if is_joker(card) and not is_joker(beside) else 14 if is_joker(card) else _height(card)
        for card, beside in ((one, other), (other, one))
    ]
    return (*rank_key(cards), *sorted(heights, reverse=True))


def is_foul(setting: Setting) -> bool:
    """The high hand has to be equal to the low hand or higher (§12(a))."""
    low, high = setting
    return len(low) != 2 or len(high) != 2 or rank_key(high) < rank_key(low)


def better_hands(setting: Setting, against: Setting) -> int:
    """How many of a player's two hands are higher than the other's; equal ones are not, nor a low hand of no points
    (§3(b), (d))."""
    low, high = setting
    low_wins = full_key(low) > full_key(against[0]) and rank_key(low) != (POINTS, 0)
    return low_wins + (full_key(high) > full_key(against[1]))


def _settings(cards: Sequence[int]) -> list[Setting]:
    return [(list(low), [card for card in cards if card not in low]) for low in combinations(cards, 2)]


def house_way(cards: Sequence[int]) -> Setting:
    """Two pairs: the higher in the high hand. One pair, or three of a kind: a pair in the high hand. No pair: the
    highest low hand that is not foul, and of these the highest high hand (R-35)."""
    settings = [setting for setting in _settings(cards) if not is_foul(setting)]
    paired = [setting for setting in settings if rank_key(setting[1])[0] == PAIR]
    both = [setting for setting in paired if rank_key(setting[0])[0] == PAIR]
    if both:
        return max(both, key=lambda setting: full_key(setting[1]))
    if paired:
        return max(paired, key=lambda setting: full_key(setting[1]))
    return max(settings, key=lambda setting: (full_key(setting[0]), full_key(setting[1])))


# --- bonus wager -----------------------------------------------------------------------------------------------------

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


# --- bank ------------------------------------------------------------------------------------------------------------


def bank_result(lost_cents: int, won_cents: int, co_banked: bool) -> tuple[str, int]:
    """What the centre of the table leaves to the bank, before the vigorish, or asks of it: the outcome and the cents.

    Co-banked, the house takes half of a surplus and bears half of what is missing, an odd cent included (§13(l), (m),
    R-23, R-47).
    """
    surplus = lost_cents - won_cents
    if surplus == 0:
        return "push", 0
    share = abs(surplus) // 2 if co_banked else abs(surplus)
    return ("win" if surplus > 0 else "lose"), share
