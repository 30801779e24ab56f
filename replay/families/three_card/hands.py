"""Every place's hand, from the rack, the deal and the hands shown (rulings.md R-6, R-10).

Where all that was read gives the same hands the whole batch is looked up in columns; whatever does not fit goes alone
to `rebuild_round`, and an odd rack to the solver (`odd_racks`). A round with several readings has several entries:
`Hands` has one entry a *reading*, and `row` says whose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.compare import Difference, Kind, compare, in_words
from replay.cards.dealing.seen import deal_events
from replay.cards.pickup.situation import Held, Key
from replay.cards.pickup.words import Word
from replay.cards.solver.evidence import ShownHand
from replay.cards.solver.layout import STUB
from replay.cards.solver.readings import read
from replay.families.three_card.deal import OTHER_DIRECTION, Deal, Deals, deal_of, deals_of
from replay.families.three_card.pickup import Racks, goes_by_button, read_racks, situation_of
from replay.families.three_card.seats import Seats
from replay.families.three_card.terms import Terms
from replay.money.action_button import ActionButtons, action_buttons
from replay.naming import names, whose
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Cards, Ints, RoundBatch, RoundFlag
from schemas.cards import JOKER_1, NO_CARD
from schemas.findings import CERTAIN, LIKELY, Basis

Bools = npt.NDArray[np.bool_]
ByPlace = Mapping[int, bytes]

_AS_DEALT_OR_SHOWN = "settled by the hands as dealt or shown"
_ALL_MOVED = 3  # hands that lie elsewhere than dealt; with more cards than that many hands have, the rack is no witness
BASES = (Basis.REPORTS, Basis.RACK, Basis.DEAL, Basis.DEAL_AND_RACK, Basis.SHOWN, Basis.COMPARED)
_RACK, _DEAL, _BOTH = BASES.index(Basis.RACK), BASES.index(Basis.DEAL), BASES.index(Basis.DEAL_AND_RACK)


class Round(NamedTuple):
    """What the hands of one round are, and what gave them."""

    readings: Sequence[ByPlace] = ()
    basis: Basis = Basis.REPORTS
    remarks: Sequence[Remark] = ()
    odd: bool = False  # the rack is not as deal, hands shown or the procedure have it


@dataclass(frozen=True)
class Sources:
    """What the hands of a batch are rebuilt from."""

    terms: Terms
    batch: RoundBatch
    seats: Seats
    deals: Deals
    racks: Racks
    placed: ActionButtons
    turned_up: Cards  # (n,) the player-dealer's card that was shown alone, before the others; NO_CARD
    followed: Ints  # (n,) the seat the dealer went round from, 0 where nothing says

    def rack(self, row: int) -> bytes:
        return self.batch.rack[row].tobytes()

    def deal(self, row: int) -> Deal:
        return deal_of(self.batch, row, self.seats)

    def shown(self, row: int) -> dict[int, ShownHand]:
        """The first hand shown at each place, the player-dealer's as soon as more than one card of it was."""
        shown, found = self.batch.shown, dict[int, ShownHand]()
        own = np.flatnonzero((shown.row == row) & (shown.place > 0) & (shown.place < self.terms.places))
        for at in own[np.argsort(shown.seq[own], kind="stable")].tolist():
            if shown.hand[at] == 0 and shown.count[at] > 1:
                cards = shown.cards[at, : shown.count[at]].tobytes()
                found.setdefault(int(shown.place[at]), ShownHand(cards, 0, int(shown.seq[at])))
        return found

    def confidence(self, row: int) -> float:
        return LIKELY if self.batch.flags[row] & RoundFlag.RACK_UNSURE else CERTAIN

    def places(self, row: int) -> list[int]:
        return [int(place) for place in np.flatnonzero(self.seats.dealt_in[row])]


def sources_of(batch: RoundBatch, seats: Seats, terms: Terms) -> Sources:
    deals, placed = deals_of(batch, seats), action_buttons(batch)
    turned_up = _turned_up(batch, seats)
    due = seat_due(np.where(turned_up < JOKER_1, turned_up, _third_dealt(deals, seats)), seats.against, terms)
    followed = np.where((placed.seat >= 1) & (placed.seat < terms.places), placed.seat, due)
    return Sources(terms, batch, seats, deals, read_racks(batch, seats, followed), placed, turned_up, followed)


