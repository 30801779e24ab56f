"""Seats and the ring of places round a table.

A *place* is a small number: 0 is the house dealer, 1.. are the betting positions. Which way the numbers run
depends on the jurisdiction: Massachusetts and New Jersey number counterclockwise from the dealer (1 is farthest to
the dealer's right, rulings.md R-1), California clockwise from the house dealer's left (R-38). A `Ring` knows that, so
that rules can speak of clockwise and counterclockwise as the texts do.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

DEALER = 0
MAX_SEAT = 14  # Supreme Baccarat's figure-eight table

Seat = Annotated[int, Field(ge=1, le=MAX_SEAT, description="Betting position, as numbered on the layout")]
Place = Annotated[int, Field(ge=0, le=MAX_SEAT, description="0 is the house dealer, 1.. the betting positions")]


class Numbering(StrEnum):
    COUNTERCLOCKWISE = "counterclockwise"
    CLOCKWISE = "clockwise"


@dataclass(frozen=True)
class Ring:
    """The places of one table in a circle: the dealer and `seats` betting positions."""

    seats: int
    numbering: Numbering = Numbering.COUNTERCLOCKWISE

    @property
    def size(self) -> int:
        return self.seats + 1

    def clockwise(self, place: int, steps: int = 1) -> int:
        """The place so many steps clockwise of this one, the dealer's place counted."""
        sign = 1 if self.numbering is Numbering.CLOCKWISE else -1
        return (place + sign * steps) % self.size

    def counterclockwise(self, place: int, steps: int = 1) -> int:
        return self.clockwise(place, -steps)

    def order_clockwise(self, first: int) -> tuple[int, ...]:
        """Every place once, clockwise from `first`."""
        return tuple(self.clockwise(first, steps) for steps in range(self.size))
