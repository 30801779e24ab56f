"""Racks filled in quite another order than filed: known at once from the deal, and kept from the solver.

A table whose pickup procedure was misfiled has such a rack every round. Searching each of them for slips would cost a
worker more than all its other rounds.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from replay.cards.solver.explanations import MOST_FAULTS
from replay.cards.solver.layout import STUB
from replay.families.split_hands.hands import Sources
from replay.rounds import UNKNOWN


def in_quite_another_order(sources: Sources, row: int) -> bool:
    """All hands lie in the rack as dealt, in an order that no two slips give: another procedure was followed than the
    one filed, or none. Whose hand is whose is known, and there is nothing to search for; a table whose pickup was
    misfiled has every round like this."""
    start, geometry = int(sources.presumed[row]), sources.terms.geometry
    if start == UNKNOWN or not (sources.rack.whole[row] and sources.deal.read[row]):
        return False
    if sources.seats.order_by_results[row]:
        return False  # the order depends on how the hands fared: that filed is one of many
    place_of = {int(mask): place for place, mask in enumerate(sources.deal.masks[row, geometry.turn_of_place[start]])}
    rack, filed = sources.batch.rack[row], sources.pickup.order[row, : geometry.hands].tolist()
    filed.insert(int(sources.pickup.stub_after[row]), STUB)
    for before in range(geometry.hands + 1):
        at = before * geometry.cards
        hands = np.delete(rack, np.s_[at : at + geometry.stub]).reshape(geometry.hands, geometry.cards)
        places = [place_of.get(int(mask)) for mask in geometry.masks_of(hands)]
        if None not in places:
            lies = [*places[:before], STUB, *places[before:]]
            return tuple(filed.index(place) for place in lies) not in _orders_of_few_slips(geometry.hands + 1)
    return False


@cache
def _orders_of_few_slips(count: int) -> frozenset[tuple[int, ...]]:
    """Every order of so many packets, one of them the stub, that `MOST_FAULTS` slips may leave: two swapped or
    one moved."""
    packets = range(count)
    found = {tuple(packets)}
    for _ in range(MOST_FAULTS):
        for order in list(found):
            for one in packets:
                for to in packets:
                    moved, swapped = list(order), list(order)
                    moved.insert(to, moved.pop(one))
                    swapped[one], swapped[to] = swapped[to], swapped[one]
                    found |= {tuple(moved), tuple(swapped)}
    return frozenset(found)