def _turned_up(batch: RoundBatch, seats: Seats) -> Cards:
    shown = batch.shown
    mine = np.flatnonzero((shown.count == 1) & (shown.place == seats.against[shown.row]) & (shown.place > 0))
    found = np.full(len(batch), NO_CARD, np.uint8)
    mine = mine[np.argsort(-shown.seq[mine], kind="stable")]  # backwards, so that the first stays
    found[shown.row[mine]] = shown.cards[mine, 0]
    return found


def _third_dealt(deals: Deals, seats: Seats) -> Cards:
    """(n,) the last card of the player-dealer's as it was dealt, NO_CARD where the deal was not read as filed."""
    found: Cards = deals.hands[np.arange(len(seats)), seats.against, -1]
    return found


def seat_due(third: Cards, against: Ints, terms: Terms) -> Ints:
    """(n,) where these cards put the action button, 0 where they are none or no player-dealer is known."""
    known = (third < JOKER_1) & (against > 0)
    cards = np.where(known, third, 0).astype(np.uint8)
    seat = terms.law.button.seat(cards, np.where(known, against, 1), terms.ring.seats)
    return np.where(known, seat, 0).astype(np.int64)


# ---- one round -----------------------------------------------------------------------------------------------------


def rebuild_round(sources: Sources, row: int) -> Round:
    """The readings of a rack that is in order; else whatever deal and hands shown give, and that it is odd."""
    if sources.seats.all_void[row] or not sources.seats.dealt_in[row].any():
        return Round()
    shown, deal = sources.shown(row), sources.deal(row)
    found = readings_of(sources, row) if sources.racks.whole[row] else []
    agreeing = [held for held in found if agrees(held, shown)]
    if deal.read:
        dealt = [held for held in agreeing if deal.of(held) is not None]
        if dealt:
            return Round(dealt[:1], Basis.DEAL_AND_RACK)
        dealt = [held for held in found if (way := deal.of(held)) is not None and way.way != OTHER_DIRECTION]
        if dealt:
            remarks = _shown_with_other_cards(sources, row, dealt[0])
            if len(remarks) < 2 or not agreeing:  # else the rack may also lie as the hands were shown
                return Round(dealt[:1], Basis.DEAL_AND_RACK, remarks)
        return _beside_deal(sources, row, agreeing or found, deal)
    if agreeing:
        return Round(agreeing, Basis.RACK)
    return _beside_shown(sources, row, found)


def readings_of(sources: Sources, row: int) -> list[dict[int, bytes]]:
    """Every way to read one whole rack under the procedure."""
    seats, terms, followed = sources.seats, sources.terms, int(sources.followed[row])
    against = Key(int(seats.against[row]))
    asks = goes_by_button(terms.pickup) and not followed

    def facts(hands: Mapping[Key, Held], button: int) -> Mapping[Key, Mapping[Word, bool]] | None:
        if asks and against in hands and button not in seats_counted(hands[against].cards, against.place, terms):
            return None
        return {}

    readings = read(sources.rack(row), terms.pickup, situation_of(seats, row, followed), facts)
    return [
        {key.place: held.cards for key, held in one.hands.items() if key.place != STUB} for one in readings.readings
    ]


def seats_counted(cards: bytes, against: int, terms: Terms) -> list[int]:
    """Where each of these cards would put the action button."""
    codes = np.frombuffer(bytes(card for card in cards if card < JOKER_1), np.uint8)
    seats = terms.law.button.seat(codes, np.full(len(codes), against), terms.ring.seats)
    return [int(seat) for seat in seats]


def agrees(held: ByPlace, shown: Mapping[int, ShownHand]) -> bool:
    """Whether every hand shown holds only cards it has."""
    return all(place not in held or not strangers(seen.cards, held[place]) for place, seen in shown.items())


def strangers(cards: bytes, held: bytes) -> list[int]:
    """Of these cards, those that a hand does not hold; what could not be read may be any."""
    left, found = list(held), []
    for card in cards:
        if card in left:
            left.remove(card)
        elif card != NO_CARD:
            found.append(card)
    return found


