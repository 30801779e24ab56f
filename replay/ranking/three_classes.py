"""The classes of three cards: MA-PGP's three-card bonus (§18(b)) and the Pair Plus of CA Three Card Poker.

Both rank by `replay.ranking.three`. The bonus pays three of a kind more than a straight flush with the joker; no three
cards can be both, so the order of a pay table never has to choose.
"""

from __future__ import annotations

from dataclasses import dataclass

from replay.ranking.five import category
from replay.ranking.hand_class import ClassList, HandClass
from replay.ranking.hands import Bools, Cards, Strengths
from replay.ranking.joker import Joker
from replay.ranking.three import ROYAL, ThreeCategory, rank_three
from schemas.cards import JOKER_1

_MOST_DECKS = 6  # CA Three Card Poker, Number of Decks: "up to six decks"


@dataclass(frozen=True)
class ThreeCards:
    strength: Strengths
    natural: Bools

    @classmethod
    def of(cls, cards: Cards) -> ThreeCards:
        return cls(rank_three(cards, joker=True), (cards != JOKER_1).all(axis=1))

    def is_kind(self, kind: ThreeCategory) -> Bools:
        found: Bools = category(self.strength) == kind
        return found


THREE_CARD_BONUS = ClassList(
    size=3,
    jokers=1,
    joker=Joker.SEMI_WILD,
    look=ThreeCards.of,
    classes=tuple(
        HandClass(name, "MA-PGP §18(b)", text, formed)
        for name, text, formed in (
            (
                "straight_flush_natural",
                "Three-card straight flush, with no joker",
                lambda three: three.is_kind(ThreeCategory.STRAIGHT_FLUSH) & three.natural,
            ),
            ("three_of_a_kind", "Three-of-a-kind", lambda three: three.is_kind(ThreeCategory.THREE_OF_A_KIND)),
            ("straight_flush", "Three-card straight flush", lambda three: three.is_kind(ThreeCategory.STRAIGHT_FLUSH)),
            ("straight", "Three-card straight", lambda three: three.is_kind(ThreeCategory.STRAIGHT)),
            ("flush", "Three-card flush", lambda three: three.is_kind(ThreeCategory.FLUSH)),
            ("pair", "One pair", lambda three: three.is_kind(ThreeCategory.PAIR)),
        )
    ),
)

THREE_CARD_POKER = ClassList(
    size=3,
    decks=_MOST_DECKS,
    look=ThreeCards.of,
    classes=tuple(
        HandClass(name, "CA Three Card Poker, Pair Plus 10, rulings.md R-20", text, formed)
        for name, text, formed in (
            ("royal_flush", "ace, king, queen of one suit", lambda three: three.strength == ROYAL),
            (
                "straight_flush",
                "three of one suit in sequence, below the royal flush",
                lambda three: three.is_kind(ThreeCategory.STRAIGHT_FLUSH) & (three.strength != ROYAL),
            ),
            (
                "three_of_a_kind",
                "3 cards of the same value",
                lambda three: three.is_kind(ThreeCategory.THREE_OF_A_KIND),
            ),
            ("straight", "cards of any suit in sequence", lambda three: three.is_kind(ThreeCategory.STRAIGHT)),
            ("flush", "cards of the same suit, not in sequence", lambda three: three.is_kind(ThreeCategory.FLUSH)),
            ("pair", "2 cards of the same value", lambda three: three.is_kind(ThreeCategory.PAIR)),
        )
    ),
)
