"""The rules of MA-SPG as functions over columns, one row a hand, a wager or a round; each with the words it rests on.

Strengths are those of `replay.ranking.supreme`: a higher number is a higher hand, equal ones are the dealer's.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.start import counted_start
from replay.cards.dealing.start import next_button as button_after
from replay.checks.areas import AreasLaw
from replay.checks.bank_eligible import BankEligible
from replay.checks.shuffling import CutLaw
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import cite, rule
from replay.families.split_hands.law import (
    BankLaw,
    Cites,
    Dealing,
    Law,
    Ranking,
    StartLaw,
    StubLaw,
)
from replay.families.split_hands.wager_law import BaseWager, JudgedOn, PayoutLaw, SideWager
from replay.filing.cites import cites_beside
from replay.filing.filed import Filing
from replay.money.results import LOSES, TIES, WINS
from replay.money.vigorish import VigorishRounding, share_of
from replay.ranking import (
    FOUR_SPLITS,
    Game,
    class_names,
    classify,
    fouls_supreme,
    house_way_four,
    rank_supreme,
    supreme_in_words,
    zero_points,
)
from schemas.places import Ring

Cents = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Cards = npt.NDArray[np.uint8]
Numbers = npt.NDArray[Any]

RING = Ring(6)
CLASSES = (*class_names(Game.SUPREME_PAI_GOW), "nothing")

# ---- the words findings and lines rest on, where they are no function of their own ---------------------------------

_ma = partial(cite, "MA-SPG")
_SEATED = _ma("§7(b)", "Only players who are seated at the supreme pai gow table may place a wager at the game.")
CITES = cites_beside(__file__, Cites)
BANK = BankLaw(
    wager="bank",
    may=_ma("§13(a)", "offer to all players at a supreme pai gow table the opportunity to bank the game"),
    may_share=_ma("§13(e)", "offer the bank the option of having the casino cover 50 percent of the wagers"),
    surplus=_ma(
        "§13(l)",
        "If, after collecting all losing wagers and paying all winning wagers, there is a surplus in the center of the "
        "table, this amount shall be charged a five percent vigorish",
    ),
    shortfall=_ma("§13(l)", "the dealer shall collect from the bank, an amount equal to the remaining winning wagers"),
    even=_ma(
        "§13(l)", "all winning wagers, including the dealer's wager, shall be paid by the dealer with the gaming chips"
    ),
    co_surplus=_ma("§13(m)", "the dealer shall place half of this amount into the table inventory container"),
    co_shortfall=_ma(
        "§13(m)",
        "the dealer shall collect from the co-bank, an amount equal to one-half of the remaining winning wagers",
    ),
    co_bank_alone=_ma("§13(e)", "When co-banking is in effect, the dealer may not place a wager against the bank."),
    eligible=BankEligible(
        most_running=1,
        running=_ma("§13(c)", "In no event may any player bank two consecutive rounds of play."),
        offered=_ma(
            "§13(c)",
            "The initial offer to be the bank shall rotate counterclockwise around the table until it returns",
        ),
        not_at_start=_ma("§13(b)", "A player may not be the bank at the start of the game."),
        wagered_before=_ma(
            "§13(d)(1)",
            "The player placed a wager against the dealer during the last round of play in which there was no player "
            "banking the game",
        ),
        funds=_ma(
            "§13(d)(2)", "sufficient gaming chips on the table to cover all of the wagers placed by other players"
        ),
    ),
)


# ---- start ---------------------------------------------------------------------------------------------------------


@rule(
    "MA-SPG",
    "§11(b)(2), §13(h)(3)",
    "count counterclockwise around the table, with the position of the dealer considered number one",
)
def start_of_number(number: Numbers, number_one: Numbers) -> Numbers:
    """The place a dice total, or a random number 1 to 7, counts to (rulings.md R-2); a bank is number one."""
    return counted_start(number, number_one, RING)


@rule("MA-SPG", "§11(d)", "the button shall rotate around the table in a clockwise manner after each round of play")
def next_button(previous: Numbers) -> Numbers:
    """One place clockwise of the last one."""
    return button_after(previous, RING)


# ---- the supreme pai gow wager -------------------------------------------------------------------------------------


@rule("MA-SPG", "§12(a)", "the two-card high hand must be equal to or higher in rank than the two-card low hand")
def fouled(low: Numbers, high: Numbers) -> Bools:
    """By §3(a) alone: the highest card is for a player's hand against the dealer's (rulings.md R-13)."""
    return fouls_supreme(low, high)


@rule(
    "MA-SPG",
    "§3(d)",
    "the dealer or banker shall be deemed to hold the higher ranking low hand whenever the point value of the player's "
    "low hand is zero",
)
def low_hand_wins(low: Numbers, against_low: Numbers) -> Bools:
    """Not a hand of no points, and higher; "two hands have an equal rank" is the dealer's (§3(b))."""
    return np.asarray((low > against_low) & ~zero_points(low))


