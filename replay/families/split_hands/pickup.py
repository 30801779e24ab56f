"""The rack of Pai Gow Poker under the pickup procedure filed: which place the packets of seven belong to.

Besides the four cards left there are seven packets of seven cards (rulings.md R-4). Their order follows from the
procedure and from what wagers and actions say; which hands stayed on the table for an envy bonus depends on the cards
as well, and then there may be several readings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from replay.cards.pickup.procedure import LOW_CARDS, Laid, Procedure, What, consistent
from replay.cards.pickup.procedure import Order as PickupOrder
from replay.cards.pickup.situation import NOTHING, HandSituation, Held, Key, Situation
from replay.cards.pickup.words import Word
from replay.cards.solver.batch import WAYS_LAID, HandColumns, arrange
from replay.cards.solver.layout import STUB as STUB_PLACE
from replay.cards.solver.layout import Layout
from replay.cards.solver.readings import read
from replay.families.split_hands.geometry import Geometry, Masks
from replay.families.split_hands.seats import NEVER, NOT_JUDGED, Seats
from replay.families.split_hands.staying import STAYING, Kept, may_stay, stays
from replay.families.split_hands.terms import Terms
from replay.money.results import LOSES, TIES, WINS
from replay.rounds import UNKNOWN, Cards, Ints, Ragged
from schemas.places import DEALER
from schemas.plurals import in_words

Bools = npt.NDArray[np.bool_]

Order = tuple[int, ...]  # the place of each packet

_NEVER_RACKED = 127
_ANY_ORDER, _AS_DRAWN = WAYS_LAID.index(Laid.ANY_ORDER), WAYS_LAID.index(Laid.AS_DRAWN)
HIGH_FIRST = WAYS_LAID.index(Laid.HIGH_LOW)
RESULTS = {LOSES: Word.LOSES, TIES: Word.PUSHES, WINS: Word.WINS}
_ANY_RESULT = frozenset(RESULTS.values())


def problem_with(procedure: Procedure, terms: Terms) -> str | None:
    """Why this game cannot be played under such a procedure, in words; None if it can."""
    law, left = terms.law, terms.geometry.stub
    whats = {step.what for step in procedure.steps}
    if What.STUB not in whats:
        return (
            f"pickup procedure {procedure.id} never puts the {in_words(left)} cards left into the rack "
            f"({law.cites.stub_racked}); file one with a step 'what: stub'"
        )
    number = next(at for at, step in enumerate(procedure.steps) if step.what is What.STUB)
    loose = any(step.order is PickupOrder.ANY_TIME for step in procedure.steps) or bool(
        procedure.words.intersection(STAYING)
    )
    if loose and number not in (0, len(procedure.steps) - 1):
        return (
            f"pickup procedure {procedure.id} puts the {in_words(left)} cards left between hands that may go in before "
            "or after them; file a procedure with the step 'what: stub' first or last"
        )
    unknown = sorted(whats - {What.STUB, What.HANDS})
    if unknown:
        return f"pickup procedure {procedure.id} picks up {', '.join(unknown)}, which this game does not have"
    lies = {step.laid for step in procedure.steps if isinstance(step.laid, Laid)}
    lies |= {rule.how for step in procedure.steps if not isinstance(step.laid, Laid) for rule in step.laid}
    if Laid.LOW_HIGH_EIGHTH in lies:
        size = in_words(law.hand_cards)
        return f"pickup procedure {procedure.id} has an eighth card (laid: low_high_eighth); hands here have {size}"
    no_button = law.player_dealer is None
    if no_button and any(step.order is PickupOrder.FROM_BUTTON for step in procedure.steps):
        return f"pickup procedure {procedure.id} goes round from the action button, and this game has none"
    return None


@dataclass(frozen=True)
class Pickup:
    """The order of the packets of a batch when nothing stays on the table for an envy bonus."""

    geometry: Geometry
    procedure: Procedure
    words: dict[Word, Bools]  # (n, 7) or (1, 7)
    acted: Ints  # (n, 7)
    button: Ints | None  # (n,) the seat of the action button, in games that have one
    order: Ints  # (n, 7) the place of each packet
    step: npt.NDArray[np.int8]  # (n, 7) by place, the step its hand went in at
    stub_after: Ints  # (n,) how many packets lie before the four cards left
    unset: Bools  # (n, 7) exposed hands that lie in any order, so that the rack does not show their setting
    high_first: Bools  # (n, 7) hands that lie with the high hand first


def pickup_of(seats: Seats, procedure: Procedure, geometry: Geometry, button: Ints | None = None) -> Pickup:
    """`button` (n,) is the seat of the action button, in games that have one."""
    out_of_play: Bools = seats.out_of_play_seq != NEVER
    words = {
        Word.DEALER: geometry.is_dealer,
        Word.AGAINST: seats.is_against,
        Word.WAGERED: seats.wagered | (geometry.is_dealer & (seats.dealer_stake > 0)[:, None]),
        Word.BANKED: seats.banked[:, None] & np.ones(geometry.places, bool),
        Word.SURRENDERED: seats.surrendered,
        Word.LIVE_WAGER: seats.bonus,
        Word.BONUS: seats.waits,
        Word.REARRANGED: seats.rearranged,
        Word.OUT_OF_PLAY: out_of_play,
    }
    acted = np.where(out_of_play, seats.out_of_play_seq, seats.surrendered_seq)
    order, step, laid = arranged(procedure, geometry, words, acted, button)
    exposed = seats.exposed | geometry.is_dealer | seats.is_against
    return Pickup(
        geometry,
        procedure,
        words,
        acted,
        button,
        order,
        step,
        (step < stub_step(procedure)).sum(axis=1),
        ((laid == _ANY_ORDER) | (laid == _AS_DRAWN) | seats.given_up_wrongly) & exposed,
        laid == HIGH_FIRST,
    )


def stub_step(procedure: Procedure) -> int:
    """The step at which the cards left go in."""
    return next(number for number, step in enumerate(procedure.steps) if step.what is What.STUB)


def arranged(
    procedure: Procedure, geometry: Geometry, words: Mapping[Word, Bools], acted: Ints, button: Ints | None
) -> tuple[Ints, npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """The place of each packet, and by place the step its hand went in at and how it lies. Places that get no
    hand come last."""
    places = geometry.dealt_in
    if geometry.absent:
        words = {word: column[:, places] for word, column in words.items()}
        acted = acted[:, places]
    found = arrange(procedure, HandColumns(geometry.keys, words, acted, len(acted), button), geometry.ring)
    if not geometry.absent:
        return found.order, found.step, found.laid
    nobody = np.broadcast_to(geometry.left_out, (len(acted), len(geometry.absent)))
    step = np.full((len(acted), geometry.places), _NEVER_RACKED, np.int8)
    laid = np.zeros((len(acted), geometry.places), np.int8)
    step[:, places], laid[:, places] = found.step, found.laid
    return np.concatenate([places[found.order], nobody], axis=1), step, laid


@dataclass(frozen=True)
class Rack:
    """The racks of a batch: where they are the whole deck, the packets."""

    count: Ints  # (n,) cards read
    whole: Bools  # (n,) exactly the deck
    packets: Cards  # (n, 7, 7), meaningless where not whole
    masks: Masks  # (n, 7)


def read_racks(rack: Ragged, pickup: Pickup) -> Rack:
    geometry, count = pickup.geometry, rack.counts
    rows, size, shape = len(count), geometry.deck_size, (geometry.hands, geometry.cards)
    full = np.flatnonzero(count == size)
    cards = np.empty((rows, size), np.uint8)
    cards[:] = np.arange(size, dtype=np.uint8)
    if len(full) == rows:
        cards = rack.values.reshape(rows, size)
    elif len(full):
        cards[full] = rack.values[rack.offsets[full][:, None] + np.arange(size)]
    if pickup.stub_after.any():  # the four cards left go in after some hands: put them first
        cards = np.take_along_axis(cards, _stub_first(pickup), axis=1)
    packets = cards[:, geometry.stub :].reshape(rows, *shape)
    masks = geometry.masks_of(packets)
    deck = np.bitwise_or.reduce(masks, axis=1) | geometry.masks_of(cards[:, : geometry.stub])
    whole = (count == size) & (deck == geometry.whole_deck)
    if not whole.all():  # keep rankers away from racks that hold no hands
        packets = packets.copy()
        packets[~whole] = np.arange(geometry.dealt, dtype=np.uint8).reshape(shape)
    packets = geometry.with_nobody(packets)
    return Rack(count, whole, packets, np.pad(masks, ((0, 0), (0, len(geometry.absent)))))


def racked_by_place(
    rack: Rack,
    pickup: Pickup,
    seats: Seats,
    racks: Ragged,
    known: Bools,
    known_order: Ints,
    shown: Masks,
    set_as: Callable[[int], Mapping[bytes, bytes]],
    terms: Terms,
) -> Masks:
    """(n, 7) the set of cards at each place when nothing stays on the table for an envy bonus; against a bank, in the
    order `known_order` of rounds whose order is `known`, or else in the first that how the hands fare allows and the
    hands `shown` (n, 7) fit, if there is one. `set_as` is asked of a round how its hands were set when they were shown,
    by their cards in order."""
    order = np.where(known[:, None], known_order, pickup.order)
    for row in np.flatnonzero(seats.order_by_results & rack.whole & ~known).tolist():
        cards = racks[row].tobytes()
        found = orders_that_fit(pickup, seats, (), rack.packets[row], cards, row, set_as(row), terms)
        fitting = [one for one in found if not (shown[row, list(one)] & ~rack.masks[row]).any()]
        order[row] = next(iter([*fitting, *found]), order[row])
    masks = np.empty_like(rack.masks)
    np.put_along_axis(masks, order, rack.masks, axis=1)
    return masks


def _stub_first(pickup: Pickup) -> Ints:
    """(n, deck) the positions in the rack of the stub's cards and then of the packets'."""
    before, left = pickup.stub_after[:, None] * pickup.geometry.cards, pickup.geometry.stub
    hands = np.arange(pickup.geometry.dealt)
    return np.concatenate([before + np.arange(left), hands + left * (hands >= before)], axis=1)


def in_doubt(pickup: Pickup, kept: Kept) -> Bools:
    """(n,) rounds in which a hand stayed on the table, or may have: there is a packet of a class that stays where such
    a hand may lie, and another hand that it may lie behind."""
    latest = _stays_until(pickup.procedure, kept.word)
    if latest < 0:
        return np.zeros(len(kept.high), bool)
    may = np.take_along_axis(kept.may, pickup.order, axis=1)
    first = may.argmax(axis=1)  # no packet before the first hand that may stay can have moved, none after `past`
    past = (pickup.step <= latest).sum(axis=1)
    packet = np.arange(pickup.geometry.places)
    moved = (packet >= first[:, None]) & (packet < past[:, None])
    return np.asarray((kept.high & moved).any(axis=1) & may.any(axis=1) & (past - first > 1))


@cache
def _stays_until(procedure: Procedure, word: Word) -> int:
    """The last step at which a player's hand that stays for this may go in; -1 when that changes nothing."""
    if word not in procedure.words:
        return -1
    player = procedure.words - {word, Word.DEALER, Word.AGAINST}
    return max(
        next(number for number, step in enumerate(procedure.steps) if step.takes(1, world | {word}))
        for world in consistent(player)
    )


