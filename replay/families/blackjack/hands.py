"""Every hand of a batch, from the rack, the deal and the hands shown (rulings.md R-8, R-10).

How many cards a player's hand has follows from what was done with it; the player-dealer has what is left. So rounds of
any shape are read in columns: the rack by where each hand begins in it, the deal by which of its cards is whose, and
the two must agree card for card. What does not is looked at alone (`one_round`), and goes to the solver from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from replay.cards.pickup.situation import Key
from replay.cards.solver.answers import Answer
from replay.checks.shoe import TooMany, too_many_in_one_round, too_many_over_rounds
from replay.families.blackjack import drawing
from replay.families.blackjack.pickup import (
    FEWEST,
    MOST_CARDS,
    Lying,
    button_seats,
    down_cards,
    gathered,
    lying,
    picked_up_from,
)
from replay.families.blackjack.play import NEVER, Dealt, Play, dealt_order, hand_key
from replay.families.blackjack.terms import Terms
from replay.money.action_button import action_buttons
from replay.remarks import Remark
from replay.rounds import DEALT_TO, UNKNOWN, Cards, Ints, Ragged, RoundBatch, RoundFlag
from schemas.cards import JOKER_1, NO_CARD
from schemas.findings import CERTAIN, LIKELY, Basis

Bools = npt.NDArray[np.bool_]
ByHand = Mapping[Key, bytes]
"""The hands of one round as they were drawn."""

_SET_ASIDE = np.array([to in ("burn", "stub") for to in DEALT_TO])


class Evidence(IntEnum):
    """What a round's hands rest on."""

    NONE = 0
    RACK = 1
    DEAL = 2
    RACK_AND_DEAL = 3
    SOLVED = 4  # rack and deal differ, or fit no usual reading
    SHOWN = 5


BASES = {
    Evidence.NONE: Basis.REPORTS,
    Evidence.RACK: Basis.RACK,
    Evidence.DEAL: Basis.DEAL,
    Evidence.RACK_AND_DEAL: Basis.DEAL_AND_RACK,
    Evidence.SOLVED: Basis.COMPARED,
    Evidence.SHOWN: Basis.SHOWN,
}


class Round(NamedTuple):
    """What the hands of one round are, and what gave them."""

    readings: Sequence[ByHand] = ()
    evidence: Evidence = Evidence.NONE
    remarks: Sequence[Remark] = ()
    why_not: str = ""


@dataclass(frozen=True)
class Shown:
    """Hands as they were exposed, one entry each."""

    row: Ints
    key: Ints  # `hand_key`; the player-dealer's under its own seat
    cards: Cards
    seq: Ints


@dataclass(frozen=True)
class Sources:
    """What the hands of a batch are rebuilt from."""

    terms: Terms
    batch: RoundBatch
    play: Play
    dealt: Dealt
    button: Ints  # (n,) the seat picking up began at
    shown: Shown

    @cached_property
    def lying(self) -> Lying:
        return lying(self.batch, self.play, self.button, self.terms)

    def bank(self, row: int) -> Key:
        return Key(int(self.play.bank[row]))


@dataclass(frozen=True)
class Hands:
    """One entry per player's hand as in `Spots`, and one per round for the player-dealer's; NO_CARD where there is no
    card, and all NO_CARD where a hand is not known."""

    cards: Cards
    dealer: Cards
    evidence: npt.NDArray[np.uint8]
    others: dict[int, tuple[ByHand, ...]]  # rounds with other readings that the evidence allows as well
    remarks: list[Remark]
    why_not: dict[int, str]  # why the hands of a round are not known
    answers: dict[int, Answer] = field(default_factory=dict)  # how the solver explains odd racks
    settled_otherwise: frozenset[int] = frozenset()  # odd racks whose explanation does not give the hands

    @property
    def known(self) -> Bools:
        return np.asarray(self.cards[:, 0] != NO_CARD)

    @property
    def dealer_known(self) -> Bools:
        return np.asarray(self.dealer[:, 0] != NO_CARD)

    @property
    def most_readings(self) -> int:
        return 1 + max(map(len, self.others.values()), default=0)

    def with_other(self, number: int, play: Play) -> Hands:
        """The same, with this one of the other readings (1, 2 ...) of each round that has so many."""
        chosen = {row: readings[number - 1] for row, readings in self.others.items() if number <= len(readings)}
        cards, dealer = put(self.cards, self.dealer, play, chosen)
        return replace(self, cards=cards, dealer=dealer, others={}, remarks=[])


