"""Rounds of poker as they were reported, one value each: the betting followed, the deal and the hands shown read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from replay.families.board.betting import Act, Hand, Problem, follow, no_blind, seats_dealt_in
from replay.families.board.deal import Board, Deal, Exposed, board_of, deal_of, dealt_otherwise, streets_turned
from replay.families.board.terms import Terms
from replay.money.pot import Pots, pots_of
from replay.rounds import DEALT_TO, PAYER_CODE, Fact, Facts, RoundBatch
from schemas.events import Payer
from schemas.places import DEALER

DEALER_BUTTON = "dealer"
_NOBODY = Hand(())


@dataclass
class Reported:
    """One round: what was said of its chips and cards, before anybody has looked at the rack."""

    row: int
    hand: Hand
    pots: Pots
    deal: Deal | None
    board: Board
    shown: dict[int, bytes]  # seat → cards; the dealer's place → the board
    shown_seq: dict[int, int]
    awarded: dict[int, int]  # seat → cents
    why_not: str = ""  # why the betting could not be followed
    boxed: bytes = b""
    exposed: tuple[Exposed, ...] = ()  # in the deal, in players' hands

    @property
    def problems(self) -> list[Problem]:
        return [*self.hand.problems, *self.board.problems]

    @property
    def at_showdown(self) -> bool:
        return len(self.hand.still_in) > 1


@dataclass
class _Said:
    """The facts of one round, sorted by what they are about."""

    acts: list[Act] = field(default_factory=list)
    button: int = 0
    fee: int = 0
    turned: list[tuple[int, int]] = field(default_factory=list)
    reshuffled: list[int] = field(default_factory=list)
    exposed: list[Exposed] = field(default_factory=list)
    boxed: list[int] = field(default_factory=list)
    awarded: dict[int, int] = field(default_factory=dict)
    void: set[int] = field(default_factory=set)


_ACTION, _BUTTON, _FEE, _BOARD = int(Fact.ACTION), int(Fact.BUTTON), int(Fact.COLLECTION), int(Fact.BOARD)
_RESHUFFLED, _EXPOSED, _BOXED = int(Fact.RESHUFFLED), int(Fact.EXPOSED), int(Fact.BOXED)
_POT, _VOIDED, _REFUNDED = int(Fact.POT), int(Fact.VOIDED), int(Fact.REFUNDED)
_POT_PAYS = PAYER_CODE[Payer.POT]


def _sorted_facts(batch: RoundBatch) -> list[_Said]:
    said = [_Said() for _ in range(len(batch))]
    kinds = (Fact.ACTION, Fact.BUTTON, Fact.COLLECTION, Fact.BOARD, Fact.RESHUFFLED, Fact.EXPOSED, Fact.BOXED)
    facts: Facts = batch.facts.of(*kinds, Fact.POT, Fact.VOIDED, Fact.REFUNDED)
    dealer, deal = batch.name_id(DEALER_BUTTON), batch.name_id("deal")
    columns = (facts.row, facts.kind, facts.seat, facts.code, facts.amount, facts.card, facts.choice, facts.seq)
    for row, kind, seat, code, amount, card, choice, seq in zip(*(one.tolist() for one in columns), strict=True):
        one = said[row]
        if kind == _ACTION:
            one.acts.append(Act(seat, code, amount, seq))
        elif kind == _POT:
            one.awarded[seat] = one.awarded.get(seat, 0) + amount
        elif kind == _BOARD:
            one.turned.append((seq, amount))
        elif kind == _BUTTON:
            if choice == dealer:
                one.button = seat
        elif kind == _FEE:
            one.fee += amount if code == _POT_PAYS else 0
        elif kind == _REFUNDED:
            one.fee -= amount if code == _POT_PAYS else 0
        elif kind == _RESHUFFLED:
            one.reshuffled.append(seq)
        elif kind == _EXPOSED:
            if choice == deal:
                one.exposed.append(Exposed(seat, card))
        elif kind == _BOXED:
            one.boxed.append(card)
        elif kind == _VOIDED:
            one.void.add(seat)
    return said


def read_rounds(batch: RoundBatch, terms: Terms) -> list[Reported]:
    said = _sorted_facts(batch)
    shown: dict[int, dict[int, tuple[bytes, int]]] = defaultdict(dict)
    hands = batch.shown
    lengths = hands.count.tolist()
    for at, (row, place, seq) in enumerate(
        zip(hands.row.tolist(), hands.place.tolist(), hands.seq.tolist(), strict=True)
    ):
        shown[row].setdefault(place, (hands.cards[at, : lengths[at]].tobytes(), seq))
    dealt, to, places = (column.values.tobytes() for column in (batch.dealt, batch.dealt_to, batch.dealt_place))
    offsets = batch.dealt.offsets.tolist()
    found = []
    for row, one in enumerate(said):
        begin, end = offsets[row], offsets[row + 1]
        cards = dealt[begin:end], to[begin:end], places[begin:end]
        found.append(_read(row, one, cards, shown.get(row, {}), terms))
    return found


def _read(
    row: int, said: _Said, cards: tuple[bytes, bytes, bytes], shown: dict[int, tuple[bytes, int]], terms: Terms
) -> Reported:
    law, ring = terms.law, terms.ring
    why = ""
    seats: tuple[int, ...] = ()
    if not said.button:
        why = "nobody said where the dealer button is, and the turns are counted from there"
    elif said.button > ring.seats:
        why = f"the dealer button lies at seat {said.button}, and the table has {ring.seats}"
    else:
        order = [seat for seat in ring.order_clockwise(ring.clockwise(said.button)) if seat != DEALER]
        with_cards = {place for place in _places(cards) if place > 0} | {place for place in shown if place > 0}
        if not cards[0]:
            with_cards.update(said.awarded)
        seats = seats_dealt_in(said.acts, with_cards, order)
        if len(seats) < 2:
            why = "fewer than two players are reported to have been dealt in"
    hand = _NOBODY
    if not why:
        streets = streets_turned(said.turned, said.reshuffled)
        more = _more_dealt_in(cards, len(seats), said, law.hole)
        hand = follow(said.acts, seats, terms.structure, law.betting, terms.straddles, streets, more)
    if hand.no_small_blind and _more_pushed(said, hand, terms):
        hand.unsure = hand.unsure or no_blind(hand.no_small_blind)
    for seat in sorted(said.void & set(hand.seats)):
        if len(hand.still_in) > 1:
            hand.folded.setdefault(seat, said.acts[-1].seq)
    boxed = bytes(said.boxed)
    board = Board() if why else board_of(said.turned, said.reshuffled, hand, law.board)
    dealt, to, places = cards
    deal = None
    wrong = ""
    if dealt and not why:
        signed = [place if place < 128 else place - 256 for place in places]
        deal = deal_of(dealt, to, signed, hand, law.hole, board, said.exposed, boxed)
        if deal is None:
            miscounted = dealt_otherwise(dealt, to, signed, hand, law, len(said.exposed) + len(boxed))
            board.problems += miscounted
            wrong = miscounted[0].said if miscounted else ""
    return Reported(
        row,
        hand,
        pots_of(hand.put_in, hand.still_in, hand.dead, max(said.fee, 0)),
        deal,
        board,
        {place: held for place, (held, _) in shown.items()},
        {place: seq for place, (_, seq) in shown.items()},
        said.awarded,
        why or wrong,
        boxed if deal is None else deal.boxed,
        tuple(said.exposed),
    )


def _places(cards: tuple[bytes, bytes, bytes]) -> Iterator[int]:
    """Where the hole cards went, where a device saw it."""
    _, to, places = cards
    return (place if place < 128 else place - 256 for place, at in zip(places, to, strict=True) if DEALT_TO[at] == "")


def _more_pushed(said: _Said, hand: Hand, terms: Terms) -> bool:
    """Whether as much more was pushed as the small blind comes to that was not reported, and whoever matched it."""
    pots = pots_of(hand.put_in, hand.still_in, hand.dead, max(said.fee, 0))
    more = sum(said.awarded.values()) - sum(pot.amount for pot in pots.pots)
    return 0 < more <= 2 * terms.structure.small_blind + sum(pots.returned.values())


def _more_dealt_in(cards: tuple[bytes, bytes, bytes], seats: int, said: _Said, hole: int) -> str:
    """Why more players than any action was reported of must have been dealt in."""
    own = len(list(_places(cards))) - len(said.exposed) - len(said.boxed)
    if own < (seats + 1) * hole:
        return ""
    return f"{own} hole cards were dealt, and actions of {seats} players only were reported"
