"""Which way a deal was delivered after all: from another place, the other way round, or by another method than filed.

Asked only of deals that do not fit as filed from any starting place, for methods that deal every place the same. The
hands the deal is held against come from elsewhere (the rack, hands shown): a way is taken only where it gives *every*
place exactly its hand, and no other way does.

Delivering the stacks from the wrong end is the same, card for card, as delivering them the wrong way round from another
start; where the place announced does not tell the two apart, the direction is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.method import Direction, Method
from replay.cards.dealing.order import around, turn_index
from replay.rounds import UNKNOWN, Cards, Ints
from schemas.places import Ring

Masks = npt.NDArray[np.uint64]

AS_FILED, OTHER_DIRECTION, OTHER_METHOD = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Way:
    """One way the cards may have been delivered."""

    kind: int  # AS_FILED, OTHER_DIRECTION or OTHER_METHOD
    words: str  # "counterclockwise instead of clockwise"
    index: Ints  # (turns, cards each) which of the cards dealt each turn got
    direction: Direction


@lru_cache(maxsize=64)
def ways_of(method: Method, others: tuple[Method, ...] = (), hands: int = 0) -> tuple[Way, ...]:
    """The method as filed, the other way round, and other ways people deal: without turning back at the end of a row,
    from the right, and by the game's other methods. `hands` is how many are dealt, 0: to every place there is."""
    index = turn_index(method, hands)
    there = method.direction
    ways = [
        Way(AS_FILED, f"{method.title}", index, there),
        Way(OTHER_DIRECTION, f"{there.other} instead of {there}", index, there.other),
    ]
    if method.stacks is not None and method.stacks.zigzag:
        straight = replace(method, stacks=replace(method.stacks, zigzag=False))
        ways.append(Way(OTHER_METHOD, "left to right every time", turn_index(straight, hands), there))
    ways += [Way(OTHER_METHOD, other.title, turn_index(other, hands), other.direction) for other in others]
    different: dict[tuple[bytes, Direction], Way] = {}
    for way in ways:  # stacks dealt left to right every time are dealt as from a manual shoe
        different.setdefault((way.index.tobytes(), way.direction), way)
    return tuple(different.values())


@lru_cache(maxsize=64)
def places_of_turns(places: tuple[int, ...], ring: Ring, direction: Direction) -> Ints:
    """[start, turn] → place, for every start there may be, in the order of `places`."""
    return np.array([around(ring, start, direction, places) for start in places], dtype=np.int64)


def find_ways(
    cards: Cards,
    hands: Masks,
    ways: Sequence[Way],
    places: tuple[int, ...],
    ring: Ring,
    masks_of: Callable[[Cards], Masks],
    presumed: Ints | None = None,
) -> tuple[Ints, Ints]:
    """For deals (m, k) and hands by place as sets (m, places): which way gives every place its hand, and from which
    start; of several of one kind the one from the `presumed` start (m,), else the first. UNKNOWN where none does, or
    ways of several kinds do."""
    rows = len(cards)
    way_found = np.full(rows, UNKNOWN, np.int64)
    start_found = np.full(rows, UNKNOWN, np.int64)
    kind_found = np.full(rows, UNKNOWN, np.int64)
    several = np.zeros(rows, bool)
    for number, way in enumerate(ways):
        turns = masks_of(cards[:, way.index])
        fits_way = np.zeros(rows, bool)
        for start, order in zip(places, places_of_turns(places, ring, way.direction), strict=True):
            fits = (turns == hands[:, np.searchsorted(places, order)]).all(axis=1)
            taken = fits & (way_found == UNKNOWN)
            if presumed is not None:
                taken |= fits & (presumed == start) & (start_found != start)
            start_found[taken], way_found[taken] = start, number
            fits_way |= fits
        several |= fits_way & (kind_found != UNKNOWN) & (kind_found != way.kind)
        kind_found[fits_way & (kind_found == UNKNOWN)] = way.kind
    way_found[several] = start_found[several] = UNKNOWN
    return way_found, start_found
