"""One fault more: every way a rack may have gone wrong by a single slip, given what has been supposed so far.

A hypothesis is the rack as it would have been read without the faults supposed, and the slots its cards really went
into. Which cards are too many or not there is looked at first: it says which faults are possible at all, so that a rack
that holds exactly the deck is never searched for missing cards.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator

from replay.cards.solver.evidence import HOLE, RackEvidence, in_order
from replay.cards.solver.faults import TORN_PACKET, Fault, FaultKind, cost_of
from replay.cards.solver.hypothesis import Hypothesis, packets_of
from replay.cards.solver.layout import STUB
from replay.cards.solver.slips import AsDealt, OtherOrders, slips_of
from schemas.cards import JOKER_1, NO_CARD

_CONFUSABLE = 15  # cards that share a rank (3) or a suit (12) with a given one
_ADDED_OR_INSTEAD = 2  # a strange card is as likely one too many as one in another's place
_FIRST_IN, _LAST_IN = 0.6, 0.2  # another round's cards lie before this one's, behind them, or else in between


IN_ANOTHER_ORDER = frozenset({FaultKind.SWAPPED, FaultKind.OUT_OF_PLACE, FaultKind.PARTS_REVERSED})
RunAllowed = Callable[[int, int], bool]  # from one index up to another


class Differences:
    """Which cards of a hypothesis are not there and which are too many, worked out once for each set of cards."""

    def __init__(self, evidence: RackEvidence) -> None:
        self._evidence = evidence
        self._known: dict[object, tuple[Counter[int], Counter[int]]] = {}
        self._runs: dict[object, RunAllowed] = {}
        self.as_dealt = AsDealt(evidence)

    def __call__(self, supposed: Hypothesis) -> tuple[Counter[int], Counter[int]]:
        misread = supposed.misread_when_dealt
        key = (supposed.cards, supposed.absent, *misread)
        if key not in self._known:
            here, expected = Counter(supposed.cards), self._evidence.expected_count
            if expected is not None and self._evidence.expected_by_deal:
                for fault in misread:
                    expected = expected - Counter(fault.cards) + Counter(fault.instead)
            if expected is None:
                deck = self._evidence.deck
                strange = {card: count for card, count in here.items() if card not in deck and card != HOLE}
                self._known[key] = Counter(), Counter(strange)
            else:
                there = expected - Counter(card for _, cards in supposed.absent for card in cards)
                self._known[key] = there - here, here - there
        return self._known[key]

    def runs(self, supposed: Hypothesis, left: int) -> RunAllowed:
        """Which runs of cards may be of another round, with so many faults left; the same for every order of hands."""
        key = (supposed.cards, supposed.origin, supposed.absent, left)
        if key not in self._runs:
            self._runs[key] = _runs_allowed(supposed, self._evidence, *self(supposed), left)
        return self._runs[key]


def one_more_fault(
    supposed: Hypothesis, evidence: RackEvidence, differences: Differences, left: int
) -> Iterator[Hypothesis | OtherOrders]:
    """Every hypothesis with one fault more than this one, of which `left` may be supposed, this one included. The last
    one must put everything right, so only faults that could are tried."""
    if supposed.misread_when_dealt:
        return  # it comes last: told before and after the others, the same would have two names
    missing, extra = differences(supposed)
    put_right = supposed.fits and not missing and not extra
    unknown = evidence.expected is None
    if (evidence.dealt or evidence.expected_by_deal) and supposed.fits:
        yield from _deal_misread(supposed, evidence, differences.as_dealt, missing, extra)
    if not unknown and min(missing.total(), extra.total()) > left:
        return  # each fault that is left puts right one card gone and one too many, or many of one sort
    # Which packet is whose comes first: what is told of a card says whose hand it is of. Told the other way about, the
    # same would have two names.
    if (put_right or left > 1) and all(fault.kind in IN_ANOTHER_ORDER for fault in supposed.faults):
        yield from _in_another_order(supposed, evidence, put_right and differences.as_dealt.in_place(supposed.packets))
    if put_right or left > 1:
        yield from _same_card_of_another_deck(supposed, evidence)
    if put_right and not unknown:
        return
    if not unknown and extra.total() > left:
        yield from _run_read_twice(supposed, evidence, extra)
        yield from _mixed(supposed, evidence, differences, left)
        return  # more cards too many than one by one: another round's are among them, and that is undone first
    if unknown or (missing and extra) or (left > 1 and (missing or extra)):
        yield from _one_card_for_another(supposed, evidence, missing, extra, left)
    if missing or unknown:
        yield from _cards_not_there(supposed, evidence, missing, extra, left)
    if extra or unknown or (missing and left > 1):
        yield from _cards_too_many(supposed, evidence, differences, left)


# ---- the deal ------------------------------------------------------------------------------------------------------


def _deal_misread(
    supposed: Hypothesis, evidence: RackEvidence, as_dealt: AsDealt, missing: Counter[int], extra: Counter[int]
) -> Iterator[Hypothesis]:
    """All hands lie as dealt but for one card, which the shoe's reader may have taken for the one it said."""
    most = 1 if evidence.expected_by_deal else 0
    if missing.total() > most or extra.total() > most:
        return
    if (
        as_dealt.in_place(supposed.packets)
        and supposed.cards == evidence.rack
        and as_dealt.count(supposed.packets) != 1
    ):
        return
    if evidence.dealt:
        found = _dealt_astray(supposed, evidence)
    else:  # whose cards were dealt nobody knows
        places = supposed.places()
        found = [(places[at], tuple(missing), (card,)) for at, card in enumerate(supposed.cards) if card in extra]
    dealt = sum(map(len, evidence.dealt.values())) or len(evidence.expected or b"")
    for place, read, true in found:
        if len(read) != 1 or len(true) != 1:
            continue
        any_card = read[0] == NO_CARD or true[0] == HOLE
        if any_card or confusable(true[0], read[0]):
            fault = Fault(FaultKind.DEALT_MISREAD, (place,), read, true)
            yield supposed.but(fault, cost_of(fault.kind, dealt * (1 if any_card else _CONFUSABLE)))