def compared_with_banks(seats: Seats) -> Bools:
    """(n, 7) the places whose hands go into the rack sooner or later as they win or not: with a bank, players' hands
    that are not surrendered and wait for no bonus wager, and the dealer's own when the house has a wager against it."""
    compared = seats.exposed & seats.base & ~seats.surrendered & ~seats.waits
    compared[:, DEALER] |= seats.dealer_stake > 0
    return np.asarray(compared & seats.order_by_results[:, None])


def compared_with_bank(seats: Seats, row: int) -> frozenset[int]:
    """The same of one round."""
    if not seats.order_by_results[row]:
        return frozenset()
    players = seats.exposed[row] & seats.base[row] & ~seats.surrendered[row] & ~seats.waits[row]
    own = (DEALER,) if seats.dealer_stake[row] > 0 else ()
    return frozenset((*own, *np.flatnonzero(players).tolist()))


def words_judged(seats: Seats, row: int, compared: Collection[int]) -> dict[int, dict[Word, bool]]:
    """What the procedure asks of the hands of one round, by place, as the dealer judged them: a hand whose wager is
    settled the wrong way is picked up the wrong way too."""
    judged = ((place, int(seats.judged[row, place])) for place in compared)
    return {
        place: {word: result == number for number, word in RESULTS.items()}
        for place, result in judged
        if result != NOT_JUDGED
    }


