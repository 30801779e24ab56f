"""Of which class that is what side wagers are judged on, and whether it is known."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from replay.families.split_hands.first_cards import FirstDealt, threes_of
from replay.families.split_hands.hands import Hands
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.side_seats import SideSeats
from replay.families.split_hands.terms import Side, Terms
from replay.families.split_hands.wager_law import NO_CHOICE, JudgedOn
from replay.rounds import UNKNOWN, Cards, Ints, RoundBatch

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Judge:
    """Of one batch, an entry a reading."""

    batch: RoundBatch
    seats: Seats
    hands: Hands
    first: FirstDealt | None
    terms: Terms
    _own: dict[int, Bytes] = field(default_factory=dict)  # by kind of wager

    def known(self, one: SideSeats, wager: Ints, entry: Ints) -> Bools:
        """Whether what decides these wagers of one kind is known."""
        on, row, at = one.side.law.judged_on, self.hands.row[entry], self.seats.at[wager]
        own, dealers = self.hands.known[entry, at], self.hands.known[entry, self.seats.against[row]]
        match on:
            case JudgedOn.OWN_CARDS:
                return own
            case JudgedOn.DEALER_CARDS:
                return dealers
            case JudgedOn.DEALER_AND_OWN:
                return np.asarray(own & dealers)
            case JudgedOn.FIRST_CARDS:
                return np.asarray(self.first_classes(one, wager, entry).sum(axis=1) == 1)
            case JudgedOn.START_NUMBER:
                return np.asarray(self.batch.start_number[row] != UNKNOWN)

    def classes(self, one: SideSeats, wager: Ints, entry: Ints) -> Bytes:
        """The classes these wagers of one kind are paid by; meaningless where not known."""
        side = one.side
        if side.law.envy is not None:  # all hands are asked for
            return np.asarray(self.own_classes(one)[entry, self.seats.at[wager]])
        if side.law.judged_on is JudgedOn.FIRST_CARDS:
            return np.asarray(self.first_classes(one, wager, entry).argmax(axis=1).astype(np.uint8))
        judged = self._rows(side, wager, entry)
        if side.law.choices == NO_CHOICE:
            return side.class_of[""](judged)
        found = np.full(len(wager), side.nothing, np.uint8)
        chosen = self.seats.wagers.choice[wager]
        for choice, class_of in side.class_of.items():
            mine = chosen == self.batch.name_id(choice)
            if mine.any():
                found[mine] = class_of(np.ascontiguousarray(judged[mine]))
        return found

    def _first_known(self, row: Ints, at: Ints, entry: Ints) -> Bools:
        if self.first is None:
            return np.zeros(len(row), bool)
        return self.first.of_hands(row, at, self.hands.cards[entry, at], self.hands.known[entry, at], self.terms)

    def first_classes(self, one: SideSeats, wager: Ints, entry: Ints) -> Bools:
        """(m, classes) what the first cards of these wagers may be: one class where they are known, or where whichever
        three of the hand's cards came first make no difference."""
        row, at, side = self.hands.row[entry], self.seats.at[wager], one.side
        class_of, possible = side.class_of[""], np.zeros((len(wager), len(side.classes)), bool)
        known, held = self._first_known(row, at, entry), self.hands.known[entry, at]
        if self.first is not None:  # where they are not among the hand's cards, these or three of the hand's
            said = np.flatnonzero(self.first.known[row, at])
            found = class_of(np.ascontiguousarray(self.first.cards[row[said], at[said]]))
            possible[said, found] = True
        left = np.flatnonzero(~known & held)
        if len(left):
            threes = threes_of(self.hands.cards[entry[left], at[left]])
            found = class_of(np.ascontiguousarray(threes.reshape(-1, threes.shape[-1]))).reshape(len(left), -1)
            possible[left[:, None], found] = True
        possible[~known & ~held] = True
        return possible

    def own_classes(self, one: SideSeats) -> Bytes:
        """(m, 7) the classes of all hands of the rounds in which the wager is there; nothing in the others."""
        if one.kind in self._own:
            return self._own[one.kind]
        side, cards = one.side, self.hands.cards
        found = np.full(cards.shape[:-1], side.nothing, np.uint8)
        there = np.asarray(one.played.any(axis=1))[self.hands.row]
        asked = cards if there.all() else cards[there]
        found[there] = side.class_of[""](asked.reshape(-1, asked.shape[-1])).reshape(asked.shape[:-1])
        self._own[one.kind] = found
        return found

    def _rows(self, side: Side, wager: Ints, entry: Ints) -> Cards:
        row, at, cards = self.hands.row[entry], self.seats.at[wager], self.hands.cards
        match side.law.judged_on:
            case JudgedOn.OWN_CARDS:
                return cards[entry, at]
            case JudgedOn.DEALER_CARDS:
                return cards[entry, self.seats.against[row]]
            case JudgedOn.DEALER_AND_OWN:
                return np.concatenate([cards[entry, self.seats.against[row]], cards[entry, at]], axis=1)
            case _:
                return np.maximum(self.batch.start_number[row], 0).astype(np.uint8)[:, None]
