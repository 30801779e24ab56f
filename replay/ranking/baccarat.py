"""Card values of baccarat, and of the chart that places the action button. No rank, no suit, no joker."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from replay.ranking.hands import Cards
from schemas.cards import JOKER_1, NO_CARD, name_of

_FIGURES = np.array([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1], np.uint8).repeat(4)  # ace 1, jack 11 .. king 13
_POINTS = np.where(_FIGURES > 9, 0, _FIGURES).astype(np.uint8)
_POINTS_OR_NONE = np.zeros(NO_CARD + 1, np.uint8)
_POINTS_OR_NONE[:JOKER_1] = _POINTS


def values(codes: Cards) -> NDArray[np.uint8]:
    """Points of each card (CA Supreme Baccarat, Value of Cards): ace 1, 2-9 face value, tens and pictures ten, that is
    0, since the tens digit of a hand is ignored."""
    return _POINTS[_playing_cards(codes)]


def totals(cards: Cards) -> NDArray[np.uint8]:
    """Value of each (n, 3) hand, 0..9: "the tens (10s) digit ignored" (CA Supreme Baccarat, Value of Cards).

    A hand of two cards has NO_CARD (255) for its third; a hand of fewer is an error.
    """
    if cards.ndim != 2 or cards.shape[1] != 3:
        raise ValueError(f"baccarat hands are an array of shape (n, 3), not {cards.shape}")
    _playing_cards(cards[:, :2])
    third = cards[:, 2]
    _playing_cards(third[third != NO_CARD])
    points = _POINTS_OR_NONE[cards]
    return (points[:, 0] + points[:, 1] + points[:, 2]) % np.uint8(10)


def button_value(codes: Cards) -> NDArray[np.uint8]:
    """Seats to count for the action button (CA Action Button Card Chart, rulings.md R-30): ace 1, 2-10 face value,
    jack 11, queen 12, king 13."""
    return _FIGURES[_playing_cards(codes)]


def _playing_cards(codes: Cards) -> Cards:
    if codes.dtype != np.uint8:
        raise ValueError(f"cards are uint8 codes, not {codes.dtype}")
    if codes.size and codes.max() >= JOKER_1:
        code = int(codes.max())
        what = "no card" if code == NO_CARD else name_of(code) if code <= JOKER_1 + 1 else "no code of a card"
        raise ValueError(f"code {code} ({what}) has no baccarat or button value: a card 2c..As is needed")
    return codes
