"""The four-card bonus hands of Supreme Pai Gow (MA-SPG §3(c), §14; NJ-SPG 34.3(c), 34.14).

Each of the two jokers is itself, or a 3 or 6 of the needed suit for a straight or a straight flush and for nothing
else: it never makes a pair, three or four of a kind or flush (`Joker.THREE_OR_SIX`, rulings.md R-15). The ace is high
(J-Q-K-A) or low (A-2-3-4).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from replay.ranking.hand_class import ClassList, HandClass
from replay.ranking.hands import Bools, Cards
from replay.ranking.joker import Joker
from schemas.cards import JOKER_1, RANKS

_ACE = RANKS.index("A")
_ROYAL = sum(1 << RANKS.index(rank) for rank in "JQKA")
_STAND_INS = sum(1 << RANKS.index(rank) for rank in "36")


@dataclass(frozen=True)
class FourCards:
    """Four-card hands, a row each, with what the classes ask about them."""

    cards: Cards  # (n, 4)

    @cached_property
    def jokers(self) -> NDArray[np.int64]:
        held: NDArray[np.int64] = (self.cards >= JOKER_1).sum(axis=1)
        return held

    @cached_property
    def counts(self) -> NDArray[np.uint8]:
        """(n, 13) how many of each rank, jokers apart."""
        ranks = self.cards // 4  # a joker's, 13, is none of these
        held: NDArray[np.uint8] = (ranks[:, :, None] == np.arange(13, dtype=np.uint8)).sum(axis=1, dtype=np.uint8)
        return held

    def holds(self, times: int) -> NDArray[np.int64]:
        """How many ranks are held so many times."""
        ranks: NDArray[np.int64] = (self.counts == times).sum(axis=1)
        return ranks

    @cached_property
    def one_suit(self) -> Bools:
        """All cards but jokers are of one suit."""
        of_suit = np.stack([((self.cards % 4 == suit) | (self.cards >= JOKER_1)).all(axis=1) for suit in range(4)])
        found: Bools = np.logical_or.reduce(of_suit, axis=0)
        return found

    @cached_property
    def rank_bits(self) -> NDArray[np.int64]:
        bits: NDArray[np.int64] = ((self.counts > 0) << np.arange(13)).sum(axis=1)
        return bits

    @cached_property
    def in_a_row(self) -> Bools:
        return _four_in_a_row()[self.jokers, self.rank_bits]

    @cached_property
    def royal(self) -> Bools:
        """Ace, king, queen and jack of a suit; no joker can be one of them."""
        found: Bools = self.one_suit & (self.rank_bits == _ROYAL)
        return found

    @cached_property
    def aces(self) -> NDArray[np.uint8]:
        return self.counts[:, _ACE]


@cache
def _four_in_a_row() -> Bools:
    """By jokers held (0..2) and the bits of the other ranks: the ranks are different, lie in a run of four, and what
    is missing is a 3, a 6 or both, one for each joker."""
    with_low_ace = [0b1111 << low for low in range(11)]  # bit 0: the ace below the deuce
    found = np.zeros((3, 1 << 13), bool)
    held = np.arange(1 << 13)
    for run in (bits >> 1 | (bits & 1) << _ACE for bits in with_low_ace):
        missing = run & ~held
        fits = (held & ~run == 0) & (missing & ~_STAND_INS == 0)
        for jokers in range(3):
            found[jokers] |= fits & (np.bitwise_count(missing) == jokers)
    return found


SUPREME_PAI_GOW = ClassList(
    size=4,
    jokers=2,
    joker=Joker.THREE_OR_SIX,
    look=FourCards,
    classes=tuple(
        HandClass(name, f"MA-SPG §3(c)({number}), NJ-SPG 34.3(c){number}", text, formed)
        for number, (name, text, formed) in enumerate(
            (
                ("four_aces", "four aces", lambda four: four.aces == 4),
                ("royal_flush", "an ace, king, queen and jack of the same suit", lambda four: four.royal),
                (
                    "two_jokers_and_two_aces",
                    "two jokers and two aces",
                    lambda four: (four.jokers == 2) & (four.aces == 2),
                ),
                (
                    "four_of_a_kind",
                    "four cards of the same rank other than four aces",
                    lambda four: (four.holds(4) == 1) & (four.aces != 4),
                ),
                (
                    "straight_flush",
                    "four cards of the same suit in consecutive ranking other than a royal flush",
                    lambda four: four.one_suit & four.in_a_row & ~four.royal,
                ),
                ("three_of_a_kind", "three cards of the same rank", lambda four: four.holds(3) == 1),
                (
                    "flush",
                    "four cards of the same suit, regardless of rank",
                    lambda four: four.one_suit & (four.jokers == 0),
                ),
                (
                    "two_pair",
                    '"two jokers" and "any other pair" or two "any other pairs"',
                    lambda four: four.holds(2) + (four.jokers == 2) == 2,
                ),
                ("straight", "four cards of consecutive rank, regardless of suit", lambda four: four.in_a_row),
                ("two_jokers", "a hand that contains both jokers", lambda four: four.jokers == 2),
                ("any_pair", "two cards of the same rank other than two jokers", lambda four: four.holds(2) >= 1),
            ),
            start=1,
        )
    ),
)