def _beside_deal(sources: Sources, row: int, found: Sequence[ByPlace], deal: Deal) -> Round:
    """A rack that is not as dealt, card for card: settled by the rack while few cards moved, else as dealt."""
    shown = sources.shown(row)
    ways = [way.by_place for way in deal.ways if way.way != OTHER_DIRECTION]  # which would fit exactly
    as_dealt = [way for way in ways if agrees(way, shown)] or ways[:1]
    if not found:
        return Round(as_dealt[:1], Basis.DEAL, odd=bool(sources.rack(row)))
    held, dealt = min(((one, way) for one in found for way in ways), key=lambda pair: _astray(*pair))
    moves = moves_between(sources, row, dealt, held)
    if moves and all(move.kind is Kind.HAND_ELSEWHERE for move in moves):
        return _whole_hands_moved(sources, row, held, as_dealt[0], moves)
    if _astray(held, dealt) > 2 * _ALL_MOVED * sources.terms.hand or not agrees(held, shown):
        what = "; ".join(in_words(move) for move in moves[:_ALL_MOVED]) or "no hand lies where it was dealt"
        remark = _remark(
            sources, row, "RACK-321", f"the rack was not filled in order: {what}; {_AS_DEALT_OR_SHOWN}", in_rack=True
        )
        return Round(as_dealt[:1], Basis.COMPARED, [remark], odd=True)
    by_code: dict[str, list[Difference]] = {}
    for move in moves:
        by_code.setdefault(move.code, []).append(move)
    remarks = [
        _remark(
            sources,
            row,
            code,
            f"deal and rack disagree: {'; '.join(map(in_words, of))}; settled by the hands in the rack",
            seats={move.seat for move in of},
        )
        for code, of in by_code.items()
    ]
    return Round([held], Basis.COMPARED, remarks, odd=True)


def _whole_hands_moved(sources: Sources, row: int, held: ByPlace, dealt: ByPlace, moves: Sequence[Difference]) -> Round:
    """Every hand is there as dealt, but not where the pickup procedure puts it: picked up in another order, or the
    hands changed places after the deal. Hands shown tell which; without them both readings stand."""
    shown, what = sources.shown(row), "; ".join(map(in_words, moves))
    moved = {move.went[0] for move in moves if move.went is not None}
    telling = {place: seen for place, seen in shown.items() if place in moved}
    if telling and agrees(dealt, telling):
        remark = _remark(
            sources, row, "RACK-321", f"the rack was not filled in order: {what}; {_AS_DEALT_OR_SHOWN}", in_rack=True
        )
        return Round([dealt], Basis.COMPARED, [remark], odd=True)
    if telling and agrees(held, telling):
        said = "whole hands were delivered to other places than the deal gives, or changed places after it: "
        said += f"{what}, as the rack and the hands shown agree; settled by the hands played"
        return Round([held], Basis.COMPARED, [_remark(sources, row, "DEAL-306", said)], odd=True)
    said = f"hands lie in the rack in another order than the pickup procedure gives: {what}; or they changed places "
    said += "after the deal, which no hand shown rules out"
    remark = _remark(sources, row, "RACK-321", said, in_rack=True)
    both = [dealt, held]
    return Round(both, Basis.COMPARED, [replace(remark, confidence=min(LIKELY, remark.confidence))], odd=True)


def _beside_shown(sources: Sources, row: int, found: Sequence[ByPlace]) -> Round:
    """A rack that does not fit the hands shown, or was not read, with no deal beside it."""
    shown = sources.shown(row)
    if not found:
        dealt_in = sources.places(row)
        as_shown = {
            place: seen.cards
            for place, seen in shown.items()
            if len(seen.cards) == sources.terms.hand and place in dealt_in and max(seen.cards) < JOKER_1
        }
        odd = bool(sources.rack(row))
        return Round([as_shown], Basis.SHOWN if as_shown else Basis.REPORTS, odd=odd)
    held = max(found, key=lambda one: sum(agrees(one, {place: seen}) for place, seen in shown.items()))
    known = {place: hand for place, hand in held.items() if agrees({place: hand}, shown)}
    return Round([known], Basis.COMPARED, _shown_with_other_cards(sources, row, held), odd=True)


