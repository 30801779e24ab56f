"""One round's rack as a strip: which card of it belongs to whose hand, and which cards are not where they should be.

A pack says how it read the rack (`RackReading`); the strip follows from the cards themselves, so that hands picked up
in another order, cards of one hand in another and cards of nobody show where they lie. Knows no game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from replay.cards.dealing.method import Method
from replay.cards.pickup.layouts import Candidate, layouts
from replay.cards.pickup.procedure import Procedure
from replay.cards.pickup.situation import Situation
from replay.cards.solver.answers import Answer
from replay.cards.solver.evidence import HOLE, Hand, Parts, ShownHand
from replay.cards.solver.layout import BANKER, BOARD, BURNS, PLAYER, STUB, Layout, size_of
from replay.cards.solver.sentences import of_fault
from replay.rounds import UNKNOWN
from schemas.cards import NO_CARD
from schemas.places import DEALER

_MOST_PIECES = 3  # pieces a hand on average; a rack in more of them lies in no order, and is drawn as one piece

_NAMES = {DEALER: "dealer", STUB: "stub", BOARD: "board", BURNS: "burned", PLAYER: "Player", BANKER: "Banker"}


def short_name(place: int, hand: int = 0) -> str:
    """`seat 3`, `dealer`, `stub`, `seat 3 (2)` for its second hand."""
    return _NAMES.get(place, f"seat {place}") + (f" ({hand + 1})" if hand else "")


@dataclass(frozen=True)
class RackReading:
    """How a pack read one round's rack, and the deal beside it."""

    procedure: Procedure
    situation: Situation
    hands: Mapping[Hand, Parts]  # as the round was settled by; the first of several readings
    deck: frozenset[int]  # the codes a card of this game may have
    copies: int  # how often each may be in one round's rack
    method: Method | None = None  # of dealing
    dealt: Mapping[Hand, bytes] = field(default_factory=dict)  # empty where the deal was not read
    start: int = UNKNOWN  # where the deal began, if that is known
    delivered: str = ""  # how the cards went round, where that was not as the method says
    shown: Mapping[Hand, ShownHand] = field(default_factory=dict)
    noted: Mapping[int, str] = field(default_factory=dict)  # card → what else was said of it: found face up, exposed
    readings: int = 1

    @property
    def whole(self) -> bool:
        """Whether every hand of the round is known."""
        return all((hand.key in self.hands) or hand.key.place == STUB for hand in self.situation.hands)


class Mark(NamedTuple):
    """A card of the rack that something is wrong with."""

    at: int
    why: str


@dataclass(frozen=True)
class Packet:
    """Cards that lie together and belong to one hand."""

    whose: str  # `seat 3`; empty for cards that are nobody's
    at: int  # where in the rack the first one lies
    parts: tuple[tuple[str, bytes], ...]
    marks: tuple[Mark, ...] = ()
    missing: bytes = b""  # cards of that hand that are not in the rack

    @property
    def cards(self) -> bytes:
        return b"".join(cards for _, cards in self.parts)


_Slot = tuple[Hand, str]
_NOBODY: _Slot = ((-99, 0), "")


def strip_of(rack: bytes, reading: RackReading, answer: Answer | None) -> list[Packet]:
    """The rack in packets, bottom first."""
    if not rack:
        return []
    marks = _marks(rack, reading, answer)
    if not reading.hands:
        return [Packet("", 0, (("", rack),), tuple(marks))]
    owners, missing = _owners(rack, reading)
    pieces = 1 + sum(one[0] != other[0] for one, other in pairwise(owners))
    if pieces > _MOST_PIECES * (len(reading.hands) + 1):
        return [Packet("", 0, (("", rack),), tuple(marks), bytes(sorted(b"".join(missing.values()))))]
    packets: list[Packet] = []
    at = 0
    while at < len(rack):
        hand = owners[at][0]
        end = at
        parts: list[tuple[str, bytes]] = []
        while end < len(rack) and owners[end][0] == hand:
            part = owners[end][1]
            first = end
            while end < len(rack) and owners[end] == (hand, part):
                end += 1
            parts.append((part, rack[first:end]))
        here = tuple(mark for mark in marks if at <= mark.at < end)
        whose = "" if hand == _NOBODY[0] else short_name(*hand)
        packets.append(Packet(whose, at, tuple(parts), here, missing.pop(hand, b"")))
        at = end
    packets += [Packet(short_name(*hand), len(rack), (), (), cards) for hand, cards in sorted(missing.items())]
    return packets


def _owners(rack: bytes, reading: RackReading) -> tuple[list[_Slot], dict[Hand, bytes]]:
    """Whose each card of the rack is, and the cards of hands that are not in it. Of several copies the one goes to the
    hand that is being filled."""
    wanted: dict[int, Counter[_Slot]] = {}
    for hand, parts in reading.hands.items():
        for part, cards in parts:
            for card in cards:
                wanted.setdefault(card, Counter())[hand, part] += 1
    as_filed = _places_in(expected_layout(rack, reading, None), len(rack))
    strangers = _strangers(rack, wanted, as_filed)
    owners: list[_Slot] = []
    before: _Slot = _NOBODY
    for at, card in enumerate(rack):
        here = Counter[_Slot]() if at in strangers else +wanted.get(card, Counter())
        if before in here:
            owner = before
        elif here:
            owner = min(here, key=lambda slot: (slot[0] != before[0], _turn(slot, as_filed), slot))
        else:
            owner = _nobodys(at, card, reading, as_filed, before)
        if owner in here:
            wanted[card][owner] -= 1
        owners.append(owner)
        before = owner
    left = Counter[tuple[Hand, int]]()
    for card, slots in wanted.items():
        for (hand, _), count in (+slots).items():
            left[hand, card] += count
    missing: dict[Hand, bytes] = {}
    for (hand, card), count in sorted(left.items()):
        if card not in (HOLE, NO_CARD):
            missing[hand] = missing.get(hand, b"") + bytes([card]) * count
    return owners, missing


