"""Whose cards lay where: by the deal, by the rack under the procedure filed, and by the hands shown.

The rack has losing hands before winning ones (rulings.md R-9), so whose a packet is depends on who won. Every set of
winners is tried: a reading fits if the hands it gives make just these winners and nobody was shown with other cards.
A rack alone often fits several ways; then each is kept. What fits in no way goes, alone, to the solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from replay.cards.solver.layout import BOARD, BURNS, STUB, Layout
from replay.families.board.rounds_read import Reported
from replay.families.board.terms import Terms
from replay.money.pot import Share, shares
from replay.rounds import Cards, RoundBatch, RoundFlag
from schemas.cards import JOKER_1
from schemas.findings import Basis
from schemas.places import DEALER

DECK = frozenset(range(JOKER_1))
MOST_AT_SHOWDOWN = 8  # whose hands are told apart by a rack alone
BOARD_SIZE = 5
Holes = dict[int, bytes]


@dataclass(frozen=True)
class Strength:
    high: int
    low: int


@dataclass(frozen=True)
class Reading:
    """Everybody's cards by one reading, and the shares they come to."""

    holes: Mapping[int, bytes]
    board: bytes
    won: tuple[Share, ...]

    @property
    def winners(self) -> frozenset[int]:
        return frozenset(share.seat for share in self.won)


class Strengths:
    """How strong hands are with their boards, ranked all at once and looked up afterwards."""

    def __init__(self, terms: Terms) -> None:
        self._law = terms.law
        self._known: dict[tuple[bytes, bytes], Strength] = {}
        self._asked: dict[tuple[bytes, bytes], None] = {}

    def ask(self, holes: Iterable[bytes], board: bytes) -> None:
        for hole in holes:
            if (hole, board) not in self._known and is_hand(hole, board, self._law.hole):
                self._asked[hole, board] = None

    def rank(self) -> None:
        if not self._asked:
            return
        both = list(self._asked)
        hole = np.frombuffer(b"".join(one for one, _ in both), np.uint8).reshape(len(both), -1)
        board = np.frombuffer(b"".join(one for _, one in both), np.uint8).reshape(len(both), BOARD_SIZE)
        high = self._law.high(hole, board).tolist()
        low = self._law.low(hole, board).tolist() if self._law.low is not None else [self._law.no_low] * len(both)
        self._known.update({key: Strength(*pair) for key, pair in zip(both, zip(high, low, strict=True), strict=True)})
        self._asked = {}

    def of(self, hole: bytes, board: bytes) -> Strength | None:
        return self._known.get((hole, board))


def is_hand(hole: bytes, board: bytes, size: int) -> bool:
    """Whether these are so many different cards of the deck, with a whole board."""
    cards = hole + board
    return len(hole) == size and len(board) == BOARD_SIZE and len(set(cards)) == len(cards) and max(cards) < JOKER_1


@dataclass
class Read:
    """One round as it was read."""

    reported: Reported
    readings: list[Reading] = field(default_factory=list)  # the first is settled by; empty: the hands are not known
    basis: Basis = Basis.HANDS
    odd: bool = False  # the rack is not what deal, procedure and hands shown make it
    why_not: str = ""
    judged_as: bool = False  # the rack lies as the pots were pushed, and not as they should have been


