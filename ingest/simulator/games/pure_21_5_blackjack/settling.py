"""Settling a round: surrendered hands first, then insurance, then hand by hand from the action button (R-39)."""

from __future__ import annotations

from ingest.simulator.games.pure_21_5_blackjack.hands import Round
from ingest.simulator.games.pure_21_5_blackjack.rules import (
    ACE,
    BASE,
    INSURANCE,
    clockwise,
    is_natural,
    outcome_of,
    rank,
)
from ingest.simulator.played import Bet, Settled
from ingest.simulator.player_dealer import Cover


def decided(played: Round, bet: Bet) -> tuple[str, int]:
    """The outcome of a bet, and what moves were it fully covered."""
    if bet.wager == INSURANCE:
        if rank(played.dealer[0]) != ACE:
            return "no_action", 0
        return ("win", 2 * bet.cents) if is_natural(played.dealer) else ("lose", bet.cents)
    hand = played.hand_of(bet)
    if hand.surrendered and bet.wager == BASE:
        return "surrender", bet.cents // 2
    if bet.wager == BASE and bet.bettor in hand.paid_even:
        return "win", bet.cents
    outcome = outcome_of(hand.cards, hand.split, played.dealer)
    if outcome == "natural":
        return "win", bet.cents * 6 // 5
    return outcome, 0 if outcome == "push" else bet.cents


def settlement_order(played: Round, first_seat: int, seats: int) -> list[Bet]:
    """`played.bets` are in the order they were made; at a seat the seated player comes first (R-39)."""
    turn = {seat: at for at, seat in enumerate(clockwise(first_seat, seats))}
    bettors: dict[tuple[int, str], int] = {}
    for bet in played.bets:
        bettors.setdefault((bet.seat, bet.bettor), len(bettors))
    given_up = [hand.key for hand in played.given_up]
    kinds = [BASE, "double", INSURANCE]

    def key(bet: Bet) -> tuple[int, ...]:
        lost = (bet.seat, bet.hand) in given_up and bet.wager != INSURANCE
        group = 0 if lost else 1 if bet.wager == INSURANCE else 2
        at = given_up.index((bet.seat, bet.hand)) if lost else turn[bet.seat]
        own = (bet.hand, bool(bet.bettor), bettors[bet.seat, bet.bettor], kinds.index(bet.wager))
        return (group, at, *own)

    return sorted(played.bets, key=key)


def settle(played: Round, order: list[Bet], posted_cents: int) -> tuple[list[Settled], bool]:
    """Each bet in turn, as far as what is left of the posted wager covers it; and whether it covered all."""
    cover, settled, short = Cover(posted_cents), [], False
    for bet in order:
        outcome, cents = decided(played, bet)
        used = cover.use(cents)
        short = short or used < cents
        if cents and not used:
            outcome = "no_action"
        settled.append(Settled(bet, outcome, *((used, 0) if outcome == "win" else (0, used))))
    return settled, short
