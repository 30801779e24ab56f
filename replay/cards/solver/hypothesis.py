"""What is supposed of one rack: which slots its cards really went into, and what it would have read without the faults.

How one fault more is supposed is `hypotheses`; what the witnesses say of it, `explanations`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from replay.cards.solver.evidence import Hand, Parts, RackEvidence, Reading
from replay.cards.solver.faults import Fault, FaultKind
from replay.cards.solver.layout import STUB, Layout, Slot, size_of

Packet = tuple[Slot, ...]  # the slots of one hand that lie together


_PARTS = ("low", "high", "eighth", "")
_BROUGHT_IN = frozenset({FaultKind.DUPLICATE, FaultKind.FOREIGN, FaultKind.OTHER_DECK})


def brought_for_another(fault: Fault) -> bool:
    """A card that somebody brought in lies in another's place."""
    return fault.kind in _BROUGHT_IN and bool(fault.instead)


class Hypothesis(NamedTuple):
    layout: Layout  # as the procedure has it
    packets: tuple[Packet, ...]  # as the cards went in
    cards: bytes  # as the reader should have read them
    origin: tuple[int, ...]  # of each card: its index in the rack as read, -1 for one put in here
    size: int  # how many cards the packets hold
    absent: tuple[tuple[Hand, bytes], ...] = ()  # cards that never went in though it is known whose they are
    faults: tuple[Fault, ...] = ()
    spots: tuple[int, ...] = ()  # of each fault: the index among the cards that it concerns, -1 if none
    cost: float = 0.0

    @property
    def fits(self) -> bool:
        """Every slot is filled, and no card is left over."""
        return len(self.cards) == self.size

    def but(
        self,
        fault: Fault,
        cost: float,
        *,
        packets: tuple[Packet, ...] | None = None,
        cards: bytes | None = None,
        origin: tuple[int, ...] | None = None,
        absent: tuple[Hand, bytes] | None = None,
        spot: int = -1,
        run: int = -1,
    ) -> Hypothesis:
        """The same with one fault more, and what it changes: `absent` are cards that the packets are now without,
        `spot` is the index it concerns, `run` the one a run of cards was taken out at."""
        spots = self.spots
        if cards is not None and spots and len(cards) != len(self.cards):
            from_here, by = max(spot, run), len(cards) - len(self.cards)
            spots = tuple(max(at + by, from_here) if at >= from_here else at for at in spots)
        return Hypothesis(
            self.layout,
            self.packets if packets is None else packets,
            self.cards if cards is None else cards,
            self.origin if origin is None else origin,
            self.size if absent is None else self.size - len(absent[1]),
            self.absent if absent is None else (*self.absent, absent),
            (*self.faults, fault),
            (*spots, spot),
            self.cost + cost,
        )

    def in_order(self, fault: Fault, cost: float, packets: tuple[Packet, ...]) -> Hypothesis:
        """The same with the same cards in other packets, by one fault more that concerns none of them."""
        layout, _, cards, origin, size, absent, faults, spots, before = self
        return Hypothesis(layout, packets, cards, origin, size, absent, (*faults, fault), (*spots, -1), before + cost)

    def faults_placed(self) -> tuple[Fault, ...]:
        """The faults, each with the hand it concerns by everything supposed, in whatever order it was."""
        if all(at < 0 for at in self.spots):
            return self.faults
        places = self.places()
        return tuple(
            fault if at < 0 else fault._replace(places=(places[at],))
            for fault, at in zip(self.faults, self.spots, strict=True)
        )

    def reading(self) -> Reading:
        """The hands by right, each with its parts in the procedure's order. Only of a hypothesis that fits.

        A hand that a card was brought into may have been set with that card: how it would have been set without it,
        nobody saw.
        """
        reading = self._reading_of(self.cards)
        for place in self._brought():
            for hand, parts in reading.hands.items():
                if hand[0] == place and len(parts) > 1:
                    reading.hands[hand] = (("", b"".join([cards for _, cards in parts])),)
        return reading

    def at_the_table(self, by_right: Reading) -> list[tuple[Reading, frozenset[Fault]]]:
        """The hands as they were set, shown and settled, and the faults that were done before. For each card that was
        brought in for another there are two ways: that was done afterwards, or the hand was played with it. Only of a
        hypothesis that fits."""
        brought = [
            (at, fault)
            for at, fault in zip(self.spots, self.faults_placed(), strict=True)
            if brought_for_another(fault)
        ]
        if not brought:
            return [(by_right, frozenset())]
        ways = []
        for choice in product((False, True), repeat=len(brought)):
            cards, played = bytearray(self.cards), set()
            for (at, fault), before in zip(brought, choice, strict=True):
                if before:
                    cards[at] = fault.cards[0]
                    played.add(fault)
            ways.append((self._reading_of(bytes(cards)), frozenset(played)))
        return ways

    def _brought(self) -> list[int]:
        return [fault.places[0] for fault in self.faults_placed() if brought_for_another(fault)]

    def _reading_of(self, cards_in_order: bytes) -> Reading:
        filled: dict[Slot, bytes] = {}
        at = 0
        for packet in self.packets:
            for slot in packet:
                filled[slot] = cards_in_order[at : at + slot.count]
                at += slot.count
        hands: dict[Hand, Parts] = {}
        for slot in self.layout:
            if slot.place != STUB and slot in filled:
                key = (slot.place, slot.hand)
                hands[key] = (*hands.get(key, ()), (slot.part, filled[slot]))
        for key, parts in hands.items():
            if len(parts) > 1:
                hands[key] = tuple(sorted(parts, key=lambda part: _PARTS.index(part[0])))
        for key, cards in self.absent:
            if key[0] != STUB:
                hands[key] = (("", cards),)  # nobody saw how it was set
        return Reading(self.layout, hands)

    @property
    def misread_when_dealt(self) -> list[Fault]:
        if not self.faults or self.faults[-1].kind is not FaultKind.DEALT_MISREAD:  # it is supposed last, and once
            return []
        return [self.faults[-1]]

    def dealt(self, evidence: RackEvidence) -> Mapping[int, bytes]:
        """What every place was dealt, sorted: as it was read, but for a card that is supposed to have been misread."""
        if not self.misread_when_dealt:
            return evidence.dealt_sorted
        dealt = dict(evidence.dealt_sorted)
        for fault in self.misread_when_dealt:
            (place,), (read,), (true,) = fault.places, fault.cards, fault.instead
            if place in dealt:
                dealt[place] = bytes(sorted(dealt[place].replace(bytes([read]), bytes([true]), 1)))
        return dealt

    def by_packet(self) -> Iterator[tuple[int, bytes]]:
        """Each packet's place and its cards, in order. Only of a hypothesis that fits."""
        at = 0
        for packet in self.packets:
            end = at + size_of_packet(packet)
            yield packet[0].place, self.cards[at:end]
            at = end

    def places(self) -> list[int]:
        """Whose slot a card at each index lies in; behind the end the last one's."""
        places = [slot.place for packet in self.packets for slot in packet for _ in range(slot.count)]
        last = places[-1] if places else STUB
        return places + [last] * (len(self.cards) + 1 - len(places))


def start(evidence: RackEvidence, layout: Layout) -> Hypothesis:
    """Nothing went wrong."""
    return Hypothesis(layout, packets_of(layout), evidence.rack, tuple(range(len(evidence.rack))), size_of(layout))


@lru_cache(maxsize=1 << 12)
def size_of_packet(packet: Packet) -> int:
    return sum(slot.count for slot in packet)


def packets_of(layout: Layout) -> tuple[Packet, ...]:
    """The slots in groups: those of one hand that follow each other went in together."""
    packets: list[list[Slot]] = []
    for slot in layout:
        if packets and (packets[-1][-1].place, packets[-1][-1].hand) == (slot.place, slot.hand):
            packets[-1].append(slot)
        else:
            packets.append([slot])
    return tuple(tuple(packet) for packet in packets)
