"""Who gets what lies in the middle, chip by chip: written from CA Hold'em, Omaha Hi-Lo and R-42.

Slow and plain: side pots are built by taking from everybody what the shortest of those still in has put in, again and
again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass
class SidePot:
    """One pot, and who plays for it, from the first seat left of the button."""

    cents: int
    seats: list[int]


@dataclass
class Award:
    """What is pushed to a seat."""

    seat: int
    pot: int
    part: str
    cents: int


def side_pots(put_in: dict[int, int], left: Sequence[int], dead: int, fee: int) -> tuple[list[SidePot], dict[int, int]]:
    """The main pot first, and what goes back to whoever bet more than anybody matched."""
    chips = dict(put_in)
    pots: list[SidePot] = []
    back: dict[int, int] = {}
    *_, second, first = sorted(chips, key=lambda seat: chips[seat])
    if chips[first] > chips[second]:  # nobody called the rest
        back[first] = chips[first] - chips[second]
        chips[first] = chips[second]
    while any(chips[seat] for seat in left):
        playing = [seat for seat in left if chips[seat]]
        least = min(chips[seat] for seat in playing)
        betting = [seat for seat in chips if chips[seat]]
        gathered = 0
        for seat in betting:
            part = min(chips[seat], least)
            chips[seat] -= part
            gathered += part
        pots.append(SidePot(gathered, playing))
    if pots:
        pots[-1].cents += sum(chips.values())
    if not pots:
        pots = [SidePot(0, list(left))]
    pots[0].cents += dead
    for pot in pots:
        taken = min(fee, pot.cents)
        pot.cents -= taken
        fee -= taken
    for seat in back:
        taken = min(fee, back[seat])
        back[seat] -= taken
        fee -= taken
    return pots, back


def divide(cents: int, among: Sequence[int], chip: int) -> list[tuple[int, int]]:
    """Chip by chip round the winners as long as there is one for each; the rest to the first."""
    share = cents // (len(among) * chip) * chip
    return [(seat, share + (cents - share * len(among) if seat == among[0] else 0)) for seat in among]


def awards(
    pots: Sequence[SidePot],
    high: Callable[[int], tuple[int, ...]],
    low: Callable[[int], tuple[int, ...] | None] | None,
    chip: int,
) -> list[Award]:
    """Each pot to its best hand; half of it to the best low, where there is one. Of highs the greatest wins, of lows
    the least."""
    found = []
    for number, pot in enumerate(pots):
        if len(pot.seats) == 1:
            found.append(Award(pot.seats[0], number, "whole", pot.cents))
            continue
        best = max(high(seat) for seat in pot.seats)
        highs = [seat for seat in pot.seats if high(seat) == best]
        lows: list[int] = []
        if low is not None:
            made = {seat: key for seat in pot.seats if (key := low(seat)) is not None}
            lows = [seat for seat, key in made.items() if key == min(made.values())]
        half = pot.cents // 2 // chip * chip if lows else 0
        part = "high" if lows else "whole"
        found += [Award(seat, number, part, cents) for seat, cents in divide(pot.cents - half, highs, chip)]
        if lows:
            found += [Award(seat, number, "low", cents) for seat, cents in divide(half, lows, chip)]
    return [award for award in found if award.cents]
