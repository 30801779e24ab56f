"""The clean path: rounds whose racks are as the pickup procedure has them, and as deal and hands shown have the hands.

All of a batch at once, by columns. Whatever may need a closer look is left to `hands.rebuild_round`, which gives the
rounds found here the same hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.method import Method
from replay.cards.pickup.procedure import LOW_CARDS, Laid, Procedure
from replay.cards.pickup.situation import Key
from replay.cards.pickup.words import Word
from replay.cards.solver.batch import WAYS_LAID, HandColumns, arrange, gather, starts_of
from replay.cards.solver.layout import STUB
from replay.families.ante_raise.deal import AS_FILED, TO_PLACES, Sizes, targets_dealt
from replay.families.ante_raise.hands import Hands, is_high
from replay.families.ante_raise.seats import NEVER, Seats
from replay.families.ante_raise.terms import Terms
from replay.rounds import NO_DECK, UNKNOWN, Cards, RoundBatch, positions_of
from schemas.cards import NO_CARD
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int8]

_NOBODY: int = -1
_FACES = 256  # what a byte in a rack may say
_AS_IT_FELL = [WAYS_LAID.index(laid) for laid in (Laid.ANY_ORDER, Laid.AS_DRAWN)]
_HIGH_FIRST = WAYS_LAID.index(Laid.HIGH_LOW)


@dataclass(frozen=True)
class InOrder:
    """Rounds that are in order, and their hands."""

    rows: Bools  # (n,)
    dealt: Bools  # (n,) of those, the deal was read
    hands: Hands  # an entry a round; of the others it says nothing


def nothing_in_order(batch: RoundBatch, terms: Terms) -> InOrder:
    none = np.zeros(len(batch), bool)
    return InOrder(none, none, Hands.unknown(len(batch), terms))


def in_order(batch: RoundBatch, seats: Seats, procedure: Procedure, terms: Terms) -> InOrder:
    total = seats.sizes.sum(axis=1)
    rows = whole_racks(batch, terms) & ~seats.all_void & seats.dealt_in.any(axis=1) & (total <= terms.deck_size)
    rows &= (batch.stub_count == UNKNOWN) | (batch.stub_count == terms.deck_size - total)
    rows &= ~((seats.out_of_play_seq != NEVER) & (seats.sizes > 0)).any(axis=1)
    rows &= _of_one_deck(batch, rows)
    hands = _as_picked_up(batch, seats, procedure, terms, rows)
    owner = _owners(hands)
    dealt, otherwise = _as_dealt(batch, seats, terms, owner, rows)
    rows &= ~otherwise & ~_may_stay(batch, seats, hands, dealt, rows)
    rows &= _as_shown(batch, seats, hands, owner)
    return InOrder(rows, rows & dealt, hands)


def whole_racks(batch: RoundBatch, terms: Terms) -> Bools:
    """(n,) racks that are the deck."""
    found = batch.rack.counts == terms.deck_size
    cards = _of_racks(batch.rack.values, batch, found, terms)
    found[found] = (np.sort(cards, axis=1) == np.arange(terms.deck_size)).all(axis=1)
    return np.asarray(found)


def _of_racks(values: Cards, batch: RoundBatch, rows: Bools, terms: Terms) -> Cards:
    """(m, deck) what stands beside each card of these racks, which have as many as the deck."""
    cards: Cards = values[batch.rack.offsets[:-1][rows][:, None] + np.arange(terms.deck_size)]
    return cards


def _of_one_deck(batch: RoundBatch, rows: Bools) -> Bools:
    """(n,) of these rounds, those in whose rack no two decks were told apart."""
    found, sizes = np.ones(len(batch), bool), batch.rack.counts
    marked = batch.rack_deck.values != NO_DECK
    if marked.any():
        known, of = batch.rack_deck.values[marked].astype(np.int64), batch.rack.rows[marked]
        least, most = np.full(len(sizes), NO_DECK), np.zeros(len(sizes), np.int64)
        np.minimum.at(least, of, known)
        np.maximum.at(most, of, known)
        found = least >= most
    return found & rows


def _as_picked_up(batch: RoundBatch, seats: Seats, procedure: Procedure, terms: Terms, rows: Bools) -> Hands:
    """The hands of these racks when none stayed on the table for its cards."""
    places = np.arange(terms.places)
    dealers = np.broadcast_to(places == DEALER, seats.sizes.shape)
    players = {
        Word.WAGERED: seats.wagered,
        Word.FOLDED: ~seats.raised,
        Word.LIVE_WAGER: seats.live,
        Word.BONUS: seats.needs_whole,
        Word.REARRANGED: seats.rearranged,
    }
    words = {word: so & ~dealers for word, so in players.items()} | {Word.DEALER: dealers, Word.AGAINST: dealers}
    stub = np.zeros((len(batch), 1), bool)
    columns = HandColumns(
        (Key(STUB), *(Key(place) for place in places.tolist())),
        {word: np.concatenate([stub, so], axis=1) for word, so in words.items()},
        np.pad(np.where(words[Word.FOLDED], seats.acted, UNKNOWN), ((0, 0), (1, 0)), constant_values=UNKNOWN),
        len(batch),
    )
    arranged = arrange(procedure, columns, terms.ring)
    counts = np.concatenate([terms.deck_size - seats.sizes.sum(axis=1, keepdims=True), seats.sizes], axis=1)
    at, found = np.flatnonzero(rows), Hands.unknown(len(batch), terms)
    starts = starts_of(arranged.order[at], counts[at])[:, 1:]
    sizes, laid = seats.sizes[at], arranged.laid[at][:, 1:]
    cards = gather(batch.rack, at, starts, sizes, terms.widest)
    high_first = laid == _HIGH_FIRST
    if high_first.any():
        within = np.arange(terms.widest)
        turned = np.where(within < sizes[:, :, None], (within - LOW_CARDS) % np.maximum(sizes, 1)[:, :, None], within)
        cards = np.where(high_first[:, :, None], np.take_along_axis(cards, turned, axis=2), cards)
    found.cards[at], found.count[at] = cards, sizes
    found.set_known[at] = ~np.isin(laid, _AS_IT_FELL) & (sizes > LOW_CARDS)
    return found


def _owners(hands: Hands) -> Places:
    """(n, 256) the place that has each card."""
    owner = np.full((len(hands.row), _FACES), _NOBODY, np.int8)
    held = np.arange(hands.cards.shape[2]) < hands.count[:, :, None]
    row, place, _ = np.nonzero(held)
    owner[row, hands.cards[held]] = place
    return owner


def _as_dealt(batch: RoundBatch, seats: Seats, terms: Terms, owner: Places, rows: Bools) -> tuple[Bools, Bools]:
    """(n,) of these rounds, those whose deal was read and gives every place its hand, in the order filed; and those
    whose deal says anything else."""
    total, counts = seats.sizes.sum(axis=1), batch.dealt.counts
    read = rows & (counts > 0)
    fits = read & ((counts == total) | (counts == terms.deck_size))
    fits[batch.dealt.rows[batch.dealt_to.values != TO_PLACES]] = False
    at = np.flatnonzero(fits)
    offsets, where = positions_of(batch.dealt.offsets, at)
    of, within = np.repeat(np.arange(len(at)), np.diff(offsets)), np.arange(offsets[-1])
    within -= np.repeat(offsets[:-1], np.diff(offsets))
    cards = batch.dealt.values[where]
    apart = np.zeros((len(at), _FACES), bool)
    apart[of, cards] = True
    good = (apart.sum(axis=1) == counts[at]) & ~apart[:, terms.deck_size :].any(axis=1)
    codes = seats.sizes[at] @ (terms.deck_size ** np.arange(terms.places))  # as the digits of a number
    _, first, shape_of = np.unique(codes, return_index=True, return_inverse=True)
    filed = np.full((len(first), terms.deck_size), _NOBODY, np.int8)
    for number, sizes in enumerate(seats.sizes[at[first]].tolist()):
        order = _places_dealt(terms.method, terms, tuple(sizes))
        filed[number, : len(order)] = order
    to_places = within < total[at][of]  # a shoe that was read to the end also saw the stub go by
    of, within, cards, saw = (
        of[to_places],
        within[to_places],
        cards[to_places],
        batch.dealt_place.values[where][to_places],
    )
    meant = filed[shape_of[of], within]
    good[of[owner[at[of], cards] != meant]] = False
    all_seen = np.ones(len(at), bool)
    all_seen[of[saw == UNKNOWN]] = False
    good[of[(saw != meant) & all_seen[of]]] = False
    fits[at] = good
    return fits, read & ~fits


@lru_cache(maxsize=4096)
def _places_dealt(method: Method, terms: Terms, sizes: Sizes) -> Places:
    return np.array([target.place for target in targets_dealt(method, terms, sizes, AS_FILED)], np.int8)


def _may_stay(batch: RoundBatch, seats: Seats, hands: Hands, dealt: Bools, rows: Bools) -> Bools:
    """(n,) of these rounds, those in which a hand is high enough to stay on the table, or, where no deal says which
    cards are a hand, may be: such cards lie together in the rack."""
    terms, found = seats.terms, np.zeros(len(batch), bool)
    may = (seats.stays | seats.may_be_paid_off_meter) & rows[:, None]
    row, place = np.nonzero(may & dealt[:, None])
    whole = np.ascontiguousarray(hands.cards[row, place, : terms.law.cards.whole])
    found[row[is_high(whole, terms)]] = True
    alone = may.any(axis=1) & ~dealt
    each = terms.law.cards.whole
    runs = np.lib.stride_tricks.sliding_window_view(_of_racks(batch.rack.values, batch, alone, terms), each, axis=1)
    found[alone] = is_high(runs.reshape(-1, each), terms).reshape(runs.shape[:2]).any(axis=1)
    return found


def _as_shown(batch: RoundBatch, seats: Seats, hands: Hands, owner: Places) -> Bools:
    """(n,) the first hand shown at each place holds only cards it has, and where it lies set, it was shown set so. What
    was shown of how it is set goes into `hands`."""
    shown, terms, good = batch.shown, seats.terms, np.ones(len(batch), bool)
    own = np.flatnonzero((shown.place >= 0) & (shown.place < terms.places) & (shown.hand == 0))
    key = shown.row[own] * terms.places + shown.place[own]
    order = np.lexsort((shown.seq[own], key))
    first = np.ones(len(own), bool)
    first[1:] = np.diff(key[order]) > 0
    at = own[order[first]]
    row, place, low = shown.row[at], shown.place[at].astype(np.int64), shown.low[at]
    cards, count = shown.cards[at], shown.count[at].astype(np.int64)
    size = hands.count[row, place]
    there = (np.arange(cards.shape[1]) < count[:, None]) & (cards != NO_CARD)
    foreign = (there & (owner[row[:, None], cards] != place[:, None])).any(axis=1)
    good[row[foreign & (size > 0)]] = False
    ordered = np.sort(np.where(there, cards, NO_CARD), axis=1)
    twice = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NO_CARD)).any(axis=1)
    good[row[twice]] = False
    whole = ~foreign & (there.sum(axis=1) == size) & (count == size) & (size > 0)
    played = (place == DEALER) | seats.raised[row, place]
    as_set = hands.set_known[row, place]
    hands.set_wrong[row, place] = whole & played & ~np.isin(low, (0, LOW_CARDS))
    shown_set = whole & (low == LOW_CARDS)
    hands.shown_set[row, place] = shown_set
    lies, seen = np.sort(hands.cards[row, place, :LOW_CARDS], axis=1), np.sort(cards[:, :LOW_CARDS], axis=1)
    good[row[shown_set & played & as_set & (lies != seen).any(axis=1)]] = False
    new = np.flatnonzero(shown_set & ~as_set)
    hands.cards[row[new], place[new]] = cards[new, : terms.widest]
    hands.set_known[row[new], place[new]] = True
    return good
