"""What wagers and actions say of the hands of a batch, before anybody looks at a card: whose they are, which was split
from which, and how many cards each has.

One entry per player's hand, in the order they are played: seats clockwise from the player-dealer's left, and the hands
of a seat by their numbers. A split takes the second card of a hand and makes the seat's next hand of it; hands are
played by their numbers, and each gets its second card when its turn comes (rulings.md R-31). So the number of its cards
follows from what was done with it, and so does which card of the deal each of them is.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from replay.families.blackjack.law import BASE, DOUBLE
from replay.families.blackjack.terms import Terms
from replay.money.bets import Bets
from replay.rounds import ACTION_CODE, Array, Fact, Facts, Ints, RoundBatch
from schemas.events import Action
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]

NEVER = np.iinfo(np.int64).max
FIRST_CARDS = 2
HANDS_A_SEAT = 16  # as events number them
_SEATS = 16

HIT, STAND, DOUBLED, SPLIT, SURRENDERED, EVEN = (
    ACTION_CODE[action]
    for action in (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER, Action.EVEN_MONEY)
)
PLAYS = np.array([HIT, STAND, DOUBLED, SPLIT])
"""What a player does with a hand once it is known that the player-dealer has no natural."""


def hand_key(row: Array, seat: Array, hand: Array) -> Ints:
    """One number for a seat's hand in a round."""
    return np.asarray((row.astype(np.int64) * _SEATS + seat) * HANDS_A_SEAT + hand)


@dataclass(frozen=True)
class Spots:
    """The players' hands, one entry each."""

    row: Ints
    seat: Ints
    hand: Ints
    parent: Ints  # the hand it was split from, -1 for a seat's first
    of_parent: Ints  # by that hand's first split (1), its second ...
    splits: Ints  # how often it was split itself
    hits: Ints
    doubles: Ints
    surrendered_seq: Ints  # NEVER
    away_seq: Ints  # when it went out of play otherwise: voided, or the wager taken back late; NEVER

    def __len__(self) -> int:
        return len(self.row)

    def where(self, mask: Array) -> Spots:
        return Spots(**{column.name: getattr(self, column.name)[mask] for column in fields(self)})

    @property
    def key(self) -> Ints:
        return hand_key(self.row, self.seat, self.hand)

    @property
    def size(self) -> Ints:
        """How many cards it has by what was done with it."""
        return FIRST_CARDS + self.hits + self.doubles

    @property
    def is_split(self) -> Bools:
        """It was made by a split, or a card was split off it."""
        return np.asarray((self.hand > 0) | (self.splits > 0))

    @property
    def surrendered(self) -> Bools:
        return np.asarray(self.surrendered_seq != NEVER)

    def find(self, row: Array, seat: Array, hand: Array) -> Ints:
        """The entry of each of these hands, -1 where there is none such."""
        own, asked = self.key, hand_key(row, seat, hand)
        order = np.argsort(own, kind="stable")
        if not len(own):
            return np.full(len(asked), -1, np.int64)
        at = np.minimum(np.searchsorted(own[order], asked), len(own) - 1)
        return np.where(own[order][at] == asked, order[at], -1)


@dataclass(frozen=True)
class Play:
    """The hands of a batch and what was done with them."""

    spots: Spots
    actions: Facts  # every action of a player, in order of rounds and of events
    of: Ints  # the hand each action is about, -1 where the seat has none such
    bank: Ints  # (n,) the place of the player-dealer's hand: its seat, or the dealer's where nobody is said to bank

    def of_action(self, code: int) -> Bools:
        return np.asarray(self.actions.code == code)


def bank_places(batch: RoundBatch, terms: Terms) -> Ints:
    seat = batch.bank_seat.astype(np.int64)
    return np.where((seat >= 1) & (seat <= terms.seats), seat, DEALER)