def put(cards: Cards, dealer: Cards, play: Play, rounds: Mapping[int, ByHand]) -> tuple[Cards, Cards]:
    """The same hands, with those of these rounds in the place of what was there."""
    longest = max((len(held) for by_hand in rounds.values() for held in by_hand.values()), default=0)
    cards, dealer = (_wide(column.copy(), longest) for column in (cards, dealer))
    spots = play.spots
    for row, by_hand in rounds.items():
        dealer[row] = _padded(by_hand.get(Key(int(play.bank[row])), b""), dealer.shape[1])
        for at in range(*np.searchsorted(spots.row, [row, row + 1]).tolist()):
            held = by_hand.get(Key(int(spots.seat[at]), int(spots.hand[at])), b"")
            cards[at] = _padded(held, cards.shape[1])
    return cards, dealer


def _wide(cards: Cards, width: int) -> Cards:
    more = min(width, MOST_CARDS) - cards.shape[1]
    return np.pad(cards, ((0, 0), (0, more)), constant_values=NO_CARD) if more > 0 else cards


def _padded(held: bytes, width: int) -> Cards:
    found = np.full(width, NO_CARD, np.uint8)
    if FEWEST <= len(held) <= width and max(held) < JOKER_1:
        found[: len(held)] = np.frombuffer(held, np.uint8)
    return found


def by_hand(sources: Sources, hands: Hands, row: int) -> dict[Key, bytes]:
    """The hands of one round that are known."""
    spots, found = sources.play.spots, {}
    for at in range(*np.searchsorted(spots.row, [row, row + 1]).tolist()):
        held = hands.cards[at]
        found[Key(int(spots.seat[at]), int(spots.hand[at]))] = held[held != NO_CARD].tobytes()
    dealer = hands.dealer[row]
    found[sources.bank(row)] = dealer[dealer != NO_CARD].tobytes()
    return {key: held for key, held in found.items() if held}


def card_events(batch: RoundBatch, row: int) -> tuple[int, ...]:
    """The events a statement about a round's cards rests on: the readings of shoe and rack."""
    columns = ("first_card_seq", "last_card_seq", "rack_first_seq", "rack_last_seq")
    known = {int(batch.fixed[column][row]) for column in columns} - {UNKNOWN}
    if batch.rack_last_seq[row] == UNKNOWN:  # when the rack was read is not known: before the round ended
        known |= {int(batch.last_seq[row])} - {UNKNOWN}
    return tuple(sorted(known))


def sources_of(batch: RoundBatch, play: Play, terms: Terms) -> Sources:
    button = picked_up_from(batch, play, terms)
    return Sources(terms, batch, play, dealt_order(play.spots, len(batch)), button, _shown(batch, play))


def _shown(batch: RoundBatch, play: Play) -> Shown:
    """The last time each hand was shown counts: hands lie open here, and grow."""
    shown = batch.shown
    place = np.where(shown.place == 0, play.bank[shown.row], shown.place)
    key = hand_key(shown.row, place, shown.hand)
    order = np.lexsort((shown.seq, key))
    last = order[np.append(key[order][1:] != key[order][:-1], True)] if len(order) else order
    return Shown(shown.row[last], key[last], shown.cards[last], shown.seq[last].astype(np.int64))


# ---- a batch ---------------------------------------------------------------------------------------------------------


