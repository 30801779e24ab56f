"""Supreme Pai Gow hands as the simulated dealer reads them: two cards against two, foul, house way.

Written from MA-SPG §3 with R-13, R-14 and R-35, card by card. Codes are those of schemas.cards: 0 to 51, and
the jokers 52 and 53.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

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