def play_of(batch: RoundBatch, bets: Bets, withdrawn: Ints, terms: Terms) -> Play:
    """`bets` are the wagers that stand; `withdrawn` (k, 3) has the first hands whose wager was taken back after betting
    had closed, and when: round, seat, event."""
    bank = bank_places(batch, terms)
    facts = batch.facts.of(Fact.ACTION)
    actions = facts.where((facts.seat >= 1) & (facts.seat <= terms.seats))
    row, seat, hands = _seats(bets, withdrawn, actions, bank, terms)
    spot_row, spot_seat = np.repeat(row, hands), np.repeat(seat, hands)
    hand = np.arange(len(spot_row)) - np.repeat(np.cumsum(hands) - hands, hands)
    turn = (spot_seat - bank[spot_row]) % terms.ring.size
    order = np.lexsort((hand, turn, spot_row))
    spot_row, spot_seat, hand = spot_row[order], spot_seat[order], hand[order]
    count = len(spot_row)
    nobody = np.full(count, -1, np.int64)
    never = np.full(count, NEVER, np.int64)
    zero = np.zeros(count, np.int64)
    spots = Spots(spot_row, spot_seat, hand, nobody, zero, zero, zero, zero, never, never)
    of = spots.find(actions.row, actions.seat, actions.hand)
    parent, of_parent = _parents(spots, actions)
    doubled = _count(of, actions.code == DOUBLED, count)
    reported = spots.find(*(column[bets.kind == DOUBLE] for column in (bets.row, bets.seat, bets.hand)))
    wagered = np.zeros(count, np.int64)
    wagered[reported[reported >= 0]] = 1
    return Play(
        Spots(
            spot_row,
            spot_seat,
            hand,
            parent,
            of_parent,
            _count(of, actions.code == SPLIT, count),
            _count(of, actions.code == HIT, count),
            np.maximum(doubled, wagered),  # a wager on one card more says that it was dealt, whoever reports actions
            _first_seq(of, actions, actions.code == SURRENDERED, count),
            _away(batch, spots, of, actions, withdrawn),
        ),
        actions,
        of,
        bank,
    )


def _seats(bets: Bets, withdrawn: Ints, actions: Facts, bank: Ints, terms: Terms) -> tuple[Ints, Ints, Ints]:
    """Who is dealt in: round, seat, and how many hands it has in the end."""
    mine = (bets.kind == BASE) & (bets.seat >= 1) & (bets.seat <= terms.seats) & (bets.seat != bank[bets.row])
    row = np.concatenate([bets.row[mine], withdrawn[:, 0]])
    seat = np.concatenate([bets.seat[mine].astype(np.int64), withdrawn[:, 1]])
    number = np.concatenate([bets.hand[mine].astype(np.int64), np.zeros(len(withdrawn), np.int64)])
    key, at = np.unique(row * _SEATS + seat, return_inverse=True)
    highest = np.zeros(len(key), np.int64)
    np.maximum.at(highest, at.reshape(-1), number)
    splits = actions.where(actions.code == SPLIT)
    split_key = splits.row * _SEATS + splits.seat
    split_at = np.minimum(np.searchsorted(key, split_key), max(len(key) - 1, 0))
    known = key[split_at] == split_key if len(key) else np.zeros(0, bool)
    made = np.bincount(split_at[known], minlength=len(key)) if len(key) else np.zeros(0, np.int64)
    hands = np.minimum(1 + np.maximum(highest, made), HANDS_A_SEAT)
    return key // _SEATS, key % _SEATS, hands.astype(np.int64)


def _parents(spots: Spots, actions: Facts) -> tuple[Ints, Ints]:
    """The hand each hand was split from, and by which of that hand's splits: a seat's splits make its hands in turn.
    A hand of whose split no event tells is taken for one off the first."""
    parent = np.where(spots.hand > 0, 0, -1)
    of_parent = np.where(spots.hand > 0, 1, 0)
    splits = actions.where(actions.code == SPLIT)
    if len(splits):
        order = np.lexsort((splits.seq, splits.seat, splits.row))
        row, seat, split = splits.row[order], splits.seat[order].astype(np.int64), splits.hand[order].astype(np.int64)
        at = spots.find(row, seat, _place_in_run(row * _SEATS + seat) + 1)
        by_parent = np.argsort(hand_key(row, seat, split), kind="stable")
        nth = np.empty(len(row), np.int64)
        nth[by_parent] = _place_in_run(hand_key(row, seat, split)[by_parent]) + 1
        there = at >= 0
        parent[at[there]], of_parent[at[there]] = split[there], nth[there]
    return parent.astype(np.int64), of_parent.astype(np.int64)


