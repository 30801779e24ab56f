"""The reported settlements of Supreme Baccarat as a witness of which hand was whose.

What every wager comes to depends on the two totals alone, so a round is settled once for each of the hundred pairs of
them, and a reading of its rack is held against the reports by a look-up. Where the posted wager does not cover what
moves, who is paid how much depends on where settling begins as well: at the seat that the Banker hand's first card
gives, or, if the dealer put the action button elsewhere, at that one. The sums are weighed to the cent in either case.
Only the solver is told; what a wager should come to is never worked out from what was reported of it (`replay.game`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from replay.cards.solver.evidence import HOLE, Denied, Objections, Reading
from replay.cards.solver.layout import BANKER, PLAYER
from replay.compare.denied import Denials
from replay.families.two_hands import drawing
from replay.families.two_hands.hands import Evidence, Hands
from replay.families.two_hands.law import Bools
from replay.families.two_hands.settlement import PayTable, pay_table, settle
from replay.families.two_hands.terms import Terms
from replay.money.action_button import ActionButton
from replay.money.bets import Bets
from replay.rounds import Cards, Fact, Ints, RoundBatch, offsets_of
from schemas.cards import JOKER_1, NO_CARD

_TOTALS = 10
_WRONG_CALLS = 4  # half of the slips are a single wager's; else one of two results is called besides the true one
_Key = tuple[bytes, bytes, int]
_ROUNDS_AT_ONCE = 32  # what a batch costs beside its rounds is paid once for so many
ANYWHERE = 0  # where settling begins makes no difference, or no seat can be said
_DECK: Cards = np.arange(JOKER_1, dtype=np.uint8)
_WORTH = bytes(HOLE if card == HOLE else worth for card, worth in enumerate(drawing.POINTS.tolist()))
_COUNTING = np.array([int(np.flatnonzero(drawing.total(_DECK[:, None]) == total)[0]) for total in range(_TOTALS)])


class SettledAs:
    """The reports of a batch, round by round. The rounds that are asked about are settled side by side."""

    def __init__(self, batch: RoundBatch, bets: Bets, terms: Terms) -> None:
        self._batch, self._bets, self._terms = batch, bets, terms

    def of(self, rows: Sequence[int]) -> dict[int, RoundSettledAs]:
        found: dict[int, RoundSettledAs] = {}
        for at in range(0, len(rows), _ROUNDS_AT_ONCE):
            some = np.array(rows[at : at + _ROUNDS_AT_ONCE])
            numbered = np.full(len(self._batch), -1)
            numbered[some] = np.arange(len(some))
            own = self._bets.where(numbered[self._bets.row] >= 0)
            own = replace(own, row=numbered[own.row])
            together = _Together(self._batch.take(some), own, self._table, self._terms)
            found.update({row: RoundSettledAs(together, number) for number, row in enumerate(some.tolist())})
        return found

    @cached_property
    def _table(self) -> PayTable:
        return pay_table(self._terms.pack, self._terms.law)


class _Together:
    """Some rounds, with their bets, settled for every pair of totals as soon as one of them needs it."""

    def __init__(self, rounds: RoundBatch, bets: Bets, table: PayTable, terms: Terms) -> None:
        self.rounds, self.bets, self.table, self.terms = rounds, bets, table, terms

    @cached_property
    def anywhere(self) -> _Settled:
        count = len(self.rounds)
        return self.settled(range(count), [int(_COUNTING[0])] * count)

    def settled(self, which: Sequence[int], firsts: Sequence[int]) -> _Settled:
        """These rounds, each with this card as the Banker hand's first, the pairs of totals one after the other."""
        pairs = _TOTALS * _TOTALS
        copies = self.rounds.take(np.repeat(np.array(which), pairs))
        of_round = [np.flatnonzero(self.bets.row == round_) for round_ in which]
        at = np.concatenate([np.tile(own, pairs) for own in of_round])
        row = [np.repeat(np.arange(pairs), len(own)) + number * pairs for number, own in enumerate(of_round)]
        bets = replace(self.bets.where(at), row=np.concatenate(row))
        hands = np.full((2, len(which), pairs, 3), NO_CARD, np.uint8)
        first = np.array(firsts)
        worth = drawing.total(_DECK[first][:, None]).astype(np.int64)
        hands[0, :, :, 0], hands[1, :, :, 0] = _COUNTING[0], _DECK[first][:, None]
        hands[0, :, :, 1] = np.repeat(_COUNTING, _TOTALS)
        second = _COUNTING[(np.arange(_TOTALS) - worth[:, None]) % _TOTALS]
        hands[1, :, :, 1] = np.tile(second, (1, _TOTALS))
        player, banker = hands.reshape(2, -1, 3)
        known = Hands(player, banker, np.full(len(copies), Evidence.RACK, np.uint8), {}, [], {})
        settled = settle(copies, self.table, bets, known, self.terms)
        short, unweighed = np.zeros(len(copies), bool), np.zeros(len(copies), bool)
        short[[one.row for one in settled.short]] = True
        unweighed[settled.bad_bank] = True
        return _Settled(Denials(copies, settled.lines, unweighed), short, unweighed)