def _dealt_astray(supposed: Hypothesis, evidence: RackEvidence) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """The one place whose cards are not those read when they were dealt: what was read, and what lies there. Empty
    where there are several such places, or none."""
    astray = []
    for place, cards in supposed.by_packet():
        held, said = in_order(cards), evidence.dealt_sorted.get(place)
        if said is not None and held != said:
            read, true = Counter(said) - Counter(held), Counter(held) - Counter(said)
            astray.append((place, tuple(read.elements()), tuple(true.elements())))
            if len(astray) > 1:
                return []
    return astray


# ---- order ---------------------------------------------------------------------------------------------------------


def _in_another_order(
    supposed: Hypothesis, evidence: RackEvidence, together: bool
) -> Iterator[Hypothesis | OtherOrders]:
    """One by one; or all together, where the deal says which of them could matter."""
    slips = slips_of(supposed.packets, evidence.collected)
    if together:
        yield OtherOrders(supposed, slips)
    else:
        yield from slips.all_after(supposed)


# ---- cards not there -----------------------------------------------------------------------------------------------


def _cards_not_there(
    supposed: Hypothesis, evidence: RackEvidence, missing: Counter[int], extra: Counter[int], left: int
) -> Iterator[Hypothesis]:
    size = supposed.size
    short = size - len(supposed.cards)
    if missing and not extra and missing.total() == short:
        yield from _stub_short(supposed, missing, left)
        yield from _packet_missing(supposed, missing)
    gone = short if evidence.expected is None else missing.total()
    if not 1 <= gone <= left or (left == 1 and short != 1):
        return  # more than the faults left could explain one by one
    places = supposed.places()
    one_by_one = sorted(missing) if evidence.expected is not None else [HOLE]
    if evidence.expected_by_deal and left > 1:
        one_by_one.append(HOLE)  # and what was dealt was misread: then nothing names it
    for card in one_by_one:
        for at in range(len(supposed.cards) + 1):
            place = places[at]
            if place == STUB and at and places[at - 1] == STUB:
                continue  # where in the stub a card is missing makes no difference
            cards = supposed.cards[:at] + bytes([card]) + supposed.cards[at:]
            origin = (*supposed.origin[:at], -1, *supposed.origin[at:])
            fault = Fault(FaultKind.MISSING, (place,), instead=(card,))
            alike = places.count(STUB) if place == STUB else 1
            yield supposed.but(fault, cost_of(FaultKind.MISSING, size / alike), cards=cards, origin=origin, spot=at)


