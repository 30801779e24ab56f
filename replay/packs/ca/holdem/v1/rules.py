"""The rules of Hold'em over columns: what hands are worth, how a round of betting goes, whose the pots are.

`LAW` is all of them. Knows nothing of events, hands in the rack or of how a batch is stored.
"""

from __future__ import annotations

import numpy as np

from replay.citations import cite, rule
from replay.families.board.law import BettingLaw, BoardLaw, DealLaw, Law
from replay.money.pot import PotCites
from replay.ranking import Wheel, rank_best, strength_in_words
from replay.ranking.hands import Strengths
from replay.rounds import Cards

NO_LOW = 0
MOST_RAISES = 3  # beside the bet, rule 30

FOLDED_IS_DEAD = cite(
    "CA",
    "Hold'em 1",
    "The dealer will assume that any unprotected abandoned, or discarded hands are dead or have been folded.",
)
KILLED_FIRST = cite("CA", "Hold'em 35", "No pot may be awarded until all losing hands have been killed.")
ONE_HAND_LEFT = cite(
    "CA", "Hold'em 36", "unless all other active hands have been discarded and only one intact hand remains"
)
ALL_IN = cite(
    "CA",
    "Hold'em 25",
    "If the big blind is less than the required amount because that Player is all-in, all subsequent betting action is "
    "taken as if the full amount had been posted and the blind plays short.",
)
ODD_CHIP = cite("rulings.md", "R-42", "among equals to the first seat left of the button")
BEST_HAND = cite(
    "CA", "Hold'em, Method of Play", "the active Player with the best five-card High hand is awarded the pot"
)
PICKUP = cite(
    "rulings.md",
    "R-9",
    "Folded hands in the order folded; at showdown losing hands in seat order, winning hands last; then board in the "
    "order turned, burns in the order burned, stub.",
)
DEAL_AND_RACK_AGREE = cite("rulings.md", "R-10", "the two must agree card for card")
DECK = cite("CA", "Hold'em, Description", "HOLD'EM is played using a standard 52 card deck.")
SHOWDOWN = cite("CA", "Hold'em 33", "Winning hand must show all cards prior to pot being awarded.")

BETTING = BettingLaw(
    most_raises=MOST_RAISES,
    turn=cite("CA", "Hold'em 13", 'is to the immediate left of the "big blind."'),
    later_turn=cite(
        "CA", "Hold'em 13", "Thereafter, action begins with the Player to the immediate left of the dealer button."
    ),
    full_bet=cite("CA", "Hold'em 26", "Only a full bet constitutes a bet or a raise."),
    call=cite(
        "CA",
        "Hold'em 26",
        "the next Player can call the equivalent amount or put in an amount equal to a full bet or raise",
    ),
    raises=cite("CA", "Hold'em 30", "A bet and three raises are allowed."),
    checked_out_of_turn=cite("CA", "Hold'em 29", "Anyone who checks out of turn may not initiate any action."),
    not_reopened=cite("rulings.md", "R-42", "A short all-in does not reopen the betting for those who have acted."),
    blind=cite(
        "CA",
        "Hold'em 12",
        "A Player who posts a regular size blind may only put up the amount required by the structure of a particular "
        "game. Oversize blinds are prohibited.",
    ),
    additional_blind=cite("CA", "Hold'em 17", "posting an additional blind--an amount equal to the sum of the blinds"),
    straddle=cite("CA", "Hold'em 21", "A straddle is always twice the size of the big blind."),
    short_blind=ALL_IN,
    not_in_play=FOLDED_IS_DEAD,
)

DEAL = DealLaw(
    boxed=cite("CA", "Hold'em 4", "A boxed card is replaced by the next card below it in the deck."),
    exposed=cite(
        "CA", "Hold'em 5", "If a Player's hole card is exposed due to a dealer error, he may not keep the exposed card."
    ),
    count=cite(
        "CA",
        "Hold'em 6",
        "If either situation occurs after the Player has acted on his hand, all monies, antes and blinds are forfeited "
        "by that Player.",
    ),
)

BOARD = BoardLaw(
    early=(
        cite(
            "CA",
            "Hold'em 8",
            "If cards are flopped by the Dealer before all the betting is completed, the entire flop is taken back and "
            "reshuffled.",
        ),
        cite(
            "CA",
            "Hold'em 9",
            "If the Dealer turns up the fourth card on the board before the round of betting is completed, the card is "
            "not in play.",
        ),
        cite(
            "CA",
            "Hold'em 10",
            "If the fifth (5th) card is turned up before betting is complete, it shall be reshuffled",
        ),
    ),
    too_many=cite("CA", "Hold'em 7", "If the flop has too many cards, it will be taken back and reshuffled"),
)


@rule(
    "CA",
    "Hold'em, Method of Play",
    "Players may use two, one, or none (playing the board) of their personal cards to form their hand.",
)
def best_hand(hole: Cards, board: Cards) -> Strengths:
    """The best five of the two and the board, in the traditional ranking of poker hands."""
    return rank_best(np.concatenate([hole, board], axis=1), Wheel.LOWEST, joker=False)


def in_words(hole: bytes, board: bytes) -> str:
    """What a hand is, for people."""
    both = (np.frombuffer(cards, np.uint8).reshape(1, -1) for cards in (hole, board))
    return strength_in_words(int(best_hand(*both)[0]))


LAW = Law(
    hole=2,
    high=best_hand,
    low=None,
    no_low=NO_LOW,
    with_other_cards=None,
    in_words=in_words,
    betting=BETTING,
    board=BOARD,
    deal=DEAL,
    pots=PotCites(
        best_hand=BEST_HAND,
        folded=FOLDED_IS_DEAD,
        all_in=ALL_IN,
        odd_chip=ODD_CHIP,
        awarded=ONE_HAND_LEFT,
    ),
    pickup=PICKUP,
    deal_and_rack_agree=DEAL_AND_RACK_AGREE,
    deck=DECK,
    showdown=SHOWDOWN,
)
