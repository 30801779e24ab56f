"""Slips of order that are counted in a table come to the same as when each of them is made."""

from __future__ import annotations

import random

import pytest

from replay.cards.solver.evidence import RackEvidence
from replay.cards.solver.hypothesis import size_of_packet, start
from replay.cards.solver.layout import STUB, Slot
from replay.cards.solver.slips import AsDealt, OtherOrders, slips_of

LAYOUT = (
    Slot(STUB, 3),
    *(slot for seat in (2, 1, 3, 0) for slot in (Slot(seat, 2, part="low"), Slot(seat, 3, part="high"))),
)
CARDS = 3 + 4 * 5


@pytest.mark.parametrize("seed", range(4))
def test_where_hands_would_lie_is_as_made_one_by_one(seed: int) -> None:
    rng = random.Random(seed)
    rack = bytes(rng.sample(range(CARDS), CARDS))
    dealt = {seat: rack[3 + 5 * at : 8 + 5 * at] for at, seat in enumerate((2, 1, 3, 0))}
    evidence = RackEvidence(rack, (LAYOUT,), frozenset(range(CARDS)), bytes(range(CARDS)), dealt=dealt)
    as_dealt = AsDealt(evidence)
    first = start(evidence, LAYOUT)
    once = list(slips_of(first.packets, {}).all_after(first))
    orders = [OtherOrders(one, slips_of(one.packets, {})) for one in once]
    counted = iter(as_dealt.counts(orders).tolist())
    for order in orders:
        for number, two in enumerate(order.slips.all_after(order.supposed)):
            astray, at = 0, 0
            for packet in two.packets:
                held = rack[at : at + size_of_packet(packet)]
                at += len(held)
                given = dealt.get(packet[0].place)
                astray += given is not None and sorted(given) != sorted(held)
            assert next(counted) == astray
            assert two.cost == order.supposed.cost + order.slips.costs[number]
    assert next(counted, None) is None
