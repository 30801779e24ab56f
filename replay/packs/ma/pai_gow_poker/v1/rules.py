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
from replay.checks.areas import AreasLaw
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import cite, rule
from replay.families.split_hands.law import (
    Cites,
    Dealing,
    Law,
    Ranking,
    Starting,
    StartLaw,
)
from replay.families.split_hands.wager_law import (
    BaseWager,
    PayoutLaw,
    PremiumLaw,
)
from replay.filing.filed import Filing
from replay.money.results import LOSES, TIES, WINS
from replay.money.vigorish import VigorishRounding, share_of
from replay.packs.ma.pai_gow_poker.v1.side_wagers import SIDES, TABLE_LIMITS
from replay.packs.ma.pai_gow_poker.v1.variants import CONFLICTS, variant_filed
from replay.ranking import (
    Wheel,
    all_splits,
    house_way,
    premium,
    rank_five,
    rank_two,
    strength_in_words,
)
from schemas.places import Ring

Cents = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]

RING = Ring(6)

# ---- the words findings and lines rest on, where they are no function of their own ---------------------------------

_ma = partial(cite, "MA-PGP")
_DELIVERY = {
    Dealing.MANUAL_SHOE: _ma("§8(c)", "moving clockwise around the table, deal a card to all other positions"),
    Dealing.HAND: _ma("§8a(f)", "moving clockwise around the table, deliver the remaining stacks in order"),
    Dealing.AUTOMATED_SHOE: _ma("§8b(d)", "moving clockwise around the table, whether or not there is a wager"),
}
_EIGHT_HOURS = cite("NJ-SPG", "19:46-1.18(g)2", "shall be changed at least every eight hours")
_SEATED = _ma("§7(b)", "Only players who are seated at the pai gow poker table may place a wager at the game.")
CITES = Cites(
    win=_ma("§9(g)(3), §16(a)", "A licensee shall pay each winning Pai Gow Poker Wager at odds of 1 to 1"),
    lose=_ma(
        "§9(g)(1)(i),(ii)",
        "The high hand of the player is lower in rank than the high hand of the dealer and the low hand of the "
        "player is lower in rank than the low hand of the dealer.",
    ),
    tie=_ma(
        "§9(g)(2)",
        "Tie and will be returned to the player if: … The high hand of the player is higher in rank than the high "
        "hand of the dealer, but the … low hand of the player is identical in rank to the low hand of the dealer or "
        "lower in rank than the low hand of the dealer. … The high hand of the player is identical in rank to the "
        "high hand of the dealer or lower in rank than the high hand of the dealer, but the low hand of the player "
        "is higher in rank than the low hand of the dealer.",
    ),
    foul=_ma(
        "§9(g)(1)(iii),(iv)",
        "The high hand of the player was not set so as to rank equal to or higher than the low hand of that player.",
    ),
    surrender=_ma("§9(e)(1)", "Immediately collect the wager from that player"),
    surrender_until=_ma(
        "§9(e)",
        "a player may announce that he or she wishes to surrender his or her wager prior to the dealer exposing "
        "either of the two hands of that player",
    ),
    forfeited=cite("rulings.md", "R-5", "`surrendered_bonus: settled|forfeited`"),
    payout_limit=_ma("§16(j)", "establish a maximum amount that is payable to a player on a single hand"),
    vigorish=_ma("§16(a)", "in an amount equal to 5% of the amount won"),
    all_void=_ma("§11", "all hands shall be void and the cards reshuffled"),
    hand_void=_ma("§11(d)", "the player has the option of voiding the hand"),
    not_offered=_ma("§7(e)", "A licensee may, if specified in its Rules Submission, offer to each player"),
    table_limits=TABLE_LIMITS,
    start={
        Starting.DICE: _ma(
            "§11(c)",
            "If the dealer incorrectly totals the dice and deals the first card or delivers the first stack to the "
            "wrong position, all hands shall be called dead",
        ),
        Starting.RNG: _ma("§8c(c)", "until the count matches the number displayed by the random number generator"),
        Starting.BUTTON: _ma("§8c(d)", "the button shall rotate around the table in a clockwise manner"),
    },
    misdeal=_ma("§11(h)", "If any player or the dealer is dealt an incorrect number of cards, all hands shall be void"),
    stub={
        Dealing.MANUAL_SHOE: _ma("§8(d)(2)", "If more or less than four cards remain"),
        Dealing.HAND: _ma("§8a(d)(2)", "If more or less than four cards remain"),
        Dealing.AUTOMATED_SHOE: _ma("§8b(e)(2)", "If more or less than four cards remain"),
    },
    own_cards=_ma("§9(b)", "no other person except the dealer may touch the cards of that player"),
    dealer_exposed=_ma(
        "§11(e)", "If a card or cards in the hand of the dealer or bank is exposed, all hands shall be void"
    ),
    boxed_set_aside=_ma(
        "§11(f)",
        "A card found turned face up in the shoe shall not be used in the game and shall be placed in the discard "
        "rack.",
    ),
    delivery=_DELIVERY,
    not_as_filed={
        **_DELIVERY,
        Dealing.HAND: _ma("§11(l)", "the dealer fails to deal the seven stacks in accordance with Section 8a(c)"),
    },
    boxed=_ma("§11(f)", "If more than one card is found turned face up in the shoe, all hands shall be void"),
    stacks_exposed=_ma("§11(k)", "If a card is exposed while the dealer is dealing the seven stacks"),
    shoe_fault=_ma("§11(n)", "fails to deal all cards during a round of play, the round of play shall be void"),
    stub_racked=_ma("§8(d)(1)", "shall not be exposed to anyone and shall be placed in the discard rack"),
    pickup=_ma("§9(k)", "All cards collected by the dealer shall be picked up in order"),
    reconstruct=cite("rulings.md", "R-10", "the dealt order gives a second, independent reconstruction"),
    not_reshuffled=_ma("§11(m)", "or fails to complete a shuffle cycle, the cards shall be reshuffled"),
    cut_offered=_ma("§6(d)", "The cut of the cards shall be offered to players in the following order"),
    one_deck=_ma("§2(a)", "shall be played with one deck of cards"),
    house_way=_ma(
        "§11(i)",
        "the hands must be reset in accordance with this submission and the round of play completed",
    ),
    dice_age=_ma("§4(a)(1)(iii)", "shall remain on a table for more than 24 hours"),
    decks_alternate=_ma("§2(b)(4)", "with each deck being used for every other round of play"),
    card_age={
        Dealing.MANUAL_SHOE: _EIGHT_HOURS,
        Dealing.AUTOMATED_SHOE: _EIGHT_HOURS,
        Dealing.HAND: cite("NJ-SPG", "19:46-1.18(g)3", "shall be changed at least every four hours"),
    },
)


