"""The rules of MA-PGP as functions over columns, one row a hand, a wager or a round; each with the words it rests on.

Strengths are those of `replay.ranking`: a higher number is a higher hand, equal numbers are a copy hand.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.start import counted_start
from replay.cards.dealing.start import next_button as button_after
from replay.checks.shuffling import CutLaw
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import cite, rule
from replay.families.split_hands.law import Cites, Dealing, Law, Ranking, StartLaw
from replay.families.split_hands.wager_law import BaseWager, PayoutLaw, PremiumLaw
from replay.filing.cites import cites_beside
from replay.filing.filed import Filing
from replay.money.results import LOSES, TIES, WINS
from replay.money.vigorish import VigorishRounding, share_of
from replay.packs.ma.pai_gow_poker.v1.bank import AREAS, BANK
from replay.packs.ma.pai_gow_poker.v1.bonus_wagers import SEVEN_CARD_BONUS, STUB_COUNTED, THREE_CARD_BONUS
from replay.packs.ma.pai_gow_poker.v1.side_wagers import SIDES
from replay.packs.ma.pai_gow_poker.v1.variants import variant_filed
from replay.ranking import Wheel, all_splits, house_way, premium, rank_five, rank_two, strength_in_words
from schemas.places import Ring

Cents = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]

RING = Ring(6)

# ---- the words findings and lines rest on, where they are no function of their own ---------------------------------

_ma = partial(cite, "MA-PGP")
_SEATED = _ma("§7(b)", "Only players who are seated at the pai gow poker table may place a wager at the game.")
CITES = cites_beside(__file__, Cites)


# ---- start ---------------------------------------------------------------------------------------------------------


@rule(
    "MA-PGP",
    "§8c(b)(2), §10(h)(3)",
    "count counterclockwise around the table, with the position of the dealer considered number one",
)
def start_of_number(number: Numbers, number_one: Numbers) -> Numbers:
    """The place a dice total, or a random number 1 to 7, counts to (rulings.md R-2); a bank is number one."""
    return counted_start(number, number_one, RING)


@rule("MA-PGP", "§8c(d)", "the button shall rotate around the table in a clockwise manner after each round of play")
def next_button(previous: Numbers) -> Numbers:
    """One place clockwise of the last one."""
    return button_after(previous, RING)


# ---- the pai gow poker wager ---------------------------------------------------------------------------------------


@rule("MA-PGP", "§9(a)", "the five card high hand must be equal to or higher in rank than the two card low hand")
def fouled(low: Numbers, high: Numbers) -> Bools:
    """Not set as §9(a) asks. A low hand's strength is zero below its cards: one comparison does (rulings.md R-13)."""
    return np.asarray(low > high)


@rule("MA-PGP", "§9(g)(1)(i)", "and the low hand of the player is lower in rank than the low hand of the dealer.")
def both_lower(low: Numbers, high: Numbers, dealer_low: Numbers, dealer_high: Numbers) -> Bools:
    return np.asarray((high < dealer_high) & (low < dealer_low))


@rule("MA-PGP", "§9(g)(1)(ii)", "is identical in rank or lower in rank than the other hand of the dealer.")
def copy_and_not_higher(low: Numbers, high: Numbers, dealer_low: Numbers, dealer_high: Numbers) -> Bools:
    """A copy hand goes to the dealer when the other hand is no better."""
    return np.asarray(((high == dealer_high) & (low <= dealer_low)) | ((low == dealer_low) & (high <= dealer_high)))


@rule(
    "MA-PGP", "§9(g)(2)(i)", "The high hand of the player is higher in rank than the high hand of the dealer, but the"
)
def only_high_higher(low: Numbers, high: Numbers, dealer_low: Numbers, dealer_high: Numbers) -> Bools:
    return np.asarray((high > dealer_high) & (low <= dealer_low))


@rule("MA-PGP", "§9(g)(2)(ii)", "but the low hand of the player is higher in rank than the low hand of the dealer.")
def only_low_higher(low: Numbers, high: Numbers, dealer_low: Numbers, dealer_high: Numbers) -> Bools:
    return np.asarray((high <= dealer_high) & (low > dealer_low))