@rule("MA-SPG", "§3(b)", "the dealer or banker shall be deemed to hold the higher ranking hand")
def high_hand_wins(high: Numbers, against_high: Numbers) -> Bools:
    return np.asarray(high > against_high)


def compare(low: Numbers, high: Numbers, against_low: Numbers, against_high: Numbers) -> npt.NDArray[np.uint8]:
    """LOSES, TIES or WINS for each player's hand: none, one or both of its hands higher; a foul one loses (§12(g))."""
    won = low_hand_wins(low, against_low).astype(np.uint8) + high_hand_wins(high, against_high)
    result: npt.NDArray[np.uint8] = np.array([LOSES, TIES, WINS], np.uint8)[won]
    return np.where(fouled(low, high), np.uint8(LOSES), result)


@rule("MA-SPG", "§12(i)", "in an amount equal to five percent of the amount won")
def vigorish(won_cents: Cents, rounding: VigorishRounding) -> Cents:
    """The commission on winning supreme pai gow wagers, and on what a bank is left (rulings.md R-23)."""
    return share_of(won_cents, 5, rounding)


# ---- the bonus wager, and what the licensee filed ------------------------------------------------------------------


@rule("MA-SPG", "§3(c)", "The permissible four-card hands that qualify for a posted payout shall be")
def bonus_class(cards: Cards) -> npt.NDArray[np.uint8]:
    """The highest class each hand can form; the last number where it forms none."""
    found = classify(cards, CLASSES[:-1], Game.SUPREME_PAI_GOW)
    return np.where(found < 0, len(CLASSES) - 1, found).astype(np.uint8)


def settings(cards: Cards) -> tuple[Cards, Cards]:
    """The six ways to set four cards: low hands, high hands."""
    every = cards[:, FOUR_SPLITS]
    return every[:, :, :2], every[:, :, 2:]


RANKING = Ranking(low=rank_supreme, high=rank_supreme, house_way=house_way_four, settings=settings)


def ranking_filed(filing: Filing) -> Ranking:
    """No option changes how hands rank."""
    return RANKING


@rule("MA-SPG", "§14(a)", "at no less than the odds set forth below")
def bonus_table(filing: Filing) -> str:
    return "bonus"


BONUS = SideWager(
    name="bonus",
    title="bonus wager",
    judged_on=JudgedOn.OWN_CARDS,
    classes=CLASSES,
    class_of=lambda filing, choice: bonus_class,
    table=bonus_table,
    loses=_ma(
        "§12(h), §14(a)",
        "A bonus wager shall win if the four cards dealt to a player qualify for a posted payout in accordance with "
        "Section 14.",
    ),
    needs=_ma("§7(d)", "Upon placing a supreme pai gow wager, a player may also place a bonus wager"),
    limits=_ma("§7(d)", "by placing a wager of at least $1.00 on the designated betting area of the layout"),
)

LAW = Law(
    only_method=None,
    hand_cards=4,
    low_cards=2,
    right_settings=3,
    base=BaseWager("supreme_pai_gow", "supreme pai gow wager"),
    sides=(BONUS,),
    late=LateWagers(
        _ma(
            "§7(c)", "No wager at supreme pai gow shall be made, increased or withdrawn after the dealer has announced"
        ),
        "the dealer had announced 'No more bets'",
    ),
    offered=WagersOffered(CITES.not_offered, no_such_seat=_SEATED, seated_only=_SEATED),
    ranking=ranking_filed,
    fouled=fouled,
    compare=compare,
    in_words=supreme_in_words,
    vigorish=vigorish,
    premium=None,
    payout=PayoutLaw(5_000_000, "MA-SPG §14(b)", filed=False, shared_class=CLASSES.index("royal_flush")),
    resets_winners_only=True,  # §12(i): "Before paying a winning bonus wager"
    bonus_outlives_exposure=True,  # §16(e): "if a player has placed a bonus wager, it shall be settled"
    bank=BANK,
    player_dealer=None,
    stub_counted=StubLaw(5, _ma("§8(d)", "required to count the stub at least once every five rounds of play")),
    start=StartLaw(start_of_number, next_button, case_dice_total=8, button_section="MA-SPG §11(d)"),
    card_age_limit_s={Dealing.MANUAL_SHOE: 8 * 3600, Dealing.AUTOMATED_SHOE: 8 * 3600, Dealing.HAND: 4 * 3600},
    dice_age_limit_s=24 * 3600,
    settlement_order="each seat's supreme pai gow wager and then its bonus wager",
    cites=CITES,
    cut=CutLaw(10, _ma("§6(e)", "shall place the cut card in the stack at least 10 cards from either end")),
    areas=AreasLaw(
        most=2,
        cite=_ma("§15(a)", "permit a player to wager on no more than two betting areas"),
        bank_most=1,
        bank_cite=_ma("§13(f)", "If a player is the bank, the player may only wager on one betting area."),
    ),
)