# ---- start ---------------------------------------------------------------------------------------------------------


@rule(
    "MA-PGP",
    "§8c(b)(2)",
    "count counterclockwise around the table, with the position of the dealer considered number one",
)
def start_of_number(number: Numbers, number_one: Numbers) -> Numbers:
    """The place a dice total, or a random number 1 to 7, counts to (rulings.md R-2)."""
    return counted_start(number, number_one, RING)


@rule("MA-PGP", "§8c(d)", "the button shall rotate around the table in a clockwise manner after each round of play")
def next_button(previous: Numbers) -> Numbers:
    """One place clockwise of the last one."""
    return button_after(previous, RING)


# ---- the pai gow poker wager ---------------------------------------------------------------------------------------


@rule(
    "MA-PGP",
    "§9(a)",
    "the five card high hand must be equal to or higher in rank than the two card low hand",
)
def fouled(low: Numbers, high: Numbers) -> Bools:
    """Not set as §9(a) asks. A low hand's strength is zero below its cards: one comparison does (rulings.md R-13)."""
    return np.asarray(low > high)


@rule(
    "MA-PGP",
    "§9(g)(1)(i)",
    "The high hand of the player is lower in rank than the high hand of the dealer and the low hand of the player is "
    "lower in rank than the low hand of the dealer.",
)
def both_lower(low: Numbers, high: Numbers, dealer_low: Numbers, dealer_high: Numbers) -> Bools:
    return np.asarray((high < dealer_high) & (low < dealer_low))


@rule(
    "MA-PGP",
    "§9(g)(1)(ii)",
    "and the other hand of the player is identical in rank or lower in rank than the other hand of the dealer.",
)
def copy_and_not_higher(low: Numbers, high: Numbers, dealer_low: Numbers, dealer_high: Numbers) -> Bools:
    """A copy hand goes to the dealer when the other hand is no better."""
    return np.asarray(((high == dealer_high) & (low <= dealer_low)) | ((low == dealer_low) & (high <= dealer_high)))


@rule(
    "MA-PGP",
    "§9(g)(2)(i)",
    "The high hand of the player is higher in rank than the high hand of the dealer, but the",
)
def only_high_higher(low: Numbers, high: Numbers, dealer_low: Numbers, dealer_high: Numbers) -> Bools:
    return np.asarray((high > dealer_high) & (low <= dealer_low))


@rule(
    "MA-PGP",
    "§9(g)(2)(ii)",
    "lower in rank than the high hand of the dealer, but the low hand of the player is higher in rank than the low "
    "hand of the dealer.",
)
def only_low_higher(low: Numbers, high: Numbers, dealer_low: Numbers, dealer_high: Numbers) -> Bools:
    return np.asarray((high <= dealer_high) & (low > dealer_low))


@rule(
    "MA-PGP",
    "§9(g)(3)",
    "Win if the high hand of the player is higher in rank than the high hand of the dealer and the low hand of the "
    "player is higher in rank than the low hand of the dealer",
)
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
    """The commission on winning pai gow poker wagers (rulings.md R-23)."""
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
    sides=SIDES,
    variant=variant_filed,
    conflicts=CONFLICTS,
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
    stub_counted=None,
    player_dealer=None,
    bank=None,  # no filing has one yet
    start=StartLaw(
        start_of_number,
        next_button,
        case_dice_total=8,  # §8c(b)(3)(i): "If the dice total 8, the dealer would receive the first card"
        button_section="MA-PGP §8c(d)",
    ),
    card_age_limit_s={Dealing.MANUAL_SHOE: 8 * 3600, Dealing.AUTOMATED_SHOE: 8 * 3600, Dealing.HAND: 4 * 3600},
    dice_age_limit_s=24 * 3600,
    settlement_order="each seat's pai gow poker wager and then its others; envy bonuses after the last seat",
    cites=CITES,
    areas=AreasLaw(
        most=2,
        cite=_ma("§12(a)", "permit a player to wager on no more than two betting areas"),
        bank_most=1,
        bank_cite=_ma("§10(f)", "If a player is the bank, the player may only wager on one betting area."),
    ),
)
