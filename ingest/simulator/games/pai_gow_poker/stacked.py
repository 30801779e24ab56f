"""Wagers and cards too rare to wait for, where a fault is to be done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.played import Bet, SplitPlayed
from ingest.simulator.voice import LAYOUT, Say
from schemas.cards import CARD_NAMES

if TYPE_CHECKING:
    from ingest.simulator.games.pai_gow_poker.game import PaiGowTable

DEALER, TWO_AREAS = 0, (1, 2)


def place_what_it_needs(kind: str | None, table: PaiGowTable, played: SplitPlayed) -> None:
    if kind == "hand_limit_ignored":  # $50 × 5000 is more than $50,000
        _only(table, played, Bet(played.seats[0], "emperors", 5000))
    if kind == "seven_card_limit_ignored":  # $150 × 500 is more than $50,000
        _only(table, played, Bet(played.seats[0], "seven_card_bonus", 15_000))
    if kind == "seven_card_by_other_table":
        _only(table, played, Bet(played.seats[0], "seven_card_bonus", 500))
    if kind == "envy_for_own_area":  # somebody has two areas, with a qualifying wager at the one (MA-PGP §12(a))
        if not table.own_areas:
            table.own_areas = [TWO_AREAS]
            says = [Say("patron.seated", {"seat": seat, "patron": "P-TWO"}, LAYOUT) for seat in TWO_AREAS]
            played.wager_says[:0] = says
        for seat in TWO_AREAS:
            if not played.cents(seat, table.base):
                table.put(played, Bet(seat, table.base, table.options.table_minimum_cents))
        _only(table, played, Bet(TWO_AREAS[0], table.envy_side, 500))


def _only(table: PaiGowTable, played: SplitPlayed, bet: Bet) -> None:
    """Puts a wager down in the place of one that is there."""
    played.bets = [other for other in played.bets if other.key != bet.key]
    table.put(played, bet)


def deal_what_it_needs(kind: str | None, table: PaiGowTable, played: SplitPlayed, deck: list[int]) -> None:
    match kind:
        case "dragon_not_pushed":
            table.give(deck, played, DEALER, _cards("Qd Jh 9s 7c 5d 3h 2s"))
        case "ace_high_not_pushed":
            table.give(deck, played, DEALER, _cards("Ac Qd Jh 9s 7c 5d 3h"))
        case "envy_for_own_area":
            table.give(deck, played, TWO_AREAS[1], _cards("7c 7d 7h 7s"))
        case "seven_card_limit_ignored":
            table.give(deck, played, played.seats[0], _cards("Ac Ad Ah As X1 2c 3d"))
        case "seven_card_by_other_table":
            table.give(deck, played, played.seats[0], _cards("Ad Kd Qd Jd Td 2c 3s"))
        case "hand_limit_ignored":
            rich = next(bet.seat for bet in played.bets if bet.wager == "emperors" and bet.cents > 1000)
            table.give(deck, played, rich, _cards("8d 7d 6d 5d 4d 3d 2d"))


def _cards(names: str) -> list[int]:
    return [CARD_NAMES.index(name) for name in names.split()]