def _stub_short(supposed: Hypothesis, missing: Counter[int], left: int) -> Iterator[Hypothesis]:
    """Two cards of the stub or more (a single one is a card missing): all that are not there, or all but one."""
    ways_gone = [missing]
    if left > 1 and missing.total() > 2:
        ways_gone += [missing - Counter([card]) for card in sorted(missing)]
    for at, packet in enumerate(supposed.packets):
        stub = packet[0]
        for absent in ways_gone if stub.place == STUB else ():
            gone, cards = absent.total(), tuple(sorted(absent.elements()))
            if not 2 <= gone <= stub.count:
                continue
            rest = () if stub.count == gone else ((stub._replace(count=stub.count - gone),),)
            packets = (*supposed.packets[:at], *rest, *supposed.packets[at + 1 :])
            fault = Fault(FaultKind.STUB_SHORT, (STUB,), instead=cards)
            # As likely set aside whole as short of some.
            ways = 2.0 if gone == stub.count else 2.0 * max(stub.count - 2, 1)
            kept = (STUB, 0), bytes(cards)
            yield supposed.but(fault, cost_of(FaultKind.STUB_SHORT, ways), packets=packets, absent=kept)


def _packet_missing(supposed: Hypothesis, missing: Counter[int]) -> Iterator[Hypothesis]:
    """A whole hand that never went in, or was never read: its cards are the ones not there."""
    cards = bytes(sorted(missing.elements()))
    for at, packet in enumerate(supposed.packets):
        if packet[0].place == STUB or sum(slot.count for slot in packet) != len(cards):
            continue
        fault = Fault(FaultKind.MISSING, (packet[0].place,), instead=tuple(cards))
        yield supposed.but(
            fault,
            cost_of(FaultKind.MISSING, 2 * len(supposed.packets)),
            packets=(*supposed.packets[:at], *supposed.packets[at + 1 :]),
            absent=((packet[0].place, packet[0].hand), cards),
        )


# ---- cards in the place of others, or too many ---------------------------------------------------------------------


def confusable(one: int, other: int) -> bool:
    """A reader may take one for the other: they share the rank or the suit."""
    return one < JOKER_1 and other < JOKER_1 and one != other and (one >> 2 == other >> 2 or one & 3 == other & 3)


def _one_card_for_another(
    supposed: Hypothesis, evidence: RackEvidence, missing: Counter[int], extra: Counter[int], left: int
) -> Iterator[Hypothesis]:
    size = len(supposed.cards)
    places = supposed.places()
    for at, card in enumerate(supposed.cards):
        source = supposed.origin[at]
        if source < 0 or (evidence.expected is not None and left == 1 and card not in extra):
            continue
        place = places[at]
        for true in _true_cards(evidence, card, missing, extra, left):
            cards = supposed.cards[:at] + bytes([true]) + supposed.cards[at + 1 :]
            origin = (*supposed.origin[:at], -1, *supposed.origin[at + 1 :])
            for kind, cost in _ways_to_be_wrong(evidence, card, true, source, size):
                fault = Fault(kind, (place,), (card,), (true,), source)
                yield supposed.but(fault, cost, cards=cards, origin=origin, spot=at)


def _true_cards(evidence: RackEvidence, card: int, missing: Counter[int], extra: Counter[int], left: int) -> list[int]:
    """What a card may really be: one that is not there; with a fault left, also one whose second copy is told next."""
    if evidence.expected is None:
        return [HOLE]
    if left > 1 and card in extra and not missing:
        return [true for true in sorted(set(evidence.expected)) if true != card]
    nothing_names = [HOLE] if evidence.expected_by_deal and left > 1 and missing else []  # for the deal was misread
    return [*(true for true in sorted(missing) if true != card), *nothing_names]


def _ways_to_be_wrong(
    evidence: RackEvidence, card: int, true: int, source: int, size: int
) -> Iterator[tuple[FaultKind, float]]:
    """The kinds of fault that put this card where that one should be, each with its cost."""
    if card == NO_CARD:
        yield FaultKind.MISREAD, cost_of(FaultKind.MISREAD, size)
        return
    if evidence.strange_mark(source):
        yield FaultKind.OTHER_DECK, _strange(FaultKind.OTHER_DECK, size * len(evidence.deck))
        return
    if card not in evidence.deck:
        yield FaultKind.FOREIGN, _strange(FaultKind.FOREIGN, size)
    else:
        yield FaultKind.DUPLICATE, _strange(FaultKind.DUPLICATE, size * _faces(evidence))
    if confusable(card, true) or (true == HOLE and card < JOKER_1):
        yield FaultKind.MISREAD, cost_of(FaultKind.MISREAD, size * (1 if true == HOLE else _CONFUSABLE))


