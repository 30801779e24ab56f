"""The classes of the 6 Card Bonus (CA Three Card Poker): best five of a player's and the player-dealer's three cards.

Ranks are those of a 52-card deck without a joker (rulings.md R-20), but up to six decks are in play, so a hand may hold
a card, and a suit a rank, more than once: five alike count as four (R-41), and a flush may hold a pair. So the classes
are counted from the cards and not looked up, as `rank_best` does for one deck.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from replay.ranking.hand_class import ClassList, HandClass
from replay.ranking.hands import Bools, Cards

_MOST_DECKS = 6
_ACE = 12
_ROYAL = 0b11111 << 8


@dataclass(frozen=True)
class SixCards:
    cards: Cards  # (n, 6)

    @cached_property
    def counts(self) -> NDArray[np.uint8]:
        """(n, 13) how many of each rank."""
        ranks = self.cards // 4
        held: NDArray[np.uint8] = (ranks[:, :, None] == np.arange(13, dtype=np.uint8)).sum(axis=1, dtype=np.uint8)
        return held

    @cached_property
    def suit_bits(self) -> NDArray[np.int64]:
        """(4, n) the ranks held in each suit, as bits."""
        bits = np.int64(1) << (self.cards // 4)
        return np.stack([np.bitwise_or.reduce(np.where(self.cards % 4 == suit, bits, 0), axis=1) for suit in range(4)])

    @cached_property
    def alike(self) -> NDArray[np.uint8]:
        """(n, 13) the counts, least first."""
        return np.sort(self.counts, axis=1)

    def straight_flush(self) -> Bools:
        found: Bools = np.logical_or.reduce(_five_in_a_row()[self.suit_bits], axis=0)
        return found

    def royal_flush(self) -> Bools:
        found: Bools = (self.suit_bits & _ROYAL == _ROYAL).any(axis=0)
        return found

    def flush(self) -> Bools:
        of_suit = np.stack([(self.cards % 4 == suit).sum(axis=1) for suit in range(4)])
        found: Bools = of_suit.max(axis=0) >= 5
        return found

    def straight(self) -> Bools:
        held: NDArray[np.int64] = ((self.counts > 0) << np.arange(13)).sum(axis=1)
        return _five_in_a_row()[held]

    def most_alike(self, times: int) -> Bools:
        """So many of one rank, or more."""
        found: Bools = self.alike[:, -1] >= times
        return found

    def full_house(self) -> Bools:
        found: Bools = (self.alike[:, -1] >= 3) & (self.alike[:, -2] >= 2)
        return found


@cache
def _five_in_a_row() -> Bools:
    """By the thirteen bits of the ranks held; the ace is high or low (CA Three Card Poker, Ranking of Hands 2d)."""
    held = np.arange(1 << 13)
    with_low_ace = [0b11111 << low for low in range(10)]  # bit 0: the ace below the deuce
    runs = [bits >> 1 | (bits & 1) << _ACE for bits in with_low_ace]
    found: Bools = np.logical_or.reduce([held & run == run for run in runs])
    return found


SIX_CARD_BONUS = ClassList(
    size=6,
    decks=_MOST_DECKS,
    look=SixCards,
    classes=tuple(
        HandClass(name, "CA Three Card Poker, 6 Card Bonus 10 (TCB-6B4), rulings.md R-20, R-41", text, formed)
        for name, text, formed in (
            ("royal_flush", "ace, king, queen, jack, and 10 of the same suit", SixCards.royal_flush),
            (
                "straight_flush",
                "5 cards of the same suit in sequence, below the royal flush",
                lambda six: six.straight_flush() & ~six.royal_flush(),
            ),
            ("four_of_a_kind", "four cards of the same value; five alike are four", lambda six: six.most_alike(4)),
            ("full_house", "three cards of one value and two of another", SixCards.full_house),
            ("flush", "5 cards of the same suit", SixCards.flush),
            ("straight", "5 cards of any suit in sequence", SixCards.straight),
            ("three_of_a_kind", "3 cards of the same value", lambda six: six.most_alike(3)),
        )
    ),
)