class Results:
    """How hands fare against a bank's, as they lie: what the procedure asks of them, and LOSES, TIES or WINS."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._strengths: dict[bytes, tuple[NDArray[np.int32], NDArray[np.int32]]] = {}

    def words(self, hands: Mapping[int, bytes], against: int, compared: Collection[int]) -> dict[int, dict[Word, bool]]:
        """By place, for those of `compared` whose setting is known; `hands` are in two parts, low hand first."""
        if against not in hands:
            return {}
        bank = self._of(hands[against])
        found = {}
        for place in compared:
            if place in hands:
                result = int(self._terms.law.compare(*self._of(hands[place]), *bank)[0])
                found[place] = {word: result == number for number, word in RESULTS.items()}
        return found

    def _of(self, cards: bytes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        found = self._strengths.get(cards)
        if found is None:
            hand, low = np.frombuffer(cards, np.uint8)[None, :], self._terms.geometry.low
            ranking = self._terms.ranking
            found = ranking.low(np.ascontiguousarray(hand[:, :low])), ranking.high(np.ascontiguousarray(hand[:, low:]))
            self._strengths[cards] = found
        return found


def orders_that_fit(
    pickup: Pickup,
    seats: Seats,
    keeping: Sequence[Kept],
    packets: Cards,
    rack: bytes,
    row: int,
    set_as: Mapping[bytes, bytes],
    terms: Terms,
    as_judged: bool = False,
) -> list[Order]:
    """Every order of places that the procedure allows for the packets of one rack, the one first that takes least for
    granted; none when a hand that had to stay lies before others. `packets` are this round's. Against a
    bank a hand fares as it was set when it was shown (`set_as`, by its cards in order); where that gives no order, and
    where it was not shown, as it lies. Or else (`as_judged`) as its wager was settled, rightly or not."""
    dealt = packets[: pickup.geometry.hands].tolist()
    packet_of = {card: packet for packet, hand in enumerate(dealt) for card in hand}
    asked = [(one.word, *(column[row].tolist() for column in (one.high, one.must, one.may))) for one in keeping]

    results, against, compared = Results(terms), int(seats.against[row]), compared_with_bank(seats, row)
    judged = words_judged(seats, row, compared) if as_judged else {}

    def as_set(place: int, cards: bytes) -> bytes:
        return cards if place == against else set_as.get(bytes(sorted(cards)), cards)

    def facts(hands: Mapping[Key, Held], button: int) -> dict[Key, dict[Word, bool]]:
        known: dict[Key, dict[Word, bool]] = {}
        if compared:
            held_set = {key.place: as_set(key.place, held.cards) for key, held in hands.items() if held.set_known}
            fared = results.words(held_set, against, compared) | judged
            known |= {Key(place): words for place, words in fared.items()}
        for key, held in hands.items():
            at = key.place
            if at > 0:
                of = [(word, high[packet_of[held.cards[0]]], must[at], may[at]) for word, high, must, may in asked]
                known.setdefault(key, {}).update(known_to_stay(of))
        return known

    found = read(rack, pickup.procedure, situation_of(pickup, seats, row), facts)
    if compared and set_as and not found.readings:
        set_as = {}
        found = read(rack, pickup.procedure, situation_of(pickup, seats, row), facts)
    return [(*_places_in(reading.layout), *pickup.geometry.absent) for reading in found.readings]


_NOBODY_STAYED = 0


def known_to_stay(of: Sequence[tuple[Word, bool, bool, bool]]) -> dict[Word, bool]:
    """Whether a hand stays on the table, by what for, where that follows from its cards (`staying.stays`)."""
    there = {word for word, _, _, may in of if may}
    said = {word: stays(word, of) for word in STAYING if word in there}
    return {word: so for word, so in said.items() if so is not None}


def orders_if_one_stayed(pickup: Pickup, seats: Seats, is_premium: Bools, rows: Ints) -> tuple[Ints, Bools]:
    """For racks with one premium packet, all at once what `orders_that_fit` finds one by one: (r, 7, 7) the place of
    each packet when nobody's hand stayed for an envy bonus, when place 6's did, 5's ..., and (r, 7) whether that fits
    the packets."""
    geometry = pickup.geometry
    places = geometry.places
    who = (_NOBODY_STAYED, *range(places - 1, 0, -1))  # who may have: those who take least for granted first
    stayed = np.tile(np.array(who), len(rows))
    of = np.repeat(rows, len(who))
    words = {word: column if len(column) == 1 else column[of] for word, column in pickup.words.items()}
    words[Word.ENVY_HAND] = (np.arange(places) == stayed[:, None]) & (stayed != _NOBODY_STAYED)[:, None]
    button = None if pickup.button is None else pickup.button[of]
    order, _, _ = arranged(pickup.procedure, geometry, words, pickup.acted[of], button)
    high = np.empty((len(of), places), bool)
    np.put_along_axis(high, order, is_premium[of], axis=1)
    own = np.take_along_axis(high & seats.may_stay[of], stayed[:, None], axis=1)[:, 0] | (stayed == _NOBODY_STAYED)
    had_to = high & seats.must_stay[of] & ~words[Word.ENVY_HAND]
    shape = (len(rows), len(who))
    return order.reshape(*shape, places), (own & ~had_to.any(axis=1)).reshape(shape)


def _places_in(layout: Layout) -> Order:
    """The place of each packet: of each hand's first slot."""
    return tuple(dict.fromkeys(slot.place for slot in layout if slot.place >= 0))


