"""The cards dealt first to every place, for wagers judged on them: as a shoe read them go, or as they were shown.

The rack holds a hand as it was set, so it does not tell which of its cards came first; it says which three they may
have been.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from replay.families.split_hands.deal import Deal, cards_of_turn, method_filed
from replay.families.split_hands.hands import Hands, Sources, first_shown_alone
from replay.families.split_hands.solver import shown_differs
from replay.families.split_hands.terms import FIRST_CARDS, Terms
from replay.remarks import Remark
from replay.rounds import DEALT_TO, UNKNOWN, Cards, Ints, RoundBatch

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

_TO_PLACES = DEALT_TO.index("")


@dataclass(frozen=True)
class FirstDealt:
    """Of a batch."""

    cards: Cards  # (n, 7, 3)
    known: Bools  # (n, 7)
    remarks: list[Remark]

    def taken(self, rows: Ints) -> FirstDealt:
        return FirstDealt(self.cards[rows], self.known[rows], self.remarks)

    def of_hands(self, row: Ints, at: Ints, held: Cards, hand_known: Bools, terms: Terms) -> Bools:
        """Whether the first cards of these hands are known: where the hand is, they must be among its cards."""
        first = terms.geometry.masks_of(self.cards[row, at])
        within = (first & ~terms.geometry.masks_of(held)) == 0
        return np.asarray(self.known[row, at] & (within | ~hand_known))


def first_dealt(sources: Sources, hands: Hands | None, start: Ints, misdealt: Bools) -> FirstDealt | None:
    """`start` (n,) is where each deal began, `misdealt` the rounds in which places got other numbers of cards; `hands`
    are those that what was shown must be part of. None where no side wager offered asks for the first cards."""
    terms, deal, batch = sources.terms, sources.deal, sources.batch
    if not terms.judges_first_cards:
        return None
    geometry, rows = terms.geometry, len(batch)
    cards = np.zeros((rows, geometry.places, FIRST_CARDS), np.uint8)
    known = np.zeros((rows, geometry.places), bool)
    dealt = np.isin(np.arange(geometry.places), geometry.dealt_in)
    begun = deal.read & ~misdealt & (start != UNKNOWN)
    cards[begun] = deal.hands(np.where(begun, start, geometry.hand_places[0]))[begun, :, :FIRST_CARDS]
    known[begun] = dealt
    _not_where_misread(sources, start, begun, known)
    _stacks_alone(batch, deal, start, terms, cards, known)
    remarks = list(_as_shown(sources, hands, cards, known))
    return FirstDealt(cards, known, remarks)


def _not_where_misread(sources: Sources, start: Ints, begun: Bools, known: Bools) -> None:
    """A card read twice in one hand was another one once, and nothing says which time."""
    values, rounds = sources.batch.dealt.values, sources.batch.dealt.rows
    code = np.unique(rounds * 256 + values.astype(np.int64))
    different = np.bincount(code // 256, minlength=len(known))
    for row in np.flatnonzero(begun & (different < np.bincount(rounds, minlength=len(known)))).tolist():
        read = sources.batch.dealt[row].tolist()
        hands = sources.deal.hands(np.maximum(start, 0))[row].tolist()
        for place in np.flatnonzero(known[row]).tolist():
            hand = hands[place]
            true = [card for card in hand if card not in read]
            known[row, place] = not (true and any(read.count(card) > 1 for card in hand))


def _stacks_alone(batch: RoundBatch, deal: Deal, start: Ints, terms: Terms, cards: Cards, known: Bools) -> None:
    """Where the shoe read the first cards and the others came from the dealer's hand (MA-PGP §17(g)(1))."""
    geometry = terms.geometry
    if method_filed(terms).steps[0].cards != FIRST_CARDS:
        return
    to_places = batch.dealt_to.values == _TO_PLACES
    values, rounds = batch.dealt.values[to_places], batch.dealt.rows[to_places]
    count = np.bincount(rounds, minlength=len(batch))
    stacks = geometry.hands * FIRST_CARDS
    rows = np.flatnonzero((count == stacks) & (start != UNKNOWN) & ~deal.read)
    if not len(rows):
        return
    offset = (np.cumsum(count) - count)[rows]
    read = values[offset[:, None] + np.arange(stacks)]
    apart = np.bitwise_count(geometry.masks_of(read)) == stacks
    rows, read = rows[apart], read[apart]
    turns = read[:, cards_of_turn(terms)[:, :FIRST_CARDS]]
    for place in geometry.hand_places:
        turn = geometry.turn_of_place[start[rows], place]
        cards[rows, place] = turns[np.arange(len(rows)), turn]
        known[rows, place] = True


def _as_shown(sources: Sources, hands: Hands | None, cards: Cards, known: Bools) -> Iterator[Remark]:
    """The cards a player laid face up for the wager (MA-PGP §17(f)). RACK-323 where they are not those dealt, or not in
    the hand: then nothing says which they were."""
    shown, terms, geometry = sources.batch.shown, sources.terms, sources.terms.geometry
    for at in np.flatnonzero(first_shown_alone(sources.batch, terms)).tolist():
        row, place = int(shown.row[at]), int(shown.place[at])
        own = int(geometry.masks_of(shown.cards[at, :FIRST_CARDS]))
        held = own if hands is None or not hands.known[row, place] else int(geometry.masks_of(hands.cards[row, place]))
        dealt = int(geometry.masks_of(cards[row, place]))
        if known[row, place] and dealt != own:
            known[row, place] = False
            yield shown_differs(terms, row, place, own, dealt, int(shown.seq[at]), sources.confidence(row))
        elif own & ~held and not known[row, place]:
            yield shown_differs(terms, row, place, own, held, int(shown.seq[at]), sources.confidence(row))
        else:
            cards[row, place], known[row, place] = shown.cards[at, :FIRST_CARDS], True


def threes_of(hands: Cards) -> Cards:
    """(m, 35, 3) every three cards of hands (m, 7): the first ones may be any of them."""
    return hands[:, list(combinations(range(hands.shape[1]), FIRST_CARDS))]
