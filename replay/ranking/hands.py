"""What a column of hands must look like, and a sentence when it does not.

Every ranker takes a uint8 array of card codes (`schemas.cards`), one row a hand. Shape, type and code range are cheap
and always checked, by `as_hands`. Repeated cards cost about as much to find as five cards cost to rank, so
`check_hands` looks for them once, where cards enter, and not in every ranker: *a ranker's answer for a hand that holds
the same card twice means nothing*.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from schemas.cards import JOKER_1, NO_CARD, name_of, names_of

Cards = NDArray[np.uint8]
Strengths = NDArray[np.int32]
Bools = NDArray[np.bool_]


def as_hands(cards: Cards, size: int, jokers: int = 1) -> Cards:
    """The same array, once it is known to be (n, size) card codes of a deck with so many jokers."""
    if not isinstance(cards, np.ndarray) or cards.dtype != np.uint8:
        found = f"dtype {cards.dtype}" if isinstance(cards, np.ndarray) else type(cards).__name__
        raise ValueError(f"hands are a uint8 array of card codes, not {found}")
    if cards.ndim != 2 or cards.shape[1] != size:
        raise ValueError(f"hands of {size} cards are an array of shape (n, {size}), not {cards.shape}")
    return known_cards(cards, jokers)


def known_cards(cards: Cards, jokers: int = 1) -> Cards:
    """The same (n, size) hands, once each code is one of a deck with so many jokers. For whatever looks codes up in a
    table that ends there: one more joker must not be taken for the last card it knows, or for none."""
    if cards.size and cards.max() >= JOKER_1 + jokers:
        row, place = (int(at[0]) for at in np.nonzero(cards >= JOKER_1 + jokers))
        raise ValueError(f"hand {row}, card {place + 1}: {_why_not(int(cards[row, place]), jokers)}")
    return cards


def check_hands(cards: Cards, size: int, jokers: int = 1) -> None:
    """ValueError for the first hand that cannot have come from one deck: also a card held twice."""
    seen = np.zeros(len(as_hands(cards, size, jokers)), np.uint64)
    for column in cards.T:
        seen |= np.uint64(1) << column.astype(np.uint64)
    short = np.flatnonzero(np.bitwise_count(seen) != size)
    if short.size:
        row = int(short[0])
        codes = cards[row].tolist()
        twice = next(code for code in codes if codes.count(code) > 1)
        raise ValueError(f"hand {row} ({names_of(codes)}) holds {name_of(twice)} twice; one deck has one")


def _why_not(code: int, jokers: int) -> str:
    if code == NO_CARD:
        return f"no card (code {NO_CARD}) where one is needed"
    if code <= JOKER_1 + 1:
        return f"{name_of(code)} (code {code}) is not in a deck with {jokers} joker{'' if jokers == 1 else 's'}"
    return f"code {code} is not a card"
