"""The reported settlements of Supreme Baccarat as a witness of which hand was whose.

What every wager comes to depends on the two totals alone, so a round is settled once for each of the hundred pairs of
them, and a reading of its rack is held against the reports by a look-up. Where the posted wager does not cover what
moves, who is paid how much depends on where settling begins as well: at the seat that the Banker hand's first card
gives, or, if the dealer put the action button elsewhere, at that one. The sums are weighed to the cent in either case.
Only the solver is told; what a wager should come to is never worked out from what was reported of it (`replay.game`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property
from typing import NamedTuple

import numpy as np

from replay.cards.solver.evidence import HOLE, Denied, Hearing, Reading
from replay.cards.solver.layout import BANKER, PLAYER
from replay.compare.denied import denied_by
from replay.families.two_hands import drawing
from replay.families.two_hands.bets import Bets
from replay.families.two_hands.hands import Evidence, Hands
from replay.families.two_hands.law import Bools
from replay.families.two_hands.settlement import PayTable, pay_table, settle
from replay.families.two_hands.terms import Terms
from replay.money.action_button import ActionButton
from replay.rounds import Cards, Fact, Ints, RoundBatch
from schemas.cards import JOKER_1, NO_CARD

_TOTALS = 10
_WRONG_CALLS = 4  # half of the slips are a single wager's; else one of two results is called besides the true one
ANYWHERE = 0  # where settling begins makes no difference, or no seat can be said
_DECK: Cards = np.arange(JOKER_1, dtype=np.uint8)
_WORTH = bytes(HOLE if card == HOLE else worth for card, worth in enumerate(drawing.POINTS.tolist()))
_COUNTING = np.array([int(np.flatnonzero(drawing.total(_DECK[:, None]) == total)[0]) for total in range(_TOTALS)])


class SettledAs:
    """The reports of a batch, round by round."""

    def __init__(self, batch: RoundBatch, bets: Bets, terms: Terms) -> None:
        self._batch, self._bets, self._terms = batch, bets, terms

    def of(self, row: int) -> RoundSettledAs:
        own = self._bets.where(self._bets.row == row)
        return RoundSettledAs(self._batch.take(np.array([row])), self._table, own, self._terms)

    @cached_property
    def _table(self) -> PayTable:
        return pay_table(self._terms.pack, self._terms.law)


class _Pairs(NamedTuple):
    """A round settled once for each pair of totals, the Player's first."""

    denied: list[list[Denied]]  # the reports each of them denies
    denying: Ints  # how many those are
    short: Bools  # the posted wager does not cover what moves
    unweighed: Bools  # and there is no seat to count the action button from: only who won and who lost was weighed


