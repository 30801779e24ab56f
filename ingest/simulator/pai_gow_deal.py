"""Where the cards of a pai gow poker deal go, and decks stacked so that a rare hand comes up."""

from __future__ import annotations

from random import Random

from ingest.simulator.pai_gow_round import HAND, PLACES
from ingest.simulator.poker import ACE, JOKER, KING, QUEEN


def start_place(count: int) -> int:
    """Counted counterclockwise round the table, the dealer being number one (MA-PGP §8c(b)(2), R-2)."""
    return (count - 1) % PLACES


DEALINGS = ("manual_shoe", "hand", "automated_shoe")


def places_dealt(dealing: str, start: int) -> list[int]:
    """The place each of the 49 cards ends at, in the order they leave the shoe or the hand (R-3)."""
    clockwise = [(start - step) % PLACES for step in range(PLACES)]
    match dealing:
        case "manual_shoe":  # a card at a time round the table
            return clockwise * HAND
        case "automated_shoe":  # a stack at a time
            return [place for place in clockwise for _ in range(HAND)]
        case "hand":  # seven stacks, left to right and back; the stack farthest left is delivered first
            return [place for row in range(HAND) for place in (clockwise if row % 2 == 0 else clockwise[::-1])]
    raise ValueError(f"{dealing!r} is not a way of dealing pai gow poker: manual_shoe, automated_shoe or hand")


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
