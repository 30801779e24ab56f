"""Where the cards of a deal go at a table where every place gets a hand, wager or not (R-3, R-4)."""

from __future__ import annotations

DEALINGS = ("manual_shoe", "hand", "automated_shoe")


def cards_to(dealing: str, hand: int, clockwise: list[int], stacks: list[int] | None = None) -> list[int]:
    """The place each card ends at, in the order they leave the shoe or the hand.

    `clockwise`: all places from the starting position on. `stacks`: where the stacks dealt from the hand go, from the
    one farthest left to the one farthest right; unless said otherwise the first stack goes to the start.
    """
    match dealing:
        case "manual_shoe":  # a card at a time round the table
            return clockwise * hand
        case "automated_shoe":  # a stack at a time
            return [place for place in clockwise for _ in range(hand)]
        case "hand":  # left to right and back
            row = stacks or clockwise
            return [place for number in range(hand) for place in (row if number % 2 == 0 else row[::-1])]
    raise ValueError(f"{dealing!r} is not a way of dealing: manual_shoe, automated_shoe or hand")


def stacks_from(first_stack: int, clockwise: list[int]) -> list[int]:
    """Where each stack goes, left to right, if the bank or player-dealer names the one delivered first (counted from 1
    at the far left): it goes to the start, those to its right follow, then those from the far left (R-3)."""
    count = len(clockwise)
    return [clockwise[(stack - (first_stack - 1)) % count] for stack in range(count)]
