"""A layout: the slots a pickup procedure says the rack must fill, in the order the cards went in.

The one value that passes between the procedures (which say what the rack should look like), the batch path (one
permutation a layout), the solver (which layouts fit these cards) and the people who are shown the strip.
"""

from __future__ import annotations

from typing import NamedTuple

# Places that are no seat: what else lies in a rack. The dealer (bank, player-dealer's own box apart) is place 0 of the
# ring, betting positions count from 1.
STUB = -1
BOARD = -2
BURNS = -3
PLAYER = -4  # baccarat's two hands belong to nobody
BANKER = -5


class Slot(NamedTuple):
    """So many cards of one hand, or of one part of it, that went into the rack together."""

    place: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody asks of a slot
    hand: int = 0  # numbers a place's hands where it has several (split hands)
    part: str = ""  # "low", "high", "eighth"; "" where the rack does not tell parts apart
    in_order: bool = True  # False: the cards lie in any order (rulings.md R-51)


Layout = tuple[Slot, ...]


def size_of(layout: Layout) -> int:
    """How many cards the rack has when it is filled like this."""
    return sum(slot.count for slot in layout)
