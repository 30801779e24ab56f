"""The rules of California Three Card Poker 6 Card Bonus over columns, a row a hand; each with the words it rests on.

Strengths are those of `replay.ranking`: a higher number is a higher hand, equal numbers tie.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from replay.checks.action_button import ButtonByCard
from replay.checks.bank_turns import BankTurns
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import Citation, cite, rule
from replay.families.three_card.law import Bools, Cards, Cites, JudgedOn, Law, PlayLaw, SideWager, Strengths
from replay.filing.cites import cites_beside
from replay.filing.filed import Filing
from replay.money.action_button import counted_button_from_house
from replay.ranking import Game, button_value, queen_high, rank_three, three_in_words
from schemas.places import Numbering, Ring

Seats = npt.NDArray[np.int64]


def _tcp(section: str, words: str) -> Citation:
    return cite("CA", f"Three Card Poker, {section}", words)


CITES = cites_beside(__file__, Cites)


# ---- ante and play -------------------------------------------------------------------------------------------------


@rule("CA", "Three Card Poker, Ranking of Hands 2", "Hands of cards shall rank, from highest to lowest, as follows:")
def strength(cards: Cards) -> Strengths:
    """Straight flush, three of a kind, straight, flush, pair, high card; A-2-3 is the lowest straight (R-20)."""
    return rank_three(cards, joker=False)


@rule("CA", "Three Card Poker, Round of Play 5", "must qualify to play with a **minimum of queen-high**")
def qualifies(player_dealers: Strengths) -> Bools:
    return queen_high(player_dealers)


@rule("CA", "Three Card Poker, Round of Play 5(c)(i)", "If the player's hand beats the player-dealer's hand")
def beats(hand: Strengths, other: Strengths) -> Bools:
    """Equal hands tie: neither beats the other."""
    return np.asarray(hand > other)


@rule("rulings.md", "R-41", "so Play wagers do not count towards it; in the later rates they do")
def play_counts(moment: str) -> bool:
    """Whether a fee taken at this moment is reckoned on Play wagers as well."""
    return moment == "after_play_wagers"


PLAY = PlayLaw(
    name="play",
    title="Play wager",
    equal=_tcp("Betting scheme 3", "which must be equal to the Ante wager"),
    moment=_tcp(
        "Round of Play 3",
        "After examination of the cards, each player who has placed an Ante wager shall have the option to either make "
        "a Play wager in an amount **equal** to the player's Ante wager or forfeit the Ante wager",
    ),
)


# ---- bonus bets ----------------------------------------------------------------------------------------------------


@rule("CA", "Three Card Poker, Pair Plus 5", "the player is paid according to the posted pay below")
def pair_plus_table(filing: Filing) -> str:
    return "pair_plus"


@rule("CA", "Three Card Poker, 6 Card Bonus 5", "the player is paid according to the posted pay below")
def six_card_table(filing: Filing) -> str:
    return "tcb-6b4"


PAIR_PLUS = SideWager(
    name="pair_plus",
    title="Pair Plus",
    judged_on=JudgedOn.OWN_CARDS,
    classes=Game.THREE_CARD_POKER,
    table=pair_plus_table,
    forfeited=_tcp("Pair Plus 8", "shall be forfeited if the player folds their hand and does not place a Play wager"),
    loses=_tcp(
        "Pair Plus 6",
        "If the player's hand does not qualify for payouts, the player-dealer collects the Pair Plus wager.",
    ),
    needs=_tcp(
        "Pair Plus 1",
        "A player shall only place a Pair Plus wager if he/she has also placed an Ante wager prior to the initial "
        "deal.",
    ),
    lowest=_tcp("Pair Plus 3", "Pair Plus wager must be a minimum of \\$1 and a maximum of \\$50."),
)

SIX_CARD_BONUS = SideWager(
    name="six_card_bonus",
    title="6 Card Bonus",
    judged_on=JudgedOn.BOTH_HANDS,
    classes=Game.SIX_CARD_BONUS,
    table=six_card_table,
    forfeited=None,  # "shall not be forfeited if the player folds their hand" (6 Card Bonus 8)
    loses=_tcp(
        "6 Card Bonus 6",
        "If the player's hand does not qualify for payouts, the player-dealer collects the 6 Card Bonus wager.",
    ),
    needs=_tcp(
        "6 Card Bonus 1",
        "A player shall only place a 6 Card Bonus wager if he/she has also placed an Ante wager prior to the initial "
        "deal.",
    ),
    lowest=_tcp("6 Card Bonus 3", "may be less than, equal to, or greater than the base game wager"),
)


# ---- the action button ---------------------------------------------------------------------------------------------


@rule("CA", "Three Card Poker, Round of Play 8", "The player-dealer is not counted when determining the placement")
def button_seat(card: Cards, player_dealer: Seats, seats: int) -> Seats:
    """Counted clockwise from the house dealer's left (rulings.md R-30)."""
    value = button_value(card).astype(np.int64)
    return counted_button_from_house(value, player_dealer.astype(np.int64), Ring(seats, Numbering.CLOCKWISE))


LAW = Law(
    method="shuffler",
    hand_cards=3,
    ante="ante",
    ante_title="Ante",
    play=PLAY,
    sides=(PAIR_PLUS, SIX_CARD_BONUS),
    strength=strength,
    qualifies=qualifies,
    beats=beats,
    in_words=three_in_words,
    counts_for_fees=play_counts,
    no_more_than_the_table="six_card_bonus",
    late=LateWagers(
        _tcp(
            "Betting scheme 2",
            'No bets shall be made, increased, or withdrawn after the house dealer has announced, "No more bets."',
        ),
        "“No more bets” had been announced",
    ),
    offered=WagersOffered(
        no_such_wager=CITES.not_offered,
        no_such_seat=_tcp("Number of players", "A maximum of eight players including the player-dealer position."),
        own_bank=_tcp("Standards of play", "they will collect all winnings and pay all losing bets"),
    ),
    bank_turns=BankTurns(
        2,
        running_cite=_tcp(
            "Standards of play", "for two (2) consecutive times before it is rotated in a clockwise fashion"
        ),
        wagered_before_cite=cite("rulings.md", "R-44", "a wager on that spot in the previous hand"),
    ),
    button=ButtonByCard(
        seat=button_seat,
        value=button_value,
        card="the player-dealer's third",
        from_where="the house dealer's left",
        cite=_tcp(
            "Round of Play 8",
            "An action button will be utilized to determine which player received first action on their wager.",
        ),
        card_cite=_tcp(
            "Round of Play 8",
            "The player-dealer's third card, which is dealt face-up, determines the position of the action button.",
        ),
    ),
    settlement_order="at each seat the player's Ante, Play, Pair Plus and 6 Card Bonus, then each backline bettor's",
    cites=CITES,
)
