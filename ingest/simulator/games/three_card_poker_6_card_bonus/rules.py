"""Three Card Poker 6 Card Bonus as the simulated house dealer plays it: hands, bonus bets, the action button.

Written from the CA text, the California Games Collection Rates and R-20, R-28, R-30, R-38, R-39, R-41, hand by hand and
without looking at the replay. Seats run clockwise from the house dealer's left.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

ACE, QUEEN = 12, 10

PAIR_PLUS_ODDS = {
    "royal flush": 200,
    "straight flush": 40,
    "three of a kind": 30,
    "straight": 6,
    "flush": 3,
    "pair": 1,
}
SIX_CARD_ODDS = {
    "royal flush": 1000,
    "straight flush": 200,
    "four of a kind": 50,
    "full house": 25,
    "flush": 20,
    "straight": 10,
    "three of a kind": 5,
}
_THREE_CARD_ORDER = ("high card", "pair", "flush", "straight", "three of a kind", "straight flush")

Key = tuple[int, ...]


def ranks_of(cards: Sequence[int]) -> list[int]:
    return sorted((card >> 2 for card in cards), reverse=True)


def _straight_from(ranks: Sequence[int]) -> int | None:
    """The rank a straight is topped by, the ace high or low; None where these ranks are none."""
    count, high = len(ranks), max(ranks)
    if len(set(ranks)) < count:
        return None
    if high - min(ranks) == count - 1:
        return high
    low = sorted(-1 if rank == ACE else rank for rank in ranks)
    return low[-1] if low[-1] - low[0] == count - 1 else None


def _suited(cards: Sequence[int]) -> bool:
    return len({card & 3 for card in cards}) == 1


def three_card_key(cards: Sequence[int]) -> Key:
    """A value that compares as three cards do."""
    ranks, top = ranks_of(cards), _straight_from(ranks_of(cards))
    kinds = len(set(ranks))
    if top is not None:
        name, rest = "straight flush" if _suited(cards) else "straight", [top]
    elif kinds == 1:
        name, rest = "three of a kind", ranks[:1]
    elif _suited(cards):
        name, rest = "flush", ranks
    elif kinds == 2:
        pair = ranks[1]  # the middle one of three is of the pair
        name, rest = "pair", [pair, *(rank for rank in ranks if rank != pair)]
    else:
        name, rest = "high card", ranks
    return (_THREE_CARD_ORDER.index(name), *rest)


def qualifies(player_dealer: Sequence[int]) -> bool:
    """Queen-high or better."""
    return three_card_key(player_dealer) >= (0, QUEEN)


def pair_plus_class(cards: Sequence[int]) -> str | None:
    key = three_card_key(cards)
    name = _THREE_CARD_ORDER[key[0]]
    if name == "straight flush" and key[1] == ACE:
        return "royal flush"
    return name if name in PAIR_PLUS_ODDS else None


def _five_card_class(cards: Sequence[int]) -> str | None:
    ranks = ranks_of(cards)
    top = _straight_from(ranks)
    if top is not None and _suited(cards):
        return "royal flush" if top == ACE else "straight flush"
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    if counts[0] >= 4:  # five alike count as four
        return "four of a kind"
    if counts[:2] == [3, 2]:
        return "full house"
    if _suited(cards):
        return "flush"
    if top is not None:
        return "straight"
    return "three of a kind" if counts[0] == 3 else None


def six_card_class(own: Sequence[int], player_dealers: Sequence[int]) -> str | None:
    """The best-paid five of the six."""
    found = {_five_card_class(five) for five in combinations((*own, *player_dealers), 5)}
    return next((name for name in SIX_CARD_ODDS if name in found), None)


def button_seat(card: int, bank_seat: int, seats: int) -> int:
    """Counted clockwise from the house dealer's left, where seat 1 is; the player-dealer is never counted (R-30)."""
    value = 1 if card >> 2 == ACE else (card >> 2) + 2
    others = [seat for seat in range(1, seats + 1) if seat != bank_seat]
    return others[(value - 1) % len(others)]


def plays(cards: Sequence[int]) -> bool:
    """What most players do: play queen-six-four and better."""
    return three_card_key(cards) >= (0, QUEEN, 4, 2)
