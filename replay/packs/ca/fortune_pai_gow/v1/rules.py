"""The rules of California Fortune Pai Gow Poker over columns, a row a hand or a wager; each with the words it rests on.

Strengths are those of `replay.ranking`: a higher number is a higher hand, equal numbers are a copy hand.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.start import counted_start_california
from replay.checks.bank_turns import BankTurns
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import Citation, cite, rule
from replay.families.split_hands.law import (
    Cites,
    Law,
    PlayerDealerLaw,
    Ranking,
    StartLaw,
)
from replay.families.split_hands.wager_law import BaseWager, EnvyLaw, JudgedOn, PremiumLaw, SideWager
from replay.filing.cites import cites_beside
from replay.filing.filed import Filing
from replay.money.results import LOSES, TIES, WINS
from replay.ranking import (
    FORTUNE_CLASS_NAMES,
    FortuneClass,
    Wheel,
    all_splits,
    fortune_class,
    fouls,
    house_way,
    premium,
    rank_five,
    rank_two,
    strength_in_words,
)
from schemas.places import Numbering, Ring

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]

RING = Ring(7, Numbering.CLOCKWISE)

# ---- the words findings and lines rest on, where they are no function of their own ---------------------------------

_GAME = "Fortune Pai Gow Poker"


def _type(words: str) -> Citation:
    return cite("CA", f"{_GAME}, Type of Game", words)


def _play(number: int, words: str) -> Citation:
    return cite("CA", f"{_GAME}, Dealing Procedures and Round of Play {number}", words)


def _won(number: int, words: str) -> Citation:
    return cite("CA", f"{_GAME}, How Winners are Determined and Paid {number}", words)


def _bonus(number: int, words: str) -> Citation:
    return cite("CA", f"{_GAME}, Fortune Bonus {number}", words)


CITES = cites_beside(__file__, Cites)
PLAYER_DEALER = PlayerDealerLaw(
    bank_turns=BankTurns(
        2,
        running_cite=_type("for two consecutive rounds of play before it is offered in a clockwise fashion"),
        wagered_before_cite=cite("rulings.md", "R-44", "a wager on that spot in the previous hand"),
    ),
    table_limits=CITES.table_limits,
    cover=_type("the wagers not covered by the player-dealer shall be returned to the respective players"),
    button=_play(4, "The player to the left of the player that receives the first pile of cards, receives the"),
)


# ---- start ---------------------------------------------------------------------------------------------------------


@rule("CA", f"{_GAME}, Dealing Procedures and Round of Play 4", "is always one, eight, and fifteen.")
def start_of_number(number: Numbers, player_dealer: Numbers) -> Numbers:
    """The seat that gets the first pile: clockwise, the player-dealer's is number one (rulings.md R-2)."""
    return counted_start_california(number, player_dealer, RING)


def no_button(previous: Numbers) -> Numbers:
    """No button says where the deal begins here."""
    return previous


# ---- the game wager ------------------------------------------------------------------------------------------------


@rule(
    "CA",
    f"{_GAME}, Dealing Procedures and Round of Play 5",
    "The five card hand must rank higher than the two card hand",
)
def fouled(low: Numbers, high: Numbers) -> Bools:
    """A five-card hand that is equal as far as the two cards go is not lower (rulings.md R-13)."""
    return fouls(low, high)


@rule("CA", f"{_GAME}, How Winners are Determined and Paid 4", 'The player-dealer wins all "copy hands."')
def hand_wins(hand: Numbers, player_dealers: Numbers) -> Bools:
    return np.asarray(hand > player_dealers)


@rule("CA", f"{_GAME}, How Winners are Determined and Paid 3", "one of the hands held by the player ranks higher")
def compare(low: Numbers, high: Numbers, against_low: Numbers, against_high: Numbers) -> npt.NDArray[np.uint8]:
    """LOSES, TIES or WINS for each player's hand: none, one or both of its hands higher; a foul one loses."""
    won = hand_wins(low, against_low).astype(np.uint8) + hand_wins(high, against_high)
    result: npt.NDArray[np.uint8] = np.array([LOSES, TIES, WINS], np.uint8)[won]
    return np.where(fouled(low, high), np.uint8(LOSES), result)


# ---- what the card room filed --------------------------------------------------------------------------------------

RANKING = Ranking(
    low=rank_two,
    high=partial(rank_five, wheel=Wheel.LOWEST),
    house_way=partial(house_way, wheel=Wheel.LOWEST),
    settings=all_splits,
)


@rule("CA", f"{_GAME}, Card Values and Hand Rankings", "a 5, 4, 3, 2 and ace is the lowest ranked straight")
def ranking_filed(filing: Filing) -> Ranking:
    """No option changes how hands rank."""
    return RANKING


@rule("CA", f"{_GAME}, Fortune Bonus 5", "Qualifying Fortune Bonus Bets shall be paid according to the table")
def bonus_table(filing: Filing) -> str:
    return "fpg-02"


FORTUNE = SideWager(
    name="fortune",
    title="Fortune bet",
    judged_on=JudgedOn.OWN_CARDS,
    classes=FORTUNE_CLASS_NAMES,
    class_of=lambda filing, choice: fortune_class,
    table=bonus_table,
    loses=_won(
        8, "If the player's hand does not qualify for payouts, the player-dealer collects the Fortune Bonus Bet."
    ),
    needs=_bonus(
        1,
        "A player may only place a Fortune Bonus Bet if they have also placed a Fortune Pai Gow Poker game wager prior "
        "to the initial deal.",
    ),
    limits=CITES.table_limits,
    envy=EnvyLaw(
        least_cents=500,
        cite=cite(
            "CA", f"{_GAME}, Envy Bonus 1", "A player that places a wager of at least $5 on the Fortune Bonus Bet"
        ),
        lowest_class=FortuneClass.FOUR_OF_A_KIND,
        class_cite=_won(9, "If at least one player has a four of a kind or higher"),
        own_wager_only=True,
        why_they_stay="although a Fortune bet of at least $5.00 was on the table and such hands stay until the envy "
        "bonuses are paid (CA, Fortune Pai Gow Poker, How Winners are Determined and Paid 9)",
        section="CA, Fortune Pai Gow Poker, How Winners are Determined and Paid 9",
    ),
)

LAW = Law(
    only_method="piles",
    hand_cards=7,
    low_cards=2,
    right_settings=12,
    base=BaseWager("fortune_pai_gow", "game wager"),
    sides=(FORTUNE,),
    late=LateWagers(CITES.not_offered, "betting had closed", deal_begun=CITES.not_offered),
    offered=WagersOffered(
        no_such_wager=CITES.not_offered,
        no_such_seat=cite("CA", f"{_GAME}, Description of Table Used", "seats a maximum of seven players"),
        own_bank=_type("The player-dealer shall collect all losing wagers, pay all winning wagers"),
    ),
    ranking=ranking_filed,
    fouled=fouled,
    compare=compare,
    in_words=strength_in_words,
    vigorish=None,
    premium=PremiumLaw(premium, "a hand of four of a kind or better with a Fortune bet"),
    payout=None,
    resets_winners_only=False,
    bonus_outlives_exposure=False,
    bank=None,
    player_dealer=PLAYER_DEALER,
    start=StartLaw(start_of_number, no_button, case_dice_total=8, button_section=""),
    stub_counted=None,
    card_age_limit_s={},
    dice_age_limit_s=0,
    settlement_order="at each seat the game wagers and then the Fortune bets; envy bonuses after the last seat",
    cites=CITES,
    says_what_is_void=False,
)