def _shown_with_other_cards(sources: Sources, row: int, held: ByPlace) -> list[Remark]:
    """RACK-323 for every hand shown with cards it does not have."""
    remarks = []
    for place, seen in sources.shown(row).items():
        strange = strangers(seen.cards, held.get(place, seen.cards))
        if strange:
            said = f"{whose(place)} was shown as {names(seen.cards)}, but rack or deal gives it {names(held[place])}: "
            said += f"{names(strange)} does not belong to it"
            remark = _remark(sources, row, "RACK-323", said, seats=[place], in_rack=True)
            remarks.append(replace(remark, evidence=(seen.seq,)))
    return remarks


def moves_between(sources: Sources, row: int, dealt: ByPlace, held: ByPlace) -> list[Difference]:
    """What became of the cards between deal and rack."""
    left_over = list(sources.terms.deck)
    for card in b"".join(held.values()):
        if card in left_over:
            left_over.remove(card)
    found = compare(
        {(place, 0): cards for place, cards in dealt.items()},
        {(place, 0): (("", cards),) for place, cards in held.items()},
        {(place, 0): seen for place, seen in sources.shown(row).items()},
        left_over=left_over,
        deck=sources.terms.deck,
    )
    return [move for move in found if move.kind not in (Kind.SHOWN_OTHERWISE, Kind.SHOWN_ELSEWHERE)]


def _astray(held: ByPlace, dealt: ByPlace) -> int:
    """How many cards lie where they were not dealt, counted at both ends."""
    return sum(
        len(strangers(dealt.get(place, b""), held.get(place, b"")))
        + len(strangers(held.get(place, b""), dealt.get(place, b"")))
        for place in {*held, *dealt}
    )


def _remark(
    sources: Sources, row: int, code: str, said: str, seats: Iterable[int | None] = (), in_rack: bool = False
) -> Remark:
    """`in_rack`: it is about the order of the rack, and not about what became of the cards."""
    of = {*seats}
    cites = sources.terms.law.cites
    return Remark(
        row,
        code,
        said,
        cites.pickup if in_rack else cites.reconstruct,
        seat=of.pop() if len(of) == 1 else None,
        evidence=deal_events(sources.batch, row),
        confidence=sources.confidence(row),
        basis=Basis.COMPARED,
    )


# ---- a batch -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hands:
    """One entry a reading, in order of rounds for the first readings, further readings after them."""

    row: Ints  # (m,) whose reading it is
    cards: Cards  # (m, places, cards) NO_CARD where the hand is not known
    third: Cards  # (m,) the player-dealer's card that decides the action button, NO_CARD where that is not known
    basis: npt.NDArray[np.uint8]  # (n,) what gave the hands of each round, a number of BASES
    readings: dict[int, list[int]] = field(default_factory=dict)  # rounds with more than one reading → their entries
    all_alike: Bools = field(default_factory=lambda: np.zeros(0, bool))  # (n,) everything read gives the same hands

    @property
    def known(self) -> Bools:
        return np.asarray(self.cards[:, :, 0] < JOKER_1)


def in_columns(sources: Sources, doubted: bool) -> tuple[Cards, npt.NDArray[np.uint8], Bools]:
    """The hands of all rounds of which everything read says the same, what gave them, and which rounds those are.
    `doubted`: wagers of each round were settled otherwise than these hands give, so that one witness is not enough."""
    seats, deals, racks, batch = sources.seats, sources.deals, sources.racks, sources.batch
    by_rack = racks.whole & ~seats.out_of_play.any(axis=1) & seats.dealt_in.any(axis=1)
    if goes_by_button(sources.terms.pickup):
        by_rack &= sources.followed > 0
    dealt, no_deal, no_rack = deals.as_filed, batch.dealt.counts == 0, batch.rack.counts == 0
    alike = (np.sort(racks.hands, axis=2) == np.sort(deals.hands, axis=2)).all(axis=2) | ~seats.dealt_in
    both = by_rack & dealt & alike.all(axis=1)
    alone = (by_rack & no_deal) | (dealt & no_rack)
    taken = both | (alone & (not doubted))
    hands = np.where((dealt & no_rack)[:, None, None], deals.hands, racks.hands)
    hands[~seats.dealt_in | ~taken[:, None]] = NO_CARD
    basis = np.where(both, _BOTH, np.where(no_rack, _DEAL, _RACK)).astype(np.uint8)
    taken[shown_otherwise(sources, hands)] = False
    taken |= seats.all_void | ~seats.dealt_in.any(axis=1)
    hands[~taken | seats.all_void] = NO_CARD
    basis[hands[:, :, 0].min(axis=1) == NO_CARD] = 0
    return hands, basis, taken


