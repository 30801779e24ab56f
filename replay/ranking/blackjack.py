"""Totals of Pure 21.5 Blackjack: hard, soft, natural.

Totals are in *half points*, so that 21.5 is a whole number (43): an ace is 1 or 11, bonus cards (king, queen, jack,
ten) 10, and 10.5 beside an ace on the first two cards, which makes the natural (CA Pure 21.5 Blackjack, Ranking
Chart). A shoe of several decks holds the same card several times; there is no joker.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from replay.ranking.hands import Bools, Cards
from schemas.cards import JOKER_1, NO_CARD, name_of

NATURAL_HALVES = 43
"""21.5, in half points."""

_MOST_CARDS = 24  # twenty-one aces are 21; a little more for a hand drawn against the rules
_TEN = 10
_POINTS = np.zeros(NO_CARD + 1, np.uint8)
_POINTS[:JOKER_1] = np.array([2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1], np.uint8).repeat(4)


@dataclass(frozen=True)
class Totals:
    """What each hand counts, a row a hand."""

    halves: NDArray[np.uint8]  # half points: 40 for twenty, 43 for a natural
    soft: Bools  # an ace counts as eleven, and may still become one
    natural: Bools
    bust: Bools  # over 21.5


def blackjack_totals(cards: Cards, split: Bools | None = None) -> Totals:
    """Totals of each (n, k) hand; shorter hands end in NO_CARD (255). `split` marks hands made by splitting, which
    never make a natural (rulings.md R-31): an ace and a bonus card are then a soft 21."""
    hands = _as_hands(cards)
    points = _POINTS[hands]
    ace = (points == 1).any(axis=1)
    hard = points.sum(axis=1, dtype=np.uint16)
    soft = ace & (hard <= 11)
    total = hard + np.where(soft, 10, 0).astype(np.uint16)
    natural = soft & (total == 21) & ((hands != NO_CARD).sum(axis=1) == 2)
    if split is not None:
        if split.shape != natural.shape:
            raise ValueError(f"`split` has shape {split.shape}; {len(hands)} hands need one value each")
        natural &= ~split
    halves = np.where(natural, NATURAL_HALVES, 2 * total)
    return Totals(np.minimum(halves, 255).astype(np.uint8), soft & ~natural, natural, halves > NATURAL_HALVES)


def three_eights(cards: Cards) -> Bools:
    """Where the hand is 8-8-8 and nothing else: a player-dealer's makes busted players push (CA Pure 21.5, Game Rules
    8)."""
    hands = _as_hands(cards)
    found: Bools = ((_POINTS[hands] == 8).sum(axis=1) == 3) & ((hands != NO_CARD).sum(axis=1) == 3)
    return found


def _as_hands(cards: Cards) -> Cards:
    if not isinstance(cards, np.ndarray) or cards.dtype != np.uint8:
        found = f"dtype {cards.dtype}" if isinstance(cards, np.ndarray) else type(cards).__name__
        raise ValueError(f"hands are a uint8 array of card codes, not {found}")
    if cards.ndim != 2 or not 1 <= cards.shape[1] <= _MOST_CARDS:
        raise ValueError(f"blackjack hands are an array of shape (n, 1..{_MOST_CARDS}), not {cards.shape}")
    wrong = np.argwhere((cards >= JOKER_1) & (cards != NO_CARD))
    if wrong.size:
        row, place = (int(at) for at in wrong[0])
        code = int(cards[row, place])
        what = f"{name_of(code)} (code {code}) is not in this game" if code <= 53 else f"code {code} is not a card"
        raise ValueError(f"hand {row}, card {place + 1}: {what}")
    held = cards != NO_CARD
    broken = np.flatnonzero(~held[:, 0] | (held[:, 1:] & ~held[:, :-1]).any(axis=1))
    if broken.size:
        raise ValueError(f"hand {int(broken[0])} has no card before its end; NO_CARD (255) may only follow the cards")
    return cards