def _place_in_run(key: Ints) -> Ints:
    """Of equal keys that lie next to each other the first is 0, the next 1 ..."""
    begins = np.ones(len(key), bool)
    begins[1:] = key[1:] != key[:-1]
    first = np.flatnonzero(begins)
    return np.arange(len(key)) - np.repeat(first, np.diff(np.append(first, len(key))))


def _count(of: Ints, which: Array, count: int) -> Ints:
    return np.bincount(of[which & (of >= 0)], minlength=count).astype(np.int64)


def _first_seq(of: Ints, actions: Facts, which: Array, count: int) -> Ints:
    seq = np.full(count, NEVER, np.int64)
    which = which & (of >= 0)
    np.minimum.at(seq, of[which], actions.seq[which])
    return seq


def _away(batch: RoundBatch, spots: Spots, of: Ints, actions: Facts, withdrawn: Ints) -> Ints:
    seq = _first_seq(of, actions, actions.code == ACTION_CODE[Action.VOID_HAND], len(spots))
    voids = batch.facts.of(Fact.VOIDED)
    for row, seat, when in zip(voids.row.tolist(), voids.seat.tolist(), voids.seq.tolist(), strict=True):
        mine = (spots.row == row) & (spots.seat == seat)
        seq[mine] = np.minimum(seq[mine], when)
    for row, seat, when in withdrawn.tolist():
        mine = (spots.row == row) & (spots.seat == seat)
        seq[mine] = np.minimum(seq[mine], when)
    return seq


# ---- which card of the deal is whose ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dealt:
    """Where in the deal the cards of each hand are: its first card, its second, and where its further ones begin."""

    first: Ints
    second: Ints
    more: Ints
    dealer_first: Ints  # (n,) the same of the player-dealer's hand
    dealer_second: Ints
    dealer_more: Ints

    def positions(self, width: int) -> Ints:
        """(m, width) of each card of each hand, as if it had so many."""
        return _positions(self.first, self.second, self.more, width)

    def dealer_positions(self, width: int) -> Ints:
        return _positions(self.dealer_first, self.dealer_second, self.dealer_more, width)


def _positions(first: Ints, second: Ints, more: Ints, width: int) -> Ints:
    found = more[:, None] + np.arange(-FIRST_CARDS, width - FIRST_CARDS)
    found[:, 0], found[:, 1] = first, second
    return found


def dealt_order(spots: Spots, rows: int) -> Dealt:
    """A card to each from the player-dealer's left, twice, the player-dealer last; then, hand by hand, the cards drawn
    to it, and the player-dealer's at the end."""
    first_hands = spots.hand == 0
    seats = np.bincount(spots.row[first_hands], minlength=rows)
    turn = _place_in_run(spots.row[first_hands])
    of_seat = np.cumsum(first_hands) - 1  # hands of a seat follow its first one
    turn = turn[of_seat] if len(spots) else turn
    there = seats[spots.row]
    first, second = turn, there + 1 + turn
    seconds = (spots.hand > 0) + spots.splits  # second cards drawn in play, of which a split takes away all but one
    draws = seconds + spots.hits + spots.doubles
    before = np.cumsum(draws) - draws
    begin = np.zeros(rows, np.int64)
    firsts = np.flatnonzero(np.diff(spots.row, prepend=-1))
    begin[spots.row[firsts]] = before[firsts]
    start = 2 * (there + 1) + before - begin[spots.row]
    drawn = np.zeros(rows, np.int64)
    np.add.at(drawn, spots.row, draws)
    split_off = spots.hand > 0
    if split_off.any():
        at = np.flatnonzero(split_off)
        parent = np.maximum(spots.find(spots.row[at], spots.seat[at], spots.parent[at]), 0)
        nth, later = spots.of_parent[at], (spots.parent[at] > 0).astype(np.int64)
        original = (spots.parent[at] == 0) & (nth == 1)
        first = first.copy()
        first[at] = np.where(original, second[at], start[parent] + later + nth - 2)
    second = np.where(seconds > 0, start + seconds - 1, second)
    return Dealt(first, second, start + seconds, seats, 2 * seats + 1, 2 * (seats + 1) + drawn)
