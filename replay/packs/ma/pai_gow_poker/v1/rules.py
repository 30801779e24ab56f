"""The rules of MA-PGP as functions over columns, one row a hand, a wager or a round; each with the words it rests on.

Strengths are those of `replay.ranking`: a higher number is a higher hand, equal numbers are a copy hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.start import counted_start
from replay.cards.dealing.start import next_button as button_after
from replay.citations import Citation, cite, rule
from replay.families.split_hands.terms import Dealing, FortuneTable, VigorishRounding
from replay.ranking.seven import FortuneClass
from schemas.places import Ring

Cents = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]

PLACES = 7
RING = Ring(PLACES - 1)
CARDS_EACH = 7
STUB = 4
DECK_SIZE = 53
ENVY_LEAST_CENTS = 500  # MA-PGP §15(c): "a bonus wager of at least $5.00"

# ---- citations of findings and lines that are no function of their own ---------------------------------------------

WIN = cite("MA-PGP", "§9(g)(3), §16(a)", "A licensee shall pay each winning Pai Gow Poker Wager at odds of 1 to 1")
LOSE = cite(
    "MA-PGP",
    "§9(g)(1)(i),(ii)",
    "The high hand of the player is lower in rank than the high hand of the dealer and the low hand of the player is "
    "lower in rank than the low hand of the dealer.",
)
TIE = cite(
    "MA-PGP",
    "§9(g)(2)",
    "Tie and will be returned to the player if: … The high hand of the player is higher in rank than the high hand of "
    "the dealer, but the … low hand of the player is identical in rank to the low hand of the dealer or lower in rank "
    "than the low hand of the dealer. … The high hand of the player is identical in rank to the high hand of the "
    "dealer or lower in rank than the high hand of the dealer, but the low hand of the player is higher in rank than "
    "the low hand of the dealer.",
)
FOUL = cite(
    "MA-PGP",
    "§9(g)(1)(iii),(iv)",
    "The high hand of the player was not set so as to rank equal to or higher than the low hand of that player.",
)
SURRENDER = cite("MA-PGP", "§9(e)(1)", "Immediately collect the wager from that player")
SURRENDER_UNTIL = cite(
    "MA-PGP",
    "§9(e)",
    "a player may announce that he or she wishes to surrender his or her wager prior to the dealer exposing either of "
    "the two hands of that player",
)
FORTUNE_LOSES = cite(
    "MA-PGP",
    "§9(l)(1)(i)a",
    "Does not have a straight or higher, as described in Section 3(d) (relating to Pai Gow Poker rankings), the dealer "
    "shall collect the Fortune Bonus Wager",
)
FORFEITED = cite("rulings.md", "R-5", "`surrendered_bonus: settled|forfeited`")
PAYOUT_LIMIT = cite("MA-PGP", "§16(j)", "establish a maximum amount that is payable to a player on a single hand")
VIGORISH = cite("MA-PGP", "§16(a)", "in an amount equal to 5% of the amount won")
ALL_VOID = cite("MA-PGP", "§11", "all hands shall be void and the cards reshuffled")
HAND_VOID = cite("MA-PGP", "§11(d)", "the player has the option of voiding the hand")
NOT_OFFERED = cite("MA-PGP", "§7(e)", "A licensee may, if specified in its Rules Submission, offer to each player")
SEATED_ONLY = cite(
    "MA-PGP", "§7(b)", "Only players who are seated at the pai gow poker table may place a wager at the game."
)
NO_MORE_BETS = cite(
    "MA-PGP",
    "§7(c)",
    "No wager at pai gow poker shall be made, increased or withdrawn after the dealer has announced",
)
NEEDS_PAI_GOW = cite(
    "MA-PGP",
    "§7(e), §15(b)",
    "Any player who has made a pai gow poker wager pursuant to Section 7 may, at the same time, make",
)
TABLE_LIMITS = cite("rulings.md", "R-37", "minimums ($1 bonus, $5 Fortune, $1/$5 progressive) and table limits")
FORTUNE_LIMITS = cite(
    "MA-PGP", "§3(l)(1), §15(b)", "A Fortune Pai Gow Poker wager may be an amount no less than $5 to no more than $200."
)
START_DICE = cite(
    "MA-PGP",
    "§11(c)",
    "If the dealer incorrectly totals the dice and deals the first card or delivers the first stack to the wrong "
    "position, all hands shall be called dead",
)
START_RNG = cite("MA-PGP", "§8c(c)", "until the count matches the number displayed by the random number generator")
START_BUTTON = cite("MA-PGP", "§8c(d)", "the button shall rotate around the table in a clockwise manner")
MISDEAL = cite(
    "MA-PGP", "§11(h)", "If any player or the dealer is dealt an incorrect number of cards, all hands shall be void"
)
STUB_CITES = {
    Dealing.MANUAL_SHOE: cite("MA-PGP", "§8(d)(2)", "If more or less than four cards remain"),
    Dealing.HAND: cite("MA-PGP", "§8a(d)(2)", "If more or less than four cards remain"),
    Dealing.AUTOMATED_SHOE: cite("MA-PGP", "§8b(e)(2)", "If more or less than four cards remain"),
}
OWN_CARDS = cite("MA-PGP", "§9(b)", "no other person except the dealer may touch the cards of that player")
DEALER_EXPOSED = cite(
    "MA-PGP", "§11(e)", "If a card or cards in the hand of the dealer or bank is exposed, all hands shall be void"
)
BOXED_SET_ASIDE = cite(
    "MA-PGP",
    "§11(f)",
    "A card found turned face up in the shoe shall not be used in the game and shall be placed in the discard rack.",
)
DELIVERY = {
    Dealing.MANUAL_SHOE: cite(
        "MA-PGP", "§8(c)", "moving clockwise around the table, deal a card to all other positions"
    ),
    Dealing.HAND: cite("MA-PGP", "§8a(f)", "moving clockwise around the table, deliver the remaining stacks in order"),
    Dealing.AUTOMATED_SHOE: cite(
        "MA-PGP", "§8b(d)", "moving clockwise around the table, whether or not there is a wager"
    ),
}
NOT_AS_FILED = {
    **DELIVERY,
    Dealing.HAND: cite(
        "MA-PGP", "§11(l)", "the dealer fails to deal the seven stacks in accordance with Section 8a(c)"
    ),
}
BOXED = cite("MA-PGP", "§11(f)", "If more than one card is found turned face up in the shoe, all hands shall be void")
STACKS_EXPOSED = cite("MA-PGP", "§11(k)", "If a card is exposed while the dealer is dealing the seven stacks")
SHOE_FAULT = cite("MA-PGP", "§11(n)", "fails to deal all cards during a round of play, the round of play shall be void")
PICKUP = cite("MA-PGP", "§9(k)", "All cards collected by the dealer shall be picked up in order")
RECONSTRUCT = cite("rulings.md", "R-10", "the dealt order gives a second, independent reconstruction")
ONE_DECK = cite("MA-PGP", "§2(a)", "shall be played with one deck of cards")
HOUSE_WAY = cite(
    "MA-PGP",
    "§11(i)",
    "the hands must be reset in accordance with this submission and the round of play completed",
)
CARDS_8_HOURS = cite("NJ-SPG", "19:46-1.18(g)2", "shall be changed at least every eight hours")
CARDS_4_HOURS = cite("NJ-SPG", "19:46-1.18(g)3", "shall be changed at least every four hours")
DICE_24_HOURS = cite("MA-PGP", "§4(a)(1)(iii)", "shall remain on a table for more than 24 hours")
DECKS_ALTERNATE = cite("MA-PGP", "§2(b)(4)", "with each deck being used for every other round of play")

CARD_AGE_LIMIT_S = {Dealing.MANUAL_SHOE: 8 * 3600, Dealing.AUTOMATED_SHOE: 8 * 3600, Dealing.HAND: 4 * 3600}
CARD_AGE_CITES: dict[Dealing, Citation] = {
    Dealing.MANUAL_SHOE: CARDS_8_HOURS,
    Dealing.AUTOMATED_SHOE: CARDS_8_HOURS,
    Dealing.HAND: CARDS_4_HOURS,
}
DICE_AGE_LIMIT_S = 24 * 3600


def setting_not_seen(citation: Citation) -> Citation:
    """The same rule for a hand nobody saw set, where every setting that is not foul comes to the same (R-51)."""
    caveat = "setting not seen: whatever it was, unless foul; rulings.md R-51"
    return cite(citation.text, f"{citation.section} ({caveat})", citation.words)


# ---- start ---------------------------------------------------------------------------------------------------------


@rule(
    "MA-PGP",
    "§8c(b)(2)",
    "count counterclockwise around the table, with the position of the dealer considered number one",
)
def start_of_number(number: Numbers) -> Numbers:
    """The place a dice total, or a random number 1 to 7, counts to (rulings.md R-2)."""
    return counted_start(number, np.zeros_like(number), RING)


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


LOSES, TIES, WINS = 0, 1, 2


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
    match rounding:
        case VigorishRounding.EXACT:
            return (won_cents + 10) // 20  # half a cent goes up
        case VigorishRounding.UP_TO_QUARTER:  # "to 25¢ or the next highest multiple of 25¢"
            return -(-won_cents // 500) * 25


# ---- the Fortune wager and its envy bonus --------------------------------------------------------------------------


@rule("MA-PGP", "§16(b)", "at the odds and amounts in one of the following paytables")
def fortune_pays(
    wager_cents: Cents, hand_class: npt.NDArray[np.uint8], table: FortuneTable, limit_cents: int
) -> tuple[Cents, npt.NDArray[np.uint8]]:
    """What a Fortune wager on a hand of this class is paid, and LOSES, TIES or WINS. `limit_cents` 0: no limit."""
    paid = wager_cents * table.numerator[hand_class] // table.denominator[hand_class]
    result = np.where(table.push[hand_class], TIES, np.where(paid > 0, WINS, LOSES)).astype(np.uint8)
    return limited(paid, limit_cents), result


@rule("MA-PGP", "§16(j)", "establish a maximum amount that is payable to a player on a single hand")
def limited(paid_cents: Cents, limit_cents: int) -> Cents:
    """Never applied to envy bonuses (§16(j), rulings.md R-24)."""
    return np.minimum(paid_cents, limit_cents) if limit_cents else paid_cents


@rule("MA-PGP", "§15(c)", "Any player who makes a bonus wager of at least $5.00 shall qualify to receive an envy bonus")
def qualifies_for_envy(fortune_cents: Cents) -> Bools:
    return np.asarray(fortune_cents >= ENVY_LEAST_CENTS)


@rule("MA-PGP", "§1", "with a rank of four-of-a-kind or higher formed from the seven cards dealt to a player")
def is_premium(hand_class: npt.NDArray[np.uint8]) -> Bools:
    """A premium qualifying poker hand (§1; §9(l) calls it an Envy Bonus Qualifying Hand)."""
    return np.asarray(hand_class <= FortuneClass.FOUR_OF_A_KIND)
