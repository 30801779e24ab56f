"""Who bet, raised, folded or was voided, and what follows for the cards: columns with a place each, 0 the dealer's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from replay.families.ante_raise.terms import Terms
from replay.money.people import People, people_of
from replay.money.wagers import Wagers, resolve_wagers
from replay.rounds import ACTION_CODE, UNKNOWN, Fact, Ints, RoundBatch
from schemas.events import Action
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

ANTE, RAISE, OTHER = 0, 1, 255  # what a wager is; OTHER: the filed rules do not offer it
_FIRST_SIDE = 2  # the first of `Terms.sides`, and so on
NEVER = np.iinfo(np.int64).max


def side_kind(number: int) -> int:
    """The kind of the wagers of one of `Terms.sides`."""
    return _FIRST_SIDE + number


@dataclass(frozen=True)
class Seats:
    terms: Terms
    wagers: Wagers
    kind: Bytes  # of each wager
    at: Ints  # of each wager the seat, 0 where the table has none such
    ante: Bools  # (n, 7) an ante stands
    raise_stands: Bools  # (n, 7) beside it a raise stands
    folded_seq: Ints  # (n, 7) when a fold was reported, NEVER
    raised_seq: Ints  # (n, 7) when the raise was placed, NEVER
    voided_seq: Ints  # (n, 7) NEVER where the hand was not
    withdrawn_seq: Ints  # (n, 7) when the last wager was taken back after betting closed, NEVER
    wagered: Bools  # (n, 7) any wager stands
    of_side: tuple[Bools, ...]  # (n, 7) of each of `Terms.sides` whether such a wager stands
    beside_filing: Bools  # (n, 7) a wager on all of the seat's cards that the text has and the table did not file
    earns: Bools  # (n, 7) a wager that earns envy bonuses
    all_void: Bools  # (n,)
    people: People

    def __len__(self) -> int:
        return len(self.all_void)

    @cached_property
    def folded_first(self) -> Bools:
        """(n, 7) the fold was reported before the raise was placed: then the raise counts for nothing."""
        return np.asarray((self.folded_seq < self.raised_seq) & (self.folded_seq != NEVER))

    @cached_property
    def raised(self) -> Bools:
        """(n, 7) the hand stays in play."""
        return np.asarray(self.raise_stands & ~self.folded_first)

    @cached_property
    def voided(self) -> Bools:
        return np.asarray(self.voided_seq != NEVER)

    @cached_property
    def folded(self) -> Bools:
        """(n, 7) a hand with an ante and no raise is folded, whether or not a device said so."""
        return np.asarray(self.ante & ~self.raised)

    @cached_property
    def dealt_in(self) -> Bools:
        """(n, 7) seats that get cards, without the dealer."""
        found = np.asarray(self.wagered | (self.withdrawn_seq != NEVER))
        found[:, DEALER] = False
        return found

    @cached_property
    def needs_whole(self) -> Bools:
        """(n, 7) a wager on all of the seat's cards. Who takes one that is not filed deals the hand out, too."""
        return np.asarray(self._filed_on_whole | self.beside_filing)

    @cached_property
    def _filed_on_whole(self) -> Bools:
        found = np.zeros_like(self.ante)
        for side, there in zip(self.terms.sides, self.of_side, strict=True):
            if side.on_own_cards:
                found |= there
        return found

    @cached_property
    def of_either_size(self) -> Bools:
        """(n, 7) hands that only a wager not filed asks to be dealt out: no rule says whether they are."""
        return np.asarray(self.beside_filing & ~self.raised & ~self._filed_on_whole)

    @cached_property
    def sizes(self) -> Ints:
        """(n, 7) how many cards each place is due."""
        cards = self.terms.law.cards
        whole = self.raised | (self.needs_whole & ~self.voided)
        sizes = np.where(self.dealt_in, np.where(whole, cards.whole, cards.first), 0)
        sizes[:, DEALER] = np.where(self.dealt_in.any(axis=1), cards.dealer, 0)
        return sizes.astype(np.int64)

    @cached_property
    def live(self) -> Bools:
        """(n, 7) a wager on a folded hand's own cards is still to be settled."""
        return np.asarray(self.needs_whole & ~self.voided)

    @cached_property
    def stays(self) -> Bools:
        """(n, 7) whole hands that stay on the table if they are high enough: somebody else earns envy bonuses."""
        earning = self.earns.sum(axis=1)[:, None] - self.earns
        stays = (self.sizes == self.terms.law.cards.whole) & (earning > 0) & ~self.voided
        stays[:, DEALER] = False
        return np.asarray(stays)

    def on_meter(self, number: int) -> Bools:
        """(n, 7) whole hands that stay, if that one of `Terms.sides` pays them off a meter, until it is documented."""
        found = np.zeros_like(self.ante)
        if self.terms.sides[number].meters is not None:
            found = self.of_side[number] & ~self.voided & (self.sizes == self.terms.law.cards.whole)
        return np.asarray(found)

    @cached_property
    def may_be_paid_off_meter(self) -> Bools:
        """(n, 7) the same of any of them."""
        found = np.zeros_like(self.ante)
        for number in range(len(self.terms.sides)):
            found |= self.on_meter(number)
        return found

    @cached_property
    def rearranged(self) -> Bools:
        """(n, 7) hands the dealer lays out anew, so that the rack does not show how they were set (rulings.md R-51)."""
        return self.needs_whole & self.terms.rearranges

    @cached_property
    def out_of_play_seq(self) -> Ints:
        """(n, 7) when a hand went out of play in a way no section says when to collect it for; NEVER where not."""
        return np.where(self.wagered, self.voided_seq, self.withdrawn_seq)

    @cached_property
    def acted(self) -> Ints:
        """(n, 7) in which order hands were folded or went out of play. A fold nobody reported came in its turn, from
        the dealer's left: after the decisions before it."""
        said = np.minimum(self.folded_seq, self.raised_seq)
        latest, order = np.zeros(len(self), np.int64), np.zeros(said.shape, np.int64)
        for turn, place in enumerate(self.terms.ring.order_clockwise(DEALER)):
            reported = said[:, place] != NEVER
            latest = np.where(reported, np.maximum(latest, said[:, place]), latest)
            order[:, place] = latest * self.terms.places + turn
        for seq in (self.folded_seq, self.out_of_play_seq):
            known = seq != NEVER
            order[known] = seq[known] * self.terms.places
        return order


