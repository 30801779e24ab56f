"""The rack under the pickup procedure filed: where each hand begins, and what is said of it before anybody looks at a
card.

Hands go in as they are surrendered or settled, from the action button on, the player-dealer's last (rulings.md R-8). So
the player-dealer's hand is what is left of the rack, its second card is the down card, and that card puts the button
where settling and picking up began.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.cards.pickup.situation import NOTHING, HandSituation, Key, Situation
from replay.cards.pickup.words import Word
from replay.cards.solver.batch import HandColumns, arrange, starts_of
from replay.families.blackjack.play import HANDS_A_SEAT, NEVER, Play
from replay.families.blackjack.terms import Terms
from replay.money.action_button import action_buttons
from replay.rounds import Cards, Ints, Ragged, RoundBatch
from schemas.cards import JOKER_1, NO_CARD

Bools = npt.NDArray[np.bool_]

MOST_CARDS = 24
"""That one hand may have: twenty-one aces are 21, and a little more for one drawn against the rules."""
FEWEST = 2


@dataclass(frozen=True)
class Lying:
    """Where the hands of a batch begin in their racks, if these are in order."""

    start: Ints  # (m,) of each player's hand
    dealer_start: Ints  # (n,) of the player-dealer's
    dealer_count: Ints  # (n,) how many cards are left for it


def lying(batch: RoundBatch, play: Play, button: Ints, terms: Terms) -> Lying:
    """`button` is the seat settling began at, one per round."""
    spots, rows = play.spots, len(batch)
    left = batch.rack.counts - np.bincount(spots.row, weights=spots.size, minlength=rows).astype(np.int64)
    seated = np.unique(spots.seat * HANDS_A_SEAT + spots.hand)
    codes = np.unique(np.concatenate([seated, play.bank * HANDS_A_SEAT]))
    column = np.searchsorted(codes, spots.seat * HANDS_A_SEAT + spots.hand)
    dealers = np.searchsorted(codes, play.bank * HANDS_A_SEAT)
    shape, at = (rows, len(codes)), (np.arange(rows), dealers)

    def said(values: npt.NDArray[np.bool_]) -> Bools:
        found = np.zeros(shape, bool)
        found[spots.row, column] = values
        return found

    counts, acted = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    counts[spots.row, column] = spots.size
    counts[at] = np.maximum(left, 0)
    away = np.minimum(spots.surrendered_seq, spots.away_seq)
    acted[spots.row, column] = np.where(away == NEVER, 0, away)
    against = np.zeros(shape, bool)
    against[at] = True
    words = {
        Word.AGAINST: against,
        Word.WAGERED: said(np.ones(len(spots), bool)),
        Word.SURRENDERED: said(spots.surrendered),
        Word.OUT_OF_PLAY: said(spots.away_seq != NEVER),
        Word.SPLIT: said(spots.is_split),
    }
    keys = tuple(Key(*divmod(int(code), HANDS_A_SEAT)) for code in codes)
    arranged = arrange(terms.pickup, HandColumns(keys, words, acted, rows, button), terms.ring)
    starts = starts_of(arranged.order, counts)
    return Lying(starts[spots.row, column], starts[at], left)


def gathered(ragged: Ragged, row: Ints, position: Ints, count: Ints) -> Cards:
    """(m, width) the cards at these positions of their rounds, NO_CARD beyond `count`."""
    there = np.arange(position.shape[1]) < count[:, None]
    index = ragged.offsets[row][:, None] + position
    last = max(len(ragged.values) - 1, 0)
    if not len(ragged.values):
        return np.full(position.shape, NO_CARD, np.uint8)
    found: Cards = np.where(there, ragged.values[np.clip(index, 0, last)], NO_CARD).astype(np.uint8)
    return found


def down_cards(batch: RoundBatch, play: Play) -> Cards:
    """(n,) the card that should lie second in the player-dealer's hand, which is the last; NO_CARD where none can."""
    spots, rows = play.spots, len(batch)
    at = np.bincount(spots.row, weights=spots.size, minlength=rows).astype(np.int64) + 1
    held = at < batch.rack.counts
    return gathered(batch.rack, np.arange(rows), at[:, None], held.astype(np.int64))[:, 0]


def button_seats(cards: Cards, bank_place: Ints, terms: Terms) -> Ints:
    """The seat each of these down cards gives the action button; the player-dealer's own where nothing says."""
    seated, known = bank_place > 0, cards < JOKER_1
    bank = np.where(seated, bank_place, 1)
    due = terms.law.button.seat(np.where(known, cards, 0).astype(np.uint8), bank, terms.seats)
    return np.where(seated & known, due, bank).astype(np.int64)


def picked_up_from(batch: RoundBatch, play: Play, terms: Terms) -> Ints:
    """(n,) the seat picking up began at: where the button was put, or else where the down card puts it."""
    placed = action_buttons(batch).seat
    there = (placed >= 1) & (placed <= terms.seats)
    return np.where(there, placed, button_seats(down_cards(batch, play), play.bank, terms))


def situation_of(
    play: Play,
    row: int,
    sizes: Mapping[Key, tuple[int, ...]],
    dealer: tuple[int, ...],
    button: tuple[int, ...],
    terms: Terms,
) -> Situation:
    """What is known of the hands of one round that may have so many cards."""
    spots, found = play.spots, []
    for at in np.flatnonzero(spots.row == row).tolist():
        key = Key(int(spots.seat[at]), int(spots.hand[at]))
        so = {
            Word.WAGERED: True,
            Word.SURRENDERED: bool(spots.surrendered[at]),
            Word.OUT_OF_PLAY: bool(spots.away_seq[at] != NEVER),
            Word.SPLIT: bool(spots.is_split[at]),
        }
        true = frozenset(word for word, holds in so.items() if holds)
        acted = int(min(spots.surrendered_seq[at], spots.away_seq[at]))
        acted = -1 if acted == NEVER else acted
        found.append(HandSituation(key, sizes[key], true, NOTHING, acted))
    bank = Key(int(play.bank[row]))
    found.append(HandSituation(bank, dealer, frozenset({Word.AGAINST}), NOTHING))
    return Situation(tuple(found), terms.ring, button)
