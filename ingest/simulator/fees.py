"""Collection fees: bands, and the moment they are taken (R-32, R-43)."""

from __future__ import annotations

from dataclasses import dataclass

Bands = tuple[tuple[int, int], ...]
"""(floor in dollars, fee in dollars), lowest first."""


@dataclass(frozen=True)
class Schedule:
    """A collection schedule: the fees, the limits printed with it, and the moment they are taken."""

    player_dealer: Bands
    player: Bands = ()
    before_the_deal: bool = True
    line_dollars: tuple[int, int] = (5, 1000)
    bonus_dollars: tuple[int, int] = (1, 50)
    minimum_dollars: tuple[int, int] = (0, 0)  # where a range is printed for the table limits, the range of each
    maximum_dollars: tuple[int, int] = (0, 0)
    bonus_pays: bool = False
    """Whether the betting circle of a bonus pays a player's fee as well, by itself."""


def fee_cents(bands: Bands, amount_cents: int) -> int:
    """An amount falls in the last band whose floor it reaches; below the lowest there is no fee (R-32, R-43)."""
    fee = 0
    for floor, dollars in bands:
        if amount_cents >= floor * 100:
            fee = dollars * 100
    return fee