class _Settled(NamedTuple):
    denials: Denials
    short: Bools
    unweighed: Bools

    def pairs(self, number: int) -> _Pairs:
        own = slice(number * _TOTALS * _TOTALS, (number + 1) * _TOTALS * _TOTALS)
        return _Pairs(self.denials, own.start, self.denials.count[own], self.short[own], self.unweighed[own])


class _Pairs(NamedTuple):
    """A round settled once for each pair of totals, the Player's first."""

    denials: Denials  # the reports each of them denies,
    begin: int  # of the first pair,
    denying: Ints  # and how many those are
    short: Bools  # the posted wager does not cover what moves
    unweighed: Bools  # and there is no seat to count the action button from: only who won and who lost was weighed


class RoundSettledAs:
    """`replay.cards.solver.evidence.HoldAgainst` of one round of baccarat."""

    def __init__(self, together: _Together, number: int) -> None:
        self._together, self._number, self._terms = together, number, together.terms
        round_ = self._round = together.rounds.take(np.array([number]))
        settled = round_.facts.of(Fact.SETTLED)
        self.reported = tuple(settled.seq.tolist())  # the events
        self._settled_seats = len(set(settled.seat.tolist()))
        self._button = ActionButton.of(round_, 0)
        if self._button.card != NO_CARD:
            self.reported += (self._button.seq,)
        self._known: dict[int, _Pairs] = {}
        self._objected: dict[_Key, Objections] = {}
        self._named: dict[tuple[int, int], tuple[Denied, ...]] = {}

    def __call__(self, readings: Sequence[Reading]) -> Sequence[Objections]:
        if not self.reported:
            return [Objections()] * len(readings)
        hands = [(one.cards(PLAYER), one.cards(BANKER)) for one in readings]
        keys = [self._key(*both) for both in hands]
        self._weigh({key: both for key, both in zip(keys, hands, strict=True) if key and key not in self._objected})
        nothing = Objections()
        found = [self._objected[key] if key else nothing for key in keys]
        return [self._with_button(one, banker) for one, (_, banker) in zip(found, hands, strict=True)]

    def _with_button(self, found: Objections, banker: bytes) -> Objections:
        """The card that decided the action button is a witness of the Banker hand's first card (rulings.md R-30)."""
        first = banker[:1]
        if self._button.card == NO_CARD or not first or first[0] in (self._button.card, HOLE):
            return found
        return found._replace(button=(Denied(BANKER, (self._button.seq,)),))

    def _key(self, player: bytes, banker: bytes) -> _Key | None:
        """All that counts of a card is its worth, and of the Banker hand's first one the seat it gives the button to.
        None of what are no two hands."""
        unnamed = player.count(HOLE) + banker.count(HOLE)
        if not 2 <= len(player) <= 3 or not 2 <= len(banker) <= 3 or unnamed > drawing.MOST_UNNAMED:
            return None
        if any(JOKER_1 <= card != HOLE for card in player + banker):
            return None
        first = HOLE if banker[0] == HOLE else int(self._seat_of[banker[0]])
        worth = player.translate(_WORTH), banker.translate(_WORTH)
        if unnamed:
            return (*worth, first)
        return bytes([sum(worth[0]) % _TOTALS]), bytes([sum(worth[1]) % _TOTALS]), first

    def _weigh(self, asked: Mapping[_Key, tuple[bytes, bytes]]) -> None:
        """What each of these hands denies, each card that nothing names being any that the drawing rules allow."""
        if not asked:
            return
        hands, law = list(asked.values()), self._terms.drawing
        every = [drawing.in_every_way(law, *map(drawing.worth_alike, both)) for both in hands]
        counts = [len(ways.pair) for ways in every]
        begins, times = offsets_of(counts), np.concatenate([ways.times for ways in every])
        pair = np.concatenate([ways.pair for ways in every])
        named = np.repeat([banker[0] for _, banker in hands], counts)
        right = self._seat_of[np.where(named == HOLE, np.concatenate([ways.first for ways in every]), named % JOKER_1)]
        began = self._begun(pair, right)
        denying = np.zeros(len(pair), np.int64)
        for seat in np.unique(began).tolist():
            denying = np.where(began == seat, self._pairs(seat).denying[pair], denying)
        short = self._pairs(ANYWHERE).short[pair]
        # A button that the hands put elsewhere than it was is one slip; what was settled from there is not another.
        elsewhere = short & (self._placed != ANYWHERE) & (right != self._placed)
        dear = 2 * denying + elsewhere
        least = np.minimum.reduceat(dear, begins[:-1])
        likeliest = dear == np.repeat(least, counts)
        share = np.add.reduceat(np.where(likeliest, times, 0), begins[:-1]) / np.add.reduceat(times, begins[:-1])
        index = np.flatnonzero(likeliest)
        chosen = index[np.searchsorted(index, begins[:-1])]
        columns = (pair[chosen], began[chosen], elsewhere[chosen], share)
        for key, at, seat, wrong_seat, likely in zip(asked, *(column.tolist() for column in columns), strict=True):
            self._objected[key] = self._objection(at, seat, wrong_seat, likely)

    def _objection(self, at: int, seat: int, elsewhere: bool, share: float) -> Objections:
        pairs = self._pairs(seat)
        denied = self._denied(at, seat)
        found = Objections(denied, share, among=self._settled_seats, unweighed=bool(pairs.unweighed[at]))
        if denied and not pairs.denying.all():  # one result called wrong
            found = found._replace(misjudged=1, among=_WRONG_CALLS)
        if elsewhere:
            found = found._replace(button=(Denied(BANKER, (self._button.seq,)),))
        return found

    def _denied(self, at: int, seat: int) -> tuple[Denied, ...]:
        if (at, seat) not in self._named:
            pairs = self._pairs(seat)
            self._named[at, seat] = tuple(pairs.denials.of(pairs.begin + at))
        return self._named[at, seat]

    def _begun(self, pair: Ints, right: Ints) -> Ints:
        """The seat that settling began at, for each of these pairs of totals and seats that the first card gives:
        where the button was put, if that explains the reports better."""
        began = np.where(self._pairs(ANYWHERE).short[pair], right, ANYWHERE)
        if self._placed == ANYWHERE:
            return began
        seats = np.unique(began[began != ANYWHERE]).tolist()
        if not seats:
            return began
        by_report = self._pairs(self._placed).denying[pair]
        for seat in seats:
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
        """The pairs of totals, where settling begins at this seat. Where it makes a difference, cards that nothing
        names may put the button at any seat: all of them are settled at once."""
        if seat not in self._known and seat == ANYWHERE:
            self._known[seat] = self._together.anywhere.pairs(self._number)
        elif seat not in self._known:
            seats = sorted({*self._seat_of.tolist()} - {ANYWHERE})
            firsts = [int(np.flatnonzero(self._seat_of == each)[0]) for each in seats]
            settled = self._together.settled([self._number] * len(seats), firsts)
            self._known.update({each: settled.pairs(at) for at, each in enumerate(seats)})
        return self._known[seat]