@rule("MA-PGP", "§9(g)(3)", "and the low hand of the player is higher in rank than the low hand of the dealer")
def both_higher(low: Numbers, high: Numbers, dealer_low: Numbers, dealer_high: Numbers) -> Bools:
    return np.asarray((high > dealer_high) & (low > dealer_low))


def compare(low: Numbers, high: Numbers, dealer_low: Numbers, dealer_high: Numbers) -> npt.NDArray[np.uint8]:
    """LOSES, TIES or WINS for each player's hand: the base rules of §9(g), of which exactly one must apply, and then
    the exception of §9(g)(1)(iii), a foul hand, which loses whatever it would have done."""
    hands = (low, high, dealer_low, dealer_high)
    loses = both_lower(*hands) | copy_and_not_higher(*hands)
    ties = only_high_higher(*hands) | only_low_higher(*hands)
    wins = both_higher(*hands)
    if not np.all(loses.astype(np.uint8) + ties + wins == 1):
        raise AssertionError("MA-PGP §9(g): none or two of lose, tie and win apply to one hand")
    result: npt.NDArray[np.uint8] = (ties * TIES + wins * WINS).astype(np.uint8)
    result[fouled(low, high)] = LOSES
    return result


@rule("MA-PGP", "§16(a)", "in an amount equal to 5% of the amount won")
def vigorish(won_cents: Cents, rounding: VigorishRounding) -> Cents:
    """The commission on winning pai gow poker wagers, and on what a bank is left (rulings.md R-23)."""
    return share_of(won_cents, 5, rounding)


# ---- what the licensee filed ---------------------------------------------------------------------------------------


def wheel_filed(filing: Filing) -> Wheel:
    return Wheel(filing.text("wheel"))


def ranking_filed(filing: Filing) -> Ranking:
    wheel = wheel_filed(filing)
    return Ranking(
        low=rank_two,
        high=partial(rank_five, wheel=wheel),
        house_way=partial(house_way, wheel=wheel),
        settings=all_splits,
    )


LAW = Law(
    only_method=None,
    hand_cards=7,
    low_cards=2,
    right_settings=12,
    base=BaseWager("pai_gow", "pai gow poker wager"),
    sides=(THREE_CARD_BONUS, *SIDES, SEVEN_CARD_BONUS),
    variant=variant_filed,
    late=LateWagers(
        _ma("§7(c)", "No wager at pai gow poker shall be made, increased or withdrawn after the dealer has announced"),
        "the dealer had announced 'No more bets'",
    ),
    offered=WagersOffered(CITES.not_offered, no_such_seat=_SEATED, seated_only=_SEATED),
    ranking=ranking_filed,
    fouled=fouled,
    compare=compare,
    in_words=strength_in_words,
    vigorish=vigorish,
    premium=PremiumLaw(premium, "a hand of four of a kind or better"),
    payout=PayoutLaw(5_000_000, "MA-PGP §16(j)", filed=True),  # "The maximum payout amount shall be at least $50,000"
    resets_winners_only=False,
    bonus_outlives_exposure=False,
    stub_counted=STUB_COUNTED,
    player_dealer=None,
    bank=BANK,
    start=StartLaw(
        start_of_number,
        next_button,
        case_dice_total=8,  # §8c(b)(3)(i): "If the dice total 8, the dealer would receive the first card"
        button_section="MA-PGP §8c(d)",
    ),
    card_age_limit_s={  # §17(g)(1) deals from a shoe and from the hand: the shorter time
        **dict.fromkeys((Dealing.MANUAL_SHOE, Dealing.AUTOMATED_SHOE, Dealing.BONUS_SHOE), 8 * 3600),
        **dict.fromkeys((Dealing.HAND, Dealing.BONUS_HAND), 4 * 3600),
    },
    dice_age_limit_s=24 * 3600,
    settlement_order="each seat's pai gow poker wager and then its others; envy bonuses after the last seat",
    cites=CITES,
    cut=CutLaw(10, _ma("§6(e)", "shall place the cutting card in the stack at least 10 cards in from either end.")),
    spare_jokers=1,  # §2(a): "decks which are manufactured with two jokers provided that only one joker is used"
    areas=AREAS,
)