def _strange(kind: FaultKind, ways: float) -> float:
    return cost_of(kind, ways * _ADDED_OR_INSTEAD)


def _faces(evidence: RackEvidence) -> int:
    """How many faces a card brought in may have. Where nothing says which cards should be there, any face is as likely
    as any other, for the cards that belong there too, and none is paid for."""
    return 1 if evidence.expected is None else len(evidence.deck)


def _cards_too_many(
    supposed: Hypothesis, evidence: RackEvidence, differences: Differences, left: int
) -> Iterator[Hypothesis]:
    missing, extra = differences(supposed)
    size = supposed.size
    over = len(supposed.cards) - size
    # With a fault left, a card too many may be the only one there is: its twin is among those not there.
    lone = evidence.expected is not None and left > 1 and bool(missing)
    added = over if evidence.expected is None else extra.total() + lone
    if added >= 1 and (left > 1 or (added == 1 and over == 1)):
        places, faces = supposed.places(), _faces(evidence)
        for at, card in enumerate(supposed.cards):
            source = supposed.origin[at]
            if source < 0 or (evidence.expected is not None and card not in extra and not lone):
                continue
            cards = supposed.cards[:at] + supposed.cards[at + 1 :]
            origin = (*supposed.origin[:at], *supposed.origin[at + 1 :])
            place = places[at]
            if evidence.strange_mark(source):
                kinds = [(FaultKind.OTHER_DECK, _strange(FaultKind.OTHER_DECK, size * len(evidence.deck)))]
            elif card not in evidence.deck:
                kinds = [(FaultKind.FOREIGN, _strange(FaultKind.FOREIGN, size))]
            else:
                kinds = [(FaultKind.DUPLICATE, _strange(FaultKind.DUPLICATE, size * faces))]
            if at and supposed.cards[at - 1] == card and card in evidence.deck and not evidence.strange_mark(source):
                kinds.append((FaultKind.READ_TWICE, cost_of(FaultKind.READ_TWICE, size)))
            for kind, cost in kinds:
                fault = Fault(kind, (place,), (card,), (), source)
                yield supposed.but(fault, cost, cards=cards, origin=origin, spot=at)
    yield from _run_read_twice(supposed, evidence, extra)
    yield from _mixed(supposed, evidence, differences, left)


def _run_read_twice(supposed: Hypothesis, evidence: RackEvidence, extra: Counter[int]) -> Iterator[Hypothesis]:
    """Two cards or more that were read a second time right after the first: a packet that went past the reader twice.
    Other cards with the same faces in the same order there are none."""
    count = extra.total() if evidence.expected is not None else len(supposed.cards) - supposed.size
    if count < 2:
        return
    places = supposed.places()
    for at in range(count, len(supposed.cards) - count + 1):
        run = supposed.cards[at : at + count]
        if (
            run == supposed.cards[at - count : at]
            and set(run) <= evidence.deck
            and -1 not in supposed.origin[at:][:count]
        ):
            fault = Fault(FaultKind.READ_TWICE, (places[at - count],), tuple(run), (), supposed.origin[at])
            cards = supposed.cards[:at] + supposed.cards[at + count :]
            origin = (*supposed.origin[:at], *supposed.origin[at + count :])
            cost = cost_of(FaultKind.READ_TWICE, len(supposed.packets))
            yield supposed.but(fault, cost, cards=cards, origin=origin, run=at)


def _mixed(supposed: Hypothesis, evidence: RackEvidence, differences: Differences, left: int) -> Iterator[Hypothesis]:
    """A run of cards of another round: before this round's packets, behind them or in between. With a fault left, one
    card may then still be missing, too many or another's, before or behind the run, the stub may be short or a hand
    gone, or there may be another run."""
    count = len(supposed.cards)
    most = count - supposed.size
    missing, extra = differences(supposed)
    if most < (2 if left == 1 else 1):
        return
    if left == 1 and evidence.expected is not None and (missing or extra.total() != most):
        return  # one run more is all there may be
    between = _between_packets(supposed)
    whole = _whole_packets(evidence, count)
    may_be = differences.runs(supposed, left)
    stub = _largest(supposed, stub=True)
    for over in (most,) if left == 1 else range(2, most + 1 + max(stub, _largest(supposed), 1)):
        near = between
        if left > 1 and count - over != supposed.size:
            near = {at + by for at in between for by in range(-max(stub, 1), 2)}
        for at in sorted({0, count - over, *near}):
            if not 0 <= at <= count - over or not may_be(at, at + over):
                continue
            share = (
                _FIRST_IN if at == 0 else _LAST_IN if at == count - over else (1 - _FIRST_IN - _LAST_IN) / len(between)
            )
            fault = Fault(FaultKind.MIXED, (), tuple(supposed.cards[at : at + over]), (), supposed.origin[at])
            torn = 0.0 if over in whole else -math.log(TORN_PACKET)
            yield supposed.but(
                fault,
                cost_of(FaultKind.MIXED, 1 / share) + over * math.log(_faces(evidence)) + torn,
                cards=supposed.cards[:at] + supposed.cards[at + over :],
                origin=(*supposed.origin[:at], *supposed.origin[at + over :]),
                run=at,
            )