class Hands:
    """The hands of a batch."""

    def __init__(self, batch: RoundBatch, rounds: Sequence[Reported], terms: Terms) -> None:
        self.terms, self.batch = terms, batch
        self.strengths = Strengths(terms)
        self._racks = _racks(batch)
        for one in rounds:
            self._ask(one)
        self.strengths.rank()
        self.read = [self._read(one) for one in rounds]

    def rack(self, row: int) -> bytes:
        return self._racks[row]

    # --- what has to be ranked ---------------------------------------------------------------------------------------

    def _ask(self, one: Reported) -> None:
        if one.why_not or not one.at_showdown:
            return
        if one.deal is not None:
            self.strengths.ask([one.deal.hands[seat] for seat in one.hand.still_in], one.deal.board)
        else:
            packets = self.packets(one)
            if packets is not None:
                self.strengths.ask(packets.hands, packets.board)

    def reading(self, one: Reported, holes: Mapping[int, bytes], board: bytes) -> Reading | None:
        """What these cards come to; None where they are no hands. Ranked before, or alone."""
        still_in = one.hand.still_in
        if len(still_in) < 2:
            return Reading(holes, board, tuple(shares(one.pots, {}, None, 0, self.terms.unit)))
        found = {seat: self.strengths.of(holes.get(seat, b""), board) for seat in still_in}
        if any(value is None for value in found.values()):
            self.strengths.ask([holes.get(seat, b"") for seat in still_in], board)
            self.strengths.rank()
            found = {seat: self.strengths.of(holes.get(seat, b""), board) for seat in still_in}
        known = {seat: value for seat, value in found.items() if value is not None}
        if len(known) < len(still_in):
            return None
        law = self.terms.law
        low = None if law.low is None else {seat: value.low for seat, value in known.items()}
        high = {seat: value.high for seat, value in known.items()}
        return Reading(holes, board, tuple(shares(one.pots, high, low, law.no_low, self.terms.unit)))

    # --- reading -----------------------------------------------------------------------------------------------------

    def _read(self, one: Reported) -> Read:
        rack = self.rack(one.row)
        if one.why_not:
            return Read(one, why_not=one.why_not)
        if one.deal is not None:
            return self._by_deal(one, rack)
        if not rack:
            return self._by_shown(one)
        packets = self.packets(one)
        fitting = [] if packets is None else self.fitting(one, packets)
        if len(one.hand.still_in) > MOST_AT_SHOWDOWN:
            return Read(one, why_not=f"{len(one.hand.still_in)} hands lie in the rack at once, and no deal was read")
        if not fitting:
            return Read(
                one,
                self._whoever_holds_what(one),
                odd=True,
                why_not="" if not one.at_showdown else "the rack fits no reading",
            )
        return Read(one, fitting, Basis.RACK)

    def _whoever_holds_what(self, one: Reported) -> list[Reading]:
        """A hand alone in the end wins whatever it is."""
        alone = None if one.at_showdown else self.reading(one, {}, b"")
        return [] if alone is None else [alone]

    def _by_deal(self, one: Reported, rack: bytes) -> Read:
        assert one.deal is not None
        reading = self.reading(one, one.deal.hands, one.deal.board)
        if reading is None:
            return Read(
                one,
                self._whoever_holds_what(one),
                odd=bool(rack),
                why_not="" if not one.at_showdown else "the cards dealt are no hands",
            )
        if not rack:
            return Read(one, [reading], Basis.DEAL)
        if self.lies_as(one, rack, reading, reading.winners):
            return Read(one, [reading], Basis.DEAL_AND_RACK)
        judged = judged_winners(one)
        if judged and self.lies_as(one, rack, reading, judged):
            return Read(one, [reading], Basis.DEAL_AND_RACK, judged_as=True)
        return Read(one, [reading], Basis.DEAL, odd=True)

    def _by_shown(self, one: Reported) -> Read:
        if not one.at_showdown:
            return Read(one, self._whoever_holds_what(one), Basis.REPORTS)
        board = one.shown.get(DEALER, b"")
        reading = self.reading(one, {seat: one.shown.get(seat, b"") for seat in one.hand.still_in}, board)
        if reading is None:
            return Read(one, why_not="neither the rack nor the deal was read")
        return Read(one, [reading], Basis.SHOWN)

    # --- the rack ----------------------------------------------------------------------------------------------------

    def layout(self, one: Reported, winners: Iterable[int]) -> Layout:
        """The rack as the procedure has it, if these hands win."""
        packing, board = self.terms.packing, one.hand.board_cards
        turns = packing.turns(one.hand, frozenset(winners))
        burns = (0 if not board else board - 2) + len(one.boxed)
        return packing.layout(turns, self.terms.hole, board, burns, JOKER_1)

    def lies_as(self, one: Reported, rack: bytes, reading: Reading, winners: Iterable[int]) -> bool:
        """Whether the rack holds these hands as the procedure has them, each card in its place."""
        if len(rack) != JOKER_1 or set(rack) != DECK:
            return False
        deal = one.deal
        at = 0
        for slot in self.layout(one, winners):
            lies = rack[at : at + slot.count]
            at += slot.count
            if slot.place == STUB:
                continue
            if slot.place == BOARD:
                held = reading.board
            elif slot.place == BURNS:
                if deal is None:
                    continue
                held = deal.burns if not deal.boxed else lies
            else:
                held = reading.holes[slot.place]
            if lies != held and (slot.in_order or sorted(lies) != sorted(held)):
                return False
        return True

    def packets(self, one: Reported) -> Packets | None:
        rack = self.rack(one.row)
        if len(rack) != JOKER_1 or set(rack) != DECK:
            return None
        held, board, at = [], b"", 0
        for slot in self.layout(one, ()):
            lies = rack[at : at + slot.count]
            at += slot.count
            if slot.place == BOARD:
                board = lies
            elif slot.place > DEALER:
                held.append(lies)
        return Packets(held, board)

    def fitting(self, one: Reported, packets: Packets) -> list[Reading]:
        """Every reading whose winners are those that the rack has last; the money told apart only."""
        if not one.at_showdown:
            turns = self.terms.packing.turns(one.hand, one.hand.still_in)
            reading = self.reading(one, dict(zip(turns, packets.hands, strict=True)), packets.board)
            return [reading] if reading is not None and self._as_shown(one, reading) else []
        found: dict[tuple[Share, ...], Reading] = {}
        for winners in subsets(one.hand.still_in):
            reading = self._if_won_by(one, packets, winners)
            if reading is not None and reading.winners == winners:
                found.setdefault(reading.won, reading)
        judged = judged_winners(one)
        if not found and judged:
            reading = self._if_won_by(one, packets, judged)
            return [reading] if reading is not None else []
        return list(found.values())

    def _if_won_by(self, one: Reported, packets: Packets, winners: frozenset[int]) -> Reading | None:
        turns = self.terms.packing.turns(one.hand, winners)
        holes = dict(zip(turns, packets.hands, strict=True))
        if not all(set(cards) <= set(holes[seat]) for seat, cards in one.shown.items() if seat in holes):
            return None
        return self.reading(one, holes, packets.board)

    def _as_shown(self, one: Reported, reading: Reading) -> bool:
        return all(set(cards) <= set(reading.holes[seat]) for seat, cards in one.shown.items() if seat in reading.holes)


@dataclass(frozen=True)
class Packets:
    """The hands of a rack in the order they lie, whosever they are, and the board."""

    hands: Sequence[bytes]
    board: bytes


def judged_winners(one: Reported) -> frozenset[int]:
    """Who was pushed a pot, if all of them were still in."""
    pushed = frozenset(seat for seat, cents in one.awarded.items() if cents > 0)
    return pushed if pushed <= set(one.hand.still_in) else frozenset()


def subsets(seats: Sequence[int]) -> Iterator[frozenset[int]]:
    for count in range(1, len(seats) + 1):
        for chosen in combinations(seats, count):
            yield frozenset(chosen)


def _racks(batch: RoundBatch) -> list[bytes]:
    """Each round's rack; nothing where it was not read, or it is not sure which cards are the round's."""
    values, offsets = batch.rack.values.tobytes(), batch.rack.offsets.tolist()
    unsure = batch.has(RoundFlag.RACK_UNSURE | RoundFlag.RACK_UNCUT).tolist()
    return [b"" if unsure[row] else values[offsets[row] : offsets[row + 1]] for row in range(len(batch))]


def as_cards(hand: bytes) -> Cards:
    return np.frombuffer(hand, np.uint8).reshape(1, -1)
