"""Where a deal begins: dice, number and button (rulings.md R-2)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from replay.citations import rule
from schemas.places import DEALER, Numbering, Ring

Ints = npt.NDArray[np.int64]


@rule("rulings.md", "R-2", "Place `(total − 1) mod 7` counterclockwise from number one")
def counted_start(number: Ints, number_one: Ints, ring: Ring) -> Ints:
    """The place a count of dice or of a random number ends on, counterclockwise round all places, the dealer's too.

    Number one is the dealer, or the bank when a player banks (MA-SPG §13(h)(3), MA-PGP §10(h)(3)).
    """
    counterclockwise = 1 if ring.numbering is Numbering.COUNTERCLOCKWISE else -1
    place: Ints = (number_one + counterclockwise * (number - 1)) % ring.size
    return place


@rule("rulings.md", "R-2", "California counts *clockwise* from the player-dealer (1, 8, 15)")
def counted_start_california(number: Ints, player_dealer: Ints, ring: Ring) -> Ints:
    """The seat a total of dice ends on, clockwise over the seats alone, the player-dealer's being number one."""
    clockwise = 1 if ring.numbering is Numbering.CLOCKWISE else -1
    seat: Ints = (player_dealer - 1 + clockwise * (number - 1)) % ring.seats + 1
    return seat


@rule("rulings.md", "R-2", "The button starts at the dealer and moves one place clockwise after each round")
def next_button(previous: Ints, ring: Ring) -> Ints:
    clockwise = 1 if ring.numbering is Numbering.CLOCKWISE else -1
    place: Ints = (previous + clockwise) % ring.size
    return place


FIRST_BUTTON = DEALER