def _runs_allowed(
    supposed: Hypothesis, evidence: RackEvidence, missing: Counter[int], extra: Counter[int], left: int
) -> RunAllowed:
    """Whether the cards from one index up to another may be of another round. Asked of every run there is, so what a
    run holds is kept as sets (a bit a card) up to each index: two of them tell what lies between."""
    expected, own_deck = evidence.expected, evidence.deck
    barred = [0]  # how many cards up to an index can be of no other round: put in here, or of no such deck
    held = [0]  # which cards an odd number of times up to an index
    for card, source in zip(supposed.cards, supposed.origin, strict=True):
        strange = source < 0 or card not in own_deck
        if expected is not None and not strange:
            strange = evidence.strange_mark(source)
        barred.append(barred[-1] + strange)
        held.append(held[-1] ^ 1 << card)
    gone, too_many = missing.total(), extra.total()
    together = max(_largest(supposed, stub=True), _largest(supposed)) if left > 1 else 0  # may be gone by one fault
    extra_set = sum(1 << card for card in extra)

    def may_be(first: int, end: int) -> bool:
        if barred[first] != barred[end]:
            return False
        if expected is None:
            return True
        over = end - first
        if evidence.one_deck:
            run = held[first] ^ held[end]
            if run.bit_count() < over:
                return False  # one deck has no card twice
            explained = (run & extra_set).bit_count()
        else:
            explained = (Counter(supposed.cards[first:end]) & extra).total()
        rest, still_gone = too_many - explained, gone + over - explained
        if still_gone > left - 1:
            return not rest and still_gone <= together
        return not (left == 1 and rest) and not (rest > 1 and still_gone)

    return may_be


def _largest(supposed: Hypothesis, stub: bool = False) -> int:
    """How many cards the largest hand has, or the stub."""
    sizes = [sum(slot.count for slot in packet) for packet in supposed.packets if (packet[0].place == STUB) == stub]
    return max(sizes, default=0)


def _whole_packets(evidence: RackEvidence, most: int) -> set[int]:
    """Numbers of cards, up to `most`, that hands of this game make up, with the cards left over or without them."""
    packets = {packet for layout in evidence.layouts for packet in packets_of(layout)}
    hands = {sum(slot.count for slot in packet) for packet in packets if packet[0].place != STUB}
    stubs = {sum(slot.count for slot in packet) for packet in packets if packet[0].place == STUB}
    made = {0}
    for count in range(1, most + 1):
        if any(count - size in made for size in hands):
            made.add(count)
    return {count + stub for count in made for stub in (0, *stubs)}


def _between_packets(supposed: Hypothesis) -> set[int]:
    """Where one packet ends and another begins."""
    ends: set[int] = set()
    end = 0
    for packet in supposed.packets[:-1]:
        end += sum(slot.count for slot in packet)
        ends.add(end)
    return ends or {0}


def _same_card_of_another_deck(supposed: Hypothesis, evidence: RackEvidence) -> Iterator[Hypothesis]:
    """A card exchanged for the same card of another deck: only its mark tells."""
    if not evidence.marks:
        return
    named = {fault.at for fault in supposed.faults}
    places = supposed.places()
    for at, source in enumerate(supposed.origin):
        if source >= 0 and source not in named and evidence.strange_mark(source):
            fault = Fault(FaultKind.OTHER_DECK, (places[at],), (supposed.cards[at],), (), source)
            yield supposed.but(fault, cost_of(FaultKind.OTHER_DECK, len(supposed.cards)), spot=at)