class RoundSettledAs:
    """`replay.cards.solver.evidence.HoldAgainst` of one round of baccarat."""

    def __init__(self, round_: RoundBatch, table: PayTable, bets: Bets, terms: Terms) -> None:
        self._round, self._table, self._bets, self._terms = round_, table, bets, terms
        settled = round_.facts.of(Fact.SETTLED)
        self.reported = tuple(settled.seq.tolist())  # the events
        self._settled_seats = len(set(settled.seat.tolist()))
        self._button = ActionButton.of(round_, 0)
        if self._button.card != NO_CARD:
            self.reported += (self._button.seq,)
        self._known: dict[int, _Pairs] = {}
        self._hearings: dict[tuple[bytes, bytes, int], Hearing] = {}

    def __call__(self, readings: Sequence[Reading]) -> Sequence[Hearing]:
        if not self.reported:
            return [Hearing()] * len(readings)
        return [self._with_button(self._heard(one.cards(PLAYER), one.cards(BANKER)), one) for one in readings]

    def _with_button(self, heard: Hearing, reading: Reading) -> Hearing:
        """The card that decided the action button is a witness of the Banker hand's first card (rulings.md R-30)."""
        first = reading.cards(BANKER)[:1]
        if self._button.card == NO_CARD or not first or first[0] in (self._button.card, HOLE):
            return heard
        return heard._replace(button=(Denied(BANKER, (self._button.seq,)),))

    def _heard(self, player: bytes, banker: bytes) -> Hearing:
        if not 2 <= len(player) <= 3 or not 2 <= len(banker) <= 3:
            return Hearing()
        if any(card >= JOKER_1 and card != HOLE for card in (*player, *banker)):
            return Hearing()
        if (player + banker).count(HOLE) > drawing.MOST_UNNAMED:
            return Hearing()
        # All that counts of a card is its worth, and of the Banker hand's first one the seat it gives the button to.
        first = HOLE if banker[0] == HOLE else int(self._seat_of[banker[0]])
        key = (player.translate(_WORTH), banker.translate(_WORTH), first)
        if HOLE not in player and HOLE not in banker:
            key = (bytes([sum(key[0]) % _TOTALS]), bytes([sum(key[1]) % _TOTALS]), first)
        if key not in self._hearings:
            self._hearings[key] = self._heard_once(player, banker)
        return self._hearings[key]

    def _heard_once(self, player: bytes, banker: bytes) -> Hearing:
        """What these hands deny, each card that nothing names being any that the drawing rules allow."""
        ways = drawing.in_every_way(self._terms.drawing, drawing.worth_alike(player), drawing.worth_alike(banker))
        pair = ways.pair
        right = self._seat_of[ways.first if banker[0] == HOLE else np.full(len(pair), banker[0])]
        began = self._begun(pair, right)
        denying = np.zeros(len(pair), np.int64)
        for seat in np.unique(began).tolist():
            denying = np.where(began == seat, self._pairs(seat).denying[pair], denying)
        short = self._pairs(ANYWHERE).short[pair]
        # A button that the hands put elsewhere than it was is one slip; what was settled from there is not another.
        elsewhere = short & (self._placed != ANYWHERE) & (right != self._placed)
        dear = 2 * denying + elsewhere
        likeliest = dear == dear.min()
        chosen = int(np.flatnonzero(likeliest)[0])
        share = int(ways.times[likeliest].sum()) / int(ways.times.sum())
        at, seat = int(pair[chosen]), int(began[chosen])
        pairs = self._pairs(seat)
        heard = Hearing(tuple(pairs.denied[at]), share, among=self._settled_seats)
        if heard.denied and pairs.denying.min() == 0:  # one result called wrong
            heard = heard._replace(misjudged=1, among=_WRONG_CALLS)
        if elsewhere[chosen]:
            heard = heard._replace(button=(Denied(BANKER, (self._button.seq,)),))
        return heard._replace(unweighed=bool(pairs.unweighed[at]))

    def _begun(self, pair: Ints, right: Ints) -> Ints:
        """The seat that settling began at, for each of these pairs of totals and seats that the first card gives:
        where the button was put, if that explains the reports better."""
        began = np.where(self._pairs(ANYWHERE).short[pair], right, ANYWHERE)
        if self._placed == ANYWHERE:
            return began
        by_report = self._pairs(self._placed).denying[pair]
        for seat in np.unique(began[began != ANYWHERE]).tolist():
            better = (began == seat) & (by_report < self._pairs(seat).denying[pair])
            began = np.where(better, self._placed, began)
        return began

    @cached_property
    def _seat_of(self) -> Ints:
        """The seat that settling begins at, for each card that may be the Banker hand's first."""
        bank = self._round.bank_seat
        if not 1 <= bank[0] <= self._terms.seats:
            return np.full(JOKER_1, ANYWHERE)
        seats: Ints = self._terms.law.button.seat(_DECK, np.repeat(bank, JOKER_1), self._terms.seats).astype(np.int64)
        return seats

    @cached_property
    def _placed(self) -> int:
        """The seat that the action button was put at, if settling can begin there."""
        return self._button.seat if self._button.seat in self._seat_of else ANYWHERE

    def _pairs(self, seat: int) -> _Pairs:
        """The pairs of totals, where settling begins at this seat."""
        if seat not in self._known:
            self._known[seat] = self._settled_from(seat)
        return self._known[seat]

    def _settled_from(self, seat: int) -> _Pairs:
        pairs = _TOTALS * _TOTALS
        copies = self._round.take(np.zeros(pairs, np.int64))
        columns = {column.name: np.tile(getattr(self._bets, column.name), pairs) for column in fields(Bets)}
        columns["row"] = np.repeat(np.arange(pairs), len(self._bets))
        hands = np.full((2, pairs, 3), NO_CARD, np.uint8)
        first = _COUNTING[0] if seat == ANYWHERE else int(np.flatnonzero(self._seat_of == seat)[0])
        worth = int(drawing.total(_DECK[first : first + 1, None])[0])
        hands[0, :, 0], hands[1, :, 0] = _COUNTING[0], first
        hands[0, :, 1] = np.repeat(_COUNTING, _TOTALS)
        hands[1, :, 1] = np.tile(_COUNTING[(np.arange(_TOTALS) - worth) % _TOTALS], _TOTALS)
        known = Hands(hands[0], hands[1], np.full(pairs, Evidence.RACK, np.uint8), {}, [], {})
        settled = settle(copies, self._table, Bets(**columns), known, self._terms)
        short, unweighed = np.zeros(pairs, bool), np.zeros(pairs, bool)
        short[[one.row for one in settled.short]] = True
        unweighed[settled.bad_bank] = True
        denied = denied_by(copies, settled.lines, unweighed)
        return _Pairs(denied, np.array([len(one) for one in denied]), short, unweighed)
