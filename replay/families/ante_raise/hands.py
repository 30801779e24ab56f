"""Every place's hand, from the rack, the deal and the hands shown (rulings.md R-5, R-10, R-51), round by round.

A rack in order has one reading, which deal and hands shown bear out. What has none goes to the solver (`odd_racks`).
A round with several readings has several entries: `Hands` has one entry a *reading*, and `row` says whose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.compare import Difference, Kind, compare, in_words
from replay.cards.dealing.seen import deal_events
from replay.cards.pickup.procedure import LOW_CARDS, Procedure
from replay.cards.pickup.situation import Held, Key
from replay.cards.pickup.words import Word
from replay.cards.solver.evidence import ShownHand
from replay.cards.solver.layout import STUB
from replay.cards.solver.readings import read
from replay.citations import Citation
from replay.families.ante_raise.deal import AS_FILED, NOT_READ, OTHER_DIRECTION, Deal, Sizes, read_deal, sizes_of
from replay.families.ante_raise.pickup import situation_of
from replay.families.ante_raise.seats import Seats
from replay.families.ante_raise.terms import Side, Terms
from replay.money.meter import NO_METER
from replay.naming import listed, names, place_name, whose
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Cards, Ints, RoundBatch, RoundFlag
from schemas.cards import JOKER_1, NO_CARD
from schemas.findings import CERTAIN, LIKELY, Basis
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]
ByPlace = Mapping[int, Held]

_AS_DEALT_OR_SHOWN = "settled by the hands as dealt or shown"
_ALL_MOVED = 3  # hands that lie elsewhere than dealt; with more cards than that many hands have, the rack is no witness


Of = TypeVar("Of", covariant=True)


class ByRow(Protocol[Of]):
    """What is known of each round."""

    def __getitem__(self, row: int, /) -> Of: ...


class OnDemand(Generic[Of]):
    """The same, worked out when it is first asked for: most rounds are in order, and nobody asks."""

    def __init__(self, work_out: Callable[[int], Of]) -> None:
        self._work_out = work_out
        self._known: dict[int, Of] = {}

    def __getitem__(self, row: int, /) -> Of:
        if row not in self._known:
            self._known[row] = self._work_out(row)
        return self._known[row]


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
    procedure: Procedure
    deals: ByRow[Deal]
    shown: ByRow[Mapping[int, ShownHand]]  # the first hand shown at each place
    high: HighHands

    def rack(self, row: int) -> bytes:
        return self.batch.rack[row].tobytes()

    def whole(self, row: int) -> bool:
        """The rack is the deck."""
        rack = self.rack(row)
        return len(rack) == self.terms.deck_size == len(set(rack)) and max(rack) < self.terms.deck_size

    def confidence(self, row: int) -> float:
        return LIKELY if self.batch.flags[row] & RoundFlag.RACK_UNSURE else CERTAIN

    def due(self, row: int) -> Sizes:
        return tuple(self.seats.sizes[row].tolist())

    def sizes(self, row: int) -> Sequence[Sizes]:
        """How many cards each place may have."""
        deal = self.deals[row]
        if deal.seen:
            return (tuple(len(deal.ways[0].by_place.get(place, b"")) for place in range(self.terms.places)),)
        return sizes_of(self.due(row), deal.count, self.terms)


def read_shown(batch: RoundBatch, row: int, terms: Terms) -> dict[int, ShownHand]:
    shown, found = batch.shown, dict[int, ShownHand]()
    first, past = np.searchsorted(shown.row, (row, row + 1))
    for at in (first + np.argsort(shown.seq[first:past], kind="stable")).tolist():
        if 0 <= shown.place[at] < terms.places and shown.hand[at] == 0:
            cards = shown.cards[at, : shown.count[at]].tobytes()
            found.setdefault(int(shown.place[at]), ShownHand(cards, int(shown.low[at]), int(shown.seq[at])))
    return found


@dataclass(frozen=True)
class HighHands:
    """Cards that lie together in some rack and are a hand that stays on the table, where one may."""

    envy: frozenset[bytes]  # others get envy bonuses for them
    off_meter: Mapping[int, frozenset[bytes]]  # which of the side wagers → those it pays off its meter

    def words(self, seats: Seats, row: int, place: int, cards: bytes) -> dict[Word, bool]:
        """What a hand stays for, of that what it may stay for."""
        known = {Word.ENVY_HAND: cards in self.envy} if seats.stays[row, place] else {}
        if seats.may_be_paid_off_meter[row, place]:
            paid = [cards in held for number, held in self.off_meter.items() if seats.on_meter(number)[row, place]]
            known[Word.METER_PAYOUT] = any(paid)
        return known

    def and_also(self, others: HighHands) -> HighHands:
        off_meter = {number: hands | self.off_meter.get(number, hands) for number, hands in others.off_meter.items()}
        return HighHands(self.envy | others.envy, off_meter)


def words_of(hand: bytes, seats: Seats, row: int, place: int) -> dict[Word, bool]:
    """The same of one whole hand."""
    return high_among(np.frombuffer(hand, np.uint8)[None, :], seats.terms).words(seats, row, place, hand)


def sources_of(batch: RoundBatch, seats: Seats, procedure: Procedure, terms: Terms, rows: Ints) -> Sources:
    """`rows`: the rounds whose racks are to be read one by one."""

    def deal(row: int) -> Deal:
        said = bool(batch.dealt.counts[row]) or batch.stub_count[row] != UNKNOWN
        return read_deal(batch, row, seats, terms) if said else NOT_READ

    shown = OnDemand(lambda row: read_shown(batch, row, terms))
    return Sources(terms, batch, seats, procedure, OnDemand(deal), shown, _high_hands(batch, seats, terms, rows))


def _high_hands(batch: RoundBatch, seats: Seats, terms: Terms, rows: Ints) -> HighHands:
    """Of the runs of cards of these racks, where a hand may stay."""
    each = terms.law.cards.whole
    windows = [
        np.lib.stride_tricks.sliding_window_view(batch.rack[row], each)
        for row in rows[(seats.stays | seats.may_be_paid_off_meter)[rows].any(axis=1)].tolist()
        if batch.rack.counts[row] >= each
    ]
    hands = np.concatenate(windows) if windows else np.empty((0, each), np.uint8)
    return high_among(hands, terms)


def high_among(hands: Cards, terms: Terms) -> HighHands:
    off_meter = {
        number: frozenset(map(bytes, hands[_off_meter(hands, side)]))
        for number, side in enumerate(terms.sides)
        if side.meters is not None
    }
    return HighHands(frozenset(map(bytes, hands[gives_envy(hands, terms)])), off_meter)


def is_high(hands: Cards, terms: Terms) -> Bools:
    """(n,) of whole hands those that stay on the table where there is a wager they stay for."""
    found = gives_envy(hands, terms)
    for side in terms.sides:
        if side.meters is not None:
            found |= _off_meter(hands, side)
    return found


def _off_meter(hands: Cards, side: Side) -> Bools:
    """(n,) of whole hands those that a progressive wager pays off its meter."""
    assert side.meters is not None, "asked only of progressives"
    found = _are_hands(hands)
    rows = side.paid.classes.of(np.ascontiguousarray(hands[found]))
    found[found] = side.meters.rows.meter[rows] != NO_METER
    return found


def _are_hands(hands: Cards) -> Bools:
    return np.asarray((np.diff(np.sort(hands, axis=1), axis=1) > 0).all(axis=1) & (hands <= JOKER_1).all(axis=1))


def gives_envy(hands: Cards, terms: Terms) -> Bools:
    """(n,) of whole hands those others get envy bonuses for."""
    if terms.envy is None:
        return np.zeros(len(hands), bool)
    apart = _are_hands(hands)
    paid, found = terms.envy.paid, apart.copy()
    found[apart] = paid.table.envy_cents[paid.classes.of(np.ascontiguousarray(hands[apart]))] > 0
    return found


# ---- one round -----------------------------------------------------------------------------------------------------


def rebuild_round(sources: Sources, row: int) -> Round:
    """The readings of a rack that is in order; else whatever deal and hands shown give, and that it is odd."""
    seats, shown, deal = sources.seats, sources.shown[row], sources.deals[row]
    if seats.all_void[row] or not seats.dealt_in[row].any():
        return Round()
    found = readings_of(sources, row) if sources.whole(row) else []
    agreeing = [held for held in found if agrees(held, shown)]
    if deal.read:
        dealt = _as_dealt(agreeing, deal)
        if dealt:
            return Round(dealt[:1], Basis.DEAL_AND_RACK)
        dealt = _as_dealt(found, deal)
        if dealt:
            remarks = _shown_with_other_cards(sources, row, dealt[0])
            if len(remarks) < 2 or not agreeing:  # else the rack may also lie as the hands were shown
                return Round(dealt[:1], Basis.DEAL_AND_RACK, remarks)
        return _beside_deal(sources, row, agreeing or found)
    if agreeing:
        return Round(agreeing, Basis.RACK)
    otherwise = _of_other_sizes(sources, row) if found and shown else []
    return Round(otherwise, Basis.RACK) if otherwise else _beside_shown(sources, row, found)


def _as_dealt(found: Sequence[ByPlace], deal: Deal) -> list[ByPlace]:
    """The readings that the deal bears out; where it went as filed for one of them, none that needs it to have gone the
    other way round. A rack can fit both: with two hands of which one stays on the table, either may be the one."""
    went = [(held, deal.of(cards_of(held))) for held in found]
    dealt = [(held, hands.way) for held, hands in went if hands is not None]
    return [held for held, way in dealt if way == AS_FILED] or [held for held, _ in dealt]


def _of_other_sizes(sources: Sources, row: int) -> list[dict[int, Held]]:
    """The readings of a rack that fits the hands shown only if one hand has another number of cards than is due."""
    cards, due = sources.terms.law.cards, sources.due(row)
    tried = []
    for place, size in enumerate(due):
        if place != DEALER and size:
            other = cards.first if size == cards.whole else cards.whole
            tried.append((*due[:place], other, *due[place + 1 :]))
    return [held for held in readings_of(sources, row, tried) if agrees(held, sources.shown[row])]


def readings_of(sources: Sources, row: int, of: Sequence[Sizes] = ()) -> list[dict[int, Held]]:
    """Every way to read one whole rack under the procedure: with hands `of` these sizes, or else of those there may be,
    the ones due first."""
    whole = sources.terms.law.cards.whole

    def facts(hands: Mapping[Key, Held], button: int) -> dict[Key, dict[Word, bool]]:
        return {
            key: words
            for key, held in hands.items()
            if key.place > 0 and len(held.cards) == whole
            if (words := sources.high.words(sources.seats, row, key.place, held.cards))
        }

    found = []
    for sizes in of or sources.sizes(row):
        readings = read(sources.rack(row), sources.procedure, situation_of(sources.seats, row, sizes), facts)
        found += [
            {key.place: held for key, held in one.hands.items() if key.place != STUB} for one in readings.readings
        ]
    return found


def cards_of(held: ByPlace) -> dict[int, bytes]:
    return {place: hand.cards for place, hand in held.items()}


def agrees(held: ByPlace, shown: Mapping[int, ShownHand]) -> bool:
    """Whether every hand shown holds only cards it has."""
    return all(
        place not in held or not set(seen.cards) - set(held[place].cards) - {NO_CARD} for place, seen in shown.items()
    )


def _beside_deal(sources: Sources, row: int, found: Sequence[ByPlace]) -> Round:
    """A rack that is not as dealt, card for card: settled by the rack while few cards moved, else as dealt."""
    ways = [way.by_place for way in sources.deals[row].ways if way.way != OTHER_DIRECTION]  # which would fit exactly
    every = [{place: Held(cards) for place, cards in way.items()} for way in ways]
    as_dealt = [held for held in every if agrees(held, sources.shown[row])] or every[:1]
    if not found:
        return Round(_with_settings(sources, row, as_dealt[:1]), Basis.DEAL, odd=bool(sources.rack(row)))
    pairs = [(held, way) for held in found for way in ways]
    held, dealt = min(pairs, key=lambda pair: _astray(*pair))
    moves, cites = moves_between(sources, row, dealt, held), sources.terms.law.cites
    if moves and all(move.kind is Kind.HAND_ELSEWHERE for move in moves):
        return _whole_hands_moved(sources, row, held, as_dealt[0], moves)
    if _astray(held, dealt) > _ALL_MOVED * sources.terms.law.cards.whole or not agrees(held, sources.shown[row]):
        what = "; ".join(in_words(move) for move in moves[:_ALL_MOVED]) or "no hand lies where it was dealt"
        said = f"the rack was not filled in order: {what}; {_AS_DEALT_OR_SHOWN}"
        remark = _remark(sources, row, "RACK-321", said, cites.pickup)
        return Round(_with_settings(sources, row, as_dealt[:1]), Basis.COMPARED, [remark], odd=True)
    by_code: dict[str, list[Difference]] = {}
    for move in moves:
        by_code.setdefault(move.code, []).append(move)
    remarks = [
        _remark(
            sources,
            row,
            code,
            f"deal and rack disagree: {'; '.join(map(in_words, of))}; settled by the hands in the rack",
            cites.reconstruct,
            seats={move.seat for move in of},
        )
        for code, of in by_code.items()
    ]
    return Round([held], Basis.COMPARED, remarks, odd=True)


def _whole_hands_moved(sources: Sources, row: int, held: ByPlace, dealt: ByPlace, moves: Sequence[Difference]) -> Round:
    """Every hand is there as dealt, but not where the pickup procedure puts it: picked up in another order, or the
    hands changed places after the deal. Hands shown tell which; without them both readings stand."""
    shown, what, cites = sources.shown[row], "; ".join(map(in_words, moves)), sources.terms.law.cites
    moved = {move.went[0] for move in moves if move.went is not None}
    telling = {place: seen for place, seen in shown.items() if place in moved}
    readings = _with_settings(sources, row, [dealt])
    if telling and agrees(dealt, telling):
        said = f"the rack was not filled in order: {what}; {_AS_DEALT_OR_SHOWN}"
        remark = _remark(sources, row, "RACK-321", said, cites.pickup)
        return Round(readings, Basis.COMPARED, [remark], odd=True)
    if telling and agrees(held, telling):
        said = (
            f"whole hands were delivered to other places than the deal gives, or changed places after it: {what}, as "
        )
        said += "the rack and the hands shown agree; settled by the hands played"
        remark = _remark(sources, row, "DEAL-306", said, cites.reconstruct)
        return Round([held], Basis.COMPARED, [remark], odd=True)
    said = (
        f"hands lie in the rack in another order than the pickup procedure gives: {what}; or they changed places after "
    )
    said += "the deal, which no hand shown rules out"
    remark = _remark(sources, row, "RACK-321", said, cites.pickup)
    both = [*readings, dict(held)]
    return Round(both, Basis.COMPARED, [replace(remark, confidence=min(LIKELY, remark.confidence))], odd=True)


def _beside_shown(sources: Sources, row: int, found: Sequence[ByPlace]) -> Round:
    """A rack that does not fit the hands shown, or was not read, with no deal beside it."""
    shown = sources.shown[row]
    if not found:
        as_shown = {
            place: Held(seen.cards) for place, seen in shown.items() if len(seen.cards) == sources.due(row)[place]
        }
        odd = bool(sources.rack(row))
        return Round(_with_settings(sources, row, [as_shown]), Basis.SHOWN if as_shown else Basis.REPORTS, odd=odd)
    held = max(found, key=lambda one: sum(agrees(one, {place: seen}) for place, seen in shown.items()))
    known = {place: hand for place, hand in held.items() if agrees({place: hand}, shown)}
    return Round([known], Basis.COMPARED, _shown_with_other_cards(sources, row, held), odd=True)


def _shown_with_other_cards(sources: Sources, row: int, held: ByPlace) -> list[Remark]:
    """RACK-323 for every hand shown with cards it does not have."""
    return [
        shown_differs(sources, row, place, seen, held[place].cards)
        for place, seen in sources.shown[row].items()
        if not agrees(held, {place: seen})
    ]


def shown_differs(sources: Sources, row: int, place: int, seen: ShownHand, held: bytes) -> Remark:
    strange = [card for card in seen.cards if card not in held]
    return Remark(
        row,
        "RACK-323",
        f"{whose(place)} was shown as {names(seen.cards)}, but rack or deal gives it {names(held)}: {names(strange)} "
        "does not belong to it",
        sources.terms.law.cites.pickup,
        seat=place or None,
        evidence=(seen.seq,),
        confidence=sources.confidence(row),
        basis=Basis.COMPARED,
    )


def moves_between(sources: Sources, row: int, dealt: Mapping[int, bytes], held: ByPlace) -> list[Difference]:
    """What became of the cards between deal and rack."""
    in_hands = set(b"".join(cards_of(held).values()))
    found = compare(
        {(place, 0): cards for place, cards in dealt.items()},
        {(place, 0): (("", hand.cards),) for place, hand in held.items()},
        {(place, 0): ShownHand(seen.cards) for place, seen in sources.shown[row].items()},
        left_over=[card for card in sources.terms.deck if card not in in_hands],
        deck=sources.terms.deck,
    )
    return [move for move in found if move.kind not in (Kind.SHOWN_OTHERWISE, Kind.SHOWN_ELSEWHERE)]


def _astray(held: ByPlace, dealt: Mapping[int, bytes]) -> int:
    places = {*held, *dealt}
    return sum(len(set(dealt.get(place, b"")) ^ set(held[place].cards if place in held else b"")) for place in places)


def _remark(
    sources: Sources, row: int, code: str, said: str, cite: Citation, seats: Iterable[int | None] = ()
) -> Remark:
    of = {*seats}
    return Remark(
        row,
        code,
        said,
        cite,
        seat=of.pop() if len(of) == 1 else None,
        evidence=deal_events(sources.batch, row),
        confidence=sources.confidence(row),
        basis=Basis.COMPARED,
    )


def _with_settings(sources: Sources, row: int, readings: Sequence[ByPlace]) -> list[dict[int, Held]]:
    """Hands of which the rack shows no setting, as they were shown."""
    return [{place: as_shown(sources, row, place, held) for place, held in one.items()} for one in readings]


def as_shown(sources: Sources, row: int, place: int, held: Held) -> Held:
    seen = sources.shown[row].get(place)
    if held.set_known or seen is None or seen.low != LOW_CARDS or sorted(seen.cards) != sorted(held.cards):
        return held
    return Held(seen.cards, True)


# ---- a batch -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hands:
    """One entry a reading, in order of rounds for the first readings, further readings after them."""

    row: Ints  # (m,) whose reading it is
    cards: Cards  # (m, 7, 8) by place, the low two first where `set_known`; NO_CARD beyond `count`
    count: Ints  # (m, 7) 0 where the hand is not known
    set_known: Bools  # (m, 7) the setting is known
    set_wrong: Bools  # (m, 7) shown in two hands of another size than two and the rest
    or_set: Cards  # (m, 7, 8) the setting shown, where it lies in another: either may be how it was set
    disputed: Bools  # (m, 7) where that is so
    shown_set: Bools  # (m, 7) shown as it was set
    readings: dict[int, list[int]]  # rounds with more than one reading → their entries

    @property
    def known(self) -> Bools:
        return np.asarray(self.count > 0)

    @classmethod
    def unknown(cls, entries: int, terms: Terms) -> Hands:
        """One entry a round, of which nothing is known yet."""
        shape = entries, terms.places
        cards = np.full((*shape, terms.widest), NO_CARD, np.uint8)
        flags = (np.zeros(shape, bool) for _ in range(4))
        set_known, set_wrong, disputed, shown_set = flags
        count = np.zeros(shape, np.int64)
        return cls(np.arange(entries), cards, count, set_known, set_wrong, cards.copy(), disputed, shown_set, {})

    def with_rounds(self, rows: Ints, others: Hands) -> Hands:
        """The same with other hands of these rounds; `others` has an entry for each of them, in order, and then their
        further readings."""
        entries, more = len(self.row), np.arange(len(others.row) - len(rows))
        at = np.concatenate([rows, entries + more])
        joined = {"row": np.concatenate([self.row, others.row[len(rows) :]])}
        for name in _OF_ENTRIES:
            mine, new = getattr(self, name), getattr(others, name)
            joined[name] = np.concatenate([mine, np.empty((len(more), *mine.shape[1:]), mine.dtype)])
            joined[name][at] = new
        return Hands(**joined, readings={row: at[entry].tolist() for row, entry in others.readings.items()})


_OF_ENTRIES = tuple(field.name for field in fields(Hands) if field.name not in ("row", "readings"))


def hands_of(sources: Sources, rounds: Sequence[Sequence[ByPlace]], rows: Sequence[int]) -> tuple[Hands, list[Remark]]:
    """The readings of these rounds as columns, and DEAL-307 of hands that lie in another setting than shown."""
    row_of, held_of, several = list(rows), [(one[0] if one else {}) for one in rounds], dict[int, list[int]]()
    for at, (row, readings) in enumerate(zip(rows, rounds, strict=True)):
        if len(readings) > 1:
            several[row] = [at, *range(len(row_of), len(row_of) + len(readings) - 1)]
            row_of += [row] * (len(readings) - 1)
            held_of += readings[1:]
    found, remarks = Hands.unknown(len(row_of), sources.terms), []
    for entry, (row, by_place) in enumerate(zip(row_of, held_of, strict=True)):
        for place, given in by_place.items():
            held, seen = as_shown(sources, row, place, given), sources.shown[row].get(place)
            found.cards[entry, place, : len(held.cards)] = np.frombuffer(held.cards, np.uint8)
            found.count[entry, place] = len(held.cards)
            found.set_known[entry, place] = held.set_known
            if seen is None or sorted(seen.cards) != sorted(held.cards):
                continue
            raised = place == DEALER or bool(sources.seats.raised[row, place])
            found.set_wrong[entry, place] = raised and seen.low not in (0, LOW_CARDS)
            found.shown_set[entry, place] = seen.low == LOW_CARDS
            if raised and held.set_known and seen.low == LOW_CARDS and _set_otherwise(held.cards, seen.cards):
                found.or_set[entry, place, : len(seen.cards)] = np.frombuffer(seen.cards, np.uint8)
                found.disputed[entry, place] = True
                if entry < len(rows):
                    remarks.append(_set_as_shown_or_lies(sources, row, place, held.cards, seen))
    return replace(found, row=np.array(row_of, np.int64), readings=several), remarks


def _set_otherwise(lies: bytes, shown: bytes) -> bool:
    return set(lies[:LOW_CARDS]) != set(shown[:LOW_CARDS])


def _set_as_shown_or_lies(sources: Sources, row: int, place: int, lies: bytes, seen: ShownHand) -> Remark:
    moved = compare(
        None,
        {(place, 0): (("low", lies[:LOW_CARDS]), ("high", lies[LOW_CARDS:]))},
        {(place, 0): ShownHand(seen.cards, LOW_CARDS)},
    )
    then = "either may be how it was set" if place else "it counts as the house way sets it"
    return Remark(
        row,
        moved[0].code,
        f"{listed([in_words(one) for one in moved])}; {then}",
        sources.terms.law.cites.pickup,
        seat=place or None,
        evidence=(seen.seq,),
        confidence=min(sources.confidence(row), LIKELY),
        basis=Basis.COMPARED,
    )


def all_shown(sources: Sources, hands: Hands, row: int) -> bool:
    """Whether every hand that money depends on was shown as it lies, the dealer's and those that raised set alike."""
    seats, shown = sources.seats, sources.shown[row]
    played = seats.raised[row].copy()
    played[DEALER] = True
    set_alike = hands.set_known[row] & hands.shown_set[row] & ~hands.disputed[row]
    for place in np.flatnonzero(played | (seats.live[row] & seats.dealt_in[row])).tolist():
        seen = shown.get(place)
        held = hands.cards[row, place, : hands.count[row, place]].tolist()
        if seen is None or sorted(seen.cards) != sorted(held) or (played[place] and not set_alike[place]):
            return False
    return True


def unknown_hands(sources: Sources, row: int, hands: Hands) -> str:
    """`seat 3 and the dealer`: places whose cards nothing read gives."""
    due = np.flatnonzero((sources.seats.sizes[row] > 0) & ~hands.known[row]).tolist()
    return listed([place_name(place) for place in due])
