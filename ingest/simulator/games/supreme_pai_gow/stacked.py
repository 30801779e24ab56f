"""Rare hands at a Supreme Pai Gow table: decks stacked so that the payout limit comes up, and wagers that reach it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from ingest.simulator.games.supreme_pai_gow.bonus import BONUS, BONUS_ODDS, limit_cents
from ingest.simulator.games.supreme_pai_gow.hands import ACE, JACK, JOKERS, KING, QUEEN
from ingest.simulator.played import SplitPlayed

if TYPE_CHECKING:
    from ingest.simulator.games.supreme_pai_gow.game import SupremeTable

FOUR_ACES = [ACE * 4 + suit for suit in range(4)]


def royal(suit: int) -> list[int]:
    return [rank * 4 + suit for rank in (ACE, KING, QUEEN, JACK)]


def four_of(rng: Random) -> list[int]:
    """Cards of one of the better classes, in any order."""
    suit = rng.randrange(4)
    low = rng.randrange(9)
    cards = rng.choice(
        (
            FOUR_ACES,
            royal(suit),
            [*JOKERS, ACE * 4, ACE * 4 + 2],
            [low * 4 + each for each in range(4)],
            [rank * 4 + suit for rank in range(low, low + 4)],
            [JOKERS[0], *(rank * 4 + suit for rank in (2, 3, 4))],  # 4-5-6 with a joker as the three
            [*JOKERS, 2 * 4 + suit, 3 * 4 + suit],  # 3-4-5-6
            [low * 4, low * 4 + 1, low * 4 + 3, (low + 2) * 4],
            [*JOKERS, low * 4 + 1, low * 4 + 2],
        )
    )
    return rng.sample(cards, 4)


def wanted_bonus(table: SupremeTable, played: SplitPlayed, kind: str | None) -> None:
    """Bonus wagers that win more than the limit with the hand `wanted_deck` deals: one, or two that share it."""
    if kind not in ("cap_ignored", "royal_share_wrong"):
        return
    many = 2 if kind == "royal_share_wrong" else 1
    most = table.limits(BONUS)[1]
    bank = played.bank.seat if played.bank else 0
    for seat in table.seats:
        if len(played.seats) >= many:
            break
        if seat not in played.seats and seat != bank:
            table.place(played, seat, table.base, table.limits(table.base)[0])
    for seat in played.seats[:many]:
        bet = played.find(seat, BONUS)
        if bet is None:
            table.place(played, seat, BONUS, most)


def wanted_deck(table: SupremeTable, played: SplitPlayed, deck: list[int], kind: str | None) -> bool:
    """Deals the hands a fault of the payout limit needs; False where the wagers do not reach it."""
    limit = limit_cents(table.options.bonus_minimum_cents)
    staked = {seat: cents for seat in played.seats if (cents := played.cents(seat, BONUS))}
    match kind:
        case "cap_ignored":
            seats = [seat for seat, cents in staked.items() if cents * BONUS_ODDS["four_aces"] > limit]
            if seats:
                table.give(deck, played, seats[0], FOUR_ACES)
            return bool(seats)
        case "royal_share_wrong":
            seats = sorted(staked, key=lambda seat: -staked[seat])[:2]
            if len(seats) == 2 and sum(staked[seat] for seat in seats) * BONUS_ODDS["royal_flush"] > limit:
                for suit, seat in enumerate(seats):
                    table.give(deck, played, seat, royal(suit))
                return True
    return False
