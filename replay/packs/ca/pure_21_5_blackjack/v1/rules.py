"""The rules of Pure 21.5 Blackjack over columns: what hands win, the charts, doubling, splitting, surrender, insurance.
`LAW` is all of them.

Totals are arrays of half points (21.5 is 43), one entry per hand. Knows nothing of events, hands in the rack or of how
a batch is stored.
"""

from __future__ import annotations

import numpy as np

from replay.checks.action_button import ButtonByCard
from replay.checks.bank_turns import BankTurns
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import cite, rule, rule_of
from replay.families.blackjack.law import (
    Bools,
    Chart,
    Counted,
    Doubling,
    Insuring,
    Law,
    Splitting,
    Surrendering,
    WagerKind,
)
from replay.lines import Cents
from replay.money.action_button import counted_button
from replay.ranking.baccarat import button_value
from replay.ranking.blackjack import NATURAL_HALVES, Totals
from replay.rounds import Cards, Ints
from schemas.places import Numbering, Ring

OBJECT = "Pure 21.5 Blackjack, Object of the Game"
ROUND_OF_PLAY = "Pure 21.5 Blackjack, Round of Play"
CHART_1A, CHART_1B = "Pure 21.5 Blackjack, Chart 1A", "Pure 21.5 Blackjack, Chart 1B"
GAME_RULES = "Pure 21.5 Blackjack, Game Rules"
DOUBLE_SPLIT = "Pure 21.5 Blackjack, Double-Down, Split, and Surrender"
INSURANCE, EVEN_MONEY = "Pure 21.5 Blackjack, Insurance", "Pure 21.5 Blackjack, Even Money"

HALF = 2  # half points in a point


def _points(totals: Totals) -> Ints:
    return np.asarray(totals.halves, np.int64)


# --- what a hand comes to ---------------------------------------------------------------------------------------------


@rule("CA", OBJECT, "getting bonus card and an ace on the initial two cards dealt. This hand pays 6 to 5.")
def pure_21_5_wins(player: Counted, dealer: Counted) -> Bools:
    return np.asarray(player.totals.natural & ~dealer.totals.natural)


@rule(
    "CA",
    f"{GAME_RULES} 1",
    "are both PURE 21.5 BLACKJACK the hand is a push or tie, and no action is taken on the wager",
)
def both_pure_21_5(player: Counted, dealer: Counted) -> Bools:
    return np.asarray(player.totals.natural & dealer.totals.natural)


@rule("CA", f"{GAME_RULES} 1", "A PURE 21.5 BLACKJACK (an Ace and a Bonus card) is the best possible hand.")
def loses_to_pure_21_5(player: Counted, dealer: Counted) -> Bools:
    return np.asarray(~player.totals.natural & dealer.totals.natural)


@rule(
    "CA",
    f"{GAME_RULES} 4",
    'the player/dealer\'s total is more than a "Pure 21.5 Blackjack", the player wins the hand.',
)
def player_dealer_over(player: Counted, dealer: Counted) -> Bools:
    return np.asarray(~player.totals.natural & ~player.totals.bust & dealer.totals.bust)


@rule(
    "CA",
    f"{GAME_RULES} 5",
    'the player/dealer\'s total is less than a "Pure 21.5 Blackjack", the player loses the hand.',
)
def player_over(player: Counted, dealer: Counted) -> Bools:
    return np.asarray(player.totals.bust & ~dealer.totals.bust & ~dealer.totals.natural)


def _both_below(player: Counted, dealer: Counted) -> Bools:
    below = [(_points(one.totals) < NATURAL_HALVES) for one in (player, dealer)]
    return np.asarray(below[0] & below[1])


@rule("CA", f"{GAME_RULES} 6", "have the same total and it is less than a")
def same_total(player: Counted, dealer: Counted) -> Bools:
    return np.asarray(_both_below(player, dealer) & (_points(player.totals) == _points(dealer.totals)))


@rule("CA", f"{GAME_RULES} 7", 'the hand closest to a "Pure 21.5 Blackjack" will win')
def closest_wins(player: Counted, dealer: Counted) -> Bools:
    return np.asarray(_both_below(player, dealer) & (_points(player.totals) > _points(dealer.totals)))


@rule("CA", f"{GAME_RULES} 7", 'the hand closest to a "Pure 21.5 Blackjack" will win')
def closest_loses(player: Counted, dealer: Counted) -> Bools:
    return np.asarray(_both_below(player, dealer) & (_points(player.totals) < _points(dealer.totals)))


