"""The reported settlements of Supreme Baccarat as a witness of which hand was whose.

What every wager comes to depends on the two totals alone, so a round is settled once for each of the hundred pairs of
them, and a reading of its rack is held against the reports by a look-up. Where the posted wager would not cover what
moves, who is paid how much depends on the action button as well: then only who won and who lost counts. Only the solver
is told; what a wager should come to is never worked out from what was reported of it (`replay.game`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from replay.cards.solver.evidence import HOLE, Denied, Hearing, Reading
from replay.cards.solver.layout import BANKER, PLAYER
from replay.compare.denied import denied_by
from replay.families.two_hands import drawing
from replay.families.two_hands.bets import Bets
from replay.families.two_hands.button import ActionButton
from replay.families.two_hands.hands import Evidence, Hands
from replay.families.two_hands.settlement import PayTable, pay_table, settle
from replay.filing import Pack
from replay.rounds import UNKNOWN, Cards, Fact, RoundBatch
from schemas.cards import JOKER_1, NO_CARD

_TOTALS = 10
_WRONG_CALLS = 4  # half of the slips are a single wager's; else one of two results is called besides the true one
_DECK: Cards = np.arange(JOKER_1, dtype=np.uint8)
_COUNTING = np.array([int(np.flatnonzero(drawing.total(_DECK[:, None]) == total)[0]) for total in range(_TOTALS)])


class SettledAs:
    """The reports of a batch, round by round."""

    def __init__(self, batch: RoundBatch, pack: Pack, bets: Bets, seats: int) -> None:
        self._batch, self._pack, self._bets, self._seats = batch, pack, bets, seats

    def of(self, row: int) -> RoundSettledAs:
        own = self._bets.where(self._bets.row == row)
        return RoundSettledAs(self._batch.take(np.array([row])), self._table, own, self._seats)

    @cached_property
    def _table(self) -> PayTable:
        return pay_table(self._pack)


class RoundSettledAs:
    """`replay.cards.solver.evidence.HoldAgainst` of one round of baccarat."""

    def __init__(self, round_: RoundBatch, table: PayTable, bets: Bets, seats: int) -> None:
        self._round, self._table, self._bets, self._seats = round_, table, bets, seats
        settled = round_.facts.of(Fact.SETTLED)
        self.reported = tuple(settled.seq.tolist())  # the events
        self._settled_seats = len(set(settled.seat.tolist()))
        self._button = ActionButton.of(round_, 0)
        if self._button.card != NO_CARD:
            self.reported += (self._button.seq,)

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
        hands = drawing.named_in_every_way(player, banker)
        lawful = drawing.fits(hands[:, :3], hands[:, 3:])
        hands = hands[lawful] if lawful.any() else hands
        pair = drawing.total(hands[:, :3]).astype(np.int64) * _TOTALS + drawing.total(hands[:, 3:])
        denying = self._denying[pair]
        fewest = denying.min()
        least = int(pair[denying == fewest][0])
        denied, share = tuple(self._denied[least]), float((denying == fewest).mean())
        if denied and self._denying.min() == 0:  # one result called wrong
            return Hearing(denied, share, misjudged=1, among=_WRONG_CALLS)
        return Hearing(denied, share, among=self._settled_seats)

    @cached_property
    def _denying(self) -> npt.NDArray[np.int64]:
        return np.array([len(denied) for denied in self._denied])

    @cached_property
    def _denied(self) -> list[list[Denied]]:
        """The reports denied by each pair of totals, the Player's first."""
        pairs = _TOTALS * _TOTALS
        copies = self._round.take(np.zeros(pairs, np.int64))
        columns = {column.name: np.tile(getattr(self._bets, column.name), pairs) for column in fields(Bets)}
        columns["row"] = np.repeat(np.arange(pairs), len(self._bets))
        hands = np.full((2, pairs, 3), NO_CARD, np.uint8)
        hands[:, :, 0] = _COUNTING[0]
        hands[0, :, 1] = np.repeat(_COUNTING, _TOTALS)
        hands[1, :, 1] = np.tile(_COUNTING, _TOTALS)
        known = Hands(hands[0], hands[1], np.full(pairs, Evidence.RACK, np.uint8), {}, [], {})
        bets = Bets(**columns)
        covered = settle(copies, self._table, bets, known, self._seats)
        short = np.zeros(pairs, bool)
        short[[*(one.row for one in covered.short), *covered.bad_bank]] = True
        limitless = replace(copies, fixed={**copies.fixed, "bank_posted_cents": np.full(pairs, UNKNOWN)})
        return denied_by(copies, settle(limitless, self._table, bets, known, self._seats).lines, short)
