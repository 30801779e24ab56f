"""Supreme Baccarat as the simulated casino dealer plays it: drawing, odds and the action button.

Written from the CA Supreme Baccarat text, the California Games Collection Rates and R-28, R-32, R-38 to R-40, R-43, bet
by bet, and without looking at the replay. Seats run clockwise from the house dealer's left.
"""

from __future__ import annotations

from collections.abc import Sequence

from ingest.simulator.played import Bet, Settled
from ingest.simulator.player_dealer import Cover, settled_by_cover

LINES = ("player", "banker")
ORDER_OF_TYPES = (LINES, ("tie",), ("total_shot",))
"""Wagers are settled type by type: the lines, then ties, then Total Shots (R-40)."""


def card_value(card: int) -> int:
    """An ace counts one, 2 to 9 their face, ten to king ten."""
    rank = card >> 2
    return 1 if rank == 12 else min(rank + 2, 10)


def total(cards: Sequence[int]) -> int:
    """The Baccarat Score Total: the sum without its tens."""
    return sum(card_value(card) for card in cards) % 10


def player_draws(player: Sequence[int], banker: Sequence[int]) -> bool:
    """Whether the Player hand takes a third card; a natural 8 or 9 on either side ends the drawing."""
    return total(player) <= 5 and total(banker) < 8


def banker_draws(player: Sequence[int], banker: Sequence[int]) -> bool:
    """Whether the Banker hand takes a third card, once the Player hand is complete."""
    if total(player[:2]) >= 8 or total(banker) >= 8:
        return False
    if len(player) == 2:
        return total(banker) <= 5
    third = card_value(player[2]) % 10
    match total(banker):
        case 0 | 1 | 2:  # unprinted, the usual rule
            return True
        case 3:
            return third != 8
        case 4:
            return third not in (0, 1, 8, 9)
        case 5:
            return third not in (0, 1, 2, 3, 8, 9)
        case 6:
            return third in (6, 7)
        case _:
            return False


def result_of(bet: Bet, player: Sequence[int], banker: Sequence[int]) -> tuple[str, int]:
    """The outcome of a bet, and what it pays if it wins, were it fully covered."""
    player_total, banker_total = total(player), total(banker)
    tied = player_total == banker_total
    match bet.wager:
        case "player":
            if tied:
                return "push", 0
            return ("win", bet.cents) if player_total > banker_total else ("lose", 0)
        case "banker":
            if tied:
                return "push", 0
            if banker_total < player_total:
                return "lose", 0
            return "win", bet.cents // 2 if banker_total == 6 else bet.cents  # "Total of (6) which pays 1 to 2"
        case "tie":
            return ("win", 8 * bet.cents) if tied else ("lose", 0)
        case "total_shot":
            odds = {18: 40, 17: 20}.get(player_total + banker_total, 0)
            return ("win", odds * bet.cents) if odds else ("lose", 0)
    raise ValueError(f"{bet.wager!r} is not a Supreme Baccarat wager: player, banker, tie or total_shot")


def button_value(card: int) -> int:
    """Action Button Card Chart: ace 1, 2 to 10 their face, jack 11, queen 12, king 13."""
    rank = card >> 2
    return 1 if rank == 12 else rank + 2


def button_seat(card: int, bank_seat: int, seats: int) -> int:
    """Counted clockwise from the player-dealer's left; the player-dealer is never counted (R-30, R-40)."""
    others = [(bank_seat - 1 + step) % seats + 1 for step in range(1, seats)]
    return others[(button_value(card) - 1) % len(others)]


def covers_all(bets: Sequence[Bet], player: Sequence[int], banker: Sequence[int], posted_cents: int) -> bool:
    """Whether the posted wager covers everything that moves at this result (R-40)."""
    moving = 0
    for bet in bets:
        outcome, pays = result_of(bet, player, banker)
        moving += pays if outcome == "win" else bet.cents if outcome == "lose" else 0
    return moving <= posted_cents


def settlement_order(bets: Sequence[Bet], first_seat: int, seats: int) -> list[Bet]:
    """Type by type, seat by seat clockwise from `first_seat`; `bets` are in the order they were made (R-39)."""
    clockwise = [(first_seat - 1 + step) % seats + 1 for step in range(seats)]
    return [
        bet
        for types in ORDER_OF_TYPES
        for seat in clockwise
        for seated in (True, False)
        for bet in bets
        if bet.seat == seat and bet.wager in types and (not bet.bettor) == seated
    ]


def settle(
    bets_in_order: Sequence[Bet], player: Sequence[int], banker: Sequence[int], posted_cents: int
) -> list[Settled]:
    """Each bet in turn, to the extent that what is left of the posted wager covers it (R-28, R-39)."""
    cover = Cover(posted_cents)
    settled = []
    for bet in bets_in_order:
        outcome, pays = result_of(bet, player, banker)
        settled.append(settled_by_cover(bet, outcome, bet.cents if outcome == "lose" else pays, cover))
    return settled
