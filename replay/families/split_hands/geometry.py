"""How many places, hands and cards a game has, and what follows for arrays: a column a place, place 0 the dealer's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
import numpy.typing as npt

from replay.cards.pickup.situation import Key
from schemas.cards import JOKER_1, NO_CARD
from schemas.places import Numbering, Ring

Cards = npt.NDArray[np.uint8]
Masks = npt.NDArray[np.uint64]  # a set of cards, a bit a card


@dataclass(frozen=True)
class Geometry:
    ring: Ring
    cards: int  # in a hand
    low: int  # of them in the low hand
    jokers: int
    absent: tuple[int, ...] = ()  # the places that are dealt no hand, in order

    @property
    def hands(self) -> int:
        """Hands dealt. Arrays by packet or by turn have an empty one for each place that gets none last."""
        return self.places - len(self.absent)

    @cached_property
    def hand_places(self) -> tuple[int, ...]:
        return tuple(place for place in range(self.places) if place not in self.absent)

    @cached_property
    def dealt_in(self) -> npt.NDArray[np.int64]:
        """The same as an index."""
        return np.array(self.hand_places, np.int64)

    @cached_property
    def left_out(self) -> npt.NDArray[np.int64]:
        return np.array(self.absent, np.int64)

    @property
    def places(self) -> int:
        return self.ring.size

    @property
    def deck_size(self) -> int:
        return JOKER_1 + self.jokers

    @property
    def dealt(self) -> int:
        """Cards dealt to all hands together."""
        return self.hands * self.cards

    @property
    def stub(self) -> int:
        """Cards left after the deal."""
        return self.deck_size - self.dealt

    @property
    def settings(self) -> int:
        """The ways to set a hand."""
        return comb(self.cards, self.low)

    @cached_property
    def deck(self) -> bytes:
        return bytes(range(self.deck_size))

    @cached_property
    def whole_deck(self) -> np.uint64:
        return np.uint64((1 << self.deck_size) - 1)

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        return tuple(Key(place) for place in self.hand_places)

    @cached_property
    def is_dealer(self) -> npt.NDArray[np.bool_]:
        return np.asarray(np.arange(self.places)[None, :] == 0)

    @cached_property
    def nobody(self) -> Cards:
        """Fills places whose hand is not known, so that rankers get a hand."""
        return np.arange(self.cards, dtype=np.uint8)

    @cached_property
    def turn_of_place(self) -> npt.NDArray[np.int64]:
        """[start, place] → which hand of a deal clockwise from `start` goes to the place, counted from 0."""
        onward = 1 if self.ring.numbering is Numbering.CLOCKWISE else -1
        number = np.full(self.places, self.hands)  # the first of the empty ones
        number[self.dealt_in] = np.arange(self.hands)
        turns = np.asarray(onward * (number[None, :] - number[:, None]) % self.hands)
        turns[self.left_out] = turns[:, self.left_out] = self.hands
        return turns

    @cached_property
    def place_of_turn(self) -> npt.NDArray[np.int64]:
        """[start, turn] → place, for turns of hands that are dealt."""
        found = np.zeros((self.places, self.hands), np.int64)
        for start in self.hand_places:
            for place in self.hand_places:
                found[start, self.turn_of_place[start, place]] = place
        return found

    @cached_property
    def number_of(self) -> npt.NDArray[np.int64]:
        """[place] → its number among the places dealt in."""
        return np.searchsorted(self.dealt_in, np.arange(self.places))

    def with_nobody(self, hands: Cards) -> Cards:
        """Packets or turns (n, hands, cards) with the empty ones of places that get none."""
        if not self.absent:
            return hands
        nobody = np.broadcast_to(self.nobody, (len(hands), len(self.absent), self.cards))
        return np.concatenate([hands, nobody], axis=1)

    def turn_masks(self, turns: Cards) -> Masks:
        """The sets of cards of packets or turns (n, places, cards); none of the empty ones."""
        masks = self.masks_of(turns)
        masks[:, self.hands :] = 0
        return masks

    def masks_of(self, cards: Cards) -> Masks:
        """The set of cards along the last axis; a code that is no card of the deck adds none."""
        bit = self._bit
        found: Masks = bit[cards[..., 0]]
        for at in range(1, cards.shape[-1]):  # card by card: reducing along a short axis takes three times as long
            found |= bit[cards[..., at]]
        return found

    @cached_property
    def _bit(self) -> Masks:
        bit: Masks = np.zeros(NO_CARD + 1, np.uint64)
        bit[: self.deck_size] = np.uint64(1) << np.arange(self.deck_size, dtype=np.uint64)
        return bit