def seats_of(batch: RoundBatch, terms: Terms) -> Seats:
    law, rows, width = terms.law, len(batch), terms.places
    early = [law.ante, *(side.name for side in law.sides)]
    wagers = resolve_wagers(batch, closing_wagers=early)
    at = np.where((wagers.seat >= 1) & (wagers.seat < width), wagers.seat, 0).astype(np.int64)
    kind = _kinds(batch, wagers, terms)

    def places(mask: Bools) -> Bools:
        found = np.zeros((rows, width), bool)
        found[wagers.row[mask], at[mask]] = True
        found[:, DEALER] = False
        return found

    ante = places(kind == ANTE)
    raised_seq = np.full((rows, width), NEVER, np.int64)
    of_raise = np.flatnonzero(kind == RAISE)[::-1]
    raised_seq[wagers.row[of_raise], at[of_raise]] = wagers.placed_seq[of_raise]
    earning = np.zeros(len(wagers), bool)
    for number, side in enumerate(terms.sides):
        if side.law.envy is not None:
            earning |= (kind == side_kind(number)) & (wagers.amount >= side.law.envy.least_cents)
    wagered = places(np.ones(len(wagers), bool))
    voided_seq = np.minimum(_first_seq(batch, Action.VOID_HAND, (rows, width)), _voided_seats(batch, (rows, width)))
    voids = batch.facts.of(Fact.VOIDED)
    all_void = np.zeros(rows, bool)
    all_void[voids.row[voids.seat == 0]] = True
    withdrawn_seq = np.full((rows, width), NEVER, np.int64)
    for late in wagers.late_events:
        if 1 <= late.seat < width and late.what == "withdrawn" and not wagered[late.row, late.seat]:
            withdrawn_seq[late.row, late.seat] = late.seq
    return Seats(
        terms,
        wagers,
        kind,
        at,
        ante,
        places(kind == RAISE) & ante,
        _first_seq(batch, Action.FOLD, (rows, width)),
        raised_seq,
        voided_seq,
        withdrawn_seq,
        wagered,
        tuple(places(kind == side_kind(number)) for number in range(len(terms.sides))),
        places(_beside_filing(batch, wagers, terms)),
        places(earning) & (voided_seq == NEVER),
        all_void,
        people_of(batch),
    )


def _kinds(batch: RoundBatch, wagers: Wagers, terms: Terms) -> Bytes:
    kind = np.full(len(wagers), OTHER, np.uint8)
    kind[wagers.wager == batch.name_id(terms.law.ante)] = ANTE
    kind[wagers.wager == batch.name_id(terms.law.raised.name)] = RAISE
    for number, side in enumerate(terms.sides):
        kind[wagers.wager == batch.name_id(side.name)] = side_kind(number)
    kind[(wagers.bettor != 0) | (wagers.hand != 0)] = OTHER  # one hand each, and nobody bets on another's
    return kind


def _beside_filing(batch: RoundBatch, wagers: Wagers, terms: Terms) -> Bools:
    """Of each wager, whether it is one on its player's own cards that the table has not filed."""
    filed = {side.name for side in terms.sides}
    others = [side.name for side in terms.law.sides if side.on_own_cards and side.name not in filed]
    named = np.isin(wagers.wager, [batch.name_id(name) for name in others])
    return np.asarray(named & (wagers.bettor == 0) & (wagers.hand == 0))


def _first_seq(batch: RoundBatch, action: Action, shape: tuple[int, int]) -> Ints:
    """(n, 7) when a seat first did this."""
    acted = batch.facts.of(Fact.ACTION)
    acted = acted.where((acted.code == ACTION_CODE[action]) & (acted.seat >= 1) & (acted.seat < shape[1]))
    seq = np.full(shape, NEVER, np.int64)
    np.minimum.at(seq, (acted.row, acted.seat.astype(np.int64)), acted.seq)
    return seq


def _voided_seats(batch: RoundBatch, shape: tuple[int, int]) -> Ints:
    voids = batch.facts.of(Fact.VOIDED)
    voids = voids.where((voids.seat >= 1) & (voids.seat < shape[1]))
    seq = np.full(shape, NEVER, np.int64)
    np.minimum.at(seq, (voids.row, voids.seat.astype(np.int64)), voids.seq)
    return seq


def dealer_shown_seq(batch: RoundBatch) -> Ints:
    """(n,) when the dealer's hand was first shown; UNKNOWN."""
    shown = batch.shown
    seq = np.full(len(batch), NEVER, np.int64)
    own = shown.place == DEALER
    np.minimum.at(seq, shown.row[own], shown.seq[own])
    return np.where(seq == NEVER, UNKNOWN, seq)