@rule(
    "CA",
    f"{GAME_RULES} 8(a)",
    "If the player/dealer's hand is 888 (three eights) all players whose total is more than 21.5 push",
)
def over_against_three_eights(player: Counted, dealer: Counted) -> Bools:
    return np.asarray(player.totals.bust & dealer.totals.bust & dealer.three_eights)


@rule(
    "CA",
    f"{GAME_RULES} 8(b)",
    "If the player/dealer's hand is not 888 (three eights) all players whose total is more than 21.5 lose",
)
def both_over(player: Counted, dealer: Counted) -> Bools:
    return np.asarray(player.totals.bust & dealer.totals.bust & ~dealer.three_eights)


# --- the charts -------------------------------------------------------------------------------------------------------


@rule("CA", CHART_1A, "Must Stand on Hard 19 or more")
def player_must_stand(totals: Totals) -> Bools:
    return np.asarray(~totals.soft & ~totals.natural & (_points(totals) >= 19 * HALF))


@rule("CA", CHART_1A, "Must Hit on Hard 11 or less")
def player_must_hit(totals: Totals) -> Bools:
    return np.asarray(~totals.soft & (_points(totals) <= 11 * HALF))


@rule("CA", CHART_1B, "Must Stand on Hard 17 or more")
def player_dealer_stands_on_hard(totals: Totals) -> Bools:
    return np.asarray(~totals.soft & (_points(totals) >= 17 * HALF))


@rule("rulings.md", "R-31", "Soft 18 and over (in neither row of Chart 1B) stands.")
def player_dealer_stands_on_soft(totals: Totals) -> Bools:
    return np.asarray(totals.soft & (_points(totals) >= 18 * HALF))


def player_dealer_must_stand(totals: Totals) -> Bools:
    return player_dealer_stands_on_hard(totals) | player_dealer_stands_on_soft(totals)


@rule("CA", CHART_1B, "Must Hit on Soft 17 or less")
def player_dealer_must_hit(totals: Totals) -> Bools:
    """ "Soft 17 or less": every soft total up to it, and what is not yet hard 17."""
    return np.asarray(~player_dealer_must_stand(totals))


# --- doubling, splitting, surrender, insurance -----------------------------------------------------------------------


@rule("CA", f"{DOUBLE_SPLIT} 2", "Players can split any two cards with the same value or rank")
def alike(card: Cards, other: Cards) -> Bools:
    """Bonus cards are all worth ten."""
    value, other_value = (np.minimum(button_value(cards), 10) for cards in (card, other))
    return np.asarray(value == other_value)


@rule("CA", f"{DOUBLE_SPLIT} 4", "If they choose to surrender, half of their wager will be forfeited.")
def forfeited(wager_cents: Cents) -> Cents:
    return wager_cents // 2


@rule("CA", INSURANCE, "If the player/dealer's upcard is an ace")
def insurance_offered(up: Cards) -> Bools:
    return np.asarray(button_value(up) == 1)


@rule("CA", INSURANCE, "Insurance wagers may be equal to no more than")
def most_insurance(wager_cents: Cents) -> Cents:
    return wager_cents // 2


# --- the action button ------------------------------------------------------------------------------------------------


@rule(
    "CA",
    f"{ROUND_OF_PLAY} 11",
    "based on the numerical value of the player/dealer's down card.",
)
def button_seat(down: Cards, bank_seat: Ints, seats: int) -> Ints:
    """The seat that gets first action: counted clockwise from the player-dealer's left, who is never counted (R-30)."""
    ring = Ring(seats, Numbering.CLOCKWISE)
    return counted_button(button_value(down).astype(np.int64), bank_seat.astype(np.int64), ring)


# --- all of them ------------------------------------------------------------------------------------------------------

