"""Cards that make a rare hand of seven, for decks stacked so that one comes up."""

from __future__ import annotations

from random import Random

from ingest.simulator.poker import ACE, JOKER, KING, QUEEN


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