def situation_of(pickup: Pickup, seats: Seats, row: int) -> Situation:
    """What wagers and actions say of the hands of one round."""
    so = {word: column[row if len(column) > 1 else 0].tolist() for word, column in pickup.words.items()}
    may = {word: np.zeros(pickup.geometry.places, bool) for word in STAYING}
    for word, where in may_stay(seats):
        may[word] |= where[row]
    open_at = [
        frozenset(word for word, where in may.items() if where[place]) for place in range(pickup.geometry.places)
    ]
    compared = compared_with_bank(seats, row)
    acted = pickup.acted[row].tolist()
    turns = sorted(acted)  # only who was first matters, and equal situations share their work
    hands = [
        HandSituation(
            Key(place),
            (pickup.geometry.cards,),
            frozenset(word for word, column in so.items() if column[place]),
            open_at[place] | (_ANY_RESULT if place in compared else NOTHING),
            UNKNOWN if acted[place] == NEVER else turns.index(acted[place]),
        )
        for place in pickup.geometry.hand_places
    ]
    at_stub = HandSituation(Key(STUB_PLACE), (pickup.geometry.stub,))
    buttons = () if pickup.button is None else (int(pickup.button[row]),)
    return Situation((at_stub, *hands), pickup.geometry.ring, buttons)


def by_place(order: Ints, packets: Cards, high_first: Bools) -> Cards:
    """Packets (n, 7, 7) in rack order, put in order of places, each hand with its low two cards first."""
    hands = np.empty_like(packets)
    np.put_along_axis(hands, order[:, :, None], packets, axis=1)
    return low_first(hands, high_first)


def low_first(hands: Cards, high_first: Bools) -> Cards:
    """Hands (..., 7) as they lie, with the low two cards first also where the high hand lies first."""
    if not high_first.any():
        return hands
    return np.where(high_first[..., None], np.roll(hands, LOW_CARDS, axis=-1), hands)
