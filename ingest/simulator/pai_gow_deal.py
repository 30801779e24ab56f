"""Pai gow poker dealt: where the cards go, and decks stacked so that a rare hand comes up."""

from __future__ import annotations

from random import Random

from ingest.simulator.dealing import cards_to
from ingest.simulator.poker import ACE, JOKER, KING, QUEEN

HAND, PLACES = 7, 7


def start_place(count: int) -> int:
    """Counted counterclockwise round the table, the dealer being number one (MA-PGP §8c(b)(2), R-2)."""
    return (count - 1) % PLACES


def places_dealt(dealing: str, start: int) -> list[int]:
    """The place each of the 49 cards ends at, in the order they leave the shoe or the hand (R-3)."""
    return cards_to(dealing, HAND, [(start - step) % PLACES for step in range(PLACES)])


def premium_cards(rng: Random, royal_match: str) -> list[int]:
    """Cards that give a hand of four of a kind or better, whatever it is completed with."""
    suit, other_suit = rng.sample(range(4), 2)

    def of(*ranks: int, suited: int = suit) -> list[int]:
        return [rank * 4 + suited for rank in ranks]

    royal = of(8, 9, QUEEN, KING, ACE)
    low = rng.randrange(7)
    match rng.randrange(10):
        case 0:
            return of(*range(low, low + 7))  # seven-card straight flush
        case 1:
            return [*of(*range(low, low + 6)), JOKER]
        case 2:
            beside = (KING, QUEEN) if royal_match == "king_queen" else (ACE, KING)
            return royal + of(*beside, suited=other_suit)
        case 3:
            return [*(ACE * 4 + each for each in range(4)), JOKER]
        case 4:
            return royal
        case 5:
            return [*rng.sample(royal, 4), JOKER]
        case 6 | 7:
            return of(*range(low, low + 5)) if low else of(0, 1, 2, 3, ACE)
        case _:
            rank = rng.randrange(13)
            return [rank * 4 + each for each in range(4)]
