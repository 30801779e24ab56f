"""What seven cards are for the wagers of Massachusetts pai gow poker beside Fortune: Emperor's Treasure is Fortune with
an ace and a king (MA-PGP §3(i)), the others are here. Written from §1, §3(h), (k), §9(l), R-18, R-19 and R-46."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ingest.simulator.poker import (
    ACE,
    FIVE_ACES,
    FLUSH,
    FULL_HOUSE,
    JOKER,
    QUADS,
    QUEEN,
    ROYAL,
    SEVEN_CARD_STRAIGHT_FLUSH,
    SEVEN_CARD_STRAIGHT_FLUSH_JOKER,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    five_key,
    fortune_class,
    pai_gow_rank,
)

_RED_SUITS = (1, 2)
_WHEEL = (STRAIGHT_FLUSH, 0)  # as `five_key` has it where A-2-3-4-5 is the lowest


def is_queens_dragon(cards: Sequence[int]) -> bool:
    return pai_gow_rank(cards, True) == QUEEN


def is_ace_high(cards: Sequence[int]) -> bool:
    return pai_gow_rank(cards, True) == ACE


def cards_of_colour(cards: Sequence[int], colour: str) -> int:
    naturals = [card for card in cards if card != JOKER]
    red = sum(card & 3 in _RED_SUITS for card in naturals)
    return red if colour == "red" else len(naturals) - red


def dynasty_class(cards: Sequence[int]) -> str | None:
    """The first row of the table of §16(g) that the cards form."""
    splits = [(five, [card for card in cards if card not in five]) for five in combinations(cards, 5)]
    keyed = [(five_key(five, "lowest"), JOKER not in five, rest) for five, rest in splits]
    kinds = {key[0] for key, _, _ in keyed}
    wheels = [rest for key, natural, rest in keyed if key == _WHEEL and natural]
    royals = [rest for key, natural, rest in keyed if key[0] == ROYAL and natural]
    run = fortune_class(cards, "king_queen")
    rows = {
        "wheel_and_ace_queen": any(_ace_queen(rest) for rest in wheels),
        "seven_natural": run == SEVEN_CARD_STRAIGHT_FLUSH,
        "royal_and_ace_queen": any(_ace_queen(rest) for rest in royals),
        "seven": run == SEVEN_CARD_STRAIGHT_FLUSH_JOKER,
        "five_aces": FIVE_ACES in kinds,
        "wheel": bool(wheels),
        "royal_flush": ROYAL in kinds,
        "straight_flush": STRAIGHT_FLUSH in kinds,
        "four_of_a_kind": QUADS in kinds,
        "full_house": FULL_HOUSE in kinds,
        "flush": FLUSH in kinds,
        "three_of_a_kind": TRIPS in kinds,
        "straight": STRAIGHT in kinds,
    }
    return next((name for name, formed in rows.items() if formed), None)


def _ace_queen(two: Sequence[int]) -> bool:
    """Of one suit, and no joker (R-18)."""
    return JOKER not in two and two[0] & 3 == two[1] & 3 and {card >> 2 for card in two} == {ACE, QUEEN}