LAW = Law(
    base=WagerKind("blackjack", "the Pure 21.5 Blackjack wager"),
    double=WagerKind("double", "the double-down"),
    insurance=WagerKind("insurance", "insurance"),
    results={
        function.__name__: function
        for function in (
            pure_21_5_wins,
            both_pure_21_5,
            player_dealer_over,
            closest_wins,
            same_total,
            over_against_three_eights,
        )
    },
    lost={
        function.__name__: (function, rule_of(function))
        for function in (loses_to_pure_21_5, player_over, closest_loses, both_over)
    },
    players=Chart(
        must_hit=player_must_hit,
        must_stand=player_must_stand,
        hit_rule=rule_of(player_must_hit),
        stand_rule=rule_of(player_must_stand),
    ),
    player_dealer=Chart(
        must_hit=player_dealer_must_hit,
        must_stand=player_dealer_must_stand,
        hit_rule=rule_of(player_dealer_must_hit),
        stand_rule=rule_of(player_dealer_stands_on_hard),
    ),
    doubling=Doubling(
        least_cents=1000,
        least=cite("CA", f"{DOUBLE_SPLIT} 1", "The player must place a second wager for a minimum of $10"),
        most=cite("CA", f"{DOUBLE_SPLIT} 1", "up to a maximum equal to the player's original wager"),
        first_two=cite("CA", f"{DOUBLE_SPLIT} 1", "Players can double-down on their first two cards dealt to them."),
        one_card=cite("CA", f"{DOUBLE_SPLIT} 1", "The player will only receive one additional card"),
    ),
    splitting=Splitting(
        alike=alike,
        alike_rule=rule_of(alike),
        equal=cite("CA", f"{DOUBLE_SPLIT} 2", "The player must place a second wager equal to the original wager."),
        most=3,
        most_rule=cite("CA", f"{DOUBLE_SPLIT} 3", "A maximum of three splits is allowed per hand."),
        aces=cite(
            "CA",
            f"{DOUBLE_SPLIT} 2",
            "the player only receives one additional card per ace. Aces may only be split once.",
        ),
    ),
    surrender=Surrendering(
        forfeits=forfeited,
        cite=rule_of(forfeited),
        first_two=cite(
            "CA", f"{DOUBLE_SPLIT} 4", "Players can surrender after their first two cards are dealt to them."
        ),
        before=cite(
            "CA",
            f"{DOUBLE_SPLIT} 4",
            "The player must indicate their desire to surrender before the player/dealer's down card is exposed.",
        ),
    ),
    insuring=Insuring(
        offered=insurance_offered,
        offered_rule=rule_of(insurance_offered),
        most=most_insurance,
        most_rule=rule_of(most_insurance),
        even_money=cite(
            "CA",
            EVEN_MONEY,
            "players that have a Pure 21.5 Blackjack (an Ace and a Bonus Card) may opt to take even money",
        ),
    ),
    checked=cite(
        "CA",
        f"{GAME_RULES} 2",
        "If the player/dealer does not have a Pure 21.5 Blackjack, the players will be given the option to draw",
    ),
    in_turn=cite("CA", f"{ROUND_OF_PLAY} 8", "starting with the player seated to the left of the player/dealer"),
    play=cite(
        "CA",
        f"{ROUND_OF_PLAY} 10",
        "indicated to the casino dealer that they do not want or cannot receive additional cards",
    ),
    late=LateWagers(
        cite("rulings.md", "R-37", 'no wager made, raised or withdrawn after "No more bets"'), "betting had closed"
    ),
    offered=WagersOffered(
        no_such_wager=cite("CA", f"{ROUND_OF_PLAY} 5", "Players at a table then place their wagers in designated"),
        no_such_seat=cite("CA", f"{ROUND_OF_PLAY} 1", "The table seats eight players who face the dealer"),
        own_bank=cite(
            "CA",
            f"{ROUND_OF_PLAY} 4",
            "That money will be used to pay the winners and will set the amount that he/she can collect",
        ),
    ),
    bank_turns=BankTurns(
        2,
        running_cite=cite(
            "CA", "Pure 21.5 Blackjack, Legal", "cannot be occupied by one person for more than two consecutive hands"
        ),
        wagered_before_cite=cite("rulings.md", "R-44", "a wager on that spot in the previous hand"),
    ),
    button=ButtonByCard(
        seat=button_seat,
        value=button_value,
        card="the player-dealer's down",
        from_where="the player-dealer's left",
        cite=cite(
            "CA",
            f"{ROUND_OF_PLAY} 11",
            "determines where the action starts and who will be first to be paid",
        ),
        card_cite=rule_of(button_seat),
    ),
    cover=cite(
        "CA",
        f"{DOUBLE_SPLIT} 6",
        "All payoffs are to the extent that the player/dealer's money covers",
    ),
    table_limits=cite("CA", f"{GAME_RULES} 11", "All collection rates and wagering limits will be posted"),
    own_rates=cite("CA", f"{GAME_RULES} 10", "Collection fees will be determined by the casino"),
    pickup=cite("rulings.md", "R-8", "in settlement order, split hands in the order played; player-dealer's hand last"),
    deal_and_rack_agree=cite("rulings.md", "R-10", "the two must agree card for card"),
    deck=cite("CA", f"{ROUND_OF_PLAY} 2", "The game is played with a minimum of a single deck, totaling 52 cards"),
)