def reconstruct(
    sources: Sources, one_round: Callable[[int, bool], Round], wagered: Bools, voided: Bools, doubted: bool
) -> Hands:
    """The hands of every round. `doubted` says that wagers of every round were settled otherwise than the hands give as
    they lie in the rack. What is in no order is `one_round`'s; in a voided round nothing need be complete."""
    batch, play, terms = sources.batch, sources.play, sources.terms
    spots, rows = play.spots, len(batch)
    racked, dealt = batch.rack.counts > 0, batch.dealt.counts > 0
    in_play = np.ones(rows, bool)
    in_play[spots.row[spots.away_seq != NEVER]] = False
    rack_fits = racked & in_play & _playable(batch.rack) & ~batch.has(RoundFlag.RACK_UNSURE)
    rack_fits &= (sources.lying.dealer_count >= FEWEST) & (sources.lying.dealer_count <= MOST_CARDS)
    left = batch.dealt.counts - np.bincount(spots.row, weights=spots.size, minlength=rows).astype(np.int64)
    deal_fits = dealt & in_play & _playable(batch.dealt) & (left >= FEWEST) & (left <= MOST_CARDS)
    deal_fits &= ~_any_of(batch.dealt_to, _SET_ASIDE)
    sizes = spots.size.max(initial=FEWEST), sources.lying.dealer_count.max(initial=0), left.max(initial=0)
    width = int(min(max(FEWEST, *(int(size) for size in sizes)), MOST_CARDS))
    small = np.ones(rows, bool)
    small[spots.row[spots.size > MOST_CARDS]] = False

    from_rack = _from_rack(sources, width)
    from_deal = _from_deal(sources, left, width)
    both = (
        rack_fits & deal_fits & small & (batch.rack.counts == batch.dealt.counts) & ~_differ(play, from_rack, from_deal)
    )
    by_deal = deal_fits & small & ~racked & drawing.lawful(terms.law.player_dealer, from_deal[1])
    by_deal &= ~_places_differ(sources, left, width)
    by_rack = rack_fits & small & ~dealt & drawing.lawful(terms.law.player_dealer, from_rack[1])
    by_rack &= _button_fits(sources) & (not doubted)
    taken = (both | by_deal | by_rack) & ~voided
    use_deal = by_deal & ~both
    cards = np.where(use_deal[spots.row][:, None], from_deal[0], from_rack[0])
    dealer = np.where(use_deal[:, None], from_deal[1], from_rack[1])
    taken &= ~_shown_otherwise(sources, cards, dealer)
    cards[~taken[spots.row]], dealer[~taken] = NO_CARD, NO_CARD
    evidence = np.where(both, Evidence.RACK_AND_DEAL, np.where(use_deal, Evidence.DEAL, Evidence.RACK))
    evidence = np.where(taken, evidence, Evidence.NONE).astype(np.uint8)
    alone = np.flatnonzero(~taken & (wagered | racked | dealt)).tolist()
    rounds = {row: one_round(row, bool(voided[row])) for row in alone}
    read = {row: one.readings[0] for row, one in rounds.items() if one.readings}
    cards, dealer = put(cards, dealer, play, read)
    for row, one in rounds.items():
        evidence[row] = one.evidence
    made = Hands(
        cards,
        dealer,
        evidence,
        {row: tuple(one.readings[1:]) for row, one in rounds.items() if len(one.readings) > 1},
        [remark for one in rounds.values() for remark in one.remarks],
        {row: one.why_not for row, one in rounds.items() if one.why_not and wagered[row] and not voided[row]},
    )
    return replace(made, remarks=[*_too_many(sources, made)[1], *made.remarks])


def _playable(column: Ragged) -> Bools:
    """(n,) rounds all of whose cards a hand of this game may have."""
    return ~_any_of(column, np.arange(256) >= JOKER_1)


def _any_of(column: Ragged, what: npt.NDArray[np.bool_]) -> Bools:
    return np.bincount(column.rows[what[column.values]], minlength=len(column.counts)) > 0


def _from_rack(sources: Sources, width: int) -> tuple[Cards, Cards]:
    """The players' hands and the player-dealer's, as they lie in a rack in order."""
    lies, spots = sources.lying, sources.play.spots
    rows, within = np.arange(len(sources.batch)), np.arange(width)
    rack = sources.batch.rack
    players = gathered(rack, spots.row, lies.start[:, None] + within, spots.size)
    return players, gathered(rack, rows, lies.dealer_start[:, None] + within, lies.dealer_count)