def _strangers(rack: bytes, wanted: Mapping[int, Counter[_Slot]], as_filed: Sequence[_Slot]) -> set[int]:
    """Of cards that lie in the rack more often than the hands have them: those that lie where another hand should."""
    found: set[int] = set()
    for card, count in Counter(rack).items():
        slots = wanted.get(card, Counter())
        if as_filed and slots and count > slots.total():
            hands = {slot[0] for slot in slots}
            where = [at for at, one in enumerate(rack) if one == card]
            elsewhere = [at for at in where if as_filed[at][0] not in hands]
            found.update(elsewhere[: count - slots.total()])
    return found


def _nobodys(at: int, card: int, reading: RackReading, as_filed: Sequence[_Slot], before: _Slot) -> _Slot:
    """Whose a card is that no hand has: the stub's, or that of the hand in whose place it lies."""
    stub = ((STUB, 0), "")
    filed = as_filed[at] if as_filed else _NOBODY
    if filed[0] == stub[0]:
        return stub
    if not reading.whole:
        return filed if filed[0] in reading.hands else _NOBODY
    held = any(card in cards for parts in reading.hands.values() for _, cards in parts)
    has_stub = any(hand.key.place == STUB for hand in reading.situation.hands)
    if has_stub and card in reading.deck and not held:
        return stub
    return filed if as_filed else before


def _places_in(layout: Layout, size: int) -> list[_Slot]:
    """The slot of each card of a rack filled like this; nothing where the rack has another size."""
    if size_of(layout) != size:
        return []
    return [((slot.place, slot.hand), slot.part) for slot in layout for _ in range(slot.count)]


def _turn(slot: _Slot, as_filed: Sequence[_Slot]) -> int:
    return as_filed.index(slot) if slot in as_filed else len(as_filed)


def candidates_of(reading: RackReading) -> tuple[Candidate, ...]:
    """Every way the procedure may have filled the rack, before anybody looked at a card."""
    return layouts(reading.procedure, reading.situation).candidates


def expected_layout(rack: bytes, reading: RackReading, answer: Answer | None) -> Layout:
    """How the procedure says the rack must be filled for the hands it was read as."""
    if answer is not None and answer.explanations:
        return answer.explanations[0].reading.layout
    found = candidates_of(reading)
    fitting = [candidate.layout for candidate in found if size_of(candidate.layout) == len(rack)]
    held = {hand: b"".join(cards for _, cards in parts) for hand, parts in reading.hands.items()}
    for layout in fitting:
        lies = {slot.place for slot in layout if slot.place in (STUB, BOARD, BURNS)}
        slots = zip(rack, _places_in(layout, len(rack)), strict=True)
        if all(hand[0] in lies or card in held.get(hand, b"") for card, (hand, _) in slots):
            return layout
    return fitting[0] if fitting else found[0].layout if found else ()


def _marks(rack: bytes, reading: RackReading, answer: Answer | None) -> list[Mark]:
    marks: dict[int, str] = {}
    first: dict[int, int] = {}
    seen = Counter[int]()
    for at, card in enumerate(rack):
        seen[card] += 1
        first.setdefault(card, at)
        if card == NO_CARD:
            marks[at] = "the reader could not read it"
        elif card not in reading.deck:
            marks[at] = "no card of this deck"
        elif seen[card] > reading.copies:
            marks[at] = f"once more; it is card {first[card] + 1} as well"
    if answer is not None and answer.explanations:
        for fault in answer.explanations[0].faults:
            if 0 <= fault.at < len(rack):
                marks.setdefault(fault.at, of_fault(fault))
    if reading.copies == 1:  # otherwise another copy of a card may be meant
        moved = {**_moved(reading), **_set_again(reading), **reading.noted}
        for card, why in moved.items():
            if card in first:
                marks.setdefault(first[card], why)
    return [Mark(at, why) for at, why in sorted(marks.items())]


def _moved(reading: RackReading) -> dict[int, str]:
    """Cards that lie with another hand than they were dealt to."""
    if not reading.dealt or not reading.hands:
        return {}
    came = {card: hand for hand, cards in reading.dealt.items() for card in cards}
    went = {card: hand for hand, parts in reading.hands.items() for _, cards in parts for card in cards}
    found = {}
    for card in {*came, *went}:
        if came.get(card) == went.get(card) or (card not in went and not reading.whole):
            continue
        dealt = f"dealt to {short_name(*came[card])}" if card in came else "dealt to nobody"
        lies = f"lies with {short_name(*went[card])}" if card in went else "lies among the cards nobody played"
        found[card] = f"{dealt}, {lies}"
    return found


def _set_again(reading: RackReading) -> dict[int, str]:
    """Cards that lie in another part of their hand than they were shown in."""
    found = {}
    for hand, shown in reading.shown.items():
        parts = dict(reading.hands.get(hand, ()))
        if not shown.low or "low" not in parts:
            continue
        was_low, was_high = set(shown.cards[: shown.low]), set(shown.cards[shown.low :])
        for part, elsewhere, said in (("low", was_high, "high"), ("high", was_low, "low")):
            for card in parts.get(part, b""):
                if card in elsewhere:
                    found[card] = f"shown in the {said} hand, lies in the {part} hand"
    return found
