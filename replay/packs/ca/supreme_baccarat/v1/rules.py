"""The rules of Supreme Baccarat over columns: drawing, who wins what, the action button. `LAW` is all of them.

Totals and third cards are arrays of card values 0..9, one entry per round; `NO_THIRD` is a third card not drawn.
Knows nothing of events, hands in the rack or of how a batch is stored.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from replay.checks.action_button import ButtonByCard
from replay.checks.bank_turns import BankTurns
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import Citation, cite, rule, rule_of
from replay.families.two_hands.law import NO_THIRD, Bools, Drawing, Law, Points, Result, WagerKind
from replay.money.action_button import counted_button
from replay.ranking.baccarat import button_value
from replay.rounds import Cards, Ints
from schemas.places import Numbering, Ring

GAME_RULES = "Supreme Baccarat, Game Rules"
BETTING_SCHEME = "Supreme Baccarat, Betting Scheme"
ROUND_OF_PLAY = "Supreme Baccarat, Round of Play"

DRAWING = cite("CA", GAME_RULES, "the following Baccarat rules are followed")
COVER = cite(
    "CA",
    "Supreme Baccarat, Standards of Play",
    "collects from all losers and pays all winners to the extent that their wager covers the action",
)
BUTTON = cite(
    "CA",
    GAME_RULES,
    "If the player/dealer's wager does not cover all action on the table, an action button will be used, which "
    "determines which player receives first action on their wager(s).",
)
BUTTON_CARD = cite(
    "CA", GAME_RULES, "The action button is placed based on the numerical value of the Banker hand's first down card."
)
NO_LATE_BETS = cite(
    "CA",
    f"{BETTING_SCHEME} 2",
    "No bets shall be made, increased, or withdrawn after the dealer has begun dealing.",
)
NO_MORE_BETS = cite("rulings.md", "R-37", 'no wager made, raised or withdrawn after "No more bets"')
TABLE_LIMITS = cite("CA", f"{BETTING_SCHEME} 1", "keeping in mind the table minimum and maximum wagering limits")
BONUS_RANGE = cite(
    "CA",
    "Supreme Baccarat, Wagering Limits and Collection Fees",
    "All game limits will offer Tie Bet and Total Shot Bet™ with a betting range of $1 to $50.",
)
FOUR_WAGERS = cite(
    "CA",
    f"{BETTING_SCHEME} 3",
    "players have the following options when placing their wager(s)",
)
SEATED_POSITIONS = cite(
    "CA",
    "Supreme Baccarat, Type of gaming table",
    "wagering areas for a minimum of 4 seated positions and up to a maximum of 14 seated positions",
)
PLAYER_DEALER_COLLECTS = cite(
    "CA",
    f"{ROUND_OF_PLAY} 1",
    "That money will be used to pay the winners and will set the amount that he/she can collect for the losers.",
)
TWO_HANDS_RUNNING = cite(
    "CA", f"{ROUND_OF_PLAY} 8", "after every two hands the player/dealer position is rotated in a clockwise fashion"
)
WAGER_BEFORE_BANKING = cite(
    "CA",
    "Double Hand Poker 26",
    "If there was no wager on the previous hand, no one may be the Designated Player on that spot.",
)
PICKUP = cite("rulings.md", "R-7", "Player hand in the order drawn, then Banker hand in the order drawn.")
DEAL_AND_RACK_AGREE = cite("rulings.md", "R-10", "the two must agree card for card")
DECK = cite("CA", "Supreme Baccarat, Type of Card Deck", "Standard decks of 52 cards are utilized")


def _equal(points: Points, wanted: Points | int) -> Bools:
    same: Bools = points == wanted
    return same


# --- drawing ---------------------------------------------------------------------------------------------------------


@rule("CA", "Supreme Baccarat, Dealing Procedures", "the other hand will not be allowed to draw an additional card")
def natural(two: Points) -> Bools:
    """The first two cards total eight or nine: nobody draws."""
    return two >= 8


@rule(
    "CA",
    GAME_RULES,
    "The player hand must stand when their hand is valued at (6) through (9), and must hit when the Baccarat Score "
    "Total is at (5) or less.",
)
def player_draws(player_two: Points, banker_two: Points) -> Bools:
    """Whether the Player hand must take a third card; it must stand otherwise."""
    return (player_two <= 5) & ~natural(banker_two)


@rule("CA", GAME_RULES, "If the player stands, then the banker hand hits on a Baccarat Score Total of (5) or less.")
def banker_draws_when_player_stands(banker_two: Points) -> Bools:
    return banker_two <= 5


@rule("rulings.md", "R-40", "Banker 0–2 draws after a Player draw (unprinted, the usual rule).")
def banker_draws_on_two_or_less(banker_two: Points, player_third: Points) -> Bools:
    return banker_two <= 2


@rule("CA", GAME_RULES, "is (3), then the banker hand is dealt a third card unless the player's third card was an (8)")
def banker_draws_on_three(banker_two: Points, player_third: Points) -> Bools:
    return _equal(banker_two, 3) & ~_equal(player_third, 8)


@rule("CA", GAME_RULES, "unless the player's third card was a 0, 1, 8, or (9)")
def banker_draws_on_four(banker_two: Points, player_third: Points) -> Bools:
    return _equal(banker_two, 4) & (player_third >= 2) & (player_third <= 7)


@rule("CA", GAME_RULES, "unless the player's third card was 0, 1, 2, 3, 8, or (9)")
def banker_draws_on_five(banker_two: Points, player_third: Points) -> Bools:
    return _equal(banker_two, 5) & (player_third >= 4) & (player_third <= 7)


@rule("CA", GAME_RULES, "then the dealer stands unless the player's third card was a (6) or (7)")
def banker_draws_on_six(banker_two: Points, player_third: Points) -> Bools:
    return _equal(banker_two, 6) & (player_third >= 6) & (player_third <= 7)


@rule("CA", GAME_RULES, "The banker hand must stand if their Baccarat Score Total is at (7) through (9).")
def banker_stands_on_seven(banker_two: Points) -> Bools:
    """Seven or more."""
    return banker_two >= 7


def banker_draws(player_two: Points, banker_two: Points, player_third: Points) -> Bools:
    """Whether the Banker hand must take a third card, given the Player's (NO_THIRD if none); else it must stand."""
    after_draw = (
        banker_draws_on_two_or_less(banker_two, player_third)
        | banker_draws_on_three(banker_two, player_third)
        | banker_draws_on_four(banker_two, player_third)
        | banker_draws_on_five(banker_two, player_third)
        | banker_draws_on_six(banker_two, player_third)
    )
    stood = _equal(player_third, NO_THIRD)
    stands = natural(player_two) | banker_stands_on_seven(banker_two)
    draws: Bools = ((stood & banker_draws_when_player_stands(banker_two)) | (~stood & after_draw)) & ~stands
    return draws


