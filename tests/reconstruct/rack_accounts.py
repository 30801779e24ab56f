"""What else could have given the same reading of a rack: counted the slow, obvious way, for the benchmark's judge.

A rack that was spoiled on purpose (`tests.reconstruct.rack_faults`) is undone here in every way one fault could have
been done, and each way that leaves a rack the witnesses allow is an *account* of it, weighted by how likely the spoiler
was to do just that. The deal and the hands shown allow an account or do not; a reported settlement that the hands of an
account contradict (`rack_reports`) makes it so much less likely, as seldom as dealers misjudge that hand.
Where the true account has nearly all of the weight the information to find it is there; where it has not, several
faults look alike and the answer must say so. The account that nothing went wrong is weighed like the others: only where
it contradicts no report did a fault leave no trace. How people like to set hands is left out: a solver may know more,
never less. Nothing here is shared with the solver but the rates at which faults are taken to happen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple, Protocol

from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.games.supreme_baccarat.rules import banker_draws, player_draws
from tests.reconstruct.rack_faults import BANKER, FIRST_IN, IN_PLAY, JOKER, LAST_IN, PLAYER, STUB, Rack, may_lie_there
from tests.reconstruct.rack_reports import (
    Agrees,
    Laid,
    Report,
    baccarat_agrees,
    contradicted,
    one_wrong_call,
    pai_gow_agrees,
)

KNOWABLE = 0.99
"""From this share of the weight on the true account is told apart from all others."""

_ALIKE = 15  # cards that share the rank or the suit of a given one

Shape = tuple[
    tuple[int, int, int], ...
]  # of each packet: place, cards, how many of them are the low hand (0: any order)
Key = tuple[str, tuple[int, ...], tuple[int, ...], tuple[int, ...], int]  # kind, places, as read, as they should be, at
CLEAN: Key = ("", (), (), (), -1)  # that nothing went wrong
Undone = tuple[Key, float, list[bytes], list[bytes] | None]
"""One way to undo a fault: its name, its chance, the packets by right, and as they were played if a card brought in may
have been played with."""


class Fits(Protocol):
    """Whether packets filled like this are what the witnesses saw; `played` where hands were shown with other cards
    than were dealt."""

    def __call__(self, shape: Shape, packets: Sequence[bytes], played: Sequence[bytes] | None = None) -> bool: ...


@dataclass(frozen=True)
class Witnesses:
    """What is known besides the rack: who was dealt what, who showed what, which faces must all be there, and what the
    wagers are reported to have come to."""

    shapes: tuple[Shape, ...]
    fits: Fits
    deck: tuple[int, ...] | None  # exactly these; None where nothing says so
    faces: tuple[int, ...]  # that a card of this game may have
    reports: tuple[Report, ...]
    agrees: Agrees
    dealt: Mapping[int, Sequence[int]]  # what each place was dealt, as it was read and sorted; empty where it was not
    collected: Mapping[int, int]  # when each place's hand was collected (`rack_faults.IN_PLAY` ...)
    one_call: bool = False  # one result, right or wrong, explains every settlement

    def contradicted(self, shape: Shape, packets: Sequence[bytes]) -> int:
        """How many reported settlements the hands in these packets contradict."""
        return len(contradicted(self.reports, hands_in(shape, packets), self.agrees))

    def settled_like_this(self, shape: Shape, packets: Sequence[bytes], rates: dict[str, float]) -> float:
        """How likely a dealer settles these hands as is reported: the hands misjudged, of all that were settled."""
        wrong = {report.seat for report in contradicted(self.reports, hands_in(shape, packets), self.agrees)}
        if not wrong:
            return 1.0
        if self.one_call:
            return rates["settled_wrong"] / 4  # half of the slips are a single wager's; else two results may be called
        rate = rates["settled_wrong"] * (1 if len(wrong) == 1 else rates["several_settled_wrong"])
        return rate / math.comb(len({report.seat for report in self.reports}), len(wrong))


class MisreadDeal(NamedTuple):
    """A card that the reader of the deal took for another."""

    place: int
    read: int
    true: int


def _dealt(rack: Rack, misread: MisreadDeal | None) -> dict[int, list[int]]:
    """What the reader of the deal says of a round whose rack was filled like this."""
    dealt = {
        packet.place: sorted(card.face for card in packet.cards) for packet in rack.packets if packet.place != STUB
    }
    if misread is not None:
        hand = dealt[misread.place]
        hand[hand.index(misread.true)] = misread.read
        hand.sort()
    return dealt


class Account(NamedTuple):
    """What one fault, or none, has for it."""

    weight: float
    contradicted: int  # reported settlements that its hands contradict; the fewest, where it can have left several


def hands_in(shape: Shape, packets: Sequence[bytes]) -> dict[int, Laid]:
    return {place: Laid(cards, low) for (place, _, low), cards in zip(shape, packets, strict=True)}


def shape_of(rack: Rack) -> Shape:
    return tuple((packet.place, len(packet.cards), packet.low) for packet in rack.packets)


def pai_gow_witnesses(
    rack: Rack,
    dealt: bool,
    shown: Sequence[tuple[int, int, bytes]],
    reports: tuple[Report, ...],
    filed: PaiGowOptions,
    misread: MisreadDeal | None = None,
) -> Witnesses:
    """Of a round whose rack was filled like this, at a table that filed this."""
    return witnesses_of_hands(rack, dealt, shown, reports, pai_gow_agrees(reports, filed, shown), misread)


def witnesses_of_hands(
    rack: Rack,
    dealt: bool,
    shown: Sequence[tuple[int, int, bytes]],
    reports: tuple[Report, ...],
    agrees: Agrees,
    misread: MisreadDeal | None = None,
    *,
    holds_the_deck: bool = True,
) -> Witnesses:
    """Of a round whose rack was filled like this: the deal if it was read, (place, low cards, cards) of hands shown,
    and the settlements reported."""
    given = _dealt(rack, misread) if dealt else {}
    seen = {place: (frozenset(cards), frozenset(cards[:low])) for place, low, cards in shown}

    def fits(shape: Shape, packets: Sequence[bytes], played: Sequence[bytes] | None = None) -> bool:
        for (place, _, low), cards, laid in zip(shape, packets, played or packets, strict=True):
            if place in given and sorted(cards) != given[place]:
                return False
            if place in seen:
                whole, shown_low = seen[place]
                if not whole <= frozenset(laid) or (low and shown_low and frozenset(laid[:low]) != shown_low):
                    return False
        return True

    deck = tuple(sorted(rack.faces())) if holds_the_deck or dealt else None
    collected = {packet.place: packet.collected for packet in rack.packets}
    return Witnesses((shape_of(rack),), fits, deck, rack.deck, reports, agrees, given, collected)


def baccarat_witnesses(
    rack: Rack, dealt: bool, reports: tuple[Report, ...], covered: bool, misread: MisreadDeal | None = None
) -> Witnesses:
    given = _dealt(rack, misread) if dealt else {}
    shapes = [((PLAYER, one, 0), (BANKER, two, 0)) for one, two in product((2, 3), (2, 3))]

    def fits(shape: Shape, packets: Sequence[bytes], played: Sequence[bytes] | None = None) -> bool:
        player, banker = list(packets[0]), list(packets[1])
        if given:
            return sorted(player) == given[PLAYER] and sorted(banker) == given[BANKER]
        player, banker = map(list, played or packets)
        if max(*player, *banker) >= JOKER:
            return False
        drawn = player_draws(player[:2], banker[:2]), banker_draws(player, banker[:2])
        return (len(player) == 3, len(banker) == 3) == drawn

    deck = tuple(sorted(card for hand in given.values() for card in hand)) if dealt else None
    faces = tuple(range(JOKER))
    agrees = baccarat_agrees(PLAYER, BANKER, covered)
    return Witnesses(tuple(shapes), fits, deck, faces, reports, agrees, given, {}, covered and one_wrong_call(reports))


def accounts(read: bytes, decks: bytes, seen: Witnesses, rates: dict[str, float]) -> dict[Key, Account]:
    """Every account of this reading; `CLEAN` is that nothing went wrong."""
    found: dict[Key, Account] = {}
    strange = {at for at, deck in enumerate(decks) if deck}
    for shape in seen.shapes:
        for key, weight, packets, played in _undone(read, strange, shape, seen, rates):
            if seen.deck is not None and sorted(b"".join(packets)) != list(seen.deck):
                continue
            ways = (packets,) if played is None else (packets, played)  # of which each is as likely
            for laid in ways:
                if not seen.fits(shape, packets, laid):
                    continue
                against = seen.contradicted(shape, laid)
                weighs = weight / len(ways) * seen.settled_like_this(shape, laid, rates)
                before = found.get(key, Account(0.0, against))
                found[key] = Account(before.weight + weighs, min(before.contradicted, against))
        if not strange and seen.dealt:
            found |= _deal_misread(read, shape, seen, rates)
    return found


def _deal_misread(read: bytes, shape: Shape, seen: Witnesses, rates: dict[str, float]) -> dict[Key, Account]:
    """The account that the rack is as it was played, and that the reader of the deal took one card for another; and
    that a card was exchanged with those left over, which looks the same."""
    packets = _cut(read, [count for _, count, _ in shape])
    if packets is None or (STUB in [place for place, _, _ in shape] and sorted(read) != list(seen.deck or ())):
        return {}
    astray = {
        place: (Counter(cards) - Counter(seen.dealt[place]), Counter(seen.dealt[place]) - Counter(cards))
        for (place, _, _), cards in zip(shape, packets, strict=True)
        if place in seen.dealt and sorted(cards) != list(seen.dealt[place])
    }
    if len(astray) != 1:
        return {}
    ((place, (held, said)),) = astray.items()
    true, wrong = list(held.elements()), list(said.elements())
    if len(true) != 1 or len(wrong) != 1 or max(true[0], wrong[0]) >= JOKER:
        return {}
    against = seen.contradicted(shape, packets)
    settled = seen.settled_like_this(shape, packets, rates)
    dealt = sum(map(len, seen.dealt.values()))
    found: dict[Key, Account] = {}
    if true[0] // 4 == wrong[0] // 4 or true[0] % 4 == wrong[0] % 4:
        key = ("dealt_misread", (place,), (wrong[0],), (true[0],), -1)
        found[key] = Account(settled * rates["dealt_misread"] / dealt / _ALIKE, against)
    left_over = [cards for (packet, _, _), cards in zip(shape, packets, strict=True) if packet == STUB]
    if any(wrong[0] in cards for cards in left_over):  # or somebody exchanged it with the cards left over
        key = ("card_switched", (place,), (wrong[0],), (true[0],), -1)
        found[key] = Account(settled * rates["card_switched"] * 2 / dealt**2, against)
    return found


def _cut(read: bytes, sizes: Sequence[int]) -> list[bytes] | None:
    if sum(sizes) != len(read):
        return None
    packets, at = [], 0
    for size in sizes:
        packets.append(read[at : at + size])
        at += size
    return packets


def _undone(read: bytes, strange: set[int], shape: Shape, seen: Witnesses, rates: dict[str, float]) -> Iterator[Undone]:
    sizes = [count for _, count, _ in shape]
    size, length = sum(sizes), len(read)
    if length == size:
        if not strange:
            yield from _in_order(read, shape, sizes, seen.collected, rates)
        yield from _exchanged(read, strange, shape, sizes, seen, rates)
    elif strange and len(strange) != 1:
        return
    elif length == size - 1 and not strange:
        yield from _one_missing(read, shape, sizes, seen, rates)
    elif length == size + 1:
        yield from _one_too_many(read, strange, shape, sizes, seen, rates)
    if not strange and length < size - 1 and seen.deck is not None:
        yield from _stub_gone(read, shape, sizes, seen.deck, rates)
    if not strange and length >= size + 2:
        extra = length - size
        cuts = [0, *(sum(sizes[:at]) for at in range(1, len(sizes))), size]
        for number, at in enumerate(cuts):
            share = FIRST_IN if number == 0 else LAST_IN if at == size else (1 - FIRST_IN - LAST_IN) / (len(sizes) - 1)
            packets = _cut(read[:at] + read[at + extra :], sizes)
            assert packets is not None
            yield ("mixed", (), tuple(read[at : at + extra]), (), at), rates["mixed"] * share, packets, None


def _in_order(
    read: bytes, shape: Shape, sizes: list[int], collected: Mapping[int, int], rates: dict[str, float]
) -> Iterator[Undone]:
    packets = _cut(read, sizes)
    assert packets is not None
    yield CLEAN, 1.0, packets, None
    hands = [at for at, (place, _, _) in enumerate(shape) if place != STUB]
    orders = []
    when = [collected.get(place, IN_PLAY) for place, _, _ in shape]
    pairs = [(one, other) for one, other in combinations(hands, 2) if when[one] == when[other]]
    for one, other in pairs:
        order = list(range(len(shape)))
        order[one], order[other] = order[other], order[one]
        places = tuple(sorted((shape[one][0], shape[other][0])))
        orders.append((order, ("swapped", places, (), (), -1), rates["swapped"] / len(pairs)))
    turns = range(len(shape))
    moves = [
        (one, to)
        for one in turns
        for to in turns
        if abs(one - to) >= (1 if shape[one][0] == STUB else 2)
        and may_lie_there([place for place, _, _ in shape], when, one, to)
    ]
    for one, to in moves:
        order = list(range(len(shape)))
        order.insert(to, order.pop(one))
        orders.append((order, ("out_of_place", (shape[one][0],), (), (), -1), rates["out_of_place"] / len(moves)))
    for order, key, weight in orders:
        lying = _cut(read, [sizes[at] for at in order])
        assert lying is not None
        right = [b""] * len(shape)
        for at, cards in zip(order, lying, strict=True):
            right[at] = cards
        yield key, weight, right, None
    laid = [at for at, (_, _, low) in enumerate(shape) if low]
    for at in laid:
        low = shape[at][2]
        turned = [*packets]
        turned[at] = packets[at][-low:] + packets[at][:-low]
        yield ("parts_reversed", (shape[at][0],), (), (), -1), rates["parts_reversed"] / len(laid), turned, None


def _owner(shape: Shape, at: int) -> tuple[int, int]:
    """Whose card lies there, and how many cards that packet has."""
    for place, count, _ in shape:
        if at < count:
            return place, count
        at -= count
    return shape[-1][0], shape[-1][1]


def _absent(read: bytes, seen: Witnesses) -> list[tuple[int, float]]:
    """The cards that may be the one not there, each with its chance."""
    if seen.deck is None:
        return [(face, 1 / len(seen.faces)) for face in seen.faces]
    return [(face, 1.0) for face in sorted((Counter(seen.deck) - Counter(read)).keys())]


def _one_missing(
    read: bytes, shape: Shape, sizes: list[int], seen: Witnesses, rates: dict[str, float]
) -> Iterator[Undone]:
    size = sum(sizes)
    for at in range(size):
        for face, chance in _absent(read, seen):
            packets = _cut(read[:at] + bytes([face]) + read[at:], sizes)
            assert packets is not None
            instead = (face,) if seen.deck is not None else ()
            yield ("missing", (_owner(shape, at)[0],), (), instead, -1), chance * rates["missing"] / size, packets, None


def _kinds(face: int, mark: bool, seen: Witnesses, rates: dict[str, float]) -> dict[str, float]:
    """Of a card that should not be there: what it may be, and how likely one of this face is."""
    others = len(seen.faces) - 1 if seen.deck is not None else 1
    if mark:
        return {"other_deck": rates["other_deck"] / 2 / others}
    if face not in seen.faces:
        return {"foreign": rates["foreign"] / 2}
    return {"duplicate": rates["duplicate"] / 2 / others}


def _exchanged(
    read: bytes, strange: set[int], shape: Shape, sizes: list[int], seen: Witnesses, rates: dict[str, float]
) -> Iterator[Undone]:
    knowable = sum(face < JOKER for face in read)
    extra = Counter(read) - Counter(seen.deck or ())
    for at, face in enumerate(read):
        if (strange and strange != {at}) or face not in extra:
            continue
        place, count = _owner(shape, at)
        for true, chance in _absent(read, seen):
            if true == face:
                continue
            packets, played = _cut(read[:at] + bytes([true]) + read[at + 1 :], sizes), _cut(read, sizes)
            assert packets is not None
            instead = (true,) if seen.deck is not None else ()
            for kind, weight in _kinds(face, bool(strange), seen, rates).items():
                spot = weight / len(shape) / count
                yield (kind, (place,), (face,), instead, -1), chance * spot, packets, played
            alike = true < JOKER and face < JOKER and (true // 4 == face // 4 or true % 4 == face % 4)
            if alike and not strange:
                spot = rates["misread"] / knowable / _ALIKE * (1 if seen.deck is not None else len(seen.faces))
                yield ("misread", (place,), (face,), instead, -1), chance * spot, packets, None


def _one_too_many(
    read: bytes, strange: set[int], shape: Shape, sizes: list[int], seen: Witnesses, rates: dict[str, float]
) -> Iterator[Undone]:
    for at, face in enumerate(read):
        if strange and strange != {at}:
            continue
        packets = _cut(read[:at] + read[at + 1 :], sizes)
        assert packets is not None
        _, count = _owner(shape, at)
        for kind, weight in _kinds(face, bool(strange), seen, rates).items():
            yield (kind, (), (face,), (), at), weight / len(shape) / count, packets, None
        if at and read[at - 1] == face and not strange:
            yield ("read_twice", (), (face,), (), at), rates["read_twice"] / len(shape) / count, packets, None


def _stub_gone(
    read: bytes, shape: Shape, sizes: list[int], deck: tuple[int, ...], rates: dict[str, float]
) -> Iterator[Undone]:
    gone = Counter(deck) - Counter(read)
    if len(read) + gone.total() != sum(sizes):
        return  # something else lies there besides
    for number, (place, count, _) in enumerate(shape):
        if place == STUB and 2 <= gone.total() <= count:
            before = sum(sizes[:number])
            packets = _cut(read[:before] + bytes(gone.elements()) + read[before:], sizes)
            assert packets is not None
            share = 0.5 if gone.total() == count else 0.5 / max(count - 2, 1)
            yield (
                ("stub_short", (STUB,), (), tuple(sorted(gone.elements())), -1),
                rates["stub_short"] * share,
                packets,
                None,
            )
