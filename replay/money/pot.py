"""Poker pots: what each seat put in makes a main pot and side pots, and the hands that win them share them.

A loop a round, for money that moves one bet after the other. Everything is whole cents. Knows no cards: who wins is
said by strengths (higher is better), high and low apart. Where the chips of one bettor were matched by nobody they are
in no pot and go back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from replay.citations import Citation

POT = "pot"  # what a pot is called among the wagers of a pack
PARTS = WHOLE, HIGH, LOW = "whole", "high", "low"


class Pot(NamedTuple):
    """One pot: 0 is the main pot, which everybody still in plays for; each side pot has fewer who do."""

    amount: int
    seats: tuple[int, ...]  # who play for it, from the first seat left of the button


class Share(NamedTuple):
    """What one seat wins of one pot."""

    seat: int
    pot: int
    part: str
    amount: int


@dataclass(frozen=True)
class Pots:
    pots: tuple[Pot, ...]
    returned: Mapping[int, int]  # seat → its chips that nobody matched

    def most_for(self, seat: int) -> int:
        """All the pots a seat plays for."""
        return sum(pot.amount for pot in self.pots if seat in pot.seats)


def pots_of(put_in: Mapping[int, int], still_in: Sequence[int], dead: int = 0, fee: int = 0) -> Pots:
    """The pots of a round: `put_in` has the chips of every seat, `still_in` the seats not folded, from the first left
    of the button. Dead money goes into the middle; a fee out of the pot is taken from the main pot first."""
    returned = _unmatched(put_in, still_in)
    chips = {seat: mine - returned.get(seat, 0) for seat, mine in put_in.items()}
    amounts: list[int] = []
    players: list[tuple[int, ...]] = []
    below = 0
    for level in sorted({chips.get(seat, 0) for seat in still_in} - {0}):
        amounts.append(sum(min(mine, level) - below for mine in chips.values() if mine > below))
        players.append(tuple(seat for seat in still_in if chips.get(seat, 0) >= level))
        below = level
    beyond = sum(mine - below for mine in chips.values() if mine > below)  # of who folded with more in than others
    if not amounts:
        amounts, players = [0], [tuple(still_in)]
    amounts[0] += dead
    amounts[-1] += beyond
    for at in range(len(amounts)):
        taken = min(fee, amounts[at])
        amounts[at] -= taken
        fee -= taken
    for seat in returned:
        taken = min(fee, returned[seat])
        returned[seat] -= taken
        fee -= taken
    return Pots(tuple(Pot(*pair) for pair in zip(amounts, players, strict=True)), returned)


def _unmatched(put_in: Mapping[int, int], still_in: Sequence[int]) -> dict[int, int]:
    """What the seat that put in most has beyond the next one: nobody called it, so it goes back."""
    if not put_in:
        return {}
    most = max(put_in, key=lambda seat: put_in[seat])
    beyond = put_in[most] - max((chips for seat, chips in put_in.items() if seat != most), default=0)
    return {most: beyond} if beyond and most in still_in else {}


def winners(seats: Sequence[int], strength: Mapping[int, int]) -> list[int]:
    """Of these seats those with the best hand."""
    best = max(strength[seat] for seat in seats)
    return [seat for seat in seats if strength[seat] == best]


def split(amount: int, among: Sequence[int], unit: int) -> list[tuple[int, int]]:
    """Equal shares in whole chips; the odd chips go to the first of them (rulings.md R-42)."""
    each = amount // len(among) // unit * unit
    odd = amount - each * len(among)
    return [(seat, each + (odd if at == 0 else 0)) for at, seat in enumerate(among)]


def halves(amount: int, unit: int) -> tuple[int, int]:
    """The high and the low half of a pot; the odd chip goes to the high one (rulings.md R-42)."""
    low = amount // 2 // unit * unit
    return amount - low, low


def shares(pots: Pots, high: Mapping[int, int], low: Mapping[int, int] | None, no_low: int, unit: int) -> list[Share]:
    """What each seat wins. `low` says how good each low is, `no_low` that there is none; None: nobody plays for low.
    A pot that one seat alone plays for is its own, whatever it holds."""
    won: list[Share] = []
    for number, pot in enumerate(pots.pots):
        if not pot.amount:
            continue
        if len(pot.seats) == 1:
            won.append(Share(pot.seats[0], number, WHOLE, pot.amount))
            continue
        best_high = winners(pot.seats, high)
        best_low = [] if low is None else [seat for seat in winners(pot.seats, low) if low[seat] != no_low]
        for_high, for_low = halves(pot.amount, unit) if best_low else (pot.amount, 0)
        part = HIGH if best_low else WHOLE
        won += [Share(seat, number, part, amount) for seat, amount in split(for_high, best_high, unit) if amount]
        if best_low:
            won += [Share(seat, number, LOW, amount) for seat, amount in split(for_low, best_low, unit) if amount]
    return won


# ---- what the comparison with the awards is told -------------------------------------------------------------------


@dataclass(frozen=True)
class PotCites:
    """The rules that findings about pots rest on."""

    best_hand: Citation
    folded: Citation
    all_in: Citation
    odd_chip: Citation
    awarded: Citation
    no_low: Citation | None = None  # where a low has to qualify
    own_cards: Citation | None = None  # where a hand must use so many of its own cards


@dataclass(frozen=True)
class PotsOfRound:
    """What the pots of one round are divided by, for whoever says why an award is wrong."""

    cites: PotCites
    pots: Pots
    folded: Collection[int]
    unit: int
    most_ways: int  # among how many a part of a pot was split at most
    no_low: bool = False  # a low may win, and none of this round qualifies
    hands_known: bool = True
    by_other_cards: Callable[[int], bool] = field(default=lambda seat: False)
    """Whether a seat would win with another number of its own cards than the game has it use."""
