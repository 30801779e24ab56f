"""Pure 21.5 Blackjack as the simulated casino dealer plays it: totals, the player-dealer's draws, what hands come to.

Written from the CA Pure 21.5 Blackjack text and R-28, R-30, R-31, R-38, R-39, hand by hand, and without looking at the
replay. Seats run clockwise from the house dealer's left.
"""

from __future__ import annotations

from collections.abc import Sequence

BASE, DOUBLE, INSURANCE = "blackjack", "double", "insurance"
ACE, EIGHT = 12, 6  # ranks: a card's code without its suit
LEAST_DOUBLE_CENTS = 1_000
MOST_SPLITS = 3


def rank(card: int) -> int:
    return card >> 2


def value(card: int) -> int:
    """An ace is 1 here, a bonus card 10, every other card its face."""
    return 1 if rank(card) == ACE else min(rank(card) + 2, 10)


def is_natural(cards: Sequence[int]) -> bool:
    """An ace and a bonus card on the first two cards: 21.5."""
    return len(cards) == 2 and sorted(value(card) for card in cards) == [1, 10]


def total(cards: Sequence[int]) -> int:
    """The best total of the hand, without the half point of a natural."""
    low = sum(value(card) for card in cards)
    return low + 10 if low <= 11 and any(rank(card) == ACE for card in cards) else low


def is_soft(cards: Sequence[int]) -> bool:
    """An ace counts eleven."""
    return total(cards) != sum(value(card) for card in cards)


def is_over(cards: Sequence[int]) -> bool:
    return total(cards) > 21


def must_hit(cards: Sequence[int]) -> bool:
    """Chart 1A."""
    return not is_soft(cards) and total(cards) <= 11


def must_stand(cards: Sequence[int]) -> bool:
    """Chart 1A."""
    return not is_soft(cards) and total(cards) >= 19


def player_dealer_draws(cards: Sequence[int]) -> bool:
    """Chart 1B: hits soft 17 or less, stands on hard 17 or more, and on soft 18 (R-31)."""
    return total(cards) <= 17 if is_soft(cards) else total(cards) < 17


def may_split(cards: Sequence[int]) -> bool:
    """Two cards of one value or rank."""
    return len(cards) == 2 and value(cards[0]) == value(cards[1])


def outcome_of(hand: Sequence[int], split: bool, dealer: Sequence[int]) -> str:
    """`natural`, `win`, `push` or `lose`."""
    natural = is_natural(hand) and not split
    if is_natural(dealer):
        return "push" if natural else "lose"
    if natural:
        return "natural"
    if is_over(hand):
        return "push" if [rank(card) for card in dealer] == [EIGHT] * 3 else "lose"
    if is_over(dealer) or total(hand) > total(dealer):
        return "win"
    return "push" if total(hand) == total(dealer) else "lose"


def button_value(card: int) -> int:
    """Ace 1, 2 to 10 their face, jack 11, queen 12, king 13."""
    return 1 if rank(card) == ACE else rank(card) + 2


def button_seat(card: int, bank_seat: int, seats: int) -> int:
    """Counted clockwise from the player-dealer's left; the player-dealer is never counted (R-30)."""
    others = [(bank_seat - 1 + step) % seats + 1 for step in range(1, seats)]
    return others[(button_value(card) - 1) % len(others)]


def clockwise(first: int, seats: int) -> list[int]:
    """All seats, from this one on."""
    return [(first - 1 + step) % seats + 1 for step in range(seats)]