def banker_rule(banker_two: int, player_third: int) -> Citation:
    """Which rule decides whether the Banker hand draws on six or less."""
    if player_third == NO_THIRD:
        return rule_of(banker_draws_when_player_stands)
    after_draw = {3: banker_draws_on_three, 4: banker_draws_on_four, 5: banker_draws_on_five, 6: banker_draws_on_six}
    return rule_of(after_draw.get(banker_two, banker_draws_on_two_or_less))


# --- who wins --------------------------------------------------------------------------------------------------------


@rule("CA", f"{ROUND_OF_PLAY} 6(A)", "If the Player has a higher Baccarat Score Total than the Banker")
def player_wins(player: Points, banker: Points) -> Bools:
    return player > banker


@rule("CA", f"{ROUND_OF_PLAY} 6(B)", "If the Banker has a higher Baccarat Score Total than the Player")
def banker_wins(player: Points, banker: Points) -> Bools:
    return banker > player


@rule("CA", f"{BETTING_SCHEME} 3(c)", "Banker line winning Baccarat Score Total of (6) which pays 1 to 2")
def banker_wins_with_six(player: Points, banker: Points) -> Bools:
    """The exception to 1 to 1 on the Banker line."""
    return banker_wins(player, banker) & _equal(banker, 6)


@rule("CA", f"{BETTING_SCHEME} 3(b)", "Banker line winning Baccarat Score Totals 1,2,3,4,5,7,8,9 which pays 1 to 1")
def banker_wins_without_six(player: Points, banker: Points) -> Bools:
    return banker_wins(player, banker) & ~banker_wins_with_six(player, banker)