def shown_otherwise(sources: Sources, hands: Cards) -> Ints:
    """The rounds in which a hand was shown with a card it has not."""
    shown, places = sources.batch.shown, sources.terms.places
    own = np.flatnonzero((shown.place > 0) & (shown.place < places) & (shown.hand == 0) & (shown.count > 0))
    row, place = shown.row[own], shown.place[own].astype(np.int64)
    seen = np.sort(shown.cards[own, : sources.terms.hand], axis=1)
    held = np.sort(hands[row, place], axis=1)
    whole = shown.count[own] == sources.terms.hand
    fits = np.where(whole, (seen == held).all(axis=1), (held == seen[:, :1]).any(axis=1) & (shown.count[own] == 1))
    return np.unique(row[~(fits & (held[:, 0] < JOKER_1))])


def hands_of(sources: Sources, cards: Cards, basis: npt.NDArray[np.uint8], odd: Mapping[int, Round]) -> Hands:
    """Columns of all rounds, those that were looked at alone put into them."""
    rows, cards, basis = len(sources.batch), cards.copy(), basis.copy()
    row_of, more, several = list(range(rows)), list[Cards](), dict[int, list[int]]()
    for row, made in odd.items():
        basis[row] = BASES.index(made.basis)
        each = [cards_in_columns(held, sources.terms) for held in made.readings]
        cards[row] = each[0] if each else NO_CARD
        if len(each) > 1:
            several[row] = [row, *range(len(row_of), len(row_of) + len(each) - 1)]
            row_of += [row] * (len(each) - 1)
            more += each[1:]
    if more:
        cards = np.concatenate([cards, np.stack(more)])
    return hands_in(sources, np.array(row_of, np.int64), cards, basis, several)


def cards_in_columns(held: ByPlace, terms: Terms) -> Cards:
    found = np.full((terms.places, terms.hand), NO_CARD, np.uint8)
    for place, cards in held.items():
        if 0 < place < terms.places and len(cards) == terms.hand and max(cards) < JOKER_1:
            found[place] = np.frombuffer(cards, np.uint8)
    return found


def hands_in(
    sources: Sources, row: Ints, cards: Cards, basis: npt.NDArray[np.uint8], several: dict[int, list[int]]
) -> Hands:
    """These hands, with the card of the player-dealer's that was dealt last: the one turned up, or the last of that
    hand as the deal was read, or the one by which the action button was put down, if it is there."""
    seat = sources.seats.against[row]
    against, dealt = cards[np.arange(len(row)), seat], sources.deals.hands[row, seat]
    as_dealt = (np.sort(against, axis=1) == np.sort(dealt, axis=1)).all(axis=1)
    third = np.full(len(row), NO_CARD, np.uint8)
    every = np.ones(len(row), bool)
    dealt_last = _third_dealt(sources.deals, sources.seats)
    for said, sure in ((sources.placed.card, every), (dealt_last, as_dealt), (sources.turned_up, every)):
        there = (against == said[row][:, None]).any(axis=1) & (said[row] < JOKER_1) & sure
        third[there] = said[row][there]
    return Hands(row, cards, third, basis, several)


def unread(sources: Sources, row: int) -> bool:
    batch = sources.batch
    nothing = not batch.rack.counts[row] and not batch.dealt.counts[row]
    return nothing and not batch.flags[row] & RoundFlag.RACK_UNCUT


def known_events(sources: Sources, row: int) -> tuple[int, ...]:
    """The events that a statement about a round's cards rests on."""
    columns = ("first_card_seq", "last_card_seq", "rack_first_seq", "rack_last_seq")
    return tuple(sorted({int(sources.batch.fixed[column][row]) for column in columns} - {UNKNOWN}))
