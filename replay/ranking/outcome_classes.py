"""Pay table rows that are no poker hand: one card, two hands side by side, points.

What a row of cards is, by game:

    EIGHTH_CARD       FLT-SPG App. E: the dealer's eighth card
    FACE_UP_ACE_HIGH  MA-PGP §19(d): the dealer's seven cards, then the player's seven
    BACCARAT          CA Supreme Baccarat: the Player hand's three cards, then the Banker hand's, a third or NO_CARD
    PURE_21_5         CA Pure 21.5 Blackjack: the first two cards, of a player (6 to 5) or the player-dealer (insurance)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from replay.ranking.baccarat import totals
from replay.ranking.blackjack import Totals, blackjack_totals
from replay.ranking.hand_class import NO_CLASS, ClassList, HandClass
from replay.ranking.hands import Bools, Cards
from replay.ranking.joker import Joker
from replay.ranking.seven_classes import PAI_GOW_POKER
from schemas.cards import RANKS

_MOST_DECKS = 8  # CA Supreme Baccarat and Pure 21.5


def _one_of(ranks: str) -> Callable[[NDArray[np.uint8]], Bools]:
    """The card is of one of these ranks; "X" is the joker, whose rank is 13."""
    held = np.array([rank in ranks for rank in RANKS + "X"])
    return lambda found: held[found]


EIGHTH_CARD: ClassList[NDArray[np.uint8]] = ClassList(
    size=1,
    jokers=1,
    joker=None,  # it is only itself here
    look=lambda cards: cards[:, 0] // 4,
    classes=tuple(
        HandClass(name, "FLT-SPG App. E", text, _one_of(ranks))
        for name, text, ranks in (
            ("three_or_ten", "3 or 10", "3T"),
            ("two_or_four", "2 or 4", "24"),
            ("two_five_or_seven", "2, 5, or 7", "257"),
            ("joker", "Joker", "X"),
            ("ace", "Ace", "A"),
            ("king", "King", "K"),
            ("queen", "Queen", "Q"),
            ("jack", "Jack", "J"),
            ("jack_or_queen", "Jack - Queen", "JQ"),
            ("five_to_nine", "5 - 9", "56789"),
            ("eight_or_nine", "8 - 9", "89"),
            ("six", "6", "6"),
            ("four", "4", "4"),
        )
    ),
)


@dataclass(frozen=True)
class FaceUp:
    dealer_joker: Bools  # the dealer's seven are an ace-high pai gow with the joker
    dealer_natural: Bools  # and without
    player: Bools

    @classmethod
    def of(cls, cards: Cards) -> FaceUp:
        dealer = PAI_GOW_POKER.classify(cards[:, :7], ["ace_high_joker", "ace_high_natural"])
        player = PAI_GOW_POKER.classify(cards[:, 7:], ["ace_high"])
        return cls(dealer == 0, dealer == 1, player != NO_CLASS)

    def dealer(self) -> Bools:
        return self.dealer_joker | self.dealer_natural


FACE_UP_ACE_HIGH = ClassList(
    size=14,
    jokers=1,
    joker=Joker.SEMI_WILD,
    look=FaceUp.of,
    classes=tuple(
        HandClass(name, "MA-PGP §19(d), rulings.md R-19", text, formed)
        for name, text, formed in (
            (
                "both_ace_high",
                "Both dealer and player have Ace High",
                lambda hands: hands.dealer() & hands.player,
            ),
            (
                "dealer_ace_high_joker",
                "Only dealer has Ace High, with Joker",
                lambda hands: hands.dealer_joker & ~hands.player,
            ),
            (
                "dealer_ace_high_natural",
                "Only dealer has Ace High, no Joker",
                lambda hands: hands.dealer_natural & ~hands.player,
            ),
        )
    ),
)


@dataclass(frozen=True)
class Coup:
    player: NDArray[np.uint8]
    banker: NDArray[np.uint8]

    @classmethod
    def of(cls, cards: Cards) -> Coup:
        return cls(totals(cards[:, :3]), totals(cards[:, 3:]))


def _total(score: int) -> HandClass[Coup]:
    return HandClass(
        f"total_{score}",
        "CA Supreme Baccarat, Total Shot",
        "the combined Baccarat Score Total of the Player and Banker's completed hands",
        lambda coup: coup.player + coup.banker == score,
    )


_BETTING_SCHEME = "CA Supreme Baccarat, Betting Scheme 3"
BACCARAT = ClassList(
    size=6,
    decks=_MOST_DECKS,
    may_lack=(2, 5),
    look=Coup.of,
    classes=(
        HandClass(
            "player_wins", f"{_BETTING_SCHEME}(a)", "Player line winning", lambda coup: coup.player > coup.banker
        ),
        HandClass(
            "banker_wins_without_six",
            f"{_BETTING_SCHEME}(b)",
            "Banker line winning Baccarat Score Totals 1,2,3,4,5,7,8,9",
            lambda coup: (coup.banker > coup.player) & (coup.banker != 6),
        ),
        HandClass(
            "banker_wins_with_six",
            f"{_BETTING_SCHEME}(c)",
            "Banker line winning Baccarat Score Total of (6)",
            lambda coup: (coup.banker > coup.player) & (coup.banker == 6),
        ),
        HandClass("tie", f"{_BETTING_SCHEME}(d)", "the banker and player hands tie", lambda c: c.banker == c.player),
        _total(18),
        _total(17),
    ),
)

PURE_21_5: ClassList[Totals] = ClassList(
    size=2,
    decks=_MOST_DECKS,
    look=blackjack_totals,
    classes=(
        HandClass(
            "pure_21_5",
            "CA Pure 21.5 Blackjack, Game Rules 1, rulings.md R-31",
            "an Ace and a Bonus card on the first two cards",
            lambda hands: hands.natural,
        ),
    ),
)
