"""Slips of order: every way in which packets may have gone into a rack in another order by one slip more.

Of two slips at once there are thousands for a rack of eight packets, and beside the deal nearly all of them put hands
where they were not dealt. So they are counted, with what each costs and where each hand would lie, in one table for all
racks of a shape; and a hypothesis is made only of the few that could matter (`explanations`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from replay.cards.solver import faults as rates
from replay.cards.solver.evidence import RackEvidence, exchangeable
from replay.cards.solver.faults import Fault, FaultKind, cost_of
from replay.cards.solver.hypothesis import Hypothesis, Packet, size_of_packet
from replay.cards.solver.layout import STUB

_NO_CODE = 256  # above every code of a card, NO_CARD's too

Starts = npt.NDArray[np.uint8]
Costs = npt.NDArray[np.float64]
Collected = tuple[tuple[int, int], ...]


class Slip(NamedTuple):
    fault: Fault
    cost: float
    one: int  # which packet
    to: int  # with which one it was swapped, or where it went; itself if it was turned


@lru_cache(maxsize=1 << 14)  # the same orders of places are in thousands of hypotheses
class Slips:
    """One slip more, of packets of these places and sizes. `laid` are the packets that may have been turned."""

    def __init__(self, place: tuple[int, ...], sizes: tuple[int, ...], laid: tuple[int, ...], steps: Collected) -> None:
        self._place, self._sizes = place, sizes
        pairs, moves = _swaps(place, dict(steps)), _moves(place, dict(steps))
        cost = cost_of(FaultKind.SWAPPED, len(pairs)) if pairs else 0.0
        self.slips = [Slip(Fault(FaultKind.SWAPPED, (place[one], place[to])), cost, one, to) for one, to in pairs]
        cost = cost_of(FaultKind.OUT_OF_PLACE, len(moves)) if moves else 0.0
        self.slips += [Slip(Fault(FaultKind.OUT_OF_PLACE, (place[one],)), cost, one, to) for one, to in moves]
        cost = cost_of(FaultKind.PARTS_REVERSED, len(laid)) if laid else 0.0
        self.slips += [Slip(Fault(FaultKind.PARTS_REVERSED, (place[at],)), cost, at, at) for at in laid]

    def after(self, supposed: Hypothesis, number: int) -> Hypothesis:
        """The hypothesis with this slip more."""
        slip = self.slips[number]
        order = list(supposed.packets)
        _change(order, slip)
        if slip.one == slip.to:
            order[slip.one] = order[slip.one][::-1]
        return supposed.in_order(slip.fault, slip.cost, tuple(order))

    def all_after(self, supposed: Hypothesis) -> Iterator[Hypothesis]:
        return (self.after(supposed, number) for number in range(len(self.slips)))

    @cached_property
    def costs(self) -> Costs:
        return np.array([slip.cost for slip in self.slips])

    @cached_property
    def starts(self) -> Starts:
        """(n, packets) where each packet would begin in the rack, the packets in the order of their places."""
        starts = np.empty((len(self.slips), len(self._sizes)), np.uint8)
        by_place = sorted(range(len(self._place)), key=self._place.__getitem__)
        for number, slip in enumerate(self.slips):
            order = list(range(len(self._sizes)))
            _change(order, slip)
            begins, at = [0] * len(order), 0
            for packet in order:
                begins[packet] = at
                at += self._sizes[packet]
            starts[number] = [begins[packet] for packet in by_place]
        return starts


def _change(order: list[Packet] | list[int], slip: Slip) -> None:
    if slip.fault.kind is FaultKind.SWAPPED:
        order[slip.one], order[slip.to] = order[slip.to], order[slip.one]  # type: ignore[assignment]
    elif slip.one != slip.to:
        order.insert(slip.to, order.pop(slip.one))  # type: ignore[arg-type]


def _swaps(place: Sequence[int], steps: Mapping[int, int]) -> list[tuple[int, int]]:
    hands = [at for at, whose in enumerate(place) if whose != STUB]
    return [
        (one, other)
        for one in hands
        for other in hands
        if one < other and exchangeable(steps, place[one], place[other])
    ]


def _moves(place: Sequence[int], steps: Mapping[int, int]) -> list[tuple[int, int]]:
    count = len(place)
    least = [1 if whose == STUB else 2 for whose in place]  # two hands next to each other are swapped
    return [
        (one, to)
        for one in range(count)
        for to in range(count)
        if abs(one - to) >= least[one] and not _before_its_play(place, one, to, steps)
    ]


def _before_its_play(place: Sequence[int], one: int, to: int, collected: Mapping[int, int]) -> bool:
    """A packet that would have gone in before ones that were collected earlier, while its own hand was still played
    (rulings.md R-60). One that was left on the table too long can be."""
    overtaken = [other for other in place[to:one] if other != STUB]
    return place[one] != STUB and not all(exchangeable(collected, place[one], other) for other in overtaken)


def slips_of(packets: Sequence[Packet], collected: Mapping[int, int]) -> Slips:
    laid = [at for at, packet in enumerate(packets) if len(packet) > 1 and all(slot.in_order for slot in packet)]
    return Slips(
        tuple([packet[0].place for packet in packets]),
        tuple(map(size_of_packet, packets)),
        tuple(laid),
        tuple(sorted(collected.items())),
    )


@dataclass(frozen=True)
class OtherOrders:
    """Every hypothesis with one slip of order more than this one, counted and not made."""

    supposed: Hypothesis
    slips: Slips

    @property
    def count(self) -> int:
        return len(self.slips.slips)


class AsDealt:
    """Which packets of a rack that holds just the deck would be hands as dealt, wherever they began."""

    def __init__(self, evidence: RackEvidence) -> None:
        self.known = bool(evidence.dealt) and evidence.one_deck and len(set(evidence.rack)) == len(evidence.rack)
        self._dealt = {place: _as_bits(cards) for place, cards in evidence.dealt.items()}
        self._up_to = [0]
        for card in evidence.rack:
            self._up_to.append(self._up_to[-1] ^ 1 << card)
        places = max(len(evidence.dealt), 2)
        dealt_cards = max(sum(map(len, evidence.dealt.values())), 1)
        self._exchange = math.log(places * (places - 1) / 2) - math.log(rates.HANDS_EXCHANGED.a_round)
        self._switch = math.log(dealt_cards**2 / 2) - math.log(rates.CARD_SWITCHED.a_round)

    def astray(self, place: int, start: int, size: int) -> bool:
        given = self._dealt.get(place)
        return given is not None and bool(given & ~(self._up_to[start + size] ^ self._up_to[start]))

    def least_price(self, astray: int) -> float:
        """What it costs at least that so many hands are not as dealt."""
        if astray < 2:
            return astray * self._switch
        return min((astray - 1) * self._exchange, -(-astray // 2) * self._switch)

    def in_place(self, packets: Sequence[Packet]) -> bool:
        """Every packet is a whole hand, or none that was dealt: what is said of packets is so of hands."""
        places = [packet[0].place for packet in packets]
        return self.known and len(set(places)) == len(places)

    def count(self, packets: Sequence[Packet]) -> int:
        """How many packets hold other cards than were dealt to their places."""
        found = start = 0
        for packet in packets:
            size = size_of_packet(packet)
            found += self.astray(packet[0].place, start, size)
            start += size
        return found

    def counts(self, orders: Sequence[OtherOrders]) -> npt.NDArray[np.int64]:
        """The same of each hypothesis counted here, one after the other."""
        first = sorted(orders[0].supposed.packets, key=lambda packet: packet[0].place)
        starts = np.concatenate([each.slips.starts for each in orders])
        found = np.zeros(len(starts), np.int64)
        for column, packet in enumerate(first):
            size, begins = size_of_packet(packet), starts[:, column]
            lies = np.zeros(256, bool)
            for start in np.flatnonzero(np.bincount(begins, minlength=1)).tolist():
                lies[start] = self.astray(packet[0].place, start, size)
            found += lies[begins]
        return found


def _as_bits(cards: bytes) -> int:
    """A hand as a set of cards, one that no rack holds if it was read as having a card twice."""
    apart = set(cards)
    return sum(1 << card for card in apart) | (len(apart) < len(cards)) << _NO_CODE


def by_packets(orders: Iterable[OtherOrders]) -> list[list[OtherOrders]]:
    """Those whose packets are the same, together."""
    found: dict[object, list[OtherOrders]] = {}
    for each in orders:
        packets = each.supposed.packets
        found.setdefault(frozenset([(packet[0].place, size_of_packet(packet)) for packet in packets]), []).append(each)
    return list(found.values())