@rule("CA", f"{ROUND_OF_PLAY} 6(C)", "If both the Banker and Player have the same Baccarat Score Total")
def tie(player: Points, banker: Points) -> Bools:
    return _equal(player, banker)


@rule("CA", "Supreme Baccarat, Total Shot", "18 40 to 1")
def total_18(player: Points, banker: Points) -> Bools:
    return _equal(player + banker, 18)


@rule("CA", "Supreme Baccarat, Total Shot", "17 20 to 1")
def total_17(player: Points, banker: Points) -> Bools:
    return _equal(player + banker, 17)


RESULTS: Mapping[str, Result] = {
    function.__name__: function
    for function in (player_wins, banker_wins_without_six, banker_wins_with_six, tie, total_18, total_17)
}
"""Every result a pay table may name in its `hand` column."""


# --- the action button ------------------------------------------------------------------------------------------------


@rule("CA", GAME_RULES, "placed based on the numerical value of the Banker hand's first down card")
def button_seat(banker_first: Cards, bank_seat: Ints, seats: int) -> Ints:
    """The seat that gets first action: counted clockwise from the player-dealer's left, seats running 1..`seats`.

    "The player/dealer position is always zero (0)": never counted, also when the count goes round again (R-30).
    """
    ring = Ring(seats, Numbering.CLOCKWISE)
    return counted_button(button_value(banker_first).astype(np.int64), bank_seat.astype(np.int64), ring)


# --- all of them ------------------------------------------------------------------------------------------------------

LAW = Law(
    drawing=Drawing(
        natural=natural,
        player_draws=player_draws,
        banker_stands=banker_stands_on_seven,
        banker_draws=banker_draws,
        player_rule=rule_of(player_draws),
        natural_rule=rule_of(natural),
        banker_stands_rule=rule_of(banker_stands_on_seven),
        banker_rule=banker_rule,
        cite=DRAWING,
    ),
    results=RESULTS,
    wagers=(  # "player and banker lines, then ties, then Total Shots"
        WagerKind("player", "the Player line", turn=0),
        WagerKind("banker", "the Banker line", turn=0),
        WagerKind("tie", "Tie", turn=1),
        WagerKind("total_shot", "Total Shot", turn=2),
    ),
    turns="Player and Banker lines, then ties, then Total Shots",
    late=LateWagers(NO_MORE_BETS, "betting had closed", deal_begun=NO_LATE_BETS),
    offered=WagersOffered(no_such_wager=FOUR_WAGERS, no_such_seat=SEATED_POSITIONS, own_bank=PLAYER_DEALER_COLLECTS),
    bank_turns=BankTurns(2, running_cite=TWO_HANDS_RUNNING, wagered_before_cite=WAGER_BEFORE_BANKING),
    button=ButtonByCard(
        seat=button_seat,
        value=button_value,
        card="the Banker hand's first",
        from_where="the player-dealer's left",
        cite=BUTTON,
        card_cite=BUTTON_CARD,
    ),
    cover=COVER,
    table_limits=TABLE_LIMITS,
    lowest_bonus=BONUS_RANGE,
    pickup=PICKUP,
    deal_and_rack_agree=DEAL_AND_RACK_AGREE,
    deck=DECK,
)