def _from_deal(sources: Sources, left: Ints, width: int) -> tuple[Cards, Cards]:
    """The same as they were dealt, in turn."""
    spots, dealt = sources.play.spots, sources.batch.dealt
    players = gathered(dealt, spots.row, sources.dealt.positions(width), spots.size)
    rows = np.arange(len(sources.batch))
    return players, gathered(dealt, rows, sources.dealt.dealer_positions(width), left)


def _differ(play: Play, one: tuple[Cards, Cards], other: tuple[Cards, Cards]) -> Bools:
    """(n,) rounds in which a hand is not the same, card for card."""
    differ: Bools = (one[1] != other[1]).any(axis=1)
    differ[play.spots.row[(one[0] != other[0]).any(axis=1)]] = True
    return differ


def _places_differ(sources: Sources, left: Ints, width: int) -> Bools:
    """(n,) rounds in which a device saw a card go elsewhere than the order of the deal has it."""
    batch, play = sources.batch, sources.play
    said = batch.dealt_place
    place = replace_column(said, said.values.astype(np.int16))
    seen = _from_deal(replace(sources, batch=replace(batch, dealt=place)), left, width)
    seats, bank = play.spots.seat[:, None], play.bank[:, None]
    wrong = ((seen[0] >= 0) & (seen[0] != seats) & (seen[0] != NO_CARD)).any(axis=1)
    differ: Bools = ((seen[1] > 0) & (seen[1] != bank) & (seen[1] != NO_CARD)).any(axis=1)
    differ[play.spots.row[wrong]] = True
    return differ


def _button_fits(sources: Sources) -> Bools:
    """(n,) rounds whose rack has the card second in the player-dealer's hand that decided the action button."""
    batch, placed = sources.batch, action_buttons(sources.batch)
    down = down_cards(batch, sources.play)
    named = placed.card < JOKER_1
    due = button_seats(down, sources.play.bank, sources.terms)
    return np.asarray((~named | (placed.card == down)) & (named | (placed.seat < 0) | (placed.seat == due)))


def _shown_otherwise(sources: Sources, cards: Cards, dealer: Cards) -> Bools:
    """(n,) rounds in which a hand was shown with cards it does not have."""
    shown, spots = sources.shown, sources.play.spots
    differ = np.zeros(len(sources.batch), bool)
    if not len(shown.row):
        return differ
    own = spots.key
    order = np.argsort(own, kind="stable")
    at = np.minimum(np.searchsorted(own[order], shown.key), max(len(own) - 1, 0))
    mine = own[order][at] == shown.key if len(own) else np.zeros(len(shown.key), bool)
    held = np.where(mine[:, None], cards[order[at]], dealer[shown.row])
    for one in range(shown.cards.shape[1]):
        card = shown.cards[:, one : one + 1]
        short = (held == card).sum(axis=1) < (shown.cards == card).sum(axis=1)
        differ[shown.row[short & (card[:, 0] != NO_CARD)]] = True
    return differ


def replace_column(column: Ragged, values: npt.NDArray[np.int16]) -> Ragged:
    return Ragged(column.offsets, values)


def _too_many(sources: Sources, hands: Hands) -> tuple[TooMany, list[Remark]]:
    """Cards there are more often than in the shoe."""
    batch, terms = sources.batch, sources.terms
    decks = np.where(batch.decks > 0, batch.decks, terms.decks).astype(np.int64)
    over_rounds, said = too_many_over_rounds(batch, terms.law.deck)
    seen = [
        (where, basis, _every_card(column))
        for where, basis, column in (("in the rack", Basis.RACK, batch.rack), ("dealt", Basis.DEAL, batch.dealt))
    ]
    found, also = too_many_in_one_round(seen, over_rounds, decks, terms.law.deck, lambda row: card_events(batch, row))
    return found, [*said, *also]


def _every_card(column: Ragged) -> Cards:
    width = int(column.counts.max(initial=1))
    rows = np.arange(len(column.counts))
    within = np.tile(np.arange(width), (len(rows), 1))
    return gathered(column, rows, within, column.counts)


def confidence(hands: Hands, row: int) -> float:
    """How sure a statement about a round's cards is: two witnesses that agree, or one."""
    return CERTAIN if hands.evidence[row] == Evidence.RACK_AND_DEAL else LIKELY
